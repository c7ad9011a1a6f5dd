"""A pool runs on the AJ's approvals: revoked or lapsed, it is suspended, and what ends soon is warned of."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from audits import filings
from audits.by import by_system
from audits.filing_proofs import filing_faults
from audits.models import Event, Filing
from casino.kernel import clock
from casino.kernel.errors import NotAllowed, SabotError
from casino.kernel.permissions import Role
from jackpots import filings as asked
from jackpots import pools, proofs, standing, tasks, versions
from jackpots.models import Bet
from jackpots.preflight import to_start
from tables import preflight, rounds
from tests.builders import NIGHT, House
from tests.games.house_poker import building as hp
from tests.jackpots.builders import NOTHING, PoolNight, a_pool, an_approved_version, approved_filing, round_of
from tests.jackpots.test_dropping import MINI, restart

OTHER = "Qc Td 8s 6s 3d"
DAY = dt.date(2026, 11, 20)


def refused(act: Any) -> SabotError:
    with pytest.raises(SabotError) as found:
        act()
    return found.value


def approval(night: PoolNight, kind: str) -> Filing:
    return Filing.objects.get(kind=kind, state="approved")


def revoke(night: PoolNight, filing: Filing, role: Role = Role.COMPLIANCE, reason: str = "falla") -> Filing:
    with night.now():
        return filings.revoke_filing(filing=filing, document="RA 99/2026", by=night.by(role, reason))


def start(night: PoolNight) -> Any:
    with night.now():
        return pools.start(pool=night.pool, with_=night.other(), by=night.by(reason="sigue"))


def limited(night: PoolNight, until: dt.date) -> Filing:
    """Another equipment approval that ends, in the place of the first."""
    revoke(night, approval(night, asked.EQUIPMENT))
    subject, by = asked.about_pool(night.pool), night.by(reason="equipo")
    filing = filings.draft_filing(kind=asked.EQUIPMENT, subject=subject, text="equipo", by=by)
    filings.present_filing(filing=filing, by=night.by(Role.COMPLIANCE))
    by = night.by(Role.ADMINISTRATOR)
    done = filings.decide_filing(filing=filing, approved=True, reference="AJ/2", valid_until=until, by=by)
    start(night)
    return done


@pytest.mark.rule("PP-04", "PP-19", "PP-23")
@pytest.mark.parametrize("kind", [asked.EQUIPMENT, asked.SCHEME])
def test_a_revoked_approval_suspends_the_pool(house: House, kind: str) -> None:
    """The bet that waits goes back; nothing starts before the AJ approves anew."""
    night = a_pool(house)
    night.buy(0, 2)
    bet = night.bet(0, 2)
    filing = approval(night, kind)
    assert refused(lambda: revoke(night, filing, reason="")).code == "reason_missing"
    with pytest.raises(NotAllowed):
        revoke(night, filing, Role.PIT_BOSS)
    done = revoke(night, filing)
    assert (done.state, done.document, done.valid_from) == ("revoked", "RA 99/2026", DAY)
    assert refused(lambda: revoke(night, filing)).code == "filing_state"
    night.pool.refresh_from_db()
    assert night.pool.state == "suspended"
    told = Event.objects.filter(action="jackpots.pool.moved").latest("pk")
    assert told.actor == house.users[Role.COMPLIANCE].actor
    night.play(0, {2: NOTHING, 4: OTHER})
    bet.refresh_from_db()
    assert bet.state == Bet.State.RETURNED
    found = refused(lambda: start(night))
    assert (found.code, found.rule) == ("not_approved", filings.kinds()[kind].rule)
    lacks = standing.standing_of([night.pool], DAY)[night.pool.pk].lacks
    assert lacks == (kind,)
    (cause,) = standing.watch(house.casino, night.clock)
    opening = preflight.check(night.tables[0], night.clock)
    assert {cause.rule} == {one.rule for one in opening if one.code == "pools_approved"}
    assert cause.rule == filings.kinds()[kind].rule
    need = next(one for one in to_start(night.pool, night.clock) if one.check.code == kind)
    assert need.check.words.es == f"{filing.label} fue revocado por la AJ: pídalo de nuevo"
    subject = asked.about_pool(night.pool)
    if kind == asked.SCHEME:
        assert night.pool.version is not None
        subject = asked.about_version(night.pool.version)
        versions.ask_again(version=night.pool.version, by=night.by(reason="se aclaró"))
    approved_filing(house, kind, subject, night.clock)
    assert start(night).state == "running"
    assert [*proofs.told_faults(house.casino), *filing_faults(house.casino)] == []


@pytest.mark.rule("PP-04", "PP-10")
def test_a_round_that_is_played_ends_before_the_pool_stands_still(house: House) -> None:
    """Its bet of 5.00 counts: 3.60 for the main level; the job suspends the pool afterwards."""
    night = a_pool(house)
    night.buy(0, 2)
    night.bet(0, 2)
    session, log = night.sessions[0], round_of({2: NOTHING, 4: OTHER})
    closed = log.index(hp.CLOSE) + 1
    opened = rounds.play(session=session, number=1, step=0, events=log[:closed], by=night.by())
    revoke(night, approval(night, asked.EQUIPMENT))
    with night.now():
        standing.look_at_all()
    night.pool.refresh_from_db()
    assert night.pool.state == "running"
    dealt = rounds.play(session=session, number=1, step=len(opened.log), events=log[closed:], by=night.by())
    rounds.settle(session=session, number=1, step=len(dealt.log), by=night.by())
    assert night.funds()["main"][0] == 360
    with night.now():
        standing.look_at_all()
    night.pool.refresh_from_db()
    assert night.pool.state == "suspended"


@pytest.mark.rule("PP-04")
def test_one_of_two_approvals_revoked_leaves_the_other(house: House) -> None:
    night = a_pool(house)
    first = approval(night, asked.EQUIPMENT)
    approved_filing(house, asked.EQUIPMENT, asked.about_pool(night.pool))
    revoke(night, first)
    night.pool.refresh_from_db()
    assert night.pool.state == "running"


@pytest.mark.rule("PP-04")
def test_an_approval_that_ends_is_warned_of_and_then_suspends(house: House) -> None:
    """Valid to 5 December: warned of from 15 days before, the last day included; gone on the 6th."""
    night = a_pool(house)
    filing = limited(night, dt.date(2026, 12, 5))

    def at(day: dt.date) -> standing.Standing:
        return standing.standing_of([night.pool], day)[night.pool.pk]

    night.pool.refresh_from_db()
    assert at(dt.date(2026, 11, 19)) == standing.Standing((asked.EQUIPMENT, asked.SCHEME), ())
    assert at(dt.date(2026, 11, 20)) == standing.Standing((), (filing,))
    assert at(dt.date(2026, 12, 5)) == standing.Standing((), (filing,))
    assert at(dt.date(2026, 12, 6)).lacks == (asked.EQUIPMENT,)
    assert "vence el 05/12/2026" in at(DAY).said[0].words.es
    (cause,) = standing.watch(house.casino, night.clock)
    assert (cause.level, cause.rule, cause.kind) == ("warn", "PP-04", standing.APPROVAL)
    with night.now():
        tasks.look_at_approvals()
    night.pool.refresh_from_db()
    assert night.pool.state == "running"
    later = NIGHT + dt.timedelta(days=16)
    with clock.standing_at(later):
        (cause,) = standing.watch(house.casino, later)
        assert cause.level == "bad"
        tasks.look_at_approvals()
        tasks.look_at_approvals()
        standing.suspend_unapproved(pool=night.pool, by=by_system(house.casino, standing.JOB))
    night.pool.refresh_from_db()
    assert night.pool.state == "suspended"
    assert Event.objects.filter(action="jackpots.pool.moved", actor__name=standing.JOB).count() == 1
    assert list(proofs.told_faults(house.casino)) == []


@pytest.mark.rule("PP-04")
def test_a_pool_stopped_for_a_failure_is_warned_of_too(house: House) -> None:
    night = a_pool(house)
    limited(night, dt.date(2026, 12, 5))
    with night.now():
        pools.stop(pool=night.pool, with_=night.other(), by=night.by(reason="falla"))
    (cause,) = standing.watch(house.casino, night.clock)
    assert (cause.level, cause.rule) == ("warn", "PP-04")


def test_only_the_system_suspends_for_a_lapse(house: House) -> None:
    night = a_pool(house)
    with pytest.raises(NotAllowed):
        standing.suspend_unapproved(pool=night.pool, by=night.by(Role.COMPLIANCE))


@pytest.mark.rule("PP-22")
def test_the_base_of_a_level_that_comes_back_is_said_before_the_start(house: House) -> None:
    """Mini, 100.00, was there before and is not now: with it back the house puts 100.00 in."""
    night = a_pool(house, params=MINI)
    restart(night, {})
    an_approved_version(house, night.pool, MINI)
    night.pool.refresh_from_db()
    need = next(one for one in to_start(night.pool, night.clock) if one.check.code == "base")
    assert "100,00" in need.check.words.es
    assert "base" not in [one.check.code for one in to_start(a_pool(house, name="Otro").pool, night.clock)]


@pytest.mark.rule("PP-06")
def test_a_notice_that_was_withdrawn_is_no_draft(house: House) -> None:
    night = a_pool(house)
    notice = Filing.objects.get(kind=asked.TABLES)
    filings.withdraw_filing(filing=notice, by=night.by(reason="error"))
    with night.now():
        pools.suspend(pool=night.pool, with_=night.other(), by=night.by(reason="x"))
    night.pool.refresh_from_db()
    need = next(one for one in to_start(night.pool, night.clock) if one.check.code == asked.TABLES)
    assert "se retiró" in need.check.words.es


def test_a_revocation_names_its_document(house: House) -> None:
    night = a_pool(house)
    by = night.by(Role.COMPLIANCE, "falla")
    bare = refused(
        lambda: filings.revoke_filing(filing=approval(night, asked.EQUIPMENT), document=" ", by=by)
    )
    assert (bare.code, bare.field) == ("document_missing", "document")
