"""Names that the trail and the ledger lean on are fixed, and a closed gaming day is final.

- `audits_actor`, `audits_account`: no column changes once written. (The ledger's upsert of an account
  writes the same values again, which is no change.)
- `casino_gamingday`: never deleted; its casino and date are fixed; once closed nothing changes (REC-08).
"""

from django.db import migrations

from audits.guards import Fixed, NoDelete

DAY_FINAL = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_day_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF OLD.state = 'closed' OR (NEW.id, NEW.casino_id, NEW.date) <> (OLD.id, OLD.casino_id, OLD.date) THEN
            RAISE EXCEPTION 'gaming day % is %: it is corrected by a new record (REC-07)', OLD.date, OLD.state
                USING ERRCODE = '23001';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_day_is_final BEFORE UPDATE ON casino_gamingday
        FOR EACH ROW EXECUTE FUNCTION sabot_day_is_final();
    """,
    """
    DROP TRIGGER sabot_day_is_final ON casino_gamingday;
    DROP FUNCTION sabot_day_is_final();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("audits", "0003_tighter_guards"), ("casino", "0001_initial")]

    operations = [
        Fixed("audits_actor"),
        Fixed("audits_account"),
        NoDelete("casino_gamingday"),
        DAY_FINAL,
    ]
