"""What tells the four games of poker against the house apart, and the rule that says each thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from casino.kernel.words import Text
from tables.games.poker import ranks

DEALER = "dealer"
BOARD = "board"

SPOT_WORDS: Mapping[str, Text] = MappingProxyType(
    {
        "ante": Text("ANTE", "ANTE"),
        "bet": Text("BET", "BET"),
        "play": Text("PLAY", "PLAY"),
        "pair_plus": Text("Pair Plus", "Pair Plus"),
        "bet1": Text("Apuesta 1", "Bet 1"),
        "bet2": Text("Apuesta 2", "Bet 2"),
        "bet3": Text("Apuesta 3", "Bet 3"),
    }
)
HAND_WORDS: Mapping[str, Text] = MappingProxyType(
    {DEALER: Text("Croupier", "Dealer"), BOARD: Text("Cartas comunitarias", "Community cards")}
)
CHOICE_WORDS: Mapping[str, Text] = MappingProxyType(
    {
        "fold": Text("se retira", "folds"),
        "bet": Text("pone el BET", "places the BET"),
        "play": Text("pone el PLAY", "places the PLAY"),
        "change": Text("cambia cartas", "changes cards"),
        "keep": Text("se queda como está", "keeps as it is"),
        "withdraw": Text("retira una apuesta", "withdraws a bet"),
    }
)
CATEGORY_WORDS: Mapping[str, Text] = MappingProxyType(
    {
        "royal_flush": Text("escala real", "royal flush"),
        "straight_flush": Text("escalera de color", "straight flush"),
        "four_of_a_kind": Text("poker", "four of a kind"),
        "full_house": Text("full", "full house"),
        "flush": Text("color", "flush"),
        "straight": Text("escala", "straight"),
        "three_of_a_kind": Text("trío", "three of a kind"),
        "two_pair": Text("dos pares", "two pair"),
        "pair": Text("par", "pair"),
        "pair_tens_or_better": Text("par de dieces o mejor", "pair of tens or better"),
        "ace_king": Text("as y rey", "ace-king"),
        "high_card": Text("carta alta", "high card"),
        "not_listed": Text("mano sin premio", "no listed hand"),
    }
)
"""Hands as pay tables name them."""

QUALIFIERS: Mapping[str, tuple[int, Text]] = MappingProxyType(
    {
        "ace_king": (ranks.at_least("high_card", "AK"), Text("as y rey", "ace-king")),
        "pair_of_eights": (ranks.at_least("pair", "8"), Text("un par de ochos", "a pair of eights")),
    }
)
QUALIFIERS3: Mapping[str, tuple[int, Text]] = MappingProxyType(
    {
        "jack_high": (ranks.at_least3("high_card", "J"), Text("jota alta", "jack high")),
        "queen_high": (ranks.at_least3("high_card", "Q"), Text("reina alta", "queen high")),
        "king_high": (ranks.at_least3("high_card", "K"), Text("rey alto", "king high")),
    }
)
"""What the dealer must hold, by the rulebook's names: the lowest value, and how it is said."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the four games.

    `spots`: every spot, in the order a seat's bets are settled. `first`: the spot that puts a seat in
    the round. `sides`: side bets placed with it. `raising`: the spot a decision of the same name adds;
    empty in Go Poker. `cards`: of each hand; `board`: community cards. `listed` says whether hands are
    ranked by three cards. `unqualified`: the pay tables' row for a dealer who does not qualify, and
    `unqualified_winner` the outcome's code for it. The `…_rule` are ids of the rulebook.
    """

    code: str
    name: Text
    seats: int
    spots: tuple[str, ...]
    first: str
    cards: int
    first_rule: str
    deal_rule: str
    decide_rule: str
    fold_rule: str
    compare_rule: str
    pays_rule: str
    seats_rule: str
    early_rule: str
    order_rule: str = ranks.ORDER_RULE
    sides: tuple[str, ...] = ()
    raising: str = ""
    board: int = 0
    dealer: bool = True
    three: bool = False
    changes: bool = False
    unqualified: str = "dealer_not_qualified"
    unqualified_winner: str = "unqualified"

    @property
    def value(self) -> Callable[[Sequence[str]], int]:
        """What ranks a whole hand."""
        return ranks.three if self.three else ranks.best

    @property
    def category(self) -> Callable[[int], str]:
        return ranks.category3 if self.three else ranks.category

    @property
    def words(self) -> Callable[[int], Text]:
        return ranks.words3 if self.three else ranks.words


DRAW = Kind(
    code="poker.draw",
    name=Text("Draw Poker", "Draw Poker"),
    seats=6,
    spots=("ante", "bet"),
    first="ante",
    raising="bet",
    cards=5,
    changes=True,
    first_rule="PH-02",
    deal_rule="PH-03",
    decide_rule="PH-04",
    fold_rule="PH-05",
    compare_rule="PH-12",
    pays_rule="PH-13",
    seats_rule="PH-14",
    early_rule="PH-09",
    unqualified="dealer_not_open",
    unqualified_winner="not_open",
)
CARIBBEAN = Kind(
    code="poker.caribbean",
    name=Text("Caribbean Poker", "Caribbean Poker"),
    seats=7,
    spots=("ante", "bet"),
    first="ante",
    raising="bet",
    cards=5,
    first_rule="PH-02",
    deal_rule="PH-03",
    decide_rule="PH-16",
    fold_rule="PH-16",
    compare_rule="PH-16",
    pays_rule="PH-16",
    seats_rule="PH-02",
    early_rule="PH-03",
)
GO = Kind(
    code="poker.go",
    name=Text("Go Poker", "Go Poker"),
    seats=7,
    spots=("bet1", "bet2", "bet3"),
    first="bet1",
    cards=3,
    board=2,
    dealer=False,
    first_rule="PH-18",
    deal_rule="PH-17",
    decide_rule="PH-18",
    fold_rule="PH-18",
    compare_rule="PH-17",
    pays_rule="PH-17",
    seats_rule="PH-17",
    early_rule="PH-17",
)
THREE_CARD = Kind(
    code="poker.three_card",
    name=Text("Poker Tres Cartas", "Three Card Poker"),
    seats=7,
    spots=("ante", "play", "pair_plus"),
    first="ante",
    sides=("pair_plus",),
    raising="play",
    cards=3,
    three=True,
    first_rule="PH-20",
    deal_rule="PH-19",
    decide_rule="PH-20",
    fold_rule="PH-20",
    compare_rule="PH-19",
    pays_rule="PH-20",
    seats_rule="PH-19",
    early_rule="PH-19",
    order_rule="PH-20",
)
KINDS: Mapping[str, Kind] = MappingProxyType({kind.code: kind for kind in (DRAW, CARIBBEAN, GO, THREE_CARD)})
