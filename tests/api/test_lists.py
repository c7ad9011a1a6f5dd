"""A list costs the same number of queries however long it is."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.kernel.permissions import Role
from tests.api.building import House
from tests.api.floor import EVENTS, Floor, key

# list -> queries of one page: 2 of knox (the token, its user's other tokens), 1 of the user's casino, 1 to
# count, 1 for the rows; sessions take 1 more for their crew, exports for their
# signatures; staff 1 more to note who looked at people, which a test's own transaction makes 3.
QUERIES = {
    "events": 5, "actors": 5, "days": 5, "exports": 6, "decks": 5, "inspections": 5, "shoes": 5, "pits": 5,
    "tables": 5, "limits": 5, "rules": 5, "staff": 8, "sessions": 6, "rounds": 5, "games": 3, "reports": 3,
    "deck-moves": 5, "whereabouts": 5,
}  # fmt: skip


@pytest.fixture
def floor(house: House) -> Floor:
    floor = Floor(house)
    session = floor.open()
    for number in range(3):
        floor.made(
            floor.clients[Role.PIT_BOSS],
            f"sessions/{session['id']}/rounds",
            {"number": number + 1, "events": EVENTS},
            **key(),
        )
        floor.staff(f"X-{number}")
        order = {
            "report": "tables.rounds",
            "params": {"first": "2026-11-01", "last": "2026-11-02"},
            "format": "csv",
        }
        assert floor.clients[Role.PIT_BOSS].post("/api/v1/exports", order).status_code == 202
    return floor


def test_query_counts_are_as_written(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    counted: dict[str, Any] = {}
    for name in QUERIES:
        with CaptureQueriesContext(connection) as queries:
            assert boss.get(f"/api/v1/{name}").status_code == 200
        counted[name] = len(queries)
    assert counted == QUERIES


def test_events_speak_in_words(floor: Floor) -> None:
    boss = floor.clients[Role.COMPLIANCE]
    page = boss.get("/api/v1/events", {"action": "tables.round.settled", "page_size": 1}).json()
    assert page["count"] == 3
    event = page["results"][0]
    assert event["body"]["action"] == "tables.round.settled"
    assert len(event["hash"]) == len(event["previous_hash"]) == 64
    assert event["sentence"]
    spanish = boss.get(
        "/api/v1/events", {"action": "tables.round.settled", "page_size": 1}, HTTP_ACCEPT_LANGUAGE="es"
    )
    assert spanish.json()["results"][0]["sentence"] != event["sentence"]
