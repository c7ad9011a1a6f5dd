"""What an export yielded is kept: made again byte for byte in every format, and held against now."""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from audits import export_derived, export_files, exports, manifests, tasks
from audits.casinos import Particulars, set_casino
from audits.models import Event, Export
from audits.reports import formats, registry
from casino.kernel import clock
from casino.kernel.errors import Conflict, Refused
from casino.kernel.permissions import Role
from casino.models import GamingDay

from .exporting import actions, ask, folder, grow_old
from .sample import ROWS, Blocks, Sample

FORMATS = ["csv", "csvcomma", "xlsx", "pdf", "json"]


@pytest.fixture(autouse=True)
def reports(monkeypatch):
    monkeypatch.setattr(registry, "_reports", {})
    monkeypatch.setattr(tasks.produce_export, "delay", lambda _id: None)
    for report in (Sample, Blocks):
        registry.register(report)


@pytest.fixture
def carla(house):
    return house.person("carla", Role.COMPLIANCE)


def made(house, user, **asked):
    return exports.produce(ask(house, user, **asked).pk)


def again(house, user, export, format):
    asked = export_derived.export_again(export=export, format=format, by=house.by(user))
    return exports.produce(asked.pk)


def difference(house, user, export, format="json"):
    asked = export_derived.export_difference(export=export, format=format, by=house.by(user))
    return exports.produce(asked.pk)


def told(export) -> list[dict[str, Any]]:
    """The lines of a difference, all its tables together."""
    said = json.loads(exports.path_of(export).read_text())
    return [row for section in said["sections"] for row in section["rows"]]


def corrected(monkeypatch, rows):
    monkeypatch.setattr(Sample, "rows", lambda self, casino, params: iter(rows))


# ---- same input, same bytes


@pytest.mark.rule("REC-15")
@pytest.mark.parametrize("format", FORMATS)
def test_the_same_figures_are_the_same_bytes_at_another_hour(house, carla, files, format):
    one = made(house, carla, format=format)
    with clock.standing_at(clock.now() + dt.timedelta(days=400, seconds=17)):
        other = made(house, carla, format=format)
    assert one.sha256 == other.sha256
    assert one.known_at != other.known_at


def test_every_format_is_made_from_the_same_rows(house, carla, files):
    found = {made(house, carla, format=format).rows_sha256 for format in FORMATS}
    assert found == {made(house, carla, format="csv").sha256}


@pytest.mark.parametrize("format", ["xlsx", "pdf", "json"])
def test_the_same_bytes_whatever_the_order_of_hashes(tmp_path, format):
    """In processes of their own, whose sets and dicts of texts hash otherwise, hours apart."""
    digests = {_written_alone(tmp_path, format, seed, hour) for seed, hour in (("1", 3), ("77", 21))}
    assert len(digests) == 1


def _written_alone(tmp_path: Path, format: str, seed: str, hour: int) -> str:
    program = (
        "import django, sys, hashlib, pathlib; django.setup()\n"
        "import time_machine, datetime as dt\n"
        "from audits.reports import document, formats\n"
        "from tests.audits.sample import Sample, DAY\n"
        "from casino.models import Casino\n"
        "casino = Casino(code='illimani', name='Casino Illimani', licence='AJ-0001', denominations=[1])\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "with time_machine.travel(dt.datetime(2031, 2, 3, int(sys.argv[3]), tzinfo=dt.UTC)):\n"
        "    made = document.prepare(Sample(), casino, {'day': DAY, 'rows': None}, 'es-bo')\n"
        "    formats.WRITERS[sys.argv[2]](made, path, lambda n: None)\n"
        "print(hashlib.sha256(path.read_bytes()).hexdigest())\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed, "DJANGO_SETTINGS_MODULE": "casino.settings"}
    path = tmp_path / f"{seed}.{format}"
    run = subprocess.run(
        [sys.executable, "-c", program, str(path), format, str(hour)],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.strip()


# ---- the manifest


def test_the_manifest_says_what_the_file_is(house, carla, files):
    export = made(house, carla, format="xlsx")
    told = manifests.read(export)
    data = exports.path_of(export).read_bytes()
    assert told["file"] == {
        "name": export.file_name,
        "sha256": hashlib.sha256(data).hexdigest(),
        "size_bytes": len(data),
    }
    rows = gzip.decompress(export_files.rows_path_of(export).read_bytes())
    assert told["rows"] == {"sha256": hashlib.sha256(rows).hexdigest(), "size_bytes": len(rows), "count": 10}
    assert (told["report"], told["params"], told["rules"]) == (
        "audits.sample",
        {"day": "2026-11-29"},
        ["REC-08"],
    )
    assert told["known_at"] == clock.stamp(export.known_at)
    assert len(told["code"]["sources_sha256"]) == 64
    finished = json.loads(bytes(Event.objects.get(action="audits.export.finished").body))["data"]
    assert finished["manifest_sha256"] == hashlib.sha256(bytes(export.manifest)).hexdigest()
    assert finished["rows_sha256"] == export.rows_sha256


def test_the_manifest_downloads_as_one_file_with_its_signature(house, carla, files):
    told = json.loads(manifests.as_file(made(house, carla)))
    assert set(told) == {"manifest", "key_id", "signature"}
    assert (told["key_id"] is None) == (told["signature"] is None)


@pytest.mark.rule("REC-08")
def test_a_report_over_a_day_that_is_not_closed_says_so_itself(house, carla, files):
    export = made(house, carla, format="json")
    assert "provisional" in export.file_name
    said = json.loads(exports.path_of(export).read_text())
    assert ["Carácter", "PROVISIONAL: sin cerrar y sellar 2026-11-29"] in said["particulars"]
    assert manifests.read(export)["provisional"] == ["2026-11-29"]


@pytest.mark.rule("REC-08")
def test_a_report_over_a_closed_day_does_not(house, carla, files):
    GamingDay.objects.create(
        casino=house.casino, date=dt.date(2026, 11, 29), state="closed", closed_at=clock.now()
    )
    export = made(house, carla, format="json")
    assert export.file_name == "audits-sample-2026-11-29.json"
    assert "PROVISIONAL" not in exports.path_of(export).read_text()
    assert manifests.read(export)["provisional"] == []


# ---- as known then


@pytest.mark.rule("REC-07")
@pytest.mark.parametrize("format", FORMATS)
def test_what_was_known_then_is_made_again_byte_for_byte(house, carla, files, monkeypatch, format):
    then = made(house, carla, format=format)
    data = exports.path_of(then).read_bytes()
    corrected(monkeypatch, [ROWS[0]])
    _rename(house)
    now = made(house, carla, format=format)
    assert now.rows_sha256 != then.rows_sha256
    found = again(house, carla, then, format)
    assert exports.path_of(found).read_bytes() == data
    assert (found.sha256, found.known_at) == (then.sha256, then.known_at)
    assert manifests.read(found)["of"]["sha256"] == then.sha256


@pytest.mark.rule("REC-07")
@pytest.mark.parametrize("first", FORMATS)
def test_and_in_every_other_format_too(house, carla, files, monkeypatch, first):
    then = {format: made(house, carla, format=format) for format in FORMATS}
    corrected(monkeypatch, [])
    _rename(house)
    for format in FORMATS:
        assert again(house, carla, then[first], format).sha256 == then[format].sha256


def test_a_report_of_several_tables_comes_again_too(house, carla, files):
    then = made(house, carla, report="audits.blocks", format="csv")
    house.record(stream="otra")  # one more stream: other figures now
    assert again(house, carla, then, "csv").sha256 == then.sha256
    assert made(house, carla, report="audits.blocks", format="csv").sha256 != then.sha256


def test_a_report_that_is_no_longer_made_as_it_was_comes_again(house, carla, files, monkeypatch):
    then = made(house, carla, format="xlsx")
    monkeypatch.setattr(Sample, "columns", lambda self, params: [])
    monkeypatch.setattr(Sample, "title", Sample.identifier)
    assert again(house, carla, then, "xlsx").sha256 == then.sha256


@pytest.mark.rule("REC-06")
@pytest.mark.parametrize("how", ["changed", "no gzip", "gone"])
def test_kept_rows_that_were_altered_make_nothing(house, carla, files, how):
    then = made(house, carla, format="pdf")
    path = export_files.rows_path_of(then)
    if how == "gone":
        path.unlink()
    elif how == "no gzip":
        path.write_bytes(b"who,opened")
    else:
        path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()).replace(b"37", b"38")))
    failed = again(house, carla, then, "csv")
    assert failed.state == "failed"
    assert "fue alterado" in failed.failure
    assert not exports.path_of(failed).exists()


@pytest.mark.rule("REC-06")
def test_a_manifest_that_was_altered_makes_nothing(house, carla, files, past_the_guards):
    then = made(house, carla, format="json")
    with past_the_guards():
        manifest = bytes(then.manifest).replace(b'"rows":10', b'"rows":9')
        Export.objects.filter(pk=then.pk).update(manifest=manifest)
    then.refresh_from_db()
    assert again(house, carla, then, "csv").state == "failed"
    with pytest.raises(Conflict) as caught:
        exports.open_file(export=then, by=house.by(carla))
    assert caught.value.code == "export_changed"


def test_an_export_of_before_says_that_its_rows_were_not_kept(house, carla, files, past_the_guards):
    then = made(house, carla)
    with past_the_guards():
        Export.objects.filter(pk=then.pk).update(manifest=None, rows_sha256="")
    then.refresh_from_db()
    with pytest.raises(Conflict) as caught:
        again(house, carla, then, "pdf")
    assert caught.value.code == "export_not_kept"


# ---- what differs


@pytest.mark.rule("REC-07")
def test_a_difference_tells_what_was_added_removed_and_changed(house, carla, files, monkeypatch):
    then = made(house, carla)
    rows = [dict(row) for row in ROWS[:9]]
    rows[0]["result"] = 999  # was -1234.56
    del rows[3]  # "-5"
    rows.append({**ROWS[0], "who": "Ñusta", "rounds": 1})
    corrected(monkeypatch, [*rows, ROWS[9]])
    found = difference(house, carla, then)
    lines = told(found)
    assert {
        "change": "celda cambiada", "row": "Íñigo Núñez", "column": "Resultado",
        "before": "-1234.56", "after": "9.99",
    } in lines  # fmt: skip
    assert [line["row"] for line in lines if line["change"] == "fila quitada"] == ["-5"]
    (added,) = [line for line in lines if line["change"] == "fila añadida"]
    assert added["row"] == "Ñusta"
    assert "Pases: 1" in added["after"]
    assert len(lines) == 3
    assert found.file_name.startswith("audits-sample-2026-11-29-diferencia")
    assert manifests.read(found)["of"]["export"] == then.pk


def test_a_difference_of_nothing_is_empty(house, carla, files):
    assert told(difference(house, carla, made(house, carla))) == []


def test_a_difference_tells_a_name_and_a_day_that_changed(house, carla, files):
    then = made(house, carla)
    _rename(house)
    GamingDay.objects.create(
        casino=house.casino, date=dt.date(2026, 11, 29), state="closed", closed_at=clock.now()
    )
    lines = {line["column"]: (line["before"], line["after"]) for line in told(difference(house, carla, then))}
    assert lines["Casino"] == ("Casino Illimani", "Casino Illampu")
    assert lines["Carácter"] == ("PROVISIONAL: sin cerrar y sellar 2026-11-29", None)


def test_a_difference_tells_a_closing_line_that_changed(house, carla, files, monkeypatch):
    then = made(house, carla)
    monkeypatch.setattr(Sample, "totals", lambda self, casino, params: {"who": "Total", "rounds": 370})
    lines = {line["column"]: (line["before"], line["after"]) for line in told(difference(house, carla, then))}
    # the fixture's line is Total, 369 rounds, 0.00, -0.50
    assert lines == {"Pases": ("369", "370"), "Resultado": ("0.00", None), "Retención": ("-0.50", None)}


def test_rows_that_nothing_tells_apart_are_removed_and_added(house, carla, files, monkeypatch):
    twin = {**ROWS[0]}
    corrected(monkeypatch, [twin, twin, ROWS[1]])
    then = made(house, carla)
    corrected(monkeypatch, [twin, ROWS[1], ROWS[1]])
    changes = [(line["change"], line["row"]) for line in told(difference(house, carla, then))]
    # one row of each is paired with itself; what is left differs in its name and so is another row
    assert changes == [("fila añadida", "=1+1"), ("fila quitada", "Íñigo Núñez")]


def test_two_different_reports_are_refused_in_words(house, carla, files, monkeypatch):
    from audits.reports import difference as module

    monkeypatch.setattr(module, "MOST", 3)
    then = made(house, carla)
    corrected(monkeypatch, [{**ROWS[0], "who": f"N{i}"} for i in range(9)])
    failed = difference(house, carla, then)
    assert (failed.state, "difieren más de 3 filas" in failed.failure) == ("failed", True)
    assert [name for name in folder(files) if name.startswith(f"{failed.pk}.")] == []


def test_a_difference_is_not_compared_again(house, carla, files):
    found = difference(house, carla, made(house, carla))
    with pytest.raises(Refused) as caught:
        difference(house, carla, found)
    assert caught.value.code == "export_is_difference"


def test_what_is_not_finished_is_neither_made_again_nor_compared(house, carla, files):
    waiting = ask(house, carla)
    for derive in (again, difference):
        with pytest.raises(Conflict) as caught:
            derive(house, carla, waiting, "csv")
        assert caught.value.code == "export_not_ready"
    assert actions(waiting) == ["requested"]


def _rename(house):
    casino = house.casino
    particulars = Particulars(
        name="Casino Illampu", zone=casino.zone, cutoff=casino.cutoff, currency=casino.currency,
        denominations=list(casino.denominations), licence="AJ-0002",
    )  # fmt: skip
    set_casino(particulars=particulars, by=house.by(reason="otro nombre"))


# ---- the files on the disk


def test_a_killed_workers_parts_are_cleared_by_the_next(house, carla, files):
    asked = ask(house, carla)
    files.mkdir(exist_ok=True)
    (files / f"{asked.pk}.1.rows.part").write_bytes(b"half")
    grow_old(asked, state="running", attempts=1)
    assert exports.produce(asked.pk).attempts == 2
    assert folder(files) == [f"{asked.pk}.csv"]


def test_the_command_reads_every_file_and_names_what_is_not_as_it_was(house, carla, files, capsys):
    one, two, three = (made(house, carla, format=format) for format in ("csv", "pdf", "xlsx"))
    call_command("verify_exports")
    assert "3 archivos" in capsys.readouterr().out
    exports.path_of(one).write_bytes(b"otra cosa")
    export_files.rows_path_of(two).write_bytes(b"\x1f\x8b nada")
    exports.path_of(three).unlink()
    with pytest.raises(CommandError):
        call_command("verify_exports")
    said = capsys.readouterr().err.splitlines()
    named = [line.split(": ")[1].split()[0] for line in said]
    # the CSV is its own rows, so that it is named for both
    assert named == [f"export:{one.pk}"] * 2 + [f"export:{two.pk}", f"export:{three.pk}"]


def test_too_many_rows_for_a_format_are_refused_at_once(house, carla, files, monkeypatch):
    then = made(house, carla)
    monkeypatch.setitem(formats.LIMITS, "pdf", 9)
    with pytest.raises(Refused) as caught:
        again(house, carla, then, "pdf")
    assert caught.value.code == "report_too_long"


def test_a_format_made_from_the_order_itself_keeps_its_table_too(house, carla, files, monkeypatch):
    monkeypatch.setitem(formats.OF_THE_ORDER, "json", lambda export, path, progress: path.write_bytes(b"zip"))
    export = made(house, carla, format="json")
    assert exports.path_of(export).read_bytes() == b"zip"
    assert manifests.read(export)["rows"]["count"] == 10
    for derive in (again, difference):
        with pytest.raises(Refused) as caught:
            derive(house, carla, export, "csv")
        assert caught.value.code == "export_of_no_table"


def test_a_report_that_comes_in_one_format_is_refused_in_others(house, carla, files, monkeypatch):
    monkeypatch.setattr(Sample, "formats", ("pdf",))
    with pytest.raises(Refused) as caught:
        ask(house, carla, format="csv")
    assert caught.value.code == "bad_format"
    assert made(house, carla, format="pdf").state == "done"
