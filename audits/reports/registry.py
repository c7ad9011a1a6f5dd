"""The one register of reports: what a report is and how a room makes one known.

    class DayReport(Report):
        identifier = "tables.day"
        title = Text("Reporte del día", "Day report")
        rules = ("REC-08",)
        act = policies.READ_DAY
        form = DayForm

        def sections(self, casino, params): return [Section(...), Section(...)]

    register(DayReport)          # in AppConfig.ready

Each row says which events it rests on, under the reserved key `EVENTS`, so that a reader gets from any
figure to its events in at most three clicks (REC-06, REC-15):

    yield {"session": session.label, "result": session.result, EVENTS: EventsOf(streams=(session.stream,))}

A report with one table overrides `columns`, `rows` and `count` and leaves `sections` alone. What it
yields depends on the casino and the parameters only, never on who asks or in which language: the
person is not told to it (REC-15).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar

from django.utils.translation import override

from audits.reports.forms import ReportForm
from casino.kernel.errors import NotFound
from casino.kernel.words import Text
from casino.models import Casino

_IDENTIFIER = re.compile(r"^[a-z]+\.[a-z_]+$")


class Kind(StrEnum):
    """What a cell holds. `None` is an empty cell for every kind."""

    TEXT = "text"  # str or Text
    INT = "int"  # int
    MONEY = "money"  # int, the casino's smallest unit
    PERCENT = "percent"  # int, basis points: 125 is 1.25 %
    DATE = "date"  # datetime.date
    INSTANT = "instant"  # datetime.datetime, UTC
    DAY = "day"  # datetime.date, a gaming day

    @property
    def is_number(self) -> bool:
        return self in (Kind.INT, Kind.MONEY, Kind.PERCENT)


Cell = str | Text | int | dt.date | dt.datetime | None

EVENTS = "_events"
"""The key of a row under which it names its events: an `EventsOf`, several, or a function that gives them
where they are dear to find. Never a column: no format writes it. `events_named(row)` reads it."""


@dataclass(frozen=True, slots=True)
class EventsOf:
    """Which events of the casino a row rests on: those that meet all of what is given.

    `streams` by name (`session:42`); `subject` is what the event tells of, by type and number, or one type
    and several numbers (`("slip", 7)`, `("slip", (7, 9))`); `actions` by their registered names; `since` and
    `until` bound `occurred` and leave `until` out. `seqs` are numbers within the streams, `ids` the events'
    own in the database. `accounts`: the events whose transfers moved one of these accounts of the ledger,
    on one of the gaming `days` (first and last, both included), if given. `rules`: those that cite one of
    these rules.
    Several alternatives are several `EventsOf` in a tuple. `audits.reports.resting.events` finds them.
    """

    streams: tuple[str, ...] = ()
    subject: tuple[str, int | tuple[int, ...]] | None = None
    actions: tuple[str, ...] = ()
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    seqs: tuple[int, ...] = ()
    ids: tuple[int, ...] | None = None
    accounts: tuple[str, ...] = ()
    days: tuple[dt.date, dt.date] | None = None
    rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        named = self.streams or self.subject or self.actions or self.accounts or self.rules
        if not named and self.ids is None:
            raise ValueError("a row that rests on every event of the house rests on none: name some")
        if self.seqs and not self.streams:
            raise ValueError("a number is a number in a stream")
        if self.days and not self.accounts:
            raise ValueError("gaming days are those of the ledger: name its accounts")

    def at(self, instant: dt.datetime) -> EventsOf:
        """Of these, what occurred at one instant."""
        return self.between(instant, instant)

    def between(self, first: dt.datetime | None, last: dt.datetime | None) -> EventsOf:
        """Of these, what occurred from `first` to `last`, both included; None is no bound."""
        return replace(self, since=first, until=last + _TICK if last else None)


_TICK = dt.timedelta(microseconds=1)
"""The finest step of our clock."""

Named = EventsOf | Sequence[EventsOf]

Row = Mapping[str, Any]
"""By column key a `Cell`, and under `EVENTS` the events it rests on."""


@dataclass(frozen=True, slots=True)
class Column:
    """`key` is the row's key and never changes; `heading` is what people read."""

    key: str
    heading: Text
    kind: Kind = Kind.TEXT

    def __post_init__(self) -> None:
        if self.key == EVENTS:
            raise ValueError(f"{EVENTS} is where a row names its events, not a column")
        object.__setattr__(self, "kind", Kind(self.kind))  # a plain "money" will do


@dataclass(frozen=True, slots=True)
class Served:
    """The rows of a large table as a query, so that the server itself writes their CSV (`formats/served.py`).

    `query` selects the section's columns by their keys, in their order, as plain values: integers for money,
    percents and counts, `timestamptz` for instants, text in the document's language. `values` are its
    parameters. Its rows are those of `rows`, in the same order: a test of the report compares the two.
    """

    query: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Section:
    """One table of a report: per session, per croupier … `rows` is called once, and streamed.

    `count` says how many rows will come (progress), None when that is not known beforehand.
    `totals` is asked after the last row and gives the closing line, by column key.
    `lines`: how many lines high a row is on paper at least, to be signed by hand.
    `identity`: keys of the columns that say which row it is, when two versions of a report are compared.
    `served`: the same rows as a query, in a language, for a table that may have a million of them.
    """

    key: str
    title: Text
    columns: Sequence[Column]
    rows: Callable[[], Iterable[Row]]
    count: Callable[[], int | None] = lambda: None
    totals: Callable[[], Row] | None = None
    lines: int = 1
    identity: Sequence[str] = ()
    served: Callable[[str], Served] | None = None


class Report:
    """A report: see the module docstring. `params` is always the form's `cleaned_data`."""

    identifier: ClassVar[str]
    title: ClassVar[Text]
    rules: ClassVar[tuple[str, ...]] = ()
    act: ClassVar[str]
    form: ClassVar[type[ReportForm]] = ReportForm
    formats: ClassVar[tuple[str, ...]] = ()
    """The only formats it comes in; empty: all that tables come in."""
    owed: ClassVar[str] = ""
    """The rule that asks for it each period (its `report_period`) without anybody ordering it (REC-10)."""

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        raise NotImplementedError

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[Row]:
        raise NotImplementedError

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int | None:
        """How many rows `rows` will give, None when not known beforehand."""
        return None

    def totals(self, casino: Casino, params: Mapping[str, Any]) -> Row | None:
        """The closing line, by column key."""
        return None

    def identity(self, params: Mapping[str, Any]) -> Sequence[str]:
        """Keys of the columns that say which row it is; the first columns that tell them apart if empty."""
        return ()

    def served(self, casino: Casino, params: Mapping[str, Any], language: str) -> Served:
        """The same rows as a query, for a table that may have a million of them; overridden or not asked."""
        raise NotImplementedError

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        """The report's tables in order; by default the one that `columns` and `rows` make."""
        by_server = type(self).served is not Report.served
        return [
            Section(
                key="rows",
                title=self.title,
                columns=self.columns(params),
                rows=lambda: self.rows(casino, params),
                count=lambda: self.count(casino, params),
                totals=lambda: self.totals(casino, params) or {},
                identity=self.identity(params),
                served=(lambda language: self.served(casino, params, language)) if by_server else None,
            )
        ]

    def particulars(self, casino: Casino, params: Mapping[str, Any]) -> list[tuple[Text, Cell]]:
        """What the reader is looking at, said under the title: by default the parameters given."""
        said: list[tuple[Text, Cell]] = []
        for name, field in self.form(casino=casino).fields.items():
            value = params.get(name)
            if value in (None, "", []):
                continue
            said.append((in_both(field.label or name), _as_cell(value, getattr(field, "choices", None))))
        return said

    def code(self, casino: Casino, params: Mapping[str, Any]) -> str:
        """What a scanner reads on the first page of the PDF, as a QR code; nothing by default."""
        return ""

    def file_stem(self, params: Mapping[str, Any]) -> str:
        """The file's name without its ending: `tables-day-2026-11-29`."""
        parts = [self.identifier.replace(".", "-")]
        parts += [str(value) for value in params.values() if isinstance(value, dt.date)]
        return "-".join(parts)


def events_named(row: Row) -> tuple[EventsOf, ...]:
    """The events a row says it rests on; none where it does not say."""
    named: Named | Callable[[], Named] = row.get(EVENTS, ())
    if callable(named):
        named = named()
    return (named,) if isinstance(named, EventsOf) else tuple(named)


def in_both(label: Any) -> Text:
    """A lazy gettext label, such as a choice's, as a `Text`."""
    with override("es-bo"):
        spanish = str(label)
    with override("en"):
        return Text(spanish, str(label))


def _as_cell(value: Any, choices: Any) -> Cell:
    if isinstance(value, list | tuple):
        cells = [_as_cell(one, choices) for one in value]
        said = [cell if isinstance(cell, Text) else in_both(cell) for cell in cells]
        return Text(", ".join(one.es for one in said), ", ".join(one.en for one in said))
    if choices is not None and not hasattr(choices, "queryset"):
        for key, label in choices:
            if str(key) == str(value):
                return in_both(label)
    if isinstance(value, dt.date | int | str | Text) and not isinstance(value, bool):
        return value
    if isinstance(value, bool):
        return Text("sí", "yes") if value else Text("no", "no")
    return str(value)


_reports: dict[str, Report] = {}


def register(report: type[Report]) -> type[Report]:
    """Make a report known (once per class); usable as a decorator. Raises `ValueError` if ill-made."""
    name = report.identifier
    known = _reports.get(name)
    if known is not None and type(known) is not report:
        raise ValueError(f"report {name} registered twice")
    if not _IDENTIFIER.match(name):
        raise ValueError(f"{name} is not room.report")
    if not issubclass(report.form, ReportForm):
        raise ValueError(f"the form of {name} is not a ReportForm")
    if not report.act:
        raise ValueError(f"report {name} names no act")
    _reports[name] = report()
    return report


def get(identifier: str) -> Report:
    """The report of that identifier. Raises `NotFound` (code `report_unknown`)."""
    try:
        return _reports[identifier]
    except KeyError:
        raise NotFound(
            Text(f"no hay reporte «{identifier}»", f"there is no report “{identifier}”"),
            code="report_unknown",
            field="report",
        ) from None


def registered() -> dict[str, Report]:
    """Every report by identifier, in alphabetical order."""
    return dict(sorted(_reports.items()))
