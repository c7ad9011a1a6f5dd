"""A text that names somebody or says why can be seen: nothing invisible passes for a name or a reason."""

from __future__ import annotations

import pytest

from casino.kernel import texts
from casino.kernel.errors import Refused

UNSEEN = [
    "\u200b",  # zero width space
    "\u2060",  # word joiner
    "\u00ad",  # soft hyphen
    "\u3164",  # hangul filler, a letter by its category
    "\u115f\u1160",  # hangul choseong and jungseong fillers
    "\uffa0",  # halfwidth hangul filler
    "\u2800",  # braille pattern blank, a symbol by its category
    "\u034f",  # combining grapheme joiner, a mark
    "\ufe0f",  # variation selector
    "\U000e0100",  # variation selector 17
    "\u180e",  # mongolian vowel separator
    "\x00",
]


@pytest.mark.parametrize("unseen", UNSEEN, ids=ascii)
def test_what_cannot_be_seen_is_no_part_of_a_name(unseen: str) -> None:
    for name in (unseen, f"Ana{unseen}"):
        with pytest.raises(Refused) as refusal:
            texts.line(name, "name", 60, least=0)
        assert (refusal.value.code, refusal.value.field) == ("bad_name", "name")


@pytest.mark.parametrize("unseen", [*UNSEEN, "", " ", "\t\n", "\u00a0\u3000", "\u200b \u3164"], ids=ascii)
def test_a_text_of_nothing_that_can_be_seen_says_nothing(unseen: str) -> None:
    assert not texts.says_something(unseen)
    assert texts.says_something(f"{unseen}a") and texts.says_something(f"{unseen}¿?")


@pytest.mark.parametrize("name", ["Ana Rojas", "Ñusta Quispe-Mamani", "José", "王小明", "Mesa 3", "P&B"])
def test_what_can_be_seen_stays_as_it_is(name: str) -> None:
    assert texts.line(f" {name} ", "name", 60) == name
