"""How the proof of the records stands: what the last night found, and what of the nights' work is late.

Asked as a page is drawn, and by the alerts of the floor. Pages ask it too because the alerts are raised by
the worker: where that is what stands still, nobody but whoever looks can tell (REC-06, REC-08).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from audits import findings
from audits.findings import Night
from audits.models import Incident
from audits.nightly_proof import ALTERED
from audits.sealing.sealing import unsealed_days, why_waiting
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino, GamingDay

LATE = dt.timedelta(hours=6)
"""How long after a day closed its proof and its seal are awaited, and after it ended somebody's look at it:
the house's practice. The jobs look every ten minutes; a proof of millions of events takes less than an hour.
"""


@dataclass(frozen=True, slots=True)
class Late:
    """One night's work that is overdue: `code` of day, proof or seal; the day; what to read of it."""

    code: str
    day: GamingDay
    words: Text
    rule: str


@dataclass(frozen=True, slots=True)
class Known:
    """Findings of the last night that an incident is about already: how many, and which."""

    count: int
    incident: Incident


def last_night(casino: Casino) -> tuple[Night, list[Known]] | None:
    """The last proof that ended, with the incidents its findings are under; None before the first."""
    last = findings.last_night(casino)
    if last is None:
        return None
    theirs = Incident.objects.filter(casino=casino, kind=ALTERED)
    about = {one.label: one for one in theirs.select_related("resolved_by", "resolved_with")}
    return last, [Known(count, about[label]) for label, count in last.under.items() if label in about]


def late(casino: Casino, instant: dt.datetime) -> Iterator[Late]:
    """What of the nights' work should have been done `LATE` ago and is not."""
    yield from _not_looked_at(casino, instant)
    closed = GamingDay.objects.filter(casino=casino, state=GamingDay.State.CLOSED)
    last = closed.order_by("-date").first()
    if last is not None and _over(last.closed_at, instant):
        proved = findings.last_night(casino)
        if proved is None or proved.day_id != last.pk:
            yield Late("proof", last, _unproved(last, proved), "REC-06")
    waiting = [day for day in unsealed_days(casino) if _over(day.closed_at, instant)][:1]
    for day, why in ((day, why_waiting([day])[day.pk]) for day in waiting):
        words = Text("el día {day} sigue sin sello: {why}", "day {day} still has no seal: {why}")
        yield Late("seal", day, words.fill(day=str(day), why=why), "REC-06")


def _not_looked_at(casino: Casino, instant: dt.datetime) -> Iterator[Late]:
    """The oldest day that is over and open: a day that something holds is looked at again all the time."""
    today = casino.gaming_day(instant)
    ended = GamingDay.objects.filter(casino=casino, state=GamingDay.State.OPEN, date__lt=today)
    day = ended.order_by("date").first()
    if day is None:
        return
    _, end = clock.day_bounds(day.date, casino.zone, casino.cutoff)
    if _over(end, instant) and (day.checked_at is None or _over(day.checked_at, instant)):
        words = Text(
            "nadie intenta cerrar el día {day} desde hace más de {n} h: avise a sistemas, los trabajos"
            " nocturnos no corren",
            "nobody has tried to close day {day} for more than {n} h: tell the system's staff, the nightly"
            " jobs do not run",
        )
        yield Late("day", day, words.fill(day=str(day), n=_hours()), "REC-08")


def _unproved(day: GamingDay, proved: Night | None) -> Text:
    if proved is None:
        words = Text(
            "los registros no se probaron después de cerrar el día {day}, ni nunca antes: avise a sistemas,"
            " la prueba nocturna no corre o no termina",
            "the records were not proved after day {day} was closed, nor ever before: tell the system's"
            " staff, the nightly proof does not run or does not end",
        )
        return words.fill(day=str(day))
    words = Text(
        "los registros no se probaron después de cerrar el día {day}; la última prueba fue tras el"
        " {last}: avise a sistemas, la prueba nocturna no corre o no termina",
        "the records were not proved after day {day} was closed; the last proof was after {last}: tell the"
        " system's staff, the nightly proof does not run or does not end",
    )
    return words.fill(day=str(day), last=proved.day)


def _over(since: dt.datetime | None, instant: dt.datetime) -> bool:
    return since is not None and instant - since > LATE


def _hours() -> int:
    return int(LATE.total_seconds() // 3600)
