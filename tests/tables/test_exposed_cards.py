"""A card shown by mistake is burned in the shoe's count, whichever way its note is logged (CARD-41)."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.permissions import Role
from shoes.models import Shoe
from tables import rounds
from tables.models import Round, TableSession
from tests.builders import NATURAL, House, bets, cards
from tests.tables.refusing import refused
from tests.tables.test_rounds import sound

EXPOSED = {"e": "note", "code": "exposed_card", "card": "8s", "text": "a la vista al extraerla"}


def counted(session: TableSession) -> tuple[Any, ...]:
    shoe = Shoe.objects.get(pk=session.shoe_id)
    return shoe.remaining, shoe.burned, shoe.dealt, shoe.discarded, shoe.seen.get("8s", 0)


def undo(of: int) -> dict[str, Any]:
    return {"e": "undo", "of": of, "why": "error de registro"}


@pytest.mark.rule("CARD-41")
@pytest.mark.rule("CARD-42")
@pytest.mark.parametrize("code", ["exposed_card", "card_drawn_by_mistake"])
def test_a_round_logged_whole_burns_it(house: House, code: str) -> None:
    session = house.open_table()
    # 309 inside and 3 burned; the round takes four, the exposed card is one more.
    house.log(session, [{**EXPOSED, "code": code}, *NATURAL])
    assert counted(session) == (304, 4, 0, 4, 1)
    house.log(session, [EXPOSED, undo(1), {"e": "note", "code": "dispute", "card": "8s"}, *NATURAL])
    assert counted(session) == (300, 4, 0, 8, 1)
    assert sound(session)


@pytest.mark.rule("CARD-41")
def test_a_round_played_by_steps_burns_it_and_an_undo_gives_it_back(house: House) -> None:
    session, by = house.open_table(), house.by(Role.PIT_BOSS)
    rounds.play(session=session, number=1, step=0, events=[NATURAL[0], EXPOSED], by=by)
    assert counted(session) == (307, 4, 1, 0, 1)
    rounds.play(session=session, number=1, step=2, events=[undo(2)], by=by)
    assert counted(session) == (308, 3, 1, 0, 0)
    rounds.play(session=session, number=1, step=3, events=[EXPOSED, *NATURAL[1:]], by=by)
    rounds.settle(session=session, number=1, step=7, by=by)
    assert counted(session) == (304, 4, 0, 4, 1)
    assert sound(session)


@pytest.mark.rule("CARD-41")
@pytest.mark.rule("REC-07")
def test_a_misdeal_leaves_it_burned(house: House) -> None:
    session, by = house.open_table(), house.by(Role.PIT_BOSS, reason="carta expuesta")
    rounds.play(session=session, number=1, step=0, events=[NATURAL[0], EXPOSED], by=by)
    rounds.abandon(session=session, number=1, step=2, by=by)
    assert counted(session) == (307, 4, 0, 1, 1)


@pytest.mark.rule("CARD-42")
def test_a_card_the_shoe_no_longer_holds_cannot_be_exposed(house: House) -> None:
    session = house.open_table()
    # 2c was turned for the burn; six decks hold five more, of which this round takes one.
    five = [{**EXPOSED, "card": "2c"}] * 5
    with refused("impossible_card", "CARD-42"):
        house.log(session, [*five, *cards("2c 4h", "9d Kh")])
    assert not Round.objects.exists()
    house.log(session, [*five[1:], *cards("2c 4h", "9d Kh")])
    assert Shoe.objects.get(pk=session.shoe_id).seen["2c"] == 6


@pytest.mark.rule("CARD-42")
@pytest.mark.parametrize("detail", ["cards", "full"])
def test_at_a_live_table_every_card_has_its_suit(house: House, detail: str) -> None:
    session, by = house.open_table(detail=detail), house.by(Role.PIT_BOSS)
    start = bets((1, "punto", 25)) if detail == "full" else []
    without = [*start, {"e": "card", "to": "punto", "card": "v9"}]
    for events in (without, [*start, {**EXPOSED, "card": "v8"}]):
        with refused("suit_missing", "CARD-42"):
            rounds.play(session=session, number=1, step=0, events=events, by=by)
    with refused("suit_missing", "CARD-42"):
        house.log(session, [*without, *NATURAL[1:]])
    assert not Round.objects.exists()
    house.log(session, [*start, *NATURAL])


@pytest.mark.rule("REC-07")
@pytest.mark.parametrize(("came_out", "after"), [(True, (304, 4, 0, 4, 1)), (False, (309, 3, 0, 0, 0))])
def test_a_void_of_a_round_nobody_played_gives_it_back(
    house: House, came_out: bool, after: tuple[int, ...]
) -> None:
    session = house.open_table()
    logged = house.log(session, [EXPOSED, *NATURAL])
    by = house.by(Role.PIT_BOSS, reason="se registró dos veces")
    approver = house.users[Role.SUPERVISOR].actor
    rounds.void(round=logged, approved_by=approver, cards_came_out=came_out, by=by)
    assert counted(session) == after
