"""The self-test tested: a control that sleeps is told of, and so is a fault that does nothing."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from casino.kernel.errors import Refused as Refusal
from casino.kernel.words import Text
from casino.selftest import faults, running
from casino.selftest.catching import Guard, Night, Refused
from casino.selftest.controls import CONTROLS
from casino.selftest.faults import Fault
from casino.selftest.hands import PROGRAM, past_the_guards, sql
from casino.selftest.running import Verdict

DELETED, HAND_WRITTEN, PAID_TWICE = (
    "trail.event_deleted",
    "pools.contribution_deleted",
    "pools.prize_paid_twice",
)
NAME_OF_A_PIT = "UPDATE tables_pit SET name = 'Otra' WHERE id = (SELECT min(id) FROM tables_pit)"


def silent(casino):
    return ()


def run(base, *several):
    return list(running.run(several, base))


def made_up(inject, promised, **more):
    return Fault("made.up", Text("una falla", "a fault"), PROGRAM, promised, inject, **more)


def verdicts(base, *several):
    return [outcome.verdict for outcome in run(base, *several)]


def test_a_fault_that_no_control_sees_is_told_as_unnoticed(base):
    asleep = replace(base, controls=dict.fromkeys(CONTROLS, silent))
    assert verdicts(asleep, faults.book()[DELETED]) == [Verdict.UNNOTICED]


def test_the_command_fails_when_one_goes_unnoticed(base, on_base):
    on_base(replace(base, controls=dict.fromkeys(CONTROLS, silent)))
    out = io.StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("selftest", only=[DELETED, "guards.trigger_off"], json=True, stdout=out)
    assert caught.value.returncode == 1
    assert "0 de 2 fallas" in str(caught.value)
    assert "2 inadvertido" in str(caught.value)
    told = json.loads(out.getvalue())
    assert [(one["verdict"], one["caught"]) for one in told["faults"]] == [("unnoticed", "")] * 2


def test_caught_by_another_control_than_promised_is_not_enough(base, on_base):
    on_base(replace(base, controls={**CONTROLS, "reconcile_pools": silent}))
    out = io.StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("selftest", only=[HAND_WRITTEN], english=True, stdout=out)
    assert caught.value.returncode == 1
    assert "OTHER CONTROL" in out.getvalue()
    assert "promised was reconcile_pools: bets" in out.getvalue()


def test_a_refusal_of_another_rule_is_another_control(base):
    fault = replace(faults.book()[PAID_TWICE], promised=Refused("same_person", "PP-31"))
    (outcome,) = run(base, fault)
    assert (outcome.verdict, outcome.caught) == (Verdict.OTHER, "PP-31 prize_state")


def test_a_guard_of_another_name_is_another_control(base):
    fault = faults.book()["cards.card_removed"]
    assert verdicts(base, replace(fault, promised=Guard("shoes_shoe", "one_shoe_per_number"))) == [
        Verdict.OTHER
    ]


def test_a_guard_that_was_taken_away_lets_the_fault_in(base):
    """The proof of the night sees the guard gone: not what was promised."""

    def edit():
        sql("DROP TRIGGER sabot_append_only ON tables_betlimits")
        faults.book()["rounds.limits_edited"].inject()

    (outcome,) = run(base, made_up(edit, Guard("tables_betlimits", "sabot_append_only")))
    assert (outcome.verdict, outcome.caught) == (Verdict.OTHER, "verify_trail: guard_missing")


@pytest.mark.parametrize(
    "inject",
    [
        pytest.param(lambda: None, id="does nothing"),
        pytest.param(lambda: sql("UPDATE tables_pit SET name = name"), id="writes what was there"),
        pytest.param(lambda: sql("DELETE FROM tables_pit WHERE id = 0"), id="finds no row"),
        pytest.param(lambda: {}["no"], id="falls over"),
        pytest.param(lambda: sql("SELECT no_such_function()"), id="says nonsense"),
    ],
)
def test_a_fault_that_changes_nothing_is_a_fault_of_the_selftest(base, inject):
    (outcome,) = run(base, made_up(inject, Night("verify_trail", "trail_differs")))
    assert outcome.verdict == Verdict.BROKEN
    assert outcome.trouble is not None


def test_a_refusal_that_leaves_something_behind_is_told(base):
    def half():
        sql(NAME_OF_A_PIT)
        raise Refusal(Text("no", "no"), code="no")

    (outcome,) = run(base, made_up(half, Refused("no")))
    assert outcome.verdict == Verdict.BROKEN
    assert outcome.trouble.en == "it was refused, but something stayed (no)"


def test_a_refusal_that_should_be_on_record_and_is_not_is_told(base):
    def refused():
        raise Refusal(Text("no", "no"), code="no")

    fault = made_up(refused, Refused("no"), leaves=Text("un aviso", "a notice"))
    assert verdicts(base, fault) == [Verdict.BROKEN]


def test_what_was_off_before_the_fault_proves_nothing(base):
    """Made ready so that the control speaks already: whatever it says afterwards is not of the fault."""

    def ready():
        past_the_guards(NAME_OF_A_PIT)

    def again(_):
        past_the_guards("UPDATE tables_pit SET name = 'Otra más' WHERE id = (SELECT max(id) FROM tables_pit)")

    promised = Night("verify_trail", "trail_differs", "pit:")
    (outcome,) = run(base, made_up(again, promised, given=ready))
    assert outcome.verdict == Verdict.BROKEN
    assert "not clean" in outcome.trouble.en


def test_a_copy_in_which_something_stayed_is_not_used_again(base):
    """The second fault is refused in a copy of its own, like the house; else it would be told as broken."""

    def half():
        sql(NAME_OF_A_PIT)
        raise Refusal(Text("no", "no"), code="no")

    paid = faults.book()[PAID_TWICE]
    assert verdicts(base, paid, made_up(half, Refused("no")), paid) == [
        Verdict.NOTICED,
        Verdict.BROKEN,
        Verdict.NOTICED,
    ]
