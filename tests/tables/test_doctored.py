"""A round changed with the triggers off is found: by playing its log again, and by the nightly proof."""

from __future__ import annotations

import pytest
from django.db import connection

from audits.verify import ledger_faults
from tables import replay
from tables.models import Round
from tests.builders import House, bets
from tests.tables.test_rounds import BANCA_WINS, sound


def doctored(statement: str) -> None:
    """Change rows as someone could who owns the database and turned its triggers off."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement)
        cursor.execute("SET LOCAL session_replication_role = origin")


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE tables_round SET winner = 'tie'", "winner"),
        ("UPDATE tables_round SET commission = 0", "commission"),
        ("UPDATE tables_bet SET returned = returned - 500", "bets"),
        ("""UPDATE tables_round SET settlement = jsonb_set(settlement, '{outcome,banca}', '8')""", "outcome"),
        ("""UPDATE tables_round SET log = log - 5""", "log"),
        ("""UPDATE tables_round SET log = jsonb_set(log, '{2,card}', '"7d"')""", "announcement"),
    ],
)
def test_replay_finds_a_doctored_round(house: House, statement: str, what: str) -> None:
    session = house.open_table(detail="full")
    house.log(session, [*bets((1, "banca", 100)), *BANCA_WINS])
    assert sound(session)
    doctored(statement)
    found = list(replay.differences(Round.objects.select_related("session__table", "session__day")))
    assert what in {difference.what for difference in found}
    assert all(str(difference).startswith(session.label) for difference in found)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tables_tablesession SET staked = staked + 1",
        "UPDATE tables_round SET returned = returned - 1",
        "UPDATE tables_bet SET commission = commission + 1",
        "UPDATE audits_posting SET debit = debit + 500 WHERE memo = 'commission' AND debit > 0",
    ],
)
def test_the_nightly_proof_finds_doctored_totals(house: House, statement: str) -> None:
    session = house.open_table(detail="full")
    house.log(session, [*bets((1, "banca", 100)), *BANCA_WINS])
    assert not list(ledger_faults(house.casino))
    doctored(statement)
    assert list(ledger_faults(house.casino))
