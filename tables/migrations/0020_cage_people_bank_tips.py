"""Who stood at the counter, money to and from the bank, shares of tips put into a hand."""

import django.db.models.deletion
from django.db import migrations, models

from audits.guards import AppendOnly


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0007_rulings'),
        ('casino', '0004_sessions_ended'),
        ('tables', '0019_pit_weight'),
    ]

    operations = [
        migrations.AddField(
            model_name='cageoperation',
            name='customer',
            field=models.CharField(blank=True, max_length=120, verbose_name='cliente'),
        ),
        migrations.AddField(
            model_name='cageoperation',
            name='document',
            field=models.CharField(blank=True, max_length=40, verbose_name='documento'),
        ),
        migrations.AddField(
            model_name='cageoperation',
            name='flagged',
            field=models.BooleanField(default=False, help_text="cash of the person's day came to the threshold", verbose_name='desde el umbral'),
        ),
        migrations.AlterField(
            model_name='fundmove',
            name='kind',
            field=models.CharField(choices=[('capital', 'capital aportado'), ('withdrawal', 'capital retirado'), ('drop', 'caja de mesa a bóveda'), ('ipj', 'IPJ pagado al fisco desde bóveda'), ('ipj_bank', 'IPJ pagado al fisco desde el banco'), ('from_bank', 'del banco a bóveda'), ('to_bank', 'de bóveda al banco')], max_length=12, verbose_name='clase'),
        ),
        migrations.CreateModel(
            name='TipHandover',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.BigIntegerField(verbose_name='importe')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tip_handovers', to='casino.casino')),
                ('distribution', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='handovers', to='tables.tipdistribution')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.event')),
                ('given_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='entregó')),
                ('signed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='firmó')),
                ('staff', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.staff', verbose_name='recibió')),
            ],
            options={
                'verbose_name': 'entrega de propinas',
                'verbose_name_plural': 'entregas de propinas',
                'ordering': ['-at', '-id'],
                'constraints': [models.UniqueConstraint(fields=('distribution', 'staff'), name='one_handover_per_share'), models.CheckConstraint(condition=models.Q(('amount__gt', 0), models.Q(('given_by', models.F('signed_by')), _negated=True)), name='tips_handed_over_by_two')],
            },
        ),
        AppendOnly("tables_tiphandover"),
    ]
