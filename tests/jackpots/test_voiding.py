"""Rounds voided and given up: what their progressive bets brought goes back, to the unit."""

from __future__ import annotations

from typing import Any

import pytest

from audits import ledger
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from jackpots import credits, prizes
from jackpots.models import Bet, SeatCredits
from tables import rounds
from tables.models import Round
from tests.builders import BOB, House
from tests.games.house_poker import building as hp
from tests.jackpots.builders import FLUSH, NOTHING, ROYAL, PoolNight, a_pool

OTHER = "Qc Td 8s 6s 3d"
HIGH = "Ac Ad 4d 3h 2c"


def refused(act: Any) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()
    return found.value


def played(night: PoolNight, cards: str = NOTHING) -> Round:
    night.bet(0, 2)
    return night.play(0, {2: cards, 4: OTHER}, house=HIGH)


def void(night: PoolNight, round: Round) -> Round:
    by = night.by(reason="se anotó dos veces")
    return rounds.void(round=round, approved_by=night.other(Role.SUPERVISOR), cards_came_out=True, by=by)


def held(night: PoolNight) -> dict[str, int]:
    pool = night.pool
    accounts = {"commission": pool.commission_account, "credits": f"credits:{night.sessions[0].pk}"}
    accounts |= {code: pool.account(code) for code in ("main", "reserve", "residue", "pending")}
    return {name: ledger.balance(night.house.casino, code) for name, code in accounts.items()}


@pytest.mark.rule("REC-07", "PP-28", "PP-29")
def test_a_voided_round_is_as_if_it_had_not_been(house: House) -> None:
    """5.00 of 50.00 bought: 0.50, 3.60 and 0.90 come back to the meter."""
    night = a_pool(house)
    night.buy(0, 2)
    done = played(night)
    assert held(night) == {
        "commission": 50, "credits": 4_500, "main": 360, "reserve": 90, "residue": 0, "pending": 0,
    }  # fmt: skip
    void(night, done)
    assert held(night) == {
        "commission": 0, "credits": 5_000, "main": 0, "reserve": 0, "residue": 0, "pending": 0,
    }  # fmt: skip
    assert night.funds() == {"main": (0, 1_000 * BOB), "reserve": (0, 0)}
    assert SeatCredits.objects.get(seat=2).amount == 5_000
    bet = Bet.objects.get()
    assert (bet.state, bet.serial, bet.total) == ("void", 1, 500)
    night.pool.refresh_from_db()
    assert (night.pool.collected, night.pool.bets) == (0, 1)


@pytest.mark.rule("PP-28")
def test_broken_units_of_an_earlier_round_stay_where_the_closed_form_puts_them(house: House) -> None:
    """Credits of 1.01. Bet 1: commission 10.1 -> 10, main 72.72 -> 72, reserve 18.18 -> 18, residue 1.
    Bet 2: totals 20.2, 145.44, 36.36 -> 20, 145, 36: it brought 10, 73, 18, residue 0. Bet 1 voided: what is
    left is one bet's 10, 72, 18 and 1: main gives the unit it had rounded up to the residue."""
    night = a_pool(house, params={"credit": 101})
    night.buy(0, 2)
    first = played(night)
    assert {k: held(night)[k] for k in ("commission", "main", "reserve", "residue")} == {
        "commission": 10, "main": 72, "reserve": 18, "residue": 1,
    }  # fmt: skip
    played(night)
    assert {k: held(night)[k] for k in ("commission", "main", "reserve", "residue")} == {
        "commission": 20, "main": 145, "reserve": 36, "residue": 1,
    }  # fmt: skip
    void(night, first)
    assert held(night) == {
        "commission": 10, "main": 72, "reserve": 18, "residue": 1, "credits": 1_010 - 101, "pending": 0,
    }  # fmt: skip
    assert night.funds() == {"main": (72, 1_000 * BOB), "reserve": (18, 0)}


@pytest.mark.rule("PP-31")
def test_a_round_with_a_prize_is_voided_only_once_it_is_not_confirmed(house: House) -> None:
    """The flush took 3.60 and 246.40 of the base: back first, then the round's 5.00."""
    night = a_pool(house)
    night.buy(0, 2)
    done = played(night, FLUSH)
    stands = refused(lambda: void(night, done))
    assert (stands.code, stands.rule) == ("prize_stands", "PP-31")
    (prize,) = night.prizes()
    assert (prize.players, prize.base) == (360, 24_640)
    by = night.by(Role.SUPERVISOR, "no era color")
    prizes.reject_prize(prize=prize, with_=night.other(), by=by)
    void(night, done)
    assert night.funds() == {"main": (0, 1_000 * BOB), "reserve": (0, 0)}
    assert held(night)["pending"] == 0 and held(night)["credits"] == 5_000


@pytest.mark.rule("PP-29")
def test_what_others_won_is_not_taken_back(house: House) -> None:
    """Two bets of 3.60 to main; the royal takes them, main restarts with the 1.80 of the reserve. Voiding the
    first round would take 3.60 of 1.80."""
    night = a_pool(house)
    night.buy(0, 2)
    first = played(night)
    played(night, ROYAL)
    assert night.funds()["main"] == (180, 1_000 * BOB - 180)
    gone = refused(lambda: void(night, first))
    assert (gone.code, gone.rule) == ("pool_moved_on", "PP-29")


@pytest.mark.rule("PP-01")
def test_the_bets_of_a_round_given_up_go_back(house: House) -> None:
    night = a_pool(house)
    night.buy(0, 2)
    bet = night.bet(0, 2)
    session = night.sessions[0]
    opened = rounds.play(
        session=session, number=1, step=0, events=[hp.bet(2, "ante", 10 * BOB), hp.CLOSE], by=night.by()
    )
    locked = refused(lambda: night.bet(0, 3))
    assert (locked.code, locked.rule) == ("bets_locked", "PP-10")
    rounds.abandon(session=session, number=1, step=len(opened.log), by=night.by(reason="mal reparto"))
    bet.refresh_from_db()
    assert bet.state == "returned"
    assert credits.free_at(session, 2) == 5_000
    assert held(night)["main"] == 0
    assert night.bet(0, 2).number == 2
