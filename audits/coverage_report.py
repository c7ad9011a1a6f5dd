"""The coverage of the rules as a file: how each is kept, by which code and tests, and what happened in a
period."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from audits import coverage, policies
from audits.reports import EVENTS, Column, EventsOf, Kind, PeriodForm, Report, register
from audits.reports.choices import spoken
from audits.reports.registry import Row
from casino.kernel import clock, rulebook
from casino.kernel.words import Text
from casino.models import Casino

COLUMNS = [
    Column("rule", Text("Regla", "Rule")),
    Column("title", Text("Título", "Title")),
    Column("text", Text("Texto", "Text")),
    Column("source", Text("Fuente", "Source")),
    Column("enforced", Text("Qué hace Sabot", "What Sabot does")),
    Column("state", Text("Cumplimiento", "State")),
    Column("reason", Text("Motivo de la espera", "Why it waits")),
    Column("code", Text("Código que la cumple", "Code that keeps it")),
    Column("tests", Text("Pruebas que la demuestran", "Tests that prove it")),
    Column("applied", Text("Veces aplicada", "Times applied"), Kind.INT),
    Column("refused", Text("Rechazos", "Refusals"), Kind.INT),
    Column("refused_to", Text("Rechazado a", "Refused to")),
    Column("reasoned", Text("Decidida con motivo", "Decided with a reason"), Kind.INT),
    Column("reasoned_by", Text("Decidida por", "Decided by")),
]


class CoverageForm(PeriodForm):
    source = forms.ChoiceField(
        label=_("Fuente"), required=False, choices=lambda: spoken(rulebook.SOURCES, _("todas"))
    )
    enforce = forms.ChoiceField(
        label=_("Qué hace Sabot"), required=False, choices=lambda: spoken(rulebook.ENFORCED, _("todo"))
    )
    show = forms.ChoiceField(
        label=_("Mostrar"), required=False, choices=lambda: spoken(coverage.SHOW, _("todas las reglas"))
    )


@register
class CoverageReport(Report):
    """Every rule of the book, or those of a source, a treatment or a state."""

    identifier = "audits.coverage"
    title = Text("Cumplimiento de las reglas", "Coverage of the rules")
    rules = ("REC-06",)
    act = policies.READ_COVERAGE
    form = CoverageForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return COLUMNS

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[Row]:
        start, _end = clock.day_bounds(params["first"], casino.zone, casino.cutoff)
        _start, end = clock.day_bounds(params["last"], casino.zone, casino.cutoff)
        sieve = {name: params.get(name) or "" for name in ("source", "enforce", "show")}
        found = list(coverage.covered(casino, start, end, **sieve))
        for one, refused_to, reasoned_by in coverage.named(found, casino):
            behind = EventsOf(rules=(one.rule.id,), since=start, until=end)
            yield {**_row(one, refused_to, reasoned_by), EVENTS: behind}


def _row(one: coverage.Covered, refused_to: Text, reasoned_by: Text) -> Row:
    waiting = one.trace.waiting
    return {
        "rule": one.rule.id,
        "title": one.rule.title,
        "text": one.rule.text,
        "source": rulebook.SOURCES[one.rule.source],
        "enforced": one.enforced,
        "state": one.state,
        "reason": waiting.reason if waiting and one.trace.state != "proved" else None,
        "code": "; ".join(map(str, one.trace.code)),
        "tests": "; ".join(map(str, one.trace.tests)),
        "applied": one.evidence.applied,
        "refused": one.evidence.refused,
        "refused_to": refused_to,
        "reasoned": one.evidence.reasoned,
        "reasoned_by": reasoned_by,
    }
