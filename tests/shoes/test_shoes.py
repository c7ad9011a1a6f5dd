"""A shoe from its first deck until it is ready, by the write functions."""

from __future__ import annotations

from typing import Any

import pytest

from audits.by import By
from audits.models import Event
from casino.kernel.errors import Conflict, NotAllowed, NotFound, Refused, RuleViolation
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes.examining import inspect_deck
from shoes.models import Deck, Shoe
from shoes.procedures import PROCEDURES
from shoes.shoes import (
    add_decks,
    put_in_play,
    start_shoe,
    take_step,
)
from tests.shoes import builders


def serials(decks: list[Deck]) -> list[str]:
    return [deck.serial for deck in decks]


@pytest.mark.rule("CARD-06")
@pytest.mark.rule("CARD-42")
@pytest.mark.parametrize(("decks", "cards"), [(6, 312), (8, 416)])
@pytest.mark.parametrize("game", [code for code in PROCEDURES if code.startswith("baccarat.")])
def test_a_shoe_goes_through_every_step(casino: Casino, chief: By, game: str, decks: int, cards: int) -> None:
    shoe = builders.ready_shoe(casino, chief, game=game, decks=decks)
    shoe.refresh_from_db()
    assert shoe.label == "S-000001"
    assert shoe.state == Shoe.State.READY
    # turned 2c and burned two more: three out
    assert (shoe.total, shoe.burned, shoe.remaining, shoe.dealt) == (cards, 3, cards - 3, 0)
    assert shoe.seen == {"2c": 1}
    assert shoe.stop_at == 6
    assert not shoe.stop_reached
    assert shoe.count_complete
    assert shoe.ready_at == chief.occurred_at


A_CUT = {"declined": [], "cut_by": 1, "position": 20}
OTHERS: list[tuple[str, list[tuple[str, dict[str, Any]]], tuple[int, int, int]]] = [
    (
        "blackjack.classic",
        [
            ("show", {}), ("wash", {}), ("shuffle", {"kind": "triple"}), ("check", {"sequences": "none"}),
            ("cut", {**A_CUT, "position": 100}),
            ("turn", {}), ("load", {"stop_card_from_end": 60}), ("burn", {"burned": 1}),
        ],
        (312, 1, 60),
    ),
    (
        "trente.classic",
        [
            ("show", {}), ("expose", {}), ("shuffle", {"kind": "double"}),
            ("check", {"sequences": "none"}), ("cut", A_CUT),
            ("load", {"stop_card_from_end": 100}), ("burn", {"burned": 5}),
        ],
        (312, 5, 100),
    ),
    (
        "poker.texas",
        [("show", {}), ("shuffle", {"kind": "suggested"}), ("check", {"sequences": "none"}), ("cut", A_CUT)],
        (52, 0, 0),
    ),
    (
        "siete.medio",
        [
            ("show", {}), ("shuffle", {"kind": "other", "sequence": "cinco barajados"}),
            ("check", {"sequences": "none"}), ("cut", A_CUT),
        ],
        (40, 0, 0),
    ),
]  # fmt: skip
"""A preparation without fault after the decks are in; cards in all, burned, behind the stop card."""


@pytest.mark.rule("CARD-27", "CARD-32", "CARD-35", "CARD-36", "CARD-42")
@pytest.mark.parametrize(("game", "steps", "figures"), OTHERS, ids=[game for game, _, _ in OTHERS])
def test_the_pack_of_another_game_goes_through_its_own_steps(
    casino: Casino, chief: By, game: str, steps: list[Any], figures: tuple[int, int, int]
) -> None:
    total, burned, behind = figures
    procedure = PROCEDURES[game]
    wanted = procedure.decks_default
    decks = builders.inspected_decks(casino, chief, wanted, deck_type=procedure.deck_type)
    shoe = start_shoe(game=game, by=chief)
    shoe = add_decks(shoe=shoe, serials=[deck.serial for deck in decks], by=chief)
    for step, data in steps:
        shoe = builders.signed(shoe, step, data, chief)
    shoe.refresh_from_db()
    assert (shoe.state, shoe.deck_type) == (Shoe.State.READY, procedure.deck_type)
    assert (shoe.total, shoe.burned, shoe.remaining, shoe.stop_at) == (total, burned, total - burned, behind)
    # What is burned face down nobody has seen; the count knows all the same how many are left.
    assert (shoe.seen, shoe.count_complete, shoe.stop_reached) == ({}, True, False)


def test_each_step_is_signed_and_on_the_shoes_own_stream(casino: Casino, chief: By, croupier: By) -> None:
    shoe = builders.shoe_up_to(casino, chief, "cut")
    shoe = take_step(shoe=shoe, step="cut", data={"declined": [1], "cut_by": 3, "position": 90}, by=croupier)
    step = shoe.steps.get(step="cut")
    assert step.signed_by == croupier.actor
    assert step.data == {"declined": [1], "cut_by": 3, "position": 90}
    events = list(Event.objects.filter(stream__name=f"shoe:{shoe.pk}").order_by("seq"))
    assert [event.action for event in events] == [
        "shoes.shoe.started",
        "shoes.shoe.decks_added",
        "shoes.pack.shown",
        "shoes.pack.washed",
        "shoes.pack.shuffled",
        "shoes.pack.checked",
        "shoes.pack.cut",
    ]
    assert events[-1].rules == ["CARD-23", "CARD-25", "CARD-22"]
    assert events[-1].actor == croupier.actor


def test_numbers_are_gapless_even_after_a_refusal(casino: Casino, chief: By) -> None:
    assert start_shoe(game="baccarat.mini", by=chief).number == 1
    with pytest.raises(RuleViolation):
        start_shoe(game="baccarat.mini", decks_wanted=7, by=chief)
    assert start_shoe(game="baccarat.midi", by=chief).number == 2


@pytest.mark.rule("CARD-22")
def test_a_step_out_of_order_leaves_nothing(casino: Casino, chief: By) -> None:
    shoe = builders.shoe_up_to(casino, chief, "wash")
    with pytest.raises(Conflict) as refusal:
        take_step(shoe=shoe, step="shuffle", data={"kind": "double"}, by=chief)
    assert (refusal.value.code, refusal.value.rule) == ("step_out_of_order", "CARD-22")
    assert refusal.value.detail["expected"] == "wash"
    shoe.refresh_from_db()
    assert (shoe.state, shoe.steps.count()) == ("assembling", 2)


@pytest.mark.rule("CARD-42")
def test_the_burn_counts_its_cards(casino: Casino, chief: By) -> None:
    shoe = builders.shoe_up_to(casino, chief, "burn", decks=6)
    shoe = take_step(shoe=shoe, step="burn", data={"card": "kd", "burned": 10}, by=chief)
    # the king and ten more: 312 − 11 = 301
    assert (shoe.burned, shoe.remaining, shoe.seen) == (11, 301, {"Kd": 1})


@pytest.mark.rule("CARD-14")
def test_a_deck_not_inspected_does_not_join(casino: Casino, chief: By) -> None:
    shoe = start_shoe(game="baccarat.mini", by=chief)
    decks = builders.issued_decks(casino, chief, 1)
    with pytest.raises(Conflict) as refusal:
        add_decks(shoe=shoe, serials=serials(decks), by=chief)
    assert (refusal.value.code, refusal.value.rule) == ("deck_not_inspected", "CARD-14")


@pytest.mark.rule("CARD-03")
def test_a_deck_of_the_store_does_not_join(casino: Casino, chief: By) -> None:
    shoe = start_shoe(game="baccarat.mini", by=chief)
    with pytest.raises(Conflict) as refusal:
        add_decks(shoe=shoe, serials=serials(builders.registered_decks(casino, chief, 1)), by=chief)
    assert (refusal.value.code, refusal.value.rule) == ("deck_in_store", "CARD-03")


@pytest.mark.rule("CARD-12")
def test_a_withdrawn_deck_does_not_join(casino: Casino, chief: By, croupier: By) -> None:
    deck = builders.issued_decks(casino, chief, 1)[0]
    inspect_deck(
        deck=deck,
        counted=51,
        missing=["Qs"],
        by_suit_shown=True,
        backs_checked=True,
        inspector=chief.actor,
        witness=croupier.actor,
        by=chief,
    )
    shoe = start_shoe(game="baccarat.mini", by=chief)
    with pytest.raises(Conflict) as refusal:
        add_decks(shoe=shoe, serials=[deck.serial], by=chief)
    assert (refusal.value.code, refusal.value.rule) == ("deck_withdrawn", "CARD-12")


@pytest.mark.rule("CARD-04")
def test_a_deck_in_one_shoe_does_not_join_another(casino: Casino, chief: By) -> None:
    decks = builders.inspected_decks(casino, chief, 2)
    first = start_shoe(game="baccarat.mini", by=chief)
    second = start_shoe(game="baccarat.mini", by=chief)
    add_decks(shoe=first, serials=serials(decks[:1]), by=chief)
    with pytest.raises(Conflict) as refusal:
        add_decks(shoe=second, serials=serials(decks), by=chief)
    assert (refusal.value.code, refusal.value.rule) == ("deck_elsewhere", "CARD-04")
    assert refusal.value.detail["shoe"] == "S-000001"
    second.refresh_from_db()
    assert (second.total, second.decks.count()) == (0, 0)


@pytest.mark.rule("CARD-15")
def test_all_backs_of_a_shoe_bear_one_design(casino: Casino, chief: By) -> None:
    diamonds = builders.inspected_decks(casino, chief, 1)
    blue = builders.inspected_decks(casino, chief, 1, back_colour="azul")
    waves = builders.inspected_decks(casino, chief, 1, back_design="ondas")
    shoe = start_shoe(game="baccarat.mini", by=chief)
    shoe = add_decks(shoe=shoe, serials=serials(diamonds), by=chief)
    shoe = add_decks(shoe=shoe, serials=serials(blue), by=chief)
    with pytest.raises(RuleViolation) as refusal:
        add_decks(shoe=shoe, serials=serials(waves), by=chief)
    assert refusal.value.code == "back_designs_differ"
    assert refusal.value.detail["designs"] == ["ondas", "rombos"]


def test_serials_nobody_registered_here(casino: Casino, chief: By) -> None:
    elsewhere = builders.a_casino()
    theirs = builders.inspected_decks(elsewhere, builders.a_person(elsewhere, Role.SUPERVISOR), 1)
    shoe = start_shoe(game="baccarat.mini", by=chief)
    for given in (["ZZZ"], serials(theirs)):
        with pytest.raises(Refused) as refusal:
            add_decks(shoe=shoe, serials=given, by=chief)
        assert (refusal.value.code, refusal.value.field) == ("unknown_deck", "serials")


@pytest.mark.parametrize(
    "role", [Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR, Role.DEVICE]
)
def test_who_may_not_prepare(casino: Casino, role: Role) -> None:
    with pytest.raises(NotAllowed):
        start_shoe(game="baccarat.mini", by=builders.a_person(casino, role))


def test_a_shoe_of_another_casino_does_not_exist(casino: Casino, chief: By) -> None:
    shoe = builders.ready_shoe(casino, chief)
    stranger = builders.a_person(builders.a_casino(), Role.PIT_BOSS)
    with pytest.raises(NotFound):
        put_in_play(shoe=shoe, table_label="PB-01", game="baccarat.mini", by=stranger)
