"""What one round hands on to the next of its session: stakes in prison, commission marked and owed, chips
forfeited to the next pot.

The settlement says it as events (`Settlement.carry`); the next round of the session begins with them. Nobody
logs them by hand, they can't be struck out, and a table is not closed while some are pending.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from tables.games import registry
from tables.games.base import Event, Game
from tables.holding import Held
from tables.models import Round, TableSession


def handed_on(held: Held) -> list[dict[str, Any]]:
    """The events the next round begins with, of a session held for writing."""
    if not registry.game(held.session.game).carried:
        return []
    return carried(held.session) if held.carry is None else held.carry


def carried(session: TableSession) -> list[dict[str, Any]]:
    """The events the next round of the session begins with."""
    if not registry.game(session.game).carried:
        return []
    settled = Round.objects.filter(session=session, state=Round.State.SETTLED).order_by("-number")
    last = settled.values_list("settlement", flat=True).first()
    return list((last or {}).get("carry", ()))


def require_none_by_hand(game: Game, events: Sequence[Event]) -> None:
    """Refuse what only the round before may say (code `carried_event`)."""
    for event in events:
        if isinstance(event, dict) and event.get("e") in game.carried:
            raise Refused(
                Text(
                    "lo que viene del pase anterior (prisión, comisión adeudada, fichas perdidas al pozo)"
                    " se anota solo:"
                    " quite ese suceso",
                    "what comes from the round before (prison, commission owed, chips lost to the pot)"
                    " is noted by itself:"
                    " remove that event",
                ),
                code="carried_event",
                field="e",
            )


def require_not_passed_on(round: Round) -> None:
    """Refuse to void a round whose stakes or debts a later round took over (code `carried_on`)."""
    if not (round.settlement or {}).get("carry"):
        return
    later = Round.objects.filter(session=round.session_id, number__gt=round.number)
    if later.exclude(state=Round.State.VOID).exists():
        raise Conflict(
            Text(
                "este pase dejó apuestas en prisión, comisión adeudada o fichas perdidas al pozo que el"
                " siguiente recogió:"
                " anule antes el posterior",
                "this round left stakes in prison, commission owed or chips lost to the pot that the next"
                " one took over:"
                " void the later one first",
            ),
            code="carried_on",
            rule="REC-07",
        )


def require_nothing_pending(session: TableSession) -> None:
    """Refuse to close a table while something waits for a next round (code `carry_pending`)."""
    pending = carried(session)
    if pending:
        seats = sorted({event["seat"] for event in pending})
        told = ", ".join(map(str, seats))
        raise Conflict(
            Text(
                f"los asientos {told} tienen apuestas en prisión, deben comisión o perdieron fichas al pozo"
                " siguiente: juegue un pase más, o anule el último y regístrelo otra vez con el retiro de la"
                " mitad, el cobro o la devolución",
                f"seats {told} have stakes in prison, owe commission or lost chips to the next pot: play one"
                " more round, or void the last and log it again with the half taken back, the commission"
                " collected or the chips given back",
            ),
            code="carry_pending",
            detail={"seats": seats},
        )
