"""Cards, one by one, covered or known; covered hands turned over; or the result a table announced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from shoes import cards
from shoes.cards import COVERED
from tables.games import reading
from tables.games.announcing import require_announced
from tables.games.base import Detail, refuse_detail
from tables.games.house_poker import course, misdeals
from tables.games.house_poker.betting import only_hand
from tables.games.house_poker.kinds import BOARD, DEALER, Kind
from tables.games.house_poker.outcome import winners_of
from tables.games.house_poker.state import Draft, Place
from tables.games.staking import seat_of

_CARD_KEYS = frozenset({"e", "to", "seat", "hand", "card", "at", "by"})


def card(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The next card of the pack and the hand it goes to (PH-03, PH-08, PH-17, PH-19)."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("cartas", "cards"))
    reading.known_keys(event, _CARD_KEYS)
    to, seat = _whose(draft, event)
    due = course.due(draft)
    misdeals.refuse_dead(draft.house if to == DEALER else draft.places.get(seat, Place()), seat)
    if due.phase == course.BETS:
        raise RuleViolation(draft.kind.first_rule, _BETS_FIRST, code="bets_open")
    if due.phase not in course.DEALING or to != due.to or (to == "seat" and (seat,) != due.seats):
        raise _not_due(draft, due, to, seat)
    written = event.get("card")
    if written == COVERED and to == BOARD:
        raise RuleViolation(draft.kind.deal_rule, _BOARD_OPEN, code="board_is_open", field="card")
    dealt = COVERED
    if written != COVERED:
        dealt = read_new_card(draft, written)
        draft.known().add(dealt)
    if to == BOARD:
        draft.board.append(dealt)
    elif to == DEALER:
        draft.house = _with_card(draft.house, dealt)
    else:
        draft.places[seat] = _with_card(draft.places[seat], dealt)
        return {"e": "card", "to": "seat", "seat": seat, "card": dealt}
    return {"e": "card", "to": to, "card": dealt}


_BETS_FIRST = Text(
    "antes de repartir, cada participante pone su apuesta y se cierran las apuestas",
    "before dealing, each participant places the bet and betting is closed",
)
_BOARD_OPEN = Text(
    "la carta comunitaria se anota al descubrirse: diga cuál es",
    "a community card is logged when it is turned over: say which it is",
)


def _with_card(place: Place, dealt: str) -> Place:
    return place._replace(cards=(*place.cards, dealt))


def _whose(draft: Draft, event: Mapping[str, Any], field: str = "to") -> tuple[str, int]:
    """A shared hand, or the seat an event is about."""
    kind = draft.kind
    shared = (DEALER,) if kind.dealer else ()
    to = event.get("to", "seat" if field == "who" else None)
    if to == BOARD and kind.board and field == "to":
        shared = (*shared, BOARD)
    known = reading.one_of(to, "to", (*shared, "seat"))
    if known != "seat":
        if event.get("seat") is not None:
            raise Refused(
                Text("diga la mano o el asiento, no ambos", "name the hand or the seat, not both"),
                code="bad_value",
                field="seat",
            )
        return known, 0
    only_hand(event, kind)
    seat = seat_of(event.get("seat"), draft.terms, kind.seats_rule)
    return "seat", seat


def read_new_card(draft: Draft, written: object, also: frozenset[str] = frozenset()) -> str:
    """A card not seen in this round yet. CARD-42: a pack of one deck holds each card once."""
    found = cards.parse(written)
    if cards.is_value_card(found):
        raise RuleViolation(
            "PH-22",
            Text("en poker hace falta el palo de la carta", "poker needs the suit of the card"),
            code="suit_needed",
            field="card",
        )
    if found in also or found in draft.known():
        said = cards.name(found)
        raise RuleViolation(
            "CARD-42",
            Text(
                f"{said.es} ya salió en este pase y hay una sola: corrija la carta, o detenga la mesa",
                f"{said.en} is out already in this round and there is only one: correct it or stop the table",
            ),
            {"card": found},
            code="duplicate_card",
            field="card",
        )
    return found


def say_hand(to: str, seat: int) -> Text:
    """Whose hand: «el asiento 3», «el croupier», «las comunitarias»."""
    return Text(f"el asiento {seat}", f"seat {seat}") if to == "seat" else _SHARED[to]


_SHARED = {
    DEALER: Text("el croupier", "the dealer"),
    BOARD: Text("las comunitarias", "the community cards"),
}


def to_hand(to: str, seat: int) -> Text:
    """Where a card goes: «al asiento 3», «al croupier»."""
    whose = say_hand(to, seat)
    return Text(f"a {whose.es}".replace("a el ", "al ", 1), f"to {whose.en}")


def of_hand(to: str, seat: int) -> Text:
    """Whose a hand is: «del asiento 3», «del croupier»."""
    whose = say_hand(to, seat)
    return Text(f"de {whose.es}".replace("de el ", "del ", 1), f"of {whose.en}")


def _not_due(draft: Draft, due: course.Due, to: str, seat: int) -> RuleViolation:
    """A card for a hand whose turn it is not, or when none is dealt."""
    asked = say_hand(to, seat)
    rule = rule_of(draft.kind, due.phase)
    if due.phase in course.DEALING:
        wanted = say_hand(due.to, due.seats[0] if due.seats else 0)
        text = Text(
            "esta carta no es para {asked} sino para {wanted}: se reparte de a una, desde la izquierda de la"
            " banca",
            "this card is not for {asked} but for {wanted}: they are dealt one at a time, from the left of"
            " the bank",
        ).fill(asked=asked, wanted=wanted)
    else:
        text = Text("ahora no va carta {asked}: {what}", "no card goes {asked} now: {what}").fill(
            asked=to_hand(to, seat), what=WHAT_IS_DUE[due.phase]
        )
    figures = {"to": to, "seat": seat, "due": due.to, "due_seats": list(due.seats)}
    return RuleViolation(rule, text, figures, code="card_not_due", field="to")


WHAT_IS_DUE = {
    course.DECIDE: Text("faltan decisiones de los jugadores", "players have decisions to make"),
    course.REVEAL: Text("falta descubrir la mano del croupier", "the dealer's hand is to be revealed"),
    course.DEALER_CHANGE: Text("falta el cambio del croupier", "the dealer's change is due"),
    course.SHOW: Text("falta descubrir manos de jugadores", "players' hands are to be shown"),
    course.COMPLETE: Text("el pase está completo", "the round is complete"),
    course.DEAL: Text("se está repartiendo", "cards are being dealt"),
    course.REPLACE: Text("se están reponiendo cartas", "cards are being replaced"),
    course.DEALER_REPLACE: Text("el croupier está completando su mano", "the dealer is completing the hand"),
    course.COMMUNITY: Text("falta una carta comunitaria", "a community card is due"),
    course.BETS: Text("las apuestas siguen abiertas", "betting is still open"),
}


def rule_of(kind: Kind, phase: str) -> str:
    """The rule behind what is due."""
    if phase == course.REPLACE:
        return "PH-08"
    if phase in (course.DEALER_CHANGE, course.DEALER_REPLACE):
        return "PH-14"
    if phase == course.REVEAL:
        return kind.early_rule
    return kind.decide_rule if phase == course.DECIDE else kind.deal_rule


_SHOW_KEYS = frozenset({"e", "to", "seat", "hand", "cards", "at", "by"})


def show(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The covered cards of a hand turned over, in the order they lie (PH-09: the dealer's last of all)."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("cartas", "cards"))
    reading.known_keys(event, _SHOW_KEYS)
    to, seat = _whose(draft, event, "who")
    place = draft.house if to == DEALER else draft.places.get(seat)
    if place is None or not place.covered:
        whose = say_hand(to, seat)
        raise RuleViolation(
            draft.kind.deal_rule,
            Text(f"{whose.es} no tiene cartas tapadas", f"{whose.en} has no covered cards"),
            code="nothing_covered",
            field="to" if to == DEALER else "seat",
        )
    misdeals.refuse_dead(place, seat)
    _check_time(draft, to, seat, place)
    shown = _read_shown(draft, event.get("cards"), place.covered)
    rest = iter(shown)
    draft.known().update(shown)
    turned = place._replace(cards=tuple(next(rest) if one == COVERED else one for one in place.cards))
    if to == DEALER:
        draft.house = turned
        return {"e": "show", "to": DEALER, "cards": shown}
    draft.places[seat] = turned
    return {"e": "show", "seat": seat, "cards": shown}


def _check_time(draft: Draft, to: str, seat: int, place: Place) -> None:
    due = course.due(draft)
    kind = draft.kind
    if due.phase in (course.DEAL, course.DECIDE, course.REPLACE, course.COMMUNITY, course.DEALER_REPLACE):
        rule = kind.early_rule if to == DEALER or kind.early_rule != "PH-09" else "PH-07"
        text = Text(
            "todavía no se descubre la mano {whose}: {what}",
            "the hand {whose} is not turned over yet: {what}",
        ).fill(whose=of_hand(to, seat), what=WHAT_IS_DUE[due.phase])
        raise RuleViolation(rule, text, {"due": due.phase}, code="revealed_early", field="to")
    if place.folded and not course.has_side_bet(draft, seat):
        raise RuleViolation(
            kind.fold_rule,
            Text(
                f"el asiento {seat} se retiró: sus cartas van cerradas al descarte",
                f"seat {seat} folded: the cards go closed to the discards",
            ),
            code="folded_hand",
            field="seat",
        )


def _read_shown(draft: Draft, value: object, wanted: int) -> list[str]:
    if not isinstance(value, list | tuple) or len(value) != wanted:
        raise reading.bad_type(
            "cards",
            Text(
                f"la lista de las {wanted} cartas tapadas de esa mano",
                f"the list of that hand's {wanted} covered cards",
            ),
        )
    shown: list[str] = []
    for written in value:
        shown.append(read_new_card(draft, written, frozenset(shown)))
    return shown


_RESULT_KEYS = frozenset({"e", "winner", "at", "by"})


def result(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """An announced outcome, where nothing else is logged."""
    require_announced(draft.detail, bool(draft.result), draft.kind.compare_rule)
    reading.known_keys(event, _RESULT_KEYS)
    draft.result = reading.one_of(event.get("winner"), "winner", tuple(winners_of(draft.kind)))
    return {"e": "result", "winner": draft.result}
