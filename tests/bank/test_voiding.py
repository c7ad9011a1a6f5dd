"""A voided round gives its bank back to what it was, unless the bank went on meanwhile (REC-07)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from casino.kernel.permissions import Role
from tables import rounds
from tables.bank import passing
from tables.models import Round
from tests.bank.builders import BANCA_WINS, PUNTO_WINS, BankTable, bank_table
from tests.builders import BOB, House
from tests.tables.refusing import refused

BET: dict[str, Any] = {"e": "bet", "seat": 1, "spot": "punto", "amount": 50 * BOB}


def void(table: BankTable, round: Round) -> Round:
    by = table.by(Role.PIT_BOSS, reason="se registró dos veces")
    beside = table.house.users[Role.SUPERVISOR].actor
    return rounds.void(round=round, approved_by=beside, cards_came_out=True, by=by)


def begun(table: BankTable) -> Round:
    """A round in progress: one bet of 50 on punto."""
    table.session.refresh_from_db()
    number = table.session.last_round + 1
    by = table.by(Role.PIT_BOSS)
    return rounds.play(session=table.session, number=number, step=0, events=[BET], by=by)


@pytest.mark.rule("REC-07")
def test_a_round_is_not_voided_under_one_that_began_with_what_it_left(house: House) -> None:
    """500 and won 100 less 5: the round in progress began with 595, and must be given up first."""
    table = bank_table(house, 1, 5)
    bank = table.open(5, 500 * BOB)
    won = table.play(BANCA_WINS, {1: 100 * BOB})
    playing = begun(table)
    assert playing.log[0]["amount"] == 595 * BOB
    with refused("bank_moved_on", "REC-07"):
        void(table, won)
    by = table.by(Role.PIT_BOSS, reason="mal repartido")
    rounds.abandon(session=table.session, number=playing.number, step=len(playing.log), by=by)
    void(table, won)
    bank.refresh_from_db()
    assert (bank.amount, bank.deals, table.held(bank)) == (500 * BOB, 0, 500 * BOB)


@pytest.mark.rule("BANK-04", "REC-07")
def test_a_lost_hand_voided_gives_the_bank_back_until_somebody_answered(house: House) -> None:
    table = bank_table(house, 1, 2, 5)
    bank = table.open(5, 500 * BOB)
    void(table, table.play(PUNTO_WINS, {1: 100 * BOB}))
    bank.refresh_from_db()
    assert (bank.state, bank.amount, table.held(bank)) == ("held", 500 * BOB, 500 * BOB)
    assert table.passage().result == "undone"
    lost = table.play(PUNTO_WINS, {1: 100 * BOB})
    passing.decline_bank(passage=table.passage(), taking=table.at(2), by=table.by())
    with refused("bank_moved_on", "REC-07"):
        void(table, lost)


@pytest.mark.rule("BANK-17")
def test_a_round_against_another_bank_than_the_one_on_record_is_given_up(house: House) -> None:
    """As a house would have one in progress when it begins to keep its banks here."""
    table = bank_table(house, 1, 5)
    bank = table.open(5, 500 * BOB)
    playing = begun(table)
    events = [
        {"e": "close"},
        *({"e": "card", "to": to, "card": card} for to, card in zip(
            ("punto", "banca") * 2, table.dealt(BANCA_WINS), strict=True
        )),
    ]  # fmt: skip
    by = table.by(Role.PIT_BOSS)
    played = rounds.play(session=table.session, number=playing.number, step=2, events=events, by=by)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tables_bank SET amount = amount + 100 WHERE id = %s", [bank.pk])
    with refused("bank_differs", "BANK-17"):
        rounds.settle(
            session=table.session, number=played.number, step=len(played.log), by=table.by(Role.PIT_BOSS)
        )
