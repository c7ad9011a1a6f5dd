"""Fixtures of the pages' tests."""

from __future__ import annotations

import pytest

from tests.api.building import House, make_house
from tests.pages.building import Floor, make_floor


@pytest.fixture
def house(db: None) -> House:
    return make_house()


@pytest.fixture
def floor(house: House) -> Floor:
    return make_floor(house)


@pytest.fixture
def full(house: House) -> Floor:
    """The same floor, its table logging every bet."""
    return make_floor(house, detail="full")
