"""Exact chances against published figures and against plainer counts."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import lru_cache

import pytest

from tables.games.trente import exact
from tests.games.trente.building import GAME


def plain(pack: tuple[int, ...]) -> dict[tuple[int, int], Fraction]:
    """Both rows dealt card by card, as the dealer does, with what is left of each value."""
    tally: dict[tuple[int, int], Fraction] = {}
    ways: dict[tuple[tuple[int, ...], int, int], Fraction] = {(pack, 0, 0): Fraction(1)}
    while ways:
        further: dict[tuple[tuple[int, ...], int, int], Fraction] = {}
        for (left, first, second), chance in ways.items():
            if second >= 31:
                tally[first, second] = tally.get((first, second), Fraction(0)) + chance
                continue
            cards = sum(left)
            for value, count in enumerate(left, start=1):
                if count:
                    rest = (*left[: value - 1], count - 1, *left[value:])
                    at = (rest, first + value, second) if first < 31 else (rest, first, second + value)
                    further[at] = further.get(at, Fraction(0)) + chance * Fraction(count, cards)
        ways = further
    return tally


@pytest.mark.parametrize(
    "pack",
    [
        (24, 0, 0, 0, 0, 0, 0, 0, 0, 40),
        (0, 0, 20, 0, 0, 24, 24, 0, 0, 0),
        (0, 0, 0, 20, 0, 0, 20, 0, 24, 40),
    ],
    ids=str,
)
def test_card_by_card_agrees(pack: tuple[int, ...]) -> None:
    counted = {totals: chance for totals, chance in exact.joint(pack).items() if chance}
    assert counted == plain(pack)


@lru_cache(maxsize=1)
def one_row() -> dict[int, Fraction]:
    """The first row alone, six whole decks, card by card."""
    pack = (24,) * 9 + (96,)
    tally = {total: Fraction(0) for total in range(31, 41)}
    ways = {(0,) * 10: 1}
    for gone in range(31):
        further: dict[tuple[int, ...], int] = {}
        orders = 1
        for drawn in range(gone + 1):
            orders *= 312 - drawn
        for out, count in ways.items():
            total = sum(n * v for v, n in enumerate(out, start=1))
            for value in range(1, 11):
                more = count * (pack[value - 1] - out[value - 1])
                if total + value > 30:
                    tally[total + value] += Fraction(more, orders)
                elif more:
                    at = (*out[: value - 1], out[value - 1] + 1, *out[value:])
                    further[at] = further.get(at, 0) + more
        ways = further
    return tally


def test_each_row_ends_as_one_row_alone() -> None:
    joint = exact.joint(exact.pack_of(6))
    for total, chance in one_row().items():
        assert sum(joint[total, other] for other in range(31, 41)) == chance
        assert sum(joint[other, total] for other in range(31, 41)) == chance


@pytest.mark.parametrize("decks", [6, 7, 8])
def test_equalities_are_what_both_rows_make(decks: int) -> None:
    joint = exact.joint(exact.pack_of(decks))
    assert sum(joint.values()) == 1
    assert abs(sum(joint[total, total] for total in range(31, 41)) - exact.EQUAL[decks]) < Fraction(1, 10**14)
    # Two ways of counting the refait.
    assert joint[31, 31] == exact.refait(decks)


@pytest.mark.rule("TYC-11")
def test_published_refait() -> None:
    """Published: about 2.19 % of rounds end 31 and 31, and a half on them makes an edge of 1.1 %."""
    for decks in (6, 7, 8):
        assert f"{float(exact.refait(decks)) * 100:.2f}" == "2.19"
    # With a shoe without end only the total counts: reach[t] = sum of P(value) x reach[t - value].
    share = {value: Fraction(1 if value < 10 else 4, 13) for value in range(1, 11)}
    reach = [Fraction(1)]
    for total in range(1, 31):
        reach.append(sum((share[v] * reach[total - v] for v in share if v <= total), Fraction(0)))
    for total in range(31, 41):
        endless = sum((share[v] * reach[total - v] for v in share if total - v <= 30), Fraction(0))
        assert abs(float(one_row()[total] - endless)) < 0.0005


def test_dealt_rows_fall_where_the_count_says() -> None:
    chance, rounds = random.Random(31), 40_000
    shoe = [value for value in range(1, 10) for _ in range(24)] + [10] * 96
    alike = 0
    for _ in range(rounds):
        cards = iter(chance.sample(shoe, 62))
        ends = []
        for _row in range(2):
            total = 0
            while total < 31:
                total += next(cards)
            ends.append(total)
        alike += ends[0] == ends[1]
    expected = float(exact.EQUAL[6])
    # Three standard deviations of a share of 11 % in 40,000.
    assert abs(alike / rounds - expected) < 3 * (expected * (1 - expected) / rounds) ** 0.5


@pytest.mark.rule("TYC-11")
def test_a_prisoner_is_worth_a_little_less_than_half() -> None:
    value, equal, refait = exact.prisoner(6), exact.EQUAL[6], exact.refait(6)
    assert value == (1 - equal) / 2 + (equal - refait) * value + refait * value / 2
    assert Fraction(49, 100) < value < Fraction(1, 2)


@pytest.mark.rule("GEN-06")
@pytest.mark.rule("TYC-12")
def test_edges() -> None:
    quick = {(edge.bet, edge.decks): edge for edge in GAME.quick_edges(GAME.default_rules())}
    assert {edge.method for edge in quick.values()} == {"exact"}
    half = float(exact.refait(6)) * 50
    for chance in ("black", "red", "colour", "inverse"):
        assert quick[chance, 6].percent == pytest.approx(half)
        assert f"{quick[chance, 6].percent:.2f}" == "1.09"
        # One in a hundred and one.
        assert quick[f"insurance_{chance}", 8].percent == pytest.approx(100 / 101)
    prison = GAME.edges(GAME.read_rules({"refait_policy": "prison"}), random.Random(1), 0)
    by_bet = {(edge.bet, edge.decks): edge.percent for edge in prison}
    assert half < by_bet["black", 6] < half + 0.02
    short = {
        e.bet: e.percent
        for e in GAME.edges(GAME.read_rules({"even_chance_pays": "19:20"}), random.Random(1), 0)
    }
    wins = float(1 - exact.EQUAL[8]) / 2
    assert short["red"] == pytest.approx(wins * 5 + float(exact.refait(8)) * 50)
    generous = GAME.quick_edges(GAME.read_rules({"even_chance_pays": "21:20"}))
    assert all(edge.favours_player for edge in generous)
