"""The ledger of a night as it was worked, and the next draft, which begins with it."""

from __future__ import annotations

import datetime as dt

import pytest

from casino.kernel.permissions import Role
from tables import sessions, settings, told_proofs
from tables.models import FairnessEntry, RotationPlan
from tables.roster.rota import asking, ledger, mending
from tables.roster.rota.proofs import rotation_faults
from tables.roster.rota.stored import problem_of
from tests.builders import FLOAT, NIGHT, House
from tests.roster.evenings import MINUTE, SLOT, Evening, an_evening, carry, refusal
from tests.roster.people import came, left, plan, wall
from tests.roster.test_rota_running import swappable

DAY = dt.date(2026, 11, 20)
DAY_AFTER = dt.datetime(2026, 11, 21, 10, 0, tzinfo=dt.UTC)
"""06:00 in La Paz: the cut-off, and the first instant after the gaming day of `NIGHT`."""


@pytest.fixture
def evening(house: House) -> Evening:
    return an_evening(house)


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
