"""The house's figures for its floor; plans of limits by table and hour, append-only, and what came of them."""

import datetime
import django.contrib.postgres.fields
import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0006_notices_that_wait'),
        ('casino', '0004_sessions_ended'),
        ('tables', '0010_life_of_a_session'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='HistoricalFloorSettings',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('minimum_operation', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), blank=True, default=list, help_text='families of games that must run each gaming day; none: not watched (FLOOR-17)', size=None, verbose_name='operación mínima')),
                ('max_minutes_on_table', models.PositiveSmallIntegerField(default=60, verbose_name='minutos seguidos en mesa')),
                ('min_break_minutes', models.PositiveSmallIntegerField(default=20, verbose_name='descanso mínimo')),
                ('max_minutes_same_table', models.PositiveSmallIntegerField(blank=True, default=180, help_text='in a shift; null: no limit', null=True, verbose_name='minutos en la misma mesa')),
                ('night_from', models.TimeField(default=datetime.time(20, 0), verbose_name='noche desde')),
                ('night_to', models.TimeField(default=datetime.time(6, 0), verbose_name='noche hasta')),
                ('rest_after_night_minutes', models.PositiveSmallIntegerField(default=660, verbose_name='descanso tras turno de noche')),
                ('ij_base', models.CharField(blank=True, choices=[('', 'sin definir'), ('gross_less_vat', 'ingreso bruto menos IVA'), ('net_of_prizes_and_returns', 'neto de premios y devoluciones')], default='', max_length=30, verbose_name='base del IJ')),
                ('ij_document', models.CharField(blank=True, default='', max_length=120, verbose_name='documento que fija la base')),
                ('min_funds', models.BigIntegerField(default=0, help_text='smallest units (FLOOR-15)', verbose_name='fondos mínimos')),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.TextField(null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('casino', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='casino.casino')),
                ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'historical cifras de la sala',
                'verbose_name_plural': 'historical cifras de la salas',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='LimitsPlan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=40, verbose_name='juego')),
                ('version', models.PositiveIntegerField(verbose_name='versión')),
                ('windows', models.JSONField(default=list, verbose_name='franjas')),
                ('otherwise', models.JSONField(null=True, verbose_name='resto del tiempo')),
                ('effective_from', models.DateTimeField(verbose_name='vigente desde')),
                ('reason', models.TextField(verbose_name='motivo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='limits_plans', to='casino.casino')),
                ('published_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='limits_plans', to='tables.table')),
            ],
            options={
                'verbose_name': 'plan de límites',
                'ordering': ['game', 'table', '-version'],
            },
        ),
        migrations.CreateModel(
            name='PlannedLimits',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins', models.DateTimeField(help_text="the boundary: when the plan's window begins")),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('limits', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='planned', to='tables.betlimits')),
                ('plan', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='applied', to='tables.limitsplan')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table')),
            ],
            options={
                'verbose_name': 'límites según plan',
            },
        ),
        migrations.CreateModel(
            name='FloorSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('minimum_operation', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), blank=True, default=list, help_text='families of games that must run each gaming day; none: not watched (FLOOR-17)', size=None, verbose_name='operación mínima')),
                ('max_minutes_on_table', models.PositiveSmallIntegerField(default=60, verbose_name='minutos seguidos en mesa')),
                ('min_break_minutes', models.PositiveSmallIntegerField(default=20, verbose_name='descanso mínimo')),
                ('max_minutes_same_table', models.PositiveSmallIntegerField(blank=True, default=180, help_text='in a shift; null: no limit', null=True, verbose_name='minutos en la misma mesa')),
                ('night_from', models.TimeField(default=datetime.time(20, 0), verbose_name='noche desde')),
                ('night_to', models.TimeField(default=datetime.time(6, 0), verbose_name='noche hasta')),
                ('rest_after_night_minutes', models.PositiveSmallIntegerField(default=660, verbose_name='descanso tras turno de noche')),
                ('ij_base', models.CharField(blank=True, choices=[('', 'sin definir'), ('gross_less_vat', 'ingreso bruto menos IVA'), ('net_of_prizes_and_returns', 'neto de premios y devoluciones')], default='', max_length=30, verbose_name='base del IJ')),
                ('ij_document', models.CharField(blank=True, default='', max_length=120, verbose_name='documento que fija la base')),
                ('min_funds', models.BigIntegerField(default=0, help_text='smallest units (FLOOR-15)', verbose_name='fondos mínimos')),
                ('casino', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='floor_settings', to='casino.casino')),
            ],
            options={
                'verbose_name': 'cifras de la sala',
                'constraints': [models.CheckConstraint(condition=models.Q(('max_minutes_on_table__gt', 0), ('min_break_minutes__gt', 0), models.Q(('max_minutes_same_table', None), ('max_minutes_same_table__gt', 0), _connector='OR')), name='floor_minutes_are_positive'), models.CheckConstraint(condition=models.Q(('min_funds__gte', 0)), name='floor_funds_not_negative'), models.CheckConstraint(condition=models.Q(('ij_base', ''), models.Q(('ij_document', ''), _negated=True), _connector='OR'), name='ij_base_names_its_document')],
            },
        ),
        migrations.AddConstraint(
            model_name='limitsplan',
            constraint=models.UniqueConstraint(fields=('casino', 'game', 'table', 'version'), name='one_plan_per_version', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='limitsplan',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='plan_says_why'),
        ),
        migrations.AddConstraint(
            model_name='plannedlimits',
            constraint=models.UniqueConstraint(fields=('table', 'plan', 'begins'), name='one_limits_per_boundary'),
        ),
        AppendOnly('tables_historicalfloorsettings'),
        AppendOnly('tables_limitsplan'),
        AppendOnly('tables_plannedlimits'),
        NoDelete('tables_floorsettings'),
    ]
