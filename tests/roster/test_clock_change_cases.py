"""Cases of `shifts` about clock changes, planned by the house's own acts and read back through the API."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import Casino
from tables.roster import certificates
from tables.roster.proofs import roster_faults
from tests.builders import House, a_house
from tests.roster.test_roster_api import client

LA_PAZ, MADRID = "America/La_Paz", "Europe/Madrid"
FOUNDED = dt.datetime(2026, 2, 1, tzinfo=dt.UTC)


@pytest.fixture
def server_in_madrid(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", MADRID)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def planned(house: House, date: str, start: str, end: str) -> dict[str, Any]:
    """Hours of the wall planned over the API for one date a week ahead, and the shift as it is read back."""
    boss, day = client(house, Role.PIT_BOSS), dt.date.fromisoformat(date)
    noon = dt.datetime.combine(day, dt.time(12), tzinfo=dt.UTC)
    with clock.standing_at(noon - dt.timedelta(days=7)):
        asked = {
            "staff": [house.dealers[0].pk], "first": date, "last": date, "weekdays": [day.weekday()],
            "start": start, "end": end,
        }  # fmt: skip
        made = boss.post("/api/v1/shifts/pattern", asked, format="json")
        assert made.status_code == 201, made.content
        read: dict[str, Any] = boss.get(f"/api/v1/shifts/{made.json()[0]['id']}").json()
    assert list(roster_faults(house.casino)) == []
    return read


def instants(shift: dict[str, Any]) -> list[dt.datetime]:
    return [dt.datetime.fromisoformat(shift[end]) for end in ("start", "end")]


def test_shi_011_a_daily_pattern_keeps_the_wall_clock_on_the_day_of_the_change(db: None) -> None:
    """SHI-011: Madrid, 29 March 2026, 13:00 to 18:00 is 11:00Z to 16:00Z: five hours."""
    shift = planned(a_house(zone=MADRID, founded=FOUNDED), "2026-03-29", "13:00", "18:00")
    assert [at.astimezone(dt.UTC).isoformat() for at in instants(shift)] == [
        "2026-03-29T11:00:00+00:00",
        "2026-03-29T16:00:00+00:00",
    ]
    assert [f"{at.astimezone(ZoneInfo(MADRID)):%H:%M}" for at in instants(shift)] == ["13:00", "18:00"]
    assert (shift["day"], shift["minutes"]) == ("2026-03-29", 300)


@pytest.mark.parametrize("date", ["2026-03-28", "2026-10-24"])
def test_shi_015_a_night_in_la_paz_is_eight_hours_wherever_the_server_stands(
    db: None, server_in_madrid: None, date: str
) -> None:
    """SHI-015: 22:00 to 06:00 in La Paz, UTC-4 all year, is 02:00Z to 10:00Z on the nights of Madrid's
    changes."""
    shift = planned(a_house(zone=LA_PAZ, founded=FOUNDED), date, "22:00", "06:00")
    morning = dt.date.fromisoformat(date) + dt.timedelta(days=1)
    assert instants(shift) == [dt.datetime.combine(morning, dt.time(hour), tzinfo=dt.UTC) for hour in (2, 10)]
    assert (shift["day"], shift["minutes"]) == (date, 8 * 60)


@pytest.mark.parametrize(("date", "lasts"), [("2026-03-28", 7), ("2026-10-24", 9)])
def test_the_same_nights_in_madrid_are_seven_and_nine_hours(db: None, date: str, lasts: int) -> None:
    """The counterpart: at 02:00 the clocks go to 03:00, and in October at 03:00 back to 02:00."""
    shift = planned(a_house(zone=MADRID, founded=FOUNDED), date, "22:00", "06:00")
    assert (shift["day"], shift["minutes"]) == (date, lasts * 60)


def test_shi_010_days_left_are_counted_on_the_calendar(db: None) -> None:
    """SHI-010: from midnight of 24 March 2017 to that of the 27th 71 hours pass in Madrid, and three days."""
    house = a_house(zone=MADRID, founded=dt.datetime(2017, 2, 1, tzinfo=dt.UTC))
    Casino.objects.filter(pk=house.casino.pk).update(cutoff=dt.time(0))
    house.casino.refresh_from_db()
    first, last = (dt.datetime(2017, 3, day, tzinfo=ZoneInfo(MADRID)).astimezone(dt.UTC) for day in (24, 27))
    assert last - first == dt.timedelta(hours=71)
    ends = house.person(licence_expires=dt.date(2017, 3, 27))
    with clock.standing_at(first):
        told = client(house, Role.ADMINISTRATOR).get("/api/v1/staff/expiring").json()["results"]
        assert [(row["staff_id"], row["days"]) for row in told] == [(ends.pk, 3)]
    left = [certificates.expiring(house.casino, house.casino.gaming_day(at))[0].days for at in (first, last)]
    assert left == [3, 0]
