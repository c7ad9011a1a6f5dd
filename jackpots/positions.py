"""What the electronic meters of a table show: credits and bet of each position, lights, lock (PP-08, PP-10).

Read without locks, for looking; what may be bet is decided again by the write (`jackpots.betting`).
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from jackpots import betting, scheme
from jackpots.holding import pool_of
from jackpots.models import Bet, Pool, SeatCredits
from jackpots.scheme import Scheme
from tables.models import Round, SeatTaking, TableSession


@dataclass(frozen=True, slots=True)
class Position:
    """One position: what is on its meter, what of it no bet waits for, and its bet of the round, if any."""

    seat: int
    player: str
    amount: int
    free: int
    bet: Bet | None

    @property
    def light(self) -> bool:
        """Whether its light is on: it has bet, and is told apart from those that have not (PP-10)."""
        return self.bet is not None


@dataclass(frozen=True, slots=True)
class Board:
    """The progressive at a table at an instant. `number`: the round that bets are of; `locked`: play is
    closed in it; `pool` and `terms` none at a table that feeds no pool, or whose pool has no version yet.
    """

    session: TableSession
    at: dt.datetime
    pool: Pool | None
    terms: Scheme | None
    number: int
    locked: bool
    positions: tuple[Position, ...]

    @property
    def open(self) -> bool:
        """Whether a bet may be placed or taken off now."""
        return self.pool is not None and self.pool.state == Pool.State.RUNNING and not self.locked


def board_of(session: TableSession, at: dt.datetime) -> Board:
    """The progressive at a table, position by position."""
    last = Round.objects.filter(session=session, state=Round.State.OPEN).first() if session.live else None
    number = session.last_round + 1 if last is None else last.number
    pool = pool_of(session.table, at)
    terms = None if pool is None or pool.version is None else scheme.read(pool.version.params)
    return Board(
        session=session,
        at=at,
        pool=pool,
        terms=terms,
        number=number,
        locked=betting.closed(last, session),
        positions=_positions(session, number),
    )


def _positions(session: TableSession, number: int) -> tuple[Position, ...]:
    meters = dict(SeatCredits.objects.filter(session=session).values_list("seat", "amount"))
    waiting = Bet.objects.filter(session=session, state=Bet.State.PLACED).order_by("seat")
    people = dict(
        SeatTaking.objects.filter(session=session, during__endswith=None).values_list("seat", "alias")
    )
    placed = list(waiting)
    bets = {bet.seat: bet for bet in placed if bet.number == number}
    taken: dict[int, int] = {}
    for bet in placed:
        taken[bet.seat] = taken.get(bet.seat, 0) + bet.amount
    return tuple(
        Position(
            seat=seat,
            player=people.get(seat, ""),
            amount=meters.get(seat, 0),
            free=max(0, meters.get(seat, 0) - taken.get(seat, 0)),
            bet=bets.get(seat),
        )
        for seat in range(1, session.seats + 1)
    )
