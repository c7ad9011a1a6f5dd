"""Visits of the inspector: the draw announced before his word, a blind count, the house's answer (REC-11)."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from audits import exports
from audits.inspections import counting, draw, drawing, looking, reading, visits
from audits.models import Event, Incident, Inspection, InspectionCount, InspectionDraw
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
    by,
    chief,
    count,
    enter,
    given,
    inspector_of,
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


def refusal_of(act: Callable[[], object]) -> SabotError:
    with pytest.raises(SabotError) as caught, clock.standing_at(ARRIVES):
        act()
    return caught.value


def announce(
    visit: Inspection, user: User, *, reason: str = "", at: dt.datetime = ARRIVES, **about: Any
) -> Any:
    with clock.standing_at(at):
        return drawing.announce_draw(inspection=visit, by=by(user, reason), **{"wanted": 2, **about})


def say(row: InspectionDraw, user: User, word: str = "quirquincho") -> InspectionDraw:
    with clock.standing_at(ARRIVES):
        return drawing.draw_tables(draw_row=row, word=word, by=by(user))


def answer(count: InspectionCount, user: User, **about: Any) -> Any:
    with clock.standing_at(ARRIVES):
        return counting.answer_count(count=count, by=by(user), **{"agrees": True, **about})


def last(action: str) -> dict[str, Any]:
    event = Event.objects.filter(action=action).latest("pk")
    return dict(json.loads(bytes(event.body))["data"])


# ---- visits ------------------------------------------------------------------------------------------------


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


# ---- the draw ----------------------------------------------------------------------------------------------


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


# ---- counts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "total", "difference"),
    [
        ({10_000: 225}, 2_250_000, 0),
        ({10_000: 224, 1000: 3}, 2_243_000, -7_000),
        ({10_000: 226}, 2_260_000, 10_000),
    ],
)
def test_a_count_is_held_against_what_the_house_expects(
    house: House, visit: Inspection, inspector: User, pieces: dict[int, int], total: int, difference: int
) -> None:
    found = count(inspector, visit, pieces=pieces)
    assert (found.total, found.expected, found.difference) == (total, 2_250_000, difference)
    assert last("audits.inspection.counted")["difference"] == difference
    assert trail_of(house) == []


def test_what_was_sold_for_cash_lowers_what_is_expected(visit: Inspection, inspector: User) -> None:
    assert count(inspector, visit, aside=50_000).expected == 2_200_000


@pytest.mark.parametrize(
    ("counted", "code"),
    [
        (counting.Counted({999: 1}), "unknown_denomination"),
        (counting.Counted({10_000: -1}), "bad_count"),
        (counting.Counted({10_000: 1_000_001}), "bad_count"),
        (counting.Counted({10_000: 1}, total=10_000), "bad_count"),
        (counting.Counted({10_000: 1}, aside=-1), "bad_count"),
    ],
)
def test_what_is_no_count_of_chips(
    visit: Inspection, inspector: User, counted: counting.Counted, code: str
) -> None:
    refusal = refusal_of(
        lambda: counting.record_count(
            inspection=visit, kind="test.float", target=3, counted=counted, by=by(inspector)
        )
    )
    assert (refusal.code, refusal.rule) == (code, "REC-11")
    assert not InspectionCount.objects.exists()


def test_cards_are_a_number_and_things_that_are_not_there_are_none(
    visit: Inspection, inspector: User
) -> None:
    def record(kind: str, target: int, **about: Any) -> InspectionCount:
        return counting.record_count(
            inspection=visit, kind=kind, target=target, counted=counting.Counted(**about), by=by(inspector)
        )

    assert refusal_of(lambda: record("test.pack", 3)).code == "bad_count"
    assert refusal_of(lambda: record("test.pack", 3, total=10_001)).code == "bad_count"
    assert refusal_of(lambda: record("test.pack", 3, total=1, pieces={10_000: 1})).code == "bad_count"
    assert refusal_of(lambda: record("test.nada", 3, total=1)).code == "unknown_kind"
    assert refusal_of(lambda: record("test.pack", 99, total=1)).status == 404
    with clock.standing_at(ARRIVES):
        found = record("test.pack", 3, total=312)
    assert (found.total, found.unit, counting.figure(found, 312, visit.casino).es) == (
        312,
        "cards",
        "312 cartas",
    )


def test_counting_again_needs_a_reason_and_both_counts_stay(
    house: House, visit: Inspection, inspector: User
) -> None:
    count(inspector, visit, pieces={10_000: 1})
    assert refusal_of(lambda: count(inspector, visit)).code == "counted_already"
    count(inspector, visit, reason="conté mal una pila")
    assert list(visit.counts.values_list("number", "difference")) == [(1, -2_240_000), (2, 0)]
    for change in ("total = 0", "difference = 0"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE audits_inspectioncount SET {change}")
    assert trail_of(house) == []


# ---- what the house answers --------------------------------------------------------------------------------


@pytest.mark.rule("GEN-10")
def test_the_house_signs_on_the_inspector_s_screen_or_at_its_own(
    house: House, visit: Inspection, inspector: User
) -> None:
    boss = chief(house)
    first, second = count(inspector, visit, 3), count(inspector, visit, 4, pieces={10_000: 1})
    for signer in (None, inspector.actor, house.person("caja", Role.CAGE).actor):
        refusal = refusal_of(partial(answer, first, inspector, signer=signer))
        assert (refusal.rule, refusal.field) == ("GEN-10", "signer")
    other = house.person("inspector2", Role.INSPECTOR).actor
    assert refusal_of(lambda: answer(first, inspector, signer=other)).code == "signer_not_allowed"
    assert answer(first, inspector, signer=boss.actor).signed_by == boss.actor
    assert refusal_of(lambda: answer(first, boss)).code == "answered_already"
    # At one's own login nobody signs for another; whoever objects says why.
    assert refusal_of(lambda: answer(second, boss, signer=house.admin.actor)).code == "signer_not_allowed"
    assert refusal_of(lambda: answer(second, boss, agrees=False)).code == "bad_text"
    objected = answer(second, boss, agrees=False, words="faltó contar la segunda bandeja")
    assert (objected.agrees, objected.signed_by) == (False, boss.actor)
    assert last("audits.inspection.count_objected")["words"] == "faltó contar la segunda bandeja"
    assert trail_of(house) == []


def test_a_visit_closes_with_counts_unanswered_and_says_which(
    visit: Inspection, inspector: User, house: House
) -> None:
    found = count(inspector, visit)
    with clock.standing_at(ARRIVES):
        visits.close_inspection(inspection=visit, by=by(inspector))
    assert last("audits.inspection.closed")["unanswered"] == [1]
    answer(found, chief(house))
    assert trail_of(house) == []


@pytest.mark.rule("REC-14")
def test_a_difference_is_opened_as_an_incident_once_and_drafts_its_notice(
    house: House, visit: Inspection, inspector: User
) -> None:
    boss = chief(house)
    level, off = count(inspector, visit, 3), count(inspector, visit, 4, pieces={10_000: 224})
    assert refusal_of(lambda: counting.open_incident(count=level, by=by(boss))).code == "no_difference"
    assert refusal_of(lambda: counting.open_incident(count=off, by=by(inspector))).code == "not_allowed"
    with clock.standing_at(ARRIVES):
        made = counting.open_incident(count=off, by=by(boss))
    assert (made.kind, made.table_label, made.subject_type) == (
        "audits.inspection",
        "PB-04",
        "inspection_count",
    )
    assert made.notice_due == ARRIVES + DAY
    assert "22.400,00" in made.summary_es
    assert counting.incident_of(off) == made
    assert refusal_of(lambda: counting.open_incident(count=off, by=by(boss))).code == "incident_opened"
    assert Incident.objects.count() == 1
    assert trail_of(house) == []


# ---- the proof ---------------------------------------------------------------------------------------------


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


# ---- on paper ----------------------------------------------------------------------------------------------


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
