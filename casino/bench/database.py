"""A database that exists only while figures are taken, on the server the house uses."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.db import connection, connections


@contextmanager
def throw_away() -> Iterator[str]:
    """Point the default connection at a fresh, migrated database; drop it at the end.

    Never touches the database that the environment names, beyond connecting to it.
    """
    real = connection.settings_dict["NAME"]
    name = f"{real}_bench_{os.getpid()}"
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    _point_at(name)
    try:
        call_command("migrate", verbosity=0)
        yield name
    finally:
        _point_at(real)
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _point_at(name: str) -> None:
    connections.close_all()
    connection.settings_dict["NAME"] = name


def pgbench_place() -> dict[str, str]:
    """Environment that lets PostgreSQL's own programs reach the present database."""
    connection.ensure_connection()
    known = connection.get_connection_params()
    names = {
        "dbname": "PGDATABASE",
        "user": "PGUSER",
        "password": "PGPASSWORD",
        "host": "PGHOST",
        "port": "PGPORT",
    }
    return {**os.environ, **{env: str(known[key]) for key, env in names.items() if known.get(key)}}
