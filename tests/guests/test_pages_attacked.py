"""The pages of seats and lists against hostile typing, foreign ids and many rows; documents stay masked."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.kernel import clock
from casino.kernel.permissions import Role
from tables.guests import excluding, registering
from tables.guests.importing import reading
from tables.models import Exclusion, ExclusionMatch, SeatTaking
from tests.builders import House, a_house
from tests.guests.builders import BORN, guest, minutes, sit, waits
from tests.guests.test_guest_pages import page, said

SCRIPT = "<script>1</script>"


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as seen:
        said(client.get(path))
    return len(seen)


def test_what_is_typed_is_shown_as_typed(house: House) -> None:
    session = house.open_table(at=clock.now())
    client, name = page(house, Role.SUPERVISOR), session.table.name
    act = f"/mesas/{name}/asientos/acto/"
    said(client.post(act, {"do": "seat", "seat": "2", "alias": SCRIPT}), 302)
    said(client.post("/espera/", {"game": "baccarat.mini", "alias": SCRIPT, "party_size": "1"}), 302)
    body = {
        "document_type": "ci", "country": "BO", "number": "7654321", "name": f"{SCRIPT} Ana", "note": SCRIPT,
        "birth_date": BORN.isoformat(),
    }  # fmt: skip
    said(client.post("/jugadores/", body), 302)
    compliance = page(house, Role.COMPLIANCE)
    rows = f"documento,{SCRIPT},desde\n1234567,x,{SCRIPT}\n"
    sent = {"file": SimpleUploadedFile("x.csv", rows.encode()), "source": SCRIPT, "kind": "house"}
    pages = [said(compliance.post("/exclusiones/importar/", sent | {"do": "rehearse"}))]
    for path in (f"/mesas/{name}/asientos/?asiento=2", "/espera/", "/jugadores/"):
        pages.append(said(client.get(path)))
    pages.append(said(client.post("/jugadores/buscar/", {"q": SCRIPT})))
    for shown in pages:
        assert SCRIPT not in shown
        assert "&lt;script&gt;" in shown


def test_rows_of_another_house_are_nobodys(house: House) -> None:
    other = a_house()
    theirs = guest(other)
    entry = excluding.exclude(
        kind="house", source="x", since=dt.date(2026, 1, 1), number="1234567",
        by=other.by(Role.COMPLIANCE, minutes(0)),
    )  # fmt: skip
    taking = sit(other, other.open_table(), 1)
    waiting = waits(other, minutes(1), "Ana", game="baccarat.mini")
    session = house.open_table(at=clock.now())
    boss, compliance = page(house, Role.PIT_BOSS), page(house, Role.COMPLIANCE)
    for path in (f"/jugadores/{theirs.pk}/", f"/exclusiones/{entry.pk}/"):
        said(compliance.get(path), 404)
    said(boss.post(f"/espera/{waiting.pk}/", {"do": "left"}), 404)
    act = f"/mesas/{session.table.name}/asientos/acto/"
    for body in (
        {"do": "leave", "taking": str(taking.pk)},
        {"do": "seat_entry", "entry": str(waiting.pk), "seat": "1"},
        {"do": "seat", "seat": "1", "number": theirs.number},
        {"do": "seat", "seat": "-1"},
        {"do": "seat", "seat": "1" + "0" * 30},
        {"do": "leave", "taking": "1;drop"},
    ):
        assert boss.post(act, body).status_code in (404, 422), body
    assert SeatTaking.objects.get() == taking


def test_no_page_shows_a_document_to_who_may_not_see_it(house: House) -> None:
    """Whole documents are for compliance and the inspector: not in texts, attributes and addresses."""
    session = house.open_table(at=clock.now())
    boss, name = page(house, Role.PIT_BOSS), session.table.name
    who = registering.set_guest(
        document_type="ci", number="7654321", name="Juan Mamani Quispe", birth_date=BORN,
        by=house.by(Role.CAGE, clock.now()),
    )  # fmt: skip
    registering.set_guest(
        guest=who, document_type="ci", number="7654329", name=who.name, birth_date=BORN,
        by=house.by(Role.CAGE, clock.now(), "mal escrito"),
    )  # fmt: skip
    body = {"kind": "house", "source": "x", "since": "2026-01-01", "number": "7654329"}
    said(page(house, Role.COMPLIANCE).post("/exclusiones/", body), 302)
    entry = Exclusion.objects.get()
    typed = said(
        boss.post(f"/mesas/{name}/asientos/acto/", {"do": "seat", "seat": "1", "number": "7654329"}), 422
    )
    match = ExclusionMatch.objects.get()
    assert typed.count("7654329") == 1  # what was typed, back in its field
    for path in (
        "/jugadores/", f"/jugadores/{who.pk}/", "/exclusiones/", f"/exclusiones/{entry.pk}/",
        "/coincidencias/", f"/coincidencias/{match.pk}/", f"/mesas/{name}/asientos/", "/espera/",
    ):  # fmt: skip
        shown = said(boss.get(path))
        assert "76543" not in shown, path
        assert "76543" not in path


def test_pages_ask_as_much_for_many_as_for_one(house: House) -> None:
    session = house.open_table(at=clock.now())
    boss, path = page(house, Role.PIT_BOSS), f"/mesas/{session.table.name}/asientos/?asiento=1"

    def come(first: int, last: int) -> None:
        for number in range(first, last + 1):
            now: Any = clock.now()
            who = guest(house, f"Persona {chr(64 + number)}uno Dos")
            sit(house, session, number, who, at=now, reason="no vino")
            waits(house, now, f"Espera {number}", table=session.table)

    come(1, 1)
    said(boss.get(path))
    few = [queries(boss, path), queries(boss, "/espera/"), queries(boss, "/jugadores/")]
    come(2, 7)
    assert [queries(boss, path), queries(boss, "/espera/"), queries(boss, "/jugadores/")] == few
    assert max(few) < 30


def test_a_page_brings_in_no_more_than_it_can_wait_for(house: House, monkeypatch: Any) -> None:
    monkeypatch.setattr(reading, "MOST_ON_A_PAGE", 2)
    rows = b"documento\n1234561\n1234562\n1234563\n"
    client = page(house, Role.COMPLIANCE)

    def answer(do: str, content: bytes = rows) -> Any:
        sent = {"file": SimpleUploadedFile("x.csv", content), "source": "Nota", "kind": "house", "do": do}
        return client.post("/exclusiones/importar/", sent)

    said(answer("rehearse"))
    assert "divida el archivo" in said(answer("import"), 422)
    assert not Exclusion.objects.exists()
    said(answer("import", rows[:-8]))
    assert Exclusion.objects.count() == 2
