"""What of the floor a login sees: its casino; and a croupier who is nothing else, their own tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from casino.kernel.permissions import Role
from casino.models import User
from tables import policies
from tables.models import Assignment, Round, TableSession


def sessions_seen_by(user: User) -> Any:
    """The sessions this login may read: for a croupier those where they held a post."""
    seen = TableSession.objects.restrict(user, policies.READ_FLOOR)
    return seen.filter(pk__in=_worked_by(user)) if _only_own_tables(user) else seen


def rounds_seen_by(user: User) -> Any:
    """The rounds of the sessions this login may read."""
    seen = Round.objects.restrict(user, policies.READ_FLOOR)
    return seen.filter(session__in=_worked_by(user)) if _only_own_tables(user) else seen


def seen_among(user: User, sessions: Iterable[TableSession]) -> frozenset[int]:
    """The ids of those of these sessions of the user's casino that this login may read."""
    ids = [session.pk for session in sessions]
    if not _only_own_tables(user):
        return frozenset(ids)
    return frozenset(sessions_seen_by(user).filter(pk__in=ids).values_list("pk", flat=True))


def _only_own_tables(user: User) -> bool:
    return user.roles == {Role.CROUPIER}


def _worked_by(user: User) -> Any:
    return Assignment.objects.filter(staff__user=user).values("session")
