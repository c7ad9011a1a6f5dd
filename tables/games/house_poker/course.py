"""What is due at any moment of a round: dealing, deciding, replacing, revealing, showing.

`play` and `prompts` ask the same question here, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from shoes.cards import COVERED
from tables.games.base import Detail
from tables.games.house_poker.kinds import BOARD, DEALER, Kind
from tables.games.house_poker.rules import (
    HIGH_CARD,
    LOW_PAIR,
    DrawRules,
    GoRules,
    Rules,
    ThreeCardRules,
    qualifier,
)
from tables.games.poker import ranks

if TYPE_CHECKING:
    from tables.games.house_poker.state import Place

BETS, DEAL, DECIDE, REPLACE, REVEAL, DEALER_CHANGE, DEALER_REPLACE, COMMUNITY, SHOW, RESULT, COMPLETE = (
    "bets",
    "deal",
    "decide",
    "replace",
    "reveal",
    "dealer_change",
    "dealer_replace",
    "community",
    "show",
    "result",
    "complete",
)
DEALING = {DEAL, REPLACE, DEALER_REPLACE, COMMUNITY}


class Round(Protocol):
    """What a state and a draft have in common."""

    @property
    def rules(self) -> Rules: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def detail(self) -> Detail: ...
    @property
    def stakes(self) -> Mapping[tuple[int, str], int]: ...
    @property
    def closed(self) -> bool: ...
    @property
    def places(self) -> Mapping[int, Place]: ...
    @property
    def house(self) -> Place: ...
    @property
    def board(self) -> Sequence[str]: ...
    @property
    def result(self) -> str: ...


class Due(NamedTuple):
    """`phase`, and whose turn: `to` a shared hand or "seat"; `seats` that decide or show, or the one
    seat that takes the card.
    """

    phase: str
    to: str = ""
    seats: tuple[int, ...] = ()


def due(of: Round) -> Due:
    """What comes next."""
    if of.detail is Detail.RESULT:
        return Due(COMPLETE if of.result else RESULT)
    if (of.detail is Detail.FULL and not of.closed) or not of.places:
        return Due(BETS)
    if is_void(of):
        return Due(COMPLETE)
    to = _receiver(of)
    if to is not None:
        return to
    pending = tuple(seat for seat in of.places if options(of, seat))
    if pending:
        return Due(DECIDE, "seat", pending)
    return _after_decisions(of)


def is_void(of: Round) -> bool:
    """Whether nobody plays on: the dealer's hand was misdealt, or every seat's."""
    return of.house.dead or all(place.dead for place in of.places.values())


def _receiver(of: Round) -> Due | None:
    """Who takes the next card of the first deal: circle by circle, seat 1 first, the dealer last (PH-03)."""
    need = of.kind.cards
    if of.board or any(place.did for place in of.places.values()):
        return None
    fewest, seat = min((len(place.cards), seat) for seat, place in of.places.items() if not place.dead)
    if of.kind.dealer and len(of.house.cards) < fewest:
        return Due(DEAL, DEALER)
    return Due(DEAL, "seat", (seat,)) if fewest < need else None


def options(of: Round, seat: int) -> tuple[str, ...]:
    """What a seat may decide now, once the first deal is over; empty when nothing."""
    kind, did = of.kind, of.places[seat].did
    if of.places[seat].dead:
        return ()
    if isinstance(of.rules, GoRules):
        # One decision before each community card, while bets may be withdrawn (PH-18).
        open_ = len(did) == len(of.board) < of.rules.withdrawable_bets
        return ("withdraw", "keep") if open_ else ()
    if not did:
        return ("fold", kind.raising)
    if kind.changes and did == (kind.raising,) and isinstance(of.rules, DrawRules):
        return ("change", "keep") if of.rules.change_max_cards else ("keep",)
    return ()


def _after_decisions(of: Round) -> Due:
    kind = of.kind
    lacking = [
        (len(place.cards) - kind.cards + place.discarded, seat)
        for seat, place in of.places.items()
        if len(place.cards) < kind.cards and not place.out
    ]
    if lacking:
        # PH-08: card by card from the left, each hand its first before any its second.
        return Due(REPLACE, "seat", (min(lacking)[1],))
    if len(of.board) < kind.board:
        return Due(COMMUNITY, BOARD)
    if kind.dealer and any(not place.out for place in of.places.values()):
        step = _dealer_step(of)
        if step is not None:
            return step
    hidden = tuple(seat for seat in must_show(of) if of.places[seat].covered)
    return Due(SHOW, "seat", hidden) if hidden else Due(COMPLETE)


def _dealer_step(of: Round) -> Due | None:
    if len(of.house.cards) < of.kind.cards:
        return Due(DEALER_REPLACE, DEALER)
    if of.house.covered:
        return Due(REVEAL, DEALER)
    if not of.house.did and dealer_discards(of):
        return Due(DEALER_CHANGE, DEALER)
    return None


def dealer_discards(of: Round) -> tuple[str, ...]:
    """The cards the dealer of Draw Poker must change by the declared rule (PH-14), before any change.

    While the hand does not open: of a low pair, or of no pair, the lowest side cards.
    """
    rules, hand = of.rules, of.house.cards
    if not isinstance(rules, DrawRules) or not rules.dealer_draws or of.house.did:
        return ()
    return discards_by_rule(rules, hand)


def discards_by_rule(rules: DrawRules, hand: Sequence[str]) -> tuple[str, ...]:
    """What the declared rule changes of five known cards."""
    if ranks.best(hand) >= qualifier(rules)[0]:
        return ()
    own = [card[0] for card in hand]
    side = [card for card in hand if own.count(card[0]) == 1]
    number = rules.dealer_changes[HIGH_CARD if len(side) == len(hand) else LOW_PAIR]
    side.sort(key=lambda card: ranks.RANKS.index(card[0]))
    return tuple(side[:number])


def dealer_value(of: Round) -> int | None:
    """What the dealer's hand is worth; None while it is not whole and known."""
    cards = of.house.cards
    if not of.kind.dealer or of.house.dead or len(cards) < of.kind.cards or COVERED in cards:
        return None
    return of.kind.value(cards)


def qualifies(of: Round) -> bool:
    """Whether a known dealer's hand opens (PH-10) or qualifies (PH-16, PH-20)."""
    value = dealer_value(of)
    return value is not None and value >= qualifier(of.rules)[0]


def must_show(of: Round) -> Iterable[int]:
    """The seats whose hand the settlement has to see."""
    paid_by_hand = not of.kind.dealer
    if isinstance(of.rules, ThreeCardRules) and of.detail is Detail.FULL:
        # The bonus of the ANTE is paid whatever the dealer holds (PH-20).
        paid_by_hand = any(pays != "push" for pays in of.rules.ante_bonus_pays.values())
    compared = paid_by_hand or qualifies(of)
    for seat, place in of.places.items():
        if (not place.out and compared) or has_side_bet(of, seat):
            yield seat


def has_side_bet(of: Round, seat: int) -> bool:
    """Whether a seat's Pair Plus is still to be settled by its hand."""
    if not isinstance(of.rules, ThreeCardRules) or (seat, "pair_plus") not in of.stakes:
        return False
    if of.places[seat].dead:
        return False
    return not (of.places[seat].folded and of.rules.fold_loses_pair_plus)
