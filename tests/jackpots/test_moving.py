"""Money that leaves a fund: once, exactly as the AJ approved, from a pool that stands; corrected by two."""

from __future__ import annotations

from typing import Any

import pytest

from audits import filings, incidents, ledger
from audits.filing_proofs import filing_faults
from audits.models import Event
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from jackpots import filings as asked
from jackpots import money_proofs, moving, plans, pools, proofs, versions
from jackpots.models import Pool, PoolMove
from tests.builders import BOB, NIGHT, House
from tests.jackpots.builders import (
    NOTHING,
    PARAMS,
    PoolNight,
    a_pool,
    an_approved_plan,
)

OTHER = "Qc Td 8s 6s 3d"


def refused(act: Any) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()
    return found.value


def code_of(act: Any) -> tuple[str, str]:
    found = refused(act)
    return found.code, found.rule


def played(night: PoolNight) -> None:
    """One bet of 5.00: commission 0.50, main 3.60, reserve 0.90."""
    night.buy(0, 2, 1)
    night.bet(0, 2)
    night.play(0, {2: NOTHING, 4: OTHER}, house="Ac Ad 4d 3h 2c")


def suspend(night: PoolNight) -> None:
    with night.now():
        pools.suspend(pool=night.pool, with_=night.other(), by=night.by(reason="traslado"))


def transfer(night: PoolNight, to: Pool, fund: str = "reserve", amount: int = 90) -> Pool:
    with night.now():
        return moving.transfer(
            pool=night.pool, to=to, fund=fund, amount=amount, with_=night.other(), by=night.by(reason="x")
        )


def retire(night: PoolNight, to: Pool | None, where: str = "") -> Pool:
    by = night.by(reason="fin")
    with night.now():
        return moving.retire(pool=night.pool, to=to, destination=where, with_=night.other(), by=by)


def faults(house: House) -> list[Any]:
    every = (proofs.told_faults, money_proofs.money_faults, filing_faults)
    return [fault for prove in every for fault in prove(house.casino)]


# ---- a transfer ----------------------------------------------------------------------------------------


@pytest.mark.rule("PP-29", "PP-32")
def test_a_plan_allows_one_transfer_once_and_exactly(house: House) -> None:
    """0.90 of the reserve to the other's main level; neither 0.89, nor of the main level, nor twice."""
    night, other = a_pool(house), a_pool(house, name="El que recibe")
    third = a_pool(house, name="Otro")
    played(night)
    played(night)
    suspend(night)
    assert code_of(lambda: transfer(night, other.pool)) == ("not_approved", "PP-32")
    plan = an_approved_plan(night, other.pool, "reserve", 90)
    assert (plan.facts["to"], plan.facts["fund"], plan.facts["amount"]) == (other.pool.pk, "reserve", 90)
    for act in (
        lambda: transfer(night, other.pool, amount=89),
        lambda: transfer(night, other.pool, fund="main"),
        lambda: transfer(night, third.pool),
        lambda: retire(night, other.pool),
    ):
        assert code_of(act) == ("filing_differs", "PP-32")
    transfer(night, other.pool)
    assert (night.funds()["reserve"], other.funds()["main"]) == ((90, 0), (90, 1_000 * BOB))
    plan.refresh_from_db()
    assert plan.state == "used" and plan.ended_by_id == house.users[Role.PIT_BOSS].actor.pk
    assert code_of(lambda: transfer(night, other.pool)) == ("not_approved", "PP-32")
    assert faults(house) == []


@pytest.mark.rule("PP-29", "PP-32")
def test_a_running_pool_gives_nothing_away(house: House) -> None:
    night, other = a_pool(house), a_pool(house, name="El que recibe")
    played(night)
    an_approved_plan(night, other.pool, "reserve", 90)
    assert code_of(lambda: transfer(night, other.pool)) == ("pool_state", "PP-32")
    suspend(night)
    assert refused(lambda: transfer(night, other.pool, "extra")).code == "no_fund"
    for amount in (0, -1, 91, True):
        assert refused(lambda amount=amount: transfer(night, other.pool, amount=amount)).code == "bad_amount"


@pytest.mark.rule("PP-29", "PP-32")
def test_what_is_no_plan(house: House) -> None:
    night, other = a_pool(house), a_pool(house, name="El que recibe")

    def draft(**about: Any) -> Any:
        given = {"to": other.pool, **about}
        return lambda: plans.draft_plan(pool=night.pool, by=night.by(), **given)

    assert refused(draft(to=night.pool)).code == "same_pool"
    assert refused(draft(fund="extra", amount=1)).code == "no_fund"
    for amount in (0, -1, None, True):
        assert refused(draft(fund="main", amount=amount)).code == "bad_amount"
    assert refused(draft(to=None)).code == "destination_missing"
    assert refused(draft(to=None, fund="main", amount=1, destination="Fondo")).code == "destination_missing"
    long = "x" * (filings.LONGEST_TEXT + 1)
    for text in (long, "invisible \x07"):
        odd = refused(draft(text=text))
        assert (odd.code, odd.field) == ("bad_text", "text")
    assert "tal cual" in draft(text=" tal cual ")().text
    subject = asked.about_pool(night.pool)
    bare = refused(
        lambda: filings.draft_filing(kind=asked.TRANSFER, subject=subject, text="Todo", by=night.by())
    )
    assert (bare.code, bare.rule) == ("facts_missing", "PP-32")


CAPPED = {"levels": [{**PARAMS["levels"][0], "cap": 100_100}]}
"""Base 1,000.00, cap 1,001.00."""


@pytest.mark.rule("PP-29")
def test_a_transfer_does_not_pass_the_cap_of_its_target(house: House) -> None:
    """1.00 brings the target to its cap of 1,001.00; another 0.01 would be above it."""
    night, other = a_pool(house), a_pool(house, name="Con tope", params=CAPPED)
    played(night)
    suspend(night)
    an_approved_plan(night, other.pool, "main", 101)
    found = refused(lambda: transfer(night, other.pool, "main", 101))
    assert (found.code, found.rule, found.field) == ("cap_below_meter", "PP-29", "to")
    an_approved_plan(night, other.pool, "main", 100)
    transfer(night, other.pool, "main", 100)
    assert (other.shown(), night.funds()["main"][0]) == (100_100, 260)
    an_approved_plan(night, other.pool)
    assert code_of(lambda: retire(night, other.pool)) == ("cap_below_meter", "PP-29")
    played(other)
    assert other.shown() == 100_100
    assert faults(house) == []


# ---- the last pool, and one that never ran -------------------------------------------------------------


@pytest.mark.rule("PP-29", "PP-32")
def test_the_last_pool_goes_where_its_plan_says(house: House) -> None:
    """Main 3.60 and reserve 0.90 leave the pool as the plan says; the base of 1,000.00 to the house."""
    night = a_pool(house)
    played(night)
    suspend(night)
    an_approved_plan(night, None, destination="Cuenta de la AJ para beneficencia")
    done = retire(night, None, "Cuenta de la AJ para beneficencia")
    assert (done.state, done.retired_to) == ("retired", None)
    assert ledger.balance(house.casino, f"plan:{night.pool.pk}") == 450
    for part in ("main", "base", "reserve", "residue"):
        assert ledger.balance(house.casino, f"pool:{night.pool.pk}:{part}") == 0, part
    assert ledger.balance(house.casino, night.pool.house_account) == 0
    told = Event.objects.get(action="jackpots.pool.transferred")
    assert b"beneficencia" in bytes(told.body)
    assert faults(house) == []


@pytest.mark.rule("PP-32")
def test_of_two_plans_in_words_the_one_said_is_used(house: House) -> None:
    night = a_pool(house)
    suspend(night)
    first = an_approved_plan(night, None, destination="Cuenta A")
    second = an_approved_plan(night, None, destination="Cuenta B")
    assert code_of(lambda: retire(night, None)) == ("destination_missing", "PP-32")
    assert code_of(lambda: retire(night, None, "Cuenta C")) == ("filing_differs", "PP-32")
    retire(night, None, " Cuenta A ")
    for plan in (first, second):
        plan.refresh_from_db()
    assert (first.state, second.state) == ("used", "approved")


@pytest.mark.rule("PP-32")
def test_only_the_last_pool_goes_to_a_destination_in_words(house: House) -> None:
    """Planned while it was the last; another one runs since, and receives the balance instead."""
    night = a_pool(house)
    an_approved_plan(night, None, destination="Cuenta A")
    other = a_pool(house, name="Otro")
    suspend(night)
    assert code_of(lambda: retire(night, None, "Cuenta A")) == ("not_the_last", "PP-32")
    again = refused(lambda: plans.draft_plan(pool=night.pool, to=None, destination="B", by=night.by()))
    assert (again.code, again.field) == ("not_the_last", "to")
    an_approved_plan(night, other.pool)
    assert retire(night, other.pool).state == "retired"


@pytest.mark.rule("PP-32")
def test_a_pool_that_never_ran_is_given_up(house: House) -> None:
    with clock.standing_at(NIGHT):
        pool = pools.create_pool(name="Nunca", by=house.by(Role.PIT_BOSS, NIGHT, "nuevo"))
        by = house.by(Role.PIT_BOSS, NIGHT, "no se hará")
        bare = refused(lambda: pools.abandon(pool=pool, by=house.by(Role.PIT_BOSS, NIGHT)))
        assert bare.code == "reason_missing"
        version = versions.draft_version(pool=pool, params=PARAMS, by=by)
        assert code_of(lambda: pools.abandon(pool=pool, by=by)) == ("version_open", "PP-30")
        versions.withdraw_version(version=version, by=by)
        done = pools.abandon(pool=pool, by=by)
        assert (done.state, done.version) == ("retired", None)
        assert code_of(lambda: pools.abandon(pool=pool, by=by)) == ("pool_state", "PP-32")
    night = a_pool(house)
    with night.now():
        again = refused(lambda: pools.abandon(pool=night.pool, by=night.by(reason="x")))
    assert again.code == "pool_state"
    assert faults(house) == []


# ---- corrected -----------------------------------------------------------------------------------------


@pytest.mark.rule("PP-29")
def test_no_meter_falls_under_a_bet_that_waits(house: House) -> None:
    night, other = a_pool(house), a_pool(house, name="El que recibe")
    played(night)
    an_approved_plan(night, other.pool, "reserve", 90)
    night.buy(0, 2)
    night.bet(0, 2)
    with night.now():
        stopped = pools.stop(pool=night.pool, with_=night.other(), by=night.by(reason="falla"))
    assert refused(lambda: transfer(night, other.pool)).code == "bets_waiting"
    about = {"pool": night.pool, "fund": "main", "incident": stopped.incident, "with_": night.other()}
    with night.now():
        low = refused(lambda: moving.correct(**about, amount=-1, by=night.by(reason="sobró")))
        assert low.code == "bets_waiting"
        moving.correct(**about, amount=1, by=night.by(reason="faltó"))
    assert night.funds()["main"][0] == 361


@pytest.mark.rule("PP-29", "PP-32")
def test_a_fund_is_corrected_by_two_for_a_documented_failure(house: House) -> None:
    """Main 3.60: the house puts in 1.40, then takes out 0.50: 4.50. It never falls below zero."""
    night, other = a_pool(house), a_pool(house, name="Otro")
    played(night)
    with night.now():
        stopped = pools.stop(pool=night.pool, with_=night.other(), by=night.by(reason="se cortó la luz"))
    incident = stopped.incident
    assert incident is not None

    def correct(amount: int, fund: str = "main", pool: Pool | None = None, **more: Any) -> Pool:
        given = {"with_": night.other(), "incident": incident, "by": night.by(reason="faltó un pase"), **more}
        with night.now():
            return moving.correct(pool=pool or night.pool, fund=fund, amount=amount, **given)

    assert code_of(lambda: correct(-361)) == ("not_enough", "PP-29")
    assert refused(lambda: correct(0)).code == "bad_amount"
    assert refused(lambda: correct(1, "extra")).code == "no_fund"
    assert code_of(lambda: correct(1, pool=other.pool)) == ("other_incident", "PP-29")
    assert refused(lambda: correct(1, with_=night.other(Role.PIT_BOSS))).code == "same_person"
    assert refused(lambda: correct(1, by=night.by())).code == "reason_missing"
    capped = a_pool(house, name="Con tope", params=CAPPED)
    with night.now():
        failed = pools.stop(pool=capped.pool, with_=night.other(), by=night.by(reason="falla"))
    over = refused(lambda: correct(101, pool=capped.pool, incident=failed.incident))
    assert (over.code, over.rule, over.field) == ("cap_below_meter", "PP-29", "amount")
    correct(140)
    correct(-50)
    assert night.funds()["main"] == (450, 1_000 * BOB)
    assert ledger.balance(house.casino, night.pool.account("main")) == 450
    assert ledger.balance(house.casino, night.pool.house_account) == -(1_000 * BOB + 90)
    moves = PoolMove.objects.filter(kind="correction").order_by("pk")
    assert [(move.players, move.after_players) for move in moves] == [(140, 500), (-50, 450)]
    assert faults(house) == []
    with night.now():
        incidents.resolve_incident(
            incident=incident, resolution="se corrigió", rule_applied="PP-29", with_=night.other(),
            by=night.by(),
        )  # fmt: skip
    assert refused(lambda: correct(1)).code == "incident_resolved"
