"""Incidents, their notes, and what the database refuses about them: once resolved, nothing."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete

INCIDENT_CHANGES = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_incident_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        open_ones constant text[] := ARRAY['state', 'notice', 'notice_sent_at', 'notice_reference',
            'resolution', 'rule_applied', 'resolved_by_id', 'resolved_with_id', 'resolved_at'];
        sent constant text[] := ARRAY['notice', 'notice_sent_at', 'notice_reference'];
    BEGIN
        IF OLD.state = 'open' AND to_jsonb(OLD) - open_ones = to_jsonb(NEW) - open_ones
           AND (OLD.notice_sent_at IS NULL
                OR (OLD.notice, OLD.notice_sent_at, OLD.notice_reference)
                   = (NEW.notice, NEW.notice_sent_at, NEW.notice_reference)) THEN
            RETURN NEW;
        END IF;
        IF OLD.notice_sent_at IS NULL AND to_jsonb(OLD) - sent = to_jsonb(NEW) - sent THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'incident % is %: what it says is not changed (REC-07)', OLD.id, OLD.state
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_incident_changes BEFORE UPDATE ON audits_incident
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_incident_changes();
    """,
    """
    DROP TRIGGER sabot_incident_changes ON audits_incident;
    DROP FUNCTION sabot_incident_changes();
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0004_fixed_names_and_days'),
        ('casino', '0004_sessions_ended'),
    ]

    operations = [
        migrations.CreateModel(
            name='Incident',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField()),
                ('number', models.PositiveIntegerField(verbose_name='número')),
                ('kind', models.CharField(max_length=40, verbose_name='clase')),
                ('state', models.CharField(choices=[('open', 'abierto'), ('resolved', 'resuelto')], default='open', max_length=10, verbose_name='estado')),
                ('freezes', models.BooleanField(default=False, verbose_name='detiene la mesa')),
                ('table_label', models.CharField(blank=True, max_length=20, verbose_name='mesa')),
                ('subject_type', models.CharField(max_length=20)),
                ('subject_id', models.BigIntegerField()),
                ('subject_label', models.CharField(max_length=120, verbose_name='sobre')),
                ('summary_es', models.TextField()),
                ('summary_en', models.TextField()),
                ('rules', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=12), default=list, size=None)),
                ('facts', models.JSONField(default=dict)),
                ('opened_at', models.DateTimeField(verbose_name='abierto')),
                ('notice', models.TextField(blank=True, verbose_name='borrador de aviso')),
                ('notice_due', models.DateTimeField(blank=True, null=True, verbose_name='aviso hasta')),
                ('notice_sent_at', models.DateTimeField(blank=True, null=True, verbose_name='aviso enviado')),
                ('notice_reference', models.CharField(blank=True, max_length=60, verbose_name='referencia del aviso')),
                ('resolution', models.TextField(blank=True, verbose_name='resolución')),
                ('rule_applied', models.CharField(blank=True, max_length=12, verbose_name='regla aplicada')),
                ('resolved_at', models.DateTimeField(blank=True, null=True, verbose_name='resuelto')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='incidents', to='casino.casino')),
                ('opened_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='abierto por')),
                ('resolved_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('resolved_with', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
            ],
            options={
                'verbose_name': 'incidente',
                'ordering': ['-opened_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='IncidentNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(verbose_name='nota')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='por')),
                ('casino', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('incident', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notes', to='audits.incident')),
            ],
            options={
                'verbose_name': 'nota de incidente',
                'ordering': ['at', 'id'],
            },
        ),
        migrations.AddIndex(
            model_name='incident',
            index=models.Index(fields=['casino', 'state', 'table_label'], name='incident_by_table'),
        ),
        migrations.AddIndex(
            model_name='incident',
            index=models.Index(fields=['casino', 'subject_type', 'subject_id'], name='incident_by_subject'),
        ),
        migrations.AddConstraint(
            model_name='incident',
            constraint=models.UniqueConstraint(fields=('casino', 'year', 'number'), name='one_incident_per_number'),
        ),
        migrations.AddConstraint(
            model_name='incident',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('resolved_at', None), ('resolved_by', None), ('resolved_with', None), ('state', 'open')), models.Q(('resolved_at__isnull', False), ('resolved_by__isnull', False), ('state', 'resolved'), ('resolved_with__isnull', False), models.Q(('resolution', ''), _negated=True), models.Q(('resolved_by', models.F('resolved_with')), _negated=True)), _connector='OR'), name='incident_resolved_by_two'),
        ),
        migrations.AddConstraint(
            model_name='incident',
            constraint=models.CheckConstraint(condition=models.Q(('freezes', False), models.Q(('table_label', ''), _negated=True), _connector='OR'), name='frozen_table_is_named'),
        ),
        AppendOnly("audits_incidentnote"),
        NoDelete("audits_incident"),
        INCIDENT_CHANGES,
    ]
