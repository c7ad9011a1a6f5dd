"""The rules of poker against the house as data: one frozen class a game, the rulebook's defaults.

Everything an operator may declare is read and checked here; the house's edge is checked where rules are
published (GEN-06).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Any, TypedDict

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from tables.games import reading
from tables.games.house_poker.kinds import (
    CARIBBEAN,
    DRAW,
    GO,
    QUALIFIERS,
    QUALIFIERS3,
    THREE_CARD,
    Kind,
)
from tables.games.house_poker.paytables import TABLES, Table, read_table
from tables.games.paying import MOST_TO_ONE, ratio


class _Shared(TypedDict):
    """What every game's rules read alike."""

    seats: int
    seats_max: int
    decks: int


LOW_PAIR, HIGH_CARD = "low_pair", "high_card"
"""What the dealer of Draw Poker may hold without opening: a pair below the eights, or no pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    game: str
    seats: int
    seats_max: int
    decks: int = 1

    def to_json(self) -> dict[str, Any]:
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return {key: dict(value) if isinstance(value, Mapping) else value for key, value in given.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawRules(_Rules):
    """Draw Poker. `dealer_changes`: how many of the lowest side cards the dealer changes while the hand
    does not open, by what it holds (PH-14: fixed rules the operator declares). Ratios are `"N:M"`.
    """

    game: str = DRAW.code
    seats: int = DRAW.seats
    seats_max: int = DRAW.seats
    bet_ante_multiple: int = 2
    change_max_cards: int = 2
    dealer_opens_with: str = "pair_of_eights"
    dealer_draws: bool = True
    dealer_change_max_cards: int = 2
    dealer_changes: Mapping[str, int] = field(
        default_factory=lambda: MappingProxyType({LOW_PAIR: 2, HIGH_CARD: 2})
    )
    ante_pays: Table = field(default_factory=lambda: TABLES["draw.ante"])
    bet_pays: Table = field(default_factory=lambda: TABLES["draw.bet.a"])


@dataclass(frozen=True, slots=True, kw_only=True)
class CaribbeanRules(_Rules):
    """Caribbean Poker: no card changes (PH-15)."""

    game: str = CARIBBEAN.code
    seats: int = CARIBBEAN.seats
    seats_max: int = CARIBBEAN.seats
    bet_ante_multiple: int = 2
    dealer_qualifies_with: str = "ace_king"
    ante_pays: Table = field(default_factory=lambda: TABLES["caribbean.ante"])
    bet_pays: Table = field(default_factory=lambda: TABLES["caribbean.bet.a"])


@dataclass(frozen=True, slots=True, kw_only=True)
class GoRules(_Rules):
    """Go Poker: `equal_bets` of each seat, of which `withdrawable_bets` may be taken back, one before
    each community card (PH-18).
    """

    game: str = GO.code
    seats: int = GO.seats
    seats_max: int = GO.seats
    equal_bets: int = 3
    withdrawable_bets: int = 2
    pays: Table = field(default_factory=lambda: TABLES["go.main"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeCardRules(_Rules):
    """Three Card Poker. `ante_bonus_pays` is paid on the ANTE of whoever placed the PLAY, whatever the
    dealer holds. `fold_loses_pair_plus`: whether folding gives Pair Plus up too, as published houses do;
    the book does not say.
    """

    game: str = THREE_CARD.code
    seats: int = THREE_CARD.seats
    seats_max: int = THREE_CARD.seats
    play_ante_multiple: int = 1
    dealer_qualifies_with: str = "queen_high"
    fold_loses_pair_plus: bool = True
    ante_pays: Table = field(default_factory=lambda: TABLES["three_card.ante"])
    play_pays: Table = field(default_factory=lambda: TABLES["three_card.play"])
    ante_bonus_pays: Table = field(default_factory=lambda: TABLES["three_card.ante_bonus.a"])
    pair_plus_pays: Table = field(default_factory=lambda: TABLES["three_card.pair_plus.a"])


Rules = DrawRules | CaribbeanRules | GoRules | ThreeCardRules

DEFAULTS: Mapping[str, Callable[[], Rules]] = MappingProxyType(
    {
        DRAW.code: lru_cache(DrawRules),
        CARIBBEAN.code: lru_cache(CaribbeanRules),
        GO.code: lru_cache(GoRules),
        THREE_CARD.code: lru_cache(ThreeCardRules),
    }
)


def multiple(rules: Rules) -> int:
    """How many ANTEs the second bet is."""
    if isinstance(rules, ThreeCardRules):
        return rules.play_ante_multiple
    return 0 if isinstance(rules, GoRules) else rules.bet_ante_multiple


def qualifier(rules: Rules) -> tuple[int, Text]:
    """The lowest value with which the dealer's hand counts, and how it is said."""
    if isinstance(rules, DrawRules):
        return QUALIFIERS[rules.dealer_opens_with]
    if isinstance(rules, CaribbeanRules):
        return QUALIFIERS[rules.dealer_qualifies_with]
    if isinstance(rules, ThreeCardRules):
        return QUALIFIERS3[rules.dealer_qualifies_with]
    raise AssertionError("Go Poker has no dealer's hand")


def spots_of(rules: Rules, kind: Kind) -> tuple[str, ...]:
    """The spots a seat bets on under these rules."""
    return kind.spots[: rules.equal_bets] if isinstance(rules, GoRules) else kind.spots


def read_rules(kind: Kind, data: object) -> Rules:
    """Rules from their stored form; absent keys take the rulebook's default.

    Raises `Refused` or `RuleViolation` naming the field: PH-04, PH-06, PH-10, PH-12 and PH-14 in Draw
    Poker, PH-16 in Caribbean, PH-18 in Go Poker, PH-20 with three cards.
    """
    default = DEFAULTS[kind.code]()
    given = reading.mapping(data, "rules")
    reading.known_keys(given, [one.name for one in fields(default)], "rules")
    if given.get("game", kind.code) != kind.code:
        raise Refused(
            Text(f"estas reglas no son de {kind.code}", f"these rules are not those of {kind.code}"),
            code="wrong_game",
            field="game",
        )
    # An absent table is one no row of which was changed.
    plain = {key: {} if isinstance(value, dict) else value for key, value in default.to_json().items()}
    whole = {**plain, **given}
    most = _at_most(whole["seats_max"], "seats_max", kind.seats, kind.seats_rule)
    shared: _Shared = {
        "seats_max": most,
        "seats": _at_most(whole["seats"], "seats", most, kind.seats_rule),
        "decks": _exactly(whole["decks"], "decks", 1, "CARD-42"),
    }
    return _READERS[kind.code](whole, shared)


def _draw(given: Mapping[str, Any], shared: _Shared) -> DrawRules:
    """PH-04, PH-06, PH-10 and PH-12 are the regulator's own figures; PH-13 and PH-14 are declared."""
    most = _at_most(given["dealer_change_max_cards"], "dealer_change_max_cards", 2, "PH-14", 0)
    return DrawRules(
        **shared,
        bet_ante_multiple=_exactly(given["bet_ante_multiple"], "bet_ante_multiple", 2, "PH-04"),
        change_max_cards=_at_most(given["change_max_cards"], "change_max_cards", 2, "PH-06", 0),
        dealer_opens_with=_fixed_word(
            given["dealer_opens_with"], "dealer_opens_with", "pair_of_eights", "PH-10"
        ),
        dealer_draws=_flag(given["dealer_draws"], "dealer_draws"),
        dealer_change_max_cards=most,
        dealer_changes=_dealer_changes(given["dealer_changes"], most, DrawRules().dealer_changes),
        ante_pays=read_table(
            given["ante_pays"],
            "ante_pays",
            "draw.ante",
            "PH-12",
            {"dealer_not_open": "PH-10", "player_higher": "PH-12"},
        ),
        bet_pays=read_table(given["bet_pays"], "bet_pays", "draw.bet.a", "PH-13", {}),
    )


def _dealer_changes(value: object, most: int, default: Mapping[str, int]) -> Mapping[str, int]:
    given = reading.mapping(value, "dealer_changes")
    reading.known_keys(given, default.keys(), "dealer_changes")
    return MappingProxyType(
        {
            held: _at_most(given.get(held, min(number, most)), "dealer_changes", most, "PH-14", 0)
            for held, number in default.items()
        }
    )


def _caribbean(given: Mapping[str, Any], shared: _Shared) -> CaribbeanRules:
    return CaribbeanRules(
        **shared,
        bet_ante_multiple=_at_most(given["bet_ante_multiple"], "bet_ante_multiple", 5, "PH-16"),
        dealer_qualifies_with=_fixed_word(
            given["dealer_qualifies_with"], "dealer_qualifies_with", "ace_king", "PH-16"
        ),
        ante_pays=read_table(given["ante_pays"], "ante_pays", "caribbean.ante", "PH-16", {}),
        bet_pays=read_table(given["bet_pays"], "bet_pays", "caribbean.bet.a", "PH-16", {}),
    )


def _go(given: Mapping[str, Any], shared: _Shared) -> GoRules:
    bets = _at_most(given["equal_bets"], "equal_bets", 3, "PH-18")
    # One bet always stays, and there is one community card for each that may be withdrawn.
    asked = given["withdrawable_bets"]
    return GoRules(
        **shared,
        equal_bets=bets,
        withdrawable_bets=_at_most(asked, "withdrawable_bets", bets - 1, "PH-18", 0),
        pays=read_table(given["pays"], "pays", "go.main", "PH-17", {}),
    )


def _three_card(given: Mapping[str, Any], shared: _Shared) -> ThreeCardRules:
    read = ThreeCardRules(
        **shared,
        play_ante_multiple=_at_most(given["play_ante_multiple"], "play_ante_multiple", 5, "PH-20"),
        dealer_qualifies_with=reading.one_of(
            given["dealer_qualifies_with"], "dealer_qualifies_with", tuple(QUALIFIERS3)
        ),
        fold_loses_pair_plus=_flag(given["fold_loses_pair_plus"], "fold_loses_pair_plus"),
        ante_pays=read_table(given["ante_pays"], "ante_pays", "three_card.ante", "PH-20", {}),
        play_pays=read_table(given["play_pays"], "play_pays", "three_card.play", "PH-20", {}),
        ante_bonus_pays=read_table(
            given["ante_bonus_pays"], "ante_bonus_pays", "three_card.ante_bonus.a", "PH-20", {}
        ),
        pair_plus_pays=read_table(
            given["pair_plus_pays"], "pair_plus_pays", "three_card.pair_plus.a", "PH-20", {}
        ),
    )
    _check_together(read)
    return read


def _check_together(rules: ThreeCardRules) -> None:
    """An ANTE with its bonus is paid as one, `1:1+5:1`: short enough, and no more than any payout may be."""
    paid = [pays for pays in rules.ante_pays.values() if ":" in pays]
    bonuses = [pays for pays in rules.ante_bonus_pays.values() if ":" in pays]
    for ante, bonus in product(paid, bonuses):
        if len(f"{ante}+{bonus}") > _PAYS_TOGETHER or ratio(ante) + ratio(bonus) > MOST_TO_ONE:
            raise reading.bad_type(
                "ante_bonus_pays", Text("pagos menores, por ejemplo 5:1", "smaller payouts, for example 5:1")
            )


_PAYS_TOGETHER = 12
_READERS: Mapping[str, Callable[[Mapping[str, Any], _Shared], Rules]] = {
    DRAW.code: _draw,
    CARIBBEAN.code: _caribbean,
    GO.code: _go,
    THREE_CARD.code: _three_card,
}


def _flag(value: object, field: str) -> bool:
    if not isinstance(value, bool):
        raise reading.bad_type(field, Text("sí o no (true, false)", "true or false"))
    return value


def _exactly(value: object, field: str, wanted: int, rule: str) -> int:
    if reading.integer(value, field, 0) != wanted:
        raise RuleViolation(
            rule,
            Text(
                f"«{field}» es {wanted} en este juego; se pidió {value}",
                f"“{field}” is {wanted} in this game; {value} asked",
            ),
            code="fixed_by_rule",
            field=field,
        )
    return wanted


def _at_most(value: object, field: str, most: int, rule: str, least: int = 1) -> int:
    number = reading.integer(value, field, least)
    if number > most:
        raise RuleViolation(
            rule,
            Text(
                f"«{field}» es como mucho {most}; se pidió {number}",
                f"“{field}” is {most} at most; {number} asked",
            ),
            code="too_many",
            field=field,
        )
    return number


def _fixed_word(value: object, field: str, wanted: str, rule: str) -> str:
    if value != wanted:
        raise RuleViolation(
            rule,
            Text(f"«{field}» es {wanted} en este juego", f"“{field}” is {wanted} in this game"),
            code="fixed_by_rule",
            field=field,
        )
    return wanted
