"""A table of a pool names no filing: the notice about the pool's tables names the tables."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('jackpots', '0004_pools_given_up'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='pooltable',
            name='filing',
        ),
    ]
