"""Every game along its own prompts, at every level of detail and many rules; and whatever is thrown at it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.kernel.errors import SabotError
from shoes.cards import COVERED, FRENCH52
from tables.games.base import Detail, Game
from tables.games.house_poker import GAMES
from tests.games.house_poker.building import CARIBBEAN, CLOSE, DRAW, GO, THREE, bet, play, start
from tests.games.walking import check_settled, chosen, filled, pack_of, started, walk

SEEDS = 300
VARIANTS: dict[str, list[dict[str, Any]]] = {
    DRAW.code: [
        {},
        {"dealer_draws": False},
        {"change_max_cards": 0},
        {"dealer_changes": {"low_pair": 1, "high_card": 0}},
    ],
    CARIBBEAN.code: [{}, {"bet_ante_multiple": 1, "bet_pays": "caribbean.bet.b"}],
    GO.code: [{}, {"withdrawable_bets": 0}, {"equal_bets": 2, "withdrawable_bets": 1}],
    THREE.code: [
        {},
        {"fold_loses_pair_plus": False, "play_ante_multiple": 2},
        {"ante_bonus_pays": {"straight_flush": "push", "three_of_a_kind": "push", "straight": "push"}},
    ],
}
BOTH = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.code)


@BOTH
@pytest.mark.parametrize("detail", list(Detail))
def test_walks_end_and_settle(game: Game, detail: Detail) -> None:
    for seed in range(SEEDS):
        rules = VARIANTS[game.code][seed % len(VARIANTS[game.code])]
        opened = started(game, detail, rules, seats=1 + seed % game.default_rules().seats)
        check_settled(game, opened, walk(game, opened, random.Random(seed), check=seed % 6 == 0))


def full_table(game: Game, rules: Any, chance: random.Random) -> Any:
    """All seats with bets, so that the dealing goes round."""
    state = start(game, rules=rules)
    spots = [spot for spot in state.boxes if spot != "pair_plus"]
    for seat in range(1, state.terms.seats + 1):
        amount = 100 * chance.randrange(1, 9)
        state = play(game, state, [bet(seat, spot, amount) for spot in spots])
        if game is THREE and chance.random() < 0.5:
            state = play(game, state, bet(seat, "pair_plus", 300))
    return play(game, state, CLOSE)


@BOTH
def test_full_tables_end_and_settle(game: Game) -> None:
    for seed in range(60):
        chance = random.Random(900 + seed)
        rules = VARIANTS[game.code][seed % len(VARIANTS[game.code])]
        state = walk(game, full_table(game, rules, chance), chance, check=False)
        check_settled(game, start(game, rules=rules), state)
        seats = [payout.seat for payout in game.settle(state).payouts if payout.row != "folded"]
        assert seats == sorted(seats, reverse=True)


@BOTH
def test_a_known_and_a_covered_deal_settle_alike(game: Game) -> None:
    """Cards logged as they fall, or covered and turned over at the end: the same payouts."""
    for seed in range(40):
        chance = random.Random(seed)
        opened = full_table(game, {}, chance)
        known, pack = opened, pack_of(game, 1, chance)
        while not known.complete:
            offers = [event for prompt in game.prompts(known) for event in prompt.events]
            offers = [event for event in offers if event.get("card") != COVERED and event["e"] != "show"]
            known = game.play(known, filled(dict(chance.choice(offers)), pack))
        covered = covered_again(game, opened, known)
        assert game.settle(covered).payouts == game.settle(known).payouts
        assert covered.complete


def covered_again(game: Game, opened: Any, known: Any) -> Any:
    """The same round with the seats' and the dealer's cards covered until they must be seen."""
    state = opened
    for event in known.log[len(opened.log) :]:
        while game.prompts(state)[0].kind == "show":
            state = shown_as(game, state, known)
        if event["e"] == "card" and event["to"] != "board":
            event = {**event, "card": COVERED}
        elif event.get("do") == "change" and "seat" in event:
            event = {"e": "choice", "seat": event["seat"], "do": "change", "count": len(event["cards"])}
        if event.get("to") == "dealer" and state.house.did and event["e"] == "card":
            event = {**event, "card": known.house.cards[len(state.house.cards)]}
        state = game.play(state, event)
    while not state.complete:
        state = shown_as(game, state, known)
    return state


def shown_as(game: Game, state: Any, known: Any) -> Any:
    prompt = game.prompts(state)[0]
    assert prompt.kind == "show"
    if prompt.seat:
        cards = list(known.places[prompt.seat].cards)
        return game.play(state, {"e": "show", "seat": prompt.seat, "cards": cards})
    # Before the dealer's own change the hand was what was dealt.
    dealt = [event["card"] for event in known.log if event["e"] == "card" and event["to"] == "dealer"]
    return game.play(state, {"e": "show", "to": "dealer", "cards": dealt[: game_cards(state)]})


def game_cards(state: Any) -> int:
    return int(state.kind.cards)


@BOTH
def test_every_undo_is_refused_or_leaves_the_log_without_the_entry(game: Game) -> None:
    for seed in range(6):
        chance = random.Random(seed)
        state = walk(game, full_table(game, {}, chance), chance, check=False)
        opened = start(game)
        for position in range(1, len(state.log) + 1):
            before = repr(state)
            try:
                after = game.play(state, {"e": "undo", "of": position, "why": "error"})
            except SabotError:
                assert repr(state) == before
                continue
            rest = [event for at, event in enumerate(state.log, 1) if at != position]
            without = game.play_all(opened, rest)
            assert game.prompts(after) == game.prompts(without)
            assert (after.stakes, after.places) == (without.stakes, without.places)


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 60),
    st.sampled_from([10**4000, -(10**4000), 1.5, float("nan"), "", "??", "v5", "seat", "dealer", "board"]),
    st.sampled_from(FRENCH52.cards),
    st.lists(st.sampled_from([*FRENCH52.cards, "??", 3, None]), max_size=6),
    st.text(max_size=3),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
)
KEYS = (
    "e",
    "seat",
    "hand",
    "spot",
    "amount",
    "to",
    "card",
    "cards",
    "count",
    "do",
    "winner",
    "hands",
    "of",
    "x",
)


@settings(max_examples=600, deadline=None)
@given(
    game=st.sampled_from(GAMES),
    detail=st.sampled_from(list(Detail)),
    seed=st.integers(0, 10**6),
    steps=st.integers(0, 60),
    kind=st.sampled_from(["", "bet", "in", "close", "card", "choice", "show", "result", "undo", "note"]),
    change=st.dictionaries(st.sampled_from(KEYS), JUNK, max_size=4),
)
def test_whatever_is_thrown_at_it_is_refused_in_words_or_played(
    game: Game, detail: Detail, seed: int, steps: int, kind: str, change: dict[str, Any]
) -> None:
    chance = random.Random(seed)
    state, pack = started(game, detail), pack_of(game, 1, chance)
    for _ in range(steps):
        if state.complete:
            break
        state = game.play(state, filled(chosen(game.prompts(state), chance), pack))
    due: dict[str, Any] = {"e": kind} if kind or state.complete else chosen(game.prompts(state), chance)
    event, before = {**due, **change}, repr(state)
    try:
        after = game.play(state, event)
    except SabotError as refusal:
        assert refusal.code and refusal.message.es and refusal.message.en
        assert refusal.detail["position"] == len(state.log) + 1
    else:
        assert len(after.log) == len(state.log) + 1 and game.prompts(after)
    assert repr(state) == before
