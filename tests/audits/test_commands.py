"""The shape of a write: permission, one transaction, and refusals instead of database errors."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection, transaction

from audits import people
from audits.by import by_user
from audits.models import Event
from casino.kernel import clock, locking
from casino.kernel.commands import command, one_transaction, sharing_transaction
from casino.kernel.errors import Busy, Conflict, NotAllowed, Refused
from casino.kernel.permissions import Role
from casino.models import GamingDay, User

from .conftest import PASSWORD


@pytest.mark.race
def test_a_lock_held_elsewhere_ends_in_busy(committed_house, second_connection):
    house = committed_house
    house.record()
    with second_connection.cursor() as cursor, connection.cursor() as ours:
        cursor.execute("BEGIN")
        cursor.execute("SELECT 1 FROM audits_stream WHERE name = 'prueba' FOR UPDATE")
        ours.execute("SET lock_timeout = '150ms'")
        try:
            with pytest.raises(Busy) as caught:
                house.record()
        finally:
            cursor.execute("ROLLBACK")
            ours.execute(f"SET lock_timeout = {locking.LOCK_WAIT_MS}")
    assert (caught.value.status, caught.value.code) == (409, "busy")
    assert caught.value.retry_after_seconds == 3
    assert Event.objects.filter(stream__name="prueba").count() == 1
    house.record()
    assert Event.objects.filter(stream__name="prueba").count() == 2


def test_every_connection_gives_up_waiting_after_the_limit(db):
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("3s",)
    assert locking.LOCK_WAIT_MS == 3_000  # records.md: more than 3 s gives up


def test_what_fails_leaves_nothing_behind(house):
    @command("audits.user.manage")
    def half(*, by):
        people.create_user(username="beto", name="Beto", password=PASSWORD, roles=[Role.CAGE], by=by)
        raise Refused(people.Text("no", "no"))

    before = Event.objects.count()
    with pytest.raises(Refused):
        half(by=house.by())
    assert not User.objects.filter(username="beto").exists()
    assert Event.objects.count() == before


def test_a_command_is_not_wrapped_in_a_transaction_of_a_stranger(committed_house):
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        committed_house.person("beto", Role.CAGE)


def test_commands_join_a_shared_transaction(committed_house):
    with pytest.raises(ZeroDivisionError), sharing_transaction():
        committed_house.person("beto", Role.CAGE)
        raise ZeroDivisionError
    assert not User.objects.filter(username="beto").exists()


def test_a_unique_row_written_twice_is_a_conflict(house):
    GamingDay.objects.create(casino=house.casino, date=dt.date(2026, 11, 29))
    with pytest.raises(Conflict) as caught, one_transaction():
        GamingDay.objects.create(casino=house.casino, date=dt.date(2026, 11, 29))
    assert caught.value.detail == {"constraint": "one_gaming_day_per_date"}


def test_a_write_says_by_whom_or_does_not_run(house):
    with pytest.raises(TypeError, match="by="):
        people.set_active(user=house.admin, active=True)


def test_an_act_nobody_declared_allows_nobody(house):
    @command("audits.nothing.done")
    def nothing(*, by):
        raise AssertionError("never runs")

    with pytest.raises(NotAllowed, match="no declarado"):
        nothing(by=house.by())


def test_locks_are_taken_in_their_order_and_forgotten_with_the_transaction(house):
    with pytest.raises(locking.LockOrderError), one_transaction():
        locking.taking(locking.Rank.POOL)
        locking.taking(locking.Rank.SESSION)
    with one_transaction():
        locking.taking(locking.Rank.SESSION)
        locking.taking(locking.Rank.SESSION)
        locking.taking(locking.Rank.STREAM)
    with one_transaction():
        locking.taking(locking.Rank.SESSION)


def test_nothing_is_said_to_happen_in_the_future(house):
    ahead = clock.now() + dt.timedelta(minutes=4)
    assert by_user(house.admin, occurred_at=ahead).occurred_at == ahead
    with pytest.raises(Refused) as caught:
        by_user(house.admin, occurred_at=clock.now() + dt.timedelta(minutes=6))
    assert (caught.value.code, caught.value.field) == ("occurred_in_future", "occurred_at")


@pytest.mark.parametrize("unseen", ["", "  ", "\u200b", "\u3164 \u2800"], ids=ascii)
def test_a_reason_that_nobody_can_see_is_none(house, unseen):
    with pytest.raises(Refused) as refusal:
        by_user(house.admin, reason=unseen).need_reason()
    assert (refusal.value.code, refusal.value.field) == ("reason_missing", "reason")
    assert by_user(house.admin, reason=" acta 3 ").need_reason() == "acta 3"
