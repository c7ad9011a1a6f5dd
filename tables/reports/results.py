"""Results by day and by month, house games and the deductions of others apart (FLOOR-13); and how each box
was counted (FLOOR-11).

A figure is provisional until every session in it is reconciled (REC-08).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, TruncMonth

from audits import policies as audit_policies
from audits.reports.forms import PeriodForm
from audits.reports.registry import Column, Kind, Report, Section
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import BoxCount, DropBox, TableSession
from tables.money import box_seeing
from tables.reports import figures

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
_BY_DAY = Column("period", Text("Día de juego", "Gaming day"), Kind.DAY)
_BY_MONTH = Column("period", Text("Mes", "Month"))


class ResultsReport(Report):
    """Counted sessions of a span of days, added up."""

    identifier = "tables.results"
    title = Text("Resultado de mesas por día y mes", "Table results by day and month")
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
            _section(
                "house_days", of_house, "por día", "by day", [_BY_DAY, *_HOUSE], house_rows, house, False
            ),
            _section(
                "house_months", of_house, "por mes", "by month", [_BY_MONTH, *_HOUSE], house_rows, house, True
            ),
            _section("ring_days", of_ring, "por día", "by day", [_BY_DAY, *_RING], ring_rows, ring, False),
            _section(
                "ring_months", of_ring, "por mes", "by month", [_BY_MONTH, *_RING], ring_rows, ring, True
            ),
        ]


Rows = Callable[[QuerySet[TableSession], bool], Iterator[dict[str, Any]]]


def _section(
    key: str,
    title: Text,
    es: str,
    en: str,
    columns: Sequence[Column],
    rows: Rows,
    found: QuerySet[TableSession],
    monthly: bool,
) -> Section:
    return Section(key, Text(f"{title.es}, {es}", f"{title.en}, {en}"), columns, lambda: rows(found, monthly))


def house_rows(sessions: QuerySet[TableSession], monthly: bool) -> Iterator[dict[str, Any]]:
    """Result and hold of house games per day or month, over the counted sessions (FLOOR-12)."""
    names = ("opening", "fills", "progressive", "credits", "closing", "drop", "result", "unexplained")
    sums: dict[str, Any] = {f"all_{name}": Sum(name, filter=_COUNTED) for name in names}
    for row in _grouped(sessions, monthly).annotate(**sums):
        found = {name: row[f"all_{name}"] for name in names}
        hold = figures.hold_basis_points(found["result"], found["drop"])
        yield {**_head(row, monthly), **found, "hold": hold}


def ring_rows(sessions: QuerySet[TableSession], monthly: bool) -> Iterator[dict[str, Any]]:
    """The deduction per day or month: recorded, found in boxes, entered. Nothing of a house game is in it,
    and a shortage of one table takes nothing off another (FLOOR-13, FLOOR-14)."""
    period: Any = TruncMonth("session__day__date") if monthly else F("session__day__date")
    boxes = DropBox.objects.filter(session__in=sessions.filter(_COUNTED), kind=DropBox.Kind.DEDUCTION)
    boxed = dict(
        boxes.annotate(period=period)
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
    for row in _grouped(sessions, monthly).annotate(**sums):
        found = boxed.get(row["period"])
        short = None if found is None else row["had_box"] - found
        yield {
            **_head(row, monthly),
            "recorded": row["recorded"],
            "boxed": found,
            "short": short,
            "income": row["income"],
        }


def _grouped(sessions: QuerySet[TableSession], monthly: bool) -> Any:
    period: Any = TruncMonth("day__date") if monthly else F("day__date")
    rows = sessions.annotate(period=period).order_by().values("period")
    return rows.annotate(
        sessions=Count("pk"),
        counted=Count("pk", filter=_COUNTED),
        final=Count("pk", filter=Q(state=TableSession.State.RECONCILED)),
    ).order_by("period")


def _head(row: Mapping[str, Any], monthly: bool) -> dict[str, Any]:
    period: dt.date = row["period"]
    return {
        "period": f"{period:%Y-%m}" if monthly else period,
        "sessions": row["sessions"],
        "counted": row["counted"],
        "standing": figures.FINAL if row["final"] == row["sessions"] else figures.PROVISIONAL,
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
            }

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int:
        return int(self._found(casino, params).count())

    def _found(self, casino: Casino, params: Mapping[str, Any]) -> QuerySet[BoxCount]:
        span = {"session__day__date__gte": params["first"], "session__day__date__lte": params["last"]}
        rows: QuerySet[BoxCount] = box_seeing.counts_in(casino, **span)
        return rows.select_related("box__session__table", "box__session__day").prefetch_related(
            "team__person"
        )
