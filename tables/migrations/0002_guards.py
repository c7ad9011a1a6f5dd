"""What can never be changed on the floor (docs/architecture.md, triggers).

- a settled round, its bets, a count of chips, a version of rules or limits: never
- a round in progress: its log only grows; a settled one may only be voided (REC-07)
- a turn at a post: only its end is written, once
- a closed session: only its drop and result are written, once
- history rows: never
"""

from django.db import migrations

from audits.guards import AppendOnly, NoDelete

ROUND = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_round_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        fixed text[] := ARRAY['state', 'void_event_id'];
        open_too text[] := fixed || ARRAY['log', 'settlement', 'winner', 'staked', 'returned', 'commission',
            'settled_at', 'event_id', 'source_key', 'source_digest'];
    BEGIN
        IF OLD.state = 'open' THEN
            IF to_jsonb(OLD) - open_too = to_jsonb(NEW) - open_too
               AND jsonb_array_length(NEW.log) >= jsonb_array_length(OLD.log)
               AND OLD.log = (SELECT coalesce(jsonb_agg(e ORDER BY i), '[]'::jsonb)
                              FROM jsonb_array_elements(NEW.log) WITH ORDINALITY AS t(e, i)
                              WHERE i <= jsonb_array_length(OLD.log)) THEN
                RETURN NEW;
            END IF;
        ELSIF OLD.state = 'settled' AND NEW.state = 'void' AND NEW.void_event_id IS NOT NULL
              AND to_jsonb(OLD) - fixed = to_jsonb(NEW) - fixed THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'round % is %: it is corrected by a new record (REC-07)', OLD.id, OLD.state
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_round_changes BEFORE UPDATE ON tables_round
        FOR EACH ROW EXECUTE FUNCTION sabot_round_changes();
    """,
    """
    DROP TRIGGER sabot_round_changes ON tables_round;
    DROP FUNCTION sabot_round_changes();
    """,
)

ASSIGNMENT = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_turn_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF upper_inf(OLD.during) AND NOT upper_inf(NEW.during) AND lower(OLD.during) = lower(NEW.during)
           AND to_jsonb(OLD) - 'during' = to_jsonb(NEW) - 'during' THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'turn % is on record: only its end is written, once', OLD.id USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_turn_ends_once BEFORE UPDATE ON tables_assignment
        FOR EACH ROW EXECUTE FUNCTION sabot_turn_ends_once();
    """,
    """
    DROP TRIGGER sabot_turn_ends_once ON tables_assignment;
    DROP FUNCTION sabot_turn_ends_once();
    """,
)

SESSION = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_session_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        counted text[] := ARRAY['drop', 'result', 'unexplained'];
        fixed text[] := ARRAY['casino_id', 'table_id', 'day_id', 'number', 'game', 'detail', 'seats',
            'opened_at', 'opened_by_id', 'opening'];
    BEGIN
        IF OLD.state = 'open' AND (SELECT bool_and(to_jsonb(OLD) -> k = to_jsonb(NEW) -> k) FROM unnest(fixed) k)
           AND NEW.last_round >= OLD.last_round THEN
            RETURN NEW;
        END IF;
        IF OLD.state = 'closed' AND OLD.drop IS NULL
           AND to_jsonb(OLD) - counted = to_jsonb(NEW) - counted THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'session % is %: it is corrected by a new record (REC-07)', OLD.id, OLD.state
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_session_changes BEFORE UPDATE ON tables_tablesession
        FOR EACH ROW EXECUTE FUNCTION sabot_session_changes();
    """,
    """
    DROP TRIGGER sabot_session_changes ON tables_tablesession;
    DROP FUNCTION sabot_session_changes();
    """,
)

HISTORY = ("pit", "table", "gamerules", "betlimits", "staff")


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_initial"), ("audits", "0002_guards")]

    operations = [
        NoDelete("tables_round"),
        ROUND,
        AppendOnly("tables_bet"),
        NoDelete("tables_tablesession"),
        SESSION,
        AppendOnly("tables_chipcount"),
        NoDelete("tables_assignment"),
        ASSIGNMENT,
        AppendOnly("tables_gamerules"),
        AppendOnly("tables_betlimits"),
        NoDelete("tables_pit"),
        NoDelete("tables_table"),
        NoDelete("tables_staff"),
        *(AppendOnly(f"tables_historical{name}") for name in HISTORY),
    ]
