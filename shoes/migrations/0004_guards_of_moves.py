"""What the database itself refuses about where a deck is (CARD-04) and what is signed about the cards.

- A move continues where the deck stands: its number follows, it begins in the state the deck has.
- A deck's row changes state, place, shoe or seal only to what its newest move says, and a move moves its deck.
- What is destroyed stays so; what an investigation holds is neither cancelled, destroyed nor handed out (CARD-45).
- A shoe in preparation may start again from its decks; once ended it changes only by its closing count.
- Moves, acts, counts and alerts are append-only; a closed review does not change.
"""

from django.db import migrations

from audits.guards import AppendOnly, NoDelete

DECK_MOVES = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_move_continues() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        deck shoes_deck%ROWTYPE;
        latest timestamptz;
    BEGIN
        SELECT * INTO deck FROM shoes_deck WHERE id = NEW.deck_id FOR NO KEY UPDATE;
        SELECT max(at) INTO latest FROM shoes_deckmove WHERE deck_id = NEW.deck_id;
        IF NEW.seq <> deck.move_count + 1 OR NEW.casino_id <> deck.casino_id
           OR NEW.was <> (CASE WHEN NEW.kind = 'received' THEN '' ELSE deck.state END)
           OR (NEW.kind = 'received' AND NEW.seq <> 1) OR NEW.at < latest THEN
            RAISE EXCEPTION 'move % of deck % does not continue where it stands', NEW.seq, NEW.deck_id
                USING ERRCODE = '23514', CONSTRAINT = 'move_continues';
        END IF;
        IF NEW.was = 'destroyed'
           OR (NEW.was = 'held' AND NEW.state NOT IN ('held', 'withdrawn'))
           OR (NEW.was = 'cancelled' AND NEW.state NOT IN ('destroyed', 'held'))
           OR (NEW.state = 'destroyed' AND NEW.was <> 'cancelled') THEN
            RAISE EXCEPTION 'deck % does not go from % to %', NEW.deck_id, NEW.was, NEW.state
                USING ERRCODE = '23514', CONSTRAINT = 'move_allowed';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_move_continues BEFORE INSERT ON shoes_deckmove
        FOR EACH ROW EXECUTE FUNCTION sabot_move_continues();

    CREATE FUNCTION sabot_deck_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.move_count <> OLD.move_count + 1 OR NOT EXISTS (
            SELECT FROM shoes_deckmove m
            WHERE m.deck_id = NEW.id AND m.seq = NEW.move_count AND m.state = NEW.state AND m.place = NEW.place
              AND m.seal = NEW.seal AND (NEW.shoe_id IS NULL OR m.shoe_id = NEW.shoe_id)
        ) THEN
            RAISE EXCEPTION 'deck % is where its newest move says, and nowhere else', OLD.id
                USING ERRCODE = '23514', CONSTRAINT = 'deck_moves';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_deck_moves BEFORE UPDATE ON shoes_deck
        FOR EACH ROW WHEN ((OLD.state, OLD.place, OLD.seal, OLD.shoe_id, OLD.move_count)
            IS DISTINCT FROM (NEW.state, NEW.place, NEW.seal, NEW.shoe_id, NEW.move_count))
        EXECUTE FUNCTION sabot_deck_moves();

    CREATE FUNCTION sabot_move_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF (SELECT move_count FROM shoes_deck WHERE id = NEW.deck_id) < NEW.seq THEN
            RAISE EXCEPTION 'move % of deck % moved nothing', NEW.seq, NEW.deck_id
                USING ERRCODE = '23514', CONSTRAINT = 'move_moves';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER sabot_move_moves AFTER INSERT ON shoes_deckmove
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sabot_move_moves();

    CREATE FUNCTION sabot_deck_received() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (SELECT FROM shoes_deckmove WHERE deck_id = NEW.id AND seq = 1) THEN
            RAISE EXCEPTION 'deck % was never received', NEW.id
                USING ERRCODE = '23514', CONSTRAINT = 'deck_received';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER sabot_deck_received AFTER INSERT ON shoes_deck
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sabot_deck_received();
    """,
    """
    DROP TRIGGER sabot_deck_received ON shoes_deck;
    DROP FUNCTION sabot_deck_received();
    DROP TRIGGER sabot_move_moves ON shoes_deckmove;
    DROP FUNCTION sabot_move_moves();
    DROP TRIGGER sabot_deck_moves ON shoes_deck;
    DROP FUNCTION sabot_deck_moves();
    DROP TRIGGER sabot_move_continues ON shoes_deckmove;
    DROP FUNCTION sabot_move_continues();
    """,
)

_SHOE_MOVES = """
    CREATE OR REPLACE FUNCTION sabot_shoe_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        line constant text[] := ARRAY['assembling', 'shuffled', 'cut', 'loaded', 'ready', 'in_play', 'ended'];
    BEGIN
        {first}
           OR array_position(line, NEW.state::text) IS NULL
           OR (array_position(line, NEW.state::text) < array_position(line, OLD.state::text) {restart})
           OR (NEW.state = 'in_play' AND OLD.state NOT IN ('ready', 'in_play')) THEN
            RAISE EXCEPTION 'shoe % does not go from % to %', OLD.id, OLD.state, NEW.state
                USING ERRCODE = '23514', CONSTRAINT = 'shoe_moves_forward';
        END IF;
        RETURN NEW;
    END $$;
"""

SHOE_MOVES = migrations.RunSQL(
    _SHOE_MOVES.format(
        first="""IF OLD.state = 'ended' AND OLD.counted_at IS NULL AND NEW.counted_at IS NOT NULL
           AND to_jsonb(OLD) - 'counted_at' = to_jsonb(NEW) - 'counted_at' THEN
            RETURN NEW;
        END IF;
        IF OLD.state = 'ended'""",
        restart="AND (OLD.state = 'in_play' OR NEW.state <> 'assembling')",
    ),
    _SHOE_MOVES.format(first="IF OLD.state = 'ended'", restart=""),
)

REVIEW_CLOSES = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_review_closes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        closing constant text[] := ARRAY['found', 'cards_counted', 'closed_by_id', 'closed_at'];
    BEGIN
        IF OLD.closed_at IS NULL AND to_jsonb(OLD) - closing = to_jsonb(NEW) - closing THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'review % is not changed (REC-07)', OLD.id USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_review_closes BEFORE UPDATE ON shoes_discardreview
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_review_closes();
    """,
    """
    DROP TRIGGER sabot_review_closes ON shoes_discardreview;
    DROP FUNCTION sabot_review_closes();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("shoes", "0003_life_of_a_deck"), ("audits", "0005_incidents")]

    operations = [
        AppendOnly("shoes_deckmove"),
        AppendOnly("shoes_destructionact"),
        AppendOnly("shoes_stockcount"),
        AppendOnly("shoes_shoealert"),
        AppendOnly("shoes_historicalstocklevel"),
        AppendOnly("shoes_historicaldevice"),
        NoDelete("shoes_discardreview"),
        NoDelete("shoes_device"),
        NoDelete("shoes_stocklevel"),
        DECK_MOVES,
        SHOE_MOVES,
        REVIEW_CLOSES,
    ]
