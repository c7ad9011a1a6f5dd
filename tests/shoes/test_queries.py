"""What screens read: the checklist, the shoes that are ready, the decks in stock."""

from __future__ import annotations

import pytest

from audits.by import By
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import policies, queries
from shoes.closing import decks_of
from shoes.models import Deck, DeckInspection, Shoe, ShoeStep
from shoes.shoes import end_shoe, start_shoe, take_step
from shoes.store import hold, quarantine
from tests.shoes import builders


def statuses(shoe: Shoe) -> dict[str, str]:
    return {line.step: line.status for line in queries.checklist(shoe)}


def test_the_checklist_says_what_is_done_what_comes_and_who_signed(
    casino: Casino, chief: By, croupier: By
) -> None:
    shoe = builders.shoe_up_to(casino, chief, "shuffle")
    shoe = take_step(shoe=shoe, step="wash", by=croupier)
    assert statuses(shoe) == {
        "decks": "done",
        "show": "done",
        "wash": "done",
        "shuffle": "now",
        "check": "later",
        "cut": "later",
        "turn": "later",
        "load": "later",
        "burn": "later",
    }
    wash = queries.checklist(shoe)[2]
    assert wash.rules == ("CARD-22",)
    assert wash.again
    assert [signature.name for signature in wash.signatures] == ["Julia Rojas", "Mario Paz"]


def test_the_checklist_of_a_shoe_without_decks(casino: Casino, chief: By) -> None:
    lines = queries.checklist(start_shoe(game="baccarat.mini", by=chief))
    assert [line.status for line in lines] == ["now", *["later"] * 8]


@pytest.mark.parametrize("make", [builders.ready_shoe, builders.shoe_in_play])
def test_the_checklist_of_a_prepared_shoe_is_all_done(casino: Casino, chief: By, make: object) -> None:
    shoe = make(casino, chief)  # type: ignore[operator]
    assert set(statuses(shoe).values()) == {"done"}
    assert not any(line.again for line in queries.checklist(shoe))


def test_shoes_ready_for_a_game_oldest_first(casino: Casino, chief: By) -> None:
    user = chief.actor.user
    first, second = builders.ready_shoe(casino, chief), builders.ready_shoe(casino, chief)
    builders.ready_shoe(casino, chief, game="baccarat.midi")
    begun = builders.shoe_up_to(casino, chief, "cut")
    playing = builders.shoe_in_play(casino, chief)
    assert list(queries.ready_shoes(user, "baccarat.mini")) == [first, second]
    assert begun in queries.shoes_in_preparation(user)
    assert playing not in queries.shoes_in_preparation(user)
    assert queries.shoe_in_play(user, "PB-01") == playing
    assert queries.shoe_in_play(user, "PB-02") is None


@pytest.mark.rule("CARD-14", "CARD-43")
def test_what_waits_for_hands_is_listed(casino: Casino, chief: By) -> None:
    """To be inspected, fit for a shoe, to be counted at the close; decks of the store wait for nothing."""
    user = chief.actor.user
    builders.registered_decks(casino, chief, 2)
    issued = builders.issued_decks(casino, chief, 1)
    aside = builders.issued_decks(casino, chief, 1)
    quarantine(serials=[deck.serial for deck in aside], by=chief.because("precinto rasgado"))
    fit = builders.inspected_decks(casino, chief, 3)
    shoe = builders.shoe_with_decks(casino, chief, decks=6)
    assert list(queries.decks_to_inspect(user)) == [*issued, *aside]
    assert list(queries.fit_decks(user)) == fit
    assert list(queries.shoes_to_count(user)) == []
    end_shoe(shoe=shoe, reason="fin", by=chief)
    assert list(queries.shoes_to_count(user)) == [shoe]
    builders.counted(shoe, chief)
    assert list(queries.shoes_to_count(user)) == []
    assert list(queries.fit_decks(user)) == fit


@pytest.mark.rule("CARD-43", "CARD-45")
def test_a_shoe_whose_decks_are_held_is_still_to_be_counted(casino: Casino, chief: By) -> None:
    shoe = end_shoe(shoe=builders.shoe_in_play(casino, chief, decks=6), reason="fin", by=chief)
    incident, boss = builders.an_incident(chief), builders.beside(chief, Role.PIT_BOSS)
    hold(serials=[deck.serial for deck in decks_of(shoe)], incident=incident, by=boss)
    assert list(queries.shoes_to_count(chief.actor.user)) == [shoe]
    builders.counted(shoe, chief)
    assert list(queries.shoes_to_count(chief.actor.user)) == []


def test_every_role_of_the_house_reads_its_own_casino_only(casino: Casino, chief: By) -> None:
    builders.ready_shoe(casino, chief)
    stranger = builders.a_person(builders.a_casino(), Role.PIT_BOSS).actor.user
    readers = [role for role in Role if role is not Role.SYSTEM]
    users = [builders.a_person(casino, role).actor.user for role in readers]
    for model in (Deck, DeckInspection, Shoe, ShoeStep):
        assert not model.objects.restrict(stranger, policies.READ).exists()
        for user in users:
            assert model.objects.restrict(user, policies.READ).count() == model.objects.count() > 0
    users[0].is_active = False
    assert not Shoe.objects.restrict(users[0], policies.READ).exists()
