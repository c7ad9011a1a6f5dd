"""Who looked at whom as a file, for compliance and the inspector."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from audits import policies
from audits.by import name_of
from audits.models import PersonLook
from audits.persons import looking
from audits.reports import Column, Kind, PeriodForm, Report, register
from audits.reports.choices import spoken
from audits.reports.registry import Row
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino

COLUMNS = [
    Column("at", Text("Instante", "Instant"), Kind.INSTANT),
    Column("who", Text("Quién", "Who")),
    Column("kind", Text("Clase", "Kind")),
    Column("whom", Text("A quién", "Whom")),
    Column("number", Text("N.º", "No."), Kind.INT),
    Column("shown", Text("Personas en la lista", "People in the list"), Kind.INT),
    Column("named", Text("A quiénes", "Which ones")),
    Column("report", Text("Reporte", "Report")),
    Column("about", Text("Período y filtros", "Period and filters")),
    Column("place", Text("Dónde", "Where")),
]


class LookForm(PeriodForm):
    """`kind` and `number` narrow it to whoever looked at one."""

    kind = forms.ChoiceField(
        label=_("Clase"), required=False, choices=lambda: spoken(looking.kind_names(), _("todas"))
    )
    number = forms.IntegerField(label=_("N.º"), required=False, min_value=1, max_value=2**53)


def looks(casino: Casino, params: Mapping[str, Any]) -> QuerySet[PersonLook]:
    start, _end = clock.day_bounds(params["first"], casino.zone, casino.cutoff)
    _start, end = clock.day_bounds(params["last"], casino.zone, casino.cutoff)
    return of_one(PersonLook.objects.filter(casino=casino, at__gte=start, at__lt=end), params)


def of_one(rows: QuerySet[PersonLook], params: Mapping[str, Any]) -> QuerySet[PersonLook]:
    """Narrowed to a kind; with a number too, to every look that showed that one, wherever."""
    kind, number = params.get("kind"), params.get("number")
    if kind and number:
        return looking.at(rows, kind, number)
    rows = rows.filter(kind=kind) if kind else rows
    return rows.filter(subject_id=number) if number else rows


MOST_TOLD = 40


def named(look: PersonLook) -> Text | str | None:
    """Whom a look of several named, by kind and number."""
    if looking.may_be_anybody(look):
        return Text("no consta a quiénes: pudo ser cualquiera", "not on record whom: it may be anybody")
    if look.kind == looking.REPORT and look.subject_id is not None:
        return Text("los que nombra el archivo", "those the file names")
    if look.subject_id is not None or not look.named:
        return None
    more = f" … ({len(look.named)})" if len(look.named) > MOST_TOLD else ""
    return ", ".join(look.named[:MOST_TOLD]) + more


@register
class AccessReport(Report):
    """Every page, answer and file that showed somebody's data within a span of gaming days."""

    identifier = "audits.access"
    title = Text("Quién vio datos de quién", "Who looked at whom")
    rules = ("REC-12",)
    act = policies.READ_LOOKS
    form = LookForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return COLUMNS

    def count(self, casino: Casino, params: Mapping[str, Any]) -> int:
        return looks(casino, params).count()

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[Row]:
        for look in (
            looks(casino, params).select_related("actor").order_by("at", "id").iterator(chunk_size=1000)
        ):
            yield {
                "at": look.at,
                "who": name_of(look.actor),
                "kind": looking.kind_name(look.kind),
                "whom": look.label or Text("lista", "list"),
                "number": look.subject_id,
                "shown": look.shown,
                "named": named(look),
                "report": look.report,
                "about": look.about,
                "place": look.place,
            }
