"""The proofs over whole rows: those that only grow against nightly digests, settings against their history.

Other proofs hold a row's columns against the event that tells them; these two hold every column, and need not
know what a table is for.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator

from django.db import DataError, connection, models, transaction
from psycopg import sql
from simple_history.models import registered_models

from audits.models import RowDigest
from audits.row_digests import DIGESTED, LOWEST, Table, columns_of, plain_text, row_digest, summary, tables
from audits.verify import Fault, differing, told
from casino.kernel.words import Text
from casino.models import Casino


def row_faults(casino: Casino) -> Iterator[Fault]:
    """Digests that are not those the trail names, and rows that no longer give theirs."""
    known = {table.name: table for table in tables()}
    by_table: defaultdict[str, list[RowDigest]] = defaultdict(list)
    for digest in RowDigest.objects.filter(casino=casino).select_related("day").order_by("table", "first_id"):
        by_table[digest.table].append(digest)
    yield from _untold(casino, by_table)
    with plain_text():
        for name, digests in sorted(by_table.items()):
            yield from _gaps(digests)
            if name in known:
                yield from _changed(casino, known[name], digests)


def _untold(casino: Casino, by_table: dict[str, list[RowDigest]]) -> Iterator[Fault]:
    said: dict[tuple[str, str], object] = {}
    query = (
        f"SELECT t.data ->> 'day', n.key, n.value FROM {told(DIGESTED)} t,"  # noqa: S608
        " jsonb_each(t.data -> 'tables') n"
    )
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(query, {"casino": casino.pk})
            lines = cursor.fetchall()
    except DataError as error:  # a body that is no JSON; the walk of its chain names it
        why = str(error).splitlines()[0]
        yield Fault("unreadable", DIGESTED, Text(f"no se pudo comparar: {why}", f"could not compare: {why}"))
        lines = []
    for day, name, value in lines:
        # A night is digested once: whoever has it done again, over rows that were changed, is found.
        said[day, name] = None if (day, name) in said else json.loads(value)
    held: defaultdict[tuple[str, str], list[RowDigest]] = defaultdict(list)
    for name, digests in by_table.items():
        for digest in digests:
            held[str(digest.day), name].append(digest)
    for day, name in sorted(said.keys() | held.keys()):
        found = held.get((day, name))
        if found is None or summary(found) != said.get((day, name)):
            yield Fault(
                "digests_differ",
                f"{name} ({day})",
                Text(
                    "las huellas de esa noche no son las que dice la auditoría",
                    "the digests of that night are not those the trail tells",
                ),
            )


def _gaps(digests: Iterable[RowDigest]) -> Iterator[Fault]:
    first = LOWEST
    for digest in digests:
        if digest.first_id != first:
            words = Text(
                "falta la huella de las filas anteriores", "the digest of the rows before it is missing"
            )
            yield Fault("digest_missing", _place(digest), words)
        first = digest.last_id + 1


def _changed(casino: Casino, table: Table, digests: list[RowDigest]) -> Iterator[Fault]:
    """Rows that are not as they were, all digests of the same columns in one statement."""
    there = set(columns_of(table.name))
    by_columns: defaultdict[tuple[str, ...], list[RowDigest]] = defaultdict(list)
    for digest in digests:
        by_columns[tuple(digest.columns)].append(digest)
    for columns, held in by_columns.items():
        gone = sorted(set(columns) - there)
        if gone:
            listed = ", ".join(gone)
            yield Fault(
                "digest_unreadable",
                table.name,
                Text(
                    f"faltan columnas que la huella abarca: {listed}",
                    f"columns the digest covers are gone: {listed}",
                ),
            )
            continue
        now = _now(casino, table, columns, held)
        for digest in held:
            rows, found = now[digest.pk]
            if (rows, found) != (digest.rows, bytes(digest.sha256)):
                words = _what_changed(digest.rows, rows)
                yield Fault("rows_differ", _place(digest), words, found.hex())


def _now(
    casino: Casino, table: Table, columns: tuple[str, ...], held: list[RowDigest]
) -> dict[int, tuple[int, bytes]]:
    query = sql.SQL(
        "SELECT d.id, count(t.{key}), sha256(coalesce(string_agg({digest}, ''::bytea ORDER BY t.{key}), ''))"
        " FROM audits_rowdigest d LEFT JOIN (SELECT * FROM {table} WHERE {scope}) t"
        " ON t.{key} BETWEEN d.first_id AND d.last_id"
        " WHERE d.casino_id = %(casino)s AND d.id = ANY(%(held)s) GROUP BY d.id"
    ).format(
        key=sql.Identifier(table.key),
        digest=row_digest(columns),
        table=sql.Identifier(table.name),
        scope=table.scope,
    )
    with connection.cursor() as cursor:
        cursor.execute(query, {"casino": casino.pk, "held": [digest.pk for digest in held]})
        return {pk: (rows, bytes(digest)) for pk, rows, digest in cursor.fetchall()}


def _what_changed(before: int, now: int) -> Text:
    if now < before:
        return Text(
            f"de {before} filas quedan {now}: alguna fue borrada",
            f"of {before} rows {now} are left: some were deleted",
        )
    if now > before:
        return Text(
            f"había {before} filas y hay {now}: alguna fue agregada después",
            f"there were {before} rows and there are {now}: some were added afterwards",
        )
    return Text(
        f"alguna de estas {now} filas no es como era aquella noche",
        f"one of these {now} rows is not as it was that night",
    )


def _place(digest: RowDigest) -> str:
    since = "" if digest.first_id == LOWEST else str(digest.first_id)
    return f"{digest.table} {since}…{digest.last_id} ({digest.day})"


# ---- rows that are kept with their history -----------------------------------------------------------


def history_faults(casino: Casino) -> Iterator[Fault]:
    """Settings rows that are not what their newest version says, or were deleted or never had one."""
    for model in sorted(registered_models.values(), key=lambda one: str(one._meta.db_table)):
        yield from differing(_against_history(model), casino, code="history_differs")


def versioned(model: type[models.Model]) -> list[str]:
    """The columns of a model with history that its versions have."""
    history = model.history.model._meta  # type: ignore[attr-defined]
    kept = {field.column for field in history.concrete_fields} - set(getattr(model, "UNVERSIONED", ()))
    return [str(field.column) for field in model._meta.concrete_fields if field.column in kept]


def _against_history(model: type[models.Model]) -> str:
    """The select for `differing()` of one model with history: its row against the newest version of it."""
    history = model.history.model._meta  # type: ignore[attr-defined]
    row = model._meta
    key = row.pk.column
    cases = "".join(
        f", CASE WHEN r.{key} IS NOT NULL AND h.{key} IS NOT NULL AND r.{name} IS DISTINCT FROM h.{name}"
        f" THEN '{name}' END"
        for name in versioned(model)
    )
    return (
        f"SELECT '{row.model_name}:' || coalesce(r.{key}, h.{key}) AS place, array_remove(ARRAY["  # noqa: S608
        f"CASE WHEN h.{key} IS NULL THEN 'history' END, CASE WHEN r.{key} IS NULL THEN 'row' END{cases}"
        "]::text[], NULL) AS wrong"
        f" FROM (SELECT * FROM {row.db_table} WHERE casino_id = %(casino)s) r"
        f" FULL JOIN (SELECT DISTINCT ON ({key}) * FROM {history.db_table} WHERE casino_id = %(casino)s"
        f" ORDER BY {key}, history_id DESC) h ON h.{key} = r.{key}"
    )
