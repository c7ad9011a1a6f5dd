# What a minute at a pit's tables counts in the ledger of fairness: every pit weighed 100 so far.

from django.db import migrations, models

HELP = 'in hundredths: how much a minute here counts in the ledger of fairness; 150: by half more'


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0018_alerts'),
    ]

    operations = [
        migrations.AddField(
            model_name=model,
            name='weight',
            field=models.PositiveSmallIntegerField(default=100, help_text=HELP, verbose_name='peso en la rotación'),
        )
        for model in ('historicalpit', 'pit')
    ]
