"""What a rule refuses is on record: from a command, a page, the API; bounded, and never in the way."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from audits import exports, refusals
from audits.by import by_system
from audits.models import Refusal
from audits.models.refusals import MOST_A_MINUTE
from audits.persons import retention
from casino.kernel import clock
from casino.kernel.commands import one_transaction
from casino.kernel.errors import NotFound, RuleViolation
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from tests.audits.conftest import House

NOON = dt.datetime(2026, 11, 20, 16, 0, tzinfo=dt.UTC)


def too_short(house: House, user: Any, years: int = 9) -> None:
    with pytest.raises(RuleViolation):
        retention.set_period(kind="guest", years=years, by=house.by(user))


@pytest.mark.django_db
@pytest.mark.rule("REC-06")
def test_a_refused_command_leaves_who_which_rule_and_when(house: House) -> None:
    officer = house.person("oficial", Role.COMPLIANCE)
    with clock.standing_at(NOON):
        too_short(house, officer)
    kept = Refusal.objects.get()
    assert (kept.rule, kept.code, kept.field) == ("REC-12", "retention_too_short", "years")
    assert (kept.actor.user_id, kept.casino_id, kept.at) == (officer.pk, house.casino.pk, NOON)
    assert (kept.place, kept.method, kept.about) == ("audits.retention.set", "", "")


@pytest.mark.django_db
def test_a_refused_page_says_where_and_is_kept_once(house: House) -> None:
    officer = house.person("oficial", Role.COMPLIANCE)
    client = Client()
    client.force_login(officer)
    answer = client.post(
        "/auditoria/datos-personales/plazo/", {"kind": "guest", "years": "9", "reason": "menos papel"}
    )
    assert answer.status_code == 422
    kept = Refusal.objects.get()
    assert (kept.place, kept.method, kept.rule) == ("people-data-period", "POST", "REC-12")


@pytest.mark.django_db
def test_what_no_rule_refuses_leaves_nothing(house: House) -> None:
    officer = house.person("oficial", Role.COMPLIANCE)
    with pytest.raises(NotFound):  # there is no such report, and no rule about it
        exports.request_export(report="no.such", params={}, format="csv", language="es", by=house.by(officer))
    assert not Refusal.objects.exists()


@pytest.mark.django_db
def test_a_flood_is_bounded_and_says_so(house: House) -> None:
    officer = house.person("oficial", Role.COMPLIANCE)
    with clock.standing_at(NOON):
        for _ in range(MOST_A_MINUTE + 15):
            too_short(house, officer)
    assert list(Refusal.objects.order_by("nth").values_list("nth", flat=True)) == list(
        range(1, MOST_A_MINUTE + 1)
    )
    with clock.standing_at(NOON + dt.timedelta(minutes=1)):
        too_short(house, officer)
    assert Refusal.objects.count() == MOST_A_MINUTE + 1


@pytest.mark.django_db
def test_what_a_job_tries_again_each_minute_is_told_by_the_hour(house: House) -> None:
    job = by_system(house.casino, "exports").actor
    for minute in range(40):
        with clock.standing_at(NOON + dt.timedelta(minutes=minute)):
            refusals.keep(job, RuleViolation("GEN-03", Text("todavía no", "not yet")), "tables.limits.set")
    assert Refusal.objects.count() == MOST_A_MINUTE
    with clock.standing_at(NOON + dt.timedelta(hours=1)):
        refusals.keep(job, RuleViolation("GEN-03", Text("todavía no", "not yet")), "tables.limits.set")
    assert Refusal.objects.count() == MOST_A_MINUTE + 1


@pytest.mark.django_db
def test_inside_another_write_nothing_is_kept_by_the_command_itself(house: House) -> None:
    """What a command inside another refuses is told by whoever answers for the whole."""
    officer = house.person("oficial", Role.COMPLIANCE)
    with pytest.raises(RuleViolation), one_transaction():
        retention.set_period(kind="guest", years=1, by=house.by(officer))
    assert not Refusal.objects.exists()


@pytest.mark.django_db
def test_it_never_fails_the_answer(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    officer = house.person("oficial", Role.COMPLIANCE)
    monkeypatch.setattr(refusals, "_INSERT", "INSERT INTO nowhere VALUES (1)")
    too_short(house, officer)
    assert not Refusal.objects.exists()


@pytest.mark.django_db
@pytest.mark.rule("REC-06")
def test_nobody_changes_or_deletes_it(house: House) -> None:
    too_short(house, house.person("oficial", Role.COMPLIANCE))
    for query in ("UPDATE audits_refusal SET rule = 'GEN-01'", "DELETE FROM audits_refusal"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(query)
