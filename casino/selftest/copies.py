"""Databases that are made for a run and dropped with it: the base, and copies of it.

Their names begin with the house's own and the run's token. A run holds an advisory lock by that token, so
that the next one can tell what a killed run left behind, and drops it; what belongs to a live run stays.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection
from psycopg import sql

from casino.kernel.words import Text

MARK = "_selftest_"
LONGEST_NAME = 63
"""PostgreSQL cuts a longer identifier, which would then be another's."""


class CannotCopy(Exception):
    """The self-test cannot begin; says in both languages what to do."""

    def __init__(self, words: Text) -> None:
        super().__init__(words.es)
        self.words = words


class Copies:
    """The databases of one run, on the server the house is configured for."""

    def __init__(self, server: psycopg.Connection[Any], house: str) -> None:
        self._server, self._token = server, secrets.token_hex(4)
        self._stem = f"{house[: LONGEST_NAME - len(MARK) - 16]}{MARK}"
        self._made: list[str] = []
        self._copied = 0

    def begin(self) -> None:
        """Hold the token; drop what runs that are no more left behind. Raises `CannotCopy`."""
        row = self._server.execute(
            "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
        if row is None or not row[0]:
            raise CannotCopy(
                Text(
                    "la prueba hace copias en bases aparte y este usuario no puede crearlas: pida a quien"
                    " administra PostgreSQL «ALTER ROLE … CREATEDB» o use otro usuario en DATABASE_URL",
                    "the self-test makes copies in databases of their own and this user may not create any:"
                    " ask whoever runs PostgreSQL for “ALTER ROLE … CREATEDB” or use another user in"
                    " DATABASE_URL",
                )
            )
        self._server.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [self._token])
        for name in self._left_behind():
            self.drop(name)

    def make(self, name: str, build: Callable[[], None], *, template: str = "template0") -> str:
        """A database built by `build` with the house's connection on it; returns what it is called."""
        made = self._create(name, template)
        with connected_to(made):
            build()
        return made

    def copy(self, base: str) -> str:
        """A copy of `base`; returns what it is called."""
        self._copied += 1
        return self._create(f"c{self._copied}", base)

    def drop(self, name: str) -> None:
        # Not FORCE: that may not end the server's own housekeeping, which plain DROP does by itself.
        self._server.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = %s AND usename = current_user AND pid <> pg_backend_pid()",
            [name],
        )
        self._server.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
        if name in self._made:
            self._made.remove(name)

    def end(self) -> None:
        """Drop all that is left of the run."""
        for name in list(self._made):
            self.drop(name)

    def _create(self, name: str, template: str) -> str:
        made = f"{self._stem}{self._token}_{name}"
        # Noted first: a run that is stopped while PostgreSQL copies still drops it.
        self._made.append(made)
        self._server.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(made), sql.Identifier(template))
        )
        return made

    def _left_behind(self) -> list[str]:
        rows = self._server.execute(
            "SELECT datname FROM pg_database WHERE starts_with(datname, %s)"
            " AND pg_get_userbyid(datdba) = current_user",
            [self._stem],
        ).fetchall()
        dead = []
        for (name,) in rows:
            token = name.removeprefix(self._stem).partition("_")[0]
            key = "hashtextextended(%s, 0)"
            free = self._server.execute(f"SELECT pg_try_advisory_lock({key})", [token]).fetchone()
            if free is not None and free[0]:
                self._server.execute(f"SELECT pg_advisory_unlock({key})", [token])
                if token != self._token:
                    dead.append(name)
        return dead


@contextmanager
def copies() -> Iterator[Copies]:
    """The databases of a run; all dropped on any way out."""
    asked = connection.get_connection_params()
    house = str(connection.settings_dict["NAME"])
    # Connected to the house's own database for nothing but CREATE and DROP DATABASE, which any may say.
    keys = {"host", "port", "user", "password", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey"}
    given = {key: asked[key] for key in keys & asked.keys()}
    with psycopg.connect(**given, autocommit=True) as server:
        made = Copies(server, house)
        made.begin()
        try:
            yield made
        finally:
            made.end()


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    """The process's connection on another database for a while: all of the house works on that one."""
    from tables import inforce

    usual = connection.settings_dict["NAME"]
    _switch(name)
    inforce.versions.cache_clear()  # kept by key, and keys repeat in another database
    try:
        yield
    finally:
        inforce.versions.cache_clear()
        _switch(usual)


def _switch(name: Any) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name
