"""Pages about the cards: decks received and inspected by two, a shoe prepared step by step."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from audits.models import Incident
from casino.kernel.permissions import Role
from shoes import shoes as acts
from shoes.models import Deck, Shoe, ShoeAlert
from shoes.procedures import PROCEDURES
from tests.api.building import PASSWORD
from tests.pages.building import GAME, Floor
from tests.shoes import builders


def inspected(floor: Floor, deck: Deck, **given: object) -> Any:
    """The inspection form signed by the supervisor and a croupier, as `given` changes it."""
    people = {role: floor.house.users[role].actor.pk for role in (Role.SUPERVISOR, Role.CROUPIER)}
    form: dict[str, object] = {"inspector": people[Role.SUPERVISOR], "witness": people[Role.CROUPIER]}
    full: dict[str, object] = {"counted": "52", "by_suit_shown": "on", "backs_checked": "on"}
    client = floor.client(Role.SUPERVISOR)
    return client.post(f"/cartas/inspeccion/{deck.pk}/", form | full | given)


def issued(floor: Floor, count: int = 1) -> list[Deck]:
    return builders.issued_decks(floor.house.casino, floor.by(Role.PIT_BOSS), count)


@pytest.mark.rule("GEN-10")
def test_inspector_and_witness_are_two_people(floor: Floor) -> None:
    deck = issued(floor)[0]
    one = floor.house.users[Role.SUPERVISOR].actor.pk
    refused = inspected(floor, deck, witness=one)
    said = refused.content.decode()
    assert refused.status_code == 422
    assert said.index('name="witness"') < said.index("Las dos firmas son de dos personas distintas")
    assert inspected(floor, deck).status_code == 302
    deck.refresh_from_db()
    assert deck.state == Deck.State.PASSED


@pytest.mark.rule("CARD-14")
def test_a_short_deck_must_name_what_is_missing(floor: Floor) -> None:
    deck = issued(floor)[0]
    refused = inspected(floor, deck, counted="51").content.decode()
    assert refused.index('name="counted"') < refused.index("son 52; nombre cada carta que falta")
    answer = inspected(floor, deck, counted="51", missing="10d")
    deck.refresh_from_db()
    assert deck.state == Deck.State.WITHDRAWN
    assert deck.inspections.get().missing == ["Td"]
    assert deck.incident is not None
    told = answer.client.get(answer["Location"]).content.decode()
    link = f'<a class="link" href="/incidentes/{deck.incident.pk}/">{deck.incident.label}</a>'
    assert f"Baraja {deck.serial} retirada · {link}" in told
    # The menu counts it, to be heard as one sentence.
    assert '<span class="sr">abierto</span>' in " ".join(told.split()).replace("> ", ">").replace(" <", "<")


def test_a_refused_step_keeps_the_decks_that_were_read(floor: Floor) -> None:
    decks = builders.inspected_decks(floor.house.casino, floor.by(Role.PIT_BOSS), 2)
    client = floor.client(Role.SUPERVISOR)
    client.post("/cartas/sabots/", {"game": GAME, "decks_wanted": "6"})
    shoe = Shoe.objects.get()
    read = {"step": "decks", "serials": [decks[0].serial, "N-UNKNOWN"]}
    refused = client.post(f"/cartas/sabots/{shoe.pk}/", read)
    page = refused.content.decode()
    assert refused.status_code == 422
    assert f'value="{decks[0].serial}" checked' in page
    assert f'value="{decks[1].serial}">' in page
    assert ">N-UNKNOWN</textarea>" in page


@pytest.mark.rule("CARD-05")
def test_decks_whose_backs_may_lie_together_are_ticked_in_one_touch(floor: Floor) -> None:
    for colour, count in (("rojo", 4), ("azul", 3)):
        builders.inspected_decks(floor.house.casino, floor.by(Role.PIT_BOSS), count, back_colour=colour)
    client = floor.client(Role.SUPERVISOR)
    client.post("/cartas/sabots/", {"game": "blackjack.classic", "decks_wanted": "6"})
    address = f"/cartas/sabots/{Shoe.objects.get().pk}/"
    page = client.get(address).content.decode()
    assert "Marcar 6 que van juntas" in page
    ticked = re.findall(r'value="(\S+)" data-together', page)
    colours = Counter(Deck.objects.filter(serial__in=ticked).values_list("back_colour", flat=True))
    assert colours == {"rojo": 3, "azul": 3}  # the first six are four red and two blue
    assert client.post(address, {"step": "decks", "serials": ticked}).status_code == 302


def test_a_checklist_without_decks_takes_the_whole_width(floor: Floor) -> None:
    shoe = acts.start_shoe(game=GAME, decks_wanted=6, by=floor.by(Role.PIT_BOSS))
    whole = builders.shoe_with_decks(floor.house.casino, floor.by(Role.PIT_BOSS), game=GAME, decks=6)
    client = floor.client(Role.CROUPIER)
    columns = [
        '<div class="two">' in client.get(f"/cartas/sabots/{one.pk}/").content.decode()
        for one in (shoe, whole)
    ]
    assert columns == [False, True]


def test_a_shoe_tells_the_table_it_was_played_at_once_it_has_ended(floor: Floor) -> None:
    floor.open()
    shoe, client = Shoe.objects.get(), floor.client(Role.SUPERVISOR)
    assert "terminó" not in client.get(f"/cartas/sabots/{shoe.pk}/recuento/").content.decode()
    acts.end_shoe(shoe=shoe, by=floor.by(Role.PIT_BOSS), reason="fin de la noche")
    head = client.get(f"/cartas/sabots/{shoe.pk}/").content.decode().partition('<div class="do">')[0]
    assert "6 barajas" in head and "· PB-01" in head
    assert "terminó" in client.get(f"/cartas/sabots/{shoe.pk}/recuento/").content.decode()


@pytest.mark.rule("CARD-15")
def test_an_incident_leads_to_the_deck_it_is_about(floor: Floor) -> None:
    deck = issued(floor)[0]
    inspected(floor, deck, counted="51", missing="10d")
    page = floor.client(Role.COMPLIANCE).get(f"/incidentes/{Incident.objects.get().pk}/").content.decode()
    assert f'href="/cartas/barajas/{deck.pk}/">{deck.serial}</a>' in page


def test_what_passed_at_the_desk_leads_on_to_a_shoe_and_its_lot_to_its_labels(floor: Floor) -> None:
    deck = builders.inspected_decks(floor.house.casino, floor.by(Role.PIT_BOSS), 1)[0]
    client = floor.client(Role.SUPERVISOR)
    assert "1 baraja apta espera su sabot." in client.get("/cartas/inspeccion/").content.decode()
    listed = client.get("/cartas/barajas/", {"batch": deck.batch}).content.decode()
    assert f"/cartas/etiquetas/?kind=B&batch={deck.batch}" in listed


@pytest.mark.rule("CARD-15")
def test_a_deck_without_fault_passes_in_one_touch_and_the_next_comes(floor: Floor) -> None:
    first, second = issued(floor, 2)
    answer = inspected(floor, first, clean="1", counted="", suit_order="shdc")
    witness = floor.house.users[Role.CROUPIER].actor.pk
    # The witness and the order of suits are the same for the next one.
    assert answer["Location"] == f"/cartas/inspeccion/{second.pk}/?witness={witness}&order=shdc"
    seen = first.inspections.get()
    assert (seen.counted, seen.by_suit_shown, seen.backs_checked, seen.suit_order) == (52, True, True, "shdc")
    page = answer.client.get(answer["Location"]).content.decode()
    assert f'<option value="{witness}" selected>' in page
    assert 'value="shdc"' in page
    assert inspected(floor, second, clean="1")["Location"] == "/cartas/inspeccion/"


@pytest.mark.rule("CARD-15")
def test_one_touch_does_not_pass_over_a_fault_that_was_noted(floor: Floor) -> None:
    deck = issued(floor)[0]
    refused = inspected(floor, deck, clean="1", marked="kh")
    assert refused.status_code == 409
    assert "Hay fallas anotadas" in refused.content.decode()
    assert not deck.inspections.exists()
    assert inspected(floor, deck, marked="kh, 9d").status_code == 302
    assert deck.inspections.get().marked == ["9d", "Kh"]


def test_a_serial_scanned_at_the_desk_opens_its_form(floor: Floor) -> None:
    deck = issued(floor)[0]
    client = floor.client(Role.SUPERVISOR)
    for code in (deck.serial, f"B:{deck.serial}", f" b:{deck.serial} "):
        assert (
            client.get("/cartas/inspeccion/", {"code": code})["Location"] == f"/cartas/inspeccion/{deck.pk}/"
        )
    unknown = client.get("/cartas/inspeccion/", {"code": "X-9"})
    assert (unknown.status_code, "No hay baraja con serie X-9" in unknown.content.decode()) == (422, True)


@pytest.mark.rule("CARD-03")
def test_a_deck_of_the_store_is_issued_before_it_is_inspected(floor: Floor) -> None:
    deck = builders.registered_decks(floor.house.casino, floor.by(Role.PIT_BOSS), 1)[0]
    page = floor.client(Role.SUPERVISOR).get(f"/cartas/inspeccion/{deck.pk}/").content.decode()
    assert "entréguela primero" in page
    assert inspected(floor, deck).status_code == 409


@pytest.mark.rule("CARD-43")
def test_a_closing_count_deck_by_deck(floor: Floor) -> None:
    by = floor.by(Role.PIT_BOSS)
    shoe = builders.ready_shoe(floor.house.casino, by, game=GAME, decks=6)
    decks = list(shoe.decks.order_by("serial"))
    acts.abandon_shoe(shoe=shoe, by=by, reason="fin de la noche")
    client = floor.client(Role.SUPERVISOR)
    assert shoe.label in client.get("/cartas/inspeccion/").content.decode()
    form: dict[str, object] = {
        "inspector": floor.house.users[Role.SUPERVISOR].actor.pk,
        "witness": floor.house.users[Role.CROUPIER].actor.pk,
    }
    for at, deck in enumerate(decks):
        form |= {f"counted-{deck.pk}": "52", f"backs-{deck.pk}": "on", f"seal-{deck.pk}": f"R-{at}"}
    short = {f"counted-{decks[2].pk}": "51"}
    refused = client.post(f"/cartas/sabots/{shoe.pk}/recuento/", form | short)
    said = refused.content.decode()
    assert refused.status_code == 422
    # The refusal stands in the row of the third deck, and what was typed is still there.
    place = said.index("nombre cada carta que falta")
    assert said.index(decks[2].serial) < place < said.index(decks[3].serial)
    assert 'value="R-5"' in said
    short[f"missing-{decks[2].pk}"] = "7c"
    counted = client.post(f"/cartas/sabots/{shoe.pk}/recuento/", form | short, follow=True).content.decode()
    opened = Incident.objects.get()
    assert f'registrado · <a class="link" href="/incidentes/{opened.pk}/">{opened.label}</a>' in counted
    found = {deck.serial: deck for deck in Deck.objects.all()}
    assert [found[deck.serial].state for deck in decks] == ["store", "store", "withdrawn", *["store"] * 3]
    assert found[decks[0].serial].seal == "R-0"
    assert shoe.label not in floor.client(Role.CROUPIER).get("/cartas/inspeccion/").content.decode()
    assert "Ya se contó" in client.get(f"/cartas/sabots/{shoe.pk}/recuento/").content.decode()


@pytest.mark.rule("GEN-10")
def test_the_checklist_leads_through_every_step(floor: Floor) -> None:
    """The whole preparation by the forms of the page, a wrong cut and a wrong burn on the way."""
    client = floor.client(Role.PIT_BOSS)
    decks = builders.inspected_decks(floor.house.casino, floor.by(Role.PIT_BOSS), 6)
    started = client.post("/cartas/sabots/", {"game": GAME, "decks_wanted": "6", "device": "SB-1"})
    shoe = Shoe.objects.get()
    assert started["Location"] == f"/cartas/sabots/{shoe.pk}/"
    page = client.get(started["Location"]).content.decode()
    assert page.count('aria-current="step"') == 1

    def sign(**data: object) -> int:
        return client.post(f"/cartas/sabots/{shoe.pk}/", data).status_code

    assert sign(step="decks", serials=[deck.serial for deck in decks]) == 302
    assert sign(step="shuffle", kind="double") == 409  # the decks have not been shown yet
    assert sign(step="show") == sign(step="wash") == sign(step="shuffle", kind="triple") == 302
    check = {"step": "check", "sequences": "none"}
    page = client.get(f"/cartas/sabots/{shoe.pk}/").content.decode()
    assert "Quien lavó o barajó no comprueba su propio barajado" in page
    assert sign(**check) == 422  # GEN-10: who shuffled does not check
    assert sign(**check, second="norte-supervisor", second_password="otra") == 401
    assert sign(**check, second="norte-supervisor", second_password=PASSWORD) == 302
    assert sign(step="cut", declined="asiento 1", cut_by="3", position="120") == 422  # seats are numbers
    assert sign(step="cut", declined="1, 2", cut_by="el tres", position="120") == 422
    assert sign(step="cut", declined="1, 2", cut_by="3", position="40") == 422  # CARD-25: 52 at least
    assert sign(step="cut", declined="1, 2", cut_by="3", position="120") == 302
    assert sign(step="turn") == sign(step="load", stop_card_from_end="6") == 302
    assert sign(step="burn", card="9d", burned="8") == 422  # CARD-37: as many as its value
    assert sign(step="burn", card="9d", burned="9") == 302
    shoe.refresh_from_db()
    # 312 cards less the one turned and the nine burned for it.
    assert (shoe.state, shoe.remaining) == (Shoe.State.READY, 302)
    told = client.get(f"/cartas/sabots/{shoe.pk}/").content.decode()
    cut = "Declinaron el corte: 1, 2 · Cortó: el asiento 3 · Cartas sobre el corte: 120"
    for words in ("Barajado: triple", cut, "Carta descubierta: 9♦ · Cartas quemadas: 9"):
        assert words in told
    assert "Terminado" not in client.get(f"/cartas/sabots/{shoe.pk}/").content.decode()


@pytest.mark.rule("CARD-25")
def test_a_refused_step_is_said_in_its_own_form_with_what_was_typed(floor: Floor) -> None:
    shoe = builders.shoe_up_to(floor.house.casino, floor.by(Role.PIT_BOSS), "cut", game=GAME, decks=6)
    client = floor.client(Role.PIT_BOSS)
    given = {"step": "cut", "declined": "", "cut_by": "1", "position": "40"}
    said = client.post(f"/cartas/sabots/{shoe.pk}/", given).content.decode()
    assert said.index('name="position"') < said.index("Deje al menos 52 cartas a cada lado")
    assert 'value="40"' in said
    assert said.count('role="alert"') == 1


def test_a_shoe_is_given_up_with_a_reason(floor: Floor) -> None:
    shoe = acts.start_shoe(game=GAME, decks_wanted=6, by=floor.by(Role.PIT_BOSS))
    client = floor.client(Role.PIT_BOSS)
    assert client.post(f"/cartas/sabots/{shoe.pk}/terminar/", {"reason": ""}).status_code == 422
    assert client.post(f"/cartas/sabots/{shoe.pk}/terminar/", {"reason": "cartas mojadas"}).status_code == 302
    shoe.refresh_from_db()
    assert (shoe.state, shoe.end_reason) == (Shoe.State.ENDED, "cartas mojadas")


def test_a_shoe_takes_its_games_decks_and_a_refusal_keeps_what_was_chosen(floor: Floor) -> None:
    client = floor.client(Role.SUPERVISOR)
    game = "blackjack.challenge21"
    refused = client.post("/cartas/sabots/", {"game": game, "decks_wanted": "1", "device": ""})
    assert refused.status_code == 422
    assert f'<option value="{game}" selected>' in refused.content.decode()
    assert '<option value="1" selected>' in refused.content.decode()
    assert client.post("/cartas/sabots/", {"game": game, "decks_wanted": ""}).status_code == 302
    assert Shoe.objects.get().decks_wanted == 6


def test_a_machine_that_serves_as_shoe_is_chosen_at_the_start(floor: Floor) -> None:
    client = floor.client(Role.SUPERVISOR)
    given = {"game": "blackjack.classic", "method": "machine_shoe", "device": "E:BM-1"}
    assert client.post("/cartas/sabots/", given).status_code == 302
    assert Shoe.objects.get().device == "BM-1"  # its label bears an E before the number
    page = client.get(f"/cartas/sabots/{Shoe.objects.get().pk}/").content.decode()
    assert "Mostrar vacía la máquina" in page
    refused = client.post("/cartas/sabots/", {"game": GAME, "method": "machine_shoe"})
    said = refused.content.decode()
    assert refused.status_code == 422
    assert said.index('name="method"') < said.index("Este juego se prepara a mano, en un sabot")


@pytest.mark.rule("CARD-12")
def test_a_deck_taken_out_starts_the_preparation_again(floor: Floor) -> None:
    shoe = builders.shoe_up_to(floor.house.casino, floor.by(Role.PIT_BOSS), "cut", game=GAME, decks=6)
    serial = shoe.decks.order_by("serial").first().serial  # type: ignore[union-attr]
    client = floor.client(Role.PIT_BOSS)
    address = f"/cartas/sabots/{shoe.pk}/sacar/"
    assert serial in client.get(address).content.decode()
    refused = client.post(address, {"serial": serial, "why": ""})
    assert (refused.status_code, "Falta este dato" in refused.content.decode()) == (422, True)
    assert client.post(address, {"serial": serial, "why": "esquina doblada"}).status_code == 302
    page = client.get(f"/cartas/sabots/{shoe.pk}/").content.decode()
    assert f"Series que salen: {serial} · Motivo: esquina doblada" in page
    assert "5 de 6 barajas" in page
    assert Deck.objects.get(serial=serial).state == Deck.State.QUARANTINE


@pytest.mark.rule("CARD-15")
def test_a_fault_is_reported_from_the_shoe(floor: Floor) -> None:
    floor.open()
    shoe = Shoe.objects.get()
    client = floor.client(Role.SUPERVISOR)
    address = f"/cartas/sabots/{shoe.pk}/falla/"
    assert client.get(address).status_code == 200
    refused = client.post(address, {"fault": "marked", "cards": "", "words": "una raya en el reverso"})
    said = refused.content.decode()
    assert refused.status_code == 422
    assert said.index('name="cards"') < said.index("Nombre la carta, por ejemplo 9d")
    answer = client.post(address, {"fault": "marked", "cards": "9d", "words": "una raya en el reverso"})
    incident = Incident.objects.get()
    assert answer["Location"] == f"/incidentes/{incident.pk}/"
    assert (incident.freezes, incident.table_label) == (True, "PB-01")


@pytest.mark.rule("CARD-42")
def test_what_a_detector_noticed_is_shown_with_its_incident(floor: Floor) -> None:
    floor.open()
    shoe = Shoe.objects.get()
    given = {"fault": "extra", "cards": "9d", "words": "dos iguales"}
    floor.client(Role.SUPERVISOR).post(f"/cartas/sabots/{shoe.pk}/falla/", given)
    incident = Incident.objects.get()
    ShoeAlert.objects.create(
        casino=shoe.casino, shoe=shoe, detector="factory_order", p=1e-9, at=incident.opened_at,
        words_es="salen en orden de fábrica", words_en="they come in factory order", incident=incident,
    )  # fmt: skip
    for address in ("/cartas/", f"/cartas/sabots/{shoe.pk}/"):
        page = floor.client(Role.PIT_BOSS).get(address).content.decode()
        assert "Salen en orden de fábrica" in page
        assert incident.label in page
    assert "They come in factory order" in floor.client(Role.PIT_BOSS, "en").get("/cartas/").content.decode()


def test_no_step_of_a_preparation_names_a_rule_twice() -> None:
    for procedure in PROCEDURES.values():
        for step in procedure.steps:
            assert len(step.rules) == len(set(step.rules)), (procedure, step.code)
