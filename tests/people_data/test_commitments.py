"""What an event says of a player through a commitment is read with the name, wherever events are read."""

from __future__ import annotations

import pytest

from audits import personal, trail
from audits.models import Event
from casino.kernel.commands import one_transaction
from casino.kernel.permissions import Role
from tests.builders import House, a_house

pytestmark = [pytest.mark.django_db, pytest.mark.rule("REC-12")]


def handed_back(house: House) -> Event:
    with one_transaction():
        return trail.record(
            "tables.orphan.returned",
            stream="orphans",
            subject=trail.Subject("orphan", 7, "H-7"),
            by=house.by(Role.CAGE),
            data={"claimant": personal.Personal("Ana Poma"), "document": "•••567", "amount": 500},
        )


def test_a_sentence_names_whom_the_chain_only_commits_to() -> None:
    event = handed_back(a_house())
    assert b"Poma" not in bytes(event.body)
    assert "Ana Poma" in personal.sentence(event).es
    assert "Ana Poma" in personal.sentence(event).en
