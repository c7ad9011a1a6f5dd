"""A code used twice at once opens once; two draws at once on a day are one; a count is answered once."""

from __future__ import annotations

import pytest
from django.test import RequestFactory

from audits.by import by_user
from audits.inspections import access, counting, drawing, entering, visits
from audits.inspections.proofs import inspection_faults
from audits.models import InspectionAnswer, InspectionDraw, InspectorAccess
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from casino.models import User
from tests.builders import House
from tests.races.racing import race

pytestmark = [pytest.mark.race, pytest.mark.rule("REC-11")]


def a_code(house: House, card: str, entries: int = 1) -> str:
    by = by_user(house.users[Role.ADMINISTRATOR])
    made = access.give_access(name=f"Inspectora {card}", credential=card, entries=entries, by=by)
    return made.code


def enter(code: str, card: str, place: int) -> User:
    request = RequestFactory().post("/inspeccion/", REMOTE_ADDR=f"10.0.0.{place}")
    return entering.enter(request=request, credential=card, code=code, way="page")[0]


def refusals(answers: list[object]) -> list[str]:
    assert all(isinstance(a, SabotError) for a in answers if isinstance(a, Exception)), answers
    return [answer.code for answer in answers if isinstance(answer, SabotError)]


def test_a_code_used_at_once_from_three_places_opens_once(house: House) -> None:
    code = a_code(house, "AJ-1")
    answers = race(*[lambda n=n: enter(code, "AJ-1", n) for n in range(3)])
    assert refusals(answers) == ["code_spent", "code_spent"]
    assert InspectorAccess.objects.get().entries == 1
    assert list(inspection_faults(house.casino)) == []


def test_guesses_sent_at_once_are_all_counted_and_lock_the_code(house: House) -> None:
    code = a_code(house, "AJ-1")
    wrong = code[:5] + "2222-2222-2222"
    answers = race(*[lambda n=n: enter(wrong, "AJ-1", n) for n in range(6)])
    assert refusals(answers) == ["bad_credentials"] * 6
    found = InspectorAccess.objects.get()
    assert (found.attempts, found.state) == (5, "locked")
    assert list(inspection_faults(house.casino)) == []


def test_two_draws_at_once_on_a_day_are_one_and_a_count_is_answered_once(house: House) -> None:
    session = house.open_table()
    inspectors = [enter(a_code(house, card), card, 1) for card in ("AJ-1", "AJ-2")]
    open_visits = [visits.open_inspection(by=by_user(user)) for user in inspectors]
    pairs = list(zip(open_visits, inspectors, strict=True))
    answers = race(
        *[
            lambda visit=visit, user=user: drawing.announce_draw(inspection=visit, wanted=1, by=by_user(user))
            for visit, user in pairs
        ]
    )
    assert refusals(answers) == ["drawn_today"]
    row = InspectionDraw.objects.get()
    (owner,) = [user for visit, user in pairs if visit.pk == row.inspection_id]
    said = race(
        *[
            lambda word=word: drawing.draw_tables(draw_row=row, word=word, by=by_user(owner))
            for word in ("quirquincho", "vicuña")
        ]
    )
    assert refusals(said) == ["already_drawn"]
    count = counting.record_count(
        inspection=row.inspection,
        kind="tables.pack",
        target=session.pk,
        counted=counting.Counted(total=312),
        by=by_user(owner),
    )
    signed = race(
        *[
            lambda role=role: counting.answer_count(count=count, agrees=True, by=by_user(house.users[role]))
            for role in (Role.PIT_BOSS, Role.SUPERVISOR)
        ]
    )
    assert refusals(signed) == ["answered_already"]
    assert InspectionAnswer.objects.count() == 1
    assert list(inspection_faults(house.casino)) == []
