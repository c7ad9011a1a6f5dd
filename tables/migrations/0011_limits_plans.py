from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0010_life_of_a_session")]

    operations = []
