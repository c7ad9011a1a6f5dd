"""Rows narrowed to what a login may see."""

from __future__ import annotations

from typing import Any, Self

from django.db import models

from casino.kernel import permissions
from casino.models import User
from shoes import policies


class CasinoRows(models.QuerySet[Any]):
    """Rows that belong to one casino."""

    def restrict(self, user: User) -> Self:
        """Those of the user's casino, or none when no role of theirs may read the cards."""
        if not permissions.may(user, policies.READ):
            return self.none()
        return self.filter(casino=user.casino_id)
