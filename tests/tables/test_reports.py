"""The day's report and the register of rounds, against figures added up by hand."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from audits.reports import registry
from tables import rounds
from tables.reports.figures import SUMMED, hold_basis_points, summed
from tests.builders import BOB, CLOSING_TIME, NATURAL, House, Role, bets, cards

DAY = dt.date(2026, 11, 20)
BANCA_WINS = cards("2s Kd", "4h 5d")
"""Punto 2, banca 9: a natural."""


def section(house: House, report: str, key: str, **params: Any) -> list[dict[str, Any]]:
    found = {s.key: s for s in registry.get(report).sections(house.casino, params)}[key]
    return [dict(row) for row in found.rows()]


@pytest.fixture
def night(house: House) -> House:
    """Two rounds at one full table, then its close.

    Round 1, punto wins: seat 1 punto 100 wins 100; seat 2 banca 200 loses 200. House + 100.
    Round 2, banca wins: seat 2 banca 300 wins 300 less 5 % = 15; house - 285.
    Float 22.500; net - 185; cash 500 into the box for chips: chips at close 22.500 - 185 - 500 = 21.815.
    Closing counted: 21.815 = 21.500 + 3 x 100 + 15 x 1. Drop 500. Result 21.815 + 500 - 22.500 = - 185.
    """
    session = house.open_table(detail="full")
    house.log(session, [*bets((1, "punto", 100), (2, "banca", 200)), *NATURAL])
    house.log(session, [*bets((2, "banca", 300)), *BANCA_WINS])
    counted = {500 * BOB: 43, 100 * BOB: 3, 1 * BOB: 15}
    house.close(session, counted, drop=500 * BOB)
    return house


@pytest.mark.rule("FLOOR-12")
@pytest.mark.rule("REC-05")
def test_the_day_by_table(night: House) -> None:
    (row,) = section(night, "tables.day", "tables", day=DAY)
    assert (row["sessions"], row["rounds"]) == (1, 2)
    assert row["staked"] == 600 * BOB
    assert row["commission"] == 15 * BOB
    assert row["house"] == -185 * BOB
    assert row["drop"] == 500 * BOB
    assert row["result"] == -185 * BOB
    assert row["hold"] == -3700  # -185 / 500 = -37.00 %
    assert row["unexplained"] == 0
    assert row["uncounted"] == 0


@pytest.mark.rule("FLOOR-13")
def test_results_of_different_tables_stay_apart(night: House) -> None:
    """A second table that only opened adds a row of its own and takes nothing off the first."""
    night.open_table(dealer=1, supervisor=1, at=CLOSING_TIME + dt.timedelta(minutes=5))
    rows = section(night, "tables.day", "tables", day=DAY)
    assert {(row["result"], row["uncounted"]) for row in rows} == {(-185 * BOB, 0), (None, 1)}
    assert len(rows) == 2


def test_the_day_by_croupier(night: House) -> None:
    (row,) = section(night, "tables.day", "croupiers", day=DAY)
    assert row["croupier"] == night.dealers[0].name
    assert (row["rounds"], row["staked"], row["commission"]) == (2, 600 * BOB, 15 * BOB)
    assert row["house"] == -185 * BOB
    assert row["minutes"] == 300  # from NIGHT to CLOSING_TIME, five hours


def test_outcomes_tell_void_rounds_apart(house: House) -> None:
    session = house.open_table(detail="full")
    first = house.log(session, [*bets((1, "punto", 100)), *NATURAL])
    house.log(session, [*bets((1, "banca", 100)), *BANCA_WINS])
    rounds.void(
        round=first,
        approved_by=house.users[Role.SUPERVISOR].actor,
        cards_came_out=True,
        by=house.by(Role.PIT_BOSS, reason="se cobró a otro asiento"),
    )
    rows = section(house, "tables.day", "outcomes", day=DAY)
    assert {row["winner"]: row["rounds"] for row in rows} == {"punto": 0, "banca": 1, "tie": 0, "void": 1}
    assert [row["outcome"].es for row in rows] == ["Punto", "Banca", "Empate", "Anulados"]
    assert {row["game"].es for row in rows} == {"Mini Punto y Banca"}


def test_another_day_and_another_house_see_nothing(night: House) -> None:
    assert section(night, "tables.day", "tables", day=DAY + dt.timedelta(days=1)) == []


@pytest.mark.rule("GEN-03", "BAC-19")
def test_the_register_names_cards_rules_version_and_event(night: House) -> None:
    first, second = section(night, "tables.rounds", "rows", first=DAY, last=DAY, table=None)
    assert (first["punto_cards"], first["banca_cards"]) == ("9d Kh", "5c 2s")
    assert (first["punto"], first["banca"], first["winner"].es) == (9, 7, "Punto")
    assert first["hands"].es == "Punto 9d Kh (9); Banca 5c 2s (7)"
    assert (first["staked"], first["returned"], first["house"]) == (300 * BOB, 200 * BOB, 100 * BOB)
    assert first["rules"] == "v1"
    assert second["event"].startswith("session:")
    assert second["house"] == -285 * BOB


def test_the_session_report_offers_only_the_house_own_sessions(night: House) -> None:
    from tests.builders import a_house

    stranger = a_house()
    form = registry.get("tables.session").form(casino=stranger.casino)
    assert form.fields["session"].queryset.count() == 0  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("result", "drop", "basis_points"),
    [(250, 1000, 2500), (-250, 1000, -2500), (1, 3, 3333), (2, 3, 6667), (5, 0, None), (None, 10, None)],
)
def test_hold_is_result_over_drop(result: int | None, drop: int, basis_points: int | None) -> None:
    assert hold_basis_points(result, drop) == basis_points


def test_a_table_that_logs_no_bets_has_unknown_stakes_not_zero(house: House) -> None:
    session = house.open_table(detail="cards")
    house.log(session, NATURAL)
    (row,) = section(house, "tables.day", "tables", day=DAY)
    assert (row["rounds"], row["staked"], row["commission"], row["house"]) == (1, None, None, None)
    (dealt,) = section(house, "tables.day", "croupiers", day=DAY)
    assert (dealt["rounds"], dealt["staked"], dealt["house"]) == (1, None, None)


def test_house_games_and_tables_of_players_are_never_netted() -> None:
    """A house table lost 185 of a drop of 500; a ring left 40 of rake: the loss stays 185."""
    blank = dict.fromkeys(SUMMED)
    house = {**blank, "bank": "house", "rounds": 2, "house": -185, "drop": 500, "result": -185}
    ring = {**blank, "bank": "ring", "rounds": 9, "deduction": 40, "drop": 700, "result": 40}
    both = summed([house, ring])
    assert (both["house"], both["result"], both["drop"]) == (-185, -185, 500)
    assert (both["deduction"], both["rounds"], both["hold"]) == (40, 11, -3700)  # -185 / 500
    assert both["mixed"]
    alone = summed([ring])
    assert (alone["result"], alone["deduction"], alone["mixed"]) == (40, 40, False)
