"""Decks under investigation (CARD-45): held for an incident, kept as they are, released when it is over."""

from __future__ import annotations

import pytest

from audits.by import By
from audits.models import Incident
from casino.kernel.errors import Conflict, NotAllowed, NotFound, RuleViolation
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import moving
from shoes.changing import report_fault
from shoes.closing import decks_of
from shoes.examining import inspect_deck
from shoes.shoes import end_shoe
from shoes.store import cancel, give_back, hold, release
from tests.shoes import builders
from tests.shoes.test_store import because, stands


@pytest.mark.rule("CARD-45")
def test_a_held_deck_is_neither_used_cancelled_nor_destroyed(casino: Casino, chief: By, office: By) -> None:
    deck = builders.inspected_decks(casino, chief, 1)[0]
    incident = builders.an_incident(chief)
    hold(serials=[deck.serial], incident=incident, by=office)
    assert stands(deck)[:2] == ("held", "")
    assert deck.incident == incident
    for act in (
        lambda: give_back(serials=[deck.serial], by=chief),
        lambda: builders.withdrawn([deck.serial], by=because(chief)),
        lambda: cancel(serials=[deck.serial], by=office),
        lambda: hold(serials=[deck.serial], incident=builders.an_incident(chief), by=office),
    ):
        with pytest.raises(Conflict) as refusal:
            act()
        assert (refusal.value.code, refusal.value.rule) == ("deck_under_investigation", "CARD-45")
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-45")
def test_a_deck_is_held_for_an_open_incident_of_the_house(casino: Casino, chief: By, office: By) -> None:
    deck = builders.registered_decks(casino, chief, 1)[0]
    incident = builders.an_incident(chief)
    elsewhere = builders.an_incident(builders.a_person(builders.a_casino(), Role.SUPERVISOR))
    with pytest.raises(NotFound):
        hold(serials=[deck.serial], incident=elsewhere, by=office)
    with pytest.raises(NotAllowed):
        hold(serials=[deck.serial], incident=incident, by=chief)  # a table supervisor
    builders.settled(incident, office)
    with pytest.raises(Conflict) as refusal:
        hold(serials=[deck.serial], incident=incident, by=office)
    assert refusal.value.code == "incident_resolved"
    assert stands(deck)[0] == "store"


@pytest.mark.rule("CARD-04", "CARD-45")
def test_a_deck_inside_a_shoe_is_held_when_the_shoe_ends(casino: Casino, chief: By, office: By) -> None:
    shoe = builders.shoe_in_play(casino, chief, decks=6)
    deck = shoe.decks.order_by("pk").first()
    assert deck is not None
    incident = builders.an_incident(chief)
    with pytest.raises(Conflict) as refusal:
        hold(serials=[deck.serial], incident=incident, by=office)
    assert (refusal.value.code, refusal.value.rule) == ("deck_elsewhere", "CARD-04")
    end_shoe(shoe=shoe, reason="fin", by=chief)
    hold(serials=[deck.serial], incident=incident, by=office)
    # Held or not, it came out of the shoe and is counted with the others.
    assert deck in decks_of(shoe)
    builders.settled(incident, office)
    floor = builders.beside(office, Role.PIT_BOSS).actor
    with pytest.raises(Conflict) as uncounted:
        release(serials=[deck.serial], with_=floor, by=office)
    assert (uncounted.value.code, uncounted.value.rule) == ("deck_not_counted", "CARD-43")
    builders.counted(shoe, chief)
    assert stands(deck)[0] == "held"
    release(serials=[deck.serial], with_=floor, by=office)
    assert stands(deck)[0] == "withdrawn"
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-04", "CARD-45")
def test_a_deck_held_at_its_table_waits_in_the_store_once_released(
    casino: Casino, chief: By, office: By
) -> None:
    shoe = builders.shoe_in_play(casino, chief, decks=6)
    deck = shoe.decks.order_by("pk").first()
    assert deck is not None
    incident = report_fault(shoe=shoe, fault="marked", cards=["9d"], words="una raya", deck=deck, by=chief)
    assert incident is not None
    end_shoe(shoe=shoe, reason="fin", by=chief)
    builders.counted(shoe, chief)
    assert (stands(deck)[0], deck.place) == ("held", "PB-01")
    builders.settled(incident, office)
    release(serials=[deck.serial], with_=builders.beside(office, Role.PIT_BOSS).actor, by=office)
    assert (stands(deck)[0], deck.place) == ("withdrawn", moving.STORE)
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-45", "GEN-10")
def test_a_hold_ends_with_its_incident_and_two_departments_and_the_deck_stays_withdrawn(
    casino: Casino, chief: By, office: By
) -> None:
    deck = builders.registered_decks(casino, chief, 1)[0]
    incident = builders.an_incident(chief)
    hold(serials=[deck.serial], incident=incident, by=office)
    floor = builders.beside(office, Role.PIT_BOSS).actor
    with pytest.raises(Conflict) as still_open:
        release(serials=[deck.serial], with_=floor, by=office)
    assert (still_open.value.code, still_open.value.rule) == ("incident_open", "CARD-45")
    builders.settled(incident, office)
    assert stands(deck)[0] == "held"  # settling it moves no deck
    with pytest.raises(NotAllowed):
        release(serials=[deck.serial], with_=office.actor, by=chief)
    with pytest.raises(RuleViolation) as same:
        release(serials=[deck.serial], with_=builders.a_person(casino, Role.COMPLIANCE).actor, by=office)
    assert same.value.code == "same_department"
    release(serials=[deck.serial], with_=floor, by=office)
    assert stands(deck)[0] == "withdrawn"
    assert (deck.incident, deck.moves.last().second) == (None, floor)  # type: ignore[union-attr]
    cancel(serials=[deck.serial], by=office)
    assert stands(deck)[0] == "cancelled"
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-45")
def test_a_faulty_deck_is_not_cancelled_while_its_incident_is_open(
    casino: Casino, chief: By, croupier: By, office: By
) -> None:
    deck = builders.issued_decks(casino, chief, 1)[0]
    inspect_deck(
        deck=deck, counted=51, missing=["Qs"], by_suit_shown=True, backs_checked=True,
        inspector=chief.actor, witness=croupier.actor, by=chief,
    )  # fmt: skip
    deck.refresh_from_db()
    assert deck.incident is not None
    with pytest.raises(Conflict) as refusal:
        cancel(serials=[deck.serial], by=office)
    assert (refusal.value.code, refusal.value.rule) == ("deck_under_investigation", "CARD-45")
    assert refusal.value.detail["incident"] == deck.incident.label
    builders.settled(deck.incident, office)
    cancel(serials=[deck.serial], by=office)
    assert stands(deck)[0] == "cancelled"


@pytest.mark.rule("CARD-15", "CARD-45", "REC-14")
def test_a_fault_found_in_a_deck_held_for_something_else_is_told(
    casino: Casino, chief: By, croupier: By, office: By
) -> None:
    deck = builders.issued_decks(casino, chief, 1)[0]
    trifle = builders.an_incident(office)
    hold(serials=[deck.serial], incident=trifle, by=office)
    inspect_deck(
        deck=deck, counted=51, missing=["Qs"], by_suit_shown=True, backs_checked=True,
        inspector=chief.actor, witness=croupier.actor, by=chief,
    )  # fmt: skip
    fault = Incident.objects.get(kind="cards.fault")
    assert (fault.subject_label, fault.facts["held"], "withdrawn" in fault.facts) == (
        deck.serial, [deck.serial], False,
    )  # fmt: skip
    assert "se retuvieron para investigación las barajas" in fault.notice
    assert stands(deck)[0] == "held"
    builders.settled(trifle, office)
    with pytest.raises(Conflict) as refusal:
        release(serials=[deck.serial], with_=chief.actor, by=office)
    assert (refusal.value.code, refusal.value.detail["incident"]) == ("incident_open", fault.label)
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-45")
def test_another_incident_settled_in_its_place_frees_no_evidence(
    casino: Casino, chief: By, croupier: By, office: By
) -> None:
    """A faulty deck is held for a trifle, which is settled: what withdrew it is still open."""
    deck = builders.issued_decks(casino, chief, 1)[0]
    inspect_deck(
        deck=deck, counted=51, missing=["Qs"], by_suit_shown=True, backs_checked=True,
        inspector=chief.actor, witness=croupier.actor, by=chief,
    )  # fmt: skip
    deck.refresh_from_db()
    first = deck.incident
    assert first is not None
    trifle = builders.an_incident(chief)
    hold(serials=[deck.serial], incident=trifle, by=office)
    builders.settled(trifle, office)
    beside = builders.beside(chief, Role.PIT_BOSS).actor
    with pytest.raises(Conflict) as kept:
        release(serials=[deck.serial], with_=beside, by=office)
    assert (kept.value.code, kept.value.detail["incident"]) == ("incident_open", first.label)
    builders.settled(first, office)
    release(serials=[deck.serial], with_=beside, by=office)
    assert stands(deck)[0] == "withdrawn"


@pytest.mark.rule("CARD-43", "CARD-45")
def test_a_held_deck_found_short_at_the_count_waits_for_that_incident_too(
    casino: Casino, chief: By, office: By
) -> None:
    shoe = end_shoe(shoe=builders.shoe_in_play(casino, chief, decks=6), reason="fin", by=chief)
    short, whole = (deck.serial for deck in decks_of(shoe)[:2])
    trifle = builders.an_incident(chief)
    hold(serials=[short, whole], incident=trifle, by=office)
    builders.counted(shoe, chief, faults={short: {"counted": 51, "missing": ["Qs"]}})
    found = Incident.objects.get(kind="cards.fault")
    builders.settled(trifle, office)
    beside = builders.beside(chief, Role.PIT_BOSS).actor
    with pytest.raises(Conflict) as kept:
        release(serials=[short], with_=beside, by=office)
    assert (kept.value.code, kept.value.detail["incident"]) == ("incident_open", found.label)
    release(serials=[whole], with_=beside, by=office)
    cancel(serials=[whole], by=office)
    assert builders.faults(casino) == []
