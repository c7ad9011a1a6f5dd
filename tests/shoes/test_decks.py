"""Decks: received, examined by two people, passed or withdrawn."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from audits.by import By, by_system
from audits.models import Actor, Event
from audits.people import set_active
from casino.kernel.errors import Conflict, NotAllowed, NotFound, Refused, RuleViolation
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes.decks import register_decks
from shoes.examining import inspect_deck
from shoes.models import Deck, DeckInspection
from tests.shoes import builders

LOT = {"maker": "Naipes del Sur", "batch": "L-7", "back_design": "rombos", "back_colour": "azul"}


@pytest.fixture
def deck(casino: Casino, chief: By) -> Deck:
    return builders.registered_decks(casino, chief, 1)[0]


def inspect(deck: Deck, chief: By, witness: Actor, **found: Any) -> DeckInspection:
    given = {"counted": 52, "by_suit_shown": True, "backs_checked": True, "inspector": chief.actor, **found}
    return inspect_deck(deck=deck, witness=witness, by=chief, **given)


@pytest.mark.rule("CARD-01")
@pytest.mark.rule("CARD-02")
def test_received_decks_are_entered_with_what_is_printed_on_them(
    casino: Casino, chief: By, croupier: By
) -> None:
    register_decks(serials=["A1", " A2 "], received_with=croupier.actor, by=chief, **LOT)
    decks = list(Deck.objects.filter(casino=casino).values("serial", "state", *LOT))
    assert decks == [{"serial": serial, "state": "store", **LOT} for serial in ("A1", "A2")]
    event = Event.objects.get(action="shoes.deck.registered")
    assert event.stream.name == "deck_batch:L-7"
    assert event.subject_label == "L-7"
    assert event.rules == ["CARD-01", "CARD-02"]


@pytest.mark.rule("CARD-01")
@pytest.mark.parametrize("serials", [["A1", "A1"], ["A0"]])
def test_a_serial_is_entered_once(casino: Casino, chief: By, serials: list[str]) -> None:
    register_decks(serials=["A0"], by=chief, **LOT)
    with pytest.raises(Refused) as refusal:
        register_decks(serials=serials, by=chief, **LOT)
    assert (refusal.value.code, refusal.value.field) == ("serial_taken", "serials")
    assert Deck.objects.count() == 1


def test_two_casinos_may_own_the_same_serial(casino: Casino, chief: By) -> None:
    other = builders.a_person(builders.a_casino(), Role.PIT_BOSS)
    register_decks(serials=["A1"], by=chief, **LOT)
    register_decks(serials=["A1"], by=other, **LOT)
    assert Deck.objects.filter(serial="A1").count() == 2


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("serials", []),
        ("serials", [""]),
        ("serials", ["x" * 41]),
        ("serials", ["A1\x00"]),
        ("maker", " "),
        ("maker", "A\x00"),
        ("batch", "x" * 41),
    ],
)
def test_a_reception_that_lacks_something(chief: By, field: str, value: Any) -> None:
    with pytest.raises(Refused) as refusal:
        register_decks(**{"serials": ["A1"], **LOT, field: value}, by=chief)
    assert (refusal.value.code, refusal.value.field) == ("bad_deck", field)


def test_a_deck_of_no_known_type(chief: By) -> None:
    with pytest.raises(Refused) as refusal:
        register_decks(serials=["A1"], deck_type="tarot", by=chief, **LOT)
    assert refusal.value.code == "unknown_deck_type"


def test_a_croupier_neither_receives_nor_inspects(deck: Deck, chief: By, croupier: By) -> None:
    with pytest.raises(NotAllowed):
        register_decks(serials=["A1"], by=croupier, **LOT)
    with pytest.raises(NotAllowed):
        inspect(deck, croupier, chief.actor)


@pytest.mark.rule("CARD-14")
@pytest.mark.rule("CARD-15")
def test_a_whole_deck_passes(deck: Deck, chief: By, croupier: By) -> None:
    inspection = inspect(deck, chief, croupier.actor)
    deck.refresh_from_db()
    assert inspection.passed
    assert deck.state == Deck.State.PASSED
    assert Event.objects.get(action="shoes.deck.passed").subject_label == deck.serial


@pytest.mark.rule("CARD-12")
@pytest.mark.rule("CARD-15")
@pytest.mark.parametrize(
    "found",
    [
        {"counted": 51, "missing": ["Qs"]},
        {"counted": 53, "extra": ["10d"]},
        {"counted": 52, "missing": ["2c"], "extra": ["3c"]},
        {"counted": 52, "marked": ["Ah"]},
        {"counted": 51, "missing": ["Qs"], "backs_checked": False, "by_suit_shown": False},
        {"counted": 53, "extra": ["Ah"], "marked": ["Ah", "Ah"]},
    ],
)
def test_a_deck_with_a_fault_is_withdrawn(deck: Deck, chief: By, croupier: By, found: dict[str, Any]) -> None:
    inspection = inspect(deck, chief, croupier.actor, **found)
    deck.refresh_from_db()
    assert not inspection.passed
    assert deck.state == Deck.State.WITHDRAWN
    event = Event.objects.get(action="shoes.deck.withdrawn")
    assert event.rules == ["CARD-12", "CARD-15", "GEN-10"]
    with pytest.raises(Conflict) as refusal:
        inspect(deck, chief, croupier.actor)
    assert (refusal.value.code, refusal.value.rule) == ("deck_withdrawn", "CARD-12")


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
    assert deck.state == Deck.State.STORE


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


@pytest.mark.rule("CARD-04")
def test_a_deck_in_a_shoe_is_not_inspected(casino: Casino, chief: By, croupier: By) -> None:
    deck = builders.shoe_with_decks(casino, chief).decks.first()
    with pytest.raises(Conflict) as refusal:
        inspect(deck, chief, croupier.actor)
    assert (refusal.value.rule, refusal.value.code) == ("CARD-04", "deck_elsewhere")
