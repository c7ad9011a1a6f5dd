"""The progressive beside the felt: of each modality, with credits or a chip slot; what is refused stays to be
corrected, what is given is told apart from what was bought, and a table that is stopped takes no bet.
"""

from __future__ import annotations

import datetime as dt
import re
import uuid
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from casino.kernel import clock
from casino.kernel.permissions import Role
from jackpots import filings as asked
from jackpots import members
from jackpots.models import Bet, Complementary, CreditMove, SeatCredits
from tables.games import registry
from tests.builders import BOB, NIGHT, House, a_house
from tests.jackpots.builders import NOTHING, PoolNight, a_pool, approved_filing
from tests.pages.pool_people import beside, get, post
from tests.pages.test_every_table import text
from tests.tables.every_game import a_table, open_session, seeded, shuffled

FLUSH = "2h 4h 6h 8h Th"


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.fixture
def night(house: House) -> PoolNight:
    """A running pool on one table of Caribbean; one credit 5,00."""
    return a_pool(house)


def panel(night: PoolNight, table: int = 0, role: Role = Role.SUPERVISOR) -> str:
    """What stands beside the felt, as it is written."""
    page = get(night, role, f"/mesas/{night.tables[table].name}/").content.decode()
    found = re.search(r'<section class="sheet pool-panel.*?</section>', page, re.S)
    assert found is not None
    return found[0]


def buttons(shown: str, *, of: str) -> list[str]:
    """The buttons of forms that do one thing; each with whether it is disabled."""
    forms = re.findall(r"<form.*?</form>", shown, re.S)
    return [b for form in forms if f'value="{of}"' in form for b in re.findall(r"<button[^>]*>", form)]


# ---- each modality, each way to bet --------------------------------------------------------------------


@pytest.mark.rule("PP-05", "PP-08")
@pytest.mark.parametrize("code", ["poker.draw", "poker.go"])
def test_a_table_of_each_modality_shows_its_progressive(house: House, code: str) -> None:
    night = a_pool(house)
    game = registry.game(code)
    with clock.standing_at(NIGHT):
        session = open_session(house, a_table(house, game), game, shuffled(game, seeded(7)))
        by = house.by(Role.PIT_BOSS, NIGHT, "otra mesa")
        members.link_table(pool=night.pool, table=session.table, by=by)
    night.tables.append(session.table)
    night.sessions.append(session)
    seats = panel(night, 1).count('class="pool-seat')
    assert seats == session.seats + 1  # the list that holds them is called so too
    night.buy(1, 1)
    night.bet(1, 1, 2)
    assert "luz encendida" in panel(night, 1)


@pytest.mark.rule("PP-11")
def test_at_a_chip_slot_there_are_no_credits(house: House) -> None:
    night = a_pool(house, form="chips")
    shown = panel(night)
    assert "crédito" not in text(shown).replace("Créditos y apuestas", "") and "3 +10" not in shown
    assert beside(night, line="2 3").status_code == 200
    assert beside(night, do="bet", seat=4, credits=1).status_code == 200
    assert list(Bet.objects.order_by("seat").values_list("seat", "amount")) == [(2, 15 * BOB), (4, 5 * BOB)]
    refused = beside(night, line="2 +10")
    assert refused.status_code == 409 and "PP-11" in refused.content.decode()


# ---- what is refused -----------------------------------------------------------------------------------


@pytest.mark.rule("PP-09", "PP-13")
@pytest.mark.parametrize(("line", "why"), [("2 9", "PP-13"), ("2 1", "PP-09"), ("dos uno", "no se lee")])
def test_a_refused_line_stays_with_its_refusal_beside_it(night: PoolNight, line: str, why: str) -> None:
    answer = beside(night, do="line", line=line)
    said = answer.content.decode()
    assert answer.status_code == 422
    field = re.search(r'<input id="pool-line"[^>]*>', said)
    assert field is not None and f'value="{line}"' in field[0] and 'aria-invalid="true"' in field[0]
    beside_it = re.search(r'<p class="refusal" id="r-pool-line">.*?</p>', said, re.S)
    assert beside_it is not None and why in beside_it[0]
    assert "aria-invalid" not in panel(night)


@pytest.mark.rule("PP-13")
def test_repeating_says_what_it_could_not_repeat(night: PoolNight) -> None:
    """Seat 2 bought 10 credits, seat 4 had just the 4 that it bet."""
    nothing = beside(night, line="=")
    assert nothing.status_code == 409 and "No hay qué repetir" in text(nothing.content.decode())
    for seat, bought, bet in ((2, 10, 1), (4, 4, 4)):
        night.buy(0, seat, bought)
        night.bet(0, seat, bet)
    night.play(0, {2: NOTHING, 4: FLUSH})
    assert 'data-press="="' in panel(night)
    short = beside(night, do="again")
    assert short.status_code == 422
    assert (
        "la posición 4 tiene 0,00 en créditos libres y hacen falta 20,00"
        in text(short.content.decode()).lower()
    )
    placed = Bet.objects.filter(state=Bet.State.PLACED)
    assert [(bet.seat, bet.amount) for bet in placed] == [(2, 5 * BOB)]
    # Sent twice, as by a tablet that lost its line: nothing is left to repeat, and nothing is wrong.
    night.buy(0, 4, 4)
    assert beside(night, do="again").status_code == 200
    assert beside(night, do="again").status_code == 200
    assert placed.all().count() == 2


# ---- credits that go back ------------------------------------------------------------------------------


@pytest.mark.rule("PP-09")
def test_what_is_bought_and_given_back_is_said_in_money_and_asked_again(night: PoolNight) -> None:
    night.buy(0, 3, 10)
    shown = panel(night)
    assert "Posición 3: comprar 10 créditos por 50" in shown
    sure = re.search(r'<details[^>]*id="back-3">.*?</details>', shown, re.S)
    assert sure is not None and "<summary" in sure[0] and "Devolver 50 en fichas" in sure[0]
    assert beside(night, do="return_all", seat=3).status_code == 200
    assert 'id="back-3"' not in panel(night)


@pytest.mark.rule("PP-25", "PP-26")
def test_promotional_credits_are_told_apart_and_are_not_cashed(house: House) -> None:
    """By its pages: announced, drawn, credited. 40,00 given beside 45,00 bought: only these go back."""
    night = a_pool(house)
    for kind in (asked.COMPLEMENTARY, asked.PROMOTION):
        approved_filing(house, kind, asked.about_pool(night.pool))
    address = f"/pozos/{night.pool.pk}/sorteos/"
    until = (night.clock + dt.timedelta(hours=1)).astimezone(ZoneInfo("America/La_Paz"))
    announced = post(
        night, Role.COMPLIANCE, address, name="Noche 1", form_of="credits", amount="40",
        until=until.strftime("%Y-%m-%dT%H:%M"),
    )  # fmt: skip
    assert announced.status_code == 302, text(announced.content.decode())
    night.buy(0, 2)
    night.bet(0, 2)
    night.play(0, {2: NOTHING, 4: FLUSH})
    night.clock += dt.timedelta(hours=1)
    draw = Complementary.objects.get()
    assert post(night, Role.PIT_BOSS, f"/pozos/sorteos/{draw.pk}/sortear/").status_code == 302
    assert "Acreditar 40,00" in text(
        get(night, Role.COMPLIANCE, f"/pozos/sorteos/{draw.pk}/").content.decode()
    )
    assert post(night, Role.COMPLIANCE, f"/pozos/sorteos/{draw.pk}/acreditar/").status_code == 302
    shown = panel(night)
    assert "40,00 promocionales: se apuestan, no se devuelven" in text(shown) and "PP-25" in shown
    assert "17 créditos · 85,00" in text(shown) and "Devolver 45 en fichas" in shown
    assert beside(night, do="return_all", seat=2).status_code == 200
    assert CreditMove.objects.get(kind="returned").amount == 45 * BOB
    assert SeatCredits.objects.get(seat=2).amount == 40 * BOB
    assert "Devolver" not in panel(night)


# ---- where nobody bets ---------------------------------------------------------------------------------


@pytest.mark.rule("GEN-08")
def test_a_table_stopped_by_an_incident_offers_no_bets(night: PoolNight) -> None:
    night.buy(0, 2)
    assert any("disabled" not in one for one in buttons(panel(night), of="bet"))
    _stopped(night)
    shown = panel(night)
    offered = [*buttons(shown, of="bet"), *buttons(shown, of="again")]
    assert offered and all("disabled" in one for one in offered)
    assert (
        "la mesa está detenida" in text(shown).lower()
        and "GEN-08" in shown
        and "pase 1: se apuesta" not in shown
    )
    refused = beside(night, line="2 1")
    assert refused.status_code == 409 and "GEN-08" in refused.content.decode()


def _stopped(night: PoolNight) -> None:
    given: dict[str, Any] = {
        "kind": "floor.dispute", "summary": "pago discutido", "table": night.tables[0].name, "freezes": "yes",
        "request": str(uuid.uuid4()),
    }  # fmt: skip
    assert post(night, Role.SUPERVISOR, "/incidentes/", **given).status_code == 302
