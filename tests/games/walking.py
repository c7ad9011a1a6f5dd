"""Playing any game by its own prompts: what every game must stand, whatever its rules.

A walk takes one of the events a prompt offers, fills in cards from a shuffled pack, and goes on until the
round can be settled. `play` must accept every event a prompt offers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from casino.kernel import rulebook
from casino.kernel.errors import SabotError
from shoes.cards import COVERED, composition
from tables.games.base import Detail, Game, Prompt, Terms

LONGEST = 400
"""More steps than any round takes."""


def pack_of(game: Game, decks: int, chance: random.Random) -> Iterator[str]:
    """The cards of the game's pack, shuffled; none for a game without cards."""
    if not game.deck_type:
        return iter(())
    cards = list(composition(game.deck_type, decks).elements())
    chance.shuffle(cards)
    return iter(cards)


def filled(event: dict[str, Any], pack: Iterator[str]) -> dict[str, Any]:
    """An offered event with the cards put in that it leaves open."""
    if event["e"] == "card" and "card" not in event:
        return {**event, "card": next(pack)}
    if COVERED in event.get("cards", ()):
        return {**event, "cards": [next(pack) if card == COVERED else card for card in event["cards"]]}
    return dict(event)


def chosen(prompts: tuple[Prompt, ...], chance: random.Random) -> dict[str, Any]:
    """One of the offered events; anything but one more bet is likelier, so that rounds end."""
    weights = [1 if prompt.kind in ("bet", "in") else 2 for prompt in prompts]
    prompt = chance.choices(prompts, weights)[0]
    return dict(chance.choice(prompt.events))


def walk(game: Game, state: Any, chance: random.Random, *, check: bool = True) -> Any:
    """The complete state a random walk along the prompts ends in.

    With `check`, every step proves what must hold everywhere: prompts are never empty, what they offer
    is accepted, and a refused undo or a wrong event leaves the state as it was.
    """
    pack = pack_of(game, state.rules.decks if game.deck_type else 0, chance)
    for _ in range(LONGEST):
        prompts = game.prompts(state)
        assert prompts, "a round always offers something"
        if state.complete:
            assert [prompt.kind for prompt in prompts] == ["settle"]
            return state
        assert all(prompt.events for prompt in prompts), "every prompt but settle offers events"
        for prompt in prompts:
            assert prompt.rule in rulebook.rules() and prompt.text.es and prompt.text.en, prompt
        if check:
            _check_offers(game, state, prompts, chance)
        state = game.play(state, filled(chosen(prompts, chance), pack))
    raise AssertionError(f"{game.code}: no end after {LONGEST} steps: {state.log[-5:]}")


def _check_offers(game: Game, state: Any, prompts: tuple[Prompt, ...], chance: random.Random) -> None:
    """Each offer that leaves no card open is accepted; some of many, for time's sake."""
    whole = [event for prompt in prompts for event in prompt.events if _is_whole(dict(event))]
    for event in chance.sample(whole, min(4, len(whole))):
        before = repr(state)
        try:
            game.play(state, dict(event))
        except SabotError as refusal:
            raise AssertionError(f"{game.code} offers what it refuses: {event}: {refusal}") from refusal
        assert repr(state) == before


def _is_whole(event: dict[str, Any]) -> bool:
    return not (event["e"] == "card" and "card" not in event) and COVERED not in event.get("cards", ())


def limits_for(game: Game, low: int = 1000, high: int = 100_000) -> dict[str, tuple[int, int]]:
    """The same limits on every spot that takes bets; of a ring what it is played for: the blinds, or the
    bring-in and the small bet it may be completed to, and a buy-in.
    """
    if game.bank == "ring":
        opening = "blind" if "blind" in game.spots else "bring_in"
        return {opening: (low, 2 * low), "buy_in": (40 * low, max(high, 40 * low))}
    return dict.fromkeys(game.layout or game.spots, (low, high))


def started(game: Game, detail: Detail = Detail.FULL, rules: Any = None, **changes: Any) -> Any:
    """A round with nothing in it, at a table of the rules' own number of seats."""
    read = game.read_rules(rules or {})
    given: dict[str, Any] = {
        "seats": read.seats,
        "detail": detail,
        "chip": 100,
        "limits": limits_for(game) if detail is Detail.FULL else {},
        **changes,
    }
    return game.open(read, Terms(**given))


def check_settled(game: Game, opened: Any, state: Any) -> None:
    """What must hold of every complete round: chips conserved, replay equal, words for every payout."""
    settlement = game.settle(state)
    totals = settlement.totals
    assert sum(payout.won for payout in settlement.payouts) + totals.house_result == 0
    assert totals.staked == sum(payout.stake for payout in settlement.payouts)
    assert totals.returned == sum(payout.returned for payout in settlement.payouts)
    if game.bank != "house":
        # The house has no stake of its own: all it keeps is its deduction.
        assert totals.house_result == totals.commission
    for order, payout in enumerate(settlement.payouts, start=1):
        assert payout.order == order and payout.stake > 0 and payout.returned >= 0
        assert payout.won == payout.returned - payout.stake
        assert payout.act in ("collect", "pay", "push")
        # Why, then what is done with the money: «20 contra 18: 1 a 1 sobre 10,00 = 10,00».
        for said in (payout.words.es, payout.words.en):
            why, _, done = said.partition(": ")
            assert len(why) >= 3 and done, said
        assert payout.rule
        assert payout.spot in game.spots
    again = game.play_all(opened, state.log)
    assert again == state
    assert game.settle(again).to_json() == settlement.to_json()
    outcome = settlement.outcome
    assert len(outcome.winner) <= 12 and outcome.winner in game.winners
    assert game.read_outcome(outcome.to_json()).to_json() == outcome.to_json()
    assert settlement.announcement.es and settlement.announcement.en
    assert game.hands_on(state) is not None
    assert {event["e"] for event in settlement.carry} <= set(game.carried)
    if settlement.carry:
        # The next round begins with what this one hands on.
        game.play_all(opened, settlement.carry)
