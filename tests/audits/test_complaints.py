"""The terms of complaints: the case REG-030, working days, and the terms as a house sets them."""

from __future__ import annotations

import datetime as dt

import pytest

from audits import complaints
from audits.complaints import Terms, deadlines, working_days_after
from audits.evidence_proofs import evidence_faults
from audits.models import ComplaintTerms
from casino.kernel.errors import NotAllowed, Refused
from casino.kernel.permissions import Role
from tests.audits.conftest import House
from tests.audits.incident_people import People, found_by, refusal_of, report, settle

EVENT = dt.date(2026, 6, 5)
"""A Friday."""


@pytest.mark.rule("GEN-08")
def test_reg_030() -> None:
    """REG-030: filed on 2026-06-19 and answered on 2026-07-01, weekends free and no holidays."""
    found = deadlines(EVENT, Terms(), filed=dt.date(2026, 6, 19), answered=dt.date(2026, 7, 1))
    assert found.to_file == dt.date(2026, 6, 20)
    assert found.in_time is True
    assert found.to_answer == dt.date(2026, 7, 3)
    assert found.to_appeal == dt.date(2026, 7, 29)
    # Video is kept 15 days, as the case says.
    assert found.video_until == dt.date(2026, 6, 20)


@pytest.mark.parametrize(("filed", "in_time"), [("2026-06-20", True), ("2026-06-21", False)])
def test_the_last_day_to_file_is_in_time_and_the_next_is_not(filed: str, in_time: bool) -> None:
    assert deadlines(EVENT, Terms(), filed=dt.date.fromisoformat(filed)).in_time is in_time


def test_what_does_not_run_yet_has_no_last_day() -> None:
    found = deadlines(EVENT, Terms())
    assert (found.in_time, found.to_answer, found.to_appeal) == (None, None, None)


@pytest.mark.parametrize(
    ("day", "days", "holidays", "expected"),
    [
        ("2026-06-05", 1, (), "2026-06-08"),  # Friday to Monday
        ("2026-06-06", 1, (), "2026-06-08"),  # Saturday to Monday
        ("2026-06-08", 0, (), "2026-06-08"),
        ("2026-06-05", 1, ("2026-06-08",), "2026-06-09"),  # the Monday is a holiday
        ("2026-06-05", 1, ("2026-06-06",), "2026-06-08"),  # a holiday on a Saturday takes nothing
        ("2026-06-05", 5, ("2026-06-08", "2026-06-09"), "2026-06-16"),
        ("2026-12-31", 1, ("2027-01-01",), "2027-01-04"),  # over the year's end
    ],
)
def test_working_days(day: str, days: int, holidays: tuple[str, ...], expected: str) -> None:
    off = [dt.date.fromisoformat(one) for one in holidays]
    assert working_days_after(dt.date.fromisoformat(day), days, off) == dt.date.fromisoformat(expected)


def set_terms(house: House, **about: object) -> ComplaintTerms:
    given = {
        "file_days": 10, "answer_days": 5, "appeal_days": 8, "video_days": 30,
        "holidays": [dt.date(2026, 11, 23)], **about,
    }  # fmt: skip
    return complaints.set_terms(**given, by=house.by(reason="según el asesor"))  # type: ignore[arg-type]


@pytest.mark.rule("GEN-08")
def test_a_dispute_has_its_deadlines_and_nothing_else_has(people: People) -> None:
    casino = people.house.casino
    other = found_by(people)
    assert complaints.of_incident(other, Terms()) is None
    # Opened on Friday 2026-11-20 by the casino's clock; nothing of the house's is set.
    dispute = report(people)
    terms = complaints.terms_of(casino)
    assert not terms.confirmed
    found = complaints.of_incident(dispute, terms)
    assert found is not None and found.to_answer == dt.date(2026, 12, 4)
    set_terms(people.house)
    ours = complaints.terms_of(casino)
    found = complaints.of_incident(dispute, ours)
    assert ours.confirmed and found is not None
    # Monday the 23rd is a holiday: 24, 25, 26, 27, 30.
    assert (found.to_file, found.to_answer) == (dt.date(2026, 11, 30), dt.date(2026, 11, 30))
    assert found.to_appeal is None
    settled = settle(people, dispute, rule_applied="GEN-08")
    found = complaints.of_incident(settled, ours)
    # Answered the same Friday: 24, 25, 26, 27, 30, 1, 2, 3.
    assert found is not None and found.to_appeal == dt.date(2026, 12, 3)


def test_terms_are_set_with_a_reason_within_bounds_by_who_may(house: House) -> None:
    for name, value in (("file_days", 0), ("answer_days", 366), ("video_days", True)):
        refusal = refusal_of(lambda n=name, v=value: set_terms(house, **{n: v}))  # type: ignore[misc]
        assert (refusal.code, refusal.field) == ("bad_terms", name)
    assert set_terms(house, file_days=1, answer_days=365).file_days == 1
    days = [dt.date(2027, 1, 1) + dt.timedelta(days=n) for n in range(201)]
    assert refusal_of(lambda: set_terms(house, holidays=days)).field == "holidays"
    assert len(set_terms(house, holidays=[*days[:200], days[0]]).holidays) == 200
    with pytest.raises(Refused, match="motivo"):
        complaints.set_terms(
            file_days=1, answer_days=1, appeal_days=1, video_days=1, holidays=[], by=house.by(reason="")
        )
    chief = house.person("jefe", Role.SUPERVISOR)
    with pytest.raises(NotAllowed):
        complaints.set_terms(
            file_days=1, answer_days=1, appeal_days=1, video_days=1, holidays=[], by=house.by(chief)
        )
    assert list(evidence_faults(house.casino)) == []
