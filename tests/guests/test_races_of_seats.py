"""Two tablets at once: one seat, one guest, one list; real threads on a database that commits."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables.guests import seats
from tables.guests.proofs import guest_faults
from tables.models import ExclusionMatch, SeatTaking
from tests.builders import House, a_house
from tests.guests.builders import excluded, guest, minutes, sit
from tests.races.racing import race

pytestmark = pytest.mark.race


@pytest.fixture
def house(transactional_db: None) -> House:
    return a_house()


def test_two_tablets_seat_two_people_on_one_seat(house: House) -> None:
    session, one, other = house.open_table(), guest(house), guest(house, "Rosa Lima")
    answers = race(lambda: sit(house, session, 1, one), lambda: sit(house, session, 1, other))
    (refusal,) = [answer for answer in answers if isinstance(answer, SabotError)]
    assert (refusal.code, SeatTaking.objects.count()) == ("seat_taken", 1)
    assert not list(guest_faults(house.casino))


def test_two_tables_seat_the_same_guest(house: House) -> None:
    tables = [house.open_table(), house.open_table(dealer=1, supervisor=1)]
    who = guest(house)
    answers = race(*[lambda table=table: sit(house, table, 1, who) for table in tables])
    (refusal,) = [answer for answer in answers if isinstance(answer, SabotError)]
    assert (refusal.code, SeatTaking.objects.count()) == ("guest_seated", 1)
    assert not list(guest_faults(house.casino))


@pytest.mark.rule("GEN-11")
def test_somebody_excluded_while_being_seated_is_refused_or_found(house: House) -> None:
    session, who = house.open_table(), guest(house, number="4700100")
    seated, entry = race(
        lambda: sit(house, session, 1, who, at=minutes(1)),
        lambda: excluded(house, minutes(1), number="4700100"),
    )
    match = ExclusionMatch.objects.get()
    assert (match.exclusion, match.guest, match.state) == (entry, who, "blocked")
    if isinstance(seated, SabotError):
        assert (seated.code, match.where, SeatTaking.objects.count()) == ("guest_excluded", "seat", 0)
    else:
        assert (match.where, SeatTaking.objects.get().guest) == ("floor", who)
    assert not list(guest_faults(house.casino))
    assert house.users[Role.COMPLIANCE]


@pytest.mark.rule("GEN-11")
def test_recording_an_exclusion_waits_for_who_is_being_seated(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seat is stored and not committed while the entry is recorded: unlocked, neither sees the other."""
    session, who = house.open_table(), guest(house, number="4700200")
    stored, recorded, store = threading.Event(), threading.Event(), seats.tell_taken

    def and_wait(*args: object, **more: object) -> None:
        store(*args, **more)  # type: ignore[arg-type]
        stored.set()
        while not recorded.wait(timeout=0.01) and not somebody_waits():
            pass

    def exclude() -> object:
        assert stored.wait(timeout=10)
        entry = excluded(house, minutes(1), number="4700200")
        recorded.set()
        return entry

    monkeypatch.setattr(seats, "tell_taken", and_wait)
    seated, entry = race(lambda: sit(house, session, 1, who, at=minutes(1)), exclude)
    match = ExclusionMatch.objects.get()
    assert (match.where, match.exclusion, seated) == ("floor", entry, SeatTaking.objects.get())


def somebody_waits() -> bool:
    """Whether a transaction waits for the lists."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database ="
            " (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        return bool(cursor.fetchone()[0])
