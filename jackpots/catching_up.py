"""Nights that are due are proved in order, oldest first, before their days close; missed ones are caught up.

A night is due from the end of its gaming day until that day closes, and each look proves it again: what
nobody touched costs a reading and writes nothing. One that was cut short (a worker killed in the middle) left
nothing, and the next look begins with it.
"""

from __future__ import annotations

import datetime as dt
import logging

from audits.by import by_system
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.models import Casino, GamingDay
from jackpots import proving
from jackpots.models import Pool, Proof

JOB = "pool-proof"
log = logging.getLogger(__name__)


def due_nights(casino: Casino, instant: dt.datetime | None = None) -> list[tuple[Pool, dt.date]]:
    """Each pool with each day to prove, oldest first: days that ended and are open, and days that closed with
    a difference not yet marked as explained."""
    today = casino.gaming_day(instant or clock.now())
    ended = GamingDay.objects.filter(casino=casino, state=GamingDay.State.OPEN, date__lt=today)
    due = {(day, pool.pk): pool for day in _dates(ended) for pool in proving.concerned(casino, day)}
    differing = Proof.objects.filter(casino=casino, state=Proof.State.DIFFERENT).select_related(
        "pool__casino"
    )
    due |= {(proof.day, proof.pool_id): proof.pool for proof in differing}
    return [(pool, day) for (day, _), pool in sorted(due.items(), key=lambda one: one[0])]


def _dates(days: object) -> list[dt.date]:
    return list(days.order_by("date").values_list("date", flat=True))  # type: ignore[attr-defined]


def prove_in_order(pool: Pool, until: dt.date, instant: dt.datetime | None = None) -> list[Proof]:
    """Prove what is due of a pool up to a day, oldest first. What cannot be proved ends the walk: a later
    night stands on the ones before it."""
    done = []
    for one, day in due_nights(pool.casino, instant):
        if one.pk == pool.pk and day <= until:
            done.append(proving.prove(pool=pool, day=day, by=by_system(pool.casino, JOB)))
    return done


def prove_due(casino: Casino, instant: dt.datetime) -> None:
    """Prove all that is due of a casino, before its days close."""
    for pool, day in due_nights(casino, instant):
        prove_night(pool.pk, day)


def nights_to_send(instant: dt.datetime | None = None) -> list[tuple[int, dt.date]]:
    """What a sweep hands out, for every house: a pool with each of its days, oldest first."""
    return [
        (pool.pk, day)
        for casino in Casino.objects.order_by("code")
        for pool, day in due_nights(casino, instant)
    ]


def prove_night(pool_id: int, day: dt.date) -> None:
    """One task's work: a pool's day, after those before it that are due. A refusal is tried again at the next
    look."""
    pool = Pool.objects.select_related("casino").get(pk=pool_id)
    try:
        prove_in_order(pool, day)
    except SabotError as refusal:
        log.warning("pool %s, %s: %s", pool.name, day, refusal)
