"""The roster's pages: what a pit boss plans, what a supervisor notes, what a croupier sees on the phone."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse

from casino.kernel import clock
from casino.kernel.permissions import Role
from tables import sessions
from tables.models import Certificate, Shift, Staff
from tables.roster import grid
from tests.builders import NIGHT, House
from tests.roster.people import came, plan, wall


@pytest.fixture
def evening(house: House) -> Any:
    """The house at 18:40 of the 20th, its table opened at 18:00."""
    with clock.standing_at(NIGHT + dt.timedelta(minutes=40)):
        yield house


def client(house: House, role: Role) -> Client:
    made = Client()
    made.force_login(house.users[role])
    return made


def test_a_week_is_planned_from_the_page_and_shown(evening: House) -> None:
    boss, people = client(evening, Role.PIT_BOSS), evening.dealers
    asked = {
        "first": "2026-11-23", "last": "2026-11-29", "start": "22:00", "end": "06:00", "weekdays": ["4", "5"],
        "staff": [str(person.pk) for person in people], "duty": "croupier",
    }  # fmt: skip
    answer = boss.post(reverse("roster-plan"), asked)
    assert (answer.status_code, answer["Location"]) == (302, "/turnos/?from=2026-11-23")
    assert Shift.objects.count() == 6
    page = boss.get("/turnos/?from=2026-11-25").content.decode()
    assert page.count("22:00–06:00") == 6
    assert people[0].name in page
    refused = boss.post(reverse("roster-plan"), asked)
    assert refused.status_code == 409
    assert "ya tiene turno" in refused.content.decode()
    for field, value in (("first", "x"), ("start", "25:00"), ("staff", [])):
        assert boss.post(reverse("roster-plan"), asked | {field: value}).status_code == 422


@pytest.mark.rule("FLOOR-01")
def test_a_supervisor_notes_who_came_and_left(evening: House) -> None:
    ana = evening.dealers[0]
    shift = plan(evening, ana, "20 18:00", "21 02:00")
    supervisor, place = client(evening, Role.SUPERVISOR), reverse("shift-clock", args=[shift.pk])
    assert supervisor.post(place, {"do": "in", "at": "2026-11-20T17:55"}).status_code == 302
    shift.refresh_from_db()
    assert shift.came == wall("20 17:55")
    assert "presente" in supervisor.get(reverse("shift", args=[shift.pk])).content.decode()
    refused = supervisor.post(place, {"do": "out", "at": "2026-11-20T17:50"})
    assert refused.status_code == 422
    assert "posterior a la entrada" in refused.content.decode()
    assert supervisor.post(place, {"do": "out"}).status_code == 302
    assert Shift.objects.get().left == clock.now()
    assert supervisor.post(reverse("shift-plan", args=[shift.pk]), {"do": "cancel"}).status_code == 403


def test_a_pit_boss_changes_swaps_cancels_and_corrects(evening: House) -> None:
    ana, berta, _ = evening.dealers
    one, other = plan(evening, ana, "21 18:00", "22 02:00"), plan(evening, berta, "21 20:00", "22 04:00")
    boss, place = client(evening, Role.PIT_BOSS), reverse("shift-plan", args=[one.pk])
    swap = {"do": "swap", "second": str(other.pk)}
    assert "deben estar de acuerdo" in boss.post(place, swap).content.decode()
    assert boss.post(place, swap | {"agreed": "on"}).status_code == 302
    assert Shift.objects.get(pk=one.pk).staff == berta
    change = {"do": "change", "start": "2026-11-21T17:00", "end": "2026-11-21T23:00", "reason": "refuerzo"}
    assert boss.post(place, change | {"end": ""}).status_code == 422
    assert boss.post(place, change).status_code == 302
    assert Shift.objects.get(pk=one.pk).end == wall("21 23:00")
    assert boss.post(place, {"do": "cancel"}).status_code == 422
    assert boss.post(place, {"do": "cancel", "reason": "permiso"}).status_code == 302
    shown = boss.get(reverse("shift", args=[one.pk])).content.decode()
    assert "permiso" in shown
    assert "toma el turno de" in shown
    assert boss.post(place, {"do": "else"}).status_code == 404


def test_the_day_by_hour_shows_posts_and_flags_those_without_a_shift(evening: House) -> None:
    """Ana deals since 18:00 without a shift while her supervisor is on one: one flag."""
    plan(evening, evening.supervisors[0], "20 17:00", "21 01:00")
    came(evening, evening.supervisors[0], "20 17:00")
    session = evening.open_table()
    day = grid.day_by_hour(evening.casino, dt.date(2026, 11, 20), clock.now())
    assert len(day.hours) == 24
    ana = next(row for row in day.people if row.staff == evening.dealers[0])
    told = [place for place, cell in enumerate(ana.cells) if cell.posts]
    assert (told, ana.off_shift) == ([12], True)  # 18:00 is the thirteenth hour from 06:00
    page = client(evening, Role.SUPERVISOR).get(reverse("roster-day", args=["2026-11-20"])).content.decode()
    assert "En un puesto sin turno" in page
    assert page.count(session.table.name) >= 3
    assert client(evening, Role.SUPERVISOR).get(reverse("roster-day", args=["2026-13-40"])).status_code == 404


@pytest.mark.parametrize(("day", "hours"), [((2026, 3, 29), 23), ((2026, 10, 25), 25), ((2026, 3, 30), 24)])
def test_a_day_has_as_many_hours_as_pass(evening: House, day: tuple[int, int, int], hours: int) -> None:
    """Madrid with the cut-off at midnight: 29 March has 23 hours, 25 October 25."""
    evening.casino.zone, evening.casino.cutoff = "Europe/Madrid", dt.time(0)
    slots = grid.day_by_hour(evening.casino, dt.date(*day), clock.now()).hours
    assert len(slots) == hours
    assert slots[0].astimezone(ZoneInfo("Europe/Madrid")).hour == 0


def test_a_certificate_is_recorded_from_the_page_by_the_administrator_alone(evening: House) -> None:
    ana = evening.dealers[0]
    asked = {"game": "blackjack.classic", "since": "2026-11-01", "certified_by": "Escuela", "document": "A-1"}
    place = reverse("people-certify", args=[ana.pk])
    assert client(evening, Role.PIT_BOSS).post(place, asked).status_code == 403
    admin = client(evening, Role.ADMINISTRATOR)
    assert admin.post(place, asked | {"until": "2026-10-01"}).status_code == 422
    assert admin.post(place, asked | {"since": ""}).status_code == 422
    assert admin.post(place, asked | {"until": "2026-11-25"}).status_code == 302
    assert Certificate.objects.get().until == dt.date(2026, 11, 25)
    page = client(evening, Role.INSPECTOR).get(reverse("people")).content.decode()
    assert "5 días" in page
    assert "A-1" in admin.get(reverse("people-one", args=[ana.pk])).content.decode()


@pytest.mark.rule("FLOOR-03")
def test_a_croupier_sees_the_own_post_and_clocks_in(evening: House) -> None:
    """On since 18:00 and asked at 18:40: 20 minutes until the relief."""
    mine = client(evening, Role.CROUPIER)
    assert "no es de nadie" in mine.get(reverse("my-post")).content.decode()
    assert mine.post(reverse("my-clock"), {"do": "in"}).status_code == 422
    ana = evening.dealers[0]
    Staff.objects.filter(pk=ana.pk).update(user=evening.users[Role.CROUPIER])
    plan(evening, ana, "20 18:00", "21 02:00")
    session = evening.open_table()
    page = mine.get(reverse("my-post")).content.decode()
    assert session.table.name in page
    assert "<b>20</b> min hasta el relevo" in page
    assert mine.post(reverse("my-clock"), {"do": "in"}).status_code == 302
    assert Shift.objects.get().came == clock.now()
    board = mine.get(reverse("my-post"), headers={"HX-Request": "true"})
    assert "<html" not in board.content.decode()
    again = mine.get(reverse("my-post"), headers={"HX-Request": "true", "If-None-Match": board["ETag"]})
    assert again.status_code == 304
    assert "relévela primero" in mine.post(reverse("my-clock"), {"do": "out"}).content.decode()
    assert mine.get(reverse("roster")).status_code == 403


def test_the_relief_page_offers_those_in_the_house_first(evening: House) -> None:
    plan(evening, evening.dealers[2], "20 17:00", "21 01:00")
    came(evening, evening.dealers[2], "20 17:00")
    session = evening.open_table()
    page = (
        client(evening, Role.SUPERVISOR)
        .get(reverse("table-relieve", args=[session.table.name]))
        .content.decode()
    )
    first, second = page.index(evening.dealers[2].name), page.index(evening.dealers[1].name)
    assert first < second
    assert page.count("sin turno") == 2  # the other dealer and the free supervisor


@pytest.mark.rule("FLOOR-03")
def test_the_relief_page_says_who_has_not_rested(evening: House) -> None:
    """Ana dealt 18:00 to 18:30; asked at 18:40 she has rested ten of her twenty minutes."""
    session = evening.open_table()
    by = evening.by(Role.SUPERVISOR, NIGHT + dt.timedelta(minutes=30))
    sessions.relieve(session=session, staff=evening.dealers[1], post="dealer", by=by)
    page = (
        client(evening, Role.SUPERVISOR)
        .get(reverse("table-relieve", args=[session.table.name]))
        .content.decode()
    )
    assert page.count("descansó sólo 10 min") == 1


def test_pages_of_another_house_are_not_there(evening: House) -> None:
    from tests.builders import a_house

    shift = plan(evening, evening.dealers[0], "20 18:00", "21 02:00")
    stranger = client(a_house(), Role.PIT_BOSS)
    for name, pk in (("shift", shift.pk), ("people-one", evening.dealers[0].pk)):
        assert stranger.get(reverse(name, args=[pk])).status_code == 404
    assert (
        stranger.post(reverse("shift-plan", args=[shift.pk]), {"do": "cancel", "reason": "x"}).status_code
        == 404
    )
