"""Two at once at one table, or for one person: exactly one wins and nothing is half-written."""

from __future__ import annotations

import datetime as dt

import pytest

from audits.incidents import OTHER, report_incident
from audits.models import Incident
from audits.verify import ledger_faults, trail_faults
from casino.kernel.errors import Conflict, SabotError
from casino.kernel.permissions import Role
from shoes.models import Shoe
from tables import openings, rounds
from tables.models import Assignment, Bet, ChipCount, Round, TableSession
from tables.money import box_counts
from tests.builders import BOB, CLOSING_TIME, FLOAT, NATURAL, NIGHT, House, bets
from tests.money import box_builders
from tests.races.racing import race

pytestmark = pytest.mark.race


def one_won(answers: list[object]) -> SabotError:
    """Exactly one act went through; the refusal of the other."""
    refusals = [answer for answer in answers if isinstance(answer, SabotError)]
    assert len(refusals) == len(answers) - 1, answers
    assert all(isinstance(refusal, Conflict) for refusal in refusals)
    return refusals[0]


def clean(house: House) -> bool:
    return not [*trail_faults(house.casino), *ledger_faults(house.casino)]


def test_two_tabs_log_the_same_round(house: House) -> None:
    session = house.open_table(detail="full")
    events = [*bets((1, "banca", 100)), *NATURAL]
    refusal = one_won(race(*[lambda: house.log(session, events, number=1)] * 4))
    assert refusal.code == "round_moved_on"
    session.refresh_from_db()
    assert (Round.objects.count(), Bet.objects.count(), session.rounds_settled) == (1, 1, 1)
    assert Shoe.objects.get(pk=session.shoe_id).discarded == 4
    assert clean(house)


def test_two_tabs_take_the_same_step(house: House) -> None:
    session, by = house.open_table(), house.by(Role.PIT_BOSS)

    def step(number: int) -> Round:
        return rounds.play(session=session, number=1, step=number, events=NATURAL[number : number + 1], by=by)

    for number in range(4):
        assert one_won(race(lambda n=number: step(n), lambda n=number: step(n))).code == "round_moved_on"
    assert [event["card"] for event in Round.objects.get().log] == ["9d", "5c", "Kh", "2s"]
    answers = race(*[lambda: rounds.settle(session=session, number=1, step=4, by=by)] * 2)
    assert one_won(answers).code == "no_round"
    assert clean(house)


def test_two_openings_of_one_table(house: House) -> None:
    table = house.table()
    shoes = [house.ready_shoe(), house.ready_shoe()]

    def open_it(place: int) -> TableSession:
        return openings.open_session(
            table=table,
            shoe=shoes[place],
            chips_counted=FLOAT,
            dealer=house.dealers[place],
            supervisor=house.supervisors[place],
            by=house.by(Role.SUPERVISOR),
        )

    refusal = one_won(race(lambda: open_it(0), lambda: open_it(1)))
    assert refusal.code in {"session_open", "table_has_shoe"}
    assert TableSession.objects.count() == 1
    assert (ChipCount.objects.count(), Assignment.objects.count()) == (1, 2)
    assert sorted(Shoe.objects.values_list("state", flat=True)) == ["in_play", "ready"]
    assert clean(house)


@pytest.mark.rule("GEN-08")
@pytest.mark.parametrize("attempt", range(3))
def test_a_table_opened_while_an_incident_stops_it_begins_stopped(house: House, attempt: int) -> None:
    table, shoe = house.table(), house.ready_shoe()

    def open_it() -> TableSession:
        return openings.open_session(
            table=table,
            shoe=shoe,
            chips_counted=FLOAT,
            dealer=house.dealers[0],
            supervisor=house.supervisors[0],
            by=house.by(Role.SUPERVISOR),
        )

    def stop_it() -> Incident:
        by = house.by(Role.PIT_BOSS)
        return report_incident(kind=OTHER, summary="pelea", table_label=table.name, freezes=True, by=by)

    opened, incident = race(open_it, stop_it)
    opened.refresh_from_db()
    assert opened.frozen_by_id == incident.pk
    with pytest.raises(Conflict) as refusal:
        house.log(opened, list(NATURAL))
    assert refusal.value.code == "table_frozen"
    assert clean(house)


@pytest.mark.rule("FLOOR-01")
def test_one_dealer_is_called_to_two_tables(house: House) -> None:
    tables = [house.table(), house.table()]
    shoes = [house.ready_shoe(), house.ready_shoe()]

    def open_it(place: int) -> TableSession:
        return openings.open_session(
            table=tables[place],
            shoe=shoes[place],
            chips_counted=FLOAT,
            dealer=house.dealers[0],
            supervisor=house.supervisors[place],
            by=house.by(Role.SUPERVISOR),
        )

    refusal = one_won(race(lambda: open_it(0), lambda: open_it(1)))
    assert (refusal.code, refusal.rule) == ("staff_busy", "FLOOR-01")
    assert TableSession.objects.count() == 1
    assert Assignment.objects.filter(staff=house.dealers[0]).count() == 1
    assert clean(house)


@pytest.mark.rule("CARD-04")
def test_one_shoe_is_wanted_at_two_tables(house: House) -> None:
    tables, shoe = [house.table(), house.table()], house.ready_shoe()

    def open_it(place: int) -> TableSession:
        return openings.open_session(
            table=tables[place],
            shoe=shoe,
            chips_counted=FLOAT,
            dealer=house.dealers[place],
            supervisor=house.supervisors[place],
            by=house.by(Role.SUPERVISOR),
        )

    assert one_won(race(lambda: open_it(0), lambda: open_it(1))).code == "shoe_not_ready"
    assert TableSession.objects.count() == 1
    assert clean(house)


@pytest.mark.parametrize("attempt", range(3))
def test_a_table_is_closed_while_a_round_is_logged(house: House, attempt: int) -> None:
    session = house.open_table(detail="full")
    events = [*bets((1, "punto", 100)), *NATURAL]
    # Punto wins 100: the tray holds 100 less if the round was first.
    answers = race(
        lambda: house.log(session, events, number=1), lambda: house.close(session, FLOAT, at=CLOSING_TIME)
    )
    session.refresh_from_db()
    assert session.state == "closed"
    if isinstance(answers[0], SabotError):
        assert answers[0].code == "session_closed"
        assert (session.rounds_settled, Round.objects.filter(session=session).count()) == (0, 0)
    else:
        assert (session.rounds_settled, session.returned) == (1, 200 * BOB)
    assert clean(house)


def test_two_counts_of_the_drop(house: House) -> None:
    session = house.close(house.open_table(), FLOAT)
    later = CLOSING_TIME + dt.timedelta(minutes=5)
    box = box_builders.received(house, session, at=later)
    box_builders.count(box, 1, box_builders.holding(300 * BOB), at=later)
    found, (by, people) = box_builders.holding(300 * BOB), box_builders.team(house.casino, 1, later)
    answers = race(*[lambda: box_counts.record_count(box=box, team=people, by=by, **found)] * 2)
    assert one_won(answers).code == "box_counted"
    session.refresh_from_db()
    assert (session.state, session.drop) == ("counted", 300 * BOB)
    assert clean(house)


def test_a_round_is_voided_twice(house: House) -> None:
    session = house.open_table(detail="full")
    logged = house.log(session, [*bets((1, "punto", 100)), *NATURAL])
    by = house.by(Role.PIT_BOSS, NIGHT, "dos veces")
    approver = house.users[Role.SUPERVISOR].actor
    twice = [lambda: rounds.void(round=logged, approved_by=approver, cards_came_out=False, by=by)] * 2
    answers = race(*twice)
    assert one_won(answers).code == "round_not_settled"
    session.refresh_from_db()
    assert (session.rounds_settled, session.staked) == (0, 0)
    assert Shoe.objects.get(pk=session.shoe_id).discarded == 0
    assert clean(house)
