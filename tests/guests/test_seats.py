"""Seats: one person each, exact times, absences, changes of place; and what issue 6 will ask of seniority."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from audits.models import Event
from casino.kernel.commands import one_transaction
from casino.kernel.errors import Conflict, NotFound, Refused, RuleViolation, SabotError
from casino.kernel.permissions import Role
from tables import closings, rounds
from tables.guests import absences, priorities, queueing, registering, seats
from tables.guests.proofs import guest_faults
from tables.models import AwayMark, ChangeRequest, SeatTaking, TableSession, WaitingEntry
from tests.builders import BOB, FLOAT, NATURAL, NIGHT, House, a_house
from tests.guests.builders import guest, minutes, sit, waits

BANK_LIMITS = {"punto": (10 * BOB, 1_000 * BOB), "bank": (100 * BOB, 10_000 * BOB)}


def sound(house: House) -> bool:
    return not [fault.words.es + fault.where for fault in guest_faults(house.casino)]


def by(house: House, at: float, reason: str = "") -> Any:
    return house.by(Role.SUPERVISOR, minutes(at), reason)


def banked(house: House, seats_: int = 9) -> TableSession:
    """An open table of Baccarat with a player's bank."""
    table = house.table(game="baccarat.banked", seats=seats_, limits=BANK_LIMITS)
    house.dealers[0] = house.person(games=["baccarat.banked"])
    return house.open_table(table)


def refusal(act: Any, **given: Any) -> SabotError:
    with pytest.raises(SabotError) as refused:
        act(**given)
    return refused.value


def test_a_seat_is_one_persons_and_the_refusal_says_whose(house: House) -> None:
    session, who = house.open_table(), guest(house)
    taking = sit(house, session, 3, who)
    assert (taking.alias, taking.guest, taking.during.lower, taking.open) == ("J.M.Q.", who, NIGHT, True)
    second = refusal(sit, house=house, session=session, seat=3, at=minutes(1))
    assert (second.code, second.message.es) == ("seat_taken", "el asiento 3 lo ocupa J.M.Q.")
    for number in (0, 8):
        assert refusal(sit, house=house, session=session, seat=number, at=minutes(1)).code == "no_such_seat"
    assert sit(house, session, 7, at=minutes(1)).alias == "A7"
    assert sit(house, session, 1, at=minutes(1), alias=" Señor de azul ").alias == "Señor de azul"
    assert sound(house)


def test_a_guest_has_one_seat_on_the_whole_floor(house: House) -> None:
    one, other, who = house.open_table(), house.open_table(dealer=1, supervisor=1), guest(house)
    taking = sit(house, one, 1, who)
    assert refusal(sit, house=house, session=other, seat=1, who=who, at=minutes(1)).code == "guest_seated"
    seats.leave(taking=taking, by=by(house, 2))
    assert sit(house, other, 1, who, at=minutes(3)).session == other
    assert sound(house)


def test_the_database_holds_one_person_a_seat_by_itself(house: House) -> None:
    taking = sit(house, house.open_table(), 3)
    taking.pk = None
    with pytest.raises(IntegrityError, match="one_person_per_seat"), transaction.atomic():
        taking.save(force_insert=True)


def test_leaving_ends_the_seat_at_its_instant_once(house: House) -> None:
    session = house.open_table()
    taking = sit(house, session, 2)
    assert refusal(seats.leave, taking=taking, by=by(house, 0)).code == "seat_ends_before_it_began"
    left = seats.leave(taking=taking, by=by(house, 42))
    assert (left.during.lower, left.during.upper) == (NIGHT, minutes(42))
    assert refusal(seats.leave, taking=taking, by=by(house, 43)).code == "seat_left"
    assert refusal(sit, house=house, session=session, seat=4, at=minutes(10)).code == "occurred_out_of_order"
    for sql in ("UPDATE tables_seattaking SET seat = 5", "DELETE FROM tables_seattaking"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)
    assert sound(house)


@pytest.mark.rule("BANK-23")
def test_a_seat_empty_for_a_moment_is_kept(house: House) -> None:
    session = banked(house)
    taking = sit(house, session, 5, alias="Ana")
    mark = absences.mark_away(taking=taking, by=by(house, 5))
    assert mark.keeps_chips
    kept = refusal(sit, house=house, session=session, seat=5, at=minutes(6))
    assert (kept.code, kept.rule) == ("seat_reserved", "BANK-23")
    assert refusal(absences.mark_away, taking=taking, by=by(house, 6)).code == "already_away"
    away = Event.objects.get(action="tables.session.seat_away")
    assert away.rules == ["BANK-23"]
    other = house.open_table(dealer=1, supervisor=1)
    absences.mark_away(taking=sit(house, other, 1), by=by(house, 6))
    elsewhere = refusal(sit, house=house, session=other, seat=1, at=minutes(7))
    assert (elsewhere.code, elsewhere.rule) == ("seat_reserved", "")  # a rule of the player's bank alone
    absences.come_back(taking=taking, by=by(house, 9))
    assert refusal(absences.come_back, taking=taking, by=by(house, 10)).code == "not_away"
    mark.refresh_from_db()
    assert (mark.during.lower, mark.during.upper) == (minutes(5), minutes(9))
    assert sound(house)


@pytest.mark.rule("BANK-22")
def test_who_is_away_as_the_hand_comes_loses_the_seat_to_the_first_of_the_list(house: House) -> None:
    session = banked(house)
    taking = sit(house, session, 5, alias="Ana")
    first, second = (
        waits(house, minutes(n), name, table=session.table) for n, name in ((1, "Beto"), (2, "Caro"))
    )
    assert refusal(absences.lose_seat, taking=taking, by=by(house, 3)).code == "not_away"
    absences.mark_away(taking=taking, by=by(house, 4), keeps_chips=False)
    absences.lose_seat(taking=taking, by=by(house, 8))
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, first.called_at, second.state) == ("called", minutes(8), "waiting")
    assert AwayMark.objects.get().during.upper == minutes(8)
    told = Event.objects.get(action="tables.session.seat_lost")
    assert told.rules == ["BANK-22"]
    got = seats.seat_from_list(entry=first, session=session, seat=5, by=by(house, 9))
    assert (got.alias, got.entry) == ("Beto", first)
    assert sound(house)


def test_elsewhere_a_seat_is_taken_from_the_absent_with_a_reason(house: House) -> None:
    taking = sit(house, house.open_table(), 5)
    absences.mark_away(taking=taking, by=by(house, 4))
    assert refusal(absences.lose_seat, taking=taking, by=by(house, 8)).code == "reason_missing"
    absences.lose_seat(taking=taking, by=by(house, 50, "46 minutos ausente, sin fichas"))
    assert SeatTaking.objects.get().during.upper == minutes(50)
    assert sound(house)


def ask(house: House, taking: SeatTaking, at: float, seat: int | None = None) -> ChangeRequest:
    return queueing.ask_change(taking=taking, table=taking.session.table, seat=seat, by=by(house, at))


@pytest.mark.rule("BANK-21")
def test_in_a_players_bank_the_list_goes_before_requests_to_move(house: House) -> None:
    session = banked(house)
    seated = sit(house, session, 1, alias="Ana")
    ask(house, seated, 1)
    entry = waits(house, minutes(2), "Beto", table=session.table)
    given = {"session": session, "seat": 4}
    for act, more in ((seats.seat, {}), (seats.move, {"taking": seated})):
        found = refusal(act, **given, **more, by=by(house, 3, "amigo de la casa"))
        assert (found.code, found.rule) == ("list_first", "BANK-21")
        assert "Beto" in found.message.es
    seats.seat_from_list(entry=entry, **given, by=by(house, 4))
    assert seats.move(taking=seated, session=session, seat=5, by=by(house, 5)).seat == 5
    assert ChangeRequest.objects.get().state == "honoured"
    assert sound(house)


def test_elsewhere_requests_at_the_table_go_before_the_list(house: House) -> None:
    session = house.open_table()
    seated = sit(house, session, 1, alias="Ana")
    entry = waits(house, minutes(1), "Beto", game="baccarat.mini")
    request = ask(house, seated, 2, seat=4)
    given = {"entry": entry, "session": session}
    jumping = refusal(seats.seat_from_list, **given, seat=4, by=by(house, 3))
    assert (jumping.code, jumping.field) == ("reason_missing", "reason")
    assert "Ana" in jumping.message.es
    assert refusal(sit, house=house, session=session, seat=5, at=minutes(3)).code == "reason_missing"
    taken = seats.seat_from_list(**given, seat=5, by=by(house, 4))  # nobody asked for seat 5
    entry.refresh_from_db()
    assert (taken.seat, entry.state, entry.ended_at) == (5, "seated", minutes(4))
    moved = seats.move(taking=seated, session=session, seat=4, by=by(house, 6))
    request.refresh_from_db()
    assert (moved.moved_from, moved.during.lower, request.state) == (seated, minutes(6), "honoured")
    assert refusal(seats.seat_from_list, **given, seat=6, by=by(house, 7)).code == "wait_ended"
    assert sound(house)


def test_a_request_to_move_is_one_and_falls_with_the_seat(house: House) -> None:
    session = house.open_table()
    seated = sit(house, session, 1)
    asked = ask(house, seated, 1)
    assert refusal(ask, house=house, taking=seated, at=2).code == "change_asked"
    queueing.withdraw_change(request=asked, by=by(house, 3))
    assert refusal(queueing.withdraw_change, request=asked, by=by(house, 4)).code == "change_ended"
    assert refusal(ask, house=house, taking=seated, at=4, seat=1).code == "same_seat"
    assert refusal(ask, house=house, taking=seated, at=4, seat=8).code == "no_such_seat"
    again = ask(house, seated, 5, seat=2)
    seats.leave(taking=seated, by=by(house, 6))
    again.refresh_from_db()
    assert (again.state, again.ended_at) == ("withdrawn", minutes(6))
    assert sound(house)


def test_the_list_keeps_its_order_and_who_is_passed_over_is_named(house: House) -> None:
    table = house.table()
    first, second, third = (
        waits(house, minutes(n), name, table=table) for n, name in ((1, "Ana"), (2, "Beto"), (3, "Caro"))
    )
    assert refusal(queueing.call, entry=second, by=by(house, 4)).code == "reason_missing"
    queueing.call(entry=second, by=by(house, 4, "Ana salió a fumar"))
    told = Event.objects.get(action="tables.waiting.called")
    assert (told.subject_label, b'"skipped":["Ana"]' in bytes(told.body)) == ("Beto", True)
    assert (
        refusal(queueing.strike, entry=second, outcome="expired", by=by(house, 5)).code == "called_just_now"
    )
    queueing.strike(entry=second, outcome="expired", by=by(house, 6))
    assert refusal(queueing.strike, entry=third, outcome="expired", by=by(house, 6)).code == "not_called"
    queueing.strike(entry=third, outcome="left", by=by(house, 7))
    assert refusal(queueing.call, entry=third, by=by(house, 8)).code == "wait_ended"
    assert queueing.call(entry=first, by=by(house, 8)).called_at == minutes(8)
    assert list(WaitingEntry.objects.values_list("state", flat=True)) == ["called", "expired", "left"]
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE tables_waitingentry SET state = 'waiting', called_at = NULL, ended_at = NULL")
    assert sound(house)


def test_a_party_is_seated_one_by_one(house: House) -> None:
    session, who = house.open_table(), guest(house)
    entry = waits(house, minutes(1), game="baccarat.mini", guest=who, party_size=2)
    assert (
        refusal(waits, house=house, at=minutes(2), game="baccarat.mini", guest=who).code == "waiting_already"
    )
    for number, known in ((3, who), (4, None)):
        taking = seats.seat_from_list(entry=entry, session=session, seat=number, by=by(house, number))
        assert taking.guest == known
        entry.refresh_from_db()
        assert entry.state == ("waiting" if known else "seated")
    assert refusal(waits, house=house, at=minutes(9), alias="x", game="mus").code == "no_list"
    assert (
        refusal(waits, house=house, at=minutes(9), alias="x", game="poker.texas", party_size=21).code
        == "bad_party"
    )
    assert sound(house)


# Seats as of the end: Ana came between rounds and stays; Beto moved from 2 to 4 during round 1; Caro moved
# from 6 to 7 once it was settled; Dora took a vacant seat during round 2.
@pytest.mark.rule("BANK-20")
def test_moving_or_arriving_during_a_round_costs_priority(house: House) -> None:
    session = house.open_table()
    sit(house, session, 1, alias="Ana", at=minutes(0))
    beto = sit(house, session, 2, alias="Beto", at=minutes(1))
    caro = sit(house, session, 6, alias="Caro", at=minutes(2))
    logged = house.by(Role.PIT_BOSS, minutes(3))
    rounds.play(session=session, number=1, step=0, events=NATURAL[:2], by=logged)
    seats.move(taking=beto, session=session, seat=4, by=by(house, 4))
    rounds.play(session=session, number=1, step=2, events=NATURAL[2:], by=house.by(Role.PIT_BOSS, minutes(5)))
    rounds.settle(session=session, number=1, step=4, by=house.by(Role.PIT_BOSS, minutes(5)))
    seats.move(taking=caro, session=session, seat=7, by=by(house, 6))
    logged = house.by(Role.PIT_BOSS, minutes(7))
    rounds.play(session=session, number=2, step=0, events=NATURAL[:1], by=logged)
    dora = sit(house, session, 3, alias="Dora", at=minutes(8))
    absences.mark_away(taking=dora, by=by(house, 9))

    standing = priorities.seniority(session, minutes(10))
    assert [(one.seat, one.taking.alias, one.keeps_priority) for one in standing] == [
        (1, "Ana", True), (3, "Dora", False), (4, "Beto", False), (7, "Caro", True),
    ]  # fmt: skip
    by_name = {one.taking.alias: one for one in standing}
    assert (by_name["Beto"].since, by_name["Beto"].seat_since) == (minutes(1), minutes(4))
    assert by_name["Beto"].changes == (priorities.Change(minutes(4), 2, 4, True),)
    assert by_name["Caro"].changes == (priorities.Change(minutes(6), 6, 7, False),)
    assert (by_name["Dora"].away_since, by_name["Ana"].away_since) == (minutes(9), None)
    order = [one.taking.alias for one in priorities.by_seniority(standing)]
    assert order == ["Ana", "Caro", "Beto", "Dora"]
    before = priorities.seniority(session, minutes(3.5))
    assert [(one.seat, one.taking.alias) for one in before] == [(1, "Ana"), (2, "Beto"), (6, "Caro")]
    assert sound(house)


def test_moving_to_another_table_is_told_on_both(house: House) -> None:
    one, other, who = house.open_table(), house.open_table(dealer=1, supervisor=1), guest(house)
    new = seats.move(taking=sit(house, one, 1, who), session=other, seat=2, by=by(house, 5))
    assert (new.session, new.seat, new.guest, new.during.lower) == (other, 2, who, minutes(5))
    streams = Event.objects.filter(action__startswith="tables.session.seat_", occurred=minutes(5))
    assert [event.stream.name for event in streams.order_by("pk")] == [one.stream, other.stream]
    standing = priorities.seniority(other, minutes(6))
    assert (standing[0].since, standing[0].changes) == (minutes(5), ())
    assert sound(house)


def test_a_table_that_closes_empties_its_seats(house: House) -> None:
    session = house.open_table()
    taking = sit(house, session, 1)
    absences.mark_away(taking=taking, by=by(house, 1))
    queueing.ask_change(taking=taking, table=session.table, by=by(house, 2))
    with one_transaction():
        seats.end_all(session, by(house, 60))
    taking.refresh_from_db()
    assert taking.during.upper == minutes(60)
    assert not AwayMark.objects.filter(during__endswith=None).exists()
    assert ChangeRequest.objects.get().state == "withdrawn"
    assert sound(house)


def test_nobody_sits_at_a_table_that_is_closed_or_of_another_house(house: House) -> None:
    session = house.open_table()
    closings.close_session(
        session=session, chips_counted=FLOAT, counted_by=house.dealers[0], witnessed_by=house.supervisors[0],
        by=by(house, 10),
    )  # fmt: skip
    assert refusal(sit, house=house, session=session, seat=1, at=minutes(11)).code == "session_closed"
    stranger = guest(a_house())
    with pytest.raises(NotFound):
        sit(house, house.open_table(dealer=1, supervisor=1), 1, stranger)


@pytest.mark.rule("GEN-11")
def test_a_house_may_want_everybody_identified(house: House) -> None:
    session = house.open_table()
    assert sit(house, session, 1).guest is None
    registering.set_admission(identify=True, by=house.by(Role.COMPLIANCE, reason="instructivo 4/2026"))
    for act, given in (
        (sit, {"session": session, "seat": 2}),
        (waits, {"alias": "x", "game": "baccarat.mini"}),
    ):
        found = refusal(act, house=house, at=minutes(1), **given)
        assert (found.code, found.rule, found.field) == ("guest_missing", "GEN-11", "guest")
    assert sit(house, session, 2, guest(house), at=minutes(1)).seat == 2


def test_a_chief_seats_and_nobody_else(house: House) -> None:
    session = house.open_table()
    for role in (Role.CROUPIER, Role.CAGE, Role.COMPLIANCE, Role.DEVICE):
        with pytest.raises(SabotError) as refused:
            seats.seat(session=session, seat=1, by=house.by(role))
        assert refused.value.status == 403
    assert isinstance(refused.value, Refused | RuleViolation | Conflict) is False
    assert dt.timedelta(0) == minutes(0) - NIGHT
