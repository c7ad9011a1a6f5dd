"""The seal as a scanner reads it: the QR symbol of `publishing.qr_text`, for a page and for paper."""

from __future__ import annotations

from functools import lru_cache

import segno

QUIET = 4
"""Modules of white that a scanner needs around the symbol (ISO/IEC 18004)."""
_ERROR_CORRECTION = "m"


@lru_cache(maxsize=128)
def svg(text: str) -> str:
    """The symbol as an SVG to be put into a page; it scales with the box it stands in."""
    symbol = segno.make(text, error=_ERROR_CORRECTION, micro=False)
    return symbol.svg_inline(omitsize=True, border=QUIET, dark="#000", light="#fff")


def modules(text: str) -> list[list[bool]]:
    """The symbol's modules, row by row from the top, dark ones true; without the white around them."""
    symbol = segno.make(text, error=_ERROR_CORRECTION, micro=False)
    return [[bool(module) for module in row] for row in symbol.matrix_iter(border=0)]
