"""Pages of progressive pools: each answers whom it is for, forms refuse by their rule, the display tells
nobody's name, and what the balance is explained by adds up.
"""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client

from casino.kernel.permissions import Role
from jackpots import charting, explaining
from jackpots.models import Bet, CreditMove, MeterReading, Pool, Prize, SeatCredits
from jackpots.pages.panel import read_line
from tables.guests import seats
from tests.builders import BOB, House, a_house
from tests.jackpots.builders import NOTHING, ROYAL, PoolNight, a_pool
from tests.pages.pool_people import beside, client, get, hit, post, second
from tests.pages.test_every_table import text

FLUSH = "2h 4h 6h 8h Th"


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.fixture
def night(house: House) -> PoolNight:
    """A running pool on one table of Caribbean; one credit 5,00."""
    return a_pool(house)


# ---- who sees what -------------------------------------------------------------------------------------


def test_every_page_of_a_pool_answers_and_adds_up(night: PoolNight) -> None:
    # Two rounds of 4 credits: 40,00; commission 4,00; of 36,00 main 28,80 and reserve 7,20. A flush of a
    # bet of 20,00 is 50 times it: 1.000,00, of the 1.028,80 shown.
    night.buy(0, 4)
    night.bet(0, 4, 4)
    night.play(0, {4: NOTHING})
    prize = hit(night, FLUSH, credits=4)
    pool, day = night.pool.pk, night.sessions[0].day.date
    table = night.tables[0].name
    pages = {
        "/pozos/": "28,80",
        f"/pozos/{pool}/": "28,80",
        f"/pozos/{pool}/explicacion/": "28,80",
        f"/pozos/{pool}/explicacion/?fund=reserve": "7,20",
        f"/pozos/{pool}/explicacion/dia/{day}/": "Suma del día",
        f"/pozos/{pool}/explicacion/pase/{prize.round_id}/": "14,40",
        f"/pozos/{pool}/movimientos/?fund=main&kind=prize": "1.000,00",
        f"/pozos/{pool}/lecturas/": "Ninguna lectura",
        f"/pozos/{pool}/pruebas/": "Ninguna prueba",
        f"/pozos/{pool}/sorteos/": "Ninguno todavía",
        f"/pozos/{pool}/versiones/1/": "649.740",
        "/pozos/premios/": "por verificar",
        "/pozos/por-pagar/": "Todos los de la lista 1.000,00",
        f"/pozos/premios/{prize.pk}/": "1.000,00",
        f"/pases/{prize.round_id}/": "Adónde fue",
        f"/mesas/{table}/": "28,80",
    }
    for path, said in pages.items():
        for role in (Role.PIT_BOSS, Role.COMPLIANCE, Role.INSPECTOR, Role.CAGE):
            answer = get(night, role, path)
            assert answer.status_code == 200, (role, path)
            wanted = said if not (path.startswith("/mesas/") and role == Role.CAGE) else ""
            assert wanted in text(answer.content.decode()), (role, path)
    assert get(night, Role.COMPLIANCE, "/tramites/").status_code == 200
    assert get(night, Role.CROUPIER, "/tramites/").status_code == 403
    assert get(night, Role.CAGE, f"/pozos/{pool}/parametros/").status_code == 403
    paper = get(night, Role.CAGE, f"/pozos/premios/{prize.pk}/formulario.pdf")
    assert paper.content.startswith(b"%PDF")


@pytest.mark.rule("PP-28")
def test_what_a_balance_is_explained_by_is_the_balance(night: PoolNight) -> None:
    for credits in (1, 3, 4):
        night.buy(0, 4, credits)
        night.bet(0, 4, credits)
        night.play(0, {4: NOTHING})
    hit(night, ROYAL)
    for fund in night.pool.funds.all():
        told = explaining.explain(night.pool, fund)
        assert told.off == 0
        assert told.shown == told.brought + sum(move.amount for move in told.moves)
    bets = list(Bet.objects.filter(pool=night.pool, state=Bet.State.COUNTED).order_by("serial"))
    each = explaining.total(parts for _, parts in explaining.of_bets(night.pool, bets))
    days = explaining.total(explaining.by_day(night.pool, explaining.days_of(night.pool)).values())
    assert each == days
    assert days.amount == 9 * 5 * BOB == sum(days.parts.values()) + days.residue
    chart = charting.chart_of(night.pool, night.pool.funds.get(code="main"), night.clock)
    assert chart is not None
    assert (chart.points[-1].amount, len(chart.prizes)) == (night.shown(), 1)


# ---- the public display --------------------------------------------------------------------------------


@pytest.mark.rule("PP-31", "PP-22")
def test_the_display_shows_amounts_without_a_login_and_nobody(night: PoolNight) -> None:
    seats.seat(session=night.sessions[0], seat=2, alias="Don Quintín", by=night.by(Role.SUPERVISOR))
    prize = hit(night, ROYAL)
    assert prize.alias == "Don Quintín"
    address = f"/pozos/{night.pool.pk}/pantalla/"
    for path in (address, f"{address}vivo/"):
        page = Client().get(path)
        said = page.content.decode()
        assert page.status_code == 200
        assert "1.000,00" in said and "premio por verificar" in said and "Escala real" in said
        for hidden in ("Don Quintín", night.tables[0].name, prize.label, "posición", "reserva", "Reserva"):
            assert hidden not in said, hidden
        assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")
    live = Client().get(f"{address}vivo/")
    again = Client().get(f"{address}vivo/", headers={"If-None-Match": live.headers["ETag"]})
    assert again.status_code == 304
    Pool.objects.filter(pk=night.pool.pk).update(public=False)
    assert Client().get(address).status_code == 404
    assert get(night, Role.ADMINISTRATOR, address).status_code == 404


# ---- beside the felt -----------------------------------------------------------------------------------


@pytest.mark.rule("PP-08", "PP-09", "PP-13")
def test_the_panel_buys_bets_cancels_and_returns(night: PoolNight) -> None:
    said = beside(night, do="buy", seat=2, credits=10).content.decode()
    assert "10 créditos" in said and SeatCredits.objects.get(seat=2).amount == 50 * BOB
    assert "luz encendida" not in said
    assert "luz encendida" in beside(night, line="2 3").content.decode()
    assert Bet.objects.get().amount == 15 * BOB
    too_many = beside(night, line="2 -8")
    assert too_many.status_code == 422 and 'data-refused="no_credits"' in too_many.content.decode()
    assert beside(night, line="2 x").status_code == 200
    over = beside(night, do="bet", seat=2, credits=5)
    assert over.status_code == 422 and "PP-13" in over.content.decode()
    assert beside(night, do="return_all", seat=2).status_code == 200
    assert SeatCredits.objects.get(seat=2).amount == 0
    odd = beside(night, line="2 por tres")
    assert odd.status_code == 422 and 'data-refused="unreadable_line"' in odd.content.decode()


def test_a_panel_act_sent_twice_is_done_once(night: PoolNight) -> None:
    request = str(uuid.uuid4())
    for _ in range(2):
        assert beside(night, request=request, line="3 +4").status_code == 200
    assert CreditMove.objects.count() == 1


def test_everybody_bets_again_what_they_bet(night: PoolNight) -> None:
    for seat, credits in ((2, 1), (4, 3)):
        night.buy(0, seat)
        night.bet(0, seat, credits)
    night.play(0, {2: NOTHING, 4: FLUSH})
    assert "Repetir 2 apuestas" in text(
        get(night, Role.SUPERVISOR, f"/mesas/{night.tables[0].name}/").content.decode()
    )
    beside(night, line="=")
    placed = Bet.objects.filter(state=Bet.State.PLACED).order_by("seat").values_list("seat", "amount")
    assert list(placed) == [(2, 5 * BOB), (4, 15 * BOB)]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("3 +10", ("buy", 3, 10)), ("3+10", ("buy", 3, 10)), ("3 - 2", ("return", 3, 2)),
        ("12 1", ("bet", 12, 1)), ("3x", ("cancel", 3, 0)), ("=", ("again", 0, 0)),
    ],
)  # fmt: skip
def test_a_line_is_read(line: str, read: tuple[str, int, int]) -> None:
    assert read_line(line) == read


# ---- prizes, readings, proofs ----------------------------------------------------------------------------


@pytest.mark.rule("PP-31")
def test_a_prize_is_checked_by_two_others_and_its_page_says_who_is_missing(night: PoolNight) -> None:
    prize = hit(night, FLUSH)
    address = f"/pozos/premios/{prize.pk}"
    # The pit boss logged the round.
    own = text(get(night, Role.PIT_BOSS, f"{address}/").content.decode())
    assert "lo verifican otras dos personas" in own and "Coinciden: verificar" not in own
    assert post(night, Role.PIT_BOSS, f"{address}/verificar/").status_code == 422
    first = {"winner": "Nélida Aramayo", "document": "4892715"}
    assert post(night, Role.SUPERVISOR, f"{address}/verificar/", **first).status_code == 302
    assert "falta 1 persona" in text(get(night, Role.COMPLIANCE, f"{address}/").content.decode())
    assert post(night, Role.COMPLIANCE, f"{address}/verificar/").status_code == 302
    prize.refresh_from_db()
    assert (prize.state, prize.winner) == (Prize.State.VERIFIED, "Nélida Aramayo")
    assert "Pagar 250,00" in text(get(night, Role.CAGE, f"{address}/").content.decode())
    assert post(night, Role.SUPERVISOR, f"{address}/pagar/").status_code == 403
    rejected = post(
        night, Role.COMPLIANCE, f"{address}/rechazar/", do="reject", reason="carta marcada",
        **second(night, Role.SUPERVISOR),
    )  # fmt: skip
    prize.refresh_from_db()
    assert rejected.status_code == 302 and prize.state == Prize.State.REJECTED


@pytest.mark.rule("PP-29")
def test_a_reading_that_differs_is_said_at_once_and_proved(night: PoolNight) -> None:
    address = f"/pozos/{night.pool.pk}"
    post(night, Role.SUPERVISOR, f"{address}/lecturas/", level="main", amount="1.000")
    lower = post(night, Role.SUPERVISOR, f"{address}/lecturas/", level="main", amount="990")
    assert lower.status_code == 422 and "PP-29" in lower.content.decode()
    night.by()
    with night.now():
        chief = client(night, Role.SUPERVISOR)
        form = {"form": str(uuid.uuid4()), "level": "main", "amount": "990", "reason": "se reinició"}
        page = chief.post(f"{address}/lecturas/", form, follow=True).content.decode()
    assert "10,00 de menos" in text(page) and MeterReading.objects.count() == 2
    day = night.sessions[0].day.date
    proved = post(night, Role.COMPLIANCE, f"{address}/pruebas/", day=day.isoformat())
    assert proved["Location"] == f"{address}/pruebas/{day}/"
    shown = text(get(night, Role.COMPLIANCE, proved["Location"]).content.decode())
    assert "no cuadra" in shown and re.search(r"lectura del contador", shown, re.I)
    assert "1 diferencia sin explicar" in text(get(night, Role.PIT_BOSS, f"{address}/").content.decode())


@pytest.mark.rule("PP-24")
def test_a_complementary_prize_waits_for_its_filing(night: PoolNight) -> None:
    address = f"/pozos/{night.pool.pk}/sorteos/"
    assert "Falta un trámite presentado" in text(get(night, Role.COMPLIANCE, address).content.decode())
    asked = {"name": "Noche 1", "form_of": "chips", "amount": "500", "until": "2099-01-01T00:00"}
    refused = post(night, Role.COMPLIANCE, address, **asked)
    assert refused.status_code == 422 and "PP-24" in refused.content.decode()


def test_another_house_sees_none_of_it(night: PoolNight) -> None:
    prize = hit(night, FLUSH)
    login = Client()
    login.force_login(a_house("vecino").users[Role.COMPLIANCE])
    for path in (
        f"/pozos/{night.pool.pk}/",
        f"/pozos/premios/{prize.pk}/",
        f"/pozos/{night.pool.pk}/explicacion/",
    ):
        assert login.get(path).status_code == 404
