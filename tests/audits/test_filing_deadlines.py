"""What of a filing is due, and the dates that may be typed: the list in its order, bounds, proofs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from audits import filing_deadlines, filing_kinds, filing_proofs, filings
from audits.filing_deadlines import Pressing
from audits.models import Filing
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import Casino
from tests.audits.conftest import House
from tests.audits.incident_people import refusal_of

NOON = dt.datetime(2026, 11, 20, 16, 0, tzinfo=dt.UTC)
TODAY = dt.date(2026, 11, 20)
DAY = dt.timedelta(days=1)


@pytest.fixture(autouse=True)
def standing() -> Any:
    with clock.standing_at(NOON):
        yield


class Office:
    """The administrator drafts, compliance presents and decides."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.compliance = house.person("cumple", Role.COMPLIANCE)

    @property
    def casino(self) -> Casino:
        return self.house.casino

    def draft(self, kind: str = filing_kinds.REQUEST, text: str = "x") -> Filing:
        subject = filing_kinds.about_house(self.casino)
        return filings.draft_filing(kind=kind, subject=subject, text=text, by=self.house.by())

    def present(self, filing: Filing | None = None, **about: Any) -> Filing:
        filing = filing or self.draft()
        return filings.present_filing(filing=filing, by=self.house.by(self.compliance), **about)

    def approve(self, filing: Filing | None = None, **about: Any) -> Filing:
        given = {"approved": True, "reference": "RA/1", **about}
        return filings.decide_filing(
            filing=filing or self.present(), by=self.house.by(self.compliance), **given
        )

    def due(self, filing: Filing, day: dt.date | None, what: str = "responder a la AJ") -> Filing:
        return filing_deadlines.set_due(filing=filing, due_on=day, due_for=what, by=self.house.by())

    def listed(self) -> list[Filing]:
        return list(filing_deadlines.in_order(Filing.objects.filter(casino=self.casino), TODAY))

    def faults(self) -> list[Any]:
        return list(filing_proofs.filing_faults(self.casino))


@pytest.fixture
def office(house: House) -> Office:
    return Office(house)


def later(act: Callable[[], Filing], days: int) -> Filing:
    with clock.standing_at(NOON + days * DAY):
        return act()


@pytest.mark.rule("REC-09")
def test_the_receipt_and_the_answer_that_is_awaited(office: Office) -> None:
    found = office.present(receipt=" HR 120/2026 ", answer_by=TODAY + 30 * DAY)
    assert (found.receipt, found.due_on, found.due_for) == (
        "HR 120/2026", TODAY + 30 * DAY, "respuesta de la AJ",
    )  # fmt: skip
    assert office.faults() == []
    done = office.approve(found)
    assert (done.due_on, done.due_for, done.receipt) == (None, "", "HR 120/2026")
    assert office.faults() == []
    for receipt in ("dos\nlíneas", "x" * 61):
        assert refusal_of(lambda r=receipt: office.present(receipt=r)).code == "bad_receipt"  # type: ignore[misc]


@pytest.mark.rule("REC-09")
@pytest.mark.parametrize(("days", "fine"), [(-1, False), (0, True), (3 * 366, True), (3 * 366 + 1, False)])
def test_a_deadline_is_from_today_to_three_years(office: Office, days: int, fine: bool) -> None:
    draft = office.draft()
    if fine:
        assert office.due(draft, TODAY + days * DAY).due_on == TODAY + days * DAY
    else:
        assert refusal_of(lambda: office.due(draft, TODAY + days * DAY)).code == "bad_due"


def test_a_deadline_says_for_what_is_taken_back_and_not_set_on_what_is_over(office: Office) -> None:
    draft = office.draft()
    assert refusal_of(lambda: office.due(draft, TODAY, " ")).code == "due_for_missing"
    office.due(draft, TODAY, "presentar")
    assert office.due(draft, None, "presentar").due_for == ""
    refused = office.approve(approved=False)
    assert refusal_of(lambda: office.due(refused, TODAY)).code == "filing_state"
    assert office.faults() == []


@pytest.mark.rule("REC-09")
@pytest.mark.parametrize(
    ("since", "until", "field"),
    [
        (0, None, None),
        (-1, None, "valid_from"),
        (5 * 366, None, None),
        (5 * 366 + 1, None, "valid_from"),
        (0, 0, None),
        (0, -1, "valid_until"),
        (0, 20 * 366, None),
        (0, 20 * 366 + 1, "valid_until"),
    ],
)
def test_validity_begins_no_earlier_than_it_was_asked_for_and_ends_some_day(
    office: Office, since: int, until: int | None, field: str | None
) -> None:
    there = office.present()
    dates = {"valid_from": TODAY + since * DAY, "valid_until": None if until is None else TODAY + until * DAY}
    if field is None:
        assert office.approve(there, **dates).valid_from == dates["valid_from"]
        return
    refusal = refusal_of(lambda: office.approve(there, **dates))
    assert (refusal.code, refusal.rule, refusal.field) == ("bad_validity", "REC-09", field)


def test_a_refusal_is_not_held_to_dates_nobody_meant(office: Office) -> None:
    done = office.approve(approved=False, valid_from=TODAY - DAY)
    assert (done.state, done.valid_from) == ("refused", None)


@pytest.mark.rule("REC-09")
def test_what_is_due_first_comes_first(office: Office) -> None:
    plain = office.approve(valid_until=TODAY + 16 * DAY)
    ends = office.approve(office.present(office.draft(filing_kinds.PROMOTION)), valid_until=TODAY + 15 * DAY)
    awaited = office.present()
    late = office.draft()
    # An eternal approval about the same thing outlives `plain`, which is then nobody's concern.
    with clock.standing_at(NOON - 40 * DAY):
        office.due(late := office.draft(), TODAY - DAY, "presentar")
    draft = office.draft()
    notice = office.present(office.draft(filing_kinds.NOTICE))
    found = office.listed()
    assert found[:2] == [late, ends]
    assert set(found[2:5]) >= {draft, awaited}
    assert {plain, notice} <= set(found[5:])
    due = {one.pk: filing_deadlines.of(one, TODAY, renewed=one.renewed) for one in found}  # type: ignore[attr-defined]
    assert due[late.pk].pressing is Pressing.OVERDUE
    assert (due[ends.pk].pressing, due[ends.pk].day) == (Pressing.SOON, TODAY + 15 * DAY)
    assert due[awaited.pk].pressing is due[draft.pk].pressing is Pressing.WAITING
    assert due[plain.pk].pressing is due[notice.pk].pressing is Pressing.NONE
    pressing = filing_deadlines.pressing(office.casino, NOON)
    assert [one for one, _ in pressing] == [late, ends]


def test_an_approval_that_another_outlives_ends_without_anybody(office: Office) -> None:
    office.approve(valid_until=TODAY + 5 * DAY)
    assert len(filing_deadlines.pressing(office.casino, NOON)) == 1
    later(lambda: office.approve(valid_until=TODAY + 300 * DAY), 1)
    assert filing_deadlines.pressing(office.casino, NOON + DAY) == []


@pytest.mark.rule("REC-06")
def test_a_deadline_or_receipt_changed_past_the_guards_is_found(office: Office, past_the_guards: Any) -> None:
    there = office.present(receipt="HR 1", answer_by=TODAY + DAY)
    with pytest.raises(IntegrityError), transaction.atomic():
        Filing.objects.filter(pk=there.pk).update(receipt="HR 2")
    with pytest.raises(IntegrityError), transaction.atomic():
        Filing.objects.filter(pk=there.pk).update(due_on=TODAY, text="otro")
    with past_the_guards():
        Filing.objects.filter(pk=there.pk).update(receipt="HR 2", due_on=TODAY)
    said = office.faults()
    assert len(said) == 1 and "receipt" in said[0].words.es and "due" in said[0].words.es
    done = office.approve(office.present())
    with pytest.raises(IntegrityError), transaction.atomic():
        Filing.objects.filter(pk=done.pk).update(valid_until=TODAY)


def test_who_notes_a_deadline(office: Office) -> None:
    inspector = office.house.person("aj", Role.INSPECTOR)
    draft = office.draft()
    refusal = refusal_of(
        lambda: filing_deadlines.set_due(
            filing=draft, due_on=TODAY, due_for="x", by=office.house.by(inspector)
        )
    )
    assert refusal.code == "not_allowed"
