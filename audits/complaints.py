"""The terms of a player's complaint: until when to file it, to answer it, to appeal; and to save the video.

The Bolivian text that survives states none. The count is the Chilean procedure's of 2011: calendar days for
the player's first step, working days afterwards. How many days, and which are holidays, is a setting of the
house; until it is set the Chilean days count, said to be unconfirmed. `deadlines` is pure: dates in, dates
out.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from audits import incidents, policies, trail
from audits.by import By
from audits.models import ComplaintTerms, Incident
from casino.kernel import locking
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino

SATURDAY = 5
MOST_DAYS = 365
MOST_HOLIDAYS = 200
RULE = "GEN-08"


@dataclass(frozen=True, slots=True)
class Terms:
    """Days of each step; `confirmed`: whether the house set them."""

    file_days: int = 15
    answer_days: int = 10
    appeal_days: int = 20
    video_days: int = 15
    holidays: frozenset[dt.date] = field(default_factory=frozenset)
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Deadlines:
    """The last day of each step; None for one that does not run yet. `in_time`: filed in time."""

    to_file: dt.date
    in_time: bool | None = None
    to_answer: dt.date | None = None
    to_appeal: dt.date | None = None
    video_until: dt.date | None = None


def deadlines(
    event: dt.date, terms: Terms, *, filed: dt.date | None = None, answered: dt.date | None = None
) -> Deadlines:
    """The deadlines of a complaint about something that happened on a day."""
    to_file = event + dt.timedelta(days=terms.file_days)
    return Deadlines(
        to_file=to_file,
        in_time=None if filed is None else filed <= to_file,
        to_answer=None if filed is None else working_days_after(filed, terms.answer_days, terms.holidays),
        to_appeal=None
        if answered is None
        else working_days_after(answered, terms.appeal_days, terms.holidays),
        video_until=event + dt.timedelta(days=terms.video_days),
    )


def working_days_after(day: dt.date, days: int, holidays: Collection[dt.date] = ()) -> dt.date:
    """The day so many working days after another, which is not counted itself."""
    found = day
    for _ in range(days):
        found += dt.timedelta(days=1)
        while found.weekday() >= SATURDAY or found in holidays:
            found += dt.timedelta(days=1)
    return found


# ---- of a house and of an incident ---------------------------------------------------------------------


def terms_of(casino: Casino) -> Terms:
    """The terms of a house as it set them last; the Chilean ones until then."""
    row = ComplaintTerms.objects.filter(casino=casino).order_by("-pk").first()
    if row is None:
        return Terms()
    holidays = frozenset(dt.date.fromisoformat(day) for day in row.holidays)
    return Terms(row.file_days, row.answer_days, row.appeal_days, row.video_days, holidays, confirmed=True)


def of_incident(incident: Incident, terms: Terms) -> Deadlines | None:
    """The deadlines of a dispute: it happened, and was filed, as it was opened; its resolution answers it."""
    if incident.kind != incidents.DISPUTE:
        return None
    zone = ZoneInfo(incident.casino.zone)
    day = incident.opened_at.astimezone(zone).date()
    answered = incident.resolved_at.astimezone(zone).date() if incident.resolved_at else None
    return deadlines(day, terms, filed=day, answered=answered)


@command(policies.SET_COMPLAINT_TERMS, setting=True)
def set_terms(
    *,
    file_days: int,
    answer_days: int,
    appeal_days: int,
    video_days: int,
    holidays: Sequence[dt.date],
    by: By,
) -> ComplaintTerms:
    """Set the terms of complaints from now on. Needs a reason. Raises `Refused` (`bad_terms`)."""
    reason = by.need_reason()
    days = {"file_days": file_days, "answer_days": answer_days, "appeal_days": appeal_days}
    days["video_days"] = video_days
    for name, value in days.items():
        if isinstance(value, bool) or not 1 <= value <= MOST_DAYS:
            raise _bad(name, f"de 1 a {MOST_DAYS} días", f"1 to {MOST_DAYS} days")
    listed = sorted(set(holidays))
    if len(listed) > MOST_HOLIDAYS:
        raise _bad("holidays", f"hasta {MOST_HOLIDAYS} feriados", f"up to {MOST_HOLIDAYS} holidays")
    locking.taking(locking.Rank.CASINO)
    row = ComplaintTerms.objects.create(
        casino=by.casino,
        holidays=[str(day) for day in listed],
        reason=reason,
        by=by.actor,
        at=by.occurred_at,
        **days,
    )
    trail.record(
        "audits.complaint.terms_set",
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("complaint_terms", row.pk, by.casino.name),
        by=by,
        data={**days, "holidays": row.holidays},
        rules=[RULE],
    )
    return row


def _bad(name: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_terms", rule=RULE, field=name)
