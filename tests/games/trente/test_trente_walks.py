"""What holds for every round of Treinta y Cuarenta, however it goes and whatever is thrown at it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.kernel.errors import SabotError
from shoes.cards import FRENCH52, VALUE_CARDS
from tables.games.base import Detail
from tests.games.fuzzing import fuzz
from tests.games.trente.building import CLOSE, GAME, REFAIT, after, bet, rows
from tests.games.trente.mangling import JSON, mangled
from tests.games.walking import check_settled, started, walk

VARIANTS: list[dict[str, Any]] = [
    {},
    {"refait_policy": "half", "decks": 7},
    {"refait_policy": "prison", "decks": 8, "insurance_min_stake_units": 0},
    {"bets": ["black", "red"], "even_chance_pays": "19:20", "insurance_basis_points": 333},
]
TERMS: list[dict[str, Any]] = [
    {"seats": 3, "chip": 100},
    {"seats": 2, "chip": 25, "differential": 2000},
    {"seats": 1, "chip": 500},
]


def opened(rules: dict[str, Any], terms: dict[str, Any], detail: Detail = Detail.FULL) -> Any:
    limits = {spot: (25, 500) if spot.startswith("insurance") else (1000, 3000) for spot in GAME.spots}
    return started(GAME, detail, rules, **{**terms, "limits": limits if detail is Detail.FULL else {}})


@pytest.mark.parametrize("rules", VARIANTS)
@pytest.mark.parametrize("terms", TERMS)
def test_walks_at_full_detail(rules: dict[str, Any], terms: dict[str, Any]) -> None:
    state = opened(rules, terms)
    for seed in range(60):
        check_settled(GAME, state, walk(GAME, state, random.Random(seed), check=seed % 4 == 0))


@pytest.mark.parametrize("rules", VARIANTS)
def test_walks_from_a_refait_and_on_into_the_next_round(rules: dict[str, Any]) -> None:
    """What a round leaves in prison opens the next one, and the chips add up over both."""
    first = opened(rules, TERMS[0])
    dealt = after(first, bet(1, "black", 3000), bet(2, "red", 1500), bet(3, "red", 1000))
    dealt = after(dealt, bet(3, "insurance_red", -(-first.rules.insurance_basis_points // 1000) * 100))
    dealt = after(dealt, CLOSE, *rows(*REFAIT))
    for seed in range(60):
        chance = random.Random(seed)
        state = walk(GAME, dealt, chance)
        check_settled(GAME, first, state)
        standing = GAME.settle(state).carry
        again = after(first, *standing)
        assert sum(event["amount"] for event in standing) == sum(b.amount for b in again.bets)
        state = walk(GAME, again, chance, check=False)
        check_settled(GAME, first, state)


@pytest.mark.parametrize("detail", [Detail.RESULT, Detail.CARDS])
@pytest.mark.parametrize("rules", VARIANTS)
def test_walks_without_bets(rules: dict[str, Any], detail: Detail) -> None:
    state = opened(rules, TERMS[0], detail)
    for seed in range(100):
        ended = walk(GAME, state, random.Random(seed))
        check_settled(GAME, state, ended)
        settlement = GAME.settle(ended)
        assert not settlement.payouts and settlement.unchecked


GOOD = {
    "e": st.sampled_from(["bet", "close", "card", "choice", "prison", "result", "undo", "note"]),
    "seat": st.integers(-1, 4),
    "spot": st.sampled_from(list(GAME.spots)),
    "amount": st.sampled_from([-1, 0, 25, 100, 1000, 1050, 3000, 10**12]),
    "to": st.sampled_from(["negra", "roja", "seat", "black"]),
    "card": st.sampled_from(FRENCH52.cards + VALUE_CARDS),
    "do": st.sampled_from(["half", "prison", "double"]),
    "hand": st.integers(-1, 3),
    "times": st.integers(-1, 42),
    "winner": st.sampled_from(list(GAME.winners)),
    "chance": st.sampled_from(["colour", "inverse"]),
    "negra": st.integers(29, 42),
    "roja": st.integers(29, 42),
    "of": st.integers(-1, 12),
    "why": st.text(max_size=8),
    "code": st.sampled_from(["exposed_card", "x", "X"]),
    "at": JSON,
    "by": JSON,
}


@st.composite
def anywhere(draw: st.DrawFn) -> Any:
    """A state somewhere along a walk."""
    detail = draw(st.sampled_from(list(Detail)))
    state = opened(draw(st.sampled_from(VARIANTS)), TERMS[0], detail)
    if detail is Detail.FULL and draw(st.booleans()):
        state = after(state, bet(1, "black", 1000), bet(2, "red", 1000), CLOSE, *rows(*REFAIT))
    ended = walk(GAME, state, random.Random(draw(st.integers(0, 300))), check=False)
    start = GAME.open(ended.rules, ended.terms)
    return GAME.play_all(start, ended.log[: draw(st.integers(0, len(ended.log)))])


@settings(max_examples=500, deadline=None)
@given(anywhere(), mangled(GOOD))
def test_no_event_raises_anything_but_a_refusal(state: Any, event: Any) -> None:
    before = repr(state)
    try:
        played = GAME.play(state, event)
    except SabotError as refusal:
        assert refusal.code and refusal.message.es and refusal.message.en
    else:
        assert len(played.log) == len(state.log) + 1
        assert GAME.prompts(played)
        assert GAME.play_all(GAME.open(state.rules, state.terms), played.log) == played
    assert repr(state) == before


@pytest.mark.parametrize("detail", list(Detail))
def test_wrong_events_at_every_step(detail: Detail) -> None:
    state = opened({}, TERMS[0], detail)
    assert sum(fuzz(GAME, state, seed) for seed in range(20)) > 100
