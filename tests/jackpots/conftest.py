"""The pools' tests stand on one house with its floor."""

from __future__ import annotations

import pytest

from tests.builders import House, a_house


@pytest.fixture
def house(db: None) -> House:
    return a_house()
