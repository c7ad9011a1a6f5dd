"""Results by day, by month and by game, house games and the deductions of others apart (FLOOR-13); and how
each box was counted (FLOOR-11).

A figure stays "not reconciled" until every session in it is reconciled (REC-08).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, TruncMonth

from audits import policies as audit_policies
from audits.reports.forms import PeriodForm
from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Report, Section
from casino.kernel import rulebook
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import BoxCount, DropBox, TableSession
from tables.money import box_seeing
from tables.reports import behind, figures

_COUNTED = Q(result__isnull=False)
_SESSIONS = [
    Column("sessions", Text("Sesiones", "Sessions"), Kind.INT),
    Column("counted", Text("Contadas", "Counted"), Kind.INT),
    Column("standing", Text("Estado", "State")),
]
_HOUSE = [
    *_SESSIONS,
    Column("opening", Text("Apertura", "Opening"), Kind.MONEY),
    Column("fills", Text("Reposiciones", "Fills"), Kind.MONEY),
    Column("progressive", Text("Fichas del progresivo", "Progressive chips"), Kind.MONEY),
    Column("credits", Text("Retiros", "Credits"), Kind.MONEY),
    Column("closing", Text("Cierre", "Closing"), Kind.MONEY),
    Column("drop", Text("Caja (drop)", "Drop"), Kind.MONEY),
    Column("result", Text("Resultado", "Result"), Kind.MONEY),
    Column("hold", Text("Retención", "Hold"), Kind.PERCENT),
    Column("unexplained", Text("Sin explicar", "Unexplained"), Kind.MONEY),
]
_RING = [
    *_SESSIONS,
    Column("recorded", Text("Deducción según los pases", "Deduction by rounds"), Kind.MONEY),
    Column("boxed", Text("Caja de deducciones", "Deduction box"), Kind.MONEY),
    Column("short", Text("Faltante de la casa", "Shortage of the house"), Kind.MONEY),
    Column("income", Text("Deducción asentada", "Deduction entered"), Kind.MONEY),
]


@dataclass(frozen=True, slots=True)
class _By:
    """What results are added up by: how its section is called, its column, what of a session it is."""

    key: str
    words: Text
    column: Column
    of: Callable[[str], Any]
    """From the path to a session to the expression in the database."""
    said: Callable[[Any], Any]


BY: tuple[_By, ...] = (
    _By(
        "days",
        Text("por día", "by day"),
        Column("period", Text("Día de juego", "Gaming day"), Kind.DAY),
        lambda path: F(f"{path}day__date"),
        lambda day: day,
    ),
    _By(
        "months",
        Text("por mes", "by month"),
        Column("period", Text("Mes", "Month")),
        lambda path: TruncMonth(f"{path}day__date"),
        lambda month: f"{month:%Y-%m}",
    ),
    _By(
        "games",
        Text("por juego", "by game"),
        Column("period", Text("Juego", "Game")),
        lambda path: F(f"{path}game"),
        lambda code: rulebook.game(code).name,
    ),
)


class ResultsReport(Report):
    """Counted sessions of a span of days, added up by day, by month and by game."""

    identifier = "tables.results"
    title = Text("Resultado de mesas por día, mes y juego", "Table results by day, month and game")
    rules = ("FLOOR-12", "FLOOR-13", "FLOOR-14", "REC-08")
    act = audit_policies.MAKE_REPORTS
    form = PeriodForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        span = TableSession.objects.filter(
            casino=casino, day__date__gte=params["first"], day__date__lte=params["last"]
        )
        house = span.filter(game__in=figures.house_games())
        ring = span.exclude(game__in=figures.house_games())
        of_house = Text("Juegos de la casa", "House games")
        of_ring = Text("Círculo y banco de jugador: deducciones", "Rings and player banks: deductions")
        return [
            *(_section("house", of_house, by, _HOUSE, house_rows, house) for by in BY),
            *(_section("ring", of_ring, by, _RING, ring_rows, ring) for by in BY),
        ]


Rows = Callable[[QuerySet[TableSession], _By], Iterator[dict[str, Any]]]


def _section(
    of: str, title: Text, by: _By, columns: Sequence[Column], rows: Rows, found: QuerySet[TableSession]
) -> Section:
    said = Text(f"{title.es}, {by.words.es}", f"{title.en}, {by.words.en}")
    return Section(f"{of}_{by.key}", said, [by.column, *columns], lambda: rows(found, by))


def house_rows(sessions: QuerySet[TableSession], by: _By) -> Iterator[dict[str, Any]]:
    """Result and hold of house games per day, month or game, over the counted sessions (FLOOR-12)."""
    names = ("opening", "fills", "progressive", "credits", "closing", "drop", "result", "unexplained")
    sums: dict[str, Any] = {f"all_{name}": Sum(name, filter=_COUNTED) for name in names}
    for row in _grouped(sessions, by).annotate(**sums):
        found = {name: row[f"all_{name}"] for name in names}
        hold = figures.hold_basis_points(found["result"], found["drop"])
        yield {**_head(row, by), **found, "hold": hold}


def ring_rows(sessions: QuerySet[TableSession], by: _By) -> Iterator[dict[str, Any]]:
    """The deduction per day, month or game: recorded, found in boxes, entered. Nothing of a house game is in
    it, and a shortage of one table takes nothing off another (FLOOR-13, FLOOR-14)."""
    boxes = DropBox.objects.filter(session__in=sessions.filter(_COUNTED), kind=DropBox.Kind.DEDUCTION)
    boxed = dict(
        boxes.annotate(period=by.of("session__"))
        .order_by()
        .values("period")
        .annotate(found=Sum("amount"))
        .values_list("period", "found")
    )
    sums: dict[str, Any] = {
        "recorded": Sum("commission", filter=_COUNTED),
        "income": Sum(Coalesce("deduction", "commission"), filter=_COUNTED),
        "had_box": Sum("deduction", filter=_COUNTED),
    }
    for row in _grouped(sessions, by).annotate(**sums):
        found = boxed.get(row["period"])
        short = None if found is None else row["had_box"] - found
        yield {
            **_head(row, by),
            "recorded": row["recorded"],
            "boxed": found,
            "short": short,
            "income": row["income"],
        }


def _grouped(sessions: QuerySet[TableSession], by: _By) -> Any:
    rows = sessions.annotate(period=by.of("")).order_by().values("period")
    return rows.annotate(
        sessions=Count("pk"),
        counted=Count("pk", filter=_COUNTED),
        final=Count("pk", filter=Q(state=TableSession.State.RECONCILED)),
        pks=ArrayAgg("pk", order_by="pk"),
    ).order_by("period")


def _head(row: Mapping[str, Any], by: _By) -> dict[str, Any]:
    return {
        "period": by.said(row["period"]),
        "sessions": row["sessions"],
        "counted": row["counted"],
        "standing": figures.RECONCILED if row["final"] == row["sessions"] else figures.NOT_RECONCILED,
        EVENTS: EventsOf(streams=behind.streams(row["pks"])),
    }


_HOW = {
    "": Text("sin decidir", "undecided"),
    "equal": Text("recuentos iguales", "equal counts"),
    "third": Text("tercer recuento", "third count"),
    "resolved": Text("decisión de dos", "decided by two"),
}
_KIND = {
    "drop": Text("efectivo", "drop"),
    "deduction": Text("deducciones", "deductions"),
}


class BoxCountsReport(Report):
    """Every count of every box that two teams have counted; of others nothing is told (FLOOR-11)."""

    identifier = "tables.box_counts"
    title = Text("Recuento de cajas", "Box counts")
    rules = ("FLOOR-11", "FLOOR-14")
    act = audit_policies.MAKE_REPORTS
    form = PeriodForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            Column("day", Text("Día de juego", "Gaming day"), Kind.DAY),
            Column("session", Text("Sesión", "Session")),
            Column("box", Text("Caja", "Box")),
            Column("kind", Text("Clase", "Kind")),
            Column("nth", Text("Recuento", "Count"), Kind.INT),
            Column("counted_at", Text("Contada", "Counted"), Kind.INSTANT),
            Column("team", Text("Equipo", "Team")),
            Column("total", Text("Contado", "Found"), Kind.MONEY),
            Column("amount", Text("Importe firme", "Amount settled"), Kind.MONEY),
            Column("how", Text("Por", "By")),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for count in self._found(casino, params).order_by("box__session__day__date", "box_id", "nth"):
            box = count.box
            yield {
                "day": box.session.day.date,
                "session": box.session.label,
                "box": box.number,
                "kind": _KIND[box.kind],
                "nth": count.nth,
                "counted_at": count.counted_at,
                "team": ", ".join(member.person.name for member in count.team.all()),
                "total": count.total,
                "amount": box.amount,
                "how": _HOW[box.how],
                EVENTS: EventsOf(subject=("drop_box", box.pk)),
            }

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int:
        return int(self._found(casino, params).count())

    def _found(self, casino: Casino, params: Mapping[str, Any]) -> QuerySet[BoxCount]:
        span = {"session__day__date__gte": params["first"], "session__day__date__lte": params["last"]}
        rows: QuerySet[BoxCount] = box_seeing.counts_in(casino, **span)
        return rows.select_related("box__session__table", "box__session__day").prefetch_related(
            "team__person"
        )
