"""The people and tables of the house in a copy, as the faults need them."""

from __future__ import annotations

import datetime as dt
from typing import Any

from audits.by import By, by_user
from audits.models import Actor
from casino.models import Casino, User
from tables.models import Assignment, Staff, TableSession


def casino() -> Casino:
    return Casino.objects.get()


def by(username: str, reason: str = "", *, at: dt.datetime | None = None) -> By:
    """By somebody of the demonstration house, now unless it is said when."""
    return by_user(User.objects.get(username=username), occurred_at=at, reason=reason)


def actor(username: str) -> Actor:
    found: Actor = User.objects.get(username=username).actor
    return found


def in_play(table: str) -> TableSession:
    """The session of a table that is open now."""
    rows = TableSession.objects.filter(table__name=table, state__in=TableSession.LIVE)
    return rows.select_related("table", "day", "casino", "shoe").get()


def at_post(session: TableSession, *posts: str) -> Staff:
    """Who stands at one of these posts of a table now."""
    return (
        Assignment.objects.filter(session=session, post__in=posts, during__endswith=None).earliest("pk").staff
    )


def free(game: str, *, supervises: bool = False) -> Staff:
    """Somebody fit for a game who stands at no table now."""
    busy = Assignment.objects.filter(during__endswith=None).values("staff")
    rows = Staff.objects.filter(active=True, supervises=supervises, games__contains=[game]).exclude(
        pk__in=busy
    )
    return rows.earliest("pk")


def said(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events of a stored log as they were sent: without when and by whom."""
    return [{key: value for key, value in event.items() if key not in ("at", "by")} for event in log]
