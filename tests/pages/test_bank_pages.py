"""The bank on pages: its panel on the round page, and the page of a session's banks."""

from __future__ import annotations

import json
import re
import uuid

import pytest

from audits import vocabulary
from audits.models import Event
from casino.kernel.errors import Conflict
from casino.kernel.permissions import Role
from tables import pausing
from tables.bank import closing, opening
from tables.guests import seats
from tables.models import Bank, BankPassage, Round
from tests.api.building import House
from tests.pages.bank_floor import BANCA, PUNTO, a_floor, act, at, open_bank, to_auction
from tests.pages.building import Floor, make_floor
from tests.pages.test_every_table import text
from tests.pages.test_rounds import screen


@pytest.fixture
def floor(house: House) -> Floor:
    return a_floor(house)


# ---- the round page --------------------------------------------------------------------------------


@pytest.mark.rule("BANK-17")
def test_no_round_is_typed_without_a_bank_and_the_word_for_it_points_to_the_panel(floor: Floor) -> None:
    tab = screen(floor)
    assert 'data-blocked="no_bank"' in tab.said and 'data-rule="BANK-01"' in tab.said
    assert "Nadie tiene el banco" in text(tab.said) or "Nadie tiene el banco" in tab.said
    assert tab.type("5 100").status_code == 409
    assert "panel del banco" in tab.said
    assert not Round.objects.exists()


@pytest.mark.rule("BANK-01", "BANK-14")
def test_a_round_begins_with_the_bank_and_nobody_types_it(floor: Floor) -> None:
    open_bank(floor)
    tab = screen(floor)
    # At step 0 the first thing to do is to bet against the 100,00 there are.
    assert (tab.step, 'data-kind="bet"' in tab.said) == (0, True)
    assert "data-blocked" not in tab.said
    assert "Amplíe el banco" not in tab.said
    # Raising it by hand is refused, before the round and within it.
    assert tab.type("5 150").status_code == 422 and 'data-refused="bank_by_hand"' in tab.said
    tab.type("p 1 100")
    assert tab.type("5 150").status_code == 422 and 'data-refused="bank_by_hand"' in tab.said
    # Step 2: the bank that was handed on, and the bet. Only the bet can be struck out.
    assert tab.step == 2
    undoable = tab.said.split('id="undoable"')[1].split("</ul>")[0]
    assert undoable.count("data-of=") == 1 and 'data-kind="bet"' in undoable
    tab.send("anular", of="2", why="4")
    assert 'id="empty"' in tab.said  # nothing of what somebody entered stands
    assert tab.send("abandonar").status_code == 200
    assert Round.objects.get().state == Round.State.VOID


def test_the_panel_opens_adds_and_passes_and_the_board_answers(floor: Floor) -> None:
    tab = screen(floor, Role.SUPERVISOR)
    assert tab.send("banco/panel", do="open", seat=str(at(3).pk), amount="200").status_code == 200
    bank = Bank.objects.get()
    assert (bank.holder.seat, bank.amount) == (3, 20_000)
    assert "Hay Bs 200,00" in tab.said or "Hay 200,00" in tab.said or "200,00" in tab.said
    asked = {"do": "add", "bank": str(bank.pk), "amount": "50", "request": str(uuid.uuid4())}
    for _ in range(2):  # the tablet lost its line and sends it again
        assert tab.send("banco/panel", number="1", step="0", **asked).status_code == 200
    bank.refresh_from_db()
    assert bank.amount == 25_000
    # It has not dealt: it cannot be passed on, and the board says so in the prompt's place.
    assert tab.send("banco/panel", do="pass", bank=str(bank.pk)).status_code == 422
    assert 'data-refused="must_deal"' in tab.said and "BANK-15" in tab.said


@pytest.mark.rule("BANK-04", "BANK-07")
def test_a_lost_hand_offers_the_bank_by_turn_with_the_reasons(floor: Floor) -> None:
    open_bank(floor)
    tab = screen(floor)
    tab.type("p 1 100", "", *PUNTO, "")
    panel = text("<main" + tab.said.split('id="for-bank"')[1].split("</template>")[0])
    # From seat 5 to the right, seat 3 is first: two seats on.
    assert "Se ofrece a J3 asiento 3 desde 10,00" in panel
    assert "2 plazas a la derecha del asiento 5 BANK-24" in panel
    assert 'data-blocked="no_bank"' in tab.said
    passage = BankPassage.objects.get()
    tab.send("banco/panel", do="decline", passage=str(passage.pk), seat=str(at(3).pk))
    assert tab.said.count("Se ofrece a") == 1 and "<b>J1</b>" in tab.said
    tab.send("banco/panel", do="take", passage=str(passage.pk), seat=str(at(1).pk), amount="300")
    assert Bank.objects.get(state="held").holder.seat == 1


def test_who_may_not_run_the_bank_sees_it_without_buttons(floor: Floor) -> None:
    open_bank(floor)
    page = floor.client(Role.INSPECTOR).get("/mesas/PB-01/").content.decode()
    assert 'id="board-bank"' in page and "<b>J5</b>" in page
    assert "data-board-form" not in page.split('id="board-bank"')[1].split('id="board-main"')[0]


@pytest.mark.rule("BANK-04")
def test_what_a_lost_hand_paid_stays_readable_while_the_bank_passes_on(floor: Floor) -> None:
    open_bank(floor)
    tab = screen(floor)
    tab.type("p 1 100", "", *PUNTO, "")
    prompt = text("<main" + tab.said.split('id="prompt"')[1].split("</section>")[0])
    assert "Gana punto 9 a 4" in prompt and "Asiento 1 · Punto + 100,00" in prompt
    assert "Asiento 5 · Banco − 100,00" in prompt
    assert "El banco está pasando de manos" in prompt


def test_a_refused_opening_keeps_what_was_typed_on_the_round_page(floor: Floor) -> None:
    tab = screen(floor, Role.SUPERVISOR)
    asked = {"do": "open", "seat": str(at(3).pk), "amount": "7", "associate": str(at(1).pk)}
    assert tab.send("banco/panel", **asked).status_code == 422
    panel = tab.said.split('id="for-bank"')[1].split("</template>")[0]
    assert 'name="amount" required inputmode="decimal" value="7"' in panel
    assert panel.count(" selected") == 2


@pytest.mark.rule("BANK-03", "BANK-05", "BANK-15")
def test_what_keeps_a_table_from_closing_says_what_the_panel_offers(floor: Floor) -> None:
    bank = open_bank(floor)
    said = closing.ways_out(bank).es
    page = text(floor.client(Role.SUPERVISOR).get("/mesas/PB-01/banco/").content.decode())
    assert "«No lo toma»" in said and "No lo toma" in page and "anuncie el último pase" in said
    assert "Se devuelve al anunciar «Último pase»" in page
    with pytest.raises(Conflict, match="No lo toma"):
        seats.leave(taking=at(5), by=floor.by(Role.SUPERVISOR))
    screen(floor).type("p 1 100", "", *BANCA, "")
    bank.refresh_from_db()
    assert closing.ways_out(bank).es.startswith("páselo, o anuncie el último pase")
    pausing.call_last_round(session=floor.sessions[-1], by=floor.by(Role.SUPERVISOR))
    bank = Bank.objects.select_related("session").get()
    assert closing.ways_out(bank).es == "devuélvalo en el panel del banco"
    assert "Devolver el banco" in text(
        floor.client(Role.SUPERVISOR).get("/mesas/PB-01/banco/").content.decode()
    )


# ---- the page of the bank --------------------------------------------------------------------------


def test_the_page_tells_of_every_bank_and_who_took_it(floor: Floor) -> None:
    chief = floor.client(Role.SUPERVISOR)
    assert act(chief, do="open", seat=at(5).pk, amount="100", associate=at(3).pk).status_code == 302
    tab = screen(floor)
    tab.type("p 1 100", "", *BANCA, "")
    bank = Bank.objects.get()
    # It won 100 less 5 % = 95 (BANK-19): 195 in it.
    assert bank.amount == 19_500
    assert act(chief, do="pass", bank=bank.pk).status_code == 302
    page = text(chief.get("/mesas/PB-01/banco/").content.decode())
    assert "con J3 (asiento 3)" in page
    assert "+ 95,00" in page.replace("\N{THIN SPACE}", " ") and "195,00" in page and "lo pasó" in page
    assert "le toca" in page
    # The same over the session, for whoever reads and runs nothing.
    read = floor.client(Role.COMPLIANCE).get(f"/sesiones/{floor.sessions[0].pk}/banco/")
    assert read.status_code == 200 and "<form" not in read.content.decode().split("<main")[1]


@pytest.mark.rule("BANK-06")
def test_a_refusal_stands_on_the_page_with_what_was_typed(floor: Floor) -> None:
    open_bank(floor)
    screen(floor).type("p 1 100", "", *BANCA, "")
    chief = floor.client(Role.SUPERVISOR)
    act(chief, do="pass", bank=Bank.objects.get().pk)
    passage = BankPassage.objects.get()
    refused = act(chief, do="take", passage=passage.pk, seat=at(3).pk, amount="150")
    page = refused.content.decode()
    assert refused.status_code == 422 and "BANK-06" in page and 'value="150"' in page
    english = floor.client(Role.SUPERVISOR, "en").get("/mesas/PB-01/banco/").content.decode()
    assert "2 seats to the right of seat 5" in english


def test_a_form_sent_twice_is_one_act_and_a_used_form_says_so(floor: Floor) -> None:
    bank = open_bank(floor)
    chief, form = floor.client(Role.SUPERVISOR), str(uuid.uuid4())
    for _ in range(2):
        assert act(chief, do="add", bank=bank.pk, amount="50", form=form).status_code == 302
    again = act(chief, do="add", bank=bank.pk, amount="60", form=form)
    assert again.status_code == 409 and "ya se registró con otros datos" in again.content.decode()
    bank.refresh_from_db()
    assert bank.amount == 15_000


def test_the_floor_and_the_session_lead_to_the_bank(floor: Floor) -> None:
    open_bank(floor)
    boss = floor.client(Role.PIT_BOSS)
    tile = text("<main" + boss.get("/").content.decode().split("<main")[1])
    assert "Banco J5 100" in tile
    assert (
        f"/sesiones/{floor.sessions[0].pk}/banco/"
        in boss.get(f"/sesiones/{floor.sessions[0].pk}/").content.decode()
    )


def test_a_house_game_has_no_page_of_a_bank(house: House) -> None:
    made = make_floor(house)
    made.open()
    assert made.client(Role.SUPERVISOR).get("/mesas/PB-01/banco/").status_code == 404
    assert 'id="board-bank"' not in made.client(Role.SUPERVISOR).get("/mesas/PB-01/").content.decode()


def test_a_screen_that_follows_the_bank_is_told_304_until_something_changes(floor: Floor) -> None:
    bank, chief = open_bank(floor), floor.client(Role.SUPERVISOR)
    first = chief.get("/mesas/PB-01/banco/", headers={"HX-Request": "true"})
    assert first.status_code == 200 and "<html" not in first.content.decode()
    asked = {"HX-Request": "true", "If-None-Match": first["ETag"]}
    assert chief.get("/mesas/PB-01/banco/", headers=asked).status_code == 304
    opening.add_to_bank(bank=bank, amount=5_000, by=floor.by(Role.SUPERVISOR))
    after = chief.get("/mesas/PB-01/banco/", headers=asked)
    assert after.status_code == 200 and "150,00" in after.content.decode()


@pytest.mark.rule("BANK-08")
def test_a_joint_offer_says_with_whom_everywhere(floor: Floor) -> None:
    bank, chief = open_bank(floor), floor.client(Role.SUPERVISOR)
    screen(floor).type("p 1 100", "", *BANCA, "")
    act(chief, do="pass", bank=bank.pk)
    passage = BankPassage.objects.get()
    told = act(chief, do="take", passage=passage.pk, seat=at(3).pk, amount="195", associate=at(1).pk)
    page = text(chief.get(told["Location"]).content.decode())
    assert "Se registró: lo toma en asociación" in page
    assert "lo toma en asociación con J1 (asiento 1) · 195,00" in page
    act(chief, do="decline", passage=passage.pk, seat=at(1).pk)
    page = text(chief.get("/mesas/PB-01/banco/").content.decode())
    assert "tomado por turno: J3 con J1 (asiento 1)" in page
    said = [
        vocabulary.sentence(one.action, one.subject_label, json.loads(bytes(one.body))["data"]).es
        for one in Event.objects.filter(action__startswith="tables.bank.").order_by("seq")
    ]
    assert any("lo toma en asociación con el asiento 1" in one for one in said)
    assert any("por turno, con J1 (asiento 1):" in one for one in said)
    assert any(one.endswith("no lo quiere") for one in said)


def test_what_cannot_be_undone_is_asked_once_more_in_its_place(floor: Floor) -> None:
    bank = open_bank(floor)
    screen(floor).type("p 1 100", "", *BANCA, "")
    chief = floor.client(Role.SUPERVISOR)
    page = chief.get("/mesas/PB-01/banco/").content.decode()
    again = re.search(r'<details class="again"(.*?)</details>', page, re.S)
    assert again and 'value="pass"' in again[1] and page.count('value="pass"') == 1
    act(chief, do="pass", bank=bank.pk)
    page = chief.get("/mesas/PB-01/banco/").content.decode()
    again = re.search(r'<details class="again"(.*?)</details>', page, re.S)
    assert again and 'value="decline"' in again[1] and page.count('value="decline"') == 1


def test_an_address_that_only_takes_forms_leads_a_reader_to_its_page(floor: Floor) -> None:
    auction, chief = to_auction(floor), floor.client(Role.SUPERVISOR)
    for act_of in ("pujar", "cerrar", "firmar"):
        answer = chief.get(f"/subastas/{auction.pk}/{act_of}/")
        assert (answer.status_code, answer["Location"]) == (302, f"/subastas/{auction.pk}/")
    assert chief.get("/mesas/PB-01/banco/acto/")["Location"] == "/mesas/PB-01/banco/"
    # What was refused stands at its own address; the page names the one that the bar is to show.
    refused = chief.post(f"/subastas/{auction.pk}/pujar/", {"seats": "", "amount": "1"})
    assert refused.status_code == 422 and f'data-here="/subastas/{auction.pk}/"' in refused.content.decode()
