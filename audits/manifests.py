"""The manifest of an export: what the file is, its SHA-256, when it was known, by which code and rules.

Canonical JSON (RFC 8785), signed with the casino's seal key where there is one; its SHA-256 is on the trail.
A person downloads it as one file with its signature. Format: docs/reports.md.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audits.models import Export
from audits.sealing import keys
from casino.kernel import clock, version
from casino.kernel.canonical import canonical
from casino.kernel.errors import Conflict, SabotError
from casino.kernel.words import Text
from casino.models import Casino

log = logging.getLogger(__name__)

VERSION = 1
Versions = Callable[[Casino, dt.datetime], Mapping[str, int]]
_versions: list[Versions] = []


def register_versions(versions: Versions) -> None:
    """Have `versions(casino, instant)` asked which version of each game's rules is in force."""
    _versions[:] = [versions]


@dataclass(frozen=True, slots=True)
class Measured:
    """A file that was made: its SHA-256 and its size in bytes."""

    sha256: str
    size: int


def measured(path: Path) -> Measured:
    with path.open("rb") as file:
        return Measured(hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size)


@dataclass(frozen=True, slots=True)
class Yielded:
    """What a report yielded: its outline, the instant it was known at, the days that may still change it."""

    outline: Mapping[str, Any]
    known_at: dt.datetime
    days_left: Sequence[str] = ()


def compose(export: Export, yielded: Yielded, file: Measured, rows: Measured) -> bytes:
    """The canonical bytes of the manifest."""
    in_force = _versions[0](export.casino, yielded.known_at) if _versions else {}
    said: dict[str, Any] = {
        "v": VERSION,
        "export": export.pk,
        "purpose": export.purpose,
        "report": yielded.outline["report"],
        "params": export.params,
        "language": export.language,
        "format": export.format,
        "file": {"name": export.file_name, "sha256": file.sha256, "size_bytes": file.size},
        "rows": {
            "sha256": rows.sha256,
            "size_bytes": rows.size,
            "count": sum(section["rows"] for section in yielded.outline["sections"]),
        },
        "known_at": clock.stamp(yielded.known_at),
        "provisional": list(yielded.days_left),
        "code": {"version": version.VERSION, "sources_sha256": version.sources_sha256()},
        "rules": list(yielded.outline["rules"]),
        "rules_in_force": dict(sorted(in_force.items())),
        "of": _original(export),
        "outline": dict(yielded.outline),
    }
    return canonical(said)


def _original(export: Export) -> dict[str, Any] | None:
    """The export that one produced again, or a difference, is of."""
    if export.of is None:
        return None
    return {"export": export.of.pk, "sha256": export.of.sha256, "manifest_sha256": digest_of(export.of)}


def digest_of(export: Export) -> str:
    return hashlib.sha256(bytes(export.manifest or b"")).hexdigest()


def signed(casino: Casino, manifest: bytes) -> tuple[str, bytes | None]:
    """Key and signature of the manifest; none where the house has no key, or its key cannot be read.

    A report is not held back for that: the manifest says that it is not signed, and so does the page.
    """
    try:
        key, signature = keys.sign(casino, manifest)
    except SabotError as refusal:
        log.warning("the manifest is not signed: %s", refusal)
        return "", None
    return key, signature


def read(export: Export) -> dict[str, Any]:
    """The manifest of a finished export. Raises `Conflict` (`export_not_kept`) for one without."""
    if export.manifest is None:
        raise Conflict(
            Text(
                "este archivo se produjo antes de que se guardaran sus filas: pida el reporte de nuevo",
                "this file was produced before rows were kept: ask for the report again",
            ),
            code="export_not_kept",
            rule="REC-07",
        )
    said: dict[str, Any] = json.loads(bytes(export.manifest))
    return said


def as_file(export: Export) -> bytes:
    """The manifest and its signature as one file. Signed are the canonical bytes of `manifest`."""
    signature = bytes(export.manifest_signature).hex() if export.manifest_signature else None
    told = {"manifest": read(export), "key_id": export.manifest_key or None, "signature": signature}
    return canonical(told) + b"\n"
