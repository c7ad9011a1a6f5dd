"""The database refuses to change what was entered, whoever asks (REC-06)."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, connection, transaction

from audits import ledger
from audits.models import Account, Actor, Event, Posting, Stream, Transfer
from audits.trail import chain_hash
from casino.kernel import clock
from casino.kernel.commands import one_transaction

pytestmark = pytest.mark.rule("REC-06")

EVER = ("audits_event", "audits_transfer", "audits_posting")
KEPT = ("audits_stream", "audits_actor", "audits_account")


@pytest.fixture
def entered(house):
    with one_transaction():
        event = house.record(amount=500)
        ledger.post(
            event=event,
            kind="fill",
            day=dt.date(2026, 11, 29),
            moves=[ledger.Move("cage:1", "tray:1", 500, "fill")],
        )
    with connection.cursor() as cursor:  # as at commit: nothing of it is left waiting
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
    return house


def refused(statement, *values):
    with (
        pytest.raises(IntegrityError, match="REC-0") as caught,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement, values)
    return caught.value


@pytest.mark.parametrize("table", EVER)
def test_update_is_refused(entered, table):
    error = refused(f"UPDATE {table} SET id = id")
    assert error.__cause__.sqlstate == "23001"


@pytest.mark.parametrize("table", EVER + KEPT)
def test_delete_is_refused(entered, table):
    refused(f"DELETE FROM {table}")


@pytest.mark.parametrize("table", EVER + KEPT)
def test_truncate_is_refused(entered, table):
    refused(f"TRUNCATE {table} CASCADE")


def test_the_orm_is_refused_too(entered):
    for rows in (Event.objects.all(), Transfer.objects.all(), Posting.objects.all()):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows._raw_delete("default")
    with pytest.raises(IntegrityError), transaction.atomic():
        Posting.objects.update(debit=1)
    assert Posting.objects.count() == 2
    assert Actor.objects.exists()
    assert Account.objects.count() == 2


def test_a_head_is_not_moved_by_hand(entered):
    head = Stream.objects.get(name="prueba")
    refused("UPDATE audits_stream SET head_seq = head_seq + 1 WHERE id = %s", head.pk)
    refused("UPDATE audits_stream SET head_hash = %s WHERE id = %s", b"\x01" * 32, head.pk)
    refused("UPDATE audits_stream SET name = 'otra' WHERE id = %s", head.pk)


def test_a_head_is_not_moved_from_within_a_trigger_of_ones_own(entered):
    """Being inside some trigger is no licence: only the event counts."""
    head = Stream.objects.get(name="prueba")
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMP TABLE lever (id int);"
            "CREATE FUNCTION pg_temp.pull() RETURNS trigger LANGUAGE plpgsql AS $$"
            f" BEGIN UPDATE audits_stream SET head_seq = head_seq + 1 WHERE id = {head.pk};"
            " RETURN NEW; END $$;"
            "CREATE TRIGGER pull BEFORE INSERT ON lever FOR EACH ROW EXECUTE FUNCTION pg_temp.pull()"
        )
    refused("INSERT INTO lever VALUES (1)")


def test_a_stream_starts_without_events(entered):
    refused(
        "INSERT INTO audits_stream (casino_id, name, head_seq, head_hash) VALUES (%s, 'x', 7, %s)",
        entered.casino.pk,
        b"\x00" * 32,
    )
    refused(
        "INSERT INTO audits_stream (casino_id, name, head_seq, head_hash) VALUES (%s, 'x', 0, %s)",
        entered.casino.pk,
        b"\x01" * 32,
    )


def _event(house, **wrong):
    last = Event.objects.filter(stream__name="prueba").get()
    body = bytes(last.body)
    previous = bytes(last.hash)
    values = {
        "casino": house.casino, "stream": last.stream, "seq": 2,
        "occurred": clock.now(), "recorded": clock.now(),
        "actor": last.actor, "action": last.action, "request": last.request,
        "subject_type": "x", "subject_id": 1, "subject_label": "x",
        "body": body, "previous_hash": previous, "hash": chain_hash(previous, body),
    }  # fmt: skip
    return Event(**values | wrong)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"hash": b"\x07" * 32}, "hash of event 2"),
        ({"body": b"{}"}, "hash of event 2"),
        ({"seq": 3}, "does not follow"),
        ({"previous_hash": b"\x00" * 32}, "does not follow"),
    ],
)
def test_the_database_checks_the_hash_itself(entered, wrong, said):
    with pytest.raises(IntegrityError, match=said), transaction.atomic():
        _event(entered, **wrong).save(force_insert=True)
    assert Event.objects.filter(stream__name="prueba").count() == 1


def test_the_database_takes_a_right_event(entered):
    _event(entered).save(force_insert=True)
    assert Stream.objects.get(name="prueba").head_seq == 2
