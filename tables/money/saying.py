"""Slips and chips in words: a slip's states, and a difference by denomination with its sign."""

from __future__ import annotations

from collections.abc import Mapping

from casino.kernel import money
from casino.kernel.words import Text

STATES = {
    "requested": Text("pedido", "asked for"),
    "issued": Text("emitido", "issued"),
    "verified": Text("verificado", "verified"),
    "void": Text("anulado", "void"),
}
"""What each state of a slip is called."""

KINDS = {
    "fill": Text("reposición", "fill"),
    "credit": Text("retiro", "credit"),
    "received": Text("recibidas", "received"),
    "withdrawn": Text("retiradas", "withdrawn"),
    "destroyed": Text("destruidas", "destroyed"),
}
"""What kinds of slips and of entries of chips are called."""


def differs_by(off: Mapping[int, int], exponent: int) -> Text:
    """`+2 de 25,00; −1 de 100,00`: chips too many (+) or too few (−) by denomination (FLOOR-05)."""
    parts = [(_signed(number), money.words(value, exponent)) for value, number in sorted(off.items())]
    return Text(
        "; ".join(f"{number} de {value.es}" for number, value in parts),
        "; ".join(f"{number} of {value.en}" for number, value in parts),
    )


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}")
