"""Reports the house makes by itself: one file for each gaming day, or each month, as soon as it is over.

    active <-> paused        a period that ends meanwhile is not made up for
           -> removed        for good

`make_due` may run any number of times and at once: a period has one export (a unique constraint). After a
downtime it makes every period that was missed. A report that a rule asks for (`Report.owed`, REC-10) is
scheduled for each house by itself, until somebody pauses or removes it.
"""

from __future__ import annotations

import calendar
import datetime as dt
import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, InterfaceError, OperationalError, transaction
from django.db.models import Q

from audits import exports, policies, trail
from audits.by import By, by_system
from audits.models import Actor, Event, Export, ExportSchedule
from audits.reports import Report, formats, forms, get, provisional, registered
from casino.kernel import clock, locking, permissions, rulebook
from casino.kernel.commands import command, one_transaction
from casino.kernel.errors import Busy, Conflict, Refused, SabotError
from casino.kernel.words import Text
from casino.models import Casino

log = logging.getLogger(__name__)

Every = ExportSchedule.Every
State = ExportSchedule.State
EVERY = {
    Every.DAILY.value: Text("cada día de juego", "every gaming day"),
    Every.MONTHLY.value: Text("cada mes", "every month"),
}
_STATES = {
    State.ACTIVE.value: Text("activa", "active"),
    State.PAUSED.value: Text("en pausa", "paused"),
    State.REMOVED.value: Text("quitada", "removed"),
}
STREAM = exports.STREAM
PAUSED = "audits.schedule.paused"
PATIENCE = dt.timedelta(hours=24)
"""How long a period's days may take to be closed before its report is made all the same, as provisional."""
MOST_AT_ONCE = 40


# ---- ordering -------------------------------------------------------------------------------------


@command(policies.SCHEDULE_REPORT, setting=True)
def schedule_report(
    *, report: str, params: Mapping[str, Any], every: str, format: str, language: str, by: By
) -> ExportSchedule:
    """Have a report made each period, from the one that is going on. `params`: its other parameters.

    Raises what `exports.request_export` raises, `Refused` (`bad_every`, `report_has_no_period`), `Conflict`
    (`schedule_exists`).
    """
    described = get(report)
    permissions.require(by.actor, described.act)
    if every not in Every.values:
        raise Refused(
            Text("elija cada cuánto: daily o monthly", "choose how often: daily or monthly"),
            code="bad_every",
            field="every",
        )
    exports.require_format(format, formats.of(described))
    exports.require_language(language)
    since = first_of(every, by.casino.gaming_day(clock.now()))
    kept = _kept(described, by.casino, every, since, params)
    locking.taking(locking.Rank.SLIP_SERIES)
    try:
        with transaction.atomic():
            schedule = ExportSchedule.objects.create(
                casino=by.casino,
                report=report,
                params=kept,
                format=format,
                language=language,
                every=every,
                since=since,
                ordered_by=by.actor,
                ordered_at=by.occurred_at,
            )
    except IntegrityError as error:
        raise Conflict(
            Text(
                "ese reporte ya está programado así: reanúdelo si descansa, o elija otro formato o período",
                "that report is scheduled like this already: resume it if it rests, or choose another format"
                " or period",
            ),
            code="schedule_exists",
            rule="REC-10",
        ) from error
    _tell("audits.schedule.ordered", schedule, by, {"since": since.isoformat()})
    return schedule


def _kept(
    described: Report, casino: Casino, every: str, first: dt.date, params: Mapping[str, Any]
) -> dict[str, Any]:
    """The parameters of a schedule: all that the report asks for but the period."""
    cleaned = forms.read(described.form, casino, {**params, **span_of(described, every, first)})
    return {name: said for name, said in forms.plain(cleaned).items() if name not in ("day", "first", "last")}


@command(policies.SCHEDULE_REPORT, setting=True)
def pause_schedule(*, schedule: ExportSchedule, by: By) -> ExportSchedule:
    """Make no more files of it until it is resumed. Raises `Conflict` (`schedule_state`)."""
    return _moved(schedule, by, PAUSED, State.PAUSED, State.ACTIVE)


@command(policies.SCHEDULE_REPORT, setting=True)
def resume_schedule(*, schedule: ExportSchedule, by: By) -> ExportSchedule:
    """Go on from the period that is going on now; after a fault, from the one that could not be made. Raises
    `Conflict` (`schedule_state`)."""
    return _moved(schedule, by, "audits.schedule.resumed", State.ACTIVE, State.PAUSED)


@command(policies.SCHEDULE_REPORT, setting=True)
def remove_schedule(*, schedule: ExportSchedule, by: By) -> ExportSchedule:
    """Make no more files of it, for good. Raises `Conflict` (`schedule_state`)."""
    return _moved(schedule, by, "audits.schedule.removed", State.REMOVED, State.ACTIVE, State.PAUSED)


def _moved(schedule: ExportSchedule, by: By, action: str, to: State, *states: State) -> ExportSchedule:
    locking.taking(locking.Rank.SLIP_SERIES)
    row = ExportSchedule.objects.select_for_update(of=("self",)).select_related("casino").get(pk=schedule.pk)
    if row.state not in states:
        raise Conflict(
            Text(
                "la exportación programada está {state}, y así no se puede: lea la página otra vez; una"
                " que se quitó se programa de nuevo",
                "the scheduled export is {state}, and that is not possible then: read the page again; one"
                " that was removed is scheduled anew",
            ).fill(state=_STATES[row.state]),
            code="schedule_state",
            rule="REC-10",
        )
    if to == State.ACTIVE and pauses(row.casino, [row.pk])[row.pk].ordinary:
        # Nobody wanted the periods that a person paused it over; those a fault took are made up.
        row.since = max(row.since, first_of(row.every, by.casino.gaming_day(clock.now())))
    row.state = to
    row.save(update_fields=["state", "since"])
    _tell(action, row, by, {"since": row.since.isoformat()})
    return row


@dataclass(frozen=True, slots=True)
class Pause:
    """Why a schedule rests. `ordinary`: a person paused it; else the house did, since no file came of it."""

    reason: str
    ordinary: bool


def pauses(casino: Casino, schedules: Iterable[int]) -> dict[int, Pause]:
    """The last pause of each of these schedules, by what the trail tells."""
    events = (
        Event.objects.filter(
            casino=casino, action=PAUSED, subject_type="schedule", subject_id__in=list(schedules)
        )
        .select_related("actor")
        .order_by("seq")
    )
    return {
        event.subject_id: Pause(
            json.loads(bytes(event.body))["data"].get("reason", ""), event.actor.kind != Actor.Kind.SYSTEM
        )
        for event in events
    }


def _tell(action: str, schedule: ExportSchedule, by: By, data: Mapping[str, Any]) -> None:
    subject = trail.Subject("schedule", schedule.pk, f"#{schedule.pk}")
    about = {
        "report": schedule.report,
        "format": schedule.format,
        "every": schedule.every,
        "params": schedule.params,
        "language": schedule.language,
    }
    trail.record(action, stream=STREAM, subject=subject, by=by, data={**about, **data}, rules=["REC-10"])


# ---- periods --------------------------------------------------------------------------------------


def first_of(every: str, day: dt.date) -> dt.date:
    """The first day of the period a day lies in, which is also the period's name."""
    return day if every == Every.DAILY else day.replace(day=1)


def last_of(every: str, first: dt.date) -> dt.date:
    if every == Every.DAILY:
        return first
    return first.replace(day=calendar.monthrange(first.year, first.month)[1])


def span_of(report: Report, every: str, first: dt.date) -> dict[str, str]:
    """A period as the report's parameters. Raises `Refused` (`report_has_no_period`)."""
    fields = report.form.base_fields
    if "first" in fields and "last" in fields:
        return {"first": first.isoformat(), "last": last_of(every, first).isoformat()}
    if "day" in fields and every == Every.DAILY:
        return {"day": first.isoformat()}
    raise Refused(
        Text(
            "ese reporte no se hace por ese período: elija otro reporte, o cada día",
            "that report is not made for such a period: choose another, or every day",
        ),
        code="report_has_no_period",
        field="every",
    )


def due(schedule: ExportSchedule) -> Iterator[dt.date]:
    """The periods that are over and have no file yet, the oldest first."""
    casino, now = schedule.casino, clock.now()
    today = casino.gaming_day(now)
    made = set(Export.objects.filter(schedule=schedule).values_list("period", flat=True))
    first = schedule.since
    while (last := last_of(schedule.every, first)) < today:
        if first not in made:
            _start, end = clock.day_bounds(last, casino.zone, casino.cutoff)
            left = provisional.days_left(casino, {"first": first, "last": last})
            if left and now < end + PATIENCE:
                return
            yield first
        first = last + dt.timedelta(days=1)


# ---- making ---------------------------------------------------------------------------------------


def make_due() -> list[int]:
    """Order the file of each period that is over; the numbers of the exports. Safe twice and at once."""
    for casino in Casino.objects.order_by("pk"):
        for owed in not_ordered(casino):
            _order(casino, owed)
    made: list[int] = []
    for schedule in ExportSchedule.objects.filter(state=State.ACTIVE).select_related("casino").order_by("pk"):
        try:
            for export in _make(schedule):
                made.append(export)
        except (Busy, OperationalError, InterfaceError):
            # Worth trying again: the next run does.
            log.warning("schedule %s waits for the next run", schedule.pk, exc_info=True)
        except SabotError as refusal:
            _rest(schedule, refusal.say(schedule.language))
        except Exception as error:
            log.exception("schedule %s failed", schedule.pk)
            _rest(schedule, _FAULT.fill(kind=type(error).__name__).say(schedule.language))
    return made


_FAULT = Text(
    "error interno al pedirla ({kind}): avise a sistemas; al reanudarla se hacen los períodos que faltan",
    "internal error while ordering it ({kind}): tell the system's staff; resumed, it makes what is missing",
)


def _rest(schedule: ExportSchedule, reason: str) -> None:
    """Nobody is there to be told: it waits until somebody has seen why. The others go on."""
    try:
        pause_schedule(schedule=schedule, by=by_system(schedule.casino, exports.JOB, reason=reason[:500]))
    except (SabotError, OperationalError, InterfaceError):
        log.warning("schedule %s could not be paused", schedule.pk, exc_info=True)


@dataclass(frozen=True, slots=True)
class Owed:
    """A report that the house owes each period (REC-10), and that nobody has ordered yet."""

    report: str
    title: Text
    every: str


def not_ordered(casino: Casino) -> list[Owed]:
    """What the house owes the AJ each period and has no schedule for: the next run orders it.

    A schedule is for it when it makes the whole report each period, or is the one the house ordered itself,
    also when somebody removed that.
    """
    missing = []
    today = casino.gaming_day(clock.now())
    for identifier, report in registered().items():
        if not report.owed:
            continue
        every = rulebook.rule(report.owed).params["report_period"]
        whole = _kept(report, casino, every, first_of(every, today), {})
        asked = Q(every=every, params=whole) & ~Q(state=State.REMOVED)
        own = Q(ordered_by__kind=Actor.Kind.SYSTEM)
        if not ExportSchedule.objects.filter(asked | own, casino=casino, report=identifier).exists():
            missing.append(Owed(identifier, report.title, every))
    return missing


def _order(casino: Casino, owed: Owed) -> None:
    try:
        schedule_report(
            report=owed.report,
            params={},
            every=owed.every,
            format=Export.Format.PDF,
            language="es-bo",
            by=by_system(casino, exports.JOB),
        )
    except SabotError:  # another worker was first, or it is tried again by the next run
        log.warning("%s is not scheduled yet", owed.report, exc_info=True)


def _make(schedule: ExportSchedule) -> Iterator[int]:
    for period in [period for period, _ in zip(due(schedule), range(MOST_AT_ONCE), strict=False)]:
        export = _make_one(schedule, period)
        if export is not None:
            yield export.pk


def _make_one(schedule: ExportSchedule, period: dt.date) -> Export | None:
    with one_transaction():
        row = (
            ExportSchedule.objects.select_for_update(of=("self",))
            .select_related("casino", "ordered_by__user")
            .get(pk=schedule.pk)
        )
        taken = Export.objects.filter(schedule=row, period=period).exists()
        if taken or row.state != State.ACTIVE or period < row.since:
            return None
        described = get(row.report)
        # Whoever ordered it must still be allowed to: a login shut off orders nothing more.
        permissions.require(row.ordered_by, policies.MAKE_REPORTS)
        permissions.require(row.ordered_by, described.act)
        params = {**row.params, **span_of(described, row.every, period)}
        order = exports.Order(row.report, params, row.format, row.language, schedule=row, period=period)
        told = {
            "schedule": row.pk,
            "period": period.isoformat(),
            "ordered_by": row.ordered_by.name,
            "language": row.language,
        }
        by = by_system(row.casino, exports.JOB)
        return exports.ordered(order, by=by, requested_by=row.ordered_by, told=told)
