"""The floor's own rows of a settled round, as a part of the statement that settles it."""

from __future__ import annotations

import json
from typing import Any

from casino.kernel.statements import Write, array
from tables.games.base import Settlement
from tables.models import Assignment, Round

BET_COLUMNS = (
    "order",
    "seat",
    "spot",
    "hand",
    "stake",
    "returned",
    "commission",
    "rounding",
    "breakage",
    "pays",
    "row",
    "rule",
)
"""What a bet's row and a payout have in common, by the same names."""


def write(settled: Round, settlement: Settlement, *, is_new: bool) -> Write:
    """The round's row (made, or brought from open to settled), its bets, its session's new totals."""
    values: dict[str, Any] = {
        name: array([getattr(payout, name) for payout in settlement.payouts]) for name in BET_COLUMNS
    }
    values |= {
        "id": settled.pk,
        "casino": settled.casino_id,
        "session": settled.session_id,
        "number": settled.number,
        "settlement": _as_json(settled.settlement),
        "winner": settled.winner,
        "staked": settled.staked,
        "round_returned": settled.returned,
        "round_commission": settled.commission,
        "settled_at": settled.settled_at,
        "event": settled.event_id,
        "source_key": settled.source_key,
        "source_digest": settled.source_digest,
        "dealing": array(Assignment.DEALING),
    }
    if not is_new:
        return Write(_OLD_ROUND + _BETS_AND_TOTALS, values)
    values |= {
        "rules": settled.rules_id,
        "limits": settled.limits_id,
        "detail": settled.detail,
        "shoe": settled.shoe_id,
        "log": _as_json(settled.log),
        "opened_at": settled.opened_at,
        "recorded_at": settled.recorded_at,
        "logged_by": settled.logged_by_id,
    }
    return Write(_NEW_ROUND + _BETS_AND_TOTALS, values)


_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode

ANSWER = "SELECT dealer_id FROM round"
"""Who dealt when the round occurred: the caller where there is one, else the dealer."""

_NEW_ROUND = """
round AS (
    INSERT INTO tables_round (id, casino_id, session_id, number, state, rules_id, limits_id, detail, shoe_id,
        dealer_id, log, settlement, winner, staked, returned, commission, opened_at, settled_at, recorded_at,
        logged_by_id, event_id, source_key, source_digest)
    VALUES (%(id)s::bigint, %(casino)s::bigint, %(session)s::bigint, %(number)s::integer, 'settled',
        %(rules)s::bigint, %(limits)s::bigint, %(detail)s::text, %(shoe)s::bigint,
        (SELECT staff_id FROM tables_assignment WHERE session_id = %(session)s::bigint
             AND post = ANY(%(dealing)s::text[]) AND during @> %(settled_at)s::timestamptz
             ORDER BY post LIMIT 1),
        %(log)s::jsonb, %(settlement)s::jsonb, %(winner)s::text, %(staked)s::bigint,
        %(round_returned)s::bigint, %(round_commission)s::bigint, %(opened_at)s::timestamptz,
        %(settled_at)s::timestamptz, %(recorded_at)s::timestamptz, %(logged_by)s::bigint,
        %(event)s::bigint, %(source_key)s::text, %(source_digest)s::text)
    RETURNING dealer_id
)"""

_OLD_ROUND = """
round AS (
    UPDATE tables_round SET state = 'settled', settlement = %(settlement)s::jsonb,
        winner = %(winner)s::text, staked = %(staked)s::bigint, returned = %(round_returned)s::bigint,
        commission = %(round_commission)s::bigint, settled_at = %(settled_at)s::timestamptz,
        event_id = %(event)s::bigint, source_key = %(source_key)s::text,
        source_digest = %(source_digest)s::text
    WHERE id = %(id)s::bigint
    RETURNING dealer_id
)"""

_BETS_AND_TOTALS = """, bet AS (
    INSERT INTO tables_bet (casino_id, round_id, "order", seat, spot, hand, stake, returned, commission,
        rounding, breakage, pays, "row", rule)
    SELECT %(casino)s::bigint, %(id)s::bigint, *
    FROM unnest(%(order)s::smallint[], %(seat)s::smallint[], %(spot)s::text[], %(hand)s::smallint[],
                %(stake)s::bigint[], %(returned)s::bigint[], %(commission)s::bigint[], %(rounding)s::bigint[],
                %(breakage)s::bigint[], %(pays)s::text[], %(row)s::text[], %(rule)s::text[])
), totals AS (
    UPDATE tables_tablesession SET last_round = %(number)s::integer, rounds_settled = rounds_settled + 1,
        staked = staked + %(staked)s::bigint, returned = returned + %(round_returned)s::bigint,
        commission = commission + %(round_commission)s::bigint,
        last_at = greatest(last_at, %(settled_at)s::timestamptz)
    WHERE id = %(session)s::bigint
)"""
