"""The taxes IPJ and IJ as arithmetic (REC-01 to REC-04): pure, in centavos, every rounding declared.

How figures are rounded: each line an accountant would write is a whole centavo, rounded to the nearest (half
up), and the next line is computed from the line as written, so that what is printed can be checked by hand:
base = price less the VAT equivalent, rounded; tax = rate on that base, rounded.

By day and by month: IPJ is withheld sale by sale, so a period's IPJ is the sum of what was withheld. IJ is a
tax of the month: it is computed once, on the sums of the month. A day's IJ is a provision, and thirty
of them may differ from the month's by centavos, which the month's figure decides.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from casino.kernel import rulebook
from casino.kernel.money import Rounding, round_to

GROSS, NET = "gross_less_vat", "net_of_prizes_and_returns"
ROUNDING = Rounding.NEAREST


@dataclass(frozen=True, slots=True)
class Taxed:
    """A tax as it is written down, in centavos: the base after VAT and the tax on it."""

    base: int
    tax: int


@dataclass(frozen=True, slots=True)
class Shares:
    """Who receives the IPJ (REC-04); the three add up to it."""

    treasury: int
    department: int
    municipality: int


@dataclass(frozen=True, slots=True)
class Inputs:
    """What any base is computed from, kept apart (REC-05), in centavos.

    `sold_cage`: price of the chips sold at the cage; `sold_tables`: chips sold at tables, which is what their
    boxes held; `redeemed`: chips paid out in cash; `prizes`: prizes paid in money and not in chips (pools);
    `deductions`: rake and deduction of ring games and player banks, paid in chips sold already, so in no
    base.
    `withheld`: IPJ taken from players at the cage.
    """

    sold_cage: int = 0
    sold_tables: int = 0
    redeemed: int = 0
    prizes: int = 0
    deductions: int = 0
    withheld: int = 0

    def __add__(self, other: Inputs) -> Inputs:
        return Inputs(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Inputs)))

    @property
    def gross(self) -> int:
        """REC-01: the price received for chips, wherever they were sold."""
        return self.sold_cage + self.sold_tables

    @property
    def net(self) -> int:
        """The same less chips returned and prizes; below zero where more went out than came in."""
        return self.gross - self.redeemed - self.prizes


def less_vat(amount: int) -> int:
    """An amount less the equivalent of VAT (13 % of it), to the nearest centavo (REC-03). Keeps its sign."""
    vat = _params("REC-03")["vat_percent"]
    return _signed(amount, 100 - vat)


def ipj(price: int) -> Taxed:
    """REC-03: 15 % on the price of chips less the VAT equivalent, borne by who buys them.

    Raises `ValueError` for a negative price: a void takes back the tax that was withheld, it computes none.
    """
    if price < 0:
        raise ValueError("chips are not sold for less than nothing")
    base = less_vat(price)
    return Taxed(base, _signed(base, _params("REC-03")["ipj_rate_percent"]))


def ij(inputs: Inputs, base: str) -> Taxed:
    """REC-01, REC-02: 30 % on one of the two bases, both after VAT.

    `gross_less_vat`: all that was received for chips. `net_of_prizes_and_returns`: the same after chips
    returned and prizes; a base below zero is shown with its sign and bears no tax.
    """
    if base not in bases():
        raise ValueError(f"no such base of the IJ: {base}")
    after = less_vat(inputs.gross if base == GROSS else inputs.net)
    return Taxed(after, _signed(max(after, 0), _params("REC-01")["ij_rate_percent"]))


def bases() -> tuple[str, ...]:
    """The bases the book names, both computed every day (REC-02)."""
    return tuple(_params("REC-02")["ij_bases"])


def provision_base() -> str:
    """The base a provision uses while the operator has chosen none in writing (REC-02)."""
    return str(_params("REC-02")["ij_provision_base"])


def distributed(tax: int) -> Shares:
    """REC-04: 70 % Treasury, 15 % department, 15 % municipality.

    Department and municipality are rounded down; what is left over, at most one centavo and a fraction, goes
    to the Treasury, whose share is the largest. A negative amount (voids) is the mirror of the positive one.
    """
    rates, sign = _params("REC-04"), (-1 if tax < 0 else 1)
    department = sign * (abs(tax) * rates["ipj_department_percent"] // 100)
    municipality = sign * (abs(tax) * rates["ipj_municipality_percent"] // 100)
    return Shares(tax - department - municipality, department, municipality)


def _signed(amount: int, percent: int) -> int:
    exact = Fraction(abs(amount) * percent, 100)
    rounded = round_to(exact, 1, ROUNDING).amount
    return -rounded if amount < 0 else rounded


def _params(rule: str) -> dict[str, Any]:
    return dict(rulebook.rule(rule).params)
