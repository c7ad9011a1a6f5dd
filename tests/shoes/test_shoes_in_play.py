"""A shoe in play: into it, changed in one act, its stop card, and its end."""

from __future__ import annotations

from typing import Any

import pytest

from audits.by import By
from audits.models import Event
from casino.kernel.errors import Conflict, NotAllowed, Refused
from casino.models import Casino
from shoes.closing import decks_of
from shoes.models import Deck, Shoe
from shoes.shoes import (
    abandon_shoe,
    add_decks,
    change_in_play,
    end_shoe,
    mark_stop_card,
    put_in_play,
    start_shoe,
    take_step,
)
from tests.shoes import builders
from tests.shoes.test_shoes import serials


@pytest.mark.rule("CARD-46")
def test_a_ready_shoe_goes_into_play_at_one_table(casino: Casino, chief: By) -> None:
    shoe = put_in_play(
        shoe=builders.ready_shoe(casino, chief), table_label="PB-01", game="baccarat.mini", by=chief
    )
    assert (shoe.state, shoe.table_label) == ("in_play", "PB-01")
    with pytest.raises(Conflict) as refusal:
        put_in_play(shoe=shoe, table_label="PB-02", game="baccarat.mini", by=chief)
    assert refusal.value.code == "shoe_not_ready"


@pytest.mark.parametrize("step", [step for step, _data in builders.STEPS])
def test_a_shoe_that_is_not_ready_does_not_go_into_play(casino: Casino, chief: By, step: str) -> None:
    shoe = builders.shoe_up_to(casino, chief, step)
    with pytest.raises(Conflict) as refusal:
        put_in_play(shoe=shoe, table_label="PB-01", game="baccarat.mini", by=chief)
    assert refusal.value.code == "shoe_not_ready"
    assert refusal.value.detail == {"expected": step}
    assert refusal.value.rule


def test_a_shoe_prepared_for_another_game_does_not_go_into_play(casino: Casino, chief: By) -> None:
    shoe = builders.ready_shoe(casino, chief, game="baccarat.midi")
    with pytest.raises(Conflict) as refusal:
        put_in_play(shoe=shoe, table_label="PB-01", game="baccarat.mini", by=chief)
    assert refusal.value.code == "shoe_of_other_game"
    assert refusal.value.detail == {"prepared_for": "baccarat.midi", "wanted": "baccarat.mini"}


@pytest.mark.rule("CARD-04")
@pytest.mark.rule("CARD-46")
def test_a_shoe_is_changed_in_one_act(casino: Casino, chief: By) -> None:
    old, new = builders.shoe_in_play(casino, chief), builders.ready_shoe(casino, chief)
    for pair in ((old, new), (new, builders.ready_shoe(casino, chief))):
        about = {"game": "baccarat.mini", "by": chief, "reason": "carta de detención"}
        now = change_in_play(old=pair[0], new=pair[1], **about)
        before = Shoe.objects.get(pk=pair[0].pk)
        assert (now.pk, now.state, now.table_label) == (pair[1].pk, "in_play", "PB-01")
        assert (before.state, before.end_reason, before.decks.count()) == ("ended", "carta de detención", 0)


def test_only_a_shoe_in_play_is_changed(casino: Casino, chief: By) -> None:
    old, new = builders.ready_shoe(casino, chief), builders.ready_shoe(casino, chief)
    with pytest.raises(Conflict) as refusal:
        change_in_play(old=old, new=new, game="baccarat.mini", by=chief, reason="cambio")
    assert refusal.value.code == "shoe_not_in_play"


def test_a_shoe_that_is_not_ready_leaves_the_old_one_in_play(casino: Casino, chief: By) -> None:
    old, new = builders.shoe_in_play(casino, chief), builders.shoe_up_to(casino, chief, "burn")
    with pytest.raises(Conflict) as refusal:
        change_in_play(old=old, new=new, game="baccarat.mini", by=chief, reason="cambio")
    assert (refusal.value.code, refusal.value.rule) == ("shoe_not_ready", "CARD-37")
    old.refresh_from_db()
    assert (old.state, old.table_label) == ("in_play", "PB-01")


def test_a_table_has_one_shoe_in_play(casino: Casino, chief: By) -> None:
    first = builders.shoe_in_play(casino, chief)
    second = builders.ready_shoe(casino, chief)
    with pytest.raises(Conflict) as refusal:
        put_in_play(shoe=second, table_label="PB-01", game="baccarat.mini", by=chief)
    assert refusal.value.code == "table_has_shoe"
    end_shoe(shoe=first, reason="carta de detención", by=chief)
    assert put_in_play(shoe=second, table_label="PB-01", game="baccarat.mini", by=chief).state == "in_play"


@pytest.mark.rule("CARD-46")
def test_a_physical_box_holds_one_pack(casino: Casino, chief: By) -> None:
    def loaded(device: str) -> Shoe:
        shoe = start_shoe(game="baccarat.mini", decks_wanted=6, device=device, by=chief)
        shoe = add_decks(shoe=shoe, serials=serials(builders.inspected_decks(casino, chief, 6)), by=chief)
        for step, data in builders.STEPS:
            shoe = builders.signed(shoe, step, data, chief)
        return shoe

    loaded("C-7")
    with pytest.raises(Conflict) as refusal:
        loaded("C-7")
    assert (refusal.value.code, refusal.value.rule) == ("device_in_use", "CARD-46")


def test_a_croupier_does_not_put_a_shoe_in_play(casino: Casino, chief: By, croupier: By) -> None:
    with pytest.raises(NotAllowed):
        put_in_play(
            shoe=builders.ready_shoe(casino, chief), table_label="PB-01", game="baccarat.mini", by=croupier
        )


def test_a_shoe_in_play_takes_no_step(casino: Casino, chief: By) -> None:
    with pytest.raises(Conflict) as refusal:
        take_step(shoe=builders.shoe_in_play(casino, chief), step="wash", by=chief)
    assert refusal.value.code == "step_out_of_order"


@pytest.mark.rule("CARD-43")
@pytest.mark.rule("CARD-44")
@pytest.mark.parametrize("make", [builders.shoe_in_play, builders.ready_shoe, builders.shoe_with_decks])
def test_the_decks_of_an_ended_shoe_wait_for_their_closing_count(
    casino: Casino, chief: By, make: Any
) -> None:
    shoe = make(casino, chief)
    decks = list(shoe.decks.all())
    ended = end_shoe(shoe=shoe, reason="fin del turno", by=chief)
    assert (ended.state, ended.table_label, ended.end_reason) == ("ended", "", "fin del turno")
    assert set(Deck.objects.values_list("state", "shoe")) == {("returned", None)}
    assert {deck.pk for deck in decks_of(ended)} == {deck.pk for deck in decks}
    other = start_shoe(game="baccarat.mini", by=chief)
    with pytest.raises(Conflict) as refusal:
        add_decks(shoe=other, serials=serials(decks[:1]), by=chief)
    assert (refusal.value.code, refusal.value.rule) == ("deck_not_counted", "CARD-43")


def test_a_shoe_in_play_is_not_abandoned(casino: Casino, chief: By) -> None:
    with pytest.raises(Conflict) as refusal:
        abandon_shoe(shoe=builders.shoe_in_play(casino, chief), reason="error", by=chief)
    assert refusal.value.code == "shoe_in_play"
    assert "PB-01" in refusal.value.message.es
    ready = builders.ready_shoe(casino, chief)
    assert abandon_shoe(shoe=ready, reason="carta dañada", by=chief).state == "ended"


def test_an_ended_shoe_is_over(casino: Casino, chief: By) -> None:
    shoe = end_shoe(shoe=builders.ready_shoe(casino, chief), reason="cartas gastadas", by=chief)
    for again in (
        lambda: end_shoe(shoe=shoe, reason="otra vez", by=chief),
        lambda: take_step(shoe=shoe, step="wash", by=chief),
    ):
        with pytest.raises(Conflict) as refusal:
            again()
        assert refusal.value.code == "shoe_ended"
    with pytest.raises(Conflict) as not_ready:
        put_in_play(shoe=shoe, table_label="PB-01", game="baccarat.mini", by=chief)
    assert not_ready.value.code == "shoe_not_ready"


def test_an_end_has_a_reason(casino: Casino, chief: By) -> None:
    with pytest.raises(Refused) as refusal:
        end_shoe(shoe=builders.ready_shoe(casino, chief), reason=" ", by=chief)
    assert refusal.value.code == "reason_missing"


@pytest.mark.rule("CARD-38")
@pytest.mark.rule("CARD-42")
def test_the_stop_card_seen_before_its_place_is_told_with_the_count(casino: Casino, chief: By) -> None:
    shoe = mark_stop_card(shoe=builders.shoe_in_play(casino, chief), by=chief)
    mark_stop_card(shoe=shoe, by=chief)
    assert shoe.stop_reached
    event = Event.objects.get(action="shoes.shoe.stop_card_seen")
    assert event.rules == ["CARD-38", "CARD-42"]
    assert b'"remaining":413' in bytes(event.body)


def test_the_stop_card_is_seen_only_in_play(casino: Casino, chief: By) -> None:
    with pytest.raises(Conflict) as refusal:
        mark_stop_card(shoe=builders.ready_shoe(casino, chief), by=chief)
    assert refusal.value.code == "shoe_not_in_play"
