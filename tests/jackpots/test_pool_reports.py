"""The reports of pools, in figures worked out by hand, and in every format."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from audits.reports import events_named, registered, resting
from audits.reports.document import prepare
from audits.reports.formats import WRITERS
from casino.kernel.permissions import Role
from jackpots import moving, pools, prizes
from tests.builders import BOB, House, a_house
from tests.jackpots.builders import FLUSH, NOTHING, ROYAL, PoolNight, a_pool, an_approved_plan

NOBODY = "Qc Td 8s 6s 3d"


def section(house: House, identifier: str, at: int = 0, **params: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in registered()[identifier].sections(house.casino, params)[at].rows()]


def totals(house: House, identifier: str, at: int = 0, **params: Any) -> dict[str, Any]:
    found = registered()[identifier].sections(house.casino, params)[at].totals
    assert found is not None
    return dict(found())


def span(night: PoolNight, before: int = 0) -> dict[str, Any]:
    day = night.sessions[0].day.date
    return {"first": day - dt.timedelta(days=before), "last": day}


def played(house: House) -> PoolNight:
    """Two rounds of one bet of 5.00: the first wins a flush (50 x 5.00), the second nothing."""
    night = a_pool(house)
    night.buy(0, 2)
    for cards in (FLUSH, NOTHING):
        night.bet(0, 2)
        night.play(0, {2: cards, 4: NOBODY}, house="Ac Ad 4d 3h 2c")
    return night


FLOWS = (
    "initial",
    "collected",
    "commission",
    "residue",
    "contributions",
    "house",
    "prizes",
    "transfers",
    "other",
)


@pytest.mark.rule("PP-18", "PP-21", "PP-28")
def test_a_statement_adds_up_to_the_balance(house: House) -> None:
    """House 1,000.00; collected 10.00, commission 1.00, increments 9.00 (main 7.20, reserve 1.80); prize
    250.00, 3.60 of it players' and 246.40 base: 759.00 left, 753.60 + 3.60 shown and 1.80 in reserve."""
    night = played(house)
    (row,) = section(house, "jackpots.statement", **span(night))
    assert tuple(row[key] for key in FLOWS) == (0, 1_000, 100, 0, 900, 1_000 * BOB, 250 * BOB, 0, 0)
    assert row["balance"] == 75_900
    assert (row["levels"], row["base"], row["reserve"], row["pending"]) == (75_720, 75_360, 180, 250 * BOB)
    assert row["levels"] == night.shown()
    (day,) = section(house, "jackpots.statement", 1, **span(night))
    assert day == {**row, "day": night.sessions[0].day.date}
    accounts = {one["code"]: one["balance"] for one in section(house, "jackpots.statement", 2, **span(night))}
    pool = night.pool
    assert accounts[pool.account("pending")] == 250 * BOB
    assert accounts[pool.commission_account] == 100
    assert accounts[pool.house_account] == -1_000 * BOB


@pytest.mark.rule("PP-33")
def test_a_top_prize_and_its_reseed_in_the_statement(house: House) -> None:
    """5.00: main 3.60, reserve 0.90. The royal takes 1,003.60; base: the reserve 0.90, the house 999.10."""
    night = a_pool(house)
    night.buy(0, 2)
    night.bet(0, 2)
    night.play(0, {2: ROYAL, 4: NOTHING}, house="Ac Ad Ah 3d 2c")
    (row,) = section(house, "jackpots.statement", **span(night))
    assert (row["house"], row["prizes"], row["balance"]) == (1_000 * BOB + 99_910, 100_360, 1_000 * BOB)
    assert row["other"] == 0
    (prize,) = night.prizes()
    by = night.by(Role.COMPLIANCE, "mano mal leída")
    prizes.reject_prize(prize=prize, with_=night.other(Role.SUPERVISOR), by=by)
    (row,) = section(house, "jackpots.statement", **span(night))
    assert (row["prizes"], row["pending"], row["other"], row["balance"]) == (0, 0, 0, 1_000 * BOB + 450)


@pytest.mark.rule("PP-28", "PP-32")
def test_a_statement_shows_where_the_last_pool_went(house: House) -> None:
    """3.60 and 0.90 leave as the plan says, 1,000.00 of base go to the house: nothing is left."""
    night = a_pool(house)
    night.buy(0, 2, 1)
    night.bet(0, 2)
    night.play(0, {2: NOTHING, 4: NOBODY}, house="Ac Ad 4d 3h 2c")
    with night.now():
        pools.suspend(pool=night.pool, with_=night.other(), by=night.by(reason="fin"))
    an_approved_plan(night, None, destination="Cuenta A")
    by = night.by(reason="fin")
    with night.now():
        moving.retire(pool=night.pool, to=None, destination="Cuenta A", with_=night.other(), by=by)
    (row,) = section(house, "jackpots.statement", **span(night))
    assert (row["transfers"], row["other"], row["balance"]) == (-100_450, 0, 0)
    accounts = {one["code"]: one for one in section(house, "jackpots.statement", 2, **span(night))}
    plan = accounts[night.pool.plan_account]
    assert (plan["balance"], plan["account"].en) == (450, "left as its approved plan says")


def test_a_later_span_begins_with_what_was_left(house: House) -> None:
    night = played(house)
    day = night.sessions[0].day.date + dt.timedelta(days=3)
    (row,) = section(house, "jackpots.statement", first=day, last=day)
    assert (row["initial"], row["collected"], row["balance"], row["reserve"]) == (75_900, 0, 75_900, 180)
    assert section(house, "jackpots.statement", 1, first=day, last=day) == []


@pytest.mark.rule("PP-17", "PP-31")
def test_prizes_with_whose_money_they_are(house: House) -> None:
    night = played(house)
    (row,) = section(house, "jackpots.prizes", **span(night))
    assert (row["before"], row["amount"], row["after"]) == (100_360, 250 * BOB, 75_360)
    assert (row["players"], row["base"], row["reserve"], row["house"]) == (360, 24_640, 0, 0)
    assert (row["hand"].en, row["state"].en, row["round"], row["seat"]) == ("flush", "to be verified", 1, 2)
    assert totals(house, "jackpots.prizes", **span(night))["amount"] == 250 * BOB
    (hand,) = section(house, "jackpots.prizes", 1, **span(night))
    assert (hand["prizes"], hand["amount"]) == (1, 250 * BOB)


@pytest.mark.rule("PP-31")
def test_whoever_did_not_confirm_a_prize_is_not_among_those_who_verified(house: House) -> None:
    night = played(house)
    (prize,) = night.prizes()
    prizes.check_prize(prize=prize, by=night.by(Role.SUPERVISOR))
    by = night.by(Role.COMPLIANCE, "mano mal leída")
    prizes.reject_prize(prize=prize, with_=night.other(Role.CAGE), by=by)
    (row,) = section(house, "jackpots.prizes", **span(night))
    assert row["checked"] == "Persona supervisor"
    assert row["denied"] == "Persona compliance, Persona cage"
    assert (row["level"].es, row["level"].en) == ("principal", "main")


@pytest.mark.rule("PP-06", "PP-18")
def test_tables_with_what_was_bet_and_won(house: House) -> None:
    night = played(house)
    (member,) = section(house, "jackpots.tables", **span(night))
    assert (member["table"], member["until"], member["reported"].en) == (night.tables[0].name, None, "no")
    (row,) = section(house, "jackpots.tables", 1, **span(night))
    assert (row["bets"], row["collected"], row["prizes"], row["won"]) == (2, 1_000, 1, 250 * BOB)
    assert totals(house, "jackpots.tables", 1, **span(night))["collected"] == 1_000


@pytest.mark.rule("PP-06", "PP-23", "PP-30")
def test_by_which_parameters_a_pool_ran_and_who_approved_them(house: House) -> None:
    night = played(house)
    told = section(house, "jackpots.tables", 2, **span(night))
    assert {(row["pool"], row["version"], row["until"]) for row in told} == {(night.pool.name, 1, None)}
    said = {row["what"].es: row["value"].es for row in told}
    assert said["Comisión, del total recaudado"] == "10\N{NO-BREAK SPACE}%"
    assert {row["rule"] for row in told} >= {"PP-18", "PP-13", "PP-17", "PP-33"}
    events = resting.events(house.casino, events_named(told[0])).values_list("action", flat=True)
    assert sorted(set(events)) == [
        *("audits.filing.approved", "audits.filing.drafted", "audits.filing.presented"),
        *("jackpots.version.approved", "jackpots.version.begun", "jackpots.version.drafted"),
    ]
    before = {"first": span(night, 400)["first"], "last": span(night, 399)["first"]}
    assert section(house, "jackpots.tables", 2, **before) == []


@pytest.mark.rule("PP-28")
def test_a_pool_that_did_not_move_rests_on_what_made_it_what_it_is(house: House) -> None:
    """Played on one night; asked of the day after, its balance is still that night's."""
    night = played(house)
    after = span(night)["last"] + dt.timedelta(days=1)
    (row,) = section(house, "jackpots.statement", first=after, last=after)
    assert (row["initial"], row["balance"], row["collected"]) == (75_900, 75_900, 0)
    (played_then,) = section(house, "jackpots.statement", **span(night))

    def told(one: dict[str, Any]) -> set[int]:
        return {event.pk for event in resting.events(house.casino, events_named(one))}

    assert told(row) == told(played_then) and told(row)


def test_each_report_is_of_one_casino_and_pool(house: House) -> None:
    night = played(house)
    other = a_house("vecino")
    for identifier in ("jackpots.statement", "jackpots.prizes", "jackpots.tables"):
        assert section(other, identifier, **span(night)) == []
    second = a_pool(house, name="Otro pozo")
    chosen = section(house, "jackpots.statement", **span(night), pool=second.pool)
    assert [one["pool"] for one in chosen] == ["Otro pozo"]


@pytest.mark.parametrize("language", ["es-bo", "en"])
def test_every_format_writes_them(house: House, tmp_path: Any, language: str) -> None:
    night = played(house)
    for identifier in ("jackpots.statement", "jackpots.prizes", "jackpots.tables"):
        document = prepare(registered()[identifier], house.casino, span(night), language)
        for name, write in WRITERS.items():
            path = tmp_path / f"{identifier}.{name}"
            write(document, path, lambda _rows: None)
            assert path.stat().st_size > 300, path
