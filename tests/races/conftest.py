"""Races are run by real threads on a database that really commits."""

from __future__ import annotations

import pytest

from tests.builders import House, a_house


@pytest.fixture
def house(transactional_db: None) -> House:
    return a_house()
