"""The life of a table over the API: checked, prepared, begun, paused, its last round; plans and figures."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from casino.kernel.permissions import Role
from tests.api.building import House
from tests.api.floor import Floor, key

API = "/api/v1"


@pytest.fixture
def floor(house: House) -> Floor:
    return Floor(house)


def test_a_table_is_checked_prepared_begun_paused_and_closed_to_more_rounds(floor: Floor) -> None:
    chief, table = floor.clients[Role.SUPERVISOR], f"{API}/tables/{floor.table['id']}"
    assert chief.get(f"{table}/preflight").json()["ready"] is False  # no shoe
    opening = floor.opening()
    found = chief.get(f"{table}/preflight").json()
    assert found["ready"] is True and found["state"] == "ready"
    assert {check["level"] for check in found["checks"]} <= {"green", "amber"}
    assert {"rules", "limits", "shoe", "crew", "float", "funds", "pools"} <= {
        c["code"] for c in found["checks"]
    }
    made = chief.post(f"{table}/preparations", opening, format="json", **key())
    assert made.status_code == 201, made.content
    session = f"{API}/sessions/{made.json()['id']}"
    assert made.json()["state"] == "opening"
    found = chief.get(f"{table}/preflight").json()
    assert (found["ready"], found["state"]) == (False, "opening")
    for act, body, state in (
        ("begin", {}, "open"),
        ("pause", {"reason": "pausa"}, "paused"),
        ("resume", {}, "open"),
        ("last-round", {}, "closing"),
        ("resume", {}, "open"),
    ):
        answer = chief.post(f"{session}/{act}", body, format="json")
        assert (answer.status_code, answer.json()["state"]) == (200, state), act
    refused = chief.post(f"{session}/begin", {}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "session_state")
    again = chief.post(f"{table}/preparations", opening, format="json", **key())
    assert (again.status_code, again.json()["code"]) == (409, "session_open")


def test_a_prepared_table_sent_twice_with_one_key_is_one(floor: Floor) -> None:
    chief, sent, opening = floor.clients[Role.SUPERVISOR], key(), floor.opening()
    address = f"{API}/tables/{floor.table['id']}/preparations"
    first = chief.post(address, opening, format="json", **sent)
    assert chief.post(address, opening, format="json", **sent).json() == first.json()
    assert len(chief.get(f"{API}/sessions").json()["results"]) == 1


WINDOW = {
    "days": [4, 5], "begins": "20:00", "ends": "04:00", "chip": "10.00",
    "spots": {"punto": {"minimum": "100.00", "maximum": "1000.00"},
              "banca": {"minimum": "100.00", "maximum": "1000.00"}},
}  # fmt: skip


@pytest.mark.rule("GEN-04")
def test_plans_are_published_and_listed_by_version(floor: Floor) -> None:
    boss: APIClient = floor.clients[Role.PIT_BOSS]
    body = {"game": "baccarat.mini", "windows": [WINDOW], "reason": "fin de semana"}
    made = boss.post(f"{API}/limits-plans", body, format="json")
    assert made.status_code == 201, made.content
    shown = made.json()
    assert (shown["version"], shown["table"], shown["otherwise"]) == (1, "", None)
    window = shown["windows"][0]
    assert (window["begins"], window["ends"], window["days"]) == ("20:00", "04:00", [4, 5])
    assert window["spots"]["punto"] == {"minimum": "100.00", "maximum": "1000.00"}
    meets = {**body, "windows": [WINDOW, {**WINDOW, "begins": "03:00", "ends": "05:00"}]}
    refused = boss.post(f"{API}/limits-plans", meets, format="json")
    assert (refused.status_code, refused.json()["code"], refused.json()["rule"]) == (
        422,
        "windows_overlap",
        "GEN-04",
    )
    listed = floor.clients[Role.INSPECTOR].get(f"{API}/limits-plans?game=baccarat.mini").json()["results"]
    assert [plan["version"] for plan in listed] == [1]
    assert floor.clients[Role.SUPERVISOR].post(f"{API}/limits-plans", body, format="json").status_code == 403


def test_figures_are_read_by_all_and_set_by_the_administration(floor: Floor) -> None:
    address, admin = f"{API}/floor-settings", floor.clients[Role.ADMINISTRATOR]
    before = floor.clients[Role.CAGE].get(address).json()
    assert (before["min_break_minutes"], before["min_funds"]) == (20, "0.00")
    body = {"min_funds": "2500.00", "minimum_operation": ["baccarat"], "reason": "manual"}
    after = admin.post(address, body, format="json").json()
    assert (after["min_funds"], after["minimum_operation"], after["min_break_minutes"]) == (
        "2500.00",
        ["baccarat"],
        20,
    )
    assert admin.post(address, {"min_break_minutes": 0, "reason": "x"}, format="json").status_code == 400
