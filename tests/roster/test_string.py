"""The relief string as the floor does it (SHI-012), and the ceiling at one table beside it (SHI-013)."""

from __future__ import annotations

import pytest

from tables.roster.rotation import Draft, check, measures, solve
from tests.roster.floors import night

EIGHT_HOURS = 24
"""480 minutes in slots of 20."""
BOARD = {
    "20:00": (None, None),
    "20:20": ("T1", "D1"),
    "20:40": ("T2", "D2"),
    "21:00": ("T3", "D3"),
    "21:20": (None, None),
}
"""Of the case: by the clock where the relief is and who rests meanwhile; (None, None): the relief rests."""


def board(draft: Draft) -> dict[str, tuple[str | None, str | None]]:
    problem, found = draft.problem, {}
    for slot in range(len(problem.slots)):
        resting = [person for person, row in draft.rows.items() if row[slot] is None]
        assert len(resting) == 1
        post = draft.rows["R"][slot]
        table = None if post is None else problem.posts[post].table
        found[problem.hour(slot)] = (table, None if resting == ["R"] else resting[0])
    return found


@pytest.mark.parametrize("solver", ["auto", "greedy"])
def test_the_relief_board_is_the_one_of_the_case(solver: str) -> None:
    draft = solve(night("D1 D2 D3 R", 3, EIGHT_HOURS), solver=solver)
    found = board(draft)
    assert {hour: found[hour] for hour in BOARD} == BOARD
    assert draft.uncovered == ()
    assert check(draft.problem, draft) == ()
    for measure in measures(draft).values():
        assert (measure.rests, measure.rested) == (6, 120)
        assert measure.worked == 480 - 120


def test_who_rests_comes_again_every_80_minutes() -> None:
    draft = solve(night("D1 D2 D3 R", 3, EIGHT_HOURS))
    resting = [rest for _, rest in board(draft).values()]
    assert resting == [None, "D1", "D2", "D3"] * 6


def test_the_tables_are_passed_on_before_three_hours_are_over() -> None:
    """Two cycles are 160 minutes and three 240: after two everybody has another table (SHI-013)."""
    rows = solve(night("D1 D2 D3 R", 3, EIGHT_HOURS)).rows
    assert [rows["D1"][slot] for slot in (0, 7, 8, 15, 16, 23)] == [0, 0, 1, 1, 2, 2]


def test_without_that_ceiling_everyone_keeps_their_table() -> None:
    draft = solve(night("D1 D2 D3 R", 3, EIGHT_HOURS, rules={"max_minutes_same_table": None}))
    cycle = [(None, None), ("T1", "D1"), ("T2", "D2"), ("T3", "D3")]
    assert list(board(draft).values()) == cycle * 6


def test_the_relief_may_begin_at_the_first_table() -> None:
    draft = solve(night("D1 D2 D3 R", 3, 5, rules={"relief_rests_first": False}))
    assert list(board(draft).values()) == [
        ("T1", "D1"),
        ("T2", "D2"),
        ("T3", "D3"),
        (None, None),
        ("T1", "D1"),
    ]


def test_four_tables_with_one_relief_would_be_80_minutes_in_a_row_and_are_no_string() -> None:
    draft = solve(night("A B C D R", 4, 10), 0.5)
    assert draft.solver != "string"
    assert check(draft.problem, draft) == ()
    assert draft.uncovered
