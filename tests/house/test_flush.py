"""Tests with real transactions leave an empty database, although the tables refuse to be emptied."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import IntegrityError, InternalError, connection


@pytest.mark.django_db(transaction=True)
def test_only_the_flush_of_the_tests_gets_past_the_guards() -> None:
    with connection.cursor() as cursor, pytest.raises((IntegrityError, InternalError)):
        cursor.execute("TRUNCATE audits_event CASCADE")
    call_command("flush", interactive=False, verbosity=0)
    with connection.cursor() as cursor, pytest.raises((IntegrityError, InternalError)):
        cursor.execute("TRUNCATE audits_event CASCADE")
