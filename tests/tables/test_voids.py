"""What a void does to the cards: given back where there was no such round, out for good where there was."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from audits.verify import ledger_faults, trail_faults
from casino.kernel.permissions import Role
from shoes.models import Shoe
from shoes.proofs import shoe_faults
from tables import rounds, sessions
from tables.models import Round, TableSession
from tests.builders import NATURAL, NIGHT, House, cards

SIX_CARDS = cards("2h 3h 4h", "4s Ks Th")
INSIDE = 312 - 3
"""Six decks less the three that the preparation burned."""


def void(house: House, logged: Round, *, cards_came_out: bool) -> dict[str, Any]:
    """Void it, and what the event says."""
    rounds.void(
        round=logged,
        approved_by=house.users[Role.SUPERVISOR].actor,
        cards_came_out=cards_came_out,
        by=house.by(Role.PIT_BOSS, reason="corrección"),
    )
    logged.refresh_from_db()
    assert logged.void_event is not None
    told: dict[str, Any] = json.loads(bytes(logged.void_event.body))["data"]
    return told


def shoe_of(session: TableSession) -> Shoe:
    return Shoe.objects.get(pk=session.shoe_id)


def sound(house: House) -> bool:
    casino = house.casino
    return not [*trail_faults(casino), *ledger_faults(casino), *shoe_faults(casino)]


@pytest.mark.rule("CARD-42", "REC-07")
def test_a_round_logged_twice_gives_its_cards_back(house: House) -> None:
    session = house.open_table()
    house.log(session, SIX_CARDS)
    again = house.log(session, SIX_CARDS)
    told = void(house, again, cards_came_out=False)
    shoe = shoe_of(session)
    assert (told["cards_came_out"], told["cards_back"], told["shoe"]) == (False, 6, shoe.label)
    assert (shoe.discarded, shoe.remaining, shoe.seen["3h"], shoe.count_complete) == (6, INSIDE - 6, 1, True)
    assert sound(house)


@pytest.mark.rule("CARD-42")
def test_a_round_that_was_played_keeps_its_cards_out(house: House) -> None:
    session = house.open_table()
    told = void(house, house.log(session, SIX_CARDS), cards_came_out=True)
    shoe = shoe_of(session)
    assert told["cards_came_out"] is True
    assert "cards_back" not in told
    assert (shoe.discarded, shoe.remaining, shoe.seen["3h"]) == (6, INSIDE - 6, 1)
    assert sound(house)


def test_unnamed_cards_go_back_unnamed(house: House) -> None:
    """At detail `result` a round takes at least four cards."""
    session = house.open_table(detail="result")
    logged = house.log(session, [{"e": "result", "winner": "tie", "punto": 6, "banca": 6}])
    assert shoe_of(session).remaining == INSIDE - 4
    void(house, logged, cards_came_out=False)
    shoe = shoe_of(session)
    assert (shoe.discarded, shoe.remaining, shoe.count_complete) == (0, INSIDE, False)
    assert sound(house)


def test_a_shoe_that_left_the_table_keeps_its_count(house: House) -> None:
    session = house.open_table()
    old = shoe_of(session)
    logged = house.log(session, NATURAL)
    sessions.load_shoe(
        session=session, shoe=house.ready_shoe(), by=house.by(Role.SUPERVISOR, reason="cambio de sabot")
    )
    assert void(house, logged, cards_came_out=False)["cards_back"] == 0
    old.refresh_from_db()
    session.refresh_from_db()
    assert (old.discarded, shoe_of(session).remaining) == (4, INSIDE)


@pytest.mark.rule("CARD-38")
@pytest.mark.parametrize("seen", [False, True])
def test_the_stop_card_is_hidden_again_unless_somebody_saw_it(house: House, seen: bool) -> None:
    session = house.open_table()
    Shoe.objects.filter(pk=session.shoe_id).update(stop_at=INSIDE - 4)  # the stop card lies four cards on
    logged = house.log(session, NATURAL)
    assert shoe_of(session).stop_reached
    if seen:
        sessions.see_stop_card(session=session, by=house.by(Role.PIT_BOSS))
    void(house, logged, cards_came_out=False)
    assert shoe_of(session).stop_reached is seen


def test_the_stop_card_is_told_once(house: House) -> None:
    session = house.open_table()
    for minute in range(3):
        by = house.by(Role.PIT_BOSS, NIGHT + dt.timedelta(minutes=minute))
        sessions.see_stop_card(session=session, by=by)
    assert session.casino.events.filter(action="tables.session.stop_card_seen").count() == 1
