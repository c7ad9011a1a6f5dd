"""Every illegal event of the roulette, with the rule that forbids it."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import Refused, RuleViolation
from tables.games.base import Detail
from tables.games.roulette import ROULETTE
from tests.games.roulette.spins import CLOSE, after, bet, prison, spin, start

PRISON = {"zero_policy": "prison"}
OPEN = [bet(1, "n17", 500)]
CLOSED = [*OPEN, CLOSE]
SPUN = [*CLOSED, spin(17)]
RELEASE = {"e": "release", "seat": 1, "spot": "red"}

ILLEGAL: list[tuple[list[Any], Any, str, str]] = [
    ([], bet(0, "n17", 500), "RUL-10", "no_such_seat"),
    ([], bet(8, "n17", 500), "RUL-10", "no_such_seat"),
    ([], bet(1, "n37", 500), "RUL-02", "unknown_spot"),
    ([], bet(1, "s17_19", 500), "RUL-02", "unknown_spot"),
    ([], bet(1, "s3_4", 500), "RUL-02", "unknown_spot"),
    ([], bet(1, "c3", 500), "RUL-02", "unknown_spot"),
    ([], bet(1, "t0_1_3", 500), "RUL-02", "unknown_spot"),
    ([], bet(1, "straight", 500), "RUL-02", "unknown_spot"),
    ([], bet(1, "n17", 400), "RUL-04", "below_minimum"),
    (OPEN, bet(1, "n17", 49_600), "RUL-04", "above_maximum"),
    ([], bet(1, "n17", 550), "GEN-07", "not_in_chips"),
    (CLOSED, bet(1, "n17", 500), "RUL-05", "bets_closed"),
    (CLOSED, CLOSE, "RUL-05", "bets_closed"),
    (OPEN, spin(17), "RUL-05", "bets_open"),
    (CLOSED, spin(37), "RUL-01", "no_such_number"),
    (CLOSED, spin(-1), "RUL-01", "no_such_number"),
    (CLOSED, spin(10**5000), "RUL-01", "no_such_number"),
    (CLOSED, {"e": "spin", "number": True}, "", "bad_value"),
    (CLOSED, {"e": "spin", "number": "17"}, "", "bad_value"),
    (SPUN, spin(17), "RUL-01", "number_given"),
    (SPUN, bet(1, "n17", 500), "RUL-05", "bets_closed"),
    (OPEN, {"e": "in", "seat": 1}, "", "unknown_event"),
    (CLOSED, {"e": "result", "winner": "17"}, "", "detail_forbids"),
    (OPEN, prison(1, "red", 1000), "RUL-07", "prison_too_late"),
    ([], prison(1, "n17", 1000), "RUL-06", "no_prison"),
    ([], prison(8, "red", 1000), "RUL-10", "no_such_seat"),
    ([prison(1, "red", 1000)], prison(1, "red", 1000), "RUL-07", "prison_given"),
    ([prison(1, "red", 1000)], {"e": "undo", "of": 1, "why": "error"}, "RUL-07", "undo_carried"),
    ([], prison(1, "red", 1000, 0), "", "out_of_range"),
    ([], RELEASE, "RUL-07", "nothing_in_prison"),
    ([prison(1, "red", 1000), RELEASE], RELEASE, "RUL-07", "nothing_in_prison"),
    ([prison(1, "red", 1000), RELEASE], prison(2, "red", 1000), "RUL-07", "prison_too_late"),
    ([prison(1, "red", 1000), CLOSE], RELEASE, "RUL-05", "bets_closed"),
    (CLOSED, {"e": "undo", "of": 1, "why": "error"}, "RUL-05", "undo_too_late"),
    (SPUN, {"e": "undo", "of": 1, "why": "error"}, "RUL-05", "undo_too_late"),
    (SPUN, {"e": "undo", "of": 2, "why": "error"}, "RUL-05", "undo_too_late"),
    (
        [*SPUN, {"e": "undo", "of": 3, "why": "error"}],
        {"e": "undo", "of": 2, "why": "error"},
        "RUL-05",
        "undo_too_late",
    ),
]


@pytest.mark.rule("RUL-01")
@pytest.mark.rule("RUL-02")
@pytest.mark.rule("RUL-04")
@pytest.mark.rule("RUL-05")
@pytest.mark.rule("RUL-06")
@pytest.mark.rule("RUL-07")
@pytest.mark.rule("RUL-10")
@pytest.mark.parametrize(("before", "event", "rule", "code"), ILLEGAL)
def test_illegal_events(before: list[Any], event: Any, rule: str, code: str) -> None:
    state = after(start(rules=PRISON), *before)
    said = repr(state)
    with pytest.raises(Refused) as refusal:
        ROULETTE.play(state, event)
    assert (refusal.value.rule, refusal.value.code) == (rule, code)
    assert repr(state) == said


@pytest.mark.rule("GEN-03")
@pytest.mark.rule("RUL-07")
@pytest.mark.parametrize("zero_policy", ["lose", "half", "prison"])
@pytest.mark.parametrize("zero_again", ["stay", "lose", "double"])
def test_a_stake_in_prison_is_played_out_whatever_rules_came_since(zero_policy: str, zero_again: str) -> None:
    """Rules and limits may be replaced between two spins: what is carried must not stop the table."""
    rules = {"zero_policy": zero_policy, "zero_again": zero_again}
    state = after(start(rules=rules, chip=1000, limits={"straight": (1000, 2000)}), prison(1, "red", 1500, 2))
    won = ROULETTE.settle(after(state, CLOSE, spin(1)))
    assert won.carry == (prison(1, "red", 1500, 1),) and won.totals.house_result == 0
    assert ROULETTE.settle(after(state, CLOSE, spin(2))).totals.house_result == 1500
    again = ROULETTE.settle(after(state, CLOSE, spin(0)))
    times = {"stay": [2], "lose": [], "double": [3]}[zero_again]
    assert [event["times"] for event in again.carry] == times
    # A quarter of 15,00 makes no chip of 10,00: nothing goes back (GEN-09).
    left = ROULETTE.settle(after(state, RELEASE, CLOSE, spin(1)))
    assert (left.totals.house_result, left.carry) == (1500, ())


@pytest.mark.rule("RUL-04")
def test_a_refused_amount_says_the_limits_of_its_kind() -> None:
    state = start(limits={"straight": (500, 5000), "n0": (1000, 2000)})
    for event, said in [
        (bet(1, "n17", 5100), "Pleno 17 supera el máximo. Plenos: de 5,00 a 50,00 por casilla y asiento"),
        (bet(1, "n0", 500), "no llega al mínimo. Límites propios de esta casilla: de 10,00 a 20,00"),
        (bet(1, "red", 500), "esta mesa no toma Suertes sencillas: no tiene límites para Rojo"),
    ]:
        with pytest.raises(RuleViolation) as refusal:
            ROULETTE.play(state, event)
        assert refusal.value.rule == "RUL-04"
        assert said in refusal.value.message.es


@pytest.mark.rule("RUL-05")
def test_a_misread_number_is_undone_and_read_again() -> None:
    state = after(start(), *SPUN, {"e": "undo", "of": 3, "why": "número mal leído"}, spin(18))
    assert ROULETTE.settle(state).outcome.winner == "18"


def test_other_levels_of_detail() -> None:
    cards, results = start(Detail.CARDS), start(Detail.RESULT)
    for state, event in [
        (cards, OPEN[0]),
        (cards, CLOSE),
        (cards, prison(1, "red", 1000)),
        (cards, RELEASE),
        (cards, {"e": "result", "winner": "1"}),
        (results, spin(1)),
    ]:
        with pytest.raises(Refused) as refusal:
            ROULETTE.play(state, event)
        assert refusal.value.code == "detail_forbids"
    for state, event, code in [
        (after(cards, spin(1)), spin(2), "number_given"),
        (results, {"e": "result", "winner": "37"}, "no_such_number"),
        (results, {"e": "result", "winner": "rojo"}, "bad_value"),
        (results, {"e": "result", "winner": "²"}, "bad_value"),
        (results, {"e": "result", "winner": 17}, "bad_value"),
        (after(results, {"e": "result", "winner": "1"}), {"e": "result", "winner": "2"}, "number_given"),
    ]:
        with pytest.raises(Refused) as refusal:
            ROULETTE.play(state, event)
        assert refusal.value.code == code


@pytest.mark.parametrize(
    ("data", "rule", "field"),
    [
        ({"seats_max": 15}, "RUL-10", "seats_max"),
        ({"seats": 15}, "RUL-10", "seats"),
        ({"decks": 1}, "", "decks"),
        ({"zero_policy": "win"}, "", "zero_policy"),
        ({"zero_again": "free"}, "", "zero_again"),
        ({"inside_outside_pays": {"straight_one_number": "41:1"}}, "RUL-03", "inside_outside_pays"),
        ({"inside_outside_pays": {"basket": "6:1"}}, "", "basket"),
        ({"inside_outside_pays": {"six_line": 5}}, "", "inside_outside_pays"),
        ({"inside_outside_pays": []}, "", "inside_outside_pays"),
        ({"game": "roulette.double_zero"}, "", "game"),
    ],
)
@pytest.mark.rule("RUL-03")
@pytest.mark.rule("RUL-10")
def test_rules_that_cannot_be_played_are_refused(data: dict[str, Any], rule: str, field: str) -> None:
    with pytest.raises(Refused) as refusal:
        ROULETTE.read_rules(data)
    assert (refusal.value.rule, refusal.value.field) == (rule, field)


@pytest.mark.rule("GEN-04")
@pytest.mark.rule("RUL-10")
@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"seats": 15}, "RUL-10"),
        ({"limits": {}}, "GEN-04"),
        ({"limits": {"n37": (500, 900)}}, "GEN-04"),
        ({"limits": {"straight": (150, 199)}}, "GEN-04"),
    ],
)
def test_tables_that_cannot_be_played_are_refused(changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        start(**changes)
    assert refusal.value.rule == rule
