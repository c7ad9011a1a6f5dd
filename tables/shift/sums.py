"""A shift in figures, a line a table: how long it was open, rounds, money, people, incidents, alerts.

Rounds and net are of the rounds settled in the window; drop and result, of the sessions closed in it: a
count has no hours of its own. What is not known is None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q, Sum

from audits.models import Incident
from audits.reports.registry import EventsOf
from tables.models import Alert, Assignment, Pit, Round, Slip, Table, TableSession
from tables.reports import behind
from tables.reports.figures import WITH_BETS, house_games
from tables.results import veiled
from tables.shift.window import Window


@dataclass(frozen=True, slots=True)
class TableShift:
    """A table in a shift. Minutes whole, amounts in smallest units, signed; counts of what happened in it."""

    table: Table
    minutes_open: int
    rounds: int
    house: int | None
    deduction: int | None
    drop: int | None
    result: int | None
    fills: int
    credits: int
    reliefs: int
    incidents: int
    alerts: int
    unattended: int


def of(window: Window, pit: Pit | None = None, *, blind: bool = False) -> list[TableShift]:
    """Every table that had a session in the window; as many queries for one as for sixty. `blind`: as
    `results.veiled` has it."""
    sessions = _sessions(window, pit)
    by_table: dict[int, list[TableSession]] = {}
    for session in sessions:
        by_table.setdefault(session.table_id, []).append(session)
    rounds, slips = _rounds(window, sessions), _slips(window, sessions)
    reliefs, incidents = _reliefs(window, sessions), _incidents(window)
    raised, waiting = _alerts(window)
    found = []
    for pk, group in by_table.items():
        table, ended = group[0].table, [one for one in group if window.has(one.closed_at)]
        of_house = [one for one in ended if one.game in house_games()]
        number, won, kept = rounds.get(pk, (0, None, None))
        hidden = any(veiled(one, blind=blind) for one in group)
        found.append(
            TableShift(
                table=table,
                minutes_open=sum(_minutes(one, window) for one in group),
                rounds=number,
                house=None if hidden else won,
                deduction=None if hidden else kept,
                drop=_known([one.drop for one in of_house]),
                result=_known([one.result for one in of_house]),
                fills=slips.get((pk, Slip.Kind.FILL.value), 0),
                credits=slips.get((pk, Slip.Kind.CREDIT.value), 0),
                reliefs=reliefs[pk],
                incidents=incidents[table.name],
                alerts=raised[pk],
                unattended=waiting[pk],
            )
        )
    return sorted(found, key=lambda line: (line.table.pit.position, line.table.name))


def behind_line(line: TableShift, window: Window) -> list[EventsOf]:
    """What a table's line rests on: its sessions in the window, its incidents and alerts; and the counts of
    those that closed in it, whenever they were made."""
    sessions = [one for one in _sessions(window, None) if one.table_id == line.table.pk]
    ended = [one.stream for one in sessions if window.has(one.closed_at)]
    within = {"casino": window.casino, "opened_at__gte": window.start, "opened_at__lt": window.end}
    incidents = Incident.objects.filter(**within, table_label=line.table.name).order_by("pk")
    raised = Alert.objects.filter(
        table=line.table, raised_at__gte=window.start, raised_at__lt=window.end
    ).order_by("pk")
    found = [
        EventsOf(streams=tuple(one.stream for one in sessions), since=window.start, until=window.end),
        EventsOf(streams=tuple(one.stream for one in sessions), actions=behind.CREW),
        EventsOf(subject=("incident", tuple(incidents.values_list("pk", flat=True)))),
        EventsOf(subject=("alert", tuple(raised.values_list("pk", flat=True)))),
    ]
    return [*found, EventsOf(streams=tuple(ended), actions=behind.BOXES)] if ended else found


def _sessions(window: Window, pit: Pit | None) -> list[TableSession]:
    rows = TableSession.objects.filter(casino=window.casino, opened_at__lt=window.end).filter(
        Q(closed_at=None) | Q(closed_at__gt=window.start)
    )
    if pit is not None:
        rows = rows.filter(table__pit=pit)
    return list(rows.select_related("table__pit", "day").order_by("opened_at", "pk"))


def _minutes(session: TableSession, window: Window) -> int:
    """Whole minutes of a session within the window; of a live one up to what was last recorded on it."""
    end = session.closed_at or session.last_at
    within = min(end, window.end) - max(session.opened_at, window.start)
    return max(0, int(within.total_seconds() // 60))


def _known(amounts: Sequence[int | None]) -> int | None:
    told = [amount for amount in amounts if amount is not None]
    return sum(told) if told else None


def _rounds(
    window: Window, sessions: Sequence[TableSession]
) -> Mapping[int, tuple[int, int | None, int | None]]:
    house = Q(session__game__in=house_games())
    rows = (
        Round.objects.filter(
            session__in=[one.pk for one in sessions],
            state=Round.State.SETTLED,
            settled_at__gte=window.start,
            settled_at__lt=window.end,
        )
        .values_list("session__table_id")
        .annotate(
            n=Count("pk"),
            won=Sum(F("staked") - F("returned"), filter=WITH_BETS & house),
            kept=Sum("commission", filter=WITH_BETS & ~house),
        )
        .order_by()
    )
    return {table: (number, won, kept) for table, number, won, kept in rows}


def _slips(window: Window, sessions: Sequence[TableSession]) -> Mapping[tuple[int, str], int]:
    rows = Slip.objects.filter(
        session__in=[one.pk for one in sessions],
        state=Slip.State.VERIFIED,
        verified_at__gte=window.start,
        verified_at__lt=window.end,
    )
    sums = rows.values_list("session__table_id", "kind").annotate(moved=Sum("total")).order_by()
    return {(table, kind): moved for table, kind, moved in sums}


def _reliefs(window: Window, sessions: Sequence[TableSession]) -> Counter[int]:
    """Turns of dealing begun in the window after the one that opened the table."""
    opened = {one.pk: one.opened_at for one in sessions}
    turns = Assignment.objects.filter(
        session__in=opened,
        post__in=Assignment.DEALING,
        during__startswith__gte=window.start,
        during__startswith__lt=window.end,
    ).values_list("session_id", "session__table_id", "during")
    return Counter(table for session, table, during in turns if during.lower > opened[session])


def _incidents(window: Window) -> Counter[str]:
    rows = Incident.objects.filter(
        casino=window.casino, opened_at__gte=window.start, opened_at__lt=window.end
    )
    return Counter(rows.values_list("table_label", flat=True))


def _alerts(window: Window) -> tuple[Counter[Any], Counter[Any]]:
    """Alerts raised in the window, by table; and those of them nobody acknowledged yet."""
    rows = Alert.objects.filter(casino=window.casino, raised_at__gte=window.start, raised_at__lt=window.end)
    told = list(rows.values_list("table_id", "acknowledged_at"))
    return Counter(table for table, _ in told), Counter(table for table, seen in told if seen is None)
