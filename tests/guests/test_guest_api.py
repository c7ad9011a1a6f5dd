"""Players, seats, lists and matches over the API: who sees what, who is turned away, two signatures."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from knox.models import AuthToken
from rest_framework.test import APIClient

from casino.kernel.permissions import Role
from tables.guests.proofs import guest_faults
from tables.models import ExclusionMatch, SeatTaking, TableSession
from tests.builders import PASSWORD, House
from tests.guests.builders import BORN


def client(house: House, role: Role) -> APIClient:
    made = APIClient(HTTP_ACCEPT_LANGUAGE="en")
    _kept, token = AuthToken.objects.create(house.users[role])
    made.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return made


def post(client: APIClient, address: str, **body: Any) -> Any:
    return client.post(f"/api/v1/{address}", body)


def key() -> dict[str, str]:
    return {"HTTP_IDEMPOTENCY_KEY": str(uuid.uuid4())}


def made(answer: Any, status: int = 201) -> Any:
    assert answer.status_code == status, answer.content
    return answer.json()


@pytest.fixture
def session(house: House) -> TableSession:
    from casino.kernel import clock

    return house.open_table(at=clock.now())


def registered(house: House, number: str = "7654321 LP") -> dict[str, Any]:
    body = {
        "document_type": "ci", "number": number, "name": "Juan Mamani Quispe", "birth_date": BORN.isoformat(),
    }  # fmt: skip
    found: dict[str, Any] = made(client(house, Role.CAGE).post("/api/v1/guests", body))
    return found


def excluded(house: House, **about: Any) -> dict[str, Any]:
    body = {"kind": "self", "source": "Carta", "since": "2026-01-01", **about}
    found: dict[str, Any] = made(client(house, Role.COMPLIANCE).post("/api/v1/exclusions", body))
    return found


def test_a_document_is_whole_for_compliance_and_masked_for_others(house: House) -> None:
    guest = registered(house)
    assert guest["number"] == "•••321"
    for role, shown in (
        (Role.COMPLIANCE, "7654321"),
        (Role.INSPECTOR, "7654321"),
        (Role.SUPERVISOR, "•••321"),
    ):
        (row,) = made(post(client(house, role), "guests/find", number="7.654.321-SC"), 200)
        assert (row["id"], row["number"]) == (guest["id"], shown)
    assert client(house, Role.CROUPIER).get("/api/v1/guests").status_code == 403
    chief = client(house, Role.SUPERVISOR)
    assert made(post(chief, "guests/find", number="7654322"), 200) == []
    assert [row["id"] for row in made(post(chief, "guests/find", name="mamani juan"), 200)] == [guest["id"]]
    assert post(client(house, Role.CROUPIER), "guests/find", number="7654321").status_code == 403


def test_a_document_in_an_address_is_refused_as_it_would_stay_in_logs(house: House) -> None:
    registered(house)
    answer = client(house, Role.COMPLIANCE).get("/api/v1/guests?number=7654321")
    assert (answer.status_code, answer.json()["code"]) == (422, "number_in_address")


@pytest.mark.rule("GEN-11")
@pytest.mark.parametrize("keyed", [True, False])
def test_who_is_turned_away_goes_on_record_with_an_idempotency_key_or_without(
    house: House, session: TableSession, keyed: bool
) -> None:
    guest, entry = registered(house), excluded(house, number="7654321")
    supervisor, sent = client(house, Role.SUPERVISOR), key() if keyed else {}
    for path, body in (
        (f"sessions/{session.pk}/seats", {"seat": 1, "guest": guest["id"]}),
        ("waiting", {"table": session.table_id, "guest": guest["id"]}),
    ):
        refused = supervisor.post(f"/api/v1/{path}", body, **(key() if keyed else sent))
        assert refused.status_code == 422
        told = refused.json()
        assert (told["code"], told["rule"], told["field"]) == ("guest_excluded", "GEN-11", "guest")
        assert entry["label"] in told["detail"]
    assert list(ExclusionMatch.objects.order_by("pk").values_list("where", flat=True)) == ["seat", "waiting"]
    assert not SeatTaking.objects.exists()
    assert not list(guest_faults(house.casino))


@pytest.mark.rule("GEN-10")
def test_a_likely_match_is_decided_with_a_second_password(house: House, session: TableSession) -> None:
    guest = registered(house)
    excluded(house, name="Mamani Quispe Juan", birth_date=BORN.isoformat())
    supervisor = client(house, Role.SUPERVISOR)
    seating = {"seat": 1, "guest": guest["id"]}
    assert (
        supervisor.post(f"/api/v1/sessions/{session.pk}/seats", seating).json()["code"] == "guest_match_open"
    )
    (match,) = made(supervisor.get("/api/v1/matches?state=open"), 200)["results"]
    body = {
        "outcome": "cleared", "evidence": "cédula vista", "reason": "otro documento",
        "second": house.users[Role.PIT_BOSS].username, "second_password": "no es esta",
    }  # fmt: skip
    wrong = supervisor.post(f"/api/v1/matches/{match['id']}/decide", body)
    assert (wrong.status_code, wrong.json()["field"]) == (401, "second")
    done = made(
        supervisor.post(f"/api/v1/matches/{match['id']}/decide", body | {"second_password": PASSWORD}), 200
    )
    assert (done["state"], done["decided_with"]) == ("cleared", "Persona pit_boss")
    assert made(supervisor.post(f"/api/v1/sessions/{session.pk}/seats", seating))["alias"] == "J.M.Q."


def test_an_evening_of_seats(house: House, session: TableSession) -> None:
    supervisor, croupier = client(house, Role.SUPERVISOR), client(house, Role.DEVICE)
    path = f"/api/v1/sessions/{session.pk}"
    ana = made(supervisor.post(f"{path}/seats", {"seat": 1, "alias": "Ana"}, **key()))
    made(supervisor.post("/api/v1/waiting", {"game": "baccarat.mini", "alias": "Beto"}))
    (entry,) = made(supervisor.get("/api/v1/waiting?live=true"), 200)["results"]
    made(supervisor.post(f"/api/v1/waiting/{entry['id']}/call", {}), 200)
    beto = made(supervisor.post(f"/api/v1/waiting/{entry['id']}/seat", {"session": session.pk, "seat": 2}))
    assert (beto["alias"], beto["seat"]) == ("Beto", 2)
    away = made(supervisor.post(f"/api/v1/seats/{beto['id']}/away", {"keeps_chips": False}), 200)
    assert away["away_since"]
    assert made(supervisor.post(f"/api/v1/seats/{beto['id']}/back", {}), 200)["away_since"] is None
    asked = {"table": session.table_id, "seat": 5}
    request = made(supervisor.post(f"/api/v1/seats/{ana['id']}/change-requests", asked))
    moved = made(supervisor.post(f"/api/v1/seats/{ana['id']}/move", {"seat": 5}))
    assert (moved["seat"], moved["moved_from_id"]) == (5, ana["id"])
    (told,) = made(croupier.get("/api/v1/change-requests"), 200)["results"]
    assert (told["id"], told["state"]) == (request["id"], "honoured")
    made(supervisor.post(f"/api/v1/seats/{beto['id']}/away", {}), 200)
    lost = supervisor.post(f"/api/v1/seats/{beto['id']}/lose", {"reason": "no volvió"})
    assert made(lost, 200)["until"]
    standings = made(croupier.get(f"{path}/seniority"), 200)["standings"]
    assert [(one["seat"], one["player"], one["keeps_priority"]) for one in standings] == [(5, "Ana", True)]
    rows = made(croupier.get(f"{path}/seats?now=true"), 200)["results"]
    assert [row["seat"] for row in rows] == [5]
    made(supervisor.post(f"/api/v1/seats/{moved['id']}/leave", {}), 200)
    assert made(croupier.get(f"{path}/seats"), 200)["count"] == 3
    assert not list(guest_faults(house.casino))


def test_ends_withdrawals_and_admission(house: House, session: TableSession) -> None:
    compliance, supervisor = client(house, Role.COMPLIANCE), client(house, Role.SUPERVISOR)
    entry = excluded(house, number="5000100", until="2027-01-01")
    signed = {
        "reason": "plazo", "second": house.users[Role.PIT_BOSS].username, "second_password": PASSWORD,
    }  # fmt: skip
    assert supervisor.post(f"/api/v1/exclusions/{entry['id']}/end", signed).status_code == 403
    end = made(compliance.post(f"/api/v1/exclusions/{entry['id']}/end", signed))
    assert (end["second"], end["reason"]) == ("Persona pit_boss", "plazo")
    assert (
        made(compliance.get(f"/api/v1/exclusions/{entry['id']}"), 200)["ended"]["by"] == "Persona compliance"
    )
    made(compliance.post("/api/v1/admission", {"identify": True, "reason": "instructivo"}), 200)
    assert made(supervisor.get("/api/v1/admission"), 200) == {"identify": True}
    path = f"/api/v1/sessions/{session.pk}/seats"
    assert supervisor.post(path, {"seat": 1}).json()["code"] == "guest_missing"
    taking = made(supervisor.post(path, {"seat": 1, "guest": registered(house)["id"]}))
    asked = {"table": session.table_id}
    request = made(supervisor.post(f"/api/v1/seats/{taking['id']}/change-requests", asked))
    withdrawn = supervisor.post(f"/api/v1/change-requests/{request['id']}/withdraw", {})
    assert made(withdrawn, 200)["state"] == "withdrawn"
    change = {
        "document_type": "ci",
        "number": "7654322",
        "name": "Juan Mamani",
        "birth_date": BORN.isoformat(),
    }
    changed = supervisor.post(
        f"/api/v1/guests/{taking['guest_id']}/change", change | {"reason": "mal escrito"}
    )
    assert made(changed, 200)["number"] == "•••322"
    wait = made(supervisor.post("/api/v1/waiting", {"game": "poker.texas", "guest": taking["guest_id"]}))
    struck = supervisor.post(f"/api/v1/waiting/{wait['id']}/strike", {"outcome": "left"})
    assert made(struck, 200)["state"] == "left"
    assert not list(guest_faults(house.casino))
