"""The money a round moves: never backwards, and what rounding left over posted by its sign."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.storing import moves_of
from tests.games.building import bet, full, settled
from tests.games.legal import OUTCOMES, legal_rounds, settled_as

BANCA_WINS = OUTCOMES["banca"]


def by_memo(settlement: Any) -> dict[str, int]:
    return {move.memo: move.amount for move in moves_of(1, settlement) if move.amount}


@pytest.mark.rule("GEN-09")
def test_what_rounding_adds_and_takes_off_is_posted_apart() -> None:
    # Chip 500, nearest. 5 % of 25.000 is 1.250, up to 1.500: +250. 5 % of 23.000 is 1.150, down to
    # 1.000: -150. Exact commission 2.400, kept 2.500, prizes 48.000.
    limits = {"punto": (1000, 100_000), "banca": (20_000, 100_000)}
    bets = [bet(1, "banca", 25_000), bet(2, "banca", 23_000)]
    settlement = settled(full(bets, *BANCA_WINS), rules={"commission_rounding": "nearest"}, limits=limits)
    assert by_memo(settlement) == {
        "won": 48_000,
        "commission": 2_400,
        "commission_rounded_up": 250,
        "commission_rounded_down": 150,
    }


@pytest.mark.rule("GEN-09")
@settings(max_examples=300, deadline=None)
@given(legal_rounds(), st.sampled_from(sorted(OUTCOMES)))
def test_no_move_is_negative_and_they_add_up_to_the_house_result(opened: Any, name: str) -> None:
    settlement = settled_as(opened, name)
    moves = moves_of(1, settlement)
    assert all(type(move.amount) is int and move.amount >= 0 for move in moves)
    net = dict.fromkeys(("tray:1", "players:1", "kitty:1"), 0)
    for move in moves:
        net[move.source] -= move.amount
        net[move.target] += move.amount
    totals = settlement.totals
    assert net["tray:1"] + net["kitty:1"] == totals.house_result == -net["players:1"]
    assert net["kitty:1"] == totals.commission
    assert sum(m.amount for m in moves if m.memo == "breakage") == totals.breakage
    memos = {m.memo: m.amount for m in moves}
    assert memos["commission_rounded_up"] - memos["commission_rounded_down"] == totals.rounding
