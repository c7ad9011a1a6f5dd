"""The cards of a pass, one by one, and the results announced instead of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from shoes.cards import COVERED
from tables.games import reading, staking
from tables.games.base import Detail, refuse_detail
from tables.games.blackjack import hands as values
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
        raise _no_card_for(draft, draft.hands[place])
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
    if draft.detail is Detail.FULL:
        raise RuleViolation(
            "BJ-07",
            Text("cierre las apuestas antes de la primera carta", "close betting before the first card"),
            code="bets_open",
        )
    if not draft.seated:
        raise RuleViolation(
            "BJ-07",
            Text("anote antes los asientos que juegan", "note the seats that play first"),
            code="no_bets",
        )
    turns.begin(draft, [PlayerHand(seat, 0, draft.seated[seat]) for seat in sorted(draft.seated)])


def _read(draft: Draft, event: Mapping[str, Any]) -> str:
    """A card face up (BJ-12) that the shoe can hold (CARD-42); the shared base card lies there once."""
    given = event.get("card")
    if isinstance(given, str) and given == COVERED:
        raise RuleViolation(
            "BJ-12",
            Text(
                "todas las cartas se reparten descubiertas: anote qué carta es",
                "all cards are dealt face up: say which card it is",
            ),
            code="covered_card",
            field="card",
        )
    dealt = values.read_card(given)
    again = 1 if draft.rules.shared else 0
    seen = sum(hand.cards.count(dealt) for hand in draft.hands) + draft.dealer[0].count(dealt)
    seen += draft.dealer[1][again:].count(dealt) + draft.dealer[2][again:].count(dealt)
    if seen >= draft.rules.decks:
        raise RuleViolation(
            "CARD-42",
            Text(
                f"{dealt} ya salió {seen} veces y hay {draft.rules.decks} barajas: revise lo anotado; si es"
                " así, detenga la mesa",
                f"{dealt} came out {seen} times already and there are {draft.rules.decks} decks: check what"
                " was logged; if so, stop the table",
            ),
            {"card": dealt, "seen": seen, "decks": draft.rules.decks},
            code="card_too_often",
            field="card",
        )
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
    raise RuleViolation(
        "BJ-13",
        Text(
            f"el asiento {seat} no tiene la mano {reading.shown(hand)} en este pase",
            f"seat {seat} has no hand {reading.shown(hand)} in this round",
        )
        if own
        else Text(f"el asiento {seat} no juega este pase", f"seat {seat} does not play this round"),
        code="no_such_hand",
        field="hand" if own else "seat",
    )


def named(hand: PlayerHand) -> Text:
    """A hand in words: its seat, and its number once the seat has split."""
    if not hand.hand:
        return Text(f"la mano del asiento {hand.seat}", f"the hand of seat {hand.seat}")
    return Text(f"la mano {hand.hand} del asiento {hand.seat}", f"hand {hand.hand} of seat {hand.seat}")


def due_words(draft: Draft) -> Text:
    """Where the next card of the first deal goes."""
    due = turns.next_of_deal(draft)
    return HANDS[HAND_NAMES[due.place]] if due.dealer else named(draft.hands[due.place])


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


def _no_card_for(draft: Draft, hand: PlayerHand) -> RuleViolation:
    """Why a hand gets no card after the first deal (BJ-13, BJ-14, BJ-25, BJ-27)."""
    total = values.points(hand.cards) if len(hand.cards) > 1 else 0
    if total >= values.TWENTY_ONE:
        rule, say = (
            "BJ-14",
            Text(
                f"{{whose}} suma {total}: con 21 o más no se entrega carta",
                f"{{whose}} totals {total}: at 21 or more no card is given",
            ),
        )
    elif hand.doubled and total:
        rule, say = "BJ-27", Text("{whose} dobló: una sola carta más", "{whose} doubled: one more card only")
    elif turns.is_split_ace(hand) and total:
        rule, say = (
            "BJ-25",
            Text("{whose} es un as separado: una sola carta", "{whose} is a split ace: one card"),
        )
    elif hand.status:
        rule, say = "BJ-13", Text("{whose} ya terminó: no pide más", "{whose} has finished: it draws no more")
    else:
        rule, say = "BJ-13", Text("no es el turno de {whose}", "it is not the turn of {whose}")
    figures = {"seat": hand.seat, "hand": hand.hand, "points": total}
    return RuleViolation(rule, say.fill(whose=named(hand)), figures, code="card_not_due", field="seat")


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
        raise Refused(
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
