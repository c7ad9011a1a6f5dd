"""The money's tests stand on one house. The cage's share one a module, and each begins from it as built."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.builders import House, a_house
from tests.money import box_builders
from tests.money.cage_building import Cage, a_cage


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.fixture(scope="module")
def _built(django_db_setup: None, django_db_blocker: Any) -> Iterator[House]:
    """A house held in a transaction of the module's; a test's own is a savepoint within it."""
    held = transaction.atomic()
    held._from_testcase = True  # type: ignore[attr-defined]  # commands are durable, except within a test's own
    with django_db_blocker.unblock(), held:
        yield a_house()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def _built_room(_built: House) -> House:
    """The module's house with three teams who count boxes."""
    for name in (name for team in box_builders.TEAMS for name in team):
        box_builders.of_the_cage(_built.casino, name)
    return _built


@pytest.fixture(scope="module")
def _built_cage(_built: House) -> Cage:
    return a_cage(_built)


@pytest.fixture
def stand(_built: House, db: None) -> House:
    """The module's house, for a test that may change what it holds."""
    return copy.deepcopy(_built)


@pytest.fixture
def room(_built_room: House, db: None) -> House:
    """The module's house with those who count its boxes."""
    return copy.deepcopy(_built_room)


@pytest.fixture
def till(_built_cage: Cage, db: None) -> Cage:
    """The module's cage, open for its shift."""
    return copy.deepcopy(_built_cage)
