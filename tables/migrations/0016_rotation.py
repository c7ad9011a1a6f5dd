"""The plan of posts and the ledger of fairness.

What a plan says is fixed once it is applied or dropped; a turn's part in force only ever shrinks.
"""

import django.contrib.postgres.constraints
import django.contrib.postgres.fields.ranges
import django.db.models.deletion
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete

PLAN = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_rotation_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        before jsonb := to_jsonb(OLD);
        after jsonb := to_jsonb(NEW);
        changed text[] := ARRAY(SELECT k FROM jsonb_object_keys(after) k WHERE after -> k <> before -> k);
    BEGIN
        IF (OLD.state = 'draft' AND NEW.state = 'draft' AND changed <@ ARRAY['turns', 'measures', 'solver'])
           OR (OLD.state = 'draft' AND NEW.state = 'applied'
               AND changed <@ ARRAY['state', 'applied_by_id', 'applied_at'])
           OR (OLD.state = 'draft' AND NEW.state = 'dropped' AND changed <@ ARRAY['state', 'reason'])
           OR (OLD.state = 'applied' AND NEW.state = 'replaced' AND changed <@ ARRAY['state']) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'rotation plan % is %: what was applied or dropped is on record (REC-06)', OLD.id, OLD.state
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_rotation_changes BEFORE UPDATE ON tables_rotationplan
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_rotation_changes();
    """,
    """
    DROP TRIGGER sabot_rotation_changes ON tables_rotationplan;
    DROP FUNCTION sabot_rotation_changes();
    """,
)

TURN = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_planned_turn_shrinks() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF to_jsonb(OLD) - 'in_force' = to_jsonb(NEW) - 'in_force' AND NEW.in_force <@ OLD.in_force
           AND (isempty(NEW.in_force) OR lower(NEW.in_force) = lower(OLD.in_force)) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'planned turn % is on record: a later plan only cuts it short (REC-06)', OLD.id
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_planned_turn_shrinks BEFORE UPDATE ON tables_plannedturn
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_planned_turn_shrinks();
    """,
    """
    DROP TRIGGER sabot_planned_turn_shrinks ON tables_plannedturn;
    DROP FUNCTION sabot_planned_turn_shrinks();
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0006_notices_that_wait'),
        ('casino', '0004_sessions_ended'),
        ('tables', '0015_roster'),
    ]

    operations = [
        migrations.CreateModel(
            name='RotationPlan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(verbose_name='día de juego')),
                ('number', models.PositiveIntegerField(verbose_name='número')),
                ('starts', models.DateTimeField(verbose_name='desde')),
                ('ends', models.DateTimeField(verbose_name='hasta')),
                ('slot_minutes', models.PositiveSmallIntegerField(verbose_name='minutos por intervalo')),
                ('state', models.CharField(choices=[('draft', 'borrador'), ('applied', 'aplicado'), ('replaced', 'reemplazado'), ('dropped', 'descartado')], default='draft', max_length=10)),
                ('made_from', models.JSONField()),
                ('turns', models.JSONField()),
                ('solver', models.CharField(max_length=10)),
                ('measures', models.JSONField()),
                ('made_at', models.DateTimeField()),
                ('applied_at', models.DateTimeField(help_text='from when it is in force', null=True)),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='motivo')),
                ('applied_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('base', models.ForeignKey(help_text='changed from this', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.rotationplan')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rotation_plans', to='casino.casino')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('pit', models.ForeignKey(help_text='null: the whole floor', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.pit')),
            ],
            options={
                'verbose_name': 'plan de rotación',
                'ordering': ['-day', '-number'],
            },
        ),
        migrations.CreateModel(
            name='PlannedTurn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('post', models.CharField(max_length=20, verbose_name='puesto')),
                ('place', models.PositiveSmallIntegerField(default=1)),
                ('deals', models.BooleanField(help_text='the post without which the table does not play')),
                ('during', django.contrib.postgres.fields.ranges.DateTimeRangeField(verbose_name='turno')),
                ('in_force', django.contrib.postgres.fields.ranges.DateTimeRangeField(verbose_name='vigente')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('staff', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='planned_turns', to='tables.staff')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table')),
                ('plan', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='planned', to='tables.rotationplan')),
            ],
            options={
                'verbose_name': 'turno previsto',
                'ordering': ['during', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='FairnessEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(verbose_name='día de juego')),
                ('minutes', models.PositiveIntegerField(verbose_name='minutos trabajados')),
                ('present', models.PositiveIntegerField(verbose_name='minutos presente')),
                ('weight', models.PositiveSmallIntegerField(default=100, verbose_name='peso del sector')),
                ('credit', models.IntegerField(verbose_name='crédito')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('pit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.pit')),
                ('staff', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='fairness', to='tables.staff')),
            ],
            options={
                'verbose_name': 'crédito de rotación',
                'ordering': ['-day', 'staff', 'pit'],
                'indexes': [models.Index(fields=['casino', 'day'], name='fairness_by_day')],
                'constraints': [models.UniqueConstraint(fields=('staff', 'day', 'pit'), name='one_credit_per_day_and_pit')],
            },
        ),
        migrations.AddConstraint(
            model_name='rotationplan',
            constraint=models.UniqueConstraint(fields=('casino', 'day', 'number'), name='one_rotation_per_number'),
        ),
        migrations.AddConstraint(
            model_name='rotationplan',
            constraint=models.CheckConstraint(condition=models.Q(('ends__gt', models.F('starts'))), name='rotation_ends_after_it_starts'),
        ),
        migrations.AddConstraint(
            model_name='rotationplan',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('applied_at', None), ('applied_by', None), ('state__in', ('draft', 'dropped'))), models.Q(('applied_at__isnull', False), ('applied_by__isnull', False), ('state__in', ('applied', 'replaced'))), _connector='OR'), name='rotation_applied_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='plannedturn',
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(expressions=[(models.Func(models.F('staff_id'), models.F('staff_id'), models.Value('[]'), function='int8range'), '='), ('in_force', '&&')], name='one_planned_post_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='plannedturn',
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(condition=models.Q(('deals', True)), expressions=[(models.Func(models.F('table_id'), models.F('table_id'), models.Value('[]'), function='int8range'), '='), ('in_force', '&&')], name='one_planned_dealer_per_table'),
        ),
        migrations.AddConstraint(
            model_name='plannedturn',
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(condition=models.Q(('deals', False)), expressions=[(models.Func(models.F('table_id'), models.F('table_id'), models.Value('[]'), function='int8range'), '='), (models.Func(models.F('place'), models.F('place'), models.Value('[]'), function='int8range'), '='), ('in_force', '&&')], name='one_planned_helper_per_place'),
        ),
        NoDelete("tables_rotationplan"),
        NoDelete("tables_plannedturn"),
        AppendOnly("tables_fairnessentry"),
        PLAN,
        TURN,
    ]
