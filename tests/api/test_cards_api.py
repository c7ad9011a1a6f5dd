"""Decks and the store over the API, each role with its own token: received, issued, inspected, counted."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from audits.models import Event
from casino.kernel.permissions import Role
from casino.models import IdempotencyRecord
from shoes.models import Deck
from shoes.moving import DESK
from tests.api.asking import actor, listed, refused, serials, user
from tests.api.building import PASSWORD, House, make_house
from tests.api.floor import Floor, key

HOUR = dt.timedelta(hours=1)
NOON = (dt.datetime.now(dt.UTC) - dt.timedelta(days=2)).replace(hour=12, minute=0, second=0, microsecond=0)
"""When the stories here begin: noon of the day before yesterday."""


def at(hours: int) -> str:
    return (NOON + hours * HOUR).isoformat()


@pytest.fixture
def floor(house: House) -> Floor:
    return Floor(house)


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


def test_a_misspelt_field_is_refused_in_nested_objects_too(floor: Floor) -> None:
    boss = floor.clients[Role.PIT_BOSS]
    body = {
        "decks": [{"serial": "N1", "seal": "P1", "sello": "P1"}],
        "place": DESK,
        "received_by": actor(floor, Role.CROUPIER),
    }
    response = boss.post("/api/v1/decks/issue", json.dumps(body), content_type="application/json")
    assert (response.status_code, response.json()["errors"][0]["code"]) == (400, "unknown_field")
