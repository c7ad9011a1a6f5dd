"""Funds that new parameters drop, levels over their caps, and what each gives back to the centavo."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from audits import ledger
from audits.by import by_system
from audits.models import Filing
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from jackpots import filings as asked
from jackpots import money_proofs, moving, pools, prizes, proofs, proving
from jackpots.models import PoolMove
from tables import rounds
from tests.builders import BOB, NIGHT, House
from tests.jackpots.builders import NOTHING, PARAMS, ROYAL, PoolNight, a_pool, an_approved_version

OTHER = "Qc Td 8s 6s 3d"
MINI: dict[str, Any] = {
    "levels": [
        {"code": "main", "share_bp": 5_000, "base": 1_000 * BOB, "cap": None},
        {"code": "mini", "share_bp": 3_000, "base": 100 * BOB, "cap": None},
    ],
    "prizes": [
        {"hand": "royal_flush", "kind": "percent", "value": 10_000, "level": "main"},
        {"hand": "flush", "kind": "percent", "value": 5_000, "level": "mini"},
    ],
}
FLUSH = "2h 4h 6h 8h 9h"


def refused(act: Any) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()
    return found.value


def played(night: PoolNight, cards: str = NOTHING) -> Any:
    night.buy(0, 2, 1)
    night.bet(0, 2)
    return night.play(0, {2: cards, 4: OTHER}, house="Ac Ad 4d 3h 2c")


def restart(night: PoolNight, params: dict[str, Any]) -> None:
    with night.now():
        pools.suspend(pool=night.pool, with_=night.other(), by=night.by(reason="cifras"))
    an_approved_version(night.house, night.pool, params)
    with night.now():
        pools.start(pool=night.pool, with_=night.other(), by=night.by(reason="sigue"))


def faults(night: PoolNight) -> list[Any]:
    casino = night.house.casino
    return [*proofs.told_faults(casino), *money_proofs.money_faults(casino)]


def held(night: PoolNight, account: str) -> int:
    return ledger.balance(night.house.casino, account)


@pytest.mark.rule("PP-22", "PP-29", "PP-30")
def test_a_level_that_is_dropped_leaves_nothing_behind(house: House) -> None:
    """5.00: commission 0.50; of 4.50 main 2.25, mini 1.35, reserve 0.90. Dropped: mini's 1.35 to main, its
    base of 100.00 to the house; the filing said so."""
    night = a_pool(house, params=MINI)
    played(night)
    assert night.funds() == {"main": (225, 100_000), "mini": (135, 10_000), "reserve": (90, 0)}
    restart(night, {})
    assert night.funds() == {"main": (360, 100_000), "mini": (0, 0), "reserve": (90, 0)}
    assert held(night, f"pool:{night.pool.pk}:mini") == held(night, f"pool:{night.pool.pk}:mini:base") == 0
    assert held(night, night.pool.house_account) == -100_000
    filing = Filing.objects.filter(kind=asked.SCHEME).latest("pk")
    assert filing.facts["dropped"] == ["mini"] and "«mini»" in filing.text
    with night.now():
        stopped = pools.stop(pool=night.pool, with_=night.other(), by=night.by(reason="falla"))
        assert stopped.incident is not None
        nowhere = refused(
            lambda: moving.correct(
                pool=night.pool, fund="mini", amount=1, incident=stopped.incident,  # type: ignore[arg-type]
                with_=night.other(), by=night.by(reason="faltó"),
            )
        )  # fmt: skip
    assert (nowhere.code, nowhere.rule) == ("fund_dropped", "PP-29")
    assert faults(night) == []
    proof = proving.prove(pool=night.pool, day=NIGHT.date(), by=by_system(house.casino, "pool-proof"))
    assert proof.state == "matched"


@pytest.mark.rule("PP-22", "PP-29")
def test_one_that_comes_back_begins_at_its_base(house: House) -> None:
    night = a_pool(house, params=MINI)
    played(night)
    restart(night, {})
    restart(night, MINI)
    assert night.funds() == {"main": (360, 100_000), "mini": (0, 10_000), "reserve": (90, 0)}
    assert faults(night) == []


@pytest.mark.rule("PP-29")
def test_a_reserve_that_is_dropped_goes_to_the_main_level(house: House) -> None:
    night = a_pool(house)
    played(night)
    level = {**PARAMS["levels"][0], "share_bp": 10_000}
    restart(night, {"levels": [level], "reserves": []})
    assert night.funds() == {"main": (450, 100_000), "reserve": (0, 0)}
    assert faults(night) == []


@pytest.mark.rule("PP-29")
def test_no_fund_turns_into_another_kind(house: House) -> None:
    night = a_pool(house, params=MINI)
    turned = {
        "levels": [{**PARAMS["levels"][0], "share_bp": 8_000}],
        "reserves": [{"code": "mini", "share_bp": 2_000}],
    }
    found = refused(lambda: restart(night, turned))
    assert (found.code, found.rule) == ("fund_of_another_kind", "PP-29")


@pytest.mark.rule("PP-29", "PP-31")
def test_a_prize_of_a_dropped_level_gives_back_to_what_is_there(house: House) -> None:
    """The flush took half of 101.35: 1.35 of the players' and 49.32 of the base, 50.67. Dropped, mini's
    50.68 of base went to the house. Not confirmed: 1.35 to main, 49.32 to the house."""
    night = a_pool(house, params=MINI)
    played(night, FLUSH)
    (prize,) = night.prizes()
    assert (prize.amount, prize.players, prize.base) == (5_067, 135, 4_932)
    restart(night, {})
    assert night.funds()["main"] == (225, 100_000)
    by = night.by(Role.SUPERVISOR, "no era color")
    prizes.reject_prize(prize=prize, with_=night.other(), by=by)
    assert night.funds() == {"main": (360, 100_000), "mini": (0, 0), "reserve": (90, 0)}
    assert held(night, night.pool.house_account) == -100_000
    assert held(night, f"pool:{night.pool.pk}:pending") == 0
    assert faults(night) == []


@pytest.mark.rule("PP-29", "PP-31")
def test_a_prize_not_confirmed_brings_no_meter_above_its_cap(house: House) -> None:
    """Cap 1,003.60. The royal takes 1,003.60; the base is 0.90 of the reserve and 999.10 of the house; a bet
    brings 3.60 and 0.90. Not confirmed, the meter would show 1,007.20: 3.60 of it go to the reserve, which
    has 0.90, gets its 0.90 back and so holds 5.40. Both bets: 9.00."""
    level = {**PARAMS["levels"][0], "cap": 100_360}
    night = a_pool(house, params={"levels": [level]})
    played(night, ROYAL)
    played(night)
    assert night.funds() == {"main": (450, 99_910), "reserve": (90, 0)}
    (prize,) = night.prizes()
    by = night.by(Role.SUPERVISOR, "no era escala")
    prizes.reject_prize(prize=prize, with_=night.other(), by=by)
    assert night.funds() == {"main": (360, 100_000), "reserve": (540, 0)}
    played(night)
    assert night.shown() == 100_360
    assert faults(night) == []
    proof = proving.prove(pool=night.pool, day=NIGHT.date(), by=by_system(house.casino, "pool-proof"))
    assert proof.state == "matched"
    spilt = PoolMove.objects.get(kind="overflow", event__action="jackpots.prize.rejected", players__lt=0)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("UPDATE jackpots_poolmove SET players = -359 WHERE id = %s", [spilt.pk])
        cursor.execute("SET session_replication_role = origin")
    assert any("spilt" in str(fault) for fault in proofs.told_faults(house.casino))


@pytest.mark.rule("PP-21", "PP-29", "REC-07")
def test_a_voided_round_takes_back_what_it_sent_over_the_cap(house: House) -> None:
    """Cap 1.00 above the base. Round 1 brings main 3.60: 1.00 stays, 2.60 go to the reserve, with its 0.90.
    Round 2: all 3.60 over. Round 1 voided: the reserve gives 2.60 and 0.90 back, main its 1.00."""
    night = a_pool(house, params={"levels": [{**PARAMS["levels"][0], "cap": 1_000 * BOB + 100}]})
    first = played(night)
    played(night)
    assert night.funds() == {"main": (100, 100_000), "reserve": (90 + 260 + 90 + 360, 0)}
    by = night.by(reason="se anotó dos veces")
    rounds.void(round=first, approved_by=night.other(Role.SUPERVISOR), cards_came_out=True, by=by)
    assert night.funds() == {"main": (0, 100_000), "reserve": (90 + 360, 0)}
    assert held(night, f"pool:{night.pool.pk}:main") == 0
    assert held(night, f"pool:{night.pool.pk}:reserve") == 450
    assert faults(night) == []
    proof = proving.prove(pool=night.pool, day=NIGHT.date(), by=by_system(house.casino, "pool-proof"))
    assert proof.state == "matched"
