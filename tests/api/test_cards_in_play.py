"""The cards of an open table over the API: faults, reviews, the same cards again."""

from __future__ import annotations

from typing import Any

import pytest

from audits.models import Incident
from casino.kernel.permissions import Role
from shoes.models import DiscardReview, Shoe
from tests.api.building import PASSWORD, House
from tests.api.floor import key
from tests.pages.building import Floor, make_floor


@pytest.fixture
def floor(house: House) -> Floor:
    return make_floor(house)


def post(floor: Floor, role: Role, address: str, **body: Any) -> Any:
    return floor.house.client(role).post(f"/api/v1/{address}", body, format="json")


def fault(**changes: Any) -> dict[str, Any]:
    return {"fault": "extra", "cards": ["9♦"], "words": "una séptima vez", **changes}


@pytest.mark.rule("CARD-42", "GEN-08")
def test_a_fault_stops_the_table(floor: Floor) -> None:
    session = floor.open()
    answer = post(floor, Role.SUPERVISOR, f"sessions/{session.pk}/faults", **fault())
    incident = Incident.objects.get()
    assert answer.status_code == 201
    assert answer.json() == {"incident_id": incident.pk, "incident": incident.label, "freezes": True}
    shown = floor.house.client(Role.SUPERVISOR).get(f"/api/v1/sessions/{session.pk}").json()
    assert shown["frozen_by_id"] == incident.pk
    client = floor.house.client(Role.DEVICE)
    given = {"number": 1, "step": 0, "events": [{"e": "card", "to": "punto", "card": "9d"}]}
    logged = client.post(
        f"/api/v1/sessions/{session.pk}/rounds/current/events", given, format="json", **key()
    )
    assert (logged.status_code, logged.json()["code"], logged.json()["rule"]) == (
        409, "table_frozen", "GEN-08",
    )  # fmt: skip
    damaged = post(floor, Role.SUPERVISOR, f"sessions/{session.pk}/faults", **fault(fault="damaged"))
    assert damaged.json() == {"incident_id": None, "incident": "", "freezes": False}


@pytest.mark.parametrize(
    ("changed", "status"),
    [({"fault": "torn"}, 400), ({"cards": ["zz"]}, 422), ({"cards": []}, 422), ({"deck": 999}, 400)],
)
def test_a_fault_that_cannot_be_read_is_refused(floor: Floor, changed: dict[str, Any], status: int) -> None:
    session = floor.open()
    answer = post(floor, Role.SUPERVISOR, f"sessions/{session.pk}/faults", **fault(**changed))
    assert answer.status_code == status and not Incident.objects.exists()


@pytest.mark.rule("CARD-40", "GEN-10")
def test_a_review_is_opened_listed_and_closed(floor: Floor) -> None:
    session = floor.open()
    floor.settled()
    given = {
        "number": 1,
        "asked_by": "asiento 3",
        "why": "discute el pago",
        "authorised_by": floor.house.users[Role.PIT_BOSS].username,
        "authorised_by_password": PASSWORD,
    }
    address = f"sessions/{session.pk}/reviews"
    wrong = post(floor, Role.SUPERVISOR, address, **{**given, "authorised_by_password": "otra"})
    assert wrong.status_code == 401 and not DiscardReview.objects.exists()
    opened = post(floor, Role.SUPERVISOR, address, **given)
    assert opened.status_code == 201
    assert (opened.json()["expected"], opened.json()["closed_at"]) == (4, None)
    pk = opened.json()["id"]
    client = floor.house.client(Role.COMPLIANCE)
    assert [row["id"] for row in client.get("/api/v1/reviews?open=true").json()["results"]] == [pk]
    closing = {"found": "siete, como se pagó", "cards_counted": 4}
    assert post(floor, Role.COMPLIANCE, f"reviews/{pk}/close", **closing).status_code == 403
    closed = post(floor, Role.SUPERVISOR, f"reviews/{pk}/close", **closing)
    assert closed.status_code == 200 and closed.json()["cards_counted"] == 4
    assert client.get("/api/v1/reviews?open=true").json()["results"] == []


@pytest.mark.rule("CARD-39", "CARD-34")
def test_the_same_cards_again(floor: Floor) -> None:
    session = floor.open()
    floor.settled()
    back = post(floor, Role.SUPERVISOR, f"sessions/{session.pk}/discards")
    assert (back.status_code, back.json()["code"], back.json()["rule"]) == (409, "no_machine", "CARD-40")
    none = post(floor, Role.SUPERVISOR, f"sessions/{session.pk}/shuffles", kind="hand")
    assert (none.status_code, none.json()["code"]) == (409, "no_shuffle")
    answer = post(floor, Role.SUPERVISOR, f"sessions/{session.pk}/reshuffle", reason="lo pidió la mesa")
    new = Shoe.objects.get(renews=session.shoe)
    assert answer.status_code == 201
    assert session.shoe is not None
    assert answer.json() == {"shoe_id": new.pk, "shoe": new.label, "renews": session.shoe.label}
