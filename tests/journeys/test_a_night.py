"""A person's task from login to result, in Chromium, by keyboard alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from casino.kernel.permissions import Role
from tables import closings
from tables.models import Round, TableSession
from tests.pages.building import FLOAT, Floor

pytestmark = pytest.mark.journey

MOST_KEYS = 12
"""Key presses of a round at detail `cards`, beyond those of its cards."""

# Values by BAC-10; third cards by BAC-12 to BAC-15.
ROUNDS = [
    # 9 + 0 = 9 against 6 + 4 = 0: a natural, nobody draws.
    (["9d", "6s", "kh", "4c"], "Gana punto 9 a 0"),
    # Punto 2 + 3 = 5 draws 7 and has 2; banca 4 + 1 = 5 against a 7 draws 2 and has 7.
    (["2h", "4d", "3s", "ac", "7d", "2d"], "Gana banca 7 a 2"),
    # 7 + K = 7 stands, 5 + 2 = 7 stands: a tie.
    (["7c", "5h", "kd", "2s"], "Empate a 7"),
]


def full_detail(floor: Floor) -> None:
    """The floor's table logs bets too."""
    floor.table.detail = "full"
    floor.table.save(update_fields=["detail"])


def test_open_a_table_and_log_three_rounds_by_keyboard_only(screens: Any, floor: Floor) -> None:
    shoe = floor.ready_shoe()
    boss = screens()
    boss.enter("norte-pit_boss")
    page = boss.page
    expect(page.get_by_role("heading", name="Sala principal")).to_be_visible()

    boss.press("ArrowRight")  # the first tile: a closed table leads to its opening
    expect(page.get_by_role("link", name="Abrir mesa")).to_be_focused()
    boss.press("Enter")
    expect(page.get_by_role("heading", name="Abrir PB-01")).to_be_visible()
    page.focus("#f-shoe")
    boss.press("ArrowDown", "Tab", "ArrowDown", "Tab", "ArrowDown")  # the first of each list that qualifies
    for number in ("100", "100", "100"):
        boss.press("Tab")
        while page.evaluate("document.activeElement.tagName") != "INPUT":
            boss.press("Tab")
        boss.type(number)
    expect(page.locator("#balance")).to_contain_text("6.500,00")
    boss.press("Enter")
    expect(page.locator("#prompt")).to_contain_text("Reparta una carta al punto")
    page.wait_for_load_state()  # its script is there: until then keys are nobody's
    assert TableSession.objects.get().shoe == shoe

    for number, (cards, announced) in enumerate(ROUNDS, start=1):
        boss.pressed.clear()
        boss.type("".join(cards))
        boss.press("Enter")
        expect(page.locator("#prompt .done")).to_contain_text(announced)
        beyond = len(boss.pressed) - sum(map(len, cards))
        assert beyond <= MOST_KEYS, f"round {number} took {beyond} keys beyond its cards"
    assert list(Round.objects.order_by("number").values_list("winner", flat=True)) == [
        "punto",
        "banca",
        "tie",
    ]
    expect(page.locator(".beads i")).to_have_text(["P", "B", "E"])

    boss.go("/")
    expect(page.locator(".tile")).to_contain_text("3 pases")
    expect(page.locator(".tile")).to_contain_text(shoe.label)


@pytest.mark.rule("BAC-12")
def test_a_forbidden_third_card_is_refused_on_screen_and_undo_asks_why(screens: Any, floor: Floor) -> None:
    floor.open()
    boss = screens()
    boss.enter("norte-pit_boss")
    boss.go("/mesas/PB-01/")
    page = boss.page
    boss.type("9d6skh4c")
    expect(page.locator("#prompt")).to_contain_text("Anuncie")
    boss.type("3d")
    expect(page.locator("#prompt .no")).to_contain_text("No va carta al punto")
    expect(page.locator("#prompt .rule")).to_have_text("BAC-12")
    expect(page.locator("#loud")).to_contain_text("BAC-12")
    assert len(Round.objects.get().log) == 4

    boss.press("?")
    expect(page.locator("#dialog")).to_contain_text("Natural: nadie pide")
    expect(page.locator("#dialog")).to_be_visible()
    boss.press("Escape")
    expect(page.locator("#dialog")).to_be_hidden()
    boss.press("Backspace")
    expect(page.locator("#why")).to_be_visible()
    boss.press("1")
    expect(page.locator(".log")).to_contain_text("carta mal leída")
    boss.type("5c")
    boss.press("Enter")
    expect(page.locator("#prompt .done")).to_contain_text("Gana punto 9 a 1")


POLL = 4_500
"""Milliseconds after which the board has been asked for at least once more."""


def test_a_refusal_stays_until_the_next_entry_or_escape(screens: Any, floor: Floor) -> None:
    floor.open()
    boss = screens()
    boss.enter("norte-pit_boss")
    boss.go("/mesas/PB-01/")
    page, refused = boss.page, boss.page.locator("#prompt .no")
    page.wait_for_load_state()
    boss.type("hola")
    assert page.locator("#typed").input_value() == "hola"
    boss.press("Enter")
    expect(refused).to_contain_text("«hola» no es una carta")
    page.wait_for_timeout(POLL)
    expect(refused).to_contain_text("«hola» no es una carta")
    boss.press("Escape")
    expect(page.locator("#prompt")).to_contain_text("Reparta una carta al punto")
    expect(refused).to_have_count(0)

    boss.type("9d6skh4c")
    expect(page.locator("#prompt")).to_contain_text("Anuncie")
    boss.type("3d5c")
    expect(refused).to_contain_text("No va carta al punto")
    page.wait_for_timeout(POLL)
    expect(refused).to_contain_text("No va carta al punto")
    boss.press("Enter")
    expect(page.locator("#prompt .done")).to_contain_text("Gana punto 9 a 0")
    assert len(Round.objects.get().log) == 4


def test_bets_by_keyboard_undo_of_a_lone_tie_and_the_stop_card(screens: Any, floor: Floor) -> None:
    full_detail(floor)
    floor.open()
    boss = screens()
    boss.enter("norte-pit_boss")
    boss.go("/mesas/PB-01/")
    page = boss.page
    page.wait_for_load_state()
    boss.press("Enter")
    expect(page.locator("#prompt .no")).to_contain_text("anote apuestas o escriba la primera carta")
    assert Round.objects.count() == 0
    boss.type("x 2 25")
    boss.press("Enter")
    expect(page.locator("#prompt .no")).to_contain_text("«x 2 25» no se entiende")
    for bet in ("e 2 20", "p 1 1.000"):
        boss.type(bet)
        boss.press("Enter")
    expect(page.locator(".spots .is-laid")).to_have_count(2)
    boss.press("Enter")
    expect(page.locator("#prompt .no")).to_contain_text("anule ese Empate")
    boss.press("Backspace")
    expect(page.locator("#what")).to_contain_text("asiento 2: 20,00 a Empate")
    expect(page.locator("#why")).not_to_contain_text("carta mal leída", use_inner_text=True)
    boss.press("b", "5")
    expect(page.locator(".log")).to_contain_text("el jugador retiró la apuesta")
    boss.press("Enter")
    expect(page.locator("#prompt")).to_contain_text("Reparta una carta al punto")
    boss.type("9d6skh4c")
    boss.press("Enter")
    expect(page.locator("#prompt .done")).to_contain_text("Gana punto 9 a 0")
    expect(page.locator(".title-of")).to_contain_text("liquidado")

    page.locator("#stop-card summary").click()
    # 309 of the floor's shoe, less the round's four.
    expect(page.locator("#stop-card")).to_contain_text("quedan 305 cartas")
    page.locator("#stop-card button").click()
    expect(page.locator("#prompt")).to_contain_text("Poner otro sabot")
    expect(page.locator("#go")).to_be_disabled()
    expect(page.locator("[data-card='9d']")).to_be_disabled()
    boss.type("9d")
    expect(page.locator("#prompt .no")).to_contain_text("Poner otro sabot")


def test_two_tabs_log_one_round_and_the_second_is_told(screens: Any, floor: Floor) -> None:
    floor.open()
    one, other = screens(), screens()
    for person, name in ((one, "norte-pit_boss"), (other, "norte-supervisor")):
        person.enter(name)
        person.go("/mesas/PB-01/")
        expect(person.page.locator("#prompt")).to_contain_text("Reparta una carta al punto")
    # The second screen believes for a moment longer that nothing was logged.
    other.page.route(re.compile("tablero"), lambda route: route.abort())
    one.type("9d")
    expect(one.page.locator("#prompt")).to_contain_text("Reparta una carta a la banca")
    other.type("9d")
    expect(other.page.locator("#prompt .no")).to_contain_text("Otra pantalla registró en esta mesa")
    expect(other.page.locator(".pcard:not(.wait)")).to_have_count(1)
    assert len(Round.objects.get().log) == 1


def test_no_key_is_lost_while_the_server_is_slow_or_gone(screens: Any, floor: Floor) -> None:
    floor.open()
    boss = screens()
    boss.enter("norte-pit_boss")
    boss.go("/mesas/PB-01/")
    page = boss.page
    lost = {"answers": 2}

    def through(route: Any) -> None:
        # Once the server never hears of the card; once it does and its answer is lost on the way.
        lost["answers"] -= 1
        if lost["answers"] == 1:
            route.abort()
        elif lost["answers"] == 0:
            route.fetch()
            route.abort()
        else:
            page.wait_for_timeout(150)
            route.continue_()

    page.route(re.compile("anotar"), through)
    boss.type("9d6skh4c")
    boss.press("Enter")
    expect(page.locator("#prompt .done")).to_contain_text("Gana punto 9 a 0", timeout=15_000)
    assert [event["card"] for event in Round.objects.get().log] == ["9d", "6s", "Kh", "4c"]


def test_a_tablet_logs_by_touch(screens: Any, floor: Floor) -> None:
    floor.open()
    boss = screens(has_touch=True, is_mobile=True)
    boss.enter("norte-supervisor")
    boss.go("/mesas/PB-01/")
    for card in ("9d", "6s", "Kh", "4c"):
        button = boss.page.locator(f"[data-card='{card}']")
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        button.tap()
    expect(boss.page.locator("#prompt")).to_contain_text("Anuncie")
    boss.page.locator("#go").tap()
    expect(boss.page.locator("#prompt .done")).to_contain_text("Gana punto 9 a 0")
    assert Round.objects.get().logged_by == floor.house.users[Role.SUPERVISOR].actor


def test_a_screen_left_open_says_when_its_table_closed(screens: Any, floor: Floor) -> None:
    floor.open()
    boss = screens()
    boss.enter("norte-pit_boss")
    boss.go("/mesas/PB-01/")
    expect(boss.page.locator("#prompt")).to_contain_text("Reparta una carta al punto")
    closings.close_session(
        session=floor.sessions[-1],
        chips_counted=FLOAT,
        counted_by=floor.dealer,
        witnessed_by=floor.supervisor,
        by=floor.by(Role.SUPERVISOR),
    )
    boss.page.wait_for_url(re.compile("/mesas/PB-01/abrir/"), timeout=10_000)


def test_a_scanner_that_ends_each_card_with_enter_logs_a_round(screens: Any, floor: Floor) -> None:
    floor.open()
    boss = screens()
    boss.enter("norte-pit_boss")
    boss.go("/mesas/PB-01/")
    boss.page.wait_for_load_state()
    refused: list[int] = []
    boss.page.on("response", lambda answer: refused.append(answer.status) if answer.status >= 400 else None)
    cards, result = ROUNDS[1]  # six cards: an Enter after each of the first five finds the round unfinished
    for card in cards[:5]:
        boss.page.keyboard.type(f"{card}\n")
    expect(boss.page.locator("#prompt")).to_contain_text("Banca pide carta")
    boss.page.keyboard.type(f"{cards[5]}\n")
    expect(boss.page.locator("#prompt")).to_contain_text(result)
    assert refused == []
    assert [event["card"] for event in Round.objects.get().log if event["e"] == "card"] == [
        "2h", "4d", "3s", "Ac", "7d", "2d",
    ]  # fmt: skip


def test_the_floor_of_who_has_every_menu_fits_a_small_screen(screens: Any, floor: Floor) -> None:
    floor.open()
    boss = screens()
    boss.enter("norte-administrator")
    boss.go("/")
    wide, window = boss.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window == 1024
