"""Pages about the cards: decks received and inspected by two, a shoe prepared step by step."""

from __future__ import annotations

import pytest

from casino.kernel.permissions import Role
from shoes import shoes as acts
from shoes.models import Deck, Shoe
from shoes.procedures import PROCEDURES
from tests.pages.building import GAME, Floor
from tests.shoes import builders


@pytest.mark.rule("CARD-01")
def test_decks_are_registered_once(floor: Floor) -> None:
    client = floor.client(Role.PIT_BOSS)
    given = {"maker": "Naipes", "batch": "L1", "back_design": "rombos", "back_colour": "rojo"}
    assert client.post("/cartas/barajas/ingreso/", {**given, "serials": "X-1 X-2\nX-3"}).status_code == 302
    assert Deck.objects.count() == 3
    again = client.post("/cartas/barajas/ingreso/", {**given, "serials": "X-3"})
    said = again.content.decode()
    assert again.status_code == 422
    assert said.index('name="serials"') < said.index("cada serie se registra una vez".capitalize())
    assert "CARD-01" in said
    assert "Naipes" in said  # what was typed comes back


@pytest.mark.rule("GEN-10")
def test_inspector_and_witness_are_two_people(floor: Floor) -> None:
    deck = builders.registered_decks(floor.house.casino, floor.by(Role.PIT_BOSS), 1)[0]
    one = floor.house.users[Role.SUPERVISOR].actor.pk
    given = {"counted": "52", "by_suit_shown": "on", "backs_checked": "on", "inspector": one, "witness": one}
    client = floor.client(Role.SUPERVISOR)
    refused = client.post(f"/cartas/barajas/{deck.pk}/", given)
    said = refused.content.decode()
    assert refused.status_code == 422
    assert said.index('name="witness"') < said.index("Las dos firmas son de dos personas distintas")
    other = floor.house.users[Role.CROUPIER].actor.pk
    assert client.post(f"/cartas/barajas/{deck.pk}/", {**given, "witness": other}).status_code == 302
    deck.refresh_from_db()
    assert deck.state == Deck.State.PASSED


@pytest.mark.rule("CARD-14")
def test_a_short_deck_must_name_what_is_missing(floor: Floor) -> None:
    deck = builders.registered_decks(floor.house.casino, floor.by(Role.PIT_BOSS), 1)[0]
    people = {role: floor.house.users[role].actor.pk for role in (Role.SUPERVISOR, Role.CROUPIER)}
    given = {
        "counted": "51", "by_suit_shown": "on", "backs_checked": "on",
        "inspector": people[Role.SUPERVISOR], "witness": people[Role.CROUPIER],
    }  # fmt: skip
    client = floor.client(Role.SUPERVISOR)
    refused = client.post(f"/cartas/barajas/{deck.pk}/", given).content.decode()
    assert refused.index('name="counted"') < refused.index("son 52; nombre cada carta que falta")
    client.post(f"/cartas/barajas/{deck.pk}/", {**given, "missing": "10d"})
    deck.refresh_from_db()
    assert deck.state == Deck.State.WITHDRAWN
    assert deck.inspections.get().missing == ["Td"]


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


def test_no_step_of_a_preparation_names_a_rule_twice() -> None:
    for procedure in PROCEDURES.values():
        for step in procedure.steps:
            assert len(step.rules) == len(set(step.rules)), (procedure, step.code)
