"""The cards of an open table on its pages: stopped, the discard holder, the same cards again."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from audits import incidents
from audits.models import Event, Incident
from casino.kernel.permissions import Role
from shoes.models import DiscardReview, Shoe
from shoes.procedures import MACHINE_SHOE, procedure_of
from shoes.shoes import add_decks, start_shoe
from tables import inforce, openings, rounds
from tables.games import registry
from tables.models import TableSession
from tests.api.building import PASSWORD, House
from tests.pages.building import FLOAT, Floor, as_login, make_floor
from tests.shoes import builders
from tests.tables import every_game

PAGE = "/mesas/PB-01/cartas/"


FAULT = {"fault": "extra", "cards": "9d", "words": "una séptima vez", "deck": ""}


def review(floor: Floor, **changes: str) -> dict[str, str]:
    return {
        "number": "1",
        "asked_by": "asiento 3",
        "why": "discute el pago",
        "authorised_by": floor.house.users[Role.PIT_BOSS].username,
        "authorised_by_password": PASSWORD,
        **changes,
    }


@pytest.mark.rule("CARD-42", "CARD-43", "GEN-08")
def test_a_fault_is_reported_and_the_table_says_why_it_stands(floor: Floor) -> None:
    session = floor.open()
    client = floor.client(Role.SUPERVISOR)
    form = reverse("shoe-fault", args=[session.shoe_id])
    assert f'href="{form}"' in client.get(PAGE).content.decode()
    client.post(form, FAULT)
    incident = Incident.objects.get()
    for address in (PAGE, "/mesas/PB-01/"):
        said = client.get(address).content.decode()
        assert incident.label in said and f"/incidentes/{incident.pk}/" in said
    tile = client.get("/").content.decode()
    assert f"Detenida por {incident.label}" in tile
    answer = client.post("/mesas/PB-01/anotar/", {"number": 1, "step": 0, "typed": "9d"})
    assert answer.status_code == 409 and incident.label in answer.content.decode()
    session.refresh_from_db()
    assert session.last_round == 0


@pytest.mark.rule("CARD-42")
def test_a_card_refused_as_impossible_leads_to_the_report(floor: Floor) -> None:
    session = floor.open()
    Shoe.objects.filter(pk=session.shoe_id).update(seen={"2c": 1, "9d": 6})
    client = floor.client(Role.SUPERVISOR)
    answer = client.post("/mesas/PB-01/anotar/", {"number": 1, "step": 0, "typed": "9d"})
    assert answer.status_code == 422
    form = reverse("shoe-fault", args=[session.shoe_id])
    assert f'href="{form}?fault=extra&amp;cards=9d"' in answer.content.decode()
    page = client.get(form + "?fault=extra&cards=9d").content.decode()
    assert 'value="extra" required checked' in page and ">9d</textarea>" in page


@pytest.mark.rule("CARD-40", "GEN-10")
def test_the_discard_holder_is_opened_with_another_chiefs_password_and_closed(floor: Floor) -> None:
    floor.open()
    floor.settled()
    client = floor.client(Role.SUPERVISOR)
    wrong = client.post(PAGE + "revision/", review(floor, authorised_by_password="otra clave"))
    assert wrong.status_code == 401 and not DiscardReview.objects.exists()
    own = client.post(
        PAGE + "revision/", review(floor, authorised_by=floor.house.users[Role.SUPERVISOR].username)
    )
    assert own.status_code == 422 and "dos personas distintas" in own.content.decode()
    opened = client.post(PAGE + "revision/", review(floor), follow=True).content.decode()
    assert "Descartador abierto" in opened and "asiento 3" in opened
    found = DiscardReview.objects.get()
    assert found.expected == 4  # the four cards of the round
    empty = client.post(PAGE + "revision/cerrar/", {"found": "", "cards_counted": "4"})
    assert empty.status_code == 422
    closing = {"found": "siete, como se pagó", "cards_counted": "4"}
    said = client.post(PAGE + "revision/cerrar/", closing, follow=True).content.decode()
    assert "siete, como se pagó" in said and "volvieron 4 de 4 cartas" in said
    again = client.post(PAGE + "revision/cerrar/", closing)
    assert again.status_code == 409


@pytest.mark.rule("CARD-42")
def test_a_card_that_did_not_go_back_is_told(floor: Floor) -> None:
    floor.open()
    floor.settled()
    client = floor.client(Role.SUPERVISOR)
    client.post(PAGE + "revision/", review(floor))
    closing = {"found": "falta una", "cards_counted": "3"}
    said = client.post(PAGE + "revision/cerrar/", closing, follow=True).content.decode()
    irregular = Incident.objects.get(kind="cards.fault")
    assert f"Faltan o sobran cartas: {irregular.label}" in said


@pytest.mark.rule("CARD-38")
def test_the_same_cards_are_shuffled_again_from_the_page(floor: Floor) -> None:
    session = floor.open()
    client = floor.client(Role.SUPERVISOR)
    assert "Barajar otra vez estas cartas" in client.get(PAGE).content.decode()
    silent = client.post(PAGE + "barajar/", {"reason": ""})
    assert silent.status_code == 422 and "Indique el motivo" in silent.content.decode()
    client.post(PAGE + "barajar/", {"reason": "lo pidió la mesa"})
    new = Shoe.objects.get(renews=session.shoe)
    page = client.get("/mesas/PB-01/").content.decode()
    assert f"Se barajan otra vez las cartas de la mesa: termine de preparar {new.label}" in page
    assert f'href="{reverse("shoe", args=[new.pk])}"' in page
    assert new.label in client.get(PAGE).content.decode()


def test_a_croupier_of_the_table_reports_and_opens_nothing(floor: Floor) -> None:
    session = floor.open()
    as_login(floor.dealer, floor.house.users[Role.CROUPIER])
    client = floor.client(Role.CROUPIER)
    page = client.get(PAGE).content.decode()
    assert "Denunciar una falla" in page
    assert "Abrir el descartador" not in page and "Barajar otra vez" not in page
    assert client.post(PAGE + "revision/", review(floor)).status_code == 403
    assert client.post(reverse("shoe-fault", args=[session.shoe_id]), FAULT).status_code == 302
    assert Incident.objects.filter(kind="cards.fault", freezes=True).exists()


def test_a_closed_table_and_one_without_cards_have_no_such_page(floor: Floor) -> None:
    client = floor.client(Role.SUPERVISOR)
    assert client.get(PAGE)["Location"] == "/mesas/PB-01/"
    assert client.post(PAGE + "barajar/", {"reason": "x"})["Location"] == "/mesas/PB-01/"


# ---- machines and house poker -----------------------------------------------------------------------


@pytest.mark.rule("CARD-21")
def test_the_round_page_asks_for_the_shuffle_after_a_round(house: House) -> None:
    floor = make_floor(house, game="poker.caribbean")
    session = floor.open()
    client = floor.client(Role.SUPERVISOR)
    assert "el croupier baraja" not in client.get("/mesas/PB-01/").content.decode()
    _play(floor, session, seed=3)
    assert "Antes del próximo pase, el croupier baraja" in client.get("/mesas/PB-01/").content.decode()
    now = {"number": 2, "step": 0, "kind": "machine", "machine": "BM-2"}
    answer = client.post("/mesas/PB-01/barajado/", now)
    assert answer.status_code == 200 and "el croupier baraja" not in answer.content.decode()
    assert Event.objects.filter(action="tables.session.shuffled").count() == 1


@pytest.mark.rule("CARD-33", "CARD-34")
def test_a_machine_asks_for_its_discards_and_gets_them(house: House) -> None:
    floor = make_floor(house, game="blackjack.classic")
    session = _open_with_machine(floor)
    client = floor.client(Role.SUPERVISOR)
    page = client.get("/mesas/PB-01/").content.decode()
    assert "Salió la carta de detención" not in page and 'id="discards"' not in page
    _play(floor, session, seed=4)
    shoe = Shoe.objects.get(pk=session.shoe_id)
    Shoe.objects.filter(pk=shoe.pk).update(discarded=105, remaining=shoe.total - shoe.burned - 105)
    page = client.get("/mesas/PB-01/").content.decode()
    assert "El descartador reúne 105 cartas y admite 104" in page and "CARD-34" in page
    assert "Devolver 105 descartes" in page
    answer = client.post("/mesas/PB-01/descartes/", {"number": 2, "step": 0})
    assert answer.status_code == 200 and "El descartador reúne" not in answer.content.decode()
    assert Shoe.objects.get(pk=shoe.pk).discarded == 0


def _play(floor: Floor, session: TableSession, seed: int) -> None:
    """One round at the detail of the table, walked along its prompts."""
    by = floor.by(Role.SUPERVISOR)
    game, chance = registry.game(session.game), every_game.seeded(seed)
    current, _ = inforce.for_new_round(session, by.occurred_at, session.detail)
    opened = game.open(current.rules, current.terms)
    log = every_game.walked(game, opened, every_game.shuffled(game, chance), chance)
    rounds.log(session=session, number=1, events=log, by=by)


def _open_with_machine(floor: Floor) -> TableSession:
    by = floor.by(Role.PIT_BOSS)
    shoe = start_shoe(game="blackjack.classic", method=MACHINE_SHOE, by=by)
    decks = builders.inspected_decks(floor.house.casino, by, 6)
    shoe = add_decks(shoe=shoe, serials=[deck.serial for deck in decks], by=by)
    answers: dict[str, dict[str, Any]] = {
        "shuffle": {"kind": "double"},
        "check": {"sequences": "none"},
        "cut": {"declined": [], "cut_by": 1, "position": 120},
        "load": {"machine": "BM-3", "empty_shown": True, "cut_card_aside": True},
        "burn": {"burned": 1},
    }
    for step in procedure_of("blackjack.classic", MACHINE_SHOE).steps[1:]:
        shoe = builders.signed(shoe, step.code, answers.get(step.code, {}), by)
    return openings.open_session(
        table=floor.table,
        shoe=shoe,
        chips_counted=FLOAT,
        dealer=floor.dealer,
        supervisor=floor.supervisor,
        by=floor.by(Role.SUPERVISOR),
    )


def test_a_stopped_table_is_reported_by_hand_by_its_name(floor: Floor) -> None:
    session = floor.open()
    assert incidents.table_names(floor.house.casino) == ["PB-01"]
    given = {"kind": "floor.dispute", "summary": "discuten", "table": "PB-01", "freezes": "yes"}
    floor.client(Role.SUPERVISOR).post("/incidentes/", given)
    session.refresh_from_db()
    assert session.frozen_by == Incident.objects.get()
