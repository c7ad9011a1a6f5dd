"""A table stopped by an incident: no round is opened, played on or settled until it is resolved (GEN-08).

Giving up the round, changing the cards and closing the table stay possible; a dispute leaves the cards in
view (`cards_stay`), so then the table's page offers no other shoe. What stops a table is the open incidents
that name it; `TableSession.frozen_by` spares asking for them where none ever did.
"""

from __future__ import annotations

from audits import incidents
from audits.models import Incident
from casino.kernel import locking
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from casino.models import Casino
from shoes.holding import require_playable
from shoes.models import Shoe
from tables.models import Table, TableSession


def stopping(session: TableSession) -> list[Incident]:
    """The open incidents that stop the table of a session, the oldest first."""
    if session.frozen_by_id is None:
        return []
    return list(incidents.open_on(session.casino, session.table.name))


def stopped_at_opening(casino: Casino, table_label: str) -> Incident | None:
    """What stops a table that is about to be opened: closing it settled nothing."""
    return incidents.open_on(casino, table_label).last()


def lock_table(casino: Casino, table_label: str) -> None:
    """Lock the table's own row: an incident that stops it and the act that opens it are one after the other.

    Before the session's row, and with its rank; whoever plays at an open table need not.
    """
    locking.taking(locking.Rank.SESSION)
    rows = Table.objects.select_for_update(no_key=True).filter(casino=casino, name=table_label)
    rows.values_list("pk", flat=True).first()


def refusal(session: TableSession) -> Conflict | None:
    """Why nobody may play at a table now, if it is stopped."""
    several = stopping(session)
    if not several:
        return None
    incident = several[0]
    name = incidents.kind_name(incident.kind)
    return Conflict(
        Text(
            f"la mesa está detenida por {incident.label} ({name.es}): no se juega hasta resolverlo",
            f"the table is stopped by {incident.label} ({name.en}): no play until it is resolved",
        ),
        code="table_frozen",
        rule="GEN-08",
        detail={
            "incident": incident.label,
            "incident_id": incident.pk,
            "cards_stay": any(one.kind == incidents.DISPUTE for one in several),
        },
    )


def require_fit_pack(session: TableSession, shoe: Shoe) -> None:
    """No round opens with cards for which the table was stopped, settled or not (CARD-12, CARD-16): they are
    changed first. A table that nothing ever stopped is not asked. Raises `Conflict` (`pack_faulty`).
    """
    if session.frozen_by_id is not None:
        require_playable(shoe)


def require_free(session: TableSession) -> None:
    """Raise `Conflict` (`table_frozen`) for a locked session whose table is stopped."""
    stopped = refusal(session)
    if stopped is not None:
        raise stopped
