"""One casino never sees or touches another's: its things are as unknown as things that never were."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.permissions import Role
from tests.api.building import House, make_house
from tests.api.floor import EVENTS, Floor, key

LISTS = [
    "events", "actors", "days", "exports", "decks", "inspections", "shoes", "pits", "tables", "limits",
    "rules", "staff", "sessions", "rounds", "deck-moves", "whereabouts", "stock",
]  # fmt: skip


@pytest.fixture
def theirs(house: House) -> dict[str, Any]:
    floor = Floor(make_house("sur"))
    session = floor.open()
    boss = floor.clients[Role.PIT_BOSS]
    logged = floor.made(boss, f"sessions/{session['id']}/rounds", {"number": 1, "events": EVENTS}, **key())
    return {"floor": floor, "session": session, "round": logged}


def test_lists_hold_nothing_of_another_casino(house: House, theirs: dict[str, Any]) -> None:
    boss, other = house.client(Role.PIT_BOSS), theirs["floor"].clients[Role.PIT_BOSS]
    empty_here = {name: boss.get(f"/api/v1/{name}").json()["count"] for name in LISTS}
    full_there = {name: other.get(f"/api/v1/{name}").json()["count"] for name in LISTS}
    # A login each, and the job that made them, whose own login is an event too.
    ours = {"events": len(house.users) + 1, "actors": len(house.users) + 1}
    assert empty_here == {name: ours.get(name, 0) for name in LISTS}
    assert all(count for name, count in full_there.items() if name != "exports")
    users = house.client(Role.ADMINISTRATOR).get("/api/v1/users", {"page_size": 500}).json()
    assert {user["username"].partition("-")[0] for user in users["results"]} == {"norte"}


def test_things_of_another_casino_do_not_exist(house: House, theirs: dict[str, Any]) -> None:
    floor: Floor = theirs["floor"]
    session, logged = theirs["session"]["id"], theirs["round"]["id"]
    boss, admin = house.client(Role.PIT_BOSS), house.client(Role.ADMINISTRATOR)
    for path in (
        f"sessions/{session}", f"rounds/{logged}", f"sessions/{session}/rounds/current",
        f"tables/{floor.table['id']}", f"staff/{floor.dealer['id']}", f"shoes/{theirs['session']['shoe_id']}",
    ):  # fmt: skip
        assert boss.get(f"/api/v1/{path}").status_code == 404, path
    user = floor.house.users[Role.CAGE].pk
    assert admin.get(f"/api/v1/users/{user}").status_code == 404
    assert admin.post(f"/api/v1/users/{user}/deactivate", {"reason": "x"}).status_code == 404
    rounds = boss.post(f"/api/v1/sessions/{session}/rounds", {"number": 1, "events": EVENTS}, **key())
    assert rounds.status_code == 404
    end = boss.post(f"/api/v1/shoes/{theirs['session']['shoe_id']}/end", {"reason": "x"})
    assert end.status_code == 404


def test_a_row_of_another_casino_cannot_be_named_in_a_body(house: House, theirs: dict[str, Any]) -> None:
    mine = Floor(house)
    opening = {**mine.opening(), "dealer": theirs["floor"].dealer["id"]}
    path = f"/api/v1/tables/{mine.table['id']}/sessions"
    answer = mine.clients[Role.SUPERVISOR].post(path, opening, **key())
    assert answer.status_code == 400
    assert answer.json()["errors"] == [
        {"field": "dealer", "code": "does_not_exist", "message": answer.json()["errors"][0]["message"]}
    ]
