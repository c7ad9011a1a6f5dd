"""The numbered boxes and machines of the house, and shoes that may only name those (CARD-46)."""

from __future__ import annotations

from typing import Any

import pytest

from audits.by import By
from casino.kernel.errors import Conflict, NotAllowed, Refused, RuleViolation
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes.devices import set_device
from shoes.models import Device, Shoe
from shoes.procedures import MACHINE_SHOE, procedure_of
from shoes.shoes import add_decks, end_shoe, start_shoe, take_step
from tests.shoes import answers, builders


@pytest.fixture
def boss(casino: Casino) -> By:
    return builders.a_person(casino, Role.PIT_BOSS).because("inventario")


def entered(boss: By, number: str = "C-1", kind: str = "shoe", **about: Any) -> Device:
    return set_device(number=number, kind=kind, by=boss, **about)


@pytest.mark.rule("CARD-46")
def test_a_device_is_entered_and_changed_with_its_history(casino: Casino, boss: By) -> None:
    device = entered(boss, maker="Ébano", serial="77")
    again = set_device(device=device, number="C-1", kind="shoe", maker="Ébano", active=False, by=boss)
    assert (again.pk, again.active, again.serial, again.history.count()) == (device.pk, False, "", 2)
    assert builders.faults(casino) == []


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"number": ""}, "number"),
        ({"number": "x" * 21}, "number"),
        ({"kind": "caja"}, "kind"),
        ({"maker": "a\nb"}, "maker"),
        ({"serial": "x" * 41}, "serial"),
    ],
)
def test_a_device_that_cannot_be(boss: By, about: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refusal:
        entered(boss, **about)
    assert (refusal.value.code, refusal.value.field) == ("bad_device", field)


@pytest.mark.rule("CARD-46")
def test_a_number_is_of_one_device_of_the_house(casino: Casino, boss: By, chief: By) -> None:
    entered(boss)
    second = entered(boss, "C-2")
    for change in ({}, {"device": second}):
        with pytest.raises(Conflict) as refusal:
            entered(boss, "C-1", **change)
        assert (refusal.value.code, refusal.value.rule) == ("device_exists", "CARD-46")
    entered(builders.a_person(builders.a_casino(), Role.ADMINISTRATOR).because("inventario"))
    with pytest.raises(NotAllowed):
        entered(chief.because("inventario"), "C-3")


@pytest.mark.rule("CARD-46")
def test_a_house_without_an_inventory_names_its_boxes_freely(chief: By) -> None:
    assert start_shoe(game="baccarat.mini", device="C-9", by=chief).device == "C-9"


@pytest.mark.rule("CARD-46")
def test_a_shoe_names_a_box_of_the_inventory_of_its_kind_and_in_service(
    casino: Casino, boss: By, chief: By
) -> None:
    entered(boss, "C-1")
    entered(boss, "C-2", active=False)
    entered(boss, "BM-1", kind="shuffler")
    entered(boss, "MS-1", kind="machine_shoe")
    for number in ("C-9", "C-2", "BM-1", "MS-1"):
        with pytest.raises(RuleViolation) as refusal:
            start_shoe(game="baccarat.mini", device=number, by=chief)
        assert (refusal.value.rule, refusal.value.code) == ("CARD-46", "unknown_device")
        assert refusal.value.field == "device"
    assert Shoe.objects.count() == 0
    assert start_shoe(game="baccarat.mini", device="C-1", by=chief).number == 1
    assert start_shoe(game="baccarat.mini", by=chief).device == ""
    machine = {"game": "blackjack.classic", "method": MACHINE_SHOE}
    with pytest.raises(RuleViolation):
        start_shoe(device="C-1", by=chief, **machine)
    assert start_shoe(device="MS-1", by=chief, **machine).device == "MS-1"


@pytest.mark.rule("CARD-18", "CARD-46")
def test_a_poker_pack_is_shuffled_by_a_machine_of_the_inventory(casino: Casino, boss: By, chief: By) -> None:
    entered(boss, "C-1")
    entered(boss, "BM-1", kind="shuffler")
    shoe = start_shoe(game="poker.texas", by=chief)
    serials = [deck.serial for deck in builders.inspected_decks(casino, chief, 1)]
    shoe = add_decks(shoe=shoe, serials=serials, by=chief)
    shoe = take_step(shoe=shoe, step="show", by=chief)
    told = {"kind": "machine", "empty_shown": True}
    for number in ("C-1", "BM-2"):
        with pytest.raises(RuleViolation) as refusal:
            take_step(shoe=shoe, step="shuffle", data={**told, "machine": number}, by=chief)
        assert (refusal.value.rule, refusal.value.code) == ("CARD-46", "unknown_device")
        assert refusal.value.field == "machine"
    shoe = take_step(shoe=shoe, step="shuffle", data={**told, "machine": "BM-1"}, by=chief)
    assert shoe.steps.get(step="shuffle").data["machine"] == "BM-1"


@pytest.mark.rule("CARD-46")
def test_a_box_with_cards_inside_keeps_its_number_kind_and_service(
    casino: Casino, boss: By, chief: By
) -> None:
    device = entered(boss)
    shoe = start_shoe(game="baccarat.mini", device="C-1", by=chief)
    same = {"device": device, "number": "C-1", "kind": "shoe", "by": boss}
    for change in ({"number": "C-2"}, {"kind": "shuffler"}, {"active": False}):
        with pytest.raises(Conflict) as refusal:
            set_device(**{**same, **change})
        assert (refusal.value.code, refusal.value.rule) == ("device_in_use", "CARD-46")
    assert set_device(**same, maker="Ébano").maker == "Ébano"
    end_shoe(shoe=shoe, reason="fin", by=chief)
    assert not set_device(**same, active=False).active


def machine_filled(casino: Casino, chief: By, machine: str) -> Shoe:
    """A Black Jack pack up to the step that puts all its cards into a machine, that step too."""
    shoe = start_shoe(game="blackjack.classic", method=MACHINE_SHOE, by=chief)
    procedure = procedure_of("blackjack.classic", MACHINE_SHOE)
    decks = builders.inspected_decks(casino, chief, procedure.decks_default)
    shoe = add_decks(shoe=shoe, serials=[deck.serial for deck in decks], by=chief)
    for step in procedure.steps[1:]:
        given = answers.answer(step, answers.whole(procedure), procedure)
        if "machine" in given:
            given["machine"] = machine
        shoe = builders.signed(shoe, step.code, given, chief)
        if step.code == "load":
            break
    return shoe


@pytest.mark.rule("CARD-46")
def test_a_machine_that_serves_as_shoe_holds_one_pack(casino: Casino, chief: By) -> None:
    first = machine_filled(casino, chief, "MS-1")
    assert (first.state, first.device) == ("loaded", "MS-1")
    with pytest.raises(Conflict) as refusal:
        machine_filled(casino, chief, "MS-1")
    assert (refusal.value.code, refusal.value.rule) == ("device_in_use", "CARD-46")
    end_shoe(shoe=first, reason="no se usará", by=chief)
    assert machine_filled(casino, chief, "MS-1").device == "MS-1"
    assert builders.faults(casino) == []
