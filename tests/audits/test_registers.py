"""The registers of filings, gaming days and events, and those of disputes and results by game, by hand."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Any

import pytest
from django.db import transaction

from audits import attachments, closing, days, filings, incidents
from audits.models import Event
from audits.reports import events_named, forms, get, resting
from audits.trail import Subject
from casino.kernel import locking
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import GamingDay
from jackpots import filings as asked
from tables import disputes
from tests.builders import BOB, FLOAT, NATURAL, NIGHT, House, a_house, bets

MINUTE = dt.timedelta(minutes=1)
DAY = dt.date(2026, 11, 20)
SPAN: dict[str, Any] = {"first": DAY, "last": DAY}
BEFORE: dict[str, Any] = {"first": DAY - dt.timedelta(days=9), "last": DAY - dt.timedelta(days=1)}


@pytest.fixture
def house(db: None) -> House:
    return a_house()


def rows(house: House, report: str, key: str = "rows", **params: Any) -> list[dict[str, Any]]:
    cleaned = forms.read(get(report).form, house.casino, params)
    sections = {section.key: section for section in get(report).sections(house.casino, cleaned)}
    return [dict(row) for row in sections[key].rows()]


def actions(house: House, row: dict[str, Any]) -> list[str]:
    told = resting.events(house.casino, events_named(row))
    return [action.rpartition(".")[2] for action in told.values_list("action", flat=True)]


# ---- filings -------------------------------------------------------------------------------------------


def drafted(house: House) -> filings.Filing:
    facts = {"digest": "0" * 64, "dropped": []}
    return filings.draft_filing(
        kind=asked.SCHEME, subject=Subject("pool", 7, "Pozo de prueba"), text="Se pide", facts=facts,
        by=house.by(Role.PIT_BOSS),
    )  # fmt: skip


@pytest.mark.rule("REC-09")
def test_a_filing_with_its_dates_its_answer_and_its_events(house: House) -> None:
    there = filings.present_filing(filing=drafted(house), by=house.by(Role.COMPLIANCE, NIGHT + MINUTE))
    filings.decide_filing(
        filing=there, approved=True, reference="AJ/77", by=house.by(Role.ADMINISTRATOR, NIGHT + 2 * MINUTE)
    )
    (row,) = rows(house, "audits.filings", **SPAN)
    assert (row["number"], row["about"], row["rule"]) == ("AJ-2026-0001", "Pozo de prueba", "PP-23")
    assert (row["author"].es, row["drafted"], row["presented"]) == (
        "Persona pit_boss", NIGHT, NIGHT + MINUTE,
    )  # fmt: skip
    assert (row["reference"], row["decided"], row["valid_from"]) == ("AJ/77", NIGHT + 2 * MINUTE, DAY)
    assert (row["state"].es, row["state"].en, row["ended"]) == ("aprobado", "approved", None)
    assert actions(house, row) == ["drafted", "presented", "approved"]


@pytest.mark.rule("REC-09")
def test_a_filing_with_its_receipt_its_deadline_and_its_files(house: House) -> None:
    until = DAY + dt.timedelta(days=10)
    there = filings.present_filing(
        filing=drafted(house), receipt="CARGO-881", answer_by=until,
        by=house.by(Role.COMPLIANCE, NIGHT + MINUTE),
    )  # fmt: skip
    (row,) = rows(house, "audits.filings", **SPAN)
    assert (row["receipt"], row["due"], row["due_for"].en) == ("CARGO-881", until, "answer of the AJ")
    assert (row["files"], row["digests"]) == (0, "")
    contents = [b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n", b"acta de la AJ\n"]
    for name, content in zip(["cargo.pdf", "acta.txt"], contents, strict=True):
        attachments.attach_to_filing(
            filing=there, name=name, content=content, by=house.by(Role.COMPLIANCE, NIGHT + 2 * MINUTE)
        )
    (row,) = rows(house, "audits.filings", **SPAN)
    short = [hashlib.sha256(content).hexdigest()[:12] for content in contents]
    assert (row["files"], row["digests"]) == (2, " ".join(short))
    filings.decide_filing(
        filing=there, approved=True, reference="AJ/77", by=house.by(Role.ADMINISTRATOR, NIGHT + 3 * MINUTE)
    )
    (row,) = rows(house, "audits.filings", **SPAN)
    assert (row["receipt"], row["due"], row["due_for"].es) == ("CARGO-881", None, "")  # it ends with the step


@pytest.mark.rule("REC-09")
def test_a_filing_is_in_the_register_of_each_day_something_became_of_it(house: House) -> None:
    first = drafted(house)
    later = NIGHT + dt.timedelta(days=2)
    assert rows(house, "audits.filings", **BEFORE) == []
    after: dict[str, Any] = {"first": later.date(), "last": later.date()}
    assert rows(house, "audits.filings", **after) == []
    filings.present_filing(filing=first, by=house.by(Role.COMPLIANCE, later))
    assert len(rows(house, "audits.filings", **after)) == 1
    assert len(rows(house, "audits.filings", **after, state="presented")) == 1
    assert rows(house, "audits.filings", **after, state="approved") == []
    assert (
        get("audits.filings").count(house.casino, forms.read(get("audits.filings").form, house.casino, SPAN))
        == 1
    )
    assert rows(a_house("vecino"), "audits.filings", **after) == []


# ---- gaming days ---------------------------------------------------------------------------------------


@pytest.mark.rule("REC-07", "REC-08")
def test_a_gaming_day_with_what_holds_it_and_when_it_closed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = [days.Holding("table_open", Text("la mesa PB-01 sigue abierta", "table PB-01 is open"), "REC-08")]
    monkeypatch.setattr(days, "_checks", [lambda day: held])
    with transaction.atomic():
        days.day_of(house.casino, NIGHT)
    locking.released()
    (row,) = rows(house, "audits.days", **SPAN)
    assert (row["day"], row["state"].en, row["held"], row["closed"]) == (DAY, "open", None, None)
    assert actions(house, row) == []
    closing.close_due_days(casino=house.casino)
    (row,) = rows(house, "audits.days", **SPAN)
    assert (row["held"], row["why"].es) == (1, "la mesa PB-01 sigue abierta")
    assert actions(house, row) == ["held"]
    held.clear()
    closing.close_due_days(casino=house.casino)
    (row,) = rows(house, "audits.days", **SPAN)
    assert (row["state"].en, row["held"], row["why"].en) == ("closed", 0, "")
    assert row["closed"] == GamingDay.objects.get(casino=house.casino, date=DAY).closed_at
    assert actions(house, row) == ["held", "closed"]
    assert rows(house, "audits.days", **BEFORE) == []


# ---- the trail -----------------------------------------------------------------------------------------


@pytest.mark.rule("REC-06")
def test_the_trail_in_the_order_it_was_recorded_with_its_hashes(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    known = list(Event.objects.filter(casino=house.casino).order_by("id"))
    told_on = sorted(event.recorded.date() for event in known)  # settings of a month ago among them
    span: dict[str, Any] = {"first": told_on[0] - dt.timedelta(days=1), "last": told_on[-1]}
    told = rows(house, "audits.events", **span)
    assert [(row["stream"], row["seq"]) for row in told] == [(e.stream.name, e.seq) for e in known]
    assert [row["hash"] for row in told] == [bytes(e.hash).hex() for e in known]
    (settled,) = [row for row in told if row["action"] == "tables.round.settled"]
    assert settled["subject"] == f"{session.table.name} · 1"
    assert [event.pk for event in resting.events(house.casino, events_named(settled))] == [
        event.pk for event in known if event.action == "tables.round.settled"
    ]
    only = rows(house, "audits.events", **span, stream=session.stream)
    assert {row["stream"] for row in only} == {session.stream}
    assert rows(house, "audits.events", **span, stream="session:0") == []


# ---- disputes ------------------------------------------------------------------------------------------


@pytest.mark.rule("GEN-08", "GEN-10")
def test_a_dispute_with_what_lay_on_the_table_and_its_ruling(house: House) -> None:
    session = house.open_table()
    house.log(session, NATURAL)
    opened = NIGHT + 30 * MINUTE
    incident = disputes.open_dispute(
        session=session, claims="dice que apostó a banca", seat=3, by=house.by(Role.SUPERVISOR, opened)
    )
    (row,) = rows(house, "tables.disputes", **SPAN)
    assert (row["number"], row["round"], row["seat"]) == (incident.label, 1, 3)
    assert (row["claims"].es, row["round_state"].en) == ("dice que apostó a banca", "settled")
    assert "Punto" in row["in_view"].es and row["session"] == session.label
    assert (row["resolved"], row["minutes"]) == (None, None)
    incidents.resolve_incident(
        incident=incident, resolution="se paga como quedó en el paño", rule_applied="GEN-08",
        with_=house.users[Role.SUPERVISOR].actor, by=house.by(Role.PIT_BOSS, opened + 12 * MINUTE),
    )  # fmt: skip
    (row,) = rows(house, "tables.disputes", **SPAN)
    assert (row["ruling"], row["rule"], row["minutes"]) == ("se paga como quedó en el paño", "GEN-08", 12)
    assert (row["resolved_by"].es, row["resolved_with"].es) == ("Persona pit_boss", "Persona supervisor")
    assert sorted(actions(house, row)) == ["disputed", "opened", "resolved"]
    incidents.report_incident(
        kind=incidents.OTHER, summary="una luz apagada", by=house.by(Role.SUPERVISOR, opened)
    )
    assert len(rows(house, "tables.disputes", **SPAN)) == 1  # no dispute
    assert rows(house, "tables.disputes", **BEFORE) == []


# ---- results by game -----------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-12", "FLOOR-13")
def test_results_by_game_add_up_the_tables_of_a_game(house: House) -> None:
    """Two Mini tables; at the first seat 1 loses 100 on banca (punto wins), the second only opened. Both
    close as counted: the first with 100 more than its float of 22,500, nothing in either box."""
    first = house.open_table(detail="full")
    house.log(first, [*bets((1, "banca", 100)), *NATURAL])
    second = house.open_table(dealer=1, supervisor=1)
    more = {**FLOAT, 100 * BOB: FLOAT[100 * BOB] + 1}
    house.close(first, more, drop=0)
    house.close(second, FLOAT, drop=0)
    (day,) = rows(house, "tables.day", "games", day=DAY)
    assert (day["tables"], day["sessions"], day["rounds"], day["staked"]) == (2, 2, 1, 100 * BOB)
    assert (day["result"], day["house"]) == (100 * BOB, 100 * BOB)
    (span,) = rows(house, "tables.results", "house_games", **SPAN)
    assert (span["period"].en, span["sessions"], span["result"]) == (day["game"].en, 2, 100 * BOB)
    assert actions(house, span).count("opened") == 2
    assert rows(house, "tables.results", "ring_games", **SPAN) == []
