"""The cage over the API: who may, what comes back, what is refused and how."""

from __future__ import annotations

import datetime as dt
import itertools
from typing import Any

import pytest
from knox.models import AuthToken
from rest_framework.test import APIClient

from casino.kernel.permissions import Role
from tables.models import CageOperation, Orphan
from tables.money import orphans
from tests.builders import BOB, NIGHT, PASSWORD, House
from tests.money.cage_building import Cage

_keys = itertools.count(1)
HUNDRED = [{"denomination": "100.00", "count": 1}]


def client(house: House, role: Role) -> APIClient:
    found = APIClient(HTTP_ACCEPT_LANGUAGE="en")
    _kept, token = AuthToken.objects.create(house.users[role])
    found.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return found


def post(asking: APIClient, path: str, body: dict[str, Any], key: str = "") -> Any:
    headers = {"Idempotency-Key": key or f"00000000-0000-4000-8000-{next(_keys):012d}"}
    return asking.post(f"/api/v1/{path}", body, format="json", headers=headers)


@pytest.mark.rule("REC-03")
def test_a_sale_and_its_receipt(till: Cage) -> None:
    cashier = client(till.house, Role.CAGE)
    body = {"price": "100.00", "chips": HUNDRED, "tendered": "150.00"}
    key = "11111111-0000-4000-8000-000000000001"
    answer = post(cashier, f"desks/{till.desk.pk}/sales", body, key)
    assert answer.status_code == 201
    said = answer.json()
    assert (said["label"], said["tax"], said["due"], said["change"]) == (
        "V-2026-000001", "13.05", "113.05", "36.95",
    )  # fmt: skip
    # The same key again is the same receipt, not another one.
    assert post(cashier, f"desks/{till.desk.pk}/sales", body, key).json() == said
    assert CageOperation.objects.count() == 1
    holds = client(till.house, Role.SUPERVISOR).get(f"/api/v1/desks/{till.desk.pk}/holding").json()
    assert (holds["cash"], holds["withheld"], holds["chips"]) == ("10100.00", "13.05", "15200.00")
    listed = cashier.get("/api/v1/receipts?kind=sale").json()["results"]
    assert [row["label"] for row in listed] == ["V-2026-000001"]


def test_a_sum_that_differs_is_a_problem_with_its_rule(till: Cage) -> None:
    answer = post(
        client(till.house, Role.CAGE),
        f"desks/{till.desk.pk}/sales",
        {"price": "150.00", "chips": HUNDRED},
    )
    assert answer.status_code == 422
    assert (answer.json()["code"], answer.json()["rule"]) == ("sum_differs", "FLOOR-06")


@pytest.mark.rule("GEN-10")
def test_a_void_takes_another_persons_password(till: Cage) -> None:
    sold = till.sell(100 * BOB, {100 * BOB: 1})
    cashier = client(till.house, Role.CAGE)
    path = f"receipts/{sold.pk}/void"
    own = {"reason": "error", "second": till.house.users[Role.CAGE].username, "second_password": PASSWORD}
    assert post(cashier, path, own).json()["code"] == "same_person"
    wrong = own | {"second": till.second.username, "second_password": "otra"}
    assert post(cashier, path, wrong).status_code == 401
    made = post(cashier, path, wrong | {"second_password": PASSWORD})
    assert (made.status_code, made.json()["reverses"]) == (201, sold.label)


def test_a_transfer_between_two_people(till: Cage) -> None:
    cashier, boss = client(till.house, Role.CAGE), client(till.house, Role.PIT_BOSS)
    body = {
        "desk": till.desk.pk,
        "direction": "to_vault",
        "cash": [{"denomination": "200.00", "count": 10}],
    }
    asked = post(cashier, "transfers", body).json()
    assert (asked["label"], asked["state"], asked["cash_total"]) == ("T-2026-000002", "requested", "2000.00")
    assert post(cashier, f"transfers/{asked['id']}/accept", {}).json()["code"] == "same_person"
    assert post(boss, f"transfers/{asked['id']}/accept", {}).json()["state"] == "accepted"


@pytest.mark.rule("REC-02")
def test_the_taxes_of_a_span(till: Cage) -> None:
    till.sell(1_000 * BOB, {1_000 * BOB: 1})
    asking = client(till.house, Role.INSPECTOR)
    said = asking.get("/api/v1/taxes?first=2026-11-01&last=2026-11-30").json()
    assert said["inputs"]["withheld"] == "130.50"
    assert said["ij"]["gross_less_vat"] == {"base": "870.00", "tax": "261.00"}
    assert (said["final"], said["chosen"], said["ij_due"]["tax"]) == (False, "", "261.00")
    bad = asking.get("/api/v1/taxes?first=2026-11-30&last=2026-11-01")
    assert (bad.status_code, bad.json()["code"]) == (422, "bad_params")


@pytest.mark.rule("FLOOR-16")
def test_an_orphans_document_is_never_shown_whole(stand: House) -> None:
    kept = orphans.enter_orphan(
        kind=Orphan.Kind.CHIPS.value,
        chips_found={100 * BOB: 1},
        found_by=stand.dealers[0],
        witness=stand.supervisors[0],
        place="pasillo",
        by=stand.by(Role.SUPERVISOR, NIGHT),
    )
    body = {
        "claimant": "Ana Rojas",
        "document": "4815162342",
        "second": stand.users[Role.PIT_BOSS].username,
        "second_password": PASSWORD,
        "occurred_at": (NIGHT + dt.timedelta(minutes=5)).isoformat(),
    }
    answer = post(client(stand, Role.CAGE), f"orphans/{kept.pk}/return", body)
    assert answer.status_code == 200
    assert answer.json()["document"] == "•••••••342"
    listed = client(stand, Role.INSPECTOR).get("/api/v1/orphans").content.decode()
    assert "4815162342" not in listed


def test_funds_and_the_stop(till: Cage) -> None:
    boss = client(till.house, Role.PIT_BOSS)
    state = boss.get("/api/v1/funds").json()
    assert state == {"kept": True, "available": "50000.00", "min_funds": "0.00", "enough": True}
    till.house.open_table()
    told = post(boss, "funds/stop", {"reason": "no hay efectivo"})
    assert (told.status_code, told.json()["kind"]) == (201, "money.no_funds")
    assert told.json()["freezes"] is False
