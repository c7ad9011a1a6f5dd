"""An export is called off: its worker stops soon, nothing of it stays, and whoever is second finds it so."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, connections

from audits import exports, tasks
from audits.models import Export
from audits.reports import registry
from casino.kernel.errors import Conflict, NotAllowed, NotFound
from casino.kernel.permissions import Role

from .exporting import actions, ask, folder
from .sample import ROWS, Sample


@pytest.fixture(autouse=True)
def reports(monkeypatch):
    monkeypatch.setattr(registry, "_reports", {})
    monkeypatch.setattr(tasks.produce_export, "delay", lambda _id: None)
    registry.register(Sample)


@pytest.fixture
def carla(house):
    return house.person("carla", Role.COMPLIANCE)


def cancel(house, user, export):
    return exports.cancel_export(export=export, by=house.by(user))


def test_one_that_waits_is_never_made(house, carla, files):
    export = cancel(house, carla, ask(house, carla))
    assert export.state == "cancelled"
    assert exports.produce(export.pk) is None
    assert exports.sweep() == []
    assert actions(export) == ["requested", "cancelled"]
    assert folder(files) == []


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_one_at_ninety_per_cent_stops_and_leaves_nothing(committed_house, files, monkeypatch, format):
    """Its worker is in the middle of the rows; another process calls it off at 90 %."""
    house, seen = committed_house, []
    carla = house.person("carla", Role.COMPLIANCE)
    asked = ask(house, carla, params={"day": "2026-11-29", "rows": 20_000}, format=format)

    def watched(self, casino, params):
        for number in range(params["rows"]):
            if number == 18_000:
                _elsewhere(lambda: cancel(house, carla, Export.objects.get(pk=asked.pk)))
            seen.append(number)
            yield {**ROWS[0], "rounds": number}

    monkeypatch.setattr(Sample, "rows", watched)
    assert exports.produce(asked.pk) is None
    asked.refresh_from_db()
    assert (asked.state, asked.sha256, asked.manifest) == ("cancelled", "", None)
    assert asked.rows_done >= 16_000
    assert 18_000 < len(seen) <= 20_000  # at most one more note of progress
    assert folder(files) == []
    assert actions(asked) == ["requested", "cancelled"]


def test_one_whose_rows_are_read_already_stops_while_it_is_written(committed_house, files, monkeypatch):
    house = committed_house
    carla = house.person("carla", Role.COMPLIANCE)
    asked = ask(house, carla, params={"day": "2026-11-29", "rows": 20_000}, format="json")
    from audits.reports.formats import WRITERS, json

    def interrupted(document, path, progress):
        _elsewhere(lambda: cancel(house, carla, Export.objects.get(pk=asked.pk)))
        json.write(document, path, progress)
        raise AssertionError("it was written to its end")

    monkeypatch.setitem(WRITERS, "json", interrupted)
    assert exports.produce(asked.pk) is None
    asked.refresh_from_db()
    assert (asked.state, folder(files)) == ("cancelled", [])


def test_finished_and_called_off_at_once_end_in_one_of_the_two(committed_house, files):
    """The worker and the person race for the row: one of them is second, and is told."""
    house = committed_house
    carla = house.person("carla", Role.COMPLIANCE)
    for _ in range(4):
        asked = ask(house, carla)
        barrier, refused = threading.Barrier(2), []

        def worker(asked=asked, barrier=barrier):
            barrier.wait(10)
            exports.produce(asked.pk)

        def person(asked=asked, barrier=barrier, refused=refused):
            barrier.wait(10)
            try:
                cancel(house, carla, Export.objects.get(pk=asked.pk))
            except Conflict as refusal:
                refused.append(refusal.code)

        _at_once(worker, person)
        asked.refresh_from_db()
        assert (asked.state, refused) in (("cancelled", []), ("done", ["export_over"]))
        assert exports.path_of(asked).exists() == (asked.state == "done")
        assert list(files.glob("*.part")) == []
        assert actions(asked) == ["requested", "finished" if asked.state == "done" else "cancelled"]


@pytest.mark.parametrize("end", ["done", "cancelled"])
def test_what_has_ended_is_not_called_off(house, carla, files, end):
    export = ask(house, carla)
    exports.produce(export.pk) if end == "done" else cancel(house, carla, export)
    with pytest.raises(Conflict) as caught:
        cancel(house, carla, export)
    assert caught.value.code == "export_over"


def test_it_is_called_off_by_who_asked_or_by_compliance(house, carla, files, founder):
    boss, inspector = house.person("jefe", Role.PIT_BOSS), house.person("inspector", Role.INSPECTOR)
    export = ask(house, inspector)
    with pytest.raises(NotAllowed) as caught:
        cancel(house, boss, export)
    assert caught.value.code == "not_yours"
    assert cancel(house, carla, export).state == "cancelled"
    assert cancel(house, inspector, ask(house, inspector)).state == "cancelled"
    other = founder("tunari")
    with pytest.raises(NotFound):
        cancel(other, other.person("otra", Role.COMPLIANCE), ask(house, carla))


@pytest.mark.rule("REC-06")
@pytest.mark.parametrize(
    "change",
    ["sha256 = repeat('0', 64)", "state = 'running'", "report = 'x'", "known_at = now()", "manifest = ''"],
)
def test_the_database_keeps_an_export_that_ended_as_it_is(house, carla, files, change):
    from django.db import IntegrityError, transaction

    export = exports.produce(ask(house, carla).pk)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE audits_export SET {change} WHERE id = %s", [export.pk])
    with pytest.raises(IntegrityError), transaction.atomic():
        export.delete()


def _elsewhere(act):
    """In a connection of its own, as another process would."""
    _at_once(act)


def _at_once(*acts):
    failures = []

    def run(act):
        try:
            act()
        except BaseException as error:
            failures.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    if failures:
        raise failures[0]
