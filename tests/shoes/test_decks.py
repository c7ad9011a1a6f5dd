"""Decks: received by two departments, issued with their seal read, passed or withdrawn by two people."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from audits.by import By, by_system
from audits.models import Actor, Event, Incident
from audits.people import set_active
from casino.kernel.errors import Conflict, NotAllowed, NotFound, Refused, RuleViolation
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import moving
from shoes.decks import issue_decks, register_decks
from shoes.examining import inspect_deck
from shoes.models import Deck, DeckInspection, DeckMove
from tests.shoes import builders

LOT = {
    "maker": "Naipes del Sur",
    "batch": "L-7",
    "back_design": "rombos",
    "back_colour": "azul",
    "homologation": "AJ-2026-0007",
}


@pytest.fixture
def deck(casino: Casino, chief: By) -> Deck:
    """One that was issued to the inspection desk."""
    return builders.issued_decks(casino, chief, 1)[0]


def receive(by: By, **about: Any) -> list[Deck]:
    """A receipt of L-7 by `by` with compliance."""
    given = {"serials": ["A1"], "received_with": builders.beside(by, Role.COMPLIANCE).actor, **LOT, **about}
    return register_decks(**given, by=by)


def inspect(deck: Deck, chief: By, witness: Actor, **found: Any) -> DeckInspection:
    given = {"counted": 52, "by_suit_shown": True, "backs_checked": True, "inspector": chief.actor, **found}
    return inspect_deck(deck=deck, witness=witness, by=chief, **given)


@pytest.mark.rule("CARD-01")
@pytest.mark.rule("CARD-02")
def test_received_decks_are_entered_with_what_is_printed_on_them(casino: Casino, chief: By) -> None:
    receive(chief, serials=["A1", " A2 "], seals=["P-1", "P-2"])
    decks = list(Deck.objects.filter(casino=casino).values("serial", "seal", "state", "place", *LOT))
    assert decks == [
        {"serial": f"A{n}", "seal": f"P-{n}", "state": "store", "place": "", **LOT} for n in (1, 2)
    ]
    event = Event.objects.get(action="shoes.deck.registered")
    assert event.stream.name == "deck_batch:L-7"
    assert event.subject_label == "L-7"
    assert event.rules == ["CARD-01", "CARD-02"]
    moves = DeckMove.objects.values_list("kind", "seq", "seal", "second__name", "event")
    compliance = "Segunda firma, compliance"
    assert list(moves) == [("received", 1, f"P-{n}", compliance, event.pk) for n in (1, 2)]


@pytest.mark.rule("CARD-02")
@pytest.mark.parametrize("role", [Role.CROUPIER, Role.PIT_BOSS, Role.INSPECTOR, Role.DEVICE])
def test_a_receipt_is_of_two_departments(casino: Casino, chief: By, role: Role) -> None:
    """The floor twice is one department; the regulator and a device are of none."""
    with pytest.raises(RuleViolation) as refusal:
        receive(chief, received_with=builders.a_person(casino, role).actor)
    assert (refusal.value.rule, refusal.value.code) == ("CARD-02", "same_department")
    assert not Deck.objects.exists()


@pytest.mark.rule("GEN-10")
def test_a_receipt_is_of_two_people(casino: Casino) -> None:
    both = builders.a_person(casino, Role.SUPERVISOR, Role.ADMINISTRATOR)
    with pytest.raises(RuleViolation) as refusal:
        receive(both, received_with=both.actor)
    assert (refusal.value.rule, refusal.value.code) == ("GEN-10", "same_person")


@pytest.mark.rule("CARD-02", "REC-14")
def test_other_than_the_delivery_note_says_is_an_incident_to_be_told_within_a_day(chief: By) -> None:
    receive(chief, serials=["A1", "A2"], declared=3)
    incident = Incident.objects.get()
    assert (incident.kind, incident.subject_label) == ("cards.receipt", "L-7")
    assert incident.facts == {"declared": 3, "received": 2, "serials": ["A1", "A2"]}
    assert incident.notice_due == chief.occurred_at + dt.timedelta(hours=24)
    receive(chief, serials=["A3"], declared=1)
    assert Incident.objects.count() == 1


@pytest.mark.rule("CARD-01")
@pytest.mark.parametrize("serials", [["A1", "A1"], ["A0"]])
def test_a_serial_is_entered_once(casino: Casino, chief: By, serials: list[str]) -> None:
    receive(chief, serials=["A0"], seals=["P-0"])
    with pytest.raises(Refused) as refusal:
        receive(chief, serials=serials, seals=["P-1", "P-2"][: len(serials)])
    assert (refusal.value.code, refusal.value.field) == ("serial_taken", "serials")
    assert Deck.objects.count() == 1


@pytest.mark.rule("CARD-01")
def test_a_delivery_entered_again_names_five_and_says_there_are_more(chief: By) -> None:
    five = [f"A{at}" for at in range(5)]
    receive(chief, serials=[*five, "A5"])
    for again, named in ((five, "A0, A1, A2, A3, A4"), ([*five, "A5"], "A0, A1, A2, A3, A4, …")):
        with pytest.raises(Refused) as refusal:
            receive(chief, serials=again)
        assert refusal.value.message.es.endswith(f"se repite: {named}")
        assert refusal.value.message.en.endswith(f"repeated: {named}")


@pytest.mark.rule("CARD-03")
@pytest.mark.parametrize("seals", [["P-1", "P-1"], ["P-1", "P-0"]])
def test_a_seal_is_of_one_deck(chief: By, seals: list[str]) -> None:
    receive(chief, serials=["A0"], seals=["P-0"])
    with pytest.raises(Refused) as refusal:
        receive(chief, serials=["A1", "A2"], seals=seals)
    assert (refusal.value.code, refusal.value.field) == ("seal_taken", "seals")
    assert Deck.objects.count() == 1


def test_two_casinos_may_own_the_same_serial(chief: By) -> None:
    other = builders.a_person(builders.a_casino(), Role.PIT_BOSS)
    receive(chief)
    receive(other)
    assert Deck.objects.filter(serial="A1").count() == 2


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("serials", []),
        ("serials", [""]),
        ("serials", ["x" * 41]),
        ("serials", ["A1\x00"]),
        ("seals", ["P-1", "P-2"]),
        ("maker", " "),
        ("maker", "A\x00"),
        ("batch", "x" * 41),
        ("homologation", ""),
    ],
)
def test_a_reception_that_lacks_something(chief: By, field: str, value: Any) -> None:
    with pytest.raises(Refused) as refusal:
        receive(chief, **{field: value})
    assert (refusal.value.code, refusal.value.field) == ("bad_deck", field)


def test_a_deck_of_no_known_type(chief: By) -> None:
    with pytest.raises(Refused) as refusal:
        receive(chief, deck_type="tarot")
    assert refusal.value.code == "unknown_deck_type"


def test_a_croupier_neither_receives_nor_inspects(deck: Deck, chief: By, croupier: By) -> None:
    with pytest.raises(NotAllowed):
        receive(croupier)
    with pytest.raises(NotAllowed):
        inspect(deck, croupier, chief.actor)


# ---- issued -----------------------------------------------------------------------------------------


@pytest.mark.rule("CARD-03", "CARD-04")
def test_a_deck_is_issued_with_its_seal_read(casino: Casino, chief: By, croupier: By) -> None:
    first, second = receive(chief, serials=["A1", "A2"], seals=["P-1", "P-2"])
    issue_decks(seals={"A1": "P-1", "A2": " P-2"}, place=moving.DESK, received_by=croupier.actor, by=chief)
    first.refresh_from_db()
    assert (first.state, first.place, first.seal) == ("issued", "inspección", "P-1")
    event = Event.objects.get(action="shoes.deck.issued")
    assert (event.stream.name, event.rules) == ("deck_batch:L-7", ["CARD-03", "CARD-04"])
    moved = second.moves.get(kind="issued")
    assert (moved.was, moved.seq, moved.second, moved.event) == ("store", 2, croupier.actor, event)


@pytest.mark.rule("CARD-03")
@pytest.mark.parametrize("read", ["P-2", "", "p-1", "P-10"])
def test_a_seal_that_is_not_the_one_entered_stays(casino: Casino, chief: By, croupier: By, read: str) -> None:
    receive(chief, serials=["A1", "A2"], seals=["P-1", "P-2"])
    with pytest.raises(RuleViolation) as refusal:
        issue_decks(seals={"A1": read, "A2": "P-2"}, place=moving.DESK, received_by=croupier.actor, by=chief)
    assert (refusal.value.rule, refusal.value.code) == ("CARD-03", "seal_mismatch")
    assert set(Deck.objects.values_list("state", "place", "move_count")) == {("store", "", 1)}


@pytest.mark.rule("CARD-03")
def test_a_deck_goes_to_a_place_of_the_house_and_into_hands_that_may_hold_it(
    casino: Casino, chief: By, croupier: By
) -> None:
    receive(chief)
    about = {"seals": {"A1": "A1"}, "place": moving.DESK, "received_by": croupier.actor}
    cage = builders.a_person(casino, Role.CAGE).actor
    for off, code in (
        ({"place": "PB-77"}, "unknown_place"),
        ({"place": ""}, "unknown_place"),
        ({"seals": {}}, "no_decks"),
        ({"seals": {"A9": "A9"}}, "unknown_deck"),
        ({"received_by": chief.actor}, "same_person"),
        ({"received_by": cage}, "not_qualified"),
    ):
        with pytest.raises(Refused) as refusal:
            issue_decks(**{**about, **off}, by=chief)
        assert refusal.value.code == code
    issue_decks(**about, by=chief)
    with pytest.raises(Conflict) as again:
        issue_decks(**about, by=chief)
    assert (again.value.code, again.value.rule) == ("deck_issued", "CARD-04")


# ---- examined ---------------------------------------------------------------------------------------


@pytest.mark.rule("CARD-14")
@pytest.mark.rule("CARD-15")
def test_a_whole_deck_passes(deck: Deck, chief: By, croupier: By) -> None:
    inspection = inspect(deck, chief, croupier.actor)
    deck.refresh_from_db()
    assert inspection.passed
    assert (deck.state, deck.place, deck.seal) == (Deck.State.PASSED, moving.DESK, "")
    assert Event.objects.get(action="shoes.deck.passed").subject_label == deck.serial


@pytest.mark.rule("CARD-12")
@pytest.mark.rule("CARD-15")
@pytest.mark.rule("REC-14")
@pytest.mark.parametrize(
    "found",
    [
        {"counted": 51, "missing": ["Qs"]},
        {"counted": 53, "extra": ["10d"]},
        {"counted": 52, "missing": ["2c"], "extra": ["3c"]},
        {"counted": 52, "marked": ["Ah"]},
        {"counted": 51, "missing": ["Qs"], "backs_checked": False, "by_suit_shown": False},
        {"counted": 53, "extra": ["Ah"], "marked": ["Ah", "Ah"]},
        {"counted": 53, "foreign": ["Kd"]},
        {"counted": 52, "missing": ["Kd"], "foreign": ["Kd"]},
    ],
)
def test_a_deck_with_a_fault_is_withdrawn(deck: Deck, chief: By, croupier: By, found: dict[str, Any]) -> None:
    inspection = inspect(deck, chief, croupier.actor, **found)
    deck.refresh_from_db()
    assert not inspection.passed
    assert deck.state == Deck.State.WITHDRAWN
    event = Event.objects.get(action="shoes.deck.withdrawn")
    assert event.rules == ["CARD-14", "CARD-15", "GEN-10", "CARD-12"]
    incident = Incident.objects.get()
    assert (deck.incident, incident.kind, incident.subject_id) == (incident, "cards.fault", deck.pk)
    assert incident.notice_due == chief.occurred_at + dt.timedelta(hours=24)
    with pytest.raises(Conflict) as refusal:
        inspect(deck, chief, croupier.actor)
    assert (refusal.value.code, refusal.value.rule) == ("deck_withdrawn", "CARD-12")


@pytest.mark.rule("CARD-44")
def test_a_worn_deck_is_withdrawn_and_nobody_is_suspected(deck: Deck, chief: By, croupier: By) -> None:
    assert not inspect(deck, chief, croupier.actor, damaged=["7h"]).passed
    deck.refresh_from_db()
    assert (deck.state, deck.incident) == (Deck.State.WITHDRAWN, None)
    assert Event.objects.get(action="shoes.deck.withdrawn").rules[-1] == "CARD-44"
    assert not Incident.objects.exists()


@pytest.mark.parametrize(
    ("found", "field"),
    [
        ({"counted": 51}, "counted"),
        ({"counted": 53}, "counted"),
        ({"counted": 52, "missing": ["Qs"]}, "counted"),
        ({"counted": 52, "extra": ["Qs"]}, "counted"),
        ({"counted": True}, "counted"),
    ],
)
def test_figures_that_contradict_each_other(
    deck: Deck, chief: By, croupier: By, found: dict[str, Any], field: str
) -> None:
    with pytest.raises(Refused) as refusal:
        inspect(deck, chief, croupier.actor, **found)
    assert (refusal.value.code, refusal.value.field) == ("count_inconsistent", field)
    assert not DeckInspection.objects.exists()


@pytest.mark.parametrize(
    ("found", "code", "field"),
    [
        ({"counted": 51, "missing": ["1x"]}, "unknown_card", "missing"),
        ({"counted": 53, "extra": ["joker"]}, "unknown_card", "extra"),
        ({"marked": ["v5"]}, "bad_inspection", "marked"),
        ({"counted": 50, "missing": ["Qs", "qs"]}, "bad_inspection", "missing"),
        ({"counted": 52, "missing": ["Qs"], "extra": ["Qs"]}, "bad_inspection", "missing"),
        ({"counted": 51, "missing": ["Qs"], "marked": ["Qs"]}, "bad_inspection", "marked"),
        ({"marked": ["Ah", "Ah"]}, "bad_inspection", "marked"),
        ({"marked": "Ah"}, "bad_inspection", "marked"),
    ],
)
def test_cards_that_cannot_be_so(
    deck: Deck, chief: By, croupier: By, found: dict[str, Any], code: str, field: str
) -> None:
    with pytest.raises(Refused) as refusal:
        inspect(deck, chief, croupier.actor, **found)
    assert (refusal.value.code, refusal.value.field) == (code, field)


@pytest.mark.parametrize(("left_out", "rule"), [("by_suit_shown", "CARD-14"), ("backs_checked", "CARD-15")])
@pytest.mark.rule("CARD-14")
@pytest.mark.rule("CARD-15")
def test_a_half_examined_deck_does_not_pass(
    deck: Deck, chief: By, croupier: By, left_out: str, rule: str
) -> None:
    with pytest.raises(RuleViolation) as refusal:
        inspect(deck, chief, croupier.actor, **{left_out: False})
    assert (refusal.value.rule, refusal.value.field) == (rule, left_out)
    deck.refresh_from_db()
    assert deck.state == Deck.State.ISSUED


@pytest.mark.rule("GEN-10")
def test_inspector_and_witness_are_two_people(deck: Deck, chief: By) -> None:
    with pytest.raises(RuleViolation) as refusal:
        inspect(deck, chief, chief.actor)
    assert (refusal.value.rule, refusal.value.code) == ("GEN-10", "same_person")
    with pytest.raises(IntegrityError, match="inspection_by_two_people"), transaction.atomic():
        DeckInspection.objects.create(
            casino=deck.casino,
            deck=deck,
            counted=52,
            by_suit_shown=True,
            backs_checked=True,
            passed=True,
            inspector=chief.actor,
            witness=chief.actor,
            at=chief.occurred_at,
        )


@pytest.mark.rule("GEN-10")
@pytest.mark.parametrize(
    "role", [Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR, Role.DEVICE]
)
def test_other_roles_do_not_sign(casino: Casino, deck: Deck, chief: By, role: Role) -> None:
    with pytest.raises(RuleViolation) as refusal:
        inspect(deck, chief, builders.a_person(casino, role).actor)
    assert (refusal.value.rule, refusal.value.code) == ("GEN-10", "not_qualified")


@pytest.mark.rule("GEN-10")
def test_one_of_the_two_is_a_chief(casino: Casino, deck: Deck, chief: By, croupier: By) -> None:
    other = builders.a_person(casino, Role.CROUPIER).actor
    with pytest.raises(RuleViolation) as refusal:
        inspect(deck, chief, other, inspector=croupier.actor)
    assert (refusal.value.rule, refusal.value.code) == ("GEN-10", "not_qualified")
    assert inspect(deck, chief, chief.actor, inspector=croupier.actor).passed


@pytest.mark.rule("GEN-10")
def test_who_left_or_works_elsewhere_does_not_sign(
    casino: Casino, deck: Deck, chief: By, croupier: By
) -> None:
    stranger = builders.a_person(builders.a_casino(), Role.SUPERVISOR).actor
    with pytest.raises(NotFound):
        inspect(deck, chief, stranger)
    set_active(user=croupier.actor.user, active=False, by=by_system(casino, "pruebas", reason="se fue"))
    with pytest.raises(RuleViolation) as refusal:
        inspect(deck, chief, Actor.objects.get(pk=croupier.actor.pk))
    assert refusal.value.code == "not_qualified"


@pytest.mark.rule("GEN-10")
def test_nobody_signs_an_inspection_for_two_others(
    casino: Casino, deck: Deck, chief: By, croupier: By
) -> None:
    other = builders.a_person(casino, Role.PIT_BOSS)
    with pytest.raises(RuleViolation) as refusal:
        inspect(deck, other, croupier.actor, inspector=chief.actor)
    assert (refusal.value.code, refusal.value.rule) == ("not_a_signer", "GEN-10")
    assert not deck.inspections.exists()
    assert inspect(deck, other, other.actor, inspector=chief.actor).witness == other.actor


def test_a_deck_of_another_casino_does_not_exist(deck: Deck) -> None:
    house = builders.a_casino()
    stranger, witness = builders.a_person(house, Role.PIT_BOSS), builders.a_person(house, Role.CROUPIER)
    with pytest.raises(NotFound):
        inspect(deck, stranger, witness.actor)


@pytest.mark.rule("CARD-03")
def test_a_deck_of_the_store_is_not_opened_there(casino: Casino, chief: By, croupier: By) -> None:
    deck = builders.registered_decks(casino, chief, 1)[0]
    with pytest.raises(Conflict) as refusal:
        inspect(deck, chief, croupier.actor)
    assert (refusal.value.rule, refusal.value.code) == ("CARD-03", "deck_in_store")


@pytest.mark.rule("CARD-04")
def test_a_deck_in_a_shoe_is_not_inspected(casino: Casino, chief: By, croupier: By) -> None:
    deck = builders.shoe_with_decks(casino, chief).decks.first()
    with pytest.raises(Conflict) as refusal:
        inspect(deck, chief, croupier.actor)
    assert (refusal.value.rule, refusal.value.code) == ("CARD-04", "deck_elsewhere")
