"""The roster over the API: the same writes, the same refusals, once per key."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from knox.models import AuthToken
from rest_framework.test import APIClient

from casino.kernel import clock
from casino.kernel.permissions import Role
from tables.models import Shift, Staff
from tables.roster.proofs import roster_faults
from tests.builders import NIGHT, House
from tests.roster.people import plan


@pytest.fixture
def evening(house: House) -> Any:
    with clock.standing_at(NIGHT + dt.timedelta(minutes=40)):
        yield house


def client(house: House, role: Role) -> APIClient:
    made = APIClient(HTTP_ACCEPT_LANGUAGE="en")
    _kept, token = AuthToken.objects.create(house.users[role])
    made.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return made


def test_a_shift_from_the_plan_to_its_end(evening: House) -> None:
    """Planned 20:00 to 04:00, in at 20:10, out at 04:05: 475 of 480 minutes."""
    boss, ana = client(evening, Role.PIT_BOSS), evening.dealers[0]
    asked = {"staff": ana.pk, "start": "2026-11-20T20:00:00-04:00", "end": "2026-11-21T04:00:00-04:00"}
    key: dict[str, Any] = {"HTTP_IDEMPOTENCY_KEY": "8b0f9a70-1111-4222-8333-444455556666"}
    made = boss.post("/api/v1/shifts", asked, format="json", **key)
    assert made.status_code == 201
    assert boss.post("/api/v1/shifts", asked, format="json", **key).json() == made.json()
    assert (made.json()["day"], made.json()["minutes"]) == ("2026-11-20", 480)
    twice = boss.post("/api/v1/shifts", asked, format="json")
    assert (twice.status_code, twice.json()["code"], twice.json()["rule"]) == (
        409,
        "shift_overlaps",
        "FLOOR-01",
    )
    supervisor = client(evening, Role.SUPERVISOR)
    with clock.standing_at(NIGHT + dt.timedelta(hours=12)):
        for way, at in (("in", "2026-11-20T20:10:00-04:00"), ("out", "2026-11-21T04:05:00-04:00")):
            answer = supervisor.post(
                f"/api/v1/staff/{ana.pk}/clock-{way}", {"occurred_at": at}, format="json"
            )
            assert answer.status_code == 200, answer.content
    told = supervisor.get(f"/api/v1/shifts/{made.json()['id']}").json()
    assert (told["state"], told["worked"], told["late_in"], told["late_out"]) == ("done", 475, 10, 5)
    listed = supervisor.get("/api/v1/shifts?from_day=2026-11-20&to_day=2026-11-20&state=done").json()
    assert [row["id"] for row in listed["results"]] == [told["id"]]
    assert list(roster_faults(evening.casino)) == []


def test_patterns_swaps_changes_and_absences(evening: House) -> None:
    boss, (ana, berta, _) = client(evening, Role.PIT_BOSS), evening.dealers
    pattern = {
        "staff": [ana.pk, berta.pk], "first": "2026-11-21", "last": "2026-11-22", "weekdays": [5, 6],
        "start": "18:00", "end": "02:00",
    }  # fmt: skip
    made = boss.post("/api/v1/shifts/pattern", pattern, format="json")
    assert (made.status_code, len(made.json())) == (201, 4)
    of_ana = [row["id"] for row in made.json() if row["staff_id"] == ana.pk]
    of_berta = [row["id"] for row in made.json() if row["staff_id"] == berta.pk]
    swap = {"first": of_ana[0], "second": of_berta[1], "agreed": [ana.pk, berta.pk]}
    refused = boss.post("/api/v1/shifts/swap", swap, format="json")
    assert refused.json()["code"] == "shift_overlaps"  # each has the other's hours already
    cancelled = boss.post(f"/api/v1/shifts/{of_ana[1]}/cancel", {"reason": "permiso"}, format="json")
    assert cancelled.json()["state"] == "cancelled"
    changed = boss.post(
        f"/api/v1/shifts/{of_ana[0]}/change",
        {"start": "2026-11-20T18:00:00-04:00", "end": "2026-11-20T23:00:00-04:00", "reason": "refuerzo"},
        format="json",
    )
    assert (changed.json()["day"], changed.json()["minutes"]) == ("2026-11-20", 300)
    absent = boss.post(f"/api/v1/shifts/{of_ana[0]}/absent", {"reason": "no llegó"}, format="json")
    assert (absent.json()["state"], absent.json()["note"]) == ("absent", "no llegó")
    late = boss.post(f"/api/v1/shifts/{of_ana[0]}/correct", {"came": "x", "left": "y"}, format="json")
    assert (late.status_code, late.json()["code"]) == (400, "invalid")
    wrong = boss.post("/api/v1/shifts/pattern", pattern | {"weekdays": [7]}, format="json")
    assert wrong.status_code == 400


def test_certificates_and_departments(evening: House) -> None:
    admin, ana = client(evening, Role.ADMINISTRATOR), evening.dealers[0]
    paper = {
        "game": "blackjack.classic", "since": "2026-11-01", "until": "2026-12-01", "certified_by": "Escuela",
        "document": "A-1",
    }  # fmt: skip
    made = admin.post(f"/api/v1/staff/{ana.pk}/certificates", paper, format="json")
    assert made.status_code == 201, made.content
    assert [
        row["document"] for row in admin.get(f"/api/v1/staff/{ana.pk}/certificates").json()["results"]
    ] == ["A-1"]
    told = admin.get("/api/v1/staff/expiring").json()["results"]
    assert [(row["staff_id"], row["game"], row["days"], row["level"]) for row in told] == [
        (ana.pk, "blackjack.classic", 11, 15)
    ]
    office = {
        "number": "C-9", "name": "Caja", "licence": "K-9", "licence_expires": "2027-01-01", "games": [],
        "department": "cage", "reason": "ingreso",
    }  # fmt: skip
    assert admin.post("/api/v1/staff", office, format="json").json()["department"] == "cage"
    assert len(admin.get("/api/v1/staff?department=cage").json()["results"]) == 1


@pytest.mark.rule("FLOOR-03")
def test_how_everybody_stands_and_ones_own_post(evening: House) -> None:
    ana = evening.dealers[0]
    mine = client(evening, Role.CROUPIER)
    assert mine.get("/api/v1/me/post").json()["code"] == "no_staff"
    Staff.objects.filter(pk=ana.pk).update(user=evening.users[Role.CROUPIER])
    plan(evening, ana, "20 18:00", "21 02:00")
    session = evening.open_table()
    found = {
        row["staff_id"]: row
        for row in client(evening, Role.PIT_BOSS).get("/api/v1/roster/standing").json()["results"]
    }
    assert (found[ana.pk]["table"], found[ana.pk]["in_a_row"], found[ana.pk]["left"]) == (
        session.table.name,
        40,
        20,
    )
    own = mine.get("/api/v1/me/post").json()
    assert (own["standing"]["left"], own["next"], own["shift"]["state"]) == (20, None, "planned")
    assert mine.get("/api/v1/shifts").status_code == 403
    assert (
        mine.post(f"/api/v1/staff/{ana.pk}/clock-in", {}, format="json")
        .json()["came"]
        .startswith("2026-11-20")
    )
    other = mine.post(f"/api/v1/staff/{evening.dealers[1].pk}/clock-in", {}, format="json")
    assert (other.status_code, other.json()["code"]) == (403, "not_own")
    assert Shift.objects.get().came == clock.now()
