"""A session held for writing: its row locked, then its shoe's, and what every act at a table asks first.

One table is one queue: whoever writes at it holds its session. What is not locked is read in a
second statement, so that it is seen as it stands after the wait for the lock and not before.
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
    """Lock the session, then its shoe. Raises `NotFound` outside the casino, `Conflict` if closed."""
    locking.taking(locking.Rank.SESSION)
    found = _locked(session.pk, by)
    if found is None:
        raise NotFound(Text("no existe esa sesión", "there is no such session"), code="no_session")
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
    return _with_shoe(found, by, ahead)


_SESSION = f"""
SELECT {rows.columns(TableSession, "s")}, {rows.columns(Table, "t")}, {rows.columns(GamingDay, "d")}
FROM tables_tablesession s JOIN tables_table t ON t.id = s.table_id JOIN casino_gamingday d ON d.id = s.day_id
WHERE s.id = %(session)s::bigint AND s.casino_id = %(casino)s::bigint
FOR NO KEY UPDATE OF s
"""  # noqa: S608


def _locked(session_id: int, by: By) -> TableSession | None:
    row = select(_SESSION, {"session": session_id, "casino": by.casino.pk})
    if row is None:
        return None
    found, table, day = rows.instances((TableSession, Table, GamingDay), row)
    table.casino = day.casino = found.casino = by.casino
    found.table, found.day = table, day
    return found


_SHOE = f"""
WITH shoe AS MATERIALIZED (SELECT * FROM shoes_shoe WHERE id = %(shoe)s::bigint FOR NO KEY UPDATE)
SELECT {rows.columns(Shoe, "shoe")},
       (SELECT id FROM tables_round WHERE session_id = %(session)s::bigint AND state = 'open')
"""  # noqa: S608
_FROM_SHOE = " FROM (SELECT) nothing LEFT JOIN shoe ON true"


def _with_shoe(session: TableSession, by: By, ahead: bool) -> Held:
    if session.shoe_id is not None:
        locking.taking(locking.Rank.SHOE)
    asked = {"shoe": session.shoe_id, "session": session.pk}
    if ahead:
        row = select(
            f"{_SHOE}, {inforce.AHEAD}{_FROM_SHOE}", {**asked, **inforce.asking(session, by.occurred_at)}
        )
    else:
        row = select(_SHOE + _FROM_SHOE, asked)
    assert row is not None
    (shoe,) = rows.instances((Shoe,), row)
    open_id, *rest = row[rows.width(Shoe) :]
    opened = None if open_id is None else Round.objects.get(pk=open_id)
    return Held(
        session, None if session.shoe_id is None else shoe, opened, inforce.Ahead(*rest) if ahead else None
    )
