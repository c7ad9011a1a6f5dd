"""Spins: what is paid, in which order, what zero does, and how a stake in prison goes on."""

from __future__ import annotations

import random
from typing import Any

import pytest

from casino.kernel.errors import SabotError
from tables.games.base import Bet, Detail
from tables.games.roulette import ROULETTE
from tests.games.fuzzing import fuzz
from tests.games.roulette.spins import CLOSE, LIMITS, after, bet, paid, prison, spin, spun, start
from tests.games.walking import check_settled, started, walk

OPTIONS: list[dict[str, Any]] = [
    {},
    {"zero_policy": "lose", "seats": 14},
    {"zero_policy": "prison"},
    {"zero_policy": "prison", "zero_again": "lose"},
    {"zero_policy": "prison", "zero_again": "double"},
    {"inside_outside_pays": {"straight_one_number": "33:1", "six_line": "7:3"}},
]


@pytest.mark.rule("RUL-03")
@pytest.mark.parametrize(
    ("spot", "number", "won"),
    [
        ("n17", 17, 35_000),
        ("n17", 18, -1000),
        ("s17_20", 20, 17_000),
        ("s0_2", 0, 17_000),
        ("st13", 15, 11_000),
        ("t0_1_2", 0, 11_000),
        ("t0_2_3", 1, -1000),
        ("c17", 21, 8000),
        ("c0", 3, 8000),
        ("l13", 18, 5000),
        ("d2", 13, 2000),
        ("k3", 36, 2000),
        ("dd1", 24, 500),
        ("dd1", 25, -1000),
        ("kk2", 2, 500),
        ("red", 1, 1000),
        ("red", 2, -1000),
        ("even", 0, -500),
        ("d1", 0, -1000),
        ("n0", 0, 35_000),
    ],
)
def test_what_a_bet_of_ten_comes_to(spot: str, number: int, won: int) -> None:
    assert paid(spun(number, bet(3, spot, 1000))) == [(3, spot, won)]


def test_a_payout_in_words() -> None:
    (payout,) = spun(17, bet(3, "n17", 1000)).payouts
    assert payout.words.es == "pleno 17: 35 a 1 sobre 10,00 = 350,00"
    (lost,) = spun(13, bet(3, "n17", 1000)).payouts
    assert (lost.words.es, lost.words.en) == ("salió el 13: se retira 10,00", "13 came: take 10.00")
    (split,) = spun(20, bet(3, "s17_20", 1000)).payouts
    assert split.words.es == "caballo 17-20, salió el 20: 17 a 1 sobre 10,00 = 170,00"
    assert (payout.row, payout.pays, payout.rule) == ("straight_one_number", "35:1", "RUL-03")


@pytest.mark.rule("RUL-09")
def test_all_that_lost_is_taken_first_then_payment_goes_from_the_outside_in() -> None:
    bets = [
        bet(1, "n17", 500),
        bet(6, "n17", 500),
        bet(2, "n18", 500),
        bet(5, "black", 1000),
        bet(5, "k2", 500),
        bet(4, "c17", 500),
        bet(4, "d1", 500),
        bet(3, "s14_17", 500),
        bet(3, "l13", 500),
    ]
    settlement = spun(17, *bets)
    # 17: black, second dozen, second column.
    assert paid(settlement) == [
        (4, "d1", -500),
        (2, "n18", -500),
        (5, "k2", 1000),
        (5, "black", 1000),
        (3, "l13", 2500),
        (4, "c17", 4000),
        (3, "s14_17", 8500),
        (6, "n17", 17_500),
        (1, "n17", 17_500),
    ]
    assert settlement.announcement.es == "17, negro, impar y falta"
    assert settlement.outcome.facts == {
        "number": 17,
        "colour": "black",
        "parity": "odd",
        "half": "low",
        "dozen": 2,
        "column": 2,
    }
    assert sum(p.won for p in settlement.payouts) == -settlement.totals.house_result


@pytest.mark.rule("RUL-09")
def test_kinds_are_paid_in_the_books_order() -> None:
    """Six lines, first four, corners, streets, trios, splits, straight up: RUL-09 word by word, on a 2."""
    spots = ["n2", "s1_2", "t0_1_2", "st1", "c1", "c0", "l1", "red", "d1", "k2", "black"]
    order = [p.spot for p in spun(2, *[bet(1, spot, 1000) for spot in spots]).payouts]
    assert order[0] == "red"
    assert sorted(order[1:4]) == ["black", "d1", "k2"]
    assert order[4:] == ["l1", "c0", "c1", "st1", "t0_1_2", "s1_2", "n2"]


@pytest.mark.rule("RUL-06")
def test_zero_and_the_even_chances() -> None:
    bets = [bet(1, "red", 1500), bet(2, "high", 1000), bet(3, "d1", 500)]
    half = spun(0, *bets)
    # Half of 15,00 is 7,50: the house takes whole chips, 8,00 (GEN-09).
    assert paid(half) == [(3, "d1", -500), (2, "high", -500), (1, "red", -800)]
    lose = spun(0, *bets, rules={"zero_policy": "lose"})
    assert paid(lose) == [(3, "d1", -500), (2, "high", -1000), (1, "red", -1500)]
    kept = spun(0, *bets, rules={"zero_policy": "prison"})
    assert paid(kept) == [(3, "d1", -500), (2, "high", 0), (1, "red", 0)]
    assert kept.carry == (prison(1, "red", 1500), prison(2, "high", 1000))
    assert [(n.code, n.rule) for n in kept.notes] == [("in_prison", "RUL-07")] * 2
    assert half.carry == lose.carry == ()


@pytest.mark.rule("RUL-07")
@pytest.mark.parametrize(
    ("number", "won", "carried"),
    [(1, 0, ()), (2, -1000, ()), (0, 0, (prison(1, "red", 1000),))],
)
def test_a_stake_in_prison_over_two_spins(number: int, won: int, carried: Any) -> None:
    rules = {"zero_policy": "prison"}
    first = spun(0, bet(1, "red", 1000), rules=rules)
    second = spun(number, *first.carry, rules=rules)
    assert [p.won for p in (*first.payouts, *second.payouts)] == [0, won]
    assert second.carry == carried
    # Over both spins what the player lost the house has.
    assert first.totals.house_result + second.totals.house_result == -won
    assert second.payouts[0].hand == 1


@pytest.mark.rule("RUL-07")
def test_zero_again_by_policy() -> None:
    lose = {"zero_policy": "prison", "zero_again": "lose"}
    assert paid(spun(0, prison(1, "red", 1000), rules=lose)) == [(1, "red", -1000)]
    double = {"zero_policy": "prison", "zero_again": "double"}
    twice = spun(0, prison(1, "red", 1000), bet(1, "red", 2000), rules=double)
    assert twice.carry == (prison(1, "red", 2000), prison(1, "red", 1000, 2))
    once = spun(3, *twice.carry, rules=double)
    # Out of double prison into single; the other is free.
    assert once.carry == (prison(1, "red", 1000),) and once.totals.house_result == 0
    assert spun(3, *once.carry, rules=double).carry == ()
    # Two that come to the same prison lie together.
    met = spun(0, prison(1, "red", 1000), bet(1, "red", 2000), rules={"zero_policy": "prison"})
    assert met.carry == (prison(1, "red", 3000),)


@pytest.mark.rule("RUL-07")
@pytest.mark.parametrize(("times", "back"), [(1, 700), (2, 300), (3, 100)])
def test_taking_a_stake_out_of_prison(times: int, back: int) -> None:
    # 15,00: half 7,50, a quarter 3,75, an eighth 1,875, down to chips of 1,00.
    rules = {"zero_policy": "prison", "zero_again": "double"}
    leaving = [prison(4, "odd", 1500, times), {"e": "release", "seat": 4, "spot": "odd"}]
    settlement = spun(7, *leaving, rules=rules)
    (payout,) = settlement.payouts
    assert (payout.returned, payout.act, payout.row) == (back, "collect", "prison_released")
    assert settlement.carry == ()


@pytest.mark.rule("RUL-07")
def test_half_instead_of_prison_right_after_the_zero() -> None:
    rules = {"zero_policy": "prison", "zero_again": "double"}
    state = after(start(rules=rules), prison(2, "red", 1600), bet(1, "red", 1000), bet(2, "red", 1000), CLOSE)
    state = after(state, spin(0), {"e": "release", "seat": 1, "spot": "red"})
    once = ROULETTE.settle(state)
    assert paid(once) == [(1, "red", -500), (2, "red", 0), (2, "red", 0)]
    assert once.carry == (prison(2, "red", 1000), prison(2, "red", 1600, 2))
    both = after(state, {"e": "release", "seat": 2, "spot": "red"})
    # Half of 10,00, and a quarter of 16,00 that was in prison already.
    assert [(p.stake, p.returned) for p in ROULETTE.settle(both).payouts[:2]] == [(1000, 500), (1600, 400)]
    assert ROULETTE.settle(both).carry == ()
    undone = after(both, {"e": "undo", "of": 7, "why": "otro asiento"})
    assert ROULETTE.settle(undone).carry == once.carry
    with pytest.raises(SabotError) as refusal:
        ROULETTE.play(both, {"e": "release", "seat": 1, "spot": "red"})
    assert (refusal.value.rule, refusal.value.code) == ("RUL-07", "nothing_in_prison")
    won = after(start(rules=rules), bet(1, "red", 1000), CLOSE, spin(1))
    with pytest.raises(SabotError):
        ROULETTE.play(won, {"e": "release", "seat": 1, "spot": "red"})


def test_bets_of_a_spot_add_up_and_a_spin_without_bets_is_one() -> None:
    state = after(start(), bet(1, "n5", 500), bet(2, "n5", 700), bet(1, "n5", 100), CLOSE)
    assert state.bets == (Bet(1, "n5", 600), Bet(2, "n5", 700))
    assert spun(5).payouts == ()


def test_the_number_alone_where_nothing_else_is_logged() -> None:
    announced = ROULETTE.settle(after(start(Detail.RESULT), {"e": "result", "winner": "0"}))
    assert (announced.outcome.winner, announced.announcement.es) == ("0", "cero")
    numbers = ROULETTE.settle(after(start(Detail.CARDS), spin(32)))
    assert numbers.outcome.winner == "32"
    assert announced.unchecked == numbers.unchecked and "RUL-02" in announced.unchecked[0].es


@pytest.mark.rule("RUL-04")
def test_limits_hold_for_a_kind_and_a_spot_may_have_its_own() -> None:
    state = start(limits={"straight": (500, 5000), "n0": (1000, 2000), "red": (100, 900)})
    assert state.terms.limits["n36"] == (500, 5000) and state.terms.limits["n0"] == (1000, 2000)
    assert after(state, bet(1, "n36", 5000), bet(1, "n0", 2000), bet(1, "red", 100)).bets
    for event, code in [
        (bet(1, "n36", 5100), "above_maximum"),
        (bet(1, "n0", 2100), "above_maximum"),
        (bet(1, "n0", 900), "below_minimum"),
        (bet(1, "black", 500), "spot_not_offered"),
    ]:
        with pytest.raises(SabotError) as refusal:
            ROULETTE.play(state, event)
        assert refusal.value.code == code
    (prompt, *_) = ROULETTE.prompts(state)
    assert set(prompt.options) == {*(f"n{n}" for n in range(37)), "red"}


@pytest.mark.parametrize("detail", list(Detail))
@pytest.mark.parametrize("rules", OPTIONS)
def test_walks_end_and_settle_with_nothing_lost(rules: dict[str, Any], detail: Detail) -> None:
    for seed in range(30):
        opened = started(ROULETTE, detail, rules)
        check_settled(ROULETTE, opened, walk(ROULETTE, opened, random.Random(seed)))


@pytest.mark.rule("RUL-07")
def test_spin_after_spin_what_is_carried_is_taken_in_and_nothing_is_lost() -> None:
    chance = random.Random(5)
    for rules in OPTIONS[2:5]:
        carry: tuple[Any, ...] = ()
        balance = house = 0
        for _ in range(120):
            bets = [bet(chance.randint(1, 7), chance.choice(["red", "odd", "low"]), 1000) for _ in range(3)]
            number = chance.choice([0, 0, chance.randrange(37)])
            settlement = spun(number, *carry, *bets, rules=rules)
            balance += sum(p.won for p in settlement.payouts)
            house += settlement.totals.house_result
            carry = settlement.carry
        assert balance + house == 0


@pytest.mark.parametrize("detail", list(Detail))
def test_nothing_thrown_at_it_raises_anything_but_a_refusal(detail: Detail) -> None:
    rules = {"zero_policy": "prison"}
    assert sum(fuzz(ROULETTE, started(ROULETTE, detail, rules), seed) for seed in range(25)) > 80


def test_an_undo_is_refused_or_leaves_the_log_without_the_entry() -> None:
    for seed in range(15):
        opened = start(limits=LIMITS)
        state = walk(ROULETTE, opened, random.Random(seed), check=False)
        for position in range(1, len(state.log) + 1):
            try:
                now = ROULETTE.play(state, {"e": "undo", "of": position, "why": "error"})
            except SabotError as refusal:
                assert refusal.code == "undo_too_late"
                continue
            without = ROULETTE.play_all(opened, [e for at, e in enumerate(state.log, 1) if at != position])
            assert (now.bets, now.number) == (without.bets, without.number)
