"""The inspector's own count, blind, and the house's answer to it (REC-11, GEN-10, REC-14)."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from audits.inspections import counting, visits
from audits.models import Incident, Inspection, InspectionCount
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import User
from tests.audits.conftest import House
from tests.audits.inspecting import (
    ARRIVES,
    Floor,
    a_floor,
    a_visit,
    answer,
    by,
    chief,
    count,
    inspector_of,
    last,
    refusal_of,
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
