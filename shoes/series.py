"""Serial numbers that follow one another: the first of them and how many. Pure."""

from __future__ import annotations

import re

from casino.kernel.errors import Refused
from casino.kernel.words import Text

MOST = 500
_LAST_FIGURES = re.compile(r"(.*?)([0-9]+)([^0-9]*)", re.ASCII)


def following(first: str, count: int, *, field: str) -> list[str]:
    """`N000199`, 3 gives N000199, N000200, N000201: the last figures count on, keeping their width.

    Raises `Refused` (`bad_series`) for a number without figures, or none or too many of them.
    """
    if not 1 <= count <= MOST:
        raise Refused(
            Text(f"indique cuántas son, de 1 a {MOST}", f"say how many there are, 1 to {MOST}"),
            code="bad_series",
            field="how_many",
        )
    found = _LAST_FIGURES.fullmatch(first.strip())
    if found is None:
        raise Refused(
            Text(
                "la primera debe llevar cifras, como N000101, para contar desde ella",
                "the first must hold figures, such as N000101, to count on from it",
            ),
            code="bad_series",
            field=field,
        )
    before, figures, after = found.groups()
    start, width = int(figures), len(figures)
    return [f"{before}{start + step:0{width}d}{after}" for step in range(count)]
