"""A progressive pool for tests, made by the write functions alone: tables of Caribbean, credits, rounds.

    pool = a_pool(house, tables=2)
    pool.buy(0, seat=2, credits=10); pool.bet(0, seat=2)
    pool.play(0, {2: ROYAL, 4: NOTHING})

One credit is 5.00; commission 10 %; of the rest 80 % to the main level, 20 % to the reserve; base 1,000.00.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from audits import filings
from audits.by import By
from audits.models import Filing
from casino.kernel import clock
from casino.kernel.permissions import Role
from jackpots import betting, credits, members, plans, pools, versions
from jackpots import filings as asked
from jackpots.models import Bet, Fund, Pool, PoolVersion, Prize
from tables.games import registry
from tables.models import Round, Table, TableSession
from tests.builders import BOB, NIGHT, House
from tests.games.house_poker import building as hp
from tests.kept import kept
from tests.tables.every_game import a_table, open_session, seeded, shuffled

GAME = "poker.caribbean"
PARAMS: dict[str, Any] = {
    "commission_bp": 1_000,
    "levels": [{"code": "main", "share_bp": 8_000, "base": 1_000 * BOB, "cap": None}],
    "reserves": [{"code": "reserve", "share_bp": 2_000}],
    "credit": 5 * BOB,
    "least": 1,
    "most": 4,
}
ROYAL, ROYAL2 = "As Ks Qs Js Ts", "Ah Kh Qh Jh Th"
STRAIGHT_FLUSH, STRAIGHT_FLUSH2 = "9c 8c 7c 6c 5c", "9d 8d 7d 6d 5d"
FLUSH, FOUR, NOTHING = "2h 4h 6h 8h 9h", "7s 7h 7d 7c 2s", "Kc Jd 9h 5s 2d"
HOUSE = "8c 8d 4d 3s 2c"


@dataclass
class PoolNight:
    """A running pool with its tables, a clock that goes on a minute with each act."""

    house: House
    pool: Pool
    tables: list[Table]
    sessions: list[TableSession] = field(default_factory=list)
    clock: dt.datetime = NIGHT + dt.timedelta(minutes=10)

    def by(self, role: Role = Role.PIT_BOSS, reason: str = "") -> By:
        self.clock += dt.timedelta(minutes=1)
        return self.house.by(role, self.clock, reason)

    def now(self) -> Any:
        return clock.standing_at(self.clock + dt.timedelta(minutes=1))

    def buy(self, table: int, seat: int, number: int = 10) -> Any:
        return credits.buy_credits(session=self.sessions[table], seat=seat, credits=number, by=self.by())

    def bet(self, table: int, seat: int, number: int = 1) -> Bet:
        by = self.by()
        with clock.standing_at(by.occurred_at):
            return betting.place_bet(session=self.sessions[table], seat=seat, credits=number, by=by)

    def play(self, table: int, hands: Mapping[int, str], house: str = HOUSE) -> Round:
        """A round of these hands, each with an ANTE of 10 and a BET; five cards turned up each."""
        return self.house.log(self.sessions[table], round_of(hands, house), at=self.by().occurred_at)

    def funds(self) -> dict[str, tuple[int, int]]:
        """Players' part and base of each fund."""
        return {f.code: (f.players, f.base) for f in Fund.objects.filter(pool=self.pool)}

    def shown(self) -> int:
        return sum(self.funds()["main"])

    def prizes(self) -> list[Prize]:
        return list(Prize.objects.filter(pool=self.pool).order_by("order"))

    def other(self, role: Role = Role.COMPLIANCE) -> Any:
        return self.house.users[role].actor


def round_of(hands: Mapping[int, str], house: str = HOUSE) -> list[dict[str, Any]]:
    """The log of a whole round: everybody plays on, every hand is seen."""
    antes = [hp.bet(seat, "ante", 10 * BOB) for seat in sorted(hands)]
    dealt = hp.deal(dict.fromkeys(sorted(hands), hp.COVERED5), hp.COVERED5)
    decided = [hp.choice(seat, "bet") for seat in sorted(hands)]
    shown = [hp.show(seat, hands[seat]) for seat in sorted(hands, reverse=True)]
    return [*antes, hp.CLOSE, *dealt, *decided, hp.show_dealer(house), *shown]


def approved_filing(house: House, kind: str, subject: Any, at: dt.datetime = NIGHT) -> Filing:
    """A filing through all its steps."""
    filing = Filing.objects.filter(
        casino=house.casino, kind=kind, subject_type=subject.type, subject_id=subject.id, state="draft"
    ).first()
    if filing is None:
        by = house.by(Role.PIT_BOSS, at, "trámite")
        filing = filings.draft_filing(kind=kind, subject=subject, text="se pide", by=by)
    then = max(at, filing.drafted_at)
    filings.present_filing(filing=filing, by=house.by(Role.COMPLIANCE, then))
    by = house.by(Role.ADMINISTRATOR, then)
    since = house.casino.gaming_day(at)
    return filings.decide_filing(filing=filing, approved=True, reference="AJ/77", valid_from=since, by=by)


def an_approved_plan(
    night: PoolNight, to: Pool | None, fund: str = "", amount: int | None = None, destination: str = ""
) -> Filing:
    """The plan of a transfer, or of a retirement (no fund), through all its steps."""
    plans.draft_plan(
        pool=night.pool, to=to, fund=fund, amount=amount, destination=destination,
        by=night.house.by(Role.PIT_BOSS, night.clock),
    )  # fmt: skip
    return approved_filing(night.house, asked.TRANSFER, asked.about_pool(night.pool), night.clock)


def an_approved_version(house: House, pool: Pool, params: Mapping[str, Any] | None = None) -> PoolVersion:
    """Drafted, approved by two departments, its filing approved."""
    # A filing is valid from no day before it was presented: all of it happens that night.
    with clock.standing_at(NIGHT):
        by = house.by(Role.PIT_BOSS, NIGHT, "parámetros")
        version = versions.draft_version(pool=pool, params={**PARAMS, **(params or {})}, by=by)
        for role in (Role.COMPLIANCE, Role.ADMINISTRATOR):
            version = versions.approve_version(version=version, by=house.by(role, NIGHT))
        approved_filing(house, asked.SCHEME, asked.about_version(version))
    return version


@kept
def a_pool(
    house: House,
    *,
    tables: int = 1,
    params: Mapping[str, Any] | None = None,
    form: str = "credits",
    name: str = "",
) -> PoolNight:
    """A running pool with open tables."""
    with clock.standing_at(NIGHT):
        by = house.by(Role.PIT_BOSS, NIGHT, "pozo nuevo")
        pool = pools.create_pool(name=name or "Pozo de la casa", form=form, by=by)
        version = an_approved_version(house, pool, params)
        approved_filing(house, asked.EQUIPMENT, asked.about_pool(pool))
        sessions = [opened_table(house) for _ in range(tables)]
        for session in sessions:
            members.link_table(pool=pool, table=session.table, by=by)
        pools.start(pool=pool, with_=house.users[Role.COMPLIANCE].actor, by=by)
    assert version.pk
    pool.refresh_from_db()
    return PoolNight(house, pool, [session.table for session in sessions], sessions)


@kept
def opened_table(house: House) -> TableSession:
    """A table of the game, open."""
    game = registry.game(GAME)
    return open_session(house, a_table(house, game), game, shuffled(game, seeded(7)))
