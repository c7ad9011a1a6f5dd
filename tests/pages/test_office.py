"""Desk pages: reports made and handed out, the trail read and checked, days, settings with their reasons."""

from __future__ import annotations

import datetime as dt
import hashlib
from pathlib import Path
from typing import Any

import pytest

from audits import exports
from audits.models import Event, Export
from casino.kernel.permissions import Role
from casino.models import GamingDay, User
from tables.models import BetLimits, GameRules, Pit, Staff, Table
from tests.pages.building import GAME, Floor


@pytest.mark.rule("REC-06")
def test_a_report_is_ordered_followed_and_handed_out_with_its_hash(
    floor: Floor, settings: Any, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    settings.FILES_ROOT = tmp_path
    floor.open()
    client = floor.client(Role.COMPLIANCE)
    wrong = client.post("/reportes/tables.day/", {"day": "ayer", "format": "csv"})
    assert wrong.status_code == 422
    day = f"{floor.sessions[0].day.date}"
    assert client.post("/reportes/tables.day/", {"day": day, "format": "csv"})["Location"] == "/reportes/"
    export = Export.objects.get()
    waiting = client.get("/reportes/").content.decode()
    assert f'hx-get="/exportaciones/{export.pk}/"' in waiting
    assert client.get(f"/exportaciones/{export.pk}/archivo/").status_code == 409
    exports.produce(export.pk)
    export.refresh_from_db()
    done = client.get(f"/exportaciones/{export.pk}/").content.decode()
    assert export.sha256 in done
    file = client.get(f"/exportaciones/{export.pk}/archivo/")
    assert hashlib.sha256(b"".join(file.streaming_content)).hexdigest() == export.sha256
    assert Event.objects.filter(action="audits.export.downloaded").count() == 1


def test_the_trail_is_read_in_words_and_narrowed(floor: Floor) -> None:
    session = floor.open()
    client = floor.client(Role.INSPECTOR)
    said = client.get(f"/auditoria/?stream={session.stream}").content.decode()
    assert f"Se abrió {session.label}" in said
    assert "se registró a" not in said.lower()
    assert "Nada con ese filtro" in client.get("/auditoria/?action=audits.day.closed").content.decode()
    assert (
        f"{session.label} was opened"
        in floor.client(Role.INSPECTOR, "en").get("/auditoria/").content.decode()
    )


def test_an_event_shows_the_bytes_that_were_hashed(floor: Floor) -> None:
    session = floor.open()
    event = Event.objects.filter(stream__name=session.stream).earliest("seq")
    said = floor.client(Role.INSPECTOR).get(f"/auditoria/{event.pk}/").content.decode()
    computed = hashlib.sha256(bytes(event.previous_hash) + bytes(event.body)).hexdigest()
    assert computed in said
    assert "El hash corresponde" in said


@pytest.mark.rule("REC-08")
def test_a_day_says_what_holds_it_and_closes_when_nothing_does(floor: Floor) -> None:
    client = floor.client(Role.COMPLIANCE)
    today = floor.open().day
    early = client.post(f"/dias/{today.pk}/cerrar/")
    assert (early.status_code, "aún no termina" in early.content.decode()) == (409, True)
    over = GamingDay.objects.create(casino=floor.house.casino, date=today.date - dt.timedelta(days=1))
    held = [
        {"code": "session_open", "rule": "REC-08", "es": "PB-09 sigue abierta", "en": "PB-09 is still open"}
    ]
    GamingDay.objects.filter(pk=over.pk).update(held_by=held)
    assert "PB-09 sigue abierta" in client.get("/dias/").content.decode()
    assert client.post(f"/dias/{over.pk}/cerrar/").status_code == 302
    over.refresh_from_db()
    assert over.state == GamingDay.State.CLOSED


def test_a_login_is_made_given_roles_and_shut_off(floor: Floor) -> None:
    client = floor.client(Role.ADMINISTRATOR)
    given = {
        "username": "nora",
        "name": "Nora",
        "password": "una clave larga 7",
        "roles": ["cage"],
        "language": "en",
    }
    weak = client.post("/ajustes/usuarios/", {**given, "password": "xyz"}).content.decode()
    assert weak.index('name="password"') < weak.index('id="r-password"') < weak.index('role="alert"')
    assert "xyz" not in weak  # a password never comes back
    assert client.post("/ajustes/usuarios/", given).status_code == 302
    nora = User.objects.get(username="nora")
    page = f"/ajustes/usuarios/{nora.pk}/"
    assert (
        client.post(page, {"act": "roles", "roles": ["cage", "compliance"], "reason": ""}).status_code == 422
    )
    assert (
        client.post(page, {"act": "roles", "roles": ["compliance"], "reason": "cambia de área"}).status_code
        == 302
    )
    assert client.post(page, {"act": "deactivate", "reason": "se retira"}).status_code == 302
    nora.refresh_from_db()
    assert (nora.role_codes, nora.is_active) == (["compliance"], False)
    assert "se desactivó a" in client.get(page).content.decode().lower()


@pytest.mark.rule("REC-11")
def test_the_inspector_s_login_holds_no_other_role(floor: Floor) -> None:
    given = {"username": "aj", "name": "AJ", "password": "una clave larga 7", "roles": ["inspector", "cage"]}
    said = floor.client(Role.ADMINISTRATOR).post("/ajustes/usuarios/", given).content.decode()
    assert "el inspector de la AJ sólo lee" in said.lower() or "El inspector de la AJ sólo lee" in said
    assert "REC-11" in said


@pytest.mark.rule("GEN-04")
def test_limits_are_published_as_versions_and_refused_beside_their_spot(floor: Floor) -> None:
    client, page = floor.client(Role.PIT_BOSS), f"/ajustes/limites/{floor.table.pk}/"
    given = {
        "chip": "5", "punto_low": "100", "punto_high": "500", "banca_low": "100", "banca_high": "500",
        "reason": "fin de semana",
    }  # fmt: skip
    wrong = client.post(page, {**given, "banca_low": "600"}).content.decode()
    assert wrong.index('name="banca_high"') < wrong.index("el mínimo no supera al máximo")
    assert 'value="600"' in wrong
    assert client.post(page, {**given, "effective_from": "2020-01-01T00:00"}).status_code == 422
    assert client.post(page, given).status_code == 302
    last = BetLimits.objects.filter(table=floor.table).latest("version")
    assert (last.version, last.spots["banca"]) == (2, [10_000, 50_000])


@pytest.mark.rule("GEN-05")
def test_rules_name_their_plan_and_are_checked_by_the_game(floor: Floor) -> None:
    client, page = floor.client(Role.ADMINISTRATOR), f"/ajustes/juegos/{GAME}/"
    given = {"params": "{}", "betting_plan": "PA-2", "reason": "año nuevo"}
    assert client.post(page, {**given, "betting_plan": " "}).status_code == 422
    broken = client.post(page, {**given, "params": "{nada"}).content.decode()
    assert broken.index('name="params"') < broken.index("no son JSON válido")
    assert client.post(page, {**given, "params": '{"tie_pays": "9:1 o más"}'}).status_code == 422
    assert client.post(page, given).status_code == 302
    assert GameRules.objects.filter(game=GAME).count() == 2


def test_pits_tables_and_staff_change_only_with_a_reason(floor: Floor) -> None:
    client = floor.client(Role.ADMINISTRATOR)
    assert (
        client.post("/ajustes/sectores/", {"name": "VIP", "position": "2", "reason": ""}).status_code == 422
    )
    assert (
        client.post(
            "/ajustes/sectores/", {"name": "VIP", "position": "2", "reason": "sala nueva"}
        ).status_code
        == 302
    )
    pit = Pit.objects.get(name="VIP")
    table = {
        "name": "PB-07",
        "pit": pit.pk,
        "game": GAME,
        "seats": "7",
        "detail": "cards",
        "reason": "mesa nueva",
    }
    assert client.post("/ajustes/mesas/", {**table, "name": "mesa siete"}).status_code == 422
    assert client.post("/ajustes/mesas/", {**table, "seats": "70"}).status_code == 422
    assert client.post("/ajustes/mesas/", table).status_code == 302
    made = Table.objects.get(name="PB-07")
    out = client.post(f"/ajustes/mesas/{made.pk}/", {**table, "reason": "mantenimiento"})
    made.refresh_from_db()
    assert (out.status_code, made.active) == (302, False)
    assert "mantenimiento" in client.get(f"/ajustes/mesas/{made.pk}/").content.decode()

    person = {"number": "C-9", "name": "Ana Poma", "licence": "AJ-9", "games": [GAME], "reason": "ingreso"}
    wrong = client.post("/ajustes/personal/", {**person, "licence_expires": "mañana"}).content.decode()
    assert wrong.index('name="licence_expires"') < wrong.index("Escriba una fecha")
    assert client.post("/ajustes/personal/", {**person, "licence_expires": "2030-01-31"}).status_code == 302
    ana = Staff.objects.get(number="C-9")
    changed = {**person, "licence_expires": "2031-01-31", "active": "on", "reason": "renovó"}
    assert client.post(f"/ajustes/personal/{ana.pk}/", changed).status_code == 302
    ana.refresh_from_db()
    assert ana.licence_expires == dt.date(2031, 1, 31)
    assert "renovó" in client.get(f"/ajustes/personal/{ana.pk}/").content.decode()
