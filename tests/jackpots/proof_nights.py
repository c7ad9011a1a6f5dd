"""A night with all there is to alter in pools: two pools and versions, prizes of each kind, a draw"""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace
from typing import Any

from django.db import connection

from audits.by import by_system
from casino.kernel import clock
from casino.kernel.permissions import Role
from jackpots import betting, complementary, credits, members, moving, pools, prizes, proving, reading
from jackpots import filings as asked
from jackpots.models import Bet, CreditMove, Difference, Pool, PoolMove, Prize
from tables import rounds
from tables.models import Round
from tests.builders import BOB, NIGHT, House, a_house
from tests.jackpots.builders import (
    FLUSH,
    NOTHING,
    PARAMS,
    ROYAL,
    PoolNight,
    a_pool,
    an_approved_plan,
    an_approved_version,
    approved_filing,
)
from tests.money.cage_building import a_cage

HIGH = "Qc Td 7d 6s 3d"
CAPPED: dict[str, Any] = {"levels": [{**PARAMS["levels"][0], "cap": 1_000 * BOB + 1_000}]}
"""The meter holds 10.00 above its base; more goes to the reserve."""


def void(night: PoolNight, number: int, table: int = 0) -> None:
    """A round voided by two."""
    row = Round.objects.get(session=night.sessions[table], number=number)
    by = night.by(Role.PIT_BOSS, "se registró dos veces")
    second = night.house.users[Role.SUPERVISOR].actor
    rounds.void(round=row, approved_by=second, cards_came_out=True, by=by)


def moved(night: PoolNight, other: Pool, amount: int) -> None:
    """Players' money from one pool to another under an approved plan, while the pool stands."""
    pools.suspend(pool=night.pool, with_=night.other(), by=night.by(Role.PIT_BOSS, "traslado"))
    an_approved_plan(night, other, "reserve", amount)
    by = night.by(Role.PIT_BOSS, "se junta con el otro pozo")
    moving.transfer(pool=night.pool, to=other, fund="reserve", amount=amount, with_=night.other(), by=by)


def a_night() -> SimpleNamespace:
    """Everything, in the order of the evening."""
    house = a_house()
    night = a_pool(house, tables=2, params=CAPPED)
    other = a_pool(house, name="Pozo vecino")
    with clock.standing_at(NIGHT + dt.timedelta(hours=3)):
        _play(night)
        draw = _a_draw(night)
        moved(night, other.pool, 100)
        _new_version(night)
        night.bet(0, 2)
        night.play(0, {2: NOTHING, 4: HIGH})
        reading.read_meter(pool=night.pool, amount=night.shown(), by=night.by())
        reading.read_meter(pool=night.pool, amount=night.shown() + 5, by=night.by())
        credits.return_credits(session=night.sessions[0], seat=4, credits=1, by=night.by())
        betting.place_bet(session=night.sessions[1], seat=3, credits=1, by=night.by())
        proof = proving.prove(pool=night.pool, day=NIGHT.date(), by=by_system(house.casino, "pool-proof"))
    with connection.cursor() as cursor:  # as at commit
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
    return SimpleNamespace(casino=house.casino, night=night, ids=_ids(night, other, draw, proof))


def _play(night: PoolNight) -> None:
    """A round over the cap, one voided, a flush paid, a royal flush not confirmed, a flush waiting."""
    house = night.house
    for table, seat in ((0, 2), (0, 4), (1, 3)):
        night.buy(table, seat)
    night.bet(0, 2, 3)
    night.play(0, {2: NOTHING, 4: HIGH})
    night.bet(0, 4)
    night.play(0, {2: NOTHING, 4: HIGH})
    void(night, 2)
    night.bet(0, 2)
    night.play(0, {2: FLUSH, 4: HIGH})
    (flush,) = night.prizes()
    prizes.check_prize(prize=flush, winner="Ana Ruiz", document="1234567", by=night.by(Role.COMPLIANCE))
    prizes.check_prize(prize=flush, by=night.by(Role.SUPERVISOR))
    till = a_cage(house)
    prizes.pay_prize(prize=flush, desk=till.desk, by=night.by(Role.CAGE))
    night.bet(1, 3)
    night.play(1, {3: ROYAL, 5: NOTHING}, house="Ac Ad 8d 3d 2c")
    royal = night.prizes()[-1]
    second = house.users[Role.SUPERVISOR].actor
    prizes.reject_prize(prize=royal, with_=second, by=night.by(Role.COMPLIANCE, "no se ve el as"))
    night.bet(1, 3)
    night.play(1, {3: FLUSH, 5: "Qc Td 7d 6s 3d"})
    back = night.bet(1, 3)
    betting.cancel_bet(bet=back, by=night.by())


def _a_draw(night: PoolNight) -> Any:
    """Drawn: one bet took part."""
    pool, house = night.pool, night.house
    approved_filing(house, asked.COMPLEMENTARY, asked.about_pool(pool))
    now = NIGHT + dt.timedelta(hours=3)
    until = now + dt.timedelta(minutes=30)
    draw = complementary.announce(
        pool=pool, name="Sorteo", form="chips", amount=50 * BOB, until=until, by=night.by(Role.COMPLIANCE)
    )
    night.bet(0, 2)
    night.play(0, {2: NOTHING, 4: HIGH})
    with clock.standing_at(until + dt.timedelta(minutes=1)):
        return complementary.draw(draw=draw, by=night.by())


def _new_version(night: PoolNight) -> None:
    with_ = night.other()
    an_approved_version(night.house, night.pool, {**CAPPED, "commission_bp": 1_333})
    pools.start(pool=night.pool, with_=with_, by=night.by(Role.PIT_BOSS, "parámetros nuevos"))


def _ids(night: PoolNight, other: PoolNight, draw: Any, proof: Any) -> dict[str, Any]:
    bets = {state: Bet.objects.filter(pool=night.pool, state=state).first() for state in Bet.State.values}
    prize = {one.state: one.pk for one in Prize.objects.filter(pool=night.pool)}
    kinds = {f"move_{m.kind}": m.pk for m in PoolMove.objects.filter(pool=night.pool)}
    versions = list(night.pool.versions.order_by("number"))
    return {
        "pool": night.pool.pk,
        "other": other.pool.pk,
        "session": night.sessions[0].pk,
        **{f"bet_{state}": bet.pk for state, bet in bets.items() if bet},
        **{f"prize_{state}": pk for state, pk in prize.items()},
        **kinds,
        "old": versions[0].pk,
        "new": versions[1].pk,
        "draw": draw.pk,
        "proof": proof.pk,
        "difference": Difference.objects.filter(pool=night.pool).values_list("pk", flat=True)[0],
        "credit": CreditMove.objects.filter(session=night.sessions[0]).values_list("pk", flat=True)[0],
        "cage": night.house.users[Role.CAGE].actor.pk,
        "member": members.PoolTable.objects.filter(pool=night.pool).values_list("pk", flat=True)[0],
    }


__all__ = ["House", "a_night", "void"]
