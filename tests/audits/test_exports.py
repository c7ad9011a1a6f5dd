"""Reports as files: asked for, produced, and handed out only unchanged."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import json

import pytest
from django.core.management import call_command

from audits import exports, tasks
from audits.models import Event, Export, Stream
from audits.reports import registry
from casino.kernel.errors import Conflict, NotAllowed, NotFound, Refused
from casino.kernel.permissions import Role

from .exporting import actions, ask, folder
from .sample import Blocks, Broken, Sample


@pytest.fixture(autouse=True)
def reports(monkeypatch):
    monkeypatch.setattr(registry, "_reports", {})
    for report in (Sample, Blocks, Broken):
        registry.register(report)


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    """The tasks that would have gone to the broker."""
    gone = []
    monkeypatch.setattr(tasks.produce_export, "delay", gone.append)
    return gone


@pytest.fixture
def carla(house):
    return house.person("carla", Role.COMPLIANCE)


# ---- asking


def test_a_request_is_a_row_an_event_and_a_message(house, carla, sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        export = ask(house, carla, format="pdf")
        assert sent == []  # nothing goes out before the row is there for good
    assert sent == [export.pk]
    assert (export.state, export.params, export.rows_total) == ("waiting", {"day": "2026-11-29"}, 10)
    assert export.file_name == "audits-sample-2026-11-29.pdf"
    assert actions(export) == ["requested"]
    body = json.loads(bytes(Event.objects.get(action="audits.export.requested").body))
    assert body["data"]["params"] == {"day": "2026-11-29"}


def test_a_broker_that_is_down_does_not_fail_the_request(committed_house, monkeypatch):
    house = committed_house

    def down(_id):
        raise OSError("no broker")

    monkeypatch.setattr(tasks.produce_export, "delay", down)
    export = ask(house, house.person("carla", Role.COMPLIANCE))
    assert Export.objects.get(pk=export.pk).state == "waiting"


@pytest.mark.parametrize(
    ("wrong", "code", "field"),
    [
        ({"params": {}}, "bad_params", "day"),
        ({"params": {"day": "31/02/2026"}}, "bad_params", "day"),
        ({"params": {"day": "9999-12-31"}}, "bad_params", "day"),
        ({"params": {"day": "2026-11-29", "rows": "muchas"}}, "bad_params", "rows"),
        ({"params": {"day": "2026-11-29", "as_user": "7"}}, "bad_params", "as_user"),
        ({"format": "docx"}, "bad_format", "format"),
        ({"language": "fr"}, "bad_language", "language"),
        ({"params": {"day": "2026-11-29", "rows": "20001"}, "format": "pdf"}, "report_too_long", "format"),
    ],
)
def test_what_makes_no_sense_is_refused_beside_its_field(house, carla, wrong, code, field):
    with pytest.raises(Refused) as caught:
        ask(house, carla, **wrong)
    assert (caught.value.code, caught.value.field) == (code, field)
    assert not Export.objects.exists()
    assert not Event.objects.filter(stream__name="exports").exists()


def test_an_unknown_report_is_not_found(house, carla):
    with pytest.raises(NotFound):
        ask(house, carla, report="audits.nothing")


def test_two_ways_of_writing_the_same_request_are_one(house, carla):
    one = ask(house, carla, params={"day": "2026-11-29", "rows": ""})
    other = ask(house, carla, params={"day": dt.date(2026, 11, 29)})
    assert one.params == other.params == {"day": "2026-11-29"}


def test_asking_needs_the_act_and_the_reports_own(house):
    with pytest.raises(NotAllowed):
        ask(house, house.person("croupier", Role.CROUPIER))
    with pytest.raises(NotAllowed):  # may ask for reports, but not read the trail
        ask(house, house.person("caja", Role.CAGE))


# ---- producing


@pytest.mark.parametrize("format", ["csv", "csvcomma", "xlsx", "pdf", "json"])
def test_a_file_is_made_with_its_hash_and_size(house, carla, files, format):
    export = exports.produce(ask(house, carla, format=format).pk)
    data = exports.path_of(export).read_bytes()
    assert (export.state, export.attempts, export.rows_done, export.rows_total) == ("done", 1, 10, 10)
    assert export.sha256 == hashlib.sha256(data).hexdigest()
    assert export.size_bytes == len(data) > 100
    assert actions(export) == ["requested", "finished"]
    finished = Event.objects.get(action="audits.export.finished")
    assert (finished.actor.kind, finished.actor.name) == ("system", "exports")
    assert json.loads(bytes(finished.body))["data"]["sha256"] == export.sha256
    rows = [] if format == "csv" else [f"{export.pk}.rows.gz"]  # a CSV is its own rows
    assert folder(files) == sorted([f"{export.pk}.{format}", *rows])


def test_a_second_run_changes_nothing(house, carla, files):
    export = exports.produce(ask(house, carla).pk)
    assert exports.produce(export.pk) is None
    assert exports.produce(987654) is None
    assert actions(export) == ["requested", "finished"]


@pytest.mark.rule("REC-15")
@pytest.mark.parametrize("format", ["csv", "csvcomma", "xlsx", "pdf", "json"])
def test_the_same_report_is_the_same_file_for_everyone(house, carla, files, format):
    inspector = house.person("inspector", Role.INSPECTOR)
    one = exports.produce(ask(house, carla, format=format).pk)
    other = exports.produce(ask(house, inspector, format=format).pk)
    assert one.requested_by != other.requested_by
    assert one.sha256 == other.sha256


def test_a_fault_of_the_report_is_a_failed_row_that_keeps_its_secrets(house, carla, files):
    export = exports.produce(ask(house, carla, report="audits.broken").pk)
    assert export.state == "failed"
    assert "ValueError" in export.failure
    assert "secret detail" not in export.failure
    assert actions(export) == ["requested", "failed"]
    assert folder(files) == []


def test_a_report_that_is_gone_is_a_failed_row_in_words(house, carla, files, monkeypatch):
    asked = ask(house, carla, language="en")
    monkeypatch.setattr(registry, "_reports", {})
    export = exports.produce(asked.pk)
    assert (export.state, export.failure) == ("failed", "there is no report “audits.sample”")


def test_the_task_produces(house, carla, files):
    asked = ask(house, carla)
    tasks.produce_export(asked.pk)
    asked.refresh_from_db()
    assert asked.state == "done"


@pytest.mark.rule("REC-15")
def test_all_tables_of_a_report_are_read_at_one_moment(
    committed_house, files, second_connection, monkeypatch
):
    house = committed_house
    asked = ask(house, house.person("carla", Role.COMPLIANCE), report="audits.blocks")
    before = Stream.objects.count()

    def meanwhile():
        with second_connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO audits_stream (casino_id, name, head_seq, head_hash)"
                " VALUES (%s, 'nueva', 0, %s)",
                [house.casino.pk, b"\x00" * 32],
            )

    monkeypatch.setattr(Blocks, "between", staticmethod(meanwhile))
    export = exports.produce(asked.pk)
    assert Stream.objects.count() == before + 1
    with exports.path_of(export).open(encoding="utf-8-sig", newline="") as file:
        figures = [row[0] for row in csv.reader(file) if row and row[0].isdigit()]
    assert figures == [str(before)] * 3


def test_progress_is_seen_from_outside_while_the_report_runs(
    committed_house, files, second_connection, monkeypatch
):
    house, seen = committed_house, []
    asked = ask(house, house.person("carla", Role.COMPLIANCE), params={"day": "2026-11-29", "rows": 4500})
    real = Sample.rows

    def watched(self, casino, params):
        for number, row in enumerate(real(self, casino, params)):
            if number in (0, 2100, 4400):
                with second_connection.cursor() as cursor:
                    cursor.execute("SELECT state, rows_done, rows_total FROM audits_export")
                    seen.append(cursor.fetchone())
            yield row

    monkeypatch.setattr(Sample, "rows", watched)
    assert exports.produce(asked.pk).rows_done == 4500
    # told every 2000 rows at the latest
    assert [state for state, _done, _total in seen] == ["running"] * 3
    assert seen[0][1:] == (0, 4500)
    assert 2000 <= seen[1][1] <= 2100
    assert 4000 <= seen[2][1] <= 4400


# ---- handing out


@pytest.mark.rule("REC-11")
def test_a_download_is_the_file_and_leaves_its_event(house, carla, files):
    export = exports.produce(ask(house, carla).pk)
    inspector = house.person("inspector", Role.INSPECTOR)
    with exports.open_file(export=export, by=house.by(inspector)) as file:
        assert hashlib.sha256(file.read()).hexdigest() == export.sha256
    event = Event.objects.get(action="audits.export.downloaded")
    assert event.actor == inspector.actor


@pytest.mark.rule("REC-06")
@pytest.mark.parametrize("how", ["one byte", "longer", "gone"])
def test_a_changed_file_is_refused_and_told(house, carla, files, how):
    export = exports.produce(ask(house, carla).pk)
    path = exports.path_of(export)
    data = bytearray(path.read_bytes())
    if how == "gone":
        path.unlink()
    else:
        data[40] ^= 1 if how == "one byte" else 0
        path.write_bytes(bytes(data) + (b"" if how == "one byte" else b"\r\n"))
    with pytest.raises(Conflict) as caught:
        exports.open_file(export=export, by=house.by(carla))
    assert (caught.value.code, caught.value.rule) == ("export_changed", "REC-06")
    assert actions(export) == ["requested", "finished", "refused"]


def test_a_file_is_for_those_who_may_see_the_report(house, carla, files, founder):
    export = exports.produce(ask(house, carla).pk)
    with pytest.raises(NotAllowed):
        exports.open_file(export=export, by=house.by(house.person("caja", Role.CAGE)))
    other = founder("tunari")
    with pytest.raises(NotFound):
        exports.open_file(export=export, by=other.by(other.person("otra", Role.COMPLIANCE)))
    waiting = ask(house, carla)
    with pytest.raises(Conflict) as caught:
        exports.open_file(export=waiting, by=house.by(carla))
    assert caught.value.code == "export_not_ready"
    assert "downloaded" not in actions(export)


def test_the_trail_of_it_all_holds(house, carla, files, capsys):
    export = exports.produce(ask(house, carla).pk)
    exports.open_file(export=export, by=house.by(carla)).close()
    call_command("verify_trail")
    assert "auditoría íntegra" in capsys.readouterr().out
