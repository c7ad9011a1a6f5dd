"""What the database itself keeps of pools: rows that never change, and ways that only go on (PP-29, PP-30)."""

from django.db import migrations

from audits.guards import AppendOnly, NoDelete


def _moves(table: str, name: str, moving: str, steps: str, words: str) -> migrations.RunSQL:
    """Only the columns `moving` change, and `state` only as `steps` (old>new) says; the same state may stay."""
    return migrations.RunSQL(
        f"""
        CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            moving constant text[] := ARRAY[{moving}];
            step constant text := OLD.state || '>' || NEW.state;
        BEGIN
            IF to_jsonb(OLD) - moving = to_jsonb(NEW) - moving
               AND (OLD.state = NEW.state OR step IN ({steps})) THEN
                RETURN NEW;
            END IF;
            RAISE EXCEPTION '{words}', OLD.id USING ERRCODE = '23001';
        END $$;
        CREATE TRIGGER {name} BEFORE UPDATE ON {table}
            FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION {name}();
        """,
        f"DROP TRIGGER {name} ON {table}; DROP FUNCTION {name}();",
    )


# PP-29: what a fund holds falls only with a movement of a listed reason, which says what is left.
FUND_FALLS = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_fund_falls() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF (OLD.pool_id, OLD.code, OLD.reserve) <> (NEW.pool_id, NEW.code, NEW.reserve) THEN
            RAISE EXCEPTION 'fund %: it stays what it is (PP-29)', OLD.id USING ERRCODE = '23001';
        END IF;
        IF (NEW.players < OLD.players OR NEW.base <> OLD.base) AND NOT EXISTS (
            SELECT FROM jackpots_poolmove m WHERE m.id = NEW.last_move_id AND m.fund_id = NEW.id
                AND m.id IS DISTINCT FROM OLD.last_move_id
                AND (m.after_players, m.after_base) = (NEW.players, NEW.base)
                AND m.kind IN ('seed', 'reseed', 'prize', 'overflow', 'rejected', 'void', 'transfer', 'correction')
        ) THEN
            RAISE EXCEPTION 'fund %: a balance falls only for a recorded reason (PP-29)', OLD.id
                USING ERRCODE = '23001';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_fund_falls BEFORE UPDATE ON jackpots_fund
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_fund_falls();
    """,
    "DROP TRIGGER sabot_fund_falls ON jackpots_fund; DROP FUNCTION sabot_fund_falls();",
)

APPEND_ONLY = (
    "poolmove",
    "versionapproval",
    "creditmove",
    "prizecheck",
    "meterreading",
    "difference",
    "complementaryplace",
    "historicalpool",
)
KEPT = (
    "pool",
    "fund",
    "poolversion",
    "pooltable",
    "seatcredits",
    "bet",
    "prize",
    "proof",
    "complementary",
)


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0001_initial")]

    operations = [
        *[AppendOnly(f"jackpots_{name}") for name in APPEND_ONLY],
        *[NoDelete(f"jackpots_{name}") for name in KEPT],
        _moves(
            "jackpots_bet",
            "sabot_progressive_bet_moves",
            "'state', 'round_id', 'version_id', 'serial', 'total', 'day'",
            "'placed>cancelled', 'placed>counted', 'placed>returned', 'counted>void'",
            "progressive bet %: it is counted once, and stays as it was counted (PP-18)",
        ),
        _moves(
            "jackpots_prize",
            "sabot_prize_moves",
            "'state', 'winner', 'document', 'decided_at', 'paid_at', 'paid_by_id', 'desk_id', 'form'",
            "'pending>verified', 'pending>rejected', 'verified>paid', 'verified>rejected'",
            "prize %: what was won stays as it was hit (PP-31)",
        ),
        _moves(
            "jackpots_poolversion",
            "sabot_pool_version_moves",
            "'state', 'offsets', 'begun_at', 'ended_at', 'collected', 'filing_id'",
            "'draft>approved', 'draft>withdrawn', 'approved>withdrawn', 'approved>in_force', 'in_force>over'",
            "pool version %: parameters are replaced by a new version, not changed (PP-30)",
        ),
        _moves(
            "jackpots_complementary",
            "sabot_complementary_moves",
            "'state', 'seed', 'digest', 'drawn_at', 'winner_id', 'event_id', 'paid_at', 'paid_by_id', 'paid_event_id'",
            "'announced>drawn', 'drawn>paid', 'announced>called_off'",
            "complementary prize %: it is drawn once, and paid once (PP-24)",
        ),
        _moves(
            "jackpots_pool",
            "sabot_pool_moves",
            "'state', 'name', 'public', 'version_id', 'collected', 'bets', 'prizes', 'incident_id', 'retired_to_id'",
            "'draft>running', 'running>stopped', 'running>suspended', 'stopped>running', 'suspended>running',"
            " 'stopped>retired', 'suspended>retired'",
            "pool %: that step is not part of its life (PP-32)",
        ),
        FUND_FALLS,
    ]
