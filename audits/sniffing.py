"""What a file is, told by its own bytes: neither its name nor what a browser calls it is believed.

Only kinds somebody opens to read are kept: documents, pictures, plain text, recordings. Whatever runs, or is
none of these, is refused. Pure: bytes in, an answer or None out.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass

ZIP_ENTRIES_MOST = 5_000
_ZIP_NAME = b"PK\x01\x02"
"""How each name in the list of an archive begins."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a file is; `extensions` are how the name of one ends."""

    media_type: str
    extensions: tuple[str, ...]


PDF = Found("application/pdf", ("pdf",))
PNG = Found("image/png", ("png",))
JPEG = Found("image/jpeg", ("jpg", "jpeg"))
TEXT = Found("text/plain", ("txt", "csv"))
XLSX = Found("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ("xlsx",))
DOCX = Found("application/vnd.openxmlformats-officedocument.wordprocessingml.document", ("docx",))
MP4 = Found("video/mp4", ("mp4", "m4v", "mov"))
KINDS = (PDF, PNG, JPEG, TEXT, XLSX, DOCX, MP4)

_RUNS = (
    b"MZ",
    b"\x7fELF",
    b"#!",
    b"\xca\xfe\xba\xbe",
    b"\xfe\xed\xfa",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xd0\xcf\x11\xe0",
)
"""How programs, scripts, and the old office files that carry them begin."""
_MARKUP = (b"<!", b"<html", b"<?xml", b"<svg", b"<script", b"<body", b"<head", b"{\\rtf")


def runs(content: bytes) -> bool:
    """Whether a file is a program or a script, or a page a browser would run."""
    start = content[:512].lstrip(b"\xef\xbb\xbf \t\r\n")
    return content.startswith(_RUNS) or start.startswith(b"#!") or start.lower().startswith(_MARKUP)


def what(content: bytes) -> Found | None:
    """What a file is; None for one of no kind that is kept."""
    if not content or runs(content):
        return None
    if content.startswith(b"%PDF-"):
        return PDF
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return PNG
    if content.startswith(b"\xff\xd8\xff"):
        return JPEG
    if content[4:8] == b"ftyp":
        return MP4
    if content.startswith(b"PK\x03\x04"):
        return _office(content)
    return TEXT if _is_text(content) else None


def _office(content: bytes) -> Found | None:
    """An office document without macros; any other archive may hold anything. Only its list of names is read,
    nothing is unpacked, and no list beyond `ZIP_ENTRIES_MOST`."""
    if content.count(_ZIP_NAME) > ZIP_ENTRIES_MOST:
        return None
    try:
        names = set(zipfile.ZipFile(io.BytesIO(content)).namelist())
    except (zipfile.BadZipFile, ValueError, EOFError, NotImplementedError):
        return None
    macros = any(name.lower().endswith(("vbaproject.bin", ".exe", ".js")) for name in names)
    if macros or "[Content_Types].xml" not in names:
        return None
    if "xl/workbook.xml" in names:
        return XLSX
    return DOCX if "word/document.xml" in names else None


def _is_text(content: bytes) -> bool:
    try:
        said = content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not any(sign < " " and sign not in "\t\r\n\f" for sign in said)
