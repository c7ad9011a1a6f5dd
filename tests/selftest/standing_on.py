"""What the tests of the self-test stand on."""

from __future__ import annotations

from django.db import connection


def migrated() -> str:
    """The database of the run that has every migration (`tests.migrated`)."""
    return str(connection.settings_dict["TEST"]["TEMPLATE"])
