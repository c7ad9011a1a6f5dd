"""What every game in the registry must stand, whoever wrote it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.kernel import rulebook
from casino.kernel.errors import Conflict, RuleViolation, SabotError
from tables.games.base import Detail, Game
from tables.games.registry import GAMES
from tests.games.fuzzing import MALFORMED, check_refusal
from tests.games.walking import check_settled, chosen, filled, pack_of, started, walk

ALL = sorted(GAMES)
SEEDS = 25


def opened(game: Game, detail: Detail) -> Any:
    return started(game, detail)


@pytest.mark.parametrize("detail", list(Detail))
@pytest.mark.parametrize("code", ALL)
def test_walks_end_and_settle_with_nothing_lost(code: str, detail: Detail) -> None:
    """Prompts are never empty, never offer what is refused; chips are conserved; a log plays again alike."""
    game = GAMES[code]
    for seed in range(SEEDS):
        start = opened(game, detail)
        with pytest.raises(Conflict) as refusal:
            game.settle(start)
        assert refusal.value.code == "round_incomplete"
        check_settled(game, start, walk(game, start, random.Random(seed)))


@pytest.mark.parametrize("code", ALL)
def test_step_by_step_and_all_at_once_are_the_same(code: str) -> None:
    game = GAMES[code]
    for seed in range(5):
        start = opened(game, Detail.FULL)
        state = start
        for event in walk(game, start, random.Random(1000 + seed), check=False).log:
            state = game.play(state, event)
        assert state == game.play_all(start, state.log)


@pytest.mark.parametrize("code", ALL)
def test_every_undo_is_refused_or_leaves_the_log_without_the_entry(code: str) -> None:
    game = GAMES[code]
    for seed in range(3):
        start = opened(game, Detail.FULL)
        state = walk(game, start, random.Random(2000 + seed), check=False)
        for position in range(1, len(state.log) + 1):
            before = repr(state)
            try:
                after = game.play(state, {"e": "undo", "of": position, "why": "error"})
            except SabotError:
                assert repr(state) == before
                continue
            rest = [event for at, event in enumerate(state.log, 1) if at != position]
            without = game.play_all(start, rest)
            assert [p.events for p in game.prompts(after)] == [p.events for p in game.prompts(without)]
            assert game.hands_on(after) == game.hands_on(without)
            assert after.bets == without.bets


SORT = ("e", "to", "seat", "hand", "spot", "do", "winner")


def walked(game: Game, detail: Detail, seed: int) -> tuple[list[Any], list[dict[str, Any]]]:
    """The states of a round along its prompts, and one event of each sort that was offered or logged."""
    chance, state, pool = random.Random(seed), opened(game, detail), {}
    pack = pack_of(game, state.rules.decks if game.deck_type else 0, chance)
    states = [state]
    while not state.complete:
        prompts = game.prompts(state)
        done = filled(chosen(prompts, chance), pack)
        for event in (done, *(event for prompt in prompts for event in prompt.events)):
            if event["e"] != "card" or "card" in event:
                sort = tuple(
                    str(event.get(key)) for key in ("e", "to", "seat", "hand", "spot", "do", "winner")
                )
                pool.setdefault(sort, dict(event))
        state = game.play(state, done)
        states.append(state)
    return states, list(pool.values())


def elsewhere(event: dict[str, Any], seats: int) -> list[dict[str, Any]]:
    """The event, and the same of the seats beside its own and of one the table lacks."""
    seat = event.get("seat")
    if not isinstance(seat, int):
        return [event]
    return [event, *({**event, "seat": other} for other in (seat % seats + 1, (seat - 2) % seats + 1, 99))]


@pytest.mark.parametrize("detail", list(Detail))
@pytest.mark.parametrize("code", ALL)
def test_every_illegal_event_is_refused_by_a_rule_of_its_game(code: str, detail: Detail) -> None:
    """Well-formed events at the wrong moment, for the wrong seat or twice, and the undo of every entry."""
    game = GAMES[code]
    for seed in range(2):
        states, pool = walked(game, detail, 3000 + seed)
        seats, refused = states[0].terms.seats, set()
        tried = [near for event in pool for near in elsewhere(event, seats)]
        for state in states[:: max(1, len(states) // 20)] + states[-1:]:
            undos = [{"e": "undo", "of": at, "why": "error"} for at in range(1, len(state.log) + 1)]
            for event in (*tried, *undos):
                try:
                    game.play(state, dict(event))
                except SabotError as refusal:
                    check_refusal(game, state, refusal)
                    refused.add(event["e"])
        # Without bets or cards to be wrong about, the result is what comes twice.
        assert refused >= {event["e"] for event in states[-1].log if event["e"] in ALWAYS_LATE}


ALWAYS_LATE = frozenset({"bet", "in", "close", "card", "result", "spin", "chips", "button", "bank", "choice"})
"""Kinds of event a complete round takes no more of."""


@pytest.mark.parametrize("detail", list(Detail))
@pytest.mark.parametrize("code", ALL)
def test_a_complete_round_takes_no_more_play(code: str, detail: Detail) -> None:
    """A second close, a bet after it, a card too many, a second result: each refused by a rule."""
    game = GAMES[code]
    for seed in range(3):
        states, _ = walked(game, detail, 4000 + seed)
        last = states[-1]
        for event in last.log:
            if event["e"] in ALWAYS_LATE:
                with pytest.raises(RuleViolation) as refusal:
                    game.play(last, dict(event))
                check_refusal(game, last, refusal.value)
                assert refusal.value.code not in MALFORMED


@pytest.mark.parametrize("code", ALL)
def test_betting_closes_once_and_comes_before_the_cards(code: str) -> None:
    """Where a round is closed: no card before it, and after it no bet, no close and, once a card is
    logged, no undo of either."""
    game = GAMES[code]
    if "close" not in game.events:
        assert code == "siete.medio"  # Each bets in turn, after the first card (SYM-04).
        return
    put_in: list[dict[str, Any]] = []
    seed = 5000
    while not put_in:
        states, _ = walked(game, Detail.FULL, seed)
        log = states[-1].log
        at = next(place for place, event in enumerate(log) if event["e"] == "close")
        put_in = [event for event in log[:at] if event["e"] in ("bet", "chips", "bank")]
        seed += 1
    drawn = next(event for event in log if event["e"] in ("card", "spin"))
    wrong = [(states[at], drawn)]
    wrong += [(states[at + 1], event) for event in (*put_in, log[at])]
    for state, event in wrong:
        with pytest.raises(RuleViolation) as refusal:
            game.play(state, dict(event))
        check_refusal(game, state, refusal.value)
    for of in range(1, at + 2):
        if log[of - 1]["e"] in ("bet", "chips", "bank", "close"):
            with pytest.raises(RuleViolation) as refusal:
                game.play(states[-1], {"e": "undo", "of": of, "why": "error"})
            assert refusal.value.code.startswith("undo_")


@pytest.mark.parametrize("code", ALL)
def test_the_catalogue_and_the_engine_agree(code: str) -> None:
    game, entry = GAMES[code], rulebook.game(code)
    rules = game.default_rules()
    assert (game.name, game.family, game.bank) == (entry.name, entry.family, entry.bank)
    assert game.deck_type == ("" if entry.deck == "none" else entry.deck)
    assert rules.seats_max <= entry.seats_max and 1 <= rules.seats <= rules.seats_max
    assert rules.decks in entry.decks_allowed or not game.deck_type
    assert game.read_rules(rules.to_json()) == rules
    assert game.read_rules({}) == rules
    assert set(game.layout) <= set(game.spots)


def test_every_game_of_the_catalogue_but_the_social_ones_has_an_engine() -> None:
    wanted = {code for code, entry in rulebook.games().items() if entry.family != "social"}
    assert set(GAMES) == wanted


MANGLING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 60)
    | st.sampled_from(
        [10**4000, -(10**4000), 1.5, float("nan"), "", "??", "v5", "As", "3o", "seat", "dealer", "\x00"]
    )
    | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=900, deadline=None)
@given(
    code=st.sampled_from(ALL),
    detail=st.sampled_from(list(Detail)),
    seed=st.integers(0, 10**6),
    steps=st.integers(0, 60),
    change=st.dictionaries(
        st.sampled_from(
            [
                "e",
                "seat",
                "hand",
                "spot",
                "amount",
                "to",
                "card",
                "cards",
                "do",
                "winner",
                "number",
                "of",
                "why",
                "x",
                "hands",
            ]
        ),
        MANGLING,
        min_size=1,
        max_size=3,
    ),
    drop=st.lists(
        st.sampled_from(["seat", "spot", "amount", "to", "card", "cards", "do", "winner"]), max_size=2
    ),
)
def test_a_mangled_event_is_refused_in_words_or_played(
    code: str, detail: Detail, seed: int, steps: int, change: dict[str, Any], drop: list[str]
) -> None:
    """Events like the due one with anything wrong: refused with a code and in both languages, or played."""
    game, chance = GAMES[code], random.Random(seed)
    state = opened(game, detail)
    pack = pack_of(game, state.rules.decks if game.deck_type else 0, chance)
    for _ in range(steps):
        if state.complete:
            break
        state = game.play(state, filled(chosen(game.prompts(state), chance), pack))
    due = {} if state.complete else dict(chosen(game.prompts(state), chance))
    event = {**{key: value for key, value in due.items() if key not in drop}, **change}
    before = repr(state)
    try:
        after = game.play(state, event)
    except SabotError as refusal:
        check_refusal(game, state, refusal)
    else:
        assert len(after.log) == len(state.log) + 1
        assert game.prompts(after)
    assert repr(state) == before


@settings(max_examples=400, deadline=None)
@given(code=st.sampled_from(ALL), data=MANGLING, place=st.integers(0, 10**4))
def test_mangled_rules_are_refused_in_words(code: str, data: Any, place: int) -> None:
    game = GAMES[code]
    keys = list(game.default_rules().to_json())
    for given_rules in (data, {keys[place % len(keys)]: data}):
        try:
            rules = game.read_rules(given_rules)
        except SabotError as refusal:
            assert refusal.code and refusal.message.es and refusal.message.en
        else:
            assert game.read_rules(rules.to_json()) == rules
