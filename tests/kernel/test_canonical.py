"""Canonical JSON: the fast encoder writes the reference's bytes, or leaves it to the reference."""

from __future__ import annotations

import enum
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from casino.kernel.canonical import canonical

LARGEST = 2**53 - 1
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
KEYS = TEXTS | st.sampled_from(["\U0001f600", "\ufb33", "a\x7f", "\u20ac", "\r", '"', "\\", "", "\x00", "/"])
SCALARS = st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner) | st.tuples(inner, inner)
)


@given(VALUES)
def test_the_bytes_are_those_of_the_reference(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(
    st.text(
        st.characters(max_codepoint=0xFF) | st.characters(min_codepoint=0xFFF0, exclude_categories=["Cs"])
    )
)
def test_every_character_is_written_as_the_reference_writes_it(text: str) -> None:
    assert canonical({text: [text]}) == rfc8785.dumps({text: [text]})


@pytest.mark.parametrize("number", [LARGEST, -LARGEST, 0, True])
def test_the_largest_integers_are_kept(number: int) -> None:
    assert canonical([number]) == rfc8785.dumps([number])


@pytest.mark.parametrize(
    "value",
    [2**53, -(2**53), {"a": [2**64]}, {1: "a"}, {"a": b"bytes"}, {"a": {1, 2}}, "\ud800", {"\udc00": 1}],
)
def test_what_json_readers_would_not_keep_is_refused_as_by_the_reference(value: Any) -> None:
    with pytest.raises((rfc8785.CanonicalizationError, UnicodeError)) as reference:
        rfc8785.dumps(value)
    with pytest.raises(reference.type):
        canonical(value)


@pytest.mark.parametrize("value", [0.5, 1.0, float("nan"), [1, 2.5], {"a": {"b": (1, 1e300)}}])
def test_a_float_is_refused_however_deep(value: Any) -> None:
    with pytest.raises(TypeError, match="floats"):
        canonical(value)


class Kind(enum.StrEnum):
    STAFF = "staff"


def test_an_enumeration_is_its_value() -> None:
    assert canonical({"kind": Kind.STAFF, Kind.STAFF: 1}) == b'{"kind":"staff","staff":1}'
