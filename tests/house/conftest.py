"""A casino and a named job, for tests about the house itself."""

from __future__ import annotations

import pytest

from audits.by import By, by_system
from casino.models import Casino


@pytest.fixture
def system_by(db: None) -> By:
    casino = Casino.objects.create(code="house", name="House", denominations=[100])
    return by_system(casino, "house-test", reason="prueba de la casa")
