"""What may be shown of a box: nothing anybody counted, until two teams have (FLOOR-11); and meanwhile nothing
that tells what it should hold.

Pages, API and reports read counts and float checks here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Q

from audits.models import Actor
from casino.kernel import permissions
from casino.models import Casino, User
from tables.models import BoxCount, DropBox, FloatCheck, TableSession
from tables.money import box_policies as policies


def counts_of(box: DropBox) -> list[BoxCount]:
    """The counts of a box in their order, with their teams; none while only one team has counted it."""
    rows = BoxCount.objects.filter(box=box).select_related("recorded_by").prefetch_related("team__person")
    found = list(rows.order_by("nth"))
    return found if len(found) > 1 else []


def counts_in(casino: Casino, **where: Any) -> Any:
    """Every count that may be shown, as a queryset; `where` narrows its boxes' sessions."""
    both = DropBox.objects.filter(casino=casino, **where).annotate(n=Count("counts")).filter(n__gt=1)
    return BoxCount.objects.filter(box__in=both.values("pk"))


def under_count(casino: Casino) -> Any:
    """Sessions whose drop somebody is about to count or counts: a drop box of theirs left the table and is
    not settled, or they closed and are not counted. What tells of their cash is kept back (FLOOR-11)."""
    on_its_way = DropBox.objects.filter(casino=casino, kind=DropBox.Kind.DROP).exclude(
        state__in=(DropBox.State.ON_TABLE, DropBox.State.SETTLED)
    )
    waits = Q(state=TableSession.State.CLOSED) | Q(pk__in=on_its_way.values("session"))
    return TableSession.objects.filter(waits, casino=casino)


def blind(user: User) -> bool:
    """Whether a login is of those who count: from the moment a table opens until it is counted, they are
    shown nothing that tells what its boxes should hold (FLOOR-11)."""
    return permissions.may(user, policies.COUNT_BOXES)


def checks_in(casino: Casino, *, blind: bool = False) -> Any:
    """Every float check that may be shown: those of sessions whose drop nobody is counting; to who will count
    it, and in reports (`blind`), of counted sessions alone."""
    rows = FloatCheck.objects.filter(casino=casino)
    if blind:
        rows = rows.filter(session__result__isnull=False)
    return rows.exclude(session__in=under_count(casino).values("pk"))


def counters(casino: Casino) -> Sequence[Actor]:
    """Who may be named as having counted, by name."""
    people = Actor.objects.filter(casino=casino, kind=Actor.Kind.STAFF, user__is_active=True)
    wanted = set(policies.COUNTERS)
    return [a for a in people.select_related("user").order_by("name", "pk") if a.roles & wanted]


def waiting(casino: Casino) -> Any:
    """Boxes that are not settled, those nearest to it first."""
    rows = DropBox.objects.filter(casino=casino).exclude(state=DropBox.State.SETTLED)
    return rows.select_related("session__table", "session__day", "incident").order_by(
        "removed_at", "session__table__name", "pk"
    )


def closed_without_box(casino: Casino) -> Any:
    """Closed sessions that wait for a drop box nobody knows of, none of the known ones being left to count:
    it is found, or there was none."""
    rows = TableSession.objects.filter(casino=casino, state=TableSession.State.CLOSED)
    drops = Count("boxes", filter=Q(boxes__kind=DropBox.Kind.DROP) & ~Q(boxes__state=DropBox.State.SETTLED))
    return rows.annotate(n=drops).filter(n=0).select_related("table", "day").order_by("closed_at", "pk")


def to_reconcile(casino: Casino) -> Any:
    """Counted sessions that wait for their two signatures."""
    rows = TableSession.objects.filter(casino=casino, state=TableSession.State.COUNTED)
    return rows.select_related("table", "day", "casino").order_by("closed_at", "pk")
