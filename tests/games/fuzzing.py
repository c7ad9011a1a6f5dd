"""Wrong events thrown at any game: a refusal in words that leaves the state as it was, or play."""

from __future__ import annotations

import random
from typing import Any

from casino.kernel import rulebook
from casino.kernel.errors import RuleViolation, SabotError
from tables.games.base import Game
from tests.games.walking import chosen, filled, pack_of

JUNK: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2,
    99,
    10**30,
    10**5000,
    -(10**5000),
    1.5,
    float("nan"),
    float("inf"),
    "",
    "x",
    "\x00",
    "‮ñ́\U0001f0a1",
    "As",
    "7o",
    "v5",
    "??",
    "seat",
    "x" * 10_000,
    b"As",
    (),
    [],
    ["As", None],
    [[]],
    {},
    {"e": "bet"},
    {1: 2},
    frozenset({1}),
    object(),
)
MALFORMED = frozenset(
    {
        *("bad_value", "unknown_key", "out_of_range", "missing_value", "unknown_event", "unknown_card"),
        *("card_without_suit", "detail_forbids"),
        *("nothing_to_undo", "undo_of_undo", "already_undone", "undo_blocked", "too_many_corrections"),
    }
)
"""Refusals no rule of a game speaks of: what is no event of the table, and how entries are struck out."""
KEYS = (
    *("e", "seat", "hand", "spot", "amount", "to", "card", "do"),
    *("winner", "number", "of", "why", "times", "x"),
)


def wrong_events(due: dict[str, Any], events: tuple[str, ...], chance: random.Random) -> list[Any]:
    """Some events that are the due one with things wrong in it, and some that are no event at all."""
    found: list[Any] = [chance.choice(JUNK)]
    for _ in range(3):
        event = dict(due)
        for _ in range(chance.randint(1, 3)):
            event[chance.choice(KEYS)] = chance.choice(JUNK)
        if event and chance.random() < 0.4:
            del event[chance.choice(list(event))]
        found.append(event)
    found.append({**due, "e": chance.choice(events)})
    found.append({chance.choice(JUNK[:19]): 1, "e": chance.choice(events)})
    return found


def check_refusal(game: Game, state: Any, refusal: SabotError) -> None:
    """In words, with its place in the log, and by a rule that holds for the game unless it is malformed."""
    assert refusal.code and refusal.message.es and refusal.message.en
    assert refusal.detail["position"] == len(state.log) + 1
    if refusal.code not in MALFORMED:
        assert isinstance(refusal, RuleViolation), (game.code, refusal.code)
        # The online presets are played by the rules of blackjack at the table.
        played = "blackjack.classic" if game.code == "blackjack.online" else game.code
        book = rulebook.rule(refusal.rule)
        assert book.holds_for(played) or book.holds_for(game.code), (game.code, refusal.code, refusal.rule)


def fuzz(game: Game, opened: Any, seed: int) -> int:
    """Walk a round and throw wrong events at every step; the number of refusals seen."""
    chance = random.Random(seed)
    state, refused = opened, 0
    pack = pack_of(game, state.rules.decks if game.deck_type else 0, chance)
    for _ in range(200):
        prompts = game.prompts(state)
        due = {} if state.complete else filled(chosen(prompts, chance), pack)
        for event in wrong_events(due, game.events, chance):
            before = repr(state)
            try:
                after = game.play(state, event)
            except SabotError as refusal:
                check_refusal(game, state, refusal)
                refused += 1
            else:
                assert len(after.log) == len(state.log) + 1
                assert game.prompts(after)
            assert repr(state) == before
        if state.complete:
            game.settle(state)
            return refused
        state = game.play(state, due)
    raise AssertionError("no end")
