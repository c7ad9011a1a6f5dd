"""How decks and shoes end over the API: investigation, act, closing count, faults; and whose they are."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audits.verify import ledger_faults, trail_faults
from casino.kernel.permissions import Role
from shoes.models import Deck, DeckMove, DestructionAct, ShoeAlert
from tests.api.asking import actor, listed, refused, serials, user
from tests.api.building import PASSWORD, House, make_house
from tests.api.floor import STEPS, Floor, key

NIGHT = dt.datetime(2026, 11, 20, 22, 0, tzinfo=dt.UTC)


@pytest.fixture
def floor(house: House) -> Floor:
    return Floor(house)


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


def unfit(floor: Floor, serial: str) -> dict[str, Any]:
    return {"serials": [serial], "reason": "gastada", "second": actor(floor, Role.CROUPIER)}


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
    floor.made(boss, "decks/withdraw", unfit(floor, "N2"))
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
    floor.made(boss, "decks/withdraw", unfit(floor, "N1"))
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
        words_es="orden de fábrica", words_en="factory order", at=NIGHT,
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
    """Two for the token, one for the casino, then: count and page; or decks and levels."""
    boss = floor.clients[Role.PIT_BOSS]
    written = {"deck-moves": 5, "whereabouts": 5, "stock": 5, "inspections": 5, "decks": 5}
    for number in range(2):
        floor.passed_decks([f"N{number}-{each}" for each in range(3)], batch=f"L-{number}")
        counted = {}
        for name in written:
            with CaptureQueriesContext(connection) as queries:
                assert boss.get(f"/api/v1/{name}").status_code == 200
            counted[name] = len(queries)
        assert counted == written
