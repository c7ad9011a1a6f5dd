"""Who takes the next card where punto may choose: the table of draws with one decision in it.

Points, naturals and banca's table are Punto y Banca's own. Punto is free on some two-card totals
(BAC-17); where it stood, banca follows punto's table (BAC-14), where it drew, its own (BAC-15).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from casino.kernel.words import Text
from tables.games.baccarat import draws
from tables.games.baccarat.draws import NATURAL, PUNTO_DRAWS, Because, points

CHOICE = "choice"
"""What is due when punto's highest bettor has to say whether punto draws (BAC-16)."""


def next_step(punto: Sequence[int], banca: Sequence[int], decision: str, free: Collection[int]) -> str:
    """`punto`, `banca`, `choice`, or `""` when the round is over.

    Hands are card values 0 to 9 in the order dealt; `decision` is draw, stand or nothing yet.
    """
    if len(punto) != 2 or len(banca) != 2:
        if len(punto) == 2 and len(banca) == 3:
            return ""
        return draws.next_hand(punto, banca)
    p, b = (punto[0] + punto[1]) % 10, (banca[0] + banca[1]) % 10
    if p >= NATURAL or b >= NATURAL:
        return ""
    if not decision and p in free:
        return CHOICE
    if decision == "draw" or (not decision and p in PUNTO_DRAWS):
        return "punto"
    return "banca" if b in PUNTO_DRAWS else ""


def because(punto: Sequence[int], banca: Sequence[int], decision: str, free: Collection[int]) -> Because:
    """Why `next_step` answers what it answers, with the rule and the figures."""
    to = next_step(punto, banca, decision, free)
    p, b = points(punto[:2]), points(banca[:2])
    if len(punto) != 2 or len(banca) != 2 or p >= NATURAL or b >= NATURAL:
        return draws.because(punto, banca)
    if to == CHOICE:
        return Because(to, "BAC-16", _FREE.fill(p=p))
    if to == "punto":
        return Because(to, "BAC-16", _CHOSE.fill(p=p)) if decision else Because(to, "BAC-17", _MUST.fill(p=p))
    return Because(to, "BAC-14", (_BANCA_DRAWS if to else _BANCA_STANDS).fill(p=p, b=b))


_FREE = Text(
    "el punto tiene {p} con dos cartas: quien más apostó al punto decide si pide o se planta",
    "punto has {p} with two cards: whoever bet most on punto decides whether to draw or stand",
)
_CHOSE = Text("con {p} el punto eligió pedir", "on {p} punto chose to draw")
_MUST = Text(
    "el punto tiene {p} con dos cartas: debe pedir, aquí no hay elección",
    "punto has {p} with two cards: it must draw, there is no choice here",
)
_BANCA_DRAWS = Text(
    "el punto se plantó con {p} y la banca tiene {b}: debe pedir (pide de 0 a 5, se planta con 6 o 7)",
    "punto stood on {p} and banca has {b}: it must draw (draws on 0 to 5, stands on 6 or 7)",
)
_BANCA_STANDS = Text(
    "el punto se plantó con {p} y la banca tiene {b}: se planta (pide de 0 a 5, se planta con 6 o 7)",
    "punto stood on {p} and banca has {b}: it stands (draws on 0 to 5, stands on 6 or 7)",
)
