"""A report on the screen and the events behind its figures: three clicks, nobody's but the house's own."""

from __future__ import annotations

import datetime as dt
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils.http import urlencode

from audits.models import Event
from audits.reports import document, get, screen
from casino.kernel.permissions import Role
from tests.api.building import make_house
from tests.pages.building import Floor

pytestmark = pytest.mark.rule("REC-15")
TO_EVENTS = re.compile(r'href="(/reportes/[^"]+/hechos/[^"]+)"')
TO_EVENT = re.compile(r'href="(/auditoria/\d+/)"')


def address(report: str, **params: Any) -> str:
    return f"/reportes/{report}/ver/?{urlencode(params)}"


def text(client: Client, where: str, status: int = 200) -> str:
    response = client.get(where)
    assert response.status_code == status, response.content[:400]
    return unescape(response.content.decode())


def links(page: str) -> list[str]:
    return TO_EVENTS.findall(page)


def day_of(floor: Floor) -> str:
    return f"{floor.sessions[0].day.date}"


@pytest.fixture
def played(floor: Floor) -> Floor:
    floor.open()
    floor.settled()
    floor.settled()
    return floor


@pytest.mark.rule("REC-06")
def test_from_a_figure_to_its_event_in_three_clicks(played: Floor) -> None:
    client = played.client(Role.INSPECTOR)
    page = text(client, address("tables.day", day=day_of(played)))
    assert "Reporte del día" in page and '<data value="2">2</data>' in page
    behind = text(client, links(page)[0])
    assert "Hechos detrás de esta fila" in behind and '<data value="2">2</data>' in behind
    assert "Se liquidó un pase (2)" in behind and "aún sin sellar" in behind
    event = TO_EVENT.findall(behind)[0]
    assert "Los bytes que se resumen (RFC 8785)" in text(client, event)
    narrowed = text(client, f"{links(page)[0]}&action=tables.round.settled")
    assert len(set(TO_EVENT.findall(narrowed))) == 2
    nothing = text(client, f"{links(page)[0]}&action=tables.round.voided")
    assert not TO_EVENT.findall(nothing) and "Ningún hecho" in nothing


def test_the_total_leads_to_the_events_of_all_its_rows(played: Floor) -> None:
    client = played.client(Role.COMPLIANCE)
    page = text(client, address("tables.day", day=day_of(played)))
    (total,) = [one for one in links(page) if "section=tables&row=total" in one]
    behind = text(client, total)
    whole = Event.objects.filter(stream__name=played.sessions[0].stream).count()
    assert f"({whole})" in behind


def test_a_long_table_is_turned_page_by_page(played: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "PAGE_ROWS", 2)
    for _ in range(3):
        played.settled()
    client, asked = played.client(Role.INSPECTOR), {"first": day_of(played), "last": day_of(played)}
    first = text(client, address("tables.rounds", **asked))
    assert len(links(first)) == 2 and "Las demás filas" in first
    second = text(client, address("tables.rounds", **asked, section="rows", page=2))
    assert len(links(second)) == 2 and "3–4 / 5" in second
    last = text(client, address("tables.rounds", **asked, section="rows", page=3))
    assert len(links(last)) == 1 and 'rel="next"' not in last
    assert not set(links(first)) & set(links(second))
    for typed in ("0", "-1", "x", "99999999999", "²"):
        assert text(client, address("tables.rounds", **asked, section="rows", page=typed))
    text(client, address("tables.rounds", **asked, section="nothing"), 404)


def test_no_more_rows_than_anybody_reads(played: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "PAGE_ROWS", 1)
    monkeypatch.setattr(screen, "MOST_ROWS", 1)
    asked = {"first": day_of(played), "last": day_of(played)}
    page = text(played.client(Role.INSPECTOR), address("tables.rounds", **asked))
    assert len(links(page)) == 1 and "Pida un período menor, o el archivo" in page


def test_a_row_that_moved_on_is_found_and_says_so(played: Floor) -> None:
    client = played.client(Role.INSPECTOR)
    link = links(text(client, address("tables.day", day=day_of(played))))[0]
    assert "cambiaron" not in text(client, link)
    played.settled()
    behind = text(client, link)
    assert "Las cifras de esta fila cambiaron" in behind and '<data value="3">3</data>' in behind


def test_a_row_that_is_gone_leads_back_to_the_report(played: Floor) -> None:
    client = played.client(Role.INSPECTOR)
    gone = (
        f"/reportes/tables.day/hechos/?day={day_of(played)}&section=tables&row=7&is={'0' * 16}&of={'0' * 16}"
    )
    response = client.get(gone)
    assert response["Location"] == f"/reportes/tables.day/ver/?day={day_of(played)}"
    assert "Esa fila ya no está en el reporte" in text(client, response["Location"])
    nothing = f"/reportes/tables.day/hechos/?day={day_of(played)}&section=sessions&row=total"
    assert client.get(nothing).status_code == 302  # a table without a closing line


def test_what_is_asked_wrongly_is_refused_beside_its_field(played: Floor) -> None:
    client = played.client(Role.INSPECTOR)
    assert "Introduzca una fecha válida" in text(client, address("tables.day", day="2026-02-30"), 422)
    assert (
        "mes" not in text(client, address("tables.results", first="2026-11-02", last="2026-11-01"), 422)[:20]
    )
    assert client.get("/reportes/tables.day/ver/")["Location"] == "/reportes/tables.day/"
    text(client, "/reportes/tables.day/hechos/?day=hoy&section=tables&row=0", 422)
    text(client, "/reportes/nada.hay/ver/", 404)
    text(client, "/reportes/nada.hay/hechos/", 404)
    kept = text(client, f"/reportes/tables.day/?day={day_of(played)}")
    assert f'value="{day_of(played)}"' in kept


@pytest.mark.rule("REC-11")
def test_only_who_may_see_the_report_and_the_trail(played: Floor) -> None:
    asked = address("tables.day", day=day_of(played))
    link = links(text(played.client(Role.INSPECTOR), asked))[0]
    cage = played.client(Role.CAGE)
    assert not links(text(cage, asked))  # sees the figures; the trail is not theirs
    text(cage, link, 403)
    for role in (Role.CROUPIER, Role.SUPERVISOR, Role.DEVICE):
        text(played.client(role), asked, 403)
        text(played.client(role), link, 403)
    administrator = played.client(Role.ADMINISTRATOR)
    text(administrator, asked, 404)  # reads the trail, but this report is not among their acts
    text(administrator, link, 404)
    period = {"first": day_of(played), "last": day_of(played)}
    assert "Registro de trámites" in text(administrator, address("audits.filings", **period))
    assert "Pedir el archivo" not in text(administrator, address("audits.filings", **period))
    assert Client().get(asked).status_code == 302


def test_another_house_sees_nothing_of_it(played: Floor) -> None:
    link = links(text(played.client(Role.INSPECTOR), address("tables.day", day=day_of(played))))[0]
    other, stranger = make_house("sur"), Client()
    stranger.force_login(other.users[Role.INSPECTOR])
    stranger.cookies["django_language"] = "es-bo"
    assert stranger.get(link).status_code == 302  # their day has no such row
    page = text(stranger, address("tables.day", day=day_of(played)))
    assert not links(page) and played.table.name not in page
    session = played.sessions[0].pk
    text(stranger, address("tables.session", session=session), 422)


def test_it_is_said_in_english_with_the_same_address_of_each_row(played: Floor) -> None:
    asked = address("tables.day", day=day_of(played))
    spanish = text(played.client(Role.INSPECTOR), asked)
    client = played.client(Role.INSPECTOR, "en")
    english = text(client, asked)
    assert "Day report" in english and "By game" in english
    assert links(spanish) == links(english)
    assert "Events behind this row" in text(client, links(english)[0])


def test_the_marks_of_a_row_tell_figures_from_what_it_is_about(played: Floor) -> None:
    report, casino = get("tables.day"), played.house.casino
    made = document.prepare(report, casino, {"day": dt.date.fromisoformat(day_of(played))}, "en")
    section = next(one for one in made.sections if one.key == "tables")
    (row,) = section.rows()
    mark, label = screen.marks(made, section, row)
    assert screen.marks(made, section, {**row, "rounds": 3}) == (
        screen.marks(made, section, {**row, "rounds": 3})[0],
        label,
    )
    assert screen.marks(made, section, {**row, "rounds": 3})[0] != mark
    assert screen.marks(made, section, {**row, "table": "=1+1"})[1] != label


def test_what_a_person_typed_stays_text(played: Floor) -> None:
    period = {"first": day_of(played), "last": day_of(played)}
    attack = address("audits.events", **period, stream="<script>alert(1)</script>")
    page = played.client(Role.INSPECTOR).get(attack).content.decode()
    assert "<script>alert" not in page and "&lt;script&gt;" in page
