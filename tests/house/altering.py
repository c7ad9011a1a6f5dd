"""One column of one row altered past every guard, as who owns the database can, and who noticed.

    watch = Watch(another_house)
    watch.alone(place)            which proof noticed, or NOBODY
    watch.together(places, …)     of many tables at once, those that a proof over whole rows does not name

Triggers and foreign keys are off (`session_replication_role`). Checks of the table stand first; where they
let no other value in, they are dropped for the time of it: that they are gone is a fault of its own
(`audits.guardbook`), and here the row itself must give the intruder away. Everything is undone at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.db import IntegrityError, connection, models, transaction
from django.db.utils import DataError, ProgrammingError

from audits import verify
from audits.sealing.checking import seal_faults
from audits.verify import Fault
from casino.models import Casino

NOBODY, NO_WAY = "nobody", "no way"
ROWS = 3
"""Rows of a table that are tried until another value is let into one."""

_NUMBER = ("coalesce({0}, 0) + 1", "coalesce({0}, 2) - 1", "coalesce({0}, 0) + 1000")
# The first sign, as the last ones of a document are those the trail shows.
_TEXT = (
    "overlay({0} placing CASE left({0}, 1) WHEN 'x' THEN 'y' ELSE 'x' END from 1 for 1)",
    "coalesce({0}, '') || 'x'",
)
_JSON = ("'[1]'", "'{{\"x\": 1}}'", "'\"x\"'")
# Other values of a column `{0}`, by the type PostgreSQL has it as; the first that is let in is taken.
_OTHER: dict[str, tuple[str, ...]] = {
    "bool": ("NOT coalesce({0}, false)",),
    "int2": _NUMBER,
    "int4": _NUMBER,
    "int8": _NUMBER,
    "numeric": _NUMBER,
    "float8": _NUMBER,
    "text": _TEXT,
    "varchar": _TEXT,
    "date": ("coalesce({0}, '2026-01-01') + 1", "{0} - 1"),
    "time": ("coalesce({0}, '01:00') + interval '1 minute'",),
    "timestamptz": ("coalesce({0}, '2026-01-01') + interval '1 second'", "{0} - interval '1 second'"),
    "interval": ("coalesce({0}, '0') + interval '1 second'",),
    "uuid": ("'00000000-0000-4000-8000-000000000001'",),
    "inet": ("'10.9.8.7'",),
    "bytea": ("overlay({0} placing '\\xab' from 1 for 1)", "coalesce({0}, '') || '\\x00'"),
    "jsonb": _JSON,
    "tstzrange": (
        "tstzrange(lower({0}) + interval '1 second', upper({0}))",
        "tstzrange(lower({0}), upper({0}) + interval '1 second')",
    ),
    "daterange": ("daterange(lower({0}) + 1, upper({0}))", "daterange(lower({0}) - 1, upper({0}))"),
}


@dataclass(frozen=True)
class Place:
    """A column of a table."""

    table: str
    key: str
    column: str
    kind: str

    @property
    def label(self) -> str:
        return f"{self.table}.{self.column}"


def columns_of(model: type[models.Model]) -> list[Place]:
    """All but the key and what PostgreSQL works out by itself."""
    found = _ask(
        "SELECT attname, t.typname FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid"
        " WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''"
        " ORDER BY attnum",
        model._meta.db_table,
    )
    key = str(model._meta.pk.column)
    return [Place(model._meta.db_table, key, name, kind) for name, kind in found if name != key]


class Watch:
    """The proofs over every house but `elsewhere`, to which rows are moved."""

    def __init__(self, elsewhere: Casino) -> None:
        self.elsewhere = elsewhere
        self.houses = {one.pk: one for one in Casino.objects.exclude(pk=elsewhere.pk).order_by("pk")}
        self.proofs: dict[str, verify.Proof] = {
            **verify._trail_proofs,
            **{f"ledger: {name}": proof for name, proof in verify._proofs.items()},
            "seal_faults": seal_faults,
            "trail": lambda casino: _but_guards(verify.trail_faults(casino)),
            "ledger": lambda casino: _but_guards(verify.ledger_faults(casino)),
        }
        self.useful: defaultdict[str, list[str]] = defaultdict(list)

    def alone(self, place: Place) -> str:
        """Which proof noticed that one row's column was altered; those that did of its table before first."""
        for unchecked in (False, True):
            for row, house in self._rows(place):
                with transaction.atomic():
                    done = self.alter(place, row, unchecked)
                    found = self._noticed(place, house) if done else None
                    transaction.set_rollback(True)
                if found is not None:
                    return found
        return NO_WAY

    def together(
        self, places: Iterable[Place], proof: verify.Proof, names: Callable[[Fault, Place], bool]
    ) -> list[str]:
        """Each place altered, one row of every table at a time; those that `proof` does not name."""
        by_table: defaultdict[str, list[Place]] = defaultdict(list)
        for place in places:
            by_table[place.table].append(place)
        unseen = []
        for turn in zip_longest(*by_table.values()):
            with transaction.atomic():
                altered = [place for place in turn if place is not None and self._altered(place)]
                faults = [fault for house in self.houses.values() for fault in proof(house)]
                unseen += [place.label for place in turn if place is not None and place not in altered]
                unseen += [one.label for one in altered if not any(names(fault, one) for fault in faults)]
                transaction.set_rollback(True)
        return unseen

    def _altered(self, place: Place) -> bool:
        return any(
            self.alter(place, row, unchecked)
            for unchecked in (False, True)
            for row, _ in self._rows(place, "ASC")
        )

    def _rows(self, place: Place, order: str = "DESC") -> list[tuple[Any, Any]]:
        """Keys of rows to alter and whose they are, those first where something stands in the column."""
        name, key = f'"{place.column}"', f'"{place.key}"'
        whose, where = _house_of(place.table), f"WHERE {key} <> {self.elsewhere.pk}"
        return _ask(
            f"SELECT {key}, {whose} FROM {place.table} {where if place.table == 'casino_casino' else ''}"
            f" ORDER BY {name} IS NULL, {key} {order} LIMIT {ROWS}"
        )

    def alter(self, place: Place, row: Any, unchecked: bool) -> bool:
        table, name = place.table, f'"{place.column}"'
        others = [*self._others(place)]
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            if unchecked:
                for (check,) in _ask(
                    "SELECT conname FROM pg_constraint"
                    " WHERE conrelid = %s::regclass AND contype IN ('c', 'x')",
                    table,
                ):
                    cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{check}"')
        done = any(_tried(f'UPDATE {table} t SET {name} = {other} WHERE "{place.key}" = %s'
                          f" AND ({other}) IS DISTINCT FROM {name}", row) for other in others)  # fmt: skip
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = origin")
        return done

    def _others(self, place: Place) -> Iterator[str]:
        name = f'"{place.column}"'
        if place.column == "casino_id":
            yield str(self.elsewhere.pk)
        if place.kind.startswith("_"):
            yield f"{name} || {name}[1:1]"
            yield f"array_append({name}, NULL)"
            yield "'{}'"
        else:
            yield from (other.format(name) for other in _OTHER[place.kind])
        # What stands there in another row: a state, a kind, who did it.
        yield f"(SELECT o.{name} FROM {place.table} o WHERE o.{name} IS DISTINCT FROM t.{name} LIMIT 1)"
        yield "NULL"

    def _noticed(self, place: Place, house: Any) -> str:
        houses = [self.houses[house]] if house in self.houses else [*self.houses.values()]
        if place.column == "casino_id":
            houses.append(self.elsewhere)
        first = self.useful[place.table]
        for name in [*first, *(name for name in self.proofs if name not in first)]:
            if any(next(iter(self.proofs[name](casino)), None) is not None for casino in houses):
                if name not in first:
                    first.append(name)
                return name
        return NOBODY


def _house_of(table: str) -> str:
    """The column with the casino of a row, as SQL."""
    if table == "casino_casino":
        return "id"
    there = _ask(
        "SELECT 1 FROM pg_attribute"
        " WHERE attrelid = %s::regclass AND attname = 'casino_id' AND NOT attisdropped",
        table,
    )
    return "casino_id" if there else "NULL"


def _tried(statement: str, row: Any) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, [row])
            return cursor.rowcount == 1
    except (IntegrityError, DataError, ProgrammingError):
        return False


def _but_guards(faults: Iterator[Fault]) -> Iterator[Fault]:
    return (fault for fault in faults if not fault.code.startswith("guard_"))


def _ask(query: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values or None)
        return list(cursor.fetchall())
