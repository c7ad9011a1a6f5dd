"""Two people at once: a deck joins one shoe and moves once, a table gets one shoe."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Barrier, Thread

import pytest
from django.db import connection

from audits.by import By
from casino.kernel.errors import Conflict, SabotError
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import moving
from shoes.acts import destroy
from shoes.decks import issue_decks
from shoes.models import Deck, DestructionAct, Shoe
from shoes.proofs import shoe_faults
from shoes.shoes import add_decks, end_shoe, put_in_play, start_shoe
from shoes.store import cancel, give_back, hold, reseal
from tests.builders import a_house
from tests.shoes import builders

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True)]


def at_once(*acts: Callable[[], object]) -> list[SabotError | None]:
    """What each act was refused with, run together in real threads; None where it went through."""
    barrier = Barrier(len(acts))
    outcomes: list[SabotError | None] = [None] * len(acts)
    broken: list[Exception] = []

    def run(at: int, act: Callable[[], object]) -> None:
        try:
            barrier.wait(timeout=10)
            act()
        except SabotError as refusal:
            outcomes[at] = refusal
        except Exception as error:
            broken.append(error)
        finally:
            connection.close()

    threads = [Thread(target=run, args=(at, act)) for at, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert not broken
    return outcomes


def play(shoe: Shoe, table: str, by: By) -> Shoe:
    return put_in_play(shoe=shoe, table_label=table, game=shoe.game, by=by)


@pytest.fixture
def house() -> tuple[Casino, By]:
    casino = builders.a_casino()
    return casino, builders.a_person(casino, Role.SUPERVISOR)


@pytest.mark.rule("CARD-04")
@pytest.mark.parametrize("attempt", range(3))
def test_a_deck_wanted_by_two_shoes_joins_one(house: tuple[Casino, By], attempt: int) -> None:
    casino, chief = house
    decks = builders.inspected_decks(casino, chief, 3)
    serials = [deck.serial for deck in decks]
    shoes = [start_shoe(game="baccarat.mini", by=chief) for _ in range(2)]
    outcomes = at_once(
        lambda: add_decks(shoe=shoes[0], serials=serials, by=chief),
        lambda: add_decks(shoe=shoes[1], serials=serials[::-1], by=chief),
    )
    lost = [refusal for refusal in outcomes if refusal is not None]
    assert [(refusal.code, refusal.rule) for refusal in lost] == [("deck_elsewhere", "CARD-04")]
    winner = shoes[outcomes.index(None)]
    assert set(Deck.objects.values_list("shoe", flat=True)) == {winner.pk}
    assert sorted(Shoe.objects.values_list("total", flat=True)) == [0, 3 * 52]
    assert list(shoe_faults(casino)) == []


@pytest.mark.rule("CARD-06")
def test_two_people_do_not_overfill_a_shoe(house: tuple[Casino, By]) -> None:
    casino, chief = house
    decks = [deck.serial for deck in builders.inspected_decks(casino, chief, 8)]
    shoe = start_shoe(game="baccarat.mini", decks_wanted=6, by=chief)
    outcomes = at_once(
        lambda: add_decks(shoe=shoe, serials=decks[:4], by=chief),
        lambda: add_decks(shoe=shoe, serials=decks[4:], by=chief),
    )
    assert [refusal.code for refusal in outcomes if refusal] == ["too_many_decks"]
    assert shoe.decks.count() == 4


def test_two_shoes_for_one_table(house: tuple[Casino, By]) -> None:
    casino, chief = house
    shoes = [builders.ready_shoe(casino, chief) for _ in range(2)]
    outcomes = at_once(*(partial(play, shoe, "PB-01", chief) for shoe in shoes))
    lost = [refusal for refusal in outcomes if refusal is not None]
    assert [type(refusal) for refusal in lost] == [Conflict]
    assert lost[0].code == "table_has_shoe"


def test_one_shoe_for_two_tables(house: tuple[Casino, By]) -> None:
    casino, chief = house
    shoe = builders.ready_shoe(casino, chief)
    outcomes = at_once(*(partial(play, shoe, table, chief) for table in ("PB-01", "PB-02")))
    assert [refusal.code for refusal in outcomes if refusal] == ["shoe_not_ready"]


# ---- decks ------------------------------------------------------------------------------------------


def moves(deck: Deck) -> list[str]:
    return list(deck.moves.order_by("seq").values_list("kind", flat=True))


def refused(outcomes: list[SabotError | None]) -> Conflict:
    """Exactly one of two went through; why the other did not."""
    (lost,) = [refusal for refusal in outcomes if refusal is not None]
    assert isinstance(lost, Conflict), lost
    return lost


@pytest.mark.rule("CARD-04")
@pytest.mark.parametrize("attempt", range(3))
def test_a_deck_issued_to_two_tables_goes_to_one(attempt: int) -> None:
    house = a_house()
    tables = [house.table().name, house.table(game="baccarat.midi").name]
    chief, boss = house.by(Role.SUPERVISOR), house.by(Role.PIT_BOSS)
    croupier = house.users[Role.CROUPIER].actor
    first, second = builders.registered_decks(house.casino, chief, 2)
    seals = {first.serial: first.seal, second.serial: second.seal}
    backwards = dict(reversed(seals.items()))
    outcomes = at_once(
        lambda: issue_decks(seals=seals, place=tables[0], received_by=croupier, by=chief),
        lambda: issue_decks(seals=backwards, place=tables[1], received_by=croupier, by=boss),
    )
    assert (refused(outcomes).code, refused(outcomes).rule) == ("deck_issued", "CARD-04")
    winner = tables[outcomes.index(None)]
    assert set(Deck.objects.values_list("state", "place")) == {("issued", winner)}
    assert [moves(deck) for deck in (first, second)] == [["received", "issued"]] * 2
    assert builders.faults(house.casino) == []


@pytest.mark.rule("CARD-04")
@pytest.mark.parametrize("attempt", range(3))
def test_a_deck_issued_while_another_withdraws_it_moves_once(house: tuple[Casino, By], attempt: int) -> None:
    casino, chief = house
    (deck,) = builders.registered_decks(casino, chief, 1)
    croupier = builders.beside(chief, Role.CROUPIER).actor
    seals = {deck.serial: deck.seal}
    office = builders.a_person(casino, Role.COMPLIANCE).because("caja rota")
    outcomes = at_once(
        lambda: issue_decks(seals=seals, place=moving.DESK, received_by=croupier, by=chief),
        lambda: builders.withdrawn([deck.serial], by=office),
    )
    # Withdrawn first, it is not issued; issued first, it may still be withdrawn, and both are told.
    won = [kind for kind, outcome in zip(("issued", "withdrawn"), outcomes, strict=True) if outcome is None]
    assert moves(deck) == ["received", *won]
    assert won[-1] == "withdrawn"
    assert builders.faults(casino) == []


def a_cancelled_deck(casino: Casino, chief: By) -> Deck:
    (deck,) = builders.registered_decks(casino, chief, 1)
    builders.withdrawn([deck.serial], by=chief.because("gastada"))
    cancel(serials=[deck.serial], by=chief)
    return deck


@pytest.mark.rule("CARD-45")
@pytest.mark.parametrize("attempt", range(3))
def test_a_deck_held_while_it_is_destroyed_is_one_or_the_other(
    house: tuple[Casino, By], attempt: int
) -> None:
    casino, chief = house
    deck = a_cancelled_deck(casino, chief)
    incident = builders.an_incident(chief)
    boss, office = builders.beside(chief, Role.PIT_BOSS), builders.beside(chief, Role.COMPLIANCE)
    witnesses = [builders.beside(chief, Role.CROUPIER).actor, office.actor]
    about = {"serials": [deck.serial], "method": "trituradas", "site": "depósito", "witnesses": witnesses}
    outcomes = at_once(
        lambda: destroy(**about, by=chief),
        lambda: hold(serials=[deck.serial], incident=incident, by=boss),
    )
    won = ("destroyed", "held")[outcomes.index(None)]
    codes = {"destroyed": "deck_destroyed", "held": "deck_under_investigation"}
    assert (refused(outcomes).code, refused(outcomes).rule) == (codes[won], "CARD-45")
    assert moves(deck) == ["received", "withdrawn", "cancelled", won]
    assert DestructionAct.objects.count() == (won == "destroyed")
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-45")
def test_two_acts_for_one_deck_and_one_number(house: tuple[Casino, By]) -> None:
    casino, chief = house
    deck = a_cancelled_deck(casino, chief)
    office = builders.beside(chief, Role.COMPLIANCE).actor
    witnesses = [builders.beside(chief, Role.CROUPIER).actor, office]
    about = {"serials": [deck.serial], "method": "trituradas", "site": "depósito", "witnesses": witnesses}
    outcomes = at_once(lambda: destroy(**about, by=chief), lambda: destroy(**about, by=chief))
    assert refused(outcomes).code == "deck_destroyed"
    assert list(DestructionAct.objects.values_list("number", flat=True)) == [1]
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-45")
@pytest.mark.parametrize("attempt", range(3))
def test_a_deck_held_while_it_is_cancelled_ends_held(house: tuple[Casino, By], attempt: int) -> None:
    casino, chief = house
    (deck,) = builders.registered_decks(casino, chief, 1)
    builders.withdrawn([deck.serial], by=chief.because("gastada"))
    incident, boss = builders.an_incident(chief), builders.beside(chief, Role.PIT_BOSS)
    outcomes = at_once(
        lambda: cancel(serials=[deck.serial], by=chief),
        lambda: hold(serials=[deck.serial], incident=incident, by=boss),
    )
    # A cancelled deck may still be held; a held one is not cancelled. Held it is, either way.
    assert outcomes[1] is None
    cancelled = outcomes[0] is None
    assert cancelled or refused(outcomes).code == "deck_under_investigation"
    assert moves(deck) == ["received", "withdrawn", *(["cancelled"] if cancelled else []), "held"]
    deck.refresh_from_db()
    assert (deck.state, deck.incident) == ("held", incident)
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-43")
@pytest.mark.parametrize("attempt", range(2))
def test_a_shoe_is_counted_once(house: tuple[Casino, By], attempt: int) -> None:
    casino, chief = house
    shoe = builders.shoe_in_play(casino, chief, decks=6)
    end_shoe(shoe=shoe, reason="fin", by=chief)
    other = builders.beside(chief, Role.PIT_BOSS)
    builders.beside(other, Role.CROUPIER)
    outcomes = at_once(lambda: builders.counted(shoe, chief), lambda: builders.counted(shoe, other))
    assert (refused(outcomes).code, refused(outcomes).rule) == ("shoe_counted", "CARD-43")
    assert set(Deck.objects.values_list("state", "move_count")) == {("store", 7)}
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-03")
def test_two_boxes_are_not_closed_with_one_seal(house: tuple[Casino, By]) -> None:
    casino, chief = house
    decks = builders.inspected_decks(casino, chief, 2)
    give_back(serials=[deck.serial for deck in decks], by=chief)
    second = builders.beside(chief, Role.COMPLIANCE).actor
    outcomes = at_once(
        *(partial(reseal, seals={deck.serial: "P-1"}, with_=second, by=chief) for deck in decks)
    )
    (lost,) = [refusal for refusal in outcomes if refusal is not None]
    assert (lost.code, lost.rule) == ("seal_taken", "CARD-03")
    assert sorted(Deck.objects.values_list("seal", flat=True)) == ["", "P-1"]
