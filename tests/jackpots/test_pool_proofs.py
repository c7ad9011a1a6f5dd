"""Whoever writes past the triggers is found out: pools, bets, prizes, credits, draws against trail and books.

One night, made once; each case changes one thing in it as someone who owns the server could, and is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection, transaction

from audits.filing_proofs import filing_faults
from casino.models import Casino
from jackpots import bet_proofs, proofs
from tests.builders import House
from tests.jackpots.proof_nights import a_night
from tests.jackpots.tampering import GONE, UNNOTICED

pytestmark = pytest.mark.rule("REC-06")


@pytest.fixture(scope="module")
def night(django_db_setup: None, django_db_blocker: Any) -> Iterator[Any]:
    with django_db_blocker.unblock():
        block = transaction.atomic()
        block._from_testcase = True  # type: ignore[attr-defined]  # commands may be durable inside it
        with block:
            yield a_night()
            transaction.set_rollback(True)


@pytest.fixture
def tamper(night: Any) -> Iterator[Callable[[str], None]]:
    """Run SQL with every trigger off; undone after the test."""

    def run(statement: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(statement.format(**night.ids))
            assert cursor.rowcount, statement
            cursor.execute("SET LOCAL session_replication_role = origin")

    with transaction.atomic():
        yield run
        transaction.set_rollback(True)


def faults(casino: Casino) -> dict[str, str]:
    """Where -> what, of the pools' own proofs and the filings'."""
    found: dict[str, str] = {}
    for proof in (proofs.told_faults, proofs.money_faults, filing_faults):
        for fault in proof(casino):
            found[fault.where] = f"{found.get(fault.where, '')}; {fault.words.en}"
    return found


def test_a_house_without_pools_has_no_fault(house: House) -> None:
    assert faults(house.casino) == {}


def test_an_honest_night_has_no_fault(night: Any) -> None:
    assert faults(night.casino) == {}


def test_the_night_has_all_there_is_to_alter(night: Any) -> None:
    wanted = {f"bet_{state}" for state in ("placed", "cancelled", "counted", "void")}
    wanted |= {"prize_paid", "prize_rejected", "prize_pending", "move_overflow", "move_void", "move_rejected"}
    assert wanted <= set(night.ids)
    assert bet_proofs.QUERIES


@pytest.mark.parametrize("name", UNNOTICED)
def test_what_was_changed_past_the_guards_is_named(
    night: Any, tamper: Callable[[str], None], name: str
) -> None:
    statement, where, what = UNNOTICED[name]
    tamper(statement)
    found = faults(night.casino)
    named = [words for place, words in found.items() if place.startswith(where.format(**night.ids))]
    assert any(what in words for words in named), found


@pytest.mark.parametrize(("action", "where"), GONE.items())
def test_a_row_whose_event_is_gone_is_named(
    night: Any, tamper: Callable[[str], None], action: str, where: str
) -> None:
    tamper(f"DELETE FROM audits_event WHERE action = '{action}'")
    found = faults(night.casino)
    assert any(place.startswith(where) for place in found), found
