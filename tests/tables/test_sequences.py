"""The cards of a shoe in their order: its burn, then its rounds, without those that never were."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from casino.kernel.permissions import Role
from shoes import suspecting
from shoes.cards import COVERED
from shoes.models import Shoe
from tables import rounds, sequences
from tables.cards_out import cards_out, order_of, standing
from tables.games import registry
from tables.games.base import Game
from tables.models import Round
from tests.builders import NATURAL, House, cards
from tests.games import walking
from tests.tables.test_cards_out import card, show, undo

COVERED_TWICE = [card("seat", "??", 1), card("seat", "2h", 2), card("seat", "??", 1)]


def change(seat: int, *given: str, count: int = 0) -> dict[str, Any]:
    about = {**({"cards": list(given)} if given else {}), **({"count": count} if count else {})}
    return {"e": "choice", "seat": seat, "do": "change", **about}


@pytest.mark.rule("CARD-16", "CARD-42")
@pytest.mark.parametrize(
    ("log", "order"),
    [
        ([card("punto", "9d"), card("banca", "5c"), card("punto", "Kh")], "9d 5c Kh"),
        # What was struck out never came.
        ([card("punto", "9d"), undo(1), card("punto", "9c")], "9c"),
        # The one covered card of the dealer, turned over: it left the shoe between the others.
        ([card("dealer", "Kd"), card("dealer", "??"), card("seat", "5s", 1), show("7c", to="dealer")],
         "Kd 7c 5s"),
        ([card("dealer", "Kd"), card("dealer", "??"), card("seat", "5s", 1)], "Kd ?? 5s"),
        # Two lay covered in one hand: which of them came first nobody knows, however they are shown.
        ([*COVERED_TWICE, show("As", "Ks", seat=1)], "?? 2h ??"),
        ([*COVERED_TWICE, show("As", seat=1), show("Ks", seat=1)], "?? 2h ??"),
        # One each of two hands.
        ([card("seat", "??", 1), card("seat", "??", 2), show("9h", seat=2)], "?? 9h"),
        # One of two covered cards was given away: the other may be either.
        ([*COVERED_TWICE, change(1, count=1), show("As", seat=1)], "?? 2h ??"),
        # Both were: the next that comes covered is the only one.
        ([*COVERED_TWICE, change(1, count=2), card("seat", "??", 1), show("As", seat=1)], "?? 2h ?? As"),
        # Exposed by mistake and burned: it left the shoe at that place all the same.
        ([card("punto", "9d"), {"e": "note", "code": "exposed_card", "card": "3h"}, card("banca", "5c")],
         "9d 3h 5c"),
        ([card("punto", "9d"), {"e": "note", "code": "late_bet"}], "9d"),
        ([card("burn", "??"), card("board", "9h")], "?? 9h"),
        ([{"e": "result", "winner": "punto"}], ""),
    ],
)  # fmt: skip
def test_a_log_gives_its_cards_in_order(log: list[dict[str, Any]], order: str) -> None:
    assert " ".join(order_of(log)) == order


@pytest.mark.rule("CARD-16", "CARD-42")
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("game", [g for g in registry.GAMES.values() if g.deck_type], ids=lambda g: g.code)
def test_the_order_of_every_game_is_its_cards_as_dealt(game: Game, seed: int) -> None:
    opened = walking.started(game)
    log = walking.walk(game, opened, random.Random(seed), check=False).log
    events, out, order = standing(log), cards_out(log), order_of(log)
    came = [e["card"] for e in events if e["e"] == "card" or (e["e"] == "note" and "card" in e)]
    assert len(order) == len(came) == out.dealt + len(out.exposed)
    # What was named when it came stands at its place; a face put in afterwards is one that was shown.
    assert all(placed == dealt for placed, dealt in zip(order, came, strict=True) if dealt != COVERED)
    known = Counter(card for card in order if card != COVERED)
    assert known <= Counter(out.faces) + Counter(out.exposed)
    # And it is in words the detectors know, whatever the deck.
    shoe = Shoe(number=1, game=game.code, deck_type=game.deck_type, decks_wanted=opened.rules.decks, total=0)
    assert suspecting.ordered(shoe, [order], reshuffles=game.reshuffles) is None
    runs = suspecting.runs_of(shoe, [order], reshuffles=game.reshuffles)
    assert len(runs) <= max(0, len(order) - 7)


SECOND, THIRD = cards("2h 3h 4h", "4s Ks Th"), cards("8d Kd", "8c 9c")


@pytest.mark.rule("CARD-42")
def test_a_shoe_gives_its_burn_and_every_round_whose_cards_came_out(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    # Given up after two cards, which stay out; then one logged twice, of which the second never was; then
    # one voided that was played.
    by = house.by(Role.PIT_BOSS, reason="mal repartido")
    rounds.play(session=session, number=2, step=0, events=SECOND[:2], by=by)
    rounds.abandon(session=session, number=2, step=2, by=by)
    house.log(session, THIRD)
    twice, played = house.log(session, THIRD), house.log(session, SECOND)
    for round, cards_came_out in ((twice, False), (played, True)):
        approved = house.users[Role.SUPERVISOR].actor
        rounds.void(round=round, approved_by=approved, cards_came_out=cards_came_out, by=by)
    rounds.play(session=session, number=6, step=0, events=NATURAL[:1], by=by)
    shoe = Shoe.objects.get(pk=session.shoe_id)
    assert Round.objects.filter(shoe=shoe).count() == 6
    found = sequences.of_shoe(shoe)
    assert [(each.number, " ".join(each.order)) for each in found] == [
        (0, "2c ?? ??"),
        (1, "9d 5c Kh 2s"),
        (2, "2h 4s"),
        (3, "8d 8c Kd 9c"),
        (5, "2h 4s 3h Ks 4h Th"),
    ]
    assert [each.faces for each in found][:2] == [("2c",), ("9d", "5c", "Kh", "2s")]
    assert COVERED not in found[0].faces
    # The latest, one query: not the one in progress, nor the one that never was.
    assert [" ".join(each) for each in sequences.newest(shoe, 2)] == ["8d 8c Kd 9c", "2h 4s 3h Ks 4h Th"]
