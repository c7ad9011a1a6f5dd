"""The table's page in other games than Punto y Banca: typed, settled, shown, kept on the record."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from audits.reports import registry as reports
from casino.kernel.permissions import Role
from tables import closings, pausing
from tables.bank import handing, opening
from tables.guests import seats
from tables.models import Bank, Round, TableSession
from tables.money import boxes
from tests.api.building import House
from tests.pages.building import FLOAT, Floor, make_floor
from tests.pages.test_rounds import Screen, screen


def text(page: str) -> str:
    """What a page says, without its marks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page.split("<main", 1)[-1])).strip()


@pytest.fixture
def jack(house: House) -> Floor:
    """An open Black Jack table that logs every bet."""
    floor = make_floor(house, "full", "blackjack.classic")
    floor.open()
    return floor


@pytest.fixture
def wheel(house: House) -> Floor:
    floor = make_floor(house, "full", "roulette.single_zero")
    floor.open()
    return floor


def place(page: str, seat: int) -> str:
    """What lies at a seat."""
    return page.split('class="places"')[1].split('<li class="place')[seat]


# Seats 1 and 3 take 8s 8h and Tc 9d, the dealer 6d.
DEALT = ("8s", "tc", "6d", "8h", "9d")


@pytest.mark.rule("BJ-10", "BJ-24")
def test_black_jack_two_seats_a_split_a_double_and_the_end(jack: Floor) -> None:
    tab = screen(jack)
    assert tab.type("1 100", "3 50", "").status_code == 200
    assert "Reparta una carta a la mano del asiento 1" in tab.said
    tab.type(*DEALT)
    assert 'class="place turn"' in tab.said
    assert "8" in place(tab.said, 1) and "100" in place(tab.said, 1)
    assert 'data-types="s"' in tab.said  # se puede separar
    tab.type("s", "3c")
    # 8s 3c = 11 and the 8h that waits for its card: side by side, each with its stake.
    assert place(tab.said, 1).count('class="own-hand') == 2
    tab.type("d", "th")  # 11 doubled takes a ten: 21
    tab.type("td", "pl", "3 pl")  # 8h Td = 18
    tab.type("7s", "kd")  # the dealer: 6 + 7 + 10 = 23
    assert 'data-enters="settle"' in tab.said
    assert tab.type("").status_code == 200
    settled = Round.objects.get()
    # 200 doubled and won, 100 and 50 won: 350 staked, twice as much goes back (BJ-33).
    assert (settled.state, settled.staked, settled.returned) == ("settled", 35_000, 70_000)
    said = text(tab.said)
    assert "Asiento 1, mano 2 · apuesta inicial + 100,00" in said
    assert "Asiento 3 · apuesta inicial + 50,00" in said
    assert "✓" not in said  # marks are drawn, not written

    page = jack.client(Role.INSPECTOR).get(f"/pases/{settled.pk}/").content.decode()
    for card in ("ocho de picas", "diez de corazones", "rey de diamantes"):
        assert f'aria-label="{card}"' in page, card
    assert "asiento 1: separa" in page
    assert "asiento 1, mano 2: se planta" in page
    assert "1, mano 2 apuesta inicial 100,00" in text(page)


@pytest.mark.rule("BJ-13")
def test_decisions_by_letters_number_or_the_card_itself(jack: Floor) -> None:
    tab = screen(jack)
    tab.type("1 100", "3 50", "", "5s", "tc", "6d", "6h", "9d")
    tab.type("pi", "2c")  # asked for and given: 13
    tab.type("2d")  # given without a word: 15
    log = Round.objects.get().log
    assert [event["e"] for event in log[-3:]] == ["choice", "card", "card"]
    tab.type("2")  # the second on the list: se planta
    assert Round.objects.get().log[-1]["do"] == "stand"
    refused = tab.type("1 s")
    assert refused.status_code in (409, 422)
    assert 'data-refused="' in tab.said
    assert tab.type("x9").status_code == 422


def test_the_prompts_as_buttons_in_both_languages(jack: Floor) -> None:
    tab = screen(jack)
    tab.type("1 100", "3 50", "", *DEALT)
    for typed, words in (("pi", "Pide carta"), ("pl", "Se planta"), ("d", "Dobla"), ("s", "Separa")):
        assert re.search(rf'data-types="{typed}"[^>]*>\s*{words}', tab.said), typed
    english = Screen(jack.client(Role.PIT_BOSS, "en"))
    assert re.search(r'data-types="pl"[^>]*>\s*Stands', english.said)
    assert "the dealer shows" in english.said
    # Whoever may not log sees the table and no buttons.
    looking = jack.client(Role.INSPECTOR).get("/mesas/PB-01/").content.decode()
    assert 'id="typed"' not in looking and "data-types" not in looking


def test_the_pad_and_the_help_are_the_games_own(jack: Floor) -> None:
    page = jack.client(Role.PIT_BOSS).get("/mesas/PB-01/").content.decode()
    assert "<kbd>c9d</kbd>" in page
    assert 'data-aims="c"' in page
    assert page.count("data-card=") == 52
    assert "Punto" not in text(page).replace("Punto y Banca", "")


@pytest.mark.rule("RUL-09")
def test_roulette_bets_by_number_and_pays_from_the_outside_in(wheel: Floor) -> None:
    tab = screen(wheel)
    assert 'data-blocked="' not in tab.said  # no cards, so no shoe is missing
    assert tab.type("17 2 10", "17-20 3 10", "r 4 50", "").status_code == 200
    log = Round.objects.get().log
    assert [(e["spot"], e["seat"], e["amount"]) for e in log[:3]] == [
        ("n17", 2, 1_000),
        ("s17_20", 3, 1_000),
        ("red", 4, 5_000),
    ]
    assert tab.said.count('data-types="') >= 37  # one for each number
    assert tab.type("17").status_code == 200
    assert "Pleno 17" in tab.said
    tab.type("")
    settled = Round.objects.get()
    # 17 is black: 35 x 10 and 17 x 10 are paid with their stakes, 50 on red is lost.
    assert (settled.winner, settled.staked, settled.returned) == ("17", 7_000, 36_000 + 18_000)
    said = text(tab.said)
    assert said.index("Asiento 4 · Rojo") < said.index("Asiento 2 · Pleno 17")
    assert "17, negro, impar y falta" in said.lower()
    assert wheel.client(Role.INSPECTOR).get(f"/pases/{settled.pk}/").status_code == 200


def test_a_wheel_has_no_shoe_to_open_with_or_to_change(house: House) -> None:
    floor = make_floor(house, "full", "roulette.single_zero")
    client = floor.client(Role.PIT_BOSS)
    page = client.get("/mesas/PB-01/abrir/").content.decode()
    assert 'id="f-dealer"' in page and 'id="f-shoe"' not in page
    given = {
        "dealer": floor.dealer.pk,
        "supervisor": floor.supervisor.pk,
        "chips_500": "100",
        "chips_1000": "100",
        "chips_5000": "100",
        "reason": "primera apertura",
        "confirm": "1",
    }
    names = re.findall(r'name="([^"]*\d{3,})"', page)
    given |= dict.fromkeys(names, "100")
    assert client.post("/mesas/PB-01/abrir/", given).status_code == 302
    said = client.get("/mesas/PB-01/").content.decode()
    assert "Cambiar sabot" not in said
    assert client.get("/mesas/PB-01/sabot/")["Location"] == "/mesas/PB-01/"


def test_the_floor_and_the_session_tell_any_game(jack: Floor, wheel: Floor | None = None) -> None:
    tab = screen(jack)
    tab.type("1 100", "3 50", "", "ts", "tc", "6d", "9h", "9d", "pl", "3 pl", "7s", "kd", "")
    client = jack.client(Role.PIT_BOSS)
    floor = client.get("/").content.decode()
    assert "Black Jack Clásico" in floor
    assert client.get(f"/sesiones/{jack.sessions[0].pk}/").status_code == 200


def test_a_round_in_seats_at_detail_cards(house: House) -> None:
    floor = make_floor(house, "cards", "blackjack.classic")
    floor.open()
    tab = screen(floor)
    assert tab.type("").status_code == 422
    assert "anote los asientos que juegan" in tab.said
    tab.type("1 3x2")
    log = Round.objects.get().log
    assert [(e["seat"], e.get("hands", 1)) for e in log] == [(1, 1), (3, 2)]
    assert "juega" in place(tab.said, 1) and "juega" not in place(tab.said, 2)
    tab.type("ts", "9s", "8s", "7d", "9h", "9d", "th")
    assert place(tab.said, 3).count('class="own-hand') == 2


def test_an_announced_result_by_its_button(house: House) -> None:
    floor = make_floor(house, "result", "blackjack.classic")
    floor.open()
    tab = screen(floor)
    assert 'data-types="17"' in tab.said
    tab.type("17", "")
    assert Round.objects.get().winner == "17"
    assert "Croupier 17" in text(tab.said)


def limits_page(floor: Floor) -> str:
    client = floor.client(Role.PIT_BOSS)
    page: Any = client.get(reverse("settings-limits", args=[floor.table.pk]))
    assert page.status_code == 200
    said: str = page.content.decode()
    return said


@pytest.mark.rule("GEN-04")
def test_limits_are_asked_for_by_kind_where_a_layout_has_many_places(house: House) -> None:
    page = limits_page(make_floor(house, "full", "roulette.single_zero"))
    assert 'name="straight_low"' in page and "Plenos" in page
    assert "n17_low" not in page


def test_making_a_table_offers_every_game_with_what_it_admits(house: House) -> None:
    from tables.games.registry import GAMES

    page = make_floor(house).client(Role.ADMINISTRATOR).get("/ajustes/mesas/").content.decode()
    for code in GAMES:
        assert f'value="{code}"' in page
    assert re.search(r"Mini Punto y Banca</td>\s*<td class=\"num\">7</td>", page)


def counted_out(floor: Floor, session: TableSession) -> None:
    """The bank returned, the table closed with the five of the deduction in its tray, and said to have had no
    box."""
    chief = floor.by(Role.SUPERVISOR)
    pausing.call_last_round(session=session, by=chief)
    handing.return_bank(bank=Bank.objects.get(session=session), by=chief)
    closings.close_session(
        session=session,
        chips_counted={**FLOAT, 500: FLOAT.get(500, 0) + 1},
        counted_by=floor.dealer,
        witnessed_by=floor.supervisor,
        by=floor.by(Role.SUPERVISOR),
    )
    boxes.declare_no_box(
        session=session, with_=floor.house.users[Role.PIT_BOSS].actor, by=floor.by(Role.SUPERVISOR)
    )
    session.refresh_from_db()


@pytest.mark.rule("BANK-18", "FLOOR-11")
def test_a_table_of_players_leaves_its_deduction_and_nothing_else(house: House) -> None:
    """Seat 5 banks with 100 and wins the 100 of seat 1, less 5 % = 5: the house has 5, and no result."""
    floor = make_floor(house, "full", "baccarat.banked")
    session = floor.open()
    chief = floor.by(Role.SUPERVISOR)
    banker = seats.seat(session=session, seat=5, alias="J5", by=chief)
    opening.open_bank(session=session, taking=banker, amount=10_000, by=chief)
    tab = screen(floor)
    # Punto 2 + K = 2, banca 4 + 5 = 9: a natural.
    tab.type("p 1 100", "", "2s", "4h", "kd", "5d", "")
    settled = Round.objects.get()
    assert {key: settled.log[0][key] for key in ("e", "seat", "amount")} == {
        "e": "bank", "seat": 5, "amount": 10_000,
    }  # fmt: skip
    assert (settled.state, settled.commission) == ("settled", 500)
    assert "Deducción" in tab.said
    # Whoever counts its box must not know what it should hold (FLOOR-11): no report adds it up meanwhile.
    day = {"day": session.day.date}
    playing = {part.key: part for part in reports.get("tables.day").sections(house.casino, day)}
    assert [row["deduction"] for part in ("tables", "croupiers") for row in playing[part].rows()] == [
        None,
        None,
    ]
    # Nor does the floor's strip net it with what house games win.
    assert "5,00" not in floor.client(Role.PIT_BOSS).get("/").content.decode().split('class="pit"')[0]
    counted_out(floor, session)
    found = {part.key: part for part in reports.get("tables.day").sections(house.casino, day)}
    (row,) = (dict(one) for one in found["tables"].rows())
    assert (row["deduction"], row["house"], row["staked"], row["commission"]) == (500, None, None, None)
    (dealt,) = (dict(one) for one in found["croupiers"].rows())
    assert (dealt["deduction"], dealt["house"], dealt["staked"]) == (500, None, None)
    ended = {one["winner"]: one["rounds"] for one in found["outcomes"].rows()}
    assert ended == {"punto": 0, "banca": 1, "tie": 0, "void": 0}
    span = {"first": session.day.date, "last": session.day.date, "table": None}
    (logged,) = reports.get("tables.rounds").rows(house.casino, span)
    assert (logged["deduction"], logged["house"], logged["commission"]) == (500, None, None)
    assert logged["hands"].es.startswith("Punto 2s Kd (2); Banca 4h 5d (9)")
