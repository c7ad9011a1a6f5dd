"""The reports of banks and auctions, in figures worked out by hand, and the act on paper and by program."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.test import Client

from audits.reports import registered
from audits.reports.document import prepare
from audits.reports.formats import WRITERS
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from tables.bank import opening, passing, verify_act
from tables.models import Auction, AuctionSignature
from tests.bank.auction_nights import deposited, passed, sealed, sign, tied
from tests.bank.builders import PUNTO_WINS, BankTable
from tests.builders import BOB, PASSWORD, House


def rows_of(house: House, identifier: str, **params: Any) -> list[list[Any]]:
    """The rows of each section of a report, and its totals as one more of the first."""
    sections = registered()[identifier].sections(house.casino, params)
    return [[dict(row) for row in section.rows()] for section in sections]


def span(table: BankTable) -> dict[str, Any]:
    day = table.session.day.date
    return {"first": day, "last": day}


@pytest.mark.rule("BANK-05", "BANK-14", "BANK-18")
def test_the_banks_of_a_session_add_up(house: House) -> None:
    """Bank 1: 500, won 100 less 5 % = 95, 595 back. Bank 2: 595 by turn, 5 added, 100 lost, 500 back."""
    table = passed(house, 2, 4)
    passing.take_bank(passage=table.passage(), taking=table.at(4), amount=595 * BOB, by=table.by())
    bank = table.bank()
    assert bank is not None
    opening.add_to_bank(bank=bank, amount=5 * BOB, by=table.by())
    table.play(PUNTO_WINS, {2: 100 * BOB})
    banks, offers = rows_of(house, "tables.banks", session=table.session)
    figures = ("number", "opening", "added", "rounds", "won", "deduction", "aside", "returned", "left")
    assert [tuple(row[key] for key in figures) for row in banks] == [
        (1, 500 * BOB, 0, 1, 95 * BOB, 5 * BOB, 0, 595 * BOB, 0),
        (2, 595 * BOB, 5 * BOB, 1, -100 * BOB, 0, 0, 500 * BOB, 0),
    ]
    assert [(row["banker"], row["how"].es, row["ending"].es) for row in banks] == [
        ("5 · J5", "primer banco", "lo pasó"),
        ("4 · J4", "por turno", "perdió la mano"),
    ]
    assert [(row["bank"], row["seat"], row["answer"].en, row["amount"]) for row in offers] == [
        (1, 4, "takes it", 595 * BOB)
    ]
    section = registered()["tables.banks"].sections(house.casino, {"session": table.session})[0]
    assert section.totals is not None
    totals = section.totals()
    assert (totals["rounds"], totals["won"], totals["deduction"], totals["left"]) == (2, -5 * BOB, 5 * BOB, 0)
    assert "opening" not in totals and "returned" not in totals  # the same chips, time and again
    report, label = registered()["tables.banks"], table.session.label
    assert report.file_stem({"session": table.session}) == "tables-banks-" + "-".join(
        label.replace("·", " ").split()
    )


@pytest.mark.rule("BANK-10", "BANK-26")
def test_the_auctions_of_a_day_and_their_bids(house: House) -> None:
    table = passed(house, 2, 4)
    auction = deposited(table, sealed(table), 95 * BOB)
    sign(table, auction)
    listed, bids = rows_of(house, "tables.auctions", **span(table))
    assert [(r["label"], r["bids"], r["out"], r["winner"], r["amount"], r["deposit"]) for r in listed] == [
        ("SUB-2026-00001", 2, 1, "2 · J2", 90 * BOB, 95 * BOB)
    ]
    assert listed[0]["state"] == Text("adjudicada", "awarded")
    assert listed[0]["signed"] == "Persona supervisor, Persona compliance"
    assert [(row["number"], row["seat"], row["amount"]) for row in bids] == [
        (1, 4, 80 * BOB),
        (2, 2, 90 * BOB),
    ]


@pytest.mark.rule("BANK-26")
def test_the_report_does_not_open_an_envelope_before_the_close(house: House) -> None:
    table = passed(house, 2, 4)
    auction = table.auction("sealed")
    table.bid(auction, 2, 40 * BOB)
    listed, bids = rows_of(house, "tables.auctions", **span(table))
    assert (listed[0]["bids"], listed[0]["amount"], listed[0]["winner"]) == (1, None, "")
    assert [row["amount"] for row in bids] == [None]


@pytest.mark.parametrize("language", ["es-bo", "en"])
@pytest.mark.parametrize("name", sorted(WRITERS))
def test_every_format_writes_them(house: House, tmp_path: Any, name: str, language: str) -> None:
    table = passed(house, 2, 4, 7)
    auction = deposited(table, tied(table), 60 * BOB)
    for identifier, params in (
        ("tables.banks", {"session": table.session}),
        ("tables.auctions", span(table)),
        ("tables.auction_act", {"auction": auction}),
    ):
        document = prepare(registered()[identifier], house.casino, params, language)
        path = tmp_path / f"{identifier}.{name}"
        WRITERS[name](document, path, lambda _rows: None)
        assert path.stat().st_size > 500


# ---- the act on its pages ------------------------------------------------------------------------------


def browser(house: House, role: Role) -> Client:
    client = Client()
    client.force_login(house.users[role])
    return client


def finished(house: House) -> tuple[BankTable, Auction]:
    table = passed(house, 2, 4, 7)
    return table, deposited(table, tied(table), 60 * BOB)


@pytest.mark.rule("BANK-26")
def test_the_act_is_a_pdf_to_sign_and_a_record_to_verify(house: House) -> None:
    _table, auction = finished(house)
    inspector = browser(house, Role.INSPECTOR)
    paper = inspector.get(f"/subastas/{auction.pk}/acta.pdf")
    assert (paper["Content-Type"], paper.content[:5]) == ("application/pdf", b"%PDF-")
    record = inspector.get(f"/subastas/{auction.pk}/acta.json")
    assert record["Content-Disposition"] == 'attachment; filename="acta-SUB-2026-00001.json"'
    act = verify_act.read(record.content.decode())
    assert act["auction"]["label"] == "SUB-2026-00001"
    assert len(list(verify_act.verify(act))) == len(verify_act.CHECKS)
    assert json.loads(record.content)["digest"] == act["digest"]


@pytest.mark.rule("BANK-11", "BANK-17", "BANK-26")
def test_the_act_on_paper_tells_its_figures_and_every_instant_in_one_zone(house: House) -> None:
    _table, auction = finished(house)
    report, params = registered()["tables.auction_act"], {"auction": auction}
    assert {"BANK-11", "BANK-14", "BANK-15", "BANK-17"} <= set(report.rules)
    document = prepare(report, house.casino, params, "es-bo")
    told = dict(document.particulars)
    assert told["Puja inicial e incremento"] == "10,00, de 1,00 en 1,00"
    planned = auction.opened_at + dt.timedelta(seconds=60)
    assert told["Cierre previsto"] == f"{planned:%Y-%m-%d %H:%M:%S.%f} UTC"
    assert told["Cierre"] == "como estaba previsto"
    assert told["Horas"] == "todas en UTC; en la casa, America/La_Paz (UTC-0400)"
    rows = [row for section in document.sections for row in section.rows()]
    assert not [cell for row in rows for cell in row.values() if isinstance(cell, dt.datetime)]


@pytest.mark.rule("BANK-26")
@pytest.mark.parametrize("page", ["acta.pdf", "acta.json"])
def test_an_open_auction_shows_no_act(house: House, page: str) -> None:
    table = passed(house, 2, 4)
    auction = table.auction("sealed")
    assert browser(house, Role.INSPECTOR).get(f"/subastas/{auction.pk}/{page}").status_code == 404


@pytest.mark.rule("GEN-10")
def test_two_sign_on_one_screen_and_a_wrong_password_signs_nothing(house: House) -> None:
    table, auction = finished(house)
    page = f"/subastas/{auction.pk}/firmar/"
    chief, beside = browser(house, Role.SUPERVISOR), house.users[Role.COMPLIANCE].username
    with clock.standing_at(table.by().occurred_at):
        wrong = chief.post(page, {"second": beside, "second_password": "otra"})
        assert (wrong.status_code, AuctionSignature.objects.count()) == (401, 0)
        own = chief.post(page, {"second": house.users[Role.SUPERVISOR].username, "second_password": PASSWORD})
        assert (own.status_code, AuctionSignature.objects.count()) == (422, 0)
        assert chief.post(page, {"second": beside, "second_password": PASSWORD}).status_code == 302
        assert chief.post(page, {"second": beside, "second_password": PASSWORD}).status_code == 422
    assert AuctionSignature.objects.count() == 2
