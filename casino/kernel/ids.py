"""Names and numbers people see: how sessions, shoes and slips are called (records.md)."""

from __future__ import annotations

import datetime as dt
import re
import uuid

from casino.kernel.errors import Refused
from casino.kernel.words import Text

_TABLE = re.compile(r"[A-Z]{1,4}-\d{1,3}", re.ASCII)


def new_request_id() -> uuid.UUID:
    """An id for a request that came without one (a command at the console, a nightly job)."""
    return uuid.uuid4()


def table_name(text: str) -> str:
    """A table's name, such as `PB-01`. Raises `Refused` (code `bad_table_name`)."""
    name = str(text).strip().upper()
    if not _TABLE.fullmatch(name):
        raise Refused(
            Text(
                "el nombre de una mesa son una a cuatro letras, guion y número, como PB-01",
                "a table's name is one to four letters, a dash and a number, such as PB-01",
            ),
            code="bad_table_name",
            field="name",
        )
    return name


def session_label(table: str, day: dt.date, number: int) -> str:
    return f"{table} · {day:%Y-%m-%d} · {number}"


def shoe_label(number: int) -> str:
    return f"S-{number:06d}"


def incident_label(year: int, number: int) -> str:
    return f"INC-{year}-{number:04d}"


def act_label(year: int, number: int) -> str:
    """A destruction act."""
    return f"ACT-{year}-{number:04d}"


def slip_label(kind: str, year: int, number: int) -> str:
    """A fill (F) or a credit (C) of a table: `F-2026-000017`."""
    return f"{'F' if kind == 'fill' else 'C'}-{year}-{number:06d}"


def receipt_label(series: str, year: int, number: int) -> str:
    """A receipt of the cage (`V-2026-000001`), a transfer (T), an entry of the book of orphans (H)."""
    return f"{series}-{year}-{number:06d}"
