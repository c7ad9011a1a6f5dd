"""Reports as files: asked for, produced by a worker, listed with their SHA-256, handed out checked.

The row is the work order. `request_export` writes it, `produce` does it, `sweep` finds the orders
whose message was lost or whose worker died, `open_file` hands the file out. `produce` may be called
any number of times and at once: one caller claims the row, and a caller that lost its claim to
another (it was silent for `STALE_AFTER`) leaves nothing behind.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import logging
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models.functions import Coalesce

from audits import policies, trail
from audits.by import By, by_system
from audits.models import Event, Export
from audits.reports import document, formats, forms, get, snapshot
from audits.reports.snapshot import ClaimLost
from casino.kernel import clock, permissions
from casino.kernel.commands import command, one_transaction
from casino.kernel.errors import Conflict, NotFound, Refused, SabotError
from casino.kernel.words import Text

log = logging.getLogger(__name__)

STREAM = "exports"
JOB = "exports"
FINISHED = "audits.export.finished"
STALE_AFTER = dt.timedelta(seconds=120)
MOST_ATTEMPTS = 3
LANGUAGES = ("es-bo", "en")


# ---- asking ---------------------------------------------------------------------------------------


@command(policies.MAKE_REPORTS)
def request_export(*, report: str, params: Mapping[str, Any], format: str, language: str, by: By) -> Export:
    """Order a report as a file. `params` are the form's values as a person or a program gives them.

    Raises `NotFound` for an unknown report, `NotAllowed` without the report's own act, `Refused`
    (codes `bad_params`, `bad_format`, `bad_language`, `report_too_long`) with the field. Who asks
    has no part in what the file says (REC-15).
    """
    described = get(report)
    permissions.require(by.actor, described.act)
    if format not in formats.WRITERS:
        raise Refused(
            Text("elija el formato: csv, xlsx o pdf", "choose the format: csv, xlsx or pdf"),
            code="bad_format",
            field="format",
        )
    if language not in LANGUAGES:
        raise Refused(
            Text("elija el idioma: es-bo o en", "choose the language: es-bo or en"),
            code="bad_language",
            field="language",
        )
    cleaned = forms.read(described.form, by.casino, params)
    total = document.row_count(document.prepare(described, by.casino, cleaned, language))
    formats.refuse_too_long(format, total)
    export = Export.objects.create(
        casino=by.casino,
        report=report,
        params=forms.plain(cleaned),
        format=format,
        language=language,
        rows_total=total,
        file_name=f"{described.file_stem(cleaned)}.{format}",
        requested_by=by.actor,
    )
    _record("audits.export.requested", export, by, {"params": export.params, "language": language})
    _send_on_commit(export.pk)
    return export


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
    part = _folder() / f"{export.pk}.{export.attempts}.part"
    try:
        _write(export, part)
        return _finish(export, part)
    except ClaimLost:
        log.warning("export %s was taken over by another worker", export.pk)
        return None
    except (OperationalError, InterfaceError):
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
        part.unlink(missing_ok=True)


def _claim(export_id: int) -> Export | None:
    with one_transaction():
        export = (
            Export.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("casino")
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


def _write(export: Export, part: Path) -> None:
    """Write the whole report to `part`, all of it from one snapshot of the data, and flush to disk."""
    described = get(export.report)
    with snapshot.progress_of(export) as progress, snapshot.one_moment():
        cleaned = forms.read(described.form, export.casino, export.params)
        made = document.prepare(described, export.casino, cleaned, export.language)
        progress.total(document.row_count(made))
        formats.WRITERS[export.format](made, part, progress)
        progress.flush()
    with part.open("rb") as file:
        os.fsync(file.fileno())


def _finish(export: Export, part: Path) -> Export:
    with part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    size = part.stat().st_size
    with one_transaction():
        row = _still_ours(export)
        # Renamed under the row's lock: whoever holds the claim decides which file stands.
        os.replace(part, path_of(row))
        _sync_folder()
        row.state, row.finished_at, row.failure = Export.State.DONE, clock.now(), ""
        row.sha256, row.size_bytes = digest, size
        row.save(update_fields=["state", "finished_at", "failure", "sha256", "size_bytes"])
        by = by_system(row.casino, JOB)
        data = {"sha256": digest, "size_bytes": size, "rows": row.rows_done}
        _record(FINISHED, row, by, data)
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
    _record("audits.export.failed", export, by_system(export.casino, JOB), {"failure": failure})


def _still_ours(export: Export) -> Export:
    """The row locked, if this attempt still holds it. Raises `ClaimLost`."""
    row = Export.objects.select_for_update(of=("self",)).select_related("casino").get(pk=export.pk)
    if row.state != Export.State.RUNNING or row.attempts != export.attempts:
        raise ClaimLost(export.pk)
    return row


# ---- sweeping -------------------------------------------------------------------------------------


def sweep() -> list[int]:
    """Send again the exports nobody works on: message lost, broker emptied, worker killed.

    Returns their ids. A row is sent again at most once per `STALE_AFTER`.
    """
    silent_since = clock.now() - STALE_AFTER
    with one_transaction():
        idle = list(
            Export.objects.select_for_update(skip_locked=True)
            .filter(state__in=[Export.State.WAITING, Export.State.RUNNING])
            .annotate(beaten=Coalesce("heartbeat_at", "requested_at"))
            .filter(beaten__lt=silent_since)
            .order_by("pk")
        )
        for export in idle:
            if export.state == Export.State.WAITING:
                Export.objects.filter(pk=export.pk).update(heartbeat_at=clock.now())
            _send_on_commit(export.pk)
    return [export.pk for export in idle]


# ---- handing out ----------------------------------------------------------------------------------


def path_of(export: Export) -> Path:
    """Where the file of an export is; the name people see is `export.file_name`."""
    return _folder() / f"{export.pk}.{export.format}"


def open_file(*, export: Export, by: By) -> BinaryIO:
    """The file of a finished export, open for reading, its download on the trail (REC-11).

    Raises `NotFound` for another casino's export, `NotAllowed` without the report's act, `Conflict`
    when it is not finished (`export_not_ready`) or when the bytes no longer give the SHA-256 noted
    when it was produced (`export_changed`, REC-06); that too is put on the trail.
    """
    permissions.require(by.actor, policies.READ_REPORTS)
    permissions.require(by.actor, get(export.report).act)
    if export.casino_id != by.casino.pk:
        raise NotFound(Text("no hay tal reporte", "there is no such report"), code="export_unknown")
    if export.state != Export.State.DONE:
        raise Conflict(
            Text("el reporte aún no está listo", "the report is not ready yet"), code="export_not_ready"
        )
    file = _open_unchanged(export)
    if file is None:
        _note_change(export=export, by=by)
        raise Conflict(
            Text(
                "el archivo ya no es el que se produjo: fue alterado o falta; pida el reporte de nuevo",
                "the file is not the one produced: it was altered or is missing; ask for the report again",
            ),
            code="export_changed",
            rule="REC-06",
        )
    try:
        _note_download(export=export, by=by)
    except BaseException:
        file.close()
        raise
    return file


def _open_unchanged(export: Export) -> BinaryIO | None:
    """The file, if it is one, and its bytes give the SHA-256 that the trail tells: the row may be changed."""
    digest = _told_digest(export)
    try:
        # Neither another file's name nor a pipe that would keep the request waiting.
        handle = os.open(path_of(export), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    file = os.fdopen(handle, "rb") if stat.S_ISREG(os.fstat(handle).st_mode) else None
    if file is None:
        os.close(handle)
        return None
    # Hashed through the handle that is then read from: what was checked is what is sent.
    if digest is None or hashlib.file_digest(file, "sha256").hexdigest() != digest:
        file.close()
        return None
    file.seek(0)
    return file


def _told_digest(export: Export) -> str | None:
    """The SHA-256 in the one event that tells of the export's end; None unless the row agrees."""
    told = Event.objects.filter(
        casino=export.casino_id, action=FINISHED, subject_type="export", subject_id=export.pk
    ).values_list("body", flat=True)[:2]
    digests = [json.loads(bytes(body))["data"]["sha256"] for body in told]
    return digests[0] if digests == [export.sha256] else None


@command(policies.READ_REPORTS)
def _note_download(*, export: Export, by: By) -> None:
    _record("audits.export.downloaded", export, by, {"sha256": export.sha256})


@command(policies.READ_REPORTS)
def _note_change(*, export: Export, by: By) -> None:
    log.error("the file of export %s is not the one produced", export.pk)
    _record("audits.export.refused", export, by, {"sha256": export.sha256})


def _record(action: str, export: Export, by: By, data: Mapping[str, Any]) -> None:
    subject = trail.Subject("export", export.pk, f"#{export.pk}")
    told = {"report": export.report, "format": export.format, **data}
    trail.record(action, stream=STREAM, subject=subject, by=by, data=told, rules=["REC-15"])


def _folder() -> Path:
    folder = Path(settings.FILES_ROOT) / "exports"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _sync_folder() -> None:
    handle = os.open(_folder(), os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
