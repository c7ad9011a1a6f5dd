"""Visits of the inspector: opened by him or for him, closed with what he remarks; daily (REC-11)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from audits import trail
from audits.by import By
from audits.inspections import policies
from audits.models import Actor, Inspection
from casino.kernel import locking, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, NotAllowed, Refused, SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino, NumberSeries

SERIES = "inspection"
LONGEST_REMARKS = 4000
RULES = ("REC-11",)


@command(policies.OPEN_INSPECTION, setting=True)
def open_inspection(*, by: By, inspector: Actor | None = None) -> Inspection:
    """Open a visit: an inspector his own, compliance that of the `inspector` it names.

    Raises `Refused` (`inspector_missing`), `Conflict` (`inspection_open`).
    """
    visitor = by.actor if Role.INSPECTOR in by.actor.roles else inspector
    if visitor is None or Role.INSPECTOR not in visitor.roles:
        raise Refused(
            Text("diga qué inspector visita la casa", "say which inspector visits the house"),
            code="inspector_missing",
            rule="REC-11",
            field="inspector",
        )
    locking.taking(locking.Rank.SLIP_SERIES)
    if Inspection.objects.filter(inspector=visitor, state=Inspection.State.OPEN).exists():
        raise _open_already()
    year = by.occurred_at.astimezone(ZoneInfo(by.casino.zone)).year
    made = Inspection.objects.create(
        casino=by.casino,
        year=year,
        number=NumberSeries.take(by.casino, SERIES, year),
        day=by.casino.gaming_day(by.occurred_at),
        inspector=visitor,
        opened_by=by.actor,
        opened_at=by.occurred_at,
    )
    data = {"inspector": {"id": visitor.pk, "name": visitor.name}, "day": str(made.day)}
    tell("audits.inspection.opened", made, by, data)
    return made


def _open_already() -> SabotError:
    return Conflict(
        Text(
            "ese inspector tiene una visita abierta; ciérrela antes de abrir otra",
            "that inspector has a visit open; close it before you open another",
        ),
        code="inspection_open",
        rule="REC-11",
    )


explain_constraint("one_open_inspection_per_inspector", _open_already)


@command(policies.OPEN_INSPECTION, setting=True)
def close_inspection(*, inspection: Inspection, by: By, remarks: str = "") -> Inspection:
    """Close a visit with what the inspector remarks. Compliance closes one he left open, and says why.

    Raises `Conflict` (`inspection_closed`), `NotAllowed` (`not_your_inspection`), `Refused`.
    """
    said = texts.prose(remarks, "remarks", LONGEST_REMARKS) if remarks.strip() else ""
    found = lock_open(inspection)
    if Role.INSPECTOR in by.actor.roles:
        require_own_visit(found, by)
    else:
        by.need_reason()
        if said:
            raise Refused(
                Text(
                    "las observaciones son del inspector; deje el motivo por el que la casa cierra su visita",
                    "remarks are the inspector's; leave the reason why the house closes his visit",
                ),
                code="not_your_inspection",
                rule="REC-11",
                field="remarks",
            )
    found.state, found.remarks = Inspection.State.CLOSED, said
    found.closed_at, found.closed_by = by.occurred_at, by.actor
    found.save(update_fields=["state", "remarks", "closed_at", "closed_by"])
    counts = found.counts.all()
    data = {
        "remarks": said,
        "draws": found.draws.count(),
        "counts": counts.count(),
        "unanswered": list(counts.filter(answer=None).values_list("number", flat=True)),
    }
    tell("audits.inspection.closed", found, by, data)
    return found


def lock_open(inspection: Inspection) -> Inspection:
    """A visit as it stands, locked, for what is added to it. Raises `Conflict` (`inspection_closed`)."""
    found = lock(inspection)
    if found.state != Inspection.State.OPEN:
        raise Conflict(
            Text(
                f"{found.label} está cerrada: abra otra visita",
                f"{found.label} is closed: open another visit",
            ),
            code="inspection_closed",
            rule="REC-11",
        )
    return found


def lock(inspection: Inspection) -> Inspection:
    locking.taking(locking.Rank.SLIP_SERIES)
    rows = Inspection.objects.select_for_update(of=("self",), no_key=True).select_related(
        "casino", "inspector"
    )
    return rows.get(pk=inspection.pk)


def require_own_visit(inspection: Inspection, by: By) -> None:
    """An inspector writes in his own visit alone (REC-11)."""
    if inspection.inspector_id != by.actor.pk:
        name = inspection.inspector.name
        raise NotAllowed(
            Text(
                f"{inspection.label} es de {name}: cada inspector escribe sólo en su visita",
                f"{inspection.label} is {name}'s: an inspector writes in his own visit only",
            ),
            code="not_your_inspection",
            rule="REC-11",
        )


def tell(
    action: str, inspection: Inspection, by: By, data: Mapping[str, Any], rules: Sequence[str] = RULES
) -> None:
    """An event of the visit's own stream."""
    subject = trail.Subject("inspection", inspection.pk, inspection.label)
    trail.record(action, stream=inspection.stream, subject=subject, by=by, data=data, rules=rules)


def last_visit(casino: Casino) -> Inspection | None:
    """The visit opened last."""
    return Inspection.objects.filter(casino=casino).select_related("inspector").order_by("-opened_at").first()


def days_without(casino: Casino, today: dt.date) -> int | None:
    """How many gaming days passed since the last visit; None where there never was one."""
    found = last_visit(casino)
    return None if found is None else max(0, (today - found.day).days)
