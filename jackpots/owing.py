"""What is owed to players and nobody has collected yet, the oldest first: prizes locked, draws not paid.

No rule ends a player's right to it, so nothing here lapses by itself: it is listed by its age.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from casino.models import Casino
from jackpots.models import Complementary, Pool, Prize


@dataclass(frozen=True, slots=True)
class Owed:
    """A prize (`prize`) or a draw (`draw`) that waits, since when and for how many gaming days."""

    kind: str
    id: int
    label: str
    pool: Pool
    table: str
    state: str
    amount: int
    since: dt.datetime
    days: int


def owed(casino: Casino, instant: dt.datetime) -> list[Owed]:
    """Everything owed by the pools of a house, and by the house for their draws."""
    today = casino.gaming_day(instant)
    prizes = Prize.objects.filter(Prize.OPEN, casino=casino)
    draws = Complementary.objects.filter(casino=casino, state=Complementary.State.DRAWN)
    found = [
        _owed("prize", one, one.session.table.name, one.hit_at, today)
        for one in prizes.select_related("pool", "session__table", "casino")
    ]
    found += [
        _owed("draw", one, one.winner.session.table.name, one.drawn_at, today)
        for one in draws.select_related("pool", "winner__session__table", "casino")
        if one.winner is not None and one.drawn_at is not None
    ]
    return sorted(found, key=lambda one: (one.since, one.label))


def _owed(kind: str, one: Prize | Complementary, table: str, since: dt.datetime, today: dt.date) -> Owed:
    return Owed(
        kind=kind,
        id=one.pk,
        label=one.label,
        pool=one.pool,
        table=table,
        state=str(one.get_state_display()),
        amount=one.amount,
        since=since,
        days=(today - one.casino.gaming_day(since)).days,
    )
