"""Forms that ask for a report's parameters, on the page and in the API alike.

A report's form may offer rows of the casino (tables, sessions): it is told which casino as
`casino=` and must narrow its querysets to it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.db.models import Model
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from casino.kernel import clock
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino


class ReportForm(forms.Form):
    """No parameters. Subclasses declare fields, with labels in Spanish through gettext."""

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.casino = casino


class DayField(forms.DateField):
    """A gaming day, far enough from the ends of the calendar to have a first and a last instant."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")

    def to_python(self, value: Any) -> dt.date | None:
        day: dt.date | None = super().to_python(value)
        if day is not None and not clock.EARLIEST.date() <= day < clock.LATEST.date():
            raise forms.ValidationError(_("Escriba un día entre 1970 y 2999."))
        return day


class DayForm(ReportForm):
    """One gaming day."""

    day = DayField(label=_("Día de juego"))


class PeriodForm(ReportForm):
    """A span of gaming days, both included, at most `max_days`."""

    max_days = 366

    first = DayField(label=_("Desde"))
    last = DayField(label=_("Hasta"))

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        first, last = given.get("first"), given.get("last")
        if first and last and last < first:
            self.add_error("last", _("La fecha final es anterior a la inicial."))
        elif first and last and (last - first).days >= self.max_days:
            self.add_error("last", _("El período es demasiado largo; pida a lo más un año."))
        return given


def read(form_class: type[ReportForm], casino: Casino, given: Mapping[str, Any]) -> dict[str, Any]:
    """The form's cleaned data. Raises `Refused` (code `bad_params`) naming the first wrong field."""
    form = form_class(dict(given), casino=casino)
    unknown = sorted(set(given) - set(form.fields))
    if unknown:
        raise Refused(
            Text(f"este reporte no tiene «{unknown[0]}»", f"this report has no “{unknown[0]}”"),
            code="bad_params",
            field=unknown[0][:60],
        )
    for name, value in given.items():
        if not _fits(form.fields[name], value):
            raise Refused(
                Text(f"«{name}» no es de ese tipo", f"“{name}” is of another kind"),
                code="bad_params",
                field=name,
            )
    if form.is_valid():
        return form.cleaned_data
    field = next(iter(form.errors))
    raise Refused(_message(form_class, casino, given, field), code="bad_params", field=field.strip("_"))


def _fits(field: forms.Field, value: Any) -> bool:
    """Whether a value is of a kind the field may be told: Django's own fields take `true` for row 1."""
    if isinstance(value, list):
        several = isinstance(field, forms.MultipleChoiceField | forms.ModelMultipleChoiceField)
        return several and all(isinstance(item, str | int) and not isinstance(item, bool) for item in value)
    if isinstance(value, bool):
        return isinstance(field, forms.BooleanField)
    if isinstance(value, int):
        return isinstance(field, forms.IntegerField | forms.ModelChoiceField)
    return value is None or isinstance(value, str | dt.date | dt.time)


def _message(form_class: type[ReportForm], casino: Casino, given: Mapping[str, Any], field: str) -> Text:
    """What the form says about a field, in both languages: its errors follow the active one."""
    said = []
    for language in ("es-bo", "en"):
        with override(language):
            form = form_class(dict(given), casino=casino)
            label = form.fields[field].label if field in form.fields else ""
            message = " ".join(str(error) for error in form.errors[field])
            said.append(f"{label}: {message}" if label else message)
    return Text(*said)


def plain(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """Cleaned data as JSON values that the same form reads back in any language.

    Empty values are left out, so that two ways of asking for the same thing are one request.
    """
    return {name: _plain(value) for name, value in sorted(cleaned.items()) if value not in (None, "", [])}


def _plain(value: Any) -> Any:
    if isinstance(value, Model):
        return value.pk
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, Decimal):
        return str(value)
    return [_plain(item) for item in value]
