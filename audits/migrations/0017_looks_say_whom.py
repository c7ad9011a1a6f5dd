"""A look says which report, of which period, and whom; whom each export's file names; when an erasure was done."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.db import migrations, models

from audits.guards import AppendOnly


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0016_filings'),
        ('casino', '0004_sessions_ended'),
    ]

    operations = [
        migrations.CreateModel(
            name='ExportNames',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('named', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), null=True, size=None)),
            ],
            options={
                'verbose_name': 'a quiénes nombra un archivo',
            },
        ),
        migrations.RemoveConstraint(
            model_name='personlook',
            name='one_look_a_minute',
        ),
        migrations.AddField(
            model_name='personlook',
            name='about',
            field=models.CharField(blank=True, default='', max_length=300, verbose_name='período y filtros'),
        ),
        migrations.AddField(
            model_name='personlook',
            name='mark',
            field=models.CharField(blank=True, default='', max_length=16),
        ),
        migrations.AddField(
            model_name='personlook',
            name='named',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), null=True, size=None, verbose_name='a quiénes'),
        ),
        migrations.AddField(
            model_name='personlook',
            name='report',
            field=models.CharField(blank=True, default='', max_length=60, verbose_name='reporte'),
        ),
        migrations.AddIndex(
            model_name='personlook',
            index=django.contrib.postgres.indexes.GinIndex(fields=['named'], name='look_by_named'),
        ),
        migrations.AddConstraint(
            model_name='personlook',
            constraint=models.UniqueConstraint(fields=('casino', 'actor', 'kind', 'subject_id', 'place', 'mark', 'minute'), name='one_look_a_minute', nulls_distinct=False),
        ),
        migrations.AddField(
            model_name='exportnames',
            name='casino',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='exportnames',
            name='export',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='names', to='audits.export'),
        ),
        migrations.AddIndex(
            model_name='exportnames',
            index=django.contrib.postgres.indexes.GinIndex(fields=['named'], name='export_by_named'),
        ),
        migrations.CreateModel(
            name='ErasureEnd',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='cumplida')),
                ('done', models.PositiveIntegerField(verbose_name='hechas')),
                ('held', models.PositiveIntegerField(verbose_name='retenidas')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('order', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='ended', to='audits.erasureorder')),
            ],
            options={
                'verbose_name': 'orden de seudonimizar cumplida',
            },
        ),
        AppendOnly('audits_exportnames'),
        AppendOnly('audits_erasureend'),
    ]
