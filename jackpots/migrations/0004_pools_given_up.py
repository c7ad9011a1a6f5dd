"""A pool that never ran may be given up; a retired one may have had no parameters."""

from django.db import migrations, models

_MOVES = """
    CREATE OR REPLACE FUNCTION sabot_pool_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['state', 'name', 'public', 'version_id', 'collected', 'bets', 'prizes',
            'incident_id', 'retired_to_id'];
        step constant text := OLD.state || '>' || NEW.state;
    BEGIN
        IF to_jsonb(OLD) - moving = to_jsonb(NEW) - moving
           AND (OLD.state = NEW.state OR step IN ('draft>running', 'running>stopped', 'running>suspended',
                'stopped>running', 'suspended>running', 'stopped>retired', 'suspended>retired'%s)) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'pool %%: that step is not part of its life (PP-32)', OLD.id USING ERRCODE = '23001';
    END $$;
"""
GIVEN_UP = migrations.RunSQL(_MOVES % ", 'draft>retired'", _MOVES % "")


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0009_filings_end'),
        ('casino', '0004_sessions_ended'),
        ('jackpots', '0003_promotional_credits_expire'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='pool',
            name='pool_runs_by_a_version',
        ),
        migrations.AddConstraint(
            model_name='pool',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ('draft', 'retired')), ('version__isnull', False), _connector='OR'), name='pool_runs_by_a_version'),
        ),
        GIVEN_UP,
    ]
