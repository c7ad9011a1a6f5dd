"""Pots, side pots, odd chips and rake (PR-02, PR-07, PR-09, PR-10), with the public cases in figures."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.kernel.money import Rounding
from tables.games.base import Terms
from tables.games.ring.outcome import rake_of
from tables.games.ring.pots import Policy, Rake, deduction, divide, pots, shared, spread, unmatched
from tests.games.ring.building import GAME, Hand, opened
from tests.games.ring.pots_by_hand import FREE, compare, ours


def divided(
    put: dict[int, int], live: list[int], strength: dict[int, int], order: list[int]
) -> dict[int, int]:
    return ours(divide(put, live, strength, order, FREE, True), put)


@pytest.mark.rule("PR-09")
def test_what_nobody_matched_goes_back_heads_up() -> None:
    """Case ENG-024: 98 against 102. The extra 4 is never at risk, whoever wins."""
    put = {1: 98, 2: 102}
    assert unmatched(put) == (2, 4)
    assert divided(put, [1, 2], {1: 1, 2: 2}, [1, 2]) == {1: 0, 2: 200}
    assert divided(put, [1, 2], {1: 2, 2: 1}, [1, 2]) == {1: 196, 2: 4}


@pytest.mark.rule("PR-09")
def test_second_best_hands_share_the_side_pot_the_winner_cannot_reach() -> None:
    """Case ENG-026: A all in for 100 is best; B and C tie for second; D is last."""
    put = {1: 100, 2: 300, 3: 300, 4: 300}
    assert pots(put, [1, 2, 3, 4]) == ((400, (1, 2, 3, 4)), (600, (2, 3, 4)))
    assert divided(put, [1, 2, 3, 4], {1: 9, 2: 5, 3: 5, 4: 1}, [1, 2, 3, 4]) == {
        1: 400,
        2: 300,
        3: 300,
        4: 0,
    }


@pytest.mark.rule("PR-10")
def test_main_and_side_pot_are_split_each_on_its_own() -> None:
    """Case ENG-033: A and B tie, the odd chip of each pot goes to B, first from the button; merged it
    would be 92 each. D and E folded, C is all in.
    """
    put = {1: 58, 2: 58, 3: 33, 4: 34, 5: 1}
    assert pots(put, [2, 1, 3]) == ((133, (2, 1, 3)), (51, (2, 1)))
    got = divided(put, [2, 1, 3], {1: 5, 2: 5, 3: 1}, [2, 1, 3])
    assert got == {1: 91, 2: 93, 3: 0, 4: 0, 5: 0}


@pytest.mark.rule("PR-10")
def test_the_odd_chip_goes_to_the_first_winner_from_the_button() -> None:
    """Case ENG-031: 101 between seats 3 and 6, button at 5: seat 6 is first clockwise and gets 51."""
    assert shared(101, [6, 3], 1) == {6: 51, 3: 50}
    # The same in a whole hand: both blinds are 1; seat 7 folds its big blind, 50 + 50 + 1.
    hand = Hand(
        opened(rules={"free_stakes": True}, limits={"blind": (1, 1)}),
        {3: 50, 5: 100, 6: 50, 7: 100},
        {3: "Ah Kh", 6: "Ad Kd", 5: "2c 7d", 7: "3c 8d"},
        "Ts 9s 4c Jc 2h",
        at=5,
    )
    hand.acts("3 allin", "5 fold", "6 call", "7 fold").showdown()
    (pot,) = hand.settle().outcome.to_json()["facts"]["pots"]
    assert (pot["amount"], pot["winners"]) == (101, [{"seat": 6, "amount": 51}, {"seat": 3, "amount": 50}])
    assert hand.settle().outcome.winner == "split"


@pytest.mark.rule("PR-10")
def test_odd_chips_are_whole_chips_one_for_each_seat_in_turn() -> None:
    """Three share 1.000 in chips of 25: 13 1/3 chips each; 40 - 39 = 1 chip is left for the first."""
    assert shared(1000, [4, 2, 9], 25) == {4: 350, 2: 325, 9: 325}
    # 1.025 = 41 chips: 13 each and two odd ones, for the first two.
    assert shared(1025, [4, 2, 9], 25) == {4: 350, 2: 350, 9: 325}


@pytest.mark.rule("PR-09")
@pytest.mark.parametrize(
    ("strength", "paid"),
    [({1: 5, 2: 5, 3: 5}, {1: 150, 2: 200, 3: 250}), ({1: 9, 2: 5, 3: 5}, {1: 450, 2: 50, 3: 100})],
)
def test_dead_chips_lie_in_the_lowest_pot(strength: dict[int, int], paid: dict[int, int]) -> None:
    """Case DEA-002: 300 dead chips, all-ins of 50, 100 and 150; tied three ways, or P1 best and two tied.

    The dead chips are those of six players who folded after 50 each.
    """
    put = {1: 50, 2: 100, 3: 150, **dict.fromkeys(range(4, 10), 50)}
    got = divided(put, [1, 2, 3], strength, list(range(1, 10)))
    assert {seat: got[seat] for seat in (1, 2, 3)} == paid
    assert sum(got.values()) == 600


@pytest.mark.rule("PR-07")
@pytest.mark.parametrize(
    ("pot", "rules", "flop", "taken"),
    [
        (85, {"rake_basis_points": 500, "rake_rounding": "down"}, True, 4),
        (1000, {"rake_basis_points": 500, "rake_cap": "5"}, True, 5),
        (2000, {"rake_basis_points": 1000, "rake_cap": "4"}, True, 4),
        (10, {"rake_basis_points": 500, "rake_free_up_to": "10"}, True, 0),
        (117, {"rake_basis_points": 500, "no_flop_no_drop": True}, False, 0),
    ],
)
def test_rake_of_single_pots(pot: int, rules: dict[str, Any], flop: bool, taken: int) -> None:
    """Case DEA-028: 5 % of 85 is 4.25, taken as 4; caps of 5 and 4; small pots and no flop are free."""
    read = GAME["texas"].read_rules({"rake_unit": "1", **rules})
    assert deduction(pot, rake_of(read, terms()), flop).amount == taken


def terms(exponent: int = 0, chip: int = 1) -> Terms:
    return Terms(9, opened().terms.detail, chip, {}, None, exponent)


@pytest.mark.rule("PR-07")
def test_the_rulebooks_rate_goes_up_to_the_half_unit() -> None:
    """4 % of 101.00 is 4.04: 4.50, of which 46 centavos are rounding. In whole units of currency: 5."""
    read = GAME["texas"].read_rules({})
    assert deduction(10_100, rake_of(read, terms(2, 25)), True) == (450, 46)
    assert deduction(10_000, rake_of(read, terms(2, 25)), True) == (400, 0)
    assert deduction(101, rake_of(read, terms(0)), True).amount == 5
    # A chip of 1.00 cannot pay 50 centavos: up to the chip (GEN-09).
    assert deduction(10_100, rake_of(read, terms(2, 100)), True) == (500, 96)


@pytest.mark.rule("GEN-09")
def test_the_cap_is_a_rounds_and_not_a_pots() -> None:
    """Pots of 400 and 600 at 5 % capped at 30: 50 of the round is above it, so 30 is taken once; a cap for
    each pot would have let 20 + 30 pass.
    """
    rake = Rake(500, Rounding.UP, 1, 30, 0, False)
    put = {1: 100, 2: 300, 3: 300, 4: 300}
    done = divide(
        put, [1, 2, 3, 4], {1: 9, 2: 5, 3: 4, 4: 1}, [1, 2, 3, 4], Policy(rake, "proportional", 1), True
    )
    assert done.rake == (30, 0)
    # 30 x 400 / 1000 = 12 of the main pot, 18 of the side pot.
    assert [(pot.amount, pot.rake) for pot in done.won] == [(400, 12), (600, 18)]
    assert ours(done, put) == {1: 388, 2: 582, 3: 0, 4: 0}
    main = divide(
        put, [1, 2, 3, 4], {1: 9, 2: 5, 3: 4, 4: 1}, [1, 2, 3, 4], Policy(rake, "main_first", 1), True
    )
    assert [(pot.amount, pot.rake) for pot in main.won] == [(400, 30), (600, 0)]


@pytest.mark.rule("GEN-09")
def test_rounding_down_and_to_the_nearest_are_told_with_their_sign() -> None:
    """4 % of 9.552 is 382.08; to units of 5 it is 380 down (-2), 385 up (+3), 380 to the nearest (-2)."""
    for policy, taken, added in (
        (Rounding.DOWN, 380, -2),
        (Rounding.UP, 385, 3),
        (Rounding.NEAREST, 380, -2),
    ):
        assert deduction(9552, Rake(400, policy, 5, None, 0, False), True) == (taken, added)


@settings(max_examples=400, deadline=None)
@given(
    amounts=st.lists(st.integers(1, 10**6), min_size=1, max_size=9),
    rate=st.integers(0, 10_000),
    chip=st.sampled_from([1, 5, 25, 100]),
    policy=st.sampled_from(["proportional", "main_first"]),
)
def test_the_parts_of_the_rake_add_up_and_no_pot_bears_more_than_it_has(
    amounts: list[int], rate: int, chip: int, policy: str
) -> None:
    amounts = [amount * chip for amount in amounts]
    taken = sum(amounts) * rate // 10_000 // chip * chip
    parts = spread(taken, amounts, policy, chip)
    assert sum(parts) == taken
    assert all(0 <= part <= amount and part % chip == 0 for part, amount in zip(parts, amounts, strict=True))


@pytest.mark.rule("PR-09")
def test_pots_are_those_of_two_other_reckonings() -> None:
    """6,000 random tables: payouts unit by unit, pots by pokerkit. `pots_by_hand` runs as many as wanted."""
    for seed in range(6_000):
        compare(seed)


@pytest.mark.rule("PR-09")
def test_a_real_hand_with_an_uncalled_part() -> None:
    """Case ENG-023: S0 can be called for 898.20 only; 305.40 comes back. S1 folded after 2.00."""
    hand = Hand(
        opened(limits={"blind": (100, 200)}, exponent=2),
        {1: 120_360, 2: 100_000, 3: 89_820, 4: 89_820},
        {1: "6d Jc", 2: "9c 9h", 3: "8c 4d", 4: "5d 4h"},
        "3h As Js Qd Kd",
        at=4,
    )
    # Blinds: seat 1 posts 1.00, seat 2 posts 2.00 and folds later.
    hand.acts("3 allin 89820", "4 call", "1 allin 120360", "2 fold").showdown()
    settlement = hand.settle()
    assert hand.net() == {1: 179_840, 2: -200, 3: -89_820, 4: -89_820}
    assert settlement.outcome.to_json()["facts"]["unmatched"] == {"seat": 1, "amount": 30_540}
    assert settlement.outcome.winner == "1"
    won = next(payout for payout in settlement.payouts if payout.seat == 1)
    assert "305,40" in won.words.es and "305.40" in won.words.en


@pytest.mark.rule("PR-07")
def test_an_omaha_hand_with_rake_and_an_uncalled_part() -> None:
    """Case ENG-022: 3 x 3.184 = 9.552, 4 % = 382.08 taken as 382; A's uncalled 4.585 is not raked.

    C loses all of 3.184, over both streets (900 + 2.284).
    """
    rules = {"rake_basis_points": 400, "rake_rounding": "down", "rake_unit": "1"}
    hand = Hand(
        opened("omaha", rules),
        {1: 20_000, 2: 9_000, 3: 3_184},
        {1: "8c Th Qc 9s", 2: "2s 3s 5s 6s", 3: "4c 2h Kd 5c"},
        "Tc 2d Jc 4h 9d",
        at=2,
    )
    hand.acts("2 call", "3 raise 900", "1 call", "2 call")
    hand.acts("3 allin 2284", "1 call", "2 call")
    hand.acts("1 bet 4585", "2 fold").showdown()
    settlement = hand.settle()
    assert hand.net() == {1: 5_986, 2: -3_184, 3: -3_184}
    assert settlement.totals.commission == settlement.totals.house_result == 382
    assert settlement.outcome.to_json()["facts"]["pot"] == 9_552
    winner = settlement.payouts[-1]
    assert (winner.seat, winner.returned, winner.commission) == (1, 9_170, 382)
