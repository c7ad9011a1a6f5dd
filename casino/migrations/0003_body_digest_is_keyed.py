"""The digest of a request's body is keyed now. The bare hashes of the last days go; their keys stay
taken, so that sending again is refused rather than done twice.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("casino", "0002_failed_sign_ins")]

    operations = [
        migrations.RunSQL("UPDATE casino_idempotencyrecord SET body_sha256 = ''", migrations.RunSQL.noop),
        migrations.RenameField("idempotencyrecord", "body_sha256", "body_digest"),
    ]
