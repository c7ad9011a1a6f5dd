"""A deck examined before play: passed or withdrawn by two people."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from audits.by import By, by_system
from audits.models import Actor, Event, Incident
from audits.people import set_active
from casino.kernel.errors import Conflict, NotFound, Refused, RuleViolation
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import moving
from shoes.models import Deck, DeckInspection
from tests.shoes import builders
from tests.shoes.test_decks import inspect


@pytest.fixture
def deck(casino: Casino, chief: By) -> Deck:
    """One that was issued to the inspection desk."""
    return builders.issued_decks(casino, chief, 1)[0]


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
