"""Days that are closed and sealed, built with the house's own write functions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from audits import days
from audits.by import by_system
from audits.models import Seal, SealKey
from audits.sealing import keeping, sealing
from casino.kernel.commands import one_transaction
from casino.models import Casino, GamingDay

if TYPE_CHECKING:
    from tests.audits.conftest import House

FIRST = dt.date(2026, 11, 2)


def closed_day(casino: Casino, date: dt.date) -> GamingDay:
    """A gaming day something happened in, closed by the nightly job."""
    with one_transaction():
        day = days.day_of(casino, dt.datetime.combine(date, dt.time(20), tzinfo=dt.UTC))
    return days.close_day(day=day, by=by_system(casino, "nightly-close"))


def key_of(house: House) -> SealKey:
    return keeping.make_key(by=house.by())


def sealed(casino: Casino) -> list[Seal]:
    """Seal what is due; the seals made."""
    (outcome,) = sealing.seal_due_days(casino)
    assert outcome.waits is None, outcome.why
    return list(outcome.sealed)


def sealed_nights(house: House, nights: Iterable[dict[str, int]]) -> list[Seal]:
    """One sealed day after the other; each night so many events in each chain."""
    made = []
    for number, night in enumerate(nights):
        for stream, events in night.items():
            for event in range(events):
                house.record(stream, night=number, event=event)
        closed_day(house.casino, FIRST + dt.timedelta(days=number))
        made += sealed(house.casino)
    return made


@pytest.fixture
def key_folder(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where private keys are kept; nothing holds a day but what the test registers."""
    monkeypatch.setattr(days, "_checks", [])
    settings.KEYS_ROOT = tmp_path / "keys"
    return tmp_path / "keys"
