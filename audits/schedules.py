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
from collections.abc import Iterator, Mapping
from typing import Any

from django.db import IntegrityError, transaction

from audits import exports, policies, trail
from audits.by import By, by_system
from audits.models import Export, ExportSchedule
from audits.reports import Report, formats, forms, get, provisional, registered
from casino.kernel import clock, locking, permissions, rulebook
from casino.kernel.commands import command, one_transaction
from casino.kernel.errors import Busy, Conflict, Refused, SabotError
from casino.kernel.words import Text
from casino.models import Casino

Every = ExportSchedule.Every
State = ExportSchedule.State
EVERY = {
    Every.DAILY.value: Text("cada día de juego", "every gaming day"),
    Every.MONTHLY.value: Text("cada mes", "every month"),
}
STREAM = exports.STREAM
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
    cleaned = forms.read(described.form, by.casino, {**params, **span_of(described, every, since)})
    kept = {
        name: value for name, value in forms.plain(cleaned).items() if name not in ("day", "first", "last")
    }
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
            Text("ese reporte ya está programado así", "that report is scheduled like this already"),
            code="schedule_exists",
        ) from error
    _tell("audits.schedule.ordered", schedule, by, {"since": since.isoformat()})
    return schedule


@command(policies.SCHEDULE_REPORT, setting=True)
def pause_schedule(*, schedule: ExportSchedule, by: By) -> ExportSchedule:
    """Make no more files of it until it is resumed. Raises `Conflict` (`schedule_state`)."""
    return _moved(schedule, by, "audits.schedule.paused", State.PAUSED, State.ACTIVE)


@command(policies.SCHEDULE_REPORT, setting=True)
def resume_schedule(*, schedule: ExportSchedule, by: By) -> ExportSchedule:
    """Go on from the period that is going on now. Raises `Conflict` (`schedule_state`)."""
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
                "la exportación programada ya no está así", "the scheduled export is not like that any more"
            ),
            code="schedule_state",
        )
    row.state = to
    if to == State.ACTIVE:
        row.since = max(row.since, first_of(row.every, by.casino.gaming_day(clock.now())))
    row.save(update_fields=["state", "since"])
    _tell(action, row, by, {"since": row.since.isoformat()})
    return row


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
        _order_owed(casino)
    made: list[int] = []
    for schedule in ExportSchedule.objects.filter(state=State.ACTIVE).select_related("casino").order_by("pk"):
        made += _make(schedule)
    return made


def _order_owed(casino: Casino) -> None:
    """REC-10: what the house owes the AJ each period is scheduled without anybody ordering it."""
    for identifier, report in registered().items():
        if not report.owed or ExportSchedule.objects.filter(casino=casino, report=identifier).exists():
            continue
        try:
            schedule_report(
                report=identifier,
                params={},
                every=rulebook.rule(report.owed).params["report_period"],
                format=Export.Format.PDF,
                language="es-bo",
                by=by_system(casino, exports.JOB),
            )
        except Conflict:
            continue  # another worker was first


def _make(schedule: ExportSchedule) -> list[int]:
    made = []
    for period in [period for period, _ in zip(due(schedule), range(MOST_AT_ONCE), strict=False)]:
        try:
            export = _make_one(schedule, period)
        except Busy:  # worth trying again: the next run does
            break
        except SabotError as refusal:
            # Nobody is there to be told: it waits until somebody has seen why.
            by = by_system(schedule.casino, exports.JOB, reason=refusal.say(schedule.language)[:500])
            pause_schedule(schedule=schedule, by=by)
            break
        if export is not None:
            made.append(export.pk)
    return made


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
        told = {"schedule": row.pk, "period": period.isoformat(), "ordered_by": row.ordered_by.name}
        by = by_system(row.casino, exports.JOB)
        return exports.ordered(order, by=by, requested_by=row.ordered_by, told=told)
