"""By when somebody has to do something about a filing, and what of it is due (REC-09).

Three things come due: the deadline noted with a filing (`due_on`: to present it, the AJ's answer, an answer
to the AJ), the end of an approval's validity, and a draft or a presented filing that nobody moves. An
approval that another valid one of its kind outlives ends without anybody having to do anything.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Case, DateField, Exists, F, IntegerField, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, Least

from audits import filing_validity as validity
from audits import filings, policies
from audits.by import By
from audits.models import Filing
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from casino.models import Casino

WARN_DAYS = 15
"""How long before an approval ends it is warned of: the house's practice."""
LONGEST_FOR = 120
State = Filing.State
WAITING = (State.DRAFT, State.PRESENTED)
DUE_STATES = (State.DRAFT, State.PRESENTED, State.APPROVED)


class Pressing(StrEnum):
    """How much a filing presses, the worst first."""

    OVERDUE = "overdue"
    SOON = "soon"
    WAITING = "waiting"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Due:
    """What is due of a filing: how it presses, until when, and for what."""

    pressing: Pressing
    day: dt.date | None
    words: Text


@command(policies.DRAFT_FILING)
def set_due(*, filing: Filing, due_on: dt.date | None, due_for: str, by: By) -> Filing:
    """Note until when what has to be done about a filing, or with no date that nothing has to.

    Raises `Conflict` (`filing_state`), `Refused` (`bad_due`, `due_for_missing`).
    """
    said = texts.line(due_for, "due_for", LONGEST_FOR, code="bad_due", rule="REC-09", least=0)
    validity.require_due(due_on, by)
    if due_on is not None and not said:
        raise Refused(
            Text("escriba qué hay que hacer hasta esa fecha", "write what has to be done until that date"),
            code="due_for_missing",
            rule="REC-09",
            field="due_for",
        )
    found = filings.lock(filing, by, *DUE_STATES)
    found.due_on, found.due_for = due_on, said if due_on else ""
    found.save(update_fields=["due_on", "due_for"])
    filings.tell("audits.filing.due_set", found, by, validity.due_told(found))
    return found


# ---- what is due ---------------------------------------------------------------------------------------


def today(casino: Casino, instant: dt.datetime) -> dt.date:
    """The day deadlines are counted by: the calendar's, not the gaming day."""
    return instant.astimezone(ZoneInfo(casino.zone)).date()


def of(filing: Filing, day: dt.date, *, renewed: bool = False) -> Due:
    """What is due of a filing on a day. `renewed`: another approval of its kind outlives it."""
    first = min((one for one in _dates(filing, renewed)), default=None, key=lambda one: one[0])
    if first is not None and first[0] < day:
        return Due(Pressing.OVERDUE, first[0], first[1])
    if first is not None and first[0] <= day + dt.timedelta(days=WARN_DAYS):
        return Due(Pressing.SOON, first[0], first[1])
    if filing.state == State.DRAFT:
        return Due(Pressing.WAITING, first and first[0], Text("por presentar", "to be presented"))
    if filing.state == State.PRESENTED and _awaits_answer(filing):
        return Due(
            Pressing.WAITING, first and first[0], Text("se espera la respuesta", "an answer is awaited")
        )
    return Due(Pressing.NONE, first and first[0], first[1] if first else Text("", ""))


def words_of(filing: Filing) -> Text:
    """What has to be done until its deadline, as it was noted."""
    said = filing.due_for
    return Text(said, "answer of the AJ" if said == validity.ANSWER else said)


def _dates(filing: Filing, renewed: bool) -> Iterable[tuple[dt.date, Text]]:
    if filing.due_on is not None and filing.state in DUE_STATES:
        yield filing.due_on, words_of(filing)
    if filing.state == State.APPROVED and filing.valid_until is not None and not renewed:
        yield filing.valid_until, Text("termina la vigencia", "its validity ends")


def _awaits_answer(filing: Filing) -> bool:
    known = filings.kinds().get(filing.kind)
    return known is None or known.approval


def with_renewed(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Rows that know whether another approval of their kind, about the same thing, outlives them."""
    longer = Filing.objects.filter(
        casino=OuterRef("casino"),
        kind=OuterRef("kind"),
        subject_type=OuterRef("subject_type"),
        subject_id=OuterRef("subject_id"),
        state=State.APPROVED,
    ).exclude(pk=OuterRef("pk"))
    # What is about the house as a whole names its game, or is about the same facts.
    longer = longer.filter(Q(facts=OuterRef("facts")) | Q(facts__game=OuterRef("facts__game")))
    plain = longer.filter(Q(valid_until=None) | Q(valid_until__gt=OuterRef("valid_until")))
    return rows.annotate(renewed=Exists(plain))


def in_order(rows: QuerySet[Any], day: dt.date) -> QuerySet[Any]:
    """What is due first: overdue, then what ends within 15 days, what waits for somebody, the rest newest
    first."""
    ends = Case(
        When(state=State.APPROVED, renewed=False, then=F("valid_until")),
        default=None,
        output_field=DateField(),
    )
    noted = Case(When(state__in=DUE_STATES, then=F("due_on")), default=None, output_field=DateField())
    kinds = [kind.code for kind in filings.kinds().values() if not kind.approval]
    waits = Q(state=State.DRAFT) | Q(state=State.PRESENTED) & ~Q(kind__in=kinds)
    rows = with_renewed(rows).annotate(due=Least(Coalesce(noted, ends), Coalesce(ends, noted)))
    place = Case(
        When(due__lt=day, then=Value(0)),
        When(due__lte=day + dt.timedelta(days=WARN_DAYS), then=Value(1)),
        When(waits, then=Value(2)),
        default=Value(3),
        output_field=IntegerField(),
    )
    return rows.annotate(place=place).order_by("place", F("due").asc(nulls_last=True), "-pk")


def pressing(casino: Casino, instant: dt.datetime) -> list[tuple[Filing, Due]]:
    """The filings of a house that are overdue or come due within 15 days, the first first."""
    day = today(casino, instant)
    soon = day + dt.timedelta(days=WARN_DAYS)
    asked = Q(due_on__lte=soon, state__in=DUE_STATES) | Q(valid_until__lte=soon, state=State.APPROVED)
    found = [
        (row, of(row, day, renewed=row.renewed))
        for row in in_order(Filing.objects.filter(asked, casino=casino), day)
    ]
    return [(row, due) for row, due in found if due.pressing in (Pressing.OVERDUE, Pressing.SOON)]
