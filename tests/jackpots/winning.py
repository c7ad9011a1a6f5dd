"""A prize for tests: hit, checked by two, paid at a desk."""

from __future__ import annotations

from typing import Any

import pytest

from audits import ledger
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from jackpots import prizes
from jackpots.models import Prize
from tests.jackpots.builders import FLUSH, PoolNight
from tests.money.cage_building import Cage

WHO = {"winner": "Ana Rojas", "document": "4871203 LP"}
NOBODY2 = "Qc Td 8s 6s 3d"


def refused(act: Any) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()
    return found.value


def held(night: PoolNight, code: str) -> int:
    return ledger.balance(night.house.casino, code)


def a_prize(night: PoolNight, cards: str = FLUSH, seat: int = 2, table: int = 0) -> Prize:
    """One bet of a credit, and the hand that wins."""
    night.buy(table, seat)
    night.bet(table, seat)
    night.play(table, {seat: cards, seat + 1: NOBODY2}, house="Ac Ad 4d 3h 2c")
    return night.prizes()[-1]


def checked(night: PoolNight, prize: Prize, **who: str) -> Prize:
    """Two people check it: a supervisor and compliance."""
    with night.now():
        prizes.check_prize(prize=prize, by=night.by(Role.SUPERVISOR), **(who or WHO))
        return prizes.check_prize(prize=prize, by=night.by(Role.COMPLIANCE))


def pay(night: PoolNight, till: Cage, prize: Prize, **more: Any) -> Prize:
    return prizes.pay_prize(prize=prize, desk=till.desk, by=night.by(Role.CAGE), **more)
