"""The shift and its hours as files: figures by table, what happened as the trail tells it, alerts, notes
apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from audits.by import name_of
from audits.reports.forms import DayForm
from audits.reports.registry import EVENTS, Column, EventsOf, Kind, Report, Row, Section
from casino.kernel import rulebook
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino
from tables.alerts import policies
from tables.alerts.keeping import label_of, words_of
from tables.models import Pit
from tables.shift import hourly, sums, told
from tables.shift.window import Window, between

_TABLE = Column("table", Text("Mesa", "Table"))
FIGURES = [
    _TABLE,
    Column("game", Text("Juego", "Game")),
    Column("minutes_open", Text("Minutos abierta", "Minutes open"), Kind.INT),
    Column("rounds", Text("Pases", "Rounds"), Kind.INT),
    Column("house", Text("Neto por apuestas", "Net on bets"), Kind.MONEY),
    Column("deduction", Text("Deducción", "Deduction"), Kind.MONEY),
    Column("drop", Text("Caja (drop)", "Drop"), Kind.MONEY),
    Column("result", Text("Resultado", "Result"), Kind.MONEY),
    Column("fills", Text("Reposiciones", "Fills"), Kind.MONEY),
    Column("credits", Text("Retiros", "Credits"), Kind.MONEY),
    Column("reliefs", Text("Relevos", "Reliefs"), Kind.INT),
    Column("incidents", Text("Incidentes", "Incidents"), Kind.INT),
    Column("alerts", Text("Avisos", "Alerts"), Kind.INT),
    Column("unattended", Text("Sin atender", "Not attended"), Kind.INT),
]
HAPPENED = [
    _TABLE,
    Column("at", Text("Hora", "Time"), Kind.INSTANT),
    Column("what", Text("Qué pasó", "What happened")),
    Column("by", Text("Quién", "Who")),
]
ALERTS = [
    Column("where", Text("Dónde", "Where")),
    Column("from", Text("Desde", "From"), Kind.INSTANT),
    Column("to", Text("Hasta", "Until"), Kind.INSTANT),
    Column("what", Text("Aviso", "Alert")),
    Column("rule", Text("Regla", "Rule")),
    Column("by", Text("Lo atendió", "Acknowledged by")),
    Column("at", Text("Atendido", "Acknowledged"), Kind.INSTANT),
    Column("reason", Text("Qué se hizo", "What was done")),
]
NOTES = [
    Column("at", Text("Hora", "Time"), Kind.INSTANT),
    Column("pit", Text("Sector", "Pit")),
    Column("by", Text("Quién", "Who")),
    Column("text", Text("Nota", "Note")),
]
HOURS = [
    _TABLE,
    Column("hour", Text("Hora", "Hour")),
    Column("from", Text("Desde", "From"), Kind.INSTANT),
    Column("rounds", Text("Pases", "Rounds"), Kind.INT),
    Column("house", Text("Neto por apuestas", "Net on bets"), Kind.MONEY),
    Column("deduction", Text("Deducción", "Deduction"), Kind.MONEY),
    Column("drop", Text("Caja contada", "Drop counted"), Kind.MONEY),
    Column("estimate", Text("Caja estimada", "Drop estimated"), Kind.MONEY),
    Column("result", Text("Resultado estimado", "Result estimated"), Kind.MONEY),
    Column("difference", Text("Diferencia de controles", "Difference of checks"), Kind.MONEY),
]


class ShiftForm(DayForm):
    """A gaming day, or hours of it, of the whole floor or of one pit."""

    pit = forms.ModelChoiceField(label=_("Sector"), queryset=Pit.objects.none(), required=False)
    first = forms.TimeField(
        label=_("Desde la hora"), required=False, widget=forms.TimeInput(attrs={"type": "time"})
    )
    last = forms.TimeField(
        label=_("Hasta la hora"), required=False, widget=forms.TimeInput(attrs={"type": "time"})
    )

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        self.fields["pit"].queryset = Pit.objects.filter(casino=casino)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("day"):
            try:
                between(self.casino, given["day"], given.get("first"), given.get("last"))
            except Refused as refusal:
                self.add_error("last", refusal.say(get_language()))
        return given


def figure_rows(window: Window, pit: Pit | None) -> list[Row]:
    names = [column.key for column in FIGURES if column.key not in ("table", "game")]
    return [
        {
            "table": line.table.name,
            "game": rulebook.game(line.table.game).name,
            **{name: getattr(line, name) for name in names},
            EVENTS: partial(sums.behind_line, line, window),
        }
        for line in sums.of(window, pit, blind=True)
    ]


def _total(rows: Sequence[Row]) -> Row:
    total: dict[str, Any] = {"table": Text("Total", "Total")}
    for column in FIGURES[2:]:
        known = [value for row in rows if isinstance(value := row[column.key], int)]
        total[column.key] = sum(known) if known else None
    return total


def event_rows(window: Window, pit: Pit | None) -> Iterator[Row]:
    for one in told.events(window, pit, blind=True):
        said = {"table": one.table or "—", "at": one.at, "what": one.words, "by": one.by}
        yield {**said, EVENTS: EventsOf(ids=(one.event,))}


def alert_rows(window: Window, pit: Pit | None) -> Iterator[Row]:
    for alert in told.alerts(window, pit):
        yield {
            "where": label_of(alert),
            "from": alert.raised_at,
            "to": alert.cleared_at,
            "what": words_of(alert),
            "rule": alert.rule,
            "by": name_of(alert.acknowledged_by) if alert.acknowledged_by else None,
            "at": alert.acknowledged_at,
            "reason": alert.reason,
            EVENTS: EventsOf(subject=("alert", alert.pk)),
        }


def note_rows(window: Window, pit: Pit | None) -> Iterator[Row]:
    for note in told.notes(window, pit):
        yield {
            "at": note.at,
            "pit": note.pit.name if note.pit else "—",
            "by": name_of(note.by),
            "text": note.text,
            EVENTS: EventsOf(actions=("tables.shift.noted",)).at(note.at),
        }


class ShiftReport(Report):
    """A shift: a gaming day or hours of it, of the floor or of a pit."""

    identifier = "tables.shift"
    title = Text("Informe de turno", "Shift report")
    rules = ("REC-06", "FLOOR-05", "FLOOR-12")
    act = policies.READ_SHIFT
    form = ShiftForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        window = between(casino, params["day"], params.get("first"), params.get("last"))
        pit = params.get("pit")
        return [
            Section(
                "figures",
                Text("En cifras", "In figures"),
                FIGURES,
                lambda: figure_rows(window, pit),
                totals=lambda: _total(figure_rows(window, pit)),
            ),
            Section("events", Text("Qué pasó", "What happened"), HAPPENED, lambda: event_rows(window, pit)),
            Section("alerts", Text("Avisos", "Alerts"), ALERTS, lambda: alert_rows(window, pit)),
            Section(
                "notes",
                Text("Notas de los jefes", "Notes of the chiefs"),
                NOTES,
                lambda: note_rows(window, pit),
            ),
        ]


class HourReport(Report):
    """Each table hour by hour of a gaming day; hours in which nothing happened at it are left out."""

    identifier = "tables.hours"
    title = Text("Caja y resultado por hora", "Drop and result by the hour")
    rules = ("FLOOR-05", "FLOOR-12", "FLOOR-13")
    act = policies.READ_SHIFT
    form = DayForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return HOURS

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[Row]:
        found = hourly.grid(casino, params["day"], blind=True)
        for line in found.lines:
            for hour, cell in zip(found.hours, line.cells, strict=True):
                if cell != hourly.Cell():
                    figures = {name: getattr(cell, name) for name in hourly.FIGURES}
                    said = {"table": line.table.name, "hour": hour.label, "from": hour.start, **figures}
                    yield {**said, EVENTS: partial(hourly.behind_cell, line.table, params["day"], hour)}

    def totals(self, casino: Casino, params: Mapping[str, Any]) -> Row:
        total = hourly.grid(casino, params["day"], blind=True).total
        return {"table": Text("Total", "Total"), **{name: getattr(total, name) for name in hourly.FIGURES}}
