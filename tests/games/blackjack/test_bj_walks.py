"""Whole rounds along the prompts under many rules, and mangled events against any of their states."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.kernel.errors import SabotError
from shoes.cards import COVERED, FRENCH52, VALUE_CARDS
from tables.games.base import Detail, Game
from tests.games.blackjack.building import CLASSIC, LIMITS, ONLINE, PERFECT
from tests.games.walking import check_settled, chosen, filled, started, walk

VARIANTS: list[tuple[Game, dict[str, Any]]] = [
    (CLASSIC, {}),
    (PERFECT, {}),
    (
        PERFECT,
        {
            "immediate_pay": "not_ace",
            "dealer_blackjack_takes": "original",
            "split_pair_by": "rank",
            "double_totals": "9_10_11",
            "surrender": "off",
            "perfect_pairs_pays": "b",
        },
    ),
    (CLASSIC, {"insurance": False, "even_money": False, "splits_max": 1, "double_after_split": False}),
    (CLASSIC, {"hands_per_player": 1, "surrender_loss_percent": 30, "split_21_pushes": True}),
    (ONLINE, {"preset": "M1"}),
    (ONLINE, {"hole_card": "american", "surrender": "late", "decks": 1, "preset": "Clasico"}),
    (
        ONLINE,
        {
            "hole_card": "american",
            "dealer_hits_soft_17": True,
            "charlie_cards": 7,
            "resplit_aces": True,
            "decks": 2,
        },
    ),
    (ONLINE, {"decks": 8, "surrender": "early", "preset": "Video"}),
]


def opened(game: Game, rules: dict[str, Any], detail: Detail) -> Any:
    limits = {spot: LIMITS[spot] for spot in game.spots} if detail is Detail.FULL else {}
    if game is ONLINE and limits:
        limits["main"] = (100, 15_000)
    return started(game, detail, rules, limits=limits)


@pytest.mark.parametrize(("game", "rules"), VARIANTS)
@pytest.mark.parametrize("detail", list(Detail))
def test_rounds_along_the_prompts_end_and_settle(game: Game, rules: dict[str, Any], detail: Detail) -> None:
    for seed in range(3 if detail is Detail.RESULT else 35):
        state = opened(game, rules, detail)
        check_settled(game, state, walk(game, state, random.Random(seed)))


def stacked(chance: random.Random, decks: int) -> Iterator[str]:
    """A shoe in which aces, tens and one rank of pairs come early: insurance, splits, black jacks."""
    pack = [card for card in FRENCH52.cards for _ in range(decks)]
    chance.shuffle(pack)
    liked = chance.choice("A8T9")
    pack.sort(key=lambda card: card[0] not in ("A", liked, "K") and chance.random() < 0.85)
    return iter(pack)


@pytest.mark.parametrize("game", [CLASSIC, PERFECT])
def test_rounds_rich_in_aces_and_pairs_keep_every_chip(game: Game) -> None:
    """Splits, insurance and even money come up here by the hundred."""
    rows: Counter[str] = Counter()
    for seed in range(200):
        chance = random.Random(seed)
        start = opened(game, {}, Detail.FULL)
        state, pack = start, stacked(chance, 6)
        while not state.complete:
            state = game.play(state, filled(chosen(game.prompts(state), chance), pack))
        check_settled(game, start, state)
        rows.update(payout.row for payout in game.settle(state).payouts)
        assert sum(p.stake for p in game.settle(state).payouts) == sum(b.amount for b in state.bets)
    for row in ("even_money_taken", "blackjack_both", "no_dealer_blackjack", "split_two_card_21_higher"):
        assert rows[row], rows


def test_prompts_speak_both_languages_and_name_their_rule() -> None:
    chance = random.Random(5)
    for game, rules in VARIANTS:
        for detail in Detail:
            state = opened(game, rules, detail)
            pack = stacked(chance, state.rules.decks)
            while not state.complete:
                for prompt in game.prompts(state):
                    assert (
                        prompt.text.es and prompt.text.en and prompt.why.es and prompt.why.en and prompt.rule
                    )
                    assert prompt.to_json()["kind"] == prompt.kind
                state = game.play(state, filled(chosen(game.prompts(state), chance), pack))


CARDS = st.sampled_from((*FRENCH52.cards, *VALUE_CARDS, COVERED))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**4000, -(10**4000)])
    | st.floats()
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=5,
)
GOOD = {
    "e": st.sampled_from(["bet", "in", "close", "card", "choice", "show", "result", "undo", "note"]),
    "seat": st.integers(-1, 9),
    "hand": st.integers(-1, 4),
    "hands": st.integers(-1, 4),
    "spot": st.sampled_from(["main", "insurance", "perfect_pairs", "21_plus_3"]),
    "amount": st.integers(-1, 2000),
    "to": st.sampled_from(["seat", "dealer", "dealer2"]),
    "card": CARDS,
    "cards": st.lists(CARDS, max_size=2),
    "do": st.sampled_from(
        ["hit", "stand", "double", "split", "surrender", "insurance", "even_money", "fold"]
    ),
    "winner": st.sampled_from(["17", "bust", "blackjack", "22"]),
    "of": st.integers(-1, 30),
    "why": st.text(max_size=8),
    "code": st.sampled_from(["exposed_card", "x", "X"]),
    "at": JSON,
    "by": JSON,
}
MANGLED = st.one_of(
    JSON,
    st.binary(),
    st.dictionaries(st.one_of(st.text(max_size=4), st.integers(), st.none(), st.floats()), JSON, max_size=3),
    st.builds(
        lambda good, bad: {**good, **bad},
        st.fixed_dictionaries({"e": GOOD["e"]}, optional={k: v for k, v in GOOD.items() if k != "e"}),
        st.dictionaries(st.sampled_from([*sorted(GOOD), "other"]), JSON, max_size=2),
    ),
)


@st.composite
def states(draw: st.DrawFn) -> tuple[Game, Any]:
    """Some state on the way of a round, of some game at some level of detail."""
    game, rules = draw(st.sampled_from(VARIANTS))
    chance = random.Random(draw(st.integers(0, 10_000)))
    state = opened(
        game, rules, draw(st.sampled_from([Detail.FULL, Detail.FULL, Detail.CARDS, Detail.RESULT]))
    )
    pack = stacked(chance, state.rules.decks)
    for _ in range(draw(st.integers(0, 60))):
        if state.complete:
            break
        state = game.play(state, filled(chosen(game.prompts(state), chance), pack))
    return game, state


@settings(max_examples=500, deadline=None)
@given(states(), MANGLED)
def test_no_event_raises_anything_but_a_refusal(reached: tuple[Game, Any], event: Any) -> None:
    game, state = reached
    before = repr(state)
    try:
        after = game.play(state, event)
    except SabotError as refusal:
        assert refusal.code and refusal.message.es and refusal.message.en
        assert refusal.detail["position"] == len(state.log) + 1
    else:
        assert after == game.play_all(state, [event]) and len(after.log) == len(state.log) + 1
        assert game.prompts(after)
    assert repr(state) == before


@settings(max_examples=120, deadline=None)
@given(states(), st.integers(1, 60))
def test_an_undo_is_refused_or_gives_a_round_that_goes_on(reached: tuple[Game, Any], of: int) -> None:
    game, state = reached
    carded = any(entry["e"] == "card" for entry in state.log)
    try:
        after = game.play(state, {"e": "undo", "of": of, "why": "error"})
    except SabotError as refusal:
        assert refusal.code in ("out_of_range", "nothing_to_undo", "undo_blocked", "undo_too_late")
        return
    assert game.prompts(after) and len(after.log) == len(state.log) + 1
    if carded:
        # The initial bets stand; only a decision no card has followed may take its own chips back.
        assert [b for b in after.bets if b.hand == 0 and b.spot == "main"] or not state.bets
        assert after.closed == state.closed
