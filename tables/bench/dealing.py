"""Packs that were shuffled, too little or not at all, and the rounds that real games deal from them.

Only the lengths of rounds and the order of cards matter here, so the games are played along short paths of
the same rules: Punto y Banca by its table of draws, Black Jack along the basic strategy.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

from shoes.cards import FRENCH52
from tables.games import registry
from tables.games.baccarat import draws
from tables.games.blackjack.dealer import stands
from tables.games.blackjack.rules import Rules
from tables.games.blackjack.simulate import CUT, VALUE_OF, play_hands

Pack = list[str]
Rounds = list[list[str]]
Prepare = Callable[[Pack, random.Random], Pack]
Deal = Callable[[Pack, random.Random], Rounds]

STOP = 6
"""CARD-29: cards behind the stop card."""
LEAST_CUT = 52
_RANK = {card: "A23456789TJQK".index(card[0]) for card in FRENCH52.cards}


def new_pack(decks: int, chance: random.Random, *, both_ways: bool = False) -> Pack:
    """New decks on one another, suits in any order; with `both_ways` the last two suits run downwards."""
    suits, ranks = chance.sample(list(FRENCH52.suits), 4), list(FRENCH52.ranks)
    deck = [
        rank + suit
        for place, suit in enumerate(suits)
        for rank in (reversed(ranks) if both_ways and place > 1 else ranks)
    ]
    return deck * decks


def shuffled(pack: Pack, chance: random.Random) -> Pack:
    chance.shuffle(pack)
    return pack


def riffled(pack: Pack, chance: random.Random) -> Pack:
    """One riffle: halved as people halve, the next card falling from a part with the chance of its size."""
    at = sum(chance.random() < 0.5 for _ in pack)
    left, right, mixed = pack[:at][::-1], pack[at:][::-1], []
    while left or right:
        part = left if chance.random() * (len(left) + len(right)) < len(left) else right
        mixed.append(part.pop())
    return mixed


def stripped(pack: Pack, chance: random.Random) -> Pack:
    """Blocks of 4 to 20 cards taken off and laid on one another: their order is turned round."""
    mixed: Pack = []
    at = 0
    while at < len(pack):
        size = chance.randint(4, 20)
        mixed = pack[at : at + size] + mixed
        at += size
    return mixed


def sorted_together(pack: Pack, chance: random.Random) -> Pack:
    """The decks sorted into one pile, as a count may leave them: each face six or eight times, then the
    next."""
    order = {card: place for place, card in enumerate(dict.fromkeys(pack))}
    return sorted(pack, key=order.__getitem__)


PREPARED: Mapping[str, Prepare] = {
    "new decks": lambda pack, chance: pack,
    "sorted together": sorted_together,
    "stripped": stripped,
    "one riffle": riffled,
    "riffle and strip": lambda pack, chance: stripped(riffled(pack, chance), chance),
    "two riffles": lambda pack, chance: riffled(riffled(pack, chance), chance),
}
"""What is done to new decks before they are cut and dealt, from nothing to almost enough."""


def cut(pack: Pack, chance: random.Random) -> Pack:
    """CARD-25: at least 52 cards on either side."""
    at = chance.randint(LEAST_CUT, len(pack) - LEAST_CUT)
    return pack[at:] + pack[:at]


def punto_banca(pack: Pack, chance: random.Random) -> Rounds:
    """The rounds of a shoe of Punto y Banca, after its burn (CARD-37), until the stop card."""
    left = pack[::-1]
    burned = draws.VALUES[left.pop()] or 10
    del left[len(left) - burned :]
    rounds = []
    while len(left) > STOP:
        hands: dict[str, list[int]] = {"punto": [], "banca": []}
        cards: list[str] = []
        while to := draws.next_hand(hands["punto"], hands["banca"]):
            cards.append(left.pop())
            hands[to].append(draws.VALUES[cards[-1]])
        rounds.append(cards)
    return rounds


def black_jack(pack: Pack, chance: random.Random) -> Rounds:
    """The rounds of a shoe of Black Jack with 1 to 7 boxes played, until two decks are left (CARD-27)."""
    rules = registry.game("blackjack.classic").default_rules()
    left, boxes = pack[::-1], chance.randint(1, 7)
    left.pop()  # CARD-35
    rounds = []
    while len(left) > CUT:
        rounds.append(list(_black_jack_round(rules, left, boxes)))
    return rounds


def _black_jack_round(rules: Rules, left: Pack, boxes: int) -> Iterator[str]:
    before = left.copy()

    def pop() -> int:
        return _RANK[left.pop()]

    first = [pop() for _ in range(boxes)]
    up = VALUE_OF[pop()]
    second = [pop() for _ in range(boxes)]
    standing = [play_hands(rules, one, two, up, pop)[1] for one, two in zip(first, second, strict=True)]
    total, ace = up, up == 1
    while any(standing) and not stands(total, ace, rules.dealer_hits_soft_17):
        value = VALUE_OF[pop()]
        total, ace = total + value, ace or value == 1
    yield from reversed(before[len(left) :])
