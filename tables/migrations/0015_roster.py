"""Shifts, certificates, and the department people work in.

A shift is changed while it is planned; once worked or called off it is fixed, but for the hours that were
worked, which are corrected, or noted where nobody had. Nothing here is ever deleted.
"""

import casino.kernel.clock
import django.contrib.postgres.constraints
import django.contrib.postgres.fields.ranges
import django.db.models.constraints
import django.db.models.deletion
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete

GUARD = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_shift_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        before jsonb := to_jsonb(OLD);
        after jsonb := to_jsonb(NEW);
        changed text[] := ARRAY(SELECT k FROM jsonb_object_keys(after) k WHERE after -> k <> before -> k);
    BEGIN
        IF (OLD.state = 'planned' AND NEW.state = 'planned'
               AND changed <@ ARRAY['staff_id', 'planned', 'day', 'duty'])
           OR (OLD.state = 'planned' AND NEW.state IN ('absent', 'cancelled') AND changed <@ ARRAY['state', 'note'])
           OR (OLD.state = 'planned' AND NEW.state = 'present' AND changed <@ ARRAY['state', 'actual'])
           OR (OLD.state = 'absent' AND NEW.state = 'present' AND changed <@ ARRAY['state', 'actual', 'note'])
           OR (OLD.state = 'present' AND NEW.state = 'done' AND lower(NEW.actual) = lower(OLD.actual)
               AND changed <@ ARRAY['state', 'actual'])
           OR (OLD.state IN ('planned', 'absent') AND NEW.state = 'done' AND changed <@ ARRAY['state', 'actual', 'note'])
           OR (OLD.state = 'done' AND NEW.state = 'done' AND changed <@ ARRAY['actual']) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'shift % is %: what was worked or called off is on record (REC-07)', OLD.id, OLD.state
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_shift_changes BEFORE UPDATE ON tables_shift
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_shift_changes();
    """,
    """
    DROP TRIGGER sabot_shift_changes ON tables_shift;
    DROP FUNCTION sabot_shift_changes();
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0006_notices_that_wait'),
        ('casino', '0004_sessions_ended'),
        ('tables', '0014_cage'),
    ]

    operations = [
        migrations.AddField(
            model_name='historicalstaff',
            name='department',
            field=models.CharField(choices=[('floor', 'sala'), ('cage', 'caja'), ('compliance', 'cumplimiento'), ('administration', 'administración')], db_default='floor', default='floor', max_length=20, verbose_name='área'),
        ),
        migrations.AddField(
            model_name='staff',
            name='department',
            field=models.CharField(choices=[('floor', 'sala'), ('cage', 'caja'), ('compliance', 'cumplimiento'), ('administration', 'administración')], db_default='floor', default='floor', max_length=20, verbose_name='área'),
        ),
        migrations.CreateModel(
            name='Certificate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=40, verbose_name='juego')),
                ('since', models.DateField(verbose_name='desde')),
                ('until', models.DateField(help_text='the last day it holds; null: no end', null=True, verbose_name='hasta')),
                ('certified_by', models.CharField(max_length=120, verbose_name='habilitado por')),
                ('document', models.CharField(max_length=60, verbose_name='documento')),
                ('recorded_at', models.DateTimeField(default=casino.kernel.clock.now)),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('recorded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('staff', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='certificates', to='tables.staff')),
            ],
            options={
                'verbose_name': 'habilitación',
                'ordering': ['game', '-since', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Shift',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(verbose_name='día de juego')),
                ('planned', django.contrib.postgres.fields.ranges.DateTimeRangeField(verbose_name='previsto')),
                ('actual', django.contrib.postgres.fields.ranges.DateTimeRangeField(null=True, verbose_name='cumplido')),
                ('state', models.CharField(choices=[('planned', 'previsto'), ('present', 'presente'), ('done', 'cumplido'), ('absent', 'ausente'), ('cancelled', 'cancelado')], default='planned', max_length=10)),
                ('duty', models.CharField(blank=True, max_length=60, verbose_name='tarea')),
                ('note', models.CharField(blank=True, help_text='why absent or cancelled', max_length=500, verbose_name='motivo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shifts', to='casino.casino')),
                ('staff', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shifts', to='tables.staff')),
            ],
            options={
                'verbose_name': 'turno de trabajo',
                'ordering': ['planned', 'pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='certificate',
            constraint=models.UniqueConstraint(fields=('staff', 'game', 'document'), name='one_certificate_per_document'),
        ),
        migrations.AddConstraint(
            model_name='certificate',
            constraint=models.CheckConstraint(condition=models.Q(('until', None), ('until__gte', models.F('since')), _connector='OR'), name='certificate_ends_after_it_begins'),
        ),
        migrations.AddConstraint(
            model_name='certificate',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('certified_by', ''), _negated=True), models.Q(('document', ''), _negated=True)), name='certificate_names_its_paper'),
        ),
        migrations.AddIndex(
            model_name='shift',
            index=models.Index(fields=['casino', 'day'], name='tables_shif_casino__e81601_idx'),
        ),
        migrations.AddIndex(
            model_name='shift',
            index=models.Index(fields=['staff', 'day'], name='tables_shif_staff_i_2248cd_idx'),
        ),
        migrations.AddConstraint(
            model_name='shift',
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(condition=models.Q(('state', 'cancelled'), _negated=True), deferrable=django.db.models.constraints.Deferrable['IMMEDIATE'], expressions=[(models.Func(models.F('staff_id'), models.F('staff_id'), models.Value('[]'), function='int8range'), '='), ('planned', '&&')], name='one_planned_shift_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='shift',
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(condition=models.Q(('actual__isnull', False)), expressions=[(models.Func(models.F('staff_id'), models.F('staff_id'), models.Value('[]'), function='int8range'), '='), ('actual', '&&')], name='one_actual_shift_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='shift',
            constraint=models.CheckConstraint(condition=models.Q(('planned__endswith__isnull', False), ('planned__startswith__isnull', False), ('planned__isempty', False)), name='shift_has_both_bounds'),
        ),
        migrations.AddConstraint(
            model_name='shift',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('actual__isnull', True), ('state__in', ('planned', 'absent', 'cancelled'))), models.Q(('actual__endswith__isnull', True), ('actual__startswith__isnull', False), ('state', 'present')), models.Q(('actual__endswith__isnull', False), ('actual__startswith__isnull', False), ('state', 'done')), _connector='OR'), name='shift_hours_fit_its_state'),
        ),
        migrations.AddConstraint(
            model_name='shift',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ('absent', 'cancelled')), _negated=True), models.Q(('note', ''), _negated=True), _connector='OR'), name='shift_not_worked_says_why'),
        ),
        NoDelete("tables_shift"),
        GUARD,
        AppendOnly("tables_certificate"),
    ]
