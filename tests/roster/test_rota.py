"""The plan of posts in the house: drafted from the floor, changed by hand, applied; stale drafts."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, transaction

from casino.kernel.errors import Conflict, Refused, SabotError
from casino.kernel.permissions import Role
from tables import duties
from tables.models import PlannedTurn, RotationPlan
from tables.roster.rota import applying, drafting
from tables.roster.rota.proofs import rotation_faults
from tables.roster.rota.stored import draft_of, lines_of, problem_of
from tables.roster.rotation import bare, check, reliefs
from tests.builders import FLOAT, NIGHT, House
from tests.roster.evenings import MINUTE, SLOT, Evening, an_evening, carry, changed, refusal
from tests.roster.people import PLANNED_AT, came, left, plan, wall

DAY = dt.date(2026, 11, 20)


@pytest.fixture
def evening(house: House) -> Evening:
    return an_evening(house)


# ---- drafted and applied ----


def test_a_draft_is_made_of_the_floor_and_keeps_who_stands_there(evening: Evening) -> None:
    """Five people for two posts over 12 slots of 20 minutes: every slot is covered, 480 minutes in all."""
    made = evening.drafted()
    problem, draft = problem_of(made), draft_of(made)
    assert (made.state, made.number, made.label) == ("draft", 1, "R-2026-11-20-1")
    assert [post.table for post in problem.posts] == [s.table.name for s in evening.sessions]
    assert [person.id for person in problem.people] == sorted(
        (str(one.pk) for one in evening.dealers), key=lambda pk: problem.order[pk]
    )
    assert (made.measures["bare_dealing"], made.measures["bare_helping"]) == (0, 0)
    assert sum(one["worked"] for one in made.measures["people"].values()) == 480
    # Whoever opened the tables stays for the first slot: the plan moves nobody before their time.
    assert [draft.who(0, 0), draft.who(0, 1)] == [str(one.pk) for one in evening.dealers[:2]]
    assert check(problem, draft) == ()
    assert bare(draft) == ()
    assert all(str(one.text.es) for one in reliefs(draft))
    assert list(rotation_faults(evening.house.casino)) == []


def test_a_stored_plan_reads_back_as_it_was_made(evening: Evening) -> None:
    made = RotationPlan.objects.get(pk=evening.drafted().pk)
    draft = draft_of(made)
    assert lines_of(draft) == made.turns
    assert draft.problem.slots[-1] == NIGHT + 11 * SLOT
    assert draft.problem.rules.max_minutes_on_table == 60
    assert draft.problem.rules.min_break_minutes == 20


@pytest.mark.rule("FLOOR-01")
def test_applying_puts_the_turns_in_force_from_now_on(evening: Evening) -> None:
    applied = evening.applied()
    assert (applied.state, applied.applied_at) == ("applied", NIGHT + MINUTE)
    turns = PlannedTurn.objects.filter(plan=applied)
    assert {turn.in_force.lower for turn in turns if turn.during.lower == NIGHT} == {NIGHT + MINUTE}
    assert evening.planned(NIGHT + 2 * MINUTE) == evening.dealing()
    with pytest.raises(IntegrityError), transaction.atomic():
        turns.create(
            casino=applied.casino,
            plan=applied,
            staff=turns[0].staff,
            table=evening.sessions[0].table,
            post="payer",
            place=1,
            deals=False,
            during=turns[0].during,
            in_force=turns[0].in_force,
        )
    assert refusal(
        applying.apply_plan, plan=applied, by=evening.house.by(Role.PIT_BOSS, NIGHT + MINUTE)
    ).code == ("rotation_not_draft")
    assert list(rotation_faults(evening.house.casino)) == []


def test_what_is_in_force_is_not_rewritten(evening: Evening) -> None:
    applied = evening.applied()
    with pytest.raises(IntegrityError), transaction.atomic():
        RotationPlan.objects.filter(pk=applied.pk).update(turns=[])
    with pytest.raises(IntegrityError), transaction.atomic():
        PlannedTurn.objects.filter(plan=applied).update(staff=evening.dealers[0])
    with pytest.raises(IntegrityError), transaction.atomic():
        PlannedTurn.objects.filter(plan=applied).delete()
    with transaction.atomic():
        made = RotationPlan.objects.filter(pk=applied.pk)
        assert made.update(state="replaced") == 1  # as the write function does, but no event tells of it
        assert "state" in next(iter(rotation_faults(evening.house.casino))).words.es
        transaction.set_rollback(True)


def test_a_later_plan_takes_the_tail_of_the_one_in_force(evening: Evening) -> None:
    first = evening.applied()
    at = NIGHT + 61 * MINUTE
    carry(evening, NIGHT + 60 * MINUTE)
    second = evening.applied(at, starts=NIGHT + 3 * SLOT)
    first.refresh_from_db()
    assert (first.state, second.state) == ("replaced", "applied")
    rows = PlannedTurn.objects.filter(plan=first)
    assert max(turn.in_force.upper for turn in rows if not turn.in_force.isempty) == at
    assert all(turn.in_force.isempty for turn in rows if turn.during.lower >= at)
    assert set(PlannedTurn.objects.filter(in_force__contains=at).values_list("plan", flat=True)) == {
        second.pk
    }
    assert list(rotation_faults(evening.house.casino)) == []


# ---- a draft that the floor has left behind ----


def stale(evening: Evening, made: RotationPlan, at: dt.datetime) -> SabotError:
    return refusal(applying.apply_plan, plan=made, by=evening.house.by(Role.PIT_BOSS, at))


@pytest.mark.rule("FLOOR-02")
def test_a_licence_that_ended_between_draft_and_apply_is_named(evening: Evening) -> None:
    made = evening.drafted()
    person = evening.dealers[3]
    changed(evening, person, licence_expires=dt.date(2026, 11, 19))
    refused = stale(evening, made, NIGHT + 2 * MINUTE)
    assert isinstance(refused, Conflict)
    assert (refused.code, refused.rule) == ("rotation_stale", "FLOOR-02")
    assert f"{person.name}: su licencia ya venció" in refused.message.es
    assert PlannedTurn.objects.count() == 0


def test_who_left_and_a_table_that_closed_are_named(evening: Evening) -> None:
    made = evening.drafted()
    left(evening.house, evening.dealers[4], "20 18:05")
    evening.house.close(evening.sessions[1], FLOAT, at=NIGHT + 10 * MINUTE)
    refused = stale(evening, made, NIGHT + 12 * MINUTE)
    name, table = evening.dealers[4].name, evening.sessions[1].table.name
    assert refused.code == "rotation_stale"
    assert {change["code"] for change in refused.detail["changes"]} == {"table_closed", "person_gone"}
    assert f"{table} cerró" in refused.message.es
    assert f"{name} no está" in refused.message.es


def test_a_table_opened_after_the_draft_is_named(evening: Evening) -> None:
    made = evening.drafted()
    house = evening.house
    house.dealers.append(house.person())
    house.supervisors.append(house.person(supervises=True))
    opened = house.open_table(dealer=3, supervisor=2, at=NIGHT + 3 * MINUTE)
    refused = stale(evening, made, NIGHT + 4 * MINUTE)
    assert refused.detail["changes"][0]["es"] == f"{opened.table.name} abrió"


@pytest.mark.rule("FLOOR-03")
def test_a_draft_that_would_now_keep_somebody_too_long_is_stale(evening: Evening) -> None:
    """Drafted at 18:01 and applied at 18:41: who stands since 18:00 may stay until 19:00 and no longer, so a
    draft that meant to relieve them at 18:20 and bring them back at 18:40 for an hour breaks the rule."""
    made = evening.drafted()
    problem, who = problem_of(made), evening.dealers[0]
    by = evening.house.by(Role.PIT_BOSS, NIGHT + MINUTE)
    mine = str(who.pk)
    others = [p.id for p in problem.people if p.id not in {mine, str(evening.dealers[1].pk)}]
    post = problem.posts[0].key
    drafting.edit_draft(plan=made, staff=evening.dealers[0], from_slot=0, to_slot=12, by=by)
    relief = next(p for p in evening.dealers if str(p.pk) == others[0])
    made = drafting.edit_draft(plan=made, staff=relief, from_slot=1, to_slot=2, post=post, by=by)
    made = drafting.edit_draft(plan=made, staff=who, from_slot=2, to_slot=5, post=post, by=by)
    refused = stale(evening, made, NIGHT + 41 * MINUTE)
    assert (refused.code, refused.rule) == ("rotation_stale", "FLOOR-03")
    assert "min seguidos" in refused.message.es


def test_a_plan_applied_meanwhile_overtakes_a_draft(evening: Evening) -> None:
    one, two = evening.drafted(), evening.drafted()
    by = evening.house.by(Role.PIT_BOSS, NIGHT + 2 * MINUTE)
    applying.apply_plan(plan=one, by=by)
    assert refusal(applying.apply_plan, plan=two, by=by).code == "rotation_overtaken"
    assert refusal(
        applying.apply_plan, plan=two, by=evening.house.by(Role.PIT_BOSS, NIGHT + 13 * SLOT)
    ).code == ("rotation_over")
    dropped = drafting.drop_draft(plan=two, by=by)
    assert dropped.state == "dropped"
    assert list(rotation_faults(evening.house.casino)) == []


# ---- by hand ----


@pytest.mark.rule("FLOOR-03")
def test_a_draft_changed_by_hand_is_held_to_the_rules(evening: Evening) -> None:
    made = evening.drafted()
    by = evening.house.by(Role.PIT_BOSS, NIGHT + MINUTE)
    post, who = problem_of(made).posts[0].key, evening.dealers[0]
    given = {"plan": made, "staff": who, "post": post, "by": by}
    long = refusal(drafting.edit_draft, from_slot=0, to_slot=4, **given)
    assert (long.rule, long.code) == ("FLOOR-03", "rotation_turn_too_long")
    rests = drafting.edit_draft(plan=made, staff=who, from_slot=0, to_slot=12, by=by)
    assert all(line[0] != who.pk for line in rests.turns)
    assert rests.solver == "hand"
    assert rests.measures["bare_dealing"] > 0
    assert refusal(drafting.edit_draft, from_slot=0, to_slot=13, **given).code == "rotation_from_slot_unknown"
    given["post"] = "PB-99/dealer/1"
    assert refusal(drafting.edit_draft, from_slot=0, to_slot=1, **given).code == "rotation_post_unknown"
    assert list(rotation_faults(evening.house.casino)) == []


def test_two_change_places_in_a_draft(evening: Evening) -> None:
    made = evening.drafted()
    draft, by = draft_of(made), evening.house.by(Role.PIT_BOSS, NIGHT + MINUTE)
    keys = [post.key for post in draft.problem.posts]
    first, second = evening.dealers[:2]
    # Both stand since 18:00: in the first slot they may change tables.
    changed = drafting.edit_draft(
        plan=made, staff=first, from_slot=0, to_slot=1, post=keys[1], swap=True, by=by
    )
    after = draft_of(changed)
    assert (after.who(0, 0), after.who(0, 1)) == (str(second.pk), str(first.pk))
    assert after.coverage == draft.coverage


# ---- who is gathered ----


def test_who_is_late_supervises_or_has_no_shift_is_not_planned(evening: Evening) -> None:
    house = evening.house
    late, soon, idle = house.person(), house.person(), house.person()
    plan(house, late, "20 17:00", "20 23:00", at=PLANNED_AT)
    plan(house, soon, "20 19:00", "20 21:00", at=PLANNED_AT)
    made = evening.drafted()
    problem = problem_of(made)
    assert str(late.pk) not in problem.person
    assert made.made_from["late"] == [late.name]
    assert str(idle.pk) not in problem.person
    # On duty from 19:00 to 21:00: slots 3 to before 9.
    assert problem.person[str(soon.pk)].present == ((3, 9),)
    came(house, late, "20 18:02")
    again = problem_of(evening.drafted(NIGHT + 3 * MINUTE))
    assert str(late.pk) in again.person


def test_a_house_without_shifts_plans_everybody_in_service(house: House) -> None:
    session = house.open_table()
    by = house.by(Role.PIT_BOSS, NIGHT + MINUTE)
    made = drafting.draft_plan(starts=NIGHT, ends=NIGHT + 3 * SLOT, slot_minutes=20, solver="greedy", by=by)
    assert {line["id"] for line in made.made_from["people"]} == {one.pk for one in house.dealers}
    # A table yet to open, named by the pit boss.
    table = house.table()
    other = drafting.draft_plan(
        starts=NIGHT, ends=NIGHT + 3 * SLOT, slot_minutes=20, tables=[table], solver="greedy", by=by
    )
    assert list(other.made_from["tables"]) == [table.name]
    # Whoever deals at the open table, which is not planned here, is left there.
    assert house.dealers[0].pk not in {line["id"] for line in other.made_from["people"]}
    assert session.table.name not in other.made_from["tables"]


def test_a_pit_is_planned_beside_another(evening: Evening) -> None:
    """Each table is in a pit of its own: the second pit's draft leaves out whom the first one's plan has."""
    pits = [session.table.pit for session in evening.sessions]
    one = evening.applied(pit=pits[0])
    two = evening.drafted(pit=pits[1])
    busy = PlannedTurn.objects.filter(plan=one)
    draft = draft_of(two)
    for turn in busy:
        first, last = ((at - NIGHT) // SLOT for at in (turn.during.lower, turn.during.upper))
        row = draft.rows.get(str(turn.staff_id))
        assert row is None or row[first:last] == (None,) * (last - first)
    applying.apply_plan(plan=two, by=evening.house.by(Role.PIT_BOSS, NIGHT + 2 * MINUTE))
    one.refresh_from_db()
    assert one.state == "applied"
    assert list(rotation_faults(evening.house.casino)) == []


def test_a_chief_plans_the_pits_they_answer_for(evening: Evening) -> None:
    """The pit boss answers for the first pit: the second one's plan and the whole floor's are another's."""
    house = evening.house
    first, second = (session.table.pit for session in evening.sessions)
    whole = evening.drafted()
    admin = house.by(Role.ADMINISTRATOR, reason="reparto de sectores")
    duties.set_duties(user=house.users[Role.PIT_BOSS], pits=[first], by=admin)
    assert evening.drafted(pit=first).pit == first
    assert refusal(evening.drafted, pit=second).code == "not_your_pit"
    assert refusal(evening.drafted).code == "not_your_pit"
    assert stale(evening, whole, NIGHT + 2 * MINUTE).code == "not_your_pit"


def test_what_cannot_be_planned_is_refused(evening: Evening) -> None:
    plan(evening.house, evening.dealers[0], "21 22:00", "21 23:00", at=PLANNED_AT)
    wrong: list[tuple[dict[str, object], str]] = [
        ({"ends": NIGHT + 50 * MINUTE}, "rotation_span"),
        ({"ends": NIGHT}, "rotation_span"),
        ({"starts": NIGHT - SLOT, "ends": NIGHT + SLOT}, "rotation_span"),
        ({"slot_minutes": 90, "ends": NIGHT + 90 * MINUTE}, "rotation_slot_too_long"),
        ({"starts": wall("21 12:00"), "ends": wall("21 13:00")}, "rotation_no_people"),
    ]
    for asked, code in wrong:
        assert refusal(evening.drafted, **asked).code == code


def test_no_open_table_is_nothing_to_plan(house: House) -> None:
    by = house.by(Role.PIT_BOSS)
    refused = refusal(drafting.draft_plan, starts=NIGHT, ends=NIGHT + SLOT, slot_minutes=20, by=by)
    assert (refused.code, refused.field) == ("rotation_no_tables", "tables")
    assert isinstance(refused, Refused)
