"""What every test stands on.

Run the suite with `make test` (ARGS="tests/games -k tie" for a part): it brings a database of its own. With a
server at hand: SABOT_ENV=development SECRET_KEY=x DATABASE_URL=postgres://… .venv/bin/pytest.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.db.backends.postgresql.operations import DatabaseOperations
from django.utils import translation
from hypothesis import settings as hypothesis_settings

hypothesis_settings.register_profile("house", deadline=None)
hypothesis_settings.load_profile("house")

# The tables that never change refuse TRUNCATE; only the flush between `transaction=True` tests may.
_TRIGGERS = """
DO $$ DECLARE t regclass; BEGIN
  FOR t IN SELECT DISTINCT tgrelid::regclass FROM pg_trigger WHERE NOT tgisinternal LOOP
    EXECUTE format('ALTER TABLE %s {verb} TRIGGER USER', t);
  END LOOP;
END $$
"""


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if settings.configured:
        # The real hashers are slow on purpose.
        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    execute = DatabaseOperations.execute_sql_flush

    def execute_sql_flush(self: DatabaseOperations, sql_list: list[str]) -> Any:
        return execute(self, [_TRIGGERS.format(verb="DISABLE"), *sql_list, _TRIGGERS.format(verb="ENABLE")])

    DatabaseOperations.execute_sql_flush = execute_sql_flush  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def spanish_first() -> Any:
    """Each test begins in the house's first language, whatever a request of the one before spoke."""
    translation.activate(settings.LANGUAGE_CODE)
    yield
    translation.deactivate()
