"""An auction on pages, as those who follow it see it and as whoever notes the bids works with it."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from casino.kernel import clock
from casino.kernel.permissions import Role
from tables.bank import acts, auctions
from tables.guests import absences
from tables.models import Auction, Bank, BankPassage, Bid, Round
from tests.api.building import House
from tests.pages.bank_floor import a_floor, act, at, to_auction
from tests.pages.building import Floor, as_login
from tests.pages.test_every_table import text
from tests.pages.test_rounds import Screen, screen


@pytest.fixture
def floor(house: House) -> Floor:
    return a_floor(house)


def bid(client: Client, auction: Auction, seats: str, amount: str, **more: str) -> Any:
    fields = {"seats": seats, "amount": amount, "form": str(uuid.uuid4()), **more}
    return client.post(f"/subastas/{auction.pk}/pujar/", fields, headers={"HX-Request": "true"})


@pytest.mark.rule("BANK-10", "BANK-12", "BANK-26")
def test_the_auction_says_who_leads_who_is_out_and_what_is_next(floor: Floor) -> None:
    auction = to_auction(floor)
    chief = floor.client(Role.SUPERVISOR)
    page = chief.get(f"/subastas/{auction.pk}/").content.decode()
    assert auction.seed_hash in page and "Nadie pujó todavía" in text(page)
    assert re.search(r"J5</b><small>Pasó este banco\s*<a[^>]*>BANK-12", page)
    assert 'data-seat="5"' not in page and 'data-seat="3"' in page
    assert bid(chief, auction, "3", "100").status_code == 200
    low = bid(chief, auction, "1", "102")
    assert low.status_code == 422 and 'data-refused="' in low.content.decode()
    assert "BANK-26" in low.content.decode() or "GEN-07" in low.content.decode()
    out = bid(chief, auction, "5", "300")
    assert out.status_code == 422 and "BANK-12" in out.content.decode()
    nobody = bid(chief, auction, "", "300")
    assert nobody.status_code == 422 and "elija el asiento" in nobody.content.decode().lower()
    done = bid(floor.client(Role.PIT_BOSS), auction, "1", "150")
    said = text("<main" + done.content.decode())
    assert "Lidera J1 150,00" in said and "la siguiente, desde 155,00" in said
    assert [(one.number, one.seat, one.amount) for one in Bid.objects.order_by("number")] == [
        (1, 3, 10_000),
        (2, 1, 15_000),
    ]


def test_a_bid_sent_twice_with_one_number_is_one_bid(floor: Floor) -> None:
    auction = to_auction(floor)
    chief, form = floor.client(Role.SUPERVISOR), str(uuid.uuid4())
    for _ in range(2):
        assert bid(chief, auction, "3", "100", form=form).status_code == 200
    assert Bid.objects.count() == 1


def test_a_screen_that_follows_is_told_sabots_time_and_304_until_somebody_bids(floor: Floor) -> None:
    auction = to_auction(floor)
    chief = floor.client(Role.SUPERVISOR)
    first = chief.get(f"/subastas/{auction.pk}/vivo/")
    closes = int(auction.closes_at.timestamp() * 1000)
    assert f'data-closes="{closes}"' in first.content.decode()
    again = chief.get(f"/subastas/{auction.pk}/vivo/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304 and again.content == b""
    assert 0 <= int(again["X-Sabot-Now"]) - int(first["X-Sabot-Now"]) < 60_000
    bid(chief, auction, "3", "100")
    after = chief.get(f"/subastas/{auction.pk}/vivo/", headers={"If-None-Match": first["ETag"]})
    assert after.status_code == 200 and "J3" in after.content.decode()


@pytest.mark.rule("BANK-26")
def test_a_sealed_auction_shows_how_many_were_handed_in_and_no_more(floor: Floor) -> None:
    auction = to_auction(floor, "sealed")
    chief = floor.client(Role.SUPERVISOR)
    said = bid(chief, auction, "3", "735").content.decode()
    for page in (said, chief.get(f"/subastas/{auction.pk}/").content.decode()):
        assert "1 sobre entregado" in text("<main" + page)
        assert text("<main" + page).count("entregó su sobre") == 1
        assert "735" not in text("<main" + page)
        assert "Lidera" not in page and "leads-now" not in page
    bid(chief, auction, "1", "740")
    assert "2 sobres entregados" in chief.get(f"/subastas/{auction.pk}/vivo/").content.decode()
    close_after(chief, auction)
    over = text(chief.get(f"/subastas/{auction.pk}/").content.decode())
    assert "735,00" in over and "740,00" in over and "J1, asiento 1" in over


def close_after(client: Client, auction: Auction) -> Any:
    """Close it a millisecond after its time, by Sabot's clock."""
    auction.refresh_from_db()
    with clock.standing_at(auction.closes_at + dt.timedelta(milliseconds=1)):
        return client.post(
            f"/subastas/{auction.pk}/cerrar/", {"form": str(uuid.uuid4())}, headers={"HX-Request": "true"}
        )


@pytest.mark.rule("BANK-10", "BANK-14", "BANK-17")
def test_any_screen_closes_it_once_its_time_is_up_and_the_deposit_follows(floor: Floor) -> None:
    auction = to_auction(floor)
    chief, dealer = floor.client(Role.SUPERVISOR), floor.client(Role.CROUPIER)
    as_login(floor.dealer, floor.house.users[Role.CROUPIER])
    bid(dealer, auction, "3", "200")
    early = chief.post(f"/subastas/{auction.pk}/cerrar/", {}, headers={"HX-Request": "true"})
    assert early.status_code == 409 and 'data-refused="auction_running"' in early.content.decode()
    assert close_after(dealer, auction).status_code == 200
    assert close_after(chief, auction).status_code == 200  # the second screen finds it done
    auction.refresh_from_db()
    page = chief.get(f"/subastas/{auction.pk}/").content.decode()
    assert "J3, asiento 3" in text(page) and auction.seed in page and auction.seed_hash in page
    assert "No hubo empate" in page
    # Whoever may only bid is offered no deposit.
    assert 'id="deposit"' in page
    assert 'id="deposit"' not in dealer.get(f"/subastas/{auction.pk}/").content.decode()
    bank = Bank.objects.get(state="awarded")
    assert screen(floor).said.count('data-blocked="bank_awaits_deposit"') == 1
    with clock.standing_at(auction.closes_at + dt.timedelta(seconds=5)):
        deposits(chief, bank)


def deposits(chief: Client, bank: Bank) -> None:
    low = act(chief, do="deposit", bank=bank.pk, amount="150")
    assert low.status_code == 422 and "BANK-14" in low.content.decode()
    assert act(chief, do="deposit", bank=bank.pk, amount="200").status_code == 302
    tab = Screen(chief)
    assert "data-blocked" not in tab.said
    tab.type("p 1 100", "", "2d")
    assert [event["e"] for event in Round.objects.latest("pk").log] == ["bank", "bet", "close", "card"]


@pytest.mark.rule("BANK-26")
def test_two_heard_at_once_tie_and_the_draw_is_shown(floor: Floor) -> None:
    auction = to_auction(floor)
    chief = floor.client(Role.SUPERVISOR)
    said = bid(chief, auction, "1 3", "250").content.decode()
    assert "Empate" in said and "a la vez que la 1" in said
    close_after(chief, auction)
    auction.refresh_from_db()
    page = chief.get(f"/subastas/{auction.pk}/").content.decode()
    scores = re.findall(r"asiento (\d): ([0-9a-f]{64})", page)
    assert sorted(seat for seat, _ in scores) == ["1", "3"]
    winner = Bank.objects.get(state="awarded").holder
    assert f"Salió en el sorteo BANK-26 {winner.alias} 250,00" in text(page)
    assert "si nadie sube, se sortea" not in text(page)
    # The lowest score wins, and it is the seat the bank was awarded to.
    assert min(scores, key=lambda one: one[1])[0] == str(Bank.objects.get(state="awarded").holder.seat)


@pytest.mark.rule("BANK-15", "GEN-10")
def test_after_a_refusal_it_says_who_and_why_and_the_auctions_lead_on(floor: Floor) -> None:
    auction, chief = to_auction(floor), floor.client(Role.SUPERVISOR)
    bid(chief, auction, "3", "200")
    close_after(chief, auction)
    page = chief.get(f"/subastas/{auction.pk}/").content.decode()
    assert 'id="sign"' not in page and "se le adjudica por 200,00" in text(page)  # the deposit is awaited
    bank = Bank.objects.get(state="awarded")
    auction.refresh_from_db()
    with clock.standing_at(auction.closes_at + dt.timedelta(seconds=9)):
        act(chief, do="deposit", bank=bank.pk, amount="200")
        assert 'id="sign"' in chief.get(f"/subastas/{auction.pk}/").content.decode()
        act(chief, do="refuse", bank=bank.pk, reason="se siente mal")
        situation = text(chief.get("/mesas/PB-01/banco/").content.decode())
        assert "J3 asiento 3 no lo tomó: se subasta otra vez, sin quien se negó BANK-15" in situation
        assert "Motivo: se siente mal" in situation
        assert "depositó y después rehusó dar cartas: se siente mal" in situation
        passage = BankPassage.objects.exclude(step="over").get()
        after = auctions.open_auction(passage=passage, form="outcry", by=floor.by(Role.SUPERVISOR))
        first = text(chief.get(f"/subastas/{auction.pk}/").content.decode())
        assert "Después rehusó dar cartas" in first and f"La subasta que siguió: {after.label}" in first
        then = text(chief.get(f"/subastas/{after.pk}/").content.decode())
        assert f"J3 no tomó el banco en la subasta anterior: {auction.label}" in then
        # Who signed is not asked again; who did not, is.
        boss = floor.house.users[Role.PIT_BOSS]
        acts.sign_act(auction=auction, with_=boss.actor, by=floor.by(Role.SUPERVISOR))
        assert 'id="sign"' not in chief.get(f"/subastas/{auction.pk}/").content.decode()
        compliance = floor.client(Role.COMPLIANCE).get(f"/subastas/{auction.pk}/").content.decode()
        assert 'id="sign"' in compliance


@pytest.mark.rule("BANK-26")
def test_the_auction_tells_when_it_closes_and_what_moved_it(floor: Floor) -> None:
    auction, chief = to_auction(floor), floor.client(Role.SUPERVISOR)
    page = text(chief.get(f"/subastas/{auction.pk}/").content.decode())
    assert re.search(r"cierra a las \d\d:\d\d:\d\d · una puja en los últimos 10 s deja 15 s", page)
    with clock.standing_at(auction.closes_at - dt.timedelta(seconds=2)):
        bid(chief, auction, "3", "100")
        page = text(chief.get(f"/subastas/{auction.pk}/").content.decode())
    assert "lo prorrogó la puja 1" in page


@pytest.mark.rule("BANK-10", "BANK-13", "BANK-22")
def test_an_auction_nobody_may_bid_in_says_so(floor: Floor) -> None:
    auction, chief = to_auction(floor), floor.client(Role.SUPERVISOR)
    assert "Nadie de la mesa puede pujar" not in chief.get(f"/subastas/{auction.pk}/").content.decode()
    for seat in (1, 3):
        absences.mark_away(taking=at(seat), by=floor.by(Role.SUPERVISOR))
    assert "Nadie de la mesa puede pujar ahora" in chief.get(f"/subastas/{auction.pk}/").content.decode()


def test_a_croupier_of_another_table_follows_no_auction_here(floor: Floor) -> None:
    auction = to_auction(floor)
    dealer = floor.client(Role.CROUPIER)
    assert dealer.get(f"/subastas/{auction.pk}/").status_code == 404
    assert bid(dealer, auction, "3", "100").status_code == 404
    as_login(floor.dealer, floor.house.users[Role.CROUPIER])
    assert dealer.get(f"/subastas/{auction.pk}/").status_code == 200


def test_the_pages_are_whole_in_both_languages_and_carry_no_script_or_style(floor: Floor) -> None:
    auction = to_auction(floor)
    places = (
        "/mesas/PB-01/",
        "/mesas/PB-01/tablero/",
        "/mesas/PB-01/banco/",
        f"/sesiones/{floor.sessions[0].pk}/banco/",
        f"/subastas/{auction.pk}/",
        f"/subastas/{auction.pk}/vivo/",
    )
    wrong = []
    for role in (Role.SUPERVISOR, Role.INSPECTOR):
        for language in ("es-bo", "en"):
            for place in places:
                response = floor.client(role, language).get(place)
                said = response.content.decode()
                odd = re.search(r"<script(?![^>]*\ssrc=)|\sstyle=|\son[a-z]+=|\{\{|\{%", said)
                if response.status_code != 200 or odd:
                    wrong.append((role, language, place, response.status_code, odd))
    assert wrong == []
