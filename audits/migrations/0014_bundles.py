"""A bundle for the regulator is an export in a format of its own."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0013_exports'),
    ]

    operations = [
        migrations.AlterField(
            model_name='export',
            name='format',
            field=models.CharField(choices=[('csv', 'CSV'), ('csvcomma', 'CSV, Excel en español'), ('xlsx', 'XLSX'), ('pdf', 'PDF'), ('json', 'JSON'), ('zip', 'paquete comprobable (ZIP)')], max_length=8, verbose_name='formato'),
        ),
    ]
