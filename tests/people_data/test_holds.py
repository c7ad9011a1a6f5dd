"""Legal holds, and who may order what: nobody held is touched, and two people sign (REC-12, GEN-10)."""

from __future__ import annotations

import datetime as dt
from functools import partial

import pytest
from django.db import DatabaseError, transaction

from audits.models import Incident, Pseudonym
from audits.persons import erasing, holds
from casino.kernel import clock
from casino.kernel.errors import NotAllowed, NotFound, Refused, RuleViolation
from casino.kernel.permissions import Role
from tables.models import Guest
from tests.builders import NIGHT, House, a_house
from tests.guests.builders import excluded, guest, turned_away
from tests.people_data.builders import LATER, carried_out, faults, held, order, refused

# ---- holds --------------------------------------------------------------------------------------------


@pytest.mark.rule("REC-12")
def test_nobody_held_is_touched_until_two_people_lift_it(house: House) -> None:
    ana = guest(house, "Ana Poma Quispe")
    hold = held(house, "guest", ana.pk)
    assert refused(lambda: order(house, "guest"), RuleViolation).code == "nothing_over"
    compliance = house.by(Role.COMPLIANCE, NIGHT + dt.timedelta(days=1), "terminó el proceso")
    for second, code in ((Role.COMPLIANCE, "same_person"), (Role.CROUPIER, "not_qualified")):
        actor = house.users[second].actor
        said = refused(partial(holds.lift_hold, hold=hold, second=actor, by=compliance), RuleViolation)
        assert (said.rule, said.code) == ("GEN-10", code)
    holds.lift_hold(hold=hold, second=house.users[Role.ADMINISTRATOR].actor, by=compliance)
    assert carried_out(house, "guest") == 1
    assert faults(house) == []


@pytest.mark.rule("REC-12")
def test_a_hold_put_after_the_order_is_kept_too(house: House) -> None:
    ana, luis = guest(house, "Ana Poma"), guest(house, "Luis Rojas")
    given = order(house, "guest")
    held(house, "guest", ana.pk, LATER)
    with clock.standing_at(LATER):
        assert erasing.carry_out(given) == 1
        by = erasing.by_system(house.casino, erasing.JOB)
        said = refused(lambda: erasing.pseudonymise(order=given, subject_id=ana.pk, by=by), RuleViolation)
        assert (said.rule, said.code) == ("REC-12", "under_hold")
        # Once more does nothing: the job may run twice.
        assert erasing.carry_out(given) == 0
    assert (
        Guest.objects.get(pk=ana.pk).name == "Ana Poma" and Guest.objects.get(pk=luis.pk).name != "Luis Rojas"
    )


@pytest.mark.rule("REC-12")
def test_whoever_a_held_or_open_incident_is_about_is_not_touched(house: House) -> None:
    session = house.open_table()
    luis = guest(house, "Luis Rojas Vaca", number="777111")
    excluded(house, document_type="ci", number="777111", until=dt.date(2026, 12, 31))
    turned_away(house, session, luis)
    incident = Incident.objects.get(subject_type="guest", subject_id=luis.pk)
    assert incident.state == Incident.State.OPEN
    with clock.standing_at(LATER):
        assert erasing.over(house.casino, "guest") == ([], [luis.pk])


@pytest.mark.rule("REC-12")
def test_the_database_itself_refuses_a_pseudonym_of_somebody_held(house: House) -> None:
    ana = guest(house)
    given = order(house, "guest")
    held(house, "guest", ana.pk, LATER)
    with pytest.raises(DatabaseError), transaction.atomic():
        Pseudonym.objects.create(
            casino=house.casino, kind="guest", subject_id=ana.pk, code="P-TEST", order=given, at=LATER
        )


def test_a_hold_needs_somebody_there_and_is_put_once(house: House) -> None:
    ana = guest(house)
    held(house, "guest", ana.pk)
    assert refused(lambda: held(house, "guest", ana.pk), Exception).code == "already_held"
    assert refused(lambda: held(house, "guest", 999_999), Refused).code == "nobody_there"
    assert refused(lambda: held(house, "nada", ana.pk), Refused).code == "unknown_kind"
    other = a_house()
    assert refused(lambda: held(other, "guest", ana.pk), Refused).code == "nobody_there"


# ---- who may ------------------------------------------------------------------------------------------


@pytest.mark.rule("GEN-10")
def test_an_order_is_two_peoples_and_compliance_gives_it(house: House) -> None:
    guest(house)
    for second, code in ((Role.COMPLIANCE, "same_person"), (Role.PIT_BOSS, "not_qualified")):
        said = refused(partial(order, house, "guest", second=second), RuleViolation)
        assert (said.rule, said.code) == ("GEN-10", code)
    other = a_house()
    with clock.standing_at(LATER), pytest.raises(NotFound):
        erasing.order_erasure(
            kind="guest",
            second=other.users[Role.ADMINISTRATOR].actor,
            by=house.by(Role.COMPLIANCE, LATER, "x y"),
        )
    for role in (Role.ADMINISTRATOR, Role.PIT_BOSS, Role.INSPECTOR):
        with clock.standing_at(LATER), pytest.raises(NotAllowed):
            erasing.order_erasure(
                kind="guest", second=house.users[Role.COMPLIANCE].actor, by=house.by(role, LATER, "venció")
            )
    given = order(house, "guest")
    with pytest.raises(NotAllowed):  # only the job carries it out
        erasing.pseudonymise(order=given, subject_id=1, by=house.by(Role.COMPLIANCE))


def test_an_order_of_another_house_touches_nobody_here(house: House) -> None:
    ana = guest(house, "Ana Poma")
    other = a_house()
    guest(other, "Luis Rojas")
    assert carried_out(other, "guest") == 1
    assert Guest.objects.get(pk=ana.pk).name == "Ana Poma"
