"""Nobody signs in as another by a password put into the database: logins are held to what the trail commits
to (REC-06, GEN-10)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, make_password
from django.db import connection
from django.test import Client

from audits import committing, people
from audits.login_proofs import login_faults
from audits.models import Actor, Event
from audits.verify import trail_faults
from casino.kernel import clock
from casino.kernel.commands import one_transaction
from casino.kernel.permissions import Role
from casino.models import User
from tests.audits.conftest import PASSWORD, House

pytestmark = [pytest.mark.django_db, pytest.mark.rule("REC-06")]


class Weak(PBKDF2PasswordHasher):
    iterations = 1_000


class Stronger(PBKDF2PasswordHasher):
    iterations = 2_000


@contextmanager
def past_the_guards() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield
        cursor.execute("SET LOCAL session_replication_role = origin")


def tampered(statement: str, *values: object) -> None:
    with past_the_guards(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        assert cursor.rowcount == 1


def found(house: House) -> list[tuple[str, str]]:
    return [(one.where, one.words.en.rsplit(": ")[-1]) for one in login_faults(house.casino)]


@pytest.mark.rule("GEN-10")
def test_a_password_put_in_by_sql_is_found_and_one_given_is_not(house: House) -> None:
    user = house.person("beto", Role.CAGE)
    people.set_password(user=user, password="paño-verde-77", by=house.by())
    assert found(house) == []
    tampered("UPDATE casino_user SET password = %s WHERE id = %s", make_password("mía-9-mía"), user.pk)
    assert found(house) == [("login:beto", "digest")]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("sessions_ended = sessions_ended - 1", "sessions_ended"),
        ("language = 'en'", "language"),
        ("created = created - interval '1 day'", "created"),
    ],
)
def test_what_else_a_login_is_made_of(house: House, change: str, what: str) -> None:
    user = house.person("beto", Role.CAGE)
    people.set_active(user=user, active=False, by=house.by())
    assert found(house) == []
    tampered(f"UPDATE casino_user SET {change} WHERE id = %s", user.pk)
    assert found(house) == [("login:beto", what)]


def test_a_login_renamed_is_found(house: House) -> None:
    user = house.person("beto", Role.CAGE)
    tampered("UPDATE casino_user SET username = 'zoe' WHERE id = %s", user.pk)
    assert [(one.where, one.words.en.rsplit(": ")[-1]) for one in trail_faults(house.casino)] == [
        ("login:zoe", "username")
    ]


def test_a_login_put_in_beside_is_found(house: House) -> None:
    with past_the_guards():
        User.objects.create_user("intruso", "clave-larga-9", casino=house.casino, name="Nadie")
    assert found(house) == [("login:intruso", "actor")]


@pytest.mark.parametrize(
    "change",
    ["name = 'Otro'", "licence = 'AJ-9'", "denominations = '{100}'", "cutoff = '07:00'", "exponent = 3"],
)
def test_the_house_itself_is_held(house: House, change: str) -> None:
    assert found(house) == []
    tampered(f"UPDATE casino_casino SET {change} WHERE id = %s", house.casino.pk)
    assert found(house) == [(f"casino:{house.casino.code}", change.split()[0])]


def test_a_stronger_hash_comes_with_its_event_alone(house: House, settings: Any) -> None:
    """1,000 rounds when it was given, 2,000 today: signed in with, it is stored anew, once, and told."""
    settings.PASSWORD_HASHERS = [f"{__name__}.Weak"]
    user = house.person("beto", Role.CAGE)
    settings.PASSWORD_HASHERS = [f"{__name__}.Stronger"]
    assert User.objects.get(pk=user.pk).check_password(PASSWORD)
    assert "$1000$" in User.objects.get(pk=user.pk).password  # asked, it is not changed in passing
    for _ in range(2):
        page = Client().post("/entrar/", {"username": "beto", "password": PASSWORD})
        assert page.status_code == 302
    assert "$2000$" in User.objects.get(pk=user.pk).password
    event = Event.objects.get(action="audits.user.hash_renewed")
    assert (event.stream.name, event.actor) == ("settings", user.actor)
    assert found(house) == []


def test_a_login_from_before_is_committed_to_once(house: House) -> None:
    """As older versions told it: without password, language, sessions."""
    old = User.objects.create_user("vieja", "clave-larga-9", casino=house.casino, name="Vieja")
    actor = Actor.objects.create(casino=house.casino, user=old, kind="staff", name="Vieja")
    assert found(house) == []
    tampered("UPDATE casino_user SET language = 'en' WHERE id = %s", old.pk)
    assert found(house) == []  # of before, nobody can tell
    for _ in range(2):
        committing.prepare(house.casino, clock.now())
    event = Event.objects.get(action=committing.LOGIN)
    said = json.loads(bytes(event.body))["data"]
    assert (event.subject_id, said["username"], said["language"]) == (actor.pk, "vieja", "en")
    assert old.password not in bytes(event.body).decode()
    assert found(house) == []
    tampered("UPDATE casino_user SET password = %s WHERE id = %s", make_password("otra-clave-9"), old.pk)
    assert found(house) == [("login:vieja", "digest")]
    # Committed to again, as if that had been it: the trail shows that it was told before.
    forged = User.objects.select_related("actor").get(pk=old.pk)
    with one_transaction():
        committing.tell(forged, house.by())
    assert found(house) == [("login:vieja", "committed_once")]
