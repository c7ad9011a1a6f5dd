"""Which poker hand beats which: five to seven cards, Omaha's two and three, three cards, open cards.

A hand's worth is one integer: higher is better, equal is a tie (suits never break one). It stands on
nothing but the words of the house, so that it can be copied alone into an offline verifier.

How: each card is an integer of three bits a rank and four bits a suit. The sum over a hand says how
often each rank came, which a table turns into a value, and whether five of a suit came (PH-22, PH-23).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from casino.kernel.words import Text

RANKS: Final = "23456789TJQKA"
SUITS: Final = "shdc"
ORDER_RULE: Final = "PH-23"
"""The rule of the book behind the order of five-card hands."""
CATEGORIES: Final = (
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)
"""Five cards, lowest first (PH-23)."""
CATEGORIES3: Final = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")
"""Three cards, lowest first: three of a kind and the straight stand above the flush (PH-20)."""

# A value is its category, then up to five ranks of four bits each (2 for the deuce … 14 for the ace).
_CATEGORY_AT: Final = 20
_RANKS_OF_A_VALUE: Final = 5

_SUITS_AT: Final = 3 * len(RANKS)
_RANKS_ONLY: Final = (1 << _SUITS_AT) - 1
# Three in each suit's place to begin with: the fifth card of a suit carries into its highest bit.
_START: Final = 0x3333 << _SUITS_AT
_FLUSH: Final = 0x8888 << _SUITS_AT
_CARDS: Final = {
    rank + suit: (1 << (3 * at)) + (1 << (_SUITS_AT + 4 * place))
    for at, rank in enumerate(RANKS)
    for place, suit in enumerate(SUITS)
}
_BITS: Final = {rank + suit: 1 << (at + 2) for at, rank in enumerate(RANKS) for suit in SUITS}
_FLUSH_SUITS: Final = {8 << (_SUITS_AT + 4 * place): suit for place, suit in enumerate(SUITS)}


def _value(kind: int, ranks: Sequence[int]) -> int:
    worth = kind
    for at in range(_RANKS_OF_A_VALUE):
        worth = worth << 4 | (ranks[at] if at < len(ranks) else 0)
    return worth


def _straight(bits: int, length: int = 5) -> int:
    """The highest rank of the best straight in a set of ranks (bit 2 the deuce), 0 without one."""
    bits |= (bits >> 14 & 1) << 1
    for _ in range(length - 1):
        bits &= bits << 1
    return bits.bit_length() - 1 if bits else 0


def _unpacked(key: int) -> list[tuple[int, int]]:
    """(times, rank) of a sum of cards, most frequent first, then highest."""
    counts = [(key >> (3 * at) & 7, at + 2) for at in range(len(RANKS))]
    return sorted((pair for pair in counts if pair[0]), reverse=True)


class _ByRanks(dict[int, int]):
    """Values of hands without a flush, by the sum of their cards, each worked out when first met."""

    def __missing__(self, key: int) -> int:
        counts = _unpacked(key)
        if not 5 <= sum(times for times, _ in counts) <= 7 or counts[0][0] > 4:
            raise ValueError("a hand is ranked by five to seven different cards")
        worth = self[key] = _of_ranks(counts)
        return worth


def _of_ranks(counts: list[tuple[int, int]]) -> int:
    (times, first), rest = counts[0], counts[1:]
    singles = sorted((rank for _, rank in rest), reverse=True)
    if times == 4:
        return _value(7, (first, singles[0]))
    if times == 3 and rest[0][0] >= 2:
        # Of two trios, or of several pairs, the highest completes the full house.
        return _value(6, (first, max(rank for many, rank in rest if many >= 2)))
    high = _straight(sum(1 << rank for _, rank in counts))
    if high:
        return _value(4, (high,))
    if times == 3:
        return _value(3, (first, *singles[:2]))
    if times == 2 and rest[0][0] == 2:
        second = rest[0][1]
        return _value(2, (first, second, max(rank for rank in singles if rank != second)))
    if times == 2:
        return _value(1, (first, *singles[:3]))
    return _value(0, (first, *singles[:4]))


class _BySuit(dict[int, int]):
    """Values of five to seven cards of one suit, by the set of their ranks."""

    def __missing__(self, bits: int) -> int:
        if not 5 <= bits.bit_count() <= 7:
            raise ValueError("a hand is ranked by five to seven different cards")
        high = _straight(bits)
        ranks = [rank for rank in range(14, 1, -1) if bits >> rank & 1]
        worth = self[bits] = _value(9 if high == 14 else 8, (high,)) if high else _value(5, ranks[:5])
        return worth


_by_ranks: Final = _ByRanks()
_by_suit: Final = _BySuit()
_card = _CARDS.__getitem__


def best(cards: Sequence[str]) -> int:
    """The value of the best five of 5, 6 or 7 different canonical cards (PH-23).

    Raises `ValueError` on another number of cards, `KeyError` on what is no card.
    """
    key = sum(map(_card, cards), _START)
    suited = key & _FLUSH
    # With five of a suit in seven cards no full house or poker fits: the suit alone decides.
    if suited:
        suit = _FLUSH_SUITS[suited]
        return _by_suit[sum(_BITS[card] for card in cards if card[1] == suit)]
    return _by_ranks[key & _RANKS_ONLY]


def showdown(board: Sequence[str], hands: Iterable[Sequence[str]]) -> list[int]:
    """The value of each hand with the cards of a common board, in the order given; as `best`, but the
    board is looked at once.
    """
    card, by_ranks, flush, only = _card, _by_ranks, _FLUSH, _RANKS_ONLY
    shared = sum(map(card, board), _START)
    found = []
    for own in hands:
        key = shared
        for one in own:
            key += card(one)
        found.append(best((*own, *board)) if key & flush else by_ranks[key & only])
    return found


def omaha(own: Sequence[str], board: Sequence[str]) -> int:
    """The value of the best hand of exactly two own cards and three of the board."""
    twos = [_CARDS[one] + _CARDS[other] & _RANKS_ONLY for one, other in combinations(own, 2)]
    threes = [sum(map(_card, three)) & _RANKS_ONLY for three in combinations(board, 3)]
    worth = max([_by_ranks[two + three] for two in twos for three in threes])
    for suit in SUITS:
        mine = [_BITS[card] for card in own if card[1] == suit]
        shared = [_BITS[card] for card in board if card[1] == suit]
        if len(mine) >= 2 and len(shared) >= 3:
            for two in combinations(mine, 2):
                suited = max([_by_suit[sum(two) + sum(three)] for three in combinations(shared, 3)])
                worth = max(worth, suited)
    return worth


def omaha_five(own: Sequence[str], board: Sequence[str]) -> tuple[str, ...]:
    """The five cards of Omaha's best hand, as `best_five` orders them."""
    pairs = combinations(own, 2)
    hands = [two + three for two in pairs for three in combinations(board, 3)]
    return _in_order(max(hands, key=best))


def best_five(cards: Sequence[str]) -> tuple[str, ...]:
    """The five cards that make the hand: what was paired first, then from the highest down."""
    return _in_order(max(combinations(cards, 5), key=best))


def _in_order(five: Sequence[str]) -> tuple[str, ...]:
    times = [card[0] for card in five]
    low_ace = CATEGORIES[best(five) >> _CATEGORY_AT] in ("straight", "straight_flush") and "2" in times

    def place(card: str) -> tuple[int, int]:
        rank = 1 if low_ace and card[0] == "A" else RANKS.index(card[0]) + 2
        return -times.count(card[0]), -rank

    return tuple(sorted(five, key=place))


class _OfThree(dict[int, int]):
    """Values of three cards, by the sum of their cards, suits included."""

    def __missing__(self, key: int) -> int:
        counts = _unpacked(key)
        if sum(times for times, _ in counts) != 3:
            raise ValueError("a three-card hand has three cards")
        ranks = [rank for _, rank in counts]
        suited = key >> _SUITS_AT in (3, 3 << 4, 3 << 8, 3 << 12)
        high = _straight(sum(1 << rank for rank in ranks), 3)
        if len(ranks) == 1:
            worth = _value(4, ranks)
        elif len(ranks) == 2:
            worth = _value(1, ranks)
        elif high:
            worth = _value(5 if suited else 3, (high,))
        else:
            worth = _value(2 if suited else 0, ranks)
        self[key] = worth
        return worth


_of_three: Final = _OfThree()


def three(cards: Sequence[str]) -> int:
    """The value of three cards (PH-20); A-2-3 is the lowest straight, K-A-2 is none."""
    return _of_three[sum(map(_card, cards))]


def best_shown(cards: Sequence[str]) -> int:
    """The value of one to four open cards, for who speaks first in stud: equal ranks and high cards.

    Straights and flushes count for nothing before the fifth card. Comparable between hands that show
    the same number of cards, and readable by `category` and `words`.
    """
    if not 1 <= len(cards) <= 4:
        raise ValueError("one to four open cards are compared")
    counts = _unpacked(sum(map(_card, cards)))
    times, pairs = counts[0][0], sum(many == 2 for many, _ in counts)
    kind = {4: 7, 3: 3, 2: 2 if pairs == 2 else 1, 1: 0}[times]
    return _value(kind, [rank for _, rank in counts])


def category(value: int) -> str:
    """What a five-card value is: one of `CATEGORIES`."""
    return CATEGORIES[value >> _CATEGORY_AT]


def category3(value: int) -> str:
    """What a three-card value is: one of `CATEGORIES3`."""
    return CATEGORIES3[value >> _CATEGORY_AT]


def ranks_of(value: int) -> str:
    """The ranks that decide, in the order they are compared: `KK88A` reads `K8A`, a straight its top."""
    ranks = [value >> (4 * at) & 15 for at in range(_RANKS_OF_A_VALUE - 1, -1, -1)]
    return "".join(RANKS[rank - 2] for rank in ranks if rank)


def at_least(kind: str, ranks: str = "") -> int:
    """The lowest five-card value that begins so: `pair`, `8` (of eights); `high_card`, `AK`."""
    return _value(CATEGORIES.index(kind), [RANKS.index(rank) + 2 for rank in ranks])


def at_least3(kind: str, ranks: str = "") -> int:
    """The lowest three-card value that begins so: `high_card`, `Q`."""
    return _value(CATEGORIES3.index(kind), [RANKS.index(rank) + 2 for rank in ranks])


_ONE: Final = {
    "2": Text("dos", "two"),
    "3": Text("tres", "three"),
    "4": Text("cuatro", "four"),
    "5": Text("cinco", "five"),
    "6": Text("seis", "six"),
    "7": Text("siete", "seven"),
    "8": Text("ocho", "eight"),
    "9": Text("nueve", "nine"),
    "T": Text("diez", "ten"),
    "J": Text("jota", "jack"),
    "Q": Text("reina", "queen"),
    "K": Text("rey", "king"),
    "A": Text("as", "ace"),
}
_MANY: Final = {
    "2": Text("doses", "twos"),
    "3": Text("treses", "threes"),
    "4": Text("cuatros", "fours"),
    "5": Text("cincos", "fives"),
    "6": Text("seises", "sixes"),
    "7": Text("sietes", "sevens"),
    "8": Text("ochos", "eights"),
    "9": Text("nueves", "nines"),
    "T": Text("dieces", "tens"),
    "J": Text("jotas", "jacks"),
    "Q": Text("reinas", "queens"),
    "K": Text("reyes", "kings"),
    "A": Text("ases", "aces"),
}


@lru_cache(maxsize=8_192)
def words(value: int) -> Text:
    """A five-card value (or open cards) as it is announced: «full de reyes con ochos»."""
    return _words(category(value), ranks_of(value))


_SAID_OF: Final = {
    "pair": 1,
    "two_pair": 2,
    "three_of_a_kind": 1,
    "four_of_a_kind": 1,
    "flush": 1,
    "high_card": 2,
}
"""How many of a value's ranks `words` names; the rest are side cards."""


@lru_cache(maxsize=8_192)
def words_with_sides(value: int) -> Text:
    """A five-card value with its side cards, for hands that read alike without: «par de reyes, con as …»."""
    said = words(value)
    sides = [_ONE[rank] for rank in ranks_of(value)[_SAID_OF.get(category(value), _RANKS_OF_A_VALUE) :]]
    if not sides:
        return said
    *head, last = sides
    spanish, english = ", ".join(one.es for one in head), ", ".join(one.en for one in head)
    return Text(
        f"{said.es}, con {spanish} y {last.es}" if head else f"{said.es}, con {last.es}",
        f"{said.en}, with {english} and {last.en}" if head else f"{said.en}, with {last.en}",
    )


@lru_cache(maxsize=2_048)
def words3(value: int) -> Text:
    """A three-card value as it is announced."""
    return _words(category3(value), ranks_of(value))


def _words(kind: str, ranks: str) -> Text:
    one, many = _ONE[ranks[0]], _MANY[ranks[0]]
    second = _MANY[ranks[1]] if len(ranks) > 1 else many
    up_to = f"a la {one.es}" if ranks[0] in "JQ" else f"al {one.es}"
    match kind:
        case "royal_flush":
            return Text("escala real", "royal flush")
        case "straight_flush":
            return Text(f"escalera de color {up_to}", f"{one.en}-high straight flush")
        case "four_of_a_kind":
            return Text(f"poker de {many.es}", f"four {many.en}")
        case "full_house":
            return Text(f"full de {many.es} con {second.es}", f"full house, {many.en} over {second.en}")
        case "flush":
            return Text(f"color {up_to}", f"{one.en}-high flush")
        case "straight":
            return Text(f"escala {up_to}", f"{one.en}-high straight")
        case "three_of_a_kind":
            return Text(f"trío de {many.es}", f"three {many.en}")
        case "two_pair":
            return Text(f"dos pares, {many.es} y {second.es}", f"two pair, {many.en} and {second.en}")
        case "pair":
            return Text(f"par de {many.es}", f"pair of {many.en}")
    if len(ranks) == 1:
        return Text(f"carta alta, {one.es}", f"{one.en} high")
    next_one = _ONE[ranks[1]]
    return Text(f"carta alta, {one.es} y {next_one.es}", f"{one.en}-{next_one.en} high")
