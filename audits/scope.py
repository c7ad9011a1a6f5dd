"""Querysets that never leave the casino of who asks (default deny)."""

from __future__ import annotations

from typing import TypeVar

from django.db import models

from casino.kernel import permissions
from casino.models import User

M = TypeVar("M", bound=models.Model)


class ScopedQuerySet(models.QuerySet[M]):
    """`restrict(user, act)`: the rows this person may do `act` on; none when the act is not theirs."""

    def restrict(self, user: User, act: str) -> ScopedQuerySet[M]:
        if not permissions.may(user, act):
            return self.none()
        return self.filter(casino_id=user.casino_id)
