"""Player-banked Baccarat by its prompts, whatever the rules and the table write down; and under fuzz."""

from __future__ import annotations

import random
from typing import Any

import pytest

from casino.kernel.errors import SabotError
from tables.games.banked import BANKED
from tables.games.base import Detail
from tests.games.banked.rounds import bank, start
from tests.games.fuzzing import fuzz
from tests.games.walking import check_settled, started, walk

OPTIONS: list[dict[str, Any]] = [
    {},
    {"decks": 8, "punto_free_choice": [0, 1, 2, 3, 4, 5, 6, 7]},
    {"punto_free_choice": []},
    {"punto_pays": "2:3", "deduction_rounding_unit": 7, "deduction_rounding": "up"},
    {"deduction_basis_points": 0},
    {"deduction_basis_points": 10_000, "deduction_rounding": "down"},
]


@pytest.mark.parametrize("detail", list(Detail))
@pytest.mark.parametrize("rules", OPTIONS)
def test_walks_end_and_settle_with_nothing_lost(rules: dict[str, Any], detail: Detail) -> None:
    for seed in range(60):
        opened = started(BANKED, detail, rules)
        check_settled(BANKED, opened, walk(BANKED, opened, random.Random(seed)))


@pytest.mark.parametrize("rules", OPTIONS)
def test_walks_against_a_large_bank_and_one_too_small(rules: dict[str, Any]) -> None:
    for seed in range(60):
        opened = start(rules=rules, limits={"punto": (1000, 6000)})
        begun = BANKED.play(opened, bank(1 + seed % 9, 1000 * (1 + seed)))
        check_settled(BANKED, opened, walk(BANKED, begun, random.Random(seed)))


@pytest.mark.parametrize("detail", list(Detail))
def test_nothing_thrown_at_it_raises_anything_but_a_refusal(detail: Detail) -> None:
    assert sum(fuzz(BANKED, started(BANKED, detail), seed) for seed in range(40)) > 500


def test_an_undo_is_refused_or_leaves_the_log_without_the_entry() -> None:
    for seed in range(30):
        opened = start()
        state = walk(BANKED, opened, random.Random(seed), check=False)
        for position in range(1, len(state.log) + 1):
            try:
                after = BANKED.play(state, {"e": "undo", "of": position, "why": "error"})
            except SabotError as refusal:
                assert refusal.code in ("undo_too_late", "undo_blocked")
                continue
            without = BANKED.play_all(opened, [e for at, e in enumerate(state.log, 1) if at != position])
            assert BANKED.prompts(after) == BANKED.prompts(without)
            assert (after.bets, after.decision) == (without.bets, without.decision)
