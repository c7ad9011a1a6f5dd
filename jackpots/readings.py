"""Meter readings in the proof: what was read beside what was shown, and what was shown beside the trail.

The trail of a pool says what it had collected when a reading was entered, whatever its rows say now.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from audits.models import Event
from jackpots import maths
from jackpots.adding_up import Sums
from jackpots.finding import Found
from jackpots.models import MeterReading, PoolMove

_COLLECTING = ("jackpots.pool.contributed", "jackpots.pool.uncontributed", "jackpots.version.begun")


def differing(sums: Sums) -> list[Found]:
    """Readings of the day that are not what the level held."""
    found = []
    for one in _of_day(sums):
        place = f"{one.level} #{one.pk}"
        held = held_at(sums, one)
        if held != one.shown:
            found.append(Found("reading_shown", place, str(held), str(one.shown)))
        if one.amount != one.shown:
            found.append(Found("reading", place, str(one.shown), str(one.amount)))
    return found


def listed(sums: Sums) -> list[list[object]]:
    """The day's readings for the proof's figures: level, reading, shown."""
    return [[one.level, one.amount, one.shown] for one in _of_day(sums)]


def _of_day(sums: Sums) -> Sequence[MeterReading]:
    rows = MeterReading.objects.filter(pool=sums.pool, day=sums.day)
    return list(rows.select_related("event").order_by("pk"))


def held_at(sums: Sums, reading: MeterReading) -> int:
    """What a level held when a reading was entered, added up from the trail before it."""
    event = reading.event
    before = Event.objects.filter(stream_id=event.stream_id, seq__lt=event.seq, action__in=_COLLECTING)
    last = before.order_by("-seq").first()
    if last is None:
        return 0
    said = json.loads(bytes(last.body))["data"]
    begun = last.action == "jackpots.version.begun"
    current = int(said["version_id"] if begun else said["version"])
    number = sums.versions[current][0].number
    total = 0
    for pk, (version, terms) in sums.versions.items():
        if version.number > number:
            continue
        collected = (0 if begun else int(said["collected"])) if pk == current else version.collected or 0
        rate = terms.numerators().get(reading.level)
        if rate is not None:
            total += maths.posted(collected, rate, sums.offsets(pk).get(reading.level, 0))
    moves = PoolMove.objects.filter(
        fund__pool=sums.pool,
        fund__code=reading.level,
        event__stream_id=event.stream_id,
        event__seq__lt=event.seq,
    )
    parts = moves.exclude(kind=PoolMove.Kind.VOID).values_list("players", "base")
    return total + sum(players + base for players, base in parts)
