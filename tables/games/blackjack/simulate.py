"""Many rounds along the basic strategy, by a short path of the same rules: one player, one hand, one bet.

It keeps totals instead of cards and logs nothing; a test plays the same cards through `play` and `settle`
and finds the same money.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

from tables.games.base import Draw
from tables.games.blackjack.dealer import best, stands
from tables.games.blackjack.hands import BY_RANK
from tables.games.blackjack.rules import NOT_ACE, ORIGINAL_BET, Rules
from tables.games.blackjack.strategy import Strategy, strategy_for

VALUE_OF = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
"""Points of the thirteen ranks, ace first, the ace as 1."""

CUT = 104
"""CARD-27: the cut card has at most two decks behind it; with fewer decks, half the shoe."""

_Held = tuple[int, float, bool, bool]
"""A hand that stood: its points, its stake, a two-card 21 after a split, the original hand."""


def simulate(rules: Rules, draw: Draw, rounds: int) -> tuple[float, float]:
    """The mean result of a round for the player in initial bets, and half its 95 % interval."""
    play = player_of(rules)
    whole = [rank for rank in range(13) for _ in range(4 * rules.decks)]
    behind = min(CUT, len(whole) // 2)
    shoe: list[int] = []
    total = squares = 0.0
    for _ in range(rounds):
        if len(shoe) <= behind:
            shoe = whole.copy()
            draw.shuffle(shoe)
            shoe.pop()  # CARD-35: one card is burned.
        won = play(shoe.pop)
        total += won
        squares += won * won
    mean = total / rounds
    return mean, 1.96 * sqrt(max(squares / rounds - mean * mean, 0.0) / rounds)


def player_of(rules: Rules) -> Callable[[Callable[[], int]], float]:
    """A function that plays one round with the ranks (0 to 12) its argument gives, and tells what is won."""
    table = strategy_for(rules)
    win, natural = table.win, table.natural
    american, waits_on_ten = rules.american, rules.immediate_pay != NOT_ACE
    even = table.takes_even_money()
    original = rules.dealer_blackjack_takes == ORIGINAL_BET

    def play(pop: Callable[[], int]) -> float:
        first, up_rank, second = pop(), pop(), pop()
        up = VALUE_OF[up_rank]
        hole = VALUE_OF[pop()] if american else 0
        if VALUE_OF[first] + VALUE_OF[second] == 11 and 0 in (first, second):
            if not (up == 1 or (up == 10 and waits_on_ten)):
                return natural
            if up == 1 and even:
                return table.even
            hole = hole or VALUE_OF[pop()]
            return 0.0 if up + hole == 11 and 1 in (up, hole) else natural
        if american and up + hole == 11 and 1 in (up, hole):
            return -1.0
        won, held = play_hands(rules, first, second, up, pop)
        if not held:
            return won
        hole = hole or VALUE_OF[pop()]
        if up + hole == 11 and 1 in (up, hole):
            return won + sum(_to_blackjack(hand, original, rules.split_21_pushes) for hand in held)
        points = _complete(up, hole, rules.dealer_hits_soft_17, pop)
        for total, stake, _, _ in held:
            if points > 21 or total > points:
                won += win * stake
            elif total < points:
                won -= stake
        return won

    return play


def _to_blackjack(hand: _Held, original_only: bool, split_21_pushes: bool) -> float:
    """What a standing hand loses to the dealer's black jack."""
    _, stake, split_21, is_original = hand
    if split_21 and split_21_pushes:
        return 0.0
    if original_only:
        return -1.0 if is_original else 0.0
    return -stake


def _complete(up: int, hole: int, hits_soft_17: bool, pop: Callable[[], int]) -> int:
    """The dealer's points once no card is due any more (BJ-17, BJ-18)."""
    total, ace = up + hole, 1 in (up, hole)
    while not stands(total, ace, hits_soft_17):
        value = VALUE_OF[pop()]
        total += value
        ace = ace or value == 1
    return best(total, ace)[0]


def play_hands(
    rules: Rules, first: int, second: int, up: int, pop: Callable[[], int]
) -> tuple[float, list[_Held]]:
    """The player's hands along the strategy: what is decided already, and the hands that stood."""
    table = strategy_for(rules)
    by_rank = rules.split_pair_by == BY_RANK
    won, splits, is_original = 0.0, 0, True
    held: list[_Held] = []
    # Hands still to play, the next one last: its cards' ranks, and whether it comes from a split.
    waiting: list[tuple[int, int, bool]] = [(first, second, False)]
    while waiting:
        one, two, split = waiting.pop()
        if two < 0:
            two = pop()
        alike = one == two if by_rank else VALUE_OF[one] == VALUE_OF[two]
        may_split = alike and splits < rules.splits_max and (not split or one != 0 or rules.resplit_aces)
        outcome, points, cards = _play_hand(table, one, two, may_split, split, up, pop)
        stake = 2.0 if outcome == "double" else 1.0
        if outcome == "split":
            splits += 1
            waiting += [(two, _NO_CARD, True), (one, _NO_CARD, True)]
            continue
        if points > 21:
            won -= stake
        elif outcome == "surrender":
            won += table.surrendered
        elif outcome == "charlie":
            won += table.win
        else:
            held.append((points, stake, split and cards == 2 and points == 21, is_original))
        is_original = False
    return won, held


_NO_CARD = -1


def _play_hand(
    table: Strategy, one: int, two: int, may_split: bool, split: bool, up: int, pop: Callable[[], int]
) -> tuple[str, int, int]:
    """How one hand ends (stand, double, split, surrender, charlie), its points and its cards."""
    total = VALUE_OF[one] + VALUE_OF[two]
    ace, cards = 0 in (one, two), 2
    pair = VALUE_OF[one] if may_split else 0
    charlie = table.rules.charlie_cards or 99
    while True:
        points = best(total, ace)[0]
        if points <= 21 and cards >= charlie:
            return "charlie", points, cards
        if points >= 21 or (split and one == 0 and not may_split):
            return "stand", points, cards
        move = table.move(total, ace, cards, pair, may_split, split, up)
        if move not in ("hit", "double"):
            return move, points, cards
        value = VALUE_OF[pop()]
        total, ace, cards, pair = total + value, ace or value == 1, cards + 1, 0
        if move == "double":
            return move, best(total, ace)[0], cards
