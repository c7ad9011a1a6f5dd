"""Fills and credits: three people, counted chips, one number each (FLOOR-06 to FLOOR-08)."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, connection, transaction

from audits import days, ledger
from audits.by import by_user
from audits.models import Event, Posting
from casino.kernel.errors import Conflict, NotAllowed, Refused, RuleViolation, SabotError
from casino.kernel.permissions import Role
from tables import openings, pausing, results
from tables.models import Slip, TableSession
from tables.money import desks, floats, open_slips, slip_proofs, slips
from tests.builders import BOB, CLOSING_TIME, FLOAT, FLOAT_TOTAL, NATURAL, House, bets
from tests.money.slip_builders import FILL_TOTAL, LATER, a_counter, a_desk, another


def faults(house: House) -> list[str]:
    found = [
        *slip_proofs.slip_trail_faults(house.casino),
        *slip_proofs.slip_money_faults(house.casino),
    ]
    return [f"{fault.code} {fault.where} {fault.words.es}" for fault in found]


def refusal(error: type[SabotError], code: str, call: object) -> SabotError:
    with pytest.raises(error) as found:
        call()  # type: ignore[operator]
    assert found.value.code == code
    return found.value


# ---- what a slip does --------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-07")
def test_a_fill_moves_money_when_it_is_verified_and_not_before(house: House) -> None:
    counter = a_counter(house)
    tray = f"tray:{counter.session.pk}"
    slip = counter.ask()
    assert (slip.label, slip.total, slip.state) == ("F-2026-000001", FILL_TOTAL, "requested")
    slip = counter.issue(slip)
    assert (ledger.balance(house.casino, tray), ledger.balance(house.casino, "cage:1")) == (FLOAT_TOTAL, 0)
    counter.verify(slip)
    assert ledger.balance(house.casino, tray) == FLOAT_TOTAL + FILL_TOTAL
    assert ledger.balance(house.casino, "cage:1") == -FILL_TOTAL
    session = TableSession.objects.get(pk=counter.session.pk)
    assert (session.fills, session.credits) == (FILL_TOTAL, 0)
    assert results.expected_tray(session) == FLOAT_TOTAL + FILL_TOTAL
    assert faults(house) == []


@pytest.mark.rule("FLOOR-07")
def test_a_credit_takes_them_back_to_the_desk(house: House) -> None:
    counter = a_counter(house)
    slip = counter.ask("credit")
    assert slip.label == "C-2026-000001"
    cage = another(house, Role.CAGE)  # where it arrives a second cashier may count it
    counter.verify(counter.issue(slip), by=by_user(cage, occurred_at=LATER))
    session = TableSession.objects.get(pk=counter.session.pk)
    assert (session.fills, session.credits) == (0, FILL_TOTAL)
    assert ledger.balance(house.casino, "cage:1") == FILL_TOTAL
    assert results.expected_tray(session) == FLOAT_TOTAL - FILL_TOTAL
    assert faults(house) == []


def test_the_result_knows_fills_and_credits(house: House) -> None:
    """Opening 22.500, filled by 2.000, 500 taken back, closed on 24.000 with a drop of 3.000:
    24.000 + 500 + 3.000 - 22.500 - 2.000 = 3.000 (FLOOR-12)."""
    counter = a_counter(house)
    counter.done()
    counter.done("credit", {100 * BOB: 5})
    counted = {25 * BOB: 140, 100 * BOB: 105, 500 * BOB: 20}
    assert sum(value * number for value, number in counted.items()) == 24_000 * BOB
    session = house.close(counter.session, counted, drop=3_000 * BOB)
    session.refresh_from_db()
    assert (session.drop, session.result) == (3_000 * BOB, 3_000 * BOB)
    assert faults(house) == []


@pytest.mark.rule("FLOOR-07")
def test_a_slip_says_all_that_the_rule_asks(house: House) -> None:
    counter = a_counter(house)
    slip = counter.done()
    assert slip.runner == "Ana Portadora"
    assert (slip.issued_by, slip.verified_by) == (
        house.users[Role.CAGE].actor,
        house.users[Role.PIT_BOSS].actor,
    )
    assert slip.dealer == house.dealers[0]
    told = Event.objects.filter(subject_type="slip", subject_id=slip.pk).order_by("seq")
    assert [event.action for event in told] == [
        "tables.slip.requested",
        "tables.slip.issued",
        "tables.slip.verified",
    ]
    assert all({"FLOOR-06", "FLOOR-07", "GEN-10"} <= set(event.rules) for event in told)


# ---- three people ------------------------------------------------------------------------------------


@pytest.mark.rule("GEN-10")
def test_who_asked_neither_issues_nor_verifies(house: House) -> None:
    counter = a_counter(house)
    both = another(house, Role.PIT_BOSS)
    slip = counter.ask(by=by_user(both, occurred_at=LATER))
    slip = counter.issue(slip)
    refused = refusal(
        RuleViolation, "same_person", lambda: counter.verify(slip, by=by_user(both, occurred_at=LATER))
    )
    assert refused.rule == "GEN-10"
    assert Slip.objects.get(pk=slip.pk).state == "issued"


@pytest.mark.rule("GEN-10")
def test_who_issued_does_not_verify_the_credit(house: House) -> None:
    counter = a_counter(house)
    slip = counter.issued("credit")
    refusal(RuleViolation, "same_person", lambda: counter.verify(slip, by=house.by(Role.CAGE, LATER)))


def test_a_fill_is_not_verified_by_the_cage(house: House) -> None:
    counter = a_counter(house)
    slip = counter.issued()
    cage = by_user(another(house, Role.CAGE), occurred_at=LATER)
    with pytest.raises(NotAllowed):
        counter.verify(slip, by=cage)


@pytest.mark.rule("GEN-10")
def test_the_database_holds_the_three_apart(house: House) -> None:
    slip = a_counter(house).issued()
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_slip SET state = 'verified', verified_by_id = requested_by_id,"
            " verified_at = now(), dealer_id = %s WHERE id = %s",
            [house.dealers[0].pk, slip.pk],
        )


def test_the_runner_is_nobody_who_signs(house: House) -> None:
    counter = a_counter(house)
    slip, by = counter.ask(), house.by(Role.CAGE, LATER)
    refused = refusal(
        RuleViolation, "same_person", lambda: slips.issue_slip(slip=slip, runner=by.actor.name.upper(), by=by)
    )
    assert refused.field == "runner"
    refusal(Refused, "bad_runner", lambda: slips.issue_slip(slip=slip, runner="  ", by=by))


def test_the_dealer_who_signs_is_at_the_table(house: House) -> None:
    counter = a_counter(house)
    slip = counter.issued()
    assert refusal(RuleViolation, "not_at_table", lambda: counter.verify(slip, dealer=1)).rule == "FLOOR-07"


# ---- what is counted ---------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-07")
def test_a_count_that_differs_is_refused_with_the_difference(house: House) -> None:
    counter = a_counter(house)
    slip = counter.issued()
    refused = refusal(
        RuleViolation, "chips_differ", lambda: counter.verify(slip, {25 * BOB: 42, 100 * BOB: 9})
    )
    assert refused.detail == {"difference": {"2500": 2, "10000": -1}}
    assert "+2 de 25,00; −1 de 100,00" in refused.message.es
    assert TableSession.objects.get(pk=counter.session.pk).fills == 0


def test_the_same_value_in_other_chips_is_another_count(house: House) -> None:
    counter = a_counter(house)
    slip = counter.issued()
    refusal(RuleViolation, "chips_differ", lambda: counter.verify(slip, {100 * BOB: 20}))


@pytest.mark.parametrize(
    ("chips", "code"),
    [
        ({7 * BOB: 1}, "unknown_denomination"),
        ({}, "no_chips"),
        ({25 * BOB: -1}, "bad_count"),
        ({25 * BOB: 0}, "no_chips"),
    ],
)
def test_chips_that_cannot_be_asked_for(house: House, chips: dict[int, int], code: str) -> None:
    counter = a_counter(house)
    refusal(Refused, code, lambda: counter.ask(chips=chips))
    assert not Slip.objects.exists()


@pytest.mark.rule("FLOOR-06")
def test_a_float_changes_by_nothing_else(house: House) -> None:
    """Every memo that a whole evening leaves on trays, against the rule's list; and another is found."""
    counter = a_counter(house, detail="full")
    house.log(counter.session, [*bets((1, "punto", 100), (2, "banca", 100)), *NATURAL], at=LATER)
    counter.done()
    counter.done("credit", {25 * BOB: 4})
    house.close(counter.session, FLOAT, at=CLOSING_TIME, drop=5_000 * BOB)
    lines = Posting.objects.filter(account__code__startswith="tray:")
    memos = set(lines.values_list("memo", flat=True))
    assert (
        {"opening", "lost", "won", "fill", "credit", "chips_sold", "closing"}
        <= memos
        <= set(floats.FLOAT_MOVES)
    )
    assert refusal(RuleViolation, "bad_slip", lambda: counter.ask("gift")).rule == "FLOOR-06"
    assert faults(house) == []
    event = Event.objects.filter(action="tables.slip.verified").order_by("pk").first()
    assert event is not None
    ledger.post(
        event=event,
        kind="gift",
        day=counter.session.day.date,
        moves=[ledger.Move("vault", f"tray:{counter.session.pk}", 100, "gift")],
    )
    assert any(line.startswith("float_moved") for line in faults(house))


# ---- in its order ------------------------------------------------------------------------------------


def test_steps_out_of_order_are_refused(house: House) -> None:
    counter = a_counter(house)
    slip = counter.ask()
    refusal(Conflict, "slip_state", lambda: counter.verify(slip))
    slip = counter.issue(slip)
    refusal(Conflict, "slip_state", lambda: counter.issue(slip))
    counter.verify(slip)
    refusal(
        Conflict,
        "slip_state",
        lambda: counter.verify(slip, by=by_user(another(house, Role.PIT_BOSS), occurred_at=LATER)),
    )


def test_the_same_is_not_asked_for_twice_while_it_waits(house: House) -> None:
    counter = a_counter(house)
    first = counter.ask()
    assert first.label in refusal(Conflict, "slip_asked", counter.ask).message.es
    counter.ask("credit")
    counter.ask(chips={25 * BOB: 41, 100 * BOB: 10})
    counter.issue(first)
    assert counter.ask().label == "F-2026-000003"


def test_an_earlier_instant_than_the_latest_is_refused(house: House) -> None:
    counter = a_counter(house)
    slip = counter.ask()
    early = LATER - dt.timedelta(minutes=5)
    refusal(Refused, "occurred_out_of_order", lambda: counter.issue(slip, at=early))


def test_a_table_with_an_open_slip_is_not_closed(house: House) -> None:
    counter = a_counter(house)
    slip = counter.ask()
    refused = refusal(Conflict, "slip_open", lambda: house.close(counter.session, FLOAT))
    assert slip.label in refused.message.es
    holding = list(open_slips.holds_day(counter.session.day))
    assert [(one.code, slip.label in one.words.es) for one in holding] == [("slip_open", True)]
    assert open_slips.holds_day in days._checks
    counter.void(slip)
    assert list(open_slips.holds_day(counter.session.day)) == []
    house.close(counter.session, FLOAT)


def test_a_closed_table_takes_no_slip(house: House) -> None:
    counter = a_counter(house)
    house.close(counter.session, FLOAT)
    refusal(Conflict, "session_closed", lambda: counter.ask(at=CLOSING_TIME))


def test_a_paused_table_may_be_filled_and_an_opening_one_not(house: House) -> None:
    counter = a_counter(house)
    pausing.pause(session=counter.session, by=house.by(Role.SUPERVISOR, LATER, "relevo"))
    counter.done()
    other = openings.prepare_table(
        table=house.table(),
        shoe=house.ready_shoe(),
        chips_counted=FLOAT,
        dealer=house.dealers[1],
        supervisor=house.supervisors[1],
        by=house.by(Role.SUPERVISOR),
    )
    counter.session = other
    refusal(Conflict, "session_opening", counter.ask)


def test_a_desk_out_of_service_gives_nothing(house: House) -> None:
    counter = a_counter(house)
    counter.desk = a_desk(house, 2)
    desks.set_desk(
        number=2, name="Caja 2", active=False, desk=counter.desk, by=house.by(Role.ADMINISTRATOR, reason="x")
    )
    counter.desk.refresh_from_db()
    refusal(Conflict, "desk_out_of_service", counter.ask)


# ---- voiding -----------------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-08")
def test_a_voided_slip_keeps_its_number_reason_and_both_signatures(house: House) -> None:
    counter = a_counter(house)
    first = counter.void(counter.issued())
    second = counter.ask()
    assert (first.label, second.label) == ("F-2026-000001", "F-2026-000002")
    kept = Slip.objects.get(pk=first.pk)
    assert (kept.state, kept.void_reason) == ("void", "se pidió por error")
    assert {kept.voided_by, kept.voided_with} == {
        house.users[Role.SUPERVISOR].actor,
        house.users[Role.CAGE].actor,
    }
    assert ledger.balance(house.casino, "cage:1") == 0
    assert faults(house) == []


@pytest.mark.rule("FLOOR-08")
def test_a_verified_slip_is_not_voided(house: House) -> None:
    counter = a_counter(house)
    slip = counter.done()
    refused = refusal(Conflict, "slip_verified", lambda: counter.void(slip))
    assert (refused.rule, "un retiro" in refused.message.es) == ("FLOOR-08", True)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE tables_slip SET state = 'void', void_reason = 'x' WHERE id = %s", [slip.pk])


@pytest.mark.rule("FLOOR-08")
def test_a_void_wants_a_reason_and_another_person(house: House) -> None:
    counter = a_counter(house)
    slip = counter.ask()
    refusal(Refused, "reason_missing", lambda: counter.void(slip, reason=""))
    supervisor = house.by(Role.SUPERVISOR, LATER, "x")
    refusal(
        RuleViolation,
        "same_person",
        lambda: slips.void_slip(slip=slip, with_=supervisor.actor, by=supervisor),
    )
    croupier = house.users[Role.CROUPIER].actor
    refusal(RuleViolation, "not_qualified", lambda: slips.void_slip(slip=slip, with_=croupier, by=supervisor))
    assert Slip.objects.get(pk=slip.pk).state == "requested"


def test_what_a_slip_says_is_never_changed(house: House) -> None:
    slip = a_counter(house).ask()
    for change in ("total = 1", "chips = '{}'", "number = 9", "requested_at = now()", "state = 'verified'"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE tables_slip SET {change} WHERE id = %s", [slip.pk])
    with pytest.raises(IntegrityError), transaction.atomic():
        slip.delete()
