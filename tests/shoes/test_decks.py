"""Decks: received by two departments, issued with their seal read."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from audits.by import By
from audits.models import Actor, Event, Incident
from casino.kernel.errors import Conflict, NotAllowed, Refused, RuleViolation
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
