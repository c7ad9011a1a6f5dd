"""What every test stands on.

Run the suite with `make test` (ARGS="tests/games -k tie" for a part): it brings a database of its own. With a
server at hand: SABOT_ENV=development SECRET_KEY=x DATABASE_URL=postgres://… .venv/bin/pytest.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.db.backends.postgresql.operations import DatabaseOperations
from django.test.utils import setup_databases, teardown_databases
from django.utils import translation
from hypothesis import settings as hypothesis_settings

from tests.flushing import sql_flush
from tests.kept import ALTERING, keeping_unless
from tests.migrated import CHECKOUT, template

hypothesis_settings.register_profile("house", deadline=None)
hypothesis_settings.load_profile("house")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if settings.configured:
        # The real hashers are slow on purpose.
        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        # Made while the workers are still reading the tests; those who need it sooner wait for it.
        making = subprocess.Popen([sys.executable, "-m", "tests.migrated"], cwd=CHECKOUT)
        config.add_cleanup(making.wait)
    else:
        gc.disable()  # until everything is read
    DatabaseOperations.sql_flush = sql_flush  # type: ignore[method-assign]


def pytest_collection_finish() -> None:
    """All that was read stays to the end; nobody need look through it for garbage again and again."""
    gc.enable()
    gc.freeze()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, django_db_blocker: Any) -> None:
    """The database of each worker is a copy of one that was migrated once."""
    with django_db_blocker.unblock():
        connection.settings_dict["TEST"]["TEMPLATE"] = template()


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None,
    django_db_modify_db_settings: None,
    django_db_blocker: Any,
    django_db_keepdb: bool,
    django_db_createdb: bool,
) -> Iterator[None]:
    """The tests' own database for whoever asks for one: the library makes none where every test that
    was chosen unblocks the database itself, and they would work on the house's.
    """
    with django_db_blocker.unblock():
        made = setup_databases(0, interactive=False, keepdb=django_db_keepdb and not django_db_createdb)
    yield
    if not django_db_keepdb:
        with django_db_blocker.unblock():
            _left_behind()
            teardown_databases(made, 0)


def _left_behind() -> None:
    """Ends the sessions that a killed process or a browser's last request left in the database: the server
    drops none that somebody is in, and the last test would be told that it failed.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "select state, left(query, 200), pg_terminate_backend(pid, 5000) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
            " and backend_type = 'client backend' and usename = current_user"
        )
        for state, query, _ in cursor.fetchall():
            warnings.warn(f"a session was left in the tests' database ({state}): {query}", stacklevel=1)


_patches: list[pytest.MonkeyPatch] = []
_begin = pytest.MonkeyPatch.__init__


def _remembered(patch: pytest.MonkeyPatch) -> None:
    """Also of `MonkeyPatch.context()` a test is told whether it altered the product."""
    _begin(patch)
    _patches.append(patch)


pytest.MonkeyPatch.__init__ = _remembered  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def keeping(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a test builds with an altered product is its own."""
    _patches[:] = [monkeypatch]
    altered = not ALTERING.isdisjoint(request.fixturenames)
    with keeping_unless(lambda: altered or any(one._setattr or one._setitem for one in _patches)):
        yield


@pytest.fixture(autouse=True)
def spanish_first() -> Any:
    """Each test begins in the house's first language, whatever a request of the one before spoke."""
    translation.activate(settings.LANGUAGE_CODE)
    yield
    translation.deactivate()
