"""What the store does with decks: taken back, sealed again, set aside, held, released, cancelled."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from audits.by import By
from audits.models import Event, Incident
from casino.kernel.errors import Conflict, NotAllowed, NotFound, Refused, RuleViolation, SabotError
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import moving
from shoes.examining import decks_of, inspect_deck
from shoes.models import Deck, DeckMove
from shoes.shoes import end_shoe
from shoes.store import cancel, give_back, hold, quarantine, release, reseal, withdraw
from tests.shoes import builders


@pytest.fixture
def office(casino: Casino) -> By:
    """Compliance, who may hold, release and cancel."""
    return builders.a_person(casino, Role.COMPLIANCE, name="Rosa Vaca")


Act = Callable[..., Any]


def because(by: By, reason: str = "se cayó al piso") -> By:
    return by.because(reason)


def serials(decks: list[Deck]) -> list[str]:
    return [deck.serial for deck in decks]


def stands(deck: Deck) -> tuple[str, str, str]:
    deck.refresh_from_db()
    return deck.state, deck.place, deck.seal


# ---- taken back and sealed again --------------------------------------------------------------------


@pytest.mark.rule("CARD-03")
def test_an_unopened_deck_comes_back_with_its_seal_and_an_opened_one_without(
    casino: Casino, chief: By
) -> None:
    closed = builders.issued_decks(casino, chief, 1)[0]
    opened = builders.inspected_decks(casino, chief, 1)[0]
    seal = closed.seal
    give_back(serials=[closed.serial, opened.serial], by=chief)
    assert stands(closed) == ("store", "", seal)
    assert stands(opened) == ("store", "", "")
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-04")
def test_only_what_was_issued_comes_back(casino: Casino, chief: By) -> None:
    deck = builders.registered_decks(casino, chief, 1)[0]
    shoe = builders.shoe_with_decks(casino, chief, decks=6)
    for serial, code in ((deck.serial, "deck_in_store"), (shoe.decks.first().serial, "deck_elsewhere")):  # type: ignore[union-attr]
        with pytest.raises(Conflict) as refusal:
            give_back(serials=[serial], by=chief)
        assert refusal.value.code == code


@pytest.mark.rule("CARD-03", "GEN-10")
def test_an_opened_deck_is_issued_again_only_under_a_new_seal(casino: Casino, chief: By) -> None:
    deck = builders.inspected_decks(casino, chief, 1)[0]
    was = deck.moves.get(seq=1).seal
    give_back(serials=[deck.serial], by=chief)
    second = builders.beside(chief, Role.COMPLIANCE).actor
    with pytest.raises(Refused) as used:
        reseal(seals={deck.serial: was}, with_=second, by=chief)
    assert (used.value.code, used.value.rule) == ("seal_taken", "CARD-03")
    reseal(seals={deck.serial: " P-900 "}, with_=second, by=chief)
    assert stands(deck) == ("store", "", "P-900")
    assert Event.objects.get(action="shoes.deck.sealed").rules == ["CARD-03", "GEN-10"]
    with pytest.raises(Conflict) as closed:
        reseal(seals={deck.serial: "P-901"}, with_=second, by=chief)
    assert (closed.value.code, closed.value.rule) == ("deck_sealed", "CARD-03")
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-03", "GEN-10")
def test_a_box_is_closed_again_by_two_people_who_keep_decks(casino: Casino, chief: By, croupier: By) -> None:
    decks = builders.inspected_decks(casino, chief, 2)
    give_back(serials=serials(decks), by=chief)
    inspector = builders.a_person(casino, Role.INSPECTOR).actor
    for second, code in (
        (chief.actor, "same_person"),
        (croupier.actor, "not_qualified"),
        (inspector, "not_qualified"),
    ):
        with pytest.raises(RuleViolation) as refusal:
            reseal(seals={decks[0].serial: "P-1"}, with_=second, by=chief)
        assert (refusal.value.rule, refusal.value.code) == ("GEN-10", code)
    second = builders.beside(chief, Role.ADMINISTRATOR).actor
    with pytest.raises(Refused) as twice:
        reseal(seals=dict.fromkeys(serials(decks), "P-1"), with_=second, by=chief)
    assert twice.value.code == "seal_taken"


# ---- set aside and withdrawn ------------------------------------------------------------------------


@pytest.mark.rule("CARD-15")
def test_a_deck_in_quarantine_is_examined_before_it_is_used(casino: Casino, chief: By, croupier: By) -> None:
    deck = builders.issued_decks(casino, chief, 1)[0]
    quarantine(serials=[deck.serial], by=because(chief, "el precinto está rasgado"))
    assert stands(deck)[:2] == ("quarantine", "")
    with pytest.raises(Conflict) as refusal:
        give_back(serials=[deck.serial], by=chief)
    assert (refusal.value.code, refusal.value.rule) == ("deck_in_quarantine", "CARD-15")
    inspect_deck(
        deck=deck, counted=52, by_suit_shown=True, backs_checked=True, inspector=chief.actor,
        witness=croupier.actor, by=chief,
    )  # fmt: skip
    assert stands(deck) == ("passed", moving.DESK, "")


@pytest.mark.rule("CARD-44", "CARD-45")
def test_a_withdrawn_deck_does_not_come_back(casino: Casino, chief: By, croupier: By) -> None:
    deck = builders.registered_decks(casino, chief, 1)[0]
    withdraw(serials=[deck.serial], by=because(chief, "caja aplastada"))
    assert stands(deck)[:2] == ("withdrawn", "")
    move = DeckMove.objects.get(deck=deck, kind="withdrawn")
    assert (move.was, move.reason, move.by) == ("store", "caja aplastada", chief.actor)
    with pytest.raises(Conflict) as refusal:
        quarantine(serials=[deck.serial], by=because(chief))
    assert (refusal.value.code, refusal.value.rule) == ("deck_withdrawn", "CARD-12")


@pytest.mark.parametrize("act", [quarantine, withdraw])
def test_a_deck_is_set_aside_with_a_reason(casino: Casino, chief: By, act: Act) -> None:
    deck = builders.registered_decks(casino, chief, 1)[0]
    with pytest.raises(Refused) as refusal:
        act(serials=[deck.serial], by=because(chief, " "))
    assert refusal.value.code == "reason_missing"
    assert stands(deck)[0] == "store"


@pytest.mark.rule("CARD-43")
@pytest.mark.parametrize("act", [quarantine, withdraw])
def test_what_came_out_of_a_shoe_is_counted_before_it_is_set_aside(
    casino: Casino, chief: By, act: Act
) -> None:
    shoe = builders.shoe_in_play(casino, chief, decks=6)
    end_shoe(shoe=shoe, reason="fin", by=chief)
    deck = decks_of(shoe)[0]
    with pytest.raises(Conflict) as refusal:
        act(serials=[deck.serial], by=because(chief))
    assert (refusal.value.code, refusal.value.rule) == ("deck_not_counted", "CARD-43")
    assert refusal.value.detail["shoe"] == shoe.label
    builders.counted(shoe, chief)
    act(serials=[deck.serial], by=because(chief))


def test_all_of_them_or_none(casino: Casino, chief: By) -> None:
    decks = builders.registered_decks(casino, chief, 3)
    for given, code in (
        (["ZZ"], "unknown_deck"),
        ([decks[0].serial] * 2, "serial_repeated"),
        ([], "no_decks"),
    ):
        with pytest.raises(Refused) as refusal:
            withdraw(serials=given, by=because(chief))
        assert (refusal.value.code, refusal.value.field) == (code, "serials")
    withdraw(serials=[decks[0].serial], by=because(chief))
    with pytest.raises(Conflict):
        withdraw(serials=serials(decks), by=because(chief))
    assert [stands(deck)[0] for deck in decks] == ["withdrawn", "store", "store"]


def test_decks_of_several_batches_are_told_in_the_stream_of_each(casino: Casino, chief: By) -> None:
    first = builders.registered_decks(casino, chief, 2, batch="L-1")
    second = builders.registered_decks(casino, chief, 1, batch="L-2")
    withdraw(serials=serials([*second, *first]), by=because(chief))
    told = Event.objects.filter(action="shoes.deck.taken_out").order_by("stream__name")
    assert [(event.stream.name, event.subject_label) for event in told] == [
        ("deck_batch:L-1", "L-1"),
        ("deck_batch:L-2", "L-2"),
    ]
    assert {move.event.stream.name for move in DeckMove.objects.filter(deck__in=first, kind="withdrawn")} == {
        "deck_batch:L-1"
    }
    assert builders.faults(casino) == []


# ---- under investigation ----------------------------------------------------------------------------


@pytest.mark.rule("CARD-45")
def test_a_held_deck_is_neither_used_cancelled_nor_destroyed(casino: Casino, chief: By, office: By) -> None:
    deck = builders.inspected_decks(casino, chief, 1)[0]
    incident = builders.an_incident(chief)
    hold(serials=[deck.serial], incident=incident, by=office)
    assert stands(deck)[:2] == ("held", "")
    assert deck.incident == incident
    for act in (
        lambda: give_back(serials=[deck.serial], by=chief),
        lambda: withdraw(serials=[deck.serial], by=because(chief)),
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


@pytest.mark.rule("CARD-45")
def test_only_a_withdrawn_deck_is_cancelled(casino: Casino, chief: By, office: By) -> None:
    deck = builders.registered_decks(casino, chief, 1)[0]
    with pytest.raises(Conflict) as refusal:
        cancel(serials=[deck.serial], by=office)
    assert refusal.value.code == "deck_in_store"
    withdraw(serials=[deck.serial], by=because(office))
    cancel(serials=[deck.serial], by=office)
    with pytest.raises(Conflict) as again:
        cancel(serials=[deck.serial], by=office)
    assert (again.value.code, again.value.rule) == ("deck_cancelled", "CARD-45")


@pytest.mark.parametrize(
    ("role", "may"),
    [
        (Role.CROUPIER, set()),
        (Role.SUPERVISOR, {"withdraw", "cancel"}),
        (Role.PIT_BOSS, {"withdraw", "hold", "cancel"}),
        (Role.CAGE, set()),
        (Role.COMPLIANCE, {"withdraw", "hold", "cancel", "release"}),
        (Role.INSPECTOR, set()),
        (Role.ADMINISTRATOR, {"withdraw", "cancel"}),
        (Role.DEVICE, set()),
    ],
)
def test_who_may_do_what_with_the_store(casino: Casino, chief: By, role: Role, may: set[str]) -> None:
    incident = builders.an_incident(chief)
    second = builders.beside(chief, Role.CAGE).actor
    by = builders.a_person(casino, role).because("prueba")
    for name, act in {
        "withdraw": lambda: withdraw(serials=[], by=by),
        "hold": lambda: hold(serials=[], incident=incident, by=by),
        "cancel": lambda: cancel(serials=[], by=by),
        "release": lambda: release(serials=[], with_=second, by=by),
    }.items():
        with pytest.raises(SabotError) as refusal:
            act()
        assert (refusal.value.code == "not_allowed") == (name not in may)


def test_an_act_told_late_moves_its_deck_after_the_one_before(casino: Casino, chief: By) -> None:
    """An act told late is entered at the instant of the one before it: moves of a deck follow in time."""
    deck = builders.registered_decks(casino, chief, 1)[0]
    late = replace(chief, occurred_at=chief.occurred_at - dt.timedelta(hours=2), reason="caja rota")
    withdraw(serials=[deck.serial], by=late)
    move = deck.moves.get(kind="withdrawn")
    assert move.at == deck.moves.get(seq=1).at
    assert move.event.occurred == late.occurred_at
    assert builders.faults(casino) == []
