"""The proof of a plan sees every kind of fault, and nothing where there is none."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from casino.kernel import rulebook
from casino.kernel.errors import Refused, RuleViolation
from tables.models import Assignment
from tables.roster.rotation import Draft, Rules, Standing, check, require_sound
from tables.roster.rotation.problem import DEALING, HELPING
from tests.roster.floors import BACCARAT, a_table, night, seated, someone


def codes(draft: Draft) -> list[str]:
    return [fault.code for fault in check(draft.problem, draft)]


def test_a_lawful_plan_has_no_fault() -> None:
    assert codes(seated(night("A B", 1, 8), {"A": "000.000.", "B": "...0...0"})) == []


@pytest.mark.rule("FLOOR-01")
def test_nobody_holds_two_posts_at_once() -> None:
    problem = night("A", 2, 2)
    draft = Draft(problem, {(0, 0): "A", (0, 1): "A"}, "by hand")
    (fault,) = check(problem, draft)
    assert (fault.code, fault.rule, fault.slot) == ("two_posts", "FLOOR-01", 0)


@pytest.mark.rule("FLOOR-02")
def test_only_the_qualified_stand() -> None:
    draft = seated(night([someone("A", 2, BACCARAT)], 1, 2), {"A": "0."})
    assert codes(draft) == ["not_qualified"]


def test_whoever_is_not_there_or_no_longer_licensed_does_not_stand() -> None:
    people = [someone("A", 4, present=((0, 2),)), someone("B", 4, licensed_until=3)]
    assert codes(seated(night(people, 2, 4), {"A": ".00.", "B": "..11"})) == ["not_present", "licence_ended"]


def test_nobody_stands_at_a_closed_table() -> None:
    draft = seated(night("A", [a_table("T1", 4, open=((1, 3),))], 4), {"A": "00.0"})
    assert codes(draft) == ["post_closed", "post_closed"]


@pytest.mark.rule("FLOOR-03")
@pytest.mark.parametrize(
    ("minutes", "row", "faults"),
    [
        (20, "000.000", 0),  # 3 x 20 = 60, then a break of 20
        (20, "0000.00", 1),  # 80 in a row
        (30, "00.00.0", 0),  # a break of 30 is one of at least 20
        (30, "000.000", 2),  # 90 twice
        (15, "00.00..", 0),  # 15 off are no break: 30 + 30 = 60 in all
        (15, "00.000.", 1),  # 30 + 45 = 75 without a break of 20
        (15, "00..0000", 0),  # 30 off are one
        (10, "000000..000000", 0),  # 60, 20 off, 60
        (10, "000000.0", 1),  # 10 off are no break
    ],
)
def test_60_minutes_in_a_row_and_then_20_of_rest(minutes: int, row: str, faults: int) -> None:
    problem = night("A", 1, len(row), minutes, rules={"max_minutes_same_table": None})
    assert codes(seated(problem, {"A": row})) == ["turn_too_long"] * faults


@pytest.mark.rule("FLOOR-03")
@pytest.mark.parametrize(
    ("before", "row", "faults"),
    [
        (Standing(40), "0.", 0),
        (Standing(41), "0.", 1),  # 41 + 20 = 61
        (Standing(60), ".0", 0),
        (Standing(60, rested=15), "0.", 1),
        (Standing(60, rested=20), "0.", 0),
    ],
)
def test_the_turn_brought_along_counts(before: Standing, row: str, faults: int) -> None:
    draft = seated(night("A", 1, 2, worked_before={"A": before}), {"A": row})
    assert codes(draft) == ["turn_too_long"] * faults


@pytest.mark.parametrize(("stay", "allowed"), [(180, True), (181, False), (95, True)])
def test_three_hours_are_the_ceiling_at_one_table(stay: int, allowed: bool) -> None:
    """SHI-013. A stay brought along and 20 minutes more, after a break that does not end it."""
    before = Standing(table="T1", at_table=stay - 40, rested=20)
    draft = seated(night("A", 2, 1, worked_before={"A": before}), {"A": "0"})
    assert codes(draft) == ([] if allowed else ["stay_too_long"])
    assert codes(replace(draft, seats={(0, 1): "A"})) == []


def test_a_short_break_does_not_end_a_stay_but_another_table_an_hour_off_or_absence_do() -> None:
    ten = "000.000.000."  # from 20:00 to 23:40: the last turn ends after 220 minutes
    assert codes(seated(night("A", 2, 12), {"A": ten})) == ["stay_too_long"]
    assert codes(seated(night("A", 2, 12), {"A": "000.00.1.000"})) == []
    assert codes(seated(night("A", 2, 12), {"A": "000.00...000"})) == []
    assert codes(seated(night("A", 2, 12, rules={"rest_ends_stay": None}), {"A": "000.00...000"})) == [
        "stay_too_long"
    ]
    away = [someone("A", 12, present=((0, 7), (8, 12)))]
    assert codes(seated(night(away, 2, 12), {"A": "000.000.000."})) == []


def test_pins_are_kept_and_strangers_seen() -> None:
    problem = night("A B", 1, 2, pinned={(0, 0): "A"})
    assert codes(seated(problem, {"B": "0."})) == ["pin_not_kept"]
    assert codes(Draft(problem, {(0, 0): "A", (1, 0): "Z", (1, 7): "B"}, "by hand")) == [
        "post_unknown",
        "person_unknown",
    ]


def test_a_change_of_clock_makes_no_hour_longer() -> None:
    """Madrid, 25 October 2026: from 2:30 to 2:30 on the clock are 60 minutes (SHI-011 has March)."""
    madrid = ZoneInfo("Europe/Madrid")
    start = dt.datetime(2026, 10, 25, 0, 30, tzinfo=dt.UTC)
    slots = tuple((start + dt.timedelta(minutes=30 * at)).astimezone(madrid) for at in range(4))
    problem = replace(night("A", 1, 4, 30), slots=slots, zone=madrid)
    assert [problem.hour(slot) for slot in range(4)] == ["02:30 +0200", "02:00 +0100", "02:30 +0100", "03:00"]
    assert codes(seated(problem, {"A": "00.0"})) == []
    assert codes(seated(problem, {"A": "000."})) == ["turn_too_long"]


def test_what_is_not_sound_is_refused_with_all_its_faults() -> None:
    draft = seated(night("A", 1, 5), {"A": "00000"})
    with pytest.raises(RuleViolation) as refused:
        require_sound(draft.problem, draft)
    assert (refused.value.rule, refused.value.code) == ("FLOOR-03", "rotation_turn_too_long")
    assert "80 min" in refused.value.message.es
    away = seated(night([someone("A", 2, present=((0, 1),))], 1, 2), {"A": ".0"})
    with pytest.raises(Refused, match="no está presente"):
        require_sound(away.problem, away)


@pytest.mark.rule("FLOOR-03")
def test_the_rules_begin_with_the_figures_of_the_book() -> None:
    params = rulebook.rule("FLOOR-03").params
    assert Rules().max_minutes_on_table == params["max_minutes_on_table"]
    assert Rules().min_break_minutes == params["min_break_minutes"]


def test_the_posts_are_those_of_the_floor() -> None:
    assert frozenset(Assignment.DEALING) == DEALING
    assert frozenset(Assignment.HELPING) == HELPING


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"slots": ()}, "rotation_empty"),
        ({"slots": (dt.datetime(2026, 1, 1), dt.datetime(2026, 1, 2))}, "rotation_slot_naive"),  # noqa: DTZ001
        ({"rules": Rules(30)}, "rotation_slots_uneven"),
        ({"rules": Rules(90)}, "rotation_slot_too_long"),
        ({"rules": Rules(0)}, "rotation_minutes_not_positive"),
        ({"people": (someone("A", 2), someone("A", 2))}, "rotation_person_twice"),
        ({"people": (someone("A", 2, present=((0, 3),)),)}, "rotation_range_invalid"),
        ({"people": (someone("A", 2, present=((0, 2), (1, 2))),)}, "rotation_range_invalid"),
        ({"posts": (a_table("T1", 2), a_table("T1", 2))}, "rotation_post_twice"),
        ({"posts": (a_table("T1", 2, post="supervisor"),)}, "rotation_post_unknown"),
        ({"pinned": {(0, 0): "Z"}}, "rotation_person_unknown"),
        ({"pinned": {(0, 3): "A"}}, "rotation_pin_unknown"),
        ({"worked_before": {"A": Standing(-1)}}, "rotation_standing_invalid"),
        ({"credits": {"Z": None}}, "rotation_person_unknown"),
    ],
)
def test_a_night_that_does_not_fit_together_is_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        replace(night("A B", 1, 2), **change)
    assert refused.value.code == code
    assert refused.value.field


def test_a_pin_at_a_closed_table_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        night("A", [a_table("T1", 2, open=((1, 2),))], 2, pinned={(0, 0): "A"})
    assert refused.value.code == "rotation_pin_closed"
