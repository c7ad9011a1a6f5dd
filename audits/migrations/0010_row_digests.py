"""Digests of the rows that only grow, one night after the other."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

from audits.guards import AppendOnly


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0009_filings_end'),
        ('casino', '0004_sessions_ended'),
    ]

    operations = [
        migrations.CreateModel(
            name='RowDigest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.CharField(max_length=63)),
                ('columns', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=63), size=None)),
                ('first_id', models.BigIntegerField()),
                ('last_id', models.BigIntegerField()),
                ('rows', models.PositiveIntegerField()),
                ('sha256', models.BinaryField(max_length=32)),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('day', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.gamingday')),
            ],
            options={
                'verbose_name': 'huella de filas',
                'constraints': [models.UniqueConstraint(fields=('casino', 'table', 'first_id'), name='one_digest_per_first_row'), models.CheckConstraint(condition=models.Q(('last_id__gte', models.F('first_id'))), name='digest_covers_something')],
            },
        ),
        AppendOnly('audits_rowdigest'),
    ]
