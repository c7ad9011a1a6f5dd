"""Filings with the AJ."""

import django.db.models.deletion
from django.db import migrations, models

from audits.guards import NoDelete


# What was filed stays as it was drafted; its way goes on only (REC-06).
FILING_MOVES = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_filing_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['state', 'presented_at', 'decided_at', 'decided_by_id', 'reference', 'valid_from',
            'valid_until'];
        step constant text := OLD.state || '>' || NEW.state;
    BEGIN
        IF to_jsonb(OLD) - moving = to_jsonb(NEW) - moving
           AND step IN ('draft>presented', 'draft>withdrawn', 'presented>approved', 'presented>refused',
                        'presented>withdrawn') THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'filing %: it goes on, never back (REC-06)', OLD.id USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_filing_moves BEFORE UPDATE ON audits_filing
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_filing_moves();
    """,
    "DROP TRIGGER sabot_filing_moves ON audits_filing; DROP FUNCTION sabot_filing_moves();",
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0007_rulings'),
        ('casino', '0004_sessions_ended'),
    ]

    operations = [
        migrations.CreateModel(
            name='Filing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField(verbose_name='año')),
                ('number', models.PositiveIntegerField(verbose_name='número')),
                ('kind', models.CharField(max_length=40, verbose_name='clase')),
                ('state', models.CharField(choices=[('draft', 'borrador'), ('presented', 'presentado'), ('approved', 'aprobado'), ('refused', 'rechazado'), ('withdrawn', 'retirado')], default='draft', max_length=10, verbose_name='estado')),
                ('subject_type', models.CharField(max_length=20)),
                ('subject_id', models.BigIntegerField()),
                ('subject_label', models.CharField(max_length=120, verbose_name='sobre')),
                ('text', models.TextField(verbose_name='texto')),
                ('facts', models.JSONField(default=dict)),
                ('drafted_at', models.DateTimeField(verbose_name='redactado')),
                ('presented_at', models.DateTimeField(null=True, verbose_name='presentado')),
                ('decided_at', models.DateTimeField(null=True, verbose_name='decidido')),
                ('reference', models.CharField(blank=True, max_length=60, verbose_name='referencia de la AJ')),
                ('valid_from', models.DateField(null=True, verbose_name='vigente desde')),
                ('valid_until', models.DateField(null=True, verbose_name='vigente hasta')),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='redactado por')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='filings', to='casino.casino')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
            ],
            options={
                'verbose_name': 'trámite',
                'verbose_name_plural': 'trámites',
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['casino', 'kind', 'subject_type', 'subject_id'], name='filing_by_subject')],
                'constraints': [models.UniqueConstraint(fields=('casino', 'year', 'number'), name='one_filing_per_number'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('presented_at', None), ('state', 'draft')), models.Q(('decided_at', None), ('decided_by', None), ('presented_at__isnull', False), ('state', 'presented')), models.Q(('decided_at__isnull', False), ('presented_at__isnull', False), ('state', 'approved'), ('decided_by__isnull', False), ('valid_from__isnull', False), models.Q(('reference', ''), _negated=True)), models.Q(('decided_at__isnull', False), ('presented_at__isnull', False), ('state', 'refused')), models.Q(('decided_at__isnull', False), ('state', 'withdrawn')), _connector='OR'), name='filing_is_what_its_state_says'), models.CheckConstraint(condition=models.Q(('decided_by', None), ('state', 'withdrawn'), models.Q(('decided_by', models.F('author')), _negated=True), _connector='OR'), name='filing_not_decided_by_its_author')],
            },
        ),
        NoDelete('audits_filing'),
        FILING_MOVES,
    ]
