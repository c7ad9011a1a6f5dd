"""Pages of filings and of what is kept with incidents: drafted from the thing, files, deadlines, replay."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from audits import filing_demands, filing_kinds, filings
from audits.models import Attachment, ComplaintTerms, Event, Filing, FilingDemand, Incident, VideoHold
from casino import uploads
from casino.kernel import clock
from casino.kernel.permissions import Role
from tables.disputes import open_dispute
from tables.models import GameRules
from tests.audits.test_sniffing import PDF, PNG
from tests.pages.building import GAME, Floor

LIST = "/tramites/"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, settings: Any) -> Path:
    settings.FILES_ROOT = tmp_path
    return tmp_path


def a_file(name: str = "nota.pdf", content: bytes = PDF) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, "text/html")


def a_filing(floor: Floor, kind: str = filing_kinds.REQUEST) -> Filing:
    subject = filing_kinds.about_house(floor.house.casino)
    return filings.draft_filing(kind=kind, subject=subject, text="se pide", by=floor.by(Role.ADMINISTRATOR))


def a_dispute(floor: Floor) -> Incident:
    session = floor.open()
    floor.settled()
    return open_dispute(session=session, claims="pagaron mal", seat=3, by=floor.by(Role.SUPERVISOR))


@pytest.mark.rule("REC-09")
def test_a_filing_about_the_house_from_the_list_to_its_answer(floor: Floor) -> None:
    pit, compliance, admin = (
        floor.client(role) for role in (Role.PIT_BOSS, Role.COMPLIANCE, Role.ADMINISTRATOR)
    )
    odd = pit.post(LIST, {"kind": "betting_plan", "text": "x"})
    assert odd.status_code == 422 and "Elija uno de la lista" in odd.content.decode()
    sent = pit.post(LIST, {"kind": "promotion", "text": "=1+1 <b>sorteo</b> Ñandú"})
    filing = Filing.objects.get()
    place = f"{LIST}{filing.pk}/"
    assert sent["Location"] == place
    page = pit.get(place).content.decode()
    assert "=1+1 &lt;b&gt;sorteo&lt;/b&gt; Ñandú" in page and "Anotar que se presentó" not in page
    bad = compliance.post(f"{place}presentar/", {"receipt": "HR 1", "answer_by": "mañana"})
    assert bad.status_code == 422 and 'id="r-answer_by"' in bad.content.decode()
    today = clock.now().date()
    until = today.replace(year=today.year + 1)
    compliance.post(f"{place}presentar/", {"receipt": "HR 1", "answer_by": str(until)})
    page = compliance.get(place).content.decode()
    assert "HR 1" in page and "respuesta de la AJ" in page
    old = admin.post(
        f"{place}respuesta/", {"approved": "yes", "reference": "RA/1", "valid_from": "2019-01-01"}
    )
    assert old.status_code == 422 and "antes de presentarse" in old.content.decode()
    admin.post(f"{place}respuesta/", {"approved": "yes", "reference": "RA/1"})
    filing.refresh_from_db()
    assert (filing.state, filing.receipt, filing.due_on) == ("approved", "HR 1", None)


@pytest.mark.rule("GEN-10")
def test_its_author_is_not_offered_the_answer_and_refused_it(floor: Floor) -> None:
    filing = a_filing(floor)
    place = f"{LIST}{filing.pk}/"
    floor.client(Role.COMPLIANCE).post(f"{place}presentar/")
    admin = floor.client(Role.ADMINISTRATOR)
    assert "Lo redactó usted" in admin.get(place).content.decode()
    own = admin.post(f"{place}respuesta/", {"approved": "yes", "reference": "RA/1"})
    assert own.status_code == 422 and "otra persona" in own.content.decode()


@pytest.mark.rule("REC-09")
def test_a_deadline_is_listed_first_and_warned_of(floor: Floor) -> None:
    first, second = a_filing(floor), a_filing(floor)
    compliance = floor.client(Role.COMPLIANCE)
    soon = {"due_on": str(clock.now().date()), "due_for": "responder <i>ya</i>"}
    assert compliance.post(f"{LIST}{first.pk}/plazo/", soon).status_code == 302
    page = compliance.get(LIST).content.decode()
    assert page.index(first.label) < page.index(second.label)
    assert "responder &lt;i&gt;ya&lt;/i&gt;" in page
    bare = compliance.post(f"{LIST}{second.pk}/plazo/", {"due_on": str(clock.now().date())})
    assert bare.status_code == 422 and 'id="r-due_for"' in bare.content.decode()


@pytest.mark.rule("REC-09")
def test_files_are_attached_listed_and_downloaded(floor: Floor, files: Path) -> None:
    filing = a_filing(floor)
    place, client = f"{LIST}{filing.pk}/", floor.client(Role.COMPLIANCE)
    sent = client.post(f"{place}archivos/", {"file": a_file("<b>ñ</b>.pdf"), "note": "cargo"})
    assert sent.status_code == 302, sent.content.decode()
    row = Attachment.objects.get()
    assert row.media_type == "application/pdf"  # not what the browser said
    assert "b&gt;.pdf" in client.get(place).content.decode()
    got = client.get(f"{place}archivos/{row.pk}/")
    assert b"".join(got) == PDF
    assert got["Content-Type"] == "application/octet-stream" and got["Content-Disposition"].startswith(
        "attachment"
    )
    assert got["X-Content-Type-Options"] == "nosniff"
    for wrong, said in (
        (a_file("virus.exe", b"MZ"), "Es un programa"), (a_file("foto.pdf", PNG), "debe terminar en .png"),
        (a_file("vacio.pdf", b""), "está vacío"),
    ):  # fmt: skip
        refused = client.post(f"{place}archivos/", {"file": wrong})
        assert refused.status_code == 422 and said in refused.content.decode()
    assert client.post(f"{place}archivos/").status_code == 422
    assert client.get(f"{LIST}{a_filing(floor).pk}/archivos/{row.pk}/").status_code == 404
    (files / "attachments" / row.sha256).write_bytes(b"otra cosa")
    changed = client.get(f"{place}archivos/{row.pk}/")
    assert changed.status_code == 409 and "ya no es el que se adjuntó" in changed.content.decode()


@pytest.mark.rule("GEN-05", "REC-09")
def test_a_games_plan_is_drafted_from_its_rules_and_asked_for(floor: Floor) -> None:
    admin = floor.client(Role.ADMINISTRATOR)
    place = f"/ajustes/juegos/{GAME}/"
    page = admin.get(place).content.decode()
    assert "la casa no lo exige" in page
    typed = r'<input id="f-([^"]+)" name="[^"]+" type="[^"]+"\s+value="([^"]*)"'
    fields = dict(re.findall(typed, page))
    fields |= dict(re.findall(r'<select id="f-([^"]+)".*?<option value="([^"]*)" selected', page, re.S))
    sent = admin.post(
        "/tramites/exigencias/", {"kind": "betting_plan", "demanded": "yes", "reason": "confirmado"}
    )
    assert sent.status_code == 302 and FilingDemand.objects.get().demanded
    assert 'chip bad">falta' in admin.get(place).content.decode()
    given = {
        **fields, "reason": "x", "betting_plan": "PA-9", "confirmed_by": "Ana", "confirmation": "visto",
    }  # fmt: skip
    refused = admin.post(place, given)
    assert refused.status_code == 422 and "aprobado por la AJ para estas cifras" in refused.content.decode()
    drafted = admin.post(place, {**given, "ask-betting_plan": "1"})
    filing = Filing.objects.get()
    assert drafted["Location"] == f"{LIST}{filing.pk}/" and filing.kind == "betting_plan"
    floor.client(Role.COMPLIANCE).post(f"{LIST}{filing.pk}/presentar/")
    floor.client(Role.COMPLIANCE).post(
        f"{LIST}{filing.pk}/respuesta/", {"approved": "yes", "reference": "RA/2"}
    )
    assert admin.post(place, given).status_code == 302
    assert GameRules.objects.count() == 2


@pytest.mark.rule("REC-09")
def test_what_is_asked_for_is_shown_and_changed_with_a_reason(floor: Floor) -> None:
    client = floor.client(Role.COMPLIANCE)
    place = "/tramites/exigencias/"
    page = client.get(place).content.decode()
    assert "lo exige el reglamento" in page and "nadie lo decidió" in page
    assert "La casa no exige" in client.get(LIST).content.decode()
    assert client.post(place, {"kind": "materials", "demanded": "yes"}).status_code == 422
    assert client.post(place, {"kind": "materials", "reason": "x"}).status_code == 422
    hidden = client.post(place, {"kind": "pool_equipment", "demanded": "no", "reason": "x"})
    assert hidden.status_code == 422
    assert not FilingDemand.objects.exists()
    client.post(place, {"kind": "materials", "demanded": "yes", "reason": "lo pide la licencia"})
    assert "lo pide la licencia" in client.get(place).content.decode()
    assert filing_demands.demanded(floor.house.casino, "materials") == {"materials"}


@pytest.mark.rule("GEN-08")
def test_a_dispute_shows_its_terms_its_video_and_its_round(floor: Floor) -> None:
    incident = a_dispute(floor)
    client, place = floor.client(Role.SUPERVISOR), f"/incidentes/{incident.pk}/"
    page = client.get(place).content.decode()
    assert "Plazos del reclamo" in page and "Plazos por confirmar" in page
    assert "Nadie lo retuvo" in page and "Repetir el pase 1 en pantalla" in page
    first, last = re.findall(r'name="(?:first|last)" type="datetime-local"\s+value="([^"]+)"', page)
    bad = client.post(
        f"{place}video/", {"cameras": "cenital", "first": last, "last": first, "kept_where": "caja 2"}
    )
    assert bad.status_code == 422 and 'id="r-last"' in bad.content.decode()
    held = {"cameras": "cenital PB-01", "first": first, "last": last, "kept_where": "disco 3"}
    assert client.post(f"{place}video/", held).status_code == 302
    assert VideoHold.objects.get().kept_where == "disco 3"
    page = client.get(place).content.decode()
    assert "Nadie lo retuvo" not in page and "cenital PB-01" in page
    evidence = client.post(f"{place}archivos/", {"file": a_file("foto.png", PNG), "note": "asiento 3"})
    assert evidence.status_code == 302
    row = Attachment.objects.get()
    assert b"".join(floor.client(Role.INSPECTOR).get(f"{place}archivos/{row.pk}/")) == PNG


@pytest.mark.rule("GEN-08", "REC-15")
def test_the_round_is_replayed_step_by_step_from_the_incident(floor: Floor) -> None:
    incident = a_dispute(floor)
    client = floor.client(Role.SUPERVISOR)
    page = client.get(f"/incidentes/{incident.pk}/").content.decode()
    link = re.search(r'href="(/pases/\d+/repeticion/)\?paso=(\d+)&amp;incidente=(\d+)"', page)
    assert link is not None and int(link[3]) == incident.pk
    last = client.get(f"{link[1]}?paso={link[2]}&incidente={incident.pk}").content.decode()
    assert "paso 4 de 4" in last and incident.label in last and "Nota en" in last
    first = client.get(f"{link[1]}?paso=0").content.decode()
    assert "paso 0 de 4" in first and 'rel="next"' in first and 'rel="prev"' not in first
    middle = client.get(f"{link[1]}?paso=2&incidente={incident.pk}").content.decode()
    assert 'data-step="prev"' in middle and 'data-step="next"' in middle and 'aria-current="step"' in middle
    for odd in ("?paso=-1", "?paso=9999999", "?paso=x", "?incidente=999999", "?paso=٣"):
        assert client.get(link[1] + odd).status_code == 200
    other = a_filing(floor)
    assert client.get(f"{link[1]}?incidente={other.pk + 10_000}").status_code == 200
    assert floor.client(Role.DEVICE).get(link[1]).status_code in (302, 403)
    assert "paso a paso" in floor.client(Role.INSPECTOR, "es-bo").get(link[1]).content.decode()


@pytest.mark.rule("GEN-08")
def test_the_terms_of_complaints_are_set_on_their_page(floor: Floor) -> None:
    client, place = floor.client(Role.COMPLIANCE), "/incidentes/plazos/"
    assert "procedimiento chileno" in client.get(place).content.decode()
    given = {
        "file_days": "15", "answer_days": "10", "appeal_days": "20", "video_days": "30",
        "holidays": "2026-12-25, 2027-01-01", "reason": "según el asesor",
    }  # fmt: skip
    bad = client.post(place, {**given, "holidays": "navidad"})
    assert bad.status_code == 422 and "no es una fecha" in bad.content.decode()
    assert client.post(place, {**given, "answer_days": "0"}).status_code == 422
    assert client.post(place, given).status_code == 302
    assert ComplaintTerms.objects.get().holidays == ["2026-12-25", "2027-01-01"]
    assert "procedimiento chileno" not in client.get(place).content.decode()
    assert 'name="file_days"' not in floor.client(Role.INSPECTOR).get(place).content.decode()


@pytest.mark.rule("REC-09")
def test_the_homologation_is_asked_for_on_the_receipt(floor: Floor) -> None:
    client = floor.client(Role.PIT_BOSS)
    sent = client.post(
        "/cartas/deposito/recepcion/", {"ask": "1", "maker": "Naipes Ñ", "deck_type": "french52"}
    )
    if sent.status_code == 404:
        pytest.fail("the address of the receipt is another")
    filing = Filing.objects.get()
    assert (filing.kind, filing.facts) == ("materials", {"maker": "Naipes Ñ", "deck_type": "french52"})
    bare = client.post("/cartas/deposito/recepcion/", {"ask": "1", "deck_type": "french52"})
    assert bare.status_code == 422
    assert Event.objects.filter(action="audits.filing.drafted").count() == 1


@pytest.mark.parametrize(("more", "status"), [(0, 422), (1, 400)])
def test_an_upload_beyond_all_bounds_is_not_read(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, more: int, status: int
) -> None:
    place = f"{LIST}{a_filing(floor).pk}/archivos/"
    client = floor.client(Role.COMPLIANCE)
    boundary = "x" * 20
    parts = [
        f"--{boundary}\r\n".encode(),
        b'Content-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: text/plain\r\n\r\n',
        b"MZ" + b"0" * 5_000,
        f"\r\n--{boundary}--\r\n".encode(),
    ]
    body = b"".join(parts)
    monkeypatch.setattr(uploads, "MOST_BYTES", len(body) - more)
    sent = client.post(place, body, content_type=f"multipart/form-data; boundary={boundary}")
    assert sent.status_code == status
    assert not Attachment.objects.exists()
