"""The register of destructions over a span of days: each act, what it destroyed and before whom (CARD-45)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Count, QuerySet

from audits import policies as audit_policies
from audits.reports.forms import PeriodForm
from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Report, Row
from casino.kernel.words import Text
from casino.models import Casino
from shoes.models import DestructionAct
from shoes.reports.forms import span_of


class DestructionRegister(Report):
    """The acts signed within the days; each act by itself, to be signed by hand, is `shoes.destruction`."""

    identifier = "shoes.destructions"
    title = Text("Registro de destrucciones de barajas", "Register of destructions of decks")
    rules = ("CARD-45", "GEN-10")
    act = audit_policies.MAKE_REPORTS
    form = PeriodForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            Column("act", Text("Acta", "Act")),
            Column("at", Text("Cuándo", "When"), Kind.INSTANT),
            Column("decks", Text("Barajas", "Decks"), Kind.INT),
            Column("site", Text("Lugar", "Place")),
            Column("method", Text("Modo", "Method")),
            Column("reason", Text("Motivo", "Reason")),
            Column("by", Text("Destruyó", "Destroyed by")),
            Column("witnesses", Text("Testigos", "Witnesses")),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[Row]:
        people = self._asked(casino, params).select_related("executed_by", "first_witness", "second_witness")
        for act in people.prefetch_related("moves").order_by("at", "pk").iterator(chunk_size=200):
            moves = list(act.moves.all())
            yield {
                "act": act.label,
                "at": act.at,
                "decks": len(moves),
                "site": act.site,
                "method": act.method,
                "reason": moves[0].reason if moves else "",
                "by": act.executed_by.name,
                "witnesses": f"{act.first_witness.name}, {act.second_witness.name}",
                EVENTS: (
                    EventsOf(subject=("destruction_act", act.pk)),
                    EventsOf(ids=tuple(sorted({move.event_id for move in moves}))),
                ),
            }

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int:
        return self._asked(casino, params).count()

    def totals(self, casino: Casino, params: Mapping[str, Any]) -> Row:
        whole = self._asked(casino, params).aggregate(decks=Count("moves"))
        return {"act": Text("Total", "Total"), "decks": whole["decks"]}

    def _asked(self, casino: Casino, params: Mapping[str, Any]) -> QuerySet[DestructionAct]:
        first, after = span_of(casino, params)
        return DestructionAct.objects.filter(casino=casino, at__gte=first, at__lt=after)
