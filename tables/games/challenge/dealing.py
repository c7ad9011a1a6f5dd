"""The cards of a pass, one by one, and the results announced instead of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from tables.games import reading, staking
from tables.games.base import Detail, refuse_detail
from tables.games.blackjack import forbids
from tables.games.blackjack import hands as values
from tables.games.blackjack.forbids import named
from tables.games.challenge import turns
from tables.games.challenge.rules import CALLS, HAND_NAMES, HANDS
from tables.games.challenge.state import BETS, DEAL, DECIDE, DONE, ROUNDS, Draft, PlayerHand

_DEALER_KEYS = frozenset({"e", "to", "card", "at", "by"})
_CARD_KEYS = _DEALER_KEYS | {"seat", "hand"}


def card(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The next card of the shoe. A card to the hand whose turn it is, without `hit` before it, is a hit."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("cartas", "cards"))
    reading.known_keys(event, _CARD_KEYS)
    _begin(draft)
    to = reading.one_of(event.get("to"), "to", ("seat", *HAND_NAMES))
    if to != "seat":
        return _to_dealer(draft, event, to)
    seat = staking.seat_of(event.get("seat"), draft.terms, "BJ-04")
    place = place_of(draft, seat, event.get("hand"))
    dealt = _read(draft, event)
    if draft.stage == DEAL:
        due = turns.next_of_deal(draft)
        if due.dealer or due.place != place:
            raise _out_of_order(draft)
    elif draft.stage != DECIDE or place != draft.turn:
        hand = draft.hands[place]
        raise forbids.no_card_for(hand, hand.doubled, bool(hand.status), forbids.NOT_ITS_TURN)
    hand = draft.hands[place]
    draft.hands[place] = hand._replace(cards=(*hand.cards, dealt))
    if draft.stage == DEAL:
        turns.deal_goes_on(draft)
    else:
        draft.offered, draft.asked = True, False
        turns.move_on(draft)
    return {"e": "card", "to": "seat", "seat": seat, "hand": hand.hand, "card": dealt}


def _begin(draft: Draft) -> None:
    """BJ-07: no card before betting is closed; where no bets are logged the first card begins the deal."""
    if draft.stage != BETS:
        return
    forbids.require_deal(draft.detail, draft.seated)
    turns.begin(draft, [PlayerHand(seat, 0, draft.seated[seat]) for seat in sorted(draft.seated)])


def _read(draft: Draft, event: Mapping[str, Any]) -> str:
    """A card face up (BJ-12) that the shoe can hold (CARD-42); the shared base card lies there once."""
    given = event.get("card")
    forbids.require_face_up(given)
    dealt = values.read_card(given)
    again = 1 if draft.rules.shared else 0
    seen = sum(hand.cards.count(dealt) for hand in draft.hands) + draft.dealer[0].count(dealt)
    seen += draft.dealer[1][again:].count(dealt) + draft.dealer[2][again:].count(dealt)
    forbids.require_fewer(dealt, seen, draft.rules.decks)
    return dealt


def place_of(draft: Draft, seat: int, hand: object) -> int:
    """Where a seat's hand is in the order of play. Without a number: the one in turn or to be dealt to,
    else the seat's first. Raises `RuleViolation` BJ-13 (code `no_such_hand`)."""
    if hand is not None and type(hand) is not int:
        raise reading.bad_type("hand", Text("el número de una mano", "a hand number"))
    own = [place for place, one in enumerate(draft.hands) if one.seat == seat]
    if hand is None and own:
        return draft.turn if draft.stage != DEAL and draft.turn in own else own[0]
    for place in own:
        if draft.hands[place].hand == hand:
            return place
    raise forbids.no_such_hand(seat, hand, bool(own))


def due_words(draft: Draft) -> Text:
    """Where the next card of the first deal goes."""
    due = turns.next_of_deal(draft)
    if not due.dealer:
        return named(draft.hands[due.place])
    return Text("la {hand}", "the {hand}").fill(hand=HANDS[HAND_NAMES[due.place]])


def _out_of_order(draft: Draft) -> RuleViolation:
    return RuleViolation(
        "BJ-10",
        Text(
            "en el reparto la carta es para {whose}: una a cada mano, la del croupier y otra a cada mano",
            "in the deal the card is for {whose}: one to each hand, the dealer's, and another to each hand",
        ).fill(whose=due_words(draft)),
        {"dealt": draft.dealt},
        code="deal_order",
        field="to",
    )


def _to_dealer(draft: Draft, event: Mapping[str, Any], to: str) -> dict[str, Any]:
    reading.known_keys(event, _DEALER_KEYS)
    number = HAND_NAMES.index(to)
    if draft.stage == DEAL:
        due = turns.next_of_deal(draft)
        if not due.dealer or due.place != number:
            raise _out_of_order(draft)
        dealt = _read(draft, event)
        # BJ-11: the shared base lies in all three hands.
        for hand in draft.dealer if draft.rules.shared else (draft.dealer[number],):
            hand.append(dealt)
        turns.deal_goes_on(draft)
    elif draft.stage != ROUNDS or number != draft.round:
        raise _no_dealer_card(draft, number)
    else:
        dealt = _read(draft, event)
        draft.dealer[number].append(dealt)
        draft.offered = True
        turns.move_on(draft)
    return {"e": "card", "to": to, "card": dealt}


def _no_dealer_card(draft: Draft, number: int) -> RuleViolation:
    if draft.stage == DECIDE:
        rule, say = (
            "BJ-10",
            Text(
                "el croupier no toma más cartas hasta que terminen los jugadores: falta {whose}",
                "the dealer takes no more cards until the players finish: {whose} is still to play",
            ).fill(whose=named(draft.current)),
        )
    elif draft.stage == ROUNDS and number > draft.round:
        rule, say = (
            "BJ-39",
            Text(
                "las tres rondas van en orden: ahora se completa la {due}",
                "the three rounds go in order: now the {due} is completed",
            ).fill(due=HANDS[HAND_NAMES[draft.round]]),
        )
    else:
        rule, say = turns.why_no_dealer_card(draft, number)
    return RuleViolation(rule, say, {"round": draft.round + 1}, code="card_not_due", field="to")


_RESULT_KEYS = frozenset({"e", "winner", "at", "by"})


def result(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """What the dealer announced in the next round (BJ-39), where nothing else is logged; three in all."""
    if draft.detail is not Detail.RESULT:
        raise refuse_detail(
            draft.detail,
            Text("resultado anunciado: sale de las cartas", "announced result: it follows from the cards"),
        )
    reading.known_keys(event, _RESULT_KEYS)
    if draft.stage == DONE:
        raise RuleViolation(
            "BJ-39",
            Text(
                "las tres rondas ya están; para corregir una anule su registro",
                "the three rounds are in; to correct one undo its entry",
            ),
            code="result_given",
        )
    call = reading.one_of(event.get("winner"), "winner", tuple(CALLS))
    draft.results.append(call)
    if len(draft.results) == len(HANDS):
        draft.stage = DONE
    return {"e": "result", "winner": call}
