"""A pool over time: the line passes through what the display showed, whatever was voided or changed since."""

from __future__ import annotations

import pytest

from jackpots import charting, explaining
from jackpots.models import Pool
from tests.builders import BOB, House
from tests.jackpots.builders import NOTHING, ROYAL, PoolNight, a_pool
from tests.jackpots.test_voiding import HIGH, OTHER, void


def played(night: PoolNight, cards: str = NOTHING) -> tuple[object, int]:
    """A round with a bet of 5.00; what the display shows after it."""
    night.bet(0, 2)
    done = night.play(0, {2: cards, 4: OTHER}, house=HIGH)
    return done, night.shown()


@pytest.mark.rule("PP-28")
def test_the_line_passes_through_what_was_shown(house: House) -> None:
    """Each bet brings the main level 3.60; a voided round takes its 3.60 out again; a royal restarts it."""
    night = a_pool(house)
    night.buy(0, 2)
    shown = [played(night)[1], played(night)[1]]
    assert shown == [1_003_60, 1_007_20]
    done, there = played(night)
    assert there == 1_010_80
    void(night, done)  # type: ignore[arg-type]
    shown.append(played(night)[1])
    assert shown[-1] == 1_010_80
    played(night, ROYAL)
    shown.append(played(night)[1])
    pool = Pool.objects.get(pk=night.pool.pk)
    fund = pool.funds.get(code="main")
    points = charting.points_of(pool, fund, night.clock)
    assert points == sorted(points, key=lambda point: point.at)
    assert {1_003_60, 1_007_20, 1_010_80, 1_014_40, shown[-1]} <= {point.amount for point in points}
    assert (points[0].amount, points[-1].amount) == (1_000 * BOB, night.shown())
    assert [point.amount for point in points if point.why == "prize"] == [1_000 * BOB]


@pytest.mark.rule("PP-28")
def test_days_and_all_together_are_the_bets(house: House) -> None:
    """Three bets of 5.00, one voided since: 15.00, of them 1.50 commission, 10.80 main, 2.70 reserve."""
    night = a_pool(house)
    night.buy(0, 2)
    played(night)
    void(night, played(night)[0])  # type: ignore[arg-type]
    played(night)
    days = explaining.days_of(night.pool)
    assert days == [night.sessions[0].day.date]
    told = explaining.by_day(night.pool, days)[days[0]]
    assert told == explaining.all_together(night.pool)
    assert (told.bets, told.amount) == (3, 15 * BOB)
    assert told.parts == {"commission": 150, "main": 1_080, "reserve": 270}
    assert explaining.by_day(night.pool, []) == {}
    void_ones = explaining.explain(night.pool, night.pool.funds.get(code="main")).void
    assert (void_ones.bets, void_ones.amount) == (1, 5 * BOB)
