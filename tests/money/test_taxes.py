"""The taxes as arithmetic, each figure worked by hand in the test (REC-01 to REC-04)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tables.money import taxes
from tables.money.taxes import GROSS, NET, Inputs, Shares, Taxed


@pytest.mark.rule("REC-03")
@pytest.mark.parametrize(
    ("price", "base", "tax"),
    [
        # 100,00 less 13 % is 87,00; 15 % of it 13,05.
        (100_00, 87_00, 13_05),
        # 0,01 x 0,87 = 0,0087, to the nearest 0,01; 15 % of it is 0,0015, to the nearest nothing.
        (1, 1, 0),
        # 0,05 x 0,87 = 0,0435 -> 0,04; 15 % of it 0,006 -> 0,01.
        (5, 4, 1),
        # 0,50 x 0,87 = 0,435 -> half goes up: 0,44; 15 % of it 0,066 -> 0,07.
        (50, 44, 7),
        # 333,33 x 0,87 = 289,9971 -> 290,00; 15 % of it 43,50.
        (333_33, 290_00, 43_50),
        # 1.234,57 x 0,87 = 1.074,0759 -> 1.074,08; 15 % of it 161,112 -> 161,11.
        (1_234_57, 1_074_08, 161_11),
        (0, 0, 0),
    ],
)
def test_ipj_of_a_sale(price: int, base: int, tax: int) -> None:
    assert taxes.ipj(price) == Taxed(base, tax)


@pytest.mark.rule("REC-03")
def test_ipj_is_never_further_from_the_exact_tax_than_its_two_roundings() -> None:
    # Half a centavo of the base weighs 0,15 x 0,5 in the tax, its own rounding half a centavo more.
    most = Fraction(1, 2) + Fraction(15, 200)
    for price in range(0, 20_000, 7):
        assert abs(taxes.ipj(price).tax - Fraction(price * 87 * 15, 10_000)) <= most


def test_nothing_is_sold_for_less_than_nothing() -> None:
    with pytest.raises(ValueError, match="less than nothing"):
        taxes.ipj(-1)


EVENING = Inputs(
    sold_cage=10_000_00, sold_tables=5_000_00, redeemed=9_000_00, prizes=500_00, deductions=320_00
)


@pytest.mark.rule("REC-01")
@pytest.mark.rule("REC-02")
def test_both_bases_of_the_ij() -> None:
    # Received 15.000,00; less 13 % is 13.050,00; 30 % of it 3.915,00.
    assert taxes.ij(EVENING, GROSS) == Taxed(13_050_00, 3_915_00)
    # 15.000,00 - 9.000,00 - 500,00 = 5.500,00; less 13 % is 4.785,00; 30 % of it 1.435,50.
    assert taxes.ij(EVENING, NET) == Taxed(4_785_00, 1_435_50)
    assert taxes.bases() == (GROSS, NET)
    assert taxes.provision_base() == GROSS


@pytest.mark.rule("REC-02")
def test_the_provision_is_never_below_the_other_base() -> None:
    for redeemed in (0, 1, 9_000_00, 14_999_99, 15_000_00, 40_000_00):
        inputs = Inputs(sold_cage=10_000_00, sold_tables=5_000_00, redeemed=redeemed)
        assert taxes.ij(inputs, GROSS).tax >= taxes.ij(inputs, NET).tax


@pytest.mark.rule("REC-01")
def test_a_month_that_lost_shows_its_base_and_bears_no_tax() -> None:
    # 1.000,00 - 1.500,00 = -500,00; less 13 % is -435,00.
    assert taxes.ij(Inputs(sold_cage=1_000_00, redeemed=1_500_00), NET) == Taxed(-435_00, 0)


def test_a_base_that_is_not_in_the_book_is_a_fault() -> None:
    with pytest.raises(ValueError, match="no such base"):
        taxes.ij(EVENING, "whatever")


@pytest.mark.rule("REC-01")
def test_the_month_is_computed_on_its_sums_and_not_day_by_day() -> None:
    # A day of 0,50 gross: base 0,435 -> 0,44, tax 0,132 -> 0,13; thirty of them 3,90.
    day = Inputs(sold_cage=50)
    assert 30 * taxes.ij(day, GROSS).tax == 3_90
    # The month: 15,00 gross, base 13,05, tax 3,915 -> 3,92. That is what is declared.
    assert taxes.ij(sum([day] * 30, Inputs()), GROSS) == Taxed(13_05, 3_92)


@pytest.mark.rule("REC-04")
@pytest.mark.parametrize(
    ("tax", "treasury", "department", "municipality"),
    [
        (100_00, 70_00, 15_00, 15_00),
        # 15 % of 13,05 is 1,9575, down to 1,95 twice; the Treasury has the rest: 13,05 - 3,90.
        (13_05, 9_15, 1_95, 1_95),
        # 15 % of 0,07 is 0,0105, down to 0,01 twice.
        (7, 5, 1, 1),
        (1, 1, 0, 0),
        (0, 0, 0, 0),
        (-13_05, -9_15, -1_95, -1_95),
    ],
)
def test_the_ipj_is_distributed(tax: int, treasury: int, department: int, municipality: int) -> None:
    assert taxes.distributed(tax) == Shares(treasury, department, municipality)


@pytest.mark.rule("REC-04")
def test_the_parts_are_always_the_whole() -> None:
    for tax in range(-500, 2_000):
        parts = taxes.distributed(tax)
        assert parts.treasury + parts.department + parts.municipality == tax
