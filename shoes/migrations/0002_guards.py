"""What the database itself refuses about the cards.

- Inspections and steps of preparation are append-only.
- Decks and shoes are never deleted.
- A shoe moves forward only, as `shoes.shoes.MOVES` says, and once ended does not change at all.
"""

from django.db import migrations

from audits.guards import AppendOnly, NoDelete

SHOE_MOVES = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_shoe_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        line constant text[] := ARRAY['assembling', 'shuffled', 'cut', 'loaded', 'ready', 'in_play', 'ended'];
    BEGIN
        IF OLD.state = 'ended'
           OR array_position(line, NEW.state::text) IS NULL
           OR array_position(line, NEW.state::text) < array_position(line, OLD.state::text)
           OR (NEW.state = 'in_play' AND OLD.state NOT IN ('ready', 'in_play')) THEN
            RAISE EXCEPTION 'shoe % does not go from % to %', OLD.id, OLD.state, NEW.state
                USING ERRCODE = '23514', CONSTRAINT = 'shoe_moves_forward';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_shoe_moves BEFORE UPDATE ON shoes_shoe
        FOR EACH ROW WHEN (OLD.state = 'ended' OR NEW.state IS DISTINCT FROM OLD.state)
        EXECUTE FUNCTION sabot_shoe_moves();
    """,
    """
    DROP TRIGGER sabot_shoe_moves ON shoes_shoe;
    DROP FUNCTION sabot_shoe_moves();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("shoes", "0001_initial"), ("audits", "0002_guards")]

    operations = [
        AppendOnly("shoes_deckinspection"),
        AppendOnly("shoes_shoestep"),
        NoDelete("shoes_deck"),
        NoDelete("shoes_shoe"),
        SHOE_MOVES,
    ]
