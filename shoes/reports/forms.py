"""What the reports of the cards ask: an instant, the end of a day or a span of days, and what to narrow."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from audits.reports.forms import DayField, PeriodForm, ReportForm
from casino.kernel import clock
from casino.models import Casino
from shoes.models import Deck, DeckInspection, DeckMove, DestructionAct

WALL_CLOCK = "%Y-%m-%dT%H:%M"


class InstantField(forms.Field):
    """An instant: ISO 8601; without a zone it is the wall clock of the house."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=WALL_CLOCK)
    zone = "UTC"

    def to_python(self, value: Any) -> dt.datetime | None:
        if value in self.empty_values:
            return None
        try:
            instant = parse_datetime(str(value).strip())
            if instant is not None and instant.tzinfo is None:
                instant = instant.replace(tzinfo=ZoneInfo(self.zone))
            if instant is not None:
                return instant.astimezone(dt.UTC)
        except (ValueError, OverflowError):
            pass
        raise forms.ValidationError(_("Escriba fecha y hora, como 2026-11-29 22:00."))


class AsOfForm(ReportForm):
    """An instant that has passed, or the end of a gaming day that has."""

    at = InstantField(label=_("En el instante"), required=False)
    end_of = DayField(label=_("O al final del día de juego"), required=False)

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        field: Any = self.fields["at"]
        field.zone = casino.zone
        field.initial = clock.now().astimezone(ZoneInfo(casino.zone)).strftime(WALL_CLOCK)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        at, end_of = given.get("at"), given.get("end_of")
        if self.errors:
            return given
        if (at is None) == (end_of is None):
            self.add_error("at", _("Indique un instante o un día: uno de los dos."))
        elif instant_of(self.casino, given) > clock.now():
            field = "at" if at else "end_of"
            self.add_error(field, _("Todavía no pasó: pida un instante ya transcurrido."))
        return given


def instant_of(casino: Casino, params: Mapping[str, Any]) -> dt.datetime:
    """The instant an `AsOfForm` asked for."""
    if params.get("at"):
        asked: dt.datetime = params["at"]
        return asked
    return clock.day_bounds(params["end_of"], casino.zone, casino.cutoff)[1]


def span_of(casino: Casino, params: Mapping[str, Any]) -> tuple[dt.datetime, dt.datetime]:
    """The first instant of a `PeriodForm`'s days and the first after them."""
    first, _end = clock.day_bounds(params["first"], casino.zone, casino.cutoff)
    _start, after = clock.day_bounds(params["last"], casino.zone, casino.cutoff)
    return first, after


def _one_of(choices: Any) -> list[tuple[str, Any]]:
    return [("", _("todos")), *choices.choices]


class MovesForm(PeriodForm):
    kind = forms.ChoiceField(label=_("Movimiento"), choices=_one_of(DeckMove.Kind), required=False)
    place = forms.CharField(label=_("Lugar"), max_length=20, required=False)
    serial = forms.CharField(label=_("Número de serie"), max_length=40, required=False)
    batch = forms.CharField(label=_("Lote"), max_length=40, required=False)


class InspectionsForm(PeriodForm):
    moment = forms.ChoiceField(label=_("Momento"), choices=_one_of(DeckInspection.Moment), required=False)
    result = forms.ChoiceField(
        label=_("Resultado"),
        choices=[("", _("todos")), ("passed", _("apta")), ("failed", _("con fallas"))],
        required=False,
    )
    batch = forms.CharField(label=_("Lote"), max_length=40, required=False)


class InventoryForm(AsOfForm):
    state = forms.ChoiceField(label=_("Estado"), choices=_one_of(Deck.State), required=False)
    batch = forms.CharField(label=_("Lote"), max_length=40, required=False)


class LogForm(PeriodForm):
    table = forms.CharField(label=_("Mesa en que se jugó"), max_length=20, required=False)


class ActForm(ReportForm):
    act = forms.ModelChoiceField(label=_("Acta"), queryset=DestructionAct.objects.none())

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        self.fields["act"].queryset = DestructionAct.objects.filter(casino=casino)  # type: ignore[attr-defined]
