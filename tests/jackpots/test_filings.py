"""Filings with the AJ: every step, every refusal, and what asks for an approval or a notice."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from audits import filings
from audits.models import Event, Filing
from audits.trail import Subject
from casino.kernel.errors import NotAllowed, SabotError
from casino.kernel.permissions import Role
from jackpots import filings as asked
from tests.builders import NIGHT, House, a_house

SUBJECT = Subject("pool", 7, "Pozo de prueba")
DAY = dt.date(2026, 11, 20)


def refused(act: Any) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()
    return found.value


def drafted(house: House, kind: str = asked.SCHEME, role: Role = Role.PIT_BOSS) -> Filing:
    facts = {"digest": "0" * 64, "dropped": []} if kind == asked.SCHEME else {}
    return filings.draft_filing(kind=kind, subject=SUBJECT, text="Se pide", facts=facts, by=house.by(role))


def presented(house: House, kind: str = asked.SCHEME, role: Role = Role.PIT_BOSS) -> Filing:
    return filings.present_filing(filing=drafted(house, kind, role), by=house.by(Role.COMPLIANCE))


def decided(house: House, filing: Filing, **about: Any) -> Filing:
    given: dict[str, Any] = {"approved": True, "reference": "AJ/77", **about}
    by = given.pop("by", None) or house.by(Role.ADMINISTRATOR)
    return filings.decide_filing(filing=filing, by=by, **given)


@pytest.mark.rule("PP-23")
def test_a_filing_goes_its_way(house: House) -> None:
    first = drafted(house)
    assert (first.state, first.label, first.author.name) == ("draft", "AJ-2026-0001", "Persona pit_boss")
    there = filings.present_filing(filing=first, by=house.by(Role.COMPLIANCE))
    assert (there.state, there.presented_at) == ("presented", NIGHT)
    done = decided(house, there)
    assert (done.state, done.reference, done.valid_from, done.valid_until) == ("approved", "AJ/77", DAY, None)
    told = Event.objects.filter(subject_type="filing", subject_id=first.pk).order_by("pk")
    assert [event.action.rpartition(".")[2] for event in told] == ["drafted", "presented", "approved"]
    assert all("PP-23" in event.rules for event in told)
    assert drafted(house).label == "AJ-2026-0002"


@pytest.mark.rule("PP-23")
def test_no_step_is_stated_before_the_one_it_follows(house: House) -> None:
    early = NIGHT - dt.timedelta(days=365)
    first = drafted(house)
    before = refused(lambda: filings.present_filing(filing=first, by=house.by(Role.COMPLIANCE, early)))
    assert before.code == "occurred_out_of_order"
    there = filings.present_filing(filing=first, by=house.by(Role.COMPLIANCE))
    assert refused(lambda: decided(house, there, by=house.by(Role.ADMINISTRATOR, early))).code == before.code
    assert Filing.objects.get(pk=first.pk).state == "presented"


def test_what_is_no_filing(house: House) -> None:
    by = house.by(Role.COMPLIANCE)
    odd = refused(lambda: filings.draft_filing(kind="bingo", subject=SUBJECT, text="x", by=by))
    assert (odd.code, odd.field) == ("unknown_filing", "kind")
    bare = refused(lambda: filings.draft_filing(kind=asked.SCHEME, subject=SUBJECT, text="  ", by=by))
    assert (bare.code, bare.field) == ("text_missing", "text")
    told = refused(lambda: filings.draft_filing(kind=asked.SCHEME, subject=SUBJECT, text="Se pide", by=by))
    assert (told.code, told.rule) == ("facts_missing", "PP-23")
    unseen = "Se pide \x07"
    odd = refused(lambda: filings.draft_filing(kind=asked.EQUIPMENT, subject=SUBJECT, text=unseen, by=by))
    assert (odd.code, odd.field) == ("bad_text", "text")
    with pytest.raises(NotAllowed):
        drafted(house, role=Role.CROUPIER)
    with pytest.raises(NotAllowed):
        filings.present_filing(filing=drafted(house), by=house.by(Role.PIT_BOSS))
    with pytest.raises(NotAllowed):
        decided(house, presented(house), by=house.by(Role.PIT_BOSS))


def test_each_step_once_and_in_order(house: House) -> None:
    new = drafted(house)
    assert refused(lambda: decided(house, new)).code == "filing_state"
    there = filings.present_filing(filing=new, by=house.by(Role.COMPLIANCE))
    again = refused(lambda: filings.present_filing(filing=there, by=house.by(Role.COMPLIANCE)))
    assert again.code == "filing_state"
    done = decided(house, there)
    assert refused(lambda: decided(house, done)).code == "filing_state"
    by = house.by(Role.COMPLIANCE, reason="ya no")
    assert refused(lambda: filings.withdraw_filing(filing=done, by=by)).code == "filing_state"


@pytest.mark.rule("GEN-10")
def test_its_author_does_not_note_the_answer(house: House) -> None:
    mine = presented(house, role=Role.ADMINISTRATOR)
    own = refused(lambda: decided(house, mine))
    assert (own.code, own.rule) == ("same_person", "GEN-10")
    assert decided(house, mine, by=house.by(Role.COMPLIANCE)).state == "approved"
    author = house.users[Role.COMPLIANCE].actor.pk
    with pytest.raises(IntegrityError), transaction.atomic():
        Filing.objects.filter(pk=mine.pk).update(author_id=author)


def test_an_approval_has_its_reference_and_dates_in_order(house: House) -> None:
    there = presented(house)
    bare = refused(lambda: decided(house, there, reference=" "))
    assert (bare.code, bare.field) == ("reference_missing", "reference")
    back = refused(lambda: decided(house, there, valid_until=DAY - dt.timedelta(days=1)))
    assert (back.code, back.field) == ("bad_validity", "valid_until")
    assert decided(house, there, approved=False, reference="").state == "refused"


def test_withdrawn_with_a_reason(house: House) -> None:
    one, other = drafted(house), presented(house)
    bare = refused(lambda: filings.withdraw_filing(filing=one, by=house.by(Role.PIT_BOSS)))
    assert bare.code == "reason_missing"
    for filing in (one, other):
        by = house.by(Role.PIT_BOSS, reason="se replantea")
        assert filings.withdraw_filing(filing=filing, by=by).state == "withdrawn"


@pytest.mark.rule("PP-23", "PP-04")
def test_an_approval_holds_on_its_days_for_its_subject(house: House) -> None:
    casino = house.casino

    def ask(day: dt.date, kind: str = asked.SCHEME, subject: Subject = SUBJECT) -> Any:
        return lambda: filings.require_approved(casino, kind, subject, day)

    missing = refused(ask(DAY))
    assert (missing.code, missing.rule) == ("not_approved", "PP-23")
    there = presented(house)
    assert refused(ask(DAY)).code == "not_approved"
    week = DAY + dt.timedelta(days=7)
    done = decided(house, there, valid_from=DAY, valid_until=week)
    assert ask(DAY)() == ask(week)() == done
    assert refused(ask(DAY - dt.timedelta(days=1))).code == "not_approved"
    assert refused(ask(week + dt.timedelta(days=1))).code == "not_approved"
    assert refused(ask(DAY, asked.EQUIPMENT)).rule == "PP-04"
    assert refused(ask(DAY, subject=Subject("pool", 8, "Otro"))).code == "not_approved"


@pytest.mark.rule("PP-24")
def test_a_notice_counts_once_it_is_handed_in(house: House) -> None:
    kind = asked.COMPLEMENTARY
    new = drafted(house, kind)
    assert filings.presented(house.casino, kind, SUBJECT) is None
    filings.present_filing(filing=new, by=house.by(Role.COMPLIANCE))
    assert filings.presented(house.casino, kind, SUBJECT) == new
    decided(house, new, approved=False)
    assert filings.presented(house.casino, kind, SUBJECT) is None


def test_another_house_has_no_part_in_it(house: House) -> None:
    other = a_house()
    mine = drafted(house)
    with pytest.raises(SabotError):
        filings.present_filing(filing=mine, by=other.by(Role.COMPLIANCE))
    assert filings.presented(other.casino, asked.SCHEME, SUBJECT) is None
