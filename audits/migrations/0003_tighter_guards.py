"""Three holes closed in what can never be changed.

- A transfer says how many lines it has. At commit it must have them all and sum to zero, and no
  statement may leave it with more: so a balanced pair added to an old transfer is refused at once,
  in whichever transaction or savepoint, also after a restore into another server. One check per
  statement and one per transfer, where there was one per line.
- A stream starts empty, and its head moves by one to an event that exists: not merely "from within
  some trigger". For that the event's own trigger runs after the row is in.
"""

from django.db import migrations, models

FILL_LINES = migrations.RunSQL(
    """
    ALTER TABLE audits_transfer DISABLE TRIGGER USER;
    UPDATE audits_transfer t SET lines = (SELECT count(*) FROM audits_posting p WHERE p.transfer_id = t.id);
    ALTER TABLE audits_transfer ENABLE TRIGGER USER;
    """,
    migrations.RunSQL.noop,
)

WHOLE_TRANSFERS = migrations.RunSQL(
    """
    DROP TRIGGER sabot_posting_balances ON audits_posting;
    CREATE OR REPLACE FUNCTION sabot_transfer_balances() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE found integer; off numeric;
    BEGIN
        SELECT count(*), coalesce(sum(debit) - sum(credit), 0) INTO found, off
            FROM audits_posting WHERE transfer_id = NEW.id;
        IF found <> NEW.lines OR off <> 0 THEN
            RAISE EXCEPTION 'transfer % has % of % lines and is off by %', NEW.id, found, NEW.lines, off
                USING ERRCODE = '23514', CONSTRAINT = 'transfer_sums_to_zero';
        END IF;
        RETURN NULL;
    END $$;
    CREATE FUNCTION sabot_posting_belongs() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE full_one bigint;
    BEGIN
        SELECT t.id INTO full_one FROM audits_transfer t
            WHERE t.id IN (SELECT transfer_id FROM arrived)
              AND t.lines < (SELECT count(*) FROM audits_posting p WHERE p.transfer_id = t.id)
            LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'transfer % is complete and takes no more lines (REC-07)', full_one
                USING ERRCODE = '23514', CONSTRAINT = 'transfer_is_complete';
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER sabot_posting_belongs AFTER INSERT ON audits_posting
        REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION sabot_posting_belongs();
    """,
    """
    DROP TRIGGER sabot_posting_belongs ON audits_posting;
    DROP FUNCTION sabot_posting_belongs();
    CREATE OR REPLACE FUNCTION sabot_transfer_balances() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE wanted bigint; lines integer; off numeric;
    BEGIN
        IF TG_TABLE_NAME = 'audits_transfer' THEN wanted := NEW.id; ELSE wanted := NEW.transfer_id; END IF;
        SELECT count(*), coalesce(sum(debit) - sum(credit), 0) INTO lines, off
            FROM audits_posting WHERE transfer_id = wanted;
        IF lines < 2 OR off <> 0 THEN
            RAISE EXCEPTION 'transfer % has % lines and is off by %', wanted, lines, off
                USING ERRCODE = '23514', CONSTRAINT = 'transfer_sums_to_zero';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER sabot_posting_balances AFTER INSERT ON audits_posting
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sabot_transfer_balances();
    """,
)

HEADS = migrations.RunSQL(
    """
    DROP TRIGGER sabot_event_in ON audits_event;
    CREATE TRIGGER sabot_event_in AFTER INSERT ON audits_event
        FOR EACH ROW EXECUTE FUNCTION sabot_event_in();

    CREATE OR REPLACE FUNCTION sabot_stream_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF (NEW.id, NEW.casino_id, NEW.name) IS DISTINCT FROM (OLD.id, OLD.casino_id, OLD.name)
           OR NEW.head_seq <> OLD.head_seq + 1
           OR NOT EXISTS (SELECT 1 FROM audits_event
                          WHERE stream_id = NEW.id AND seq = NEW.head_seq AND hash = NEW.head_hash) THEN
            RAISE EXCEPTION 'the head of a stream is moved by its events only (REC-06)'
                USING ERRCODE = '23001';
        END IF;
        RETURN NEW;
    END $$;
    CREATE FUNCTION sabot_stream_starts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.head_seq <> 0 OR NEW.head_hash <> decode(repeat('00', 32), 'hex') THEN
            RAISE EXCEPTION 'a stream starts without events (REC-06)' USING ERRCODE = '23001';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_stream_starts BEFORE INSERT ON audits_stream
        FOR EACH ROW EXECUTE FUNCTION sabot_stream_starts();
    """,
    """
    DROP TRIGGER sabot_stream_starts ON audits_stream;
    DROP FUNCTION sabot_stream_starts();
    CREATE OR REPLACE FUNCTION sabot_stream_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF pg_trigger_depth() < 2 THEN
            RAISE EXCEPTION 'the head of a stream is moved by its events only (REC-06)'
                USING ERRCODE = '23001';
        END IF;
        RETURN NEW;
    END $$;
    DROP TRIGGER sabot_event_in ON audits_event;
    CREATE TRIGGER sabot_event_in BEFORE INSERT ON audits_event
        FOR EACH ROW EXECUTE FUNCTION sabot_event_in();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("audits", "0002_guards")]

    operations = [
        migrations.AddField(
            model_name="transfer",
            name="lines",
            field=models.PositiveSmallIntegerField(
                default=0,
                help_text="how many postings it is made of: said first, so that none can be added afterwards",
            ),
            preserve_default=False,
        ),
        FILL_LINES,
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                name="transfer_has_two_lines", condition=models.Q(lines__gte=2)
            ),
        ),
        WHOLE_TRANSFERS,
        HEADS,
    ]
