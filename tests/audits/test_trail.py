"""The trail: what is hashed is what is stored, nothing unregistered gets on, a chain never forks."""

from __future__ import annotations

import hashlib
import json
import threading

import pytest
from django.db import connection

from audits import trail, vocabulary
from audits.models import Event, Stream
from casino.kernel.commands import one_transaction


@pytest.mark.rule("REC-06")
def test_each_event_chains_to_the_one_before(house):
    for amount in (100, 250, 75):
        house.record(amount=amount)
    events = list(Event.objects.filter(stream__name="prueba").order_by("seq"))
    assert [event.seq for event in events] == [1, 2, 3]
    previous = b"\x00" * 32  # records.md: zeros at seq 1
    for event in events:
        assert bytes(event.previous_hash) == previous
        # SHA-256 over the previous hash and the stored bytes, computed here on its own
        previous = hashlib.sha256(previous + bytes(event.body)).digest()
        assert bytes(event.hash) == previous
    head = Stream.objects.get(casino=house.casino, name="prueba")
    assert (head.head_seq, bytes(head.head_hash)) == (3, previous)


def test_the_body_is_canonical_json_and_reads_alone(house):
    event = house.record(note="señal ¡ya!", amount=1250, many=[3, 1, 2], nothing=None, yes=True)
    told = json.loads(bytes(event.body))
    # json.dumps is an independent writer of the same canonical form for plain keys and integers
    again = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert bytes(event.body) == again.encode()
    assert told["v"] == 1
    assert told["casino"] == "illimani"
    assert told["stream"] == "prueba"
    assert told["actor"] == {"kind": "staff", "id": house.admin.actor.pk, "name": "Ana Quispe"}
    assert told["subject"] == {"type": "casino", "id": house.casino.pk, "label": "Casino Illimani"}
    assert told["data"] == {
        "note": "señal ¡ya!", "amount": 1250, "many": [3, 1, 2], "nothing": None, "yes": True,
        "reason": "prueba",
    }  # fmt: skip
    assert set(told) == {
        "v", "casino", "stream", "seq", "occurred", "recorded", "actor", "action", "subject", "rules",
        "request", "data",
    }  # fmt: skip


def test_keys_are_sorted_as_rfc_8785_shows():
    # RFC 8785, section 3.2.3: sorted by UTF-16 code units
    given = {
        "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One", "\U0001f600": "Emoji: Grinning Face", "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }  # fmt: skip
    assert list(json.loads(trail.canonical(given)).values()) == [
        "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
        "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
    ]  # fmt: skip


@pytest.mark.parametrize("data", [{"a": 0.5}, {"a": [{"b": 1.0}]}, {"a": (1, 2.5)}])
def test_a_float_is_refused_however_deep(house, data):
    with pytest.raises(TypeError, match="floats"):
        house.record(**data)
    assert not Event.objects.filter(stream__name="prueba").exists()


def test_an_unregistered_action_is_refused(house):
    with pytest.raises(LookupError, match=r"audits\.casino\.sold"), one_transaction():
        trail.record(
            "audits.casino.sold", stream="x", subject=trail.Subject("c", 1, "c"), by=house.by(), data={}
        )
    assert not Stream.objects.filter(name="x").exists()


def test_an_event_needs_the_transaction_of_its_write(committed_house):
    house = committed_house
    with pytest.raises(RuntimeError, match="transaction"):
        trail.record(
            "audits.casino.set", stream="x", subject=trail.Subject("c", 1, "c"), by=house.by(), data={}
        )


def test_an_action_is_a_dotted_past_participle_registered_once():
    with pytest.raises(ValueError, match="past_participle"):
        vocabulary.register("casino.set", "a", "b")
    with pytest.raises(ValueError, match="twice"):
        vocabulary.register("audits.casino.set", "otra frase", "another sentence")


def test_a_sentence_says_what_is_missing_with_a_dash():
    said = vocabulary.sentence("audits.user.roles_set", "Ana", {"before": ["cage"]})
    assert said.es == "cambiaron las funciones de Ana: Caja → —"
    assert said.en == "roles of Ana changed: Cage → —"


@pytest.mark.race
@pytest.mark.rule("REC-06")
def test_writers_at_once_make_one_chain(committed_house):
    house, threads, each = committed_house, 4, 10
    start, failures = threading.Barrier(threads), []

    def write(number):
        try:
            start.wait()
            for turn in range(each):
                house.record(writer=number, turn=turn)
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    running = [threading.Thread(target=write, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    assert failures == []
    events = list(Event.objects.filter(stream__name="prueba").order_by("seq"))
    assert [event.seq for event in events] == list(range(1, threads * each + 1))
    previous = b"\x00" * 32
    for event in events:
        assert bytes(event.previous_hash) == previous
        previous = hashlib.sha256(previous + bytes(event.body)).digest()
    told = [json.loads(bytes(event.body))["data"] for event in events]
    for number in range(threads):
        assert [t["turn"] for t in told if t["writer"] == number] == list(range(each))
