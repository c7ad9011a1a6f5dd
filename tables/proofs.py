"""The floor's own proofs: a session's running totals against its rounds, bets and postings."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection

from audits.verify import Fault
from casino.kernel.words import Text
from casino.models import Casino
from tables.money_proofs import money_faults

_TOTALS = """
SELECT s.id, s.rounds_settled, s.staked, s.returned, s.commission,
       count(r.id), coalesce(sum(r.staked), 0), coalesce(sum(r.returned), 0), coalesce(sum(r.commission), 0)
FROM tables_tablesession s LEFT JOIN tables_round r ON r.session_id = s.id AND r.state = 'settled'
WHERE s.casino_id = %s GROUP BY s.id ORDER BY s.id
"""

_BETS = """
SELECT r.id, r.staked, r.returned, r.commission, coalesce(sum(b.stake), 0), coalesce(sum(b.returned), 0),
       coalesce(sum(b.commission), 0)
FROM tables_round r LEFT JOIN tables_bet b ON b.round_id = r.id
WHERE r.casino_id = %s AND r.state <> 'open' GROUP BY r.id
HAVING (r.staked, r.returned, r.commission)
    IS DISTINCT FROM (coalesce(sum(b.stake), 0), coalesce(sum(b.returned), 0), coalesce(sum(b.commission), 0))
ORDER BY r.id
"""

_LEDGER = """
SELECT s.id, s.staked - s.returned,
       coalesce(sum(CASE WHEN split_part(a.code, ':', 1) IN ('tray', 'kitty') THEN p.debit - p.credit END), 0)
FROM tables_tablesession s
LEFT JOIN audits_account a
       ON a.casino_id = s.casino_id AND a.code IN ('tray:' || s.id, 'kitty:' || s.id)
LEFT JOIN (audits_posting p
           JOIN audits_transfer t ON t.id = p.transfer_id AND t.kind IN ('round', 'round_void'))
       ON p.account_id = a.id AND p.memo <> 'progressive'
WHERE s.casino_id = %s GROUP BY s.id ORDER BY s.id
"""


def floor_faults(casino: Casino) -> Iterator[Fault]:
    """The floor's part of `verify_ledger`: totals against rounds and bets, money against what was posted."""
    yield from session_faults(casino)
    yield from money_faults(casino)


def session_faults(casino: Casino) -> Iterator[Fault]:
    """Sessions whose totals are not the sum of their rounds, and rounds that are not their bets'."""
    with connection.cursor() as cursor:
        cursor.execute(_TOTALS, [casino.pk])
        for row in cursor.fetchall():
            if tuple(row[1:5]) != tuple(int(value) for value in row[5:9]):
                yield _fault(f"session:{row[0]}", f"{row[1:5]}", f"{row[5:9]}")
        cursor.execute(_BETS, [casino.pk])
        for row in cursor.fetchall():
            yield _fault(f"round:{row[0]}", f"{row[1:4]}", f"{row[4:7]}")
        cursor.execute(_LEDGER, [casino.pk])
        for session, house, posted in cursor.fetchall():
            if house != posted:
                yield _fault(f"session:{session} (libro)", str(house), str(posted))


def _fault(where: str, stored: str, computed: str) -> Fault:
    return Fault(
        "totals_differ",
        where,
        Text(
            f"los acumulados dicen {stored} y sus pases {computed}",
            f"the totals say {stored} and their rounds {computed}",
        ),
    )
