"""Keys in exclusion constraints, for models that must not overlap in time."""

from __future__ import annotations

from django.db.models import F, Func, Value


def only(key: str) -> Func:
    """A key as a range of itself: spares the btree_gist extension; nobody (null) excludes nobody."""
    return Func(F(key), F(key), Value("[]"), function="int8range")
