"""Desk pages: reports made and handed out, the trail read and checked, days, settings with their reasons."""

from __future__ import annotations

import datetime as dt
import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from audits import exports
from audits.models import Event, Export
from casino.kernel.permissions import Role
from casino.models import Casino, GamingDay, User
from tables import rounds
from tables.games import registry
from tables.models import BetLimits, GameRules, Pit, Staff, Table
from tables.pages import rules_form
from tests.api.building import House
from tests.builders import CONFIRMED
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
    assert "se registró a" not in said[said.index("<tbody>") :].lower()
    assert "Nada con ese filtro" in client.get("/auditoria/?action=audits.day.closed").content.decode()
    assert (
        f"{session.label} was opened"
        in floor.client(Role.INSPECTOR, "en").get("/auditoria/").content.decode()
    )


def test_what_was_bet_and_dealt_is_said_on_the_trail_in_both_languages(full: Floor) -> None:
    session, by = full.open(), full.by(Role.SUPERVISOR)
    bet = {"e": "bet", "seat": 3, "spot": "punto", "amount": 20_000}
    rounds.play(session=session, number=1, step=0, events=[bet], by=by)
    more = [{"e": "close"}, {"e": "card", "card": "9d", "to": "punto"}]
    rounds.play(session=session, number=1, step=1, events=more, by=by)
    page = f"/auditoria/?stream={session.stream}"
    said = {code: full.client(Role.INSPECTOR, code).get(page).content.decode() for code in ("es-bo", "en")}
    assert "Pase PB-01 · 1: se abrió; asiento 3: 200,00 a Punto" in said["es-bo"]
    assert "Pase PB-01 · 1: no va más; 9♦ a Punto" in said["es-bo"]
    assert "Round PB-01 · 1: opened; seat 3: 200.00 on Punto" in said["en"]
    assert "Round PB-01 · 1: no more bets; 9♦ to Punto" in said["en"]
    assert ">Se liquidó un pase</option>" in said["es-bo"]
    assert ">A round was settled</option>" in said["en"]


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
    assert [f'value="{role}" checked' in weak for role in ("cage", "croupier")] == [
        role in given["roles"] for role in ("cage", "croupier")
    ]
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


def typed(**changed: str) -> dict[str, str]:
    """The form as it is shown, with what somebody changed."""
    shown = {field.name: field.value for field in rules_form.fields_of(registry.game(GAME), {})}
    return {**shown, "betting_plan": "PA-2", "reason": "año nuevo", **CONFIRMED, **changed}


@pytest.mark.rule("GEN-05")
def test_rules_are_published_from_a_form_and_name_their_plan(floor: Floor) -> None:
    client, page = floor.client(Role.ADMINISTRATOR), f"/ajustes/juegos/{GAME}/"
    shown = client.get(page).content.decode()
    assert 'value="5.00"' in shown  # BAC-22: 5 % of the prize on banca
    assert client.post(page, typed(betting_plan=" ")).status_code == 422
    assert client.post(page, typed(decks="8", commission_basis_points="5.25")).status_code == 302
    last = GameRules.objects.filter(game=GAME).latest("version")
    # 5,25 % is 525 basis points; who deals is the modality's own (BAC-04).
    assert (last.version, last.params["commission_basis_points"], last.params["decks"]) == (2, 525, 8)
    assert (last.params["dealer"], last.params["tie_pays"]) == ("house", "8:1")
    assert 'value="5.25"' in client.get(page).content.decode()


@pytest.mark.parametrize(
    ("field", "given", "said"),
    [
        pytest.param("decks", "7", "CARD-06", marks=pytest.mark.rule("CARD-06")),
        pytest.param("seats_max", "8", "BAC-04", marks=pytest.mark.rule("BAC-04")),
        pytest.param("tie_pays", "10:1", "GEN-06", marks=pytest.mark.rule("GEN-06")),
        ("tie_pays", "ocho", "8:1"),
        ("commission_basis_points", "cinco", "no es un importe"),
        ("commission_basis_points", "150", "debe estar entre 0 y 10000"),
        ("prize_rounding", "siempre", "prize_rounding"),
        ("seats", "", "Escriba un número entero"),
        ("effective_from", "2020-01-01T00:00", "GEN-03"),
    ],
)
def test_what_the_game_refuses_is_said_beside_its_field(
    floor: Floor, field: str, given: str, said: str
) -> None:
    response = floor.client(Role.ADMINISTRATOR).post(f"/ajustes/juegos/{GAME}/", typed(**{field: given}))
    page = response.content.decode()
    beside = page.split(f'id="r-{field}"')[1].split("</div>")[0]
    assert response.status_code == 422
    assert said in beside
    assert page.count('role="alert"') == 1
    assert GameRules.objects.filter(game=GAME).count() == 1


PARTICULARS = {
    "name": "Casino del Norte", "licence": "AJ-77", "zone": "America/La_Paz", "cutoff": "07:30",
    "denominations": "1 2.50 50", "reason": "nueva licencia",
}  # fmt: skip


def test_the_casino_s_particulars_change_with_a_reason(floor: Floor) -> None:
    client, page = floor.client(Role.ADMINISTRATOR), "/ajustes/casino/"
    assert 'value="5.00 10.00 50.00"' in client.get(page).content.decode()
    assert client.post(page, {**PARTICULARS, "reason": ""}).status_code == 422
    assert client.post(page, PARTICULARS).status_code == 302
    casino = Casino.objects.get(pk=floor.house.casino.pk)
    assert (casino.name, casino.licence, casino.cutoff) == ("Casino del Norte", "AJ-77", dt.time(7, 30))
    assert (casino.denominations, casino.currency) == ([100, 250, 5_000], floor.house.casino.currency)
    after = client.get(page).content.decode()
    assert 'value="1.00 2.50 50.00"' in after
    assert "Cambiaron los datos de Casino del Norte" in after
    assert Event.objects.filter(action="audits.casino.set").count() == 1


@pytest.mark.parametrize(
    ("field", "typed", "status"),
    [
        ("name", " ", 422),
        ("zone", "Bolivia", 422),
        ("cutoff", "las siete", 422),
        ("denominations", "5 5", 422),
        ("denominations", "", 422),
        ("denominations", "cinco", 422),
        ("reason", "", 422),
        ("cutoff", "05:00", 409),  # a gaming day is open
    ],
)
def test_particulars_that_make_no_sense_are_refused_beside_their_field(
    floor: Floor, field: str, typed: str, status: int
) -> None:
    if status == 409:
        floor.open()
    response = floor.client(Role.ADMINISTRATOR).post("/ajustes/casino/", {**PARTICULARS, field: typed})
    page = response.content.decode()
    assert response.status_code == status
    assert 'role="alert"' in page.split(f'id="r-{field}"')[1].split("</div>")[0]
    assert page.count('role="alert"') == 1
    assert Casino.objects.get(pk=floor.house.casino.pk).name == floor.house.casino.name


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


def test_settings_open_with_what_is_missing_in_order(house: House) -> None:
    admin = Client()
    admin.force_login(house.users[Role.ADMINISTRATOR])
    assert 'href="/ajustes/"' in admin.get("/").content.decode()
    said = admin.get("/ajustes/").content.decode()
    wanted = ["Un sector", "Una mesa", "Las reglas", "Los límites", "Un usuario", "Un croupier", "Barajas"]
    places = [said.index(f"{n}. {words}") for n, words in enumerate(wanted, 1)]
    assert places == sorted(places)
    assert 'href="/ajustes/sectores/"' in said


@pytest.mark.rule("FLOOR-02")
def test_an_expired_licence_is_registered_only_when_ticked(floor: Floor) -> None:
    admin = floor.client(Role.ADMINISTRATOR)
    given = {
        "number": "C-9", "name": "Juan Paz", "licence": "AJ-9", "licence_expires": "2020-01-31",
        "games": [GAME], "reason": "ingreso",
    }  # fmt: skip
    refused = admin.post("/ajustes/personal/", given)
    assert refused.status_code == 422
    assert "Esa licencia ya venció" in refused.content.decode()
    assert admin.post("/ajustes/personal/", {**given, "expired": "on"}).status_code == 302
    page = floor.client(Role.SUPERVISOR).get("/mesas/PB-01/abrir/").content.decode()
    assert "Licencia vencida" in page[page.index("<dt>Juan Paz</dt>") :]
