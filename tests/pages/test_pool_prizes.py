"""A prize at the cage's page: paid by its form to a named person, on a paper that carries their document
whole and a page that does not; what a proof found, and what a meter showed, in people's words.
"""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from audits.models import Filing, Incident
from casino.kernel.permissions import Role
from jackpots import charting, prize_form, proving
from jackpots.models import Fund, Prize
from tests.builders import BOB, House, a_house
from tests.jackpots.builders import NOTHING, ROYAL, PoolNight, a_pool
from tests.money.cage_building import a_cage
from tests.pages.pool_people import get, hit, post
from tests.pages.test_every_table import text

FLUSH = "2h 4h 6h 8h Th"
WHO = {"winner": "Nélida Aramayo", "document": "4892715 LP"}


@pytest.fixture
def house(db: None) -> House:
    return a_house()


def verified(night: PoolNight, hand: str = FLUSH) -> Prize:
    prize = hit(night, hand)
    for role in (Role.SUPERVISOR, Role.COMPLIANCE):
        post(night, role, f"/pozos/premios/{prize.pk}/verificar/", **WHO)
    prize.refresh_from_db()
    assert prize.state == Prize.State.VERIFIED
    return prize


@pytest.mark.rule("PP-31")
def test_the_display_tells_a_prize_that_was_verified(house: House) -> None:
    night = a_pool(house)
    address = f"/pozos/{night.pool.pk}/pantalla/"
    prize = hit(night, FLUSH)
    assert "premio por verificar" in Client().get(address).content.decode()
    for role in (Role.SUPERVISOR, Role.COMPLIANCE):
        post(night, role, f"/pozos/premios/{prize.pk}/verificar/", **WHO)
    said = Client().get(address).content.decode()
    assert "premio verificado" in said and "por verificar" not in said


@pytest.mark.rule("PP-31", "PP-25")
def test_the_cage_pays_by_its_form_in_cash_or_chips_alone(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = verified(night)
    address = f"/pozos/premios/{prize.pk}/"
    page = get(night, Role.CAGE, address).content.decode()
    ways = re.search(r'<select id="f-form_of".*?</select>', page, re.S)
    assert ways is not None and re.findall(r'option value="(\w+)"', ways[0]) == ["cash", "chips"]
    other = {**WHO, "document": "1"}
    another = post(night, Role.CAGE, f"{address}pagar/", desk=till.desk.pk, form_of="cash", **other)
    assert another.status_code == 422 and "PP-31" in another.content.decode()
    paid = post(night, Role.CAGE, f"{address}pagar/", desk=till.desk.pk, form_of="cash", **WHO)
    assert paid.status_code == 302, text(paid.content.decode())
    prize.refresh_from_db()
    assert (prize.state, prize.winner, prize.document) == (Prize.State.PAID, *WHO.values())


@pytest.mark.rule("PP-31", "REC-13")
def test_a_document_is_whole_on_the_form_and_masked_on_the_page(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = verified(night)
    address = f"/pozos/premios/{prize.pk}/"
    post(night, Role.CAGE, f"{address}pagar/", desk=till.desk.pk, form_of="cash", **WHO)
    page = get(night, Role.CAGE, address).content.decode()
    link = re.search(rf'<a[^>]*href="{address}formulario.pdf"[^>]*>', page)
    assert link is not None and 'target="_blank"' in link[0]
    assert WHO["document"] not in page and "Nélida Aramayo" in page
    found = prize_form.for_form(Prize.objects.filter(pk=prize.pk)).get()
    said = dict(prize_form.PrizePaper().particulars(house.casino, {"prize": found}))
    assert WHO["document"] in said.values()
    for role, status in ((Role.INSPECTOR, 200), (Role.CAGE, 200), (Role.CROUPIER, 403)):
        assert get(night, role, f"{address}formulario.pdf").status_code == status
    assert "formulario.pdf" not in get(night, Role.CROUPIER, address).content.decode()


@pytest.mark.rule("PP-31")
def test_chips_typed_for_cash_are_refused_once_and_come_back(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = verified(night)
    address = f"/pozos/premios/{prize.pk}/pagar/"
    chips = {f"n_{100 * BOB}": "2"}
    no = post(night, Role.CAGE, address, desk=till.desk.pk, form_of="cash", **WHO, **chips)
    page = no.content.decode()
    assert no.status_code == 422 and page.count("deje las fichas en blanco") == 1
    assert re.search(rf'name="n_{100 * BOB}"[^>]*value="2"', page)
    unsaid = post(night, Role.CAGE, address, form_of="cash", **WHO).content.decode()
    assert unsaid.count("Elija la ventanilla que paga") == 1


def test_a_filing_says_its_refusal_once_and_its_hour_in_local_time(house: House) -> None:
    """The table was linked at 22:00 UTC on the 20th: 18:00 in La Paz."""
    night = a_pool(house)
    filing = Filing.objects.filter(kind="pool_tables").earliest("pk")
    local = filing.drafted_at.astimezone(ZoneInfo("America/La_Paz"))
    assert f"desde el {local:%d/%m/%Y} a las {local:%H:%M}: " in filing.text and "UTC" not in filing.text
    again = Filing.objects.filter(state="draft").first() or filing
    unsaid = post(night, Role.COMPLIANCE, f"/tramites/{again.pk}/desistir/")
    assert unsaid.content.decode().count("ndique el motivo del cambio") == 1


def test_who_may_not_see_the_round_gets_no_link_to_it(house: House) -> None:
    night = a_pool(house)
    prize = hit(night, FLUSH)
    for role, seen in ((Role.CROUPIER, False), (Role.SUPERVISOR, True)):
        page = get(night, role, f"/pozos/premios/{prize.pk}/").content.decode()
        assert (f'href="/pases/{prize.round_id}/"' in page) is seen
        assert (get(night, role, f"/pases/{prize.round_id}/").status_code == 200) is seen


# ---- in words ------------------------------------------------------------------------------------------


@pytest.mark.rule("PP-28", "PP-29")
def test_a_difference_is_told_in_names_and_money(house: House) -> None:
    """A meter read 10,00 below the 1.000,00 of the main level."""
    night = a_pool(house)
    address = f"/pozos/{night.pool.pk}"
    post(night, Role.SUPERVISOR, f"{address}/lecturas/", level="main", amount="990", reason="se reinició")
    day = night.sessions[0].day.date
    post(night, Role.COMPLIANCE, f"{address}/pruebas/", day=day.isoformat())
    incident = Incident.objects.get(kind=proving.DIFFERENCE)
    words = "principal, lectura 1: debía ser 1.000,00, es 990,00"
    assert re.sub(r"lectura \d+", "lectura 1", incident.summary_es).endswith(words)
    for path in (f"{address}/pruebas/{day}/", f"{address}/pruebas/"):
        shown = text(get(night, Role.COMPLIANCE, path).content.decode())
        assert "Principal, lectura" in shown and "1.000,00" in shown and "990,00" in shown
        assert "main" not in shown.replace('id="main"', "") and "99000" not in shown


@pytest.mark.rule("PP-33")
def test_the_line_of_a_fund_shows_nothing_that_the_meter_never_showed(house: House) -> None:
    """The base, 1.000,00, and 3,60 of 5,00; the royal takes all, and the base is there again at once."""
    night = a_pool(house)
    hit(night, ROYAL)
    night.buy(0, 4)
    night.bet(0, 4)
    night.play(0, {4: NOTHING})
    fund = Fund.objects.get(pool=night.pool, code="main")
    points = charting.points_of(night.pool, fund, night.clock + dt.timedelta(hours=3))
    amounts = [point.amount for point in points]
    assert amounts[0] == 1_000 * BOB and min(amounts) == 1_000 * BOB
    assert max(amounts) == 100_360 and amounts[-1] == 100_360
    assert [(point.amount, point.why) for point in points if point.why] == [
        (1_000 * BOB, "seed"), (1_000 * BOB, "prize"),
    ]  # fmt: skip
    chart = charting.chart_of(night.pool, fund, night.clock + dt.timedelta(hours=3))
    assert chart is not None and chart.times_as == "%H:%M"
