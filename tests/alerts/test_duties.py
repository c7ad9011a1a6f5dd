"""A chief with pits of their own writes at the tables of those pits and at no others; enforced in one
place."""

from __future__ import annotations

import datetime as dt

import pytest

from casino.kernel.errors import NotAllowed, Refused
from casino.kernel.permissions import Role
from tables import duties, sessions
from tables.alerts.keeping import acknowledge
from tables.alerts.proofs import told_faults
from tables.alerts.shift_notes import note_shift
from tables.models import Pit, TableSession
from tests.alerts.building import look, opened
from tests.builders import NATURAL, NIGHT, House

MINUTE = dt.timedelta(minutes=1)


def give(house: House, *pits: Pit) -> None:
    """The supervisor answers for these pits."""
    by = house.by(Role.ADMINISTRATOR, reason="sectores de esta noche")
    duties.set_duties(user=house.users[Role.SUPERVISOR], pits=pits, by=by)


@pytest.fixture
def session(house: House) -> TableSession:
    return opened(house)


def test_a_chief_of_other_pits_is_refused_by_the_pits_name_in_every_act_of_a_table(
    house: House, session: TableSession
) -> None:
    other = house.table()
    give(house, other.pit)
    by = house.by(Role.SUPERVISOR, NIGHT + MINUTE)
    for act in (
        lambda: sessions.relieve(session=session, staff=house.dealers[1], post="dealer", by=by),
        lambda: sessions.see_stop_card(session=session, by=by),
        lambda: opened(house, table=house.table(), dealer=2, supervisor=1),
    ):
        with pytest.raises(NotAllowed) as refused:
            act()
        assert refused.value.code == "not_your_pit"
        assert refused.value.detail["pit"] in refused.value.message.es
    assert session.table.pit.name in sessions_refusal(house, session)
    # Their own pit's table opens.
    assert opened(house, table=other, dealer=2, supervisor=1).live


def sessions_refusal(house: House, session: TableSession) -> str:
    with pytest.raises(NotAllowed) as refused:
        sessions.see_stop_card(session=session, by=house.by(Role.SUPERVISOR, NIGHT + MINUTE))
    return refused.value.message.es


def test_who_has_no_duties_writes_everywhere_and_none_left_means_everywhere_again(
    house: House, session: TableSession
) -> None:
    give(house, house.table().pit)
    house.log(session, NATURAL, at=NIGHT + MINUTE)  # the pit boss, who has none
    with pytest.raises(NotAllowed):
        sessions.see_stop_card(session=session, by=house.by(Role.SUPERVISOR, NIGHT + 2 * MINUTE))
    give(house)
    assert sessions.see_stop_card(session=session, by=house.by(Role.SUPERVISOR, NIGHT + 2 * MINUTE)).live
    assert duties.pits_of(house.users[Role.SUPERVISOR]) == ()
    assert list(told_faults(house.casino)) == []


def test_alerts_and_notes_of_other_pits_are_theirs_to_write_either(
    house: House, session: TableSession
) -> None:
    give(house, house.table().pit)
    (late,) = look(house, 61).raised
    later = NIGHT + 62 * MINUTE
    with pytest.raises(NotAllowed):
        acknowledge(alerts=[late], by=house.by(Role.SUPERVISOR, later, "visto"))
    with pytest.raises(NotAllowed):
        note_shift(text="nota", pit=session.table.pit, by=house.by(Role.SUPERVISOR, later))
    assert note_shift(text="nota", by=house.by(Role.SUPERVISOR, later)).pit is None
    assert acknowledge(alerts=[late], by=house.by(Role.PIT_BOSS, later, "visto"))


def test_pits_are_given_to_chiefs_alone_and_with_a_reason(house: House) -> None:
    pit = house.table().pit
    with pytest.raises(Refused) as no_chief:
        duties.set_duties(
            user=house.users[Role.CAGE], pits=[pit], by=house.by(Role.ADMINISTRATOR, reason="x")
        )
    assert (no_chief.value.code, no_chief.value.field) == ("not_a_chief", "user")
    with pytest.raises(Refused) as silent:
        duties.set_duties(user=house.users[Role.PIT_BOSS], pits=[pit], by=house.by(Role.ADMINISTRATOR))
    assert silent.value.code == "reason_missing"
    with pytest.raises(NotAllowed):
        duties.set_duties(user=house.users[Role.PIT_BOSS], pits=[pit], by=house.by(Role.PIT_BOSS, reason="x"))
