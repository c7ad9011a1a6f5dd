"""The approved parameters of a pool as data: what is taken of a bet, where the rest goes, what a hand wins.

One `Scheme` is one version (PP-30). It is plain: no Django, no clock. Amounts are smallest units, rates and
percentages basis points; what may be declared is checked where it is read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.money import MAX_UNITS
from casino.kernel.words import Text
from jackpots import declared, saying
from tables.games import reading
from tables.games.poker.ranks import CATEGORIES

WHOLE_BP = 10_000
"""Basis points of a whole; a prize of so many is the top prize of its level."""

COMMISSION, MAIN, RESERVE, HOUSE = "commission", "main", "reserve", "house"
PERCENT, TIMES, FIXED = "percent", "times", "fixed"
SPLIT, SEQUENTIAL, ROYALS_SHARE = "split_equal_percent", "sequential", "sequential_royals_share"
POLICIES = (SPLIT, SEQUENTIAL, ROYALS_SHARE)
RESEED_ORDERS = ((RESERVE, HOUSE), (HOUSE,))
"""Who steps in where a level's own money does not do. The house is last: only it never runs out."""

HANDS = tuple(hand for hand in reversed(CATEGORIES) if hand != "high_card")
"""Hands a prize may be for, the highest first."""

MOST_LEVELS, MOST_RESERVES, MOST_CREDITS, MOST_TIMES = 8, 4, 1_000, 100_000
_CODE = re.compile(r"[a-z][a-z0-9_]{0,19}", re.ASCII)
_TAKEN = frozenset({COMMISSION, HOUSE, "base", "residue", "pending", "credits"})
"""What accounts of a pool are named already: no level and no reserve is."""


@dataclass(frozen=True, slots=True)
class Prize:
    """What a hand wins: `value` basis points of a level's meter, times the bet, or smallest units."""

    hand: str
    kind: str
    value: int
    level: str = MAIN

    @property
    def top(self) -> bool:
        """Whether it is the whole meter, after which the level restarts at its base (PP-33)."""
        return self.kind == PERCENT and self.value == WHOLE_BP


@dataclass(frozen=True, slots=True)
class Level:
    """A meter that is shown and pays. `share_bp`: of what commission leaves; `base`: where it begins; `cap`:
    the most it shows, what is above goes to the first reserve.
    """

    code: str
    share_bp: int
    base: int
    cap: int | None = None


@dataclass(frozen=True, slots=True)
class Reserve:
    """Players' money kept for later, not shown (PP-22)."""

    code: str
    share_bp: int


CLASSIC = (
    Prize("royal_flush", PERCENT, 10_000),
    Prize("straight_flush", PERCENT, 1_000),
    Prize("four_of_a_kind", TIMES, 500),
    Prize("full_house", TIMES, 100),
    Prize("flush", TIMES, 50),
)
"""The rulebook's table `progressive.classic` (PP-16), while an operator declares no other."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """One version of a pool's parameters.

    `credit`: smallest units of a credit; `least`, `most`: credits of one bet (PP-13). `reseed_order`: who
    brings a level back to its base, and who pays what a level lacks. `round_limit`: the most the fixed and
    multiple prizes of one round come to; None: no limit. `rates`: each numerator over `maths.D`.
    """

    commission_bp: int
    levels: tuple[Level, ...]
    reserves: tuple[Reserve, ...]
    credit: int
    least: int
    most: int
    prizes: tuple[Prize, ...] = CLASSIC
    policy: str = SPLIT
    lower_percent_first: bool = True
    reseed_order: tuple[str, ...] = (RESERVE, HOUSE)
    round_limit: int | None = None
    rates: tuple[tuple[str, int], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        funds: tuple[Level | Reserve, ...] = (*self.levels, *self.reserves)
        if sum(fund.share_bp for fund in funds) != WHOLE_BP:
            raise ValueError("the shares of a scheme come to the whole")
        left = WHOLE_BP - self.commission_bp
        rates = ((COMMISSION, self.commission_bp * WHOLE_BP), *((f.code, left * f.share_bp) for f in funds))
        object.__setattr__(self, "rates", rates)

    def numerators(self) -> dict[str, int]:
        """Of each fund and of the commission, over `maths.D`; they come to D."""
        return dict(self.rates)

    def level(self, code: str) -> Level:
        for one in self.levels:
            if one.code == code:
                return one
        raise KeyError(code)

    def prize_of(self, hand: str) -> Prize | None:
        """What a hand wins; None where it wins nothing."""
        return next((prize for prize in self.prizes if prize.hand == hand), None)

    def to_json(self) -> dict[str, Any]:
        """The stored form, which `read` reads."""
        return {
            "commission_bp": self.commission_bp,
            "levels": [asdict(level) for level in self.levels],
            "reserves": [asdict(reserve) for reserve in self.reserves],
            "credit": self.credit,
            "least": self.least,
            "most": self.most,
            "prizes": [asdict(prize) for prize in self.prizes],
            "policy": self.policy,
            "lower_percent_first": self.lower_percent_first,
            "reseed_order": list(self.reseed_order),
            "round_limit": self.round_limit,
        }


_KEYS = frozenset(
    {"commission_bp", "levels", "reserves", "credit", "least", "most", "prizes", "policy"}
    | {"lower_percent_first", "reseed_order", "round_limit"}
)


def read(raw: object) -> Scheme:
    """A scheme from its stored or declared form; what may be left out takes the rulebook's default.

    Raises `RuleViolation` (`pool_figures_unset`) while commission, a base or a reserve's share is not
    stated (PP-20), or the value of a credit (PP-13); `Refused` or `RuleViolation` naming the field otherwise.
    """
    given = reading.mapping(raw, "scheme")
    reading.known_keys(given, _KEYS, "scheme")
    levels = _list(_or(given.get("levels"), [{}]), "levels", 1, MOST_LEVELS, "PP-22")
    reserves = _list(_or(given.get("reserves"), []), "reserves", 0, MOST_RESERVES)
    _require_stated(given, levels, reserves)
    read_levels = tuple(_level(one) for one in levels)
    read_reserves = tuple(_reserve(one) for one in reserves)
    _require_funds(read_levels, read_reserves)
    least = declared.whole(given.get("least", 1), "least", 1, MOST_CREDITS)
    most = declared.whole(given.get("most", least), "most", least, MOST_CREDITS)
    credit = declared.money(given["credit"], "credit", 1, MAX_UNITS // MOST_CREDITS)
    limit = given.get("round_limit")
    return Scheme(
        commission_bp=declared.rate(given["commission_bp"], "commission_bp", 0, WHOLE_BP - 1),
        levels=read_levels,
        reserves=read_reserves,
        credit=credit,
        least=least,
        most=most,
        prizes=_prizes(given.get("prizes"), [level.code for level in read_levels], credit * most),
        policy=reading.one_of(given.get("policy", SPLIT), "policy", POLICIES),
        lower_percent_first=_flag(given.get("lower_percent_first", True), "lower_percent_first"),
        reseed_order=_order(given.get("reseed_order", list(RESEED_ORDERS[0]))),
        round_limit=None if limit is None else declared.money(limit, "round_limit", 1),
    )


def _or(value: object, absent: object) -> object:
    return absent if value is None else value


# ---- figures the book leaves open ----------------------------------------------------------------------


def _require_stated(given: Mapping[str, Any], levels: Sequence[Any], reserves: Sequence[Any]) -> None:
    missing = [] if given.get("commission_bp") is not None else ["commission_bp"]
    missing += [f"levels.{_name(one, MAIN)}.base" for one in levels if one.get("base") is None]
    if given.get("reserves") is None:
        missing.append("reserves")
    missing += [f"reserves.{_name(one, RESERVE)}.share_bp" for one in reserves if one.get("share_bp") is None]
    if missing:
        raise _unset("PP-20", missing)
    if given.get("credit") is None:
        raise _unset("PP-13", ["credit"])


def _name(one: Mapping[str, Any], usual: str) -> str:
    return reading.shown(one.get("code", usual))


def _unset(rule: str, missing: Sequence[str]) -> RuleViolation:
    names = saying.listed([saying.field(path) for path in missing])
    return RuleViolation(
        rule,
        Text(
            f"falta confirmar {names.es}: el reglamento no trae estas cifras y sin ellas el pozo no abre",
            f"{names.en} not confirmed: the rulebook has no such figures and the pool does not open without",
        ),
        {"unset": list(missing)},
        code="pool_figures_unset",
        field=missing[0],
    )


# ---- funds ---------------------------------------------------------------------------------------------


def _list(value: object, field: str, least: int, most: int, rule: str = "") -> list[Mapping[str, Any]]:
    if not isinstance(value, list | tuple) or not least <= len(value) <= most:
        raise Refused(
            Text(
                f"{saying.field(field).es} son de {least} a {most}",
                f"{saying.field(field).en} are {least} to {most}",
            ),
            code="bad_value",
            rule=rule,
            field=field,
        )
    return [reading.mapping(one, field) for one in value]


def _level(given: Mapping[str, Any]) -> Level:
    reading.known_keys(given, ("code", "share_bp", "base", "cap"), "levels")
    code = _code(given.get("code", MAIN), "levels", (*_TAKEN, RESERVE))
    at = f"levels.{code}"
    base, cap = declared.money(given["base"], f"{at}.base", 0), given.get("cap")
    return Level(
        code=code,
        share_bp=declared.rate(given.get("share_bp"), f"{at}.share_bp", 1, WHOLE_BP),
        base=base,
        # A cap no higher than the base would be a meter that never moves.
        cap=None if cap is None else declared.money(cap, f"{at}.cap", base + 1),
    )


def _reserve(given: Mapping[str, Any]) -> Reserve:
    reading.known_keys(given, ("code", "share_bp"), "reserves")
    code = _code(given.get("code", RESERVE), "reserves", (*_TAKEN, MAIN))
    return Reserve(code, declared.rate(given["share_bp"], f"reserves.{code}.share_bp", 0, WHOLE_BP - 1))


def _code(value: object, field: str, taken: Collection[str]) -> str:
    if not isinstance(value, str) or not _CODE.fullmatch(value) or value in taken:
        words = Text(
            "un fondo se llama con letras y cifras, hasta 20, y no como otra cuenta del pozo"
            " (comisión, casa, base, residuo)",
            "a fund is called by letters and digits, up to 20, and not as another account of the pool"
            " (commission, house, base, residue)",
        )
        raise Refused(words, code="bad_value", field=f"{field}.code")
    return value


def _require_funds(levels: Sequence[Level], reserves: Sequence[Reserve]) -> None:
    funds: tuple[Level | Reserve, ...] = (*levels, *reserves)
    codes = [fund.code for fund in funds]
    if len(set(codes)) != len(codes):
        raise _refused("levels", "dos fondos se llaman igual", "two funds have the same name")
    if MAIN not in codes:
        words = Text("falta el pozo principal", "the main pool is missing")
        raise RuleViolation("PP-22", words, code="main_pool_missing", field="levels")
    total = sum(fund.share_bp for fund in funds)
    if total != WHOLE_BP:
        words = Text(
            f"las partes de lo que deja la comisión suman {saying.percent(total).es} y no 100 %",
            f"the shares of what commission leaves come to {saying.percent(total).en}, not 100%",
        )
        raise RuleViolation(
            "PP-21", words, {"total": total}, code="shares_not_whole", field="levels.main.share_bp"
        )
    capped = next((level for level in levels if level.cap is not None), None)
    if capped and not reserves:
        raise _refused(
            f"levels.{capped.code}.cap",
            "un tope necesita un pozo de reserva al que vaya el exceso",
            "a cap needs a reserve that takes what is above it",
        )


# ---- prizes --------------------------------------------------------------------------------------------


def _prizes(value: object, levels: Sequence[str], largest_bet: int) -> tuple[Prize, ...]:
    prizes: tuple[Prize, ...] = CLASSIC
    if value is not None:
        prizes = tuple(_prize(one, levels) for one in _list(value, "prizes", 1, len(HANDS), "PP-16"))
    hands = [prize.hand for prize in prizes]
    if len(set(hands)) != len(hands):
        raise _refused("prizes", "una mano tiene dos premios", "a hand has two prizes", "PP-16")
    for prize in prizes:
        if prize.kind == TIMES and prize.value * largest_bet > MAX_UNITS:
            raise _refused(
                f"prizes.{prize.hand}.value",
                "con la apuesta mayor este premio es demasiado grande",
                "with the largest bet this prize is too large",
            )
    for level in levels:
        _require_winnable(level, [prize for prize in prizes if prize.level == level])
    return prizes


def _prize(given: Mapping[str, Any], levels: Collection[str]) -> Prize:
    reading.known_keys(given, ("hand", "kind", "value", "level"), "prizes")
    hand = reading.one_of(given.get("hand"), "prizes.hand", HANDS)
    at = f"prizes.{hand}"
    kind = reading.one_of(given.get("kind"), f"{at}.kind", tuple(_MOST))
    read_value = {PERCENT: declared.rate, TIMES: declared.whole, FIXED: declared.money}[kind]
    value, level = read_value(given.get("value"), f"{at}.value", 1, _MOST[kind]), given.get("level", MAIN)
    if not isinstance(level, str) or level not in levels:
        names, of = saying.listed([saying.fund(code) for code in levels]), saying.field(f"{at}.level")
        words = Text(f"{of.es} es uno de: {names.es}", f"{of.en} is one of: {names.en}")
        raise Refused(words, code="bad_value", field=f"{at}.level", detail={"allowed": list(levels)})
    return Prize(hand, kind, value, level)


_MOST = {PERCENT: WHOLE_BP, TIMES: MOST_TIMES, FIXED: MAX_UNITS}


def _require_winnable(level: str, prizes: Sequence[Prize]) -> None:
    """Players' money on a level no prize is paid from could never be won (PP-03)."""
    if not prizes:
        raise _refused(
            "prizes",
            f"ningún premio sale del nivel {saying.fund(level).es}",
            f"no prize is paid from the level {saying.fund(level).en}",
            "PP-03",
        )
    if sum(prize.top for prize in prizes) > 1:
        raise _refused(
            "prizes",
            f"más de una mano gana el 100 % del nivel {saying.fund(level).es}",
            f"more than one hand wins 100 % of the level {saying.fund(level).en}",
            "PP-16",
        )


# ---- the rest ------------------------------------------------------------------------------------------


def _order(value: object) -> tuple[str, ...]:
    found = tuple(value) if isinstance(value, list | tuple) else ()
    if found not in RESEED_ORDERS:
        ways = "; ".join("-".join(order) for order in RESEED_ORDERS)
        raise RuleViolation(
            "PP-33",
            Text(f"el orden de reposición es uno de: {ways}", f"the order of reseeding is one of: {ways}"),
            code="bad_reseed_order",
            field="reseed_order",
        )
    return found


def _flag(value: object, field: str) -> bool:
    if not isinstance(value, bool):
        raise reading.bad_type(field, Text("sí o no (true, false)", "true or false"))
    return value


def _refused(field: str, es: str, en: str, rule: str = "") -> Refused:
    return Refused(Text(es, en), code="bad_scheme", rule=rule, field=field)
