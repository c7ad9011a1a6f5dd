"""What Celery is asked to do on the floor. Each task may run twice and at once; the functions bear it."""

from __future__ import annotations

from celery import shared_task

from tables import watching


@shared_task(name="tables.watch_shoes")
def watch_shoes() -> None:
    watching.look_at_all()
