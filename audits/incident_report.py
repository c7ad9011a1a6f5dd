"""The register of incidents as a file: what happened, the notice and its deadline, and how it was settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from audits import incidents, policies
from audits.by import name_of
from audits.models import Incident
from audits.reports import Column, Kind, PeriodForm, Report, register
from audits.reports.registry import EVENTS, EventsOf, Row
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino

STATES = {
    Incident.State.OPEN: Text("abierto", "open"),
    Incident.State.RESOLVED: Text("resuelto", "resolved"),
}
COLUMNS = [
    Column("number", Text("Incidente", "Incident")),
    Column("kind", Text("Clase", "Kind")),
    Column("state", Text("Estado", "State")),
    Column("table", Text("Mesa", "Table")),
    Column("subject", Text("Sobre", "About")),
    Column("summary", Text("Qué pasó", "What happened")),
    Column("opened", Text("Abierto", "Opened"), Kind.INSTANT),
    Column("by", Text("Por", "By")),
    Column("rules", Text("Reglas", "Rules")),
    Column("notice_due", Text("Aviso hasta", "Notice due"), Kind.INSTANT),
    Column("notice_sent", Text("Aviso enviado", "Notice sent"), Kind.INSTANT),
    Column("reference", Text("Referencia del aviso", "Notice reference")),
    Column("resolution", Text("Resolución", "Resolution")),
    Column("rule", Text("Regla aplicada", "Rule applied")),
    Column("resolved_by", Text("Resuelto por", "Resolved by")),
    Column("resolved_with", Text("Con", "With")),
    Column("resolved", Text("Resuelto", "Resolved"), Kind.INSTANT),
]


class IncidentForm(PeriodForm):
    state = forms.ChoiceField(
        label=_("Estado"), required=False, choices=[("", _("todos")), *Incident.State.choices]
    )


@register
class IncidentRegister(Report):
    """Incidents opened within a span of gaming days, in the order of their numbers."""

    identifier = "audits.incidents"
    title = Text("Registro de incidentes", "Register of incidents")
    rules = ("REC-14", "GEN-08")
    act = policies.READ_INCIDENTS
    form = IncidentForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return COLUMNS

    def identity(self, params: Mapping[str, Any]) -> Sequence[str]:
        return ("number",)

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int:
        return _asked(casino, params).count()

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[Row]:
        rows = _asked(casino, params).select_related("opened_by", "resolved_by", "resolved_with")
        for incident in rows.order_by("year", "number").iterator(chunk_size=500):
            yield _row(incident)


def _asked(casino: Casino, params: Mapping[str, Any]) -> QuerySet[Incident]:
    start, _end = clock.day_bounds(params["first"], casino.zone, casino.cutoff)
    _start, end = clock.day_bounds(params["last"], casino.zone, casino.cutoff)
    rows = Incident.objects.filter(casino=casino, opened_at__gte=start, opened_at__lt=end)
    return rows.filter(state=params["state"]) if params.get("state") else rows


def _row(incident: Incident) -> Row:
    signed = incident.resolved_by, incident.resolved_with
    return {
        "number": incident.label,
        "kind": incidents.kind_name(incident.kind),
        "state": STATES[Incident.State(incident.state)],
        "table": incident.table_label,
        "subject": incident.subject_label,
        "summary": incidents.summary_of(incident),
        "opened": incident.opened_at,
        "by": name_of(incident.opened_by),
        "rules": ", ".join(incident.rules),
        "notice_due": incident.notice_due,
        "notice_sent": incident.notice_sent_at,
        "reference": incident.notice_reference,
        "resolution": incident.resolution,
        "rule": incident.rule_applied,
        "resolved_by": name_of(signed[0]) if signed[0] else None,
        "resolved_with": name_of(signed[1]) if signed[1] else None,
        "resolved": incident.resolved_at,
        EVENTS: EventsOf(streams=(incident.stream,)),
    }
