"""Ways round an exclusion, a turn or a record that were tried and do not work (GEN-11)."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection

from audits.models import Event
from casino.kernel.errors import NotAllowed, Refused, RuleViolation, SabotError
from casino.kernel.permissions import Role
from tables import closings, duties, settings
from tables.guests import absences, excluding, queueing, registering, seats
from tables.guests.admitting import TurnedAway, on_record
from tables.guests.proofs import guest_faults
from tables.models import AwayMark, ChangeRequest, ExclusionMatch, Guest, SeatTaking
from tests.builders import FLOAT, House
from tests.guests.builders import BORN, excluded, guest, minutes, sit, turned_away, waits


def by(house: House, at: float, reason: str = "") -> Any:
    return house.by(Role.SUPERVISOR, minutes(at), reason)


def refusal(act: Any, **given: Any) -> SabotError:
    with pytest.raises(SabotError) as refused:
        act(**given)
    return refused.value


def corrected(house: House, who: Guest, at: float, **about: Any) -> Guest:
    given = {"document_type": "ci", "number": who.number, "name": who.name, "birth_date": who.birth_date}
    return registering.set_guest(guest=who, by=by(house, at, "mal escrito"), **{**given, **about})


def cleared(house: House, match: ExclusionMatch, at: float) -> None:
    excluding.decide_match(
        match=match, outcome="cleared", evidence="cédula vista", second=house.users[Role.PIT_BOSS].actor,
        by=by(house, at, "es otra persona"),
    )  # fmt: skip


@pytest.mark.rule("GEN-11")
def test_a_record_changed_after_it_was_blocked_is_still_asked_about(house: House) -> None:
    """The list has the document alone: under another number nothing but the record's own past tells."""
    who, session = guest(house, number="4521879"), house.open_table()
    entry = excluded(house, number="4521879")
    assert turned_away(house, session, who).code == "guest_excluded"
    corrected(house, who, 2, number="9999999", name="Otro Nombre")
    who.refresh_from_db()
    assert turned_away(house, session, who, minutes(3)).code == "guest_match_open"
    match = ExclusionMatch.objects.get(state="open")
    assert (match.exclusion, match.how, match.guest) == (entry, "similar", who)
    cleared(house, match, 4)
    assert sit(house, session, 1, who, at=minutes(5)).guest == who
    assert not list(guest_faults(house.casino))


@pytest.mark.rule("GEN-11")
def test_a_second_record_with_a_passport_is_asked_about(house: House) -> None:
    session = house.open_table()
    guest(house, number="4521879")
    second = guest(house, "Juan Mamani", document_type="passport", country="AR", number="AAB123456")
    sit(house, session, 1, second)
    excluded(house, minutes(1), number="4521879")
    match = ExclusionMatch.objects.get()  # found at once, on the floor
    assert (match.guest, match.where, match.state) == (second, "floor", "open")
    taking = SeatTaking.objects.get()
    seats.leave(taking=taking, by=by(house, 2))
    assert turned_away(house, session, second, minutes(3)).code == "guest_match_open"
    namesake = guest(house, "Juan Mamani Quispe", birth_date=BORN + dt.timedelta(days=900))
    assert sit(house, session, 2, namesake, at=minutes(4)).guest == namesake
    assert not list(guest_faults(house.casino))


@pytest.mark.rule("GEN-11")
def test_the_record_is_read_anew_however_old_the_page(house: House) -> None:
    who, session = guest(house, number="4250001"), house.open_table()
    excluded(house, number="4250777")
    corrected(house, Guest.objects.get(pk=who.pk), 1, number="4250777")
    assert who.number == "4250001"  # as a tablet still has it
    assert turned_away(house, session, who, minutes(2)).code == "guest_excluded"


@pytest.mark.rule("GEN-11")
def test_who_is_barred_while_away_does_not_come_back(house: House) -> None:
    """The exclusion begins at local midnight, 04:00 UTC: nobody recorded anything then."""
    who, session = guest(house, number="4260001"), house.open_table()
    excluded(house, number="4260001", since=dt.date(2026, 11, 21))
    midnight = dt.datetime(2026, 11, 21, 4, 0, tzinfo=dt.UTC)
    taking = sit(house, session, 1, who)
    absences.mark_away(taking=taking, by=by(house, 1))
    before, after = (house.by(Role.SUPERVISOR, midnight + dt.timedelta(seconds=n)) for n in (-1, 0))
    absences.come_back(taking=taking, by=before)
    absences.mark_away(taking=taking, by=before)
    with pytest.raises(TurnedAway, match="lista de exclusión"), on_record():
        absences.come_back(taking=taking, by=after)
    assert ExclusionMatch.objects.get().place == f"{session.table.name}/1"
    with pytest.raises(TurnedAway), on_record():
        seats.move(taking=taking, session=session, seat=2, by=after)
    seats.leave(taking=taking, by=after)
    assert not list(guest_faults(house.casino))


@pytest.mark.rule("GEN-11")
def test_an_alias_of_a_listed_name_is_identified_first(house: House) -> None:
    session = house.open_table()
    entry = waits(house, minutes(0), "Mamani Juan", game="baccarat.mini")
    excluded(house, minutes(1), name="Juan Mamani Quispe", birth_date=BORN)
    seat = {"session": session, "seat": 1}
    for alias in ("Juan Mamani", "mamani quispe, JUAN", "Juán Mamani  Quispe"):
        found = refusal(sit, house=house, at=minutes(2), alias=alias, reason="apurado", **seat)
        assert (found.code, found.rule, found.field) == ("alias_listed", "GEN-11", "alias")
    listed = refusal(waits, house=house, at=minutes(2), alias="Juan Mamani", game="baccarat.mini")
    assert listed.code == "alias_listed"
    assert refusal(seats.seat_from_list, entry=entry, by=by(house, 2), **seat).code == "alias_listed"
    who = guest(house, "Juan Mamani", birth_date=dt.date(1960, 1, 1))  # shows a document: a namesake
    assert seats.seat_from_list(entry=entry, guest=who, by=by(house, 3), **seat).guest == who
    assert sit(house, session, 2, alias="Juan", at=minutes(4)).alias == "Juan"
    assert not list(guest_faults(house.casino))


@pytest.mark.rule("GEN-11")
def test_companions_show_their_documents_where_all_do(house: House) -> None:
    session, one, other = house.open_table(), guest(house), guest(house, "Rosa Lima", number="4270001")
    registering.set_admission(identify=True, by=house.by(Role.COMPLIANCE, reason="instructivo"))
    entry = waits(house, minutes(1), guest=one, table=session.table, party_size=3)
    given = {"entry": entry, "session": session}
    assert seats.seat_from_list(**given, seat=1, by=by(house, 2)).guest == one
    assert refusal(seats.seat_from_list, **given, seat=2, by=by(house, 3)).code == "guest_missing"
    assert seats.seat_from_list(**given, seat=2, guest=other, by=by(house, 3)).alias == "R.L."
    again = refusal(seats.seat_from_list, **given, seat=3, guest=other, by=by(house, 4))
    assert again.code == "guest_seated"
    assert not list(guest_faults(house.casino))


def test_a_stated_time_does_not_jump_the_list(house: House) -> None:
    table = house.table()
    waits(house, minutes(10), "Ana", table=table)
    jump = refusal(waits, house=house, at=minutes(5), alias="Beto", table=table)
    assert (jump.code, jump.field) == ("reason_missing", "reason")
    assert "Ana" in jump.message.es
    waits(house, minutes(5), "Caro", game="baccarat.mini")  # another list
    entry = queueing.wait(table=table, alias="Beto", by=by(house, 5, "se anotó en papel"))
    told = Event.objects.filter(action="tables.waiting.added").latest("pk")
    assert b'"passed":["Ana"]' in bytes(told.body)
    for act, more in ((queueing.call, {}), (queueing.strike, {"outcome": "left"})):
        assert refusal(act, entry=entry, by=by(house, 4), **more).code == "occurred_out_of_order"
    assert not list(guest_faults(house.casino))


def test_who_loses_a_seat_gives_it_to_somebody_who_waited_by_then(house: House) -> None:
    taking = sit(house, house.open_table(), 1)
    absences.mark_away(taking=taking, by=by(house, 1))
    late = waits(house, minutes(30), "Tarde", game="baccarat.mini")
    absences.lose_seat(taking=taking, by=by(house, 20, "20 minutos ausente"))
    late.refresh_from_db()
    assert late.state == "waiting"
    assert not list(guest_faults(house.casino))


def test_a_chief_of_another_pit_seats_nobody(house: House) -> None:
    session = house.open_table()
    taking = sit(house, session, 1)
    admin = house.by(Role.ADMINISTRATOR, reason="turno")
    elsewhere = settings.set_pit(name="Otro", by=admin)
    duties.set_duties(user=house.users[Role.SUPERVISOR], pits=[elsewhere], by=admin)
    for act, given in (
        (seats.seat, {"session": session, "seat": 2}),
        (seats.leave, {"taking": taking}),
        (queueing.wait, {"table": session.table, "alias": "Ana"}),
    ):
        found = refusal(act, by=by(house, 1), **given)
        assert isinstance(found, NotAllowed)
        assert found.code == "not_your_pit"


def test_no_reason_and_no_evidence_bears_the_document(house: House) -> None:
    who, session = guest(house, number="4521879"), house.open_table()
    entry = excluded(house, name=who.name, birth_date=BORN, number="7000001")
    turned_away(house, session, who)
    match, second = ExclusionMatch.objects.get(), house.users[Role.PIT_BOSS].actor
    given = {"match": match, "outcome": "cleared", "second": second}
    for evidence, reason, field in (
        ("cédula 4.521.879 LP", "otra", "evidence"),
        ("cédula", "es 4521879-SC", "reason"),
        ("no es 7000001", "otra", "evidence"),
    ):
        found = refusal(excluding.decide_match, **given, evidence=evidence, by=by(house, 1, reason))
        assert (found.code, found.field) == ("bears_document", field)
    with pytest.raises(Refused, match="ficha"):
        registering.set_guest(
            guest=who, document_type="ci", number="4521878", name=who.name, birth_date=BORN,
            by=by(house, 3, "decía 4521870, dice 4521878"),
        )  # fmt: skip
    with pytest.raises(Refused, match="ficha"):
        excluded(house, number="4300000", source="Nota por CI 4300000")
    end = {"exclusion": entry, "second": second}
    assert (
        refusal(excluding.end_exclusion, **end, by=house.by(Role.COMPLIANCE, minutes(3), "CI 7000001")).code
        == "bears_document"
    )
    assert not any(b"4521879" in bytes(event.body) for event in Event.objects.all())


def test_a_table_that_closes_by_its_own_act_empties_its_seats(house: House) -> None:
    session, who = house.open_table(), guest(house)
    taking = sit(house, session, 1, who)
    sit(house, session, 2, alias="Ana", at=minutes(1))
    absences.mark_away(taking=taking, by=by(house, 2))
    queueing.ask_change(taking=taking, table=session.table, by=by(house, 3))
    closings.close_session(
        session=session, chips_counted=FLOAT, counted_by=house.dealers[0], witnessed_by=house.supervisors[0],
        by=by(house, 60),
    )  # fmt: skip
    ends = {one.during.upper for one in SeatTaking.objects.all()}
    assert ends == {minutes(60)} == {mark.during.upper for mark in AwayMark.objects.all()}
    assert ChangeRequest.objects.get().state == "withdrawn"
    assert not list(guest_faults(house.casino))
    other = house.open_table(dealer=1, supervisor=1, at=minutes(61))
    assert sit(house, other, 1, who, at=minutes(62)).guest == who


def test_the_list_of_a_table_outlives_its_game(house: House) -> None:
    table = house.table()
    table.game = "baccarat.full"  # as it was when Ana came
    entry = waits(house, minutes(-1), "Ana", table=table)
    table.refresh_from_db()
    session = house.open_table(table)
    assert entry.game != session.game
    taking = seats.seat_from_list(entry=entry, session=session, seat=1, by=by(house, 2))
    assert taking.entry == entry


# What every stored column is held against; each is altered behind the guards, one at a time.
ALTERED = {
    "tables_guest": {
        "document_type": "'passport'", "country": "'PE'", "number": "'1' || number", "name": "'Otro'",
        "birth_date": "birth_date - 1", "note": "'x'", "casino_id": "-1",
    },
    "tables_guestsettings": {"identify": "NOT identify"},
    "tables_exclusion": {
        "kind": "'house'", "country": "'PE'", "number": "'7000999'", "birth_date": "birth_date - 400",
        "since": "since + 1", "until": "since + 9", "source": "'x'", "recorded_at": "recorded_at + '1s'",
    },
    "tables_exclusionmatch": {
        "how": "'similar'", "score": "score - 1", '"where"': "'auction'", "place": "'x'",
        "identity": "identity || 'x'", "state": "'confirmed'", "found_at": "found_at + '1s'",
        "reason": "'x'", "evidence": "'x'", "decided_at": "decided_at + '1s'",
    },
    "tables_seattaking": {
        "seat": "7", "alias": "'x'", "guest_id": "NULL", "after_round": "9", "mid_round": "NOT mid_round",
        "mid_shoe": "NOT mid_shoe", "during": "tstzrange(lower(during), lower(during) + '1s')",
    },
    "tables_awaymark": {
        "keeps_chips": "NOT keeps_chips", "during": "tstzrange(lower(during) + '1s', NULL)",
    },
    "tables_waitingentry": {
        "alias": "'x'", "party_size": "5", "since": "since - '1h'::interval", "table_id": "NULL",
        "called_at": "since + '1s'",
    },
    "tables_changerequest": {"seat": "6", "since": "since - '1s'::interval"},
}  # fmt: skip


@pytest.mark.rule("REC-06")
def test_every_column_altered_behind_the_guards_is_seen(house: House) -> None:
    session, who = house.open_table(), guest(house)
    excluded(house, name=who.name, birth_date=BORN, number="7000001")
    turned_away(house, session, who)
    cleared(house, ExclusionMatch.objects.get(), 1)
    taking = sit(house, session, 1, who, at=minutes(2))
    absences.mark_away(taking=taking, by=by(house, 3))
    queueing.ask_change(taking=taking, table=session.table, seat=3, by=by(house, 4))
    waits(house, minutes(5), "Ana", table=session.table)
    registering.set_admission(identify=False, by=house.by(Role.COMPLIANCE, reason="instructivo"))
    assert not list(guest_faults(house.casino))
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # no trigger, no foreign key
        try:
            for table, columns in ALTERED.items():
                for column, value in columns.items():
                    cursor.execute("SAVEPOINT altered")
                    cursor.execute(f"UPDATE {table} SET {column} = {value}")
                    assert cursor.rowcount == 1, (table, column)
                    assert list(guest_faults(house.casino)), (table, column)
                    cursor.execute("ROLLBACK TO SAVEPOINT altered")
        finally:
            cursor.execute("SET session_replication_role = origin")


@pytest.mark.parametrize("since", [dt.date(2026, 11, 20), dt.date(2026, 11, 21)])
@pytest.mark.rule("GEN-11")
def test_an_exclusion_begins_at_local_midnight(house: House, since: dt.date) -> None:
    """La Paz is 4 hours behind UTC: its 21st begins at 04:00."""
    who, session = guest(house, number="4280001"), house.open_table()
    excluded(house, number="4280001", since=since)
    last = dt.datetime(2026, 11, 21, 3, 59, 59, 999999, tzinfo=dt.UTC)
    if since.day == 20:
        assert turned_away(house, session, who, last).code == "guest_excluded"
        return
    taking = sit(house, session, 1, who, at=last)
    midnight = house.by(Role.SUPERVISOR, last + dt.timedelta(microseconds=1))
    with pytest.raises(RuleViolation):
        seats.move(taking=taking, session=session, seat=2, by=midnight)
