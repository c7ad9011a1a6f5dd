"""The cards of a round, one by one, the hole card turned over, and the result announced instead of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from shoes.cards import COVERED
from tables.games import reading
from tables.games.announcing import require_announced
from tables.games.base import Detail, refuse_detail
from tables.games.blackjack import forbids, turns
from tables.games.blackjack import hands as values
from tables.games.blackjack.forbids import named
from tables.games.blackjack.state import (
    BETS,
    DEAL,
    DEALER,
    DECIDE,
    DONE,
    SHOW,
    STANDS,
    Draft,
    PlayerHand,
)
from tables.games.blackjack.variants import WINNERS
from tables.games.staking import seat_of

_DEALER_KEYS = frozenset({"e", "to", "card", "at", "by"})
_TO = ("seat", "dealer")
_CARD_KEYS = _DEALER_KEYS | {"seat", "hand"}


def card(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The next card of the shoe. A card to the hand whose turn it is, without `hit` before it, is a hit."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("cartas", "cards"))
    _begin(draft)
    to = event.get("to")
    if to != "seat":
        reading.one_of(to, "to", _TO)
        return _to_dealer(draft, event)
    if len(event) != 5 or "hand" not in event:
        # Five keys of which all five below are there leave no room for an unknown one.
        reading.known_keys(event, _CARD_KEYS)
    seat = seat_of(event.get("seat"), draft.terms, "BJ-04")
    place = place_of(draft, seat, event.get("hand"))
    dealt = _read(draft, event)
    if draft.stage == DEAL:
        due = turns.next_of_deal(draft.dealt, len(draft.hands))
        if due.dealer or due.place != place:
            raise _out_of_order(draft)
    else:
        obstacle = no_card_for(draft, place)
        if obstacle is not None:
            raise obstacle
    hand = draft.hands[place]
    draft.hands[place] = hand.with_card(dealt)
    _after(draft)
    return {"e": "card", "to": "seat", "seat": seat, "hand": hand.hand, "card": dealt}


def _begin(draft: Draft) -> None:
    """BJ-07: no card before betting is closed; where no bets are logged the first card begins the deal."""
    if draft.stage != BETS:
        return
    forbids.require_deal(draft.detail, draft.seated)
    players = [
        PlayerHand(seat, hand, hand) for seat in sorted(draft.seated) for hand in range(draft.seated[seat])
    ]
    turns.begin(draft, players)


def _read(draft: Draft, event: Mapping[str, Any], *, covered: bool = False) -> str:
    given = event.get("card")
    if not covered:
        forbids.require_face_up(given)
    dealt = values.read_card(given, covered=covered)
    if dealt != COVERED:
        require_in_shoe(draft, dealt)
    return dealt


def require_in_shoe(draft: Draft, card: str, field: str = "card") -> None:
    """CARD-42: no card shows more often than there are decks. Counts the card as out."""
    if draft.seen is None:
        draft.seen = Counter(draft.dealer)
        for hand in draft.hands:
            draft.seen.update(hand.cards)
    seen = draft.seen[card]
    forbids.require_fewer(card, seen, draft.rules.decks, field)
    draft.seen[card] += 1


def place_of(draft: Draft, seat: int, hand: object) -> int:
    """Where a seat's hand is in the order of play. Without a number: the one in turn or to be dealt to,
    else the seat's first. Raises `RuleViolation` BJ-13 (code `no_such_hand`)."""
    if hand is not None and type(hand) is not int:
        raise reading.bad_type("hand", Text("el número de una mano", "a hand number"))
    due = _place_due(draft)
    if 0 <= due < len(draft.hands):
        one = draft.hands[due]
        if one.seat == seat and (hand is None or one.hand == hand):
            return due
    own = [place for place, one in enumerate(draft.hands) if one.seat == seat]
    if hand is None and own:
        return own[0]
    for place in own:
        if draft.hands[place].hand == hand:
            return place
    raise forbids.no_such_hand(seat, hand, bool(own))


def _place_due(draft: Draft) -> int:
    if draft.stage != DEAL:
        return draft.turn
    due = turns.next_of_deal(draft.dealt, len(draft.hands))
    return -1 if due.dealer else due.place


def _out_of_order(draft: Draft) -> RuleViolation:
    due = turns.next_of_deal(draft.dealt, len(draft.hands))
    whose = TO_DEALER if due.dealer else named(draft.hands[due.place], "a la", "to the")
    return RuleViolation(
        "BJ-10",
        Text(
            "en el reparto ahora va carta {whose}: una a cada mano, la del croupier y la segunda a cada mano",
            "the deal now goes {whose}: one card to each hand, the dealer's, and the second to each hand",
        ).fill(whose=whose),
        {"dealt": draft.dealt},
        code="deal_order",
        field="to",
    )


TO_DEALER = Text("al croupier", "to the dealer")


def no_card_for(draft: Draft, place: int) -> RuleViolation | None:
    """Why a hand gets no card after the first deal; None when it may (BJ-13, BJ-14, BJ-25, BJ-27)."""
    hand = draft.hands[place]
    if draft.stage == DECIDE and place == draft.turn:
        return _none_at_21(draft, hand)
    otherwise = ("BJ-46", _SHOW_FIRST) if draft.stage == SHOW else forbids.NOT_ITS_TURN
    return forbids.no_card_for(hand, hand.doubled, bool(hand.status), otherwise)


_SHOW_FIRST = Text(
    "el croupier tiene black jack: muestre la carta tapada antes de dar otra a {whose}",
    "the dealer has blackjack: turn over the covered card before another goes to {whose}",
)


def _none_at_21(draft: Draft, hand: PlayerHand) -> RuleViolation | None:
    # A hand in turn has 20 at most: `move_on` closes it at 21. What is left is a split ace with its card.
    if forbids.is_split_ace(hand) and len(hand.cards) > 1:
        return RuleViolation(
            "BJ-25",
            Text(
                "un as separado recibe una sola carta: plántese o separe el nuevo par",
                "a split ace takes one card only: stand, or split the new pair",
            ),
            {"seat": hand.seat, "hand": hand.hand},
            code="card_not_due",
            field="seat",
        )
    return None


def _after(draft: Draft) -> None:
    """What a card to a player changes: the deal goes on, or the hand in turn does."""
    if draft.stage == DEAL:
        draft.dealt += 1
        if draft.dealt == draft.deal_length:
            turns.deal_ends(draft)
        return
    draft.offered, draft.asked = True, False
    draft.peeked = draft.peeked or turns.may_peek(draft)
    turns.move_on(draft)


def _to_dealer(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    reading.known_keys(event, _DEALER_KEYS)
    hole = draft.stage == DEAL and draft.dealt > 2 * len(draft.hands)
    if draft.stage == DEAL:
        if not turns.next_of_deal(draft.dealt, len(draft.hands)).dealer:
            raise _out_of_order(draft)
    elif draft.stage != DEALER:
        raise _no_dealer_card(draft)
    dealt = _read(draft, event, covered=hole)
    draft.dealer.append(dealt)
    if draft.stage == DEAL:
        draft.dealt += 1
        if draft.dealt == draft.deal_length:
            turns.deal_ends(draft)
    else:
        draft.offered = True
        turns.move_on(draft)
    return {"e": "card", "to": "dealer", "card": dealt}


def _no_dealer_card(draft: Draft) -> RuleViolation:
    if draft.stage == DECIDE:
        rule, say = (
            "BJ-10",
            Text(
                "el croupier no toma su segunda carta hasta que terminen los jugadores: falta {whose}",
                "the dealer takes no second card until the players finish: {whose} is still to play",
            ).fill(whose=named(draft.current)),
        )
    elif draft.stage == SHOW:
        rule, say = (
            "BJ-46",
            Text(
                "muestre la carta tapada antes de tomar otra",
                "turn over the covered card before taking another",
            ),
        )
    else:
        rule, say = turns.why_no_dealer_card(draft)
    return RuleViolation(rule, say, {"stage": draft.stage}, code="card_not_due", field="to")


_SHOW_KEYS = frozenset({"e", "to", "cards", "at", "by"})


def show(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The American hole card turned over: at the peek when it makes black jack, else after the players."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("cartas", "cards"))
    reading.known_keys(event, _SHOW_KEYS)
    reading.one_of(event.get("to"), "to", ("dealer",))
    _may_show(draft)
    given = event.get("cards")
    if not isinstance(given, list | tuple) or len(given) != 1:
        raise reading.bad_type("cards", Text("la carta tapada, una sola", "the covered card, one only"))
    turned, known = values.read_card(given[0], "cards"), draft.dealer[1]
    if known not in (COVERED, turned):
        raise RuleViolation(
            "BJ-46",
            Text(f"la carta tapada se anotó como {known}", f"the covered card was logged as {known}"),
            code="other_card",
            field="cards",
        )
    if draft.stage == DECIDE and not values.is_blackjack((draft.dealer[0], turned)):
        raise RuleViolation(
            "BJ-46",
            Text(
                f"con {turned} no hay black jack: la carta sigue tapada hasta que terminen los jugadores",
                f"with {turned} there is no blackjack: the card stays covered until the players finish",
            ),
            code="show_too_early",
            field="cards",
        )
    if known == COVERED:
        require_in_shoe(draft, turned, "cards")
    draft.dealer[1] = turned
    draft.shown, draft.offered = True, True
    if draft.stage == DECIDE or turns.hole_blackjack(draft):
        _end_by_blackjack(draft)
    turns.move_on(draft)
    return {"e": "show", "to": "dealer", "cards": [turned]}


def _may_show(draft: Draft) -> None:
    rules = draft.rules
    peeking = draft.stage == DECIDE and turns.may_peek(draft)
    if rules.american and (draft.stage == SHOW or peeking):
        return
    if not rules.american:
        say = Text("aquí el croupier no tiene carta tapada", "here the dealer has no covered card")
    elif draft.stage == DECIDE:
        say = Text(
            "la carta tapada se muestra cuando terminan los jugadores",
            "the covered card is shown when the players have finished",
        )
    else:
        say = Text("ahora no hay carta tapada que mostrar", "there is no covered card to show now")
    raise RuleViolation("BJ-46", say, code="nothing_to_show")


def _end_by_blackjack(draft: Draft) -> None:
    """BJ-46: with the dealer's black jack nobody plays on; hands still open are compared as they are."""
    for place, hand in enumerate(draft.hands):
        if not hand.status:
            draft.hands[place] = hand._replace(status=STANDS)
    draft.turn = len(draft.hands)


_RESULT_KEYS = frozenset({"e", "winner", "at", "by"})


def result(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The dealer's total as announced (BJ-30), where nothing else is logged."""
    require_announced(draft.detail, bool(draft.result), "BJ-30")
    reading.known_keys(event, _RESULT_KEYS)
    draft.result = reading.one_of(event.get("winner"), "winner", tuple(WINNERS))
    draft.stage = DONE
    return {"e": "result", "winner": draft.result}
