"""A pool held for writing: its row locked, its funds and the scheme in force beside it.

One pool is one queue, locked after a session, its shoe and its bank, several by ascending id
(`casino.kernel.locking`). Funds are written under their pool's lock alone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import prefetch_related_objects

from audits.models import Event
from casino.kernel import locking, rulebook
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from jackpots import maths, scheme
from jackpots.actions import STATES
from jackpots.models import Fund, Pool, PoolMove, PoolTable
from jackpots.scheme import Scheme
from tables.games.base import Detail
from tables.models import Table, TableSession

GAMES: tuple[str, ...] = tuple(rulebook.rules()["PP-05"].params["allowed_games"])
"""PP-05: the three modalities a pool may be fed from."""

Kind = PoolMove.Kind


@dataclass
class HeldPool:
    """A pool locked for writing. `funds`: by code, levels first. Changes are noted and stored together."""

    pool: Pool
    scheme: Scheme | None
    funds: dict[str, Fund]
    noted: list[PoolMove] = field(default_factory=list)

    @property
    def offsets(self) -> maths.Offsets:
        assert self.pool.version is not None
        return self.pool.version.offsets or {}

    def change(self, code: str, kind: str, *, players: int = 0, base: int = 0) -> None:
        """Change what a fund holds for a reason; stored by `store`."""
        if not players and not base:
            return
        fund = self.funds[code]
        fund.players, fund.base = fund.players + players, fund.base + base
        self.noted.append(
            PoolMove(
                casino_id=self.pool.casino_id,
                pool=self.pool,
                fund=fund,
                kind=kind,
                players=players,
                base=base,
                after_players=fund.players,
                after_base=fund.base,
            )
        )

    def store(self, event: Event, at: dt.datetime) -> None:
        """Write the moves noted, the funds and the pool's own figures, under the event that tells why."""
        for move in self.noted:
            move.event, move.at, move.bets = event, at, self.pool.bets
        PoolMove.objects.bulk_create(self.noted)
        for move in self.noted:
            self.funds[move.fund.code].last_move = move
        self.noted.clear()
        for fund in self.funds.values():
            fund.save(update_fields=["players", "base", "last_move"])
        Pool.objects.filter(pk=self.pool.pk).update(
            collected=self.pool.collected, bets=self.pool.bets, prizes=self.pool.prizes
        )


def hold_pool(pool_id: int) -> HeldPool:
    """Lock one pool."""
    return hold_pools([pool_id])[pool_id]


def hold_pools(pool_ids: Iterable[int]) -> dict[int, HeldPool]:
    """Lock several, by ascending id whatever order they are named in."""
    locking.taking(locking.Rank.POOL)
    wanted = sorted(set(pool_ids))
    locked = Pool.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=wanted).order_by("pk")
    # What hangs on the rows is read once they are held: a join would show it as it was before the wait.
    pools = list(locked)
    prefetch_related_objects(pools, "version", "casino")
    found = {}
    for pool in pools:
        params = None if pool.version is None else scheme.read(pool.version.params)
        rows = Fund.objects.filter(pool=pool).order_by("reserve", "pk")
        found[pool.pk] = HeldPool(pool, params, {fund.code: fund for fund in rows})
    return found


def pool_of(table: Table, instant: dt.datetime) -> Pool | None:
    """The pool a table feeds at an instant, and still does: an act of before it left comes too late."""
    member = PoolTable.objects.filter(table=table, during__contains=instant, during__endswith=None)
    found = member.select_related("pool__version", "pool__casino").first()
    return None if found is None else found.pool


def require_pool(table: Table, instant: dt.datetime) -> Pool:
    """Raises `Conflict` (`no_pool`, PP-06) for a table that feeds none, or left it."""
    pool = pool_of(table, instant)
    if pool is None:
        raise Conflict(
            Text(
                f"{table.name} no alimenta ningún pozo: se conecta en la página del pozo",
                f"{table.name} feeds no pool: it is linked on the pool's page",
            ),
            code="no_pool",
            rule="PP-06",
        )
    return pool


def require_pool_of(session: TableSession, instant: dt.datetime) -> Pool:
    """The same of a session, which plays one of the three modalities and logs its bets (PP-05, PP-02)."""
    pool = require_pool(session.table, instant)
    if session.game not in GAMES or session.detail != Detail.FULL:
        raise RuleViolation(
            "PP-05",
            Text(
                f"{session.label} no juega Draw, Caribbean ni Go Poker con apuestas anotadas: aquí no se"
                " apuesta al progresivo",
                f"{session.label} does not play Draw, Caribbean or Go Poker with bets logged: no progressive"
                " bet is taken here",
            ),
            code="not_a_pool_game",
        )
    return pool


def require_running(pool: Pool) -> None:
    """Raises `Conflict` (`pool_not_running`, PP-32): no contribution, no prize while a pool stands."""
    if pool.state == Pool.State.RETIRED:
        raise Conflict(
            Text(
                f"{pool.name} está retirado: no se apuesta más; desconecte la mesa en la página del pozo",
                f"{pool.name} is retired: it takes no more bets; unlink the table on the pool's page",
            ),
            code="pool_not_running",
            rule="PP-32",
        )
    if pool.state != Pool.State.RUNNING:
        state = STATES[pool.state]
        raise Conflict(
            Text(
                f"{pool.name} está {state.es}: no se apuesta al progresivo hasta que se ponga en marcha",
                f"{pool.name} is {state.en}: no progressive bet is taken until it is started",
            ),
            code="pool_not_running",
            rule="PP-32",
        )
