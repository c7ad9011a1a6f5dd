"""A session held for writing: its row locked, then its shoe's, and what every act at a table asks first.

One table is one queue: whoever writes at it holds its session. The rows locked are read as they stand
after the wait for the lock; what a statement reads beside them, as it stood before.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

from audits.by import By, out_of_order
from casino.kernel import locking, rows
from casino.kernel.errors import Conflict, NotFound
from casino.kernel.statements import select
from casino.kernel.words import Text
from casino.models import GamingDay
from shoes.models import Shoe
from tables import duties, inforce
from tables.models import Round, Table, TableSession


@dataclass(frozen=True, slots=True)
class Held:
    """A session locked for writing, with its shoe and its round in progress.

    `ahead`: what the next round will be, where it was asked for. `carry`: what the last round hands on to
    the next, None where the rows as read do not tell.
    """

    session: TableSession
    shoe: Shoe | None
    last_round_open: Round | None
    ahead: inforce.Ahead | None = None
    carry: list[dict[str, Any]] | None = None


def lock_session(session: TableSession, by: By, *, ahead: bool = False) -> Held:
    """Lock the session, then its shoe. Raises `NotFound` outside the casino, `Conflict` if closed,
    `NotAllowed` (`not_your_pit`) for a chief who answers for other pits (`tables.duties`).

    With `ahead` for `log()`: what the next round will be is read along. Should another act have been
    waited for, that part is as it stood before the wait: a round opened meanwhile is then refused by
    its number, when this one is stored.
    """
    locking.taking(locking.Rank.SESSION)
    locking.taking(locking.Rank.SHOE)
    asked = {
        "session": session.pk,
        "casino": by.casino.pk,
        "instant": by.occurred_at,
        "user": by.actor.user_id,
    }
    row = select(_HELD_AND_AHEAD if ahead else _HELD, asked)
    if row is None:
        raise NotFound(Text("no existe esa sesión", "there is no such session"), code="no_session")
    found, table, day, shoe = rows.instances(_PARTS, row)
    found.casino = by.casino
    found.table, found.day = table, day
    _require_open(found, by)
    if not row[_DUTY]:
        raise duties.not_your_pit(table)
    if ahead:
        open_id, *rest = row[-5:]
    else:
        open_id, *rest = select(_OPEN, {"session": found.pk}) or (None,)
    state, carry = row[-7:-5] if ahead else row[-2:]
    return Held(
        found,
        None if found.shoe_id is None else shoe,
        Round.objects.filter(pk=open_id, state=Round.State.OPEN).first() if open_id else None,
        inforce.Ahead(*rest) if ahead else None,
        _carry(found, state, carry),
    )


def _carry(session: TableSession, state: str | None, carry: Any) -> list[dict[str, Any]] | None:
    """What the last round hands on, by its row; a voided one, or one that came or was voided while the lock
    was waited for, does not tell."""
    if not session.last_round:
        return []
    if state != Round.State.SETTLED:
        return None
    return list((json.loads(carry) if isinstance(carry, str) else carry) or ())


def _require_open(found: TableSession, by: By) -> None:
    if not found.live:
        raise Conflict(
            Text(f"{found.label} ya está cerrada", f"{found.label} is closed already"), code="session_closed"
        )
    # Also keeps a round from being played under limits that no longer hold (GEN-03).
    if by.occurred_at < max(found.last_at - QUEUEING, found.opened_at):
        raise out_of_order(by.casino, found.last_at)


QUEUEING = dt.timedelta(milliseconds=locking.LOCK_WAIT_MS)
"""How much later than itself an act may find another recorded: what it waited for the table."""


def move_on(session: TableSession, by: By) -> None:
    """Note on the row in memory that something of `by.occurred_at` is recorded."""
    session.last_at = max(session.last_at, by.occurred_at)


_PARTS = (TableSession, Table, GamingDay, Shoe)
_LOCKS = """
WITH s AS MATERIALIZED (
    SELECT * FROM tables_tablesession WHERE id = %(session)s::bigint AND casino_id = %(casino)s::bigint
    FOR NO KEY UPDATE
), shoe AS MATERIALIZED (
    SELECT shoes_shoe.* FROM s JOIN shoes_shoe ON shoes_shoe.id = s.shoe_id FOR NO KEY UPDATE OF shoes_shoe
)"""
_COLUMNS = ", ".join(
    rows.columns(model, alias) for model, alias in zip(_PARTS, ("s", "t", "d", "shoe"), strict=True)
)
_FROM = """
FROM s JOIN tables_table t ON t.id = s.table_id JOIN casino_gamingday d ON d.id = s.day_id
LEFT JOIN shoe ON true"""
# The session is read twice: as locked, and as it stood before the wait. A round logged meanwhile moved its
# last number on, and one voided meanwhile its count: neither gives a row, since that is not seen here.
_LAST = """
LEFT JOIN tables_tablesession before ON before.id = s.id AND before.rounds_settled = s.rounds_settled
LEFT JOIN tables_round last
    ON last.session_id = before.id AND last.number = s.last_round AND before.last_round = s.last_round"""
_DUTY = sum(len(model._meta.concrete_fields) for model in _PARTS)
"""Where the row says whether the actor may write at the table's pit."""
_HANDED_ON = "last.state, last.settlement -> 'carry'"
_OPEN = "SELECT id FROM tables_round WHERE session_id = %(session)s::bigint AND state = 'open'"
_HELD = f"{_LOCKS} SELECT {_COLUMNS}, {duties.ALLOWED}, {_HANDED_ON} {_FROM} {_LAST}"
_HELD_AND_AHEAD = (
    f"{_LOCKS} SELECT {_COLUMNS}, {duties.ALLOWED}, {_HANDED_ON}, ({_OPEN}), {inforce.AHEAD} {_FROM} {_LAST}"
)
