"""Logins: what roles go together, who may make them, and that each change leaves its event."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from dataclasses import replace

import pytest
from django.test import Client
from knox.models import AuthToken

from audits import people
from audits.by import by_system
from audits.models import Actor, Event
from casino.kernel import clock
from casino.kernel.errors import NotAllowed, Refused
from casino.kernel.permissions import Role
from casino.models import User

from .conftest import PASSWORD


def make(house, roles, **changes):
    values = {
        "username": "beto",
        "name": "Beto Rojas",
        "password": PASSWORD,
        "roles": roles,
        "by": house.by(),
    }
    return people.create_user(**values | changes)


def last_event():
    event = Event.objects.order_by("-pk").first()
    return event.action, json.loads(bytes(event.body))["data"]


def test_a_login_is_made_with_its_actor_and_event(house):
    user = make(house, [Role.SUPERVISOR, Role.PIT_BOSS], username="  Beto ")
    assert user.username == "beto"
    assert user.check_password(PASSWORD)
    assert user.roles == {Role.SUPERVISOR, Role.PIT_BOSS}
    assert (user.actor.kind, user.actor.name, user.actor.casino) == ("staff", "Beto Rojas", house.casino)
    action, data = last_event()
    assert action == "audits.user.created"
    assert data["roles"] == ["pit_boss", "supervisor"]
    assert PASSWORD not in json.dumps(data)


@pytest.mark.rule("REC-11")
@pytest.mark.parametrize("other", sorted(set(Role) - {Role.INSPECTOR, Role.SYSTEM, Role.DEVICE}))
def test_the_inspector_has_no_other_role(house, other):
    with pytest.raises(Refused) as caught:
        make(house, [Role.INSPECTOR, other])
    assert (caught.value.rule, caught.value.field) == ("REC-11", "roles")
    inspector = make(house, [Role.INSPECTOR])
    with pytest.raises(Refused) as caught:
        people.set_roles(user=inspector, roles=[Role.INSPECTOR, other], by=house.by())
    assert caught.value.rule == "REC-11"
    assert User.objects.get(pk=inspector.pk).roles == {Role.INSPECTOR}


def test_a_device_is_a_device_and_nothing_else(house):
    assert make(house, [Role.DEVICE]).actor.kind == Actor.Kind.DEVICE
    with pytest.raises(Refused, match="dispositivo"):
        make(house, [Role.DEVICE, Role.CAGE], username="otro")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"roles": []}, "roles"),
        ({"roles": [Role.SYSTEM]}, "roles"),
        ({"username": "  "}, "username"),
        ({"username": "system:x"}, "username"),
        ({"username": "ADMIN-illimani"}, "username"),
        ({"name": " "}, "name"),
        ({"password": "corta"}, "password"),
        ({"password": "1234567890123"}, "password"),
        ({"password": "password123"}, "password"),
    ],
)
def test_a_login_that_makes_no_sense_is_refused_beside_its_field(house, changes, field):
    with pytest.raises(Refused) as caught:
        make(house, **{"roles": [Role.CAGE]} | changes)
    assert (caught.value.code, caught.value.field) == ("bad_user", field)
    assert User.objects.count() == 2  # the administrator and the system actor that founded the house


def test_roles_change_with_a_reason_and_both_lists_on_the_trail(house):
    user = make(house, [Role.CROUPIER])
    with pytest.raises(Refused) as caught:
        people.set_roles(user=user, roles=[Role.SUPERVISOR], by=house.by(reason=" "))
    assert caught.value.field == "reason"
    people.set_roles(user=user, roles=[Role.SUPERVISOR], by=house.by(reason="ascenso"))
    assert last_event() == (
        "audits.user.roles_set",
        {"before": ["croupier"], "after": ["supervisor"], "reason": "ascenso"},
    )


def test_a_deactivated_person_has_no_role_and_may_come_back(house):
    user = make(house, [Role.COMPLIANCE])
    people.set_active(user=user, active=False, by=house.by())
    assert User.objects.get(pk=user.pk).roles == frozenset()
    with pytest.raises(NotAllowed):
        people.note_sign_in(by=house.by(User.objects.get(pk=user.pk)), address="10.0.0.1", way="page")
    people.set_active(user=user, active=True, by=house.by())
    assert User.objects.get(pk=user.pk).roles == {Role.COMPLIANCE}
    with pytest.raises(Refused, match="sí mismo"):
        people.set_active(user=house.admin, active=False, by=house.by())


def test_what_a_login_was_signed_in_with_ends_with_it(house):
    """A token and a browser session from before the deactivation; neither revives."""
    user = make(house, [Role.PIT_BOSS])
    _kept, token = AuthToken.objects.create(user)
    header = {"HTTP_AUTHORIZATION": f"Token {token}"}
    browser = Client()
    browser.force_login(user)
    here = lambda: (  # noqa: E731
        Client().get("/api/v1/auth/me", **header).status_code,
        browser.get("/api/v1/auth/me").status_code,
    )
    assert here() == (200, 200)
    people.set_active(user=user, active=False, by=house.by())
    assert not AuthToken.objects.filter(user=user).exists()
    assert here() == (401, 401)
    people.set_active(user=user, active=True, by=house.by())
    assert here() == (401, 401)
    browser.force_login(user)
    assert browser.get("/api/v1/auth/me").status_code == 200


def test_a_job_is_not_managed_like_a_login(house):
    job = by_system(house.casino, "demo").actor.user
    for act in (
        lambda: people.set_password(user=job, password=PASSWORD, by=house.by()),
        lambda: people.set_roles(user=job, roles=[Role.PIT_BOSS], by=house.by()),
        lambda: people.set_active(user=job, active=False, by=house.by()),
    ):
        with pytest.raises(Refused) as caught:
            act()
        assert (caught.value.code, caught.value.field) == ("bad_user", "user")
    job.refresh_from_db()
    assert (job.is_active, job.role_codes) == (True, ["system"])
    assert not job.has_usable_password()


def test_logins_are_changed_when_the_clock_says(house):
    stated = replace(house.by(), occurred_at=clock.now() - dt.timedelta(days=3))
    make(house, [Role.CAGE], by=stated)
    event = Event.objects.order_by("-pk").first()
    assert clock.now() - event.occurred < dt.timedelta(minutes=1)


def test_a_new_password_is_set_and_not_told(house):
    user = make(house, [Role.CAGE])
    people.set_password(user=user, password="paño-verde-77", by=house.by())
    assert User.objects.get(pk=user.pk).check_password("paño-verde-77")
    action, data = last_event()
    stored = User.objects.get(pk=user.pk).password
    told = hashlib.sha256(stored.encode()).hexdigest()
    assert (action, data) == ("audits.user.password_set", {"reason": "prueba", "password": told})
    assert stored not in json.dumps(data)
    with pytest.raises(Refused) as caught:
        people.set_password(user=user, password="corta", by=house.by())
    assert caught.value.field == "password"


def test_only_the_administrator_makes_logins(house):
    for role in set(Role) - {Role.ADMINISTRATOR, Role.SYSTEM}:
        other = house.person(f"u-{role.value}", role)
        with pytest.raises(NotAllowed):
            make(house, [Role.CROUPIER], username="nuevo", by=house.by(other))


def test_a_sign_in_is_on_the_persons_own_stream(house):
    people.note_sign_in(by=house.by(), address="10.0.0.1", way="token")
    event = Event.objects.order_by("-pk").first()
    assert event.stream.name == f"person:{house.admin.actor.pk}"


def test_a_job_is_a_named_actor_that_cannot_sign_in(house):
    by = by_system(house.casino, "demo")
    assert (by.actor.kind, by.actor.name) == ("system", "demo")
    event = Event.objects.get(subject_type="actor", subject_id=by.actor.pk)
    assert (event.action, event.stream.name, event.actor) == ("audits.user.created", "settings", by.actor)
    assert by_system(house.casino, "demo").actor == by.actor
    assert Event.objects.filter(subject_type="actor", subject_id=by.actor.pk).count() == 1
    user = by.actor.user
    assert not user.has_usable_password()
    assert not user.check_password("!")
