"""Plans keep every hard rule, cover what can be covered, and come out the same each time."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.kernel.errors import Refused, RuleViolation
from tables.bench import rotation
from tables.roster.rotation import (
    Credit,
    Draft,
    Problem,
    Standing,
    check,
    count_reliefs,
    measures,
    solve,
    solving,
    spread,
)
from tables.roster.rotation.legal import legal
from tests.roster.best_coverage import best, lawful
from tests.roster.floors import BACCARAT, BLACK_JACK, TRENTE, a_table, big, night, small_nights, someone

SOLVERS = ["auto", "cpsat", "greedy"]


@given(small_nights(), st.sampled_from(SOLVERS))
@settings(max_examples=60)
def test_no_plan_breaks_a_hard_rule(problem: Problem, solver: str) -> None:
    draft = solve(problem, 0.2, solver)
    assert check(problem, draft) == ()
    assert set(draft.seats) <= set(problem.wanted())


@given(small_nights(people=3, posts=2, slots=5))
@settings(max_examples=60)
def test_small_nights_are_covered_as_well_as_can_be(problem: Problem) -> None:
    optimum = best(problem)
    assert solve(problem, 2.0, "cpsat").coverage == optimum
    assert solve(problem, solver="greedy").coverage >= optimum


@given(small_nights(people=1), st.data())
@settings(max_examples=300)
def test_the_rules_of_time_mean_the_same_to_solvers_and_proof_and_a_walk_by_minutes(
    problem: Problem, data: st.DataObject
) -> None:
    person = replace(problem.people[0], games=frozenset({BLACK_JACK, BACCARAT}), licensed_until=None)
    posts = st.sampled_from([None, *range(len(problem.posts))])
    row = [data.draw(posts) if person.there(slot) else None for slot in range(len(problem.slots))]
    everywhere = tuple(replace(post, open=((0, len(problem.slots)),)) for post in problem.posts)
    problem = replace(problem, people=(person,), posts=everywhere)
    seats = {(slot, k): person.id for slot, k in enumerate(row) if k is not None}
    walked = lawful(problem, person, row)
    assert legal(problem, person, row) is walked
    assert (check(problem, Draft(problem, seats, "by hand")) == ()) is walked


@pytest.mark.parametrize(("people", "minutes"), [(40, 30), (34, 20)])
def test_a_whole_house_is_planned_by_the_rules_and_better_than_greedily(people: int, minutes: int) -> None:
    problem = big(1, people=people, minutes=minutes)
    start, draft = solve(problem, solver="greedy"), solve(problem, 1.0)
    assert check(problem, start) == check(problem, draft) == ()
    assert draft.solver == "cpsat"
    assert draft.coverage < start.coverage
    assert len(draft.seats) > 0.85 * sum(1 for _ in problem.wanted())


def test_the_bound_of_the_bench_is_one() -> None:
    """3 of 4 slots each where a turn is three slots; and never more than people who are fit for a post."""
    problem = rotation.house(40, 20, random.Random(5))
    alone = sum(n - n // 4 for person in problem.people for a, b in person.present for n in [b - a])
    assert len(solve(problem, solver="greedy").seats) <= rotation.most(problem) <= alone
    short = replace(problem, people=problem.people[:10])
    assert rotation.most(short) == sum(
        n - n // 4 for one in short.people for a, b in one.present for n in [b - a]
    )


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_same_night_gives_the_same_plan(solver: str) -> None:
    one, two = (solve(big(2), 0.5, solver) for _ in range(2))
    assert list(one.seats.items()) == list(two.seats.items())


@pytest.mark.parametrize("solver", ["cpsat", "greedy"])
def test_a_post_that_deals_is_covered_before_one_that_helps(solver: str) -> None:
    posts = [a_table("T1", 3, BACCARAT, "payer"), a_table("T1", 3, BACCARAT, "caller")]
    draft = solve(night([someone("A", 3, BACCARAT)], posts, 3), solver=solver)
    assert draft.coverage == (0, 3)


@pytest.mark.parametrize("solver", ["cpsat", "greedy"])
def test_what_is_pinned_stays_and_is_made_room_for(solver: str) -> None:
    """A is pinned from 20:40 to 21:40: with 20 minutes before it, it would be 80 in a row."""
    pins = dict.fromkeys([(2, 0), (3, 0), (4, 0)], "A")
    draft = solve(night("A B", 1, 6, pinned=pins), solver=solver)
    assert [draft.who(slot, 0) for slot in (2, 3, 4)] == ["A", "A", "A"]
    assert draft.who(1, 0) == draft.who(5, 0) == "B"
    assert draft.uncovered == ()


def test_pins_that_break_a_rule_by_themselves_are_refused() -> None:
    with pytest.raises(RuleViolation) as refused:
        solve(night("A", 1, 4, pinned={(slot, 0): "A" for slot in range(4)}))
    assert refused.value.code == "rotation_turn_too_long"


@pytest.mark.parametrize("solver", ["cpsat", "greedy"])
def test_who_already_stands_is_relieved_in_time(solver: str) -> None:
    before = {"A": Standing(60, "T1", 60), "B": Standing(20, "T2", 20)}
    draft = solve(night("A B C", 2, 6, worked_before=before), solver=solver)
    assert draft.rows["A"][0] is None
    assert check(draft.problem, draft) == ()


@pytest.mark.parametrize("solver", ["cpsat", "greedy"])
def test_who_stands_too_long_already_rests_at_once(solver: str) -> None:
    draft = solve(night("A", 1, 3, worked_before={"A": Standing(70, "T1", 70)}), solver=solver)
    assert draft.rows["A"] == (None, 0, 0)


@pytest.mark.parametrize("solver", ["cpsat", "greedy"])
def test_the_only_one_for_a_game_is_kept_for_it(solver: str) -> None:
    people = [someone("A", 3, BLACK_JACK, TRENTE), someone("B", 3, BLACK_JACK)]
    posts = [a_table("T1", 3), a_table("T2", 3, TRENTE, "main_dealer")]
    draft = solve(night(people, posts, 3), solver=solver)
    assert draft.uncovered == ()
    assert draft.rows["A"] == (1, 1, 1)


def test_past_credits_are_evened_out() -> None:
    """Three hours, one table, two people: who has worked an hour more works an hour less."""
    credits = {"A": Credit(60), "B": Credit(0)}
    problem = night("A B", 1, 9, credits=credits, rules={"min_break_minutes": 20})
    worked = {person: one.worked for person, one in measures(solve(problem, solver="cpsat")).items()}
    assert worked == {"A": 60, "B": 120}


def test_wishes_are_met_better_than_greedily() -> None:
    problem = big(3, people=50)
    start, draft = solve(problem, solver="greedy"), solve(problem, 2.0)
    assert spread(draft) < spread(start)
    assert count_reliefs(draft) < 1.1 * count_reliefs(start)


def test_unknown_and_missing_solvers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused) as refused:
        solve(night("A", 1), solver="magic")
    assert refused.value.code == "rotation_solver_unknown"
    monkeypatch.setattr(solving, "find_spec", lambda name: None)
    with pytest.raises(Refused) as refused:
        solve(night("A", 1), solver="cpsat")
    assert refused.value.code == "rotation_solver_missing"
    assert solve(big(1), 0.1).solver == "greedy"
