"""The cards over the API, each role with its own token: from the receipt to the act that destroys a deck."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from audits.models import Event
from audits.verify import ledger_faults, trail_faults
from casino.kernel.permissions import Role
from casino.models import IdempotencyRecord
from shoes.models import Deck, DeckMove, DestructionAct, ShoeAlert
from shoes.moving import DESK
from tests.api.building import PASSWORD, House, make_house
from tests.api.floor import STEPS, Floor, key

HOUR = dt.timedelta(hours=1)
NOON = (dt.datetime.now(dt.UTC) - dt.timedelta(days=2)).replace(hour=12, minute=0, second=0, microsecond=0)
"""When the stories here begin: noon of the day before yesterday."""


def at(hours: int) -> str:
    return (NOON + hours * HOUR).isoformat()


@pytest.fixture
def floor(house: House) -> Floor:
    return Floor(house)


def user(floor: Floor, role: Role) -> str:
    return floor.house.users[role].username


def actor(floor: Floor, role: Role) -> int:
    return floor.house.users[role].actor.pk


def refused(client: APIClient, path: str, body: dict[str, Any]) -> tuple[int, str, str, str]:
    """Status, code, rule and field of a write that must be refused."""
    response = client.post(f"/api/v1/{path}", body)
    assert response.status_code >= 400, response.content
    told = response.json()
    return response.status_code, told["code"], told["rule"], told["field"]


def listed(client: APIClient, path: str, **query: Any) -> list[dict[str, Any]]:
    response = client.get(f"/api/v1/{path}", query)
    assert response.status_code == 200, response.content
    return list(response.json()["results"])


def serials(rows: list[dict[str, Any]], name: str = "serial") -> list[str]:
    return [row[name] for row in rows]


# ---- received, issued, inspected --------------------------------------------------------------------


@pytest.mark.rule("CARD-01")
@pytest.mark.rule("CARD-02")
def test_a_receipt_is_signed_by_two_departments_with_their_own_passwords(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    body = floor.receipt(["N1", "N2"], seals=["P1", "P2"], declared=2)
    wrong = refused(boss, "decks", body | {"received_with_password": "otra clave"})
    assert wrong == (401, "bad_credentials", "", "received_with")
    same = refused(boss, "decks", body | {"received_with": user(floor, Role.SUPERVISOR)})
    assert same == (422, "same_department", "CARD-02", "received_with")
    mine = refused(boss, "decks", body | {"received_with": user(floor, Role.PIT_BOSS)})
    assert mine == (422, "same_person", "GEN-10", "received_with")
    stranger = make_house("sur").users[Role.COMPLIANCE].username
    assert refused(boss, "decks", body | {"received_with": stranger})[:2] == (401, "bad_credentials")
    assert not Deck.objects.exists()

    made = floor.made(boss, "decks", body)
    assert [(deck["serial"], deck["seal"], deck["state"]) for deck in made] == [
        ("N1", "P1", "store"),
        ("N2", "P2", "store"),
    ]
    again = refused(boss, "decks", body | {"seals": ["P3", "P4"]})
    assert again == (422, "serial_taken", "CARD-01", "serials")
    (move,) = listed(boss, "deck-moves", serial="N1")
    assert (move["kind"], move["by"], move["second"]) == (
        "received",
        "Persona pit_boss",
        "Persona compliance",
    )


def test_a_second_password_is_guessed_five_times_and_no_more(floor: Floor) -> None:
    boss, body = floor.clients[Role.PIT_BOSS], floor.receipt(["N1"], received_with_password="adivinada")
    codes = [boss.post("/api/v1/decks", body).status_code for _ in range(6)]
    assert codes == [401] * 5 + [429]


def test_no_password_is_kept_anywhere(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    body, header = floor.receipt(["N1"]), key()
    first = floor.made(boss, "decks", body, **header)
    second = boss.post("/api/v1/decks", body, **header)
    assert second["Idempotent-Replay"] == "true"
    assert second.json() == first
    assert Deck.objects.count() == 1
    kept = [bytes(record.response or b"") for record in IdempotencyRecord.objects.all()]
    told = [bytes(event.body) for event in Event.objects.all()]
    assert not [body for body in (*kept, *told) if PASSWORD.encode() in body]


@pytest.mark.rule("CARD-03")
def test_a_deck_is_issued_by_the_seal_read_on_its_box(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    floor.made(boss, "decks", floor.receipt(["N1", "N2"], seals=["P1", "P2"]))
    body: dict[str, Any] = {"place": "PB-01", "received_by": actor(floor, Role.CROUPIER)}
    sealed = [{"serial": "N1", "seal": "P1"}, {"serial": "N2", "seal": "P9"}]
    told = refused(boss, "decks/issue", body | {"decks": sealed})
    assert told == (422, "seal_mismatch", "CARD-03", "seals")
    assert serials(listed(boss, "decks", state="store")) == ["N1", "N2"]
    sealed[1]["seal"] = "P2"
    nowhere = refused(boss, "decks/issue", body | {"decks": sealed, "place": "PB-77"})
    assert nowhere[:3] == (422, "unknown_place", "CARD-03")
    twice = refused(boss, "decks/issue", body | {"decks": [sealed[0], sealed[0]]})
    assert twice[0] == 400
    issued = floor.made(boss, "decks/issue", body | {"decks": sealed})
    assert [(deck["state"], deck["place"]) for deck in issued] == [("issued", "PB-01")] * 2
    assert refused(boss, "decks/issue", body | {"decks": sealed})[:2] == (409, "deck_issued")

    back = floor.made(boss, "decks/give-back", {"serials": ["N2"]})
    assert [(deck["state"], deck["place"], deck["seal"]) for deck in back] == [("store", "", "P2")]
    assert serials(listed(boss, "decks", place="PB-01")) == ["N1"]


@pytest.mark.rule("CARD-14")
def test_lists_are_narrowed(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    floor.made(boss, "decks", floor.receipt(["R1", "R2"], batch="L-1"))
    floor.made(boss, "decks", floor.receipt(["A1"], batch="L-2", back_colour="azul", maker="Otro"))
    floor.made(boss, "decks", floor.receipt(["E1"], batch="L-3", deck_type="spanish40"))
    floor.issue(["R1", "R2"])
    ids = {deck["serial"]: deck["id"] for deck in listed(boss, "decks")}
    floor.made(boss, f"decks/{ids['R1']}/inspections", floor.found())
    floor.made(boss, f"decks/{ids['R2']}/inspections", floor.found(counted=51, missing=["7c"]))
    incident = listed(boss, "incidents")[0]["id"]
    for query, expected in {
        ("state", "passed"): ["R1"], ("state", "withdrawn"): ["R2"], ("state", "store"): ["A1", "E1"],
        ("back_colour", "azul"): ["A1"], ("batch", "L-1"): ["R1", "R2"], ("maker", "Otro"): ["A1"],
        ("deck_type", "spanish40"): ["E1"], ("serial", "R2"): ["R2"], ("place", DESK): ["R1"],
        ("incident", incident): ["R2"],
    }.items():  # fmt: skip
        assert serials(listed(boss, "decks", **dict([query]))) == expected, query
    for query, expected in {
        ("passed", "true"): ["R1"], ("passed", "false"): ["R2"], ("serial", "R2"): ["R2"],
        ("batch", "L-1"): ["R2", "R1"], ("batch", "L-2"): [], ("moment", "closing"): [],
        ("witness", actor(floor, Role.CROUPIER)): ["R2", "R1"], ("deck", ids["R1"]): ["R1"],
        ("inspector", actor(floor, Role.CROUPIER)): [],
    }.items():  # fmt: skip
        assert serials(listed(boss, "inspections", **dict([query])), "deck") == expected, query
    # 4 received, 2 issued, 1 passed, 1 withdrawn; newest first.
    kinds = [move["kind"] for move in listed(boss, "deck-moves")]
    assert kinds == ["withdrawn", "passed", *["issued"] * 2, *["received"] * 4]
    for query, expected in {
        ("kind", "issued"): ["R2", "R1"], ("state", "withdrawn"): ["R2"], ("place", DESK): ["R1", "R2", "R1"],
        ("batch", "L-3"): ["E1"], ("deck", ids["R1"]): ["R1", "R1", "R1"],
    }.items():  # fmt: skip
        assert serials(listed(boss, "deck-moves", **dict([query])), "deck") == expected, query


@pytest.mark.rule("CARD-15")
def test_a_deck_of_51_is_withdrawn_with_an_incident_and_never_passes(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    floor.made(boss, "decks", floor.receipt(["N1"]))
    (deck,) = floor.issue(["N1"])
    path = f"decks/{deck['id']}/inspections"
    assert refused(boss, path, floor.found(counted=51))[:2] == (422, "count_inconsistent")
    alone = refused(boss, path, floor.found(witness=actor(floor, Role.PIT_BOSS)))
    assert alone == (422, "same_person", "GEN-10", "witness")
    made = floor.made(boss, path, floor.found(counted=51, missing=["7c"]))
    assert (made["passed"], made["missing"], made["moment"]) == (False, ["7c"], "opening")
    found = boss.get(f"/api/v1/decks/{deck['id']}").json()
    (incident,) = listed(boss, "incidents", kind="cards.fault")
    assert (found["state"], found["incident"]) == ("withdrawn", incident["label"])
    assert [move["kind"] for move in found["moves"]] == ["received", "issued", "withdrawn"]
    assert refused(boss, path, floor.found())[:2] == (409, "deck_withdrawn")


# ---- where, when ------------------------------------------------------------------------------------


@pytest.mark.rule("CARD-04")
def test_which_deck_was_where_when(floor: Floor) -> None:
    """N1: store from hour 0, desk from 1, table from 3 (issued again with a new seal). N2: table from 2."""
    boss = floor.clients[Role.PIT_BOSS]
    floor.made(boss, "decks", floor.receipt(["N1", "N2"], occurred_at=at(0)))
    handed = {"received_by": actor(floor, Role.CROUPIER)}

    def issue(serial: str, seal: str, place: str, hours: int) -> None:
        body = {"decks": [{"serial": serial, "seal": seal}], "place": place, "occurred_at": at(hours)}
        floor.made(boss, "decks/issue", body | handed)

    issue("N1", "N1", DESK, 1)
    issue("N2", "N2", "PB-01", 2)
    floor.made(boss, "decks/give-back", {"serials": ["N1"], "occurred_at": at(3)})
    issue("N1", "N1", "PB-01", 3)
    expected: dict[int, dict[str, str]] = {
        -1: {},
        0: {"N1": "", "N2": ""},
        1: {"N1": DESK, "N2": ""},
        2: {"N1": DESK, "N2": "PB-01"},
        3: {"N1": "PB-01", "N2": "PB-01"},
        30: {"N1": "PB-01", "N2": "PB-01"},
    }
    for hours, places in expected.items():
        rows = listed(boss, "whereabouts", at=at(hours))
        assert {row["deck"]: row["place"] for row in rows} == places, hours
        there = serials(listed(boss, "whereabouts", at=at(hours), place="PB-01"), "deck")
        assert there == [serial for serial, place in places.items() if place == "PB-01"], hours
    (row,) = listed(boss, "whereabouts", at=at(2), serial="N1")
    assert (row["state"], row["since"], row["move"]["kind"]) == (
        "issued",
        at(1).replace("+00:00", "Z"),
        "issued",
    )
    assert listed(boss, "whereabouts") == listed(boss, "whereabouts", at=at(30))
    naive = boss.get("/api/v1/whereabouts", {"at": "2026-11-29T22:00:00"})
    assert (naive.status_code, naive.json()["errors"][0]["code"]) == (400, "zone_missing")


# ---- the store --------------------------------------------------------------------------------------


@pytest.mark.rule("CARD-02")
def test_the_store_is_counted_before_two_departments_and_a_difference_is_an_incident(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    floor.made(boss, "decks", floor.receipt(["R1", "R2", "R3"]))
    floor.made(boss, "decks", floor.receipt(["A1", "A2"], batch="L-2", back_colour="azul"))
    floor.issue(["R1"])
    lines = [
        {"deck_type": "french52", "back_colour": "azul", "counted": 2},
        {"deck_type": "french52", "back_colour": "rojo", "counted": 2},
    ]
    body = {"lines": lines, "second": actor(floor, Role.CAGE)}
    floor_only = refused(boss, "stock/counts", body | {"second": actor(floor, Role.SUPERVISOR)})
    assert floor_only[:3] == (422, "same_department", "CARD-02")
    half = refused(boss, "stock/counts", body | {"lines": lines[:1]})
    assert half == (422, "kind_not_counted", "CARD-02", "lines")
    good = floor.made(boss, "stock/counts", body)
    # Three red received, one at the desk: two; two blue.
    assert [line["expected"] for line in good["lines"]] == [2, 2]
    assert (good["differs"], good["incident"]) == (False, "")
    lines[0]["counted"] = 1
    short = floor.made(boss, "stock/counts", body)
    assert short["differs"]
    assert listed(boss, "incidents", kind="cards.stock")[0]["label"] == short["incident"]
    assert [count["id"] for count in listed(boss, "stock/counts", differs="false")] == [good["id"]]


def test_stock_and_the_least_there_should_be(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    floor.made(boss, "decks", floor.receipt(["R1", "R2", "R3"]))
    floor.issue(["R1"])
    level = {"deck_type": "french52", "back_colour": "rojo", "least": 3}
    assert refused(boss, "stock/levels", level)[1] == "reason_missing"
    floor.made(boss, "stock/levels", level | {"reason": "temporada"})
    (line,) = listed(boss, "stock")
    assert line == {
        "deck_type": "french52", "back_colour": "rojo", "sealed": 2, "usable": 2,
        "by_state": {"store": 2, "issued": 1}, "least": 3, "low": True,
    }  # fmt: skip
    floor.made(boss, "stock/levels", level | {"least": 2, "reason": "temporada"})
    assert not listed(boss, "stock")[0]["low"]
    assert [row["least"] for row in listed(boss, "stock/levels")] == [2]


@pytest.mark.rule("CARD-46")
def test_devices(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    made = floor.made(boss, "devices", {"number": "SB-1", "kind": "shoe", "reason": "inventario"})
    floor.made(boss, "devices", {"number": "BM-1", "kind": "shuffler", "reason": "inventario"})
    again = refused(boss, "devices", {"number": "SB-1", "kind": "shoe", "reason": "inventario"})
    assert again == (409, "device_exists", "CARD-46", "number")
    unknown = refused(boss, "shoes", {"game": "baccarat.mini", "device": "SB-9"})
    assert unknown[:3] == (422, "unknown_device", "CARD-46")
    out = {"number": "SB-1", "kind": "shoe", "active": False, "reason": "a reparar"}
    floor.made(boss, f"devices/{made['id']}/change", out)
    assert [device["number"] for device in listed(boss, "devices", active="true")] == ["BM-1"]
    assert [device["number"] for device in listed(boss, "devices", kind="shoe")] == ["SB-1"]
    assert refused(boss, "shoes", {"game": "baccarat.mini", "device": "SB-1"})[1] == "unknown_device"


@pytest.mark.rule("CARD-03")
def test_an_opened_box_is_sealed_again_before_it_is_issued_again(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    floor.passed_decks(["N1"])
    floor.made(boss, "decks/give-back", {"serials": ["N1"]})
    handed = {"place": DESK, "received_by": actor(floor, Role.CROUPIER)}
    open_box = refused(boss, "decks/issue", handed | {"decks": [{"serial": "N1", "seal": "N1"}]})
    assert open_box == (422, "seal_broken", "CARD-03", "seals")
    new = {"decks": [{"serial": "N1", "seal": "P-77"}], "second": actor(floor, Role.SUPERVISOR)}
    old = refused(boss, "decks/reseal", new | {"decks": [{"serial": "N1", "seal": "N1"}]})
    assert old == (422, "seal_taken", "CARD-03", "seals")
    sealed = floor.made(boss, "decks/reseal", new)
    assert [(deck["state"], deck["seal"]) for deck in sealed] == [("store", "P-77")]
    floor.made(boss, "decks/issue", handed | {"decks": [{"serial": "N1", "seal": "P-77"}]})


# ---- investigation and destruction ------------------------------------------------------------------


def settled(floor: Floor, incident: int) -> None:
    body = {
        "resolution": "la carta se perdió en la sala", "rule_applied": "CARD-12",
        "second": user(floor, Role.PIT_BOSS), "second_password": PASSWORD,
    }  # fmt: skip
    floor.made(floor.clients[Role.COMPLIANCE], f"incidents/{incident}/resolve", body)


def act_of(floor: Floor, *destroyed: str, **more: Any) -> dict[str, Any]:
    return {
        "serials": list(destroyed), "method": "trituradas", "site": "depósito",
        "first_witness": user(floor, Role.COMPLIANCE), "first_witness_password": PASSWORD,
        "second_witness": user(floor, Role.CAGE), "second_witness_password": PASSWORD, **more,
    }  # fmt: skip


@pytest.mark.rule("CARD-45")
def test_a_deck_under_investigation_is_kept_until_it_is_over_and_then_destroyed(floor: Floor) -> None:
    boss, office = floor.clients[Role.PIT_BOSS], floor.clients[Role.COMPLIANCE]
    floor.made(boss, "decks", floor.receipt(["N1", "N2"]))
    dispute = {"kind": "floor.dispute", "summary": "una carta doblada"}
    incident = floor.made(boss, "incidents", dispute)["id"]
    named = {"serials": ["N1"], "incident": incident}
    held = floor.made(office, "decks/hold", named)
    assert [(deck["state"], deck["incident_id"]) for deck in held] == [("held", incident)]
    released = {"serials": ["N1"], "second": user(floor, Role.PIT_BOSS), "second_password": PASSWORD}
    assert refused(office, "decks/release", released)[:3] == (409, "incident_open", "CARD-45")
    assert refused(boss, "decks/cancel", {"serials": ["N1"]})[1:3] == ("deck_under_investigation", "CARD-45")
    destroyed = refused(boss, "destruction-acts", act_of(floor, "N1"))
    assert destroyed[1:3] == ("deck_under_investigation", "CARD-45")
    settled(floor, incident)
    wrong = refused(office, "decks/release", released | {"second_password": "otra"})
    assert wrong == (401, "bad_credentials", "", "second")
    assert floor.made(office, "decks/release", released)[0]["state"] == "withdrawn"
    floor.made(boss, "decks/withdraw", {"serials": ["N2"], "reason": "gastada"})
    assert serials(floor.made(boss, "decks/cancel", {"serials": ["N1", "N2"]})) == ["N1", "N2"]

    header = key()
    act = floor.made(boss, "destruction-acts", act_of(floor, "N1", "N2"), **header)
    assert (act["label"][:4], act["serials"]) == ("ACT-", ["N1", "N2"])
    assert (act["executed_by"], act["first_witness"], act["second_witness"]) == (
        "Persona pit_boss",
        "Persona compliance",
        "Persona cage",
    )
    again = boss.post("/api/v1/destruction-acts", act_of(floor, "N1", "N2"), **header)
    assert (again["Idempotent-Replay"], again.json()) == ("true", act)
    assert DestructionAct.objects.count() == 1
    assert boss.get(f"/api/v1/destruction-acts/{act['id']}").json() == act
    assert [row["label"] for row in listed(boss, "destruction-acts", serial="N2")] == [act["label"]]
    assert listed(boss, "destruction-acts", serial="N3") == []
    deck = boss.get(f"/api/v1/decks/{listed(boss, 'decks', serial='N1')[0]['id']}").json()
    assert deck["state"] == "destroyed"
    assert [move["kind"] for move in deck["moves"]] == [
        "received",
        "held",
        "released",
        "cancelled",
        "destroyed",
    ]
    assert deck["moves"][-1]["act"] == act["label"]
    casino = floor.house.casino
    assert list(trail_faults(casino)) == list(ledger_faults(casino)) == []


@pytest.mark.rule("CARD-45")
def test_both_witnesses_of_an_act_sign_and_are_two_others(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    floor.made(boss, "decks", floor.receipt(["N1"]))
    floor.made(boss, "decks/withdraw", {"serials": ["N1"], "reason": "gastada"})
    early = refused(boss, "destruction-acts", act_of(floor, "N1"))
    assert early[1:3] == ("deck_withdrawn", "CARD-12")
    floor.made(boss, "decks/cancel", {"serials": ["N1"]})
    body = act_of(floor, "N1")
    bad = refused(boss, "destruction-acts", body | {"second_witness_password": "otra"})
    assert bad == (401, "bad_credentials", "", "second_witness")
    mine = refused(boss, "destruction-acts", body | {"second_witness": user(floor, Role.PIT_BOSS)})
    assert mine == (422, "same_person", "GEN-10", "second_witness")
    twice = refused(boss, "destruction-acts", body | {"second_witness": user(floor, Role.COMPLIANCE)})
    assert twice[1:3] == ("same_person", "GEN-10")
    missing = {name: value for name, value in body.items() if not name.startswith("second")}
    assert refused(boss, "destruction-acts", missing)[0] == 400
    assert Deck.objects.get().state == Deck.State.CANCELLED


# ---- shoes ------------------------------------------------------------------------------------------


@pytest.mark.rule("GEN-10")
def test_the_checklist_says_what_each_step_asks_and_who_signs_it(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    numbers = [f"N{number}" for number in range(6)]
    floor.passed_decks(numbers)
    shoe = floor.shoe(numbers, STEPS[:3])
    assert (shoe["state"], shoe["serials"], shoe["alerts"]) == ("shuffled", numbers, [])
    lines = {line["step"]: line for line in shoe["checklist"]}
    check = lines["check"]
    assert (check["status"], sorted(check["signers"]), check["asks"]) == (
        "now",
        ["pit_boss", "supervisor"],
        ["sequences"],
    )
    (question,) = check["questions"]
    assert (question["kind"], question["after"]) == ("choice", "")
    assert "none" in [choice["code"] for choice in question["choices"]]
    assert lines["cut"]["signers"] == []
    signed = {"step": "check", "data": {"sequences": "none"}}
    own = refused(boss, f"shoes/{shoe['id']}/steps", signed)
    assert own == (422, "own_shuffle", "GEN-10", "step")
    floor.made(floor.clients[Role.SUPERVISOR], f"shoes/{shoe['id']}/steps", signed)


@pytest.mark.rule("CARD-43")
def test_an_ended_shoe_is_counted_deck_by_deck(floor: Floor) -> None:
    boss, shoe = floor.clients[Role.PIT_BOSS], floor.ready_shoe()
    numbers = shoe["serials"]
    path = f"shoes/{shoe['id']}/count"
    whole = {"counted": 52, "by_suit_shown": True, "backs_checked": True}
    lines: list[dict[str, Any]] = [{"serial": serial, **whole} for serial in numbers]
    body: dict[str, Any] = {"decks": lines, "witness": actor(floor, Role.CROUPIER)}
    assert refused(boss, path, body)[:3] == (409, "shoe_not_ended", "CARD-43")
    floor.made(boss, f"shoes/{shoe['id']}/end", {"reason": "fin del turno"})
    assert [row["id"] for row in listed(boss, "shoes", uncounted="true")] == [shoe["id"]]
    fewer = refused(boss, path, body | {"decks": lines[1:]})
    assert fewer[:3] == (422, "count_of_other_decks", "CARD-43")
    assert refused(boss, path, body | {"decks": [*lines, lines[0]]})[0] == 400
    lines[0] |= {"seal": "P-100"}
    lines[5] |= {"counted": 51, "missing": ["Ks"]}
    counted = floor.made(boss, path, body)
    assert counted["counted_at"]
    assert listed(boss, "shoes", uncounted="true") == []
    state = {deck["serial"]: (deck["state"], deck["seal"]) for deck in listed(boss, "decks")}
    assert state == {
        numbers[0]: ("store", "P-100"),
        **dict.fromkeys(numbers[1:5], ("store", "")),
        numbers[5]: ("withdrawn", ""),
    }
    closing = listed(boss, "inspections", shoe=shoe["id"], moment="closing")
    assert {row["deck"]: row["passed"] for row in closing} == {
        serial: serial != numbers[5] for serial in numbers
    }
    assert len(listed(boss, "incidents", kind="cards.fault")) == 1
    assert refused(boss, path, body)[:2] == (409, "shoe_counted")


@pytest.mark.rule("CARD-12")
def test_a_deck_taken_out_sends_the_preparation_back_to_its_start(floor: Floor) -> None:
    boss, shoe = floor.clients[Role.PIT_BOSS], floor.ready_shoe()
    body = {"serial": shoe["serials"][0], "reason": "una carta rozada"}
    assert (
        refused(boss, f"shoes/{shoe['id']}/removals", {"serial": "NO", "reason": "x"})[1]
        == "deck_not_in_shoe"
    )
    back = floor.made(boss, f"shoes/{shoe['id']}/removals", body)
    # Five decks of 52 are left in, none of their cards burned.
    assert (back["state"], back["total"], back["remaining"], back["burned"]) == ("assembling", 260, 260, 0)
    assert back["serials"] == shoe["serials"][1:]
    assert [line["status"] for line in back["checklist"] if line["step"] == "decks"] == ["now"]
    assert listed(boss, "decks", state="quarantine")[0]["serial"] == shoe["serials"][0]


@pytest.mark.rule("CARD-42")
def test_a_fault_seen_at_the_table_stops_it(floor: Floor) -> None:
    session = floor.open()
    croupier, shoe = floor.clients[Role.CROUPIER], session["shoe_id"]
    given = {"fault": "extra", "cards": ["9d"], "words": "la vio el asiento 3"}
    nameless = refused(croupier, f"shoes/{shoe}/faults", given | {"cards": []})
    assert nameless[1] == "cards_missing"
    told = floor.made(croupier, f"shoes/{shoe}/faults", given)
    assert told["freezes"]
    incident = floor.clients[Role.PIT_BOSS].get(f"/api/v1/incidents/{told['incident_id']}").json()
    assert (incident["label"], incident["freezes"]) == (told["incident"], True)
    worn = floor.made(croupier, f"shoes/{shoe}/faults", given | {"fault": "damaged"})
    assert worn == {"incident_id": None, "incident": "", "freezes": False}


def test_alerts_are_listed_with_their_shoe(floor: Floor) -> None:
    boss, shoe = floor.clients[Role.PIT_BOSS], floor.ready_shoe()
    assert listed(boss, "shoe-alerts") == []
    ShoeAlert.objects.create(
        casino=floor.house.casino, shoe_id=shoe["id"], detector="factory_order", p=1e-9,
        words_es="orden de fábrica", words_en="factory order", at=NOON,
    )  # fmt: skip
    (alert,) = listed(boss, "shoe-alerts", shoe=shoe["id"])
    assert (alert["shoe"], alert["words"], alert["incident"]) == (shoe["label"], "factory order", "")
    assert boss.get(f"/api/v1/shoes/{shoe['id']}").json()["alerts"] == [alert]
    assert listed(boss, "shoe-alerts", detector="regularity") == []


# ---- what every address of these has in common ------------------------------------------------------


def test_another_house_is_as_good_as_none(floor: Floor) -> None:
    other = Floor(make_house("sur"))
    shoe = other.ready_shoe("X")
    theirs = listed(other.clients[Role.PIT_BOSS], "decks")[0]
    device = other.made(
        other.clients[Role.PIT_BOSS], "devices", {"number": "SB-1", "kind": "shoe", "reason": "inventario"}
    )
    boss = floor.clients[Role.PIT_BOSS]
    floor.made(boss, "decks", floor.receipt(["N1"]))
    for path in (f"decks/{theirs['id']}", f"shoes/{shoe['id']}"):
        assert boss.get(f"/api/v1/{path}").status_code == 404, path
    assert serials(listed(boss, "whereabouts"), "deck") == ["N1"]
    assert len(listed(boss, "deck-moves")) == len(listed(boss, "stock")) == 1
    bodies: dict[str, dict[str, Any]] = {
        f"decks/{theirs['id']}/inspections": floor.found(),
        f"shoes/{shoe['id']}/removals": {"serial": theirs["serial"], "reason": "x"},
        f"shoes/{shoe['id']}/faults": {"fault": "extra", "cards": ["9d"], "words": "x"},
        f"devices/{device['id']}/change": {"number": "SB-2", "kind": "shoe", "reason": "x"},
    }
    for path, body in bodies.items():
        assert refused(boss, path, body)[0] == 404, path
    unknown = refused(boss, "decks/quarantine", {"serials": [theirs["serial"]], "reason": "x"})
    assert unknown == (422, "unknown_deck", "CARD-01", "serials")
    incident = other.made(
        other.clients[Role.PIT_BOSS], "incidents", {"kind": "floor.dispute", "summary": "otra"}
    )
    response = boss.post("/api/v1/decks/hold", {"serials": ["N1"], "incident": incident["id"]})
    assert response.json()["errors"][0]["code"] == "does_not_exist"
    assert DeckMove.objects.filter(casino=floor.house.casino).count() == 1


def test_lists_cost_the_same_however_long_they_are(floor: Floor) -> None:
    """Two for the token, one for the casino, then: count and page; or the one list; or decks and levels."""
    boss = floor.clients[Role.PIT_BOSS]
    written = {"deck-moves": 5, "whereabouts": 4, "stock": 5, "inspections": 5, "decks": 5}
    for number in range(2):
        floor.passed_decks([f"N{number}-{each}" for each in range(3)], batch=f"L-{number}")
        counted = {}
        for name in written:
            with CaptureQueriesContext(connection) as queries:
                assert boss.get(f"/api/v1/{name}").status_code == 200
            counted[name] = len(queries)
        assert counted == written


def test_a_misspelt_field_is_refused_in_nested_objects_too(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    body = {
        "decks": [{"serial": "N1", "seal": "P1", "sello": "P1"}],
        "place": DESK,
        "received_by": actor(floor, Role.CROUPIER),
    }
    response = boss.post("/api/v1/decks/issue", json.dumps(body), content_type="application/json")
    assert (response.status_code, response.json()["errors"][0]["code"]) == (400, "unknown_field")
