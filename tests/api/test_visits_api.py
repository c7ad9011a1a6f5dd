"""Inspections over the API: a token for a code, a visit with its draw, counts and answers (REC-11)."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from audits.inspections import access, draw
from audits.models import InspectionCount, InspectionDraw, InspectorAccess
from casino.kernel.permissions import Role
from tests.api.building import PASSWORD, House
from tests.pages.building import Floor, make_floor

pytestmark = pytest.mark.rule("REC-11")
VISITS, DOOR = "/api/v1/visits", "/api/v1/auth/inspection"


@pytest.fixture
def floor(house: House) -> Floor:
    found = make_floor(house)
    found.open()
    return found


def given(house: House, **about: Any) -> access.Given:
    from audits.by import by_user

    by = by_user(house.users[Role.ADMINISTRATOR], reason="x")
    return access.give_access(name="Rosa Mamani", credential="AJ-0117", by=by, **about)


def inside(house: House) -> APIClient:
    answer = APIClient(HTTP_ACCEPT_LANGUAGE="en").post(
        DOOR, {"credential": "AJ-0117", "code": given(house).code}, format="json"
    )
    assert answer.status_code == 201
    client = APIClient(HTTP_ACCEPT_LANGUAGE="en")
    client.credentials(HTTP_AUTHORIZATION=f"Token {answer.json()['token']}")
    return client


def post(client: APIClient, address: str, body: Any = None) -> Any:
    return client.post(address, body or {}, format="json")


def test_a_token_ends_with_the_code_s_time_and_not_its_own(house: House) -> None:
    made = given(house, hours=1)
    answer = post(APIClient(), DOOR, {"credential": "aj-0117", "code": made.code}).json()
    assert dt.datetime.fromisoformat(answer["expires"]) == made.access.valid_until
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {answer['token']}")
    assert client.get("/api/v1/auth/me").json()["roles"] == ["inspector"]
    with time_machine.travel(made.access.valid_until + dt.timedelta(seconds=1)):
        assert client.get("/api/v1/auth/me").status_code == 401


def test_a_code_wrong_spent_or_badly_shaped(house: House) -> None:
    made = given(house)
    wrong = post(APIClient(), DOOR, {"credential": "AJ-0117", "code": "ZZZZ"})
    assert (wrong.status_code, wrong.json()["code"]) == (401, "bad_credentials")
    for body in ({"code": "x"}, {"credential": 1, "code": []}, {"credential": "x", "code": "y", "more": 1}):
        assert post(APIClient(), DOOR, body).status_code in {400, 422}
    assert post(APIClient(), DOOR, {"credential": "AJ-0117", "code": made.code}).status_code == 201
    spent = post(APIClient(), DOOR, {"credential": "AJ-0117", "code": made.code})
    assert (spent.status_code, spent.json()["code"], spent.json()["rule"]) == (401, "code_spent", "REC-11")


def test_no_answer_of_the_api_holds_a_code_or_its_hash(house: House) -> None:
    made = given(house)
    said = house.client(Role.COMPLIANCE).get("/api/v1/inspector-accesses").content.decode()
    assert made.access.selector in said
    assert made.code.replace("-", "")[4:] not in said
    assert InspectorAccess.objects.get().secret not in said


def test_revoking_over_the_api_ends_the_token(house: House) -> None:
    client = inside(house)
    row = InspectorAccess.objects.get()
    address = f"/api/v1/inspector-accesses/{row.pk}/revoke"
    assert post(client, address, {"reason": "yo"}).status_code == 403
    office = house.client(Role.COMPLIANCE)
    assert post(office, address).json()["code"] == "reason_missing"
    assert post(office, address, {"reason": "se fue"}).json()["state"] == "revoked"
    assert client.get(VISITS).status_code == 401


def test_a_visit_over_the_api(house: House, floor: Floor) -> None:
    client, session = inside(house), floor.sessions[0]
    visit = post(client, VISITS).json()
    address = f"{VISITS}/{visit['id']}"
    tables = client.get(f"{VISITS}/tables").json()
    assert (tables["days_since"], [t["weight"] for t in tables["tables"]]) == (0, [1092])
    announced = post(client, f"{address}/draws", {"wanted": 1}).json()
    assert (announced["state"], announced["seed"], announced["tables"]) == ("announced", None, [])
    assert InspectionDraw.objects.get().seed not in client.get(address).content.decode()
    drawn = post(client, f"{address}/draws/1/word", {"word": "quirquincho"}).json()
    assert (drawn["tables"], drawn["faults"]) == (["PB-01"], [])
    assert draw.verify_draw(drawn["record"]) == []
    again = post(client, f"{address}/draws", {"wanted": 1})
    assert (again.status_code, again.json()["code"]) == (422, "drawn_today")
    targets = client.get(f"{VISITS}/targets").json()["targets"]
    assert {(t["kind"], t["target"]) for t in targets} >= {
        ("tables.float", session.pk),
        ("tables.pack", session.pk),
    }
    assert "6500" not in client.get(f"{VISITS}/targets").content.decode()
    body = {
        "kind": "tables.float", "target": session.pk,
        "pieces": [{"denomination": "5.00", "count": 100}, {"denomination": "50.00", "count": 120}],
    }  # fmt: skip
    count = post(client, f"{address}/counts", body).json()
    assert (count["total"], count["expected"], count["difference"]) == ("6500.00", "6500.00", "0.00")
    signed = post(
        client,
        f"{address}/counts/1/answer",
        {"agrees": True, "signer": "norte-pit_boss", "signer_password": PASSWORD},
    )
    assert signed.json()["answer"]["signed_by"] == "Persona pit_boss"
    closed = post(client, f"{address}/close", {"remarks": "En orden."}).json()
    assert (closed["state"], len(closed["draws"]), len(closed["counts"])) == ("closed", 1, 1)
    assert (
        client.get(VISITS, {"state": "closed", "since": closed["day"]}).json()["results"][0]["id"]
        == visit["id"]
    )


def test_the_same_count_sent_twice_under_one_key_is_one(house: House, floor: Floor) -> None:
    client = inside(house)
    address = f"{VISITS}/{post(client, VISITS).json()['id']}/counts"
    body = {"kind": "tables.pack", "target": floor.sessions[0].pk, "total": "312"}
    key = {"HTTP_IDEMPOTENCY_KEY": "0f9c2f0e-6c1c-4a5b-9d55-0f2f6b1d9f10"}
    answers = [client.post(address, body, format="json", **key) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].content == answers[1].content
    assert InspectionCount.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"total": "312.5"}, 422),
        ({"total": ""}, 422),
        ({"total": None}, 422),
        ({"total": "1" * 31}, 422),
        ({"kind": "nada"}, 422),
        ({"target": 999_999}, 404),
        ({"target": 0}, 422),
        ({"pieces": [{"denomination": "5.00", "count": 1}]}, 422),
        ({"pieces": "x"}, 422),
        ({"more": 1}, 422),
    ],
)
def test_what_is_no_count_is_refused(house: House, floor: Floor, change: dict[str, Any], status: int) -> None:
    client = inside(house)
    address = f"{VISITS}/{post(client, VISITS).json()['id']}/counts"
    body = {"kind": "tables.pack", "target": floor.sessions[0].pk, "total": "312"}
    answer = post(client, address, body | change)
    assert answer.status_code in {status, 400} and answer.status_code < 500
    assert not InspectionCount.objects.exists()
