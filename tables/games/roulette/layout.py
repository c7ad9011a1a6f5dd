"""The layout of a single-zero roulette: every bet it takes, and the numbers each covers (RUL-02).

The numbers lie in twelve rows of three, 1-2-3 at the zero; what may be bet together follows from who lies
beside whom. A spot's code is a letter for its kind and the numbers that tell it apart: `n17`, `s17_20`,
`st13` (13-14-15), `t0_1_2`, `c17` (17-18-20-21), `c0` (the first four), `l13` (13 to 18), `d1`, `k2`, `dd1`
(first and second dozen), `kk1`, `red`. Limits are set by kind (`straight` …) or for a single spot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from casino.kernel.words import Text

NUMBERS = range(37)
REDS = frozenset({1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36})
"""RUL-01."""


class Kind(NamedTuple):
    """A kind of bet: its name, the row of the pay table it is paid by, what it pays by default (RUL-03)."""

    words: Text
    row: str
    pays: str


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "straight": Kind(Text("Plenos", "Straight up bets"), "straight_one_number", "35:1"),
        "split": Kind(Text("Caballos", "Splits"), "split_two_numbers", "17:1"),
        "trio": Kind(Text("Tríos con el cero", "Trios with zero"), "trio_with_zero", "11:1"),
        "street": Kind(Text("Transversales", "Streets"), "street_three_numbers", "11:1"),
        "corner": Kind(Text("Cuadros", "Corners"), "corner_four_numbers", "8:1"),
        "first_four": Kind(Text("Los primeros cuatro", "The first four"), "first_four", "8:1"),
        "six_line": Kind(Text("Seisenas", "Six lines"), "six_line", "5:1"),
        "even_chance": Kind(Text("Suertes sencillas", "Even chances"), "even_chance", "1:1"),
        "two_dozens": Kind(Text("Dos docenas", "Two dozens"), "two_dozens_or_columns", "1:2"),
        "dozen": Kind(Text("Docenas", "Dozens"), "dozen_or_column", "2:1"),
        "two_columns": Kind(Text("Dos columnas", "Two columns"), "two_dozens_or_columns", "1:2"),
        "column": Kind(Text("Columnas", "Columns"), "dozen_or_column", "2:1"),
    }
)
"""Every kind of bet, from the inside of the layout out."""


class Spot(NamedTuple):
    """One place where chips may lie: its kind, its words, the numbers with which it wins."""

    kind: str
    words: Text
    covers: frozenset[int]


def _inside() -> Iterator[tuple[str, str, str, str, tuple[int, ...]]]:
    """(code, kind, Spanish name, English name, numbers) of each bet on the numbers themselves."""
    for n in NUMBERS:
        yield f"n{n}", "straight", "Pleno", "Straight", (n,)
    for n in (1, 2, 3):
        yield f"s0_{n}", "split", "Caballo", "Split", (0, n)
    for n in range(1, 37):
        if n % 3:
            yield f"s{n}_{n + 1}", "split", "Caballo", "Split", (n, n + 1)
        if n <= 33:
            yield f"s{n}_{n + 3}", "split", "Caballo", "Split", (n, n + 3)
    for n in (1, 2):
        yield f"t0_{n}_{n + 1}", "trio", "Trío", "Trio", (0, n, n + 1)
    for n in range(1, 37, 3):
        yield f"st{n}", "street", "Transversal", "Street", (n, n + 1, n + 2)
    for n in range(1, 33):
        if n % 3:
            yield f"c{n}", "corner", "Cuadro", "Corner", (n, n + 1, n + 3, n + 4)
    yield "c0", "first_four", "Primeros cuatro", "First four", (0, 1, 2, 3)


def _outside() -> Iterator[tuple[str, str, Text, frozenset[int]]]:
    """(code, kind, words, numbers) of each bet on many numbers."""
    for n in range(1, 32, 3):
        said = Text(f"Seisena {n}-{n + 5}", f"Six line {n}-{n + 5}")
        yield f"l{n}", "six_line", said, frozenset(range(n, n + 6))
    ones = range(1, 37)
    chances = (
        ("red", Text("Rojo", "Red"), REDS),
        ("black", Text("Negro", "Black"), frozenset(ones) - REDS),
        ("even", Text("Par", "Even"), frozenset(n for n in ones if n % 2 == 0)),
        ("odd", Text("Impar", "Odd"), frozenset(n for n in ones if n % 2)),
        ("low", Text("Falta", "Low"), frozenset(range(1, 19))),
        ("high", Text("Pasa", "High"), frozenset(range(19, 37))),
    )
    for code, words, covers in chances:
        yield code, "even_chance", words, covers
    for n in (1, 2):
        said = Text(f"Dos docenas {n}-{n + 1}", f"Two dozens {n}-{n + 1}")
        yield f"dd{n}", "two_dozens", said, _dozen(n) | _dozen(n + 1)
    for n in (1, 2, 3):
        yield f"d{n}", "dozen", Text(f"Docena {n}", f"Dozen {n}"), _dozen(n)
    for n in (1, 2):
        said = Text(f"Dos columnas {n}-{n + 1}", f"Two columns {n}-{n + 1}")
        yield f"kk{n}", "two_columns", said, _column(n) | _column(n + 1)
    for n in (1, 2, 3):
        yield f"k{n}", "column", Text(f"Columna {n}", f"Column {n}"), _column(n)


def _dozen(n: int) -> frozenset[int]:
    return frozenset(range(12 * n - 11, 12 * n + 1))


def _column(n: int) -> frozenset[int]:
    return frozenset(range(n, 37, 3))


def _all() -> dict[str, Spot]:
    found = {}
    for code, kind, spanish, english, numbers in _inside():
        told = "-".join(str(number) for number in numbers)
        found[code] = Spot(kind, Text(f"{spanish} {told}", f"{english} {told}"), frozenset(numbers))
    for code, kind, words, covers in _outside():
        found[code] = Spot(kind, words, covers)
    return found


LAYOUT: Mapping[str, Spot] = MappingProxyType(_all())
"""Every spot by its code, from the inside out."""

SPOTS: Mapping[str, Text] = MappingProxyType(
    {code: kind.words for code, kind in KINDS.items()} | {code: spot.words for code, spot in LAYOUT.items()}
)
"""What bets and limits may name: the kinds first, which is where a person sets limits, then each spot."""

EVEN_CHANCES = frozenset(code for code, spot in LAYOUT.items() if spot.kind == "even_chance")

PAY_ORDER: Mapping[str, int] = MappingProxyType({code: at for at, code in enumerate(reversed(list(LAYOUT)))})
"""RUL-09: from the outside in."""


def colour(number: int) -> str:
    """`red`, `black`, or nothing for the zero."""
    return "" if number == 0 else "red" if number in REDS else "black"


def called(number: int) -> Text:
    """What the dealer calls: `17, negro, impar y falta` (RUL-08)."""
    if number == 0:
        return Text("cero", "zero")
    words = [LAYOUT[code].words for code in ("red", "black", "odd", "even", "low", "high")]
    true = [Text(w.es.lower(), w.en.lower()) for w in words if number in _COVERS[w.en]]
    return Text(
        f"{number}, {true[0].es}, {true[1].es} y {true[2].es}",
        f"{number}, {true[0].en}, {true[1].en}, {true[2].en}",
    )


_COVERS = {spot.words.en: spot.covers for code, spot in LAYOUT.items() if code in EVEN_CHANCES}
