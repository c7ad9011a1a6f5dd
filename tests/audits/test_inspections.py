"""Visits of the inspector: opened, drawn (announced before his word), closed, proven, on paper (REC-11)."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from audits import exports
from audits.inspections import draw, drawing, looking, reading, visits
from audits.models import Event, Inspection, InspectionDraw
from audits.reports import get
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from casino.models import User
from tests.audits.conftest import House
from tests.audits.inspecting import (
    ARRIVES,
    Floor,
    a_floor,
    a_visit,
    announce,
    answer,
    by,
    chief,
    count,
    enter,
    given,
    inspector_of,
    last,
    refusal_of,
    say,
    trail_of,
)

pytestmark = pytest.mark.rule("REC-11")
DAY = dt.timedelta(days=1)


@pytest.fixture
def floor(monkeypatch: pytest.MonkeyPatch) -> Floor:
    return a_floor(monkeypatch)


@pytest.fixture
def inspector(house: House) -> User:
    return inspector_of(house)


@pytest.fixture
def visit(house: House, floor: Floor, inspector: User) -> Inspection:
    return a_visit(house, inspector)


def test_a_visit_from_its_opening_to_its_close(house: House, visit: Inspection, inspector: User) -> None:
    assert (visit.label, visit.day, visit.inspector) == (
        "AI-2026-0001",
        dt.date(2026, 11, 20),
        inspector.actor,
    )
    row = say(announce(visit, inspector), inspector)
    found = count(inspector, visit)
    answer(found, inspector, signer=chief(house).actor)
    with clock.standing_at(ARRIVES):
        closed = visits.close_inspection(inspection=visit, remarks=" Todo en orden.\n", by=by(inspector))
    assert (closed.state, closed.remarks) == ("closed", "Todo en orden.")
    assert [e.action for e in Event.objects.filter(stream__name=visit.stream).order_by("seq")] == [
        "audits.inspection.opened",
        "audits.inspection.draw_announced",
        "audits.inspection.drawn",
        "audits.inspection.counted",
        "audits.inspection.count_signed",
        "audits.inspection.closed",
    ]
    assert len(row.picks) == 2
    assert trail_of(house) == []
    for act in (
        lambda: announce(visit, inspector, reason="x"),
        lambda: count(inspector, visit, reason="x"),
        lambda: visits.close_inspection(inspection=visit, by=by(inspector)),
    ):
        assert refusal_of(act).code == "inspection_closed"


def test_compliance_opens_one_for_an_inspector_and_closes_it_with_a_reason(
    house: House, floor: Floor, inspector: User
) -> None:
    office = house.person("cumple", Role.COMPLIANCE)
    assert refusal_of(lambda: visits.open_inspection(by=by(office))).code == "inspector_missing"
    assert (
        refusal_of(lambda: visits.open_inspection(inspector=office.actor, by=by(office))).field == "inspector"
    )
    with clock.standing_at(ARRIVES):
        made = visits.open_inspection(inspector=inspector.actor, by=by(office))
    assert (made.inspector, made.opened_by) == (inspector.actor, office.actor)
    assert refusal_of(lambda: visits.open_inspection(by=by(inspector))).code == "inspection_open"
    # What is counted is the inspector's own; compliance writes nothing in it but its end.
    assert refusal_of(lambda: announce(made, office)).code == "not_allowed"
    assert (
        refusal_of(lambda: visits.close_inspection(inspection=made, by=by(office))).code == "reason_missing"
    )
    assert refusal_of(
        lambda: visits.close_inspection(inspection=made, remarks="nada", by=by(office, "se fue"))
    ).code == ("not_your_inspection")
    with clock.standing_at(ARRIVES):
        visits.close_inspection(inspection=made, by=by(office, "el inspector se retiró"))
    assert trail_of(house) == []


def test_an_inspector_writes_in_his_own_visit_only(house: House, visit: Inspection, inspector: User) -> None:
    other = enter(given(house, name="Otra Persona", credential="AJ-0200").code, card="AJ-0200")
    row = announce(visit, inspector)
    found = count(inspector, visit)
    for act in (
        lambda: say(row, other),
        lambda: count(other, visit, reason="x"),
        lambda: visits.close_inspection(inspection=visit, by=by(other)),
        lambda: answer(found, other, signer=chief(house).actor),
    ):
        assert refusal_of(act).code == "not_your_inspection"


def test_when_the_last_visit_was(house: House, floor: Floor, inspector: User) -> None:
    today = dt.date(2026, 11, 20)
    assert visits.days_without(house.casino, today) is None
    a_visit(house, inspector)
    assert visits.days_without(house.casino, today) == 0
    assert visits.days_without(house.casino, today + 3 * DAY) == 3


def test_the_hash_is_published_before_the_word_and_the_seed_only_after(
    house: House, visit: Inspection, inspector: User
) -> None:
    row = announce(visit, inspector)
    told = last("audits.inspection.draw_announced")
    assert told["seed_hash"] == row.seed_hash
    assert row.seed not in json.dumps(told)
    with pytest.raises(SabotError) as caught:
        drawing.record_of(row)
    assert caught.value.code == "not_drawn"
    done = say(row, inspector)
    assert last("audits.inspection.drawn")["seed"] == done.seed
    assert draw.verify_draw(json.loads(json.dumps(drawing.record_of(done)))) == []
    assert trail_of(house) == []


def test_a_draw_is_done_once(house: House, visit: Inspection, inspector: User) -> None:
    row = say(announce(visit, inspector), inspector)
    assert refusal_of(lambda: say(row, inspector, "otra palabra")).code == "already_drawn"
    with pytest.raises(IntegrityError), transaction.atomic():
        InspectionDraw.objects.filter(pk=row.pk).update(word="otra palabra")


def test_another_draw_on_the_day_needs_a_reason_in_another_visit_too(
    house: House, visit: Inspection, inspector: User
) -> None:
    first = announce(visit, inspector)
    assert refusal_of(lambda: announce(visit, inspector, reason="otra vez")).code == "draw_waits"
    say(first, inspector)
    assert refusal_of(lambda: announce(visit, inspector)).code == "drawn_today"
    # Leaving the visit and opening another is no way around it, nor is another inspector.
    other = enter(given(house, name="Otra Persona", credential="AJ-0200").code, card="AJ-0200")
    second = a_visit(house, other)
    refusal = refusal_of(lambda: announce(second, other, reason="  "))
    assert (refusal.code, refusal.rule, refusal.field) == ("drawn_today", "REC-11", "reason")
    again = announce(second, other, reason="se cerró la mesa sorteada")
    assert last("audits.inspection.draw_announced")["reason"] == "se cerró la mesa sorteada"
    assert again.seed != first.seed
    # One that was announced and left undrawn counts as well: its visit closes, and it stays on the trail.
    with clock.standing_at(ARRIVES):
        visits.close_inspection(inspection=second, by=by(other))
    third = a_visit(house, other)
    assert refusal_of(lambda: announce(third, other)).code == "drawn_today"
    assert trail_of(house) == []
    # The next gaming day has its own.
    with clock.standing_at(ARRIVES + DAY):
        announce(third, inspector_again(house, "AJ-0200"), at=ARRIVES + DAY)


def inspector_again(house: House, card: str) -> User:
    return enter(
        given(house, name="Otra Persona", credential=card, at=ARRIVES + DAY).code, card=card, at=ARRIVES + DAY
    )


def test_two_draws_without_a_reason_are_refused_by_the_database_too(
    visit: Inspection, inspector: User
) -> None:
    row = announce(visit, inspector)
    copy = {f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields if f.attname != "id"}
    with pytest.raises(IntegrityError), transaction.atomic():
        InspectionDraw.objects.create(**{**copy, "number": 2})
    with pytest.raises(IntegrityError), transaction.atomic():  # a seed that is not the one announced
        InspectionDraw.objects.create(**{**copy, "number": 2, "reason": "x", "seed": "0" * 64})


@pytest.mark.parametrize("word", ["", "abc", " ab ", "x" * 81, "ab\u200bcd", "ab\ncd"])
def test_the_word_is_one_people_can_read_again(visit: Inspection, inspector: User, word: str) -> None:
    assert refusal_of(lambda: say(announce(visit, inspector), inspector, word)).code == "bad_word"


@pytest.mark.parametrize(("wanted", "open_only"), [(0, True), (4, True), (6, False), (11, False)])
def test_how_many_may_be_drawn(visit: Inspection, inspector: User, wanted: int, open_only: bool) -> None:
    assert (
        refusal_of(lambda: announce(visit, inspector, wanted=wanted, open_only=open_only)).field == "wanted"
    )


def test_only_open_tables_unless_all_are_asked_for(visit: Inspection, floor: Floor, inspector: User) -> None:
    row = announce(visit, inspector, wanted=3)
    assert [one[1] for one in row.candidates] == ["PB-03", "PB-04", "PB-05"]
    say(row, inspector)
    every = announce(visit, inspector, wanted=5, open_only=False, reason="también las cerradas")
    assert len(every.candidates) == 5
    say(every, inspector)
    floor.spots = []
    refusal = refusal_of(lambda: announce(visit, inspector, reason="x"))
    assert (refusal.code, refusal.field) == ("nothing_to_draw", "open_only")


def test_a_table_counted_weighs_less_the_next_day(house: House, visit: Inspection, inspector: User) -> None:
    today = dt.date(2026, 11, 20)
    assert {one.weight for one in drawing.candidates_of(house.casino, today, open_only=True)} == {1092}
    count(inspector, visit, 3)
    weights = {
        one.label: one.weight for one in drawing.candidates_of(house.casino, today + DAY, open_only=True)
    }
    assert weights == {"PB-03": (1 + 1) * 12 // 2, "PB-04": 1092, "PB-05": 1092}
    least = reading.least_inspected(house.casino, today + DAY)
    assert [row.label for row in least] == ["PB-01", "PB-02", "PB-04", "PB-05", "PB-03"]
    assert (least[-1].last_day, least[-1].times, least[-1].days) == (today, 1, 1)
    # Ninety days on nothing is left of it but the day.
    later = {one.label: one for one in drawing.candidates_of(house.casino, today + 90 * DAY, open_only=True)}
    assert (later["PB-03"].days, later["PB-03"].times) == (90, 0)


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (
            "audits_inspection SET state = 'closed', closed_at = now(), closed_by_id = inspector_id",
            1,
        ),
        ("audits_inspection SET day = day + 1", 1),
        ("audits_inspection SET number = 9", 3),
        ("audits_inspectiondraw SET picks = '[[1, 0, 3]]'", 2),
        ("audits_inspectiondraw SET word = 'otra'", 2),
        ("audits_inspectiondraw SET reason = 'x'", 1),
        ("audits_inspectiondraw SET candidates = '[]'", 2),
        ("audits_inspectioncount SET expected = total, difference = 0", 1),
        ("audits_inspectioncount SET pieces = '{}'", 1),
        ('audits_inspectioncount SET "table" = NULL', 1),
        ("audits_inspectionanswer SET agrees = false, words = 'x'", 1),
    ],
)
@pytest.mark.rule("REC-06")
def test_a_row_changed_past_the_guards_is_found(
    house: House, visit: Inspection, inspector: User, past_the_guards: Any, change: str, codes: int
) -> None:
    say(announce(visit, inspector), inspector)
    answer(count(inspector, visit, pieces={10_000: 1}), chief(house))
    assert trail_of(house) == []
    with past_the_guards(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE {change}")
    assert len(trail_of(house)) == codes


@pytest.mark.parametrize("table", ["inspectionanswer", "inspectioncount", "inspectiondraw", "inspectorlook"])
@pytest.mark.rule("REC-06")
def test_a_row_gone_is_found(
    house: House, visit: Inspection, inspector: User, past_the_guards: Any, table: str
) -> None:
    say(announce(visit, inspector), inspector)
    found = count(inspector, visit)
    if table == "inspectionanswer":
        answer(found, chief(house))
    looking.note_look(path="/", by=by(inspector))
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM audits_{table}")
    with past_the_guards(), connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM audits_{table}")
    assert [fault.code for fault in trail_of(house)] == ["trail_differs"]


def test_the_act_as_a_report_says_what_was_drawn_counted_and_answered(
    house: House, visit: Inspection, inspector: User
) -> None:
    say(announce(visit, inspector), inspector)
    answer(count(inspector, visit, 3), chief(house))
    count(inspector, visit, 4, pieces={10_000: 1})
    day = {"first": visit.day, "last": visit.day, "inspection": None}
    report = get("audits.inspections")
    sections = {section.key: list(section.rows()) for section in report.sections(house.casino, day)}
    assert [row["visit"] for row in sections["visits"]] == [visit.label]
    assert [row["word"] for row in sections["draws"]] == ["quirquincho"]
    assert [(row["counted"].es, row["difference"].es, row["answer"].es) for row in sections["counts"]] == [
        ("22.500,00", "0,00", "conforme"),
        ("100,00", "−22.400,00", "sin firma de la casa"),
    ]
    before = {**day, "first": visit.day - DAY, "last": visit.day - DAY}
    assert [list(section.rows()) for section in report.sections(house.casino, before)] == [[], [], []]


@pytest.mark.parametrize("format", ["csv", "xlsx", "pdf"])
def test_the_act_is_produced_as_a_file(
    house: House, visit: Inspection, inspector: User, files: Any, format: str
) -> None:
    say(announce(visit, inspector), inspector)
    count(inspector, visit, 3)
    asked = {"first": "2026-11-20", "last": "2026-11-20", "inspection": str(visit.pk)}
    with clock.standing_at(ARRIVES):
        export = exports.request_export(
            report="audits.inspections", params=asked, format=format, language="es-bo", by=by(inspector)
        )
        exports.produce(export.pk)
    export.refresh_from_db()
    assert (export.state, export.size_bytes > 500) == ("done", True), export.failure
