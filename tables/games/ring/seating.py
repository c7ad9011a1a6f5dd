"""Before the cards: who is dealt in and with what, the button, the close; or the announced result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from tables.games import reading
from tables.games.announcing import require_announced
from tables.games.base import MOST_ON_A_SPOT, Detail, refuse_detail
from tables.games.ring.betting import begin_hand
from tables.games.ring.rules import PLAYERS_MIN
from tables.games.ring.state import Draft, Result
from tables.games.ring.variants import SPLIT
from tables.games.staking import require_chips, seat_of

_CHIPS_KEYS = frozenset({"e", "seat", "amount", "at", "by"})
_SEAT_KEYS = frozenset({"e", "seat", "at", "by"})
_CLOSE_KEYS = frozenset({"e", "at", "by"})
_RESULT_KEYS = frozenset({"e", "winner", "seats", "amount", "at", "by"})


def chips(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """What a seat has in front of it: it is dealt in. Any whole number of chips (GEN-07)."""
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("fichas", "chips"))
    reading.known_keys(event, _CHIPS_KEYS)
    seat = _new_seat(draft, event.get("seat"))
    amount = reading.integer(event.get("amount"), "amount", 1, MOST_ON_A_SPOT)
    require_chips(amount, draft.terms)
    draft.chips[seat] = amount
    return {"e": "chips", "seat": seat, "amount": amount}


def join(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """A seat that plays, where no money is logged."""
    if draft.detail is not Detail.CARDS:
        raise refuse_detail(draft.detail, Text("asientos sin fichas", "seats without chips"))
    reading.known_keys(event, _SEAT_KEYS)
    seat = _new_seat(draft, event.get("seat"))
    draft.chips[seat] = 0
    return {"e": "in", "seat": seat}


def _new_seat(draft: Draft, value: object) -> int:
    _still_joining(draft)
    seat = seat_of(value, draft.terms, "PR-16")
    if seat in draft.chips:
        raise RuleViolation(
            "PR-16",
            Text(
                f"el asiento {seat} ya está anotado; para corregirlo anule ese registro",
                f"seat {seat} is logged already; to correct it undo that entry",
            ),
            code="seat_taken",
            field="seat",
        )
    return seat


def _still_joining(draft: Draft) -> None:
    if draft.closed:
        raise RuleViolation(
            "PR-16",
            Text("la mano ya empezó: nadie más entra", "the hand has begun: nobody else joins"),
            code="hand_begun",
        )


def button(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """Who has the button: blinds, cards and turns are counted from it (PR-11)."""
    if draft.detail is Detail.RESULT:
        raise refuse_detail(draft.detail, Text("botón", "button"))
    reading.known_keys(event, _SEAT_KEYS)
    if not draft.variant.has_button:
        name = draft.variant.name
        raise RuleViolation(
            "PR-17",
            Text(
                f"en {name.es} no hay botón: abre la carta más baja",
                f"{name.en} has no button: the lowest card opens",
            ),
            code="no_button",
        )
    _still_joining(draft)
    if draft.button:
        raise RuleViolation(
            "PR-11",
            Text(
                f"el botón ya está en el asiento {draft.button}; para cambiarlo anule ese registro",
                f"the button is at seat {draft.button} already; to change it undo that entry",
            ),
            code="button_given",
            field="seat",
        )
    draft.button = seat_of(event.get("seat"), draft.terms, "PR-16")
    return {"e": "button", "seat": draft.button}


def cannot_begin(draft: Draft) -> RuleViolation | None:
    """What is missing before the first card: two players (PR-16), a button among them (PR-11)."""
    if len(draft.chips) < PLAYERS_MIN:
        return RuleViolation(
            "PR-16",
            Text(
                f"se juega con al menos {PLAYERS_MIN}; hay {len(draft.chips)}",
                f"play needs at least {PLAYERS_MIN}; there are {len(draft.chips)}",
            ),
            code="too_few_players",
            field="seat",
        )
    if draft.variant.has_button and draft.button not in draft.chips:
        return RuleViolation(
            "PR-11",
            Text(
                "anote el botón en un asiento que juega: de él se cuentan ciegas, cartas y turnos",
                "put the button at a seat that plays: blinds, cards and turns are counted from it",
            ),
            {"button": draft.button},
            code="no_button",
            field="seat",
        )
    return None


def close(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """Nobody else joins; antes and blinds are posted."""
    if draft.detail is not Detail.FULL:
        raise refuse_detail(draft.detail, Text("cierre", "closing"))
    reading.known_keys(event, _CLOSE_KEYS)
    _still_joining(draft)
    obstacle = cannot_begin(draft)
    if obstacle is not None:
        raise obstacle
    begin_hand(draft)
    return {"e": "close"}


def result(draft: Draft, event: Mapping[str, Any]) -> dict[str, Any]:
    """An announced outcome: the seat that won, or `split` and the `seats`; `amount`, if told, is the pot."""
    require_announced(draft.detail, draft.result is not None, "PR-02")
    reading.known_keys(event, _RESULT_KEYS)
    winners = (*(str(seat) for seat in range(1, draft.terms.seats + 1)), SPLIT)
    winner = reading.one_of(event.get("winner"), "winner", winners)
    clean: dict[str, Any] = {"e": "result", "winner": winner}
    seats = _sharing(draft, event.get("seats")) if winner == SPLIT else (int(winner),)
    if winner == SPLIT and seats:
        clean["seats"] = list(seats)
    elif event.get("seats") is not None:
        raise reading.bad_type("seats", Text("sólo con «split»", "only with “split”"))
    amount = event.get("amount")
    if amount is not None:
        amount = clean["amount"] = reading.integer(amount, "amount", 1, MOST_ON_A_SPOT)
        require_chips(amount, draft.terms)
    draft.result = Result(winner, seats, amount)
    return clean


def _sharing(draft: Draft, value: object) -> tuple[int, ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple) or not 2 <= len(value) <= draft.terms.seats:
        raise reading.bad_type("seats", Text("dos o más asientos", "two or more seats"))
    seats = sorted({seat_of(seat, draft.terms, "PR-16", "seats") for seat in value})
    if len(seats) != len(value):
        raise reading.bad_type("seats", Text("asientos distintos", "different seats"))
    return tuple(seats)
