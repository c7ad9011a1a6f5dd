"""Differences named to the bet: which bets are not what their round's event says, or were not posted as they
are; which were left on a meter; which positions' credits do not add up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jackpots import adding_up
from jackpots.adding_up import SIGNED, Sums, part_of

MOST_NAMED = 200
"""Of one proof; what is beyond is counted in the last."""


@dataclass(frozen=True, slots=True)
class Found:
    """A difference: what (`comparing.CODES`), where, what it had to be and what it is, in smallest units
    where they are amounts."""

    code: str
    place: str
    expected: str
    found: str

    def as_list(self) -> list[str]:
        return [self.code, self.place, self.expected, self.found]


_PLACE = """(SELECT x.name || ' · ' || y.date || ', pase ' || {number} FROM tables_tablesession n
 JOIN tables_table x ON x.id = n.table_id
     JOIN casino_gamingday y ON y.id = n.day_id WHERE n.id = {session})"""

# The round's event tells of each bet counted: seat, amount, place in the pool's order, total with it.
_BETS = f"""
WITH told AS MATERIALIZED (
    SELECT r.id AS round_id, r.session_id, r.number, r.state, y.date AS day,
           (d.pool ->> 'version')::bigint AS version, (b ->> 0)::int AS seat, (b ->> 1)::bigint AS amount,
           (b ->> 2)::bigint AS serial, (b ->> 3)::bigint AS total
    FROM tables_round r JOIN audits_event e ON e.id = r.event_id
    JOIN tables_tablesession n ON n.id = r.session_id JOIN casino_gamingday y ON y.id = n.day_id,
    LATERAL (SELECT convert_from(e.body, 'UTF8')::jsonb -> 'data' -> 'pool' AS pool) d,
    LATERAL jsonb_array_elements(d.pool -> 'bets') b
    WHERE r.casino_id = %(casino)s AND e.action = 'tables.round.settled'
      AND (d.pool ->> 'pool')::bigint = %(pool)s
      AND r.session_id IN (SELECT id FROM tables_tablesession WHERE casino_id = %(casino)s AND table_id IN
          (SELECT table_id FROM jackpots_pooltable WHERE pool_id = %(pool)s))
), kept AS (
    SELECT * FROM jackpots_bet WHERE pool_id = %(pool)s AND serial IS NOT NULL
)
SELECT b.id, coalesce(t.session_id, b.session_id), coalesce(t.number, b.number), coalesce(t.seat, b.seat),
       CASE WHEN t.seat IS NULL THEN NULL ELSE concat_ws(' ', t.amount, t.serial, t.total, t.version, t.day,
            CASE t.state WHEN 'void' THEN 'void' ELSE 'counted' END) END,
       CASE WHEN b.id IS NULL THEN NULL ELSE concat_ws(' ', b.amount, b.serial, b.total, b.version_id, b.day,
            b.state) END,
       {_PLACE.format(number="coalesce(t.number, b.number)", session="coalesce(t.session_id, b.session_id)")}
FROM told t FULL JOIN kept b ON b.round_id = t.round_id AND b.seat = t.seat
WHERE (t.day IS NULL OR t.day <= %(day)s) AND (b.day IS NULL OR b.day <= %(day)s OR t.day <= %(day)s)
  AND (t.amount, t.serial, t.total, t.version, t.day, CASE t.state WHEN 'void' THEN 'void' ELSE 'counted' END)
      IS DISTINCT FROM (b.amount, b.serial, b.total, b.version_id, b.day, b.state::text)
ORDER BY coalesce(t.serial, b.serial), 4 LIMIT %(most)s
"""  # noqa: S608

# What a round's bets bring each fund, beside what its own transfer moved there.
_ROUNDS = f"""
WITH due AS (
    SELECT b.round_id, CASE r.fund WHEN 'commission' THEN 'commission:' ELSE 'pool:' END || b.pool_id
           || CASE r.fund WHEN 'commission' THEN '' ELSE ':' || r.fund END AS code,
           sum({part_of("b.total")} - {part_of("b.total - b.amount")}) AS amount
    FROM jackpots_bet b
    JOIN unnest(%(versions)s::bigint[], %(codes)s::text[], %(rates)s::bigint[], %(offs)s::bigint[])
         r (version, fund, rate, off) ON r.version = b.version_id
    WHERE b.pool_id = %(pool)s AND b.serial IS NOT NULL AND b.day <= %(day)s GROUP BY 1, 2
), line AS (
    SELECT r.id AS round_id, a.code, sum(p.debit - p.credit) AS amount
    FROM tables_round r JOIN audits_transfer t ON t.event_id = r.event_id AND t.kind = 'round'
    JOIN audits_posting p ON p.transfer_id = t.id JOIN audits_account a ON a.id = p.account_id
    WHERE r.casino_id = %(casino)s AND p.account_id = ANY (%(accounts)s) AND a.code <> %(residue)s
      AND t.day <= %(day)s GROUP BY 1, 2
)
SELECT round_id, split_part(code, ':', 1) || coalesce(nullif(':' || split_part(code, ':', 3), ':'), ''),
       coalesce(d.amount, 0), coalesce(l.amount, 0),
       (SELECT string_agg('#' || b.id, ' ' ORDER BY b.serial) FROM jackpots_bet b WHERE b.round_id = rd.id),
       {_PLACE.format(number="rd.number", session="rd.session_id")}
FROM due d FULL JOIN line l USING (round_id, code) JOIN LATERAL (
    SELECT r.id, r.number, r.session_id FROM tables_round r WHERE r.id = round_id) rd ON true
WHERE coalesce(d.amount, 0) <> coalesce(l.amount, 0) ORDER BY 1, 2 LIMIT %(most)s
"""  # noqa: S608


def named(sums: Sums) -> list[Found]:
    """The bets and rounds, up to the day, that account for what the sums do not."""
    pool = sums.pool
    values: dict[str, Any] = {
        "casino": pool.casino_id, "pool": pool.pk, "day": sums.day, "most": MOST_NAMED,
        "residue": pool.account(adding_up.RESIDUE), **adding_up.rates_of(sums),
    }  # fmt: skip
    names = list(adding_up.places(pool, sums.funds))
    accounts = "SELECT id FROM audits_account WHERE casino_id = %(casino)s AND code = ANY (%(names)s)"
    values["accounts"] = [pk for (pk,) in adding_up.rows(accounts, {**values, "names": names})]
    found = []
    for pk, _, _, seat, told, kept, place in adding_up.rows(_BETS, values):
        bet = f" (#{pk})" if pk is not None else ""
        found.append(Found("bet", f"{place}, posición {seat}{bet}", _said(told), _said(kept)))
    for _, fund, due, posted, bets, place in adding_up.rows(_ROUNDS, values):
        where = f"{place}, {fund} {bets or ''}".strip()[:120]
        found.append(Found("round", where, str(due), str(posted)))
    return found


def _said(told: str | None) -> str:
    """Amount, place in the order, total, version, day and state, as they are compared."""
    return "-" if told is None else told[:60]


# ---- what was left, and credits ----------------------------------------------------------------------

_LEFT = f"""
SELECT b.id, b.seat, b.amount, {_PLACE.format(number="b.number", session="b.session_id")}
FROM jackpots_bet b JOIN tables_tablesession n ON n.id = b.session_id
JOIN casino_gamingday y ON y.id = n.day_id
LEFT JOIN tables_round r ON r.session_id = b.session_id AND r.number = b.number
WHERE b.pool_id = %(pool)s AND b.state = 'placed' AND y.date <= %(day)s
  AND (r.state IN ('settled', 'void') OR n.state = 'closed') ORDER BY b.id
"""  # noqa: S608


def left_over(sums: Sums) -> list[Found]:
    """Bets still placed though their round is over or their table closed."""
    left = adding_up.rows(_LEFT, {"pool": sums.pool.pk, "day": sums.day})
    return [
        Found("placed", f"{place}, posición {seat} (#{pk})", "0", str(amount))
        for pk, seat, amount, place in left
    ]


_CREDITS = f"""
SELECT x.name || ' · ' || y.date || ' · ' || n.id,
       (SELECT coalesce(sum(c.amount), 0) FROM jackpots_seatcredits c WHERE c.session_id = n.id),
       (SELECT coalesce(sum(p.debit - p.credit), 0) FROM audits_account a
        JOIN audits_posting p ON p.account_id = a.id
        WHERE a.casino_id = n.casino_id AND a.code = 'credits:' || n.id),
       (SELECT coalesce(sum({SIGNED}), 0) FROM jackpots_creditmove m WHERE m.session_id = n.id)
       - (SELECT coalesce(sum(b.amount), 0) FROM jackpots_bet b JOIN jackpots_pool o ON o.id = b.pool_id
          WHERE b.session_id = n.id AND b.state = 'counted' AND o.form = 'credits')
FROM tables_tablesession n JOIN casino_gamingday y ON y.id = n.day_id JOIN tables_table x ON x.id = n.table_id
WHERE n.casino_id = %(casino)s AND y.date = %(day)s
  AND n.table_id IN (SELECT table_id FROM jackpots_pooltable WHERE pool_id = %(pool)s) ORDER BY n.id
"""  # noqa: S608


def credits(sums: Sums) -> Iterator[tuple[str, int, int, int]]:
    """Per session of the day: on its positions' meters, in its account, and what moves and bets come to."""
    values = {"casino": sums.pool.casino_id, "pool": sums.pool.pk, "day": sums.day}
    for label, on_meters, in_ledger, moved in adding_up.rows(_CREDITS, values):
        yield label, int(on_meters), int(in_ledger), int(moved)
