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
    """What each finding is told again by: where it is, what is wrong and what stands there, hashed."""
    found = sorted({_mark_of(fault) for fault in faults})
    return found if len(found) <= MOST_KEPT else [_all_of(found)]


def new_of(faults: Sequence[Fault], known: Mapping[str, Any]) -> list[Fault]:
    """The findings that no incident is about."""
    if known.keys() >= set(marks_of(faults)):
        return []
    return [fault for fault in faults if _mark_of(fault) not in known]


def under_of(faults: Sequence[Fault], known: Mapping[str, str]) -> list[str]:
    """The incident each finding is known under, for those that are."""
    everything = _all_of(sorted({_mark_of(fault) for fault in faults}))
    if everything in known:
        return [known[everything]] * len(faults)
    return [known[mark] for mark in map(_mark_of, faults) if mark in known]


def known(casino: Casino) -> dict[str, str]:
    """The marks of what an incident was opened about, with its label. A night without a finding ends what was
    known of it: whoever put the record right and alters it once more is news."""
    found: dict[str, str] = {}
    for data, _ in _told(casino):
        if "found" in data:
            found = {mark: found[mark] for mark in data["found"] if mark in found}
        if data.get("incident"):
            for mark in _marks(data):
                found.setdefault(mark, data["incident"])
    return found


def last_night(casino: Casino) -> Night | None:
    """The last proof that ended."""
    for data, event in _told(casino, "-seq", 1):
        under = data.get("under", {})
        return Night(event.subject_id, event.subject_label, event.occurred, data["count"], under)
    return None


def _marks(data: Mapping[str, Any]) -> list[str]:
    """The marks an event holds; of one from before there were any, those of the findings it lists."""
    if "new" in data:
        return list(data["new"])
    return [_mark(one["where"], one["es"]) for one in data.get("faults", ())]


def _told(casino: Casino, order: str = "seq", at_once: int = 200) -> Iterator[tuple[dict[str, Any], Event]]:
    told = Event.objects.filter(stream__casino=casino, stream__name=STREAM, action=PROVED).order_by(order)
    for event in told.iterator(at_once):
        try:
            data = json.loads(bytes(event.body))["data"]
        except (ValueError, KeyError, TypeError):
            continue  # altered itself: the walk of its chain names it
        if isinstance(data, dict):
            yield data, event


def _mark_of(fault: Fault) -> str:
    return _mark(fault.where, fault.words.es, fault.seen)


def _mark(where: str, words: str, seen: str = "") -> str:
    """Without what stands there as the first nights marked it, when no proof told."""
    told = f"{where}\0{words}\0{seen}" if seen else f"{where}\0{words}"
    return hashlib.sha256(told.encode()).hexdigest()[:_LENGTH]


def _all_of(marks: Sequence[str]) -> str:
    """One mark of many findings."""
    return hashlib.sha256("".join(marks).encode()).hexdigest()
