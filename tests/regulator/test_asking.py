"""A bundle asked for on the page and over the API."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from audits import tasks
from audits.models import Export, Seal
from audits.reports import get
from casino.kernel.permissions import Role

pytestmark = pytest.mark.rule("REC-06")

ADDRESS = "/reportes/audits.bundle/"


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr(tasks.produce_export, "delay", lambda pk: None)


def office(nights, role=Role.COMPLIANCE, language="es-bo"):
    client = Client(headers={"accept-language": language})
    client.force_login(nights.house.users[role])
    return client


def test_the_form_offers_the_last_sealed_day_the_reports_and_one_format(nights):
    page = office(nights).get(ADDRESS).content.decode()
    assert page.count(f'value="{nights.days[-1]}"') == 2
    assert 'type="checkbox" name="reports" value="tables.results"' in page
    assert 'value="zip"' in page and 'value="csv"' not in page


def test_the_main_button_asks_for_the_file_and_the_form_says_how_it_is_checked(nights):
    """The screen has nothing of the bundle but its days: looking at those is the lesser button."""
    page = office(nights).get(ADDRESS).content.decode()
    (main,) = re.findall(r'<button class="btn main"[^>]*>(?:<svg.*?</svg>)?([^<]*)</button>', page, re.DOTALL)
    assert main.strip() == "Pedir el paquete"
    assert "Ver en pantalla" not in page and "Ver qué días y sellos abarca" in page
    assert "python verify_bundle.py paquete.zip --key llaves-de-sello.json" in page
    assert reverse("seal-keys-file") in page


def test_looking_at_what_it_covers_takes_what_the_form_sends(nights):
    asked = {
        "first": nights.days[0],
        "last": nights.days[1],
        "format": "zip",
        "through": "",
        "reports": "tables.day",
    }
    page = office(nights).get(ADDRESS + "ver/", asked)
    assert page.status_code == 200
    seal = Seal.objects.get(day__date=nights.days[0])
    said = page.content.decode()
    assert bytes(seal.root).hex() in said
    assert get("tables.day").title.es in said and "[&#x27;" not in said and "tables.day&#x27;" not in said


def test_several_reports_are_asked_for_at_once(nights):
    client = office(nights, Role.INSPECTOR)
    asked = {"first": nights.days[0], "last": nights.days[1], "format": "zip"}
    response = client.post(ADDRESS, {**asked, "reports": ["tables.results", "tables.rounds"]})
    assert response.status_code == 302
    export = Export.objects.get()
    assert export.params == {**{k: asked[k] for k in ("first", "last")}, "through": nights.days[1],
                             "reports": ["tables.results", "tables.rounds"]}  # fmt: skip
    listing = client.get(reverse("reports")).content.decode()
    assert "Paquete para el regulador" in listing
    assert "Registro de pases" in listing


def test_what_is_refused_stands_beside_its_field_with_its_rule(nights):
    response = office(nights).post(ADDRESS, {"first": "2026-01-01", "last": "2026-01-02", "format": "zip"})
    assert response.status_code == 422
    assert "o hay días de juego del 2026-01-01 al 2026-01-02" in response.content.decode()
    response = office(nights).post(
        ADDRESS, {"first": nights.days[0], "last": nights.days[0], "format": "csv"}
    )
    assert response.status_code == 422
    assert "lija el formato: zip" in response.content.decode()


@pytest.mark.parametrize("role", [Role.PIT_BOSS, Role.CAGE, Role.ADMINISTRATOR])
def test_it_is_not_there_for_others(nights, role):
    client = office(nights, role)
    assert client.get(ADDRESS).status_code == 404
    assert "Paquete para el regulador" not in client.get(reverse("reports")).content.decode()


def test_over_the_api(nights):
    client = APIClient()
    client.force_authenticate(nights.house.users[Role.COMPLIANCE])
    asked = {
        "report": "audits.bundle",
        "format": "zip",
        "params": {"first": nights.days[0], "last": nights.days[1], "reports": ["tables.results"]},
    }
    key = "3f0c2e5e-5a3b-4f0e-9d7a-0c9f4a2f1b11"
    response = client.post("/api/v1/exports", asked, format="json", headers={"idempotency-key": key})
    assert response.status_code == 202, response.content
    assert response.json()["file_name"] == f"paquete-{nights.days[0]}-{nights.days[1]}.zip"
