"""Exports that are signed, delivered, called off, made again and made each period."""

import django.db.models.deletion
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete

# An order goes on, never back; once its file is made, called off or failed it stays as it is (REC-06).
EXPORT_MOVES = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_export_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['state', 'rows_done', 'rows_total', 'file_name', 'size_bytes', 'sha256',
            'rows_sha256', 'known_at', 'manifest', 'manifest_key', 'manifest_signature', 'failure', 'attempts',
            'heartbeat_at', 'finished_at'];
        step constant text := OLD.state || '>' || NEW.state;
    BEGIN
        IF to_jsonb(OLD) - moving = to_jsonb(NEW) - moving
           AND step IN ('waiting>waiting', 'running>running', 'waiting>running', 'running>done', 'running>failed',
                        'waiting>cancelled', 'running>cancelled') THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'export %: what it is stays as it is (REC-06)', OLD.id USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_export_moves BEFORE UPDATE ON audits_export
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_export_moves();
    """,
    "DROP TRIGGER sabot_export_moves ON audits_export; DROP FUNCTION sabot_export_moves();",
)
# A signature is for a file that is made and not yet delivered; the second is not by who asked (GEN-10).
EXPORT_SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_export_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        signed audits_export;
        places integer;
    BEGIN
        SELECT * INTO signed FROM audits_export WHERE id = NEW.export_id;
        SELECT count(*) INTO places FROM audits_exportsignature WHERE export_id = NEW.export_id;
        IF signed.state <> 'done' OR NEW.sha256 <> signed.sha256 OR NEW.place <> places + 1
           OR EXISTS (SELECT FROM audits_exportdelivery WHERE export_id = NEW.export_id) THEN
            RAISE EXCEPTION 'export %: not to be signed so (REC-06)', NEW.export_id USING ERRCODE = '23001';
        END IF;
        IF NEW.place = 2 AND NEW.signer_id = signed.requested_by_id THEN
            RAISE EXCEPTION 'export %: who asked does not approve (GEN-10)', NEW.export_id USING ERRCODE = '23001';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_export_signed BEFORE INSERT ON audits_exportsignature
        FOR EACH ROW EXECUTE FUNCTION sabot_export_signed();
    """,
    "DROP TRIGGER sabot_export_signed ON audits_exportsignature; DROP FUNCTION sabot_export_signed();",
)
EXPORT_DELIVERED = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_export_delivered() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF (SELECT count(*) FROM audits_exportsignature WHERE export_id = NEW.export_id) <> 2 THEN
            RAISE EXCEPTION 'export %: two sign before it is delivered (GEN-10)', NEW.export_id
                USING ERRCODE = '23001';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_export_delivered BEFORE INSERT ON audits_exportdelivery
        FOR EACH ROW EXECUTE FUNCTION sabot_export_delivered();
    """,
    "DROP TRIGGER sabot_export_delivered ON audits_exportdelivery; DROP FUNCTION sabot_export_delivered();",
)
# What is made each period stays what was ordered: it is only put off, taken up again, or removed for good.
SCHEDULE_MOVES = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_schedule_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['state', 'since'];
    BEGIN
        IF to_jsonb(OLD) - moving = to_jsonb(NEW) - moving AND OLD.state <> 'removed' AND NEW.since >= OLD.since THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'schedule %: order another one instead (REC-06)', OLD.id USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_schedule_moves BEFORE UPDATE ON audits_exportschedule
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_schedule_moves();
    """,
    "DROP TRIGGER sabot_schedule_moves ON audits_exportschedule; DROP FUNCTION sabot_schedule_moves();",
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0012_seals'),
        ('casino', '0004_sessions_ended'),
    ]

    operations = [
        migrations.CreateModel(
            name='ExportSignature',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField()),
                ('sha256', models.CharField(max_length=64)),
                ('signed_at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'firma de exportación',
                'ordering': ['place'],
            },
        ),
        migrations.AddField(
            model_name='export',
            name='known_at',
            field=models.DateTimeField(null=True, verbose_name='según lo sabido'),
        ),
        migrations.AddField(
            model_name='export',
            name='manifest',
            field=models.BinaryField(null=True),
        ),
        migrations.AddField(
            model_name='export',
            name='manifest_key',
            field=models.CharField(blank=True, max_length=16),
        ),
        migrations.AddField(
            model_name='export',
            name='manifest_signature',
            field=models.BinaryField(max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='export',
            name='of',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='derived', to='audits.export'),
        ),
        migrations.AddField(
            model_name='export',
            name='period',
            field=models.DateField(null=True, verbose_name='período'),
        ),
        migrations.AddField(
            model_name='export',
            name='purpose',
            field=models.CharField(choices=[('report', 'reporte'), ('again', 'producido de nuevo'), ('difference', 'diferencia')], default='report', max_length=10),
        ),
        migrations.AddField(
            model_name='export',
            name='rows_sha256',
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AlterField(
            model_name='export',
            name='format',
            field=models.CharField(choices=[('csv', 'CSV'), ('csvcomma', 'CSV, Excel en español'), ('xlsx', 'XLSX'), ('pdf', 'PDF'), ('json', 'JSON')], max_length=8, verbose_name='formato'),
        ),
        migrations.AlterField(
            model_name='export',
            name='state',
            field=models.CharField(choices=[('waiting', 'en espera'), ('running', 'en curso'), ('done', 'listo'), ('failed', 'falló'), ('cancelled', 'cancelado')], default='waiting', max_length=10, verbose_name='estado'),
        ),
        migrations.CreateModel(
            name='ExportDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('recipient', models.CharField(max_length=120, verbose_name='a quién')),
                ('how', models.CharField(choices=[('portal', 'portal de la AJ'), ('mail', 'correo electrónico'), ('hand', 'en mano, en soporte digital'), ('paper', 'en mano, impreso')], max_length=10, verbose_name='cómo')),
                ('reference', models.CharField(max_length=60, verbose_name='número de recepción de la AJ')),
                ('receipt_name', models.CharField(blank=True, max_length=120)),
                ('receipt_sha256', models.CharField(blank=True, max_length=64, verbose_name='SHA-256 de la constancia')),
                ('delivered_at', models.DateTimeField()),
                ('delivered_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('export', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='delivery', to='audits.export')),
            ],
            options={
                'verbose_name': 'entrega de exportación',
            },
        ),
        migrations.CreateModel(
            name='ExportSchedule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('report', models.CharField(max_length=60, verbose_name='reporte')),
                ('params', models.JSONField(default=dict)),
                ('format', models.CharField(max_length=8, verbose_name='formato')),
                ('language', models.CharField(default='es-bo', max_length=5)),
                ('every', models.CharField(choices=[('daily', 'cada día de juego'), ('monthly', 'cada mes')], max_length=10, verbose_name='cada cuánto')),
                ('state', models.CharField(choices=[('active', 'activa'), ('paused', 'en pausa'), ('removed', 'quitada')], default='active', max_length=10, verbose_name='estado')),
                ('since', models.DateField(verbose_name='desde el período')),
                ('ordered_at', models.DateTimeField()),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='export_schedules', to='casino.casino')),
                ('ordered_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
            ],
            options={
                'verbose_name': 'exportación programada',
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='export',
            name='schedule',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='exports', to='audits.exportschedule'),
        ),
        migrations.AddConstraint(
            model_name='export',
            constraint=models.UniqueConstraint(fields=('schedule', 'period'), name='one_export_per_period'),
        ),
        migrations.AddConstraint(
            model_name='export',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('period', None), ('schedule', None)), models.Q(('period__isnull', False), ('schedule__isnull', False)), _connector='OR'), name='export_of_a_period_has_its_schedule'),
        ),
        migrations.AddConstraint(
            model_name='export',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('of', None), ('purpose', 'report')), models.Q(models.Q(('purpose', 'report'), _negated=True), ('of__isnull', False)), _connector='OR'), name='export_of_another_says_which'),
        ),
        migrations.AddField(
            model_name='exportsignature',
            name='export',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to='audits.export'),
        ),
        migrations.AddField(
            model_name='exportsignature',
            name='signer',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor'),
        ),
        migrations.AddConstraint(
            model_name='exportschedule',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'removed'), _negated=True), fields=('casino', 'report', 'params', 'format', 'language', 'every'), name='one_schedule_of_a_kind'),
        ),
        migrations.AddConstraint(
            model_name='exportsignature',
            constraint=models.UniqueConstraint(fields=('export', 'place'), name='one_signature_per_place'),
        ),
        migrations.AddConstraint(
            model_name='exportsignature',
            constraint=models.UniqueConstraint(fields=('export', 'signer'), name='one_signature_per_signer'),
        ),
        migrations.AddConstraint(
            model_name='exportsignature',
            constraint=models.CheckConstraint(condition=models.Q(('place__in', (1, 2))), name='export_has_two_places'),
        ),
        NoDelete('audits_export'),
        NoDelete('audits_exportschedule'),
        AppendOnly('audits_exportsignature'),
        AppendOnly('audits_exportdelivery'),
        EXPORT_MOVES,
        EXPORT_SIGNED,
        EXPORT_DELIVERED,
        SCHEDULE_MOVES,
    ]
