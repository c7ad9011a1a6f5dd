"""The inspector's evening on the pages: his code, the draw, a blind count, the house's signature, the act."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from audits.inspections import draw
from audits.models import Incident, Inspection, InspectionCount, InspectionDraw, InspectorAccess
from casino.kernel.permissions import Role
from tests.api.building import PASSWORD
from tests.pages.building import Floor

pytestmark = pytest.mark.rule("REC-11")
GIVEN = {"name": "Rosa Mamani", "credential": "AJ-0117", "hours": "8", "entries": "1", "valid_from": ""}


def code_of(floor: Floor) -> str:
    """A code as compliance gives it on the page, read off the page."""
    page = floor.client(Role.COMPLIANCE).post("/inspecciones/codigos/", GIVEN)
    assert page.status_code == 200
    found = re.search(r'class="big mono">([A-Z0-9-]{19})<', page.content.decode())
    assert found is not None
    return found[1]


def inside(floor: Floor) -> Client:
    client = Client()
    client.cookies["django_language"] = "es-bo"
    entered = client.post("/inspeccion/", {"credential": "AJ-0117", "code": code_of(floor)})
    assert (entered.status_code, entered["Location"]) == (302, "/inspecciones/")
    return client


def a_visit(client: Client) -> str:
    return str(client.post("/inspecciones/")["Location"])


def text(response: Any) -> str:
    return str(response.content.decode())


def test_a_code_is_shown_once_and_opens_a_session_that_ends(floor: Floor) -> None:
    client = inside(floor)
    again = text(floor.client(Role.COMPLIANCE).get("/inspecciones/codigos/"))
    assert "AJ-0117" in again
    assert "big mono" not in again
    assert 8 * 3600 - 60 < client.session.get_expiry_age() <= 8 * 3600
    assert "Su acceso termina" in text(client.get("/inspecciones/"))
    access = InspectorAccess.objects.get()
    desk = floor.client(Role.ADMINISTRATOR)
    assert desk.post(f"/inspecciones/codigos/{access.pk}/revocar/", {"reason": ""}).status_code == 422
    assert desk.post(f"/inspecciones/codigos/{access.pk}/revocar/", {"reason": "se fue"}).status_code == 302
    assert client.get("/inspecciones/")["Location"].startswith("/entrar/")


def test_a_wrong_code_says_so_beside_the_field_and_five_are_the_most(floor: Floor) -> None:
    client = Client()
    client.cookies["django_language"] = "es-bo"
    for _ in range(5):
        refused = client.post("/inspeccion/", {"credential": "AJ-0117", "code": "<script>"})
        assert (refused.status_code, "no son correctos" in text(refused)) == (401, True)
        assert "&lt;script" not in text(refused)  # a code is never written back
    refused = client.post("/inspeccion/", {"credential": "AJ-0117", "code": "x"})
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hours": "99"}, "e 1 a 24 horas"),
        ({"hours": "x"}, "número entero"),
        ({"credential": "¿?"}, "credencial de la AJ"),
        ({"name": ""}, "alta este dato"),
        ({"valid_from": "ayer"}, "fecha y hora"),
    ],
)
def test_what_is_typed_wrong_on_the_desk_is_said(floor: Floor, change: dict[str, str], said: str) -> None:
    refused = floor.client(Role.COMPLIANCE).post("/inspecciones/codigos/", GIVEN | change)
    assert (refused.status_code, said in text(refused)) == (422, True)


def test_an_evening_of_the_inspector(floor: Floor) -> None:
    session = floor.open()
    client = inside(floor)
    visit = a_visit(client)
    # The hash stands on the page before the word; the seed nowhere until it is drawn.
    client.post(f"{visit}sorteos/", {"wanted": "1", "among": "open"})
    row = InspectionDraw.objects.get()
    shown = text(client.get(visit))
    assert row.seed_hash in shown
    assert row.seed not in shown
    assert client.get(f"{visit}sorteos/1/").status_code == 404
    client.post(f"{visit}sorteos/1/palabra/", {"word": "quirquincho"})
    shown = text(client.get(visit))
    assert row.seed in shown
    assert "verificado" in shown
    record = json.loads(client.get(f"{visit}sorteos/1/").content)
    assert draw.verify_draw(record) == []
    # Blind: what is expected is on no page of the count.
    address = f"{visit}contar/?kind=tables.float&target={session.pk}"
    form = text(client.get(address))
    assert "6.500" not in form
    assert "6500" not in form
    counted = {"kind": "tables.float", "target": session.pk, "d500": "100", "d1000": "100", "d5000": "99"}
    assert client.post(f"{visit}contar/", counted).status_code == 302
    count = InspectionCount.objects.get()
    assert (count.total, count.expected, count.difference) == (645_000, 650_000, -5_000)
    shown = text(client.get(visit))
    assert "difiere" in shown
    # The house signs on the inspector's screen; a wrong password is refused there.
    sign = {"agrees": "yes", "words": "", "signer": "norte-supervisor", "signer_password": "no"}
    assert client.post(f"{visit}conteos/1/firma/", sign).status_code == 401
    assert client.post(f"{visit}conteos/1/firma/", sign | {"signer_password": PASSWORD}).status_code == 302
    assert count.answer.signed_by.name == "Persona supervisor"
    # The incident is the house's to open, from its own screen.
    assert client.post(f"{visit}conteos/1/incidente/").status_code == 403
    assert floor.client(Role.PIT_BOSS).post(f"{visit}conteos/1/incidente/").status_code == 302
    assert Incident.objects.get().table_label == "PB-01"
    client.post(f"{visit}cerrar/", {"remarks": "Falta una ficha de 50."})
    act = text(client.get(f"{visit}acta/"))
    for said in (Inspection.objects.get().label, "quirquincho", "Falta una ficha de 50.", "INC-"):
        assert said in act


def test_a_count_again_asks_why_and_keeps_what_was_typed(floor: Floor) -> None:
    session = floor.open()
    client = inside(floor)
    visit = a_visit(client)
    counted = {"kind": "tables.pack", "target": session.pk, "total": "312"}
    client.post(f"{visit}contar/", counted)
    assert InspectionCount.objects.get().difference == 0  # 309 in the shoe, three burned
    refused = client.post(f"{visit}contar/", counted | {"total": "311"})
    assert (refused.status_code, 'name="reason"' in text(refused), 'value="311"' in text(refused)) == (
        422,
        True,
        True,
    )
    for typed in ("", "-1", "12.5", "٣١٢", "9999999"):
        assert client.post(f"{visit}contar/", counted | {"total": typed, "reason": "x"}).status_code == 422
    assert (
        client.post(f"{visit}contar/", counted | {"total": "311", "reason": "conté otra vez"}).status_code
        == 302
    )
    for nothing in (
        "kind=tables.pack&target=999999",
        "kind=nada&target=1",
        "target=1",
        "kind=tables.pack&target=x",
    ):
        assert client.get(f"{visit}contar/?{nothing}").status_code == 404


def test_all_lines_of_a_count_are_typed(floor: Floor) -> None:
    session = floor.open()
    client = inside(floor)
    visit = a_visit(client)
    counted = {"kind": "tables.float", "target": session.pk, "d500": "100", "d1000": "", "d5000": "100"}
    assert client.post(f"{visit}contar/", counted).status_code == 422
    noted = counted | {"d1000": "100", "aside": "mucho"}
    assert client.post(f"{visit}contar/", noted).status_code == 422
    assert client.post(f"{visit}contar/", noted | {"aside": "150,00"}).status_code == 302
    assert InspectionCount.objects.get().expected == 635_000


def test_another_house_s_visit_is_none(floor: Floor) -> None:
    from tests.api.building import make_house

    client = inside(floor)
    visit = a_visit(client)
    other = Client()
    other.force_login(make_house("sur").users[Role.COMPLIANCE])
    assert other.get(visit).status_code == 404
    assert other.post(f"{visit}cerrar/", {"reason": "x"}).status_code == 404
    assert other.get(f"{visit}acta/").status_code == 404


@pytest.mark.parametrize("language", ["es-bo", "en"])
def test_the_pages_render_in_both_languages(floor: Floor, language: str) -> None:
    floor.open()
    client = inside(floor)
    visit = a_visit(client)
    client.post(f"{visit}sorteos/", {"wanted": "1", "among": "all"})
    session = floor.sessions[0].pk
    client.cookies["django_language"] = language
    wrong = []
    for who, path in (
        (client, "/inspecciones/"),
        (client, visit),
        (client, f"{visit}acta/"),
        (client, f"{visit}contar/?kind=tables.float&target={session}"),
        (client, f"{visit}contar/?kind=tables.pack&target={session}"),
        (Client(), "/inspeccion/"),
        (floor.client(Role.ADMINISTRATOR, language), "/inspecciones/codigos/"),
        (floor.client(Role.COMPLIANCE, language), "/inspecciones/"),
        (floor.client(Role.PIT_BOSS, language), visit),
    ):
        who.cookies["django_language"] = language
        answer = who.get(path)
        said = text(answer)
        inline = re.search(r"<script(?![^>]*\ssrc=)|\sstyle=|\son[a-z]+=", said)
        if (
            answer.status_code != 200
            or "{{" in said
            or "{%" in said
            or inline
            or f'lang="{language}"' not in said
        ):
            wrong.append((path, answer.status_code))
    assert wrong == []


def test_compliance_opens_and_closes_a_visit_for_an_inspector(floor: Floor) -> None:
    inside(floor)
    office = floor.client(Role.COMPLIANCE)
    assert office.post("/inspecciones/", {"inspector": ""}).status_code == 422
    inspector = InspectorAccess.objects.get().user.actor
    made = office.post("/inspecciones/", {"inspector": str(inspector.pk)})
    assert made.status_code == 302
    assert office.post(f"{made['Location']}cerrar/", {"reason": ""}).status_code == 422
    closed = office.post(f"{made['Location']}cerrar/", {"reason": "terminó en papel"})
    assert closed.status_code == 302
    assert [str(m) for m in get_messages(closed.wsgi_request)] == ["Registrado"]
    assert Inspection.objects.get().state == "closed"
