"""Time at the tables out of the turns people really held: in a row, at one table, since the last rest.

FLOOR-03: up to so many minutes in a row, then a rest of so many; being away for less is no rest and the
minutes before go on. SHI-013: a stay at one table ends at the latest after so many minutes; it goes on
through short rests, and ends when the person works elsewhere or was off the felt for `REST_ENDS_STAY`.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from casino.kernel.words import Text
from casino.models import Casino
from tables.floor_settings import settings_of
from tables.models import Assignment
from tables.roster import hours

REST_ENDS_STAY = 60
"""Minutes off the felt after which coming back to a table is a new stay."""
LOOK_BACK = dt.timedelta(hours=20)
"""No run of work and no stay that anybody would ask about began earlier."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn at a post. `end` None: it goes on. `deals`: not a supervisor's, so FLOOR-03 asks about it."""

    table: str
    post: str
    start: dt.datetime
    end: dt.datetime | None = None
    session: int = 0

    @property
    def deals(self) -> bool:
        return self.post != Assignment.Post.SUPERVISOR


@dataclass(frozen=True, slots=True)
class Limits:
    """Minutes: in a row, of a rest, at one table (None: no limit)."""

    in_a_row: int = 60
    rest: int = 20
    same_table: int | None = 180


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody stands at an instant. Minutes are whole.

    `table`, `post`, `session`, `since`: the turn they hold, empty between turns. `in_a_row`: worked since the
    last rest, 0 once they rested; `at_table`: the stay at the table they are or were last at. `last_rest`:
    when the last rest ended, None within what is looked back on. `rested`: minutes off the felt now. `due`:
    when a relief is due, None for supervisors and off the felt; `left`: minutes until then; `rule`: why then.
    """

    table: str = ""
    post: str = ""
    session: int = 0
    since: dt.datetime | None = None
    in_a_row: int = 0
    at_table: int = 0
    last_rest: dt.datetime | None = None
    rested: int = 0
    due: dt.datetime | None = None
    rule: str = ""
    left: int | None = None

    @property
    def over(self) -> bool:
        """Whether the relief was due before now: a flag, not a refusal."""
        return self.left is not None and self.left < 0

    @property
    def words(self) -> Text | None:
        """The flag in words, None when there is nothing to flag."""
        if not self.over:
            return None
        if self.rule == SAME_TABLE:
            return Text(
                f"{self.at_table} min en la misma mesa: cámbiela de mesa",
                f"{self.at_table} min at one table: move them to another",
            )
        return Text(f"{self.in_a_row} min seguidos: relévela", f"{self.in_a_row} min in a row: relieve them")


IN_A_ROW, SAME_TABLE = "FLOOR-03", ""
"""What `Standing.rule` says: the book's rule, or none for the house's limit at one table (SHI-013)."""


def stand(turns: Sequence[Turn], instant: dt.datetime, limits: Limits) -> Standing:
    """How a person stands at an instant, out of their turns in order of time. Pure."""
    past = [turn for turn in turns if turn.start <= instant]
    if not past:
        return Standing()
    last, end = past[-1], _end(past[-1], instant)
    holds = last.end is None or last.end > instant
    rested = 0 if holds else hours.minutes(end, instant)
    worked, last_rest = _in_a_row(past, instant, limits)
    rests_now = rested >= limits.rest
    stay = _stay(past, instant)
    at_table = hours.minutes(stay, end) if rested < REST_ENDS_STAY else 0
    due, rule = None, ""
    if holds and last.deals:
        due, rule = instant + dt.timedelta(minutes=limits.in_a_row) - worked, IN_A_ROW
        if limits.same_table is not None and (leave := stay + dt.timedelta(minutes=limits.same_table)) < due:
            due, rule = leave, SAME_TABLE
    return Standing(
        table=last.table if holds else "",
        post=last.post if holds else "",
        session=last.session if holds else 0,
        since=last.start if holds else None,
        in_a_row=0 if rests_now else int(worked.total_seconds() // 60),
        at_table=at_table,
        last_rest=last_rest,
        rested=rested,
        due=due,
        rule=rule,
        left=None if due is None else int((due - instant).total_seconds() // 60),
    )


def _in_a_row(
    past: Sequence[Turn], instant: dt.datetime, limits: Limits
) -> tuple[dt.timedelta, dt.datetime | None]:
    """Time worked since the last rest, as of the last turn, and when that rest ended."""
    worked = dt.timedelta(0)
    for place in range(len(past) - 1, -1, -1):
        turn = past[place]
        worked += _end(turn, instant) - turn.start
        before = _end(past[place - 1], instant) if place else None
        if before is not None and turn.start - before >= dt.timedelta(minutes=limits.rest):
            return worked, turn.start
    return worked, None


def _stay(past: Sequence[Turn], instant: dt.datetime) -> dt.datetime:
    """When the stay at the table of the last turn began."""
    start, table = past[-1].start, past[-1].table
    for turn in reversed(past[:-1]):
        away = start - _end(turn, instant)
        if turn.table != table or away >= dt.timedelta(minutes=REST_ENDS_STAY):
            break
        start = turn.start
    return start


def _end(turn: Turn, instant: dt.datetime) -> dt.datetime:
    return instant if turn.end is None else min(turn.end, instant)


def limits_of(casino: Casino) -> Limits:
    """The house's minutes (`FloorSettings`)."""
    found = settings_of(casino)
    return Limits(found.max_minutes_on_table, found.min_break_minutes, found.max_minutes_same_table)


def standing(casino: Casino, instant: dt.datetime) -> dict[int, Standing]:
    """By staff id, how everybody stands who held a post within `LOOK_BACK` of an instant. Two queries."""
    return {
        owner: stand(turns, instant, limits)
        for limits in [limits_of(casino)]
        for owner, turns in turns_of(casino, instant).items()
    }


def turns_of(casino: Casino, instant: dt.datetime, *, staff: int | None = None) -> dict[int, list[Turn]]:
    """The turns within `LOOK_BACK`, by staff id and in order of time. One query."""
    rows = Assignment.objects.filter(
        Q(during__endswith=None) | Q(during__endswith__gt=instant - LOOK_BACK), casino=casino
    ).filter(during__startswith__lte=instant)
    if staff is not None:
        rows = rows.filter(staff=staff)
    found: defaultdict[int, list[Turn]] = defaultdict(list)
    for owner, table, post, during, session in rows.order_by("during").values_list(
        "staff_id", "session__table__name", "post", "during", "session_id"
    ):
        found[owner].append(Turn(table, post, during.lower, during.upper, session))
    return dict(found)
