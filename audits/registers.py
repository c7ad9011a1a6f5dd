"""Registers of the ground floor as reports: filings with the AJ, and gaming days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from audits import filing_deadlines as deadlines
from audits import filings, policies
from audits.by import name_of
from audits.models import Filing
from audits.reports import EVENTS, Column, EventsOf, Kind, PeriodForm, Report, register
from audits.reports.registry import Row, in_both
from casino.kernel import clock
from casino.kernel.words import Text, same
from casino.models import Casino, GamingDay

SHORT_DIGEST = 12
"""Letters of a file's SHA-256 in the register: enough to tell which file it is; the page has all 64."""


def _span(casino: Casino, params: Mapping[str, Any]) -> tuple[Any, Any]:
    """The first instant of the days asked for and the first after them."""
    first, _end = clock.day_bounds(params["first"], casino.zone, casino.cutoff)
    _start, after = clock.day_bounds(params["last"], casino.zone, casino.cutoff)
    return first, after


# ---- filings -----------------------------------------------------------------------------------------


class FilingForm(PeriodForm):
    state = forms.ChoiceField(
        label=_("Estado"), required=False, choices=[("", _("todos")), *Filing.State.choices]
    )


@register
class FilingRegister(Report):
    """What was drafted, presented, answered or ended within a span of gaming days, by number (REC-09)."""

    identifier = "audits.filings"
    title = Text("Registro de trámites ante la AJ", "Register of filings with the AJ")
    rules = ("REC-09",)
    act = policies.READ_FILINGS
    form = FilingForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            Column("number", Text("Trámite", "Filing")),
            Column("kind", Text("Clase", "Kind")),
            Column("rule", Text("Regla", "Rule")),
            Column("about", Text("Sobre", "About")),
            Column("state", Text("Estado", "State")),
            Column("author", Text("Redactó", "Drafted by")),
            Column("drafted", Text("Redactado", "Drafted"), Kind.INSTANT),
            Column("presented", Text("Presentado", "Presented"), Kind.INSTANT),
            Column("receipt", Text("Cargo de recepción", "Number of the stamped copy")),
            Column("due", Text("Plazo", "Deadline"), Kind.DATE),
            Column("due_for", Text("Qué vence", "What is due")),
            Column("reference", Text("Referencia de la AJ", "AJ reference")),
            Column("decided", Text("Respuesta", "Answered"), Kind.INSTANT),
            Column("decided_by", Text("Anotó la respuesta", "Answer noted by")),
            Column("valid_from", Text("Vigente desde", "Valid from"), Kind.DATE),
            Column("valid_until", Text("Vigente hasta", "Valid until"), Kind.DATE),
            Column("ended", Text("Terminado", "Ended"), Kind.INSTANT),
            Column("document", Text("Documento de la revocación", "Document of the revocation")),
            Column("files", Text("Archivos", "Files"), Kind.INT),
            Column("digests", Text("SHA-256 de los archivos", "SHA-256 of the files")),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[Row]:
        found = (
            self._asked(casino, params).select_related("author", "decided_by").prefetch_related("attachments")
        )
        kinds = filings.kinds()
        for one in found.order_by("year", "number").iterator(chunk_size=500):
            yield _filing_row(one, kinds.get(one.kind))

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int:
        return self._asked(casino, params).count()

    def _asked(self, casino: Casino, params: Mapping[str, Any]) -> QuerySet[Filing]:
        span = _span(casino, params)
        steps = ("drafted_at", "presented_at", "decided_at", "ended_at")
        within = Q()
        for step in steps:
            within |= Q(**{f"{step}__gte": span[0], f"{step}__lt": span[1]})
        found = Filing.objects.filter(within, casino=casino)
        return found.filter(state=params["state"]) if params.get("state") else found


def _filing_row(one: Filing, kind: filings.Kind | None) -> Row:
    files = [file.sha256 for file in one.attachments.all()]
    return {
        "number": one.label,
        "kind": kind.name if kind else same(one.kind),
        "rule": kind.rule if kind else "",
        "about": one.subject_label,
        "state": in_both(Filing.State(one.state).label),
        "author": name_of(one.author),
        "drafted": one.drafted_at,
        "presented": one.presented_at,
        "receipt": one.receipt,
        "due": one.due_on,
        "due_for": deadlines.words_of(one),
        "reference": one.reference,
        "decided": one.decided_at,
        "decided_by": name_of(one.decided_by) if one.decided_by else None,
        "valid_from": one.valid_from,
        "valid_until": one.valid_until,
        "ended": one.ended_at,
        "document": one.document,
        "files": len(files),
        "digests": " ".join(sha256[:SHORT_DIGEST] for sha256 in files),
        EVENTS: EventsOf(streams=(one.stream,)),
    }


# ---- gaming days -------------------------------------------------------------------------------------


@register
class DayRegister(Report):
    """Every gaming day of a span: whether it is closed, since when, and what holds it open (REC-08)."""

    identifier = "audits.days"
    title = Text("Registro de días de juego", "Register of gaming days")
    rules = ("REC-07", "REC-08")
    act = policies.READ_REPORTS
    form = PeriodForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            Column("day", Text("Día de juego", "Gaming day"), Kind.DAY),
            Column("state", Text("Estado", "State")),
            Column("closed", Text("Cerrado", "Closed"), Kind.INSTANT),
            Column("checked", Text("Última revisión", "Last looked at"), Kind.INSTANT),
            Column("held", Text("Lo retienen", "Held by"), Kind.INT),
            Column("why", Text("Qué falta", "What is missing")),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[Row]:
        for day in self._asked(casino, params).order_by("date"):
            held = [Text(item["es"], item["en"]) for item in day.held_by]
            yield {
                "day": day.date,
                "state": in_both(GamingDay.State(day.state).label),
                "closed": day.closed_at,
                "checked": day.checked_at,
                # Nobody looked yet: not known, which is not nothing.
                "held": len(held) if day.checked_at else None,
                "why": Text("; ".join(one.es for one in held), "; ".join(one.en for one in held)),
                EVENTS: EventsOf(streams=("days",), subject=("day", day.pk)),
            }

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int:
        return self._asked(casino, params).count()

    def _asked(self, casino: Casino, params: Mapping[str, Any]) -> QuerySet[GamingDay]:
        return GamingDay.objects.filter(casino=casino, date__range=(params["first"], params["last"]))
