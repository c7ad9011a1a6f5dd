"""What Celery is asked to do on the floor. Each task may run twice and at once; the functions bear it."""

from __future__ import annotations

from celery import shared_task

from tables import planning, watching
from tables.alerts import sweeping
from tables.bank import timekeeping
from tables.guests import recognising
from tables.roster.rota import ledger


@shared_task(name="tables.watch_shoes")
def watch_shoes() -> None:
    watching.look_at_all()


@shared_task(name="tables.apply_limits_plans")
def apply_limits_plans() -> None:
    planning.apply_all()


@shared_task(name="tables.watch_floor")
def watch_floor() -> None:
    recognising.ask_again_all()
    sweeping.sweep_all()


@shared_task(name="tables.close_auctions")
def close_auctions() -> None:
    timekeeping.close_due_all()


@shared_task(name="tables.note_fairness")
def note_fairness() -> None:
    ledger.note_all()
