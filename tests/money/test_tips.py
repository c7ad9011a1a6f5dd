"""Tips: pooled by gaming day, shared by hours and posts, approved by two of whom one has no share."""

from __future__ import annotations

import datetime as dt

import pytest

from audits import ledger
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.permissions import Role
from tables import people, sessions
from tables.models import Staff, TableSession, TipDistribution, TipHandover
from tables.money import cage_proofs, tip_handing, tips
from tests.builders import BOB, CLOSING_TIME, FLOAT, FOUNDED, NIGHT, House

HOUR = dt.timedelta(hours=1)


@pytest.fixture
def house(stand: House) -> House:
    return stand


def shared_evening(house: House) -> TableSession:
    """Dealer 0 deals three hours, dealer 1 the last two; BOB 101 of tips."""
    session = house.open_table()
    tips.enter_tips(session=session, chips_counted={25 * BOB: 4}, by=house.by(Role.SUPERVISOR, NIGHT + HOUR))
    sessions.relieve(
        session=session, staff=house.dealers[1], post="dealer", by=house.by(Role.SUPERVISOR, NIGHT + 3 * HOUR)
    )
    house.close(session, FLOAT)  # five hours after opening
    tips.enter_tips(session=session, chips_counted={1 * BOB: 1}, by=house.by(Role.CAGE, CLOSING_TIME + HOUR))
    return session


def draft(house: House, session: TableSession) -> TipDistribution:
    return tips.draft_tips(day=session.day, by=house.by(Role.SUPERVISOR, CLOSING_TIME + 2 * HOUR))


def approve(house: House, held: TipDistribution, one: Role, other: Role) -> TipDistribution:
    return tips.approve_tips(
        distribution=held, with_=house.users[other].actor, by=house.by(one, CLOSING_TIME + 3 * HOUR)
    )


def clean(house: House) -> bool:
    return not [*cage_proofs.ledger_faults(house.casino), *cage_proofs.told_faults(house.casino)]


def test_a_day_of_tips_is_shared_by_hours(house: House) -> None:
    session = shared_evening(house)
    assert ledger.balance(house.casino, f"tips:{session.pk}") == 101 * BOB
    held = draft(house, session)
    # 101,00 by 3 : 2 hours at 10 points each: 60,60 and 40,40. The supervisor's post has no points.
    assert [(line["staff"], line["amount"]) for line in held.lines] == [
        (house.dealers[0].pk, 6_060),
        (house.dealers[1].pk, 4_040),
    ]
    approved = approve(house, held, Role.PIT_BOSS, Role.COMPLIANCE)
    assert (approved.state, approved.total) == ("approved", 101 * BOB)
    assert ledger.balance(house.casino, f"tips:{session.pk}") == 0
    assert ledger.balance(house.casino, "tips:paid") == 101 * BOB
    assert list(tips.shares_of(house.dealers[1])) == [
        {"day": session.day.date, "seconds": 2 * 3_600, "amount": 4_040, "received": None}
    ]
    assert list(tips.shares_of(house.dealers[2])) == []
    assert clean(house)


def test_tips_do_not_change_the_float(house: House) -> None:
    session = house.open_table()
    before = ledger.balance(house.casino, f"tray:{session.pk}")
    tips.enter_tips(session=session, chips_counted={25 * BOB: 4}, by=house.by(Role.SUPERVISOR, NIGHT + HOUR))
    assert ledger.balance(house.casino, f"tray:{session.pk}") == before


def with_login(house: House, staff: Staff, role: Role) -> None:
    people.set_staff(
        staff=staff,
        number=staff.number,
        name=staff.name,
        licence=staff.licence,
        licence_expires=staff.licence_expires,
        games=staff.games,
        supervises=staff.supervises,
        user=house.users[role],
        by=house.by(Role.ADMINISTRATOR, FOUNDED, "usuario"),
    )


@pytest.mark.rule("GEN-10")
def test_those_who_share_do_not_approve_alone(house: House) -> None:
    with_login(house, house.dealers[0], Role.SUPERVISOR)
    with_login(house, house.dealers[1], Role.PIT_BOSS)
    held = draft(house, shared_evening(house))
    with pytest.raises(RuleViolation) as own:
        approve(house, held, Role.SUPERVISOR, Role.PIT_BOSS)
    assert (own.value.code, own.value.rule) == ("own_share", "GEN-10")
    with pytest.raises(RuleViolation) as alone:
        approve(house, held, Role.COMPLIANCE, Role.COMPLIANCE)
    assert alone.value.code == "same_person"
    assert approve(house, held, Role.SUPERVISOR, Role.COMPLIANCE).state == "approved"


def test_a_draft_is_of_a_day_that_is_over_and_of_all_its_tips(house: House) -> None:
    session = house.open_table()
    tips.enter_tips(session=session, chips_counted={25 * BOB: 4}, by=house.by(Role.SUPERVISOR, NIGHT + HOUR))
    with pytest.raises(Conflict) as running:
        draft(house, session)
    assert running.value.code == "sessions_open"
    house.close(session, FLOAT)
    held = draft(house, session)
    tips.enter_tips(session=session, chips_counted={25 * BOB: 1}, by=house.by(Role.CAGE, CLOSING_TIME + HOUR))
    with pytest.raises(Conflict) as stale:
        approve(house, held, Role.PIT_BOSS, Role.COMPLIANCE)
    assert stale.value.code == "draft_stale"
    assert draft(house, session).total == 125 * BOB
    approve(house, held, Role.PIT_BOSS, Role.COMPLIANCE)
    with pytest.raises(Conflict) as late:
        tips.enter_tips(
            session=session, chips_counted={25 * BOB: 1}, by=house.by(Role.CAGE, CLOSING_TIME + 4 * HOUR)
        )
    assert late.value.code == "tips_shared"
    assert clean(house)


def test_tips_of_nothing_are_refused(house: House) -> None:
    session = house.open_table()
    with pytest.raises(Refused) as nothing:
        tips.enter_tips(session=session, chips_counted={}, by=house.by(Role.SUPERVISOR, NIGHT + HOUR))
    assert nothing.value.code == "no_chips"
    house.close(session, FLOAT)
    with pytest.raises(Conflict) as none:
        draft(house, session)
    assert none.value.code == "no_tips"


# ---- into the hand ------------------------------------------------------------------------------------


def hand(house: House, held: TipDistribution, staff: Staff, one: Role, other: Role) -> TipHandover:
    return tip_handing.hand_over(
        distribution=held,
        staff=staff,
        signed_by=house.users[other].actor,
        by=house.by(one, CLOSING_TIME + 4 * HOUR),
    )


@pytest.mark.rule("GEN-10", "REC-07")
def test_each_share_goes_into_a_hand_once_and_the_record_says_whose(house: House) -> None:
    held = draft(house, shared_evening(house))
    with pytest.raises(Conflict) as early:
        hand(house, held, house.dealers[0], Role.CAGE, Role.SUPERVISOR)
    assert early.value.code == "not_approved"
    held = approve(house, held, Role.PIT_BOSS, Role.COMPLIANCE)
    # Dealer 1 earned 40,40 (two of five hours of 101,00) and signed on paper before the supervisor.
    made = hand(house, held, house.dealers[1], Role.CAGE, Role.SUPERVISOR)
    assert (made.amount, made.given_by.name) == (4_040, house.users[Role.CAGE].name)
    assert next(tips.shares_of(house.dealers[1]))["received"] == CLOSING_TIME + 4 * HOUR
    assert next(tips.shares_of(house.dealers[0]))["received"] is None
    with pytest.raises(Conflict) as twice:
        hand(house, held, house.dealers[1], Role.CAGE, Role.SUPERVISOR)
    assert twice.value.code == "handed_over"
    with pytest.raises(Refused) as stranger:
        hand(house, held, house.dealers[2], Role.CAGE, Role.SUPERVISOR)
    assert stranger.value.code == "no_share"
    # It left the pool when it was approved: nothing is posted again.
    assert ledger.balance(house.casino, "tips:paid") == 101 * BOB
    assert clean(house)


@pytest.mark.rule("GEN-10")
def test_a_dealer_signs_for_their_own_share_alone_and_nobody_gives_themselves_theirs(house: House) -> None:
    with_login(house, house.dealers[0], Role.CROUPIER)
    held = approve(house, draft(house, shared_evening(house)), Role.PIT_BOSS, Role.COMPLIANCE)
    with pytest.raises(RuleViolation) as for_another:
        hand(house, held, house.dealers[1], Role.CAGE, Role.CROUPIER)
    assert for_another.value.code == "not_qualified"
    with pytest.raises(RuleViolation) as alone:
        hand(house, held, house.dealers[0], Role.CAGE, Role.CAGE)
    assert alone.value.code == "same_person"
    made = hand(house, held, house.dealers[0], Role.CAGE, Role.CROUPIER)
    assert (made.amount, made.signed_by) == (6_060, house.users[Role.CROUPIER].actor)
    assert clean(house)
