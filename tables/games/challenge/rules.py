"""The rules of Challenge 21 as data, with the book's defaults; what an operator declares is checked here.

One version of these is stored as JSON with each table's `GameRules`; a round names the version it was
played under.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from tables.games import reading, staking
from tables.games.base import Detail, Terms
from tables.games.blackjack.hands import BY_RANK, BY_VALUE
from tables.games.blackjack.reading import Reader, between, one_of, read_flag, read_hand_ratio
from tables.games.blackjack.rules import require_enough_hands
from tables.games.blackjack.variants import WINNERS as ONE_HAND

GAME = "blackjack.challenge21"
NAME = Text("Challenge 21", "Challenge 21")

BETS: Mapping[str, Text] = MappingProxyType(
    {
        "first": Text("primera apuesta", "first bet"),
        "second": Text("segunda apuesta", "second bet"),
        "third": Text("tercera apuesta", "third bet"),
    }
)
"""BJ-09: the three marked spots of a player, one for each dealer hand."""

INSURANCE: Mapping[str, Text] = MappingProxyType(
    {
        "insurance_first": Text("seguro contra la primera mano", "insurance against the first hand"),
        "insurance_second": Text("seguro contra la segunda mano", "insurance against the second hand"),
        "insurance_third": Text("seguro contra la tercera mano", "insurance against the third hand"),
    }
)
"""BJ-22: insurance against each of the dealer's hands."""

SPOTS: Mapping[str, Text] = MappingProxyType({**BETS, **INSURANCE})
BET_SPOTS, INSURANCE_SPOTS = tuple(BETS), tuple(INSURANCE)

HANDS: Mapping[str, Text] = MappingProxyType(
    {
        "dealer": Text("primera mano del croupier", "dealer's first hand"),
        "dealer2": Text("segunda mano del croupier", "dealer's second hand"),
        "dealer3": Text("tercera mano del croupier", "dealer's third hand"),
    }
)
HAND_NAMES = tuple(HANDS)

CALLS = ONE_HAND
"""How one of the three rounds ends; `no_draw` where no bet waited for that hand."""

WINNERS: Mapping[str, Text] = MappingProxyType(
    {
        **CALLS,
        "no_bust": Text("el croupier no se pasa", "the dealer is never bust"),
        "one_bust": Text("el croupier se pasa una vez", "the dealer is bust once"),
        "two_busts": Text("el croupier se pasa dos veces", "the dealer is bust twice"),
        "three_busts": Text("el croupier se pasa tres veces", "the dealer is bust three times"),
    }
)
"""`result` events tell one round each, by its call; the outcome of the pass counts the busts."""
BY_BUSTS = ("no_bust", "one_bust", "two_busts", "three_busts")

SHARED, PER_HAND = "shared", "per_hand"
NOT_ACE_TEN_COURT, NOT_ACE = "not_ace_ten_court", "not_ace"
EACH_LIVE_BET = "each_live_bet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One version of the rules. Ratios are `N:M`, stake returned besides.

    `dealer_base_card`: one card is the base of the three dealer hands, or each has its own (BJ-11).
    `immediate_pay`: base cards against which a black jack is paid at once (BJ-16). `hands_to_start_min`:
    with fewer the pass is flagged (BJ-05). `decision_applies_to`: doubling, splitting and surrender are
    decided once for every live bet of the hand (BJ-43). What is no option, and why: `blackjack.rules.Rules`.
    """

    game: str = GAME
    decks: int = 6
    seats: int = 7
    seats_max: int = 7
    hands_to_start_min: int = 2
    dealer_base_card: str = SHARED
    immediate_pay: str = NOT_ACE_TEN_COURT
    insurance_percent: int = 50
    insurance_pays: str = "2:1"
    even_money_pays: str = "1:1"
    split_pair_by: str = BY_VALUE
    splits_max: int = 3
    double_totals: str = "any"
    double_after_split: bool = True
    surrender: bool = True
    surrender_loss_percent: int = 50
    win_pays: str = "1:1"
    blackjack_pays: str = "3:2"
    decision_applies_to: str = EACH_LIVE_BET

    @property
    def shared(self) -> bool:
        return self.dealer_base_card == SHARED

    def to_json(self) -> dict[str, Any]:
        return {key: getattr(self, key) for key in _KEYS}


_KEYS = tuple(Rules.__dataclass_fields__)
_DEFAULT = Rules()


def default_rules() -> Rules:
    """The book's rules, before an operator changes anything."""
    return _DEFAULT


def read_rules(data: object) -> Rules:
    """Rules from their stored form; absent keys take the book's default.

    Raises `Refused` or `RuleViolation` naming the field and the rule that fixes it.
    """
    given = reading.mapping(data, "rules")
    reading.known_keys(given, _KEYS, "rules")
    if given.get("game", GAME) != GAME:
        raise Refused(
            Text(f"estas reglas no son de {GAME}", f"these rules are not those of {GAME}"),
            code="wrong_game",
            field="game",
        )
    values = {key: read(given.get(key, getattr(_DEFAULT, key)), key) for key, read in _READERS.items()}
    if values["seats"] > values["seats_max"]:
        most = values["seats_max"]
        raise RuleViolation(
            "BJ-04",
            Text(f"como mucho {most} asientos", f"at most {most} seats"),
            code="too_many_seats",
            field="seats",
        )
    require_enough_hands(values["hands_to_start_min"], values["seats_max"])
    return Rules(**values)


_READERS: Mapping[str, Reader] = {
    "decks": between(6, 6, "CARD-05"),
    "seats": between(1, 7, "BJ-04"),
    "seats_max": between(1, 7, "BJ-04"),
    "hands_to_start_min": between(1, 2, "BJ-05"),
    "dealer_base_card": one_of(SHARED, PER_HAND, rule="BJ-11"),
    "immediate_pay": one_of(NOT_ACE_TEN_COURT, NOT_ACE, rule="BJ-16"),
    "insurance_percent": between(1, 50, "BJ-21"),
    "insurance_pays": read_hand_ratio,
    "even_money_pays": read_hand_ratio,
    "split_pair_by": one_of(BY_VALUE, BY_RANK, rule="BJ-24"),
    "splits_max": between(0, 3, "BJ-23"),
    "double_totals": one_of("any", "9_10_11", rule="BJ-27"),
    "double_after_split": read_flag,
    "surrender": read_flag,
    "surrender_loss_percent": between(1, 100, "BJ-29"),
    "win_pays": read_hand_ratio,
    "blackjack_pays": read_hand_ratio,
    "decision_applies_to": one_of(EACH_LIVE_BET, rule="BJ-43"),
}


def require_playable(rules: Rules, terms: Terms) -> None:
    """Refuse terms no round can be played under: seats (BJ-04), limits no bet meets (GEN-04)."""
    staking.require_positions(terms, rules.seats_max, "BJ-04")
    if terms.detail is not Detail.FULL:
        return
    staking.require_known_limits(terms, SPOTS)
    if not {"first", "second"} <= terms.limits.keys():
        raise RuleViolation(
            "GEN-04",
            Text(
                "faltan límites de las dos apuestas obligatorias",
                "limits for the two obligatory bets are missing",
            ),
            code="unplayable_limits",
            field="limits",
        )
