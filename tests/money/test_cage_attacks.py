"""The cage attacked: what somebody who knows its forms would try, each column changed by hand (REC-06)."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import chain
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from audits.models import Incident
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables.models import CageCount, CageTransfer, Orphan, TipDistribution
from tables.money import (
    cage,
    cage_proofs,
    cage_settings,
    desks,
    drawer,
    funds,
    orphans,
    tax_figures,
    taxes,
    tips,
    transfers,
)
from tests.builders import BOB, CLOSING_TIME, FLOAT, NIGHT, PASSWORD, House
from tests.money.cage_building import CASH, CASH_TOTAL, CHIPS, Cage
from tests.money.slip_builders import stocked

HUNDRED = {100 * BOB: 1}
HOUR = dt.timedelta(hours=1)


def refused(act: Callable[[], object]) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()
    return found.value


def clean(house: House) -> bool:
    """Up to the first fault: each is a query."""
    faults = chain(cage_proofs.told_faults(house.casino), cage_proofs.ledger_faults(house.casino))
    return next(faults, None) is None


# ---- the hour stated -------------------------------------------------------------------------------


def test_a_receipt_is_not_voided_before_it_was_made(till: Cage) -> None:
    sold = till.sell(100 * BOB, HUNDRED, at=NIGHT + HOUR)
    assert refused(lambda: till.void(sold, at=NIGHT)).code == "occurred_out_of_order"
    assert till.void(sold, at=NIGHT + HOUR).reverses_id == sold.pk


def test_a_count_is_not_stated_before_what_it_is_compared_with(till: Cage) -> None:
    till.sell(100 * BOB, HUNDRED, at=NIGHT + HOUR)
    assert refused(lambda: till.count("check", CHIPS, CASH)).code == "occurred_out_of_order"
    moved = till.transfer("to_vault", {}, {200 * BOB: 1}, at=NIGHT + 2 * HOUR)
    assert moved.state == "accepted"
    early = refused(lambda: till.count("check", CHIPS, CASH, at=NIGHT + HOUR))
    assert early.code == "occurred_out_of_order"


def test_a_shift_opened_by_who_waited_for_the_desk_is_open(till: Cage) -> None:
    till.count("closing", CHIPS, CASH, at=NIGHT)
    till.count("opening", CHIPS, CASH, at=NIGHT - dt.timedelta(seconds=1))
    assert drawer.is_open(till.desk)
    assert till.sell(100 * BOB, HUNDRED).label == "V-2026-000001"


def test_a_drop_is_not_carried_before_its_table_closed(till: Cage) -> None:
    session = till.house.close(till.house.open_table(), FLOAT, drop=1_000 * BOB)

    def carry(at: dt.datetime) -> object:
        return funds.carry_drop(session=session, document="Acta 3", with_=till.other, by=till.by(at))

    assert refused(lambda: carry(NIGHT)).code == "occurred_out_of_order"
    assert carry(CLOSING_TIME)


@pytest.mark.rule("FLOOR-05")
def test_chips_too_many_do_not_hide_chips_that_are_missing(till: Cage) -> None:
    stocked(till.house)
    # A chip of 500 is missing and five of 100 are too many: nothing in money, 1.000 in chips.
    counted = till.count("check", {**CHIPS, 500 * BOB: 9, 100 * BOB: 45}, CASH)
    assert (counted.chips_difference, counted.cash_difference) == (0, 0)
    assert counted.chips_off == {str(100 * BOB): 5, str(500 * BOB): -1}
    assert counted.incident is not None
    assert counted.incident.notice_due is not None
    assert clean(till.house)


# ---- money that is not the house's -----------------------------------------------------------------


@pytest.mark.rule("REC-03")
def test_a_void_gives_back_its_own_tax_and_nobody_elses(till: Cage) -> None:
    sold = till.sell(1_000 * BOB, {1_000 * BOB: 1})
    till.sell(1_000 * BOB, {500 * BOB: 2})
    # 12.000 of the house; all of it is paid out, 261,00 of tax are left beside.
    till.redeem({1_000 * BOB: 12})
    assert (drawer.house_cash(till.desk), drawer.held_tax(till.desk)) == (0, 26_100)
    short = refused(lambda: till.void(sold))
    # The 1.000,00 would have to come out of the other sale's tax: 130,50 is there, 1.130,50 is due.
    assert (short.code, short.detail) == ("not_enough_cash", {"wanted": 113_050})


@pytest.mark.rule("REC-03")
def test_tax_given_back_after_it_went_to_the_vault_is_not_paid_out_again(till: Cage) -> None:
    sold = till.sell(1_000 * BOB, {1_000 * BOB: 1})
    till.transfer("to_vault", {}, {200 * BOB: 1})  # of which 130,50 are the tax
    till.void(sold)
    # In the drawer lie 10.000,00 - 200,00 - 130,50 + 130,50 - 130,50 ... in all 9.800,00.
    assert drawer.drawer_cash(till.desk) == CASH_TOTAL - 200 * BOB
    assert drawer.held_tax(till.desk) == -13_050
    much = refused(lambda: till.redeem({100 * BOB: 98, 1 * BOB: 1}))
    assert (much.code, much.detail) == ("not_enough_cash", {"wanted": 9_801 * BOB})
    assert till.redeem({100 * BOB: 98}).amount == 9_800 * BOB
    assert clean(till.house)


@pytest.mark.parametrize("amount", [1.5, True, 0, -1, 10**14])
def test_funds_move_by_whole_centavos_above_zero(till: Cage, amount: Any) -> None:
    def bring() -> object:
        return funds.bring_capital(amount=amount, document="Acta 9", with_=till.other, by=till.by())

    assert refused(bring).code == "bad_amount"


@pytest.mark.rule("FLOOR-15")
def test_play_is_stopped_once(till: Cage) -> None:
    house = till.house

    def stop() -> Incident:
        return funds.stop_for_funds(by=house.by(Role.PIT_BOSS, NIGHT, "no hay efectivo"))

    house.open_table()
    told = stop()
    again = refused(stop)
    assert (again.code, again.detail["incident"]) == ("stopped_already", told.label)
    assert Incident.objects.filter(kind=funds.STOPPED).count() == 1


def test_a_desk_goes_out_of_service_empty_and_with_nothing_on_its_way(till: Cage) -> None:
    def close(at: dt.datetime = NIGHT) -> object:
        by = till.house.by(Role.ADMINISTRATOR, at, "se cierra la ventanilla")
        return desks.set_desk(number=1, name="Ventanilla 1", active=False, desk=till.desk, by=by)

    till.sell(1_000 * BOB, {1_000 * BOB: 1})
    till.transfer("to_vault", {**CHIPS, 1_000 * BOB: 4}, {})
    # 10.000 of the house, 1.000 of the sale and its 130,50 of tax: the tax alone keeps it in service too.
    till.redeem({1_000 * BOB: 11})
    till.transfer("to_vault", {1_000 * BOB: 11}, {})
    assert (drawer.chips_worth(till.desk), drawer.house_cash(till.desk)) == (0, 0)
    assert drawer.drawer_cash(till.desk) == 13_050
    assert refused(close).code == "desk_in_use"
    till.transfer("to_vault", {}, {100 * BOB: 1, 20 * BOB: 1, 10 * BOB: 1, 50: 1})
    waiting = transfers.request_transfer(
        desk=till.desk, direction="to_cage", chips_moved={}, cash={100 * BOB: 1}, by=till.by()
    )
    assert refused(close).code == "desk_in_use"
    transfers.cancel_transfer(transfer=waiting, by=till.by(reason="se cierra"))
    assert close()


def test_chips_that_are_gone_are_not_given_back(till: Cage) -> None:
    paid = till.redeem({500 * BOB: 1})
    changed = cage.exchange_chips(
        desk=till.desk, chips_taken={1_000 * BOB: 1}, chips_given={500 * BOB: 2}, by=till.by()
    )
    stocked(till.house)  # from here on the desk is held to its chips: 10 + 1 - 2 of 500
    till.sell(4_500 * BOB, {500 * BOB: 9})
    gone = refused(lambda: till.void(paid))
    assert (gone.code, gone.detail["denomination"]) == ("not_enough_chips", 500 * BOB)
    # What was changed comes back as it went: two of 500 in, one of 1.000 out.
    assert till.void(changed).chips_in == {str(500 * BOB): 2}
    assert clean(till.house)


# ---- tips ------------------------------------------------------------------------------------------


def test_hours_that_came_after_the_draft_make_it_stale(stand: House) -> None:
    def draft() -> TipDistribution:
        return tips.draft_tips(day=first.day, by=stand.by(Role.SUPERVISOR, CLOSING_TIME + HOUR))

    def approve(at: dt.datetime) -> TipDistribution:
        with_ = stand.users[Role.COMPLIANCE].actor
        return tips.approve_tips(distribution=held, with_=with_, by=stand.by(Role.PIT_BOSS, at))

    first = stand.close(stand.open_table(), FLOAT)
    tips.enter_tips(session=first, chips_counted=HUNDRED, by=stand.by(Role.CAGE, CLOSING_TIME))
    held = draft()
    assert refused(lambda: approve(CLOSING_TIME)).code == "occurred_out_of_order"
    later = CLOSING_TIME + HOUR
    second = stand.open_table(at=later, dealer=1, supervisor=1)
    assert refused(lambda: approve(later)).code == "sessions_open"
    stand.close(second, FLOAT, at=later + HOUR)
    assert refused(lambda: approve(later + HOUR)).code == "draft_stale"
    held = draft()
    assert approve(later + HOUR).state == "approved"
    assert clean(stand)


# ---- one form, one act -----------------------------------------------------------------------------


def test_each_form_sent_twice_is_one_act(till: Cage) -> None:
    house, cashier = till.house, Client()
    cashier.force_login(house.users[Role.CAGE])

    def twice(path: str, typed: dict[str, Any]) -> None:
        number = cashier.get(path).content.decode().partition('name="form" value="')[2].partition('"')[0]
        answers = [cashier.post(path, {"form": number, **typed}) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [302, 302]

    twice("/caja/traspasos/", {"desk": till.desk.pk, "direction": "to_vault", f"c_{200 * BOB}": "5"})
    assert CageTransfer.objects.filter(state="requested").count() == 1
    people = {"found_by": house.dealers[0].pk, "witness": house.supervisors[0].pk}
    twice("/sin-dueno/", {"kind": "chips", "place": "baño", f"n_{100 * BOB}": "2", **people})
    assert Orphan.objects.count() == 1
    counted: dict[str, Any] = {f"n_{value}": number for value, number in CHIPS.items()}
    counted |= {f"c_{value}": number for value, number in CASH.items()}
    counted |= {"moment": "check", "second": till.second.username, "second_password": PASSWORD}
    before = CageCount.objects.count()
    twice("/caja/1/arqueo/", counted)
    assert CageCount.objects.count() == before + 1


# ---- arithmetic, by another hand -------------------------------------------------------------------


@pytest.mark.rule("REC-03")
def test_the_ipj_by_fractions() -> None:
    def half_up(exact: Fraction) -> int:
        return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)

    dice = random.Random(5)
    for price in [dice.randrange(1, 10 ** dice.randrange(1, 13)) for _ in range(2_000)]:
        base = half_up(Fraction(price) * Fraction(87, 100))
        found = taxes.ipj(price)
        assert (found.base, found.tax) == (base, half_up(Fraction(base) * Fraction(15, 100)))


@pytest.mark.rule("REC-05")
def test_a_month_by_plain_sql(till: Cage) -> None:
    sold = [till.sell(price, {price: 1}) for price in (1_000 * BOB, 500 * BOB, 25 * BOB, 5 * BOB)]
    till.redeem({100 * BOB: 7})
    till.void(sold[1])
    till.sell(100 * BOB, HUNDRED, means="card")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(amount * sign) FILTER (WHERE kind = 'sale'), sum(tax * sign),"
            " sum(amount * sign) FILTER (WHERE kind = 'redemption')"
            " FROM (SELECT *, CASE WHEN reverses_id IS NULL THEN 1 ELSE -1 END AS sign"
            " FROM tables_cageoperation WHERE casino_id = %s) r",
            [till.house.casino.pk],
        )
        expected = cursor.fetchone()
    found = tax_figures.of_month(till.house.casino, 2026, 11).inputs
    assert (found.sold_cage, found.withheld, found.redeemed) == expected
    assert expected[0] == (1_000 + 25 + 5 + 100) * BOB


# ---- raw SQL ---------------------------------------------------------------------------------------


def told_again(table: str, kind: str, column: str) -> str:
    """Another value of the column's type, as SQL."""
    if column.endswith("_id"):
        return f"coalesce({column}, 0) + 1"
    if column == "reference":  # each row its own: a prize is paid once
        return "'PR-' || id"
    return {
        "bigint": f"coalesce({column}, 0) + 1",
        "integer": f"{column} + 1",
        "smallint": f"{column} + 1",
        "boolean": f"NOT {column}",
        "jsonb": """'{"100": 77}'::jsonb""",
        "date": f"{column} + 1",
        "timestamp with time zone": f"coalesce({column}, now()) + interval '1 minute'",
    }.get(kind, f"left({column} || 'x', 1) || 'z'" if column != "series" else "'Z'")


def columns_of(table: str) -> list[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name, data_type FROM information_schema.columns"
            " WHERE table_schema = 'public' AND table_name = %s AND column_name <> 'id' ORDER BY 1",
            [table],
        )
        return cursor.fetchall()


def unseen(house: House, table: str) -> list[str]:
    """The columns of a table that can be changed in every row without a proof saying so."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype NOT IN ('p', 'n')",
            [table],
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
        for column, kind in columns_of(table):
            with transaction.atomic():
                cursor.execute(f"UPDATE {table} SET {column} = {told_again(table, kind, column)}")
                if clean(house):
                    found.append(column)
                transaction.set_rollback(True)
    return found


@pytest.mark.rule("REC-06")
def test_no_column_is_changed_unseen(till: Cage) -> None:
    house = till.house
    cage_settings.set_cage(
        ipj_on_top=True, orphan_days=5, tip_points={}, by=house.by(Role.ADMINISTRATOR, reason="plazo")
    )
    till.void(till.sell(100 * BOB, HUNDRED, tendered=200 * BOB))
    till.transfer("to_vault", HUNDRED, {200 * BOB: 1})
    asked = transfers.request_transfer(
        desk=till.desk, direction="to_vault", chips_moved=HUNDRED, cash={}, by=till.by()
    )
    transfers.cancel_transfer(transfer=asked, by=till.by(reason="no hacía falta"))
    till.count("closing", {**CHIPS, 25 * BOB: 40}, {**CASH, 200 * BOB: 38})
    session = house.close(house.open_table(), FLOAT, drop=1_000 * BOB)
    funds.carry_drop(session=session, document="Acta 3", with_=till.other, by=till.by(CLOSING_TIME))
    tips.enter_tips(session=session, chips_counted=HUNDRED, by=till.by(CLOSING_TIME))
    held = tips.draft_tips(day=session.day, by=till.by(CLOSING_TIME))
    boss, compliance = house.users[Role.PIT_BOSS].actor, house.by(Role.COMPLIANCE, CLOSING_TIME)
    tips.approve_tips(distribution=held, with_=boss, by=compliance)
    kept = [
        orphans.enter_orphan(
            kind="chips", chips_found=HUNDRED, found_by=house.dealers[0], witness=house.supervisors[0],
            session=session, place="silla 4", by=till.by(CLOSING_TIME),
        )
        for _ in range(2)
    ]  # fmt: skip
    orphans.return_orphan(
        orphan=kept[0], claimant="Ana", document="4815162342", with_=boss, by=till.by(CLOSING_TIME)
    )
    late = house.by(Role.COMPLIANCE, CLOSING_TIME + dt.timedelta(days=6), "nadie la reclamó")
    orphans.pass_orphan(orphan=kept[1], with_=boss, by=late)
    assert clean(house)
    tables = (
        "cageoperation", "cagetransfer", "cagecount", "fundmove", "tipentry", "tipdistribution", "orphan",
        "cagesettings",
    )  # fmt: skip
    assert {table: unseen(house, f"tables_{table}") for table in tables} == {table: [] for table in tables}
