"""People's data over the API: the same acts, refusals and signatures as on the page, and nothing of another
house."""

from __future__ import annotations

from typing import Any

import pytest
from knox.models import AuthToken

from audits.models import Refusal
from casino.kernel import clock
from casino.kernel.permissions import Role
from tests.api.building import Caller
from tests.builders import PASSWORD, House, a_house
from tests.guests.builders import guest
from tests.people_data.builders import LATER, faults, held


def caller(house: House, role: Role) -> Caller:
    return Caller(AuthToken.objects.create(house.users[role])[1])


@pytest.mark.rule("REC-12")
def test_a_period_is_set_and_a_short_one_is_a_problem_on_record(house: House) -> None:
    officer = caller(house, Role.COMPLIANCE)
    short = {"kind": "guest", "years": 3, "reason": "menos papel"}
    said = officer.post("/api/v1/retention-periods", short)
    assert said.status_code == 422
    assert (said.json()["code"], said.json()["rule"]) == ("retention_too_short", "REC-12")
    kept = Refusal.objects.get()  # once, though command and endpoint both saw it
    assert (kept.place, kept.method, kept.code) == ("api:retention-periods", "POST", "retention_too_short")
    made = officer.post("/api/v1/retention-periods", short | {"years": 11})
    assert (made.status_code, made.json()["years"]) == (201, 11)
    (row,) = caller(house, Role.INSPECTOR).get("/api/v1/refusals", {"rule": "REC-12"}).json()["results"]
    assert (row["code"], row["actor"]) == ("retention_too_short", "Persona compliance")


@pytest.mark.rule("REC-12", "GEN-10")
def test_hold_lift_and_order_with_their_second_signature(house: House) -> None:
    ana, officer = guest(house, "Ana Poma"), caller(house, Role.COMPLIANCE)
    given = {"kind": "guest", "subject_id": ana.pk, "document": "Oficio 12/2026", "reason": "proceso"}
    hold = officer.post("/api/v1/legal-holds", given).json()
    assert (hold["kind"], hold["subject_id"], hold["ended"]) == ("guest", ana.pk, None)
    second = {"second": house.users[Role.ADMINISTRATOR].username, "second_password": PASSWORD}
    lift = f"/api/v1/legal-holds/{hold['id']}/lift"
    assert officer.post(lift, {"reason": "terminó", **second, "second_password": "otra"}).status_code == 401
    assert officer.post(lift, {"reason": "terminó", **second}).status_code == 201
    assert officer.get("/api/v1/legal-holds", {"standing": "true"}).json()["count"] == 0
    order: dict[str, Any] = {"kind": "guest", "reason": "venció", **second}
    assert officer.post("/api/v1/erasure-orders", order).json()["code"] == "nothing_over"
    with clock.standing_at(LATER):
        later = caller(house, Role.COMPLIANCE)
        made = later.post("/api/v1/erasure-orders", order)
        assert (made.status_code, made.json()["due"], made.json()["done"]) == (201, 1, 0)
    assert faults(house) == []


def test_nothing_of_another_house(house: House) -> None:
    hold = held(house, "guest", guest(house).pk)
    other = a_house()
    officer = caller(other, Role.COMPLIANCE)
    for name in ("legal-holds", "retention-periods", "erasure-orders", "person-looks", "refusals"):
        assert officer.get(f"/api/v1/{name}").json()["count"] == 0, name
    second = {"second": other.users[Role.ADMINISTRATOR].username, "second_password": PASSWORD}
    lift = officer.post(f"/api/v1/legal-holds/{hold.pk}/lift", {"reason": "terminó", **second})
    assert lift.status_code == 404
