"""The round page's entries: what is logged, what is refused in the prompt's place, sent twice, two tabs."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from audits.models import Event
from casino.kernel.permissions import Role
from tables import closings
from tables.models import Round
from tests.pages.building import FLOAT, Floor

# Punto 9d + Kh = 9, a natural; banca 6s + 4c = 0: nobody draws, punto wins 9 to 0 (BAC-10, BAC-12).
NATURAL = ("9d", "6s", "kh", "4c")


class Screen:
    """A tab on a table's page: it sends what is typed with the round and step it last saw."""

    def __init__(self, client: Client, name: str = "PB-01") -> None:
        self.client, self.name = client, name
        self.number, self.step = 1, 0
        self.see(client.get(f"/mesas/{name}/tablero/"))

    def see(self, response: Any) -> Any:
        said = response.content.decode()
        self.said = said
        self.number = int(said.split('data-number="')[1].split('"')[0])
        self.step = int(said.split('data-step="')[1].split('"')[0])
        return response

    def send(self, verb: str = "anotar", **fields: str) -> Any:
        body = {"number": self.number, "step": self.step, "request": str(uuid.uuid4()), **fields}
        return self.see(self.client.post(f"/mesas/{self.name}/{verb}/", body))

    def type(self, *words: str) -> Any:
        for word in words:
            response = self.send(typed=word)
        return response


def screen(floor: Floor, role: Role = Role.PIT_BOSS) -> Screen:
    return Screen(floor.client(role))


def test_cards_then_enter_settle_a_round(floor: Floor) -> None:
    floor.open()
    tab = screen(floor)
    assert "Reparta una carta al punto" in tab.said
    assert tab.type(*NATURAL, "").status_code == 200
    settled = Round.objects.get()
    assert (settled.number, settled.state, settled.winner) == (1, "settled", "punto")
    assert [event["card"] for event in settled.log] == ["9d", "6s", "Kh", "4c"]
    assert "Gana punto 9 a 0" in tab.said
    assert (tab.number, tab.step) == (2, 0)


@pytest.mark.rule("BAC-12")
def test_a_third_card_that_the_rules_forbid_is_refused_where_the_prompt_was(floor: Floor) -> None:
    floor.open()
    tab = screen(floor)
    tab.type(*NATURAL)
    refused = tab.type("3d")
    assert refused.status_code == 422
    assert "No va carta al punto" in tab.said
    assert 'data-rule="BAC-12"' in tab.said
    assert tab.step == 4


@pytest.mark.parametrize(
    ("word", "status", "code"),
    [("9x", 422, "unknown_card"), ("b 3 500", 422, "not_understood"), ("", 422, "round_incomplete")],
)
def test_what_cannot_be_logged_says_why_and_leaves_nothing(
    floor: Floor, word: str, status: int, code: str
) -> None:
    floor.open()
    tab = screen(floor)
    assert tab.type(word).status_code == status
    if code != "not_understood":
        assert f'data-refused="{code}"' in tab.said
    assert Round.objects.count() == 0


@pytest.mark.rule("GEN-04")
def test_bets_are_laid_refused_beyond_the_limits_and_paid_in_order(full: Floor) -> None:
    full.open()
    tab = screen(full)
    tab.type("p 1 100", "b 3 200")
    assert tab.type("b 3 900").status_code == 422  # 200 + 900 is above 1.000
    assert 'data-rule="GEN-04"' in tab.said
    assert tab.type("p 2 45").status_code == 422  # below 50
    tab.type("9d", "6s", "kh", "4c")
    assert [e["e"] for e in Round.objects.get().log][:3] == ["bet", "bet", "close"]
    tab.type("")
    settled = Round.objects.get()
    # Seat 3 loses 200 on banca, seat 1 is paid 100 on punto: the house is 100 up.
    assert (settled.staked, settled.returned) == (30_000, 20_000)
    assert tab.said.index("Asiento 3") < tab.said.index("Asiento 1")
    assert "+\N{THIN SPACE}100,00" in tab.said


@pytest.mark.rule("REC-07")
def test_undo_strikes_the_last_entry_and_keeps_it_with_its_reason(floor: Floor) -> None:
    floor.open()
    tab = screen(floor)
    tab.type("9d", "6s")
    assert tab.send("anular", why="1").status_code == 200
    log = Round.objects.get().log
    assert [(e["e"], e.get("of"), e.get("why")) for e in log[-1:]] == [("undo", 2, "carta mal leída")]
    tab.send("anular", why="2")
    assert Round.objects.get().log[-1]["of"] == 1
    assert tab.send("anular", why="2").status_code == 422
    assert "No hay nada que anular" in tab.said


def test_enter_after_a_settlement_opens_no_round(full: Floor) -> None:
    full.open()
    tab = screen(full)
    tab.type("p 1 100", "9d", "6s", "kh", "4c", "")
    assert "liquidado" in tab.said
    assert "Pase 1" in tab.said
    assert tab.type("").status_code == 422
    assert "anote apuestas o escriba la primera carta" in tab.said
    assert Round.objects.count() == 1
    assert (tab.number, tab.step) == (2, 0)


def test_a_round_of_which_nothing_stands_is_given_up_with_its_own_reason(full: Floor) -> None:
    full.open()
    tab = screen(full)
    tab.type("p 1 100")
    assert 'id="empty"' not in tab.said
    tab.send("anular", why="4")
    assert 'id="empty"' in tab.said
    assert tab.send("abandonar").status_code == 200
    assert Round.objects.get().state == "void"


@pytest.mark.rule("FLOOR-10")
def test_a_round_of_which_nothing_stands_keeps_no_table_open(full: Floor) -> None:
    session = full.open()
    tab = screen(full)
    tab.type("p 1 100")
    client, page = full.client(Role.PIT_BOSS), "/mesas/PB-01/cerrar/"
    assert "está en curso" in client.get(page).content.decode()
    tab.send("anular", why="4")
    assert "está en curso" not in client.get(page).content.decode()
    closings.close_session(
        session=session,
        chips_counted=FLOAT,
        counted_by=full.dealer,
        witnessed_by=full.supervisor,
        by=full.by(Role.PIT_BOSS),
    )
    assert Round.objects.get().state == "void"
    told = Event.objects.get(action="tables.round.voided")
    assert "pase sin nada anotado" in bytes(told.body).decode()


@pytest.mark.rule("BAC-07")
def test_while_betting_is_open_any_bet_can_be_undone(full: Floor) -> None:
    full.open()
    tab = screen(full)
    tab.type("e 2 20", "p 1 100", "p 3 100")
    refused = tab.type("")
    assert refused.status_code == 422
    assert "anule ese Empate" in tab.said
    assert tab.said.count('data-kind="bet"') >= 3
    assert tab.send("anular", of="1", why="5").status_code == 200
    assert Round.objects.get().log[-1]["why"] == "el jugador retiró la apuesta"
    assert tab.type("").status_code == 200


def test_an_undo_may_have_a_reason_of_its_own(floor: Floor) -> None:
    floor.open()
    tab = screen(floor)
    tab.type("9d")
    assert tab.send("anular", other="cayó del zapato").status_code == 200
    assert Round.objects.get().log[-1]["why"] == "cayó del zapato"
    assert tab.send("anular", of="7", why="2").status_code == 422


def test_bets_are_read_as_the_language_writes_them(full: Floor) -> None:
    full.open()
    tab = screen(full)
    assert tab.type("p 1 1.000").status_code == 200
    assert tab.type("p 2 1,000").status_code == 422
    assert "1250, 1.250" in tab.said
    assert "p 2 1,000" in tab.said
    english = Screen(full.client(Role.PIT_BOSS, "en"))
    assert english.type("b 2 1,000.00").status_code == 200
    assert [event["amount"] for event in Round.objects.get().log] == [100_000, 100_000]


def test_what_the_table_does_not_log_is_said_in_its_words(floor: Floor) -> None:
    floor.open()
    tab = screen(floor)
    tab.type("b 3 500")
    assert "se registran sólo las cartas" in tab.said
    assert "detalle «" not in tab.said


def test_sent_twice_is_done_once(floor: Floor) -> None:
    floor.open()
    tab = screen(floor)
    request = str(uuid.uuid4())
    first = {"number": 1, "step": 0, "request": request, "typed": "9d"}
    for _ in range(2):
        assert tab.client.post("/mesas/PB-01/anotar/", first).status_code == 200
    assert len(Round.objects.get().log) == 1


def test_two_tabs_cannot_log_the_same_card(floor: Floor) -> None:
    floor.open()
    one, other = screen(floor), screen(floor, Role.SUPERVISOR)
    one.type("9d")
    late = other.type("9d")
    assert late.status_code == 409
    assert "Otra pantalla registró en esta mesa" in other.said
    assert len(Round.objects.get().log) == 1
    # It shows what is recorded, so the next entry of the second tab fits.
    assert other.type("6s").status_code == 200


def test_at_detail_result_the_announcement_is_all_that_is_logged(house: Any) -> None:
    from tests.pages.building import make_floor

    floor = make_floor(house, detail="result")
    floor.open()
    tab = screen(floor)
    tab.type("b 7 1", "")
    settled = Round.objects.get()
    assert (settled.winner, settled.settlement["outcome"]["banca"]) == ("banca", 7)
    assert "Gana banca 7 a 1" in tab.said


@pytest.mark.rule("CARD-38")
def test_after_the_stop_card_no_round_opens(floor: Floor) -> None:
    floor.open()
    tab = screen(floor)
    asked = tab.send("detencion")
    # The floor's shoe: 312 cards less three burned; BAC's stop card goes over the last ones (CARD-38).
    assert asked.status_code == 422
    assert "quedan 309 cartas" in tab.said
    assert tab.send("detencion", sure="1").status_code == 200
    assert tab.type("9d").status_code == 409
    assert 'data-rule="CARD-38"' in tab.said
    assert "Poner otro sabot" in tab.said
    assert 'data-blocked="' in tab.said
    assert Round.objects.count() == 0


def test_a_round_can_be_given_up_with_a_reason_only(floor: Floor) -> None:
    floor.open()
    tab = screen(floor)
    tab.type("9d")
    assert tab.send("abandonar").status_code == 422
    assert tab.send("abandonar", reason="carta expuesta").status_code == 200
    assert Round.objects.get().state == "void"
    assert tab.number == 2


def test_who_may_not_log_sees_the_table_without_an_entry(floor: Floor) -> None:
    floor.open()
    client = floor.client(Role.INSPECTOR)
    page = client.get("/mesas/PB-01/").content.decode()
    assert 'id="typed"' not in page
    assert "keys-box" not in page
    assert "Lo anota el jefe de mesa, Lucía Mamani" in page
    assert client.post("/mesas/PB-01/anotar/", {"typed": "9d"}).status_code == 403


def test_the_board_is_304_until_a_card_is_logged(floor: Floor) -> None:
    floor.open()
    tab = screen(floor)
    first = tab.client.get("/mesas/PB-01/tablero/")
    again = tab.client.get("/mesas/PB-01/tablero/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    tab.type("9d")
    assert (
        tab.client.get("/mesas/PB-01/tablero/", headers={"If-None-Match": first["ETag"]}).status_code == 200
    )


def test_a_table_that_closed_meanwhile_says_so(floor: Floor) -> None:
    client = floor.client(Role.PIT_BOSS)
    assert client.get("/mesas/PB-01/")["Location"] == "/mesas/PB-01/abrir/"
    assert client.post("/mesas/PB-01/anotar/", {"typed": "9d"}).status_code == 409
    assert client.get("/mesas/PB-01/tablero/").status_code == 409


def test_the_address_of_a_closed_table_leads_a_reader_to_what_they_may_read(floor: Floor) -> None:
    """Opening is not theirs to do: they come to the floor, and once there was a session, to that."""
    assert floor.client(Role.INSPECTOR).get("/mesas/PB-01/")["Location"] == "/"
    session = floor.open()
    closings.close_session(
        session=session,
        chips_counted=FLOAT,
        counted_by=floor.dealer,
        witnessed_by=floor.supervisor,
        by=floor.by(Role.SUPERVISOR),
    )
    for role in (Role.INSPECTOR, Role.COMPLIANCE, Role.CROUPIER):
        answer = floor.client(role).get("/mesas/PB-01/", follow=True)
        assert answer.status_code == 200, role
    assert floor.client(Role.INSPECTOR).get("/mesas/PB-01/")["Location"] == f"/sesiones/{session.pk}/"
