from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0013_drop_boxes")]

    operations = []
