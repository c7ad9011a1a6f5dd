"""Whatever somebody changes of an export behind the house's back is found, and named, by `verify_exports`."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from audits import export_derived, export_files, export_signing, exports, tasks
from audits.by import by_user
from audits.models import Export
from audits.reports import registry
from audits.sealing import keeping
from casino.kernel.permissions import Role
from casino.models import User

from .exporting import ask
from .sample import ROWS, Sample

pytestmark = pytest.mark.rule("REC-06")


@dataclass
class Made:
    """Two exports and a difference of the first; the first is signed by two and delivered with a receipt."""

    one: Export
    other: Export
    difference: Export
    stranger: User


@pytest.fixture
def made(house, files, monkeypatch, settings, tmp_path):
    monkeypatch.setattr(registry, "_reports", {})
    monkeypatch.setattr(tasks.produce_export, "delay", lambda _id: None)
    registry.register(Sample)
    settings.KEYS_ROOT = tmp_path / "keys"
    settings.KEYS_ROOT.mkdir(mode=0o700)
    keeping.make_key(by=house.by())
    carla, boss = house.person("carla", Role.COMPLIANCE), house.person("jefe", Role.PIT_BOSS)
    one = exports.produce(ask(house, carla, format="json").pk)
    monkeypatch.setattr(Sample, "rows", lambda self, casino, params: iter([*ROWS, {**ROWS[0], "rounds": 99}]))
    other = exports.produce(ask(house, carla, format="json").pk)
    asked = export_derived.export_difference(export=one, format="json", by=by_user(carla))
    difference = exports.produce(asked.pk)
    for user in (carla, boss):
        export_signing.sign_export(export=one, by=by_user(user))
    export_signing.deliver_export(
        export=one, recipient="AJ", how="portal", reference="R-17", by=by_user(carla),
        receipt_name="constancia.pdf", receipt_sha256="ab" * 32,
    )  # fmt: skip
    return Made(one, other, difference, house.person("otra", Role.PIT_BOSS))


def said(capsys):
    """What the command names: the places, and all of its words."""
    with pytest.raises(CommandError):
        call_command("verify_exports")
    err = capsys.readouterr().err
    return {line.split(": ")[1].split()[0] for line in err.splitlines()}, err


def test_nothing_is_wrong_with_what_nobody_touched(made, capsys):
    call_command("verify_exports")
    assert "3 archivos" in capsys.readouterr().out


def _flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda m: _flip(exports.path_of(m.one)), "el archivo falta o no es el que se produjo"),
        (lambda m: exports.path_of(m.one).unlink(), "el archivo falta o no es el que se produjo"),
        (lambda m: shutil.copy(exports.path_of(m.other), exports.path_of(m.one)), "el archivo falta o no es"),
        (lambda m: _flip(export_files.rows_path_of(m.one)), "las filas guardadas faltan o no son"),
        (lambda m: export_files.rows_path_of(m.one).unlink(), "las filas guardadas faltan o no son"),
        (
            lambda m: shutil.copy(export_files.rows_path_of(m.other), export_files.rows_path_of(m.one)),
            "las filas guardadas faltan o no son",
        ),
    ],
    ids=["byte", "gone", "swapped", "rows-byte", "rows-gone", "rows-swapped"],
)
def test_a_file_that_is_not_as_it_was(made, capsys, harm, words):
    harm(made)
    places, told = said(capsys)
    assert places == {f"export:{made.one.pk}"} and words in told


def test_both_files_of_a_pair_that_were_swapped_are_named(made, capsys):
    one, other = exports.path_of(made.one), exports.path_of(made.other)
    kept = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(kept)
    assert said(capsys)[0] == {f"export:{made.one.pk}", f"export:{made.other.pk}"}


def test_a_difference_that_was_altered_is_named_itself(made, capsys):
    path = exports.path_of(made.difference)
    path.write_bytes(path.read_bytes().replace(b"99", b"98"))
    assert said(capsys)[0] == {f"export:{made.difference.pk}"}


ROW = "UPDATE audits_export SET {} WHERE id = {{one}}"
CHANGES = [
    (ROW.format("manifest = set_byte(manifest, 9, get_byte(manifest, 9) # 1)"), "", "manifest"),
    (ROW.format("manifest = (SELECT manifest FROM audits_export WHERE id = {other})"), "", "manifest"),
    (ROW.format("manifest_signature = set_byte(manifest_signature, 0, get_byte(manifest_signature, 0) # 1)"),
     "", "la firma de la casa no corresponde"),
    (ROW.format("manifest_signature = NULL"), "", "la firma de la casa no corresponde"),
    (ROW.format("manifest_signature = NULL, manifest_key = ''"), "", "signature"),
    (ROW.format("sha256 = repeat('0', 64)"), "", "sha256"),
    (ROW.format("size_bytes = 7"), "", "size"),
    (ROW.format("report = 'audits.other'"), "", "report"),
    (ROW.format("params = '{{\"day\": \"2026-11-28\"}}'"), "", "what"),
    (ROW.format("language = 'en'"), "", "order"),
    (ROW.format("file_name = 'otro.json'"), "", "file_name"),
    (ROW.format("requested_by_id = {stranger}"), "", "requested_by"),
    (ROW.format("known_at = known_at - interval '1 day'"), "", "known_at"),
    (ROW.format("rows_done = 7"), "", "rows_done"),
    (ROW.format("state = 'failed'"), "", "event"),
    ("UPDATE audits_export SET of_id = {other} WHERE purpose = 'difference'", "difference", "of"),
    ("UPDATE audits_exportsignature SET signer_id = {stranger} WHERE place = 2", ":signature", "said"),
    ("UPDATE audits_exportsignature SET sha256 = repeat('0', 64) WHERE place = 1", ":signature", "said"),
    ("UPDATE audits_exportsignature SET signed_at = now() WHERE place = 1", ":signature", "said"),
    ("DELETE FROM audits_exportsignature WHERE place = 1", ":signature", "row"),
    ("INSERT INTO audits_exportsignature (export_id, place, signer_id, sha256, signed_at) SELECT id, 1,"
     " {stranger}, sha256, now() FROM audits_export WHERE id = {other}", "other:signature", "event"),
    ("UPDATE audits_exportdelivery SET recipient = 'Otro'", ":delivery", "words"),
    ("UPDATE audits_exportdelivery SET reference = 'R-18'", ":delivery", "words"),
    ("UPDATE audits_exportdelivery SET receipt_sha256 = repeat('cd', 32)", ":delivery", "words"),
    ("UPDATE audits_exportdelivery SET receipt_name = 'otra.pdf'", ":delivery", "words"),
    ("UPDATE audits_exportdelivery SET delivered_at = now() - interval '1 day'", ":delivery", "said"),
    ("UPDATE audits_exportdelivery SET export_id = {other}", ":delivery", "row"),
    ("DELETE FROM audits_exportdelivery", ":delivery", "row"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "at", "name"), CHANGES, ids=[f"{i:02d}" for i in range(len(CHANGES))])
def test_a_row_changed_behind_the_guards(made, capsys, past_the_guards, change, at, name):
    given = {"one": made.one.pk, "other": made.other.pk, "stranger": made.stranger.actor.pk}
    with past_the_guards(), connection.cursor() as cursor:
        cursor.execute(change.format(**given))
        assert cursor.rowcount == 1
    places, told = said(capsys)
    which, _, part = at.partition(":")
    expected = f"export:{getattr(made, which or 'one').pk}" + (f":{part}" if part else "")
    assert expected in places
    assert name in told


@pytest.mark.parametrize("which", ["one", "other"])
def test_an_export_that_is_gone_whole_is_missed(made, capsys, past_the_guards, which):
    pk = getattr(made, which).pk
    with past_the_guards(), connection.cursor() as cursor:
        for table in ("exportsignature", "exportdelivery", "exportnames"):
            cursor.execute(f"DELETE FROM audits_{table} WHERE export_id = %s", [pk])
        cursor.execute("UPDATE audits_export SET of_id = NULL, purpose = 'report' WHERE of_id = %s", [pk])
        cursor.execute("DELETE FROM audits_export WHERE id = %s", [pk])
    assert f"export:{pk}" in said(capsys)[0]
