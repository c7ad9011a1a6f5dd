"""Each table hour by hour of a gaming day: rounds, what the bets left, the drop counted and estimated.

What is not known is None, never zero. Sums of rounds come from the rounds; a drop counted is of the hour in
which its box left the table (or the table closed); an estimate is of the hour of the float check that gives
it.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import TruncMinute

from audits.reports.registry import EventsOf
from casino.models import Casino
from tables.models import DropBox, FloatCheck, Round, Table, TableSession
from tables.money.box_seeing import checks_in
from tables.reports import behind
from tables.reports.figures import WITH_BETS, house_games
from tables.results import of_house, veiled
from tables.shift.window import Hour, hours, place, whole


@dataclass(slots=True)
class Cell:
    """A table in an hour. Amounts in smallest units, signed; None: not known.

    `house`: staked less returned of house games that log bets; `deduction`: of the others, never netted
    with it (FLOOR-13). `drop`: counted, of house games;
    `estimate`: chips sold for cash since the last check, as noted or as the float tells; `result`:
    estimated, where no bets are logged; `difference`: of a check against the ledger (FLOOR-05).
    """

    rounds: int = 0
    house: int | None = None
    deduction: int | None = None
    drop: int | None = None
    estimate: int | None = None
    result: int | None = None
    difference: int | None = None

    def add(self, name: str, amount: int | None) -> None:
        """Add a known amount to a figure that may not be known yet."""
        if amount is not None:
            setattr(self, name, (getattr(self, name) or 0) + amount)


@dataclass(slots=True)
class Line:
    """A table with a cell for each hour, and all of them together."""

    table: Table
    cells: list[Cell]
    total: Cell = field(default_factory=Cell)


@dataclass(slots=True)
class Grid:
    hours: list[Hour]
    lines: list[Line]
    totals: list[Cell]
    total: Cell


def grid(casino: Casino, day: dt.date, *, blind: bool = False) -> Grid:
    """The grid of a gaming day over every table that had a session of it; as many queries for one as for
    sixty. `blind`: without what tells who counts a box what it should hold (FLOOR-11)."""
    window = whole(casino, day)
    sessions = list(
        TableSession.objects.filter(casino=casino, day__date=day)
        .select_related("table", "day", "casino")
        .order_by("pk")
    )
    facts = [fact for read in (_rounds, _drops, _checks) for fact in read(sessions, blind)]
    span = hours(window, max((at for _, at, _, _ in facts), default=None))
    tables = {session.table_id: session.table for session in sessions}
    lines = {pk: Line(table, [Cell() for _ in span]) for pk, table in tables.items()}
    totals, total = [Cell() for _ in span], Cell()
    for table, at, name, amount in facts:
        n = place(span, at)
        if n is not None:
            for cell in (lines[table].cells[n], lines[table].total, totals[n], total):
                cell.add(name, amount)
    return Grid(span, sorted(lines.values(), key=lambda line: line.table.name), totals, total)


def still_open(casino: Casino, day: dt.date) -> dt.date | None:
    """The latest earlier gaming day of which a table is open: after the cut-off, its figures are there."""
    running = TableSession.objects.filter(casino=casino, day__date__lt=day, closed_at=None)
    return running.order_by("-day__date").values_list("day__date", flat=True).first()


def trimmed(found: Grid) -> Grid:
    """The same without the hours before the first in which anything happened, and after the last."""
    told = [n for n, cell in enumerate(found.totals) if cell != Cell()]
    part = slice(told[0], told[-1] + 1) if told else slice(1)
    lines = [Line(line.table, line.cells[part], line.total) for line in found.lines]
    return Grid(found.hours[part], lines, found.totals[part], found.total)


Fact = tuple[int, dt.datetime, str, int | None]
"""Table, when, which figure, how much."""


def _rounds(sessions: Sequence[TableSession], blind: bool) -> Iterator[Fact]:
    house = Q(session__game__in=house_games())
    rows = (
        Round.objects.filter(session__in=[s.pk for s in sessions], state=Round.State.SETTLED)
        .annotate(minute=TruncMinute("settled_at", tzinfo=dt.UTC))
        .values_list("session_id", "session__table_id", "minute")
        .annotate(
            n=Count("pk"),
            won=Sum(F("staked") - F("returned"), filter=WITH_BETS & house),
            kept=Sum("commission", filter=WITH_BETS & ~house),
        )
        .order_by()
    )
    hidden = {session.pk for session in sessions if veiled(session, blind=blind)}
    for session, table, minute, number, won, kept in rows:
        yield table, minute, "rounds", number
        if session not in hidden:
            yield table, minute, "house", won
            yield table, minute, "deduction", kept


def behind_cell(table: Table, day: dt.date, hour: Hour) -> list[EventsOf]:
    """What a table's hour rests on: its rounds and float checks within it, and the counts, whenever they were
    made, of the boxes that left it then."""
    sessions = TableSession.objects.filter(table=table, day__date=day).order_by("pk")
    streams = behind.streams(sessions.values_list("pk", flat=True))
    boxes = DropBox.objects.filter(
        session__in=sessions, removed_at__gte=hour.start, removed_at__lt=hour.end
    ).order_by("pk")
    closed = sessions.filter(closed_at__gte=hour.start, closed_at__lt=hour.end)
    counted = behind.streams(closed.values_list("pk", flat=True))
    found = [
        EventsOf(streams=streams, actions=HOURLY, since=hour.start, until=hour.end),
        EventsOf(subject=("drop_box", tuple(boxes.values_list("pk", flat=True)))),
    ]
    return [*found, EventsOf(streams=counted, actions=behind.BOXES)] if counted else found


HOURLY = ("tables.round.settled", "tables.round.voided", "tables.float.checked")


def _drops(sessions: Sequence[TableSession], blind: bool) -> Iterator[Fact]:
    """Counted boxes of house games, each when it left its table; a drop recorded without boxes, at the
    close."""
    sessions = [session for session in sessions if of_house(session)]
    boxes = DropBox.objects.filter(
        session__in=[s.pk for s in sessions], kind=DropBox.Kind.DROP, amount__isnull=False
    ).values_list("session_id", "session__table_id", "removed_at", "amount")
    boxed = set()
    for session, table, removed, amount in boxes:
        boxed.add(session)
        if removed is not None:
            yield table, removed, "drop", amount
    for one in sessions:
        if one.pk not in boxed and one.closed_at is not None:
            yield one.table_id, one.closed_at, "drop", one.drop


def _checks(sessions: Sequence[TableSession], blind: bool) -> Iterator[Fact]:
    """What each float check tells beyond the one before it at its session; nothing while its drop is being
    counted, which it would give away (FLOOR-11)."""
    by_session: dict[int, list[FloatCheck]] = defaultdict(list)
    if not sessions:
        return
    shown = checks_in(sessions[0].casino, blind=blind).filter(session__in=[s.pk for s in sessions])
    for check in shown.order_by("session_id", "number"):
        by_session[check.session_id].append(check)
    for session in sessions:
        sold = won = 0
        for check in by_session[session.pk]:
            found = sold_so_far(check, session.detail)
            if found is not None:
                yield session.table_id, check.checked_at, "estimate", found - sold
                sold = found
            if session.detail != "full" and check.cash is not None:
                yield session.table_id, check.checked_at, "result", check.difference - won
                won = check.difference
            if check.basis == FloatCheck.Basis.LEDGER:
                yield session.table_id, check.checked_at, "difference", check.difference


def sold_so_far(check: FloatCheck, detail: str) -> int | None:
    """Chips sold for cash at a table up to a check: as noted; else what the float lacks by the ledger, where
    every bet is logged."""
    if check.cash is not None:
        return check.cash
    return -check.difference if detail == "full" else None


FIGURES = tuple(each.name for each in fields(Cell))
