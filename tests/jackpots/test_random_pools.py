"""Random evenings on two tables: after each act funds, ledger and an arithmetic of their own agree.

The recomputation here knows nothing of `jackpots`: exact fractions of what was bet, and what prizes took.
"""

from __future__ import annotations

import datetime as dt
import random
from fractions import Fraction

import pytest

from audits import ledger
from audits.by import by_system
from casino.kernel import clock
from casino.kernel.errors import Conflict
from casino.kernel.permissions import Role
from jackpots import pools, proofs, proving
from jackpots.models import Bet, Prize
from tables.models import Round
from tests.builders import NIGHT, House
from tests.jackpots.builders import (
    FLUSH,
    PARAMS,
    STRAIGHT_FLUSH,
    PoolNight,
    a_pool,
    an_approved_version,
)
from tests.jackpots.proof_nights import HIGH, void

STEPS = 24
FIRST = {**PARAMS, "commission_bp": 1_037, "credit": 517}
FIRST["levels"] = [{**PARAMS["levels"][0], "share_bp": 7_773}]
FIRST["reserves"] = [{"code": "reserve", "share_bp": 2_227}]
HOUSE_CARDS, NOTHING = "8s 8d 4d 3s 2c", "Kc Jd 9s 5s 2d"


class Bookkeeper:
    """What each fund must hold: exact shares of what was bet by each version, floored once; less prizes."""

    def __init__(self) -> None:
        self.shares: dict[str, Fraction] = {}
        self.taken = {"main": 0, "reserve": 0}
        self.base = 100_000
        self.commission_bp = FIRST["commission_bp"]
        self.rest: dict[str, Fraction] = dict.fromkeys(("commission", "main", "reserve"), Fraction(0))

    def bet(self, amount: int) -> None:
        rate = Fraction(self.commission_bp, 10_000)
        self.rest["commission"] += amount * rate
        self.rest["main"] += amount * (1 - rate) * Fraction(7_773, 10_000)
        self.rest["reserve"] += amount * (1 - rate) * Fraction(2_227, 10_000)

    def given(self, fund: str) -> int:
        return int(self.rest[fund])  # towards nothing: never below it

    def holds(self, fund: str) -> int:
        return self.given(fund) - self.taken.get(fund, 0)

    def prize(self, amount: int) -> None:
        """From main, then base, then reserve (the house has the rest)."""
        for fund in ("main", "base", "reserve"):
            there = self.base if fund == "base" else self.holds(fund)
            part = min(amount, there)
            amount -= part
            if fund == "base":
                self.base -= part
            else:
                self.taken[fund] += part


@pytest.mark.rule("PP-18", "PP-21", "PP-28")
@pytest.mark.parametrize("seed", range(3))
def test_funds_ledger_and_arithmetic_agree(house: House, seed: int) -> None:
    chance, books = random.Random(seed), Bookkeeper()
    night = a_pool(house, tables=2, params=FIRST)
    for table, seat in ((0, 2), (0, 4), (1, 3)):
        night.buy(table, seat, 60)
    with clock.standing_at(NIGHT + dt.timedelta(hours=3)):
        for _ in range(STEPS):
            _step(night, books, chance)
            _agree(night, books)
    with clock.standing_at(NIGHT + dt.timedelta(hours=14)):
        proof = proving.prove(pool=night.pool, day=NIGHT.date(), by=by_system(house.casino, "pool-proof"))
    assert proof.state == "matched", list(
        night.pool.differences.values_list("code", "place", "expected", "found")
    )
    assert [*proofs.told_faults(house.casino), *proofs.money_faults(house.casino)] == []


def _step(night: PoolNight, books: Bookkeeper, chance: random.Random) -> None:
    what = chance.random()
    if what < 0.1:
        _another_version(night, books, chance)
    elif what < 0.25:
        _void_one(night, books)
    else:
        _play(night, books, chance)


def _play(night: PoolNight, books: Bookkeeper, chance: random.Random) -> None:
    table = chance.randrange(2)
    seats = (2, 4) if table == 0 else (3,)
    hands = dict(zip((*seats, 6), (NOTHING, HIGH, "Ah Qs 9d 4s 3h"), strict=False))
    winner = chance.choice(seats) if chance.random() < 0.3 else None
    if winner is not None:
        hands[winner] = chance.choice([FLUSH, STRAIGHT_FLUSH])
    for seat in seats:
        if chance.random() < 0.8:
            books.bet(night.bet(table, seat, chance.randint(1, 2)).amount)
    before = Prize.objects.count()
    night.play(table, hands, house=HOUSE_CARDS)
    for prize in Prize.objects.order_by("pk")[before:]:
        meter = books.holds("main") + books.base
        bet = prize.bet.amount
        books.prize(meter * 1_000 // 10_000 if prize.hand == "straight_flush" else 50 * bet)


def _void_one(night: PoolNight, books: Bookkeeper) -> None:
    """The last round of the first table, where nothing has gone on since."""
    row = Round.objects.filter(session=night.sessions[0]).order_by("-number").first()
    if row is None or row.state != "settled":
        return
    amounts = list(Bet.objects.filter(round=row, state="counted").values_list("amount", flat=True))
    try:
        void(night, row.number)
    except Conflict as refusal:
        assert refusal.code in ("prize_stands", "pool_moved_on")
        return
    for amount in amounts:
        books.bet(-amount)


def _another_version(night: PoolNight, books: Bookkeeper, chance: random.Random) -> None:
    books.commission_bp = chance.randrange(800, 1_500)
    with_ = night.other()
    pools.suspend(pool=night.pool, with_=with_, by=night.by(Role.PIT_BOSS, "otra comisión"))
    an_approved_version(night.house, night.pool, {**FIRST, "commission_bp": books.commission_bp})
    pools.start(pool=night.pool, with_=with_, by=night.by(Role.PIT_BOSS, "otra comisión"))


def _agree(night: PoolNight, books: Bookkeeper) -> None:
    pool, casino = night.pool, night.house.casino
    wanted = {"main": (books.holds("main"), books.base), "reserve": (books.holds("reserve"), 0)}
    assert night.funds() == wanted
    in_ledger = {code: ledger.balance(casino, pool.account(code)) for code in ("main", "reserve")}
    assert in_ledger == {code: players for code, (players, _) in wanted.items()}
    assert ledger.balance(casino, pool.account("main", "base")) == books.base
    assert ledger.balance(casino, pool.commission_account) == books.given("commission")
    total = sum(books.rest.values())
    residue = total - sum(books.given(fund) for fund in books.rest)
    assert ledger.balance(casino, pool.account("residue")) == residue < 3
