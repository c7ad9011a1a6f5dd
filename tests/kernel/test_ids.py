"""Names people see."""

from __future__ import annotations

import datetime as dt

import pytest

from casino.kernel import ids
from casino.kernel.errors import Refused


@pytest.mark.parametrize(
    ("typed", "name"), [("PB-01", "PB-01"), (" pb-1 ", "PB-1"), ("abcd-123", "ABCD-123")]
)
def test_table_names(typed: str, name: str) -> None:
    assert ids.table_name(typed) == name


@pytest.mark.parametrize(
    "typed", ["", "PB", "PB01", "ABCDE-1", "PB-1234", "PB-", "P1-1", "PB-01\nPB-02", "PB-\u0663", "PB-1\n2"]
)
def test_what_is_no_table_name(typed: str) -> None:
    with pytest.raises(Refused) as refusal:
        ids.table_name(typed)
    assert (refusal.value.code, refusal.value.field) == ("bad_table_name", "name")


def test_labels() -> None:
    assert ids.session_label("BJ-04", dt.date(2026, 11, 29), 1) == "BJ-04 · 2026-11-29 · 1"
    assert ids.shoe_label(123) == "S-000123"
    assert ids.new_request_id() != ids.new_request_id()
