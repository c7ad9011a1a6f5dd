"""Hands played by their own prompts, hands played twice, and events with anything wrong in them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tables.games.base import Detail
from tests.games.fuzzing import fuzz
from tests.games.ring.building import GAME, NAMES, STRUCTURES, button, chips, limits_of, opened
from tests.games.walking import check_settled, walk

SEEDS = 100
FUZZED = 15


def table(name: str, chance: random.Random, structure: str, detail: Detail = Detail.FULL) -> Any:
    """A table with rake and antes by chance, players of any stack already in their seats."""
    rules = {
        "structure": structure,
        "rake_basis_points": chance.choice((0, 400, 1000)),
        "rake_rounding": chance.choice(("up", "down", "nearest")),
        "rake_unit": chance.choice(("1", "5", "50")),
        "rake_cap": chance.choice(("none", "7", "100")),
        "rake_from": chance.choice(("proportional", "main_first")),
        "odd_chip_to": chance.choice(("first_left_of_button", "high_card_by_suit")),
        "burn_log": chance.choice(("prompt", "required", "off")),
    }
    chip = chance.choice((1, 5, 25))
    limits = limits_of(name, 50, 100, chance.choice((0, 25)))
    changes: dict[str, Any] = {"limits": limits} if detail is Detail.FULL else {}
    return opened(name, rules, chip=chip, detail=detail, **changes)


def seated(name: str, start: Any, chance: random.Random) -> Any:
    seats = chance.sample(range(1, start.terms.seats + 1), chance.randint(2, start.terms.seats))
    chip = start.terms.chip
    events = [chips(seat, chip * chance.choice((1, 2, 7, 30, 200, 2000))) for seat in seats]
    if start.rules.variant.has_button:
        events.append(button(chance.choice(seats)))
    return GAME[name].play_all(start, events)


@pytest.mark.rule("PR-01")
@pytest.mark.rule("GEN-02")
@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("name", NAMES)
def test_walks_with_any_stacks_end_and_conserve_chips(name: str, structure: str) -> None:
    for seed in range(SEEDS):
        chance = random.Random(f"{name} {structure} {seed}")
        start = table(name, chance, structure)
        end = walk(GAME[name], seated(name, start, chance), chance, check=seed % 5 == 0)
        check_settled(GAME[name], start, end)
        conserved(GAME[name], end)


def conserved(game: Any, state: Any) -> None:
    """Pots, deduction and what comes back are what was put in; a pot goes to those who could win it."""
    settlement = game.settle(state)
    facts = settlement.outcome.to_json()["facts"]
    put = sum(bet.amount for bet in state.bets)
    won = sum(winner["amount"] for pot in facts["pots"] for winner in pot["winners"])
    assert won + facts["rake"] + facts["unmatched"]["amount"] == put
    assert facts["rake"] == settlement.totals.commission == sum(pot["rake"] for pot in facts["pots"])
    assert all(winner["seat"] in pot["eligible"] for pot in facts["pots"] for winner in pot["winners"])
    assert all(amount % state.terms.chip == 0 for amount in (facts["rake"], won))
    for payout in settlement.payouts:
        assert payout.act == "pay" or not payout.commission
        assert abs(payout.rounding) <= payout.commission or payout.rounding < 0


@pytest.mark.parametrize("detail", [Detail.RESULT, Detail.CARDS])
@pytest.mark.parametrize("name", NAMES)
def test_walks_without_money_end_too(name: str, detail: Detail) -> None:
    for seed in range(SEEDS):
        chance = random.Random(f"{name} {detail} {seed}")
        start = table(name, chance, "no_limit", detail)
        end = walk(GAME[name], start, chance)
        check_settled(GAME[name], start, end)


@pytest.mark.parametrize("detail", list(Detail))
@pytest.mark.parametrize("name", NAMES)
def test_wrong_events_are_refused_in_words(name: str, detail: Detail) -> None:
    refused = 0
    for seed in range(FUZZED):
        chance = random.Random(f"fuzz {name} {detail} {seed}")
        start = table(name, chance, STRUCTURES[seed % 3], detail)
        if detail is Detail.FULL:
            start = seated(name, start, chance)
        refused += fuzz(GAME[name], start, seed)
    assert refused > FUZZED


@pytest.mark.parametrize("name", NAMES)
def test_step_by_step_and_all_at_once_are_the_same(name: str) -> None:
    for seed in range(10):
        chance = random.Random(f"twice {name} {seed}")
        start = table(name, chance, STRUCTURES[seed % 3])
        end = walk(GAME[name], seated(name, start, chance), chance, check=False)
        state = start
        for event in end.log:
            state = GAME[name].play(state, event)
        assert state == end == GAME[name].play_all(start, end.log)
