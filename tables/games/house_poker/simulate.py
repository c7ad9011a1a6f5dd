"""The house's edge from rounds dealt by chance, where counting every deal is out of reach.

Draw Poker only: with both changes of cards there are too many deals to count. The player plays by the
fixed strategy said in `DRAW_STRATEGY`; a better one may exist, so the edge is an upper estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from casino.kernel.words import Text
from shoes.cards import FRENCH52
from tables.games.base import Draw
from tables.games.house_poker.course import discards_by_rule
from tables.games.house_poker.exact import gain
from tables.games.house_poker.rules import DrawRules, multiple, qualifier
from tables.games.poker import ranks

DRAW_STRATEGY = Text(
    "pone siempre el BET; con escala o mejor se queda; cambia las cartas sueltas de trío o dos pares, las dos"
    " menores sueltas de un par, la que sobra de cuatro a color o a escala abierta, y si no las dos menores",
    "always places the BET; keeps a straight or better; changes the side cards of a trio or two pair, the"
    " two lowest side cards of a pair, the odd card of four to a flush or open straight, else the two lowest",
)


class Estimate(NamedTuple):
    """Mean loss of the player per unit of ANTE, and half its 95 % confidence interval."""

    edge: float
    margin: float
    rounds: int


def draw_poker(rules: DrawRules, draw: Draw, rounds: int) -> Estimate:
    """Draw Poker's edge from `rounds` deals, at least two."""
    pack, floor, times = list(FRENCH52.cards), qualifier(rules)[0], multiple(rules)
    not_open = float(
        gain(rules.ante_pays["dealer_not_open"]) + times * gain(rules.bet_pays["dealer_not_open"])
    )
    equal = float(gain(rules.ante_pays["hands_equal"]) + times * gain(rules.bet_pays["hands_equal"]))
    higher = float(gain(rules.ante_pays["player_higher"]))
    by_hand = {row: higher + times * float(gain(pays)) for row, pays in rules.bet_pays.items()}
    total = squares = 0.0
    for _ in range(rounds):
        _to_the_front(pack, draw, 14)
        own, house, rest = pack[:5], pack[5:10], iter(pack[10:14])
        out: Sequence[str] = changes(own, rules.change_max_cards)
        own = [card if card not in out else next(rest) for card in own]
        if rules.dealer_draws:
            out = discards_by_rule(rules, house)
            house = [card if card not in out else next(rest) for card in house]
        against = ranks.best(house)
        if against < floor:
            won = not_open
        else:
            mine = ranks.best(own)
            won = equal if mine == against else -1.0 - times
            if mine > against:
                won = by_hand[ranks.category(mine)]
        total += won
        squares += won * won
    mean = total / rounds
    spread = sqrt(max(squares / rounds - mean * mean, 0.0) / (rounds - 1))
    return Estimate(-mean, 1.96 * spread, rounds)


def _to_the_front(pack: list[str], draw: Draw, number: int) -> None:
    """Put `number` cards at the front of the pack by chance."""
    for place in range(number):
        other = place + draw.randrange(len(pack) - place)
        pack[place], pack[other] = pack[other], pack[place]


def changes(hand: Sequence[str], most: int) -> list[str]:
    """What the player of `DRAW_STRATEGY` changes."""
    category = ranks.category(ranks.best(hand))
    if category not in ("three_of_a_kind", "two_pair", "pair", "high_card"):
        return []
    own = [card[0] for card in hand]
    side = sorted((card for card in hand if own.count(card[0]) == 1), key=_place)
    odd = _odd_card(hand) if category in ("pair", "high_card") else []
    return (odd or side[:2])[:most]


def _odd_card(hand: Sequence[str]) -> list[str]:
    """The card that keeps the hand from being four to a flush or to an open straight."""
    suits = [card[1] for card in hand]
    for suit in set(suits):
        if suits.count(suit) == 4:
            return [card for card in hand if card[1] != suit]
    ordered = sorted(hand, key=_place)
    for odd, four in ((ordered[4], ordered[:4]), (ordered[0], ordered[1:])):
        places = [_place(card) for card in four]
        if len(set(map(_place, hand))) == 5 and places[3] - places[0] == 3:
            return [odd]
    return []


def _place(card: str) -> int:
    return ranks.RANKS.index(card[0])
