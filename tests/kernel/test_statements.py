"""Statements of several parts: values in their places, errors as Django's, one plan for any value."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.db import DataError, IntegrityError, connection, transaction

from casino.kernel.statements import Write, array, select, together

pytestmark = pytest.mark.django_db


def test_every_kind_of_value_arrives_as_the_type_the_statement_says() -> None:
    instant = dt.datetime(2026, 11, 29, 22, 41, 7, 123_456, tzinfo=dt.UTC)
    key = uuid.UUID("6f2c1f8e-0000-4000-8000-000000000001")
    row = select(
        "SELECT %(i)s::bigint, %(b)s::boolean, %(t)s::timestamptz, %(d)s::date, %(u)s::uuid, %(n)s::bigint,"
        " %(x)s::bytea, %(s)s::text, %(i)s::integer + 1",
        {
            "i": -7,
            "b": False,
            "t": instant,
            "d": instant.date(),
            "u": key,
            "n": None,
            "x": b"\x00\xff",
            "s": "%(i)s ñ",
        },
    )
    assert row == (-7, False, instant, instant.date(), key, None, b"\x00\xff", "%(i)s ñ", -6)


@pytest.mark.parametrize(
    ("values", "kind"),
    [([], "bigint"), ([1, -2, 2**40], "bigint"), ([], "text")],
)
def test_arrays_of_numbers(values: list[int], kind: str) -> None:
    assert select(f"SELECT %(a)s::{kind}[]", {"a": array(values)}) == (values,)


def test_arrays_of_texts_keep_every_character() -> None:
    values = ["", "null", "NULL", 'a"b', "a\\b", "{}", "a,b", " x ", "ñ\n\t", "1"]
    assert select("SELECT %(a)s::text[]", {"a": array(values)}) == (values,)


def test_parts_have_their_own_values_under_the_same_name() -> None:
    one = Write("one AS (SELECT %(n)s::bigint AS n)", {"n": 1})
    two = Write("two AS (SELECT %(n)s::bigint AS n)", {"n": 2})
    assert together([one, two], "SELECT one.n, two.n FROM one, two") == (1, 2)
    assert together([two], "SELECT n FROM two WHERE n = 1") is None


def test_what_the_database_refuses_is_raised_as_django_raises_it() -> None:
    with pytest.raises(DataError), transaction.atomic():
        select("SELECT %(n)s::bigint", {"n": "veinte"})
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE once (n bigint PRIMARY KEY) ON COMMIT DROP")
    write = Write("made AS (INSERT INTO once VALUES (%(n)s::bigint))", {"n": 1})
    together([write])
    with pytest.raises(IntegrityError), transaction.atomic():
        together([write])
    assert select("SELECT count(*) FROM once", {}) == (1,)


def test_values_of_every_size_share_one_plan() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements")
        before = cursor.fetchone()[0]
    for value in (1, 2**20, 2**40, None, "12", True):
        select("SELECT %(n)s::text, 'one plan'", {"n": value})
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements")
        assert cursor.fetchone()[0] == before + 1
