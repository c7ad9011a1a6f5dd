"""A night that changes: somebody does not come, two people swap; and what changed, in words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.kernel.errors import Refused, RuleViolation
from tables.roster.rotation import Problem, Run, bare, check, compare, moved, replan, solve, swap
from tests.roster.floors import (
    BACCARAT,
    BLACK_JACK,
    TRENTE,
    a_table,
    big,
    night,
    seated,
    small_nights,
    someone,
)


def test_a_no_show_is_taken_over_by_who_is_free() -> None:
    """A is gone from 20:20 on. B would stand 80 minutes with either of A's slots: C takes both."""
    problem = night("A B C", 1, 6)
    draft = seated(problem, {"A": "00...0", "B": "..000."})
    after = replan(problem, draft, 1, {"A"})
    assert after.rows == {
        "A": (0, None, None, None, None, None),
        "B": draft.rows["B"],
        "C": (None, 0, None, None, None, 0),
    }
    assert moved(draft, after, {"A"}) == (Run("C", 0, 1, 2), Run("C", 0, 5, 6))
    assert after.uncovered == ()


def test_the_dealing_post_is_mended_first_from_one_that_helps() -> None:
    people = [someone(name, 3, BACCARAT) for name in "AB"]
    posts = [a_table("T1", 3, BACCARAT, "caller"), a_table("T1", 3, BACCARAT, "payer")]
    problem = night(people, posts, 3)
    after = replan(problem, seated(problem, {"A": "000", "B": "111"}), 1, {"A"})
    assert after.rows["B"] == (1, 0, 0)
    assert after.coverage == (0, 2)


def test_a_chain_of_two_where_nobody_free_can_do_it_alone() -> None:
    """Only B can take A's Treinta y Cuarenta, and stands at Black Jack, where C can."""
    people = [someone("A", 3, TRENTE), someone("B", 3, BLACK_JACK, TRENTE), someone("C", 3, BLACK_JACK)]
    problem = night(people, [a_table("T1", 3, TRENTE, "main_dealer"), a_table("T2", 3)], 3)
    draft = seated(problem, {"A": "000", "B": "111"})
    after = replan(problem, draft, 1, {"A"})
    assert after.rows == {"A": (0, None, None), "B": (1, 0, 0), "C": (None, 1, 1)}
    assert len(moved(draft, after, {"A"})) == 2
    one = replan(problem, draft, 1, {"A"}, moves=1)
    assert one.rows["B"] == draft.rows["B"]
    assert one.coverage == (2, 0)


def test_what_cannot_be_mended_says_why() -> None:
    people = [someone("A", 3, TRENTE), someone("B", 3, BLACK_JACK)]
    problem = night(people, [a_table("T1", 3, TRENTE, "main_dealer")], 3)
    after = replan(problem, seated(problem, {"A": "000"}), 2, {"A"})
    (left,) = bare(after)
    assert (left.post, left.first, left.last) == (0, 2, 3)
    assert left.text.es == "habilitados para trente.classic: 1 (1 sin turno)"
    assert left.text.en == "qualified for trente.classic: 1 (1 off duty)"


@given(small_nights(people=5), st.data())
@settings(max_examples=60)
def test_replanning_keeps_the_rules_the_past_and_the_number_of_moves(
    problem: Problem, data: st.DataObject
) -> None:
    draft = solve(problem, solver="greedy")
    gone = data.draw(st.sets(st.sampled_from([person.id for person in problem.people]), max_size=2))
    slot = data.draw(st.integers(0, len(problem.slots) - 1))
    moves = data.draw(st.integers(0, 3))
    after = replan(problem, draft, slot, gone, moves)
    assert check(after.problem, after) == ()
    assert len(moved(draft, after, gone)) <= moves
    for person, row in after.rows.items():
        assert row[:slot] == draft.rows[person][:slot]
        assert person not in gone or not any(k is not None for k in row[slot:])
    assert after.coverage <= replan(problem, draft, slot, gone, 0).coverage


def test_a_no_show_of_a_whole_house_is_mended_in_three_moves_at_most() -> None:
    problem = big(3, people=50)
    draft = solve(problem, solver="greedy")
    gone = {next(person for (slot, _), person in draft.seats.items() if slot == 8)}
    after = replan(problem, draft, 8, gone)
    assert check(after.problem, after) == ()
    assert 1 <= len(moved(draft, after, gone)) <= 3
    assert after.coverage < replan(problem, draft, 8, gone, 0).coverage


def test_pins_are_not_moved_but_those_of_the_absent_fall() -> None:
    problem = night("A B C", 2, 2, pinned={(1, 0): "A", (1, 1): "B"})
    draft = seated(problem, {"A": "00", "B": "11"})
    after = replan(problem, draft, 1, {"A"})
    assert after.rows["B"] == (1, 1)
    assert after.rows["C"] == (None, 0)
    assert check(after.problem, after) == ()


def test_two_people_swap() -> None:
    problem = night("A B", 2, 4)
    after = swap(problem, seated(problem, {"A": "000.", "B": "11.."}), "A", "B", 1, 3)
    assert after.rows == {"A": (0, 1, None, None), "B": (1, 0, 0, None)}


@pytest.mark.parametrize(
    ("rows", "people", "code", "rule"),
    [
        (
            {"A": "0.", "B": "1."},
            [someone("A", 2), someone("B", 2, TRENTE)],
            "rotation_not_qualified",
            "FLOOR-02",
        ),
        (
            {"A": "0.", "B": ".."},
            [someone("A", 2), someone("B", 2, licensed_until=0)],
            "rotation_licence_ended",
            "FLOOR-02",
        ),
        (
            {"A": "0.", "B": ".."},
            [someone("A", 2), someone("B", 2, present=((1, 2),))],
            "rotation_not_present",
            "",
        ),
    ],
)
def test_a_swap_that_breaks_a_hard_rule_is_refused_with_it(
    rows: dict[str, str], people: list, code: str, rule: str
) -> None:
    problem = night(people, [a_table("T1", 2), a_table("T2", 2, TRENTE, "main_dealer")], 2)
    with pytest.raises(Refused) as refused:
        swap(problem, seated(problem, rows), "A", "B", 0, 1)
    assert (refused.value.code, refused.value.rule) == (code, rule)


@pytest.mark.rule("FLOOR-03")
def test_a_swap_does_not_take_a_break() -> None:
    problem = night("A B", 1, 4)
    with pytest.raises(RuleViolation) as refused:
        swap(problem, seated(problem, {"A": "000.", "B": "...0"}), "A", "B", 3, 4)
    assert refused.value.rule == "FLOOR-03"


@pytest.mark.parametrize(
    ("a", "first", "last", "code"),
    [
        ("Z", 0, 1, "rotation_person_unknown"),
        ("A", 2, 2, "rotation_range_invalid"),
        ("A", 0, 9, "rotation_range_invalid"),
    ],
)
def test_a_swap_outside_the_plan_is_refused(a: str, first: int, last: int, code: str) -> None:
    problem = night("A B", 1, 4)
    with pytest.raises(Refused) as refused:
        swap(problem, seated(problem, {"A": "0..."}), a, "B", first, last)
    assert refused.value.code == code


def test_the_difference_by_person_and_by_slot_in_words() -> None:
    posts = [a_table("T1", 4, BACCARAT, "caller"), a_table("T1", 4, BACCARAT, "payer")]
    posts += [a_table("T1", 4, BACCARAT, "payer", place=2), a_table("T2", 4)]
    problem = night("Ana Beto", posts, 4)
    before = seated(problem, {"Ana": "002.", "Beto": "...."})
    after = seated(problem, {"Ana": "0...", "Beto": ".03."})
    found = compare(before, after)
    assert [change.text.es for change in found.changes] == [
        "Ana, 20:20–20:40: de T1, paletero a descanso",
        "Ana, 20:40–21:00: de T1, pagador 2 a descanso",
        "Beto, 20:20–20:40: de descanso a T1, paletero",
        "Beto, 20:40–21:00: de descanso a T2",
    ]
    assert found.changes[0].text.en == "Ana, 20:20–20:40: from T1, caller to rest"
    assert {person: len(changes) for person, changes in found.by_person().items()} == {"Ana": 2, "Beto": 2}
    assert {slot: [one.person for one in changes] for slot, changes in found.by_slot().items()} == {
        1: ["Ana", "Beto"],
        2: ["Ana", "Beto"],
    }
    assert compare(before, before).changes == ()


def test_plans_of_other_posts_are_not_compared() -> None:
    one, two = night("A", 1), night("A", 2)
    with pytest.raises(Refused) as refused:
        compare(seated(one, {}), seated(two, {}))
    assert refused.value.code == "rotation_plans_differ"
