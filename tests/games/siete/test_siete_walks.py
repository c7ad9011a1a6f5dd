"""Siete y medio at random: every hand ends and loses nothing, nothing thrown at it breaks it; its edge."""

from __future__ import annotations

import random
from typing import Any

import pytest

from casino.kernel.errors import SabotError
from tables.games.base import Detail
from tables.games.siete import SIETE
from tables.games.siete.exact import STANDS_FROM, edges, rows
from tests.games.fuzzing import fuzz
from tests.games.siete.hands import bank, chips, start
from tests.games.walking import check_settled, started, walk

OPTIONS: list[dict[str, Any]] = [
    {},
    {"initial_cards": 2, "split_court_cards": True},
    {"offer_time": "after_bet"},
    {"offer_time": "after_bet", "takes_bank": False, "offer_max_percent_of_rest": 100},
    {"seats": 10, "main_pays": {"bank_bust": "2:3", "player_seven_and_half": "3:1"}},
]


@pytest.mark.parametrize("detail", list(Detail))
@pytest.mark.parametrize("rules", OPTIONS)
def test_walks_end_and_settle_with_nothing_lost(rules: dict[str, Any], detail: Detail) -> None:
    for seed in range(25):
        opened = started(SIETE, detail, rules)
        check_settled(SIETE, opened, walk(SIETE, opened, random.Random(seed)))


@pytest.mark.parametrize("rules", OPTIONS)
def test_walks_with_points_enough_for_offers_and_splits(rules: dict[str, Any]) -> None:
    sales = 0
    for seed in range(50):
        opened = started(SIETE, Detail.FULL, rules)
        sat = [chips(seat, 1500 * (seat + seed)) for seat in range(1, 7)]
        begun = SIETE.play_all(opened, [bank(1 + seed % 6), *sat])
        state = walk(SIETE, begun, random.Random(seed), check=seed % 5 == 0)
        check_settled(SIETE, opened, state)
        sales += state.sale == "sell"
        facts = SIETE.settle(state).outcome.facts
        assert sum(left for _, left in facts["chips_after"]) == sum(state.chips.values())
    assert sales > 0


@pytest.mark.parametrize("detail", list(Detail))
def test_nothing_thrown_at_it_raises_anything_but_a_refusal(detail: Detail) -> None:
    rules = {"initial_cards": 2, "split_court_cards": True, "offer_time": "after_bet"}
    assert sum(fuzz(SIETE, started(SIETE, detail, rules), seed) for seed in range(20)) > 60


def test_an_undo_is_refused_or_leaves_the_log_without_the_entry() -> None:
    for seed in range(20):
        opened = start()
        state = walk(SIETE, opened, random.Random(seed), check=False)
        for position in range(1, len(state.log) + 1):
            try:
                now = SIETE.play(state, {"e": "undo", "of": position, "why": "error"})
            except SabotError as refusal:
                assert refusal.code in ("undo_too_late", "undo_blocked")
                continue
            without = SIETE.play_all(opened, [e for at, e in enumerate(state.log, 1) if at != position])
            assert (now.hands, now.stakes, now.due) == (without.hands, without.stakes, without.due)


def test_the_edge_agrees_with_hands_dealt_at_random() -> None:
    """An independent deal of 60,000 hands: standard error of a percent or so, three of them allowed."""
    chance, pack = random.Random(7), [*range(1, 8)] * 4 + [0.5] * 12
    lost, hands = 0.0, 60_000
    for _ in range(hands):
        cards = iter(chance.sample(pack, 24))
        totals = []
        for _ in range(2):
            total = next(cards)
            while total < 5:
                total += next(cards)
            totals.append(total)
        player, held = totals
        if player > 7.5 or held == 7.5 or (player != 7.5 and held <= 7.5 and player <= held):
            lost += 1
        else:
            lost -= 2 if player == 7.5 else 1
    (edge,) = edges(SIETE.default_rules())
    assert STANDS_FROM == 10 and sum(rows(STANDS_FROM).values()) == 1
    assert edge.percent == pytest.approx(lost / hands * 100, abs=1.5)
