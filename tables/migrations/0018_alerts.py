"""Alerts that stay until acknowledged, floats counted in mid-shift, pits a chief answers for, notes of a shift."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import simple_history.models
from django.conf import settings
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete

# An alert is cleared once and acknowledged once; what it says never changes (REC-07).
ALERT_CHANGES = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_alert_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['cleared_at', 'acknowledged_at', 'acknowledged_by_id', 'reason'];
    BEGIN
        IF to_jsonb(OLD) - moving = to_jsonb(NEW) - moving
           AND (OLD.cleared_at IS NULL OR OLD.cleared_at = NEW.cleared_at)
           AND (OLD.acknowledged_at IS NULL
                OR (OLD.acknowledged_at, OLD.acknowledged_by_id, OLD.reason)
                   = (NEW.acknowledged_at, NEW.acknowledged_by_id, NEW.reason)) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'alert %: what it says is not changed (REC-07)', OLD.id USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_alert_changes BEFORE UPDATE ON tables_alert
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_alert_changes();
    """,
    """
    DROP TRIGGER sabot_alert_changes ON tables_alert;
    DROP FUNCTION sabot_alert_changes();
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0006_notices_that_wait'),
        ('casino', '0004_sessions_ended'),
        ('tables', '0017_guests'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='HistoricalPitDuty',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('pits', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, default=list, size=None, verbose_name='sectores')),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.TextField(null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('casino', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='casino.casino')),
                ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'historical sectores a cargo',
                'verbose_name_plural': 'historical sectores a cargos',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='PitDuty',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pits', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, default=list, size=None, verbose_name='sectores')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pit_duties', to='casino.casino')),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='pit_duty', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'sectores a cargo',
            },
        ),
        migrations.CreateModel(
            name='Alert',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=120)),
                ('kind', models.CharField(max_length=40, verbose_name='clase')),
                ('level', models.CharField(choices=[('warn', 'aviso'), ('bad', 'bloqueo')], max_length=10, verbose_name='gravedad')),
                ('words_es', models.TextField()),
                ('words_en', models.TextField()),
                ('rule', models.CharField(blank=True, max_length=12, verbose_name='regla')),
                ('subject', models.CharField(blank=True, max_length=120, verbose_name='sobre')),
                ('raised_at', models.DateTimeField(verbose_name='desde')),
                ('cleared_at', models.DateTimeField(null=True, verbose_name='hasta')),
                ('acknowledged_at', models.DateTimeField(null=True, verbose_name='atendido')),
                ('reason', models.TextField(blank=True, verbose_name='motivo')),
                ('acknowledged_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='alerts', to='casino.casino')),
                ('session', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='alerts', to='tables.tablesession')),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='alerts', to='tables.table')),
            ],
            options={
                'verbose_name': 'aviso',
                'ordering': ['-raised_at', '-id'],
                'indexes': [models.Index(condition=models.Q(('acknowledged_at', None), ('cleared_at', None), _connector='OR'), fields=['casino', 'raised_at'], name='alerts_on_the_floor'), models.Index(fields=['session', 'raised_at'], name='alerts_of_session')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('cleared_at', None)), fields=('casino', 'key'), name='one_alert_per_cause'), models.CheckConstraint(condition=models.Q(models.Q(('acknowledged_at', None), ('acknowledged_by', None), ('reason', '')), models.Q(('acknowledged_at__isnull', False), ('acknowledged_by__isnull', False), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='alert_acknowledged_with_reason'), models.CheckConstraint(condition=models.Q(('cleared_at', None), ('cleared_at__gte', models.F('raised_at')), _connector='OR'), name='alert_clears_after_it_was_raised')],
            },
        ),
        migrations.CreateModel(
            name='FloatCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='número')),
                ('chips', models.JSONField(help_text='denomination in smallest units -> number of chips')),
                ('total', models.BigIntegerField(verbose_name='contado')),
                ('cash', models.BigIntegerField(null=True, verbose_name='fichas vendidas en la mesa')),
                ('basis', models.CharField(choices=[('ledger', 'según los asientos'), ('estimate', 'estimado')], max_length=10)),
                ('expected', models.BigIntegerField(verbose_name='esperado')),
                ('difference', models.BigIntegerField(verbose_name='diferencia')),
                ('checked_at', models.DateTimeField(verbose_name='contado a las')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('counted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.staff')),
                ('recorded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='float_checks', to='tables.tablesession')),
                ('witnessed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.staff')),
            ],
            options={
                'verbose_name': 'control de mitad de turno',
                'ordering': ['session', 'number'],
                'constraints': [models.UniqueConstraint(fields=('session', 'number'), name='one_float_check_per_number'), models.CheckConstraint(condition=models.Q(('counted_by', models.F('witnessed_by')), _negated=True), name='float_check_needs_two_people'), models.CheckConstraint(condition=models.Q(('difference', django.db.models.expressions.CombinedExpression(models.F('total'), '-', models.F('expected')))), name='float_check_adds_up'), models.CheckConstraint(condition=models.Q(('basis', 'estimate'), ('cash__isnull', False), _connector='OR'), name='float_check_by_the_ledger_names_its_cash')],
            },
        ),
        migrations.CreateModel(
            name='ShiftNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(verbose_name='nota')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='por')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('day', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shift_notes', to='casino.gamingday')),
                ('pit', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.pit')),
            ],
            options={
                'verbose_name': 'nota de turno',
                'ordering': ['at', 'id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='shift_note_says_something')],
            },
        ),
        AppendOnly('tables_historicalpitduty'),
        AppendOnly('tables_floatcheck'),
        AppendOnly('tables_shiftnote'),
        NoDelete('tables_pitduty'),
        NoDelete('tables_alert'),
        ALERT_CHANGES,
    ]
