"""The plan of posts while the night runs: reliefs made, no-shows, swaps, who goes next."""

from __future__ import annotations

import datetime as dt
from itertools import combinations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audits.models import Event
from casino.kernel.errors import NotAllowed, SabotError
from casino.kernel.permissions import Role
from tables import overview, told_proofs
from tables.models import PlannedTurn, RotationPlan
from tables.roster import next_post
from tables.roster.rota import applying, asking, carrying_out, drafting, mending
from tables.roster.rota.proofs import rotation_faults
from tables.roster.rota.stale import changed as stale_changed
from tables.roster.rota.stored import draft_of, problem_of
from tables.roster.rotation import Draft, check, moved, replan, swap
from tables.roster.rotation.draft import from_rows
from tests.builders import NIGHT, House
from tests.roster.evenings import MINUTE, SLOT, Evening, an_evening, carry, changed, refusal


@pytest.fixture
def evening(house: House) -> Evening:
    return an_evening(house)


# ---- the running night ----


def test_reliefs_are_carried_out_together_as_the_plan_says(evening: Evening) -> None:
    """At each slot of the night the confirmed list brings the floor to what the plan says, in one act."""
    evening.applied()
    house = evening.house
    acts = 0
    for slot in range(1, 12):
        at = NIGHT + slot * SLOT
        due = asking.due_reliefs(house.casino, at, asking.AHEAD)
        if due:
            assert {one.goes.pk for one in due if one.goes} <= set(evening.dealing().values())
            carried = carry(evening, at)
            assert len(carried.done) == len(due)
            acts += 1
        assert evening.dealing() == evening.planned(at)
        assert asking.due_reliefs(house.casino, at) == []
    assert acts >= 3  # two posts, nobody longer than 60 minutes: at least three changes in four hours
    assert Event.objects.filter(action="tables.rotation.carried_out").count() == acts
    assert list(told_proofs.told_faults(house.casino)) == []
    assert list(rotation_faults(house.casino)) == []


def test_a_second_tap_on_the_list_does_nothing(evening: Evening) -> None:
    evening.applied()
    at = NIGHT + 3 * SLOT
    due = [one.turn for one in asking.due_reliefs(evening.house.casino, at)]
    by = evening.house.by(Role.SUPERVISOR, at)
    carrying_out.carry_out(turns=due, by=by)
    assert refusal(carrying_out.carry_out, turns=due, by=by).code == "rotation_nothing_due"
    assert refusal(carrying_out.carry_out, turns=[], by=by).code == "rotation_nothing_due"


@pytest.mark.rule("FLOOR-01")
def test_a_relief_is_not_made_while_who_comes_stands_elsewhere(evening: Evening) -> None:
    """One of two reliefs hangs on a table outside the plan: the other is made, this one is told with why."""
    evening.applied()
    house, at = evening.house, NIGHT + 3 * SLOT
    due = asking.due_reliefs(house.casino, at)
    assert len(due) == 2
    house.supervisors.append(house.person(supervises=True))
    house.dealers = [due[0].comes]
    other = house.open_table(dealer=0, supervisor=2, at=at - 10 * MINUTE)
    carried = carry(evening, at)
    assert [one.comes for one in carried.done] == [due[1].comes]
    assert [one.comes for one, _ in carried.failed] == [due[0].comes]
    assert other.table.name in carried.failed[0][1].es
    assert list(told_proofs.told_faults(house.casino)) == []


def test_somebody_without_licence_is_not_sent_and_both_are_told(evening: Evening) -> None:
    evening.applied()
    at = NIGHT + 3 * SLOT
    for one in asking.due_reliefs(evening.house.casino, at):
        changed(evening, one.comes, active=False)
    refused = refusal(carry, evening=evening, at=at)
    assert refused.code == "rotation_nothing_done"
    assert "no está en servicio" in refused.message.es
    assert evening.dealing() == evening.planned(NIGHT + 2 * MINUTE)


def test_two_who_change_tables_do_so_in_one_act(evening: Evening) -> None:
    """A and B take each other's post: one at a time neither could begin."""
    first, second = evening.dealers[:2]
    made = evening.drafted()
    keys = [post.key for post in problem_of(made).posts]
    by = evening.house.by(Role.PIT_BOSS, NIGHT + MINUTE)
    for person in evening.dealers[2:]:
        made = drafting.edit_draft(plan=made, staff=person, from_slot=0, to_slot=3, by=by)
    for person, key in ((first, keys[0]), (second, keys[1])):
        made = drafting.edit_draft(plan=made, staff=person, from_slot=0, to_slot=3, by=by)
        made = drafting.edit_draft(plan=made, staff=person, from_slot=0, to_slot=1, post=key, by=by)
    for person, key in ((first, keys[1]), (second, keys[0])):
        made = drafting.edit_draft(plan=made, staff=person, from_slot=1, to_slot=2, post=key, by=by)
    applying.apply_plan(plan=made, by=by)
    before = evening.dealing()
    assert len(carry(evening, NIGHT + SLOT).done) == 2
    after = evening.dealing()
    assert sorted(after.values()) == sorted(before.values())
    assert all(after[table] != before[table] for table in before)
    assert list(told_proofs.told_faults(evening.house.casino)) == []


def test_a_no_show_is_mended_in_three_moves_at_most(evening: Evening) -> None:
    applied = evening.applied()
    at = NIGHT + MINUTE
    missing = evening.dealers[2]
    by = evening.house.by(Role.PIT_BOSS, at)
    made = mending.replan_no_show(plan=applied, absent=[missing], by=by)
    before, after = draft_of(applied), draft_of(made)
    assert (made.state, made.base_id, made.solver) == ("draft", applied.pk, "replan")
    assert all(line[0] != missing.pk for line in made.turns)
    assert len(moved(before, after, [str(missing.pk)])) <= 3
    expected = replan(before.problem, before, 0, [str(missing.pk)])
    assert after.seats == expected.seats
    made = applying.apply_plan(plan=made, by=by)
    applied.refresh_from_db()
    assert (made.state, applied.state) == ("applied", "replaced")
    assert not PlannedTurn.objects.filter(in_force__endswith__gt=at, staff=missing).exists()
    again = refusal(mending.replan_no_show, plan=applied, absent=[missing], by=by)
    assert again.code == "rotation_overtaken"
    assert refusal(mending.replan_no_show, plan=made, absent=[], by=by).field == "absent"
    assert list(rotation_faults(evening.house.casino)) == []


def test_a_floor_that_runs_late_can_still_be_mended(evening: Evening) -> None:
    """Nobody was relieved since 18:00, so when the plan brings croupier 1 back they have had no rest. A draft
    of its own would be stale; one made of the plan for a no-show is no worse than it."""
    applied = evening.applied()
    row = draft_of(applied).rows[str(evening.dealers[0].pk)]
    rests = row.index(None)
    back = next(slot for slot in range(rests, 12) if row[slot] is not None)
    at = NIGHT + back * SLOT + 5 * MINUTE
    assert "turn_too_long" in {one.code for one in stale_changed(applied, at, at)}
    by = evening.house.by(Role.PIT_BOSS, at)
    made = mending.replan_no_show(plan=applied, absent=[evening.dealers[4]], by=by, apply=True)
    assert made.state == "applied"
    assert list(rotation_faults(evening.house.casino)) == []


def swappable(plan: RotationPlan, evening: Evening, slot: int) -> tuple[int, int, int]:
    """The first pair the rules let change places, and until when."""
    draft = draft_of(plan)
    for last in (slot + 1, slot + 2):
        for one, two in combinations([str(person.pk) for person in evening.dealers], 2):
            if draft.rows[one][slot] == draft.rows[two][slot]:
                continue
            try:
                swap(draft.problem, draft, one, two, slot, last)
            except SabotError:
                continue
            return int(one), int(two), last
    raise AssertionError("nobody may swap")


def test_a_supervisor_proposes_a_swap_and_the_pit_boss_applies_it(evening: Evening) -> None:
    applied = evening.applied()
    one, two, last = swappable(applied, evening, 4)
    pair = {person.pk: person for person in evening.dealers}
    given = {"plan": applied, "first": pair[one], "second": pair[two], "from_slot": 4, "to_slot": last}
    chief = evening.house.by(Role.SUPERVISOR, NIGHT + 2 * MINUTE)
    with pytest.raises(NotAllowed):
        mending.swap_turns(**given, apply=True, by=chief)
    proposed = mending.swap_turns(**given, by=chief)
    assert proposed.state == "draft"
    with pytest.raises(NotAllowed):
        applying.apply_plan(plan=proposed, by=chief)
    boss = evening.house.by(Role.PIT_BOSS, NIGHT + 3 * MINUTE)
    before, after = draft_of(applied), draft_of(applying.apply_plan(plan=proposed, by=boss))
    assert after.rows[str(one)][4:last] == before.rows[str(two)][4:last]
    assert after.rows[str(two)][4:last] == before.rows[str(one)][4:last]
    assert refusal(mending.swap_turns, **given, by=boss).code == "rotation_overtaken"


@pytest.mark.rule("FLOOR-03")
def test_a_swap_that_would_keep_somebody_too_long_is_refused(evening: Evening) -> None:
    applied = evening.applied()
    draft, pair = draft_of(applied), {str(person.pk): person for person in evening.dealers}
    found = [
        (one, two, first)
        for one, two in combinations(pair, 2)
        for first in range(1, 12)
        if rule_broken(draft, one, two, first, 12) == "FLOOR-03"
    ]
    one, two, first = found[0]
    given = {"plan": applied, "first": pair[one], "second": pair[two], "to_slot": 12}
    by = evening.house.by(Role.PIT_BOSS, NIGHT + MINUTE)
    refused = refusal(mending.swap_turns, from_slot=first, by=by, **given)
    assert (refused.rule, refused.status) == ("FLOOR-03", 422)
    by = evening.house.by(Role.PIT_BOSS, NIGHT + SLOT)
    assert refusal(mending.swap_turns, from_slot=0, by=by, **given).code == "rotation_past"


def rule_broken(draft: Draft, one: str, two: str, first: int, last: int) -> str:
    """The rule that a swap of two rows breaks, by the proof of the planner; empty where none."""
    rows = {who: list(row) for who, row in draft.rows.items()}
    rows[one][first:last], rows[two][first:last] = rows[two][first:last], rows[one][first:last]
    faults = check(draft.problem, from_rows(draft.problem, rows, "swap"))
    return faults[0].rule if faults else ""


# ---- what others ask ----


def test_everybody_sees_what_comes_next(evening: Evening) -> None:
    """`next_post` against the draft, slot by slot: the next change of somebody's row."""
    assert next_post(evening.dealers[0], NIGHT) is None
    draft = draft_of(evening.applied())
    tables = [post.table for post in draft.problem.posts]
    for person in evening.dealers:
        row = draft.rows[str(person.pk)]
        for slot in range(12):
            found = next_post(person, NIGHT + slot * SLOT + 5 * MINUTE)
            change = next((s for s in range(slot + 1, 12) if row[s] != row[slot]), None)
            if change is None:
                assert found is None or (found.table, found.at) == ("", NIGHT + 12 * SLOT)
                continue
            assert found is not None
            at = row[change]
            assert (found.at, found.table) == (NIGHT + change * SLOT, "" if at is None else tables[at])


def test_the_floor_page_is_told_the_next_relief_of_each_table(evening: Evening) -> None:
    draft = draft_of(evening.applied())
    casino = evening.house.casino
    dealing = {session.table_id: evening.dealing()[session.table.name] for session in evening.sessions}
    with CaptureQueriesContext(connection) as asked:
        coming = asking.next_reliefs(casino, NIGHT + 2 * MINUTE, dt.timedelta(hours=2), dealing)
    assert len(asked) == 1
    for k, session in enumerate(evening.sessions):
        change = next(s for s in range(1, 12) if draft.who(s, k) != draft.who(0, k))
        due = coming[session.table_id]
        assert (due.in_force.lower, str(due.staff_id)) == (NIGHT + change * SLOT, draft.who(change, k))
    # After an hour both are overdue: whoever the plan has there now is still the one to come.
    at = NIGHT + 3 * SLOT + MINUTE
    late = asking.next_reliefs(casino, at, dt.timedelta(0), dealing)
    assert {turn.staff_id for turn in late.values()} == set(evening.planned(at).values())
    (shown, _) = [
        one.relief
        for _, tiles in overview.floor(evening.house.users[Role.PIT_BOSS], at).pits
        for one in tiles
    ]
    assert shown is not None
    assert shown.staff_id in evening.planned(at).values()
