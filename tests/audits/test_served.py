"""Large tables are written by PostgreSQL: byte for byte what Python writes, in memory that does not grow."""

from __future__ import annotations

import datetime as dt
import json
import tracemalloc
from dataclasses import replace

import pytest
from django.db import connection

from audits import trail_report
from audits.reports import Column, Kind, Report, Section, Served, document, formats
from audits.reports.formats import csv
from casino.kernel import clock
from casino.kernel.errors import Refused
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino

from .test_export_cases import NASTY

COLUMNS = [
    Column("name", Text("Nombre", "Name")),
    Column("n", Text("Número", "Number"), Kind.INT),
    Column("amount", Text("Importe", "Amount"), Kind.MONEY),
    Column("share", Text("Parte", "Share"), Kind.PERCENT),
    Column("day", Text("Día", "Day"), Kind.DAY),
    Column("at", Text("Hora", "Time"), Kind.INSTANT),
    Column("note", Text("Nota", "Note")),
]
TEXTS = [
    *NASTY, "", None, "-5.00", "-1,234.56", "-1,23", "+1.5", "-2+3+A1", "-- nota", "@x", "\r", "\n", "+", "-",
    "-1.", "-.5", "1,2,3", "\\.", "NULL", "'", "''", "-١٢", "−5", "\u00a0=1", "-1\n", "=\u2028",
]  # fmt: skip
AMOUNTS = [0, -2, 5, -99, 100, 123450, -(10**15) - 1, 9_007_199_254_740_993, None]
INSTANTS = [
    dt.datetime(2026, 3, 29, 0, 59, 59, 999_999, tzinfo=dt.UTC),  # the night Madrid's clocks go forward
    dt.datetime(2026, 3, 29, 1, 0, tzinfo=dt.UTC),
    dt.datetime(2026, 10, 25, 0, 30, tzinfo=dt.UTC),  # 02:30 there, twice
    dt.datetime(2026, 10, 25, 1, 30, tzinfo=dt.UTC),
    dt.datetime(1970, 1, 1, tzinfo=dt.UTC),
    dt.datetime(2999, 12, 30, 23, 59, tzinfo=dt.UTC),
    None,
]
ROWS = [
    {
        "name": text,
        "n": AMOUNTS[i % len(AMOUNTS)],
        "amount": AMOUNTS[(i + 1) % len(AMOUNTS)],
        "share": AMOUNTS[(i + 2) % 6],
        "day": [dt.date(2026, 11, 29), dt.date(1970, 1, 1), None][i % 3],
        "at": INSTANTS[i % len(INSTANTS)],
        "note": TEXTS[-i],
    }
    for i, text in enumerate(TEXTS)
]


class Both(Report):
    """The same rows, from Python and from the server."""

    identifier = "audits.both"
    title = Text("Ambos", "Both")
    act = "audits.trail.read"

    def columns(self, params):
        return COLUMNS

    def rows(self, casino, params):
        yield from ROWS

    def served(self, casino, params, language):
        made = [
            {**row, "at": row["at"] and row["at"].isoformat(), "day": row["day"] and str(row["day"])}
            for row in ROWS
        ]
        return Served(
            "SELECT * FROM json_to_recordset(%(rows)s::json) AS r(name text, n bigint, amount bigint,"
            " share bigint, day date, at timestamptz, note text)",
            {"rows": json.dumps(made)},
        )


def written(report, casino, path, *, by_server, params=None):
    made = document.prepare(report, casino, params or {}, "es-bo")
    assert made.sections[0].served is not None
    if not by_server:
        made = replace(made, sections=tuple(replace(section, served=None) for section in made.sections))
    counted = []
    placed = csv.write(made, path, counted.append)
    return path.read_bytes(), placed, sum(counted)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "zone", ["America/La_Paz", "Europe/Madrid", "Asia/Kathmandu", "America/St_Johns", "UTC"]
)
@pytest.mark.parametrize("exponent", [0, 2, 3])
def test_the_server_writes_what_python_writes(tmp_path, zone, exponent):
    casino = Casino(code="x", name="X", zone=zone, exponent=exponent, denominations=[1])
    server = written(Both(), casino, tmp_path / "server.csv", by_server=True)
    python = written(Both(), casino, tmp_path / "python.csv", by_server=False)
    assert server[0].split(b"\r\n") == python[0].split(b"\r\n")
    assert server == python
    assert python[2] == len(ROWS)


@pytest.mark.django_db
def test_the_clock_of_the_connection_is_as_it_was(tmp_path):
    casino = Casino(code="x", name="X", zone="Asia/Kathmandu", denominations=[1])
    written(Both(), casino, tmp_path / "a.csv", by_server=True)
    with connection.cursor() as cursor:
        cursor.execute("SHOW TimeZone")
        assert cursor.fetchone() == ("UTC",)


def test_a_table_of_one_column_is_not_served(tmp_path):
    section = Section("a", Text("a", "a"), COLUMNS[:1], list, served=lambda language: Served("SELECT 1", {}))
    made = document.Document(Casino(), Both(), "es-bo", (), (section,))
    with pytest.raises(ValueError, match="alone in its line"):
        csv.write(made, tmp_path / "a.csv", lambda n: None)


def test_the_register_of_events_is_the_same_both_ways(house, tmp_path):
    house.person("carla", Role.COMPLIANCE)
    for number, text in enumerate(NASTY[:8]):
        house.record(stream=f"prueba:{number}", nota=text)
    today = house.casino.gaming_day(clock.now())
    for params in (
        {"first": today, "last": today, "stream": ""},
        {"first": today, "last": today, "stream": "prueba:3"},
    ):
        report = trail_report.EventRegister()
        server = written(report, house.casino, tmp_path / "s.csv", by_server=True, params=params)
        python = written(report, house.casino, tmp_path / "p.csv", by_server=False, params=params)
        assert server == python
        assert python[2] == report.count(house.casino, params) > 0


class Long(Report):
    """As many rows as it is asked for, made by the server or one by one."""

    identifier = "audits.long"
    title = Text("Largo", "Long")
    act = "audits.trail.read"
    most = 200_000

    def columns(self, params):
        return COLUMNS[:3]

    def rows(self, casino, params):
        for number in range(self.most):
            yield {"name": f"Jugador {number}", "n": number, "amount": number * 100}


class LongServed(Long):
    def served(self, casino, params, language):
        return Served(
            "SELECT 'Jugador ' || i AS name, i AS n, i * 100 AS amount FROM generate_series(0, %(last)s) i",
            {"last": self.most - 1},
        )


@pytest.mark.django_db
@pytest.mark.parametrize("format", ["served", "csv", "json", "xlsx"])
def test_two_hundred_thousand_rows_take_no_more_memory_than_twenty_thousand(tmp_path, format, monkeypatch):
    casino = Casino(code="x", name="X", denominations=[1])
    peaks = []
    for most in (20_000, 200_000):
        monkeypatch.setattr(Long, "most", most)
        made = document.prepare((LongServed if format == "served" else Long)(), casino, {}, "es-bo")
        tracemalloc.start()
        formats.WRITERS["csv" if format == "served" else format](made, tmp_path / "out", lambda n: None)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 2_000_000
    assert (tmp_path / "out").stat().st_size > 1_000_000


def test_a_span_the_calendar_does_not_have_is_refused(house):
    from audits.reports import forms

    with pytest.raises(Refused):
        forms.read(trail_report.EventsForm, house.casino, {"first": "2026-11-30", "last": "2026-11-29"})
