"""The public cases of audit trails and scheduled jobs, each by its id."""

from __future__ import annotations

import pytest

from tests.builders import House, a_house


@pytest.fixture
def house(db: None) -> House:
    return a_house()
