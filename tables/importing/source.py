"""The file as it lies on the disk: whether it can be used at all, its digest, its lines one by one.

Nothing is imported from a file that has not been read to its end first: a byte that is not text on
the last line refuses the whole file. Memory is bounded by the longest line, time by the first fault.
"""

from __future__ import annotations

import csv
import hashlib
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from casino.kernel.errors import Refused
from casino.kernel.words import Text

LONGEST_LINE = 10_000
"""Bytes. A line of rounds has some sixty."""

ENCODINGS = ("utf-8", "latin-1", "cp1252")
DELIMITERS = (",", ";", "\t", "|")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Source:
    """A file found usable: `sha256` of its bytes, `lines` it has (heading included)."""

    path: Path
    encoding: str
    delimiter: str
    sha256: str
    lines: int


def unusable(code: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code=code, field="file")


def first_line(path: Path, encoding: str) -> str:
    """The heading as text. Raises `Refused` (`file_missing`, `not_a_file`, `file_empty`,
    and those of `examine`)."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise unusable(
                "not_a_file",
                f"{path.name} no es un archivo: indique uno guardado en el disco",
                f"{path.name} is no file: give one that is saved on the disk",
            )
        with path.open("rb") as file:
            raw = _next_line(file, 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", "") or error
        raise unusable(
            "file_missing",
            f"no se puede leer {path.name}: {why}",
            f"cannot read {path.name}: {why}",
        ) from error
    text = _decoded(raw.removeprefix(_BOM), encoding, 1).strip()
    if not text:
        raise unusable(
            "file_empty",
            "el archivo está vacío: la primera línea lleva los nombres de las columnas",
            "the file is empty: its first line holds the names of the columns",
        )
    return text


def examine(path: Path, encoding: str, delimiter: str) -> Source:
    """Read the file to its end, keeping nothing.

    Raises `Refused`: `file_binary`, `line_too_long`, `bad_encoding` (with the line and what to do).
    """
    digest, number = hashlib.sha256(), 0
    with path.open("rb") as file:
        while raw := _next_line(file, number + 1):
            number += 1
            digest.update(raw)
            _decoded(raw, encoding, number)
    return Source(path, encoding, delimiter, digest.hexdigest(), number)


def rows(source: Source) -> Iterator[tuple[int, list[str] | None]]:
    """Line number (from 2, the heading being 1) and cells of each line that is not blank.

    Cells are None where quotes do not close: a line is a row, quotes never join two.
    """
    with source.path.open("rb") as file:
        number = 0
        while raw := _next_line(file, number + 1):
            number += 1
            text = _decoded(raw, source.encoding, number).strip("\r\n")
            if number > 1 and text.strip():
                yield number, cells(text, source.delimiter)


def cells(line: str, delimiter: str) -> list[str] | None:
    """The cells of one line, or None when it is no line of CSV."""
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, strict=True))]
    except (csv.Error, StopIteration):
        return None


def _next_line(file: BinaryIO, number: int) -> bytes:
    raw = file.readline(LONGEST_LINE + 1)
    if b"\0" in raw:
        raise unusable(
            "file_binary",
            f"la línea {number} tiene bytes nulos: no es texto (¿una planilla?); expórtelo como CSV UTF-8",
            f"line {number} has null bytes: no text (a spreadsheet?); export it as UTF-8 CSV",
        )
    if len(raw) > LONGEST_LINE:
        raise unusable(
            "line_too_long",
            f"la línea {number} pasa de {LONGEST_LINE} bytes: no es un CSV de pases",
            f"line {number} is longer than {LONGEST_LINE} bytes: this is no CSV of rounds",
        )
    return raw


def _decoded(raw: bytes, encoding: str, number: int) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        byte = f"0x{raw[error.start]:02x}"
        raise unusable(
            "bad_encoding",
            f"la línea {number} no es {encoding} (byte {byte}): si es Latin-1, indique --encoding latin-1",
            f"line {number} is not {encoding} (byte {byte}): if it is Latin-1, pass --encoding latin-1",
        ) from None
