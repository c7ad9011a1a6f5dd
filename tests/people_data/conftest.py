"""People's data is tested on the cage's house: logins, staff, and a desk that names customers."""

from __future__ import annotations

import pytest

from tests.builders import House, a_house
from tests.money.cage_building import Cage, a_cage


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.fixture
def till(house: House) -> Cage:
    return a_cage(house)
