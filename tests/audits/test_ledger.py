"""Double entry: what does not balance is refused by the database, and a transfer is never added to."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, connection, transaction

from audits import ledger
from audits.ledger import Move
from audits.models import Account, Posting, Transfer
from audits.verify import balances, ledger_faults
from casino.kernel.commands import one_transaction
from tables.money import transfer_kinds

DAY = dt.date(2026, 11, 29)


@pytest.fixture(autouse=True)
def _kind_of_its_own(monkeypatch):
    """Transfers of these tests are of a kind that no room's proof compares with its rows."""
    monkeypatch.setattr(transfer_kinds, "_known", transfer_kinds.known() | {"hand"})


def post(house, *moves, kind="hand"):
    with one_transaction():
        return ledger.post(event=house.record(kind=kind), kind=kind, day=DAY, moves=moves)


def by_hand(house, *lines, declared=None):
    """A transfer written without `ledger.post`; lines are (account, debit, credit)."""
    event = house.record()
    with transaction.atomic():
        transfer = Transfer.objects.create(
            casino=house.casino,
            event=event,
            kind="hand",
            day=DAY,
            occurred=dt.datetime(2026, 11, 29, tzinfo=dt.UTC),
            lines=len(lines) if declared is None else declared,
        )
        add(transfer, *lines)
    return transfer


def add(transfer, *lines):
    for code, debit, credit in lines:
        account, _made = Account.objects.get_or_create(casino=transfer.casino, code=code)
        Posting.objects.create(
            casino=transfer.casino, transfer=transfer, account=account, debit=debit, credit=credit, memo="x"
        )


def test_value_moves_from_place_to_place(house):
    post(house, Move("vault", "cage:1", 100_000, "open"))
    post(house, Move("cage:1", "place:1", 30_000, "fill"), Move("cage:1", "place:2", 20_000, "fill"))
    post(house, Move("place:1", "people:1", 12_500, "pay"), Move("people:1", "place:1", 500, "lost"))
    # 100000 - 30000 - 20000 = 50000; 30000 - 12500 + 500 = 18000; 12500 - 500 = 12000
    assert balances(house.casino) == {
        "vault": -100_000, "cage:1": 50_000, "place:1": 18_000, "place:2": 20_000, "people:1": 12_000,
    }  # fmt: skip
    assert ledger.balance(house.casino, "place:1") == 18_000
    assert ledger.balance(house.casino, "nowhere") == 0
    assert sum(balances(house.casino).values()) == 0
    assert list(ledger_faults(house.casino)) == []


def test_nothing_is_written_when_nothing_moves(house):
    assert post(house, Move("vault", "cage:1", 0, "none")) is None
    assert not Transfer.objects.exists()


@pytest.mark.parametrize("move", [Move("a", "b", -1, "x"), Move("a", "a", 5, "x")])
def test_direction_is_decided_by_the_caller(house, move):
    with pytest.raises(ValueError, match="not a movement"):
        post(house, move)


@pytest.mark.rule("REC-07")
def test_a_reversal_brings_every_balance_back(house):
    with one_transaction():
        original = house.record(what="fill")
        moves = [Move("cage:1", "place:1", 700, "fill"), Move("place:1", "tips:1", 50, "tip")]
        ledger.post(event=original, kind="hand", day=DAY, moves=moves)
    with one_transaction():
        ledger.reverse(original=original, event=house.record(what="void"), kind="hand", day=DAY)
    assert set(balances(house.casino).values()) == {0}
    assert Transfer.objects.count() == 2
    assert list(ledger_faults(house.casino)) == []


class TestTheDatabaseAlone:
    """At commit, for real: rows written past `ledger.post`."""

    def test_an_unbalanced_transfer_is_refused_at_commit(self, committed_house):
        for lines in (
            [("a", 100, 0), ("b", 0, 99)],
            [("a", 100, 0), ("b", 100, 0)],
            [("a", 60, 0), ("b", 0, 50), ("c", 0, 11)],
        ):
            with pytest.raises(IntegrityError, match="is off by"):
                by_hand(committed_house, *lines)
        assert not Transfer.objects.exists()
        assert not Posting.objects.exists()

    def test_a_transfer_of_one_line_or_none_is_refused(self, committed_house):
        for lines in ([("a", 100, 0)], []):
            with pytest.raises(IntegrityError, match="transfer_has_two_lines"):
                by_hand(committed_house, *lines)
            with pytest.raises(IntegrityError, match=f"has {len(lines)} of 2 lines"):
                by_hand(committed_house, *lines, declared=2)
        assert not Transfer.objects.exists()

    @pytest.mark.parametrize("line", [("a", 0, 0), ("a", -5, 0), ("a", 0, -5), ("a", 5, 5)])
    def test_a_line_has_one_positive_side(self, house, line):
        with pytest.raises(IntegrityError, match="posting_is_one_positive_side"):
            by_hand(house, line, ("b", 0, 5))

    @pytest.mark.rule("REC-07")
    def test_a_transfer_takes_no_line_after_its_own_transaction(self, committed_house):
        transfer = by_hand(committed_house, ("a", 60, 0), ("b", 0, 60))
        for lines in ([("a", 1, 0)], [("a", 5, 0), ("b", 0, 5)]):
            with pytest.raises(IntegrityError, match="takes no more lines"), transaction.atomic():
                add(transfer, *lines)
        a, b = Account.objects.order_by("code")
        common = {"casino": committed_house.casino, "transfer": transfer, "memo": "x"}
        with pytest.raises(IntegrityError, match="takes no more lines"):
            Posting.objects.bulk_create(
                [Posting(account=a, debit=5, **common), Posting(account=b, credit=5, **common)]
            )
        assert balances(committed_house.casino) == {"a": 60, "b": -60}

    def test_savepoints_inside_its_transaction_are_its_transaction(self, committed_house):
        house = committed_house
        event = house.record()
        with transaction.atomic():
            with transaction.atomic():
                transfer = Transfer.objects.create(
                    casino=house.casino, event=event, kind="hand", day=DAY, lines=2,
                    occurred=dt.datetime(2026, 11, 29, tzinfo=dt.UTC),
                )  # fmt: skip
                add(transfer, ("a", 60, 0))
            with pytest.raises(ZeroDivisionError), transaction.atomic():
                add(transfer, ("b", 0, 50))
                raise ZeroDivisionError
            with transaction.atomic():
                add(transfer, ("b", 0, 60))
        assert balances(house.casino) == {"a": 60, "b": -60}


class TestTheProof:
    @pytest.fixture
    def transfer(self, house):
        made = post(house, Move("cage:1", "place:1", 700, "fill"))
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        return made

    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE audits_posting SET debit = debit + 1 WHERE debit > 0",
            "DELETE FROM audits_posting WHERE debit > 0",
            "DELETE FROM audits_posting",
            "INSERT INTO audits_posting (casino_id, transfer_id, account_id, debit, credit, memo)"
            " SELECT casino_id, transfer_id, account_id, debit, credit, memo FROM audits_posting",
        ],
    )
    def test_a_changed_ledger_is_found(self, house, transfer, past_the_guards, change):
        with past_the_guards(), connection.cursor() as cursor:
            cursor.execute(change)
        found = [(fault.code, fault.where) for fault in ledger_faults(house.casino)]
        assert found == [("transfer_unbalanced", f"transfer {transfer.pk}")]
        with pytest.raises(CommandError):
            call_command("verify_ledger")

    def test_lines_of_another_casino_are_found(self, house, transfer, past_the_guards, founder):
        other = founder("tunari")
        with past_the_guards(), connection.cursor() as cursor:
            cursor.execute("UPDATE audits_posting SET casino_id = %s WHERE debit > 0", [other.casino.pk])
        assert [fault.code for fault in ledger_faults(other.casino)] == ["posting_stray"]

    def test_an_untouched_ledger_has_no_fault(self, house, transfer, capsys):
        call_command("verify_ledger")
        assert "2 apuntes en 1 asientos" in capsys.readouterr().out
