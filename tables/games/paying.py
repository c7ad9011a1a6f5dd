"""What a stake comes to: pay tables' words as money, and the payouts in the order they are made.

`N:M` pays N for every M staked and gives the stake back. Prizes go down to the smallest chip, what is
taken of a stake goes up (GEN-09); what rounding kept back is told as breakage. Amounts are smallest units.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any, NamedTuple

from casino.kernel.money import Rounding, round_to
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import reading
from tables.games.base import Bet, Payout, Totals

RATIO = re.compile(r"[1-9]\d{0,3}:[1-9]\d{0,2}", re.ASCII)
MOST_TO_ONE = 1_000
"""No payout is above 1,000:1: what keeps every sum exact (`tables.games.base.MOST_ON_A_SPOT`)."""


@lru_cache(maxsize=512)
def ratio(pays: str) -> Fraction:
    """`8:1` as a number."""
    gain, stake = pays.split(":")
    return Fraction(int(gain), int(stake))


def read_ratio(value: object, field: str, most: int = MOST_TO_ONE) -> str:
    """A payout such as `8:1`, at most `most` to 1. Raises `Refused` naming the field."""
    if not isinstance(value, str) or not RATIO.fullmatch(value) or ratio(value) > most:
        wanted = Text(f"un pago como 8:1, hasta {most}:1", f"a payout such as 8:1, to {most}:1")
        raise reading.bad_type(field, wanted)
    return value


class Award(NamedTuple):
    """What one bet comes to, everything a payout says but its place."""

    returned: int
    commission: int
    rounding: int
    pays: str
    row: str
    rule: str
    words: Text
    act: str
    breakage: int


@lru_cache(maxsize=65_536)
def lost(stake: int, row: str, rule: str, exponent: int, why: Text | None = None) -> Award:
    """The whole stake is taken. `why`, here and below, is said before the money: `20 contra 18`."""
    said = money_words(stake, exponent)
    words = because(why, Text(f"se retira {said.es}", f"take {said.en}"))
    return Award(0, 0, 0, "lose", row, rule, words, "collect", 0)


@lru_cache(maxsize=65_536)
def pushed(stake: int, row: str, rule: str, exponent: int, why: Text | None = None) -> Award:
    """The stake stays with its owner."""
    said = money_words(stake, exponent)
    words = because(why or _VOID, Text(f"quedan {said.es}", f"{said.en} stands"))
    return Award(stake, 0, 0, "push", row, rule, words, "push", 0)


@lru_cache(maxsize=16_384)
def half_lost(
    stake: int,
    row: str,
    rule: str,
    chip: int,
    exponent: int,
    pays: str = "lose_half",
    why: Text | None = None,
) -> Award:
    """Half the stake is taken, up to whole chips (GEN-09); the rest goes back."""
    taken = min(stake, round_to(Fraction(stake, 2), chip, Rounding.UP).amount)
    said, back = money_words(taken, exponent), going_back(stake - taken, exponent)
    words = Text(f"se retira la mitad, {said.es}; {back.es}", f"take half, {said.en}; {back.en}")
    return Award(stake - taken, 0, 0, pays, row, rule, because(why, words), "collect", 0)


@lru_cache(maxsize=65_536)
def won(
    stake: int,
    row: str,
    pays: str,
    rule: str,
    chip: int,
    exponent: int,
    exact: bool = False,
    why: Text | None = None,
) -> Award:
    """The stake goes back with its prize, down to whole chips unless `exact` (GEN-09)."""
    prize = stake * ratio(pays)
    paid = floor(prize) if exact else round_to(prize, chip, Rounding.DOWN).amount
    gain, unit = pays.split(":")
    on, total = money_words(stake, exponent), money_words(paid, exponent)
    short = floor(prize) - paid
    down = Text(" (redondeado hacia abajo)", " (rounded down)") if paid != prize else Text("", "")
    words = Text(
        f"{gain} a {unit} sobre {on.es} = {total.es}{down.es}",
        f"{gain} to {unit} on {on.en} = {total.en}{down.en}",
    )
    return Award(stake + paid, 0, 0, pays, row, rule, because(why, words), "pay", short)


_VOID = Text("nula", "void")


def because(why: Text | None, words: Text) -> Text:
    """What is done with the money, after why: «20 contra 18: 1 a 1 sobre 10,00 = 10,00»."""
    return words if why is None else Text(f"{why.es}: {words.es}", f"{why.en}: {words.en}")


def going_back(amount: int, exponent: int) -> Text:
    """What is left of a stake once its part is taken; whole chips may leave nothing (GEN-09)."""
    if not amount:
        return NOTHING_LEFT
    said = money_words(amount, exponent)
    return Text(f"vuelven {said.es}", f"{said.en} goes back")


NOTHING_LEFT = Text("no queda nada", "nothing is left")


def in_order(awarded: Iterable[tuple[Any, Bet, Award]]) -> tuple[Payout, ...]:
    """Payouts numbered in the order of the first members (anything that sorts)."""
    ranked = sorted(awarded, key=lambda entry: entry[0])
    return tuple(
        [
            Payout(
                order,
                bet.seat,
                bet.spot,
                bet.hand,
                bet.amount,
                award.returned,
                award.returned - bet.amount,
                award.commission,
                award.rounding,
                award.pays,
                award.row,
                award.rule,
                award.words,
                award.act,
                award.breakage,
            )
            for order, (_, bet, award) in enumerate(ranked, start=1)
        ]
    )


def totals(payouts: Iterable[Payout]) -> Totals:
    """The round in sums."""
    staked = returned = commission = rounding = breakage = 0
    for payout in payouts:
        staked += payout.stake
        returned += payout.returned
        commission += payout.commission
        rounding += payout.rounding
        breakage += payout.breakage
    return Totals(staked, returned, commission, rounding, breakage, staked - returned)
