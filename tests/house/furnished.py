"""Houses in which almost every table of the database has a row, built by the write functions alone.

The demonstration evening, its rows digested as at its close; a night of pools; a house an inspector visits,
whose days are sealed and exported; a table whose discard holder was opened.
"""

from __future__ import annotations

import datetime as dt
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection

from audits import closing, exports, schedules, tasks
from audits.by import by_user
from audits.inspections import drawing
from audits.models import Export
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import Casino, GamingDay
from tests.audits.conftest import found
from tests.audits.inspecting import ARRIVES, a_floor, a_visit, inspector_of
from tests.audits.seal_days import closed_day, key_of, sealed
from tests.builders import NATURAL, a_house
from tests.jackpots import proof_nights
from tests.tables.test_reviewing import open_review

EVENING = dt.datetime(2026, 11, 29, 23, 30, tzinfo=dt.UTC)
NIGHT = dt.date(2026, 11, 2)


def furnish(patch: pytest.MonkeyPatch, settings: Any, folder: Path) -> Casino:
    """All of them; the house returned is another one, in which nothing is."""
    settings.KEYS_ROOT, settings.FILES_ROOT = folder / "keys", folder / "files"
    with time_machine.travel(EVENING, tick=True):
        call_command("demo", stdout=StringIO())
    _pools()
    _inspected(patch)
    _reviewed()
    with connection.cursor() as cursor:  # as at commit
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    for casino in Casino.objects.order_by("pk"):
        for prepare in closing._preparations:  # as each night: what older houses are committed to
            prepare(casino, clock.now())
        day = GamingDay.objects.filter(casino=casino).latest("date")
        closing.digest(day)
    return Casino.objects.create(code="otra", name="Otra casa", denominations=[100])


def _pools() -> None:
    proof_nights.a_night()


def _inspected(patch: pytest.MonkeyPatch) -> None:
    a_floor(patch)
    patch.setattr(tasks.produce_export, "delay", lambda pk: None)
    house = found()
    key_of(house)
    house.record("prueba")
    closed_day(house.casino, NIGHT)
    sealed(house.casino)
    inspector = inspector_of(house)
    visit = a_visit(house, inspector)
    with clock.standing_at(ARRIVES):
        by = by_user(inspector)
        drawn = drawing.announce_draw(inspection=visit, wanted=2, by=by)
        drawing.draw_tables(draw_row=drawn, word="quirquincho", by=by)
    carla = by_user(house.person("carla", Role.COMPLIANCE))
    asked = {"report": "audits.days", "format": "csv", "language": "es-bo", "by": carla}
    schedules.schedule_report(params={}, every="monthly", **asked)  # type: ignore[arg-type]
    span = {"first": NIGHT.isoformat(), "last": NIGHT.isoformat()}
    export = exports.request_export(params=span, **asked)  # type: ignore[arg-type]
    tasks.produce_export(export.pk)
    assert Export.objects.get(pk=export.pk).state == Export.State.DONE


def _reviewed() -> None:
    house = a_house()
    session = house.open_table()
    house.log(session, NATURAL)
    open_review(house, session)
