"""Sealing: closed days in order, each once, from one moment of a house at work; what has to wait says why."""

from __future__ import annotations

import datetime as dt
import io
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from audits import days, tasks, verify
from audits.by import by_system
from audits.days import Holding, register_check
from audits.models import Event, Seal, SealLeaf, Stream
from audits.sealing import checking, keeping, merkle, reading, sealing
from casino.kernel import clock
from casino.kernel.commands import one_transaction
from casino.kernel.errors import Conflict, NotAllowed
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import GamingDay
from tests.audits.conftest import House
from tests.audits.seal_days import FIRST, closed_day, key_of, sealed, sealed_nights
from tests.audits.test_merkle import defined_root

pytestmark = [pytest.mark.rule("REC-06"), pytest.mark.usefixtures("key_folder")]

SECOND = FIRST + dt.timedelta(days=1)


def test_a_seal_is_the_signed_root_over_every_chain(house: House) -> None:
    key = key_of(house)
    house.record("session:10", x=1)
    house.record("session:9", x=1)
    house.record("zapata:ñ", x=1)
    closed_day(house.casino, FIRST)
    by_system(house.casino, sealing.JOB)  # its login is an event too
    heads = {s.name: (s.head_seq, bytes(s.head_hash)) for s in Stream.objects.filter(casino=house.casino)}
    (seal,) = sealed(house.casino)
    # Bytewise by name: `session:10` before `session:9`, and a name with ñ after all of ASCII.
    names = sorted(heads, key=str.encode)
    assert names == ["days", "session:10", "session:9", "settings", "zapata:ñ"]
    leaves = [merkle.leaf(name, *heads[name]) for name in names]
    assert bytes(seal.root) == defined_root(leaves)
    document = bytes(seal.document)
    said = json.loads(document)
    assert said == {
        "v": 1,
        "casino": "illimani",
        "gaming_day": "2026-11-02",
        "root": defined_root(leaves).hex(),
        "leaves": 5,
        "previous_root": "00" * 32,
        "sealed_at": clock.stamp(seal.sealed_at),
        "key_id": key.key_id,
    }
    assert document == json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
    Ed25519PublicKey.from_public_bytes(bytes(key.public_key)).verify(bytes(seal.signature), document)
    assert reading.leaves_of(seal) == [(name, *heads[name]) for name in names]


def test_the_event_names_root_and_key(house: House) -> None:
    key = key_of(house)
    closed_day(house.casino, FIRST)
    (seal,) = sealed(house.casino)
    event = Event.objects.get(action="audits.day.sealed")
    said = json.loads(bytes(event.body))
    assert (event.stream.name, said["rules"]) == ("days", ["REC-06"])
    assert (said["data"]["root"], said["data"]["key_id"]) == (bytes(seal.root).hex(), key.key_id)
    assert event.occurred == seal.sealed_at
    assert list(verify.trail_faults(house.casino)) == []


def test_the_next_seal_follows_and_notes_only_what_moved(house: House) -> None:
    key_of(house)
    first, second = sealed_nights(house, [{"a": 2, "b": 1}, {"b": 3}])
    assert second.previous == first
    assert bytes(second.previous_root) == bytes(first.root)
    moved = dict(SealLeaf.objects.filter(seal=second).values_list("name", "seq"))
    assert moved == {"b": 4, "days": 3}  # closed, sealed, closed
    whole = [(name, seq) for name, seq, _ in reading.leaves_of(second)]
    assert ("a", 2) in whole
    assert ("b", 4) in whole
    assert [(name, seq) for name, seq, _ in reading.leaves_of(first) if name in "ab"] == [("a", 2), ("b", 1)]
    assert len(whole) == second.leaves
    assert reading.seal_of(house.casino, FIRST) == first
    assert reading.seal_of(house.casino, SECOND + dt.timedelta(days=1)) is None


def test_sealing_again_changes_nothing(house: House) -> None:
    key_of(house)
    day = closed_day(house.casino, FIRST)
    (seal,) = sealed(house.casino)
    before = list(Seal.objects.values())
    assert sealed(house.casino) == []
    assert sealing.seal_day(day=day, by=by_system(house.casino, "day-seal")) == seal
    assert list(Seal.objects.values()) == before
    assert Event.objects.filter(action="audits.day.sealed").count() == 1


def test_each_seal_is_of_the_key_in_use_then(house: House) -> None:
    old = key_of(house)
    sealed_nights(house, [{"a": 1}])
    new = keeping.rotate_key(by=house.by())
    closed_day(house.casino, SECOND)
    (second,) = sealed(house.casino)
    assert [seal.key for seal in Seal.objects.order_by("day__date")] == [old, new]
    assert json.loads(bytes(second.document))["key_id"] == new.key_id
    assert "seal_key" not in str(list(verify.trail_faults(house.casino)))


def test_another_house_is_not_in_the_tree(house: House, founder: Callable[[str], House]) -> None:
    other = founder("sajama")
    other.record("ajena", x=1)
    key_of(house)
    closed_day(house.casino, FIRST)
    (seal,) = sealed(house.casino)
    assert "ajena" not in {name for name, _, _ in reading.leaves_of(seal)}
    assert sealing.seal_due_days()[1].sealed == ()


# ---- what waits -------------------------------------------------------------------------------------


@pytest.mark.rule("REC-08")
def test_a_day_with_open_differences_is_not_sealed_and_says_why(house: House) -> None:
    key_of(house)
    held = Holding("count", Text("falta un conteo en PB-01", "a count is missing at PB-01"), "REC-08")
    register_check(lambda day: [held])
    day = closed_day(house.casino, FIRST)
    assert day.state == GamingDay.State.OPEN
    assert sealed(house.casino) == []
    with pytest.raises(Conflict, match="falta un conteo en PB-01") as refusal:
        sealing.seal_day(day=day, by=by_system(house.casino, "day-seal"))
    assert (refusal.value.code, refusal.value.rule) == ("day_not_closed", "REC-08")
    assert "a count is missing" in refusal.value.say("en")


@pytest.mark.rule("REC-08")
def test_days_are_sealed_in_order(house: House) -> None:
    closed_day(house.casino, FIRST)
    later = closed_day(house.casino, SECOND)
    key_of(house)
    with pytest.raises(Conflict) as refusal:
        sealing.seal_day(day=later, by=by_system(house.casino, "day-seal"))
    assert refusal.value.code == "earlier_day_unsealed"
    assert [seal.day.date for seal in sealed(house.casino)] == [FIRST, SECOND]


def test_without_a_key_the_day_waits_and_is_told_once(house: House) -> None:
    day = closed_day(house.casino, FIRST)
    later = closed_day(house.casino, SECOND)
    for _ in range(3):
        (outcome,) = sealing.seal_due_days(house.casino)
        assert (outcome.sealed, outcome.waits) == ((), day)
    assert outcome.why is not None
    assert "seal_key new" in outcome.why.es
    assert Event.objects.filter(action="audits.day.seal_waits").count() == 1
    why = sealing.why_waiting([day, later])
    assert "2026-11-02" in why[later.pk].es
    key_of(house)
    assert [seal.day for seal in sealed(house.casino)] == [day, later]


def test_a_key_others_can_read_seals_nothing(house: House, key_folder: Path) -> None:
    key_of(house)
    closed_day(house.casino, FIRST)
    key_folder.chmod(0o750)
    (outcome,) = sealing.seal_due_days(house.casino)
    assert outcome.why is not None
    assert "chmod 700" in outcome.why.es
    assert not Seal.objects.exists()
    key_folder.chmod(0o700)
    assert len(sealed(house.casino)) == 1


def test_a_clock_that_went_back_seals_nothing(house: House) -> None:
    key_of(house)
    (first,) = sealed_nights(house, [{"a": 1}])
    day = closed_day(house.casino, SECOND)
    for back in (dt.timedelta(0), dt.timedelta(hours=5)):
        with clock.standing_at(first.sealed_at - back):
            assert sealing.seal_day(day=day, by=by_system(house.casino, "day-seal")) is None
    (noted,) = Event.objects.filter(action="audits.day.seal_waits")
    assert json.loads(bytes(noted.body))["data"]["code"] == "clock_went_back"
    assert len(sealed(house.casino)) == 1


def test_over_a_trail_that_is_not_whole_no_seal_is_made(
    house: House, past_the_guards: Callable[[], AbstractContextManager[None]]
) -> None:
    key_of(house)
    sealed_nights(house, [{"a": 3}])
    with past_the_guards(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE audits_event e SET body = convert_to('{}', 'UTF8') FROM audits_stream s"
            " WHERE s.id = e.stream_id AND s.name = 'a' AND e.seq = 3"
        )
        cursor.execute("UPDATE audits_event SET hash = sha256(previous_hash || body) WHERE body = '{}'")
        cursor.execute(
            "UPDATE audits_stream s SET head_hash = e.hash FROM audits_event e"
            " WHERE e.stream_id = s.id AND e.seq = s.head_seq AND s.name = 'a'"
        )
    closed_day(house.casino, SECOND)
    (outcome,) = sealing.seal_due_days(house.casino)
    assert outcome.why is not None
    assert "a #3" in outcome.why.es
    assert "verify_trail --seals" in outcome.why.en


def test_an_event_altered_before_it_was_ever_sealed_is_seen_before_the_seal(
    house: House, past_the_guards: Callable[[], AbstractContextManager[None]]
) -> None:
    key_of(house)
    sealed_nights(house, [{"a": 1}])
    event = house.record("a", x=2)
    house.record("a", x=3)
    with past_the_guards():
        Event.objects.filter(pk=event.pk).update(body=bytes(event.body) + b" ")
    closed_day(house.casino, SECOND)
    (outcome,) = sealing.seal_due_days(house.casino)
    assert outcome.why is not None
    assert "a #2" in outcome.why.es


def test_who_may_seal(house: House) -> None:
    day = closed_day(house.casino, FIRST)
    key_of(house)
    for role in (Role.PIT_BOSS, Role.INSPECTOR, Role.ADMINISTRATOR):
        with pytest.raises(NotAllowed):
            sealing.seal_day(day=day, by=house.by(house.person(f"p-{role.value}".replace("_", "-"), role)))
    assert sealing.seal_day(day=day, by=house.by(house.person("cumple", Role.COMPLIANCE))) is not None


# ---- jobs and commands --------------------------------------------------------------------------------


def test_the_nightly_job_closes_and_seals(house: House) -> None:
    key_of(house)
    with one_transaction():
        days.day_of(house.casino, dt.datetime(2026, 11, 2, 20, tzinfo=dt.UTC))
    tasks.close_due_days()
    tasks.seal_due_days()
    assert Seal.objects.get().day.date == FIRST


def test_nights_closed_and_sealed_by_the_job_agree_with_every_proof(house: House) -> None:
    key_of(house)
    for number in range(3):
        with one_transaction():
            days.day_of(house.casino, dt.datetime(2026, 11, 2 + number, 20, tzinfo=dt.UTC))
        house.record("a", night=number)
        tasks.close_due_days()
    assert Seal.objects.count() == 3
    assert list(verify.trail_faults(house.casino)) == []
    assert list(checking.seal_faults(house.casino)) == []


def test_close_days_says_what_was_sealed_and_what_waits(house: House) -> None:
    with one_transaction():
        days.day_of(house.casino, dt.datetime(2026, 11, 2, 20, tzinfo=dt.UTC))
    out, err = io.StringIO(), io.StringIO()
    call_command("close_days", stdout=out, stderr=err)
    assert "2026-11-02 cerrado" in out.getvalue()
    assert "2026-11-02 sin sello: el casino no tiene llave" in err.getvalue()
    key_of(house)
    call_command("close_days", "--casino", "illimani", stdout=out)
    assert f"2026-11-02 sellado, raíz {bytes(Seal.objects.get().root).hex()}" in out.getvalue()
    with pytest.raises(CommandError, match="no hay casino"):
        call_command("close_days", "--casino", "otro")


# ---- what the database itself refuses -------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audits_seal SET root = sha256('x')", "UPDATE audits_seal SET sealed_at = now()",
        "DELETE FROM audits_seal", "TRUNCATE audits_seal CASCADE", "DELETE FROM audits_sealleaf",
        "UPDATE audits_sealleaf SET hash = sha256('x')", "UPDATE audits_sealleaf SET seq = 1",
        "TRUNCATE audits_sealleaf",
    ],
)  # fmt: skip
def test_seals_and_leaves_are_never_changed(house: House, statement: str) -> None:
    key_of(house)
    sealed_nights(house, [{"a": 2}])
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def _copy(seal: Seal, **changes: Any) -> Seal:
    values = {f.attname: getattr(seal, f.attname) for f in Seal._meta.concrete_fields if f.name != "id"}
    return Seal(**{**values, **changes})


def test_the_database_takes_no_seal_out_of_turn(house: House) -> None:
    key_of(house)
    first, second = sealed_nights(house, [{"a": 1}, {"a": 1}])
    third = closed_day(house.casino, SECOND + dt.timedelta(days=1))
    fourth = closed_day(house.casino, SECOND + dt.timedelta(days=2))
    later = second.sealed_at + dt.timedelta(hours=1)
    said = {**json.loads(bytes(second.document)), "gaming_day": str(third)}
    said["previous_root"] = bytes(second.root).hex()
    right = {
        "day_id": third.pk,
        "previous_id": second.pk,
        "previous_root": bytes(second.root),
        "sealed_at": later,
        "document": json.dumps(said).encode(),
    }
    wrong: list[dict[str, Any]] = [
        {"day_id": second.day_id},  # a second seal of a day
        {"day_id": fourth.pk},  # a day is left out
        {"sealed_at": first.sealed_at},  # before the one it follows
        {"previous_root": bytes(first.root)},
        {"previous_id": first.pk},
        {"document": json.dumps({**said, "root": "00" * 32}).encode()},
        {"document": json.dumps({**said, "gaming_day": "2026-11-09"}).encode()},
        {"document": json.dumps({**said, "key_id": "0" * 16}).encode()},
        {"signature": b"short"},
    ]
    for change in wrong:
        with pytest.raises(IntegrityError), transaction.atomic():
            _copy(second, **{**right, **change}).save(force_insert=True)
    with one_transaction():
        open_day = days.day_of(house.casino, dt.datetime(2026, 11, 20, 20, tzinfo=dt.UTC))
    with pytest.raises(IntegrityError, match="not closed"), transaction.atomic():
        _copy(second, **{**right, "day_id": open_day.pk}).save(force_insert=True)
    _copy(second, **right).save(force_insert=True)


def test_the_database_takes_no_leaf_that_is_no_head_or_comes_late(house: House) -> None:
    key_of(house)
    first, second = sealed_nights(house, [{"a": 2}, {"b": 1}])
    event = Event.objects.get(stream__name="a", seq=1)
    leaf = {
        "casino": house.casino,
        "stream_id": event.stream_id,
        "name": "a",
        "seq": 1,
        "hash": bytes(event.hash),
    }
    for change in ({"seq": 9}, {"hash": bytes(32)}, {"name": "b"}, {"seal": first}):
        values = {"seal": second, **leaf, **change}
        with pytest.raises(IntegrityError), transaction.atomic():
            SealLeaf.objects.create(**values)
