"""Triggers that make rows unchangeable, as a migration operation each room uses for its own tables.

`AppendOnly("tables_round_history")` adds one row trigger (UPDATE, DELETE) and one statement trigger
(TRUNCATE). They hold for every role, the owner included, until someone drops or changes them, and
`audits.guardbook` tells when someone did. SQLSTATE 23001 makes Django raise IntegrityError.
"""

from __future__ import annotations

from django.db import connection
from django.db.migrations.operations import RunSQL

REFUSE_FUNCTION = RunSQL(
    """
    CREATE FUNCTION sabot_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% on %: these rows are never changed (REC-06); correct with a new record',
            TG_OP, TG_TABLE_NAME USING ERRCODE = '23001';
    END $$;
    """,
    "DROP FUNCTION sabot_refuse_change()",
)


class AppendOnly(RunSQL):
    """Refuse UPDATE, DELETE and TRUNCATE on a table (REC-06)."""

    def __init__(self, table: str) -> None:
        self.table = table
        super().__init__(
            f"""
            CREATE TRIGGER sabot_append_only BEFORE UPDATE OR DELETE ON {table}
                FOR EACH ROW EXECUTE FUNCTION sabot_refuse_change();
            CREATE TRIGGER sabot_no_truncate BEFORE TRUNCATE ON {table}
                FOR EACH STATEMENT EXECUTE FUNCTION sabot_refuse_change();
            """,
            f"""
            DROP TRIGGER sabot_append_only ON {table};
            DROP TRIGGER sabot_no_truncate ON {table};
            """,
        )

    def deconstruct(self) -> tuple[str, list[str], dict[str, str]]:
        return type(self).__name__, [self.table], {}


class NoDelete(RunSQL):
    """Refuse DELETE and TRUNCATE on a table whose rows may still move on (a session, a shoe)."""

    def __init__(self, table: str) -> None:
        self.table = table
        super().__init__(
            f"""
            CREATE TRIGGER sabot_no_delete BEFORE DELETE ON {table}
                FOR EACH ROW EXECUTE FUNCTION sabot_refuse_change();
            CREATE TRIGGER sabot_no_truncate BEFORE TRUNCATE ON {table}
                FOR EACH STATEMENT EXECUTE FUNCTION sabot_refuse_change();
            """,
            f"""
            DROP TRIGGER sabot_no_delete ON {table};
            DROP TRIGGER sabot_no_truncate ON {table};
            """,
        )

    def deconstruct(self) -> tuple[str, list[str], dict[str, str]]:
        return type(self).__name__, [self.table], {}


class Fixed(RunSQL):
    """Refuse to change any column of a row; writing the same values again is no change."""

    def __init__(self, table: str) -> None:
        self.table = table
        super().__init__(
            f"""
            CREATE TRIGGER sabot_fixed BEFORE UPDATE ON {table}
                FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_refuse_change();
            """,
            f"DROP TRIGGER sabot_fixed ON {table};",
        )

    def deconstruct(self) -> tuple[str, list[str], dict[str, str]]:
        return type(self).__name__, [self.table], {}


PSEUDONYM_FUNCTIONS = RunSQL(
    """
    -- Whether a change does nothing but put a pseudonym, already on record, in place of what named somebody:
    -- each of these columns keeps what it is (nothing stays nothing), becomes the pseudonym, or of a date its
    -- year's first day (REC-12).
    CREATE FUNCTION sabot_is_pseudonym(before jsonb, after jsonb, of_kind text, of_subject text, columns
    text[]) RETURNS boolean LANGUAGE sql STABLE AS $$
        SELECT before - columns = after - columns AND EXISTS (
            SELECT 1 FROM audits_pseudonym p
            WHERE p.kind = of_kind AND p.subject_id = (before ->> of_subject)::bigint
              AND p.casino_id = (before ->> 'casino_id')::bigint
              AND NOT EXISTS (
                SELECT 1 FROM unnest(columns) c
                WHERE (before ->> c) IS DISTINCT FROM (after ->> c)
                  AND coalesce(after ->> c, '') NOT IN
                      ('', p.code, left(before ->> c, 4) || '-01-01')
              ))
    $$;
    CREATE FUNCTION sabot_pseudonym_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'UPDATE'
           AND sabot_is_pseudonym(to_jsonb(OLD), to_jsonb(NEW), TG_ARGV[0], TG_ARGV[1], TG_ARGV[2]::text[])
           THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION '% on %: these rows are never changed (REC-06), but for a pseudonym (REC-12)',
            TG_OP, TG_TABLE_NAME USING ERRCODE = '23001';
    END $$;
    """,
    "DROP FUNCTION sabot_pseudonym_only();"
    " DROP FUNCTION sabot_is_pseudonym(jsonb, jsonb, text, text, text[]);",
)


class AppendOnlyButPseudonyms(RunSQL):
    """In place of `AppendOnly`, whose rows these are: what names somebody may become their pseudonym
    (REC-12).

    `kind` of data, `subject`: the column with its id, `columns`: those that name somebody.
    """

    def __init__(self, table: str, kind: str, subject: str, columns: list[str]) -> None:
        self.given = table, kind, subject, columns
        listed = "{" + ",".join(columns) + "}"
        super().__init__(
            f"""
            DROP TRIGGER sabot_append_only ON {table};
            CREATE TRIGGER sabot_append_only BEFORE UPDATE OR DELETE ON {table}
                FOR EACH ROW EXECUTE FUNCTION sabot_pseudonym_only('{kind}', '{subject}', '{listed}');
            """,
            f"""
            DROP TRIGGER sabot_append_only ON {table};
            CREATE TRIGGER sabot_append_only BEFORE UPDATE OR DELETE ON {table}
                FOR EACH ROW EXECUTE FUNCTION sabot_refuse_change();
            """,
        )

    def deconstruct(self) -> tuple[str, list[object], dict[str, object]]:
        return type(self).__name__, list(self.given), {}


def guards_in_place() -> dict[str, set[str]]:
    """Enabled Sabot triggers by table, as the database has them now."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE t.tgname LIKE 'sabot_%%' AND t.tgenabled IN ('O', 'A') AND n.nspname = current_schema()"
        )
        found: dict[str, set[str]] = {}
        for table, trigger in cursor.fetchall():
            found.setdefault(table, set()).add(trigger)
        return found
