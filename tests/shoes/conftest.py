"""The house the card tests play in."""

from __future__ import annotations

import pytest

from audits.by import By
from casino.kernel.permissions import Role
from casino.models import Casino
from tests.shoes import builders


@pytest.fixture
def casino(db: None) -> Casino:
    return builders.a_casino()


@pytest.fixture
def chief(casino: Casino) -> By:
    return builders.a_person(casino, Role.SUPERVISOR, name="Julia Rojas")


@pytest.fixture
def croupier(casino: Casino) -> By:
    return builders.a_person(casino, Role.CROUPIER, name="Mario Paz")


@pytest.fixture
def office(casino: Casino) -> By:
    """Compliance, who may hold, release and cancel."""
    return builders.a_person(casino, Role.COMPLIANCE, name="Rosa Vaca")
