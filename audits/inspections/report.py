"""The acts of inspection as a file: what was drawn, counted and answered, to be signed (REC-11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from audits.by import name_of
from audits.inspections import counting, drawing, policies, subjects
from audits.models import Inspection, InspectionCount, InspectionDraw
from audits.reports import EVENTS, Column, EventsOf, Kind, PeriodForm, Report, Section, register
from audits.reports.registry import Row
from casino.kernel.words import Text, same
from casino.models import Casino

_VISIT = Column("visit", Text("Visita", "Visit"))
_AT = Column("at", Text("Hora", "Time"), Kind.INSTANT)
VISITS = [
    _VISIT,
    Column("day", Text("Día de juego", "Gaming day"), Kind.DAY),
    Column("inspector", Text("Inspector", "Inspector")),
    Column("opened", Text("Abierta", "Opened"), Kind.INSTANT),
    Column("closed", Text("Cerrada", "Closed"), Kind.INSTANT),
    Column("remarks", Text("Observaciones", "Remarks")),
]
DRAWS = [
    Column("draw", Text("Sorteo", "Draw")),
    _AT,
    Column("among", Text("Entre", "Among"), Kind.INT),
    Column("hash", Text("Huella anunciada", "Hash announced")),
    Column("word", Text("Palabra del inspector", "Inspector's word")),
    Column("seed", Text("Semilla revelada", "Seed revealed")),
    Column("tables", Text("Mesas sorteadas", "Tables drawn")),
    Column("reason", Text("Motivo", "Reason")),
]
COUNTS = [
    _VISIT,
    Column("number", Text("Conteo", "Count"), Kind.INT),
    _AT,
    Column("kind", Text("Qué se contó", "What was counted")),
    Column("about", Text("De", "Of")),
    Column("table", Text("Mesa", "Table")),
    Column("counted", Text("Contado", "Counted")),
    Column("expected", Text("Esperado", "Expected")),
    Column("difference", Text("Diferencia", "Difference")),
    Column("basis", Text("Base de lo esperado", "Basis of what was expected")),
    Column("answer", Text("La casa", "The house")),
    Column("signed_by", Text("Firma por la casa", "Signed for the house")),
    Column("words", Text("Objeción", "Objection")),
    Column("incident", Text("Incidente", "Incident")),
]


class InspectionForm(PeriodForm):
    inspection = forms.ModelChoiceField(
        label=_("Visita"), queryset=Inspection.objects.none(), required=False, empty_label=_("todas")
    )

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        self.fields["inspection"].queryset = Inspection.objects.filter(casino=casino)  # type: ignore[attr-defined]


@register
class InspectionActs(Report):
    """Visits opened within a span of gaming days, or one of them."""

    identifier = "audits.inspections"
    title = Text("Actas de inspección de la AJ", "Acts of AJ inspection")
    rules = ("REC-11", "GEN-10")
    act = policies.READ_INSPECTIONS
    form = InspectionForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        visits = _asked(casino, params)
        counts = InspectionCount.objects.filter(inspection__in=visits)
        draws = InspectionDraw.objects.filter(inspection__in=visits)
        return [
            Section(
                "visits",
                Text("Visitas", "Visits"),
                VISITS,
                lambda: _visits(visits),
                visits.count,
                identity=("visit",),
            ),
            Section(
                "draws",
                Text("Sorteos", "Draws"),
                DRAWS,
                lambda: _draws(draws),
                draws.count,
                identity=("draw",),
            ),
            Section(
                "counts",
                Text("Conteos del inspector", "The inspector's counts"),
                COUNTS,
                lambda: _counts(counts, casino),
                counts.count,
                lines=2,
                identity=("visit", "number"),
            ),
        ]


def _asked(casino: Casino, params: Mapping[str, Any]) -> QuerySet[Inspection]:
    rows = Inspection.objects.filter(casino=casino, day__gte=params["first"], day__lte=params["last"])
    return rows.filter(pk=params["inspection"].pk) if params.get("inspection") else rows


def _visits(rows: QuerySet[Inspection]) -> Iterator[Row]:
    for visit in rows.select_related("inspector").order_by("year", "number").iterator(chunk_size=500):
        yield {
            "visit": visit.label,
            "day": visit.day,
            "inspector": visit.inspector.name,
            "opened": visit.opened_at,
            "closed": visit.closed_at,
            "remarks": visit.remarks,
            EVENTS: EventsOf(streams=(visit.stream,)),
        }


def _draws(rows: QuerySet[InspectionDraw]) -> Iterator[Row]:
    found = rows.select_related("inspection").order_by("inspection__year", "inspection__number", "number")
    for one in found.iterator(chunk_size=500):
        done = one.state == InspectionDraw.State.DRAWN
        yield {
            "draw": one.label,
            "at": one.drawn_at or one.announced_at,
            "among": len(one.candidates),
            "hash": one.seed_hash,
            "word": one.word,
            "seed": one.seed if done else None,
            "tables": ", ".join(label for _id, label in drawing.drawn_tables(one)) if done else NOT_DRAWN,
            "reason": one.reason,
            EVENTS: EventsOf(streams=(one.inspection.stream,)),
        }


NOT_DRAWN = Text("no se sorteó", "not drawn")
UNANSWERED = Text("sin firma de la casa", "not signed by the house")
SIGNED, OBJECTED = Text("conforme", "signed"), Text("objetado", "objected")


def _counts(rows: QuerySet[InspectionCount], casino: Casino) -> Iterator[Row]:
    found = rows.select_related("inspection", "answer__signed_by")
    for count in found.order_by("inspection__year", "inspection__number", "number").iterator(chunk_size=500):
        answer = getattr(count, "answer", None)
        incident = counting.incident_of(count) if count.difference else None
        yield {
            "visit": count.inspection.label,
            "number": count.number,
            "at": count.counted_at,
            "kind": subjects.kind_name(count.kind),
            "about": count.subject_label,
            "table": count.table_label,
            "counted": counting.figure(count, count.total, casino),
            "expected": counting.figure(count, count.expected, casino),
            "difference": counting.figure(count, count.difference, casino),
            "basis": basis_of(count),
            "answer": UNANSWERED if answer is None else SIGNED if answer.agrees else OBJECTED,
            "signed_by": name_of(answer.signed_by) if answer else None,
            "words": answer.words if answer else None,
            "incident": incident.label if incident else None,
            EVENTS: EventsOf(streams=(count.inspection.stream,)),
        }


def basis_of(count: InspectionCount) -> Text:
    """What the expected figure rested on when the count was recorded."""
    kept = count.facts.get("basis") or {}
    return Text(str(kept.get("es", "")), str(kept.get("en", ""))) if kept else same("")
