"""People at work: shifts, the hours they make, certificates, time at the tables, and the plan of posts.

`next_post` is where the plan of posts meets everybody else: whoever shows a croupier what comes next asks it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class NextPost:
    """What the applied plan has for somebody after now, at an instant (UTC); `table` empty: a rest."""

    at: dt.datetime
    table: str = ""
    post: str = ""


_plan: list[Callable[[Any, dt.datetime], NextPost | None]] = []


def register_plan(ask: Callable[[Any, dt.datetime], NextPost | None]) -> None:
    """Have the plan of posts answer `next_post`; registered at start-up."""
    _plan[:] = [ask]


def next_post(staff: Any, instant: dt.datetime) -> NextPost | None:
    """Where a `Staff` goes next by the plan in force, None where none says."""
    return _plan[0](staff, instant) if _plan else None
