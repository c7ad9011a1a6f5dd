"""Decks destroyed with an act, before two witnesses (CARD-45)."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from audits.by import By, by_system
from audits.models import Actor, Event
from audits.people import set_active
from casino.kernel.errors import Conflict, NotAllowed, NotFound, Refused, RuleViolation
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes.acts import destroy
from shoes.models import Deck, DestructionAct
from shoes.store import cancel, hold
from tests.shoes import builders

HOW = {"method": "trituradas", "site": "depósito de la casa"}


@pytest.fixture
def witnesses(casino: Casino, office: By) -> list[Actor]:
    return [builders.a_person(casino, Role.CROUPIER).actor, office.actor]


def cancelled(casino: Casino, by: By, count: int = 1) -> list[str]:
    serials = [deck.serial for deck in builders.registered_decks(casino, by, count)]
    builders.withdrawn(serials, by=by.because("gastadas"))
    cancel(serials=serials, by=by)
    return serials


@pytest.mark.rule("CARD-45")
def test_cancelled_decks_are_destroyed_by_one_act(casino: Casino, chief: By, witnesses: list[Actor]) -> None:
    serials = cancelled(casino, chief, 3)
    act = destroy(serials=serials, witnesses=witnesses, by=chief, **HOW)
    assert act.label == f"ACT-{chief.occurred_at.year}-0001"
    assert (act.executed_by, [act.first_witness, act.second_witness]) == (chief.actor, witnesses)
    assert sorted(move.deck.serial for move in act.moves.all()) == sorted(serials)
    assert set(Deck.objects.values_list("state", flat=True)) == {"destroyed"}
    event = Event.objects.get(action="shoes.act.signed")
    assert (event.stream.name, event.subject_label, event.rules) == (
        "store",
        act.label,
        ["CARD-45", "GEN-10"],
    )
    assert builders.faults(casino) == []
    with pytest.raises(Conflict) as again:
        destroy(serials=serials[:1], witnesses=witnesses, by=chief, **HOW)
    assert (again.value.code, again.value.rule) == ("deck_destroyed", "CARD-45")


@pytest.mark.rule("CARD-45")
def test_one_deck_that_is_not_cancelled_and_none_is_destroyed(
    casino: Casino, chief: By, witnesses: list[Actor]
) -> None:
    serials = cancelled(casino, chief, 2)
    withdrawn = builders.registered_decks(casino, chief, 1)[0].serial
    builders.withdrawn([withdrawn], by=chief.because("gastada"))
    for given, code in (
        ([*serials, withdrawn], "deck_withdrawn"),
        ([*serials, "ZZ"], "unknown_deck"),
        ([], "no_decks"),
        ([serials[0], serials[0]], "serial_repeated"),
    ):
        with pytest.raises((Conflict, Refused)) as refusal:
            destroy(serials=given, witnesses=witnesses, by=chief, **HOW)
        assert refusal.value.code == code
    assert not DestructionAct.objects.exists()
    assert Deck.objects.filter(state="cancelled").count() == 2
    # What was refused took no number.
    assert destroy(serials=serials, witnesses=witnesses, by=chief, **HOW).number == 1


@pytest.mark.rule("CARD-45")
def test_a_deck_under_investigation_is_not_destroyed(
    casino: Casino, chief: By, witnesses: list[Actor]
) -> None:
    serials = cancelled(casino, chief, 2)
    incident = builders.an_incident(chief)
    hold(serials=serials[:1], incident=incident, by=builders.beside(chief, Role.PIT_BOSS))
    with pytest.raises(Conflict) as refusal:
        destroy(serials=serials, witnesses=witnesses, by=chief, **HOW)
    assert (refusal.value.code, refusal.value.rule) == ("deck_under_investigation", "CARD-45")
    assert refusal.value.detail["serial"] == serials[0]
    assert list(Deck.objects.order_by("pk").values_list("state", flat=True)) == ["held", "cancelled"]


@pytest.mark.rule("CARD-45")
def test_acts_are_numbered_without_a_gap_in_each_year(
    casino: Casino, chief: By, witnesses: list[Actor]
) -> None:
    # 31 December 2026, 23:30 in La Paz is 1 January 2027, 03:30 UTC: still an act of 2026.
    eve = dt.datetime(2027, 1, 1, 3, 30, tzinfo=dt.UTC)
    labels = []
    for at in (eve, eve, eve + dt.timedelta(hours=1), eve + dt.timedelta(hours=1)):
        serials = cancelled(casino, chief)
        later = replace(chief, occurred_at=at)
        labels.append(destroy(serials=serials, witnesses=witnesses, by=later, **HOW).label)
    assert labels == ["ACT-2026-0001", "ACT-2026-0002", "ACT-2027-0001", "ACT-2027-0002"]
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-45", "GEN-10")
def test_two_different_people_of_the_house_witness_and_one_is_of_the_office(
    casino: Casino, chief: By, office: By
) -> None:
    serials = cancelled(casino, chief)
    croupier, other = (builders.a_person(casino, Role.CROUPIER).actor for _ in range(2))
    inspector, tablet = (builders.a_person(casino, role).actor for role in (Role.INSPECTOR, Role.DEVICE))
    gone = builders.a_person(casino, Role.ADMINISTRATOR).actor
    set_active(user=gone.user, active=False, by=by_system(casino, "pruebas", reason="se fue"))
    for given, rule, code in (
        ([office.actor], "CARD-45", "witnesses_wanted"),
        ([croupier, other, office.actor], "CARD-45", "witnesses_wanted"),
        ([office.actor, office.actor], "GEN-10", "same_person"),
        ([chief.actor, office.actor], "GEN-10", "same_person"),
        ([office.actor, chief.actor], "GEN-10", "same_person"),
        ([croupier, other], "CARD-45", "witness_not_qualified"),
        ([office.actor, inspector], "CARD-45", "witness_not_qualified"),
        ([tablet, office.actor], "CARD-45", "witness_not_qualified"),
        ([office.actor, Actor.objects.get(pk=gone.pk)], "CARD-45", "witness_not_qualified"),
    ):
        with pytest.raises(RuleViolation) as refusal:
            destroy(serials=serials, witnesses=given, by=chief, **HOW)
        assert (refusal.value.rule, refusal.value.code) == (rule, code)
    stranger = builders.a_person(builders.a_casino(), Role.COMPLIANCE).actor
    with pytest.raises(NotFound):
        destroy(serials=serials, witnesses=[croupier, stranger], by=chief, **HOW)
    administrator = builders.a_person(casino, Role.ADMINISTRATOR).actor
    assert destroy(serials=serials, witnesses=[croupier, administrator], by=chief, **HOW).number == 1


@pytest.mark.parametrize("about", [{"method": ""}, {"method": "x" * 121}, {"site": " "}, {"site": "a\nb"}])
def test_an_act_says_how_and_where(
    casino: Casino, chief: By, witnesses: list[Actor], about: dict[str, Any]
) -> None:
    with pytest.raises(Refused) as refusal:
        destroy(serials=cancelled(casino, chief), witnesses=witnesses, by=chief, **{**HOW, **about})
    assert (refusal.value.code, refusal.value.field) == ("bad_act", next(iter(about)))


@pytest.mark.parametrize("role", [Role.CROUPIER, Role.CAGE, Role.INSPECTOR, Role.DEVICE])
def test_who_may_not_destroy(casino: Casino, witnesses: list[Actor], role: Role) -> None:
    with pytest.raises(NotAllowed):
        destroy(serials=["A"], witnesses=witnesses, by=builders.a_person(casino, role), **HOW)


@pytest.mark.rule("CARD-45", "GEN-10")
def test_the_database_takes_no_act_signed_by_fewer_than_three(casino: Casino, chief: By, office: By) -> None:
    for first, second in ((chief, office), (office, office), (office, chief)):
        with pytest.raises(IntegrityError, match="act_signed_by_three"), transaction.atomic():
            DestructionAct.objects.create(
                casino=casino, year=2026, number=9, method="m", site="s", executed_by=chief.actor,
                first_witness=first.actor, second_witness=second.actor, at=chief.occurred_at,
            )  # fmt: skip
