"""Commission marked, not deducted: paid in full, owed by the seat, collected when it leaves (BAC-22)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from casino.kernel.errors import Refused
from tables.games.base import Detail
from tests.games.building import CLOSE, MINI, bet, dealt, start
from tests.games.walking import check_settled, walk

MARKED = {"commission_collection": "marked"}
BANCA = ("2d 4h", "2c 5s")
COLLECT = {"e": "collect", "seat": 4}
PUNTO = ("2d 5h", "2c 4s")


def after(opened: Any, *events: Any, hands: tuple[str, str] = BANCA) -> Any:
    return MINI.settle(MINI.play_all(opened, [*events, CLOSE, *dealt(*hands)]))


@pytest.mark.rule("BAC-22")
def test_three_wins_are_paid_in_full_and_owed_until_the_seat_leaves() -> None:
    """Case DEA-017: wins of 100, 15 and 35 leave 5.00, 5.75 and 7.50 owed; 7.50 is collected on leaving."""
    opened = start(rules=MARKED, chip=25, limits={"punto": (500, 50_000), "banca": (500, 50_000)})
    carry: tuple[Any, ...] = ()
    for stake, owed in ((10_000, 500), (1_500, 575), (3_500, 750)):
        settlement = after(opened, *carry, bet(3, "banca", stake))
        assert [(p.seat, p.returned, p.commission) for p in settlement.payouts] == [(3, 2 * stake, 0)]
        carry = settlement.carry
        assert [(event["seat"], event["amount"]) for event in carry] == [(3, owed)]
    leaving = after(opened, *carry, {"e": "collect", "seat": 3}, bet(1, "punto", 1_000), hands=PUNTO)
    assert [(p.seat, p.spot, p.won, p.commission, p.act) for p in leaving.payouts] == [
        (1, "punto", 1_000, 0, "pay"),
        (3, "commission", -750, 750, "collect"),
    ]
    assert leaving.carry == ()
    # What the house keeps: the commission, less what it paid on punto.
    assert (leaving.totals.commission, leaving.totals.house_result) == (750, 750 - 1_000)


@pytest.mark.rule("BAC-22")
def test_the_round_in_which_a_seat_leaves_counts_too() -> None:
    opened = start(rules=MARKED)
    settlement = after(opened, bet(2, "banca", 20_000), {"e": "collect", "seat": 2})
    assert [(p.spot, p.won, p.commission) for p in settlement.payouts] == [
        ("banca", 20_000, 0),
        ("commission", -1_000, 1_000),
    ]


def test_a_commission_rounded_up_is_owed_with_what_rounding_added() -> None:
    """5 % of 110,00 is 5,50; with chips of 5,00 that is 10,00, of which 4,50 is rounding (GEN-09)."""
    opened = start(rules=MARKED)
    settlement = after(opened, bet(2, "banca", 11_000))
    assert settlement.carry == ({"e": "owed", "seat": 2, "amount": 1_000, "rounding": 450},)
    told = [note.text.es for note in settlement.notes]
    assert told == ["el asiento 2 debe 10,00 de comisión marcada"]


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([{"e": "collect", "seat": 4}], "nothing_owed"),
        ([bet(4, "banca", 5_000), {"e": "collect", "seat": 4}, {"e": "collect", "seat": 4}], "collect_given"),
        ([bet(4, "banca", 5_000), {"e": "owed", "seat": 4, "amount": 500}], "owed_too_late"),
        ([{"e": "owed", "seat": 4, "amount": 500}, {"e": "owed", "seat": 4, "amount": 500}], "owed_given"),
        ([{"e": "owed", "seat": 4, "amount": 0}], "out_of_range"),
        ([{"e": "owed", "seat": 4, "amount": 500, "rounding": 501}], "out_of_range"),
    ],
)
def test_what_cannot_be_owed_or_collected(events: list[Any], code: str) -> None:
    with pytest.raises(Refused) as refusal:
        MINI.play_all(start(rules=MARKED), events)
    assert refusal.value.code == code


def test_where_commission_is_deducted_nothing_is_marked() -> None:
    for event in (COLLECT, {"e": "collect", "seat": 1}):
        with pytest.raises(Refused) as refusal:
            MINI.play(start(), event)
        assert (refusal.value.code, refusal.value.rule) == ("commission_deducted", "BAC-22")
    for event in (COLLECT, {"e": "owed", "seat": 1, "amount": 500}):
        with pytest.raises(Refused) as refusal:
            MINI.play(start(Detail.CARDS, rules=MARKED), event)
        assert refusal.value.code == "detail_forbids"


@pytest.mark.rule("GEN-03")
@pytest.mark.rule("BAC-22")
def test_what_was_marked_is_owed_and_collected_under_rules_that_deduct() -> None:
    """Rules may be replaced between two rounds: the debt goes on, the new round's commission is deducted."""
    owed = {"e": "owed", "seat": 2, "amount": 750, "rounding": 0}
    on = after(start(), owed, bet(2, "banca", 10_000))
    # 5 % of 100,00 is 5,00, kept from the prize; the 7,50 are still owed.
    assert [(p.spot, p.won, p.commission) for p in on.payouts] == [("banca", 9_500, 500)]
    assert on.carry == (owed,)
    opened = MINI.play_all(start(), [owed, bet(2, "banca", 10_000), bet(3, "banca", 10_000)])
    assert [p.options for p in MINI.prompts(opened) if p.kind == "collect"] == [("2",)]
    with pytest.raises(Refused) as refusal:
        MINI.play(opened, {"e": "collect", "seat": 3})
    assert refusal.value.code == "nothing_owed"
    paid = after(start(), owed, {"e": "collect", "seat": 2}, bet(2, "banca", 10_000))
    assert [(p.spot, p.won) for p in paid.payouts] == [("banca", 9_500), ("commission", -750)]
    assert paid.carry == () and paid.totals.commission == 1_250


def test_walks_with_marked_commission_lose_nothing() -> None:
    for seed in range(60):
        opened = start(rules=MARKED)
        check_settled(MINI, opened, walk(MINI, opened, random.Random(seed)))
