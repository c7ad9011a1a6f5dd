"""The page of people's data: what each role may do there, what it refuses, from a hold to a pseudonym."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from audits.models import ErasureOrder, LegalHold, LegalHoldEnd, Pseudonym, RetentionPeriod
from audits.tasks import pseudonymise
from casino.kernel import clock
from casino.kernel.permissions import Role
from tables.models import Guest
from tests.builders import PASSWORD, House, a_house
from tests.guests.builders import guest
from tests.people_data.builders import LATER, client, faults, held

PLACE = "/auditoria/datos-personales/"


def sent(page: Client, part: str, **given: Any) -> Any:
    return page.post(f"{PLACE}{part}/", {name: str(value) for name, value in given.items()})


@pytest.fixture
def officer(house: House) -> Client:
    return client(house, Role.COMPLIANCE)


@pytest.mark.rule("REC-12")
def test_a_period_is_set_and_a_short_one_refused_beside_its_field(house: House, officer: Client) -> None:
    said = sent(officer, "plazo", kind="receipt", years=5, reason="menos papel")
    text = said.content.decode()
    assert said.status_code == 422 and "Nada se elimina antes de 10 años" in text and "REC-12" in text
    assert 'name="years"' in text and "menos papel" in text  # the form comes back as typed
    for bad in ({"years": "doce"}, {"years": ""}, {"kind": "nada", "years": 12}, {"years": 10**9}):
        given = {"kind": "receipt", "reason": "criterio de la casa", **bad}
        assert sent(officer, "plazo", **given).status_code == 422
    assert sent(officer, "plazo", kind="receipt", years=12, reason="").status_code == 422
    assert sent(officer, "plazo", kind="receipt", years=12, reason="criterio de la casa").status_code == 302
    assert RetentionPeriod.objects.get().years == 12
    assert "12 años" in officer.get(PLACE).content.decode()
    assert sent(officer, "plazo", kind="receipt", years=12, reason="otra vez").status_code == 409
    assert faults(house) == []


@pytest.mark.rule("REC-12", "GEN-10")
def test_a_hold_is_put_and_lifted_with_a_second_signature(house: House, officer: Client) -> None:
    ana = guest(house, "Ana Poma", number="4871203")
    given = {"kind": "guest", "subject": ana.pk, "document": "Oficio 12/2026", "reason": "proceso judicial"}
    assert sent(officer, "retener", **given).status_code == 302
    hold = LegalHold.objects.get()
    text = officer.get(PLACE).content.decode()
    assert hold.name in text and "A.P. •••203" in text and "Ana Poma" not in text
    lift = {
        "hold": hold.pk, "reason": "terminó", "second": house.users[Role.ADMINISTRATOR].username,
        "second_password": PASSWORD,
    }  # fmt: skip
    assert sent(officer, "levantar", **lift | {"second_password": "otra clave"}).status_code == 401
    assert sent(officer, "levantar", **lift | {"hold": 10**15}).status_code == 422
    mine = sent(officer, "levantar", **lift | {"second": house.users[Role.COMPLIANCE].username})
    assert mine.status_code == 422 and "dos personas distintas" in mine.content.decode()
    assert not LegalHoldEnd.objects.exists()
    assert sent(officer, "levantar", **lift).status_code == 302
    # It stands no longer, so the form does not offer it: the domain itself answers 409.
    assert sent(officer, "levantar", **lift).status_code == 409
    assert faults(house) == []


def test_a_hold_of_another_house_is_not_there(house: House) -> None:
    hold = held(house, "guest", guest(house).pk)
    other = a_house()
    page = client(other, Role.COMPLIANCE)
    given = {
        "hold": hold.pk, "reason": "terminó", "second": other.users[Role.ADMINISTRATOR].username,
        "second_password": PASSWORD,
    }  # fmt: skip
    assert sent(page, "levantar", **given).status_code == 422
    assert hold.name not in page.get(PLACE).content.decode()


@pytest.mark.rule("REC-12")
def test_from_the_order_on_the_page_to_the_pseudonym_by_the_job(house: House, officer: Client) -> None:
    ana = guest(house, "Ana Poma", number="4871203")
    given = {
        "kind": "guest", "reason": "venció su plazo", "second": house.users[Role.ADMINISTRATOR].username,
        "second_password": PASSWORD,
    }  # fmt: skip
    early = sent(officer, "seudonimos", **given)
    assert early.status_code == 422 and "REC-12" in early.content.decode()
    with clock.standing_at(LATER):
        page = client(house, Role.COMPLIANCE)
        assert sent(page, "seudonimos", **given).status_code == 302
        assert Guest.objects.get(pk=ana.pk).name == "Ana Poma"  # ordered, not done yet
        pseudonymise()
        pseudonymise()  # a job may run twice
        said = io.StringIO()
        call_command("pseudonymise", stdout=said)
        assert "seudónimos puestos: 0" in said.getvalue()
        order, stands = ErasureOrder.objects.get(), Pseudonym.objects.get()
        text = page.get(PLACE).content.decode()
        assert order.name in text and "1 / 1" in text
        assert stands.code in page.get(f"/jugadores/{ana.pk}/").content.decode()
        trail = page.get("/auditoria/", {"stream": "people-data"}).content.decode()
        assert stands.code in trail and "Ana" not in trail
    assert faults(house) == []


def test_others_read_without_forms_or_not_at_all(house: House) -> None:
    for role in (Role.INSPECTOR, Role.ADMINISTRATOR):
        page = client(house, role)
        text = page.get(PLACE, {"do": "order"}).content.decode()
        assert "Jugador" in text and 'name="second_password"' not in text
        for part in ("plazo", "retener", "levantar", "seudonimos"):
            assert sent(page, part, kind="guest").status_code == 403
    for role in (Role.PIT_BOSS, Role.CAGE, Role.CROUPIER, Role.SUPERVISOR):
        assert client(house, role).get(PLACE).status_code == 403


def test_the_page_speaks_english(house: House, officer: Client) -> None:
    officer.cookies["django_language"] = "en"
    for address in (PLACE, f"{PLACE}?do=hold", "/auditoria/accesos/", "/auditoria/reglas/"):
        text = officer.get(address).content.decode()
        assert "People&#x27;s data" in text or "People's data" in text
        assert "retención" not in text.lower()
