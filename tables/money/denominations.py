"""Which notes and coins there are: what a line of a box count may be of.

Denominations in the smallest unit of their own currency. Of a currency that is not listed any
denomination is taken: the house writes down what lay in the box.
"""

from __future__ import annotations

from collections.abc import Mapping

from casino.kernel.words import Text

CHIP = "CHIP"
"""The house's own chips, as they lie in a deduction box, by the denominations the house has."""

NOTES_AND_COINS: Mapping[str, tuple[int, ...]] = {
    "BOB": (20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10),
    "USD": (10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 25, 10, 5, 1),
}
"""Banco Central de Bolivia: notes of 200 to 10, coins of 5 to 0.10; Federal Reserve: notes of 100 to 1 and
coins."""

FOREIGN_EXPONENT = 2
"""Decimal places of a foreign currency's own money."""

NAMES: Mapping[str, Text] = {CHIP: Text("fichas de la casa", "chips of the house")}
