"""A pool walked by its pages alone: from nothing to running, beside the felt of each modality, stopped, moved
to another and retired. What the pages lead to is what the rules ask for.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from audits.models import Filing, Incident
from casino.kernel import clock
from casino.kernel.permissions import Role
from jackpots import filings as asked
from jackpots import pools
from jackpots.models import Fund, Pool, PoolVersion
from tables.games import registry
from tests.builders import BOB, NIGHT, House, a_house
from tests.jackpots.builders import NOTHING, PoolNight, a_pool, approved_filing
from tests.pages.pool_people import client, get, post, second
from tests.pages.test_every_table import text
from tests.tables.every_game import a_table


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.fixture
def empty(house: House) -> PoolNight:
    """A pool that was named and nothing else, with a table of Draw Poker to be linked."""
    with clock.standing_at(NIGHT):
        pool = pools.create_pool(name="Pozo nuevo", form="chips", by=house.by(Role.PIT_BOSS, NIGHT, "nuevo"))
    return PoolNight(house, pool, [a_table(house, registry.game("poker.draw"))])


def said(night: PoolNight, role: Role, path: str) -> str:
    answer = get(night, role, path)
    assert answer.status_code == 200, path
    return text(answer.content.decode())


SCHEME = {
    "commission": "10", "credit": "5", "least": "1", "most": "4", "policy": "sequential",
    "reseed": "reserve-house", "lower_first": "yes", "reason": "dos niveles",
    "level_0_code": "principal", "level_0_share": "60", "level_0_base": "1.000",
    "level_1_code": "Mini", "level_1_share": "15", "level_1_base": "50", "level_1_cap": "90",
    "level_2_code": "súper mini", "level_2_share": "5", "level_2_base": "10",
    "reserve_0_code": "reserva", "reserve_0_share": "20",
    "prize_royal_flush_kind": "percent", "prize_royal_flush_value": "100",
    "prize_royal_flush_level": "principal",
    "prize_flush_kind": "percent", "prize_flush_value": "100", "prize_flush_level": "mini",
    "prize_straight_kind": "fixed", "prize_straight_value": "10", "prize_straight_level": "súper mini",
}  # fmt: skip


# ---- what it still needs -------------------------------------------------------------------------------


@pytest.mark.rule("PP-04", "PP-06", "PP-20", "PP-22", "PP-23", "PP-30")
def test_a_pool_says_what_it_needs_until_it_starts(empty: PoolNight) -> None:
    """Each step by its form; the list is the same that starting it refuses by."""
    night, address = empty, f"/pozos/{empty.pool.pk}"
    page = said(night, Role.PIT_BOSS, f"{address}/")
    assert "Para ponerlo en marcha faltan 5" in page
    for need in ("PP-20", "PP-30", "PP-23", "PP-04", "PP-06"):
        assert need in page
    assert "Redáctelos: comisión, base y reserva no tienen valor por defecto" in page
    start = f"{address}/poner-en-marcha/"
    signed = {"reason": "empieza", **second(night, Role.COMPLIANCE)}
    assert "PP-04" in post(night, Role.PIT_BOSS, start, **signed).content.decode()

    drafted = post(night, Role.PIT_BOSS, f"{address}/parametros/", do="draft", **SCHEME)
    assert drafted.status_code == 302
    page = said(night, Role.PIT_BOSS, f"{address}/")
    assert "faltan 4" in page and "La casa pone 1.060,00 al ponerlo en marcha" in page
    approve = f"{address}/versiones/1/aprobar/"
    assert post(night, Role.COMPLIANCE, approve).status_code == 302
    assert "Aprobó cumplimiento; falta otra área" in said(night, Role.CAGE, f"{address}/")
    version = f"{address}/versiones/1/"
    assert "Aprobar por mi área" in said(night, Role.CAGE, version)
    done = said(night, Role.COMPLIANCE, version)
    assert "Aprobar por mi área" not in done and "Falta 1 aprobación, de otra área" in done
    assert post(night, Role.CAGE, approve).status_code == 302
    assert "Cumplimiento, caja" in said(night, Role.PIT_BOSS, f"{address}/")

    _by_their_pages(night, asked.SCHEME)
    post(night, Role.PIT_BOSS, f"{address}/tramite/", kind=asked.EQUIPMENT, text="se pide")
    _by_their_pages(night, asked.EQUIPMENT)
    page = said(night, Role.PIT_BOSS, f"{address}/")
    assert "falta 1" in page and "Conecte al menos una" in page
    assert "PP-06" in post(night, Role.PIT_BOSS, start, **signed).content.decode()
    post(night, Role.PIT_BOSS, f"{address}/mesas/conectar/", table=night.tables[0].pk, reason="mesa")
    page = said(night, Role.PIT_BOSS, f"{address}/")
    assert "todo en orden" in page and "está en borrador: preséntelo" in page
    notice = Filing.objects.get(kind=asked.TABLES)
    assert "Draw Poker" in notice.text and "poker.draw" not in notice.text
    post(night, Role.COMPLIANCE, f"/tramites/{notice.pk}/presentar/")
    assert f"{notice.label}, presentado" in said(night, Role.COMPLIANCE, f"{address}/")

    assert post(night, Role.PIT_BOSS, start, **signed).status_code == 302
    assert Pool.objects.get().state == Pool.State.RUNNING
    shown = {fund.code: fund.shown for fund in Fund.objects.filter(reserve=False)}
    assert shown == {"main": 1_000 * BOB, "mini": 50 * BOB, "super_mini": 10 * BOB}
    page = said(night, Role.PIT_BOSS, f"{address}/")
    assert "Para ponerlo en marcha" not in page and "Super mini" in page


def _by_their_pages(night: PoolNight, kind: str) -> None:
    filing = Filing.objects.get(kind=kind)
    post(night, Role.COMPLIANCE, f"/tramites/{filing.pk}/presentar/")
    answer = {"approved": "yes", "reference": "AJ/1"}
    assert post(night, Role.ADMINISTRATOR, f"/tramites/{filing.pk}/respuesta/", **answer).status_code == 302


def test_who_reads_the_list_is_led_where_they_may_go(empty: PoolNight) -> None:
    address = f"/pozos/{empty.pool.pk}/"
    boss, cage = (get(empty, role, address).content.decode() for role in (Role.PIT_BOSS, Role.CAGE))
    assert f'href="{address}parametros/"' in boss and f'href="{address}parametros/"' not in cage


@pytest.mark.rule("PP-30")
def test_a_version_that_waits_behind_a_running_pool_says_what_it_lacks(house: House) -> None:
    night = a_pool(house)
    address = f"/pozos/{night.pool.pk}"
    post(night, Role.PIT_BOSS, f"{address}/parametros/", do="draft", **SCHEME)
    page = said(night, Role.PIT_BOSS, f"{address}/")
    assert "Para que rija la versión 2 faltan 2" in page and "se suspende" in page


@pytest.mark.rule("PP-05")
def test_where_no_table_is_free_the_page_says_why(house: House) -> None:
    night = a_pool(house)
    page = said(night, Role.PIT_BOSS, f"/pozos/{night.pool.pk}/")
    assert "No hay otra mesa que conectar" in page and "Draw, Caribbean o Go Poker" in page


# ---- parameters ----------------------------------------------------------------------------------------


@pytest.mark.rule("PP-22")
def test_a_scheme_takes_as_many_levels_as_it_needs(empty: PoolNight) -> None:
    address = f"/pozos/{empty.pool.pk}/parametros/"
    page = get(empty, Role.PIT_BOSS, address).content.decode()
    assert page.count('_code"') == 2  # the main level and a reserve
    typed: dict[str, Any] = {**SCHEME, "levels_rows": "3", "reserves_rows": "1"}
    more = post(empty, Role.PIT_BOSS, address, do="more_levels", **typed).content.decode()
    assert 'name="level_3_code"' in more and 'value="súper mini"' in more
    assert PoolVersion.objects.count() == 0
    eighth = post(empty, Role.PIT_BOSS, address, do="more_levels", **{**typed, "levels_rows": "7"})
    assert "Otro nivel" not in text(eighth.content.decode())
    other = post(empty, Role.PIT_BOSS, address, do="more_reserves", **typed).content.decode()
    assert 'name="reserve_1_code"' in other


@pytest.mark.rule("PP-20", "PP-21")
@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"commission": ""}, "falta confirmar la comisión"),
        ({"level_1_base": ""}, "falta confirmar la base de mini"),
        ({"level_0_share": "50"}, "suman 90 % y no 100 %"),
        ({"commission": "100"}, "la comisión: de 0 % a 99,99 %"),
        ({"level_1_cap": "40"}, "el tope de mini: un importe mayor que la base"),
        ({"prize_flush_level": "grande"}, "el nivel que paga color es uno de: principal, mini, super mini"),
        ({"level_1_code": "comisión"}, "no como otra cuenta del pozo"),
    ],
)  # fmt: skip
def test_a_refused_figure_is_called_by_its_name(empty: PoolNight, typed: dict[str, str], words: str) -> None:
    address = f"/pozos/{empty.pool.pk}/parametros/"
    page = post(empty, Role.PIT_BOSS, address, do="draft", **{**SCHEME, **typed})
    shown = text(page.content.decode()).replace("\N{NO-BREAK SPACE}", " ")
    assert page.status_code == 422 and words in shown.lower()
    for code in ("_bp", "levels.", "«main»", "prizes."):
        assert code not in shown


# ---- stopped, moved, retired ---------------------------------------------------------------------------


@pytest.mark.rule("PP-32")
def test_a_failure_is_resolved_by_two_and_the_pool_goes_on(house: House) -> None:
    night = a_pool(house)
    address = f"/pozos/{night.pool.pk}"
    signed = {"reason": "se apagó", **second(night, Role.SUPERVISOR)}
    assert post(night, Role.PIT_BOSS, f"{address}/detener/", **signed).status_code == 302
    incident = Incident.objects.get()
    page = said(night, Role.PIT_BOSS, f"{address}/")
    assert f"{incident.label} está abierto: resuélvanlo" in page
    resolved = post(
        night, Role.COMPLIANCE, f"/incidentes/{incident.pk}/resolver/", resolution="se cambió el cable",
        rule_applied="PP-32", **second(night, Role.PIT_BOSS),
    )  # fmt: skip
    assert resolved.status_code == 302, text(resolved.content.decode())
    page = said(night, Role.PIT_BOSS, f"{address}/")
    assert f"{incident.label}, resuelto" in page and "todo en orden" in page
    again = {"reason": "se arregló", **second(night, Role.COMPLIANCE)}
    assert post(night, Role.PIT_BOSS, f"{address}/poner-en-marcha/", **again).status_code == 302


def _return_credits(night: PoolNight) -> None:
    address = f"/mesas/{night.tables[0].name}/progresivo/"
    assert post(night, Role.SUPERVISOR, address, do="return_all", seat="4").status_code == 200


def _planned(night: PoolNight, **plan: Any) -> None:
    """The plan drafted on its page, presented, approved."""
    asks = post(night, Role.PIT_BOSS, f"/pozos/{night.pool.pk}/plan/", **plan)
    assert asks.status_code == 302, text(asks.content.decode())
    approved_filing(night.house, asked.TRANSFER, asked.about_pool(night.pool), night.clock)


@pytest.mark.rule("PP-29", "PP-32")
def test_a_balance_is_moved_and_a_pool_retired_by_its_forms(house: House) -> None:
    """Two bets of 20,00: main 28,80 of the players; 10,00 of it go first, the rest as it is retired."""
    night, other = a_pool(house), a_pool(house, name="Otro pozo")
    for _ in range(2):
        night.buy(0, 4)
        night.bet(0, 4, 4)
        night.play(0, {4: NOTHING})
    address, display = f"/pozos/{night.pool.pk}", f"/pozos/{night.pool.pk}/pantalla/"
    signed = {"reason": "se junta", **second(night, Role.COMPLIANCE), "to": other.pool.pk}
    _return_credits(night)
    stopped = {"reason": "se junta", **second(night, Role.COMPLIANCE)}
    assert post(night, Role.PIT_BOSS, f"{address}/suspender/", **stopped).status_code == 302
    _planned(night, to=other.pool.pk, fund="main", amount="10")
    too_much = post(night, Role.PIT_BOSS, f"{address}/trasladar/", fund="main", amount="29", **signed)
    assert too_much.status_code == 422 and 'id="r-amount"' in too_much.content.decode()
    moved = post(night, Role.PIT_BOSS, f"{address}/trasladar/", fund="main", amount="10", **signed)
    assert moved.status_code == 302 and other.shown() == 1_010 * BOB
    left = night.funds()["main"][0] + night.funds()["reserve"][0]
    _planned(night, to=other.pool.pk)
    retired = post(night, Role.PIT_BOSS, f"{address}/retirar/", **signed)
    assert retired.status_code == 302, text(retired.content.decode())
    assert other.shown() == 1_010 * BOB + left
    for path in (display, f"{display}vivo/"):
        shown = text(Client().get(path).content.decode())
        assert "Este pozo se retiró" in shown and "Otro pozo" in shown and "1.0" not in shown
    page = said(night, Role.PIT_BOSS, f"{address}/")
    assert "su saldo pasó a Otro pozo" in page and "Para ponerlo en marcha" not in page


# ---- where filings are looked for ----------------------------------------------------------------------


def test_filings_are_reached_from_where_compliance_looks(house: House) -> None:
    night = a_pool(house)
    for path in ("/reportes/", "/dias/", "/pozos/"):
        with night.now():
            assert 'href="/tramites/"' in client(night, Role.COMPLIANCE).get(path).content.decode(), path
            assert 'href="/tramites/"' not in client(night, Role.CAGE).get(path).content.decode(), path
