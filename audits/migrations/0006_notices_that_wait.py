"""The menu of every page counts the notices that are overdue: found among those that wait alone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("audits", "0005_incidents")]

    operations = [
        migrations.AddIndex(
            model_name="incident",
            index=models.Index(
                fields=["casino", "notice_due"],
                condition=models.Q(("notice_sent_at", None)),
                name="incident_notice_waits",
            ),
        ),
    ]
