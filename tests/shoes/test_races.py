"""Two people at once: a deck joins one shoe, a table gets one shoe."""

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
from shoes.models import Deck, Shoe
from shoes.proofs import shoe_faults
from shoes.shoes import add_decks, put_in_play, start_shoe
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
