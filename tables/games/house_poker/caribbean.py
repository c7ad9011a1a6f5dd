"""Caribbean Poker's edge counted exactly: all 2,598,960 hands against all 1,533,939 of the dealer's.

The counting takes a minute, so its result is written down in `COUNTED` (`tests/games/house_poker/counting.py`
counts again). With it the edge of any pay table is a short sum. The player sees no card of the dealer's
(PH-03: five covered cards), which makes the edge a little larger than where one is turned up.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import NamedTuple

from tables.games.house_poker.exact import gain
from tables.games.house_poker.kinds import QUALIFIERS
from tables.games.house_poker.rules import CaribbeanRules
from tables.games.poker import ranks

HANDS, DEALERS = comb(52, 5), comb(47, 5)
FLOOR = QUALIFIERS["ace_king"][0]
BORDER = ranks.at_least("high_card", "AKJ83")
"""Where going on begins to be better than folding, with the book's tables; suits move it by a card."""


class Deals(NamedTuple):
    """Of one group of hands: how many there are, and the deals against which the dealer does not qualify,
    or qualifies with a lower or an equal hand.
    """

    hands: int
    unqualified: int
    lower: int
    equal: int


COUNTED: Mapping[str, Deals] = {
    "below": Deals(1135260, 761821787844, 0, 0),
    "ace_king_low": Deals(102000, 71155446588, 2275123176, 24690000),
    "ace_king": Deals(65280, 45516795060, 4044638496, 15801600),
    "pair_2": Deals(84480, 55782906480, 9307500480, 2280960),
    "pair_3": Deals(84480, 55811499120, 13803272640, 2280960),
    "pair_4": Deals(84480, 55840091760, 18299044800, 2280960),
    "pair_5": Deals(84480, 55868684400, 22794816960, 2280960),
    "pair_6": Deals(84480, 55868684400, 27290589120, 2280960),
    "pair_7": Deals(84480, 55868684400, 31786361280, 2280960),
    "pair_8": Deals(84480, 55868684400, 36282133440, 2280960),
    "pair_9": Deals(84480, 55868684400, 40777905600, 2280960),
    "pair_T": Deals(84480, 55840091760, 45302270400, 2280960),
    "pair_J": Deals(84480, 55811499120, 49798042560, 2280960),
    "pair_Q": Deals(84480, 55782906480, 54293814720, 2280960),
    "pair_K": Deals(84480, 59185430640, 55358470080, 2280960),
    "pair_A": Deals(84480, 59185430640, 59854242240, 2280960),
    "two_pair": Deals(123552, 81513938520, 97602427872, 370656),
    "three_of_a_kind": Deals(54912, 35762960520, 46848581664, 0),
    "straight": Deals(10200, 6795675528, 8761103220, 2469000),
    "flush": Deals(5108, 3441266448, 4371398056, 15324),
    "full_house": Deals(3744, 2411292240, 3324895056, 0),
    "four_of_a_kind": Deals(624, 390529440, 566487160, 0),
    "straight_flush": Deals(36, 23835156, 31385944, 108),
    "royal_flush": Deals(4, 2783796, 3351948, 12),
}
"""Hands by group, lowest first: without ace-king, with it but below A-K-J-8-3, with it from there, pairs
by rank, and the other categories.
"""


def edge(rules: CaribbeanRules) -> Fraction:
    """The edge per unit of ANTE when each group of hands is played as is best for the player."""
    times = rules.bet_ante_multiple
    ante, second = rules.ante_pays, rules.bet_pays

    def both(row: str) -> Fraction:
        return gain(ante[row]) + times * gain(second[row])

    unqualified, equal, higher = map(both, ("dealer_not_qualified", "hands_equal", "player_lower"))
    total = Fraction(0)
    for group, deals in COUNTED.items():
        lower = gain(ante["player_higher"]) + times * gain(second[_row(group)])
        rest = deals.hands * DEALERS - deals.unqualified - deals.lower - deals.equal
        played = deals.unqualified * unqualified + deals.lower * lower + deals.equal * equal + rest * higher
        total += max(played, Fraction(-deals.hands * DEALERS))
    return -total / (HANDS * DEALERS)


def _row(group: str) -> str:
    """The pay table's row of a group that wins."""
    if group.startswith("pair_"):
        return "pair"
    return "ace_king" if group in ("below", "ace_king_low") else group


def group_of(value: int) -> str:
    """The group of a hand's value."""
    category = ranks.category(value)
    if category == "pair":
        return f"pair_{ranks.ranks_of(value)[0]}"
    if category != "high_card":
        return category
    return "below" if value < FLOOR else "ace_king_low" if value < BORDER else "ace_king"
