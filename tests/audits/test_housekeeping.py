"""Only what has served its time goes; both sides of the limit."""

from __future__ import annotations

import datetime as dt

import pytest
from knox.models import AuthToken

from audits import housekeeping
from audits.by import by_system
from audits.people import create_user
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import Casino, IdempotencyRecord, User


@pytest.fixture
def user(db: None) -> User:
    casino = Casino.objects.create(code="limpia", name="Limpia", denominations=[100])
    return create_user(
        username="ana", name="Ana", password="una clave larga 7", roles=[Role.CAGE], by=by_system(casino, "t")
    )


def answer(user: User, age: dt.timedelta) -> IdempotencyRecord:
    made = clock.now() - age
    return IdempotencyRecord.objects.create(
        user=user, key=str(age), method="POST", path="/", body_digest=bytes(32), created=made
    )


@pytest.mark.rule("REC-12")
def test_answers_go_after_their_time_and_not_before(user: User) -> None:
    old = answer(user, housekeeping.KEEP_ANSWERS + dt.timedelta(minutes=1))
    young = answer(user, housekeeping.KEEP_ANSWERS - dt.timedelta(minutes=1))
    assert housekeeping.sweep()["answers"] == 1
    assert list(IdempotencyRecord.objects.values_list("pk", flat=True)) == [young.pk] != [old.pk]


def test_only_expired_tokens_go(user: User) -> None:
    AuthToken.objects.create(user=user, expiry=dt.timedelta(seconds=-1))
    AuthToken.objects.create(user=user, expiry=dt.timedelta(hours=1))
    assert housekeeping.sweep()["tokens"] == 1
    assert AuthToken.objects.count() == 1
