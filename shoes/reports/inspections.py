"""Every inspection of a deck over a span of days: what was found, by whom, and the incident it opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from audits import policies as audit_policies
from audits.models import Incident
from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Report
from casino.kernel.words import Text
from casino.models import Casino
from shoes.models import DeckInspection, DeckMove
from shoes.reports import words
from shoes.reports.forms import InspectionsForm, span_of
from shoes.saying import NO, YES

PASSED, FAILED = Text("apta", "passed"), Text("no apta", "failed")


class InspectionRegister(Report):
    identifier = "shoes.inspections"
    title = Text("Registro de inspecciones de barajas", "Register of inspections of decks")
    rules = ("GEN-10", "CARD-12", "CARD-14", "CARD-15", "CARD-43")
    act = audit_policies.MAKE_REPORTS
    form = InspectionsForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            Column("at", Text("Cuándo", "When"), Kind.INSTANT),
            Column("serial", Text("Serie", "Serial number")),
            Column("batch", Text("Lote", "Lot")),
            Column("moment", Text("Momento", "Moment")),
            Column("counted", Text("Contadas", "Counted"), Kind.INT),
            Column("by_suit", Text("Por palos", "By suit")),
            Column("backs", Text("Reversos", "Backs")),
            Column("suits", Text("Orden de los palos", "Order of suits")),
            Column("result", Text("Resultado", "Result")),
            Column("faults", Text("Fallas", "Faults")),
            Column("inspector", Text("Inspector", "Inspector")),
            Column("witness", Text("Testigo", "Witness")),
            Column("shoe", Text("Sabot", "Shoe")),
            Column("incident", Text("Incidente", "Incident")),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        chosen = self._chosen(casino, params).select_related("deck", "shoe", "inspector", "witness")
        ordered = chosen.annotate(incident_id=_incident()).order_by("at", "pk")
        labels: dict[int, str] = {}
        for inspection in ordered.iterator(chunk_size=1000):
            yield _row(inspection, labels)

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int:
        return self._chosen(casino, params).count()

    def _chosen(self, casino: Casino, params: Mapping[str, Any]) -> QuerySet[DeckInspection]:
        first, after = span_of(casino, params)
        chosen = DeckInspection.objects.filter(casino=casino, at__gte=first, at__lt=after)
        if params.get("moment"):
            chosen = chosen.filter(moment=params["moment"])
        if params.get("result"):
            chosen = chosen.filter(passed=params["result"] == "passed")
        return chosen.filter(deck__batch=params["batch"]) if params.get("batch") else chosen


def _incident() -> Coalesce:
    """The incident of the withdrawal that followed, or, of a deck held already, the one that held it."""
    moves = DeckMove.objects.filter(deck=OuterRef("deck"))
    followed = moves.filter(kind=DeckMove.Kind.WITHDRAWN, at__gte=OuterRef("at"))
    before = moves.filter(at__lte=OuterRef("at"), state="held")
    return Coalesce(
        Subquery(followed.order_by("seq").values("incident_id")[:1]),
        Subquery(before.order_by("-seq").values("incident_id")[:1]),
    )


def _row(inspection: Any, labels: dict[int, str]) -> dict[str, Any]:
    deck, incident_id = inspection.deck, inspection.incident_id
    if inspection.passed:
        incident_id = None
    if incident_id and incident_id not in labels:
        labels[incident_id] = Incident.objects.get(pk=incident_id).label
    return {
        "at": inspection.at,
        "serial": deck.serial,
        "batch": deck.batch,
        "moment": words.labels(DeckInspection.Moment)[inspection.moment],
        "counted": inspection.counted,
        "by_suit": YES if inspection.by_suit_shown else NO,
        "backs": YES if inspection.backs_checked else NO,
        "suits": words.suits(inspection.suit_order, deck),
        "result": PASSED if inspection.passed else FAILED,
        "faults": words.faults(inspection, deck),
        "inspector": inspection.inspector.name,
        "witness": inspection.witness.name,
        "shoe": words.label(inspection.shoe),
        "incident": labels.get(incident_id, "") if incident_id else "",
        EVENTS: EventsOf(subject=("deck", deck.pk)).at(inspection.at),
    }
