"""The floor on screens: sixty tables in a fixed number of queries, a cheap 304, pits of one's own, alerts
at hand."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from audits.by import by_user
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import User
from tables import overview, sessions, settings
from tables.duties import set_duties
from tables.models import Alert, Pit, Table
from tables.tasks import watch_floor
from tests.alerts.building import look, opened
from tests.builders import NIGHT, House

BOARD = "/sala/tablero/"


def client(user: User) -> Client:
    found = Client()
    found.force_login(user)
    return found


def more_tables(house: House, pit: Pit, letter: str, number: int) -> list[Table]:
    by = by_user(house.users[Role.ADMINISTRATOR], reason="más mesas")
    return [
        settings.set_table(
            name=f"{letter}-{n:02d}", pit=pit, game="baccarat.mini", seats=7, detail="cards", by=by
        )
        for n in range(1, number + 1)
    ]


def test_sixty_tables_are_as_many_queries_as_one(house: House) -> None:
    session = opened(house)
    look(house, 61)
    user = house.users[Role.PIT_BOSS]
    later = NIGHT + dt.timedelta(minutes=62)
    overview.floor(user, later)
    with CaptureQueriesContext(connection) as one:
        overview.floor(user, later)
    for letter in "ABCD":
        by = by_user(house.users[Role.ADMINISTRATOR], reason="más sectores")
        more_tables(house, settings.set_pit(name=f"Sector nuevo {letter}", by=by), letter, 15)
    with CaptureQueriesContext(connection) as sixty:
        shown = overview.floor(user, later)
    assert (shown.tables, len(shown.all_pits)) == (61, 5)
    assert len(sixty) == len(one) <= 20
    assert session.table in [tile.table for _, tiles in shown.pits for tile in tiles]


def test_an_unchanged_floor_is_one_small_query_beyond_knowing_who_asks(house: House) -> None:
    session = opened(house)
    boss = client(house.users[Role.PIT_BOSS])
    with clock.standing_at(NIGHT + dt.timedelta(minutes=5)):
        first = boss.get(BOARD)
        with CaptureQueriesContext(connection) as asked:
            again = boss.get(BOARD, headers={"If-None-Match": first["ETag"]})
        assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
        texts = [query["sql"] for query in asked.captured_queries]
        of_floor = [text for text in texts if "django_session" not in text and "casino_user" not in text]
        assert len(of_floor) <= 2
        assert sum("audits_event" in text for text in of_floor) == 1
        # Another person's floor is another, and so is another view of it.
        chief = client(house.users[Role.SUPERVISOR])
        assert chief.get(BOARD, headers={"If-None-Match": first["ETag"]}).status_code == 200
        assert boss.get(BOARD + "?avisos=1", headers={"If-None-Match": first["ETag"]}).status_code == 200
        # What happens at a table makes another floor, and so does the next minute.
        sessions.see_stop_card(session=session, by=house.by(Role.SUPERVISOR, NIGHT + dt.timedelta(minutes=5)))
        changed = boss.get(BOARD, headers={"If-None-Match": first["ETag"]})
        assert changed.status_code == 200
    with clock.standing_at(NIGHT + dt.timedelta(minutes=6)):
        assert boss.get(BOARD, headers={"If-None-Match": changed["ETag"]}).status_code == 200


def test_an_event_seen_late_changes_the_stamp_though_newer_ones_were_seen_before(house: House) -> None:
    """A transaction takes its event's number, another with a newer number is seen first: two stamps
    differ."""
    opened(house)
    now = NIGHT + dt.timedelta(minutes=5)
    before = overview.stamp(house.casino, now)
    assert overview.stamp(house.casino, now) == before
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        # The next-to-newest event was not there yet when the first stamp was taken.
        cursor.execute(
            "DELETE FROM audits_event WHERE id = (SELECT id FROM audits_event WHERE casino_id = %s"
            " ORDER BY id DESC OFFSET 1 LIMIT 1)",
            [house.casino.pk],
        )
        assert overview.stamp(house.casino, now) != before
        transaction.set_rollback(True)


def test_the_floor_can_be_narrowed_to_a_pit_to_alerts_and_to_ones_own_pits(house: House) -> None:
    late = opened(house)
    quiet = house.table()
    look(house, 61)
    with clock.standing_at(NIGHT + dt.timedelta(minutes=62)):
        boss = client(house.users[Role.PIT_BOSS])
        one = boss.get(f"{BOARD}?sector={quiet.pit_id}").content.decode()
        assert quiet.name in one
        assert late.table.name not in one
        alerts = boss.get(f"{BOARD}?avisos=1").content.decode()
        assert late.table.name in alerts
        assert f'aria-label="{quiet.name}"' not in alerts
        everything = boss.get(BOARD).content.decode()
        assert everything.index(late.table.pit.name) < everything.index(quiet.pit.name)
        # Chosen pits come first, and «mios» shows them alone.
        boss.post("/sala/sectores/", {"pit": [quiet.pit_id, "999999", "x"]})
        mine = boss.get(BOARD).content.decode()
        assert mine.index(quiet.pit.name) < mine.index(late.table.pit.name)
        only = boss.get(f"{BOARD}?sector=mios").content.decode()
        assert late.table.name not in only


def test_pits_answered_for_come_first_and_other_tables_offer_no_writing(house: House) -> None:
    late, quiet = opened(house), house.table()
    by = by_user(house.users[Role.ADMINISTRATOR], reason="sus sectores")
    set_duties(user=house.users[Role.SUPERVISOR], pits=[quiet.pit], by=by)
    with clock.standing_at(NIGHT + dt.timedelta(minutes=2)):
        said = client(house.users[Role.SUPERVISOR]).get(BOARD).content.decode()
    assert said.index(quiet.pit.name) < said.index(late.table.pit.name)
    assert f"/mesas/{quiet.name}/abrir/" in said
    assert f"/mesas/{late.table.name}/cerrar/" not in said
    assert f"/mesas/{late.table.name}/" in said


def test_an_alert_is_acknowledged_from_the_floor_with_a_reason(house: House) -> None:
    opened(house)
    (late,) = look(house, 61).raised
    with clock.standing_at(NIGHT + dt.timedelta(minutes=62)):
        boss = client(house.users[Role.PIT_BOSS])
        assert f"/sala/avisos/{late.pk}/" in boss.get("/").content.decode()
        assert f"/sala/avisos/{late.pk}/" not in client(house.users[Role.CROUPIER]).get("/").content.decode()
        inside = boss.get(f"/sala/avisos/{late.pk}/", headers={"HX-Request": "true"}).content.decode()
        assert "<html" not in inside
        assert "Dar por atendido" in inside
        refused = boss.post(f"/sala/avisos/{late.pk}/", {"reason": " "})
        assert (refused.status_code, "diga qué se hizo" in refused.content.decode().lower()) == (422, True)
        assert boss.post(f"/sala/avisos/{late.pk}/", {"reason": "relevo en camino"}).status_code == 302
        board = boss.get(BOARD).content.decode()
        assert "atendido por Persona pit_boss" in board
        assert "Todo en orden" in board
        assert (
            client(house.users[Role.CAGE])
            .post("/sala/avisos/", {"alert": late.pk, "reason": "x"})
            .status_code
            == 409
        )
    assert Alert.objects.get().reason == "relevo en camino"


def test_pages_of_alerts_hours_and_shift_show_what_the_house_has_in_both_languages(house: House) -> None:
    session = opened(house, detail="full")
    look(house, 61)
    with clock.standing_at(NIGHT + dt.timedelta(minutes=62)):
        boss = client(house.users[Role.PIT_BOSS])
        for path, words in (
            ("/sala/avisos/", "Relevo vencido"),
            ("/sala/horas/", session.table.name),
            ("/sala/turno/", "Relevo vencido hace 1 min".lower()),
            (f"/mesas/{session.table.name}/fichero/", "Controles de la sesión"),
            (f"/mesas/{session.table.name}/discrepancia/", "Discrepancia en"),
            ("/incidentes/criterios/?q=carta", "Ningún caso resuelto"),
        ):
            page = boss.get(path)
            assert (path, page.status_code) == (path, 200)
            assert words.lower() in page.content.decode().lower(), path
        boss.cookies["django_language"] = "en"
        assert "relief overdue by 1 min" in boss.get("/sala/turno/").content.decode().lower()
        noted = boss.post("/sala/turno/notas/", {"text": "todo tranquilo", "pit": ""})
        assert noted.status_code == 302
        assert "todo tranquilo" in boss.get("/sala/turno/").content.decode()
        assert boss.post("/sala/turno/notas/", {"text": "", "pit": ""}).status_code == 422
        assert boss.get("/sala/turno/?day=nunca&first=25:00").status_code == 200
        wrong = boss.get("/sala/turno/?first=02:00&last=22:00")
        assert "hora final es anterior" in wrong.content.decode() or "end is before" in wrong.content.decode()


def test_a_float_is_checked_and_a_dispute_opened_on_their_pages(house: House) -> None:
    session = opened(house, detail="full")
    with clock.standing_at(NIGHT + dt.timedelta(minutes=20)):
        boss = client(house.users[Role.PIT_BOSS])
        path = f"/mesas/{session.table.name}/fichero/"
        typed: dict[str, Any] = {f"n_{value}": "0" for value in house.casino.denominations}
        typed |= {"n_50000": "150", "cash": "", "counted_by": house.dealers[0].pk}
        short = boss.post(path, typed)
        assert short.status_code == 422  # nobody signs it
        typed["witnessed_by"] = house.supervisors[0].pk
        assert boss.post(path, typed).status_code == 302
        assert "75.000,00" in boss.get(path).content.decode()
        assert "Controles de la sesión" in boss.get(f"/sesiones/{session.pk}/").content.decode()
        path = f"/mesas/{session.table.name}/discrepancia/"
        assert boss.post(path, {"claims": "", "seat": ""}).status_code == 422
        opened_page = boss.post(path, {"claims": "apuesta tardía", "seat": "3"}, follow=True)
        assert "apuesta tardía" in opened_page.content.decode().lower()


def test_the_administrator_gives_pits_to_chiefs_on_a_page(house: House) -> None:
    pit = house.table().pit
    admin = client(house.users[Role.ADMINISTRATOR])
    chief = house.users[Role.SUPERVISOR]
    assert pit.name in admin.get("/ajustes/sectores/jefes/").content.decode()
    form = {"user": chief.pk, "pit": [pit.pk]}
    assert admin.post("/ajustes/sectores/jefes/", form).status_code == 422
    assert admin.post("/ajustes/sectores/jefes/", {**form, "reason": "esta noche"}).status_code == 302
    assert "checked" in admin.get("/ajustes/sectores/jefes/").content.decode()


@pytest.mark.rule("FLOOR-03")
def test_the_job_looks_at_every_house(house: House) -> None:
    opened(house)
    with clock.standing_at(NIGHT + dt.timedelta(minutes=61)):
        watch_floor()
        watch_floor()
    assert [alert.rule for alert in Alert.objects.all()] == ["FLOOR-03"]
