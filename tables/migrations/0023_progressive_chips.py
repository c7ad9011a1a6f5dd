"""Chips paid in for a progressive pool lie in the tray: they are not the table's result (FLOOR-12, PP-28)."""

import importlib

from django.db import migrations, models

BEFORE = importlib.import_module("tables.migrations.0013_drop_boxes").SESSION

SESSION = """
    CREATE OR REPLACE FUNCTION sabot_session_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        counted text[] := ARRAY['state', 'drop', 'result', 'unexplained', 'deduction'];
        reconciled text[] := ARRAY['state', 'reconciled_at', 'reconciled_by_id', 'reconciled_with_id'];
        live text[] := ARRAY['opening', 'open', 'paused', 'closing'];
    BEGIN
        IF OLD.state = ANY (live) AND (NEW.state = OLD.state
               OR (OLD.state = 'opening' AND NEW.state IN ('open', 'closed'))
               OR (OLD.state IN ('open', 'paused') AND NEW.state IN ('open', 'paused', 'closing', 'closed'))
               OR (OLD.state = 'closing' AND NEW.state IN ('open', 'closed')))
           AND (NEW.casino_id, NEW.table_id, NEW.day_id, NEW.number, NEW.game, NEW.detail, NEW.seats,
                NEW.opened_at, NEW.opened_by_id, NEW.opening)
             = (OLD.casino_id, OLD.table_id, OLD.day_id, OLD.number, OLD.game, OLD.detail, OLD.seats,
                OLD.opened_at, OLD.opened_by_id, OLD.opening)
           AND NEW.last_round >= OLD.last_round
           AND (NEW.drop, NEW.result, NEW.deduction, NEW.reconciled_at) IS NOT DISTINCT FROM (NULL, NULL, NULL, NULL)
           AND NEW.fills >= OLD.fills AND NEW.credits >= OLD.credits THEN
            RETURN NEW;
        END IF;
        IF OLD.state = 'closed' AND NEW.state = 'counted' AND OLD.drop IS NULL
           AND to_jsonb(OLD) - counted = to_jsonb(NEW) - counted
           AND NEW.result = NEW.closing + NEW.credits + NEW.drop - NEW.opening - NEW.fills - NEW.progressive
               + coalesce((SELECT sum(amount) FROM tables_dropbox
                           WHERE session_id = NEW.id AND kind = 'deduction'), 0)
           AND NEW.drop = coalesce((SELECT sum(amount) FROM tables_dropbox
                                    WHERE session_id = NEW.id AND kind = 'drop'), 0)
           AND NOT EXISTS (SELECT FROM tables_dropbox WHERE session_id = NEW.id AND state <> 'settled') THEN
            RETURN NEW;
        END IF;
        IF OLD.state = 'counted' AND NEW.state = 'reconciled' AND NEW.reconciled_at IS NOT NULL
           AND NEW.reconciled_by_id <> NEW.reconciled_with_id
           AND to_jsonb(OLD) - reconciled = to_jsonb(NEW) - reconciled THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'session % is %: it is corrected by a new record (REC-07)', OLD.id, OLD.state
            USING ERRCODE = '23001';
    END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0022_cage_prizes'),
    ]

    operations = [
        migrations.AddField(
            model_name='tablesession',
            name='progressive',
            field=models.BigIntegerField(db_default=0, default=0, help_text='what came into the tray for a progressive pool less what went back: owed to it, not won', verbose_name='fichas del progresivo'),
        ),
        migrations.AddConstraint(
            model_name='tablesession',
            constraint=models.CheckConstraint(condition=models.Q(('progressive__gte', 0)), name='progressive_chips_came_in'),
        ),
        migrations.RunSQL(SESSION, BEFORE),
    ]
