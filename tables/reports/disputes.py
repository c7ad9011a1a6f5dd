"""The disputes of a span of gaming days (GEN-08): what was claimed, what lay on the table, how each was
ruled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from audits import incidents
from audits import policies as audit_policies
from audits.by import name_of
from audits.models import Incident
from audits.reports.forms import PeriodForm
from audits.reports.registry import EVENTS, Cell, Column, EventsOf, Kind, Report, Row
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino


class DisputesReport(Report):
    """Each dispute with its round frozen as it lay, who decided it and by which rule; by number."""

    identifier = "tables.disputes"
    title = Text("Discrepancias", "Disputes")
    rules = ("GEN-08", "GEN-10")
    act = audit_policies.READ_INCIDENTS
    form = PeriodForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            Column("number", Text("Incidente", "Incident")),
            Column("opened", Text("Abierta", "Opened"), Kind.INSTANT),
            Column("session", Text("Sesión", "Session")),
            Column("round", Text("Pase", "Round"), Kind.INT),
            Column("seat", Text("Posición", "Position"), Kind.INT),
            Column("claims", Text("Qué se reclama", "What is claimed")),
            Column("in_view", Text("Cartas a la vista", "Cards in view")),
            Column("round_state", Text("El pase estaba", "The round was")),
            Column("by", Text("Abrió", "Opened by")),
            Column("ruling", Text("Se resolvió", "Ruling")),
            Column("rule", Text("Regla aplicada", "Rule applied")),
            Column("resolved_by", Text("Resolvió", "Resolved by")),
            Column("resolved_with", Text("Con", "With")),
            Column("resolved", Text("Resuelta", "Resolved"), Kind.INSTANT),
            Column("minutes", Text("Minutos detenida", "Minutes stopped"), Kind.INT),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[Row]:
        found = self._asked(casino, params).select_related("opened_by", "resolved_by", "resolved_with")
        for incident in found.order_by("year", "number").iterator(chunk_size=200):
            yield _row(incident)

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int:
        return self._asked(casino, params).count()

    def _asked(self, casino: Casino, params: Mapping[str, Any]) -> QuerySet[Incident]:
        first, _end = clock.day_bounds(params["first"], casino.zone, casino.cutoff)
        _start, after = clock.day_bounds(params["last"], casino.zone, casino.cutoff)
        return Incident.objects.filter(
            casino=casino, kind=incidents.DISPUTE, opened_at__gte=first, opened_at__lt=after
        )


def _row(incident: Incident) -> Row:
    facts, signed = incident.facts, (incident.resolved_by, incident.resolved_with)
    ended = incident.resolved_at
    return {
        "number": incident.label,
        "opened": incident.opened_at,
        "session": facts.get("session", incident.subject_label),
        "round": facts.get("round"),
        "seat": facts.get("seat"),
        "claims": incidents.summary_of(incident),
        "in_view": _said(facts.get("in_view")),
        "round_state": _said(facts.get("state_of_round")),
        "by": name_of(incident.opened_by),
        "ruling": incident.resolution,
        "rule": incident.rule_applied,
        "resolved_by": name_of(signed[0]) if signed[0] else None,
        "resolved_with": name_of(signed[1]) if signed[1] else None,
        "resolved": ended,
        "minutes": int((ended - incident.opened_at).total_seconds()) // 60 if ended else None,
        EVENTS: _behind(incident),
    }


def _behind(incident: Incident) -> tuple[EventsOf, ...]:
    """The dispute from its opening to its ruling, and the table as it stopped."""
    stopped = EventsOf(
        subject=(incident.subject_type, incident.subject_id), actions=("tables.session.disputed",)
    )
    return EventsOf(streams=(incident.stream,)), stopped.at(incident.opened_at)


def _said(words: Any) -> Cell:
    return Text(words["es"], words["en"]) if isinstance(words, Mapping) else None
