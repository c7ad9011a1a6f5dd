"""A session held for writing: its row locked, then its shoe's, and what every act at a table asks first.

One table is one queue: whoever writes at it holds its session. The rows locked are read as they stand
after the wait for the lock; what a statement reads beside them, as it stood before.
"""

from __future__ import annotations

from dataclasses import dataclass

from audits.by import By
from casino.kernel import locking, rows
from casino.kernel.errors import Conflict, NotFound, Refused
from casino.kernel.statements import select
from casino.kernel.words import Text
from casino.models import GamingDay
from shoes.models import Shoe
from tables import inforce
from tables.models import Round, Table, TableSession


@dataclass(frozen=True, slots=True)
class Held:
    """A session locked for writing, with its shoe and its round in progress.

    `ahead`: what the next round will be, where it was asked for.
    """

    session: TableSession
    shoe: Shoe | None
    last_round_open: Round | None
    ahead: inforce.Ahead | None = None


def lock_session(session: TableSession, by: By, *, ahead: bool = False) -> Held:
    """Lock the session, then its shoe. Raises `NotFound` outside the casino, `Conflict` if closed.

    With `ahead` for `log()`: what the next round will be is read along. Should another act have been
    waited for, that part is as it stood before the wait: a round opened meanwhile is then refused by
    its number, when this one is stored.
    """
    locking.taking(locking.Rank.SESSION)
    locking.taking(locking.Rank.SHOE)
    asked = {"session": session.pk, "casino": by.casino.pk, "instant": by.occurred_at}
    row = select(_HELD_AND_AHEAD if ahead else _HELD, asked)
    if row is None:
        raise NotFound(Text("no existe esa sesión", "there is no such session"), code="no_session")
    found, table, day, shoe = rows.instances(_PARTS, row)
    found.casino = by.casino
    found.table, found.day = table, day
    _require_open(found, by)
    if ahead:
        open_id, *rest = row[-5:]
    else:
        open_id, *rest = select(_OPEN, {"session": found.pk}) or (None,)
    return Held(
        found,
        None if found.shoe_id is None else shoe,
        Round.objects.filter(pk=open_id, state=Round.State.OPEN).first() if open_id else None,
        inforce.Ahead(*rest) if ahead else None,
    )


def _require_open(found: TableSession, by: By) -> None:
    if found.state != TableSession.State.OPEN:
        raise Conflict(
            Text(f"{found.label} ya está cerrada", f"{found.label} is closed already"), code="session_closed"
        )
    if by.occurred_at < found.opened_at:
        raise Refused(
            Text("la hora indicada es anterior a la apertura", "the stated time is before the opening"),
            code="occurred_before_opening",
            field="occurred_at",
        )


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
_OPEN = "SELECT id FROM tables_round WHERE session_id = %(session)s::bigint AND state = 'open'"
_HELD = f"{_LOCKS} SELECT {_COLUMNS} {_FROM}"
_HELD_AND_AHEAD = f"{_LOCKS} SELECT {_COLUMNS}, ({_OPEN}), {inforce.AHEAD} {_FROM}"
