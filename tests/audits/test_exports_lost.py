"""A file is produced once though two work at it, and at all though a worker is lost or killed."""

from __future__ import annotations

import datetime as dt
import threading
import time
import uuid

import pytest
from django.db import connection

from audits import exports, tasks
from audits.models import Export
from audits.reports import registry
from casino.kernel import clock
from casino.kernel.permissions import Role

from .exporting import actions, ask, folder, grow_old
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


@pytest.mark.race
def test_two_workers_at_once_make_one_file(committed_house, files):
    house = committed_house
    asked = ask(house, house.person("carla", Role.COMPLIANCE))
    start, results, failures = threading.Barrier(2), [], []

    def work():
        try:
            start.wait()
            results.append(exports.produce(asked.pk))
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    running = [threading.Thread(target=work) for _ in range(2)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    assert failures == []
    assert sorted(result is not None for result in results) == [False, True]
    assert actions(asked) == ["requested", "finished"]
    assert folder(files) == [f"{asked.pk}.csv"]


def test_a_worker_that_lost_its_claim_leaves_nothing(committed_house, files, second_connection, monkeypatch):
    house = committed_house
    asked = ask(house, house.person("carla", Role.COMPLIANCE), report="audits.blocks")

    def taken_over():
        with second_connection.cursor() as cursor:
            cursor.execute("UPDATE audits_export SET attempts = attempts + 1")

    monkeypatch.setattr(Blocks, "between", staticmethod(taken_over))
    assert exports.produce(asked.pk) is None
    asked.refresh_from_db()
    assert (asked.state, asked.sha256) == ("running", "")
    assert folder(files) == []
    assert actions(asked) == ["requested"]


def test_the_sweep_sends_again_what_nobody_works_on(
    house, carla, files, sent, django_capture_on_commit_callbacks
):
    with clock.standing_at(clock.now() - dt.timedelta(minutes=10)):
        done = ask(house, carla)
        exports.produce(done.pk)
    fresh = ask(house, carla)
    with clock.standing_at(clock.now() - dt.timedelta(minutes=10)):
        lost = ask(house, carla)
    killed, working = ask(house, carla), ask(house, carla)
    grow_old(killed, state="running", attempts=1)
    Export.objects.filter(pk=working.pk).update(state="running", attempts=1, heartbeat_at=clock.now())
    with django_capture_on_commit_callbacks(execute=True):
        assert exports.sweep() == [lost.pk, killed.pk]
    assert sent == [lost.pk, killed.pk]
    assert exports.sweep() == [killed.pk]  # a waiting one is not sent again at once
    for export_id in sent:
        tasks.produce_export(export_id)
    killed.refresh_from_db()
    assert (killed.state, killed.attempts) == ("done", 2)
    assert Export.objects.get(pk=lost.pk).state == "done"
    assert Export.objects.get(pk=fresh.pk).state == "waiting"


def test_a_sweep_takes_no_more_than_it_can_and_the_next_has_the_rest(house, carla, files, monkeypatch):
    """What waits comes first, so that orders whose worker was killed keep nobody from being sent."""
    monkeypatch.setattr(exports, "MOST_SWEPT", 2)
    killed = [ask(house, carla) for _ in range(2)]
    waiting = [ask(house, carla) for _ in range(3)]
    for export in killed:
        grow_old(export, state="running", attempts=1)
    for export in waiting:
        grow_old(export)
    assert exports.sweep() == [waiting[0].pk, waiting[1].pk]
    assert exports.sweep() == [waiting[2].pk, killed[0].pk]
    assert exports.sweep() == [killed[0].pk, killed[1].pk]


def test_what_is_being_worked_on_is_left_alone(house, carla, files):
    asked = ask(house, carla)
    Export.objects.filter(pk=asked.pk).update(state="running", attempts=1, heartbeat_at=clock.now())
    assert exports.produce(asked.pk) is None
    asked.refresh_from_db()
    assert (asked.state, asked.attempts) == ("running", 1)


def test_three_broken_attempts_are_enough(house, carla, files):
    asked = ask(house, carla)
    grow_old(asked, state="running", attempts=exports.MOST_ATTEMPTS)
    assert exports.produce(asked.pk) is None
    asked.refresh_from_db()
    assert asked.state == "failed"
    assert "tres intentos" in asked.failure
    assert actions(asked) == ["requested", "failed"]


def test_the_sweeps_task_sweeps(house, carla, sent, django_capture_on_commit_callbacks):
    asked = ask(house, carla)
    grow_old(asked)
    with django_capture_on_commit_callbacks(execute=True):
        tasks.sweep_exports()
    assert sent == [asked.pk]


@pytest.mark.race
def test_a_real_worker_makes_the_file(committed_house, files, monkeypatch):
    """From the request to the file through the broker and a Celery worker in a thread."""
    from celery.contrib.testing.worker import start_worker

    from casino.celery import app

    house = committed_house
    queue = f"test-{uuid.uuid4()}"  # of its own: other tests share the broker
    monkeypatch.setattr(
        tasks.produce_export, "delay", lambda pk: tasks.produce_export.apply_async((pk,), queue=queue)
    )
    with start_worker(app, pool="solo", queues=[queue], perform_ping_check=False, shutdown_timeout=10):
        asked = ask(house, house.person("carla", Role.COMPLIANCE))
        deadline = time.monotonic() + 8
        while time.monotonic() < deadline and Export.objects.get(pk=asked.pk).state != "done":
            time.sleep(0.05)
    asked.refresh_from_db()
    assert asked.state == "done"
    assert exports.path_of(asked).exists()
