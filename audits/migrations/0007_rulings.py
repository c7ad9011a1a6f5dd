"""Rulings are found again by their words, in Spanish and English as PostgreSQL stems them
(`audits.rulings`)."""

from django.db import migrations

_INDEX = """
CREATE INDEX incident_words_{config} ON audits_incident USING gin
    (to_tsvector('{config}', summary_es || ' ' || summary_en || ' ' || resolution)) WHERE state = 'resolved';
CREATE INDEX incident_note_words_{config} ON audits_incidentnote USING gin (to_tsvector('{config}', text));
"""
_DROP = """
DROP INDEX incident_words_{config};
DROP INDEX incident_note_words_{config};
"""


class Migration(migrations.Migration):
    dependencies = [("audits", "0006_notices_that_wait")]

    operations = [
        migrations.RunSQL(_INDEX.format(config=config), _DROP.format(config=config))
        for config in ("spanish", "english")
    ]
