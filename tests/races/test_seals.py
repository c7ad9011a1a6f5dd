"""Seals made by many at once, over a house at work, while the key changes: one seal a day, of one moment."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from audits import trail
from audits.by import by_system
from audits.models import Event, Seal, SealKey
from audits.sealing import checking, keeping, sealing
from audits.sealing.reading import leaves_of
from casino.kernel.commands import one_transaction
from casino.kernel.errors import Conflict
from casino.models import GamingDay
from tests.audits.seal_days import FIRST, closed_day, key_folder  # noqa: F401
from tests.builders import House
from tests.races.racing import race

pytestmark = [
    pytest.mark.race,
    pytest.mark.rule("REC-06"),
    pytest.mark.usefixtures("key_folder"),
]
DAYS = 4


def days(house: House) -> list[GamingDay]:
    made = [closed_day(house.casino, FIRST + dt.timedelta(days=number)) for number in range(DAYS)]
    keeping.make_key(by=by_system(house.casino, "setup"))
    return made


def faults(house: House) -> list[Any]:
    return list(checking.seal_faults(house.casino))


def test_six_jobs_at_once_give_one_seal_a_day(house: House) -> None:
    days(house)
    by_system(house.casino, sealing.JOB)
    answers = race(*[lambda: sealing.seal_due_days(house.casino)] * 6)
    assert None not in answers
    assert not [
        answer for answer in answers if isinstance(answer, Exception) and not isinstance(answer, Conflict)
    ]
    sealing.seal_due_days(house.casino)  # what a loser left
    assert Seal.objects.count() == DAYS
    assert Event.objects.filter(action=sealing.SEALED).count() == DAYS
    assert faults(house) == []


def test_what_one_act_wrote_in_two_chains_is_sealed_whole_or_not_at_all(house: House) -> None:
    days(house)
    by = by_system(house.casino, "setup")

    def writes() -> bool:
        for number in range(60):
            with one_transaction():
                for stream in ("pair:a", "pair:b"):
                    trail.record(
                        "audits.casino.set",
                        stream=stream,
                        subject=trail.Subject("casino", house.casino.pk, "x"),
                        by=by,
                        data={"number": number},
                    )
        return True

    answers = race(writes, lambda: sealing.seal_due_days(house.casino))
    assert None not in answers
    sealing.seal_due_days(house.casino)
    for seal in Seal.objects.select_related("day"):
        seqs = {name: seq for name, seq, _ in leaves_of(seal)}
        assert seqs.get("pair:a") == seqs.get("pair:b")
    assert Seal.objects.count() == DAYS
    assert faults(house) == []


def test_keys_rotated_while_days_are_sealed(house: House) -> None:
    days(house)
    by_system(house.casino, sealing.JOB)
    by = by_system(house.casino, "setup")

    def rotates() -> SealKey:
        return keeping.rotate_key(by=by)

    answers = race(*[rotates] * 4, lambda: sealing.seal_due_days(house.casino))
    assert None not in answers
    unknown = [one for one in answers if isinstance(one, Exception) and not isinstance(one, Conflict)]
    assert unknown == []
    sealing.seal_due_days(house.casino)
    assert SealKey.objects.filter(until=None).count() == 1
    rotated = sum(isinstance(answer, SealKey) for answer in answers)
    assert SealKey.objects.count() == rotated + 1
    assert Seal.objects.count() == DAYS
    assert faults(house) == []
