"""A list as a file holds it: its encoding, its separator, which column is which, what a row says.

Plain functions: nothing here reads the database. Column names are compared without case, accents, spaces or
signs; columns nobody needs are passed over.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from casino.kernel.errors import Refused
from casino.kernel.words import Text

LARGEST = 5 * 1024 * 1024
MOST_ROWS, MOST_ON_A_PAGE = 20_000, 2_000
"""Rows of one file: at the console, and recorded while somebody waits for a page (about 6 ms a row)."""
LONGEST_CELL = 131_072
"""Characters of a cell; what is longer is no list of people."""
DELIMITERS = (",", ";", "\t", "|")
_FIRST_DAY, _AFTER = dt.date(1900, 1, 1), dt.date(3000, 1, 1)

_NEVER = 9999
"""The year of an end that programs write for none."""

_ALIASES: Mapping[str, str] = {
    "kind": "clase tipoexclusion tipodeexclusion kind motivoexclusion",
    "document_type": "tipodocumento tipodedocumento tipodoc documenttype tipoid",
    "country": "pais paisemisor country nacionalidad nationality",
    "number": "documento numero numerodocumento numerodedocumento nrodocumento nrodoc ci cedula"
    " cedulaidentidad ceduladeidentidad carnet documentnumber number nro",
    "issued": "extension ext expedido lugarexpedicion complemento",
    "name": "nombre nombrecompleto nombreyapellidos nombresyapellidos apellidosynombres name fullname",
    "names": "nombres firstname givennames primernombre",
    "surname": "apellidos apellido apellidopaterno primerapellido lastname surname paterno",
    "surname2": "apellidomaterno segundoapellido materno",
    "birth_date": "fechanacimiento fechadenacimiento nacimiento fnac birthdate dateofbirth dob",
    "since": "desde fechadesde fechainicio inicio vigentedesde since from startdate",
    "until": "hasta fechahasta fechafin fin vencimiento vigentehasta until to enddate",
    "source": "fuente resolucion documentoorigen nota referencia source reference",
}
_ROLES = {alias: role for role, aliases in _ALIASES.items() for alias in aliases.split()}
_KINDS = {
    "self": ("self", "autoexclusion", "autoexcluido", "voluntaria", "propia", "selfexclusion"),
    "authority": ("authority", "autoridad", "judicial", "aj", "orden", "ordenjudicial"),
    "house": ("house", "casa", "casino", "interna"),
}
_DOCUMENTS = {
    "ci": ("ci", "cedula", "cedulaidentidad", "ceduladeidentidad", "carnet", "dni", "id"),
    "foreign": ("foreign", "ce", "carnetextranjero", "carnetdeextranjero", "extranjero"),
    "passport": ("passport", "pasaporte", "pas", "pp"),
}
_COUNTRIES = {
    "bolivia": "BO", "bol": "BO", "boliviana": "BO", "boliviano": "BO", "peru": "PE", "per": "PE",
    "argentina": "AR", "arg": "AR", "brasil": "BR", "bra": "BR", "chile": "CL", "chl": "CL",
    "paraguay": "PY", "pry": "PY",
}  # fmt: skip
_DATES = (
    (re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?"), (0, 1, 2)),
    (re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})"), (2, 1, 0)),
)
_FOREVER = frozenset(
    {"", "indefinido", "indefinida", "permanente", "sinlimite", "indefinite", "-", "na", "n/a"}
)


@dataclass(frozen=True, slots=True)
class Listed:
    """A list read: rows by line number (the heading is 1), with the encoding and separator it had."""

    encoding: str
    delimiter: str
    rows: list[tuple[int, Mapping[str, str] | None]]
    ignored: list[str] = field(default_factory=list)


def read(content: bytes, most: int = MOST_ROWS) -> Listed:
    """The rows of a file, up to `most`; None for one with other cells than the heading.

    Raises `Refused` (`file_empty`, `file_binary`, `missing_column`, `duplicate_column`, `too_many_rows`).
    """
    text, encoding = decoded(content)
    lines = re.split(r"\r\n|\r|\n", text)
    heading = next((place for place, line in enumerate(lines) if line.strip()), None)
    if heading is None:
        raise _unusable("file_empty", "el archivo está vacío", "the file is empty")
    delimiter, columns, ignored = _columns(lines[heading])
    rows: list[tuple[int, Mapping[str, str] | None]] = []
    for number, cells in _cells(lines[heading + 1 :], delimiter):
        if len(rows) == most:
            raise _unusable(
                "too_many_rows",
                f"más de {most} filas: divida el archivo",
                f"more than {most} rows: split the file",
            )
        width = len(columns)
        fits = cells is not None and len(cells) == width
        row = {role: cell for role, cell in zip(columns, cells or (), strict=False) if role} if fits else None
        rows.append((heading + 1 + number, row))
    return Listed(encoding, delimiter, rows, ignored)


def decoded(content: bytes) -> tuple[str, str]:
    """The text and the encoding it was in: UTF-8 or 16 by its mark, else UTF-8, else Windows-1252."""
    marks = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
    for mark, encoding in marks:
        if content.startswith(mark):
            try:
                return content.decode(encoding), encoding
            except UnicodeDecodeError:
                content = content[len(mark) :]
                break
    if b"\0" in content:
        raise _unusable(
            "file_binary",
            "no es texto (¿una planilla?): guárdelo como CSV",
            "this is no text (a spreadsheet?): save it as CSV",
        )
    for encoding in ("utf-8", "cp1252"):
        try:
            return content.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1"), "latin-1"


def particulars(row: Mapping[str, str], *, kind: str, source: str, today: dt.date) -> dict[str, object]:
    """What `excluding.drafted` takes, out of a row. Raises `Refused` naming what cannot be read."""
    number = " ".join(filter(None, (row.get("number", ""), row.get("issued", ""))))
    surnames = " ".join(filter(None, (row.get("surname", ""), row.get("surname2", ""))))
    name = row.get("name", "") or " ".join(filter(None, (row.get("names", ""), surnames)))
    return {
        "kind": _known(row.get("kind", ""), _KINDS, kind, "kind"),
        "document_type": _known(row.get("document_type", ""), _DOCUMENTS, "ci", "document_type"),
        "country": _country(row.get("country", "")),
        "number": number if row.get("number") else "",
        "name": " ".join(name.split()),
        "birth_date": date(row.get("birth_date", ""), "birth_date"),
        "since": date(row.get("since", ""), "since") or today,
        "until": date(row.get("until", ""), "until"),
        "source": row.get("source", "") or source,
    }


def date(text: str, name: str) -> dt.date | None:
    """A date as written here: `2026-11-29`, `29/11/2026`; nothing, or a word for good, is None."""
    typed = text.strip()
    if _plain(typed) in _FOREVER:
        return None
    for pattern, order in _DATES:
        found = pattern.fullmatch(typed)
        if found:
            try:
                day = dt.date(*(int(found[place + 1]) for place in order))
            except ValueError:
                break
            if day.year == _NEVER and name == "until":
                return None
            if _FIRST_DAY <= day < _AFTER:
                return day
    raise Refused(
        Text(
            f"«{typed[:20]}» no es una fecha como 29/11/2026", f"“{typed[:20]}” is no date such as 29/11/2026"
        ),
        code="bad_date",
        field=name,
    )


def _columns(line: str) -> tuple[str, list[str], list[str]]:
    """The separator with which the heading names most columns, which column is which, and those ignored."""
    best: tuple[int, str, list[str]] = (-1, ",", [])
    for delimiter in DELIMITERS:
        try:
            names = next(csv.reader([line], delimiter=delimiter), [])
        except csv.Error:
            continue
        if any(len(name) > LONGEST_CELL for name in names):
            continue
        known = sum(_plain(name) in _ROLES for name in names)
        if known > best[0]:
            best = (known, delimiter, names)
    _known_columns, delimiter, names = best
    roles = [_ROLES.get(_plain(name), "") for name in names]
    twice = next((role for role in roles if role and roles.count(role) > 1), None)
    if twice:
        same = [name.strip() for name, role in zip(names, roles, strict=True) if role == twice]
        raise _unusable(
            "duplicate_column",
            f"dos columnas dicen lo mismo: {' y '.join(same)}; deje una",
            f"two columns say the same: {' and '.join(same)}; leave one",
        )
    named = "name" in roles or "surname" in roles
    if "number" not in roles and not (named and "birth_date" in roles):
        found = ", ".join(name.strip()[:24] for name in names[:20])
        raise _unusable(
            "missing_column",
            f"falta la columna «documento», o «nombre» con «fecha de nacimiento». Se encontró: {found}",
            f"the column “documento” is missing, or “nombre” with “fecha de nacimiento”. Found: {found}",
        )
    ignored = [name.strip() for name, role in zip(names, roles, strict=True) if not role and name.strip()]
    return delimiter, roles, ignored


def _cells(lines: Sequence[str], delimiter: str) -> Iterator[tuple[int, list[str] | None]]:
    """Line number after the heading and its cells; a line is a row, quotes never join two."""
    for number, line in enumerate(lines, start=1):
        if not line.replace(delimiter, "").strip():
            continue
        try:
            (cells,) = csv.reader(io.StringIO(line), delimiter=delimiter, strict=True)
            fits = all(len(cell) <= LONGEST_CELL for cell in cells)
            yield number, [cell.strip() for cell in cells] if fits else None
        except (csv.Error, ValueError):
            yield number, None


def _known(text: str, words: Mapping[str, tuple[str, ...]], otherwise: str, name: str) -> str:
    typed = _plain(text)
    if not typed:
        return otherwise
    for code, aliases in words.items():
        if typed in aliases:
            return code
    raise Refused(
        Text(f"no se conoce «{text.strip()[:30]}»", f"“{text.strip()[:30]}” is not known"),
        code="unknown_word",
        field=name,
    )


def _country(text: str) -> str:
    typed = _plain(text)
    return _COUNTRIES.get(typed, text.strip().upper() or "BO")


def _plain(name: str) -> str:
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return "".join(sign for sign in bare.lower() if sign.isalnum())


def _unusable(code: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code=code, field="file")
