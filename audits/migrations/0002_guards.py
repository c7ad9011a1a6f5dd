"""What can never be changed: triggers of the trail and the ledger.

- `audits_event`: the hash is checked on the way in, the stream's head moves with it, nothing is
  changed or removed afterwards.
- `audits_stream`: its head moves only by an event.
- `audits_transfer`, `audits_posting`: append-only; at commit every transfer sums to zero, and a
  transfer takes no line after the transaction that made it.
"""

from django.db import migrations

from audits.guards import REFUSE_FUNCTION, AppendOnly, NoDelete

EVENT_IN = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_event_in() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE head record;
    BEGIN
        SELECT head_seq, head_hash, casino_id INTO head
            FROM audits_stream WHERE id = NEW.stream_id FOR NO KEY UPDATE;
        IF NEW.seq <> head.head_seq + 1 OR NEW.previous_hash <> head.head_hash
           OR NEW.casino_id <> head.casino_id THEN
            RAISE EXCEPTION 'event % does not follow the head of stream %', NEW.seq, NEW.stream_id
                USING ERRCODE = '23514';
        END IF;
        IF NEW.hash <> sha256(NEW.previous_hash || NEW.body) THEN
            RAISE EXCEPTION 'hash of event % of stream % is wrong', NEW.seq, NEW.stream_id
                USING ERRCODE = '23514';
        END IF;
        UPDATE audits_stream SET head_seq = NEW.seq, head_hash = NEW.hash WHERE id = NEW.stream_id;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_event_in BEFORE INSERT ON audits_event
        FOR EACH ROW EXECUTE FUNCTION sabot_event_in();

    CREATE FUNCTION sabot_stream_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        -- An event's trigger moves the head; nobody else does.
        IF pg_trigger_depth() < 2 THEN
            RAISE EXCEPTION 'the head of a stream is moved by its events only (REC-06)'
                USING ERRCODE = '23001';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_stream_moves BEFORE UPDATE ON audits_stream
        FOR EACH ROW EXECUTE FUNCTION sabot_stream_moves();
    """,
    """
    DROP TRIGGER sabot_stream_moves ON audits_stream;
    DROP FUNCTION sabot_stream_moves();
    DROP TRIGGER sabot_event_in ON audits_event;
    DROP FUNCTION sabot_event_in();
    """,
)

ZERO_SUM = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_transfer_balances() RETURNS trigger LANGUAGE plpgsql AS $$
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
    CREATE CONSTRAINT TRIGGER sabot_transfer_balances AFTER INSERT ON audits_transfer
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sabot_transfer_balances();
    CREATE CONSTRAINT TRIGGER sabot_posting_balances AFTER INSERT ON audits_posting
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sabot_transfer_balances();
    """,
    """
    DROP TRIGGER sabot_posting_balances ON audits_posting;
    DROP TRIGGER sabot_transfer_balances ON audits_transfer;
    DROP FUNCTION sabot_transfer_balances();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("audits", "0001_initial")]

    operations = [
        REFUSE_FUNCTION,
        AppendOnly("audits_event"),
        EVENT_IN,
        NoDelete("audits_stream"),
        NoDelete("audits_actor"),
        NoDelete("audits_account"),
        AppendOnly("audits_transfer"),
        AppendOnly("audits_posting"),
        ZERO_SUM,
    ]
