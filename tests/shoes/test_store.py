"""What the store does with decks: taken back, sealed again, set aside, held, released, cancelled."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from audits.by import By
from audits.models import Actor, Event
from casino.kernel.errors import Conflict, Refused, RuleViolation, SabotError
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import moving
from shoes.closing import decks_of
from shoes.examining import inspect_deck
from shoes.models import Deck, DeckMove
from shoes.shoes import end_shoe
from shoes.store import cancel, give_back, hold, quarantine, release, reseal, withdraw
from tests.shoes import builders

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


def by_two(*, serials: Sequence[str], by: By) -> list[Deck]:
    return builders.withdrawn(serials, by)


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


@pytest.mark.rule("CARD-15")
def test_the_envelope_of_a_withdrawn_deck_is_signed_by_two(casino: Casino, chief: By, croupier: By) -> None:
    deck = builders.registered_decks(casino, chief, 1)[0]
    by = because(chief, "caja aplastada")
    cage = builders.a_person(casino, Role.CAGE).actor
    for second, code in ((chief.actor, "same_person"), (cage, "not_qualified")):
        with pytest.raises(RuleViolation) as refusal:
            withdraw(serials=[deck.serial], with_=second, by=by)
        assert (refusal.value.rule, refusal.value.code, refusal.value.field) == ("GEN-10", code, "second")
    withdraw(serials=[deck.serial], with_=croupier.actor, by=by)
    move = deck.moves.get(kind="withdrawn")
    assert (move.by, move.second, "CARD-15" in move.event.rules) == (chief.actor, croupier.actor, True)
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-44", "CARD-45")
def test_a_withdrawn_deck_does_not_come_back(casino: Casino, chief: By, croupier: By) -> None:
    deck = builders.registered_decks(casino, chief, 1)[0]
    builders.withdrawn([deck.serial], by=because(chief, "caja aplastada"))
    assert stands(deck)[:2] == ("withdrawn", "")
    move = DeckMove.objects.get(deck=deck, kind="withdrawn")
    assert (move.was, move.reason, move.by) == ("store", "caja aplastada", chief.actor)
    with pytest.raises(Conflict) as refusal:
        quarantine(serials=[deck.serial], by=because(chief))
    assert (refusal.value.code, refusal.value.rule) == ("deck_withdrawn", "CARD-12")


@pytest.mark.parametrize("act", [quarantine, by_two])
def test_a_deck_is_set_aside_with_a_reason(casino: Casino, chief: By, act: Act) -> None:
    deck = builders.registered_decks(casino, chief, 1)[0]
    with pytest.raises(Refused) as refusal:
        act(serials=[deck.serial], by=because(chief, " "))
    assert refusal.value.code == "reason_missing"
    assert stands(deck)[0] == "store"


@pytest.mark.rule("CARD-43")
@pytest.mark.parametrize("act", [quarantine, by_two])
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
            builders.withdrawn(given, by=because(chief))
        assert (refusal.value.code, refusal.value.field) == (code, "serials")
    builders.withdrawn([decks[0].serial], by=because(chief))
    with pytest.raises(Conflict):
        builders.withdrawn(serials(decks), by=because(chief))
    assert [stands(deck)[0] for deck in decks] == ["withdrawn", "store", "store"]


def test_decks_of_several_batches_are_told_in_the_stream_of_each(casino: Casino, chief: By) -> None:
    first = builders.registered_decks(casino, chief, 2, batch="L-1")
    second = builders.registered_decks(casino, chief, 1, batch="L-2")
    builders.withdrawn(serials([*second, *first]), by=because(chief))
    told = Event.objects.filter(action="shoes.deck.taken_out").order_by("stream__name")
    assert [(event.stream.name, event.subject_label) for event in told] == [
        ("deck_batch:L-1", "L-1"),
        ("deck_batch:L-2", "L-2"),
    ]
    assert {move.event.stream.name for move in DeckMove.objects.filter(deck__in=first, kind="withdrawn")} == {
        "deck_batch:L-1"
    }
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-45")
def test_only_a_withdrawn_deck_is_cancelled(casino: Casino, chief: By, office: By) -> None:
    deck = builders.registered_decks(casino, chief, 1)[0]
    with pytest.raises(Conflict) as refusal:
        cancel(serials=[deck.serial], by=office)
    assert refusal.value.code == "deck_in_store"
    builders.withdrawn([deck.serial], by=because(office))
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
        "withdraw": lambda: builders.withdrawn([], by=by),
        "hold": lambda: hold(serials=[], incident=incident, by=by),
        "cancel": lambda: cancel(serials=[], by=by),
        "release": lambda: release(serials=[], with_=second, by=by),
    }.items():
        with pytest.raises(SabotError) as refusal:
            act()
        assert (refusal.value.code == "not_allowed") == (name not in may)


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda deck, by, _: give_back(serials=[deck], by=by), "sólo vuelve lo que se entregó"),
        (lambda deck, by, _: cancel(serials=[deck], by=by), "retírela antes"),
        (
            lambda deck, by, other: release(serials=[deck], with_=other, by=by),
            "sólo se libera lo que retiene",
        ),
    ],
)
def test_a_move_that_cannot_be_says_what_comes_first(
    casino: Casino, chief: By, office: By, act: Callable[[str, By, Actor], Any], says: str
) -> None:
    """Advice for a deck of the store is to issue it; whoever wants to cancel it wants another."""
    deck = builders.registered_decks(casino, chief, 1)[0]
    with pytest.raises(Conflict) as refusal:
        act(deck.serial, office, chief.actor)
    assert refusal.value.code == "deck_in_store"
    assert "está «en depósito»" in refusal.value.message.es
    assert says in refusal.value.message.es


def test_an_act_told_late_moves_its_deck_after_the_one_before(casino: Casino, chief: By) -> None:
    """An act told late is entered at the instant of the one before it: moves of a deck follow in time."""
    deck = builders.registered_decks(casino, chief, 1)[0]
    late = replace(chief, occurred_at=chief.occurred_at - dt.timedelta(hours=2), reason="caja rota")
    builders.withdrawn([deck.serial], by=late)
    move = deck.moves.get(kind="withdrawn")
    assert move.at == deck.moves.get(seq=1).at
    assert move.event.occurred == late.occurred_at
    assert builders.faults(casino) == []
