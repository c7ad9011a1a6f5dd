"""A file sent to the API is checked as one sent by a page, kept once, and handed out as nothing that runs."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from audits import attachments, filing_kinds, incidents
from audits.models import Attachment
from casino.kernel.permissions import Role
from tests.api.pooling import Asking, key
from tests.audits.test_sniffing import PDF, PNG
from tests.builders import NIGHT, House, a_house

pytestmark = pytest.mark.rule("REC-09")
OUT = "attachment; filename*=utf-8''"


@pytest.fixture
def house(db: None, tmp_path: Path, settings: Any) -> House:
    settings.FILES_ROOT = tmp_path
    return a_house()


@pytest.fixture
def asking(house: House) -> Asking:
    return Asking(house, NIGHT)


@pytest.fixture
def filing(house: House, asking: Asking) -> str:
    about = {
        "kind": filing_kinds.REQUEST,
        "subject_type": "casino",
        "subject_id": house.casino.pk,
        "text": "x",
    }
    return f"filings/{asking.made('filings', about)['id']}/files"


def sent(
    asking: Asking,
    path: str,
    content: bytes = PDF,
    name: str = "nota.pdf",
    who: Role = Role.PIT_BOSS,
    **more: Any,
) -> Any:
    headers = more.pop("headers", None) or key()
    form = {"file": SimpleUploadedFile(name, content), **more}
    return asking.client(who).post(f"/api/v1/{path}", form, format="multipart", **headers)


def refused(answer: Any) -> tuple[Any, ...]:
    assert answer["Content-Type"].startswith("application/problem+json")
    told = answer.json()
    return answer.status_code, told["code"], told["field"]


def test_a_file_is_kept_and_comes_back_as_it_was_sent(asking: Asking, filing: str) -> None:
    made = sent(asking, filing, name="Año «ñandú».PDF", note="hoja de ruta")
    assert made.status_code == 201, made.content
    told = made.json()
    assert (told["name"], told["media_type"], told["size_bytes"], told["note"], told["sha256"]) == (
        "Año «ñandú».PDF", "application/pdf", len(PDF), "hoja de ruta", hashlib.sha256(PDF).hexdigest(),
    )  # fmt: skip
    got = asking.looked(f"{filing}/{told['id']}", Role.INSPECTOR)
    assert b"".join(got.streaming_content) == PDF
    assert got["Content-Disposition"] == f"{OUT}A%C3%B1o%20%C2%AB%C3%B1and%C3%BA%C2%BB.PDF"


@pytest.mark.rule("REC-07")
def test_evidence_is_kept_with_an_incident(asking: Asking) -> None:
    about = {"kind": incidents.DISPUTE, "summary": "pagaron mal"}
    at = f"incidents/{asking.made('incidents', about, Role.SUPERVISOR)['id']}"
    assert sent(asking, f"{at}/files", PNG, "foto.png", Role.SUPERVISOR).status_code == 201
    assert [one["name"] for one in asking.get(at)["attachments"]] == ["foto.png"]
    assert refused(sent(asking, f"{at}/files", PNG, "foto.png", Role.CROUPIER))[0] == 403
    assert refused(sent(asking, f"{at}/files", PNG, "foto.png", Role.INSPECTOR))[0] == 403


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (b"", "nota.pdf", "empty_file"),
        (b"MZ\x90", "nota.pdf", "file_runs"),
        (b"<svg onload=alert(1)>", "nota.txt", "file_runs"),
        (PNG, "nota.pdf", "wrong_extension"),
        (b"\x00\x01", "nota.pdf", "unknown_file"),
    ],
)
def test_what_a_page_refuses_is_refused(
    asking: Asking, filing: str, content: bytes, name: str, expected: str
) -> None:
    assert refused(sent(asking, filing, content, name)) == (422, expected, "file")
    assert not Attachment.objects.exists()


def test_both_sides_of_the_greatest_size(
    asking: Asking, filing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attachments, "MOST_BYTES", len(PDF))
    assert sent(asking, filing).status_code == 201
    assert refused(sent(asking, filing, PDF + b"x", "otra.pdf")) == (422, "file_too_big", "file")


def test_more_than_any_upload_may_be_is_refused_unread(
    asking: Asking, filing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.uploads.MOST_BYTES", 100)
    assert refused(sent(asking, filing))[:2] == (413, "body_too_large")


def test_a_path_and_a_mark_that_turns_a_name_around_are_no_part_of_it(asking: Asking, filing: str) -> None:
    assert sent(asking, filing, PNG, "..\\..\\etc/a\u202efdp.png").json()["name"] == "afdp.png"


def test_the_same_request_again_is_one_file_and_other_bytes_are_no_same_request(
    asking: Asking, filing: str
) -> None:
    headers = key()
    first = sent(asking, filing, headers=headers)
    again = sent(asking, filing, headers=headers)
    assert (again.status_code, again.json(), again["Idempotent-Replay"]) == (201, first.json(), "true")
    assert Attachment.objects.count() == 1
    for other in ({"content": PDF + b"x"}, {"name": "otra.pdf"}, {"note": "x"}):
        assert refused(sent(asking, filing, headers=headers, **other))[:2] == (409, "idempotency_conflict")


def test_what_is_no_form_with_one_file_is_refused(asking: Asking, filing: str) -> None:
    client, path = asking.client(Role.PIT_BOSS), f"/api/v1/{filing}"
    assert refused(client.post(path, {"note": "x"}, format="json", **key()))[0] == 415
    assert refused(client.post(path, {"note": "x"}, format="multipart", **key()))[::2] == (400, "file")
    assert refused(client.post(path, {"file": "texto"}, format="multipart", **key()))[::2] == (400, "file")
    assert refused(client.post(path, **key()))[0] in {400, 415}
    two = [SimpleUploadedFile("a.pdf", PDF), SimpleUploadedFile("b.png", PNG)]
    assert refused(client.post(path, {"file": two}, format="multipart", **key()))[0] == 400
    assert refused(sent(asking, filing, note="a\x00b"))[::2] == (400, "note")
    assert refused(sent(asking, filing, apunte="x"))[::2] == (400, "apunte")
    assert not Attachment.objects.exists()


def test_another_house_has_no_such_filing(asking: Asking, filing: str) -> None:
    assert refused(sent(Asking(a_house("vecino"), NIGHT), filing))[0] == 404


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"echo hola > a.txt", "orden.txt"),
        (b"hola <script>alert(1)</script>", "nota.txt"),
        (PDF + b"\n<html><script>alert(1)</script>", "nota.pdf"),
        (PNG + b"<?php system('ls'); PK\x03\x04", "foto.png"),
    ],
)
def test_what_could_run_somewhere_is_handed_out_as_bytes_to_keep(
    asking: Asking, filing: str, content: bytes, name: str
) -> None:
    row = sent(asking, filing, content, name).json()
    browser = Client()
    browser.force_login(asking.house.users[Role.PIT_BOSS])
    page = reverse("filing-file", args=[filing.split("/")[1], row["id"]])
    for got in (asking.looked(f"{filing}/{row['id']}"), browser.get(page)):
        assert got["Content-Type"] == "application/octet-stream"
        assert got["Content-Disposition"] == f'attachment; filename="{name}"'
        assert got["X-Content-Type-Options"] == "nosniff"
        assert got["Content-Security-Policy"] == "default-src 'none'; sandbox; frame-ancestors 'none'"
        assert b"".join(got.streaming_content) == content
