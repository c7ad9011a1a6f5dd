"""The keys that seal the days: kept apart from the database, rotated, replaced when lost, published."""

from __future__ import annotations

import datetime as dt
import io
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client

from audits import verify
from audits.models import Event, SealKey
from audits.sealing import keeping, keys, publishing
from casino.kernel import clock
from casino.kernel.errors import Conflict, NotAllowed, Refused
from casino.kernel.permissions import Role
from tests.audits.conftest import PASSWORD, House
from tests.audits.seal_days import FIRST, closed_day, key_of, sealed

pytestmark = [pytest.mark.rule("REC-06"), pytest.mark.usefixtures("key_folder")]


def test_a_key_is_a_file_of_ours_alone_and_never_in_the_database(house: House, key_folder: Path) -> None:
    key = key_of(house)
    file = key_folder / f"illimani-{key.key_id}.pem"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(key_folder.stat().st_mode) == 0o700
    private = serialization.load_pem_private_key(file.read_bytes(), None)
    assert isinstance(private, ed25519.Ed25519PrivateKey)
    secret = private.private_bytes(
        serialization.Encoding.Raw, serialization.PrivateFormat.Raw, serialization.NoEncryption()
    )
    row = SealKey.objects.values_list().get()
    assert not any(bytes(value) == secret for value in row if isinstance(value, bytes | memoryview))
    event = Event.objects.get(action="audits.seal_key.introduced")
    assert secret.hex().encode() not in bytes(event.body)


def test_what_is_signed_is_verified_by_the_published_key(house: House) -> None:
    key = key_of(house)
    key_id, signature = keys.sign(house.casino, b"mensaje")
    assert key_id == key.key_id
    assert keys.verifies(bytes(key.public_key), b"mensaje", signature)
    assert not keys.verifies(bytes(key.public_key), b"otro", signature)
    assert not keys.verifies(b"short", b"mensaje", signature)


def test_a_second_first_key_is_refused(house: House, key_folder: Path) -> None:
    key_of(house)
    with pytest.raises(Conflict) as refusal:
        key_of(house)
    assert refusal.value.code == "seal_key_exists"
    assert len(list(key_folder.iterdir())) == 1


def test_without_a_key_or_a_folder_nothing_is_signed(house: House, settings: Any) -> None:
    with pytest.raises(Conflict) as refusal:
        keys.sign(house.casino, b"x")
    assert (refusal.value.code, refusal.value.rule) == ("no_seal_key", "REC-06")
    key_of(house)
    settings.KEYS_ROOT = None
    with pytest.raises(Conflict, match="SABOT_KEYS") as refusal:
        keys.sign(house.casino, b"x")
    assert refusal.value.code == "no_seal_key"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620, 0o601])
def test_a_file_others_can_reach_is_refused(house: House, key_folder: Path, mode: int) -> None:
    key = key_of(house)
    (key_folder / f"illimani-{key.key_id}.pem").chmod(mode)
    with pytest.raises(Conflict, match="chmod 600") as refusal:
        keys.sign(house.casino, b"x")
    assert refusal.value.code == "bad_seal_key"


def test_a_folder_others_can_enter_is_refused(house: House, key_folder: Path) -> None:
    key_of(house)
    key_folder.chmod(0o755)
    with pytest.raises(Conflict, match="chmod 700"):
        keys.sign(house.casino, b"x")
    with pytest.raises(Conflict, match="chmod 700"):
        keeping.rotate_key(by=house.by())
    assert SealKey.objects.count() == 1


def test_a_file_of_another_user_is_refused(house: House, key_folder: Path, monkeypatch: Any) -> None:
    key_of(house)
    monkeypatch.setattr(os, "geteuid", lambda: key_folder.stat().st_uid + 1)
    with pytest.raises(Conflict, match="otro usuario"):
        keys.sign(house.casino, b"x")


def _other_curve() -> bytes:
    return ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


@pytest.mark.parametrize("what", ["gone", "empty", "noise", "curve", "folder", "link", "pipe", "another"])
def test_a_file_that_is_not_the_key_is_refused_in_words(
    house: House,
    key_folder: Path,
    tmp_path: Path,
    what: str,
) -> None:
    key = key_of(house)
    file = key_folder / f"illimani-{key.key_id}.pem"
    pem = file.read_bytes()
    file.unlink()
    if what in ("empty", "noise", "curve", "another"):
        another = keys.keep(house.casino, ed25519.Ed25519PrivateKey.generate()).read_bytes()
        content = {"empty": b"", "noise": pem[:40], "curve": _other_curve(), "another": another}
        file.touch(mode=0o600)
        file.write_bytes(content[what])
    elif what == "folder":
        file.mkdir(mode=0o700)
    elif what == "link":
        (tmp_path / "elsewhere").write_bytes(pem)
        file.symlink_to(tmp_path / "elsewhere")
    elif what == "pipe":
        os.mkfifo(file, 0o600)
    with pytest.raises(Conflict) as refusal:
        keys.sign(house.casino, b"x")
    assert refusal.value.code in ("no_seal_key", "bad_seal_key")
    assert refusal.value.say("es") != refusal.value.say("en")


def test_a_rotated_key_is_introduced_by_the_one_before(house: House) -> None:
    old = key_of(house)
    new = keeping.rotate_key(by=house.by())
    old.refresh_from_db()
    assert (old.until, new.until) == (new.since, None)
    said = json.loads(bytes(new.document))
    assert said == {
        "v": 1,
        "casino": "illimani",
        "key_id": new.key_id,
        "public_key": bytes(new.public_key).hex(),
        "since": clock.stamp(new.since),
        "previous_key_id": old.key_id,
        "lost": False,
    }
    assert keys.verifies(bytes(old.public_key), bytes(new.document), bytes(new.introduced_by or b""))
    assert keys.verifies(bytes(new.public_key), bytes(new.document), bytes(new.signature))
    assert keys.sign(house.casino, b"x")[0] == new.key_id
    assert list(verify.trail_faults(house.casino)) == []


def test_a_lost_key_cannot_be_rotated_and_is_replaced_by_two(house: House, key_folder: Path) -> None:
    old = key_of(house)
    (key_folder / f"illimani-{old.key_id}.pem").unlink()
    with pytest.raises(Conflict) as refusal:
        keeping.rotate_key(by=house.by())
    assert refusal.value.code == "no_seal_key"
    second = house.person("cumplimiento", Role.COMPLIANCE)
    new = keeping.replace_lost_key(second=second.actor, by=house.by(reason="disco perdido en el traslado"))
    assert (new.lost, new.introduced_by, new.reason) == (True, None, "disco perdido en el traslado")
    assert (new.made_by, new.seconded_by) == (house.admin.actor, second.actor)
    assert json.loads(bytes(new.document))["lost"] is True
    assert list(verify.trail_faults(house.casino)) == []


@pytest.mark.rule("GEN-10")
def test_one_person_does_not_replace_a_lost_key(house: House) -> None:
    key_of(house)
    both = house.person("ambos", Role.ADMINISTRATOR, Role.COMPLIANCE)
    with pytest.raises(Refused) as refusal:
        keeping.replace_lost_key(second=both.actor, by=house.by(both, "perdida"))
    assert (refusal.value.code, refusal.value.field) == ("second_is_first", "second")
    boss = house.person("sala", Role.PIT_BOSS)
    with pytest.raises(NotAllowed):
        keeping.replace_lost_key(second=boss.actor, by=house.by(reason="perdida"))
    with pytest.raises(Refused) as refusal:
        keeping.replace_lost_key(second=both.actor, by=house.by(reason=" "))
    assert refusal.value.code == "reason_missing"
    assert SealKey.objects.count() == 1


@pytest.mark.parametrize("role", [Role.PIT_BOSS, Role.COMPLIANCE, Role.INSPECTOR, Role.CAGE])
def test_only_administration_keeps_keys(house: House, role: Role) -> None:
    with pytest.raises(NotAllowed):
        keeping.make_key(by=house.by(house.person("otra", role)))


def test_a_clock_that_went_back_makes_no_key(house: House) -> None:
    key = key_of(house)
    with clock.standing_at(key.since - dt.timedelta(seconds=1)), pytest.raises(Conflict) as refusal:
        keeping.rotate_key(by=house.by())
    assert refusal.value.code == "clock_went_back"


def test_a_key_that_is_not_stored_leaves_no_file(house: House, key_folder: Path, monkeypatch: Any) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("disk full")

    monkeypatch.setattr("audits.sealing.keeping.trail.record", fails)
    with pytest.raises(RuntimeError, match="disk full"):
        key_of(house)
    assert list(key_folder.iterdir()) == []
    assert not SealKey.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        "until = NULL WHERE previous_id IS NULL", "until = now() WHERE previous_id IS NULL",
        "since = now()", "reason = 'x'", "public_key = sha256('x')", "document = '{}'",
        "introduced_by = NULL",
    ],
)  # fmt: skip
def test_a_key_is_written_once(house: House, change: str) -> None:
    key_of(house)
    keeping.rotate_key(by=house.by())
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE audits_sealkey SET {change}")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    for statement in ("DELETE FROM audits_sealkey", "TRUNCATE audits_sealkey CASCADE"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def test_a_key_that_follows_none_or_says_otherwise_is_not_stored(house: House) -> None:
    key = key_of(house)
    values = {
        field.attname: getattr(key, field.attname)
        for field in SealKey._meta.concrete_fields
        if field.name != "id"
    }
    for change in (
        {"key_id": "0" * 16},
        {"public_key": bytes(32)},
        {"previous_id": key.pk, "introduced_by": bytes(64)},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            SealKey.objects.create(**{**values, **change})


# ---- commands and what anybody may read -------------------------------------------------------------


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("seal_key", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_makes_rotates_lists_and_publishes(house: House, key_folder: Path) -> None:
    assert "sin llave de sello" in run("list")
    assert "guarde una copia" in run("new")
    with pytest.raises(CommandError, match="ya tiene llave"):
        run("new")
    first = SealKey.objects.get()
    run("rotate", "--casino", "illimani")
    second = SealKey.objects.get(until=None)
    listed = run("list")
    assert f"{first.key_id} desde" in listed
    assert f"{second.key_id} desde {clock.stamp(second.since)}: en uso" in listed
    (key_folder / f"illimani-{second.key_id}.pem").unlink()
    assert "no está en SABOT_KEYS" in run("list")
    told = json.loads(run("publish"))
    assert [key["key_id"] for key in told["keys"]] == [first.key_id, second.key_id]
    with pytest.raises(CommandError, match="no hay casino"):
        run("new", "--casino", "otro")


@pytest.mark.rule("GEN-10")
def test_the_command_asks_two_people_for_their_passwords(house: House, monkeypatch: Any) -> None:
    run("new")
    house.person("cumplimiento", Role.COMPLIANCE)
    asked = ("lost", "--by", "admin-illimani", "--second", "cumplimiento", "--reason", "robo del servidor")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\nequivocada\n"))
    with pytest.raises(CommandError, match="no son correctos"):
        run(*asked)
    assert SealKey.objects.count() == 1
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n{PASSWORD}\n"))
    run(*asked)
    assert SealKey.objects.get(until=None).lost


def test_published_keys_can_be_followed_with_nothing_but_the_file(house: House) -> None:
    key_of(house)
    keeping.rotate_key(by=house.by())
    response = Client().get("/llaves-de-sello.json")
    assert response.status_code == 200
    (told,) = response.json()
    assert (told["casino"], told["licence"]) == ("illimani", "AJ-0001")
    first, second = told["keys"]
    public = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(first["public_key"]))
    public.verify(bytes.fromhex(second["introduced_by"]), second["document"].encode())
    assert json.loads(second["document"])["public_key"] == second["public_key"]
    assert "PRIVATE" not in response.content.decode()


def test_what_is_published_is_read_back(house: House) -> None:
    key_of(house)
    closed_day(house.casino, FIRST)
    (seal,) = sealed(house.casino)
    text = run("publish", "--seals")
    seals, known = publishing.read(text)
    assert [(one.casino, one.day, one.root) for one in seals] == [("illimani", FIRST, bytes(seal.root).hex())]
    assert [one.key_id for one in known] == [seal.key.key_id]
    one = publishing.read(json.dumps(publishing.seal_file(seal)))[0]
    scanned = publishing.read(f"\n {publishing.qr_text(seal)} \n")[0]
    assert (one[0].root, scanned[0].root) == (seals[0].root, seals[0].root)


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "{}", "[1]", '{"seals": 3}', '{"seals": [{}]}', '{"document": 1}', '{"keys": [1]}',
        '{"document": "{}"}', '{"document": "[]", "signature": ""}', "SABOT1:x", "[" * 100_000,
        "SABOT1:illimani:2026-13-45:" + "0" * 64 + ":" + "0" * 16, '{"casino": "a", "keys": [{"key_id": 5}]}',
        "SABOT1:illimani:2026-11-02:" + "g" * 64 + ":" + "0" * 16,
    ],
)  # fmt: skip
def test_what_is_no_seal_is_refused_in_words(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        publishing.read(text)
    assert refusal.value.code == "bad_published"
