"""Nothing is lost or made over any number of bets: splits against sums of fractions, versions, voids."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpots import maths
from jackpots.maths import D, Split
from jackpots.scheme import CLASSIC, Level, Reserve, Scheme


def scheme(commission_bp: int, main: int, *others: int, reserve: int | None = None) -> Scheme:
    """Shares of the levels main, l1, l2 … and of a reserve. Only main has prizes: nothing is won here."""
    levels = [Level("main", main, 0), *[Level(f"l{at}", share, 0) for at, share in enumerate(others, 1)]]
    reserves = () if reserve is None else (Reserve("reserve", reserve),)
    return Scheme(commission_bp, tuple(levels), reserves, 1, 1, 1, CLASSIC)


PLAIN = scheme(1000, 8000, reserve=2000)


@pytest.mark.rule("PP-19")
@pytest.mark.rule("PP-21")
def test_a_bet_is_divided() -> None:
    """Of 5,00: commission 0,50; of the 4,50 left, 3,60 to the pool and 0,90 to the reserve."""
    assert maths.split(PLAIN, {}, 0, 500) == Split({"commission": 50, "main": 360, "reserve": 90}, 0)


@pytest.mark.rule("PP-28")
def test_broken_units_are_carried_and_come_back_whole() -> None:
    """Seven centavos thrice: 0,7 5,04 1,26 each time, whole units at 0/5/1, 1/10/2, 2/15/3 of 21."""
    found = [maths.split(PLAIN, {}, before, 7) for before in (0, 7, 14)]
    assert [tuple(one.parts.values()) for one in found] == [(0, 5, 1), (1, 5, 1), (1, 5, 1)]
    assert [one.residue for one in found] == [1, 0, 0]
    assert maths.residue(PLAIN, {}, 21) == 21 - 20
    assert maths.remainders(PLAIN, {}, 21) == {
        "commission": D // 10,
        "main": 12 * D // 100,
        "reserve": 78 * D // 100,
    }


@pytest.mark.rule("PP-28")
def test_eng_064_what_is_owed_in_steps_is_owed_in_all() -> None:
    """ENG-064: 60 in ten steps to three pools, two each and step, twenty each in all; never one.

    Basis points have no exact third: with 33,33 33,33 33,34 % of 60, 19,998 19,998 20,004, the residue has
    what the first two still lack.
    """
    assert [
        maths.posted(6 * n, 1, whole=3) - maths.posted(6 * (n - 1), 1, whole=3) for n in range(1, 11)
    ] == [2] * 10
    thirds = scheme(0, 3334, 3333, 3333)
    steps = [maths.split(thirds, {}, 6 * n, 6) for n in range(10)]
    given = sum((Counter(one.parts) for one in steps), Counter[str]())
    assert given == {"main": 20, "l1": 19, "l2": 19}
    assert sum(one.residue for one in steps) == maths.residue(thirds, {}, 60) == 2


@pytest.mark.rule("PP-18")
@pytest.mark.rule("PP-19")
def test_eng_065_commission_is_of_the_total_and_rounded_once() -> None:
    """ENG-065: half of 230 is 115, however it came in: in 230 bets of one, of which no half can be taken, or
    in 115 of two. A quarter, 57,5, is 57 with half a unit owed; twice a quarter is 115 again.
    """
    half, quarter = scheme(5000, 10_000), scheme(2500, 10_000)

    def commission(of: Scheme, *bets: int) -> int:
        done = taken = 0
        for bet in bets:
            taken += maths.split(of, {}, done, bet).parts["commission"]
            done += bet
        return taken

    assert commission(half, *[1] * 230) == commission(half, *[2] * 115) == commission(half, 230) == 115
    assert commission(quarter, *[1] * 230) == 57
    assert maths.remainders(quarter, {}, 230)["commission"] == D // 2
    assert commission(quarter, *[1] * 460) == 115


@pytest.mark.rule("PP-28")
def test_a_bet_taken_back_may_differ_by_a_unit_which_the_residue_has() -> None:
    """21 collected as 7, 7, 7; the first, of 0/5/1 and 1 of residue, goes: 1/5/1 does, and 0 of residue."""
    first = maths.split(PLAIN, {}, 0, 7)
    back = maths.split(PLAIN, {}, 21, -7)
    assert back == Split({"commission": -1, "main": -5, "reserve": -1}, 0)
    moved = {code: first.parts[code] + back.parts[code] for code in first.parts}
    assert moved == {"commission": -1, "main": 0, "reserve": 0}
    assert first.residue + back.residue == 1 == -sum(moved.values())


@pytest.mark.rule("PP-30")
def test_a_new_version_goes_on_with_the_broken_units_of_the_old() -> None:
    """After 21 the pool is owed 0,12. At 10 % and 60 of 90, ten bring 5,4 and it owes 0,52; the next ten make
    5,92; the next 6,32, a unit more than 16,2 alone would be.
    """
    offsets = maths.carried(maths.remainders(PLAIN, {}, 21), scheme(1000, 6000, reserve=4000))
    assert offsets == {"commission": D // 10, "main": 12 * D // 100, "reserve": 78 * D // 100}
    later = scheme(1000, 6000, reserve=4000)
    assert [maths.split(later, offsets, n, 10).parts["main"] for n in (0, 10, 20)] == [5, 5, 6]
    assert maths.posted(30, later.numerators()["main"]) == 16


@pytest.mark.rule("PP-28")
@pytest.mark.rule("PP-30")
def test_a_fund_that_goes_leaves_its_broken_units_to_the_main_pool() -> None:
    """Four equal funds after 3 collected: three quarters owed to each, three units in the residue. Alone, the
    main pool is owed three: all are released, and the residue is empty.
    """
    four, alone = scheme(0, 2500, 2500, 2500, reserve=2500), scheme(0, 10_000)
    left = maths.remainders(four, {}, 3)
    assert set(left.values()) == {0, 3 * D // 4} and maths.residue(four, {}, 3) == 3
    assert maths.carried(left, alone) == {"commission": 0, "main": 0}
    assert maths.released(left, alone) == {"main": 3}
    assert maths.released(left, scheme(0, 2000, 2000, 2000, reserve=4000)) == {}
    # Half a unit each of three, and one that goes: 0,75 and 0,75 are one and a half.
    three = scheme(0, 4000, 3000, reserve=3000)
    assert maths.carried(left, three) == {
        "commission": 0,
        "main": D // 2,
        "l1": 3 * D // 4,
        "reserve": 3 * D // 4,
    }
    assert maths.released(left, three) == {"main": 1}
    assert maths.residue(three, maths.carried(left, three), 0) == 2


@pytest.mark.rule("PP-28")
def test_offsets_that_were_changed_are_noticed() -> None:
    with pytest.raises(AssertionError, match="offset"):
        maths.residue(PLAIN, {"main": 1}, 100)


@pytest.mark.parametrize(
    ("players", "base", "above"),
    [(499, None, 0), (500, None, 0), (501, None, 1), (900, 50, 350), (900, 0, 300)],
)
@pytest.mark.rule("PP-22")
def test_what_is_above_the_cap_goes_to_the_reserve(players: int, base: int | None, above: int) -> None:
    """Base 100, cap 600: players' 500 fill it; where the base is spent, players' money takes its place."""
    assert maths.overflow(Level("main", 10_000, 100, 600), players, base) == above


def test_only_players_money_overflows() -> None:
    """A cap lowered below what the house put in: all players have goes, the base stays."""
    assert maths.overflow(Level("main", 10_000, 0, 50), 30, 100) == 30
    assert maths.overflow(Level("main", 10_000, 0), 10**12) == 0


# ---- any bets whatever ---------------------------------------------------------------------------------


@st.composite
def schemes(draw: Any) -> Scheme:
    cuts = sorted(draw(st.lists(st.integers(1, 9999), min_size=0, max_size=4, unique=True)))
    shares = [high - low for low, high in zip([0, *cuts], [*cuts, 10_000], strict=True)]
    reserve = shares.pop() if len(shares) > 1 and draw(st.booleans()) else None
    return scheme(draw(st.integers(0, 9999)), *shares, reserve=reserve)


@given(schemes(), st.lists(st.integers(1, 10**11), min_size=1, max_size=40), st.randoms())
@pytest.mark.rule("PP-28")
def test_no_order_of_bets_and_voids_changes_what_is_given(of: Scheme, bets: list[int], chance: Any) -> None:
    given_so_far, left, total = Counter[str](), 0, 0
    standing: list[int] = []
    for bet in bets:
        if standing and chance.random() < 0.3:
            bet = -standing.pop(chance.randrange(len(standing)))
        else:
            standing.append(bet)
        found = maths.split(of, {}, total, bet)
        assert sum(found.parts.values()) + found.residue == bet
        total += bet
        given_so_far.update(found.parts)
        left += found.residue
        assert 0 <= left == maths.residue(of, {}, total) < len(of.rates)
    for code, rate in of.rates:
        assert given_so_far[code] == int(Fraction(sum(standing) * rate, D))


@given(
    st.lists(st.tuples(schemes(), st.lists(st.integers(1, 10**9), max_size=6)), min_size=2, max_size=6),
    st.randoms(),
)
@pytest.mark.rule("PP-28")
@pytest.mark.rule("PP-30")
def test_versions_whose_funds_come_and_go(versions: list[tuple[Scheme, list[int]]], chance: Any) -> None:
    """Funds that are gone leave what they have, and what they are owed, to the main pool: whatever follows
    what, every fund has the whole part of all it is owed, and the residue the broken units.
    """
    ledger, exact, left = Counter[str](), Counter[str](), 0
    total, offsets, previous = 0, dict[str, int](), versions[0][0]
    for of, bets in versions:
        owed = maths.remainders(previous, offsets, total)
        freed = maths.released(owed, of)
        assert not freed or set(freed) == {"main"}
        ledger.update(freed)
        left -= sum(freed.values())
        offsets, total, previous = maths.carried(owed, of), 0, of
        assert all(0 <= offset < D for offset in offsets.values())
        _fold(exact, of)
        _fold(ledger, of)
        back = [-bet for bet in bets if chance.random() < 0.2]
        for bet in [*bets, *back]:
            found = maths.split(of, offsets, total, bet)
            total += bet
            ledger.update(found.parts)
            left += found.residue
            exact.update({code: rate * bet for code, rate in of.rates})
        assert left == maths.residue(of, offsets, total)
        for code, broken in maths.remainders(of, offsets, total).items():
            assert ledger[code] * D + broken == exact[code]


def _fold(amounts: Counter[str], now: Scheme) -> None:
    for code in [code for code in amounts if code not in now.numerators()]:
        amounts["main"] += amounts.pop(code)


@pytest.mark.rule("PP-28")
def test_a_million_bets_never_drift_by_a_unit() -> None:
    """10^6 bets over four versions, one in thirty taken back, against fractions summed apart.

    At every thousandth bet, and at each change of version, every fund has the whole part of all it is owed,
    and the residue the rest.
    """
    chance = random.Random(7)
    versions = [
        scheme(1234, 7001, reserve=2999),
        scheme(1777, 5003, 1999, reserve=2998),
        scheme(333, 9998, 1, reserve=1),
        scheme(2999, 3333, 3334, reserve=3333),
    ]
    given_to, owed = Counter[str](), Counter[str]()
    left, offsets, all_bets, total = 0, dict[str, int](), 0, 0
    for at, of in enumerate(versions):
        if at:
            offsets = maths.carried(maths.remainders(versions[at - 1], offsets, total), of)
        total, made = 0, list[int]()
        for number in range(250_000):
            void = made and number % 30 == 29
            bet = -made.pop(chance.randrange(len(made))) if void else chance.choice((1, 7, 500, 777, 99_999))
            if not void:
                made.append(bet)
            found = maths.split(of, offsets, total, bet)
            total += bet
            left += found.residue
            for code, part in found.parts.items():
                given_to[code] += part
            if number % 1000 == 0 or number == 249_999:
                for code, rate in of.rates:
                    assert given_to[code] == (owed[code] + total * rate) // D
                assert left == all_bets + total - sum(given_to.values()) >= 0
        assert total == sum(made)
        for code, rate in of.rates:
            owed[code] += total * rate
        all_bets += total
    assert sum(map(Fraction, owed.values())) / D == all_bets == sum(given_to.values()) + left
