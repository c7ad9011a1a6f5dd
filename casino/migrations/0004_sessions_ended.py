"""What a login was signed in with can be ended for good."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('casino', '0003_body_digest_is_keyed'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='sessions_ended',
            field=models.PositiveIntegerField(default=0, editable=False, help_text='how often all that it was signed in with was ended'),
        ),
    ]
