"""How each rule is kept: code and tests of it, and what happened in a period: applied, refused, decided."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from audits import coverage, exports, people
from audits.coverage_report import CoverageReport
from audits.models import Export
from audits.persons import retention
from casino import tracing
from casino.kernel import clock, rulebook
from casino.kernel.errors import RuleViolation
from casino.kernel.permissions import Role
from tests.audits.conftest import House
from tests.audits.conftest import found as founded

DAY = dt.date(2026, 11, 20)
NOON = dt.datetime(2026, 11, 20, 16, 0, tzinfo=dt.UTC)
"""At noon in La Paz, gaming day 2026-11-20."""


@pytest.fixture
def evening(house: House) -> House:
    """Two refusals of one officer, one of another, and one setting under REC-12 with its reason."""
    first, second = house.person("oficial", Role.COMPLIANCE), house.person("suplente", Role.COMPLIANCE)
    with clock.standing_at(NOON):
        for user, years in ((first, 9), (first, 8), (second, 7)):
            with pytest.raises(RuleViolation):
                retention.set_period(kind="guest", years=years, by=house.by(user))
        retention.set_period(kind="guest", years=12, by=house.by(second, reason="criterio de la casa"))
    return house


def happened(house: House, day: dt.date = DAY) -> coverage.Evidence:
    start, end = clock.day_bounds(day, house.casino.zone, house.casino.cutoff)
    return coverage.evidence(house.casino, start, end).get("REC-12", coverage.Evidence())


@pytest.mark.django_db
@pytest.mark.rule("REC-06")
def test_evidence_counts_what_was_applied_refused_and_decided_and_by_whom(evening: House) -> None:
    found = happened(evening)
    assert (found.applied, found.refused, found.reasoned, found.or_more) == (1, 3, 1, False)
    assert coverage.names(found.refused_to, evening.casino).es == "Oficial (2), Suplente (1)"
    assert coverage.names(found.reasoned_by, evening.casino).es == "Suplente (1)"


@pytest.mark.django_db
def test_another_day_and_another_house_show_nothing_of_it(evening: House) -> None:
    nothing = coverage.Evidence()
    assert happened(evening, DAY - dt.timedelta(days=1)) == nothing
    assert happened(evening, DAY + dt.timedelta(days=1)) == nothing
    assert happened(founded("sajama")) == nothing


def rules_shown(house: House, **sieve: str) -> set[str]:
    start, end = clock.day_bounds(DAY, house.casino.zone, house.casino.cutoff)
    return {one.rule.id for one in coverage.covered(house.casino, start, end, **sieve)}


@pytest.mark.django_db
def test_rules_are_narrowed_by_source_treatment_and_state(evening: House) -> None:
    book = rulebook.rules()
    assert rules_shown(evening) == set(book)
    assert rules_shown(evening, source="aj") == {name for name, rule in book.items() if rule.source == "aj"}
    assert rules_shown(evening, show="waiting") == {
        name for name in tracing.waiting() if tracing.trace(name).state == "waiting"
    }
    assert rules_shown(evening, show="refused") == {"REC-12"}
    assert rules_shown(evening, show="reasoned") == {"REC-12"}
    never = rules_shown(evening, show="never_refused")
    assert "REC-12" not in never and all(book[name].enforce == "refuse" for name in never)
    assert "REC-12" not in rules_shown(evening, show="never_applied")
    assert all(not tracing.trace(name).code for name in rules_shown(evening, show="unenforced"))
    assert all(not tracing.trace(name).tests for name in rules_shown(evening, show="untested"))


def client(house: House, user: Any) -> Client:
    found = Client()
    found.force_login(user)
    return found


@pytest.mark.django_db
def test_the_page_is_for_who_answers_for_the_rules(evening: House) -> None:
    inspector = evening.person("inspectora", Role.INSPECTOR)
    dealer = evening.person("crupier", Role.CROUPIER)
    asked = {"first": "2026-11-20", "last": "2026-11-20", "source": "", "show": "refused"}
    said = client(evening, inspector).get("/auditoria/reglas/", asked)
    assert said.status_code == 200
    text = said.content.decode()
    assert "REC-12" in text and "Oficial (2), Suplente (1)" in text and "BAC-15" not in text
    assert client(evening, dealer).get("/auditoria/reglas/").status_code == 403
    for bad in ({"first": "nunca"}, {"first": "0001-01-01"}, {"last": "9999-12-31"}, {"show": "<b>"}):
        assert client(evening, inspector).get("/auditoria/reglas/", bad).status_code == 200
    people.set_active(user=inspector, active=False, by=evening.by())
    assert client(evening, inspector).get("/auditoria/reglas/").status_code == 302


@pytest.mark.django_db
def test_a_rules_page_says_it_in_both_languages_with_what_happened(evening: House) -> None:
    inspector = evening.person("inspectora", Role.INSPECTOR)
    with clock.standing_at(NOON + dt.timedelta(hours=1)):
        text = client(evening, inspector).get("/reglas/REC-12/").content.decode()
    assert "Nada se elimina antes de 10 años" in text and "Nothing is deleted before 10 years" in text
    assert "retention_too_short" in text and "12 años" in text
    assert "Oficial (2), Suplente (1)" in text
    dealer = client(evening, evening.person("crupier", Role.CROUPIER))
    assert "retention_too_short" not in dealer.get("/reglas/REC-12/").content.decode()


@pytest.mark.django_db
def test_the_report_says_the_same_in_every_format(evening: House, files: Any) -> None:
    inspector = evening.person("inspectora", Role.INSPECTOR)
    params = {"first": "2026-11-20", "last": "2026-11-20", "show": "refused"}
    for format in ("csv", "xlsx", "pdf"):
        order = exports.request_export(
            report="audits.coverage", params=params, format=format, language="es-bo", by=evening.by(inspector)
        )
        exports.produce(order.pk)
        assert Export.objects.get(pk=order.pk).state == Export.State.DONE, format
    (row,) = CoverageReport().rows(
        evening.casino, {"first": DAY, "last": DAY, "show": "refused", "source": "", "enforce": ""}
    )
    assert (row["rule"], row["applied"], row["refused"], row["reasoned"]) == ("REC-12", 1, 3, 1)
    assert "audits/persons/retention.py" in str(row["code"])


def test_the_form_speaks_both_languages() -> None:
    from django.utils.translation import override

    with override("en"):
        assert str(dict(coverage_choices())["refused"]) == "That refused something"
    with override("es-bo"):
        assert str(dict(coverage_choices())["refused"]) == "Que impidieron algo"


def coverage_choices() -> Any:
    from audits.reports.choices import spoken

    return spoken(coverage.SHOW, "")
