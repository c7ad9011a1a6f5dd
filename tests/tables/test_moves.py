"""The money a round moves: never backwards, and what rounding left over posted by its sign."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.kernel.words import Text
from tables.games.base import Ended, Payout, Settlement
from tables.games.paying import totals
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


def settlement_of(*payouts: Payout) -> Any:
    told = Text("fin", "end")
    return Settlement(payouts, totals(payouts), told, Ended("x"))


def paid(stake: int, returned: int, act: str, commission: int = 0, rounding: int = 0) -> Payout:
    words = Text("x", "x")
    won = returned - stake
    return Payout(1, 1, "main", 0, stake, returned, won, commission, rounding, "", "", "BJ-29", words, act)


@pytest.mark.rule("BJ-29", "GEN-09")
def test_of_a_stake_partly_lost_only_the_loss_moves() -> None:
    # A hand given up: 10.000 staked, half taken; the other half never left its owner.
    moves = moves_of(1, settlement_of(paid(10_000, 5_000, "collect")))
    assert [(m.source, m.target, m.amount) for m in moves if m.amount] == [("players:1", "tray:1", 5_000)]


@pytest.mark.rule("PR-07", "GEN-09")
@pytest.mark.parametrize("bank", ["ring", "player"])
def test_between_players_only_the_houses_share_moves(bank: str) -> None:
    # Three put 10.000 each; one takes 30.000 less 1.500 rake, of which 100 is rounding.
    settlement = settlement_of(
        paid(10_000, 28_500, "pay", 1_500, 100), paid(10_000, 0, "collect"), paid(10_000, 0, "collect")
    )
    assert settlement.totals.house_result == settlement.totals.commission == 1_500
    moves = moves_of(1, settlement, bank)
    assert {m.memo: (m.source, m.target, m.amount) for m in moves if m.amount} == {
        "commission": ("players:1", "kitty:1", 1_400),
        "commission_rounded_up": ("players:1", "kitty:1", 100),
    }
