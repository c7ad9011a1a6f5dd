"""What strangers try at the roster: nonsense, scripts, other houses' ids, others' hours, rows forged."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rest_framework.test import APIClient

from audits.reports.document import prepare
from audits.reports.formats import csv
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables import people
from tables.models import Certificate, Shift, Staff
from tables.roster import certificates, shifts
from tables.roster.proofs import roster_faults
from tables.roster.reports import HoursReport
from tests.builders import NIGHT, House, a_house
from tests.roster.people import PLANNED_AT, came, left, plan, wall
from tests.roster.test_roster_api import client as api
from tests.roster.test_roster_pages import client as page


def code_of(call: Any, **given: Any) -> str:
    with pytest.raises(SabotError) as caught:
        call(**given)
    return caught.value.code


# -- what is sent


@pytest.mark.parametrize(
    "dates",
    [("9999-12-31", "9999-12-31"), ("0001-01-01", "0001-01-01"), ("2026-11-22", "9999-12-31")],
)
def test_a_pattern_at_the_ends_of_the_calendar_is_refused(house: House, dates: tuple[str, str]) -> None:
    asked = {
        "staff": [house.dealers[0].pk], "first": dates[0], "last": dates[1], "weekdays": list(range(7)),
        "start": "18:00", "end": "02:00",
    }  # fmt: skip
    answer = api(house, Role.PIT_BOSS).post("/api/v1/shifts/pattern", asked, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_pattern")
    assert not Shift.objects.exists()


def test_nonsense_is_refused_and_changes_nothing(house: House) -> None:
    ana = house.dealers[0]
    Staff.objects.filter(pk=ana.pk).update(user=house.users[Role.CROUPIER])
    shift = plan(house, ana, "20 18:00", "21 02:00")
    with clock.standing_at(NIGHT):
        assert page(house, Role.CROUPIER).post(reverse("my-clock"), {"do": "x"}).status_code == 404
        boss = page(house, Role.PIT_BOSS)
        asked = {"first": "2026-11-23", "last": "2026-11-23", "start": "18:00", "end": "02:00"}
        for staff in ("9" * 5000, "x", "-1", "٣"):
            answer = boss.post(reverse("roster-plan"), asked | {"weekdays": "0", "staff": staff})
            assert answer.status_code == 422
        change = {"do": "change", "start": "2026-11-21T17:00", "end": "2026-11-21T23:00"}
        place = reverse("shift-plan", args=[shift.pk])
        for field, text in (("duty", "a\x00b"), ("duty", "x" * 61), ("reason", "​"), ("reason", "x" * 501)):
            asked = change | {"reason": "refuerzo", field: text}
            assert boss.post(place, asked).status_code in (400, 422), field
    shift.refresh_from_db()
    assert (shift.state, shift.start, shift.duty) == ("planned", wall("20 18:00"), "")


def test_names_duties_and_reasons_are_text_on_every_page(house: House) -> None:
    script = "<script>alert(1)</script>"
    one = house.dealers[0]
    people.set_staff(
        number=one.number, name=script, licence=one.licence, licence_expires=one.licence_expires,
        games=one.games, staff=one, by=house.by(Role.ADMINISTRATOR, reason="prueba"),
    )  # fmt: skip
    one.refresh_from_db()
    shift = plan(house, one, "20 18:00", "21 02:00", duty=script)
    plan(house, house.dealers[1], "21 18:00", "22 02:00")
    by = house.by(Role.SUPERVISOR, wall("20 19:00"), script)
    shifts.mark_absent(shift=shift, by=by)
    with clock.standing_at(wall("20 20:00")):
        boss = page(house, Role.PIT_BOSS)
        for name, args in (
            ("roster", []), ("roster-day", ["2026-11-20"]), ("roster-plan", []), ("shift", [shift.pk]),
            ("people", []), ("people-one", [one.pk]),
        ):  # fmt: skip
            shown = boss.get(reverse(name, args=args)).content.decode()
            assert script not in shown, name
            assert "&lt;script&gt;" in shown, name


def test_a_formula_in_a_name_leaves_as_text(house: House, tmp_path: Path) -> None:
    """A spreadsheet would run `=1+1`; an apostrophe in front keeps it text."""
    plan(house, house.person(name="=1+1"), "20 18:00", "21 02:00")
    params = {"first": dt.date(2026, 11, 20), "last": dt.date(2026, 11, 20)}
    file = tmp_path / "hours.csv"
    csv.write(prepare(HoursReport(), house.casino, params, "es-bo"), file, lambda _rows: None)
    text = file.read_text("utf-8-sig")
    assert ",'=1+1," in text
    assert ",=1+1" not in text


def test_ids_of_another_house_are_none_of_ours(house: House) -> None:
    """Every address of the roster, by the other house's pit boss and administrator."""
    theirs = a_house()
    shift, person = plan(theirs, theirs.dealers[0], "20 18:00", "21 02:00"), theirs.dealers[0]
    own = plan(house, house.dealers[0], "20 18:00", "21 02:00")
    boss, admin, pages = api(house, Role.PIT_BOSS), api(house, Role.ADMINISTRATOR), page(house, Role.PIT_BOSS)
    span = {"start": "2026-11-22T18:00:00-04:00", "end": "2026-11-22T23:00:00-04:00", "reason": "x"}
    hours = {"came": span["start"], "left": span["end"], "reason": "x"}
    paper = {"game": "blackjack.classic", "since": "2026-11-01", "certified_by": "E", "document": "A"}
    asks: list[tuple[APIClient, str, dict[str, Any]]] = [
        (boss, f"shifts/{shift.pk}/change", span),
        (boss, f"shifts/{shift.pk}/cancel", {"reason": "x"}),
        (boss, f"shifts/{shift.pk}/absent", {"reason": "x"}),
        (boss, f"shifts/{shift.pk}/correct", hours),
        (boss, f"staff/{person.pk}/clock-in", {}),
        (boss, f"staff/{person.pk}/clock-out", {}),
        (admin, f"staff/{person.pk}/certificates", paper),
    ]
    for asker, path, body in asks:
        assert asker.post(f"/api/v1/{path}", body, format="json").status_code == 404, path
    for path, body in (
        ("shifts", {"staff": person.pk, **span}),
        ("shifts/swap", {"first": own.pk, "second": shift.pk, "agreed": [house.dealers[0].pk, person.pk]}),
    ):
        assert boss.post(f"/api/v1/{path}", body, format="json").status_code == 400, path
    assert boss.get(f"/api/v1/shifts/{shift.pk}").status_code == 404
    assert boss.get(f"/api/v1/staff/{person.pk}/certificates").status_code == 404
    assert [row["id"] for row in boss.get("/api/v1/shifts").json()["results"]] == [own.pk]
    swap = {"do": "swap", "second": str(shift.pk), "agreed": "on"}
    assert pages.post(reverse("shift-plan", args=[own.pk]), swap).status_code == 422
    for name, pk in (("shift-plan", shift.pk), ("shift-clock", shift.pk)):
        assert pages.post(reverse(name, args=[pk]), {"do": "in"}).status_code == 404
    by = house.by(Role.PIT_BOSS, PLANNED_AT, "x")
    start, end = wall("22 18:00"), wall("22 23:00")
    assert code_of(shifts.plan_shift, staff=person, start=start, end=end, by=by) == "not_found"
    assert code_of(shifts.cancel_shift, shift=shift, by=by) == "not_found"


def test_a_croupier_reads_nobodys_hours(house: House) -> None:
    shift = plan(house, house.dealers[0], "20 18:00", "21 02:00")
    mine: Client = page(house, Role.CROUPIER)
    for name, args in (
        ("roster", []), ("roster-day", ["2026-11-20"]), ("roster-plan", []), ("shift", [shift.pk]),
        ("people", []), ("people-one", [shift.staff_id]),
    ):  # fmt: skip
        assert mine.get(reverse(name, args=args)).status_code == 403, name
    refused = mine.post(reverse("shift-clock", args=[shift.pk]), {"do": "in"})
    assert refused.status_code == 403
    assert house.dealers[0].name not in refused.content.decode()
    asked = api(house, Role.CROUPIER)
    for path in ("shifts", f"shifts/{shift.pk}", "roster/standing", "staff/expiring"):
        assert asked.get(f"/api/v1/{path}").status_code == 403, path
    for report in ("tables.exposure", "tables.staff_hours"):
        body = {"report": report, "params": {"first": "2026-11-20", "last": "2026-11-20"}, "format": "csv"}
        assert asked.post("/api/v1/exports", body, format="json").status_code == 403, report


# -- rows changed past the write functions


COLUMNS = {
    "tables_shift": {
        "staff_id": "(SELECT max(s.id) FROM tables_staff s WHERE s.id <> staff_id)",
        "casino_id": "(SELECT max(c.id) FROM casino_casino c WHERE c.id <> casino_id)",
        "day": "day + 1",
        "planned": "tstzrange(lower(planned), upper(planned) + interval '1 minute')",
        "planned, bounds": "tstzrange(lower(planned), upper(planned), '[]')",
        "actual": "tstzrange(lower(actual) - interval '1 second', upper(actual))",
        "actual, bounds": "tstzrange(lower(actual), upper(actual), '(]')",
        "state": "'present', actual = tstzrange(lower(actual), NULL)",
        "duty": "'otra'",
        "note": "'nada'",
        "id": "id + 1000000",
    },
    "tables_certificate": {
        "staff_id": "(SELECT max(s.id) FROM tables_staff s WHERE s.id <> staff_id)",
        "casino_id": "(SELECT max(c.id) FROM casino_casino c WHERE c.id <> casino_id)",
        "game": "'roulette'",
        "since": "since - 1",
        "until": "NULL",
        "certified_by": "'nadie'",
        "document": "'B-1'",
        "recorded_at": "recorded_at - interval '1 second'",
        "recorded_by_id": "(SELECT max(a.id) FROM audits_actor a WHERE a.id <> recorded_by_id)",
        "id": "id + 1000000",
    },
}


@pytest.mark.rule("REC-06")
def test_every_column_changed_past_the_trail_is_seen(house: House) -> None:
    ana = house.dealers[0]
    plan(house, ana, "20 18:00", "21 02:00", duty="croupier")
    came(house, ana, "20 18:00")
    left(house, ana, "21 02:00")
    certificates.certify(
        staff=ana, game="blackjack.classic", since=dt.date(2026, 1, 1), until=dt.date(2027, 1, 1),
        certified_by="Escuela", document="A-1", by=house.by(Role.ADMINISTRATOR, reason="legajo"),
    )  # fmt: skip
    a_house()
    assert list(roster_faults(house.casino)) == []
    for model, columns in ((Shift, COLUMNS["tables_shift"]), (Certificate, COLUMNS["tables_certificate"])):
        named = {column.partition(",")[0] for column in columns}
        assert named == {field.column for field in model._meta.concrete_fields}
    for table, columns in COLUMNS.items():
        for column, value in columns.items():
            assert faults_after(house, f"UPDATE {table} SET {column.partition(',')[0]} = {value}"), column
        assert faults_after(house, f"DELETE FROM {table}"), table


def faults_after(house: House, statement: str) -> list[Any]:
    """What the proof finds after a statement with every guard off, which is undone."""
    with connection.cursor() as cursor:
        cursor.execute("SAVEPOINT forged")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement)
        assert cursor.rowcount == 1
        found = list(roster_faults(house.casino))
        cursor.execute("ROLLBACK TO SAVEPOINT forged")
    return found


# -- what a page costs


def test_no_page_asks_more_for_more_people(house: House) -> None:
    """One person's week, day, list and board take as many queries as six people's."""

    def asked() -> list[int]:
        boss, told = page(house, Role.PIT_BOSS), []
        for address in (
            reverse("roster"), reverse("roster-day", args=["2026-11-20"]),
            reverse("roster-plan"), reverse("people"),
        ):  # fmt: skip
            with CaptureQueriesContext(connection) as queries:
                assert boss.get(address).status_code == 200
            told.append(len(queries))
        return told

    with clock.standing_at(wall("20 18:30")):
        house.open_table()
        plan(house, house.dealers[1], "20 18:00", "21 02:00")
        came(house, house.dealers[1], "20 18:00")
        before = asked()
        for number in range(5):
            person = house.person(licence_expires=dt.date(2026, 12, 1 + number))
            plan(house, person, "20 18:00", "21 02:00")
            came(house, person, "20 18:00")
        house.open_table(dealer=2, supervisor=1)
        assert asked() == before
