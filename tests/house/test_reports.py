"""The reports the regulator is owed are there, each names the rules it answers, and from each of its figures
one gets to the events it rests on (issue 8; REC-06, REC-10, REC-15)."""

from __future__ import annotations

import csv
import datetime as dt
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client

from audits.reports import Section, events_named, formats, forms, registered, resting
from audits.reports.document import Document, prepare
from casino.kernel import permissions, rulebook
from casino.models import Casino, GamingDay, User

OWED: dict[str, tuple[str, ...]] = {
    "table results by day, session and game": ("tables.day", "tables.session", "tables.results"),
    "round register": ("tables.rounds",),
    "progressive pools statement": ("jackpots.statement", "jackpots.prizes"),
    "configuration of tables per pool": ("jackpots.tables",),
    "cards and shoes register": ("shoes.log", "shoes.inventory", "shoes.moves"),
    "inspections and destructions": ("shoes.inspections", "shoes.destructions", "shoes.destruction"),
    "auctions": ("tables.auctions", "tables.auction_act"),
    "staff and shifts": ("tables.staff_hours", "tables.shift", "tables.rotation"),
    "incidents and disputes": ("audits.incidents", "tables.disputes"),
    "chip sales with IPJ and both IJ bases": ("tables.taxes", "tables.receipts"),
    "filings": ("audits.filings",),
    "gaming days": ("audits.days",),
    "the trail": ("audits.events",),
}
"""What issue 8 lists, and the reports that are it. The access log registers with people's data."""
# Made in tests and forgotten nowhere: the register is one for the process.
OF_TESTS = {"audits.sample", "audits.blocks", "audits.broken", "audits.money", "audits.wide"}
EVENING = dt.datetime(2026, 11, 29, 23, 30, tzinfo=dt.UTC)

RESTS_ON_NONE = {"audits.access"}
"""Who looked at whom is kept in a table of its own, not as events."""
A_FILE = {"audits.bundle"}
"""Made of sealed days, which this house has none of: tests/regulator looks into it."""
LOOKED_AT = 120
"""Rows of one table: those of a register are alike."""

COUNTED: dict[tuple[str, str, str], tuple[str, ...]] = {
    ("tables.day", "tables", "rounds"): ("tables.round.settled", "-tables.round.voided"),
    ("tables.day", "games", "rounds"): ("tables.round.settled", "-tables.round.voided"),
    ("tables.day", "sessions", "rounds"): ("tables.round.settled", "-tables.round.voided"),
    ("tables.day", "croupiers", "rounds"): ("tables.round.settled",),
    ("tables.day", "tables", "sessions"): ("tables.session.opened",),
    ("tables.session", "tables", "rounds"): ("tables.round.settled", "-tables.round.voided"),
    ("tables.results", "house_days", "sessions"): ("tables.session.opened",),
    ("tables.results", "ring_games", "sessions"): ("tables.session.opened",),
    ("tables.hours", "rows", "rounds"): ("tables.round.settled", "-tables.round.voided"),
    ("tables.slips", "numbers", "count"): ("tables.slip.requested",),
    ("tables.auctions", "auctions", "bids"): ("tables.auction.bid", "tables.auction.bid_sealed"),
    ("tables.banks", "banks", "rounds"): ("tables.round.settled",),
    ("tables.staff_hours", "rows", "absences"): ("tables.shift.absent",),
    ("jackpots.tables", "play", "bets"): ("jackpots.bet.placed",),
    ("jackpots.tables", "play", "prizes"): ("jackpots.prize.hit",),
    ("jackpots.prizes", "hands", "prizes"): ("jackpots.prize.hit",),
    ("tables.exposure", "croupier_supervisor", "sessions"): ("tables.session.opened",),
}
"""Figures that count events: report, table, column, and the events that are counted (`-`: taken off)."""


@pytest.mark.rule("REC-10")
def test_every_report_that_is_owed_is_there() -> None:
    known = set(registered())
    missing = {what: name for what, names in OWED.items() for name in names if name not in known}
    assert not missing


@pytest.mark.rule("REC-15")
def test_every_report_names_rules_of_the_book_and_who_inspects_may_see_it() -> None:
    for name, report in registered().items():
        if name in OF_TESTS:
            continue
        assert report.rules, f"{name} answers no rule"
        assert set(report.rules) <= set(rulebook.rules()), name
        allowed = permissions.acts()[report.act]
        assert {permissions.Role.COMPLIANCE, permissions.Role.INSPECTOR} <= set(allowed), name


# ---- a house with everything in it ---------------------------------------------------------------------


def asked_for(casino: Casino) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each report with parameters that bring all it has of the house."""
    days = GamingDay.objects.filter(casino=casino).order_by("date").values_list("date", flat=True)
    first, last = days[0].isoformat(), days[len(days) - 1].isoformat()
    for name, report in registered().items():
        if name in OF_TESTS | A_FILE:
            continue
        fields = report.form(casino=casino).fields
        one_of = [key for key in ("session", "auction", "act", "prize") if key in fields]
        if one_of:
            for row in fields[one_of[0]].queryset[:3]:  # type: ignore[attr-defined]
                yield name, {one_of[0]: row.pk}
        elif "day" in fields:
            yield from ((name, {"day": day.isoformat()}) for day in days)
        elif "end_of" in fields:
            yield name, {"at": "2026-11-29T18:00"}
        else:
            yield name, {"first": first, "last": last}


def numbers(document: Document, section: Section, row: Any) -> list[str]:
    return [c.key for c in section.columns if c.kind.is_number and row.get(c.key) is not None]


# One house, dear to make, looked at from every side.
@pytest.mark.django_db
@pytest.mark.rule("REC-06", "REC-15")
def test_every_figure_leads_to_its_events_and_is_the_same_everywhere(tmp_path: Path) -> None:
    with time_machine.travel(EVENING, tick=True):
        call_command("demo", stdout=StringIO())
    with time_machine.travel(EVENING + dt.timedelta(minutes=2), tick=False):  # minutes at a table run on
        _look_at_all(Casino.objects.get(), tmp_path)


def _look_at_all(casino: Casino, folder: Path) -> None:
    client = Client()
    client.force_login(User.objects.get(username="compliance"))
    client.cookies["django_language"] = "es-bo"
    seen: set[tuple[str, str]] = set()
    counted: set[tuple[str, str, str]] = set()
    compared: set[str] = set()
    for name, params in asked_for(casino):
        cleaned = forms.read(registered()[name].form, casino, params)
        made = prepare(registered()[name], casino, cleaned, "es-bo")
        for section in made.sections:
            for row in islice(section.rows(), LOOKED_AT):
                told = resting.events(casino, events_named(row))
                actions = list(told.order_by().values_list("action", flat=True))
                figures = numbers(made, section, row)
                # Nothing happened, and nothing is what the row says.
                silent = not any(row[key] for key in figures) or name in RESTS_ON_NONE
                assert actions or silent, (name, section.key, row)
                seen.add((name, section.key))
                for key in figures:
                    wanted = COUNTED.get((name, section.key, key))
                    if wanted is not None and row[key]:
                        assert row[key] == _tally(actions, wanted), (name, section.key, key, row)
                        counted.add((name, section.key, key))
        if name not in compared:
            compared.add(name)
            same_on_screen_and_in_files(client, name, params, made, folder)
    assert {name for name, _key in seen} >= {name for names in OWED.values() for name in names}
    assert counted == set(COUNTED), set(COUNTED) - counted


def _tally(actions: list[str], wanted: tuple[str, ...]) -> int:
    less = sum(actions.count(one[1:]) for one in wanted if one.startswith("-"))
    return sum(actions.count(one) for one in wanted) - less


class Figures(HTMLParser):
    """The figures of a page, as the `data` elements have them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "data":
            self.found.append(dict(attrs)["value"] or "")


def same_on_screen_and_in_files(
    client: Client, name: str, params: dict[str, Any], made: Document, folder: Path
) -> None:
    """REC-15: the screen tells the figures that the files have, digit for digit."""
    response = client.get(f"/reportes/{name}/ver/", params)
    assert response.status_code == 200, (name, params, response.content[:300])
    shown = Figures(response.content.decode()).found
    assert shown == [cell for part in _shown_rows(made) for cell in part], (name, params)
    figures = {cell for cell in shown if cell}
    path = folder / "same"
    formats.WRITERS["csv"](made, path, lambda _rows: None)
    with path.open(encoding="utf-8-sig", newline="") as file:
        assert figures <= {cell for line in csv.reader(file) for cell in line}, (name, params)
    if "json" in formats.WRITERS:
        formats.WRITERS["json"](made, path, lambda _rows: None)
        assert figures <= set(_leaves(json.loads(path.read_text("utf-8")))), (name, params)


def _leaves(value: Any) -> Iterator[str]:
    """Everything a JSON file says, as text: an integer and its decimal string are one figure."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _leaves(one)
    else:
        yield str(value)


def _shown_rows(made: Document) -> Iterator[list[str]]:
    """The figures of the first fifty rows of each table and of its closing line."""
    for section in made.sections:
        rows = list(section.rows())
        closing = section.totals() if section.totals is not None else {}
        for row in [*rows[:50], *([closing] if closing else [])]:
            yield [made.plain(row.get(c.key), c.kind) for c in section.columns if c.kind.is_number]


def test_nothing_counts_what_no_report_has() -> None:
    for name, key, column in COUNTED:
        assert re.match(r"^[a-z_]+\.[a-z_]+$", name) and name in registered(), (name, key, column)
