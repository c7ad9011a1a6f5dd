"""One house for all these tests: built once, copied for each fault, dropped at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from casino.management.commands import selftest as command
from casino.selftest import running
from casino.selftest.copies import Copies, copies
from casino.selftest.running import Base
from tests.selftest.standing_on import migrated


@pytest.fixture(scope="module")
def unblocked(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """The self-test works on databases of its own, outside any test's transaction."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture(scope="session")
def built(django_db_setup: None, django_db_blocker: Any) -> Iterator[Base]:
    with copies() as made:
        with django_db_blocker.unblock(), running.base(made, migrated=migrated()) as base:
            pass
        yield base


@pytest.fixture
def base(built: Base, unblocked: None) -> Base:
    return built


@pytest.fixture
def on_base(base: Base, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Have the command use the house there is, or one that differs from it, instead of building its own."""

    def use(other: Base = base) -> None:
        @contextmanager
        def there(_: Copies) -> Iterator[Base]:
            yield other

        monkeypatch.setattr(running, "base", there)

    assert command.running is running
    return use
