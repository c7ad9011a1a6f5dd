"""What thousands of tests begin with, built once in a process and then laid again as rows.

A house with its people, an open table, a shoe through every step of its preparation: the write functions
take a quarter of a second to make one, and half the suite begins with it. A builder marked `@kept` runs them
the first time; the rows they wrote and what they returned are kept, and the next test that builds the same
gets those very rows, keys and all, in its own transaction, and its own copy of what was returned.

The same means: the same builder with the same arguments, in a house to which the same was done before and
nothing else (PostgreSQL counts every row a transaction writes, whoever writes it), with the clock standing at
the same instant, or not standing and still in the same hour. Everything else is built as ever: so is all that
belongs to a test which has patched the product or really commits.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import functools
import io
import itertools
import pickle
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from django.apps import apps
from django.db import connection, models, transaction
from django.utils import translation
from psycopg import sql

from audits.by import By
from casino.kernel import clock
from casino.models import Casino
from tables.games.base import Game

LASTS = dt.timedelta(seconds=45)
"""How long what a going clock built may be laid again, as waits are told in minutes."""
TOLD = dt.timedelta(hours=1)
"""The same of a house whose acts are told at instants of their own, whatever the clock."""

ALTERING = frozenset({"settings", "django_capture_on_commit_callbacks", "transactional_db"})
"""Fixtures of a test that is not given, and does not leave behind, what the unaltered product built."""

Key = tuple[Hashable, ...]
"""The house as it was found, the builder, and what it was given."""
P, R = ParamSpec("P"), TypeVar("R")


@dataclasses.dataclass(frozen=True, slots=True)
class _Kept:
    """`rows` is SQL; `returned` a pickle that leaves open what the builder was given."""

    number: int
    casino: int
    rows: str
    returned: bytes
    built: dt.datetime
    lasts: dt.timedelta


_found: dict[Key, _Kept] = {}
_stages: dict[int, tuple[_Kept, Hashable]] = {}
"""By casino: what was built in it last, and how much its transaction had written by then."""
_numbered = itertools.count(1)


def _never() -> bool:
    return False


_altered: Callable[[], bool] = _never


@contextmanager
def keeping_unless(altered: Callable[[], bool]) -> Iterator[None]:
    """For the time of a test, which knows whether the product is as it was."""
    global _altered
    _altered = altered
    try:
        yield
    finally:
        _altered = _never


def kept(build: Callable[P, R]) -> Callable[P, R]:
    """A builder within a house: its first argument is a casino, or has one."""

    @functools.wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        casino = _casino_of(args[0])
        last, written = _stages.get(casino.pk, (None, None))
        if last is None or not _usable() or written != _written():
            return build(*args, **kwargs)
        key = (last.number, build.__qualname__, _said(args), _said(kwargs), *_moment())
        return _laid_or_built(key, last.lasts, (casino, args[0]), lambda: build(*args, **kwargs))

    return built


def kept_house(lasts: dt.timedelta = LASTS) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A builder that founds a house and returns it."""

    def keeping(build: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(build)
        def built(*args: P.args, **kwargs: P.kwargs) -> R:
            if not _usable():
                return build(*args, **kwargs)
            here = set(Casino.objects.values_list("pk", flat=True))
            for number in itertools.count():  # the first, the second house of a test
                key = ("", build.__qualname__, _said(args), _said(kwargs), number, *_moment())
                if key not in _found or _found[key].casino not in here:
                    return _laid_or_built(key, lasts, (), lambda: build(*args, **kwargs))
            raise AssertionError("unreachable")

        return built

    return keeping


def _usable() -> bool:
    """Within a test's transaction, on which nobody counts what is asked of the database."""
    return connection.in_atomic_block and not connection.queries_logged and not _altered()


def _laid_or_built(key: Key, lasts: dt.timedelta, given: tuple[Any, ...], build: Callable[[], Any]) -> Any:
    """`given`: the house's own casino and what else was given, which what is returned may hold."""
    one = _found.get(key)
    if one is not None and dt.timedelta(0) <= clock.now() - one.built < one.lasts:
        with connection.cursor() as cursor:
            cursor.execute(one.rows)
        made = _Unpickler(io.BytesIO(one.returned), given).load()
        _stages[one.casino] = (one, _written())
        return made
    deferred, deleted = len(connection.run_on_commit), _deleted()
    with _writing() as first:
        made = build()
    casino = given[0] if given else _casino_of(made)
    _stages.pop(casino.pk, None)
    if len(connection.run_on_commit) == deferred and _deleted() == deleted:
        # Under a number of its own: what was built on another of the same key does not stand on this one.
        rows, returned = _rows_since(first), _pickled(made, given)
        one = _Kept(next(_numbered), casino.pk, rows, returned, clock.now(), lasts)
        _found[key], _stages[casino.pk] = one, (one, _written())
    return made


# ---- what makes two the same ------------------------------------------------------------------------


def _casino_of(one: Any) -> Casino:
    if isinstance(one, Casino):
        return one
    return one.casino if hasattr(one, "casino") else _casino_of(one.house)


def _moment() -> Key:
    """The clock and the language: the instant it stands at, or the hour, in which no gaming day ends."""
    stands = clock._stands_at.get()
    return (stands or clock.now().replace(minute=0, second=0, microsecond=0), translation.get_language())


def _said(value: Any) -> Hashable:
    """An argument as part of a path: a row by its key, who acts by person, instant and reason."""
    match value:
        case models.Model():
            return (value._meta.label, value.pk)
        case Game():
            return value.code
        case By():
            return (value.actor.pk, value.occurred_at, value.reason)
        case Mapping():
            return tuple((_said(key), _said(each)) for key, each in value.items())
        case list() | tuple():
            return tuple(_said(each) for each in value)
        case _ if dataclasses.is_dataclass(value):
            return tuple(_said(getattr(value, field.name)) for field in dataclasses.fields(value))
    hash(value)
    return (type(value).__name__, value)


# ---- what a transaction wrote -----------------------------------------------------------------------


@functools.cache
def _tables() -> dict[str, list[str]]:
    """Every table of ours and its columns, that of its key first."""
    found = {}
    for model in apps.get_models(include_auto_created=True):
        key = model._meta.pk.column
        others = [field.column for field in model._meta.local_concrete_fields if field.column != key]
        found[model._meta.db_table] = [key, *others]
    return found


def _ask(query: str, *values: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, values or None)
        return cursor.fetchall()


@functools.cache
def _numbers() -> list[int]:
    """The numbers of the tables."""
    return [number for (number,) in _ask("SELECT unnest(%s::regclass[])::oid::bigint", list(_tables()))]


def _written() -> Hashable:
    """Which transaction this is, and how many rows it has inserted, updated and deleted."""
    return _ask(
        "SELECT now(), sum(pg_stat_get_xact_tuples_inserted(t) + pg_stat_get_xact_tuples_updated(t)"
        " + pg_stat_get_xact_tuples_deleted(t)) FROM unnest(%s::bigint[]::oid[]) t",
        _numbers(),
    )[0]


def _deleted() -> Any:
    return _ask(
        "SELECT sum(pg_stat_get_xact_tuples_deleted(t)) FROM unnest(%s::bigint[]::oid[]) t", _numbers()
    )


@contextmanager
def _writing() -> Iterator[int]:
    """A savepoint, and the number that none of the rows written in it is below."""
    point = transaction.savepoint()
    # A part of a transaction has its number once it writes.
    [(first,)] = _ask(
        "UPDATE django_migrations SET name = name WHERE id = (SELECT min(id) FROM django_migrations)"
        " RETURNING xmin::text::bigint"
    )
    try:
        yield first
    finally:
        if not connection.needs_rollback:
            transaction.savepoint_commit(point)


def _rows_since(first: int) -> str:
    """The rows written since, as the SQL that lays them; a row that is there in another state gives way."""
    changed = _ask(
        "SELECT t::oid::regclass::text FROM unnest(%s::bigint[]) t"
        " WHERE pg_stat_get_xact_tuples_inserted(t::oid) + pg_stat_get_xact_tuples_updated(t::oid) > 0",
        _numbers(),
    )
    query = " UNION ALL ".join(
        f"SELECT '{table}', array_agg(t)::text FROM {table} t WHERE xmin::text::bigint >= {first}"
        for (table,) in changed
    )
    # As with a backup restored: the triggers have judged these rows when they were written.
    statements = ["SET session_replication_role = replica"]
    for table, rows in _ask(query) if changed else ():
        if rows is not None:
            key, *others = _tables()[table]
            them = sql.Literal(rows).as_string(connection.connection)
            now = ", ".join(f'"{column}" = EXCLUDED."{column}"' for column in others)
            statements.append(
                f"INSERT INTO {table} SELECT (t).* FROM unnest({them}::{table}[]) t"
                f' ON CONFLICT ("{key}") DO ' + (f"UPDATE SET {now}" if others else "NOTHING")
            )
    return "; ".join([*statements, "SET session_replication_role = origin"])


# ---- what a builder returned ------------------------------------------------------------------------


def _pickled(made: Any, given: tuple[Any, ...]) -> bytes:
    written = io.BytesIO()
    _Pickler(written, given).dump(made)
    return written.getvalue()


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, given: tuple[Any, ...]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._given = {id(one): place for place, one in enumerate(given)}

    def persistent_id(self, one: Any) -> int | None:
        return self._given.get(id(one))


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, given: tuple[Any, ...]) -> None:
        super().__init__(file)
        self._given = given

    def persistent_load(self, place: int) -> Any:
        return self._given[place]
