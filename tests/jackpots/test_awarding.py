"""Prizes out of a pool: nights with several winners by hand, whose money pays, and any winners whatever.

Amounts are centavos where a docstring has no comma.
"""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.kernel.errors import SabotError
from casino.kernel.money import parse
from jackpots import maths
from jackpots.awarding import Award, Funds, Meter, Winner, award, equally, pro_rata
from jackpots.scheme import CLASSIC, POLICIES, Level, Prize, Reserve, Scheme
from tables.games.poker import ranks

BASE = 10_000_00
SPLIT, SEQUENTIAL, ROYALS = POLICIES


def scheme(policy: str = SPLIT, *, base: int = BASE, **about: Any) -> Scheme:
    usual: dict[str, Any] = {
        "commission_bp": 1000,
        "levels": (Level("main", 8000, base),),
        "reserves": (Reserve("reserve", 2000),),
        "credit": 500,
        "least": 1,
        "most": 1,
        "policy": policy,
    }
    return Scheme(**(usual | about))


def funds(players: int, base: int = BASE, reserve: int = 0) -> Funds:
    return Funds({"main": Meter(players, base)}, reserve)


def wins(seat: int, hand: str, stake: int = 500) -> Winner:
    return Winner(seat, hand, stake)


def told(awards: tuple[Award, ...]) -> list[tuple[int, int, int, int]]:
    """Seat, shown before, paid, shown after."""
    return [(one.seat, one.before, one.paid, one.after) for one in awards]


def sources(one: Award) -> tuple[int, int, int, int]:
    return one.players, one.base, one.reserve, one.house


TWO_ROYALS = (wins(6, "royal_flush"), wins(2, "royal_flush"))


# ---- two royal flushes in one round --------------------------------------------------------------------


@pytest.mark.rule("PP-14")
@pytest.mark.rule("PP-17")
@pytest.mark.rule("PP-33")
def test_two_royals_split_equally() -> None:
    """Players' 50 000,01 and the base of 10 000,00: 60 000,01 shown, 25 000,00 in reserve. Half is 30
    000,005: seat 6, nearer the croupier's right, is paid 30 000,01, all of players' money; seat 2 30
    000,00: players' 20 000,00 left and the base of 10 000,00. The meter is empty, and restarts at 10 000,00
    from the reserve, which keeps 15 000,00.
    """
    awards, after = award(scheme(), funds(50_000_01, reserve=25_000_00), TWO_ROYALS)
    assert told(awards) == [
        (6, 60_000_01, 30_000_01, 30_000_00),
        (2, 30_000_00, 30_000_00, 10_000_00),
    ]
    assert [sources(one) for one in awards] == [(30_000_01, 0, 0, 0), (20_000_00, 10_000_00, 0, 0)]
    assert [(one.reseed_reserve, one.reseed_house) for one in awards] == [(0, 0), (10_000_00, 0)]
    assert after == funds(10_000_00, 0, reserve=15_000_00)


@pytest.mark.rule("PP-17")
@pytest.mark.rule("PP-33")
def test_two_royals_in_sequence() -> None:
    """The same pool: seat 6 is paid all 60 000,01 and the pool restarts at 10 000,00 from the reserve (15
    000,00 left). Seat 2 finds that base and is paid it; the pool restarts from the reserve again, which
    keeps 5 000,00.
    """
    awards, after = award(scheme(SEQUENTIAL), funds(50_000_01, reserve=25_000_00), TWO_ROYALS)
    assert told(awards) == [(6, 60_000_01, 60_000_01, 10_000_00), (2, 10_000_00, 10_000_00, 10_000_00)]
    assert [sources(one) for one in awards] == [(50_000_01, 10_000_00, 0, 0), (10_000_00, 0, 0, 0)]
    assert after == funds(10_000_00, 0, reserve=5_000_00)


@pytest.mark.rule("PP-17")
@pytest.mark.rule("PP-33")
def test_two_royals_in_sequence_that_share() -> None:
    """The same pool, and a straight flush at seat 4 between the royals of 6 and 2. What is shown as seat 6
    is paid is shared: 30 000,01 and 30 000,00. The pool restarts at 10 000,00; seat 4 is paid a tenth of
    it, 1 000,00.
    """
    between = (TWO_ROYALS[0], wins(4, "straight_flush"), TWO_ROYALS[1])
    awards, after = award(scheme(ROYALS), funds(50_000_01, reserve=25_000_00), between)
    assert told(awards) == [
        (6, 60_000_01, 30_000_01, 30_000_00),
        (2, 30_000_00, 30_000_00, 10_000_00),
        (4, 10_000_00, 1_000_00, 9_000_00),
    ]
    assert after == funds(9_000_00, 0, reserve=15_000_00)


@pytest.mark.rule("PP-17")
@pytest.mark.parametrize("policy", [SPLIT, ROYALS])
def test_dea_030_royals_share_what_was_shown_as_the_first_was_paid(policy: str) -> None:
    """DEA-030: 187 431.26 for two: 93 715.63 each, and nothing shown before the pool restarts."""
    meter = parse("187431.26")
    awards, after = award(
        scheme(policy), funds(meter - BASE), (wins(2, "royal_flush"), wins(6, "royal_flush"))
    )
    assert [(one.seat, one.paid) for one in awards] == [(2, parse("93715.63")), (6, parse("93715.63"))]
    assert sum(one.paid for one in awards) == meter
    last = awards[-1]
    assert last.after - last.reseed_reserve - last.reseed_house == 0
    assert after == funds(0, BASE)


# ---- straight flushes and a royal ----------------------------------------------------------------------

THREE = (wins(7, "straight_flush"), wins(5, "royal_flush"), wins(1, "straight_flush"))


@pytest.mark.rule("PP-17")
def test_straight_flushes_and_a_royal_the_lower_first() -> None:
    """90 000,05 of players' and 10 000,00 of base. A tenth, 10 000,00 (the half centavo stays), is shared:
    seats 7 and 1 get 5 000,00 each. The royal of seat 5 gets what is left, 90 000,05.
    """
    awards, after = award(scheme(), funds(90_000_05), THREE)
    assert told(awards) == [
        (7, 100_000_05, 5_000_00, 95_000_05),
        (1, 95_000_05, 5_000_00, 90_000_05),
        (5, 90_000_05, 90_000_05, 10_000_00),
    ]
    assert after == funds(0, BASE)


@pytest.mark.rule("PP-17")
def test_straight_flushes_and_a_royal_in_the_order_of_the_seats() -> None:
    """The same, equal percentages together at the turn of their first: with the royal on the croupier's
    right it is paid all 100 000,05, and the straight flushes share a tenth of the base: 500,00 each.
    """
    royal_first = (THREE[1], THREE[0], THREE[2])
    awards, after = award(scheme(lower_percent_first=False), funds(90_000_05), royal_first)
    assert [(one.seat, one.paid) for one in awards] == [(5, 100_000_05), (7, 500_00), (1, 500_00)]
    assert after == funds(0, 9_000_00)


@pytest.mark.rule("PP-17")
def test_straight_flushes_and_a_royal_one_by_one() -> None:
    """In sequence: a tenth of 100 000,05 is 10 000,00; the royal takes the 90 000,05 left; the last finds
    the base of 10 000,00 and is paid 1 000,00 of the house's.
    """
    awards, after = award(scheme(SEQUENTIAL), funds(90_000_05), THREE)
    assert [(one.seat, one.paid) for one in awards] == [(7, 10_000_00), (5, 90_000_05), (1, 1_000_00)]
    assert sources(awards[2]) == (0, 1_000_00, 0, 0)
    assert after == funds(0, 9_000_00)


@pytest.mark.rule("PP-02")
@pytest.mark.rule("PP-15")
@pytest.mark.rule("PP-16")
def test_multiples_are_of_the_stake_and_come_before_percentages() -> None:
    """Bets of 5,00: four of a kind 500 times 5,00 = 2 500,00, full house 500,00, flush 250,00, no stake
    with them. 100 000,00 less 3 250,00 is 96 750,00, a tenth of that 9 675,00.
    """
    hands = ("straight_flush", "four_of_a_kind", "full_house", "flush")
    awards, _ = award(
        scheme(), funds(90_000_00), [wins(seat, hand) for seat, hand in zip((7, 6, 5, 4), hands, strict=True)]
    )
    assert [(one.hand, one.paid) for one in awards] == [
        ("four_of_a_kind", 2_500_00),
        ("full_house", 500_00),
        ("flush", 250_00),
        ("straight_flush", 9_675_00),
    ]


# ---- one pool, two tables ------------------------------------------------------------------------------


@pytest.mark.rule("PP-31")
@pytest.mark.rule("PP-33")
def test_dea_033_a_claim_locks_and_the_pool_restarts_at_once() -> None:
    """DEA-033: 50 000.00 claimed, restart at 10 000.00, 25.00 come in, a tenth of 10 025.00 is 1 002.50; the
    meter is left at 9 022.50: no restart after a lesser prize.
    """
    of = scheme()
    first, after = award(of, funds(parse("40000.00")), [wins(3, "royal_flush")])
    main = after.levels["main"]
    second, last = award(of, funds(main.players + parse("25.00"), main.base), [wins(1, "straight_flush")])
    assert (first[0].paid, second[0].paid) == (parse("50000.00"), parse("1002.50"))
    assert second[0].after == last.levels["main"].shown == parse("9022.50")
    assert sources(second[0]) == (parse("25.00"), parse("977.50"), 0, 0)


@pytest.mark.rule("PP-02")
def test_reg_004_the_order_of_the_cards_does_not_matter() -> None:
    """REG-004: A K Q J T of hearts in any order is the royal flush, and wins the meter of 250 136.91."""
    meter, of = parse("250136.91"), scheme()
    for cards in [("Ah", "Kh", "Qh", "Jh", "Th"), *list(permutations(("Th", "Jh", "Qh", "Kh", "Ah")))[::11]]:
        hand = ranks.category(ranks.best(cards))
        awards, _ = award(of, funds(meter - BASE), [wins(1, hand)])
        assert [one.paid for one in awards] == [meter]


# ---- whose money ---------------------------------------------------------------------------------------


@pytest.mark.rule("PP-03")
@pytest.mark.rule("PP-33")
@pytest.mark.parametrize(
    ("order", "paid_by", "kept"),
    [
        (("reserve", "house"), (100_00, 300_00, 600_00, 1_500_00), 0),
        (("house",), (100_00, 300_00, 0, 2_100_00), 600_00),
    ],
)
def test_a_pool_that_is_too_small(order: tuple[str, ...], paid_by: tuple[int, ...], kept: int) -> None:
    """Four of a kind, 2 500,00: players' 100,00, then the base, 300,00 of it left, then the reserve's
    600,00 where the scheme says so, then the house. The level is left empty: no restart after it.
    """
    awards, after = award(
        scheme(reseed_order=order), funds(100_00, 300_00, 600_00), [wins(4, "four_of_a_kind")]
    )
    assert sources(awards[0]) == paid_by and awards[0].paid == 2_500_00
    assert (awards[0].before, awards[0].after) == (400_00, 0)
    assert after == funds(0, 0, kept)


@pytest.mark.rule("PP-33")
def test_a_restart_the_reserve_cannot_pay_alone() -> None:
    """Base 10 000,00, reserve 4 000,00: players' money the 4 000,00, the house's the other 6 000,00."""
    awards, after = award(scheme(), funds(1_00, reserve=4_000_00), [wins(4, "royal_flush")])
    assert (awards[0].reseed_reserve, awards[0].reseed_house) == (4_000_00, 6_000_00)
    assert after == funds(4_000_00, 6_000_00)


def test_an_empty_pool_pays_nothing_of_itself() -> None:
    awards, after = award(scheme(base=0), funds(0, 0), [wins(4, "straight_flush"), wins(2, "royal_flush")])
    assert [one.paid for one in awards] == [0, 0] and after == funds(0, 0)


@pytest.mark.rule("PP-22")
def test_a_level_pays_its_own_prizes() -> None:
    """A straight flush takes the small level whole; the large one, and a royal on it, know nothing of it."""
    two = scheme(
        levels=(Level("main", 5000, 500), Level("mini", 3000, 50)),
        prizes=(Prize("royal_flush", "percent", 10_000), Prize("straight_flush", "percent", 10_000, "mini")),
    )
    there = Funds({"main": Meter(1000, 500), "mini": Meter(70, 50)}, 30)
    awards, after = award(two, there, [wins(5, "straight_flush"), wins(3, "royal_flush")])
    assert [(one.level, one.paid, one.after) for one in awards] == [("mini", 120, 50), ("main", 1500, 500)]
    assert after == Funds({"main": Meter(0, 500), "mini": Meter(30, 20)}, 0)
    assert there == Funds({"main": Meter(1000, 500), "mini": Meter(70, 50)}, 30)


@pytest.mark.rule("PP-21")
def test_contributions_fill_to_the_cap_and_the_rest_goes_to_the_reserve() -> None:
    """Cap 600, base 100. 480 of players', a bet of 50 brings 36 and 9 (72 and 18 %): 516 would show 616, so
    16 go over: players' 500, reserve 25. A royal then takes 600 and the level restarts from those 25 and
    75.
    """
    of = scheme(levels=(Level("main", 8000, 100, 600),))
    parts = maths.split(of, {}, 0, 50).parts
    players = 480 + parts["main"]
    above = maths.overflow(of.level("main"), players)
    assert above == 16
    awards, after = award(of, funds(players - above, 100, parts["reserve"] + above), [wins(2, "royal_flush")])
    assert (awards[0].paid, after) == (600, funds(25, 75))


# ---- a limit for the round -----------------------------------------------------------------------------

FIXED = (
    Prize("royal_flush", "percent", 10_000),
    Prize("flush", "fixed", 50_000_00),
    Prize("straight", "fixed", 25_000_00),
)


def test_dea_035_the_limit_is_the_rounds() -> None:
    """DEA-035: 50 000 for the round. Two of 50 000 are paid 25 000 each; 50 000 and 25 000, two thirds and
    one: 33 333.33 and 16 666.67, whose broken part is the larger. Percentages are not limited.
    """
    of = scheme(prizes=FIXED, round_limit=parse("50000.00"))
    rich = funds(parse("990000.00"))
    two, _ = award(of, rich, [wins(7, "flush"), wins(6, "flush")])
    assert [one.paid for one in two] == [parse("25000.00")] * 2
    mixed, _ = award(of, rich, [wins(7, "flush"), wins(6, "royal_flush"), wins(5, "straight")])
    assert [(one.seat, one.paid) for one in mixed] == [
        (7, parse("33333.33")),
        (5, parse("16666.67")),
        (6, parse("950000.00")),
    ]
    one, _ = award(of, rich, [wins(7, "flush")])
    assert one[0].paid == parse("50000.00")


@pytest.mark.parametrize(
    ("prizes", "limit", "paid"),
    [
        ([1, 1, 1], 2, [1, 1, 0]),
        ([3, 3, 3], 10, [3, 3, 3]),
        ([10, 20, 30], 7, [1, 2, 4]),
        ([], 5, []),
    ],
)
def test_units_left_over_go_to_the_largest_broken_part_then_by_order(
    prizes: list[int], limit: int, paid: list[int]
) -> None:
    """Of 7 for 10, 20 and 30: 1,17 2,33 3,5; the odd unit is the last one's."""
    assert pro_rata(prizes, limit) == paid


@pytest.mark.rule("PP-17")
def test_what_cannot_be_divided_goes_to_the_nearest_to_the_croupiers_right() -> None:
    assert equally(100, 3) == [34, 33, 33] and equally(2, 3) == [2, 0, 0] and equally(0, 1) == [0]


@pytest.mark.rule("PP-02")
def test_a_hand_without_prize_is_refused() -> None:
    with pytest.raises(SabotError) as caught:
        award(scheme(), funds(1), [wins(3, "straight")])
    refused = caught.value
    assert (refused.code, refused.rule, refused.field) == ("hand_without_prize", "PP-02", "hand")
    assert award(scheme(), funds(1), []) == ((), funds(1))


# ---- any winners whatever ------------------------------------------------------------------------------

LISTED = [prize.hand for prize in CLASSIC]


@given(
    st.sampled_from(POLICIES),
    st.booleans(),
    st.sampled_from([("reserve", "house"), ("house",)]),
    st.one_of(st.none(), st.integers(1, 10**6)),
    st.tuples(st.integers(0, 10**9), st.integers(0, BASE), st.integers(0, 10**7)),
    st.lists(st.tuples(st.sampled_from(LISTED), st.integers(1, 5000)), max_size=7),
)
@pytest.mark.rule("PP-03")
@pytest.mark.rule("PP-28")
@pytest.mark.rule("PP-29")
def test_every_award_says_where_each_unit_came_from(
    policy: str,
    lower_first: bool,
    order: tuple[str, ...],
    limit: int | None,
    there: tuple[int, int, int],
    hands: list[tuple[str, int]],
) -> None:
    of = scheme(policy, lower_percent_first=lower_first, reseed_order=order, round_limit=limit)
    start = funds(*there)
    winners = [wins(7 - at, hand, stake) for at, (hand, stake) in enumerate(hands)]
    awards, after = award(of, start, winners)
    assert sorted((one.seat, one.hand) for one in awards) == sorted((one.seat, one.hand) for one in winners)
    shown = start.levels["main"].shown
    for one in awards:
        assert one.players + one.base + one.reserve + one.house == one.paid >= 0
        assert min(*sources(one), one.reseed_reserve, one.reseed_house) >= 0
        assert one.before == shown
        shown = one.after
        assert one.after == one.before - one.players - one.base + one.reseed_reserve + one.reseed_house
        assert one.house == 0 or (one.before <= one.paid and one.kind != "percent")
        assert not (one.reseed_reserve or one.reseed_house) or one.top
    assert shown == after.levels["main"].shown
    put_in = sum(one.house + one.reseed_house for one in awards)
    assert after.reserve == start.reserve - sum(one.reserve + one.reseed_reserve for one in awards)
    assert shown + after.reserve == sum(there) + put_in - sum(one.paid for one in awards)
    if any(one.top for one in awards):
        restarts = [one for one in awards if one.reseed_reserve + one.reseed_house]
        assert all(one.after == BASE for one in restarts) and restarts
    if limit is not None:
        assert sum(one.paid for one in awards if one.kind != "percent") <= limit


@pytest.mark.rule("PP-17")
def test_equal_hands_differ_by_the_rest_alone_whatever_the_policy() -> None:
    """A thousand pools: top prizes that are shared are equal but for less than one unit each, all of it the
    first's, and come to the meter.
    """
    chance = random.Random(17)
    for _ in range(1_000):
        number, players = chance.randint(1, 7), chance.randrange(10**8)
        royals = [wins(7 - at, "royal_flush") for at in range(number)]
        for policy in (SPLIT, ROYALS):
            awards, _ = award(scheme(policy), funds(players), royals)
            paid = [one.paid for one in awards]
            assert sum(paid) == players + BASE and 0 <= paid[0] - paid[-1] < number
            assert set(paid[1:]) <= {paid[-1]}
