"""What Celery is asked to do here. Each task may run twice and at once; the functions bear it."""

from __future__ import annotations

from celery import shared_task

from audits import closing, exports, housekeeping, nightly_proof, schedules
from audits.persons import erasing
from audits.sealing import sealing


@shared_task(name="audits.produce_export")
def produce_export(export_id: int) -> None:
    exports.produce(export_id)


@shared_task(name="audits.sweep_exports")
def sweep_exports() -> None:
    exports.sweep()


@shared_task(name="audits.close_due_days")
def close_due_days() -> None:
    closing.close_due_days()
    sealing.seal_due_days()


@shared_task(name="audits.seal_due_days")
def seal_due_days() -> None:
    sealing.seal_due_days()


@shared_task(name="audits.sweep_stale")
def sweep_stale() -> None:
    housekeeping.sweep()


@shared_task(name="audits.pseudonymise")
def pseudonymise() -> None:
    erasing.carry_out_all()


@shared_task(name="audits.make_due_exports")
def make_due_exports() -> None:
    schedules.make_due()


@shared_task(name="audits.prove_closed_days")
def prove_closed_days() -> None:
    nightly_proof.prove_closed_days()
