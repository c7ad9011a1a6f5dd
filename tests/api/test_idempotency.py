"""A request sent twice is done once."""

from __future__ import annotations

import threading
import uuid
from typing import Any

import pytest
from django.db import connection, transaction

from audits.models import Event
from casino.idempotency import request_id
from casino.kernel.permissions import Role
from casino.models import IdempotencyRecord, User
from tables.models import Round
from tests.api.building import PASSWORD, House, make_house
from tests.api.floor import EVENTS, Floor, key, receipt

USERS = "/api/v1/users"


def body(username: str = "nueva", **more: Any) -> dict[str, Any]:
    return {"username": username, "name": "Nueva", "password": PASSWORD, "roles": ["cage"], **more}


def test_the_same_request_is_answered_again_and_not_done_again(house: House) -> None:
    admin, header = house.client(Role.ADMINISTRATOR), key()
    first = admin.post(USERS, body(), **header)
    again = admin.post(USERS, body(), **header)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content
    assert "Idempotent-Replay" not in first
    assert again["Idempotent-Replay"] == "true"
    assert User.objects.filter(username="nueva").count() == 1
    event = Event.objects.get(action="audits.user.created", subject_label="Nueva")
    assert str(event.request) == header["HTTP_IDEMPOTENCY_KEY"]


def test_the_key_with_another_request_is_a_conflict(house: House) -> None:
    admin, header = house.client(Role.ADMINISTRATOR), key()
    admin.post(USERS, body(), **header)
    other_body = admin.post(USERS, body("otra"), **header)
    assert (other_body.status_code, other_body.json()["code"]) == (409, "idempotency_conflict")
    other_path = admin.post(f"{USERS}/{house.users[Role.CAGE].pk}/deactivate", body(), **header)
    assert other_path.json()["code"] == "idempotency_conflict"
    assert not User.objects.filter(username="otra").exists()


def test_a_refusal_leaves_the_key_free_for_the_corrected_request(house: House) -> None:
    admin, header = house.client(Role.ADMINISTRATOR), key()
    assert admin.post(USERS, body(password="123"), **header).status_code == 422
    assert not IdempotencyRecord.objects.exists()
    assert admin.post(USERS, body(), **header).status_code == 201


def test_keys_are_each_users_own(house: House) -> None:
    header = key()
    boss, chief = house.client(Role.PIT_BOSS), house.client(Role.SUPERVISOR)
    assert boss.post("/api/v1/decks", receipt(house, ["S-1"]), **header).status_code == 201
    other = chief.post("/api/v1/decks", receipt(house, ["S-2"]), **header)
    assert other.status_code == 201
    assert "Idempotent-Replay" not in other


@pytest.mark.parametrize("bad", ["", "with space", "ñ", "k" * 201])
def test_acts_on_money_need_a_proper_key(house: House, bad: str) -> None:
    boss = house.client(Role.PIT_BOSS)
    headers = {"HTTP_IDEMPOTENCY_KEY": bad} if bad else {}
    answer = boss.post("/api/v1/sessions/1/rounds", {"number": 1, "events": EVENTS}, **headers)
    assert answer.status_code == 400
    assert answer.json()["code"] in {"idempotency_key_missing", "idempotency_key_invalid"}


def test_a_key_that_is_no_uuid_becomes_one_of_its_user(house: House) -> None:
    one, other = house.users[Role.PIT_BOSS], house.users[Role.SUPERVISOR]
    known = uuid.uuid4()
    assert request_id(one, str(known)) == known
    assert request_id(one, "tablet-7") == request_id(one, "tablet-7") != request_id(other, "tablet-7")
    assert request_id(one, "") is None


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_two_at_once_are_one_round_and_one_answer() -> None:
    floor = Floor(make_house())
    session, header = floor.open(), key()
    clients = [floor.house.client(Role.DEVICE) for _ in range(4)]
    barrier, answers = threading.Barrier(4), []

    def send(client: Any) -> None:
        barrier.wait()
        try:
            answers.append(
                client.post(
                    f"/api/v1/sessions/{session['id']}/rounds", {"number": 1, "events": EVENTS}, **header
                )
            )
        finally:
            connection.close()

    threads = [threading.Thread(target=send, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [201] * 4
    assert len({answer.content for answer in answers}) == 1
    assert sorted("Idempotent-Replay" in answer for answer in answers) == [False, True, True, True]
    assert Round.objects.count() == 1


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_the_second_is_told_busy_when_the_first_takes_too_long() -> None:
    house, header = make_house(), key()
    admin = house.client(Role.ADMINISTRATOR)
    claimed, done = threading.Event(), threading.Event()

    def hold() -> None:
        """The first of two: it has taken the key and is still at work."""
        with transaction.atomic():
            IdempotencyRecord.objects.create(
                user=house.users[Role.ADMINISTRATOR], key=header["HTTP_IDEMPOTENCY_KEY"], method="POST",
                path=USERS, body_digest=bytes(32),
            )  # fmt: skip
            claimed.set()
            done.wait()
            transaction.set_rollback(True)
        connection.close()

    first = threading.Thread(target=hold)
    first.start()
    claimed.wait()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '200ms'")
        second = admin.post(USERS, body(), **header)
    finally:
        done.set()
        first.join()
        connection.close()
    assert (second.status_code, second.json()["code"]) == (409, "busy")
    assert second["Retry-After"] == "3"
    assert admin.post(USERS, body(), **header).status_code == 201
