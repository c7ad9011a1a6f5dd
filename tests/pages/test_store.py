"""Pages of the store: receipt, issue, decks set aside, counts, levels, acts, labels."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

import pytest

from audits.models import Export, Incident
from casino.kernel import clock
from casino.kernel.errors import Refused
from casino.kernel.permissions import Role
from shoes import labels, moving, series
from shoes.models import Deck, DestructionAct, Device, Shoe, StockCount
from tables import settings
from tests.api.building import PASSWORD
from tests.builders import confirmed
from tests.pages.building import GAME, Floor
from tests.shoes import builders

RECEIPT = {
    "maker": "Naipes", "batch": "L1", "back_design": "rombos", "back_colour": "rojo",
    "homologation": "AJ-7", "second": "norte-compliance", "second_password": PASSWORD,
}  # fmt: skip


def received(floor: Floor, count: int = 3, **about: str) -> list[Deck]:
    return builders.registered_decks(floor.house.casino, floor.by(Role.PIT_BOSS), count, **about)


def withdrawn(floor: Floor, count: int = 2) -> list[Deck]:
    decks = received(floor, count)
    builders.withdrawn([deck.serial for deck in decks], by=floor.by(Role.PIT_BOSS, "gastadas"))
    return decks


# ---- receipt and issue -------------------------------------------------------------------------------


@pytest.mark.rule("CARD-01")
@pytest.mark.rule("CARD-02")
def test_a_delivery_is_entered_once_by_two_departments(floor: Floor) -> None:
    client = floor.client(Role.PIT_BOSS)
    address, given = "/cartas/deposito/recepcion/", {**RECEIPT, "serials": "X-1 P-1\r\nB:X-2 P-2\r\nX-3 P-3"}
    alone = client.post(address, {**given, "second": "norte-supervisor"})
    assert (alone.status_code, "CARD-02" in alone.content.decode()) == (422, True)
    assert client.post(address, given).status_code == 302
    assert list(Deck.objects.values_list("serial", "seal")) == [
        ("X-1", "P-1"),
        ("X-2", "P-2"),
        ("X-3", "P-3"),
    ]
    again = client.post(address, {**given, "serials": "X-3 P-9"})
    said = again.content.decode()
    assert again.status_code == 422
    assert said.index('name="serials"') < said.index("Cada serie se registra una vez")
    assert "CARD-01" in said
    assert "Naipes" in said  # what was typed comes back
    assert PASSWORD not in said


@pytest.mark.rule("CARD-02")
def test_a_delivery_other_than_its_note_opens_an_incident(floor: Floor) -> None:
    given = {**RECEIPT, "serials": "X-1\nX-2", "declared": "3"}
    assert floor.client(Role.PIT_BOSS).post("/cartas/deposito/recepcion/", given).status_code == 302
    assert Incident.objects.get().kind == "cards.receipt"


@pytest.mark.rule("CARD-02")
def test_the_incident_of_a_delivery_is_named_as_a_link(floor: Floor) -> None:
    given = {**RECEIPT, "serials": "X-1\nX-2", "declared": "3"}
    page = floor.client(Role.PIT_BOSS).post("/cartas/deposito/recepcion/", given, follow=True)
    incident = Incident.objects.get()
    link = f'2 barajas ingresadas · <a class="link" href="/incidentes/{incident.pk}/">{incident.label}</a>'
    told = " ".join(page.content.decode().split())
    assert link in told and '<div class="note warn">' in told.partition(link)[0]
    whole = {**RECEIPT, "serials": "X-3", "batch": "L2", "declared": "1"}
    page = floor.client(Role.PIT_BOSS).post("/cartas/deposito/recepcion/", whole, follow=True)
    assert "<span>1 baraja ingresada</span>" in page.content.decode()


def test_a_run_of_serials_is_written_by_itself(floor: Floor) -> None:
    given = {"fill": "1", "first_serial": "N000098", "first_seal": "P-7", "how_many": "3", "batch": "L-9"}
    page = floor.client(Role.PIT_BOSS).post("/cartas/deposito/recepcion/", given)
    said = page.content.decode()
    assert (page.status_code, Deck.objects.count()) == (200, 0)
    assert "N000098 P-7\nN000099 P-8\nN000100 P-9" in said
    assert 'value="L-9"' in said
    assert series.following("A-9-x", 2, field="f") == ["A-9-x", "A-10-x"]
    for first, count in (("sin cifras", 2), ("N1", 0), ("N1", 501)):
        with pytest.raises(Refused) as refusal:
            series.following(first, count, field="first_serial")
        assert refusal.value.code == "bad_series"


@pytest.mark.rule("CARD-03")
def test_decks_are_issued_with_the_seal_read_off_each_box(floor: Floor) -> None:
    first, second = received(floor, 2)
    client = floor.client(Role.PIT_BOSS)
    hands = floor.house.users[Role.CROUPIER].actor.pk
    given = {"place": "PB-01", "received_by": hands}
    address = "/cartas/deposito/entrega/"

    def issue(scanned: str) -> tuple[int, str]:
        answer = client.post(address, {**given, "serials": scanned})
        return answer.status_code, answer.content.decode()

    assert "Hay 2 precintadas" in client.get(address).content.decode()
    status, said = issue(f"{first.serial}\n{first.serial}\n{second.serial}")
    assert (status, f"quedó sola «{second.serial}»" in said) == (422, True)
    status, said = issue(f"{first.serial} OTRO")
    assert (status, "CARD-03" in said) == (422, True)
    assert said.index('name="serials"') < said.index("El precinto leído en")
    status, said = issue(f"{first.serial}\n{first.seal}\n{first.serial}\n{first.seal}")
    assert (status, "está dos veces" in said) == (422, True)
    # As a scanner types them, the label's own prefix and all; the second deck on one line.
    assert issue(f"B:{first.serial}\r\n{first.seal}\r\n{second.serial} {second.seal}")[0] == 302
    assert set(Deck.objects.values_list("state", "place")) == {("issued", "PB-01")}


@pytest.mark.rule("CARD-03")
def test_decks_go_to_no_roulette_table(floor: Floor) -> None:
    admin = floor.by(Role.ADMINISTRATOR, "una ruleta")
    game = "roulette.single_zero"
    settings.publish_rules(game=game, params={}, betting_plan="PA-2", by=admin, **confirmed(game, {}))
    settings.set_table(name="RU-01", pit=floor.table.pit, game=game, seats=7, detail="result", by=admin)
    deck, client = received(floor, 1)[0], floor.client(Role.PIT_BOSS)
    page = client.get("/cartas/deposito/entrega/").content.decode()
    assert '<option value="PB-01">' in page
    assert "RU-01" not in page
    given = {
        "received_by": floor.house.users[Role.CROUPIER].actor.pk,
        "serials": f"{deck.serial} {deck.seal}",
    }
    refused = client.post("/cartas/deposito/entrega/", {**given, "place": "RU-01"})
    assert refused.status_code == 422
    assert "No hay mesa de cartas «RU-01» en servicio" in refused.content.decode()


# ---- beside the game ---------------------------------------------------------------------------------


def test_decks_go_the_ways_of_the_store(floor: Floor) -> None:
    deck = builders.issued_decks(floor.house.casino, floor.by(Role.PIT_BOSS), 1)[0]
    client = floor.client(Role.PIT_BOSS)

    def go(word: str, **given: str) -> tuple[int, str]:
        answer = client.post(f"/cartas/deposito/{word}/", {"serials": f"B:{deck.serial}", **given})
        deck.refresh_from_db()
        return answer.status_code, deck.state

    assert go("devolver") == (302, "store")
    assert go("cuarentena") == (422, "store")  # why?
    assert go("cuarentena", reason="caja golpeada") == (302, "quarantine")
    assert go("devolver") == (409, "quarantine")
    assert go("retirar", reason="no cierra") == (422, "quarantine")  # its envelope is signed by two
    croupier = {"second": "norte-croupier", "second_password": PASSWORD}
    assert go("retirar", reason="no cierra", **croupier) == (302, "withdrawn")
    assert go("anular") == (302, "cancelled")


@pytest.mark.rule("CARD-45")
def test_a_deck_is_held_for_an_incident_and_released_by_two(floor: Floor) -> None:
    deck = received(floor, 1)[0]
    client = floor.client(Role.COMPLIANCE)
    faulty = builders.issued_decks(floor.house.casino, floor.by(Role.PIT_BOSS), 1)[0]
    people = {role: floor.house.users[role].actor.pk for role in (Role.SUPERVISOR, Role.CROUPIER)}
    floor.client(Role.SUPERVISOR).post(
        f"/cartas/inspeccion/{faulty.pk}/",
        {
            "counted": "51",
            "missing": "7c",
            "inspector": people[Role.SUPERVISOR],
            "witness": people[Role.CROUPIER],
        },
    )
    incident = Incident.objects.get()
    assert incident.label in client.get("/cartas/deposito/retener/").content.decode()
    held = client.post("/cartas/deposito/retener/", {"serials": deck.serial, "incident": incident.pk})
    deck.refresh_from_db()
    assert (held.status_code, deck.state) == (302, "held")
    assert incident.label in client.get("/cartas/deposito/").content.decode()
    given = {
        "serials": deck.serial,
        "reason": "terminó",
        "second": "norte-pit_boss",
        "second_password": PASSWORD,
    }
    early = client.post("/cartas/deposito/liberar/", given)
    assert early.status_code == 409  # its incident is still open
    wrong = client.post("/cartas/deposito/liberar/", {**given, "second_password": "otra"})
    assert wrong.status_code == 401
    nobody = client.post("/cartas/deposito/liberar/", {**given, "second": ""})
    assert (nobody.status_code, "Falta quien firma con usted" in nobody.content.decode()) == (422, True)


@pytest.mark.rule("CARD-03")
def test_an_opened_deck_is_sealed_again_before_two(floor: Floor) -> None:
    deck = builders.inspected_decks(floor.house.casino, floor.by(Role.PIT_BOSS), 1)[0]
    client = floor.client(Role.PIT_BOSS)
    client.post("/cartas/deposito/devolver/", {"serials": deck.serial})
    deck.refresh_from_db()
    assert (deck.state, deck.seal) == ("store", "")
    assert deck.serial in client.get("/cartas/deposito/precintar/").content.decode()
    given = {"serials": f"{deck.serial}\nZ-77", "second": "norte-supervisor", "second_password": PASSWORD}
    assert client.post("/cartas/deposito/precintar/", given).status_code == 302
    deck.refresh_from_db()
    assert deck.seal == "Z-77"


# ---- stock, counts, levels, devices ------------------------------------------------------------------


@pytest.mark.rule("CARD-02")
def test_the_store_says_what_is_low_and_what_it_has(floor: Floor) -> None:
    received(floor, 3)
    client = floor.client(Role.ADMINISTRATOR)
    given = {"deck_type": "french52", "back_colour": "rojo", "least": "4", "reason": "seis mesas"}
    assert client.post("/cartas/deposito/minimos/", {**given, "least": "muchas"}).status_code == 422
    assert client.post("/cartas/deposito/minimos/", given).status_code == 302
    page = client.get("/cartas/deposito/").content.decode()
    assert "quedan 3 utilizables y el mínimo es 4" in page
    assert "Todavía no se contó" in page


@pytest.mark.rule("CARD-02")
def test_the_store_is_counted_blind_by_two_departments(floor: Floor) -> None:
    received(floor, 3)
    received(floor, 2, back_colour="azul", batch="L-2")
    client, address = floor.client(Role.CAGE), "/cartas/deposito/recuento/"
    page = client.get(address).content.decode()
    assert ">3<" not in page  # what there should be is not told to who counts
    signed = {"second": "norte-pit_boss", "second_password": PASSWORD}
    # In order of kind and colour: blue, then red.
    rows = {"deck_type": ["french52", "french52"], "back_colour": ["azul", "rojo"]}
    missing = client.post(address, {**signed, **rows, "counted-0": "2", "counted-1": ""})
    assert (missing.status_code, "Escriba un número entero" in missing.content.decode()) == (422, True)
    assert client.post(address, {**signed, **rows, "counted-0": "2", "counted-1": "3"}).status_code == 302
    assert StockCount.objects.get().differs is False
    off = client.post(address, {**signed, **rows, "counted-0": "2", "counted-1": "2"})
    incident = Incident.objects.get()
    assert off["Location"] == f"/incidentes/{incident.pk}/"
    warned = " ".join(client.get("/cartas/deposito/").content.decode().split())
    assert re.search(rf'<div class="note warn">.*Hay diferencia: se abrió {incident.label}</span>', warned)
    assert "con diferencia" in floor.client(Role.PIT_BOSS).get("/cartas/deposito/").content.decode()


@pytest.mark.rule("CARD-46")
def test_boxes_and_machines_are_numbered(floor: Floor) -> None:
    client = floor.client(Role.ADMINISTRATOR)
    given = {"number": "BM-1", "kind": "machine_shoe", "maker": "Norte", "active": "on", "reason": "alta"}
    assert client.post("/cartas/equipos/", {**given, "kind": "carro"}).status_code == 422
    assert client.post("/cartas/equipos/", given).status_code == 302
    device = Device.objects.get()
    changed = {name: value for name, value in given.items() if name != "active"} | {"reason": "en taller"}
    assert client.post(f"/cartas/equipos/{device.pk}/", changed).status_code == 302
    device.refresh_from_db()
    assert device.active is False
    assert "fuera de servicio" in client.get("/cartas/equipos/").content.decode()
    assert "en taller" in client.get(f"/cartas/equipos/{device.pk}/").content.decode()


# ---- the end of a deck -------------------------------------------------------------------------------


@pytest.mark.rule("CARD-45")
def test_cancelled_decks_are_destroyed_before_two_witnesses(floor: Floor) -> None:
    first, second = withdrawn(floor)
    client = floor.client(Role.PIT_BOSS)
    client.post("/cartas/deposito/anular/", {"serials": f"{first.serial}\n{second.serial}"})
    given = {
        "chosen": [first.serial], "serials": f"B:{second.serial}\nB:{first.serial}",
        "method": "trituradas", "site": "depósito", "first_witness": "norte-compliance",
        "first_witness_password": PASSWORD, "second_witness": "norte-supervisor",
        "second_witness_password": PASSWORD,
    }  # fmt: skip
    assert first.serial in client.get("/cartas/actas/nueva/").content.decode()
    wrong = client.post("/cartas/actas/nueva/", {**given, "second_witness_password": "otra"})
    said = wrong.content.decode()
    assert wrong.status_code == 401
    assert said.index('name="second_witness"') < said.index("El usuario o la contraseña no son correctos")
    assert client.post("/cartas/actas/nueva/", given)["Location"].startswith("/cartas/actas/")
    act = DestructionAct.objects.get()
    page = client.get(f"/cartas/actas/{act.pk}/").content.decode()
    for words in (
        act.label,
        first.serial,
        second.serial,
        "trituradas",
        "Persona compliance",
        "Persona supervisor",
    ):
        assert words in page
    assert act.label in client.get("/cartas/actas/").content.decode()
    assert 'action="/reportes/shoes.destruction/"' in page
    assert client.post("/reportes/shoes.destruction/", {"act": act.pk, "format": "pdf"}).status_code == 302
    asked = Export.objects.get()
    assert (asked.report, asked.format) == ("shoes.destruction", "pdf")
    assert act.label in client.get(f"/cartas/barajas/{first.pk}/").content.decode()
    assert set(Deck.objects.values_list("state", flat=True)) == {"destroyed"}


# ---- where, what is written on things ----------------------------------------------------------------


@pytest.mark.rule("CARD-04")
def test_where_a_deck_was_is_asked_in_the_casinos_own_time(floor: Floor) -> None:
    session = floor.open()
    deck = Deck.objects.filter(shoe=session.shoe).order_by("serial").first()
    client = floor.client(Role.INSPECTOR)
    assert deck is not None
    shown = client.get("/cartas/donde/", {"place": "PB-01"}).content.decode()
    assert shown.count("</a> · PB-01") == 6
    local = (clock.now() - dt.timedelta(days=1)).astimezone(ZoneInfo(floor.house.casino.zone))
    before = client.get("/cartas/donde/", {"at": local.strftime("%Y-%m-%dT%H:%M"), "serial": deck.serial})
    assert "A esa hora no había ninguna" in before.content.decode()
    assert client.get("/cartas/donde/", {"at": "ayer"}).status_code == 422
    assert client.get("/cartas/donde/", {"at": "9999-12-31T23:59"}).status_code == 422
    history = client.get(f"/cartas/barajas/{deck.pk}/").content.decode()
    order = [history.index(words) for words in ("Entró en juego en PB-01", "Entró al sabot", "Se recibió")]
    assert order == sorted(order)  # newest first


def test_the_list_of_decks_is_narrowed(floor: Floor) -> None:
    red, blue = received(floor, 1)[0], received(floor, 1, back_colour="azul", batch="L & 2")[0]
    builders.issued_decks(floor.house.casino, floor.by(Role.PIT_BOSS), 1, batch="L-3")
    client = floor.client(Role.INSPECTOR)

    def seen(**asked: str) -> set[str]:
        page = client.get("/cartas/barajas/", asked).content.decode()
        return {deck.serial for deck in Deck.objects.all() if f"<b>{deck.serial}</b>" in page}

    assert len(seen()) == 3
    assert seen(back_colour="azul") == seen(batch="L & 2") == seen(serial=f"b:{blue.serial}") == {blue.serial}
    assert seen(place="-") == seen(state="store") == {red.serial, blue.serial}
    assert seen(place=moving.DESK).isdisjoint({red.serial, blue.serial})
    assert seen(state="no existe") == set()


def test_a_code_read_anywhere_leads_to_its_thing(floor: Floor) -> None:
    deck = received(floor, 1)[0]
    shoe = builders.shoe_with_decks(floor.house.casino, floor.by(Role.PIT_BOSS), game=GAME, decks=6)
    client = floor.client(Role.ADMINISTRATOR)
    client.post("/cartas/equipos/", {"number": "BM-1", "kind": "shuffler", "active": "on", "reason": "alta"})
    for code, leads in {
        f"B:{deck.serial}": f"/cartas/barajas/{deck.pk}/",
        f"  {deck.serial} ": f"/cartas/barajas/{deck.pk}/",
        f"s:{shoe.label}": f"/cartas/sabots/{shoe.pk}/",
        shoe.label: f"/cartas/sabots/{shoe.pk}/",
        "E:BM-1": "/cartas/equipos/?number=BM-1",
    }.items():
        assert client.get("/cartas/leer/", {"code": code})["Location"] == leads, code
    lost = client.get("/cartas/leer/", {"code": f"S:{deck.serial}"})
    assert (lost.status_code, "Nada lleva el código" in lost.content.decode()) == (404, True)
    assert client.get("/cartas/leer/").status_code == 200


def test_labels_bear_what_a_scan_box_reads(floor: Floor) -> None:
    decks = received(floor, 2, batch="L-55")
    shoe = Shoe.objects.create(
        casino=floor.house.casino, number=41, game=GAME, deck_type="french52", decks_wanted=6,
        started_by=floor.by(Role.PIT_BOSS).actor, started_at=clock.now(),
    )  # fmt: skip
    client = floor.client(Role.PIT_BOSS)
    whole = client.get("/cartas/etiquetas/", {"kind": "B", "batch": "L-55"}).content.decode()
    assert whole.count('class="segno"') == 2
    for deck in decks:
        assert labels.svg(f"B:{deck.serial}") in whole
        assert labels.serial(f"B:{deck.serial}") == deck.serial
    one = client.get("/cartas/etiquetas/", {"kind": "S", "names": "S-000041\nS-000042", "sheet": "single"})
    assert labels.svg(f"S:{shoe.label}") in one.content.decode()
    assert one.content.decode().count('class="segno"') == 1
    assert "style=" not in whole  # the pages' policy forbids it
