"""What Celery is asked to do for pools. Each task may run twice and at once; the functions bear it."""

from __future__ import annotations

import datetime as dt

from celery import shared_task

from jackpots import catching_up, standing


@shared_task(name="jackpots.prove_pools")
def prove_pools() -> None:
    """Hand out the nights that are due, each pool and day a task of its own."""
    for pool_id, day in catching_up.nights_to_send():
        prove_pool_day.delay(pool_id, str(day))


@shared_task(name="jackpots.prove_pool_day")
def prove_pool_day(pool_id: int, day: str) -> None:
    catching_up.prove_night(pool_id, dt.date.fromisoformat(day))


@shared_task(name="jackpots.look_at_approvals")
def look_at_approvals() -> None:
    """Suspend what runs on an approval that has lapsed."""
    standing.look_at_all()
