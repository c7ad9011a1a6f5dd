"""Texts in both languages, and refusals that carry them."""

from __future__ import annotations

import pytest

from casino.kernel.errors import Busy, Conflict, NotAllowed, NotFound, Refused, RuleViolation, SabotError
from casino.kernel.words import Text, same

HELLO = Text("hola {name}", "hello {name}")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("es", "sí"),
        ("es-bo", "sí"),
        ("en", "yes"),
        ("en-GB", "yes"),
        ("EN", "yes"),
        ("pt", "sí"),
        ("", "sí"),
        (None, "sí"),
    ],
)
def test_spanish_unless_english_is_asked_for(language: str | None, said: str) -> None:
    assert Text("sí", "yes").say(language) == said


def test_fill_says_a_text_in_the_language_around_it() -> None:
    filled = HELLO.fill(name=Text("mundo", "world"))
    assert filled == Text("hola mundo", "hello world")
    assert HELLO.fill(name=3) == Text("hola 3", "hello 3")
    # Braces that came in with a value are text, not places to fill.
    assert HELLO.fill(name="{x}").es == "hola {x}"


def test_forms() -> None:
    assert HELLO.as_dict() == {"es": HELLO.es, "en": HELLO.en}
    assert str(HELLO) == HELLO.es
    assert same("PB-01") == Text("PB-01", "PB-01")


@pytest.mark.parametrize(
    ("refusal", "status", "code"),
    [
        (SabotError(same("x")), 422, "refused"),
        (Refused(same("x")), 422, "refused"),
        (RuleViolation("BAC-13", same("x")), 422, "rule_violation"),
        (Conflict(same("x")), 409, "conflict"),
        (Busy(same("x")), 409, "busy"),
        (NotAllowed(same("x")), 403, "not_allowed"),
        (NotFound(same("x")), 404, "not_found"),
    ],
)
def test_refusals_have_a_status_and_a_code(refusal: SabotError, status: int, code: str) -> None:
    assert (refusal.status, refusal.code) == (status, code)


def test_a_refusal_speaks_both_languages_and_names_its_rule() -> None:
    refusal = RuleViolation("BAC-13", Text("no", "nay"), {"punto": 6}, code="card_not_due", field="to")
    assert (refusal.say("es"), refusal.say("en")) == ("no", "nay")
    assert (refusal.rule, refusal.code, refusal.field, refusal.detail) == (
        "BAC-13",
        "card_not_due",
        "to",
        {"punto": 6},
    )
    assert str(refusal) == "no [BAC-13]" and str(Refused(Text("no", "nay"))) == "no"
    figures = {"a": 1}
    assert Refused(same("x"), detail=figures).detail is not figures
