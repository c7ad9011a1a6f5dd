"""The fingerprint of a copy: every row of every table of ours, the guards that stand over them, the files.

Two of the same are the same house. So a copy was clean if it is like the base, which was proved; a fault
changed something if the print is another; and what was refused left nothing if it is not.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from django.conf import settings
from django.db import connection

from audits import guardbook
from audits.models import Refusal


def fingerprint() -> str:
    """Of the database the house's connection is on, and of the files there are; not of the list of refusals:
    that is what a refusal leaves."""
    found = hashlib.sha256()
    live = guardbook.live()
    found.update(json.dumps([live, guardbook.trespasses()], sort_keys=True).encode())
    for line in _rows(sorted(live["tables"].keys() - {Refusal._meta.db_table})):
        found.update(line.encode())
    for path in sorted(Path(settings.FILES_ROOT).rglob("*")):
        if path.is_file():
            found.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}".encode())
    return found.hexdigest()


def _rows(tables: list[str]) -> list[str]:
    each = " UNION ALL ".join(
        f"SELECT '{table}' AS name, count(*) AS many, sum(hashtextextended(t::text, 0)::numeric) AS hashed"  # noqa: S608
        f" FROM {table} t"
        for table in tables
    )
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT concat_ws(' ', name, many, hashed) FROM ({each}) each ORDER BY name")  # noqa: S608
        return [row[0] for row in cursor.fetchall()]
