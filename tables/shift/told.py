"""What happened in a shift as the trail tells it, by table and in time order; and who attended to its alerts.

Sentences are those of the events. Rounds are counted elsewhere: of them only those voided are told here.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q

from audits import personal
from audits.by import name_of
from audits.models import Event, Incident
from casino.kernel.words import Text
from tables.models import Alert, Pit, ShiftNote, Table, TableSession
from tables.money.box_seeing import checks_in
from tables.shift.window import Window

CHECKED = "tables.float.checked"
UNTOLD = ("tables.round.opened", "tables.round.played", "tables.round.settled")


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that happened, at a table or (empty) at none."""

    table: str
    at: dt.datetime
    words: Text
    by: Text
    event: int


def events(window: Window, pit: Pit | None = None, *, blind: bool = False) -> list[Told]:
    """Every event of the sessions, incidents and alerts of a window, by table and instant; a float check
    where it may be shown (FLOOR-11, `box_seeing.checks_in`)."""
    tables = Table.objects.filter(casino=window.casino)
    names = dict((tables.filter(pit=pit) if pit else tables).values_list("pk", "name"))
    streams = dict(_streams(window, names))
    shown = checks_in(window.casino, blind=blind).values_list("session", flat=True).distinct()
    hidden = streams.keys() - {f"session:{pk}" for pk in shown}
    rows = (
        Event.objects.filter(
            casino=window.casino,
            occurred__gte=window.start,
            occurred__lt=window.end,
            stream__name__in=streams,
        )
        .exclude(action__in=UNTOLD)
        .exclude(action=CHECKED, stream__name__in=hidden)
        .select_related("actor", "stream")
        .order_by("occurred", "id")
    )
    told = [_told(event, streams[event.stream.name], window) for event in rows]
    told += _of_alerts(window, names, everywhere=pit is None)
    return sorted(told, key=lambda one: (one.table == "", one.table, one.at, one.event))


def _streams(window: Window, names: dict[int, str]) -> Iterator[tuple[str, str]]:
    """The streams of the day's sessions and of the incidents at these tables, each with its table."""
    sessions = TableSession.objects.filter(casino=window.casino, table__in=names).filter(
        Q(day__date=window.day)
        | Q(opened_at__lt=window.end) & (Q(closed_at=None) | Q(closed_at__gte=window.start))
    )
    for pk, table in sessions.values_list("pk", "table_id"):
        yield f"session:{pk}", names[table]
    incidents = Incident.objects.filter(casino=window.casino, opened_at__lt=window.end).filter(
        Q(resolved_at=None) | Q(resolved_at__gte=window.start)
    )
    for pk, label in incidents.filter(table_label__in=names.values()).values_list("pk", "table_label"):
        yield f"incident:{pk}", label


def _of_alerts(window: Window, names: dict[int, str], *, everywhere: bool) -> Iterator[Told]:
    wanted = Q(table__in=names) | Q(table=None) if everywhere else Q(table__in=names)
    known = dict(Alert.objects.filter(wanted, casino=window.casino).values_list("pk", "table_id"))
    rows = Event.objects.filter(
        casino=window.casino, stream__name="alerts", occurred__gte=window.start, occurred__lt=window.end,
        subject_id__in=known,
    ).select_related("actor")  # fmt: skip
    for event in rows:
        table = known[event.subject_id]
        yield _told(event, names[table] if table is not None else "", window)


def _told(event: Event, table: str, window: Window) -> Told:
    words = personal.sentence(event, window.casino.exponent)
    return Told(table, event.occurred, words, name_of(event.actor), event.pk)


def alerts(window: Window, pit: Pit | None = None) -> list[Alert]:
    """The alerts raised in a window, or still on the floor then, in time order."""
    rows = Alert.objects.filter(casino=window.casino, raised_at__lt=window.end).filter(
        Q(raised_at__gte=window.start) | Q(cleared_at=None) | Q(cleared_at__gte=window.start)
    )
    if pit is not None:
        rows = rows.filter(table__pit=pit)
    return list(rows.select_related("table", "acknowledged_by").order_by("raised_at", "pk"))


def notes(window: Window, pit: Pit | None = None) -> list[ShiftNote]:
    """The chiefs' notes of a window; of one pit also those of the whole floor."""
    rows = ShiftNote.objects.filter(casino=window.casino, at__gte=window.start, at__lt=window.end)
    if pit is not None:
        rows = rows.filter(Q(pit=pit) | Q(pit=None))
    return list(rows.select_related("pit", "by").order_by("at", "pk"))
