"""The float counted in mid-shift: what it should be, the difference with its sign, and when that is an
alert."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from audits.models import Posting
from casino.kernel.errors import Conflict, Refused, SabotError
from casino.kernel.permissions import Role
from tables.alerts.float_checks import check_float
from tables.alerts.proofs import told_faults
from tables.alerts.watches import CHECK
from tables.models import FloatCheck, TableSession
from tests.alerts.building import USUAL_FLOAT, kept, look, opened
from tests.builders import BOB, NATURAL, NIGHT, House, bets

LATER = NIGHT + dt.timedelta(minutes=30)


def check(
    house: House,
    session: TableSession,
    chips: dict[int, int],
    *,
    cash: int | None = None,
    at: dt.datetime = LATER,
) -> FloatCheck:
    return check_float(
        session=session,
        chips_counted=chips,
        counted_by=house.dealers[0],
        witnessed_by=house.supervisors[0],
        cash=cash,
        by=house.by(Role.PIT_BOSS, at),
    )


@pytest.fixture
def full(house: House) -> TableSession:
    """75.000 on the table; one round: 100 on banca lost, 200 on punto won 1 to 1: the house is 100 down."""
    session = opened(house, detail="full")
    house.log(
        session, [*bets((1, "banca", 100), (2, "punto", 200)), *NATURAL], at=NIGHT + dt.timedelta(minutes=5)
    )
    return session


@pytest.mark.rule("FLOOR-05")
@pytest.mark.parametrize(
    ("hundreds", "difference", "alerts"),
    # 75.000 - 100 = 74.900 by the ledger; 400 sold for cash leave 74.500 = 149 x 500.
    [(0, 0, 0), (-24, -24, 0), (-25, -25, 1), (25, 25, 1)],
)
def test_where_bets_are_logged_the_float_is_held_against_the_ledger_less_the_cash_noted(
    house: House, full: TableSession, hundreds: int, difference: int, alerts: int
) -> None:
    # 148 x 500 + 500 + difference in chips of 1.
    found = check(house, full, {500 * BOB: 148, 1 * BOB: 500 + hundreds}, cash=400 * BOB)
    assert (found.basis, found.expected, found.difference) == ("ledger", 74_500 * BOB, difference * BOB)
    raised = kept(house, CHECK)
    assert len(raised) == alerts
    assert look(house, 31).raised == ()  # what an act raised is not raised again, nor cleared while it lasts
    if raised:
        sign = "+" if difference > 0 else "−"
        assert raised[0].words_es == f"control 1: diferencia de {sign}25,00"
        check(house, full, {500 * BOB: 149}, cash=400 * BOB, at=LATER + dt.timedelta(minutes=5))
        assert [alert.kind for alert in look(house, 36).cleared] == [CHECK]
    assert list(told_faults(house.casino)) == []


def test_without_the_cash_or_the_bets_it_is_an_estimate_and_no_alert(
    house: House, full: TableSession
) -> None:
    # 74.900 by the ledger and 74.000 counted: 900 of chips sold, or lost; nobody can tell which.
    found = check(house, full, {500 * BOB: 148})
    assert (found.basis, found.expected, found.difference) == ("estimate", 74_900 * BOB, -900 * BOB)
    silent = house.open_table(chips=USUAL_FLOAT, dealer=1, supervisor=1)
    # Nothing is known of its bets: 75.000 less 1.000 sold is 74.000; 74.500 counted: 500 ahead so far.
    ahead = check(house, silent, {500 * BOB: 149}, cash=1_000 * BOB)
    assert (ahead.basis, ahead.expected, ahead.difference) == ("estimate", 74_000 * BOB, 500 * BOB)
    assert kept(house, CHECK) == []


def test_nothing_is_posted_and_play_goes_on(house: House, full: TableSession) -> None:
    before = Posting.objects.count()
    first = check(house, full, {500 * BOB: 149}, cash=400 * BOB)
    house.log(full, [*bets((1, "banca", 100)), *NATURAL], at=LATER)
    second = check(house, full, {500 * BOB: 149, 1 * BOB: 100}, cash=400 * BOB, at=LATER)
    assert (first.number, second.number, second.difference) == (1, 2, 0)
    # The round in between posts its own lines: one transfer of two.
    assert Posting.objects.count() == before + 2


@pytest.mark.rule("GEN-10")
@pytest.mark.parametrize(
    ("about", "code", "field"),
    [
        ({"chips_counted": {300: 1}}, "unknown_denomination", "chips"),
        ({"cash": -1}, "bad_cash", "cash"),
        ({"witnessed_by": "counted_by"}, "same_person", "witnessed_by"),
    ],
)
def test_what_is_no_count_is_refused(
    house: House, full: TableSession, about: dict[str, Any], code: str, field: str
) -> None:
    given: dict[str, Any] = {
        "session": full,
        "chips_counted": {500 * BOB: 149},
        "counted_by": house.dealers[0],
        "witnessed_by": house.supervisors[0],
        "by": house.by(Role.PIT_BOSS, LATER),
    } | about
    if given["witnessed_by"] == "counted_by":
        given["witnessed_by"] = given["counted_by"]
    with pytest.raises(SabotError) as refused:
        check_float(**given)
    assert isinstance(refused.value, Refused)
    assert (refused.value.code, refused.value.field) == (code, field)


def test_a_closed_table_has_no_mid_shift_and_a_check_is_never_changed(
    house: House, full: TableSession
) -> None:
    kept_check = check(house, full, {500 * BOB: 149}, cash=400 * BOB)
    house.close(full, {500 * BOB: 149})
    with pytest.raises(Conflict) as closed:
        check(house, full, {500 * BOB: 149}, at=NIGHT + dt.timedelta(hours=6))
    assert closed.value.code == "session_closed"
    with pytest.raises(IntegrityError), transaction.atomic():
        FloatCheck.objects.filter(pk=kept_check.pk).update(cash=0)
