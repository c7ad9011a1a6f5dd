"""Amounts at the edge of what a reader of JSON keeps exact: 2^53 - 1."""

from __future__ import annotations

import pytest

from casino.kernel import canonical
from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.money import MAX_UNITS
from tables.games.base import MOST_ON_A_SPOT, Terms
from tests.games.building import CLOSE, MINI, PUNTO_BANCA, bet, dealt, start, terms

LARGEST = 2**53 - 1


def test_the_caps_leave_room_for_every_sum() -> None:
    # 14 seats of Punto y Banca with three spots, the highest ratio a pay table can write; a session
    # that takes one more such round when its total stands at 10^15.
    stakes, prizes = 14 * 3 * MOST_ON_A_SPOT, 14 * 999 * MOST_ON_A_SPOT
    assert 10**15 + stakes + prizes < 2_500_000_000_000_000 < LARGEST / 3
    assert 900 * MAX_UNITS < LARGEST


@pytest.mark.rule("GEN-04")
def test_a_spot_takes_up_to_the_cap_and_no_more() -> None:
    limits = dict.fromkeys(("punto", "banca", "tie"), (500, MOST_ON_A_SPOT))
    state = MINI.play(start(limits=limits), bet(1, "punto", MOST_ON_A_SPOT))
    with pytest.raises(RuleViolation) as refusal:
        MINI.play(state, bet(1, "punto", 500))
    assert (refusal.value.rule, refusal.value.code) == ("GEN-04", "above_maximum")
    # Limits written before the cap still open; what they would take beyond it is refused.
    beyond = start(limits=dict.fromkeys(limits, (500, LARGEST)))
    for amount in (MOST_ON_A_SPOT + 500, MAX_UNITS, LARGEST, 10**30):
        with pytest.raises(Refused) as refused:
            MINI.play(beyond, bet(1, "banca", amount))
        assert refused.value.field == "amount"
    assert "1.000.000.000,00" in refusal.value.message.es


def test_limits_above_the_cap_are_refused() -> None:
    for pair in ([MOST_ON_A_SPOT + 1, MOST_ON_A_SPOT + 1], [500, MOST_ON_A_SPOT + 500]):
        with pytest.raises(Refused) as refusal:
            Terms.from_json({**terms().to_json(), "limits": {"punto": pair}})
        assert (refusal.value.code, refusal.value.field) == ("out_of_range", "limits")


@pytest.mark.parametrize("hands", [("2d 4h", "2c Ks Kc"), ("As Kh Kd", "7c Ks"), ("2d 4h", "2c 4c")])
def test_the_widest_round_settles_in_exact_json(hands: tuple[str, str]) -> None:
    limits = dict.fromkeys(("punto", "banca", "tie"), (500, MOST_ON_A_SPOT))
    opened = start(of=PUNTO_BANCA, seats=14, limits=limits, rules={"seats_max": 14, "tie_pays": "9:1"})
    bets = [bet(seat, spot, MOST_ON_A_SPOT) for seat in range(1, 15) for spot in limits]
    settlement = PUNTO_BANCA.settle(PUNTO_BANCA.play_all(opened, [*bets, CLOSE, *dealt(*hands)]))
    assert settlement.totals.staked == 42 * MOST_ON_A_SPOT
    assert canonical.canonical(settlement.to_json())
