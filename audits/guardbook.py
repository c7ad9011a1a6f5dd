"""The guards as they must stand: a snapshot in the code, compared with the database there is.

`guards.json` holds, for every table of ours, its triggers, constraints and unique indexes as PostgreSQL
writes them out, and the SHA-256 of every trigger's function and of what these call. Whoever owns the
database can change those; they cannot change this file with SQL. `manage.py guards --write` makes it anew
after a migration, and a test holds it to a freshly migrated database.

Kept to what PostgreSQL 15 to 18 write alike: NOT NULL is left out (a constraint of its own since 18).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.db import connection

from audits.guard_texts import as_restored
from casino.kernel.words import Text

PATH = Path(__file__).with_name("guards.json")
ROOMS = ("casino", "audits", "shoes", "tables", "jackpots")
Guards = dict[str, dict[str, Any]]

_OURS = f"n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND c.relname ~ '^({'|'.join(ROOMS)})_'"
_TABLES = f"SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE {_OURS}"  # noqa: S608
_TRIGGERS = f"""
SELECT c.relname, t.tgname, replace(pg_get_triggerdef(t.oid), quote_ident(n.nspname) || '.', '')
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE {_OURS} AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')
"""  # noqa: S608
_CONSTRAINTS = f"""
SELECT c.relname, k.conname, replace(pg_get_constraintdef(k.oid), quote_ident(n.nspname) || '.', '')
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE {_OURS} AND k.contype IN ('c', 'f', 'p', 'u', 'x')
"""  # noqa: S608
_UNIQUE = f"""
SELECT c.relname, i.relname, replace(pg_get_indexdef(i.oid), quote_ident(n.nspname) || '.', '')
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE {_OURS} AND x.indisunique AND x.indisvalid AND x.indisready
  AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.oid AND k.contype IN ('p', 'u', 'x'))
"""  # noqa: S608
_FUNCTIONS = f"""
SELECT DISTINCT
    CASE WHEN f.pronamespace = n.oid THEN '' ELSE f.pronamespace::regnamespace || '.' END || f.proname,
    encode(sha256(convert_to(concat_ws('|', l.lanname, f.prosecdef, f.proconfig, f.prosrc), 'UTF8')), 'hex')
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_proc f ON f.oid = t.tgfoid JOIN pg_language l ON l.oid = f.prolang
WHERE {_OURS} AND NOT t.tgisinternal
UNION
SELECT f.proname,
    encode(sha256(convert_to(concat_ws('|', l.lanname, f.prosecdef, f.proconfig, f.prosrc), 'UTF8')), 'hex')
FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace JOIN pg_language l ON l.oid = f.prolang
WHERE n.nspname = current_schema() AND starts_with(f.proname::text, 'sabot_')
"""  # noqa: S608
# What no migration of ours makes, and what would let a write pass the guards or change it on its way.
_TRESPASSES = f"""
SELECT c.relname, 'RULE ' || r.rulename FROM pg_rewrite r
JOIN pg_class c ON c.oid = r.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace WHERE {_OURS}
UNION ALL
SELECT c.relname, 'DISABLE TRIGGER ' || t.tgname FROM pg_trigger t
JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE {_OURS} AND t.tgisinternal AND t.tgenabled NOT IN ('O', 'A')
UNION ALL
SELECT c.relname, 'NOT VALID ' || k.conname FROM pg_constraint k
JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE {_OURS} AND NOT k.convalidated
UNION ALL
SELECT c.relname, 'ROW LEVEL SECURITY' FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE {_OURS} AND c.relrowsecurity
UNION ALL
SELECT c.relname, 'UNLOGGED' FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE {_OURS} AND c.relpersistence <> 'p'
UNION ALL
SELECT coalesce(d.datname, r.rolname, 'postgresql'), setting
FROM pg_db_role_setting s LEFT JOIN pg_database d ON d.oid = s.setdatabase
LEFT JOIN pg_roles r ON r.oid = s.setrole, unnest(s.setconfig) setting
WHERE (s.setdatabase = 0 OR d.datname = current_database()) AND setting LIKE 'session_replication_role=%%'
  AND setting <> 'session_replication_role=origin'
UNION ALL
SELECT 'postgresql', 'session_replication_role=' || current_setting('session_replication_role')
WHERE current_setting('session_replication_role') <> 'origin'
ORDER BY 1, 2
"""  # noqa: S608


class Difference(NamedTuple):
    """One guard that is not as it must be. `what`: missing, changed or added."""

    what: str
    where: str
    words: Text


def live() -> Guards:
    """The guards of the database there is, in the form of the snapshot."""
    found: Guards = {"tables": {}, "functions": {}}
    for (table,) in _rows(_TABLES):
        found["tables"][table] = {"triggers": {}, "constraints": {}, "unique": {}}
    for kind, query in (("triggers", _TRIGGERS), ("constraints", _CONSTRAINTS), ("unique", _UNIQUE)):
        for table, name, definition in _rows(query):
            found["tables"][table][kind][name] = definition
    found["functions"] = dict(_rows(_FUNCTIONS))
    return found


def expected() -> Guards:
    """The snapshot."""
    stored: Guards = json.loads(PATH.read_text(encoding="utf-8"))
    return stored


def write() -> None:
    """Make the snapshot anew from the database there is: a freshly migrated one."""
    text = json.dumps(live(), ensure_ascii=False, indent=1, sort_keys=True)
    PATH.write_text(text + "\n", encoding="utf-8")


def differences() -> Iterator[Difference]:
    """Every guard that is missing or switched off, is other than it must be, or that nobody put there."""
    must, found = expected(), live()
    for table in sorted(must["tables"].keys() | found["tables"].keys()):
        wanted, there = must["tables"].get(table), found["tables"].get(table)
        if wanted is None or there is None:
            yield _difference("added" if wanted is None else "missing", table, "TABLE")
            continue
        for kind in ("triggers", "constraints", "unique"):
            yield from _compared(table, wanted[kind], there[kind])
    for name in sorted(must["functions"].keys() & found["functions"].keys()):
        if must["functions"][name] != found["functions"][name]:
            yield _difference("changed", f"{name}()", "FUNCTION")
    for table, what in trespasses():
        yield _difference("added", table, what)


def trespasses() -> list[tuple[str, str]]:
    """What no migration of ours makes: table or place, and what is there."""
    return [(where, what) for where, what in _rows(_TRESPASSES)]


def _compared(table: str, wanted: dict[str, str], there: dict[str, str]) -> Iterator[Difference]:
    for name in sorted(wanted.keys() | there.keys()):
        if name not in there:
            yield _difference("missing", table, name)
        elif name not in wanted:
            yield _difference("added", table, f"{name}: {there[name]}")
        elif wanted[name] != there[name] and as_restored(wanted[name]) != as_restored(there[name]):
            yield _difference("changed", table, f"{name}: {there[name]}")


def _difference(what: str, where: str, name: str) -> Difference:
    words = {
        "missing": Text(
            f"falta o está desactivada una defensa: {name}", f"a guard is missing or switched off: {name}"
        ),
        "changed": Text(
            f"una defensa ya no es la que se instaló: {name}", f"a guard is not the one installed: {name}"
        ),
        "added": Text(
            f"hay algo que ninguna migración puso: {name}",
            f"something is there that no migration put: {name}",
        ),
    }
    return Difference(what, where, words[what])


def _rows(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, [])
        return cursor.fetchall()
