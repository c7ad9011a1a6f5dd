"""The life of a session: every arrow and every one there is not, by our acts and by whoever writes SQL."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from audits import ledger
from audits.models import Event
from casino.kernel.permissions import Role
from tables import closings, life, openings, pausing, rounds, told_proofs
from tables.models import Table, TableSession
from tests.builders import FLOAT, FLOAT_TOTAL, NATURAL, NIGHT, House
from tests.tables.refusing import refused

STATES = [state.value for state in TableSession.State]
LIVE = [*TableSession.LIVE]
MINUTE = dt.timedelta(minutes=1)


def prepared(house: House, table: Table | None = None) -> TableSession:
    table = table or house.table()
    return openings.prepare_table(
        table=table,
        shoe=house.ready_shoe(table.game),
        chips_counted=FLOAT,
        dealer=house.dealers[0],
        supervisor=house.supervisors[0],
        by=house.by(Role.SUPERVISOR),
    )


def brought_to(house: House, state: str) -> TableSession:
    """A session in a live state, by the acts that lead there."""
    session = prepared(house)
    if state == "opening":
        return session
    session = openings.begin_play(session=session, by=house.by(Role.SUPERVISOR))
    if state == "paused":
        return pausing.pause(session=session, by=house.by(Role.SUPERVISOR, reason="pausa de la casa"))
    if state == "closing":
        return pausing.call_last_round(session=session, by=house.by(Role.SUPERVISOR))
    return session


def begin(house: House, session: TableSession) -> Any:
    return openings.begin_play(session=session, by=house.by(Role.SUPERVISOR))


def pause(house: House, session: TableSession) -> Any:
    return pausing.pause(session=session, by=house.by(Role.SUPERVISOR, reason="cambio de paño"))


def resume(house: House, session: TableSession) -> Any:
    return pausing.resume(session=session, by=house.by(Role.SUPERVISOR))


def last_round(house: House, session: TableSession) -> Any:
    return pausing.call_last_round(session=session, by=house.by(Role.SUPERVISOR))


def close(house: House, session: TableSession) -> Any:
    return closings.close_session(
        session=session,
        chips_counted=FLOAT,
        counted_by=house.dealers[0],
        witnessed_by=house.supervisors[0],
        by=house.by(Role.SUPERVISOR, NIGHT + MINUTE),
    )


ACTS = {"begin": begin, "pause": pause, "resume": resume, "last_round": last_round, "close": close}

# From each live state, what each act leads to; what is not here is refused.
ARROWS = {
    ("opening", "begin"): "open",
    ("opening", "close"): "closed",
    ("open", "pause"): "paused",
    ("open", "last_round"): "closing",
    ("open", "close"): "closed",
    ("paused", "resume"): "open",
    ("paused", "last_round"): "closing",
    ("paused", "close"): "closed",
    ("closing", "resume"): "open",
    ("closing", "close"): "closed",
}
EVENTS = {
    ("opening", "begin"): "tables.session.play_began",
    ("open", "pause"): "tables.session.paused",
    ("open", "last_round"): "tables.session.last_round_called",
    ("paused", "resume"): "tables.session.resumed",
    ("paused", "last_round"): "tables.session.last_round_called",
    ("closing", "resume"): "tables.session.reopened",
}


@pytest.mark.rule("FLOOR-10")
@pytest.mark.parametrize("state", LIVE)
def test_each_act_leads_where_it_may_and_nowhere_else(house: House, state: str) -> None:
    session = brought_to(house, state)
    for act in ACTS:
        before = transaction.savepoint()
        if (state, act) in ARROWS:
            leads(house, session, state, act)
        else:
            with refused("session_state", "FLOOR-10"):
                ACTS[act](house, session)
        transaction.savepoint_rollback(before)
        session.refresh_from_db()
        assert session.state == state


def leads(house: House, session: TableSession, state: str, act: str) -> None:
    """The act does what its arrow says, and tells of it."""
    ACTS[act](house, session)
    session.refresh_from_db()
    assert session.state == ARROWS[state, act]
    told = Event.objects.filter(stream__name=session.stream).latest("pk")
    if (state, act) in EVENTS:
        body = json.loads(bytes(told.body))
        assert told.action == EVENTS[state, act]
        assert body["data"]["state"] == session.state
        assert body["rules"] == (["FLOOR-04"] if act == "begin" else ["FLOOR-10"])
    assert not list(told_proofs.told_faults(house.casino))


def forced(state: str, was: str) -> str:
    """A statement that writes a state and whatever columns it needs: only the arrow is at fault."""
    columns = ["closed_at = NULL"]
    if state not in LIVE:
        columns = ["closed_at = coalesce(closed_at, now())", "closing = coalesce(closing, 0)"]
    if state in ("counted", "reconciled"):
        columns += ["drop = coalesce(drop, 0)", "result = coalesce(result, 0)"]
    if state == "reconciled":
        columns += ["reconciled_at = now()"]
    return f"UPDATE tables_tablesession SET state = '{state}', {', '.join(columns)} WHERE state = '{was}'"


@pytest.mark.rule("REC-07")
@pytest.mark.parametrize("was", [*LIVE, "closed"])
def test_the_database_holds_sessions_to_the_same_arrows(house: House, was: str) -> None:
    session = brought_to(house, was if was != "closed" else "open")
    if was == "closed":
        close(house, session)
    allowed = {
        "opening": {"open", "closed"},
        "open": {"paused", "closing", "closed"},
        "paused": {"open", "closing", "closed"},
        "closing": {"open", "closed"},
        "closed": set(),  # counted with its figures alone: to write another column besides is a change
    }[was]
    for target in STATES:
        if target == was:
            continue
        statement, went = forced(target, was), True
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(statement)
                assert cursor.rowcount == 1
                transaction.set_rollback(True)
        except IntegrityError:
            went = False
        assert went is (target in allowed or (was, target) == ("closed", "counted")), (was, target)


def test_the_arrows_of_the_code_are_those_of_this_file() -> None:
    assert {(was, to) for was in LIVE for to in life.NEXT[was]} == {
        (was, to) for (was, _act), to in ARROWS.items()
    }
    assert {state: set(life.NEXT[state]) for state in ("closed", "counted", "reconciled")} == {
        "closed": {"counted"},
        "counted": {"reconciled"},
        "reconciled": set(),
    }


@pytest.mark.rule("FLOOR-04")
def test_a_prepared_table_is_counted_signed_and_crewed_but_not_played(house: House) -> None:
    session = prepared(house)
    assert (session.state, session.opening) == ("opening", FLOAT_TOTAL)
    assert ledger.balance(house.casino, f"tray:{session.pk}") == FLOAT_TOTAL
    assert {a.post for a in session.assignments.all()} == {"dealer", "supervisor"}
    with refused("session_opening"):
        house.log(session, NATURAL)
    session = begin(house, session)
    assert house.log(session, NATURAL).number == 1


@pytest.mark.rule("FLOOR-10")
@pytest.mark.parametrize(("state", "code"), [("paused", "session_paused"), ("closing", "session_closing")])
def test_no_round_is_opened_while_paused_or_closing(house: House, state: str, code: str) -> None:
    session = brought_to(house, state)
    with refused(code):
        house.log(session, NATURAL)
    resume(house, session)
    assert house.log(session, NATURAL).number == 1


def test_a_table_is_not_paused_in_the_middle_of_a_round(house: House) -> None:
    session = brought_to(house, "open")
    rounds.play(session=session, number=1, step=0, events=NATURAL[:1], by=house.by(Role.PIT_BOSS))
    with refused("round_open", "FLOOR-10"):
        pause(house, session)
    # The last round may be called: this one is finished and no other begun.
    last_round(house, session)
    by = house.by(Role.PIT_BOSS)
    for step in range(1, len(NATURAL)):
        rounds.play(session=session, number=1, step=step, events=NATURAL[step : step + 1], by=by)
    rounds.settle(session=session, number=1, step=len(NATURAL), by=by)
    with refused("session_closing"):
        house.log(session, NATURAL)
    close(house, session)


def test_a_pause_says_why(house: House) -> None:
    session = brought_to(house, "open")
    with refused("reason_missing"):
        pausing.pause(session=session, by=house.by(Role.SUPERVISOR))


def test_only_chiefs_change_the_state(house: House) -> None:
    session = house.open_table()
    acts = (pausing.pause, pausing.resume, pausing.call_last_round, openings.begin_play)
    for role in (Role.CROUPIER, Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR, Role.DEVICE):
        for act in acts:
            with refused("not_allowed"):
                act(session=session, by=house.by(role, reason="x"))


def test_a_table_has_one_word_for_its_life(house: House) -> None:
    table = house.table()
    house.ready_shoe()
    assert life.of_table(table, NIGHT) == "ready"
    session = prepared(house, table)
    assert life.of_table(table, NIGHT) == "opening"
    pause(house, begin(house, session))
    assert life.of_table(table, NIGHT) == "paused"
    close(house, session)
    assert life.of_table(table, NIGHT + MINUTE) == "closed"
    house.count_out(session, 0)
    assert life.of_table(table, NIGHT + MINUTE) == "counted"


def test_a_table_that_cannot_be_opened_is_not_ready(house: House) -> None:
    table = house.table()  # no shoe prepared for its game
    assert life.of_table(table, NIGHT) == "closed"


def test_a_state_without_its_step_on_the_trail_is_found(house: House) -> None:
    session = brought_to(house, "open")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tables_tablesession SET state = 'paused' WHERE id = %s", [session.pk])
    faults = [str(fault) for fault in told_proofs.told_faults(house.casino)]
    assert any(f"session:{session.pk}" in fault and "step" in fault for fault in faults), faults
