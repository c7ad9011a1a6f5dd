"""Each night's digests of the rows that nobody may change, written down on the trail (REC-06).

The triggers refuse a change; the owner of the database can switch them off, and not every column of every row
is told by an event. So when a gaming day closes, the rows that each append-only table has had since the night
before are digested, a few hundred at a time, and the trail names what they add up to. `verify_trail` digests
them again (`row_proofs`): a row that was changed, removed or slipped in is found, and about where.

Only rows that are settled are digested: keys are given out before a transaction commits, so nothing is done
while one is at work that was at work when the last keys were read. The next night takes what was left.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from django.apps import apps
from django.db import connection, transaction
from psycopg import sql

from audits import guardbook, policies, trail
from audits.by import By
from audits.models import RowDigest
from casino.kernel import locking
from casino.kernel.commands import command
from casino.models import Casino, GamingDay

STREAM = "rows"
DIGESTED = "audits.rows.digested"
ROWS_EACH = 250
LOWEST = -(2**63)
"""What the first digest of a table begins with: no row comes before it."""
PATIENCE = 5.0
"""Seconds given to transactions at work; they give up waiting for each other after three."""
_GUARD = "sabot_append_only"
_MAY_BE_PSEUDONYMS = re.compile(r"sabot_pseudonym_only\(.*'\{(.*)\}'\)")


@dataclass(frozen=True, slots=True)
class Table:
    """An append-only table, the column that is its key, and those that name somebody: a pseudonym takes
    their place in time (REC-12), so no digest covers them."""

    name: str
    key: str
    personal: frozenset[str] = frozenset()
    of_a_house: bool = True
    """Whether its rows name their casino; what belongs to a row that does is digested for all of them."""

    @property
    def scope(self) -> sql.SQL:
        """Which rows of it are of the casino `%(casino)s`, as SQL."""
        return sql.SQL("casino_id = %(casino)s" if self.of_a_house else "%(casino)s IS NOT NULL")


@cache
def tables() -> tuple[Table, ...]:
    """What is digested: every table whose guard is `AppendOnly`, by the snapshot in the code and not by the
    database there is, where a guard may be missing. The digests themselves are held by the trail."""
    of_ours = {model._meta.db_table: model._meta for model in apps.get_models()}
    guarded = {
        name: guards["triggers"][_GUARD]
        for name, guards in guardbook.expected()["tables"].items()
        if _GUARD in guards["triggers"] and name != RowDigest._meta.db_table
    }
    return tuple(
        Table(
            name,
            str(of_ours[name].pk.column),
            _personal(trigger),
            any(field.column == "casino_id" for field in of_ours[name].concrete_fields),
        )
        for name, trigger in sorted(guarded.items())
    )


def _personal(trigger: str) -> frozenset[str]:
    """The columns that the guard itself lets a pseudonym into (`AppendOnlyButPseudonyms`)."""
    listed = _MAY_BE_PSEUDONYMS.search(trigger)
    return frozenset(listed[1].split(",")) if listed else frozenset()


def settled(casino: Casino) -> Mapping[str, int] | None:
    """The last key of each table, once nobody is at work who may still write below it; None if somebody
    stays at work."""
    with connection.cursor() as cursor:
        cursor.execute(_last_keys(), {"casino": casino.pk})
        last = {name: key for name, key in cursor.fetchall() if key is not None}
        cursor.execute(_AT_WORK)
        at_work = [transaction for (transaction,) in cursor.fetchall()]
        given_up = time.monotonic() + PATIENCE
        while True:
            cursor.execute(_STILL_AT_WORK, [at_work])
            if cursor.fetchone() == (0,):
                return last
            if time.monotonic() > given_up:
                return None
            time.sleep(0.2)


# Every transaction holds a lock on its own virtual number from its first statement on, before it writes
# anything, and every role sees every such lock; when another role's transaction began, it does not see. Who
# works for nobody (autovacuum) writes no rows.
_AT_WORK = (
    "SELECT DISTINCT l.virtualtransaction FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
    " WHERE l.locktype = 'virtualxid' AND l.granted AND l.virtualxid = l.virtualtransaction"
    " AND a.datname = current_database() AND a.usesysid IS NOT NULL AND a.pid <> pg_backend_pid()"
)
# One that is prepared to be committed by somebody else later has no session and no such lock any more.
_STILL_AT_WORK = (
    "SELECT (SELECT count(*) FROM pg_locks l WHERE l.locktype = 'virtualxid' AND l.granted"
    " AND l.virtualtransaction = ANY (%s::text[]))"
    " + (SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database())"
)


def _last_keys() -> sql.Composed:
    one = sql.SQL("SELECT {name}, (SELECT max({key}) FROM {table} WHERE {scope})")
    return sql.SQL(" UNION ALL ").join(
        one.format(
            name=table.name,
            key=sql.Identifier(table.key),
            table=sql.Identifier(table.name),
            scope=table.scope,
        )
        for table in tables()
    )


@command(policies.CLOSE_DAY, silent_when="the day's rows are digested already")
def digest_rows(*, day: GamingDay, up_to: Mapping[str, int], by: By) -> bool:
    """Write down what each table's rows since the night before add up to, up to its key in `up_to`
    (`settled`). Once per day; False where it was done already. Two at once do it once.
    """
    locking.taking(locking.Rank.GAMING_DAY)
    GamingDay.objects.select_for_update().get(pk=day.pk)
    if RowDigest.objects.filter(casino=by.casino, day=day).exists():
        return False
    before = dict(_last_digested(by.casino))
    made: dict[str, list[RowDigest]] = {}
    with plain_text():
        for table in tables():
            after, last = before.get(table.name, LOWEST - 1), up_to.get(table.name)
            if last is not None and last > after:
                made[table.name] = list(_digests(table, day, after, last))
    for rows in made.values():
        RowDigest.objects.bulk_create(rows)
    if not made:
        return False
    trail.record(
        DIGESTED,
        stream=STREAM,
        subject=trail.Subject("day", day.pk, str(day)),
        by=by,
        data={"day": str(day), "tables": {name: summary(rows) for name, rows in made.items()}},
        rules=["REC-06"],
    )
    return True


def summary(rows: Iterable[RowDigest]) -> dict[str, object]:
    """What the trail says of one table's digests of one night: up to where, how many, and over all of it."""
    held = sorted(rows, key=lambda one: one.first_id)
    whole = hashlib.sha256()
    for one in held:
        said = [one.first_id, one.last_id, one.rows, *one.columns, bytes(one.sha256).hex()]
        whole.update(" ".join(map(str, said)).encode() + b"\n")
    return {"up_to": held[-1].last_id, "rows": sum(one.rows for one in held), "sha256": whole.hexdigest()}


def _last_digested(casino: Casino) -> Iterator[tuple[str, int]]:
    with connection.cursor() as cursor:
        cursor.execute(
            'SELECT "table", max(last_id) FROM audits_rowdigest WHERE casino_id = %s GROUP BY 1', [casino.pk]
        )
        yield from cursor.fetchall()


def _digests(table: Table, day: GamingDay, after: int, last: int) -> Iterator[RowDigest]:
    columns = [name for name in columns_of(table.name) if name not in table.personal]
    query = sql.SQL(
        "SELECT max(key), count(*), sha256(string_agg(digest, ''::bytea ORDER BY key)) FROM ("
        "SELECT {key} AS key, {digest} AS digest, (row_number() OVER (ORDER BY {key}) - 1) / {each} AS part"
        " FROM {table} t WHERE {scope} AND {key} > %(after)s AND {key} <= %(last)s) found"
        " GROUP BY part ORDER BY part"
    ).format(
        key=sql.Identifier(table.key),
        digest=row_digest(columns),
        each=ROWS_EACH,
        table=sql.Identifier(table.name),
        scope=table.scope,
    )
    first = max(after + 1, LOWEST)
    with connection.cursor() as cursor:
        cursor.execute(query, {"casino": day.casino_id, "after": max(after, LOWEST), "last": last})
        for up_to, rows, digest in cursor.fetchall():
            yield RowDigest(
                casino_id=day.casino_id,
                day=day,
                table=table.name,
                columns=columns,
                first_id=first,
                last_id=up_to,
                rows=rows,
                sha256=digest,
            )
            first = up_to + 1


def columns_of(table: str) -> list[str]:
    """A table's columns in their order; none if there is no such table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(%s) AND attnum > 0"
            " AND NOT attisdropped ORDER BY attnum",
            [table],
        )
        return [name for (name,) in cursor.fetchall()]


def row_digest(columns: Sequence[str]) -> sql.Composed:
    """SHA-256 of a row `t` as PostgreSQL writes these columns of it, as SQL."""
    named = sql.SQL(", ").join(sql.Identifier("t", column) for column in columns)
    return sql.SQL("sha256(convert_to(ROW({})::text, 'UTF8'))").format(named)


@contextmanager
def plain_text() -> Iterator[None]:
    """For the time of it PostgreSQL writes values as it always has, whatever this server is set to."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, MDY';"
            " SET LOCAL IntervalStyle = 'postgres'; SET LOCAL bytea_output = 'hex';"
            " SET LOCAL extra_float_digits = 1"
        )
        yield
