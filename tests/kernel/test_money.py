"""Money: parsing, writing and rounding, on both sides of every limit."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.kernel import money
from casino.kernel.errors import Refused
from casino.kernel.money import Rounding, round_to


@pytest.mark.parametrize(
    ("text", "exponent", "units"),
    [
        ("1250.50", 2, 125_050),
        ("1250,5", 2, 125_050),
        ("1250", 2, 125_000),
        (" 0.01 ", 2, 1),
        ("-3.2", 2, -320),
        ("7", 0, 7),
        ("1.234", 3, 1234),
        ("100000000000.00", 2, 10**13),
        ("-100000000000.00", 2, -(10**13)),
    ],
)
def test_parse(text: str, exponent: int, units: int) -> None:
    assert money.parse(text, exponent) == units


@pytest.mark.parametrize(
    ("text", "exponent"),
    [
        ("", 2),
        ("abc", 2),
        ("1.250,50", 2),
        ("1,250.50", 2),
        ("1.250", 2),
        ("1,250", 2),
        ("1.001", 2),
        ("1.5", 0),
        ("1.", 2),
        (".5", 2),
        ("1e3", 2),
        ("NaN", 2),
        ("--1", 2),
        ("٣", 2),
        ("1 000", 2),
        ("1.00" + "0" * 40 + "1", 2),
        ("100000000000.01", 2),
        ("25.00" + " " * 35 + "99999", 2),
        ("25.00" + " " * 36, 2),
        ("25.00\n1", 2),
        ("9" * 17, 2),
        ("9" * 5000, 2),
    ],
)
def test_parse_refuses(text: str, exponent: int) -> None:
    with pytest.raises(Refused) as refusal:
        money.parse(text, exponent, field="amount")
    assert (refusal.value.code, refusal.value.field) == ("bad_amount", "amount")
    assert len(refusal.value.message.es) < 200


@pytest.mark.parametrize(
    ("text", "language", "exponent", "units"),
    [
        ("6.000", "es", 2, 600_000),
        ("6.000,00", "es-bo", 2, 600_000),
        ("1.250,5", "es", 2, 125_050),
        ("1.234.567,89", None, 2, 123_456_789),
        ("6000", "es", 2, 600_000),
        ("12,5", "es", 2, 1_250),
        ("12.5", "es", 2, 1_250),  # cannot be a thousand: three figures would follow the point
        ("50.00", "es", 2, 5_000),
        ("6,000", "en", 2, 600_000),
        ("6,000.00", "en", 2, 600_000),
        ("1,234,567.89", "en-us", 2, 123_456_789),
        ("12,5", "en", 2, 1_250),
        ("1.250", "es", 0, 1_250),
        ("6,000", "es", 3, 6_000),
    ],
)
def test_an_amount_is_read_as_people_of_the_language_write_it(
    text: str, language: str | None, exponent: int, units: int
) -> None:
    assert money.typed(text, language, exponent) == units


@pytest.mark.parametrize(
    ("text", "language", "exponent"),
    [
        ("1,250", "es", 2),  # a thousand to an English reader
        ("1.250", "en", 2),
        ("1,250.50", "es", 2),
        ("1.250,50", "en", 2),
        ("1.25.0", "es", 2),
        ("1250.500", "es", 2),
        ("12.50,00", "es", 2),
        ("1,5,0", "es", 2),
        ("1.5", "es", 0),
        ("6.000", "es", 3),  # a form filled with six, or six thousand
        ("", "es", 2),
        ("mucho", "en", 2),
        ("\u0666.000", "es", 2),
        ("9" * 50, "es", 2),
    ],
)
def test_an_amount_that_reads_two_ways_is_refused_with_what_to_type(
    text: str, language: str, exponent: int
) -> None:
    with pytest.raises(Refused) as refusal:
        money.typed(text, language, exponent, field="amount")
    assert (refusal.value.code, refusal.value.field) == ("bad_amount", "amount")
    assert "1250, 1.250" in refusal.value.message.es
    assert "1250, 1,250" in refusal.value.message.en


@given(st.integers(-money.MAX_UNITS, money.MAX_UNITS), st.integers(0, 4), st.sampled_from(["es", "en"]))
def test_what_a_page_shows_can_be_typed_back(units: int, exponent: int, language: str) -> None:
    shown = money.readable(units, language, exponent).replace("\N{MINUS SIGN}", "-")
    assert money.typed(shown, language, exponent) == units


@given(st.integers(-money.MAX_UNITS, money.MAX_UNITS), st.integers(0, 4))
def test_plain_is_read_back(units: int, exponent: int) -> None:
    assert money.parse(money.plain(units, exponent), exponent) == units


@pytest.mark.parametrize(
    ("units", "exponent", "plain", "spanish", "english"),
    [
        (125_050, 2, "1250.50", "1.250,50", "1,250.50"),
        (5, 2, "0.05", "0,05", "0.05"),
        (-123_456_789, 2, "-1234567.89", "\N{MINUS SIGN}1.234.567,89", "\N{MINUS SIGN}1,234,567.89"),
        (1000, 0, "1000", "1.000", "1,000"),
        (0, 2, "0.00", "0,00", "0.00"),
    ],
)
def test_written_forms(units: int, exponent: int, plain: str, spanish: str, english: str) -> None:
    assert money.plain(units, exponent) == plain
    assert (money.words(units, exponent).es, money.words(units, exponent).en) == (spanish, english)
    assert money.readable(units, "es-bo", exponent) == money.readable(units, None, exponent) == spanish


@pytest.mark.rule("GEN-09")
@pytest.mark.parametrize(
    ("exact", "policy", "amount"),
    [
        (Fraction(1000), Rounding.UP, 1000),
        (Fraction(1001), Rounding.UP, 1500),
        (Fraction(1000) + Fraction(1, 1000), Rounding.UP, 1500),
        (Fraction(1499), Rounding.DOWN, 1000),
        (Fraction(1500), Rounding.DOWN, 1500),
        (Fraction(1249), Rounding.NEAREST, 1000),
        (Fraction(1250), Rounding.NEAREST, 1500),
        (Fraction(1251), Rounding.NEAREST, 1500),
        (Fraction(1500), Rounding.EXACT, 1500),
        (Fraction(0), Rounding.UP, 0),
    ],
)
def test_round_to_a_step_of_500(exact: Fraction, policy: Rounding, amount: int) -> None:
    rounded = round_to(exact, 500, policy)
    assert (rounded.amount, rounded.left) == (amount, amount - exact)


@pytest.mark.rule("GEN-09")
def test_exact_policy_refuses_a_remainder() -> None:
    with pytest.raises(Refused) as refusal:
        round_to(Fraction(1001), 500, Rounding.EXACT)
    assert (refusal.value.code, refusal.value.rule) == ("inexact_amount", "GEN-09")


@pytest.mark.parametrize(("exact", "step"), [(Fraction(-1), 1), (Fraction(1), 0)])
def test_round_to_takes_amounts_and_steps(exact: Fraction, step: int) -> None:
    with pytest.raises(ValueError, match="non-negative"):
        round_to(exact, step, Rounding.UP)


@given(
    st.fractions(0, 10**9),
    st.integers(1, 10**6),
    st.sampled_from([Rounding.UP, Rounding.DOWN, Rounding.NEAREST]),
)
def test_rounding_moves_less_than_a_step(exact: Fraction, step: int, policy: Rounding) -> None:
    rounded = round_to(exact, step, policy)
    assert rounded.amount % step == 0
    assert rounded.left == rounded.amount - exact
    assert {
        Rounding.UP: 0 <= rounded.left < step,
        Rounding.DOWN: -step < rounded.left <= 0,
        Rounding.NEAREST: -step < 2 * rounded.left <= step,
    }[policy]
