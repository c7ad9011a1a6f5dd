"""A table's progressive beside its felt: the meter, each position's credits and bet, prizes as they are hit.

Read alone: every act asks the same again under its locks.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from casino.kernel.errors import SabotError
from jackpots import credits, explaining, scheme
from jackpots.models import Bet, CreditMove, Fund, Pool, Prize
from jackpots.positions import Board as Positions
from jackpots.positions import Position, board_of
from jackpots.promotional import cashable, promotional_at
from jackpots.scheme import Scheme
from tables import freezing, life
from tables.board import Board
from tables.models import Round, TableSession

BOUGHT = 10
"""Credits the button sells; any other number is typed."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position with what of its credits was given and is only bet (PP-25)."""

    at: Position
    promotional: int

    @property
    def cashable(self) -> int:
        """What goes back in chips: bought and not bet (PP-09)."""
        return cashable(self.at.amount, self.at.free, self.promotional)


@dataclass(frozen=True, slots=True)
class Panel:
    """A member table's progressive. `hits`: prizes of the round just settled, in the order they are paid;
    `pending`: the pool's other open prizes, on any table; `again`: who bet in the round before, and how much;
    `no_bets`, `no_play`: why nobody bets, or buys credits, at this table now, though its pool runs.
    """

    pool: Pool
    terms: Scheme
    board: Positions
    places: tuple[Place, ...]
    levels: tuple[Fund, ...]
    hits: tuple[Prize, ...]
    pending: tuple[Prize, ...]
    again: tuple[Bet, ...]
    no_bets: SabotError | None
    no_play: SabotError | None

    @property
    def running(self) -> bool:
        return self.pool.state == Pool.State.RUNNING

    @property
    def by_credits(self) -> bool:
        return self.pool.form == Pool.Form.CREDITS

    @property
    def takes_bets(self) -> bool:
        """Whether a bet may go on now."""
        return self.board.open and self.no_bets is None

    @property
    def sells(self) -> bool:
        """Whether credits may be bought now."""
        return self.running and self.no_play is None

    @property
    def pack(self) -> int:
        """How many credits the button sells."""
        return BOUGHT

    @property
    def bought(self) -> int:
        """What the button sells costs."""
        return BOUGHT * self.terms.credit

    @property
    def choices(self) -> tuple[int, ...]:
        """What a button bets, in credits: the least and the next few; more is typed (PP-13)."""
        return tuple(range(self.terms.least, min(self.terms.most, self.terms.least + 3) + 1))

    @property
    def lit(self) -> int:
        """How many positions bet."""
        return sum(one.light for one in self.board.positions)


def on_board(session: TableSession, board: Board, instant: dt.datetime) -> dict[str, Any] | None:
    """The panel of a member table; None where the table feeds no pool that was ever started."""
    found = board_of(session, instant)
    if found.pool is None or found.terms is None:
        return None
    hits = _prizes_of(board.last) if board.last is not None and not board.in_progress else ()
    no_play = life.refusal(session, ending_round=False)
    stands = freezing.refusal(session) or life.refusal(session, ending_round=board.in_progress)
    shown = Panel(
        pool=found.pool,
        terms=found.terms,
        board=found,
        places=tuple(_places(session, found)),
        levels=tuple(levels_of(found.pool)),
        hits=hits,
        pending=tuple(one for one in open_prizes(found.pool) if one not in hits),
        again=tuple(_again(session, found.number)) if found.open and stands is None else (),
        no_bets=stands,
        no_play=no_play,
    )
    return {"p": shown, "table": session.table}


def on_record(round: Round) -> dict[str, Any] | None:
    """What a round brought to its pool and took out of it."""
    bets = list(Bet.objects.filter(round=round).select_related("pool").order_by("serial"))
    if not bets:
        return None
    shown = explaining.of_bets(bets[0].pool, bets)
    return {
        "pool": bets[0].pool,
        "bets": shown,
        "total": explaining.total(parts for _, parts in shown),
        "prizes": _prizes_of(round),
    }


def levels_of(pool: Pool) -> Sequence[Fund]:
    """The levels that are shown, the main one first."""
    rows = Fund.objects.filter(pool=pool, reserve=False)
    return sorted(rows, key=lambda fund: (fund.code != scheme.MAIN, fund.pk))


def open_prizes(pool: Pool) -> Sequence[Prize]:
    """Locked and not paid yet, as they were hit (PP-31)."""
    rows = Prize.objects.filter(Prize.OPEN, pool=pool)
    return list(rows.select_related("session__table", "round").order_by("order"))


def repeated(session: TableSession, instant: dt.datetime) -> list[tuple[int, int]]:
    """Who bets again what they bet in the round before, and how many credits (PP-13)."""
    found = board_of(session, instant)
    if found.pool is None or found.terms is None:
        return []
    return [(bet.seat, bet.amount // found.terms.credit) for bet in _again(session, found.number)]


def cashable_at(session: TableSession, seat: int, instant: dt.datetime) -> int:
    """Credits of a position that go back in chips: bought and not bet (PP-09)."""
    found = board_of(session, instant)
    return 0 if found.terms is None else credits.cashable_at(session, seat) // found.terms.credit


def _places(session: TableSession, board: Positions) -> Iterator[Place]:
    given = CreditMove.objects.filter(session=session, kind=CreditMove.Kind.PROMOTION)
    seats = set(given.values_list("seat", flat=True))
    for one in board.positions:
        yield Place(one, promotional_at(session, one.seat) if one.seat in seats else 0)


def _prizes_of(round: Round) -> tuple[Prize, ...]:
    return tuple(Prize.objects.filter(round=round).select_related("pool").order_by("order"))


def _again(session: TableSession, number: int) -> Sequence[Bet]:
    """Bets of the round before, of those who have none in this one."""
    rows = Bet.objects.filter(session=session, number=number - 1, state=Bet.State.COUNTED)
    there = Bet.objects.filter(session=session, number=number, state=Bet.State.PLACED).values("seat")
    return list(rows.exclude(seat__in=there).order_by("seat"))
