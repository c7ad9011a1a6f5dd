"""The seals as people and programs see them: pages, the day's register with its QR code, API, public keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.test import Client
from pypdf import PdfReader

from audits.by import by_system
from audits.models import Seal
from audits.reports import document, formats, get
from audits.sealing import keeping, publishing, sealing, symbol
from casino.kernel.permissions import Role
from casino.models import GamingDay
from tests.api.building import House, make_house
from tests.audits.seal_days import FIRST, closed_day, key_folder  # noqa: F401

pytestmark = [pytest.mark.rule("REC-06"), pytest.mark.usefixtures("key_folder")]


@pytest.fixture
def house(db: None) -> House:
    return make_house()


@pytest.fixture
def day(house: House) -> GamingDay:
    return closed_day(house.casino, FIRST)


def sealed(house: House) -> Seal:
    keeping.make_key(by=by_system(house.casino, "setup"))
    (outcome,) = sealing.seal_due_days(house.casino)
    (seal,) = outcome.sealed
    return seal


def signed_in(house: House, role: Role = Role.COMPLIANCE) -> Client:
    client = Client()
    client.force_login(house.users[role])
    return client


@pytest.mark.parametrize("language", ["es-bo", "en"])
def test_the_days_page_says_sealed_waiting_or_held(house: House, day: GamingDay, language: str) -> None:
    house.users[Role.COMPLIANCE].language = language
    client = signed_in(house)
    client.cookies["django_language"] = language
    assert ("sin sello" if language == "es-bo" else "not sealed") in client.get("/dias/").content.decode()
    sealing.seal_due_days(house.casino)
    said = client.get("/dias/").content.decode()
    assert ("El casino no tiene llave de sello" if language == "es-bo" else "has no seal key") in said
    seal = sealed(house)
    said = client.get("/dias/").content.decode()
    assert ("sellado" if language == "es-bo" else "sealed") in said
    assert bytes(seal.root).hex() in said
    assert f"/dias/{day.pk}/sello.json" in said


def test_the_page_of_a_day_shows_root_key_and_code(house: House, day: GamingDay) -> None:
    client = signed_in(house, Role.INSPECTOR)
    before = client.get(f"/dias/{day.pk}/")
    assert before.status_code == 200
    assert "segno" not in before.content.decode()
    assert client.get(f"/dias/{day.pk}/sello.json").status_code == 404
    seal = sealed(house)
    said = client.get(f"/dias/{day.pk}/").content.decode()
    assert bytes(seal.root).hex() in said
    assert seal.key.key_id in said
    assert publishing.qr_text(seal) in said
    assert said.count('class="segno"') == 1


def test_a_day_of_another_house_is_not_there(house: House, day: GamingDay) -> None:
    from tests.api.building import make_house as another

    stranger = another("otra")
    client = signed_in(stranger, Role.COMPLIANCE)
    for path in ("", "sello.json"):
        assert client.get(f"/dias/{day.pk}/{path}").status_code == 404


def test_the_file_of_a_seal_proves_itself(house: House, day: GamingDay) -> None:
    seal = sealed(house)
    response = signed_in(house).get(f"/dias/{day.pk}/sello.json")
    assert (
        response["Content-Disposition"] == f'attachment; filename="sello-{house.casino.code}-2026-11-02.json"'
    )
    told = json.loads(response.content)
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(told["public_key"]))
    key.verify(bytes.fromhex(told["signature"]), told["document"].encode())
    assert json.loads(told["document"])["root"] == bytes(seal.root).hex()
    assert publishing.read(response.content.decode())[0][0].key_id == seal.key.key_id


def test_public_keys_need_no_login(house: House, day: GamingDay) -> None:
    assert Client().get("/llaves-de-sello.json").json() == []
    seal = sealed(house)
    (told,) = Client().get("/llaves-de-sello.json").json()
    assert told["keys"][0]["public_key"] == bytes(seal.key.public_key).hex()


def _register(house: House, path: Path, language: str = "es-bo") -> PdfReader:
    made = document.prepare(get("tables.day"), house.casino, {"day": FIRST}, language)
    formats.WRITERS["pdf"](made, path, lambda rows: None)
    return PdfReader(path)


@pytest.mark.rule("REC-08")
def test_the_register_prints_the_root_as_text_and_as_a_code(
    house: House, day: GamingDay, tmp_path: Path
) -> None:
    before = _register(house, tmp_path / "before.pdf").pages[0]
    assert "sin sello" in before.extract_text()
    assert "not sealed" in _register(house, tmp_path / "en.pdf", "en").pages[0].extract_text()
    seal = sealed(house)
    after = _register(house, tmp_path / "after.pdf").pages[0]
    assert bytes(seal.root).hex() in after.extract_text().replace("\n", "")
    # The code is drawn in black squares: so many runs of dark modules as the symbol of that text has.
    rows = symbol.modules(publishing.qr_text(seal))
    runs = sum(1 for row in rows for at, dark in enumerate(row) if dark and not (at and row[at - 1]))
    content = after.get_contents()
    assert content is not None
    drawn = content.get_data().count(b" re f")
    plain = before.get_contents()
    assert plain is not None
    assert drawn - plain.get_data().count(b" re f") == runs


def test_the_register_is_the_same_file_each_time(house: House, day: GamingDay, tmp_path: Path) -> None:
    sealed(house)
    _register(house, tmp_path / "one.pdf")
    _register(house, tmp_path / "two.pdf")
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


def test_the_api_gives_exactly_what_was_signed(house: House, day: GamingDay) -> None:
    seal = sealed(house)
    client = house.client(Role.INSPECTOR)
    (listed,) = client.get("/api/v1/seals").json()["results"]
    assert (listed["gaming_day"], listed["root"]) == ("2026-11-02", bytes(seal.root).hex())
    assert listed["qr"] == publishing.qr_text(seal)
    one: dict[str, Any] = client.get(f"/api/v1/seals/{seal.pk}").json()
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(one["public_key"]))
    key.verify(bytes.fromhex(one["signature"]), one["document"].encode())
    assert client.get("/api/v1/seals?since=2026-11-03").json()["results"] == []
    assert client.get("/api/v1/seals?since=nunca").status_code == 400
    (told,) = client.get("/api/v1/seal-keys").json()["results"]
    assert told["key_id"] == seal.key.key_id
    assert told["previous_key_id"] is None
    assert client.post("/api/v1/seals", {}).status_code == 405


def test_a_report_is_asked_for_the_day_the_page_names(house: House, day: GamingDay) -> None:
    client = signed_in(house)
    assert 'value="2026-11-02"' in client.get("/reportes/tables.day/?day=2026-11-02").content.decode()
    assert client.get("/reportes/tables.day/?day=%27;--").status_code == 200
