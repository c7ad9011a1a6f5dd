"""The whole self-test, as `manage.py selftest` runs it: no fault goes unnoticed, or is caught by luck."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import call_command

from casino.selftest import faults
from casino.selftest.catching import Guard, Night, Refused

ASKED = {
    "cards.card_removed",
    "rounds.commission_altered",
    "money.slip_self_approved",
    "trail.event_deleted",
    "trail.clock_ahead",
    "trail.clock_back",
    "rounds.retired_banker_bids",
    "pools.balance_raised",
}
"""What issue 8 names."""


@pytest.mark.rule("REC-06", "REC-07")
def test_each_is_caught_by_the_control_that_was_promised(on_base):
    on_base()
    out = io.StringIO()
    call_command("selftest", json=True, stdout=out)  # a fault that is not would end it with exit code 1
    told = json.loads(out.getvalue())
    wrong = [one for one in told["faults"] if one["verdict"] != "noticed"]
    assert (wrong, told["noticed"]) == ([], len(told["faults"]))
    assert {one["code"] for one in told["faults"]} == set(faults.book())
    # Each says who caught it, when, and what was said of it, in words.
    assert all(one["caught"] == one["promised"] and one["said"] for one in told["faults"])
    assert all(one["when"] == one["promised_when"] for one in told["faults"])


def test_the_faults_are_those_asked_for_and_many_more():
    book = faults.book()
    assert set(book) >= ASKED
    assert len(book) >= 30
    assert {type(one.promised) for one in book.values()} == {Refused, Guard, Night}
    assert {one.hand.en for one in book.values()} == {
        "a person, in Sabot",
        "a program, by SQL",
        "the owner of the database",
    }


def test_each_has_a_name_of_its_own_in_both_languages():
    named = [one.name for one in faults.book().values()]
    assert len({name.es for name in named}) == len({name.en for name in named}) == len(named)
