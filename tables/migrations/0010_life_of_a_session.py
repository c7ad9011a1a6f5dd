"""The life of a session: more states than open and closed, what may follow which, fills and credits.

A closed session whose drop is recorded becomes `counted`.
"""

import django.db.models.deletion
from django.db import migrations, models

GUARD = """
    CREATE OR REPLACE FUNCTION sabot_session_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        counted text[] := ARRAY['state', 'drop', 'result', 'unexplained'];
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
           AND NEW.last_round >= OLD.last_round THEN
            RETURN NEW;
        END IF;
        IF OLD.state = 'closed' AND NEW.state = 'counted' AND OLD.drop IS NULL
           AND to_jsonb(OLD) - counted = to_jsonb(NEW) - counted THEN
            RETURN NEW;
        END IF;
        IF OLD.state = 'counted' AND NEW.state = 'reconciled' AND NEW.reconciled_at IS NOT NULL
           AND to_jsonb(OLD) - reconciled = to_jsonb(NEW) - reconciled THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'session % is %: it is corrected by a new record (REC-07)', OLD.id, OLD.state
            USING ERRCODE = '23001';
    END $$;
"""

COUNTED = migrations.RunSQL(
    """
    ALTER TABLE tables_tablesession DISABLE TRIGGER sabot_session_changes;
    UPDATE tables_tablesession SET state = 'counted' WHERE state = 'closed' AND drop IS NOT NULL;
    ALTER TABLE tables_tablesession ENABLE TRIGGER sabot_session_changes;
    """,
    migrations.RunSQL.noop,
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0006_notices_that_wait'),
        ('casino', '0004_sessions_ended'),
        ('shoes', '0006_decks_of_before'),
        ('tables', '0009_frozen_tables'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='tablesession',
            name='one_open_session_per_table',
        ),
        migrations.RemoveConstraint(
            model_name='tablesession',
            name='one_open_session_per_shoe',
        ),
        migrations.RemoveConstraint(
            model_name='tablesession',
            name='closed_session_is_counted',
        ),
        COUNTED,
        migrations.AddField(
            model_name='tablesession',
            name='credits',
            field=models.BigIntegerField(db_default=0, default=0, verbose_name='retiros'),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='fills',
            field=models.BigIntegerField(db_default=0, default=0, verbose_name='reposiciones'),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='reconciled_at',
            field=models.DateTimeField(null=True, verbose_name='conciliada'),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='reconciled_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor'),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='reconciled_with',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor'),
        ),
        migrations.AlterField(
            model_name='tablesession',
            name='state',
            field=models.CharField(choices=[('opening', 'abriendo'), ('open', 'abierta'), ('paused', 'en pausa'), ('closing', 'cerrando'), ('closed', 'cerrada'), ('counted', 'contada'), ('reconciled', 'conciliada')], default='open', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='tablesession',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ('opening', 'open', 'paused', 'closing'))), fields=('table',), name='one_open_session_per_table'),
        ),
        migrations.AddConstraint(
            model_name='tablesession',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ('opening', 'open', 'paused', 'closing'))), fields=('shoe',), name='one_open_session_per_shoe'),
        ),
        migrations.AddConstraint(
            model_name='tablesession',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('state__in', ('opening', 'open', 'paused', 'closing'))), models.Q(('closed_at__isnull', False), ('closing__isnull', False), ('state__in', ('closed', 'counted', 'reconciled'))), _connector='OR'), name='closed_session_is_counted'),
        ),
        migrations.AddConstraint(
            model_name='tablesession',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ('counted', 'reconciled')), _negated=True), models.Q(('drop__isnull', False), ('result__isnull', False)), _connector='OR'), name='counted_session_has_its_result'),
        ),
        migrations.RunSQL(GUARD, migrations.RunSQL.noop),
    ]
