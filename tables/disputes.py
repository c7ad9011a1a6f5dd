"""A dispute at a table (GEN-08): the round stands still with its cards in view until a chief decides it.

The incident keeps what lay on the table when play stopped: the round, its cards and bets as logged. It is
settled like every incident, by two people, one of them a chief of the floor, naming the rule applied.
"""

from __future__ import annotations

from typing import Any

from audits import incidents, trail
from audits.by import By
from audits.incident_facts import register_fact
from audits.models import Incident
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text, same
from shoes.cards import COVERED
from tables import freezing, telling
from tables.alerts import policies
from tables.games import registry
from tables.holding import lock_session, move_on
from tables.models import Round, TableSession
from tables.noting import note

for _key, _es, _en in (
    ("seat", "asiento", "seat"),
    ("claims", "qué reclama", "what is claimed"),
    ("in_view", "cartas a la vista", "cards in view"),
    ("state_of_round", "estado del pase", "state of the round"),
):
    register_fact(_key, Text(_es, _en))


@command(policies.OPEN_DISPUTE)
def open_dispute(*, session: TableSession, claims: str, by: By, seat: int | None = None) -> Incident:
    """Stop a table for a dispute, its round frozen as it lies (GEN-08).

    `claims`: what is in dispute; `seat`: who disputes, where it is one seat. The round in progress is the
    one in dispute, or else the last one. Raises `Refused` (`bad_text`, `no_such_seat`), `Conflict`
    (`table_frozen` where the table is stopped already).
    """
    said = texts.prose(claims, "claims", incidents.LONGEST_SUMMARY, rule="GEN-08")
    freezing.lock_table(by.casino, session.table.name)
    held = lock_session(session, by)
    session = held.session
    freezing.require_free(session)
    if seat is not None and not 1 <= seat <= session.seats:
        raise Refused(
            Text(
                f"la mesa tiene los asientos 1 a {session.seats}", f"the table has seats 1 to {session.seats}"
            ),
            code="no_such_seat",
            field="seat",
        )
    disputed = held.last_round_open or Round.objects.filter(session=session).order_by("-number").first()
    incident = incidents.raise_incident(
        kind=incidents.DISPUTE,
        summary=same(said),
        subject=trail.Subject("session", session.pk, session.label),
        rules=("GEN-08",),
        facts=_facts(session, disputed, said, seat),
        by=by,
        table_label=session.table.name,
        freezes=True,
    )
    session.frozen_by = incident
    move_on(session, by)
    session.save(update_fields=["frozen_by", "last_at"])
    told = {"incident": incident.label, "incident_id": incident.pk, "round": disputed and disputed.number}
    note("tables.session.disputed", session, by, told, ["GEN-08"])
    return incident


def _facts(session: TableSession, disputed: Round | None, claims: str, seat: int | None) -> dict[str, Any]:
    """What lay on the table: the round's cards in the order they came, by where they lie."""
    facts: dict[str, Any] = {"table": session.table.name, "session": session.label, "seat": seat}
    if disputed is None:
        return facts
    return facts | {
        "round": disputed.number,
        "state_of_round": _STATES[disputed.state].as_dict(),
        "in_view": cards_in_view(session, disputed).as_dict(),
    }


def cards_in_view(session: TableSession, disputed: Round) -> Text:
    """The cards of a round in the order they came, and to whom; those that lie covered or burned are not."""
    shown = [
        event
        for event in disputed.log
        if event["e"] == "card" and event.get("card") != COVERED and event.get("to") != telling.BURN
    ]
    return telling.told(registry.game(session.game), shown, session.casino.exponent)


_STATES = {
    Round.State.OPEN.value: Text("en curso", "in progress"),
    Round.State.SETTLED.value: Text("liquidado", "settled"),
    Round.State.VOID.value: Text("anulado", "void"),
}
