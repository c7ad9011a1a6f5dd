from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0011_limits_plans")]

    operations = []
