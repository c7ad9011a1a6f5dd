"""Fixtures of the API's tests."""

from __future__ import annotations

import pytest

from tests.api.building import House, make_house


@pytest.fixture
def house(db: None) -> House:
    return make_house()
