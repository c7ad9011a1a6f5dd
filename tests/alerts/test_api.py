"""Alerts, checks, disputes, notes, duties, rulings and the floor itself over the API."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest
from knox.models import AuthToken
from rest_framework.test import APIClient

from audits.incidents import DISPUTE, report_incident, resolve_incident
from casino.kernel import clock
from casino.kernel.permissions import Role
from tables.models import TableSession
from tests.alerts.building import look, opened
from tests.builders import NIGHT, House

API = "/api/v1/"
NOW = NIGHT + dt.timedelta(minutes=62)


def client(house: House, role: Role) -> APIClient:
    found = APIClient(HTTP_ACCEPT_LANGUAGE="en")
    _, token = AuthToken.objects.create(house.users[role])
    found.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return found


def post(house: House, role: Role, path: str, body: dict[str, Any], key: str = "") -> Any:
    return client(house, role).post(
        API + path, body, format="json", headers={"Idempotency-Key": key or str(uuid.uuid4())}
    )


@pytest.fixture
def late(house: House) -> TableSession:
    session = opened(house, detail="full")
    look(house, 61)
    return session


def test_an_alert_is_read_acknowledged_once_and_told_who_did(house: House, late: TableSession) -> None:
    with clock.standing_at(NOW):
        (alert,) = client(house, Role.INSPECTOR).get(API + "alerts?waiting=true").data["results"]
        assert (alert["words"], alert["rule"], alert["table"]) == (
            "relief overdue by 1 min",
            "FLOOR-03",
            late.table.name,
        )
        path, key = f"alerts/{alert['id']}/acknowledge", str(uuid.uuid4())
        assert post(house, Role.PIT_BOSS, path, {}).json()["code"] == "reason_missing"
        body = {"reason": "relief on the way"}
        done = post(house, Role.PIT_BOSS, path, body, key)
        again = post(house, Role.PIT_BOSS, path, body, key)
        assert (done.status_code, done.json()) == (200, again.json())
        assert done.json()["acknowledged_by"] == "Persona pit_boss"
        other = post(house, Role.CAGE, path, {"reason": "me too"})
        assert (other.status_code, other.json()["code"]) == (409, "alert_acknowledged")
        assert client(house, Role.CAGE).get(API + "alerts?waiting=true").data["results"] == []


def test_the_floor_in_one_answer_without_money_for_whoever_may_not_read_it(
    house: House, late: TableSession
) -> None:
    with clock.standing_at(NOW):
        (tile,) = client(house, Role.CAGE).get(API + "floor").json()
        assert (tile["table"], tile["state"], tile["minutes_left"], tile["house"]) == (
            late.table.name,
            "open",
            -2,
            "0.00",
        )
        assert [alert["words"] for alert in tile["alerts"]] == ["relief overdue by 2 min"]
        (tile,) = client(house, Role.CROUPIER).get(API + "floor").json()
        assert tile["house"] is None


def test_a_check_a_dispute_and_a_note(house: House, late: TableSession) -> None:
    with clock.standing_at(NOW):
        counted = {
            "chips": [{"denomination": "500.00", "count": 149}],
            "counted_by": house.dealers[0].pk,
            "witnessed_by": house.supervisors[0].pk,
            "cash": "400.00",
        }
        made = post(house, Role.PIT_BOSS, f"sessions/{late.pk}/float-checks", counted)
        # 75.000 - 400 = 74.600 and 149 x 500 = 74.500: 100 short.
        assert (made.status_code, made.json()["basis"], made.json()["difference"]) == (
            201,
            "ledger",
            "-100.00",
        )
        listed = client(house, Role.INSPECTOR).get(f"{API}float-checks?session={late.pk}").json()
        assert [row["expected"] for row in listed["results"]] == ["74600.00"]
        stopped = post(
            house, Role.SUPERVISOR, f"sessions/{late.pk}/disputes", {"claims": "late bet", "seat": 2}
        )
        assert (stopped.status_code, stopped.json()["kind"], stopped.json()["freezes"]) == (
            201,
            DISPUTE,
            True,
        )
        noted = post(house, Role.SUPERVISOR, "shift-notes", {"text": "quiet night"})
        assert (noted.status_code, noted.json()["pit"]) == (201, "")
        # FLOOR-11: whoever will count the box is not told.
        assert client(house, Role.CAGE).get(f"{API}float-checks?session={late.pk}").json()["results"] == []
        assert client(house, Role.CAGE).get(f"{API}floor/hours?day={late.day.date}").json() == []
        hours = client(house, Role.INSPECTOR).get(f"{API}floor/hours?day={late.day.date}").json()
        assert [(row["hour"], row["difference"]) for row in hours] == [("19:00", "-100.00")]
        assert client(house, Role.CAGE).get(f"{API}floor/hours?day=x").status_code == 422


def test_pits_are_given_by_the_administrator_and_held_to_over_the_api(
    house: House, late: TableSession
) -> None:
    other, chief = house.table(), house.users[Role.SUPERVISOR]
    body = {"user": chief.pk, "pits": [other.pit_id], "reason": "tonight"}
    assert post(house, Role.PIT_BOSS, "duties", body).status_code == 403
    given = post(house, Role.ADMINISTRATOR, "duties", body)
    assert (given.status_code, given.json()["pits"]) == (200, [other.pit_id])
    with clock.standing_at(NOW):
        refused = post(house, Role.SUPERVISOR, f"sessions/{late.pk}/stop-card", {})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_your_pit")
    assert late.table.pit.name in refused.json()["detail"]


def test_rulings_are_searched_and_found_like_an_incident(house: House) -> None:
    by = house.by(Role.PIT_BOSS)
    settled = resolve_incident(
        incident=report_incident(kind=DISPUTE, summary="carta descubierta", by=by),
        resolution="se quema",
        rule_applied="CARD-41",
        with_=house.users[Role.SUPERVISOR].actor,
        by=by,
    )
    open_one = report_incident(kind=DISPUTE, summary="otra carta descubierta", by=by)
    asking = client(house, Role.INSPECTOR)
    for query in ("words=cartas", "rule=card-41", f"kind={DISPUTE}", f"like={open_one.pk}"):
        found = asking.get(f"{API}rulings?{query}").json()["results"]
        assert [row["label"] for row in found] == [settled.label], query
    assert asking.get(f"{API}rulings?words=ruleta").json()["results"] == []
