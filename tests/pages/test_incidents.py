"""The pages of the incidents: what presses first, facts in words, the notice, and settling with two hands."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

import pytest
from django.http import HttpResponse

from audits import incidents, notices, trail
from audits.by import by_user
from audits.models import Incident
from casino.kernel import clock
from casino.kernel.commands import one_transaction
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino
from tests.api.building import PASSWORD, House, make_house
from tests.pages.building import Floor

LIST = "/incidentes/"
FAULT = "test.fault"


@pytest.fixture(autouse=True)
def own_hooks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A floor that knows PB-01 and PB-02; what was stopped there."""
    stopped: list[str] = []
    monkeypatch.setattr(incidents, "_kinds", dict(incidents._kinds))
    monkeypatch.setattr(incidents, "_freezers", {})
    monkeypatch.setattr(incidents, "_objections", [])
    incidents.register_kind(FAULT, Text("falla de la prueba", "fault of the test"), rules=("CARD-15",))

    def hold(casino: Casino, table: str) -> incidents.Freeze:
        return lambda incident: stopped.append(table)

    incidents.register_freezer(hold, names=lambda casino: ["PB-01", "PB-02"])
    yield stopped


def opened(house: House, hours: int = 1, table: str = "PB-01", freezes: bool = True) -> Incident:
    """An incident a room opened so many hours ago."""
    with one_transaction():
        return incidents.raise_incident(
            kind=FAULT, summary=Text("falta el 7♣ <b>", "the 7♣ is missing"),
            subject=trail.Subject("deck", 12, "B-12"), rules=["CARD-42"], facts={"withdrawn": ["B-12"]},
            table_label=table, freezes=freezes,
            by=by_user(house.users[Role.SUPERVISOR], occurred_at=clock.now() - dt.timedelta(hours=hours)),
        )  # fmt: skip


def said(response: HttpResponse) -> str:
    """A page as it is read: without its marks, spaces run together."""
    text = re.sub(r"<style.*?</style>|<[^>]+>", " ", response.content.decode(), flags=re.S)
    return " ".join(text.split())


def labels(floor: Floor, query: str = "") -> list[str]:
    page = floor.client(Role.COMPLIANCE).get(LIST + query).content.decode()
    return re.findall(r"<b>(INC-\d+-\d+)</b>", page)


@pytest.mark.rule("REC-14")
def test_what_presses_comes_first_and_is_red(floor: Floor) -> None:
    settled = opened(floor.house, freezes=False)
    by = by_user(floor.house.users[Role.SUPERVISOR])
    pit = floor.house.users[Role.PIT_BOSS].actor
    incidents.resolve_incident(incident=settled, resolution="x", rule_applied="CARD-12", with_=pit, by=by)
    plain = opened(floor.house, freezes=False)
    stopped = opened(floor.house, hours=2)
    late = opened(floor.house, hours=25, table="", freezes=False)
    expected = [late, stopped, plain, settled]
    assert labels(floor) == [found.label for found in expected]
    page = floor.client(Role.COMPLIANCE).get(LIST).content.decode()
    assert re.search(r'chip bad">\s*vencido, era hasta', page)
    assert re.search(r'chip bad">mesa detenida', page)
    for query, found in {
        "?late=1": [late], "?state=resolved": [settled], "?state=open": expected[:3],
        "?table=pb-01": expected[1:], f"?kind={FAULT}": expected, "?kind=floor.dispute": [],
        "?state=x": expected, "?page=2": expected,
    }.items():  # fmt: skip
        assert labels(floor, query) == [each.label for each in found], query


@pytest.mark.rule("GEN-08")
def test_the_menu_counts_the_open_ones_and_turns_red(floor: Floor) -> None:
    client = floor.client(Role.PIT_BOSS)
    assert 'class="tally' not in client.get("/").content.decode()
    opened(floor.house, freezes=False)
    calm = client.get("/").content.decode()
    assert re.search(r'class="tally">\s*1\s', calm)
    opened(floor.house)
    alarmed = client.get("/").content.decode()
    assert re.search(r'class="tally bad">\s*2\s', alarmed)
    assert "con una mesa detenida" in alarmed
    assert 'class="tally' not in floor.client(Role.CROUPIER).get("/").content.decode()


@pytest.mark.rule("REC-14")
def test_one_overdue_notice_turns_the_menu_red_even_once_settled(floor: Floor) -> None:
    found = opened(floor.house, hours=25, freezes=False)
    by = by_user(floor.house.users[Role.SUPERVISOR])
    pit = floor.house.users[Role.PIT_BOSS].actor
    incidents.resolve_incident(incident=found, resolution="x", rule_applied="CARD-12", with_=pit, by=by)
    page = floor.client(Role.INSPECTOR).get("/").content.decode()
    assert re.search(r'class="tally bad">\s*0\s', page)
    assert "con un aviso vencido" in page


@pytest.mark.rule("GEN-08")
def test_one_is_opened_by_hand(floor: Floor, own_hooks: list[str]) -> None:
    client = floor.client(Role.SUPERVISOR)
    given = {"kind": "floor.dispute", "summary": "pago discutido", "table": "PB-02", "freezes": "yes"}
    wrong = client.post(LIST, given | {"summary": " "})
    assert wrong.status_code == 422
    page = wrong.content.decode()
    assert page.index('name="summary"') < page.index('id="r-summary"') < page.index('role="alert"')
    assert '<details class="more sheet pad spaced" open>' in page
    assert 'value="yes" checked' in page
    assert "diga qué mesa se detiene" in said(client.post(LIST, given | {"table": ""})).lower()
    done = client.post(LIST, given)
    found = Incident.objects.get()
    assert done["Location"] == f"{LIST}{found.pk}/"
    assert own_hooks == ["PB-02"]
    assert "PB-02 no toma pases hasta que se resuelva." in said(client.get(done["Location"]))


def test_a_page_says_what_was_found_and_what_the_trail_tells(floor: Floor) -> None:
    found = opened(floor.house)
    for role, may_read_trail in ((Role.SUPERVISOR, False), (Role.INSPECTOR, True), (Role.CAGE, False)):
        page = floor.client(role).get(f"{LIST}{found.pk}/").content.decode()
        assert "Falta el 7♣ &lt;b&gt;" in page
        assert re.search(r"<dt>Barajas retiradas</dt>\s*<dd>B-12</dd>", page)
        assert "/reglas/CARD-42/" in page
        event = found.casino.events.get(stream__name=found.stream)
        assert (f'href="/auditoria/{event.pk}/"' in page) == may_read_trail
    english = said(floor.client(Role.INSPECTOR, "en").get(f"{LIST}{found.pk}/"))
    assert "Fault of the test" in english and "Decks withdrawn B-12" in english


@pytest.mark.parametrize(
    ("role", "offered"),
    [
        (Role.INSPECTOR, set()),
        (Role.ADMINISTRATOR, set()),
        (Role.CAGE, {"notas", "archivos"}),
        (Role.SUPERVISOR, {"notas", "archivos", "video", "resolver"}),
        (Role.COMPLIANCE, {"notas", "archivos", "video", "resolver", "aviso", "aviso/enviar"}),
    ],
)
def test_each_is_offered_what_they_may_do(floor: Floor, role: Role, offered: set[str]) -> None:
    found = opened(floor.house)
    page = floor.client(role).get(f"{LIST}{found.pk}/").content.decode()
    assert set(re.findall(rf'method="post" action="{LIST}{found.pk}/([^"]+)/"', page)) == offered
    listing = floor.client(role).get(LIST).content.decode()
    assert ('name="summary"' in listing) == (role in (Role.SUPERVISOR, Role.COMPLIANCE))


@pytest.mark.rule("REC-14")
def test_the_notice_is_finished_printed_and_sent(floor: Floor) -> None:
    found = opened(floor.house, hours=3)
    place, client = f"{LIST}{found.pk}/", floor.client(Role.COMPLIANCE)
    draft = client.get(f"{place}aviso/").content.decode()
    assert "[Completar: medidas posteriores" in draft and 'lang="es"' in draft
    early = client.post(f"{place}aviso/enviar/", {"reference": "CITE 1"})
    page = early.content.decode()
    assert early.status_code == 422
    assert page.index('id="r-notice"') < page.index('role="alert"') < page.index('name="reference"')
    assert client.post(f"{place}aviso/", {"notice": "Primera línea.\r\n\r\nSegunda."}).status_code == 302
    assert "<p>Primera línea.</p>" in client.get(f"{place}aviso/").content.decode()
    # As typed in La Paz, four hours behind UTC.
    two_hours_ago = clock.now() - dt.timedelta(hours=2)
    typed = (two_hours_ago - dt.timedelta(hours=4)).strftime("%Y-%m-%dT%H:%M")
    assert (
        client.post(f"{place}aviso/enviar/", {"reference": "CITE 1", "occurred_at": "ayer"}).status_code
        == 422
    )
    sent = client.post(f"{place}aviso/enviar/", {"reference": "CITE 1", "occurred_at": typed})
    assert sent.status_code == 302
    found.refresh_from_db()
    assert found.notice_sent_at == two_hours_ago.replace(second=0, microsecond=0)
    after = client.get(place)
    assert "referencia CITE 1. Ya no cambia." in said(after)
    assert 'name="notice"' not in after.content.decode()


@pytest.mark.rule("GEN-10")
def test_it_is_settled_by_two_at_one_screen(floor: Floor) -> None:
    found = opened(floor.house)
    place, client = f"{LIST}{found.pk}/resolver/", floor.client(Role.SUPERVISOR)
    given = {
        "resolution": "se cambió la baraja", "rule_applied": "CARD-12",
        "second": floor.house.users[Role.PIT_BOSS].username, "second_password": PASSWORD,
    }  # fmt: skip
    wrong = client.post(place, given | {"second_password": "no es su clave"})
    page = wrong.content.decode()
    assert wrong.status_code == 401
    assert page.index('id="r-second"') < page.index('role="alert"') < page.index('name="second_password"')
    assert "no es su clave" not in page and "se cambió la baraja" in page
    alone = client.post(place, given | {"second": floor.house.users[Role.SUPERVISOR].username})
    assert (alone.status_code, "la segunda firma es de otra persona" in said(alone).lower()) == (422, True)
    assert client.post(place, given).status_code == 302
    settled = client.get(f"{LIST}{found.pk}/")
    assert "Regla aplicada CARD-12 Firmaron Persona supervisor, Persona pit_boss" in said(settled)
    again = client.post(place, given)
    assert (again.status_code, "ya está resuelto" in said(again)) == (409, True)


def test_wrong_passwords_are_counted_and_then_stopped(floor: Floor) -> None:
    place = f"{LIST}{opened(floor.house).pk}/resolver/"
    given = {"second": floor.house.users[Role.PIT_BOSS].username, "second_password": "mala"}
    client = floor.client(Role.SUPERVISOR)
    assert [client.post(place, given).status_code for _ in range(6)] == [401] * 5 + [429]


def test_what_a_room_objects_is_said_before_it_is_tried(floor: Floor) -> None:
    found = opened(floor.house)
    incidents.register_objection(lambda incident: Text("la baraja B-12 sigue retenida", "B-12 is held"))
    assert "La baraja B-12 sigue retenida" in said(floor.client(Role.SUPERVISOR).get(f"{LIST}{found.pk}/"))
    assert "La baraja" not in said(floor.client(Role.CAGE).get(f"{LIST}{found.pk}/"))


def test_a_note_is_added_and_stays_as_it_was_written(floor: Floor) -> None:
    found = opened(floor.house)
    place, client = f"{LIST}{found.pk}/notas/", floor.client(Role.CAGE)
    empty = client.post(place, {"text": ""})
    assert empty.status_code == 422
    assert client.post(place, {"text": "línea 1\r\nlínea <2>"}).status_code == 302
    assert "línea 1<br>línea &lt;2&gt;" in client.get(f"{LIST}{found.pk}/").content.decode()


def test_another_casino_sees_none_of_it(floor: Floor) -> None:
    found = opened(floor.house)
    other = Floor(make_house("sur"), floor.table, floor.dealer, floor.relief, floor.supervisor)
    client = other.client(Role.COMPLIANCE)
    assert found.label not in client.get(LIST).content.decode()
    for path in ("", "aviso/"):
        assert client.get(f"{LIST}{found.pk}/{path}").status_code == 404
    for path in ("notas/", "aviso/", "aviso/enviar/", "resolver/"):
        assert client.post(f"{LIST}{found.pk}/{path}", {"text": "x"}).status_code == 404


def test_every_page_of_an_incident_renders_in_both_languages(floor: Floor) -> None:
    found = opened(floor.house)
    notices.edit_notice(incident=found, text="listo", by=by_user(floor.house.users[Role.COMPLIANCE]))
    for path in (LIST, f"{LIST}{found.pk}/", f"{LIST}{found.pk}/aviso/"):
        for language in ("es-bo", "en"):
            response = floor.client(Role.COMPLIANCE, language).get(path)
            page = response.content.decode()
            assert response.status_code == 200
            assert f'<html lang="{language}"' in page and "{{" not in page and "{%" not in page
            assert not re.search(r"<script(?![^>]*\ssrc=)|\sstyle=|\son[a-z]+=", page)
