"""What was posted beside what was due, by event and account: the shape that proofs of money share."""

from __future__ import annotations

from audits.verify import wrong


def lines(kinds: str, codes: str) -> str:
    """Net of each account in each event's transfers of these kinds."""
    return (
        "line AS (SELECT t.event_id, a.code, sum(p.debit - p.credit) AS amount"  # noqa: S608
        " FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id"
        " JOIN audits_account a ON a.id = p.account_id"
        f" WHERE t.casino_id = %(casino)s AND t.kind IN ({kinds})"
        f" AND split_part(a.code, ':', 1) IN ({codes}) GROUP BY 1, 2)"
    )


def compared(name: str) -> str:
    """Every event and account where what is due is not what was posted."""
    return (
        "SELECT 'event ' || coalesce(d.event_id, l.event_id) || ' ('"  # noqa: S608
        " || coalesce(d.code, l.code) || ')' AS place,"
        f" {wrong(**{name: 'coalesce(d.amount, 0) = coalesce(l.amount, 0)'})} AS wrong"
        " FROM (SELECT event_id, code, sum(amount) AS amount FROM due GROUP BY 1, 2) d"
        " FULL JOIN line l USING (event_id, code)"
    )
