"""The floor page: what each rule flags, what each role is offered, 304 while nothing changes."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audits.by import by_user
from casino.kernel import clock
from casino.kernel.permissions import Role
from shoes.models import Shoe
from tables import closings, crew, overview, sessions, settings
from tables.models import TableSession
from tables.reports import figures
from tests.money.box_builders import counted_out
from tests.pages.building import FLOAT, Floor, as_login


def tile(floor: Floor, later: dt.timedelta = dt.timedelta(0)) -> overview.Tile:
    shown = overview.floor(floor.house.users[Role.PIT_BOSS], clock.now() + later)
    return shown.pits[0][1][0]


def rules_of(found: overview.Tile) -> set[str]:
    return {alert.rule for alert in found.alerts}


@pytest.mark.rule("FLOOR-03")
def test_a_relief_is_overdue_after_sixty_minutes_and_not_at_sixty(floor: Floor) -> None:
    floor.open()
    assert "FLOOR-03" not in rules_of(tile(floor, dt.timedelta(minutes=60)))
    late = tile(floor, dt.timedelta(minutes=61))
    assert "FLOOR-03" in rules_of(late)
    assert (late.dealer_minutes, late.level) == (61, "warn")
    assert late.alerts[0].text.es == "relevo vencido hace 1 min"


@pytest.mark.rule("FLOOR-02")
def test_a_missing_post_is_flagged_until_it_is_taken(floor: Floor) -> None:
    session = floor.open()
    assert "FLOOR-02" not in rules_of(tile(floor))
    crew.leave_all(session, floor.by(Role.SUPERVISOR))
    flagged = tile(floor)
    assert "FLOOR-02" in rules_of(flagged)
    assert flagged.alerts[0].text.es == "falta croupier, jefe de mesa"
    for post, person in (("dealer", floor.relief), ("supervisor", floor.supervisor)):
        sessions.relieve(session=session, staff=person, post=post, by=floor.by(Role.SUPERVISOR))
    assert "FLOOR-02" not in rules_of(tile(floor))


@pytest.mark.rule("CARD-38")
def test_a_finished_shoe_stops_the_table_on_the_floor(floor: Floor) -> None:
    session = floor.open()
    assert tile(floor).level == "open"
    sessions.see_stop_card(session=session, by=floor.by(Role.SUPERVISOR))
    stopped = tile(floor)
    assert (rules_of(stopped), stopped.level) == ({"CARD-38"}, "bad")
    said = floor.client(Role.PIT_BOSS).get("/").content.decode()
    assert "Salió la detención: ponga otro sabot" in said
    assert "CARD-38" in said


@pytest.mark.rule("REC-08")
def test_a_table_open_since_yesterday_says_that_it_holds_the_day(floor: Floor) -> None:
    floor.open()
    assert "REC-08" not in rules_of(tile(floor))
    assert "REC-08" in rules_of(tile(floor, dt.timedelta(days=1)))


def test_each_role_is_offered_what_it_may_do(floor: Floor) -> None:
    closed = {role: floor.client(role).get("/").content.decode() for role in (Role.SUPERVISOR, Role.CROUPIER)}
    assert "/mesas/PB-01/abrir/" in closed[Role.SUPERVISOR]
    assert "/mesas/PB-01/abrir/" not in closed[Role.CROUPIER]
    floor.open()
    opened = {
        role: floor.client(role).get("/").content.decode() for role in (Role.SUPERVISOR, Role.INSPECTOR)
    }
    assert "/mesas/PB-01/cerrar/" in opened[Role.SUPERVISOR]
    assert "/mesas/PB-01/cerrar/" not in opened[Role.INSPECTOR]
    assert "/mesas/PB-01/" in opened[Role.INSPECTOR]


def test_whoever_may_not_read_money_sees_the_tables_without_it(full: Floor) -> None:
    session = full.open()
    # 400,00 staked and 150,00 returned: the house is 250,00 up.
    TableSession.objects.filter(pk=session.pk).update(staked=40_000, returned=15_000)
    said = {role: full.client(role).get("/").content.decode() for role in (Role.CROUPIER, Role.CAGE)}
    assert "Neto por apuestas" in said[Role.CAGE]
    assert "250,00" in said[Role.CAGE]
    for money in ("Neto por apuestas", "Apostado", "250,00", "400,00"):
        assert money not in said[Role.CROUPIER]
    for state in ("PB-01", "Marta Rojas", "Lucía Mamani", "50 – 1.000"):
        assert state in said[Role.CROUPIER]


def test_a_closed_table_tells_a_croupier_that_it_closed_and_not_what_it_made(full: Floor) -> None:
    session = full.open()
    # 6.500,00 out, 6.000,00 back and 900,00 in the box make 400,00.
    closings.close_session(
        session=session,
        chips_counted={500: 100, 1_000: 100, 5_000: 90},
        counted_by=full.dealer,
        witnessed_by=full.supervisor,
        by=full.by(Role.SUPERVISOR),
    )
    counted_out(full.house, session, 90_000, at=clock.now())
    said = {role: full.client(role).get("/").content.decode() for role in (Role.CROUPIER, Role.CAGE)}
    assert "+\N{THIN SPACE}400,00" in said[Role.CAGE]
    assert "900,00" in said[Role.CAGE]
    assert "cerrada" in said[Role.CROUPIER]
    assert not {"400,00", "900,00"} & set(said[Role.CROUPIER].replace("<", " ").replace(">", " ").split())


def test_a_croupier_is_led_only_to_tables_they_work(floor: Floor) -> None:
    session = floor.open()
    croupier = floor.client(Role.CROUPIER)
    pages = ["/mesas/PB-01/", "/mesas/PB-01/tablero/", f"/sesiones/{session.pk}/"]
    assert 'href="/mesas/PB-01/"' not in croupier.get("/").content.decode()
    assert [croupier.get(page).status_code for page in pages] == [404, 404, 404]
    assert session.label not in croupier.get("/sesiones/").content.decode()
    as_login(floor.relief, floor.house.users[Role.CROUPIER])
    sessions.relieve(session=session, staff=floor.relief, post="dealer", by=floor.by(Role.SUPERVISOR))
    assert 'href="/mesas/PB-01/"' in croupier.get("/").content.decode()
    assert [croupier.get(page).status_code for page in pages] == [200, 200, 200]
    assert session.label in croupier.get("/sesiones/").content.decode()


def test_a_croupier_reads_their_session_without_its_money(full: Floor) -> None:
    as_login(full.dealer, full.house.users[Role.CROUPIER])
    session = full.open()
    # The float is 6.500,00 (tests/pages/building.py).
    for page in (f"/sesiones/{session.pk}/", "/sesiones/", "/mesas/PB-01/"):
        assert "6.500,00" in full.client(Role.CAGE).get(page).content.decode(), page
        assert "6.500,00" not in full.client(Role.CROUPIER).get(page).content.decode(), page


def test_the_board_is_304_until_something_happens(floor: Floor) -> None:
    session = floor.open()
    client = floor.client(Role.PIT_BOSS)
    first = client.get("/sala/tablero/")
    again = client.get("/sala/tablero/", headers={"If-None-Match": first["ETag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    sessions.see_stop_card(session=session, by=floor.by(Role.SUPERVISOR))
    assert client.get("/sala/tablero/", headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_the_floor_asks_the_database_as_often_for_five_tables_as_for_one(floor: Floor) -> None:
    floor.open()
    user = floor.house.users[Role.PIT_BOSS]
    with CaptureQueriesContext(connection) as one:
        overview.floor(user, clock.now())
    admin = floor.by(Role.ADMINISTRATOR, "más mesas")
    for number in range(2, 6):
        settings.set_table(
            name=f"PB-0{number}",
            pit=floor.table.pit,
            game=floor.table.game,
            seats=7,
            detail="cards",
            by=admin,
        )
    with CaptureQueriesContext(connection) as five:
        assert overview.floor(user, clock.now()).tables == 5
    assert len(five) == len(one)


def test_the_day_in_figures_tells_what_the_bets_left_and_what_was_counted_apart(full: Floor) -> None:
    session = full.open()
    # 40.000 staked, 15.000 returned: the house is 25.000 up on what was logged, nothing is counted yet.
    TableSession.objects.filter(pk=session.pk).update(staked=40_000, returned=15_000)
    shown = overview.floor(full.house.users[Role.PIT_BOSS], clock.now())
    assert (shown.open, shown.tables) == (1, 1)
    assert shown.money == overview.Money(
        staked=40_000, house=25_000, result=None, drop=None, counted=0, sessions=1
    )
    # Counted: 6.500,00 out, 6.000,00 back and 900,00 in the box make 400,00.
    closings.close_session(
        session=session,
        chips_counted={500: 100, 1_000: 100, 5_000: 90},
        counted_by=full.dealer,
        witnessed_by=full.supervisor,
        by=by_user(full.house.users[Role.SUPERVISOR]),
    )
    counted_out(full.house, session, 90_000, at=clock.now())
    shown = overview.floor(full.house.users[Role.PIT_BOSS], clock.now())
    assert shown.open == 0
    assert shown.money == overview.Money(
        staked=40_000, house=25_000, result=40_000, drop=90_000, counted=1, sessions=1
    )
    assert Shoe.objects.get(pk=session.shoe_id).state == Shoe.State.ENDED


@pytest.mark.rule("FLOOR-12")
def test_the_floor_says_the_net_on_bets_that_the_report_of_the_day_says(full: Floor) -> None:
    counted = full.open()
    # 400,00 staked and 150,00 returned: 250,00 for the house.
    TableSession.objects.filter(pk=counted.pk).update(staked=40_000, returned=15_000)
    closings.close_session(
        session=counted,
        chips_counted={500: 100, 1_000: 100, 5_000: 90},
        counted_by=full.dealer,
        witnessed_by=full.supervisor,
        by=full.by(Role.SUPERVISOR),
    )
    counted_out(full.house, counted, 90_000, at=clock.now())
    running = full.open()
    # 100,00 staked and 175,00 returned: 250,00 - 75,00 = 175,00 for the house.
    TableSession.objects.filter(pk=running.pk).update(staked=10_000, returned=17_500)
    shown = overview.floor(full.house.users[Role.PIT_BOSS], clock.now())
    report = figures.summed(figures.session_rows(TableSession.objects.filter(day=running.day)))
    assert shown.money is not None
    assert (shown.money.house, shown.money.staked) == (report["house"], report["staked"]) == (17_500, 50_000)
    # 6.500,00 out, 6.000,00 back and 900,00 in the box make 400,00, over one of two sessions.
    assert (shown.money.result, shown.money.counted, shown.money.sessions) == (40_000, 1, 2)
    assert shown.money.result == report["result"]


@pytest.mark.rule("REC-08")
def test_a_drop_that_waits_is_led_to_from_the_floor_though_its_table_plays_again(floor: Floor) -> None:
    waiting = floor.open()
    closings.close_session(
        session=waiting, chips_counted=FLOAT, counted_by=floor.dealer, witnessed_by=floor.supervisor,
        by=floor.by(Role.SUPERVISOR),
    )  # fmt: skip
    floor.open()
    link = f'href="/sesiones/{waiting.pk}/cajas/"'
    said = {role: floor.client(role).get("/").content.decode() for role in (Role.CAGE, Role.CROUPIER)}
    assert "1 caja por contar" in said[Role.CAGE]
    assert link in said[Role.CAGE]
    assert link not in said[Role.CROUPIER]
    counted_out(floor.house, waiting, 0, at=clock.now())
    assert "por contar" not in floor.client(Role.CAGE).get("/").content.decode()
