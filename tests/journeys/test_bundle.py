"""Compliance, from the login to a bundle that a program without Sabot calls sound."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from audits import exports, tasks
from audits.bundles.making import VERIFIER
from audits.models import SealKey
from casino.kernel.permissions import Role
from tests.builders import PASSWORD
from tests.regulator.nights import two_nights


@pytest.mark.rule("REC-06")
def test_from_the_login_to_a_verified_bundle(
    transactional_db: None, live_server: Any, browser: Browser, settings: Any, tmp_path: Any, monkeypatch: Any
) -> None:
    settings.FILES_ROOT = tmp_path / "archivos"
    nights = two_nights(settings, tmp_path)
    # The worker, in the request's own thread: what it does is the same.
    monkeypatch.setattr(tasks.produce_export, "delay", exports.produce)
    page = browser.new_page(locale="es-BO", viewport={"width": 1024, "height": 768})
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))

    page.goto(live_server.url + "/entrar/")
    page.keyboard.type(nights.house.users[Role.COMPLIANCE].username)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(live_server.url + "/")
    page.get_by_role("link", name="Reportes").click()
    page.get_by_role("link", name="Paquete para el regulador").click()
    page.get_by_label("Desde", exact=True).fill(nights.days[0])
    page.get_by_label("Hasta", exact=True).fill(nights.days[1])
    page.get_by_label("Registro de pases").check()
    page.get_by_role("button", name="Pedir el paquete").click()

    link = page.get_by_role("link", name="Descargar")
    expect(link).to_be_visible()
    with page.expect_download() as waiting:
        link.click()
    assert waiting.value.suggested_filename == f"paquete-{nights.days[0]}-{nights.days[1]}.zip"
    bundle = tmp_path / "laptop.zip"
    waiting.value.save_as(bundle)
    page.close()
    assert troubles == []

    key = tmp_path / "llave.txt"
    key.write_text(bytes(SealKey.objects.get(until=None).public_key).hex())
    done = subprocess.run(
        [sys.executable, "-I", VERIFIER, bundle, "--key", key], capture_output=True, cwd=tmp_path, check=False
    )
    said = done.stdout.decode()
    assert done.returncode == 0, said
    assert "6 liquidados de nuevo" in said
    assert "ÍNTEGRO" in said
