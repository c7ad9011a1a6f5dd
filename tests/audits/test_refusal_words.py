"""A refusal on record is told in the words of the code that refuses, and in none that may be another's."""

from __future__ import annotations

import pytest

from casino.refusal_words import said_by

pytestmark = pytest.mark.rule("REC-06")


def test_the_only_sentence_of_a_code_is_its_own() -> None:
    found = said_by("trail_not_whole", "REC-06")
    assert found is not None
    assert found.es.startswith("la auditoría no está íntegra (…: …)")
    assert found.en.startswith("the trail is not whole (…: …)")


def test_of_several_rules_the_sentence_is_that_of_the_rule() -> None:
    """REC-08: an earlier day stands open before the seal, and before the close."""
    assert said_by("earlier_day_open", "REC-08") is not None
    assert said_by("same_person", "GEN-10") == said_by("same_person", "CARD-02")


def test_nothing_is_said_of_what_is_unknown_or_said_in_several_ways() -> None:
    assert said_by("no_such_code_anywhere") is None
    assert said_by("bad_text") is None
