"""Files kept with a filing or an incident: taken in checked, stored by their SHA-256, handed out checked.

The bytes lie under the house's files by their own hash, so that storing the same file twice, or in a write
that was rolled back, does no harm. The trail tells the hash of each; whoever opens one gets those very bytes
or none (REC-06), and every opening is on the trail (REC-11).
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import stat
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.db.models import Model

from audits import filings, incidents, policies, sniffing, trail
from audits.by import By
from audits.models import Attachment, Event, Filing, Incident
from casino.kernel import permissions, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, NotFound, Refused
from casino.kernel.words import Text

log = logging.getLogger(__name__)

ADDED = "audits.attachment.added"
STREAM = "attachments"
"""Where it is told who opened which."""
MOST_BYTES = 20 * 1024 * 1024
MOST_OF_ONE = 40
"""How many files one filing or incident holds."""
LONGEST_NAME, LONGEST_NOTE = 120, 200
RULE = "REC-09"


# ---- taking in -----------------------------------------------------------------------------------------


@command(policies.DRAFT_FILING)
def attach_to_filing(*, filing: Filing, name: str, content: bytes, by: By, note: str = "") -> Attachment:
    """Keep a file with a filing, whatever its state: what the AJ answered comes after it was presented.

    Raises `Refused` (`bad_name`, `bad_note`, `empty_file`, `file_too_big`, `file_runs`, `unknown_file`,
    `wrong_extension`), `Conflict` (`attached_already`, `too_many_files`).
    """
    checked = _checked(name, content, note)
    found = filings.lock(filing, by, *Filing.State.values)
    return _keep(checked, content, by, found, [RULE], filing=found)


@command(policies.NOTE_INCIDENT)
def attach_to_incident(
    *, incident: Incident, name: str, content: bytes, by: By, note: str = ""
) -> Attachment:
    """Keep evidence with an incident, also after it was settled (REC-07). Raises as `attach_to_filing`."""
    checked = _checked(name, content, note)
    found = incidents.lock(incident)
    incidents.require_later(found, by)
    return _keep(checked, content, by, found, ["REC-07"], incident=found)


def _checked(name: str, content: bytes, note: str) -> dict[str, Any]:
    """What is kept of a file, once it is one that may be. Raises `Refused`."""
    called = texts.line(name.replace("\\", "/").rpartition("/")[2], "file", LONGEST_NAME, rule=RULE)
    about = texts.line(note, "note", LONGEST_NOTE, code="bad_note", rule=RULE, least=0)
    if not content:
        raise _refused("empty_file", "el archivo está vacío", "the file is empty")
    if len(content) > MOST_BYTES:
        most = MOST_BYTES // (1024 * 1024)
        raise _refused(
            "file_too_big",
            f"el archivo supera {most} MB: adjunte una copia más liviana, o parta la grabación",
            f"the file exceeds {most} MB: attach a lighter copy, or cut the recording",
        )
    if sniffing.runs(content):
        raise _refused(
            "file_runs",
            "es un programa o una página, no un documento: adjúntelo como PDF o imagen",
            "it is a program or a page, not a document: attach it as a PDF or a picture",
        )
    kind = sniffing.what(content)
    if kind is None:
        raise _refused(
            "unknown_file",
            "se adjuntan PDF, imágenes PNG o JPEG, texto, XLSX o DOCX sin macros, y video MP4",
            "attached are PDF, PNG or JPEG pictures, text, XLSX or DOCX without macros, and MP4 video",
        )
    if called.rpartition(".")[2].lower() not in kind.extensions or "." not in called:
        raise _refused(
            "wrong_extension",
            f"por su contenido es {kind.media_type}: su nombre debe terminar en .{kind.extensions[0]}",
            f"by its content it is {kind.media_type}: its name must end in .{kind.extensions[0]}",
        )
    return {"name": called, "media_type": kind.media_type, "note": about}


def _keep(
    checked: dict[str, Any], content: bytes, by: By, owner: Filing | Incident, rules: list[str], **of: Model
) -> Attachment:
    if owner.attachments.count() >= MOST_OF_ONE:
        raise Conflict(
            Text(f"ya tiene {MOST_OF_ONE} archivos", f"it has {MOST_OF_ONE} files already"),
            code="too_many_files",
            field="file",
        )
    digest = hashlib.sha256(content).hexdigest()
    _store(digest, content)
    row = Attachment.objects.create(
        casino=by.casino,
        size_bytes=len(content),
        sha256=digest,
        by=by.actor,
        at=by.occurred_at,
        **checked,
        **of,
    )
    _tell(
        ADDED, row, by, rules, {"media_type": row.media_type, "size_bytes": row.size_bytes, "note": row.note}
    )
    return row


def _refused(code: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code=code, rule=RULE, field="file")


def _attached_already() -> Conflict:
    words = Text("ese mismo archivo ya está adjunto", "that very file is attached already")
    return Conflict(words, code="attached_already", field="file")


explain_constraint("one_attachment_per_filing", _attached_already)
explain_constraint("one_attachment_per_incident", _attached_already)


# ---- handing out ---------------------------------------------------------------------------------------


def open_file(*, attachment: Attachment, by: By) -> BinaryIO:
    """The file, open for reading, its opening on the trail.

    Raises `NotFound` for another house's, `NotAllowed` for whoever may not read what it is kept with,
    `Conflict` (`attachment_changed`, REC-06) when its bytes are not those the trail tells of; that too goes
    on the trail.
    """
    if attachment.casino_id != by.casino.pk:
        raise NotFound(Text("no hay tal archivo", "there is no such file"), code="attachment_unknown")
    permissions.require(by.actor, policies.READ_FILINGS if attachment.filing_id else policies.READ_INCIDENTS)
    file = _open_unchanged(attachment)
    if file is None:
        _note_change(attachment=attachment, by=by)
        raise Conflict(
            Text(
                "el archivo ya no es el que se adjuntó: fue alterado o falta; avise a cumplimiento",
                "the file is not the one that was attached: it was altered or is missing; tell compliance",
            ),
            code="attachment_changed",
            rule="REC-06",
        )
    try:
        _note_reading(attachment=attachment, by=by)
    except BaseException:
        file.close()
        raise
    return file


def _open_unchanged(attachment: Attachment) -> BinaryIO | None:
    """The file, if it is one, and its bytes give the SHA-256 that the trail tells: the row may be changed."""
    digest = _told_digest(attachment)
    try:
        handle = os.open(path_of(attachment.sha256), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
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


def _told_digest(attachment: Attachment) -> str | None:
    """The SHA-256 in the one event that tells of the attachment; None unless the row agrees."""
    kind, pk = _owner(attachment)
    told = Event.objects.filter(
        casino=attachment.casino_id, action=ADDED, subject_type=kind, subject_id=pk
    ).values_list("body", flat=True)
    data = (json.loads(bytes(body))["data"] for body in told)
    digests = [one["sha256"] for one in data if one["attachment"] == attachment.pk]
    return digests[0] if digests == [attachment.sha256] else None


@command(policies.SIGN_IN)
def _note_reading(*, attachment: Attachment, by: By) -> None:
    _tell("audits.attachment.read", attachment, by, ["REC-11"], {})


@command(policies.SIGN_IN)
def _note_change(*, attachment: Attachment, by: By) -> None:
    log.error("the file of attachment %s is not the one attached", attachment.pk)
    _tell("audits.attachment.refused", attachment, by, ["REC-06"], {})


# ---- where they lie ------------------------------------------------------------------------------------


def path_of(digest: str) -> Path:
    """Where the bytes of that SHA-256 are; the name people see is the row's."""
    return _folder() / digest


def _store(digest: str, content: bytes) -> None:
    """Write the bytes beside their place and move them there: they are found whole or not at all."""
    with tempfile.NamedTemporaryFile(dir=_folder(), prefix=".part-", delete=False) as part:
        try:
            part.write(content)
            part.flush()
            os.fsync(part.fileno())
            os.replace(part.name, path_of(digest))
        except BaseException:
            Path(part.name).unlink(missing_ok=True)
            raise
    handle = os.open(_folder(), os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _folder() -> Path:
    folder = Path(settings.FILES_ROOT) / "attachments"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _owner(attachment: Attachment) -> tuple[str, int]:
    if attachment.filing_id is not None:
        return "filing", attachment.filing_id
    assert attachment.incident_id is not None
    return "incident", attachment.incident_id


def _tell(action: str, attachment: Attachment, by: By, rules: list[str], data: dict[str, Any]) -> None:
    owner = attachment.filing or attachment.incident
    assert owner is not None
    about = {"attachment": attachment.pk, "name": attachment.name, "sha256": attachment.sha256}
    subject = trail.Subject(*_owner(attachment), owner.label)
    # Who opened one is no part of what it is kept with.
    stream = owner.stream if action == ADDED else STREAM
    trail.record(action, stream=stream, subject=subject, by=by, data={**about, **data}, rules=rules)
