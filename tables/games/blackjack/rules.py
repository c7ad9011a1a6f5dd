"""The rules of Black Jack as data, with the book's defaults; everything an operator declares is checked here.

One version of these is stored as JSON with each table's `GameRules`; a round names the version it was
played under.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from tables.games import reading
from tables.games.base import MOST_ON_A_SPOT, Detail, Terms
from tables.games.blackjack.hands import BY_RANK, BY_VALUE
from tables.games.blackjack.reading import (
    Reader,
    between,
    one_of,
    read_flag,
    read_hand_ratio,
    read_word,
)
from tables.games.blackjack.variants import PAIR_TABLES, PRESETS, VARIANTS, Variant, spots_of
from tables.games.paying import read_ratio
from tables.games.staking import require_known_limits, require_positions

EUROPEAN, AMERICAN = "european", "american"
EARLY, LATE, OFF = "early", "late", "off"
ALL_BETS, ORIGINAL_BET = "all", "original"
NOT_ACE_TEN_COURT, NOT_ACE = "not_ace_ten_court", "not_ace"
CHARLIE = 7
"""BJ-47."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One version of the rules of one game. Ratios are `N:M`, stake returned besides.

    `preset`: the online modality, empty elsewhere (BJ-45). `hands_per_player`: initial hands of a seat
    (BJ-03). `hands_to_start_min`: with fewer the round is flagged (BJ-05). `hole_card`: european or
    american (BJ-46). `immediate_pay`: up-cards under which a black jack waits (BJ-16). `insurance` and
    `even_money` say whether they are offered; insurance is at most `insurance_percent` of the initial
    bet. `surrender`: early (AJ's retiro, never against an ace: BJ-28), late (after the peek) or off.
    `charlie_cards`: 7 or 0 for off (BJ-47). `dealer_blackjack_takes`: all bets, or only the original one
    where the dealer's black jack shows after splits and doubles; `split_21_pushes`: whether a two-card 21
    after a split then stays (both silent in the book; AJ's text takes everything).

    Not options, though the book has them to be confirmed: the dealer's 16 and 17 (BJ-18), since AJ's ace
    counts 11 from 17 on (BJ-17); that a split and a double take as much again and a double one card (BJ-24,
    BJ-27), and that surrender is on two cards (BJ-29): with other figures it is another decision.
    """

    game: str
    preset: str = ""
    decks: int = 6
    seats: int = 7
    seats_max: int = 7
    hands_per_player: int = 2
    hands_to_start_min: int = 2
    hole_card: str = EUROPEAN
    immediate_pay: str = NOT_ACE_TEN_COURT
    dealer_hits_soft_17: bool = False
    insurance: bool = True
    insurance_percent: int = 50
    insurance_pays: str = "2:1"
    even_money: bool = True
    even_money_pays: str = "1:1"
    split_pair_by: str = BY_VALUE
    splits_max: int = 3
    resplit_aces: bool = False
    double_totals: str = "any"
    double_after_split: bool = True
    surrender: str = EARLY
    surrender_loss_percent: int = 50
    charlie_cards: int = 0
    dealer_blackjack_takes: str = ALL_BETS
    split_21_pushes: bool = False
    win_pays: str = "1:1"
    blackjack_pays: str = "3:2"
    perfect_pairs_pays: Mapping[str, str] = field(default_factory=lambda: PAIR_TABLES["a"])

    @property
    def variant(self) -> Variant:
        return VARIANTS[self.game]

    @property
    def american(self) -> bool:
        return self.hole_card == AMERICAN

    def __hash__(self) -> int:
        return hash((self.game, self.preset, self.decks, self.hole_card, self.blackjack_pays))

    def to_json(self) -> dict[str, Any]:
        stored = {key: getattr(self, key) for key in keys_of(self.game)}
        if "perfect_pairs_pays" in stored:
            stored["perfect_pairs_pays"] = dict(self.perfect_pairs_pays)
        return stored


_KEYS = tuple(Rules.__dataclass_fields__)


def keys_of(game: str) -> tuple[str, ...]:
    """The keys a game's rules have: no preset where there are none, no pay table for a bet not taken."""
    variant = VARIANTS[game]
    left_out = {"preset": not variant.online, "perfect_pairs_pays": not variant.pairs}
    return tuple(key for key in _KEYS if not left_out.get(key, False))


@lru_cache(maxsize=8)
def default_rules(game: str) -> Rules:
    """The book's rules of a game, before an operator changes anything."""
    variant = VARIANTS[game]
    if variant.online:
        return Rules(
            game=game,
            preset="S3",
            seats=1,
            seats_max=1,
            hands_per_player=PRESETS["S3"].hands_max,
            hands_to_start_min=variant.to_start,
            surrender=OFF,
        )
    return Rules(game=game)


def read_rules(game: str, data: object) -> Rules:
    """Rules from their stored form; keys that are absent take the book's default.

    Raises `Refused` or `RuleViolation` naming the field and the rule that fixes it.
    """
    given = reading.mapping(data, "rules")
    reading.known_keys(given, keys_of(game), "rules")
    if given.get("game", game) != game:
        raise Refused(
            Text(f"estas reglas no son de {game}", f"these rules are not those of {game}"),
            code="wrong_game",
            field="game",
        )
    variant = VARIANTS[game]
    values = {key: getattr(default_rules(game), key) for key in _KEYS}
    if variant.online:
        values["preset"] = _choice(given, "preset", tuple(PRESETS), "BJ-45", values["preset"])
        values["hands_per_player"] = PRESETS[values["preset"]].hands_max
    for key, read in _READERS.items():
        if key in given and key != "preset":
            values[key] = read(given[key], key)
    rules = Rules(**values)
    _check(rules)
    return rules


def _choice(given: Mapping[str, Any], key: str, allowed: tuple[str, ...], rule: str, default: str) -> str:
    return read_word(given.get(key, default), key, allowed=allowed, rule=rule)


def _pairs_table(value: object, key: str) -> Mapping[str, str]:
    """One of the book's tables by its letter, or a whole table: every row once (BJ-38)."""
    if isinstance(value, str):
        return PAIR_TABLES[read_word(value, key, allowed=tuple(PAIR_TABLES), rule="BJ-38")]
    given = reading.mapping(value, key)
    rows = tuple(PAIR_TABLES["a"])
    reading.known_keys(given, rows, key)
    return MappingProxyType({row: read_ratio(given.get(row), f"{key}.{row}") for row in rows})


_READERS: Mapping[str, Reader] = {
    "preset": one_of(*PRESETS, rule="BJ-45"),
    "decks": between(1, 8, "CARD-05"),
    "seats": between(1, 7, "BJ-04"),
    "seats_max": between(1, 7, "BJ-04"),
    "hands_per_player": between(1, 3, "BJ-03"),
    "hands_to_start_min": between(1, 2, "BJ-05"),
    "hole_card": one_of(EUROPEAN, AMERICAN, rule="BJ-46"),
    "immediate_pay": one_of(NOT_ACE_TEN_COURT, NOT_ACE, rule="BJ-16"),
    "dealer_hits_soft_17": read_flag,
    "insurance": read_flag,
    "insurance_percent": between(1, 50, "BJ-21"),
    "insurance_pays": read_hand_ratio,
    "even_money": read_flag,
    "even_money_pays": read_hand_ratio,
    "split_pair_by": one_of(BY_VALUE, BY_RANK, rule="BJ-24"),
    "splits_max": between(0, 3, "BJ-23"),
    "resplit_aces": read_flag,
    "double_totals": one_of("any", "9_10_11", rule="BJ-27"),
    "double_after_split": read_flag,
    "surrender": one_of(EARLY, LATE, OFF, rule="BJ-29"),
    "surrender_loss_percent": between(1, 100, "BJ-29"),
    "charlie_cards": between(0, CHARLIE, "BJ-47"),
    "dealer_blackjack_takes": one_of(ALL_BETS, ORIGINAL_BET, rule="BJ-34"),
    "split_21_pushes": read_flag,
    "win_pays": read_hand_ratio,
    "blackjack_pays": read_hand_ratio,
    "perfect_pairs_pays": _pairs_table,
}


def _check(rules: Rules) -> None:
    """What depends on the game, or on two figures at once."""
    variant = rules.variant
    if rules.decks not in variant.decks:
        listed = ", ".join(map(str, variant.decks))
        say = Text(f"barajas admitidas: {listed}", f"decks allowed: {listed}")
        _refuse(variant.decks_rule, "decks", say, code="bad_decks")
    if rules.seats_max > variant.seats or rules.seats > rules.seats_max:
        most = min(variant.seats, rules.seats_max)
        say = Text(f"como mucho {most} asientos", f"at most {most} seats")
        _refuse("BJ-04", "seats", say, code="too_many_seats")
    hands = PRESETS[rules.preset].hands_max if variant.online else variant.hands
    if rules.hands_per_player > hands:
        say = Text(f"como mucho {hands} manos por jugador", f"at most {hands} hands a player")
        _refuse(variant.hands_rule, "hands_per_player", say, code="too_many_hands")
    require_enough_hands(rules.hands_to_start_min, rules.seats_max * rules.hands_per_player)
    if rules.charlie_cards not in (0, CHARLIE):
        say = Text("siete cartas, o 0 sin la opción", "seven cards, or 0 for off")
        _refuse("BJ-47", "charlie_cards", say)
    if not variant.online:
        _check_official(rules)
    elif rules.resplit_aces and rules.splits_max < 2:
        _refuse("BJ-48", "resplit_aces", _AGAIN_NEEDS_TWO)
    elif rules.surrender == LATE and not rules.american:
        _refuse("BJ-48", "surrender", _LATE_NEEDS_PEEK)
    elif rules.surrender == EARLY and rules.american:
        _refuse("BJ-48", "surrender", _NOT_BEFORE_PEEK)


def require_enough_hands(least: int, most: int) -> None:
    """Refuse a table where the hands needed to start can never be in play (BJ-05)."""
    if least > most:
        say = Text(
            f"se piden {least} manos para empezar y la mesa admite {most}: baje esa cifra o dé más asientos",
            f"{least} hands are asked to start and the table takes {most}: lower that figure or add seats",
        )
        _refuse("BJ-05", "hands_to_start_min", say, code="too_few_places")


_AGAIN_NEEDS_TWO = Text(
    "volver a separar ases pide que se separe 2 veces o más (splits_max)",
    "splitting aces again needs 2 splits or more (splits_max)",
)
_LATE_NEEDS_PEEK = Text(
    "rendirse tras mirar pide carta oculta americana (hole_card)",
    "surrender after the peek needs the American hole card (hole_card)",
)
_NOT_BEFORE_PEEK = Text(
    "con carta oculta americana el retiro es tras mirar: elija late u off",
    "with the American hole card surrender comes after the peek: choose late or off",
)


def _check_official(rules: Rules) -> None:
    """What the Classifier fixes for the official games, though the online templates may vary it."""
    for broken, rule, key, say in (
        (rules.american, "BJ-46", "hole_card", _NO_HOLE),
        (rules.dealer_hits_soft_17, "BJ-17", "dealer_hits_soft_17", _SOFT_STANDS),
        (rules.resplit_aces, "BJ-25", "resplit_aces", _ACES_ONCE),
        (rules.charlie_cards, "BJ-47", "charlie_cards", _ONLINE_ONLY),
        (rules.surrender == LATE, "BJ-48", "surrender", _ONLINE_ONLY),
    ):
        if broken:
            _refuse(rule, key, say)


_NO_HOLE = Text(
    "la carta oculta es sólo de las plantillas en línea: aquí el croupier toma una carta descubierta (BJ-10)",
    "the hole card is of the online templates only: here the dealer takes one exposed card (BJ-10)",
)
_SOFT_STANDS = Text(
    "el as del croupier cuenta 11 si así llega a 17: con 17 blando se planta",
    "the dealer's ace counts 11 where that makes 17: soft 17 stands",
)
_ACES_ONCE = Text(
    "los ases se separan una sola vez y reciben una carta cada uno",
    "aces are split once only and take one card each",
)
_ONLINE_ONLY = Text(
    "es opción sólo de las plantillas en línea", "this is an option of the online templates only"
)


def _refuse(rule: str, key: str, message: Text, *, code: str = "not_in_this_game") -> None:
    raise RuleViolation(rule, message, code=code, field=key)


def layout(rules: Rules, terms: Terms) -> Mapping[str, tuple[int, int]]:
    """What each spot takes at this table: (minimum, maximum) in smallest units, whole chips.

    Raises `RuleViolation`: too many seats (BJ-04), limits no bet can meet or none for the main bet
    (GEN-04), none left inside the preset's stakes (BJ-45). Insurance without limits of its own takes from
    one chip up to its share of the bet (BJ-21).
    """
    require_positions(terms, rules.seats_max, "BJ-04")
    if terms.detail is not Detail.FULL:
        return {}
    require_known_limits(terms, spots_of(rules.game))
    boxes: dict[str, tuple[int, int]] = {}
    for spot, (low, high) in {"insurance": (1, MOST_ON_A_SPOT), **terms.limits}.items():
        least, most = low, min(high, MOST_ON_A_SPOT)
        if rules.preset and spot == "main":
            least, most = _inside_preset(rules, terms, least, most)
        boxes[spot] = (-(-least // terms.chip) * terms.chip, most // terms.chip * terms.chip)
    if "main" not in boxes or boxes["main"][0] > boxes["main"][1]:
        raise RuleViolation(
            "GEN-04",
            Text(
                "faltan límites de la apuesta inicial que alguna apuesta en fichas cumpla",
                "limits for the main bet that some stake in chips can meet are missing",
            ),
            code="unplayable_limits",
            field="limits",
        )
    return boxes


def _inside_preset(rules: Rules, terms: Terms, low: int, high: int) -> tuple[int, int]:
    """BJ-45: the table's limits as far as they lie inside the preset's stakes."""
    least, most = PRESETS[rules.preset].limits(terms.exponent)
    if max(low, least) > min(high, most):
        raise RuleViolation(
            "BJ-45",
            Text(
                f"los límites de la mesa quedan fuera de las apuestas de la modalidad {rules.preset}",
                f"the table's limits lie outside the stakes of modality {rules.preset}",
            ),
            {"preset": rules.preset, "min": least, "max": most},
            code="outside_preset",
            field="limits",
        )
    return max(low, least), min(high, most)
