"""The files of exports on the disk: where they are, and that they are still what was made (REC-06).

Beside each file that is not CSV lie its rows as CSV, compressed: what it was made from, and can be made from
again. What is opened is held against the SHA-256 that the trail tells, through the handle it is read from.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import stat
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings

from audits.models import Event, Export
from casino.kernel.errors import Conflict
from casino.kernel.words import Text

FINISHED = "audits.export.finished"
CHUNK = 1 << 20


def folder() -> Path:
    found = Path(settings.FILES_ROOT) / "exports"
    found.mkdir(parents=True, exist_ok=True)
    return found


def sync_folder() -> None:
    handle = os.open(folder(), os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def path_of(export: Export) -> Path:
    """Where the file of an export is; the name people see is `export.file_name`."""
    return folder() / f"{export.pk}.{export.format}"


def rows_path_of(export: Export) -> Path:
    """Where its rows are: a CSV is its own."""
    return path_of(export) if export.format == Export.Format.CSV else folder() / f"{export.pk}.rows.gz"


def part_of(export: Export, what: str) -> Path:
    """A file of this attempt that is being written."""
    return folder() / f"{export.pk}.{export.attempts}.{what}.part"


def remove_own_parts(export: Export) -> None:
    """Leave nothing of this attempt behind, nor of those before it whose worker was killed."""
    for path in folder().glob(f"{export.pk}.*.part"):
        if int(path.name.split(".")[1]) <= export.attempts:
            path.unlink(missing_ok=True)


def remove_parts(export: Export) -> None:
    """Leave nothing of any attempt behind."""
    for path in folder().glob(f"{export.pk}.*.part"):
        path.unlink(missing_ok=True)


def compress(source: Path, target: Path, beat: Callable[[int], object]) -> None:
    """The same bytes for the same rows: no name and no time in the head of the file. `beat(1)` at each piece:
    a gigabyte takes longer than a worker may be silent."""
    with source.open("rb") as read, target.open("wb") as raw:
        with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) as packed:
            while chunk := read.read(CHUNK):
                packed.write(chunk)
                beat(1)
        raw.flush()
        os.fsync(raw.fileno())


def told(export: Export) -> dict[str, Any] | None:
    """What the one event of the export's end says of it; None unless the row agrees."""
    bodies = Event.objects.filter(
        casino=export.casino_id, action=FINISHED, subject_type="export", subject_id=export.pk
    ).values_list("body", flat=True)[:2]
    ends = [json.loads(bytes(body))["data"] for body in bodies]
    if len(ends) != 1 or ends[0]["sha256"] != export.sha256:
        return None
    end: dict[str, Any] = ends[0]
    manifest = hashlib.sha256(bytes(export.manifest)).hexdigest() if export.manifest is not None else None
    if end.get("manifest_sha256") != manifest or end.get("rows_sha256", "") != export.rows_sha256:
        return None
    return end


def open_plain(path: Path) -> io.BufferedReader | None:
    """A file, if it is one: neither another's name nor a pipe that would keep the reader waiting."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        return None
    return os.fdopen(handle, "rb")


def open_unchanged(export: Export) -> BinaryIO | None:
    """The file, if its bytes give the SHA-256 that the trail tells: the row may be changed."""
    end = told(export)
    file = open_plain(path_of(export)) if end is not None else None
    if end is None or file is None:
        return None
    # Hashed through the handle that is then read from: what was checked is what is sent.
    if hashlib.file_digest(file, "sha256").hexdigest() != end["sha256"]:
        file.close()
        return None
    file.seek(0)
    return file


def copy_rows(export: Export, target: Path) -> None:
    """The rows of an export as plain CSV in `target`. Raises `Conflict` (`export_changed`) unless they are as
    the trail tells."""
    with target.open("wb") as copy:
        _read_rows(export, copy.write)


def check_rows(export: Export) -> None:
    """Raises `Conflict` (`export_changed`) unless the kept rows are as the trail tells."""
    _read_rows(export, lambda chunk: None)


def _read_rows(export: Export, each: Callable[[bytes], object]) -> None:
    end = told(export)
    raw = open_plain(rows_path_of(export)) if end is not None else None
    if end is None or raw is None:
        raise changed()
    digest = hashlib.sha256()
    try:
        with raw:
            packed = export.format != Export.Format.CSV
            source: Any = gzip.GzipFile(fileobj=raw) if packed else raw
            while chunk := source.read(CHUNK):
                digest.update(chunk)
                each(chunk)
    except (OSError, EOFError, zlib.error) as error:
        raise changed() from error
    if digest.hexdigest() != end["rows_sha256"]:
        raise changed()


def changed() -> Conflict:
    return Conflict(
        Text(
            "el archivo ya no es el que se produjo: fue alterado o falta; pida el reporte de nuevo",
            "the file is not the one produced: it was altered or is missing; ask for the report again",
        ),
        code="export_changed",
        rule="REC-06",
    )
