"""Every page renders for its role in both languages, and no Spanish sentence lacks its English."""

from __future__ import annotations

import re

import pytest

from casino import translations
from casino.headers import POLICY
from casino.kernel.permissions import Role
from casino.kernel.rulebook import rules
from tests.pages.building import Floor

PLACES = [
    (Role.CROUPIER, "/"),
    (Role.PIT_BOSS, "/"),
    (Role.PIT_BOSS, "/sala/tablero/"),
    (Role.PIT_BOSS, "/mesas/PB-01/"),
    (Role.INSPECTOR, "/mesas/PB-01/"),
    (Role.SUPERVISOR, "/mesas/PB-01/tablero/"),
    (Role.SUPERVISOR, "/mesas/PB-01/cerrar/"),
    (Role.SUPERVISOR, "/mesas/PB-01/relevo/"),
    (Role.SUPERVISOR, "/mesas/PB-01/sabot/"),
    (Role.COMPLIANCE, "/sesiones/"),
    (Role.COMPLIANCE, "/sesiones/{session}/"),
    (Role.CAGE, "/sesiones/{session}/apertura/"),
    (Role.INSPECTOR, "/pases/{round}/"),
    (Role.INSPECTOR, "/pases/{round}/repeticion/"),
    (Role.SUPERVISOR, "/pases/{round}/repeticion/?paso=0"),
    (Role.COMPLIANCE, "/tramites/"),
    (Role.INSPECTOR, "/tramites/"),
    (Role.ADMINISTRATOR, "/tramites/exigencias/"),
    (Role.INSPECTOR, "/tramites/exigencias/"),
    (Role.COMPLIANCE, "/incidentes/plazos/"),
    (Role.INSPECTOR, "/incidentes/plazos/"),
    (Role.PIT_BOSS, "/pases/{round}/"),
    (Role.PIT_BOSS, "/cartas/"),
    (Role.CROUPIER, "/cartas/sabots/{shoe}/"),
    (Role.PIT_BOSS, "/cartas/barajas/"),
    (Role.PIT_BOSS, "/cartas/barajas/{deck}/"),
    (Role.SUPERVISOR, "/cartas/inspeccion/"),
    (Role.SUPERVISOR, "/cartas/inspeccion/{deck}/"),
    (Role.SUPERVISOR, "/cartas/sabots/{shoe}/recuento/"),
    (Role.CROUPIER, "/cartas/sabots/{shoe}/falla/"),
    (Role.CROUPIER, "/cartas/sabots/{shoe}/sacar/"),
    (Role.INSPECTOR, "/cartas/deposito/"),
    (Role.ADMINISTRATOR, "/cartas/deposito/"),
    (Role.PIT_BOSS, "/cartas/deposito/recepcion/"),
    (Role.PIT_BOSS, "/cartas/deposito/entrega/"),
    (Role.CAGE, "/cartas/deposito/recuento/"),
    *((Role.PIT_BOSS, f"/cartas/deposito/{way}/") for way in ("devolver", "cuarentena", "retirar", "anular")),
    *((Role.COMPLIANCE, f"/cartas/deposito/{way}/") for way in ("retener", "liberar", "precintar")),
    (Role.INSPECTOR, "/cartas/equipos/"),
    (Role.ADMINISTRATOR, "/cartas/equipos/"),
    (Role.INSPECTOR, "/cartas/donde/"),
    (Role.INSPECTOR, "/cartas/actas/"),
    (Role.PIT_BOSS, "/cartas/actas/nueva/"),
    (Role.CROUPIER, "/cartas/etiquetas/"),
    (Role.CROUPIER, "/cartas/leer/"),
    (Role.COMPLIANCE, "/reportes/"),
    (Role.COMPLIANCE, "/reportes/tables.day/"),
    (Role.INSPECTOR, "/auditoria/"),
    (Role.INSPECTOR, "/auditoria/{event}/"),
    (Role.COMPLIANCE, "/dias/"),
    (Role.PIT_BOSS, "/ajustes/mesas/"),
    (Role.ADMINISTRATOR, "/ajustes/mesas/{table}/"),
    (Role.ADMINISTRATOR, "/ajustes/limites/{table}/"),
    (Role.ADMINISTRATOR, "/ajustes/sectores/"),
    (Role.ADMINISTRATOR, "/ajustes/juegos/"),
    (Role.ADMINISTRATOR, "/ajustes/juegos/baccarat.mini/"),
    (Role.ADMINISTRATOR, "/ajustes/personal/"),
    (Role.ADMINISTRATOR, "/ajustes/personal/{staff}/"),
    (Role.ADMINISTRATOR, "/ajustes/casino/"),
    (Role.ADMINISTRATOR, "/ajustes/usuarios/"),
    (Role.ADMINISTRATOR, "/ajustes/usuarios/{user}/"),
    (Role.CROUPIER, "/reglas/"),
    (Role.CROUPIER, "/reglas/BAC-15/"),
]


def test_every_page_renders_in_both_languages(floor: Floor) -> None:
    session = floor.open()
    ids = {
        "session": session.pk,
        "shoe": session.shoe_id,
        "deck": session.shoe.decks.first().pk,
        "table": floor.table.pk,
        "staff": floor.dealer.pk,
        "user": floor.house.users[Role.CAGE].pk,
        "round": floor.settled().pk,
        "event": floor.house.casino.events.first().pk,
    }
    wrong = []
    for role, path in PLACES:
        # A croupier sees their own tables only; the floor page is everyone's.
        for language in ("es-bo", "en"):
            response = floor.client(role, language).get(path.format(**ids))
            said = response.content.decode()
            if response.status_code != 200 or "{{" in said or "{%" in said:
                wrong.append((path, language, response.status_code))
            whole = said.lstrip().startswith("<!doctype")
            if whole and f'<html lang="{language}"' not in said:
                wrong.append((path, language, "lang"))
            if response.headers["Content-Security-Policy"] != POLICY:
                wrong.append((path, language, "policy"))
            # The policy forbids inline script and style: none may be there to be blocked.
            if re.search(r"<script(?![^>]*\ssrc=)|\sstyle=|\son[a-z]+=", said):
                wrong.append((path, language, "inline"))
    assert wrong == []


def test_every_spanish_sentence_has_its_english_compiled() -> None:
    assert translations.problems() == []


def test_the_page_follows_the_language_asked_for(floor: Floor) -> None:
    assert "Neto por apuestas" in floor.client(Role.PIT_BOSS).get("/").content.decode()
    assert "Net on bets" in floor.client(Role.PIT_BOSS, "en").get("/").content.decode()


def test_every_rule_can_be_read_in_full(floor: Floor) -> None:
    client = floor.client(Role.CROUPIER)
    for rule_id in rules():
        response = client.get(f"/reglas/{rule_id}/", headers={"HX-Request": "true"})
        assert response.status_code == 200
        assert rule_id in response.content.decode()
    assert client.get("/reglas/BAC-99/").status_code == 404


def test_a_missing_page_and_a_forbidden_one_are_pages_of_the_house(floor: Floor) -> None:
    croupier = floor.client(Role.CROUPIER)
    lost = croupier.get("/nada/")
    assert (lost.status_code, "Aquí no hay nada" in lost.content.decode()) == (404, True)
    refused = croupier.get("/ajustes/usuarios/")
    assert refused.status_code == 403
    assert "puede hacerlo: Administración" in refused.content.decode()


@pytest.mark.parametrize(
    "path",
    [
        "/mesas/PB-01/",
        "/sesiones/{}/",
        "/pases/{}/",
        "/ajustes/mesas/{}/",
        "/cartas/barajas/{}/",
        "/cartas/inspeccion/{}/",
    ],
)
def test_another_casino_has_nothing_here(floor: Floor, path: str) -> None:
    from tests.api.building import make_house

    session = floor.open()
    other = Floor(make_house("sur"), floor.table, floor.dealer, floor.relief, floor.supervisor)
    target = {
        "/sesiones/{}/": session.pk,
        "/pases/{}/": floor.settled().pk,
        "/ajustes/mesas/{}/": floor.table.pk,
    }.get(path, session.shoe.decks.first().pk)
    role = Role.ADMINISTRATOR if "ajustes" in path else Role.PIT_BOSS
    assert other.client(role).get(path.format(target)).status_code == 404
