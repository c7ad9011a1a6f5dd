"""Points and the table of draws: who takes the next card, and why.

`next_hand` is asked for every card; `because` puts the answer in words with the figures and the
rule, for the screen before the card and for the refusal after a wrong one. Both read the same
table. Hands are sequences of card values 0 to 9 in the order dealt.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from casino.kernel.words import Text
from shoes.cards import FRENCH52, VALUE_CARDS

# BAC-10: the ace counts 1, tens and court cards 0, the rest their number.
_RANK_VALUES = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0, **{str(n): n for n in range(2, 10)}}
VALUES: dict[str, int] = {card: _RANK_VALUES[card[0]] for card in FRENCH52.cards} | {
    card: int(card[1]) for card in VALUE_CARDS
}
"""Points of every canonical card."""

NATURAL = 8
"""BAC-12: from this total on, with two cards, nobody draws."""

PUNTO_DRAWS = frozenset(range(6))
"""BAC-13: punto's two-card totals that draw; BAC-14 gives banca the same when punto stands."""

_ANY = frozenset(range(10))
BANCA_DRAWS: tuple[frozenset[int], ...] = (
    # BAC-15: by banca's two-card total, the values of punto's third card against which it draws.
    _ANY,
    _ANY,
    _ANY,
    _ANY - {8},
    frozenset(range(2, 8)),
    frozenset(range(4, 8)),
    frozenset({6, 7}),
    frozenset(),
)


def points(values: Sequence[int]) -> int:
    """The total of a hand: the units of the sum (BAC-10)."""
    return sum(values) % 10


def next_hand(punto: Sequence[int], banca: Sequence[int]) -> str:
    """Who takes the next card: `punto`, `banca`, or `""` when no more cards are due."""
    dealt = len(punto) + len(banca)
    if dealt < 4:
        # BAC-11: first and third card to punto, second and fourth to banca.
        return "banca" if dealt % 2 else "punto"
    if len(banca) == 3:
        return ""
    banca_total = (banca[0] + banca[1]) % 10
    if len(punto) == 3:
        return "banca" if punto[2] in BANCA_DRAWS[banca_total] else ""
    punto_total = (punto[0] + punto[1]) % 10
    if punto_total >= NATURAL or banca_total >= NATURAL:
        return ""
    if punto_total in PUNTO_DRAWS:
        return "punto"
    return "banca" if banca_total in PUNTO_DRAWS else ""


class Because(NamedTuple):
    """The answer of `next_hand` with the rule that gives it and the figures in words."""

    to: str
    rule: str
    why: Text


def because(punto: Sequence[int], banca: Sequence[int]) -> Because:
    """Why `next_hand` answers what it answers."""
    to = next_hand(punto, banca)
    dealt = len(punto) + len(banca)
    if dealt < 4:
        return Because(to, "BAC-11", _OPENING.fill(n=dealt + 1))
    p, b = points(punto[:2]), points(banca[:2])
    if p >= NATURAL or b >= NATURAL:
        return Because(to, "BAC-12", _NATURAL.fill(p=p, b=b))
    if len(banca) == 3 and len(punto) == 2:
        return Because(to, "BAC-14", _ALL_DEALT)
    if len(banca) == 3:
        return Because(to, "BAC-15", _ALL_DEALT)
    if len(punto) == 3:
        against = _listed(BANCA_DRAWS[b])
        words = _BANCA_DRAWS_AGAINST if to else _BANCA_STANDS_AGAINST
        if not BANCA_DRAWS[b]:
            words = _BANCA_ALWAYS_STANDS
        return Because(to, "BAC-15", words.fill(b=b, third=punto[2], against=against))
    if to == "punto":
        return Because(to, "BAC-13", _PUNTO_DRAWS.fill(p=p))
    return Because(to, "BAC-14", (_BANCA_DRAWS if to else _BANCA_STANDS).fill(p=p, b=b))


def punto_stands(punto: Sequence[int]) -> Text:
    """Why punto takes no third card (BAC-13)."""
    return Text(
        "el punto tiene {p} con dos cartas y se planta (pide de 0 a 5, se planta con 6 o 7)",
        "punto has {p} with two cards and stands (draws on 0 to 5, stands on 6 or 7)",
    ).fill(p=points(punto[:2]))


def _listed(values: Collection[int]) -> Text:
    """`2 a 7`, `6 y 7`, `0 a 7 y 9`: runs of three or more are shortened."""
    runs: list[list[int]] = []
    for value in sorted(values):
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    spanish, english = [], []
    for run in runs:
        if len(run) > 2:
            spanish.append(f"{run[0]} a {run[-1]}")
            english.append(f"{run[0]} to {run[-1]}")
        else:
            spanish.extend(str(value) for value in run)
            english.extend(str(value) for value in run)
    return Text(" y ".join(spanish), " and ".join(english))


_OPENING = Text(
    "carta {n} de las cuatro primeras: primera y tercera al punto, segunda y cuarta a la banca",
    "card {n} of the first four: first and third to punto, second and fourth to banca",
)
_NATURAL = Text(
    "hay natural (punto {p}, banca {b} con dos cartas): nadie pide",
    "there is a natural (punto {p}, banca {b} with two cards): nobody draws",
)
_ALL_DEALT = Text(
    "la banca ya tiene su tercera carta: no hay más cartas",
    "banca has its third card: no more cards are due",
)
_PUNTO_DRAWS = Text(
    "el punto tiene {p} con dos cartas: debe pedir (pide de 0 a 5, se planta con 6 o 7)",
    "punto has {p} with two cards: it must draw (draws on 0 to 5, stands on 6 or 7)",
)
_BANCA_DRAWS = Text(
    "el punto se plantó con {p} y la banca tiene {b}: debe pedir (pide de 0 a 5, se planta con 6 o 7)",
    "punto stood on {p} and banca has {b}: it must draw (draws on 0 to 5, stands on 6 or 7)",
)
_BANCA_STANDS = Text(
    "el punto se plantó con {p} y la banca tiene {b}: se planta (pide de 0 a 5, se planta con 6 o 7)",
    "punto stood on {p} and banca has {b}: it stands (draws on 0 to 5, stands on 6 or 7)",
)
_BANCA_DRAWS_AGAINST = Text(
    "la tercera del punto vale {third} y la banca tiene {b}: debe pedir (con {b} pide contra {against})",
    "punto's third card counts {third} and banca has {b}: it must draw (on {b} it draws against {against})",
)
_BANCA_STANDS_AGAINST = Text(
    "la tercera del punto vale {third} y la banca tiene {b}: se planta (con {b} sólo pide contra {against})",
    "punto's third card counts {third} and banca has {b}: it stands (on {b} it draws only against {against})",
)
_BANCA_ALWAYS_STANDS = Text(
    "la banca tiene {b}: se planta contra cualquier tercera carta del punto ({third})",
    "banca has {b}: it stands against any third card of punto ({third})",
)
