"""A pool's life, versions and tables: each step, each refusal with its rule, and what SQL may not change."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from audits import ledger
from audits.by import by_user
from audits.people import create_user
from casino.kernel import clock
from casino.kernel.errors import NotAllowed, SabotError
from casino.kernel.permissions import Role
from jackpots import credits, members, moving, pools, versions
from jackpots import filings as asked
from jackpots.models import Pool, PoolMove, SeatCredits
from tables.games import registry
from tests.builders import BOB, FOUNDED, NIGHT, PASSWORD, House
from tests.jackpots.builders import (
    FLUSH,
    GAME,
    NOTHING,
    PARAMS,
    PoolNight,
    a_pool,
    an_approved_plan,
    approved_filing,
)
from tests.tables.every_game import a_table

OTHER = "Qc Td 8s 6s 3d"


def refused(act: Any) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()
    return found.value


def code_of(act: Any) -> tuple[str, str]:
    found = refused(act)
    return found.code, found.rule


def new_pool(house: House, name: str = "Otro pozo") -> Pool:
    with clock.standing_at(NIGHT):
        return pools.create_pool(name=name, by=house.by(Role.PIT_BOSS, NIGHT, "pozo nuevo"))


def started(house: House, pool: Pool, with_: Role = Role.COMPLIANCE) -> Pool:
    with clock.standing_at(NIGHT):
        by = house.by(Role.PIT_BOSS, NIGHT, "arranque")
        return pools.start(pool=pool, with_=house.users[with_].actor, by=by)


def suspended(night: PoolNight) -> None:
    with night.now():
        pools.suspend(pool=night.pool, with_=night.other(), by=night.by(reason="cambio de cifras"))


def played(night: PoolNight, cards: str = NOTHING) -> None:
    night.buy(0, 2)
    night.bet(0, 2)
    night.play(0, {2: cards, 4: OTHER}, house="Ac Ad 4d 3h 2c")


def balance(night: PoolNight, account: str) -> int:
    return ledger.balance(night.house.casino, account)


# ---- set up --------------------------------------------------------------------------------------------


@pytest.mark.rule("PP-22")
def test_a_pool_has_a_name_of_its_own_and_a_form(house: House) -> None:
    new_pool(house)

    def create(name: str, form: str = "credits", reason: str = "x") -> Any:
        return lambda: pools.create_pool(name=name, form=form, by=house.by(Role.PIT_BOSS, NIGHT, reason))

    assert refused(create("  ")).code == "bad_name"
    assert refused(create("x" * 61)).code == "bad_name"
    assert refused(create("Nuevo", "dice")).code == "bad_form"
    assert refused(create("Otro pozo")).code == "pool_exists"
    with pytest.raises(NotAllowed):
        pools.create_pool(name="Mío", by=house.by(Role.CROUPIER, NIGHT, "x"))


@pytest.mark.rule("PP-04", "PP-06", "PP-20", "PP-23")
def test_a_pool_starts_with_everything_it_needs_and_not_before(house: House) -> None:
    pool = new_pool(house)
    assert code_of(lambda: started(house, pool)) == ("not_approved", "PP-04")
    approved_filing(house, asked.EQUIPMENT, asked.about_pool(pool))
    assert code_of(lambda: started(house, pool)) == ("no_tables", "PP-06")
    table = a_table(house, registry.game(GAME))
    with clock.standing_at(NIGHT):
        members.link_table(pool=pool, table=table, by=house.by(Role.PIT_BOSS, NIGHT, "mesa"))
    assert code_of(lambda: started(house, pool)) == ("pool_figures", "PP-20")
    with clock.standing_at(NIGHT):
        by = house.by(Role.PIT_BOSS, NIGHT, "cifras")
        version = versions.draft_version(pool=pool, params=PARAMS, by=by)
        for role in (Role.COMPLIANCE, Role.ADMINISTRATOR):
            versions.approve_version(version=version, by=house.by(role, NIGHT))
    assert code_of(lambda: started(house, pool)) == ("not_approved", "PP-23")
    approved_filing(house, asked.SCHEME, asked.about_version(version))
    assert code_of(lambda: started(house, pool, Role.PIT_BOSS)) == ("same_person", "GEN-10")
    assert refused(lambda: started(house, pool, Role.CAGE)).code == "not_qualified"
    done = started(house, pool)
    assert (done.state, done.version_id) == ("running", version.pk)
    assert code_of(lambda: started(house, pool)) == ("pool_state", "PP-32")


@pytest.mark.rule("PP-20")
def test_figures_that_were_not_stated_are_no_parameters(house: House) -> None:
    pool = new_pool(house)
    by = house.by(Role.PIT_BOSS, NIGHT, "cifras")
    bare = {key: value for key, value in PARAMS.items() if key != "commission_bp"}
    found = refused(lambda: versions.draft_version(pool=pool, params=bare, by=by))
    assert (found.code, found.rule) == ("pool_figures_unset", "PP-20")


# ---- versions ------------------------------------------------------------------------------------------


@pytest.mark.rule("PP-30")
def test_two_people_of_two_departments_approve(house: House) -> None:
    pool = new_pool(house)
    by = house.by(Role.PIT_BOSS, NIGHT, "cifras")
    version = versions.draft_version(pool=pool, params=PARAMS, by=by)
    assert code_of(lambda: versions.draft_version(pool=pool, params=PARAMS, by=by)) == (
        "version_open", "PP-30",
    )  # fmt: skip
    second = create_user(
        username=f"{house.casino.code}-c2", name="Otra", password=PASSWORD, roles=[Role.COMPLIANCE],
        by=house.by(Role.ADMINISTRATOR, FOUNDED, "alta"),
    )  # fmt: skip
    versions.approve_version(version=version, by=house.by(Role.COMPLIANCE, NIGHT))

    def approve(who: Any) -> Any:
        return lambda: versions.approve_version(version=version, by=by_user(who, occurred_at=NIGHT))

    assert code_of(approve(house.users[Role.COMPLIANCE])) == ("same_person", "PP-30")
    assert code_of(approve(second)) == ("same_department", "PP-30")
    assert approve(house.users[Role.CAGE])().state == "approved"
    assert code_of(approve(house.users[Role.ADMINISTRATOR])) == ("version_state", "PP-30")
    bare = refused(lambda: versions.withdraw_version(version=version, by=house.by(Role.PIT_BOSS, NIGHT)))
    assert bare.code == "reason_missing"
    assert versions.withdraw_version(version=version, by=by).state == "withdrawn"
    assert code_of(lambda: versions.withdraw_version(version=version, by=by)) == ("version_state", "PP-30")


@pytest.mark.rule("PP-30")
def test_who_works_in_two_departments_says_for_which(house: House) -> None:
    by = house.by(Role.PIT_BOSS, NIGHT, "cifras")
    version = versions.draft_version(pool=new_pool(house), params=PARAMS, by=by)
    both = create_user(
        username=f"{house.casino.code}-b2", name="De dos áreas", password=PASSWORD,
        roles=[Role.COMPLIANCE, Role.CAGE], by=house.by(Role.ADMINISTRATOR, FOUNDED, "alta"),
    )  # fmt: skip

    def approve(department: str = "") -> Any:
        by = by_user(both, occurred_at=NIGHT)
        return lambda: versions.approve_version(version=version, department=department, by=by)

    for wrong in ("", "floor"):
        found = refused(approve(wrong))
        assert (found.code, found.field) == ("department_missing", "department")
    approve("cage")()
    assert version.approvals.get().department == "cage"
    assert code_of(lambda: versions.approve_version(version=version, by=house.by(Role.CAGE, NIGHT))) == (
        "same_department", "PP-30",
    )  # fmt: skip


@pytest.mark.rule("PP-19", "PP-23", "PP-30")
def test_another_commission_needs_its_own_filing_and_a_pool_that_stands(house: House) -> None:
    """5.00 at 10 %, then 5.00 at 20 %: 0.50 and 1.00 of commission."""
    night = a_pool(house)
    played(night)
    with clock.standing_at(night.clock):
        by = night.by(reason="otra comisión")
        version = versions.draft_version(pool=night.pool, params={**PARAMS, "commission_bp": 2_000}, by=by)
        for role in (Role.COMPLIANCE, Role.ADMINISTRATOR):
            versions.approve_version(version=version, by=night.by(role))
    played(night)
    assert balance(night, night.pool.commission_account) == 100
    suspended(night)

    def start() -> Pool:
        with night.now():
            return pools.start(pool=night.pool, with_=night.other(), by=night.by(reason="sigue"))

    assert code_of(start) == ("not_approved", "PP-23")
    approved_filing(house, asked.SCHEME, asked.about_version(version))
    start()
    old, new = night.pool.versions.order_by("number")
    assert (old.state, old.collected, new.state) == ("over", 1_000, "in_force")
    played(night)
    assert balance(night, night.pool.commission_account) == 200


# ---- stopped, suspended, retired -----------------------------------------------------------------------


@pytest.mark.rule("PP-32")
def test_a_failure_stops_the_pool_with_an_incident(house: House) -> None:
    night = a_pool(house)
    night.buy(0, 2)
    bet = night.bet(0, 2)
    with night.now():
        bare = refused(lambda: pools.stop(pool=night.pool, with_=night.other(), by=night.by()))
        assert bare.code == "reason_missing"
        by = night.by(reason="el visor se apagó")
    with night.now():
        found = pools.stop(pool=night.pool, with_=night.other(), by=by)
    assert found.state == "stopped" and found.incident is not None
    assert found.incident.kind == "pool_stopped"
    night.play(0, {2: FLUSH, 4: OTHER}, house="Ac Ad 4d 3h 2c")
    bet.refresh_from_db()
    assert bet.state == "returned" and night.prizes() == [] and night.funds()["main"] == (0, 1_000 * BOB)
    assert code_of(lambda: night.bet(0, 2)) == ("pool_not_running", "PP-32")
    with night.now():
        again = refused(
            lambda: pools.start(pool=night.pool, with_=night.other(), by=night.by(reason="sigue"))
        )
    assert (again.code, again.rule) == ("incident_open", "PP-32")


@pytest.mark.rule("PP-29", "PP-31", "PP-32")
def test_a_pool_is_retired_into_another_under_its_plan(house: House) -> None:
    """Main 3.60, reserve 0.90 to the other's main level; the base of 1,000.00 to the house."""
    night = a_pool(house)
    other = a_pool(house, name="El que queda")
    played(night)

    def retire(to: Pool | None = None) -> Pool:
        with night.now():
            return moving.retire(
                pool=night.pool, to=to or other.pool, with_=night.other(), by=night.by(reason="fin")
            )

    assert code_of(retire) == ("pool_state", "PP-32")
    suspended(night)
    assert refused(lambda: retire(night.pool)).code == "same_pool"
    an_approved_plan(night, other.pool)
    assert code_of(retire) == ("credits_left", "PP-09")
    left = SeatCredits.objects.get(session=night.sessions[0])
    credits.return_credits(
        session=night.sessions[0], seat=left.seat, credits=left.amount // (5 * BOB), by=night.by()
    )
    done = retire()
    assert (done.state, done.retired_to_id) == ("retired", other.pool.pk)
    assert night.funds() == {"main": (0, 0), "reserve": (0, 0)}
    assert other.funds() == {"main": (450, 1_000 * BOB), "reserve": (0, 0)}
    for part in ("main", "base", "reserve", "residue"):
        assert balance(night, f"pool:{night.pool.pk}:{part}") == 0, part
    assert balance(night, night.pool.house_account) == 0
    assert balance(night, f"pool:{other.pool.pk}:main") == 450
    with night.now():
        by = night.by(reason="tarde")
        assert refused(
            lambda: versions.draft_version(pool=night.pool, params=PARAMS, by=by)
        ).code == "pool_retired"  # fmt: skip


@pytest.mark.rule("PP-31", "PP-32")
def test_no_pool_is_retired_with_prizes_or_bets_open(house: House) -> None:
    night = a_pool(house)
    other = a_pool(house, name="El que queda")
    played(night, FLUSH)
    night.bet(0, 2)
    suspended(night)
    with night.now():
        found = refused(
            lambda: moving.retire(
                pool=night.pool, to=other.pool, with_=night.other(), by=night.by(reason="fin")
            )
        )
    assert (found.code, found.rule) == ("prizes_open", "PP-31")


# ---- what the database keeps ---------------------------------------------------------------------------

FORBIDDEN = [
    "UPDATE jackpots_fund SET players = players - 1 WHERE code = 'main'",
    "UPDATE jackpots_fund SET base = base + 1 WHERE code = 'main'",
    "UPDATE jackpots_fund SET code = 'mine'",
    "DELETE FROM jackpots_fund",
    "UPDATE jackpots_pool SET state = 'draft'",
    "UPDATE jackpots_pool SET form = 'chips'",
    "DELETE FROM jackpots_pool",
    "UPDATE jackpots_poolversion SET params = '{}'",
    "UPDATE jackpots_poolversion SET state = 'draft'",
    "UPDATE jackpots_bet SET amount = amount + 1",
    "UPDATE jackpots_bet SET state = 'placed', serial = NULL, total = NULL, version_id = NULL",
    "DELETE FROM jackpots_bet",
    "UPDATE jackpots_prize SET amount = amount - 1, players = players - 1",
    "UPDATE jackpots_prize SET noted_by_id = paid_by_id",
    "UPDATE jackpots_prize SET state = 'paid', decided_at = now(), paid_at = now(), paid_by_id = noted_by_id",
    "DELETE FROM jackpots_prize",
    "UPDATE jackpots_poolmove SET players = players + 1",
    "DELETE FROM jackpots_poolmove",
    "UPDATE jackpots_creditmove SET amount = amount + 1",
    "DELETE FROM jackpots_seatcredits",
    "UPDATE jackpots_seatcredits SET amount = -1",
    "DELETE FROM jackpots_pooltable",
]


@pytest.mark.rule("PP-29", "PP-30")
def test_direct_sql_is_refused(house: House) -> None:
    night = a_pool(house)
    played(night, FLUSH)
    for statement in FORBIDDEN:
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
            pytest.fail(statement)
    assert PoolMove.objects.filter(kind="prize").exists()
