"""Slips and chips under attack: one person in two of the four signatures, a desk closed meanwhile, instants
before a count, and rows that somebody with the database in hand wrote beside the rest.
"""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection, transaction

from audits import ledger
from casino.kernel import clock
from casino.kernel.errors import Conflict, NotFound, Refused, RuleViolation
from casino.kernel.permissions import Role
from casino.models import User
from tables import people
from tables.models import CageDesk, ChipMove, Staff
from tables.money import cage, chip_counts, chip_move_proofs, desks, inventory, orphans, slip_proofs, slips
from tests.builders import BOB, FOUNDED, NIGHT, House, a_house
from tests.money.cage_building import CASH_TOTAL, CHIPS, a_cage, in_notes
from tests.money.slip_builders import LATER, Counter, a_counter, a_desk, stocked
from tests.money.test_slips import refusal

MINUTE = dt.timedelta(minutes=1)


def with_login(house: House, staff: Staff, user: User) -> None:
    """The dealer gets a login: the same person at the table and at the screen."""
    people.set_staff(
        staff=staff, number=staff.number, name=staff.name, licence=staff.licence, user=user,
        licence_expires=staff.licence_expires, games=staff.games,
        by=house.by(Role.ADMINISTRATOR, FOUNDED, "usuario propio"),
    )  # fmt: skip
    staff.refresh_from_db()


# ---- four signatures, four people --------------------------------------------------------------------


@pytest.mark.rule("FLOOR-07", "GEN-10")
@pytest.mark.parametrize("role", [Role.SUPERVISOR, Role.CAGE, Role.PIT_BOSS])
def test_the_dealer_who_signs_took_no_other_step(house: House, role: Role) -> None:
    """Who asked, who issued, who verifies: none of them signs as dealer as well."""
    counter = a_counter(house)
    slip = counter.issued()
    with_login(house, house.dealers[0], house.users[role])
    refused = refusal(RuleViolation, "same_person", lambda: counter.verify(slip))
    assert (refused.rule, refused.field) == ("GEN-10", "dealer")


@pytest.mark.rule("FLOOR-07", "GEN-10")
@pytest.mark.parametrize(
    "runner", ["Persona  CAGE", "persona cage", "Pérsona Cage", "Persona cage.", "Persona supervisor"]
)
def test_the_runner_is_not_another_spelling_of_who_signs(house: House, runner: str) -> None:
    counter = a_counter(house)
    slip = counter.ask()
    refusal(
        RuleViolation,
        "same_person",
        lambda: slips.issue_slip(slip=slip, runner=runner, by=house.by(Role.CAGE, LATER)),
    )


@pytest.mark.rule("FLOOR-07", "GEN-10")
def test_the_runner_neither_verifies_nor_deals(house: House) -> None:
    """The runner is a name on paper: that of the chief who verifies, or of the dealer, is refused then."""
    counter = a_counter(house)
    for runner in (house.users[Role.PIT_BOSS].actor.name, house.dealers[0].name):
        slip = slips.issue_slip(slip=counter.ask(), runner=runner, by=house.by(Role.CAGE, LATER))
        refusal(RuleViolation, "same_person", lambda slip=slip: counter.verify(slip))
        counter.void(slip)


# ---- desks -------------------------------------------------------------------------------------------


def test_a_desk_closed_meanwhile_or_of_another_house_gives_nothing(house: House) -> None:
    """Held as it was before it was closed, as a page does that was opened earlier."""
    counter = a_counter(house)
    counter.desk = a_desk(house, 2)
    stale = CageDesk.objects.get(pk=counter.desk.pk)
    by = house.by(Role.ADMINISTRATOR, reason="cierre")
    desks.set_desk(number=2, name="Caja 2", active=False, desk=counter.desk, by=by)
    counter.desk = stale
    refusal(Conflict, "desk_out_of_service", counter.ask)
    counter.desk = a_desk(a_house())
    refusal(NotFound, "not_found", counter.ask)


@pytest.mark.rule("FLOOR-05")
def test_chips_do_not_move_before_a_count_that_saw_them(house: House) -> None:
    counter = a_counter(house)
    fill, credit = counter.ask(), counter.issued("credit")
    chip_counts.count_stock(
        place="cage:1",
        chips={},
        with_=house.users[Role.COMPLIANCE].actor,
        by=house.by(Role.CAGE, LATER + 2 * MINUTE),
    )
    for late in (lambda: counter.issue(fill), lambda: counter.verify(credit)):
        refusal(Refused, "occurred_out_of_order", late)
    counter.issue(fill, at=LATER + 3 * MINUTE)
    counter.verify(credit, at=LATER + 3 * MINUTE)


# ---- every move is told ------------------------------------------------------------------------------


@pytest.mark.rule("REC-06")
def test_whatever_moves_chips_the_proof_knows_it(house: House) -> None:
    """Sold, redeemed, exchanged, each void, transferred both ways, counted off, orphaned and passed; a table
    opened, and closed with chips gone and chips brought: nothing of it is a fault."""
    stocked(house, dict.fromkeys(CHIPS, 500))
    till = a_cage(house)
    sold = till.sell(100 * BOB, {100 * BOB: 1})
    back = till.redeem({100 * BOB: 1})
    changed = cage.exchange_chips(
        desk=till.desk, chips_taken={25 * BOB: 4}, chips_given={25 * BOB: 2, 5 * BOB: 10}, by=till.by()
    )
    for operation in (changed, back, sold):
        till.void(operation, at=NIGHT + MINUTE)
    till.transfer("to_vault", {25 * BOB: 1}, {}, at=NIGHT + 2 * MINUTE)
    off = {**CHIPS, 25 * BOB: 41, 100 * BOB: 38, 5 * BOB: 51}
    till.count("check", off, in_notes(house, CASH_TOTAL), at=NIGHT + 3 * MINUTE)
    session = house.open_table(at=NIGHT + 4 * MINUTE)
    house.close(session, {25 * BOB: 90, 100 * BOB: 101, 1_000 * BOB: 1})
    kept = orphans.enter_orphan(
        kind="chips", session=None, chips_found={100 * BOB: 3}, found_by=house.dealers[0],
        witness=house.supervisors[0], place="baño", by=house.by(Role.SUPERVISOR),
    )  # fmt: skip
    after = dt.datetime.combine(kept.keep_until, NIGHT.time(), dt.UTC) + dt.timedelta(days=1)
    with clock.standing_at(after):
        by = house.by(Role.COMPLIANCE, after, "nadie la reclamó")
        orphans.pass_orphan(orphan=kept, with_=house.users[Role.CAGE].actor, by=by)
    kinds = {
        "received", "opening", "closing", "public", "count", "transfer", "orphan",
        "cage_sale", "cage_redemption", "cage_exchange",
    }  # fmt: skip
    assert set(ChipMove.objects.values_list("kind", flat=True)) == kinds
    assert list(chip_move_proofs.move_faults(house.casino)) == []
    assert list(slip_proofs.slip_money_faults(house.casino)) == []


# ---- the database's owner ----------------------------------------------------------------------------

_MOVE = (
    "INSERT INTO tables_chipmove (casino_id, event_id, kind, denomination, number, source, target)"
    " SELECT casino_id, event_id, '{kind}', denomination, 1, 'vault', 'public' FROM tables_chipmove LIMIT 1"
)
_STOCK = (
    "UPDATE tables_chipstock k SET number = k.number - 1 FROM (SELECT * FROM tables_chipmove"
    " ORDER BY id DESC LIMIT 1) m WHERE k.place = 'vault' AND k.denomination = m.denomination;"
    "INSERT INTO tables_chipstock (casino_id, place, denomination, number)"
    " SELECT casino_id, 'public', denomination, 1 FROM tables_chipmove ORDER BY id DESC LIMIT 1"
)
_TRANSFER = (
    "WITH t AS (INSERT INTO audits_transfer (casino_id, event_id, kind, day, occurred, lines)"
    " SELECT casino_id, event_id, 'adjust', day, occurred, 2 FROM audits_transfer WHERE kind = 'fill'"
    " RETURNING id, casino_id)"
    " INSERT INTO audits_posting (casino_id, transfer_id, account_id, debit, credit, memo)"
    " SELECT t.casino_id, t.id, a.id, CASE a.code WHEN 'vault' THEN 500 ELSE 0 END,"
    " CASE a.code WHEN 'vault' THEN 0 ELSE 500 END, 'fill'"
    " FROM t JOIN audits_account a ON a.code = 'vault' OR a.code LIKE '{other}'"
)
ROGUE = {
    "a move of no kind": (_MOVE.format(kind="gift") + ";" + _STOCK, "gift"),
    "a move as if sold": (_MOVE.format(kind="cage_sale") + ";" + _STOCK, "cage_sale"),
    "a move as if left at a close": (_MOVE.format(kind="public") + ";" + _STOCK, "public"),
    "a transfer out of a tray": (_TRANSFER.format(other="tray:%"), "adjust"),
    "a transfer out of a desk": (_TRANSFER.format(other="cage:1"), "adjust"),
    "a slip taken away": ("DELETE FROM tables_slip", "row"),
    "a slip back in its state": (
        "UPDATE tables_slip SET state = 'issued', verified_by_id = NULL, verified_at = NULL,"
        " dealer_id = NULL",
        "verified",
    ),
    "a slip of another desk": (
        "UPDATE tables_slip SET desk_id = (SELECT max(id) FROM tables_cagedesk)",
        "desk",
    ),
    "a slip of another year": ("UPDATE tables_slip SET year = 2025", "year"),
    "another dealer": ("UPDATE tables_slip SET dealer_id = (SELECT max(id) FROM tables_staff)", "verified"),
    "a number given and kept back": ("UPDATE casino_numberseries SET last = last + 1", "slip_numbers"),
    "a transfer taken away": ("DELETE FROM audits_transfer WHERE kind = 'fill'", "debit"),
    "an entry taken away": ("DELETE FROM tables_chipentry", "row"),
}


@pytest.mark.rule("REC-06", "FLOOR-06")
def test_whoever_owns_the_database_is_found_out(house: House) -> None:
    """Each with the triggers off, stocks made to fit, sums to zero: still somebody's proof says it."""
    session = house.open_table()
    stocked(house)
    counter = Counter(house, session, a_desk(house))
    a_desk(house, 2)
    counter.done("credit")
    counter.done("fill")

    def found() -> list[str]:
        told = [*slip_proofs.slip_trail_faults(house.casino), *slip_proofs.slip_money_faults(house.casino)]
        return [f"{fault.code} {fault.where} {fault.words.en}" for fault in told]

    assert found() == []
    for name, (change, said) in ROGUE.items():
        before = transaction.savepoint()
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET LOCAL session_replication_role = replica")
            for statement in change.split(";"):
                cursor.execute(statement)
            assert cursor.rowcount, name
        assert any(said in line for line in found()), (name, found())
        transaction.savepoint_rollback(before)
    assert ledger.balance(house.casino, "cage:1") == 0
    assert inventory.stock_of(house.casino, "cage:1") == {}
