"""Public reports of wrong showdowns, told as whole hands: who wins, with what, and what each is paid."""

from __future__ import annotations

import pytest

from tables.games.poker import ranks
from tables.games.ring.outcome import strength
from tables.games.ring.state import Draft
from tests.games.ring.building import GAME, Hand, opened, show
from tests.games.ring.test_refusals import refused

STACK = 20_200
"""What each puts in: four of them make the 80.800 of case ENG-010."""

TEXAS = [
    ("ENG-001", "2c 3d 5s Kh Kd", ["Ad 4h", "Ks 9c"], [1], "straight"),
    ("ENG-003", "2d 3d 4d 5d Ks", ["Ad 9h", "6c 8s"], [1], "straight_flush"),
    ("ENG-004", "4d 8s 4h 7d 8c", ["Kh 6c", "7c 5c"], [2], "two_pair"),
    ("ENG-005", "Jd 7h Jc Kh Ks", ["Ah 8h", "As Qc"], [1, 2], "two_pair"),
    ("ENG-007", "3h 5d 5c 6h Ac", ["Kc 8c", "Tc 8s"], [1], "pair"),
    ("ENG-010", "Jd Tc Qs Ks 9s", ["9c 2s", "Jh Kh", "Qc 4h", "Qh 8d"], [1, 2, 3, 4], "straight"),
    ("ENG-013", "Ts Jd Qc 6d 5c", ["9h Ks", "9s Ah"], [1], "straight"),
    ("ENG-014", "2d 7h 7s 2s 7c", ["Ks 3d", "3h Qs"], [1, 2], "full_house"),
    ("ENG-017", "9s 7s 4s Jh 3d", ["As 2s", "Ks Qs"], [1], "flush"),
    ("ENG-018", "5s 6s Td 6h As", ["7h 7c", "3s Ad"], [2], "two_pair"),
]
OMAHA = [("ENG-021", "2d 7h 7s 2s 7c", ["Ks 9h 3d 4c", "Qs Jd 3h 5c"], [1], "three_of_a_kind")]


def all_in(name: str, board: str, holes: list[str]) -> Hand:
    """Everyone puts in the whole stack: the first to speak raises it or, where the pot limits, they call."""
    own = dict(enumerate(holes, start=1))
    hand = Hand(opened(name, {"structure": "no_limit"}), dict.fromkeys(own, STACK), own, board, at=len(own))
    for _ in own:
        hand.acts(f"{hand.turn} {'allin' if 'allin' in hand.may() else 'call'}")
    return hand


@pytest.mark.rule("PR-02")
@pytest.mark.rule("PR-08")
@pytest.mark.rule("PH-23")
@pytest.mark.parametrize(
    ("name", "case", "board", "holes", "winners", "category"),
    [("texas", *case) for case in TEXAS] + [("omaha", *case) for case in OMAHA],
)
def test_the_reported_hand_is_won_and_paid(
    name: str, case: str, board: str, holes: list[str], winners: list[int], category: str
) -> None:
    hand = all_in(name, board, holes).showdown()
    settlement = hand.settle()
    pot = STACK * len(holes)
    (told,) = settlement.outcome.to_json()["facts"]["pots"]
    assert told["amount"] == pot, case
    assert sorted(told["winners"], key=lambda one: one["seat"]) == [
        {"seat": seat, "amount": pot // len(winners)} for seat in winners
    ]
    assert {p.seat: p.returned for p in settlement.payouts if p.returned} == dict.fromkeys(
        winners, pot // len(winners)
    )
    assert settlement.outcome.winner == ("split" if len(winners) > 1 else str(winners[0]))
    best = strength(Draft(hand.state), winners[0])
    assert ranks.category(best) == category
    assert {one.seat for one in settlement.outcome.hands if one.verdict == "win"} == set(winners)


@pytest.mark.rule("CARD-42")
def test_eng_018_one_pack_has_one_seven_of_hearts() -> None:
    """ENG-018 as it was reported, 7h twice in one hand: refused, and nothing is settled."""
    hand = all_in("texas", "5s 6s Td 6h As", ["?? ??", "3s Ad"])
    refused(GAME["texas"], hand.state, show(1, "7h 7h"), "CARD-42", "impossible_card")
    assert not hand.state.complete
    hand.play(show(1, "7h 7c")).showdown()
    assert hand.settle().outcome.winner == "2"
