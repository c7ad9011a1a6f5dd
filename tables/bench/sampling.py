"""Where the time of a write goes: the stack is looked at every millisecond and the sample counted."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable
from types import FrameType

EVERY_SECONDS = 0.001

_PLACES = (
    ("the server, and the way there and back", ("/psycopg/connection.py:wait", "_exec_command")),
    ("JSON", ("/json/", "/kernel/canonical.py", "/rfc8785/")),
    ("the rules of the game", ("/tables/games/",)),
    ("psycopg", ("/psycopg/",)),
    ("Django", ("/django/",)),
)
_OURS = "the write functions themselves"


def report(work: Callable[[], object]) -> list[str]:
    """Lines with the share of each place in the time of `work`."""
    seen: Counter[str] = Counter()

    def look(_signal: int, frame: FrameType | None) -> None:
        seen[_place(frame)] += 1

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, EVERY_SECONDS, EVERY_SECONDS)
    try:
        work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    total = sum(seen.values()) or 1
    lines = [f"{count / total:6.0%}  {place}" for place, count in seen.most_common()]
    return ["Where the time of one client goes (stack looked at every millisecond):", *lines]


def _place(frame: FrameType | None) -> str:
    """The first known place from the innermost frame outwards."""
    while frame is not None:
        here = f"{frame.f_code.co_filename}:{frame.f_code.co_name}"
        for place, marks in _PLACES:
            if any(mark in here for mark in marks):
                return place
        if "/tables/" in here or "/audits/" in here or "/shoes/" in here:
            return _OURS
        frame = frame.f_back
    return "the rest"
