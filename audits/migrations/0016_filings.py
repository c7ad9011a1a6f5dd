"""Filings with a receipt and a deadline; files and held video; what a house demands; the terms of complaints."""

import django.db.models.deletion
from django.db import migrations, models

from audits.guards import AppendOnly


# Its deadline is set anew while there is something to wait for; the AJ's receipt comes with the presentation.
_MOVES = """
    CREATE OR REPLACE FUNCTION sabot_filing_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['state', 'presented_at', 'decided_at', 'decided_by_id', 'reference', 'valid_from',
            'valid_until', 'ended_at', 'ended_by_id', 'document'%s];
        step constant text := OLD.state || '>' || NEW.state;
    BEGIN
        IF to_jsonb(OLD) - moving = to_jsonb(NEW) - moving
           AND step IN ('draft>presented', 'draft>withdrawn', 'presented>approved', 'presented>refused',
                        'presented>withdrawn', 'approved>revoked', 'approved>used') THEN
            RETURN NEW;
        END IF;
        %s
        RAISE EXCEPTION 'filing %%: it goes on, never back (REC-06)', OLD.id USING ERRCODE = '23001';
    END $$;
"""
_DUE = """IF OLD.state = NEW.state AND OLD.state IN ('draft', 'presented', 'approved')
           AND to_jsonb(OLD) - ARRAY['due_on', 'due_for'] = to_jsonb(NEW) - ARRAY['due_on', 'due_for'] THEN
            RETURN NEW;
        END IF;"""
FILING_DUE = migrations.RunSQL(
    _MOVES % (", 'receipt', 'due_on', 'due_for'", _DUE),
    _MOVES % ("", ""),
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0015_inspections'),
        ('casino', '0004_sessions_ended'),
    ]

    operations = [
        migrations.CreateModel(
            name='Attachment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, verbose_name='nombre')),
                ('media_type', models.CharField(max_length=100, verbose_name='tipo')),
                ('size_bytes', models.BigIntegerField(verbose_name='tamaño')),
                ('sha256', models.CharField(max_length=64)),
                ('note', models.CharField(blank=True, max_length=200, verbose_name='qué es')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
            ],
            options={
                'verbose_name': 'archivo adjunto',
                'verbose_name_plural': 'archivos adjuntos',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ComplaintTerms',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file_days', models.PositiveSmallIntegerField(verbose_name='días corridos para reclamar')),
                ('answer_days', models.PositiveSmallIntegerField(verbose_name='días hábiles para responder')),
                ('appeal_days', models.PositiveSmallIntegerField(verbose_name='días hábiles para recurrir')),
                ('video_days', models.PositiveSmallIntegerField(verbose_name='días que se guarda el video')),
                ('holidays', models.JSONField(default=list, verbose_name='feriados')),
                ('reason', models.TextField(verbose_name='motivo')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
            ],
            options={
                'verbose_name': 'plazos de los reclamos',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='FilingDemand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40, verbose_name='clase')),
                ('demanded', models.BooleanField(verbose_name='se exige')),
                ('reason', models.TextField(verbose_name='motivo')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
            ],
            options={
                'verbose_name': 'exigencia de trámite',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='VideoHold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('cameras', models.CharField(max_length=200, verbose_name='cámaras')),
                ('first', models.DateTimeField(verbose_name='desde')),
                ('last', models.DateTimeField(verbose_name='hasta')),
                ('kept_where', models.CharField(max_length=200, verbose_name='dónde se guarda')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
            ],
            options={
                'verbose_name': 'retención de video',
                'ordering': ['id'],
            },
        ),
        migrations.AddField(
            model_name='filing',
            name='due_for',
            field=models.CharField(blank=True, max_length=120, verbose_name='qué vence'),
        ),
        migrations.AddField(
            model_name='filing',
            name='due_on',
            field=models.DateField(null=True, verbose_name='vence'),
        ),
        migrations.AddField(
            model_name='filing',
            name='receipt',
            field=models.CharField(blank=True, max_length=60, verbose_name='cargo de recepción de la AJ'),
        ),
        migrations.AddConstraint(
            model_name='filing',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('due_for', ''), ('due_on', None)), models.Q(('due_on__isnull', False), models.Q(('due_for', ''), _negated=True)), _connector='OR'), name='filing_due_says_for_what'),
        ),
        migrations.AddField(
            model_name='attachment',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='por'),
        ),
        migrations.AddField(
            model_name='attachment',
            name='casino',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='attachment',
            name='filing',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='attachments', to='audits.filing'),
        ),
        migrations.AddField(
            model_name='attachment',
            name='incident',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='attachments', to='audits.incident'),
        ),
        migrations.AddField(
            model_name='complaintterms',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='por'),
        ),
        migrations.AddField(
            model_name='complaintterms',
            name='casino',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='filingdemand',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='por'),
        ),
        migrations.AddField(
            model_name='filingdemand',
            name='casino',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='videohold',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='por'),
        ),
        migrations.AddField(
            model_name='videohold',
            name='casino',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='videohold',
            name='incident',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='video_holds', to='audits.incident'),
        ),
        migrations.AddConstraint(
            model_name='attachment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('filing__isnull', False), ('incident', None)), models.Q(('filing', None), ('incident__isnull', False)), _connector='OR'), name='attachment_of_one_thing'),
        ),
        migrations.AddConstraint(
            model_name='attachment',
            constraint=models.CheckConstraint(condition=models.Q(('size_bytes__gt', 0)), name='attachment_not_empty'),
        ),
        migrations.AddConstraint(
            model_name='attachment',
            constraint=models.UniqueConstraint(condition=models.Q(('incident', None)), fields=('filing', 'sha256'), name='one_attachment_per_filing'),
        ),
        migrations.AddConstraint(
            model_name='attachment',
            constraint=models.UniqueConstraint(condition=models.Q(('filing', None)), fields=('incident', 'sha256'), name='one_attachment_per_incident'),
        ),
        migrations.AddIndex(
            model_name='filingdemand',
            index=models.Index(fields=['casino', 'kind'], name='filing_demand_by_kind'),
        ),
        migrations.AddConstraint(
            model_name='videohold',
            constraint=models.CheckConstraint(condition=models.Q(('first__lt', models.F('last'))), name='video_hold_in_order'),
        ),
        AppendOnly("audits_attachment"),
        AppendOnly("audits_filingdemand"),
        AppendOnly("audits_videohold"),
        AppendOnly("audits_complaintterms"),
        FILING_DUE,
    ]
