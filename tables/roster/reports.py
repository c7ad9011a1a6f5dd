"""The reports on people: hours of a period, and who stood with whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from audits import policies as audit_policies
from audits.persons.naming import PEOPLE
from audits.reports import EVENTS, Column, EventsOf, Kind, PeriodForm, Report, Section, register
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino
from tables.models import Shift, Staff
from tables.reports import behind
from tables.roster import exposure, sums
from tables.roster.actions import DEPARTMENTS

_TOTAL = Text("Total", "Total")
TOGETHER = (
    *behind.CREW,
    *(f"tables.session.{word}" for word in ("seat_taken", "seat_changed", "seat_left", "seat_lost")),
    *("tables.session.seats_emptied", "tables.round.settled", "tables.round.voided"),
)
"""What says who was at a table, and what was played meanwhile."""
_SUMMED = ("shifts", "planned", "worked", "difference", "night", "late", "early", "absences", "cancelled")


class HoursReport(Report):
    """Planned and worked hours by person, in minutes; shifts by their gaming day."""

    identifier = "tables.staff_hours"
    title = Text("Horas del personal", "Staff hours")
    rules = ("FLOOR-01", "FLOOR-03")
    act = audit_policies.MAKE_REPORTS
    form = PeriodForm

    def columns(self, params: Mapping[str, Any]) -> Sequence[Column]:
        return [
            Column("number", Text("Legajo", "Number")),
            Column("name", Text("Nombre", "Name")),
            Column("department", Text("Área", "Department")),
            Column("shifts", Text("Turnos", "Shifts"), Kind.INT),
            Column("planned", Text("Minutos previstos", "Planned minutes"), Kind.INT),
            Column("worked", Text("Minutos cumplidos", "Worked minutes"), Kind.INT),
            Column(
                "difference", Text("Diferencia en turnos cumplidos", "Difference on worked shifts"), Kind.INT
            ),
            Column("night", Text("De noche", "At night"), Kind.INT),
            Column("late", Text("Tardanza", "Late"), Kind.INT),
            Column("early", Text("Salida anticipada", "Left early"), Kind.INT),
            Column("absences", Text("Ausencias", "Absences"), Kind.INT),
            Column("cancelled", Text("Cancelados", "Cancelled"), Kind.INT),
        ]

    def rows(self, casino: Casino, params: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for line in sums.hours_of(casino, params["first"], params["last"], clock.now()):
            yield {
                "number": line.staff.number,
                "name": line.staff.name,
                "department": DEPARTMENTS[line.staff.department],
                "shifts": line.shifts,
                "planned": line.planned,
                "worked": line.worked,
                "difference": line.difference,
                "night": line.night,
                "late": line.late_in,
                "early": line.early_out,
                "absences": line.absences,
                "cancelled": line.cancelled,
                PEOPLE: (("staff", line.staff.pk),),
                EVENTS: _of_shifts(line.staff, params),
            }

    def totals(self, casino: Casino, params: Mapping[str, Any]) -> dict[str, Any]:
        lines = list(self.rows(casino, params))
        return {"name": _TOTAL, **{key: sum(line[key] for line in lines) for key in _SUMMED}}


def _of_shifts(staff: Staff, params: Mapping[str, Any]) -> Callable[[], EventsOf]:
    """All that was told of somebody's shifts in a span."""

    def found() -> EventsOf:
        shifts = Shift.objects.filter(staff=staff, day__range=(params["first"], params["last"]))
        return EventsOf(subject=("shift", tuple(shifts.order_by("pk").values_list("pk", flat=True))))

    return found


class ExposureForm(PeriodForm):
    """A span of days, and from which share on a pair is flagged."""

    share = forms.IntegerField(
        label=_("Señalar desde (% del tiempo)"), min_value=1, max_value=100, required=False
    )


_KINDS = {
    "croupier": Text("Croupier", "Dealer"),
    "supervisor": Text("Jefe de mesa", "Supervisor"),
    "player": Text("Jugador", "Player"),
}


class ExposureReport(Report):
    """Minutes and rounds together of croupiers, supervisors and players known by document."""

    identifier = "tables.exposure"
    title = Text("Quién coincide con quién", "Who stands with whom")
    rules = ("FLOOR-01", "GEN-10")
    act = audit_policies.MAKE_REPORTS
    form = ExposureForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        return [_section(casino, kinds, params) for kinds in exposure.PAIRS]


def _section(casino: Casino, kinds: tuple[str, str], params: Mapping[str, Any]) -> Section:
    first, second = (_KINDS[kind] for kind in kinds)

    def rows() -> Iterator[dict[str, Any]]:
        found = exposure.pairs(casino, kinds, params["first"], params["last"], clock.now())
        for pair in found:
            yield {
                "name": pair.name,
                "other": pair.other_name,
                "sessions": pair.sessions,
                "minutes": pair.minutes,
                "rounds": pair.rounds,
                "whole": pair.whole,
                "share": pair.share,
                "flag": _flag(pair, params.get("share") or exposure.SHARE),
                EVENTS: EventsOf(streams=behind.streams(pair.at), actions=TOGETHER),
            }

    return Section(
        "_".join(kinds),
        Text(f"{first.es} y {second.es.lower()}", f"{first.en} and {second.en.lower()}"),
        [
            Column("name", first),
            Column("other", second),
            Column("sessions", Text("Sesiones", "Sessions"), Kind.INT),
            Column("minutes", Text("Minutos juntos", "Minutes together"), Kind.INT),
            Column("rounds", Text("Pases", "Rounds"), Kind.INT),
            Column("whole", Text(f"Minutos de {first.es.lower()}", f"{first.en}'s minutes"), Kind.INT),
            Column("share", Text("Parte", "Share"), Kind.PERCENT),
            Column("flag", Text("Señal", "Flag")),
        ],
        rows,
    )


def _flag(pair: exposure.Pair, share: int) -> Text | str:
    return Text("concentrado", "concentrated") if pair.concentrated(share) else ""


for _report in (HoursReport, ExposureReport):
    register(_report)
