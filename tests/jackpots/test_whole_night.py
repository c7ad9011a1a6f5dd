"""A night with everything that happens to prizes in it: the proofs of pools and of the cage find nothing."""

from __future__ import annotations

import pytest

from audits import ledger
from audits.by import by_system
from casino.kernel import clock
from casino.kernel.permissions import Role
from jackpots import credits, prizes, promoting, proofs, proving
from jackpots.models import SeatCredits
from tables.money import cage_proofs
from tests.builders import BOB, FLOAT, NIGHT, House
from tests.jackpots.builders import FLUSH, ROYAL, STRAIGHT_FLUSH, a_pool
from tests.jackpots.test_complementary import drawn
from tests.jackpots.winning import a_prize, checked, pay
from tests.money.cage_building import a_cage


@pytest.mark.rule("PP-28", "PP-29", "PP-31")
def test_a_night_with_a_prize_of_every_kind_proves(house: House) -> None:
    """A flush paid in chips, a royal not confirmed after a straight flush had taken of the restarted meter,
    the straight flush paid in cash, promotional credits of a draw, all returned, both tables closed.
    `pending` is empty, and what the ledger has of the main level is what is shown."""
    night, till = a_pool(house, tables=2), a_cage(house)
    flush = a_prize(night, FLUSH)
    royal = a_prize(night, ROYAL)
    straight = a_prize(night, STRAIGHT_FLUSH, table=1)
    by = night.by(Role.SUPERVISOR, "no era escala real")
    prizes.reject_prize(prize=royal, with_=night.other(), by=by)
    for prize in (flush, straight):
        checked(night, prize)
    pay(night, till, flush, form="chips", chips={100 * BOB: 2, 25 * BOB: 2})
    pay(night, till, straight)
    draw = drawn(night, "credits", 20 * BOB)
    promoting.pay_in_credits(draw=draw, by=night.by())
    pool = night.pool
    assert ledger.balance(house.casino, f"pool:{pool.pk}:pending") == 0
    for meter in SeatCredits.objects.filter(amount__gt=0).order_by("pk"):
        bought = meter.amount - credits.promotional_at(meter.session, meter.seat)
        credits.return_credits(
            session=meter.session, seat=meter.seat, credits=bought // (5 * BOB), by=night.by()
        )
    for session in night.sessions:
        house.close(session, FLOAT, at=night.by().occurred_at)
    assert list(cage_proofs.told_faults(house.casino)) == []
    assert list(cage_proofs.ledger_faults(house.casino)) == []
    assert list(proofs.told_faults(house.casino)) == []
    assert list(proofs.money_faults(house.casino)) == []
    with clock.standing_at(night.clock):
        proof = proving.prove(pool=pool, day=NIGHT.date(), by=by_system(house.casino, "pool-proof"))
    assert proof.state == "matched"
    assert night.shown() == sum(
        ledger.balance(house.casino, f"pool:{pool.pk}:{part}") for part in ("main", "base")
    )
