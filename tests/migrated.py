"""The migrated database of the tests, made once and copied for each worker and each run.

To run the migrations takes most of a minute, and every worker would; to copy their result takes a second.
The template is named after what is in the migrations and what runs them, so another schema is another
template, and those of before are dropped. `python -m tests.migrated` makes it ahead of the workers that will
ask for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import django
import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import sql

CHECKOUT = Path(__file__).resolve().parent.parent


def template() -> str:
    """The name of a database with every migration applied, made if it is not there."""
    prefix = f"test_{settings.DATABASES[DEFAULT_DB_ALIAS]['NAME']}_migrated_"
    name = prefix + _fingerprint()
    with _server() as server:
        # Whoever comes while it is being made waits.
        server.execute("SELECT pg_advisory_lock(hashtext(%s))", [prefix])
        of_before = server.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [prefix])
        there = {row[0] for row in of_before}
        if name in there:
            return name
        for old in there:
            server.execute(sql.SQL("DROP DATABASE {} (FORCE)").format(sql.Identifier(old)))
        draft = f"{prefix}draft"
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(draft)))
        _migrate(draft)
        # Renamed once it is whole: what was cut short is a draft, and made anew.
        server.execute(
            sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(draft), sql.Identifier(name))
        )
    return name


def _fingerprint() -> str:
    found = hashlib.sha256()
    for path in sorted(CHECKOUT.glob("*/migrations/*.py")):
        found.update(path.relative_to(CHECKOUT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    for library in ("Django", "django-rest-knox", "django-simple-history"):
        found.update(f"{library} {version(library)}\0".encode())
    return found.hexdigest()[:16]


@contextmanager
def _server() -> Iterator[psycopg.Connection[tuple[str]]]:
    """A connection to the server, outside any transaction."""
    asked = {**connections[DEFAULT_DB_ALIAS].get_connection_params(), "dbname": "postgres"}
    keys = {"host", "port", "user", "password", "dbname"}
    with psycopg.connect(**{key: asked[key] for key in keys & asked.keys()}, autocommit=True) as server:
        yield server


def _migrate(name: str) -> None:
    """Every migration, on a database of this name."""
    connection = connections[DEFAULT_DB_ALIAS]
    usual = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        call_command("migrate", verbosity=0, interactive=False)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual


if __name__ == "__main__":
    django.setup()
    template()
