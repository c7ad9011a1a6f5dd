"""How a test that really commits leaves the database: as the migrations made it.

Django empties every table with one TRUNCATE, which makes each of them and its indexes anew, and then writes
the permissions and content types again. Most of our tables are empty after a test; those two never change.
"""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.backends.postgresql.operations import DatabaseOperations

STAYS = {"django_content_type", "auth_permission"}


def sql_flush(self: DatabaseOperations, style: Any, tables: Any, **_how: Any) -> list[str]:
    """The statements that empty these tables. Keys go on, as rows that are laid again have theirs (kept)."""
    names = [self.quote_name(table) for table in tables if table not in STAYS]
    some = " UNION ALL ".join(f"(SELECT '{name}' FROM {name} LIMIT 1)" for name in names)
    with connection.cursor() as cursor:
        cursor.execute(some)
        full = [row[0] for row in cursor.fetchall()]
    # What never changes refuses to be deleted, and keys hold rows to each other; as a replica, nothing asks.
    return [
        "SET session_replication_role = replica",
        *(f"DELETE FROM {name}" for name in full),
        "SET session_replication_role = origin",
    ]
