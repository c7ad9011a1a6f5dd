"""A filing ends: revoked by the AJ, or used for the one thing it allowed."""

import django.db.models.deletion
from django.db import migrations, models

_MOVES = """
    CREATE OR REPLACE FUNCTION sabot_filing_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['state', 'presented_at', 'decided_at', 'decided_by_id', 'reference', 'valid_from',
            'valid_until'%s];
        step constant text := OLD.state || '>' || NEW.state;
    BEGIN
        IF to_jsonb(OLD) - moving = to_jsonb(NEW) - moving
           AND step IN ('draft>presented', 'draft>withdrawn', 'presented>approved', 'presented>refused',
                        'presented>withdrawn'%s) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'filing %%: it goes on, never back (REC-06)', OLD.id USING ERRCODE = '23001';
    END $$;
"""
FILING_ENDS = migrations.RunSQL(
    _MOVES % (", 'ended_at', 'ended_by_id', 'document'", ", 'approved>revoked', 'approved>used'"),
    _MOVES % ("", ""),
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0008_filings'),
        ('casino', '0004_sessions_ended'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='filing',
            name='filing_is_what_its_state_says',
        ),
        migrations.AddField(
            model_name='filing',
            name='document',
            field=models.CharField(blank=True, max_length=60, verbose_name='documento de la revocación'),
        ),
        migrations.AddField(
            model_name='filing',
            name='ended_at',
            field=models.DateTimeField(null=True, verbose_name='terminado'),
        ),
        migrations.AddField(
            model_name='filing',
            name='ended_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor'),
        ),
        migrations.AlterField(
            model_name='filing',
            name='state',
            field=models.CharField(choices=[('draft', 'borrador'), ('presented', 'presentado'), ('approved', 'aprobado'), ('refused', 'rechazado'), ('withdrawn', 'retirado'), ('revoked', 'revocado'), ('used', 'usado')], default='draft', max_length=10, verbose_name='estado'),
        ),
        migrations.AddConstraint(
            model_name='filing',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('presented_at', None), ('state', 'draft')), models.Q(('decided_at', None), ('decided_by', None), ('presented_at__isnull', False), ('state', 'presented')), models.Q(('state__in', ('approved', 'revoked', 'used')), ('decided_at__isnull', False), ('presented_at__isnull', False), ('decided_by__isnull', False), ('valid_from__isnull', False), models.Q(('reference', ''), _negated=True)), models.Q(('decided_at__isnull', False), ('presented_at__isnull', False), ('state', 'refused')), models.Q(('decided_at__isnull', False), ('state', 'withdrawn')), _connector='OR'), name='filing_is_what_its_state_says'),
        ),
        migrations.AddConstraint(
            model_name='filing',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', False), ('ended_by__isnull', False), ('state', 'revoked'), models.Q(('document', ''), _negated=True)), models.Q(('document', ''), ('ended_at__isnull', False), ('ended_by__isnull', False), ('state', 'used')), models.Q(models.Q(('state__in', ('revoked', 'used')), _negated=True), ('document', ''), ('ended_at', None), ('ended_by', None)), _connector='OR'), name='filing_ends_revoked_or_used'),
        ),
        FILING_ENDS,
    ]
