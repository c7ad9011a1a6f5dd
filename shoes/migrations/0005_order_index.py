"""Runs of faces are found again in earlier shoes by equality of any of them."""

import django.contrib.postgres.indexes
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('shoes', '0004_guards_of_moves'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='shoeorder',
            index=django.contrib.postgres.indexes.GinIndex(fields=['grams'], name='order_by_gram'),
        ),
    ]
