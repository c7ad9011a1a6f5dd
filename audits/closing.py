"""Closing what is due, for the nightly job and for `manage.py close_days` alike.

Per casino the days that have ended, oldest first; the first one that something holds ends the walk
of that casino, because each day is closed before the next one (REC-08).
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable
from dataclasses import dataclass

from audits import days, policies, row_digests
from audits.by import By, by_system
from audits.models import RowDigest
from casino.kernel import clock, permissions
from casino.kernel.errors import Busy
from casino.models import Casino, GamingDay

log = logging.getLogger(__name__)

JOB = "nightly-close"

Preparation = Callable[[Casino, dt.datetime], None]
_preparations: list[Preparation] = []


def register_preparation(preparation: Preparation) -> None:
    """Have `preparation(casino, instant)` done before the due days of a casino are closed: what a room above
    has to work out of them first."""
    if preparation not in _preparations:
        _preparations.append(preparation)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a casino's due days: closed ones in order, the held one, the ones behind it."""

    casino: Casino
    closed: tuple[GamingDay, ...]
    held: GamingDay | None
    waiting: tuple[GamingDay, ...]


def close_due_days(instant: dt.datetime | None = None, casino: Casino | None = None) -> list[Outcome]:
    """Close every due day of every casino (or of one) as of `instant` (UTC, now by default).

    A casino whose day is being worked on at this moment is left for the next run.
    """
    casinos = [casino] if casino is not None else list(Casino.objects.order_by("code"))
    outcomes = []
    for each in casinos:
        try:
            outcomes.append(_close_due(each, instant or clock.now()))
        except Busy:
            log.warning("%s: its days are in use; the next run closes them", each.code)
    return outcomes


def close_by_hand(day: GamingDay, by: By) -> GamingDay:
    """Close one day now, after what the night would have worked out first: a pool that nobody has proved yet
    holds it, and who closes it by hand has nobody to ask for that. Raises as `days.close_day`."""
    # Who may not close, or closes a day of another house, sets nothing going: `close_day` refuses them.
    may = permissions.may(by.actor, policies.CLOSE_DAY) and by.casino.pk == day.casino_id
    for preparation in _preparations if may else ():
        preparation(day.casino, clock.now())
    return days.close_day(day=day, by=by)


def digest(day: GamingDay) -> None:
    """Put on the trail what the rows of the tables that only grow add up to; another night where somebody
    is at work all the time."""
    up_to = row_digests.settled(day.casino)
    if up_to is None:
        log.warning("%s: rows are not digested on %s, a transaction stays open", day.casino.code, day)
        return
    row_digests.digest_rows(day=day, up_to=up_to, by=by_system(day.casino, JOB))


def _digest_left(casino: Casino) -> None:
    """The last closed day's digest, where somebody was at work when it closed or the job died there."""
    closed = GamingDay.objects.filter(casino=casino, state=GamingDay.State.CLOSED)
    last = closed.order_by("-date").first()
    if last is not None and not RowDigest.objects.filter(day=last).exists():
        digest(last)


def _close_due(casino: Casino, instant: dt.datetime) -> Outcome:
    for preparation in _preparations:
        preparation(casino, instant)
    _digest_left(casino)
    due = days.due_days(casino, instant)
    closed: list[GamingDay] = []
    for index, day in enumerate(due):
        result = days.close_day(day=day, by=by_system(casino, JOB))
        if result.state != GamingDay.State.CLOSED:
            log.warning("%s: %s is held by %s", casino.code, result, [h["code"] for h in result.held_by])
            return Outcome(casino, tuple(closed), result, tuple(due[index + 1 :]))
        closed.append(result)
        digest(result)
    return Outcome(casino, tuple(closed), None, ())
