"""The cards: to each seat in turn, burned, to the board; and hands turned over at the showdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from shoes import cards
from shoes.cards import COVERED
from tables.games import reading
from tables.games.base import Detail, refuse_detail
from tables.games.ring.betting import advance, begin_betting, begin_hand
from tables.games.ring.seating import cannot_begin
from tables.games.ring.state import Draft, Due
from tables.games.staking import seat_of

_CARD_KEYS = frozenset({"e", "to", "seat", "card", "at", "by"})
_SHOW_KEYS = frozenset({"e", "seat", "cards", "at", "by"})
PLACES = ("seat", "board", "burn")


def card(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """The next card of the pack. Closed and burned cards may be covered, open ones may not."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("cartas", "cards"))
    reading.known_keys(event, _CARD_KEYS)
    if not draft.closed:
        _first_card(draft)
    to = reading.one_of(event.get("to"), "to", PLACES)
    seat = seat_of(event.get("seat"), draft.terms, "PR-16") if to == "seat" else 0
    if to != "seat" and event.get("seat") is not None:
        raise reading.bad_type("seat", Text("sólo para cartas de un asiento", "only for a seat's cards"))
    due = _matched(draft, to, seat)
    dealt = _named(draft, event.get("card"), may_cover=_may_cover(draft, due))
    draft.pending.pop(0)
    if to == "seat":
        draft.own[seat].append(dealt)
    else:
        (draft.board if to == "board" else draft.burns).append(dealt)
    if not draft.pending and draft.detail is Detail.FULL:
        begin_betting(draft)
    else:
        advance(draft)
    clean = {"e": "card", "to": to, "card": dealt}
    return {"e": "card", "to": to, "seat": seat, "card": dealt} if seat else clean


def _first_card(draft: Draft) -> None:
    if draft.detail is Detail.FULL:
        raise RuleViolation(
            "PR-11" if draft.variant.has_button else "PR-17",
            Text(
                "cierre los asientos antes de la primera carta: con el cierre se pone lo obligado",
                "close the seats before the first card: closing posts what is forced",
            ),
            code="bets_open",
        )
    obstacle = cannot_begin(draft)
    if obstacle is not None:
        raise obstacle
    begin_hand(draft)


def _matched(draft: Draft, to: str, seat: int) -> Due:
    """The card due, if it goes where this one went. Raises the dealing rule, PR-03 to PR-06 or PR-14."""
    if draft.queue or not draft.pending:
        raise _not_due(draft, to, seat, None)
    due = draft.pending[0]
    if due.to == "burn" and to != "burn" and draft.rules.burn_log == "prompt":
        # PR-14 asks for the burn and does not forbid a log without it.
        draft.pending.pop(0)
        draft.unburned += 1
        due = draft.pending[0]
    if (due.to, due.seat) != (to, seat):
        raise _not_due(draft, to, seat, due)
    return due


def _not_due(draft: Draft, to: str, seat: int, due: Due | None) -> RuleViolation:
    rule = "PR-14" if "burn" in (to, due.to if due else "") else draft.variant.cards_rule
    if due is not None:
        why = Text("va {due}", "it goes {due}").fill(due=where(due))
    elif draft.queue:
        rule = draft.variant.turn_rule
        seat_to_speak = draft.queue[0]
        why = Text(f"le toca hablar al asiento {seat_to_speak}", f"seat {seat_to_speak} is to speak")
    else:
        why = Text("ya no faltan cartas", "no more cards are due")
    text = Text("esta carta no va {to}: {why}", "this card does not go {to}: {why}").fill(
        to=where(Due(to, seat)), why=why
    )
    figures = {"to": to, "seat": seat, "due": due.to if due else "", "due_seat": due.seat if due else 0}
    return RuleViolation(rule, text, figures, code="card_not_due", field="to")


def where(due: Due) -> Text:
    """Where a card goes, in words."""
    if due.to == "seat":
        return Text(f"al asiento {due.seat}", f"to seat {due.seat}")
    return {"board": Text("a la mesa", "to the board"), "burn": Text("a las quemadas", "to the burn")}[due.to]


def _may_cover(draft: Draft, due: Due) -> bool:
    # Who has shown has no secrets left: the last closed card of seven comes face up then.
    return due.to == "burn" or (due.to == "seat" and not due.is_open and due.seat not in draft.shown)


def _named(draft: Draft, typed: object, may_cover: bool) -> str:
    if typed == COVERED:
        if may_cover:
            return COVERED
        raise RuleViolation(
            draft.variant.cards_rule,
            Text("esta carta va abierta: escriba cuál es", "this card is dealt open: type which one it is"),
            code="card_covered",
            field="card",
        )
    known = cards.parse(typed)
    if cards.is_value_card(known):
        raise RuleViolation(
            "PH-22",
            Text("escriba también el palo: sin él no hay color", "type the suit too: flushes need it"),
            code="suit_missing",
            field="card",
        )
    if known in draft.seen():
        raise twice(known)
    return known


def twice(card: str) -> RuleViolation:
    """CARD-42: no card comes twice from one deck."""
    text = Text(
        "{name} ya salió en esta mano: revise las cartas; si de verdad hay dos, la mano es nula",
        "{name} came already in this hand: check the cards; if there really are two, the hand is void",
    )
    return RuleViolation(
        "CARD-42", text.fill(name=cards.name(card)), {"card": card}, code="impossible_card", field="card"
    )


def may_show(draft: Draft) -> bool:
    """Hands are turned over at the showdown (PR-15), or sooner when no more betting can follow."""
    return draft.phase == "showdown" or (draft.phase == "dealing" and draft.runs_out)


def show(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A hand turned over: `cards` are all its closed ones, in any order; what is known need not be said."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("cartas", "cards"))
    reading.known_keys(event, _SHOW_KEYS)
    seat = seat_of(event.get("seat"), draft.terms, "PR-16")
    if not may_show(draft):
        raise RuleViolation(
            draft.variant.show_rule,
            Text(
                "las cartas se muestran al final, o cuando ya nadie puede apostar",
                "cards are shown at the end, or when nobody can bet any more",
            ),
            code="show_not_due",
        )
    require_live(draft, seat)
    lying = draft.closed_cards(seat)
    turned = _turned(draft, lying, event.get("cards", lying))
    flags, fresh = draft.flags(), iter(turned)
    held = zip(draft.own[seat], flags, strict=False)
    draft.own[seat] = [one if is_open else next(fresh) for one, is_open in held]
    draft.shown.add(seat)
    return {"e": "show", "seat": seat, "cards": turned}


def require_live(draft: Draft, seat: int) -> None:
    """A seat that still plays and has not shown (PR-15)."""
    if seat not in draft.chips or seat in draft.folded:
        raise RuleViolation(
            draft.variant.show_rule,
            Text(f"el asiento {seat} no está en la mano", f"seat {seat} is not in the hand"),
            code="not_in_hand",
            field="seat",
        )
    if seat in draft.shown:
        raise RuleViolation(
            draft.variant.show_rule,
            Text(f"el asiento {seat} ya mostró", f"seat {seat} has shown already"),
            code="shown_already",
            field="seat",
        )


def _turned(draft: Draft, lying: list[str], typed: object) -> list[str]:
    """The closed cards in their places: the known ones stay, the others fill what was covered."""
    if not isinstance(typed, list | tuple) or len(typed) != len(lying):
        many = len(lying)
        raise RuleViolation(
            draft.variant.cards_rule,
            Text(f"muestre las {many} cerradas", f"show the {many} closed cards"),
            {"closed": many},
            code="wrong_number_of_cards",
            field="cards",
        )
    given = [cards.parse(one, field="cards") for one in typed]
    known = [one for one in lying if one != COVERED]
    for one in known:
        if one not in given:
            text = Text("se repartió {name} y no se muestra", "{name} was dealt and is not shown")
            raise RuleViolation(
                "CARD-42",
                text.fill(name=cards.name(one)),
                {"card": one},
                code="card_not_shown",
                field="cards",
            )
        given.remove(one)
    seen = draft.seen()
    for one in given:
        if cards.is_value_card(one) or one in seen:
            raise twice(one) if one in seen else reading.bad_type("cards", Text("cartas con palo", "suits"))
        seen.add(one)
    fresh = iter(given)
    return [next(fresh) if one == COVERED else one for one in lying]
