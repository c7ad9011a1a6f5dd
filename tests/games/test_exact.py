"""Exact chances against published figures and against a second, plainer count."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product

import pytest

from casino.kernel import rulebook
from tables.games.baccarat import exact
from tables.games.baccarat.rules import house_edges
from tests.games.building import MINI

PUBLISHED = {
    # decks: banca, punto, tie to six digits; house edges on banca (5 %), punto and tie (8:1) in percent
    8: ("0.458597", "0.446247", "0.095156", "1.0579", "1.2351", "14.3596"),
    6: ("0.458653", "0.446279", "0.095069", "1.0558", "1.2374", "14.4382"),
}


@pytest.mark.parametrize("decks", PUBLISHED)
def test_published_chances_and_edges(decks: int) -> None:
    seen, edge = exact.counts(decks), exact.edges(decks)
    chances = tuple(f"{n / seen.deals:.6f}" for n in (seen.banca, seen.punto, seen.tie))
    edges = tuple(f"{float(e) * 100:.4f}" for e in (edge.banca, edge.punto, edge.tie))
    assert chances + edges == PUBLISHED[decks]


@lru_cache(maxsize=1)
def _chart() -> tuple[frozenset[int], tuple[frozenset[int], ...]]:
    """The table of draws as the rulebook writes it."""
    banca = rulebook.rule("BAC-15").params
    return (
        frozenset(rulebook.rule("BAC-13").params["punto_draws"]),
        tuple(frozenset(banca[f"banca_{total}_draws"]) for total in range(8)),
    )


def _plain_count(decks: int) -> tuple[int, int, int, int]:
    """Deal after deal in the order the cards leave the shoe: punto, banca, tie, banca with six.

    A deal that ends early weighs as many ways as the cards it leaves could have been dealt on.
    """
    punto_draws, banca_draws = _chart()
    whole = [16 * decks] + [4 * decks] * 9
    tally = [0, 0, 0, 0]

    def ways(values: tuple[int, ...]) -> int:
        left, count = list(whole), 1
        for value in values:
            count *= left[value]
            left[value] -= 1
        for gone in range(len(values), 6):
            count *= 52 * decks - gone
        return count

    def end(punto: int, banca: int, values: tuple[int, ...]) -> None:
        count = ways(values)
        tally[0 if punto > banca else 1 if banca > punto else 2] += count
        if banca == 6 > punto:
            tally[3] += count

    for four in product(range(10), repeat=4):
        p, b = (four[0] + four[2]) % 10, (four[1] + four[3]) % 10
        if p > 7 or b > 7:
            end(p, b, four)
        elif p not in punto_draws:
            if b in punto_draws:
                for v in range(10):
                    end(p, (b + v) % 10, (*four, v))
            else:
                end(p, b, four)
        else:
            for third in range(10):
                if third in banca_draws[b]:
                    for v in range(10):
                        end((p + third) % 10, (b + v) % 10, (*four, third, v))
                else:
                    end((p + third) % 10, b, (*four, third))
    return tally[0], tally[1], tally[2], tally[3]


@pytest.mark.parametrize("decks", [6, 8])
def test_the_plain_count_agrees_to_the_last_deal(decks: int) -> None:
    punto, banca, tie, six = _plain_count(decks)
    seen = exact.counts(decks)
    assert (seen.punto, seen.banca, seen.tie, seen.banca_six) == (punto, banca, tie, six)
    cards, deals = 52 * decks, 1
    for drawn in range(6):
        deals *= cards - drawn
    assert seen.deals == deals


@pytest.mark.rule("GEN-06")
def test_edges_follow_the_rules() -> None:
    assert house_edges(MINI.default_rules(), 8) == exact.edges(8)
    half = house_edges(MINI.read_rules({"banca_variant": "no_commission"}), 8)
    # A winning six pays half: banca gains P(banca) - P(six)/2 and loses P(punto). Published: 1.4581 %.
    seen = exact.counts(8)
    assert half.banca == Fraction(seen.punto - seen.banca, seen.deals) + Fraction(
        seen.banca_six, 2 * seen.deals
    )
    assert f"{float(half.banca) * 100:.4f}" == "1.4581"
    # 9:1 on ties, published: 4.8440 % with eight decks.
    assert f"{float(exact.edges(8, tie_pays=Fraction(9)).tie) * 100:.4f}" == "4.8440"
