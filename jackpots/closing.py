"""What a table's close asks of its pool: no bet waiting, no credit on any position (PP-09).

Chips put into a slot for a round that never came are handed back with the close; credits are returned by
whoever activated them, so the close names the positions that still have some.
"""

from __future__ import annotations

from itertools import groupby

from audits.by import By
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from jackpots import settling
from jackpots.credits import expire_promotions, require_none_left
from jackpots.models import Bet, Pool
from tables.models import TableSession


def settle_table(session: TableSession, by: By) -> None:
    """Inside the close, which holds the session. Raises `Conflict` (`bets_waiting`, `credits_left`)."""
    placed = Bet.objects.filter(session=session, state=Bet.State.PLACED).select_related("pool")
    waiting = list(placed.order_by("number", "seat"))
    on_credit = [bet for bet in waiting if bet.pool.form == Pool.Form.CREDITS]
    if on_credit:
        seats = ", ".join(str(bet.seat) for bet in on_credit)
        raise Conflict(
            Text(
                f"la posición {seats} apostó al progresivo de un pase que no se jugó: retire la apuesta y"
                " devuelva sus créditos antes de cerrar",
                f"position {seats} bet on the progressive of a round that was not played: take the bet off"
                " and return its credits before closing",
            ),
            code="bets_waiting",
            rule="PP-09",
        )
    expire_promotions(session, by)
    require_none_left(session)
    for _, bets in groupby(waiting, key=lambda bet: bet.number):
        settling.give_back(list(bets), session, by)
