"""Whoever gets past the guards is found out: the walk names the first event that is not as it was."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from audits.models import Event
from audits.verify import trail_faults
from casino.kernel.permissions import Role

pytestmark = pytest.mark.rule("REC-06")


@pytest.fixture
def chain(house):
    for turn in range(1, 6):
        house.record(turn=turn)
    return list(Event.objects.filter(stream__name="prueba").order_by("seq"))


@pytest.fixture
def tamper(past_the_guards):
    def run(statement, *values):
        with past_the_guards(), connection.cursor() as cursor:
            cursor.execute(statement, values)

    return run


def faults(house):
    return [(fault.code, fault.where) for fault in trail_faults(house.casino)]


def named(event):
    return ("event_broken", f"prueba #{event.seq} (id {event.pk})")


def test_an_untouched_trail_has_no_fault(house, chain):
    assert faults(house) == []


@pytest.mark.parametrize("place", [0, 30, -1])
def test_one_changed_byte_names_its_event(house, chain, tamper, place):
    body = bytearray(chain[2].body)
    body[place] ^= 1
    tamper("UPDATE audits_event SET body = %s WHERE id = %s", bytes(body), chain[2].pk)
    # What is no JSON any more cannot be compared with the house's row either; no other event is blamed.
    assert [one for one in faults(house) if one[0] != "unreadable"] == [named(chain[2])]


def test_the_command_names_it_and_fails(house, chain, tamper):
    tamper("UPDATE audits_event SET body = body || 'x' WHERE id = %s", chain[3].pk)
    said = io.StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("verify_trail", stderr=said, stdout=io.StringIO())
    assert caught.value.returncode == 1
    assert f"prueba #4 (id {chain[3].pk})" in said.getvalue()


def test_a_removed_event_is_missed_by_the_one_behind_it(house, chain, tamper):
    tamper("DELETE FROM audits_event WHERE id = %s", chain[2].pk)
    assert faults(house) == [named(chain[3])]


def test_a_cut_tail_is_missed_by_the_head(house, chain, tamper):
    tamper("DELETE FROM audits_event WHERE id = ANY(%s)", [chain[3].pk, chain[4].pk])
    assert faults(house) == [("tail_cut", "prueba #4")]


def test_two_swapped_events_are_found(house, chain, tamper):
    a, b = chain[1], chain[2]
    tamper("UPDATE audits_event SET seq = 99 WHERE id = %s", a.pk)
    tamper("UPDATE audits_event SET seq = 2 WHERE id = %s", b.pk)
    tamper("UPDATE audits_event SET seq = 3 WHERE id = %s", a.pk)
    assert faults(house) == [named(Event(pk=b.pk, seq=2))]


@pytest.mark.parametrize(
    "change",
    [
        "action = 'audits.day.held'",
        "occurred = occurred - interval '1 hour'",
        "recorded = recorded + interval '1 second'",
        "subject_label = 'Otro casino'",
        "subject_id = subject_id + 1",
        "rules = '{REC-01}'",
        "request = gen_random_uuid()",
    ],
)
def test_a_changed_column_is_found_though_the_hash_holds(house, chain, tamper, change):
    tamper(f"UPDATE audits_event SET {change} WHERE id = %s", chain[1].pk)
    assert faults(house) == [named(chain[1])]


def test_an_actor_put_in_anothers_place_is_found(house, chain, tamper):
    other = house.person("beto", Role.CAGE).actor
    tamper("UPDATE audits_event SET actor_id = %s WHERE id = %s", other.pk, chain[0].pk)
    assert faults(house) == [named(chain[0])]


@pytest.mark.parametrize(
    ("table", "trigger"),
    [
        ("audits_event", "sabot_append_only"),
        ("audits_event", "sabot_no_truncate"),
        ("audits_event", "sabot_event_in"),
        ("audits_stream", "sabot_stream_moves"),
        ("audits_posting", "sabot_append_only"),
        ("audits_posting", "sabot_posting_belongs"),
        ("audits_transfer", "sabot_transfer_balances"),
    ],
)
@pytest.mark.parametrize("how", ["DROP TRIGGER {1} ON {0}", "ALTER TABLE {0} DISABLE TRIGGER {1}"])
def test_a_guard_taken_away_is_found(house, chain, table, trigger, how):
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(how.format(table, trigger))
    assert faults(house) == [("guard_missing", table)]
