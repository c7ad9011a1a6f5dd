"""Who takes a third card when punto may choose, against a table written out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.errors import RuleViolation
from tables.games.banked import BANKED
from tables.games.banked.drawing import because, next_step
from tables.games.base import Detail
from tests.games.banked.rounds import CLOSE, after, bank, bet, card, choice, dealt, start

RANK = "TA23456789"
# BAC-15 as the rulebook writes it: banca's total -> the values of punto's third card it draws against.
AGAINST = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}


def opened(p: int, b: int) -> Any:
    """Four cards out: punto p, banca b, seat 3 the highest bettor."""
    first = [bank(1, 100_000), bet(3, 2000), bet(5, 1000), CLOSE]
    return after(start(), *first, *dealt(f"{RANK[p]}h Kd", f"{RANK[b]}s Kc"))


def due(state: Any) -> str:
    prompt = BANKED.prompts(state)[0]
    return prompt.to if prompt.kind == "card" else prompt.kind


@pytest.mark.rule("BAC-12")
@pytest.mark.rule("BAC-17")
def test_what_is_due_after_four_cards() -> None:
    for p in range(10):
        for b in range(10):
            if p >= 8 or b >= 8:
                wanted = "settle"
            elif p == 5:
                wanted = "choice"
            elif p < 5:
                wanted = "punto"
            else:
                wanted = "banca" if b <= 5 else "settle"
            assert due(opened(p, b)) == wanted, (p, b)


@pytest.mark.rule("BAC-14")
def test_when_punto_stood_on_five_banca_follows_the_table_of_punto() -> None:
    for b in range(8):
        state = after(opened(5, b), choice(3, "stand"))
        assert due(state) == ("banca" if b <= 5 else "settle")
        if b <= 5:
            assert after(state, card("banca", "2d")).complete


@pytest.mark.rule("BAC-15")
def test_when_punto_drew_banca_follows_its_own_table() -> None:
    for p in (0, 5):
        for b in range(8):
            for third in range(10):
                state = after(opened(p, b), *([choice(3, "draw")] if p == 5 else []))
                state = after(state, card("punto", RANK[third] + "d"))
                wanted = "banca" if str(third) in AGAINST[b] else "settle"
                assert due(state) == wanted, (p, b, third)


@pytest.mark.rule("BAC-17")
def test_the_free_totals_are_data() -> None:
    first = [bank(1, 100_000), bet(3, 2000), CLOSE, *dealt("6h Kd", "3s Kc")]
    none = after(start(rules={"punto_free_choice": []}), *first)
    assert due(none) == "banca"
    free = after(start(rules={"punto_free_choice": [5, 6]}), *first)
    assert due(free) == "choice"
    assert due(after(free, choice(3, "draw"))) == "punto"
    assert next_step([0, 6], [0, 3], "draw", (6,)) == "punto"
    assert because([0, 6], [0, 3], "draw", (6,)).rule == "BAC-16"


@pytest.mark.rule("BAC-16")
def test_the_highest_bettor_decides_and_on_a_tie_the_first_on_the_dealers_left() -> None:
    def who(*bets: Any) -> int:
        state = after(start(), bank(2, 100_000), *bets, CLOSE, *dealt("5h Kd", "3s Kc"))
        (prompt,) = BANKED.prompts(state)
        assert prompt.rule == "BAC-16" and {e["seat"] for e in prompt.events} == {prompt.seat}
        for seat in range(1, 10):
            if seat != prompt.seat:
                with pytest.raises(RuleViolation) as refusal:
                    BANKED.play(state, choice(seat, "draw"))
                assert (refusal.value.rule, refusal.value.code) == ("BAC-16", "not_the_decider")
        return prompt.seat

    assert who(bet(7, 3000), bet(4, 2900), bet(1, 1000)) == 7
    assert who(bet(7, 3000), bet(4, 3000), bet(1, 2900)) == 4
    # Two bets of one seat count together.
    assert who(bet(7, 3000), bet(4, 2000), bet(4, 1100)) == 4


@pytest.mark.rule("BAC-16")
def test_where_no_bets_are_logged_any_of_those_in_may_decide() -> None:
    state = after(
        start(Detail.CARDS), {"e": "deal", "seat": 2}, {"e": "in", "seat": 4}, {"e": "in", "seat": 6}
    )
    state = after(state, *dealt("5h Kd", "3s Kc"))
    (prompt,) = BANKED.prompts(state)
    assert {e["seat"] for e in prompt.events} == {4, 6}
    for seat in (2, 5):
        with pytest.raises(RuleViolation) as refusal:
            BANKED.play(state, choice(seat, "stand"))
        assert refusal.value.rule == "BAC-16"
    ended = after(state, choice(6, "stand"), card("banca", "2c"))
    said = [text.es for text in BANKED.settle(ended).unchecked]
    assert any("BAC-16" in text for text in said)


@pytest.mark.rule("BAC-14")
def test_reg_012_a_card_called_by_mistake_is_the_bankers() -> None:
    """REG-012: punto stands, «carta» called by mistake, banker 4, the nine already out is his: 13, so 3."""
    state = after(opened(5, 4), choice(3, "stand"))
    with pytest.raises(RuleViolation) as refusal:
        BANKED.play(state, card("punto", "9s"))
    assert (refusal.value.rule, refusal.value.code) == ("BAC-16", "card_not_due")
    ended = after(state, card("banca", "9s"))
    assert BANKED.settle(ended).outcome.facts["banca"] == 3


@pytest.mark.rule("BAC-14")
def test_reg_013_of_two_cards_out_the_second_is_discarded() -> None:
    """REG-013: banker 2, 5d and Kh already out: the five is his (7), the king is noted as thrown away."""
    state = after(opened(5, 2), choice(3, "stand"), card("banca", "5d"))
    with pytest.raises(RuleViolation):
        BANKED.play(state, card("punto", "Kh"))
    noted = after(state, {"e": "note", "code": "card_drawn_by_mistake", "card": "Kh"})
    settlement = BANKED.settle(noted)
    assert settlement.outcome.facts["banca"] == 7
    assert ("card_drawn_by_mistake", "CARD-41") in [(n.code, n.rule) for n in settlement.notes]
