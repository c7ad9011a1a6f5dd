"""The public cases of what the edges take and show: amounts, instants and dates, each by its id."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from django.test import Client, RequestFactory
from rest_framework.test import APIClient

from audits import days
from audits.api.fields import Instant, Money
from audits.pages.answers import instant_typed
from casino.kernel import clock, locking
from casino.kernel.errors import Refused
from casino.kernel.permissions import Role
from tests.builders import PASSWORD, House, a_house


@pytest.fixture
def madrid(db: None) -> House:
    return a_house(zone="Europe/Madrid")


def typed(house: House, text: str) -> dt.datetime:
    request = RequestFactory().post("/")
    request.user = house.users[Role.PIT_BOSS]
    return instant_typed(request, text, "effective_from")


def api(house: House) -> APIClient:
    client = APIClient()
    client.force_authenticate(house.users[Role.COMPLIANCE])
    return client


# ---- DJA-011: zero and large sums ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "shown"), [(0, "0.00"), (87_466_207_003_605_395_396, "874662070036053953.96")]
)
def test_dja_011_an_amount_is_a_plain_decimal_string(units: int, shown: str) -> None:
    """The library showed 0E-10 and 8.74662070036054e+17."""
    assert Money().to_representation(units) == shown


def test_dja_011_what_no_column_holds_is_refused_and_zero_is_read_as_zero() -> None:
    """0.0000000000 has more decimals than a centavo; 2^63 centavos are 92,233,720,368,547,758.08."""
    field: Any = Money()
    assert field.run_validation("0.00") == 0
    for text in ("0E-10", "8.74662070036054e+17", "874662070036053953.96"):
        with pytest.raises(Exception) as refused:
            field.run_validation(text)
        assert refused.value.get_codes() == ["bad_amount"], text  # type: ignore[attr-defined]


# ---- DJA-012: an hour that never was, and one that came twice ------------------------------------------


@pytest.mark.parametrize("wall", ["2026-03-29T02:30:00", "2026-10-25T02:30:00", "2026-03-29T03:30:00"])
def test_dja_012_the_api_takes_no_instant_without_its_zone(wall: str) -> None:
    """Required: the first is refused, the second refused or asked. The API asks for the zone of all."""
    field: Any = Instant()
    with pytest.raises(Exception) as refused:
        field.run_validation(wall)
    assert refused.value.get_codes() == ["zone_missing"]  # type: ignore[attr-defined]


def test_dja_012_a_filter_takes_none_either(madrid: House) -> None:
    client = api(madrid)
    answer = client.get("/api/v1/events", {"since": "2026-10-25T02:30:00"})
    assert answer.status_code == 400
    assert "zone_missing" in answer.content.decode()
    assert client.get("/api/v1/events", {"since": "2026-10-25T02:30:00+02:00"}).status_code == 200


@pytest.mark.parametrize(
    ("wall", "code", "said"),
    [
        ("2026-03-29T02:30", "time_skipped", "no existe"),
        ("2026-10-25T02:30", "time_twice", "2026-10-25T02:30:00+02:00 o 2026-10-25T02:30:00+01:00"),
    ],
)
def test_dja_012_a_page_refuses_them_beside_the_field(madrid: House, wall: str, code: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        typed(madrid, wall)
    assert (refused.value.code, refused.value.field) == (code, "effective_from")
    assert said in refused.value.say("es")


@pytest.mark.parametrize(
    ("wall", "instant"),
    [
        ("2026-03-29T03:30", "2026-03-29T01:30:00Z"),
        ("2026-03-29T01:59", "2026-03-29T00:59:00Z"),
        ("2026-10-25T03:00", "2026-10-25T02:00:00Z"),
        ("2026-10-25T02:30+02:00", "2026-10-25T00:30:00Z"),
        ("2026-10-25T02:30+01:00", "2026-10-25T01:30:00Z"),
    ],
)
def test_dja_012_every_other_time_is_itself(madrid: House, wall: str, instant: str) -> None:
    assert typed(madrid, wall) == dt.datetime.fromisoformat(instant)


# ---- DJA-029: west of Greenwich the evening is tomorrow -------------------------------------------------


@pytest.mark.parametrize(
    ("instant", "local"),
    [
        ("2026-07-01T01:30:00Z", "2026-06-30 21:30"),
        ("2026-06-30T23:59:00Z", "2026-06-30 19:59"),
        ("2026-07-01T09:30:00Z", "2026-07-01 05:30"),
    ],
)
def test_dja_029_the_busy_hours_belong_to_the_night_they_are_in(db: None, instant: str, local: str) -> None:
    at = dt.datetime.fromisoformat(instant)
    house = a_house(founded=dt.datetime(2026, 6, 1, tzinfo=dt.UTC))
    assert at.astimezone(ZoneInfo(house.casino.zone)).strftime("%Y-%m-%d %H:%M") == local
    with clock.standing_at(at), transaction.atomic():
        day = days.day_of(house.casino, at)
    locking.released()
    assert day.date == dt.date(2026, 6, 30)
    (row,) = api(house).get("/api/v1/days").json()["results"]
    assert row["date"] == "2026-06-30"


# ---- DJA-030: a date is no instant ----------------------------------------------------------------------


def test_dja_030_a_date_is_shown_as_it_was_given(db: None) -> None:
    house = a_house(founded=dt.datetime(2026, 6, 1, tzinfo=dt.UTC))
    with transaction.atomic():
        day = days.day_of(house.casino, dt.datetime(2026, 7, 1, 20, tzinfo=dt.UTC))
    locking.released()
    assert day.date == dt.date(2026, 7, 1)
    browser = Client()
    browser.login(username=house.users[Role.COMPLIANCE].username, password=PASSWORD)
    page = browser.get("/dias/").content.decode()
    assert "1 jul 2026" in page
    assert "30 jun" not in page
