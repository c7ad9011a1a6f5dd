"""Reports as files: asked for, produced by a worker, listed with their SHA-256, handed out checked.

The row is the work order. `request_export` writes it, `produce` does it, `sweep` finds the orders
whose message was lost or whose worker died, `open_file` hands the file out. `produce` may be called
any number of times and at once: one caller claims the row, and a caller that lost its claim to
another (it was silent for `STALE_AFTER`) leaves nothing behind.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F
from django.db.models.functions import Coalesce

from audits import export_files, export_making, manifests, policies, trail
from audits.by import By, by_system
from audits.export_files import FINISHED
from audits.export_files import path_of as path_of
from audits.models import Actor, Export, ExportNames, ExportSchedule
from audits.reports import document, formats, forms, get, snapshot
from audits.reports.snapshot import ClaimLost
from casino.kernel import clock, locking, permissions
from casino.kernel.commands import command, one_transaction
from casino.kernel.errors import Busy, Conflict, NotAllowed, NotFound, Refused, SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text

log = logging.getLogger(__name__)

STREAM = "exports"
JOB = "exports"
STALE_AFTER = dt.timedelta(seconds=120)
MOST_ATTEMPTS = 3
MOST_SWEPT = 200
LANGUAGES = ("es-bo", "en")
PROVISIONAL = re.compile(r"(\.[a-z.]+)$")
ENDED = [
    "state", "finished_at", "failure", "file_name", "sha256", "size_bytes", "rows_sha256", "known_at",
    "manifest", "manifest_key", "manifest_signature",
]  # fmt: skip


_ENDED_UNMADE = {
    Export.State.CANCELLED.value: Text(
        "se canceló y no quedó nada del archivo: pídalo de nuevo",
        "it was called off and nothing of the file is left: ask for it again",
    ),
    Export.State.FAILED.value: Text(
        "no se pudo producir: vea la causa en su página y pídalo de nuevo",
        "it could not be produced: see the cause on its page and ask for it again",
    ),
}
_SOON = Text(
    "el archivo aún no está listo: espere a que termine, su página muestra el avance",
    "the file is not ready yet: wait until it is made, its page shows how far it is",
)
_NOT_READY = {**_ENDED_UNMADE, Export.State.WAITING.value: _SOON, Export.State.RUNNING.value: _SOON}
_OVER = {
    **_ENDED_UNMADE,
    Export.State.DONE.value: Text(
        "ya está listo y no se cancela: el archivo queda como se produjo; si no hace falta, no lo entregue",
        "it is made and no longer called off: the file stays as it was; not needed, leave it undelivered",
    ),
}


# ---- asking ---------------------------------------------------------------------------------------


@command(policies.MAKE_REPORTS)
def request_export(*, report: str, params: Mapping[str, Any], format: str, language: str, by: By) -> Export:
    """Order a report as a file. `params` are the form's values as a person or a program gives them.

    Raises `NotFound` for an unknown report, `NotAllowed` without the report's own act, `Refused`
    (codes `bad_params`, `bad_format`, `bad_language`, `report_too_long`) with the field. Who asks
    has no part in what the file says (REC-15).
    """
    permissions.require(by.actor, get(report).act)
    return ordered(Order(report, params, format, language), by=by, requested_by=by.actor, told={})


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for. `purpose`, `of`: about another export; `schedule`, `period`: made by itself."""

    report: str
    params: Mapping[str, Any]
    format: str
    language: str
    purpose: Export.Purpose = Export.Purpose.REPORT
    of: Export | None = None
    schedule: ExportSchedule | None = None
    period: dt.date | None = None


def ordered(order: Order, *, by: By, requested_by: Actor, told: Mapping[str, Any]) -> Export:
    """The same within another command. Raises `Refused` as `request_export` does."""
    described = get(order.report)
    require_format(order.format, formats.of(described) if order.of is None else formats.WRITERS)
    require_language(order.language)
    cleaned = forms.read(described.form, by.casino, order.params)
    total = None
    if order.purpose == Export.Purpose.REPORT:
        total = document.row_count(document.prepare(described, by.casino, cleaned, order.language))
        formats.refuse_too_long(order.format, total)
    export = Export.objects.create(
        casino=by.casino,
        report=order.report,
        params=forms.plain(cleaned),
        format=order.format,
        language=order.language,
        purpose=order.purpose,
        of=order.of,
        schedule=order.schedule,
        period=order.period,
        rows_total=total,
        file_name=_file_name(described.file_stem(cleaned), order),
        requested_by=requested_by,
    )
    record("audits.export.requested", export, by, {"params": export.params, "order": _told(export), **told})
    _send_on_commit(export.pk)
    return export


def _told(export: Export) -> dict[str, Any]:
    """What was asked for and by whom, beside what every event of an export says."""
    return {
        "language": export.language,
        "purpose": str(export.purpose),
        "of": export.of_id,
        "schedule": export.schedule_id,
        "period": export.period.isoformat() if export.period else None,
        "requested_by": export.requested_by_id,
        "requested_at": clock.stamp(export.requested_at),
    }


def require_format(format: str, known: Iterable[str] = formats.WRITERS) -> None:
    known = list(known)
    if format not in known:
        listed = ", ".join(known)
        raise Refused(
            Text("elija el formato: {listed}", "choose the format: {listed}").fill(listed=listed),
            code="bad_format",
            field="format",
        )


def require_language(language: str) -> None:
    if language not in LANGUAGES:
        raise Refused(
            Text("elija el idioma: es-bo o en", "choose the language: es-bo or en"),
            code="bad_language",
            field="language",
        )


def _file_name(stem: str, order: Order) -> str:
    told = f"{stem}-diferencia" if order.purpose == Export.Purpose.DIFFERENCE else stem
    return f"{told}.{formats.ENDINGS.get(order.format, order.format)}"


def _send_on_commit(export_id: int) -> None:
    """Tell the workers once the row is there. A broker that is down costs a minute: the sweep looks."""
    from audits.tasks import produce_export

    def send() -> None:
        produce_export.delay(export_id)

    transaction.on_commit(send, robust=True)


# ---- producing ------------------------------------------------------------------------------------


def produce(export_id: int) -> Export | None:
    """Make the file of an export. Returns the finished row, None when it was not there to be claimed.

    A refusal or a fault of the report ends in state `failed` with its reason. A lost database ends
    in the exception: the row stays as it is, and the sweep gives it to another worker.
    """
    export = _claim(export_id)
    if export is None:
        return None
    try:
        with snapshot.progress_of(export) as progress:
            made = export_making.make(export, progress)
        return _finish(export, made)
    except ClaimLost:
        log.warning("export %s was taken over by another worker", export.pk)
        return None
    except (Busy, OperationalError, InterfaceError):
        raise
    except SabotError as error:
        return _fail(export, error.say(export.language))
    except Exception as error:
        log.exception("export %s failed", export.pk)
        said = Text(
            f"error interno al producirlo ({type(error).__name__}); avise a sistemas",
            f"internal error while producing it ({type(error).__name__}); tell the system's staff",
        )
        return _fail(export, said.say(export.language))
    finally:
        export_files.remove_own_parts(export)


def _claim(export_id: int) -> Export | None:
    with one_transaction():
        export = (
            Export.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("casino", "of")
            .filter(pk=export_id)
            .first()
        )
        if export is None or not _is_free(export):
            return None
        if export.attempts >= MOST_ATTEMPTS:
            said = Text(
                "tres intentos se interrumpieron; pida un período menor o avise a sistemas",
                "three attempts were cut short; ask for a shorter period or tell the system's staff",
            )
            _note_failure(export, said.say(export.language))
            return None
        export.state, export.attempts = Export.State.RUNNING, export.attempts + 1
        export.heartbeat_at, export.rows_done = clock.now(), 0
        export.save(update_fields=["state", "attempts", "heartbeat_at", "rows_done"])
        return export


def _is_free(export: Export) -> bool:
    if export.state == Export.State.WAITING:
        return True
    beaten = export.heartbeat_at or export.requested_at
    return export.state == Export.State.RUNNING and clock.now() - beaten > STALE_AFTER


def _finish(export: Export, made: export_making.Made) -> Export:
    file = manifests.measured(made.file)
    with one_transaction():
        row = _still_ours(export)
        if made.yielded.days_left:
            # REC-08: what may still change says so also where the file has no head.
            row.file_name = PROVISIONAL.sub(r"-provisional\1", row.file_name, count=1)
        row.manifest = manifests.compose(row, made.yielded, file, made.measured_rows)
        row.manifest_key, row.manifest_signature = manifests.signed(row.casino, row.manifest)
        # Renamed under the row's lock: whoever holds the claim decides which file stands.
        os.replace(made.file, export_files.path_of(row))
        if made.rows is not None:
            os.replace(made.rows, export_files.rows_path_of(row))
        export_files.sync_folder()
        row.state, row.finished_at, row.failure = Export.State.DONE, clock.now(), ""
        row.sha256, row.size_bytes = file.sha256, file.size
        row.rows_sha256, row.known_at = made.measured_rows.sha256, made.yielded.known_at
        row.save(update_fields=ENDED)
        data = {
            "sha256": file.sha256,
            "size_bytes": file.size,
            "rows": row.rows_done,
            "rows_total": row.rows_total,
            "rows_sha256": row.rows_sha256,
            "manifest_sha256": manifests.digest_of(row),
            "known_at": clock.stamp(made.yielded.known_at),
            "file_name": row.file_name,
            "finished_at": clock.stamp(row.finished_at),
            "manifest_key": row.manifest_key,
            "signature_sha256": hashlib.sha256(row.manifest_signature or b"").hexdigest(),
        }
        ExportNames.objects.create(casino=row.casino, export=row, named=made.named)
        record(FINISHED, row, by_system(row.casino, JOB), data)
    return row


def _fail(export: Export, failure: str) -> Export | None:
    with one_transaction():
        try:
            row = _still_ours(export)
        except ClaimLost:
            return None
        _note_failure(row, failure)
    return row


def _note_failure(export: Export, failure: str) -> None:
    export.state, export.finished_at, export.failure = Export.State.FAILED, clock.now(), failure
    export.save(update_fields=["state", "finished_at", "failure"])
    record("audits.export.failed", export, by_system(export.casino, JOB), {"failure": failure})


def _still_ours(export: Export) -> Export:
    """The row locked, if this attempt still holds it. Raises `ClaimLost`."""
    row = Export.objects.select_for_update(of=("self",)).select_related("casino", "of").get(pk=export.pk)
    if row.state != Export.State.RUNNING or row.attempts != export.attempts:
        raise ClaimLost(export.pk)
    return row


# ---- calling off ----------------------------------------------------------------------------------


@command(policies.MAKE_REPORTS)
def cancel_export(*, export: Export, by: By) -> Export:
    """Call off an export that is not finished. Its worker stops at its next note of progress; nothing stays.

    Raises `NotAllowed` for another person's unless compliance asks, `Conflict` (`export_over`) when it ended.
    """
    require_own(export, by)
    locking.taking(locking.Rank.SLIP_SERIES)
    row = Export.objects.select_for_update(of=("self",)).select_related("casino", "of").get(pk=export.pk)
    if row.requested_by_id != by.actor.pk and Role.COMPLIANCE not in by.actor.roles:
        raise NotAllowed(
            Text(
                "lo cancela quien lo pidió o cumplimiento: pídaselo a {who}",
                "who asked for it calls it off, or compliance: ask {who}",
            ).fill(who=row.requested_by.name),
            code="not_yours",
        )
    if row.state not in (Export.State.WAITING, Export.State.RUNNING):
        raise Conflict(
            _OVER[row.state],
            code="export_over",
            rule="REC-07",
        )
    row.state, row.finished_at = Export.State.CANCELLED, clock.now()
    row.save(update_fields=["state", "finished_at"])
    record("audits.export.cancelled", row, by, {"rows": row.rows_done})
    transaction.on_commit(lambda: export_files.remove_parts(row), robust=True)
    return row


# ---- sweeping -------------------------------------------------------------------------------------


def sweep() -> list[int]:
    """Send again the exports nobody works on: message lost, broker emptied, worker killed.

    Returns their ids, at most `MOST_SWEPT`: the next run has the others. One that waits is sent again at most
    once per `STALE_AFTER`, so those come first: they make room, while one whose worker was killed stays.
    """
    silent_since = clock.now() - STALE_AFTER
    with one_transaction():
        idle = list(
            Export.objects.select_for_update(skip_locked=True)
            .filter(state__in=[Export.State.WAITING, Export.State.RUNNING])
            .annotate(beaten=Coalesce("heartbeat_at", "requested_at"))
            .filter(beaten__lt=silent_since)
            .order_by(F("state").desc(), "pk")[:MOST_SWEPT]
        )
        for export in idle:
            if export.state == Export.State.WAITING:
                Export.objects.filter(pk=export.pk).update(heartbeat_at=clock.now())
            _send_on_commit(export.pk)
    return [export.pk for export in idle]


# ---- handing out ----------------------------------------------------------------------------------


def open_file(*, export: Export, by: By) -> BinaryIO:
    """The file of a finished export, open for reading, its download on the trail (REC-11).

    Raises what `require_done` raises, and `Conflict` when the bytes no longer give the SHA-256 noted when it
    was produced (`export_changed`, REC-06); that too is put on the trail.
    """
    require_done(export, by, policies.READ_REPORTS)
    file = export_files.open_unchanged(export)
    if file is None:
        _note_change(export=export, by=by)
        raise export_files.changed()
    try:
        _note_download(export=export, by=by)
    except BaseException:
        file.close()
        raise
    return file


def require_done(export: Export, by: By, act: str) -> None:
    """Raises `NotFound` for another casino's export, `NotAllowed` without the act or the report's own,
    `Conflict` (`export_not_ready`) when it is not finished."""
    permissions.require(by.actor, act)
    require_own(export, by)
    if export.state != Export.State.DONE:
        raise Conflict(_NOT_READY[export.state], code="export_not_ready")


def require_own(export: Export, by: By) -> None:
    """Raises `NotFound` for another casino's export, `NotAllowed` without the report's own act."""
    permissions.require(by.actor, get(export.report).act)
    if export.casino_id != by.casino.pk:
        raise NotFound(
            Text(
                "no hay tal reporte en esta casa: búsquelo en la lista de reportes, o pídalo",
                "there is no such report in this house: look for it among the reports, or ask for it",
            ),
            code="export_unknown",
        )


@command(policies.READ_REPORTS)
def _note_download(*, export: Export, by: By) -> None:
    record("audits.export.downloaded", export, by, {"sha256": export.sha256})


@command(policies.READ_REPORTS)
def _note_change(*, export: Export, by: By) -> None:
    log.error("the file of export %s is not the one produced", export.pk)
    record("audits.export.refused", export, by, {"sha256": export.sha256})


def record(
    action: str, export: Export, by: By, data: Mapping[str, Any], rules: Sequence[str] = ("REC-15",)
) -> None:
    subject = trail.Subject("export", export.pk, f"#{export.pk}")
    told = {"report": export.report, "format": export.format, **data}
    trail.record(action, stream=STREAM, subject=subject, by=by, data=told, rules=rules)
