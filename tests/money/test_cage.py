"""The cage: receipts with the IPJ, voids by two, transfers, counts; every sum worked by hand."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from audits import ledger
from audits.models import Event, Incident
from audits.verify import balances
from casino.kernel.errors import Conflict, Refused, RuleViolation, SabotError
from casino.kernel.permissions import Role
from tables.models import CageOperation
from tables.money import cage, cage_proofs, cage_settings, chip_counts, desks, transfers
from tests.builders import BOB, NIGHT
from tests.money.cage_building import BEFORE, CAPITAL, CASH, CASH_TOTAL, CHIPS, CHIPS_TOTAL, Cage

HUNDRED = {100 * BOB: 1}


def clean(till: Cage) -> bool:
    casino = till.house.casino
    return not [*cage_proofs.ledger_faults(casino), *cage_proofs.told_faults(casino)]


def refused(act: object) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()  # type: ignore[operator]
    return found.value


# ---- selling, redeeming, exchanging ----------------------------------------------------------------


@pytest.mark.rule("REC-03")
def test_a_sale_withholds_the_ipj_on_top_of_the_price(till: Cage) -> None:
    before = balances(till.house.casino)
    sold = till.sell(100 * BOB, HUNDRED, tendered=120 * BOB)
    # 100,00 x 0,87 x 0,15 = 13,05; the player pays 113,05 and gets 6,95 of 120,00 back.
    assert (sold.tax, sold.due, sold.change) == (1_305, 11_305, 695)
    assert sold.label == "V-2026-000001"
    after = balances(till.house.casino)
    moved = {code: after[code] - before.get(code, 0) for code in after if after[code] != before.get(code, 0)}
    # Chips 100 out, 100 in cash; the tax is beside them, in the same drawer and not the house's.
    assert moved == {"cage:1": -10_000, "cage:1:cash": 10_000, "tax:ipj:1": 1_305, "players:cage": -1_305}
    assert clean(till)


@pytest.mark.rule("REC-03")
def test_the_house_may_bear_the_ipj_instead(till: Cage) -> None:
    by = till.house.by(Role.ADMINISTRATOR, reason="resolución de directorio 4")
    cage_settings.set_cage(ipj_on_top=False, orphan_days=90, tip_points={}, by=by)
    sold = till.sell(100 * BOB, HUNDRED)
    assert (sold.tax, sold.due) == (1_305, 10_000)
    # The drawer took 100,00: 86,95 of the house and 13,05 of tax.
    assert ledger.balance(till.house.casino, "cage:1:cash") == CASH_TOTAL + 8_695
    assert ledger.balance(till.house.casino, "tax:ipj:1") == 1_305
    assert clean(till)


def test_a_card_payment_is_in_no_drawer(till: Cage) -> None:
    till.sell(100 * BOB, HUNDRED, means="card")
    found = balances(till.house.casino)
    assert (found["deposits"], found["tax:ipj:deposits"]) == (10_000, 1_305)
    assert found["cage:1:cash"] == CASH_TOTAL
    assert clean(till)


def test_chips_are_redeemed_and_exchanged_at_face(till: Cage) -> None:
    paid = till.redeem({25 * BOB: 4, 100 * BOB: 2})
    # 4 x 25 + 2 x 100 = 300.
    assert (paid.amount, paid.tax, paid.label) == (300 * BOB, 0, "R-2026-000001")
    changed = cage.exchange_chips(
        desk=till.desk, chips_taken=HUNDRED, chips_given={25 * BOB: 4}, by=till.by()
    )
    assert (changed.amount, changed.label) == (100 * BOB, "X-2026-000001")
    found = balances(till.house.casino)
    assert found["cage:1"] == CHIPS_TOTAL + 300 * BOB
    assert found["cage:1:cash"] == CASH_TOTAL - 300 * BOB
    assert clean(till)


@pytest.mark.rule("FLOOR-06")
def test_sums_that_do_not_add_up_are_refused(till: Cage) -> None:
    wrong = refused(lambda: till.sell(150 * BOB, HUNDRED))
    assert (wrong.code, wrong.rule, wrong.field) == ("sum_differs", "FLOOR-06", "chips")
    assert refused(lambda: till.redeem(HUNDRED, amount=99 * BOB)).code == "sum_differs"

    def uneven() -> object:
        given = {25 * BOB: 5}
        return cage.exchange_chips(desk=till.desk, chips_taken=HUNDRED, chips_given=given, by=till.by())

    assert refused(uneven).code == "sum_differs"
    short = refused(lambda: till.sell(100 * BOB, HUNDRED, tendered=113 * BOB))
    assert (short.code, short.detail) == ("tendered_too_little", {"due": 11_305, "tendered": 11_300})
    assert not CageOperation.objects.exists()


@pytest.mark.parametrize(
    ("price", "given", "more", "code"),
    [
        (7 * BOB, {7 * BOB: 1}, {}, "unknown_denomination"),
        (100 * BOB, {100 * BOB: -1}, {}, "bad_count"),
        (0, {}, {}, "bad_amount"),
        (-100 * BOB, {}, {}, "bad_amount"),
        (100 * BOB, HUNDRED, {"means": "shells"}, "unknown_means"),
        (100 * BOB, HUNDRED, {"means": "card", "tendered": 200 * BOB}, "not_tendered"),
    ],
)
def test_what_cannot_be_sold(
    till: Cage, price: int, given: dict[int, int], more: dict[str, Any], code: str
) -> None:
    assert refused(lambda: till.sell(price, given, **more)).code == code


def test_more_cash_than_the_drawer_has_of_the_house_is_refused(till: Cage) -> None:
    till.sell(1_000 * BOB, {1_000 * BOB: 1})
    # 10.000 + 1.000 of the house; the 130,50 of tax beside it pays nobody's chips.
    more = refused(lambda: till.redeem({1_000 * BOB: 11, 100 * BOB: 1}))
    assert (more.code, more.detail) == ("not_enough_cash", {"wanted": 1_110_000})
    assert till.redeem({1_000 * BOB: 11}).amount == 11_000 * BOB


def test_a_desk_that_was_not_counted_sells_nothing(till: Cage) -> None:
    by = till.house.by(Role.ADMINISTRATOR, reason="segunda ventanilla")
    other = desks.set_desk(number=2, name="Ventanilla 2", by=by)
    asked = refused(lambda: cage.sell_chips(desk=other, price=100 * BOB, chips_given=HUNDRED, by=till.by()))
    assert asked.code == "desk_not_open"
    early = refused(lambda: till.sell(100 * BOB, HUNDRED, at=BEFORE - dt.timedelta(minutes=1)))
    assert early.code == "occurred_out_of_order"


# ---- voids -----------------------------------------------------------------------------------------


@pytest.mark.rule("REC-07")
def test_a_receipt_is_voided_by_another_that_two_people_sign(till: Cage) -> None:
    before = balances(till.house.casino)
    sold = till.sell(100 * BOB, HUNDRED)
    undone = till.void(sold)
    assert (undone.label, undone.reverses_id, undone.tax) == ("A-2026-000001", sold.pk, 1_305)
    assert (undone.chips_in, undone.chips_out) == (sold.chips_out, {})
    after = balances(till.house.casino)
    assert {code: value for code, value in after.items() if value} == {
        code: value for code, value in before.items() if value
    }
    again = refused(lambda: till.void(sold))
    assert (again.code, again.rule) == ("receipt_void", "REC-07")
    assert refused(lambda: till.void(undone)).code == "is_a_void"
    assert clean(till)


@pytest.mark.rule("GEN-10")
def test_nobody_voids_alone(till: Cage) -> None:
    sold = till.sell(100 * BOB, HUNDRED)

    def alone() -> object:
        by = till.by(reason="error")
        return cage.void_receipt(operation=sold, approved_by=by.actor, by=by)

    with pytest.raises(RuleViolation) as one:
        alone()
    assert (one.value.code, one.value.rule) == ("same_person", "GEN-10")

    def with_a_dealer() -> object:
        dealer = till.house.users[Role.CROUPIER].actor
        return cage.void_receipt(operation=sold, approved_by=dealer, by=till.by(reason="error"))

    assert refused(with_a_dealer).code == "not_qualified"

    def unsaid() -> object:
        return cage.void_receipt(operation=sold, approved_by=till.other, by=till.by())

    assert refused(unsaid).code == "reason_missing"
    assert CageOperation.objects.count() == 1


@pytest.mark.rule("REC-06")
def test_a_receipt_is_never_changed(till: Cage) -> None:
    sold = till.sell(100 * BOB, HUNDRED)
    with pytest.raises(IntegrityError), transaction.atomic():
        CageOperation.objects.filter(pk=sold.pk).update(amount=1)


# ---- transfers -------------------------------------------------------------------------------------


def test_a_transfer_moves_when_another_person_accepts_it(till: Cage) -> None:
    till.sell(1_000 * BOB, {1_000 * BOB: 1})
    asked = transfers.request_transfer(
        desk=till.desk, direction="to_vault", chips_moved=HUNDRED, cash={200 * BOB: 10}, by=till.by()
    )
    assert (asked.label, asked.state) == ("T-2026-000002", "requested")
    before = balances(till.house.casino)
    own = refused(lambda: transfers.accept_transfer(transfer=asked, by=till.by()))
    assert (own.code, own.rule) == ("same_person", "GEN-10")
    assert balances(till.house.casino) == before
    moved = transfers.accept_transfer(transfer=asked, by=till.other_by())
    after = balances(till.house.casino)
    # 2.000,00 in cash, of which the 130,50 of IPJ withheld at the desk go first; 100 in chips.
    assert moved.ipj == 13_050
    assert after["tax:ipj"] == 13_050
    assert after["tax:ipj:1"] == 0
    assert after["vault:cash"] - before["vault:cash"] == 2_000 * BOB - 13_050
    assert after["cage:1"] - before["cage:1"] == -100 * BOB
    twice = refused(lambda: transfers.accept_transfer(transfer=asked, by=till.other_by()))
    assert twice.code == "transfer_closed"
    assert clean(till)


def test_a_transfer_of_what_is_not_there_is_refused(till: Cage) -> None:
    def ask(direction: str, notes: dict[int, int]) -> object:
        return transfers.request_transfer(
            desk=till.desk, direction=direction, chips_moved={}, cash=notes, by=till.by()
        )

    # 50.000 of capital less the 10.000 in the drawer: 40.000 in the vault.
    short = refused(lambda: ask("to_cage", {200 * BOB: 201}))
    assert (short.code, short.detail["there"]) == ("not_enough_cash", CAPITAL - CASH_TOTAL)
    assert refused(lambda: ask("to_vault", {200 * BOB: 51})).code == "not_enough_cash"
    assert refused(lambda: ask("to_vault", {})).code == "nothing_to_move"
    assert refused(lambda: ask("sideways", {200 * BOB: 1})).code == "unknown_direction"
    assert refused(lambda: ask("to_vault", {300 * BOB: 1})).code == "unknown_denomination"


@pytest.mark.rule("FLOOR-08")
def test_a_transfer_given_up_keeps_its_number(till: Cage) -> None:
    asked = transfers.request_transfer(
        desk=till.desk, direction="to_vault", chips_moved=HUNDRED, cash={}, by=till.by()
    )
    given_up = transfers.cancel_transfer(transfer=asked, by=till.by(reason="no hacía falta"))
    assert (given_up.state, given_up.number) == ("cancelled", 2)
    late = refused(lambda: transfers.accept_transfer(transfer=asked, by=till.other_by()))
    assert late.code == "transfer_closed"
    assert till.transfer("to_vault", HUNDRED, {}).number == 3
    assert clean(till)


# ---- counts ----------------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-05")
@pytest.mark.parametrize(
    ("missing", "kind", "told"),
    [
        (0, None, False),
        (10, None, False),  # under 25 units: kept with its sign, no incident
        (50, "money.cage_difference", False),
        (200, "money.difference", True),  # from 100 units the regulator is told
    ],
)
def test_a_count_keeps_its_difference_with_its_sign(
    till: Cage, missing: int, kind: str | None, told: bool
) -> None:
    notes = dict(CASH)
    if missing:
        piece = missing * BOB
        notes[piece] -= 1
    counted = till.count("closing", CHIPS, notes)
    assert (counted.cash_difference, counted.chips_difference) == (-missing * BOB, 0)
    assert ledger.balance(till.house.casino, "cage:1:cash") == CASH_TOTAL - missing * BOB
    assert ledger.balance(till.house.casino, "over_short:1") == missing * BOB
    incident = counted.incident
    assert (incident.kind if incident else None) == kind
    assert bool(incident and incident.notice_due) is told
    assert clean(till)


@pytest.mark.rule("FLOOR-05")
def test_more_chips_than_there_should_be_are_a_difference_too(till: Cage) -> None:
    counted = till.count("closing", {**CHIPS, 25 * BOB: 41}, CASH)
    assert counted.chips_difference == 25 * BOB
    assert Incident.objects.get().facts["chips_difference"] == 25 * BOB
    # From then on the desk is held to what was counted.
    assert till.count("opening", {**CHIPS, 25 * BOB: 41}, CASH).chips_difference == 0
    assert clean(till)


@pytest.mark.rule("FLOOR-05")
def test_chips_lacking_at_a_desk_are_found_once_whichever_way_it_is_counted(till: Cage) -> None:
    house, place = till.house, f"cage:{till.desk.number}"
    one_less = {**CHIPS, 25 * BOB: 39}
    chip_counts.count_stock(place=place, chips=one_less, with_=till.other, by=till.by())
    assert ledger.balance(house.casino, place) == CHIPS_TOTAL - 25 * BOB
    assert ledger.balance(house.casino, f"over_short:{till.desk.number}") == 25 * BOB
    again = till.count("check", one_less, CASH)
    assert (again.chips_difference, again.cash_difference) == (0, 0)
    assert clean(till)


@pytest.mark.rule("GEN-10")
def test_a_shift_is_counted_open_and_closed_by_two(till: Cage) -> None:
    assert refused(lambda: till.count("opening", CHIPS, CASH)).code == "desk_open"
    till.count("check", CHIPS, CASH)
    till.count("closing", CHIPS, CASH)
    assert refused(lambda: till.count("closing", CHIPS, CASH)).code == "desk_not_open"
    assert refused(lambda: till.sell(100 * BOB, HUNDRED)).code == "desk_not_open"
    till.second = till.house.users[Role.CAGE]
    assert refused(lambda: till.count("opening", CHIPS, CASH)).code == "same_person"


# ---- the proofs ------------------------------------------------------------------------------------


def tampered(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE tables_cageoperation DISABLE TRIGGER USER")
        cursor.execute(sql)
        cursor.execute("ALTER TABLE tables_cageoperation ENABLE TRIGGER USER")


@pytest.mark.rule("REC-06")
def test_the_proofs_find_a_row_that_was_changed(till: Cage) -> None:
    till.sell(100 * BOB, HUNDRED)
    tampered("UPDATE tables_cageoperation SET tax = 0")
    casino = till.house.casino
    assert any("figures" in fault.words.en for fault in cage_proofs.told_faults(casino))
    assert any("tax:ipj:1" in fault.where for fault in cage_proofs.ledger_faults(casino))


@pytest.mark.rule("REC-06")
def test_the_proofs_find_a_receipt_that_is_gone(till: Cage) -> None:
    till.sell(100 * BOB, HUNDRED)
    tampered("DELETE FROM tables_cageoperation")
    codes = {fault.code for fault in cage_proofs.told_faults(till.house.casino)}
    assert codes == {"trail_differs", "receipt_numbers"}


def test_an_event_reads_alone(till: Cage) -> None:
    till.sell(100 * BOB, HUNDRED)
    event = Event.objects.get(action="tables.cage.sold")
    assert event.subject_label == "V-2026-000001"
    assert event.stream.name == f"cage:{till.desk.pk}"
    assert event.occurred == NIGHT
    assert isinstance(refused(lambda: till.redeem({})), Refused)
    assert issubclass(Conflict, SabotError)
