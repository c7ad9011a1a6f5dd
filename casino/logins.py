"""Whether a login may still be signed in, beyond being active: asked at every request, page or API.

A room that lets people in for a time registers here; the edge knows none of them.
"""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.backends import ModelBackend

from casino.models import User

Over = Callable[[User], bool]
_over: list[Over] = []


def register_over(over: Over) -> None:
    """Have `over(user)` asked whether a login's time is over."""
    if over not in _over:
        _over.append(over)


def is_over(user: User) -> bool:
    return any(over(user) for over in _over)


class Backend(ModelBackend):
    """Django's own, which asks too whether a login's time is over."""

    def user_can_authenticate(self, user: User | None) -> bool:  # type: ignore[override]
        return super().user_can_authenticate(user) and user is not None and not is_over(user)
