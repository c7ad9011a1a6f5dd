"""The counts of the store over a span of days: what the moves said there was, and what two people found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from audits import policies as audit_policies
from audits.reports.forms import PeriodForm
from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Report
from casino.kernel.words import Text
from casino.models import Casino
from shoes.models import StockCount
from shoes.reports import words
from shoes.reports.forms import span_of


class StockCounts(Report):
    identifier = "shoes.counts"
    title = Text("Recuentos del depósito de barajas", "Counts of the store of decks")
    rules = ("CARD-02", "REC-14")
    act = audit_policies.MAKE_REPORTS
    form = PeriodForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            Column("at", Text("Cuándo", "When"), Kind.INSTANT),
            Column("deck_type", Text("Tipo de baraja", "Type of deck")),
            Column("back_colour", Text("Color", "Colour")),
            Column("expected", Text("Según movimientos", "By the moves"), Kind.INT),
            Column("counted", Text("Contadas", "Counted"), Kind.INT),
            Column("difference", Text("Diferencia", "Difference"), Kind.INT),
            Column("counted_by", Text("Contó", "Counted by")),
            Column("counted_with", Text("Con", "With")),
            Column("incident", Text("Incidente", "Incident")),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        first, after = span_of(casino, params)
        counts = StockCount.objects.filter(casino=casino, at__gte=first, at__lt=after)
        related = counts.select_related("counted_by", "counted_with", "incident").order_by("at", "pk")
        for count in related.iterator(chunk_size=200):
            for line in count.lines:
                yield {
                    "at": count.at,
                    "deck_type": words.deck_type(line["deck_type"]),
                    "back_colour": line["back_colour"],
                    "expected": line["expected"],
                    "counted": line["counted"],
                    "difference": line["counted"] - line["expected"],
                    "counted_by": count.counted_by.name,
                    "counted_with": count.counted_with.name,
                    "incident": words.label(count.incident),
                    EVENTS: EventsOf(subject=("stock_count", count.pk)),
                }
