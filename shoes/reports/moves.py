"""Every move of a deck over a span of days: from where to where, by whom, and what tells of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from audits import policies as audit_policies
from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Report
from casino.kernel.words import Text
from casino.models import Casino
from shoes.models import Deck, DeckMove
from shoes.reports import words
from shoes.reports.forms import MovesForm, span_of


class MoveRegister(Report):
    identifier = "shoes.moves"
    title = Text("Registro de movimientos de barajas", "Register of moves of decks")
    rules = ("CARD-02", "CARD-03", "CARD-04", "CARD-45")
    act = audit_policies.MAKE_REPORTS
    form = MovesForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            Column("at", Text("Cuándo", "When"), Kind.INSTANT),
            Column("serial", Text("Serie", "Serial number")),
            Column("batch", Text("Lote", "Lot")),
            Column("seq", Text("N.º", "No."), Kind.INT),
            Column("kind", Text("Movimiento", "Move")),
            Column("state", Text("Estado", "State")),
            Column("place", Text("Lugar", "Place")),
            Column("shoe", Text("Sabot", "Shoe")),
            Column("seal", Text("Precinto", "Seal")),
            Column("by", Text("Por", "By")),
            Column("second", Text("Con", "With")),
            Column("reason", Text("Motivo", "Reason")),
            Column("paper", Text("Incidente o acta", "Incident or act")),
            Column("event", Text("Evento", "Event")),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        related = ("deck", "shoe", "incident", "act", "by", "second", "event__stream")
        chosen = self._chosen(casino, params).select_related(*related).order_by("at", "pk")
        for move in chosen.iterator(chunk_size=1000):
            yield _row(move)

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int:
        return self._chosen(casino, params).count()

    def _chosen(self, casino: Casino, params: Mapping[str, Any]) -> QuerySet[DeckMove]:
        first, after = span_of(casino, params)
        asked = {
            "kind": params.get("kind"),
            "place": params.get("place"),
            "deck__serial": params.get("serial"),
            "deck__batch": params.get("batch"),
        }
        narrowed = {name: value for name, value in asked.items() if value}
        return DeckMove.objects.filter(casino=casino, at__gte=first, at__lt=after, **narrowed)


def _row(move: DeckMove) -> dict[str, Any]:
    return {
        "at": move.at,
        "serial": move.deck.serial,
        "batch": move.deck.batch,
        "seq": move.seq,
        "kind": words.labels(DeckMove.Kind)[move.kind],
        "state": words.labels(Deck.State)[move.state],
        "place": words.place(move.place, move.state),
        "shoe": words.label(move.shoe),
        "seal": move.seal,
        "by": move.by.name,
        "second": words.name(move.second),
        "reason": move.reason,
        "paper": words.label(move.act or move.incident),
        "event": f"{move.event.stream.name}#{move.event.seq}",
        EVENTS: EventsOf(ids=(move.event_id,)),
    }
