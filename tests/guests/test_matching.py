"""Documents and names as people and lists write them: what is one person's, what is not."""

from __future__ import annotations

import datetime as dt

import pytest

from tables.guests.matching import (
    SIMILAR,
    Document,
    How,
    Person,
    age_on,
    compare,
    initials,
    masked,
    name_key,
    name_score,
    normal_number,
)

BORN = dt.date(1985, 3, 14)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("1234567", "1234567"), ("1.234.567", "1234567"), (" 1234567 LP ", "1234567"),
        ("1234567-SC", "1234567"),
        ("1.234.567 L.P.", "1234567"), ("CI 1234567 cbba", "1234567"), ("LP1234567", "1234567"),
        ("0001234567", "1234567"), ("1234567-1a LP", "1234567-1A"), ("1234567 1A", "1234567-1A"),
        ("E-1234567", "E1234567"), ("sin número", ""), ("", ""),
        ("1234567 SCZ", "1234567"), ("1234567 Exp. La Paz", "1234567"), ("Nº 1234567", "1234567"),
        ("C.I. Nro. 1234567 L.P.", "1234567"), ("1234567-LP-1A", "1234567-1A"), ("12345671ALP", "1234567-1A"),
        ("1234567 Villamontes", "1234567"), ("１２３４５６７", "1234567"),
    ],
)  # fmt: skip
def test_an_identity_card_however_it_is_written(typed: str, kept: str) -> None:
    assert normal_number("ci", "BO", typed) == kept
    assert normal_number("ci", "BO", kept) == kept


def test_other_documents_keep_their_letters() -> None:
    assert normal_number("passport", "PE", "ab 12.345-6") == "AB123456"
    assert normal_number("ci", "AR", "12.345.678") == "12345678"
    assert normal_number("foreign", "BO", "E-10.203.040") == "E10203040"


def test_a_mask_shows_three_signs_and_never_more_than_half() -> None:
    shown = {"1234567": "•••567", "12345": "•••45", "12": "•••2", "1": "•••"}
    assert {number: masked(number) for number in shown} == shown


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("José Ángel Ibáñez Peña", "IBANEZ PENA, JOSE ANGEL"),
        ("María de la Cruz Vda. de Rojas", "maria cruz rojas"),
        ("Zoë D'Angelo", "Dangelo Zoe"),
    ],
)
def test_order_case_accents_and_particles_do_not_matter(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    assert name_score(one, other) == 100


def test_other_alphabets_are_compared_as_well() -> None:
    assert name_score("王 小明", "王 小明") == 100
    assert name_score("王 小明", "李 大海") < SIMILAR


# What a name may lack of another: the second surname, a middle name; two words must be left.
@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Juan Mamani", "Juan Carlos Mamani Quispe", True),
        ("Juan Gonzales Peña", "Juan González Pena", True),
        ("Juan Mamani Quispe", "Juana Mamani Quispe", True),
        ("Mamani", "Juan Mamani", False),
        ("Juan Mamani", "Juan Quispe", False),
        ("Juan Mamani Quispe", "Pedro Mamani Quispe", False),
        ("Juan Mamani Quispe", "Juan Mamani Condori", False),
        ("", "Juan Mamani", False),
    ],
)
def test_names_that_are_alike_and_names_that_are_not(one: str, other: str, alike: bool) -> None:
    assert (name_score(one, other) >= SIMILAR) is alike
    assert name_score(one, other) == name_score(other, one)


def ci(number: str) -> Document:
    return Document("ci", "BO", number)


def person(number: str = "4000000", name: str = "Juan Mamani Quispe", born: dt.date | None = BORN) -> Person:
    return Person(ci(number) if number else None, name, born)


@pytest.mark.parametrize(
    ("entry", "how"),
    [
        (person(name="Otro Nombre", born=None), How.DOCUMENT),
        (person("9999999"), How.NAME_BIRTH),
        (person("", "Mamani Juan"), How.NAME_BIRTH),
        (person("", "Juan Mamanni Quispe"), How.SIMILAR),
        (person("9999999", born=dt.date(1985, 3, 15)), How.SIMILAR),  # one figure of the date
        (person("4000001", born=dt.date(1960, 1, 1)), How.SIMILAR),  # one figure of the document
        (person("4000010", born=None), How.SIMILAR),
        (person("9999999", born=None), None),  # another document, and no birth date says otherwise
        (person("9999999", born=dt.date(1960, 1, 1)), None),  # a namesake
        (person("9999999", "Rosa Choque Lima"), None),
        (person("9999999", "", None), None),
        (Person(Document("passport", "PE", "4000000"), "", None), How.SIMILAR),  # nothing but the number
        (Person(ci("4000000-1A"), "", None), How.SIMILAR),  # without its complement
        (Person(Document("foreign", "BO", "4000000"), "Juan Mamani", dt.date(1960, 1, 1)), How.SIMILAR),
        (Person(Document("passport", "PE", "4000000"), "Rosa Choque", None), None),  # a name says otherwise
        (Person(Document("passport", "PE", "4000001"), "", None), None),
        (Person(Document("passport", "PE", "X1"), "Juan Mamani Quispe", None), How.SIMILAR),
    ],
)
def test_who_is_who(entry: Person, how: How | None) -> None:
    found = compare(person(), entry)
    assert (found.how if found else None) == how


def test_day_and_month_swapped_is_a_slip() -> None:
    one, other = person(born=dt.date(1985, 3, 4)), person("9", born=dt.date(1985, 4, 3))
    found = compare(one, other)
    assert found is not None
    assert (found.how, found.score) == (How.SIMILAR, 100)


# 2008-02-29 is 18 on 2026-03-01: the year is not over on 28 February, and 2026 has no 29th.
@pytest.mark.parametrize(
    ("born", "day", "age"),
    [
        (dt.date(2008, 11, 20), dt.date(2026, 11, 19), 17),
        (dt.date(2008, 11, 20), dt.date(2026, 11, 20), 18),
        (dt.date(2008, 2, 29), dt.date(2026, 2, 28), 17),
        (dt.date(2008, 2, 29), dt.date(2026, 3, 1), 18),
        (dt.date(2008, 2, 29), dt.date(2028, 2, 28), 19),
        (dt.date(2008, 2, 29), dt.date(2028, 2, 29), 20),
    ],
)
def test_ages_in_whole_years(born: dt.date, day: dt.date, age: int) -> None:
    assert age_on(born, day) == age


def test_initials_leave_particles_out() -> None:
    assert initials("María de la Cruz Rojas") == "M.C.R."
    assert initials("···") == "—"
