"""What the nights' proofs found, read back from the trail: which of it is known, and under which incident.

What was altered stays altered, and is found again each night. An incident is opened of it once: settling
that one does not put the record right, so the finding stays known, under the incident that settled it. What
says anything else than what is known is new (REC-06).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audits.models import Event
from audits.verify import Fault
from casino.models import Casino

STREAM, PROVED = "proofs", "audits.trail.proved"
MOST_KEPT = 2_000
"""Findings an event names one by one; of more it holds one digest of all, to which any change is new."""
_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Night:
    """One proof as the trail tells it: after which day, when, how many faults, and how many of them are under
    which incident, by its label."""

    day_id: int
    day: str
    at: dt.datetime
    count: int
    under: Mapping[str, int]


def marks_of(faults: Sequence[Fault]) -> list[str]:
    """What each finding is told again by: where it is and what is wrong there, hashed."""
    found = sorted({_mark(fault.where, fault.words.es) for fault in faults})
    if len(found) <= MOST_KEPT:
        return found
    return [hashlib.sha256("".join(found).encode()).hexdigest()]


def new_of(faults: Sequence[Fault], known: Mapping[str, Any]) -> list[Fault]:
    """The findings that no incident is about."""
    if len(faults) > MOST_KEPT:
        return [] if set(marks_of(faults)) <= set(known) else list(faults)
    return [fault for fault in faults if _mark(fault.where, fault.words.es) not in known]


def under_of(faults: Sequence[Fault], known: Mapping[str, str]) -> list[str]:
    """The incident each finding is known under, for those that are."""
    if len(faults) > MOST_KEPT:
        (mark,) = marks_of(faults)
        return [known[mark]] * len(faults) if mark in known else []
    marks = (_mark(fault.where, fault.words.es) for fault in faults)
    return [known[mark] for mark in marks if mark in known]


def known(casino: Casino) -> dict[str, str]:
    """The marks of what an incident was opened about, with its label."""
    found: dict[str, str] = {}
    for data, _ in _told(casino):
        if data.get("incident"):
            for mark in _marks(data):
                found.setdefault(mark, data["incident"])
    return found


def nights(casino: Casino) -> Iterator[Night]:
    """The proofs that ended, the last first."""
    for data, event in _told(casino, "-seq"):
        under = data.get("under", {})
        yield Night(event.subject_id, event.subject_label, event.occurred, data["count"], under)


def _marks(data: Mapping[str, Any]) -> list[str]:
    """The marks an event holds; of one from before there were any, those of the findings it lists."""
    if "new" in data:
        return list(data["new"])
    return [_mark(one["where"], one["es"]) for one in data.get("faults", ())]


def _told(casino: Casino, order: str = "seq") -> Iterator[tuple[dict[str, Any], Event]]:
    told = Event.objects.filter(stream__casino=casino, stream__name=STREAM, action=PROVED).order_by(order)
    for event in told.iterator(200):
        try:
            data = json.loads(bytes(event.body))["data"]
        except (ValueError, KeyError, TypeError):
            continue  # altered itself: the walk of its chain names it
        if isinstance(data, dict):
            yield data, event


def _mark(where: str, words: str) -> str:
    return hashlib.sha256(f"{where}\0{words}".encode()).hexdigest()[:_LENGTH]
