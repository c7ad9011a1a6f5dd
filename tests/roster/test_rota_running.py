"""The plan of posts while the night runs: reliefs made, no-shows, swaps, who goes next; and the ledger."""

from __future__ import annotations

import datetime as dt
from itertools import combinations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audits.models import Event
from casino.kernel.errors import NotAllowed, SabotError
from casino.kernel.permissions import Role
from tables import overview, sessions, settings, told_proofs
from tables.models import FairnessEntry, PlannedTurn, RotationPlan
from tables.roster import next_post
from tables.roster.rota import applying, asking, carrying_out, drafting, ledger, mending
from tables.roster.rota.proofs import rotation_faults
from tables.roster.rota.stale import changed as stale_changed
from tables.roster.rota.stored import draft_of, problem_of
from tables.roster.rotation import Draft, check, moved, replan, swap
from tables.roster.rotation.draft import from_rows
from tests.builders import FLOAT, NIGHT, House
from tests.roster.evenings import MINUTE, SLOT, Evening, an_evening, carry, changed, refusal
from tests.roster.people import came, left, plan, wall

DAY = dt.date(2026, 11, 20)
DAY_AFTER = dt.datetime(2026, 11, 21, 10, 0, tzinfo=dt.UTC)
"""06:00 in La Paz: the cut-off, and the first instant after the gaming day of `NIGHT`."""


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


# ---- the ledger ----


def test_the_ledger_takes_the_night_as_it_was_worked_and_the_next_draft_begins_with_it(
    evening: Evening,
) -> None:
    """18:00 to 23:00. Croupier 1 deals three hours and is relieved by 3 for two; 2 deals all five hours.

    600 minutes over five people of 310 minutes each (17:50 to 23:00): 60 each by pit. So in pit one
    180 - 60 = +120 and 120 - 60 = +60, the others -60; in pit two 300 - 60 = +240, the others -60.
    """
    house = evening.house
    _one, two, three, *_ = evening.dealers
    by = house.by(Role.SUPERVISOR, NIGHT + 180 * MINUTE)
    sessions.relieve(session=evening.sessions[0], staff=three, post="dealer", by=by)
    system = house.by(Role.PIT_BOSS, DAY_AFTER)
    assert refusal(ledger.note_fairness, day=DAY, by=system).code == "rotation_day_running"
    for session in evening.sessions:
        house.close(session, FLOAT, at=NIGHT + 300 * MINUTE)
    for person in evening.dealers:
        left(house, person, "20 23:00")
    early = house.by(Role.PIT_BOSS, DAY_AFTER - MINUTE)  # the day ends at 06:00, though its tables are closed
    assert refusal(ledger.note_fairness, day=DAY, by=early).code == "rotation_day_running"
    entries = ledger.note_fairness(day=DAY, by=system)
    assert len(entries) == 10
    credit = {(entry.staff_id, entry.pit_id): entry.credit for entry in entries}
    first, second = (session.table.pit_id for session in evening.sessions)
    assert [credit[person.pk, first] for person in evening.dealers] == [120, -60, 60, -60, -60]
    assert [credit[person.pk, second] for person in evening.dealers] == [-60, 240, -60, -60, -60]
    assert {entry.present for entry in entries} == {310}
    assert sum(credit.values()) == 0
    again = ledger.note_fairness(day=DAY, by=system)
    assert {entry.pk for entry in again} == {entry.pk for entry in entries}
    assert FairnessEntry.objects.count() == 10
    for person in evening.dealers:
        plan(house, person, "21 18:00", "21 23:00", at=NIGHT + 301 * MINUTE)
    start = wall("21 18:00")
    made = evening.drafted(
        start - 60 * MINUTE,
        starts=start,
        ends=start + 6 * SLOT,
        tables=[session.table for session in evening.sessions],
    )
    credits = problem_of(made).credits
    assert [credits[str(person.pk)].minutes for person in evening.dealers] == [60, 180, 0, -120, -120]
    # Who owes most works most: the two who did not deal yesterday before the one who dealt all night.
    worked = {int(who): line["worked"] for who, line in made.measures["people"].items()}
    assert min(worked[evening.dealers[3].pk], worked[evening.dealers[4].pk]) > worked[two.pk]
    assert list(rotation_faults(house.casino)) == []


def test_a_minute_counts_by_the_weight_the_house_gives_its_pit(evening: Evening) -> None:
    """As above, 18:00 to 23:00, but pit one weighs 150: 180 and 120 minutes there are worth 270 and 180.

    Of 450 each of the five owes 90: 270 - 90 = +180, 180 - 90 = +90, the others -90. Pit two weighs 100.
    """
    house, (_one, _two, three, *_) = evening.house, evening.dealers
    first, second = (session.table.pit for session in evening.sessions)
    office = house.by(Role.ADMINISTRATOR, reason="mesas de mucho público")
    for weight in (49, 201):
        heavy = refusal(settings.set_pit, pit=first, name=first.name, weight=weight, by=office)
        assert (heavy.code, heavy.field) == ("bad_pit", "weight")
    settings.set_pit(pit=first, name=first.name, weight=150, by=office)
    settings.set_pit(pit=first, name=first.name, position=3, by=office)  # left out, it stays
    by = house.by(Role.SUPERVISOR, NIGHT + 180 * MINUTE)
    sessions.relieve(session=evening.sessions[0], staff=three, post="dealer", by=by)
    for session in evening.sessions:
        house.close(session, FLOAT, at=NIGHT + 300 * MINUTE)
    for person in evening.dealers:
        left(house, person, "20 23:00")
    entries = ledger.note_fairness(day=DAY, by=house.by(Role.PIT_BOSS, DAY_AFTER))
    credit = {(entry.staff_id, entry.pit_id): entry.credit for entry in entries}
    assert [credit[person.pk, first.pk] for person in evening.dealers] == [180, -90, 90, -90, -90]
    assert [credit[person.pk, second.pk] for person in evening.dealers] == [-60, 240, -60, -60, -60]
    assert {(entry.pit_id, entry.weight) for entry in entries} == {(first.pk, 150), (second.pk, 100)}
    assert sum(entry.minutes for entry in entries) == 600
    assert list(rotation_faults(house.casino)) == []


def test_the_nightly_job_notes_every_day_that_is_over_once(evening: Evening) -> None:
    for session in evening.sessions:
        evening.house.close(session, FLOAT, at=NIGHT + 300 * MINUTE)
    for person in evening.dealers:
        left(evening.house, person, "20 23:00")
    # The clock of the tests is far from that night: what the job finds is asked of it day by day.
    by = evening.house.by(Role.PIT_BOSS, DAY_AFTER)
    assert ledger.last_noted(evening.house.casino) is None
    ledger.note_fairness(day=DAY, by=by)
    assert ledger.last_noted(evening.house.casino) == DAY
    ledger.note_all()
    assert FairnessEntry.objects.count() == 10
    lines = ledger.credits_of(evening.house.casino, DAY)
    assert sum(credit for *_, credit in lines) == 0
    assert sum(minutes for _, minutes, _, _ in lines) == 600


def test_an_evening_from_the_draft_to_the_ledger(evening: Evening) -> None:
    """Six people, planned and applied at 18:01; croupier 5 goes missing, 18:25; two swap, 18:30; every relief
    made at its time until 22:00. Two tables of four hours are 480 minutes; tomorrow's draft begins with what
    each carried."""
    house = evening.house
    evening.dealers.append(house.person())
    plan(house, evening.dealers[5], "20 17:50", "20 23:00")
    came(house, evening.dealers[5], "20 17:50")
    evening.applied()
    for slot in range(1, 12):
        at = NIGHT + slot * SLOT
        if asking.due_reliefs(house.casino, at, asking.AHEAD):
            carry(evening, at)
        assert evening.dealing() == evening.planned(at)
        if slot == 1:
            boss = house.by(Role.PIT_BOSS, at + 5 * MINUTE)
            first = RotationPlan.objects.get(state="applied")
            mended = mending.replan_no_show(plan=first, absent=[evening.dealers[4]], by=boss, apply=True)
            assert mended.measures["bare_dealing"] == 0
            one, two, last = swappable(mended, evening, 4)
            pair = {person.pk: person for person in evening.dealers}
            boss = house.by(Role.PIT_BOSS, at + 10 * MINUTE)
            mending.swap_turns(
                plan=mended, first=pair[one], second=pair[two], from_slot=4, to_slot=last, apply=True, by=boss
            )
            if asking.due_reliefs(house.casino, at + 10 * MINUTE):
                carry(evening, at + 10 * MINUTE)
    assert set(RotationPlan.objects.values_list("state", flat=True)) == {"applied", "replaced"}
    for session in evening.sessions:
        house.close(session, FLOAT, at=NIGHT + 240 * MINUTE)
    for person in evening.dealers:
        left(house, person, "20 23:00")
    entries = ledger.note_fairness(day=DAY, by=house.by(Role.PIT_BOSS, DAY_AFTER))
    assert sum(entry.minutes for entry in entries) == 480
    assert sum(entry.credit for entry in entries) == 0
    carried = {person.pk: sum(e.credit for e in entries if e.staff == person) for person in evening.dealers}
    for person in evening.dealers:
        plan(house, person, "21 18:00", "21 23:00", at=NIGHT + 301 * MINUTE)
    start, tables = wall("21 18:00"), [session.table for session in evening.sessions]
    made = evening.drafted(start - 60 * MINUTE, starts=start, ends=start + 6 * SLOT, tables=tables)
    begins = {int(who): credit.minutes for who, credit in problem_of(made).credits.items()}
    assert begins == carried
    assert list(rotation_faults(house.casino)) == []
    assert list(told_proofs.told_faults(house.casino)) == []
