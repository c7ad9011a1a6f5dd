"""Boxes on their way and counted blind: who may, in which order, what a difference leads to (FLOOR-11)."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from audits import incidents
from audits.by import By
from audits.models import Event, Incident
from casino.kernel.permissions import Role
from tables.models import BoxCount, DropBox, TableSession
from tables.money import box_counts, boxes
from tables.money.box_contents import House as CountingHouse
from tables.money.box_contents import commitment, found
from tables.money.box_proofs import box_faults
from tables.money.box_seeing import counts_of
from tables.money.reconciling import boxes_outstanding
from tests.builders import BOB, CLOSING_TIME, FLOAT, NIGHT, House
from tests.money import box_builders as built
from tests.tables.refusing import refused

MINUTE = dt.timedelta(minutes=1)
THREE_HUNDRED = {"contents": {"BOB": {20_000: 1, 10_000: 1}}, "documents": []}
BOLIVIA = CountingHouse("BOB", 2, frozenset({500, 2_500}), {"USD": 69_600})


def by(house: House, role: Role, at: dt.datetime = CLOSING_TIME, reason: str = "") -> By:
    return house.by(role, at, reason)


@pytest.fixture
def house(room: House) -> House:
    """The module's own, with its teams; each test begins from it as it was built."""
    return room


@pytest.fixture
def closed(house: House) -> TableSession:
    return house.close(house.open_table(detail="full"), FLOAT)


# ---- on its way ---------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-11")
def test_a_box_goes_from_the_table_to_the_count_room(house: House) -> None:
    session = house.open_table()
    box = boxes.put_on(session=session, number=" c-07 ", by=by(house, Role.SUPERVISOR, NIGHT))
    assert (box.number, box.state, box.kind) == ("C-07", "on_table", "drop")
    second = house.users[Role.PIT_BOSS].actor
    with refused("box_not_here", "FLOOR-11"):
        built.count(box, 1, THREE_HUNDRED, at=NIGHT + MINUTE)
    with refused("box_state", "FLOOR-11"):
        boxes.receive(box=box, seal="P-1", by=by(house, Role.CAGE))
    with refused("same_person", "GEN-10"):
        signer = by(house, Role.SUPERVISOR, NIGHT + MINUTE)
        boxes.remove(box=box, seal="P-1", with_=signer.actor, by=signer)
    with refused("signer_not_allowed", "GEN-10"):
        compliance = house.users[Role.COMPLIANCE].actor
        boxes.remove(box=box, seal="P-1", with_=compliance, by=by(house, Role.SUPERVISOR))
    with refused("bad_seal"):
        boxes.remove(box=box, seal=" ", with_=second, by=by(house, Role.SUPERVISOR))
    with refused("occurred_out_of_order"):
        early = by(house, Role.SUPERVISOR, NIGHT - MINUTE)
        boxes.remove(box=box, seal="P-1", with_=second, by=early)
    box = boxes.remove(box=box, seal="p-1", with_=second, by=by(house, Role.SUPERVISOR, NIGHT + MINUTE))
    with refused("box_state"):
        boxes.remove(box=box, seal="P-1", with_=second, by=by(house, Role.SUPERVISOR))
    box = boxes.receive(box=box, seal="P-1", by=by(house, Role.CAGE, NIGHT + 2 * MINUTE))
    assert (box.state, box.seal, box.seal_found) == ("received", "P-1", "P-1")
    assert not Incident.objects.exists()
    assert list(box_faults(house.casino)) == []


@pytest.mark.rule("FLOOR-11")
def test_a_box_is_at_one_place_at_a_time(house: House) -> None:
    session = house.open_table()
    other = house.open_table(dealer=1, supervisor=1)
    chief = by(house, Role.SUPERVISOR, NIGHT)
    boxes.put_on(session=session, number="C-1", by=chief)
    with refused("box_in_use", "FLOOR-11"):
        boxes.put_on(session=other, number="c-1", by=chief)
    with refused("box_on_table", "FLOOR-11"):
        boxes.put_on(session=session, number="C-2", by=chief)
    with refused("no_deduction", "FLOOR-14"):
        boxes.put_on(session=session, number="D-1", kind="deduction", by=chief)
    box = DropBox.objects.get()
    box = boxes.remove(box=box, seal="P-1", with_=house.users[Role.PIT_BOSS].actor, by=chief)
    # It waits to be counted: no table has it meanwhile; its own takes another.
    with refused("box_in_use"):
        boxes.put_on(session=other, number="C-1", by=chief)
    boxes.put_on(session=session, number="C-2", by=chief)
    box = boxes.receive(box=box, seal="P-1", by=by(house, Role.CAGE, NIGHT))
    for nth in (1, 2):
        box = built.count(box, nth, THREE_HUNDRED, at=NIGHT)
    assert (box.state, box.amount) == ("settled", 300 * BOB)
    boxes.put_on(session=other, number="C-1", by=chief)


@pytest.mark.rule("FLOOR-11")
def test_another_seal_than_the_one_put_on_is_an_incident_of_the_house(
    house: House, closed: TableSession
) -> None:
    box = boxes.remove_unregistered(
        session=closed, number="C-1", seal="P-1", with_=house.users[Role.PIT_BOSS].actor,
        by=by(house, Role.SUPERVISOR),
    )  # fmt: skip
    box = boxes.receive(box=box, seal="P-9", by=by(house, Role.CAGE))
    incident = Incident.objects.get()
    assert (incident.kind, incident.notice_due, incident.subject_id) == ("money.box_seal", None, closed.pk)
    assert (box.state, box.seal_found) == ("received", "P-9")
    built.count(box, 1, THREE_HUNDRED, at=CLOSING_TIME)
    built.count(box, 2, THREE_HUNDRED, at=CLOSING_TIME)
    assert list(box_faults(house.casino)) == []


# ---- counted twice ------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-11", "FLOOR-12")
def test_two_equal_counts_settle_the_box_and_count_the_session(house: House, closed: TableSession) -> None:
    box = built.received(house, closed, at=CLOSING_TIME)
    with refused("occurred_out_of_order"):
        built.count(box, 1, THREE_HUNDRED, at=CLOSING_TIME - MINUTE)
    box = built.count(box, 1, THREE_HUNDRED, at=CLOSING_TIME + MINUTE)
    closed.refresh_from_db()
    assert (box.state, closed.state, closed.drop) == ("counted_once", "closed", None)
    assert [one.code for one in boxes_outstanding(closed)] == ["box_unsettled"]
    with refused("occurred_out_of_order"):
        built.count(box, 2, THREE_HUNDRED, at=CLOSING_TIME)
    box = built.count(box, 2, THREE_HUNDRED, at=CLOSING_TIME + 2 * MINUTE)
    closed.refresh_from_db()
    # 200 + 100 = 300; FLOOR-12: closing 22.500 + drop 300 - opening 22.500 = 300.
    assert (box.state, box.amount, box.how) == ("settled", 300 * BOB, "equal")
    assert (closed.state, closed.drop, closed.result) == ("counted", 300 * BOB, 300 * BOB)
    with refused("box_counted", "FLOOR-11"):
        built.count(box, 3, THREE_HUNDRED, at=CLOSING_TIME + 3 * MINUTE)
    assert list(box_faults(house.casino)) == []


@pytest.mark.rule("FLOOR-11")
def test_teams_are_of_other_people_and_large_enough(house: House, closed: TableSession) -> None:
    box = built.received(house, closed, at=CLOSING_TIME)
    (ana, first), (dora, second) = (built.team(house.casino, n, CLOSING_TIME) for n in (0, 1))

    def counts(team: Any, recorder: By) -> DropBox:
        return box_counts.record_count(box=box, team=team, by=recorder, **THREE_HUNDRED)

    for team in (first[:1], [first[0], first[0]], [*first, ana.actor]):
        with refused("team_too_small", "FLOOR-11"):
            counts(team, ana)
    for role in (Role.PIT_BOSS, Role.CROUPIER, Role.INSPECTOR, Role.DEVICE):
        with refused("not_a_counter", "FLOOR-11"):
            counts([first[0], house.users[role].actor], ana)
    counts(first, ana)
    for team, recorder in (
        (first, dora),
        ([second[0], first[0]], dora),
        ([second[0], ana.actor], dora),
        (second, ana),
    ):
        with refused("same_team", "FLOOR-11"):
            counts(team, recorder)
    counts([second[0], house.users[Role.COMPLIANCE].actor], dora)
    closed.refresh_from_db()
    assert closed.state == "counted"


@pytest.mark.rule("FLOOR-11")
def test_who_worked_at_the_table_does_not_count_its_box(house: House) -> None:
    teller = built.of_the_cage(house.casino, "Ana")
    house.dealers[0] = house.person(user=teller)
    box = built.received(house, house.close(house.open_table(), FLOAT), at=CLOSING_TIME)
    with refused("of_the_table", "FLOOR-11"):
        built.count(box, 1, THREE_HUNDRED, at=CLOSING_TIME)


@pytest.mark.rule("FLOOR-11")
def test_unequal_counts_are_an_incident_until_a_third_agrees_with_one(
    house: House, closed: TableSession
) -> None:
    box = built.received(house, closed, at=CLOSING_TIME)
    built.count(box, 1, THREE_HUNDRED, at=CLOSING_TIME)
    # The same 300 in other notes is not the same count.
    box = built.count(box, 2, built.holding(290 * BOB), at=CLOSING_TIME)
    closed.refresh_from_db()
    assert (box.state, box.amount, closed.state) == ("differs", None, "closed")
    incident = Incident.objects.get()
    assert (incident.kind, incident.facts["difference"]) == (incidents.MONEY, -10 * BOB)
    assert incident.notice_due is not None
    (words,) = incidents.objections(incident)
    assert box.number in words.es
    box = built.count(box, 3, THREE_HUNDRED, at=CLOSING_TIME)
    closed.refresh_from_db()
    assert (box.state, box.amount, box.how, closed.drop) == ("settled", 300 * BOB, "third", 300 * BOB)
    assert incidents.objections(incident) == []
    assert list(box_faults(house.casino)) == []


@pytest.mark.rule("FLOOR-11", "GEN-10")
def test_three_counts_that_all_differ_are_decided_by_two_with_a_reason(
    house: House, closed: TableSession
) -> None:
    box = built.received(house, closed, at=CLOSING_TIME)
    for nth, amount in enumerate((300, 290, 280), start=1):
        box = built.count(box, nth, built.holding(amount * BOB), at=CLOSING_TIME)
    assert box.state == "differs"
    with refused("box_counted"):
        cage = by(house, Role.CAGE)
        people = [house.users[Role.COMPLIANCE].actor, house.users[Role.ADMINISTRATOR].actor]
        box_counts.record_count(box=box, team=people, by=cage, **THREE_HUNDRED)
    boss, second = (
        by(house, Role.PIT_BOSS, reason="la segunda se contó ante cámara"),
        house.users[Role.COMPLIANCE].actor,
    )
    with refused("reason_missing"):
        box_counts.resolve(box=box, nth=2, with_=second, by=by(house, Role.PIT_BOSS))
    with refused("same_person", "GEN-10"):
        box_counts.resolve(box=box, nth=2, with_=boss.actor, by=boss)
    with refused("same_team", "FLOOR-11"):
        counted = built.team(house.casino, 0, CLOSING_TIME)[0].actor
        box_counts.resolve(box=box, nth=2, with_=counted, by=boss)
    with refused("no_count"):
        box_counts.resolve(box=box, nth=4, with_=second, by=boss)
    box = box_counts.resolve(box=box, nth=2, with_=second, by=boss)
    closed.refresh_from_db()
    assert (box.state, box.amount, box.how, closed.drop) == ("settled", 290 * BOB, "resolved", 290 * BOB)
    with refused("box_state"):
        box_counts.resolve(box=box, nth=1, with_=second, by=boss)
    assert list(box_faults(house.casino)) == []


@pytest.mark.rule("FLOOR-11")
def test_a_session_waits_for_all_its_boxes(house: House) -> None:
    session = house.open_table()
    chief = by(house, Role.SUPERVISOR, NIGHT)
    second = house.users[Role.PIT_BOSS].actor
    first = boxes.put_on(session=session, number="C-1", by=chief)
    first = boxes.remove(box=first, seal="P-1", with_=second, by=chief)
    first = boxes.receive(box=first, seal="P-1", by=by(house, Role.CAGE, NIGHT))
    for nth in (1, 2):
        first = built.count(first, nth, THREE_HUNDRED, at=NIGHT + MINUTE)
    later = boxes.put_on(session=session, number="C-2", by=by(house, Role.SUPERVISOR, NIGHT + 2 * MINUTE))
    session = house.close(session, FLOAT)
    assert (session.state, session.drop) == ("closed", None)
    with refused("box_known", "FLOOR-11"):
        boxes.declare_no_box(session=session, with_=second, by=by(house, Role.CAGE))
    later = boxes.remove(box=later, seal="P-2", with_=second, by=by(house, Role.SUPERVISOR))
    later = boxes.receive(box=later, seal="P-2", by=by(house, Role.CAGE))
    for nth in (1, 2):
        later = built.count(later, nth, built.holding(120 * BOB), at=CLOSING_TIME)
    session.refresh_from_db()
    # 300 of the first shift + 120 of the second.
    assert (session.state, session.drop) == ("counted", 420 * BOB)
    assert list(box_faults(house.casino)) == []


@pytest.mark.rule("FLOOR-11")
def test_a_table_whose_boxes_were_all_counted_before_is_counted_as_it_closes(house: House) -> None:
    session = house.open_table()
    built.counted_box(house, session, 300 * BOB, at=NIGHT + MINUTE)
    session = house.close(session, FLOAT)
    assert (session.state, session.drop, session.result) == ("counted", 300 * BOB, 300 * BOB)
    assert list(box_faults(house.casino)) == []


@pytest.mark.rule("FLOOR-11", "GEN-10")
def test_no_box_is_said_by_two(house: House, closed: TableSession) -> None:
    cage = by(house, Role.CAGE)
    with refused("same_person", "GEN-10"):
        boxes.declare_no_box(session=closed, with_=cage.actor, by=cage)
    with refused("signer_not_allowed", "GEN-10"):
        boxes.declare_no_box(session=closed, with_=house.users[Role.COMPLIANCE].actor, by=cage)
    done = boxes.declare_no_box(session=closed, with_=house.users[Role.PIT_BOSS].actor, by=cage)
    assert (done.state, done.drop, done.result) == ("counted", 0, 0)
    assert list(box_faults(house.casino)) == []
    with refused("box_too_late", "FLOOR-11"):
        built.received(house, closed, at=CLOSING_TIME)


# ---- the proof and the database -----------------------------------------------------------------


@pytest.mark.rule("FLOOR-11", "REC-06")
def test_the_first_count_is_bound_before_the_second(house: House, closed: TableSession) -> None:
    box = built.received(house, closed, at=CLOSING_TIME)
    box = built.count(box, 1, THREE_HUNDRED, at=CLOSING_TIME)
    told = Event.objects.get(action="tables.box.counted_first")
    row = BoxCount.objects.get()
    data = json.loads(bytes(told.body))["data"]
    assert data["commitment"] == row.commitment
    assert not {"total", "contents", "salt"} & set(data)
    assert commitment(box.pk, 1, found(BOLIVIA, THREE_HUNDRED["contents"], []), row.salt) == row.commitment
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE tables_boxcount DISABLE TRIGGER USER")
        cursor.execute(
            'UPDATE tables_boxcount SET total = total + 1000, contents = \'{"BOB": {"1000": 31}}\''
        )
        cursor.execute("ALTER TABLE tables_boxcount ENABLE TRIGGER USER")
    assert [fault.code for fault in box_faults(house.casino)] == ["commitment_broken"]


@pytest.mark.rule("REC-06", "FLOOR-11")
@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ("UPDATE tables_dropbox SET amount = amount + 100", "settled"),
        ("UPDATE tables_dropbox SET seal = 'X'", "removed"),
        ("UPDATE tables_dropbox SET number = 'X'", "named"),
        ("UPDATE tables_dropbox SET received_by_id = removed_by_id", "received"),
        ("UPDATE tables_boxcounter SET records = NOT records", "team"),
        ("UPDATE tables_boxcount SET counted_at = counted_at - interval '1 minute'", "first"),
        ("DELETE FROM tables_boxcounter", "team"),
    ],
)
def test_the_proof_sees_what_was_changed_behind_the_trail(
    house: House, closed: TableSession, change: str, wrong: str
) -> None:
    built.counted_box(house, closed, 300 * BOB, at=CLOSING_TIME)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in ("dropbox", "boxcount", "boxcounter"):
            cursor.execute(f"ALTER TABLE tables_{table} DISABLE TRIGGER USER")
        cursor.execute(change)
        for table in ("dropbox", "boxcount", "boxcounter"):
            cursor.execute(f"ALTER TABLE tables_{table} ENABLE TRIGGER USER")
    assert wrong in " ".join(fault.words.en for fault in box_faults(house.casino))


@pytest.mark.rule("FLOOR-11", "FLOOR-12")
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE tables_boxcount SET total = 1",
        "DELETE FROM tables_boxcount",
        "UPDATE tables_boxcounter SET records = true",
        "DELETE FROM tables_dropbox",
        "UPDATE tables_dropbox SET seal = 'X'",
        "UPDATE tables_dropbox SET state = 'settled', amount = 1, how = 'equal', settled_at = removed_at",
        "UPDATE tables_tablesession SET state = 'counted', drop = 100, result = 100",
    ],
)
def test_the_database_refuses_it(house: House, closed: TableSession, change: str) -> None:
    box = built.received(house, closed, at=CLOSING_TIME)
    built.count(box, 1, THREE_HUNDRED, at=CLOSING_TIME)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change)


def test_counts_are_shown_once_both_are_in(house: House, closed: TableSession) -> None:
    box = built.received(house, closed, at=CLOSING_TIME)
    built.count(box, 1, THREE_HUNDRED, at=CLOSING_TIME)
    assert counts_of(box) == []
    built.count(box, 2, THREE_HUNDRED, at=CLOSING_TIME)
    assert [count.nth for count in counts_of(box)] == [1, 2]
