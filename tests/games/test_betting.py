"""Bets: seats, spots, chips, limits, the table's differential, and what closing demands."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import Refused, RuleViolation
from tables.games.base import Bet
from tests.games.building import CLOSE, LIMITS, MIDI, MINI, PUNTO_BANCA, after, bet, card, start


def refused(state: Any, event: dict[str, Any]) -> Refused:
    before = repr(state)
    with pytest.raises(Refused) as refusal:
        MINI.play(state, event)
    assert repr(state) == before
    return refusal.value


@pytest.mark.rule("GEN-04")
@pytest.mark.parametrize(("spot", "low", "high"), [(s, *pair) for s, pair in LIMITS.items()])
def test_both_sides_of_the_limits(spot: str, low: int, high: int) -> None:
    chip = 500
    assert after(start(), bet(1, spot, low)).bets == (Bet(1, spot, low),)
    assert after(start(), bet(1, spot, high)).bets == (Bet(1, spot, high),)
    over = refused(start(), bet(1, spot, high + chip))
    assert (over.rule, over.code, over.field) == ("GEN-04", "above_maximum", "amount")
    if low > chip:
        under = refused(start(), bet(1, spot, low - chip))
        assert (under.rule, under.code, under.field) == ("GEN-04", "below_minimum", "amount")


@pytest.mark.rule("GEN-04")
def test_bets_on_one_spot_add_up_and_the_total_is_what_counts() -> None:
    state = after(start(), bet(2, "punto", 999_000), bet(2, "punto", 500))
    assert state.bets == (Bet(2, "punto", 999_500),)
    assert after(state, bet(2, "punto", 500)).bets == (Bet(2, "punto", 1_000_000),)
    assert refused(state, bet(2, "punto", 1000)).detail["total"] == 1_000_500
    assert after(state, bet(2, "banca", 1000), bet(3, "punto", 1000)).bets[1:] == (
        Bet(2, "banca", 1000),
        Bet(3, "punto", 1000),
    )


@pytest.mark.rule("GEN-04")
def test_refusal_says_the_amounts_as_people_read_them() -> None:
    refusal = refused(start(), bet(1, "punto", 2_000_000))
    assert refusal.message.es == "20.000,00 a Punto supera el máximo de 10.000,00"
    assert refusal.message.en == "20,000.00 on Punto is above the maximum of 10,000.00"


@pytest.mark.rule("GEN-07")
@pytest.mark.parametrize("amount", [1001, 1250, 1499])
def test_a_stake_is_made_of_chips(amount: int) -> None:
    refusal = refused(start(), bet(1, "banca", amount))
    assert (refusal.rule, refusal.code) == ("GEN-07", "not_in_chips")
    assert after(start(), bet(1, "banca", 1500)).bets == (Bet(1, "banca", 1500),)


@pytest.mark.rule("GEN-09")
def test_exact_policy_takes_only_stakes_it_can_pay() -> None:
    # 5 % is whole chips of 5,00 only for multiples of 100,00; punto and tie pay whole chips anyway.
    state = start(rules={"commission_rounding": "exact"})
    assert refused(state, bet(1, "banca", 10_500)).rule == "GEN-09"
    assert after(state, bet(1, "banca", 20_000), bet(2, "punto", 10_500)).bets[0].amount == 20_000
    # Half of a stake is whole chips only for even numbers of chips.
    half = start(rules={"banca_variant": "no_commission", "prize_rounding": "exact"})
    assert refused(half, bet(1, "banca", 1500)).code == "inexact_amount"
    assert after(half, bet(1, "banca", 2000)).bets[0].amount == 2000


@pytest.mark.rule("BAC-03")
@pytest.mark.rule("BAC-04")
@pytest.mark.rule("BAC-05")
@pytest.mark.parametrize(
    ("of", "seats", "rule_id"), [(PUNTO_BANCA, 9, "BAC-05"), (MIDI, 9, "BAC-03"), (MINI, 7, "BAC-04")]
)
def test_seats_are_the_tables(of: Any, seats: int, rule_id: str) -> None:
    state = start(of=of, seats=seats)
    assert after(state, bet(1, "punto", 1000), bet(seats, "punto", 1000)).bets[1].seat == seats
    for seat in (0, seats + 1, -1, 10**6000):
        with pytest.raises(RuleViolation) as refusal:
            of.play(state, bet(seat, "punto", 1000))
        assert (refusal.value.rule, refusal.value.field) == (rule_id, "seat")


@pytest.mark.rule("BAC-06")
def test_boxes_are_punto_banca_and_tie() -> None:
    refusal = refused(start(), bet(1, "pair", 1000))
    assert (refusal.rule, refusal.code, refusal.field) == ("BAC-06", "unknown_spot", "spot")
    without_tie = start(limits={spot: LIMITS[spot] for spot in ("punto", "banca")})
    assert refused(without_tie, bet(1, "tie", 500)).code == "spot_not_offered"


@pytest.mark.rule("BAC-07")
def test_tie_needs_a_bet_on_a_hand_of_the_same_seat() -> None:
    lone = after(start(), bet(1, "punto", 1000), bet(2, "tie", 500))
    refusal = refused(lone, CLOSE)
    assert (refusal.rule, refusal.code, refusal.detail["seat"]) == ("BAC-07", "lone_tie_bet", 2)
    for spot in ("punto", "banca"):
        assert after(lone, bet(2, spot, 1000), CLOSE).closed


@pytest.mark.rule("BAC-09")
def test_the_dealing_player_bets_on_a_hand() -> None:
    state = after(start(of=PUNTO_BANCA), {"e": "deal", "seat": 4}, bet(1, "punto", 1000))
    assert refused(state, CLOSE).rule == "BAC-09"
    assert after(state, bet(4, "banca", 1000), CLOSE).closed
    assert after(state, bet(4, "punto", 1000), CLOSE).closed
    # The others bet if they wish; without a named dealer nothing is demanded.
    assert after(start(of=PUNTO_BANCA), bet(1, "punto", 1000), CLOSE).closed


def test_no_more_bets() -> None:
    closed = after(start(), bet(1, "punto", 1000), CLOSE)
    assert refused(closed, bet(1, "punto", 1000)).code == "bets_closed"
    assert refused(closed, CLOSE).code == "bets_closed"
    assert refused(after(closed, card("punto", "9d")), bet(1, "punto", 1000)).code == "bets_closed"


def test_no_cards_while_betting_is_open() -> None:
    assert refused(start(), card("punto", "9d")).code == "bets_open"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"amount": 0}, "amount"),
        ({"amount": -500}, "amount"),
        ({"amount": 1000.0}, "amount"),
        ({"amount": "1000"}, "amount"),
        ({"amount": True}, "amount"),
        ({"amount": None}, "amount"),
        ({"amount": 10**6000}, "amount"),
        ({"seat": True}, "seat"),
        ({"seat": "1"}, "seat"),
        ({"seat": 1.0}, "seat"),
        ({"spot": None}, "spot"),
        ({"spot": ["punto"]}, "spot"),
        ({"ammount": 5}, "ammount"),
    ],
)
def test_a_bad_bet_names_the_field(change: dict[str, Any], field: str) -> None:
    assert refused(start(), {**bet(1, "punto", 1000), **change}).field == field


def test_who_and_when_are_not_the_engines_business() -> None:
    stored = {**bet(1, "punto", 1000), "at": "2026-11-29T22:41:07.123456Z", "by": 7}
    assert after(start(), stored) == after(start(), bet(1, "punto", 1000))


@pytest.mark.rule("GEN-04")
@pytest.mark.parametrize(
    ("new", "difference", "accepted"),
    [
        (("punto", 50), 450, True),
        (("punto", 100), 500, True),
        (("punto", 101), 501, False),
        (("banca", 200), 200, True),
        (("banca", 901), 501, False),
    ],
)
def test_case_reg_002_table_differential(new: tuple[str, int], difference: int, accepted: bool) -> None:
    """Differential 500, 700 on punto and 300 on banca; closing the gap is fine, passing it is not."""
    state = start(differential=500, chip=1, limits={"punto": (1, 1000), "banca": (1, 1000)})
    state = after(state, bet(1, "punto", 500), bet(2, "banca", 300), bet(3, "punto", 200))
    event = bet(4, *new)
    if accepted:
        stakes = [(b.spot, b.amount) for b in after(state, event).bets]
        assert abs(sum(a if s == "punto" else -a for s, a in stakes)) == difference
    else:
        refusal = refused(state, event)
        assert refusal.code == "differential_exceeded"
        assert refusal.detail["difference_after"] == difference
