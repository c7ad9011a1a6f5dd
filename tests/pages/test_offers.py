"""Every game by its buttons: each stands for a word of the one grammar, and does what it offers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from casino.kernel.errors import SabotError
from tables import entering, felt, keys, offers, pad, telling, typed
from tables.games.base import Detail, Event, Game
from tables.games.registry import GAMES
from tests.games.walking import chosen, filled, pack_of, started

ALL = sorted(GAMES)
SEEDS = 4
LONGEST = 160
UNKNOWN: list[dict[str, Any]] = [
    {"e": "wheel", "x": 1},
    {"e": "bet"},
    {"e": "bet", "seat": 1, "spot": "nowhere", "amount": 5},
    {"e": "choice", "seat": 2, "hand": None, "do": None},
    {"e": "card", "to": "nowhere", "card": "zz"},
    {"e": "card", "to": "seat", "seat": 1, "card": "v5"},
    {"e": "show", "to": "nowhere", "cards": ["??"]},
    {"e": "chips", "seat": "x", "amount": "y"},
    {"e": "in", "seat": 3, "hands": "two"},
    {"e": "result", "winner": None},
    {"e": "note"},
    {"e": "undo"},
]
"""Logs hold what games nobody wrote yet may put there."""


def states(code: str, detail: Detail) -> list[Any]:
    """The states of some random rounds, each from its beginning to where it can be settled."""
    game, found = GAMES[code], []
    for seed in range(SEEDS):
        chance = random.Random(f"{code} {detail} {seed}")
        state = started(game, detail)
        pack = pack_of(game, state.rules.decks if game.deck_type else 0, chance)
        for _ in range(LONGEST):
            found.append(state)
            if state.complete:
                break
            state = game.play(state, filled(chosen(game.prompts(state), chance), pack))
    return found


def faces(game: Game, state: Any, number: int) -> list[str]:
    """Cards that are not out yet, as people type them."""
    out = {card for event in state.log for card in (event.get("card"), *event.get("cards", ()))}
    pack = list(pack_of(game, state.rules.decks, random.Random(1)))
    return [card for card in pack if card not in out][:number]


def same_event(one: Event, other: Event) -> bool:
    """Alike but for what means the same left out: the first hand, one hand."""
    return _whole(one) == _whole(other)


def _whole(event: Event) -> dict[str, Any]:
    return {key: value for key, value in event.items() if (key, value) not in (("hand", 0), ("hands", 1))}


@pytest.mark.parametrize("detail", list(Detail))
@pytest.mark.parametrize("code", ALL)
def test_every_button_types_what_the_rules_then_accept(code: str, detail: Detail) -> None:
    game, told = GAMES[code], set()
    for state in states(code, detail):
        prompts = game.prompts(state)
        offered = [event for prompt in prompts for event in prompt.events]
        for group in offers.groups(game, state, prompts):
            for offer in group.offers[:12]:
                assert offer.typed
                line = " ".join([offer.typed, *faces(game, state, offer.cards)])
                events = typed.events(line, game, state)
                game.play_all(state, events)
                told.add(events[0]["e"])
                if not offer.cards:
                    assert any(same_event(events[-1], event) for event in offered), (line, events)
                assert offer.words.es and offer.words.en
    assert told or detail is not Detail.RESULT


@pytest.mark.parametrize("detail", [Detail.CARDS, Detail.FULL])
@pytest.mark.parametrize("code", ALL)
def test_bets_cards_and_numbers_are_typed_as_the_help_says(code: str, detail: Detail) -> None:
    """What has a pad of its own can be typed too: the card that is due, the least bet that is offered."""
    game = GAMES[code]
    short = keys.of(keys.bettable(game))
    told: set[tuple[Any, ...]] = set()
    for state in states(code, detail):
        prompts = game.prompts(state)
        offered = [event for prompt in prompts for event in prompt.events if "amount" in event]
        for event in offered:
            # Each spot and hand once at every stage: reading them again seat after seat proves nothing more.
            kind = (event["e"], event.get("spot"), event.get("hand"), prompts[0].kind)
            if kind in told:
                continue
            told.add(kind)
            hand = f".{event['hand'] + 1}" if event.get("hand") else ""
            if event["e"] == "bet":
                line = f"{short[event['spot']]} {event['seat']}{hand} {event['amount'] / 100:.2f}"
                assert same_event(typed.events(line, game, state, "en")[0], event)
            elif event["e"] in ("chips", "bank"):
                line = f"{event['seat']} {event['amount'] / 100:.2f}"
                assert typed.events(line, game, state, "en") == [event]
        if prompts[0].kind == "card" and "card" not in prompts[0].events[0]:
            (face,) = faces(game, state, 1)
            assert typed.events(face.lower(), game, state)[-1]["card"] == face


@pytest.mark.parametrize("detail", list(Detail))
@pytest.mark.parametrize("code", ALL)
def test_enter_does_what_can_come_or_says_what_is_lacking(code: str, detail: Detail) -> None:
    game = GAMES[code]
    for state in states(code, detail):
        try:
            done = entering.on_enter(game, state)
        except SabotError as refusal:
            assert refusal.code in ("round_incomplete", "nothing_to_close")
            assert refusal.message.es != refusal.message.en
            continue
        assert (done == entering.SETTLE) is state.complete


@pytest.mark.parametrize("code", ALL)
@pytest.mark.parametrize("word", ["", "ñandú", "99 99 99", "x y z", "٣", "*" * 3, "1.9 ??", "b 3 mucho"])
def test_whatever_is_typed_is_read_or_refused_in_words(code: str, word: str) -> None:
    game = GAMES[code]
    for detail in Detail:
        for state in states(code, detail)[:: 9 if detail is Detail.FULL else 17]:
            try:
                assert typed.events(word or "?", game, state)
            except SabotError as refusal:
                assert refusal.message.es and refusal.message.en


@pytest.mark.parametrize("detail", list(Detail))
@pytest.mark.parametrize("code", ALL)
def test_the_felt_shows_every_card_and_every_chip(code: str, detail: Detail) -> None:
    game = GAMES[code]
    for state in states(code, detail):
        prompts = game.prompts(state)
        lying = game.hands_on(state)
        shown = felt.lay(game, state.terms, lying, felt.laid_of(state.bets), prompts)
        hands = [*shown.hands, *(hand for place in shown.places for hand in place.hands)]
        assert sorted(c for hand in hands for c, _ in hand.cards) == sorted(c for h in lying for c in h.cards)
        stakes = [s.chips.amount for place in shown.places for s in place.stakes]
        stakes += [s.chips.amount for hand in hands for s in hand.stakes] + [row.total for row in shown.spots]
        assert sum(stakes) == sum(bet.amount for bet in state.bets)
        if prompts[0].kind == "card" and prompts[0].to in (*game.hands, "seat"):
            assert sum(hand.due for hand in hands) == 1
        if prompts[0].seat and shown.places:
            assert [place.seat for place in shown.places if place.turn] == [prompts[0].seat]


@pytest.mark.parametrize("code", ALL)
def test_players_hands_have_places_before_the_first_card(code: str) -> None:
    """A game that deals cards to seats shows places from the start: the felt does not jump."""
    game = GAMES[code]
    dealt = any(hand.seat for state in states(code, Detail.FULL) for hand in game.hands_on(state))
    assert felt.has_own_hands(game) is dealt


@pytest.mark.parametrize("code", ALL)
def test_every_event_is_told_in_both_languages(code: str) -> None:
    game = GAMES[code]
    logs = [state.log for detail in Detail for state in states(code, detail) if state.complete]
    for event in [event for log in logs for event in log] + UNKNOWN:
        said = telling.words_of(game, event, 2)
        assert said.es.strip() and said.en.strip()
        assert "{" not in said.es + said.en


@pytest.mark.parametrize("code", ALL)
def test_every_word_is_its_own(code: str) -> None:
    game = GAMES[code]
    for words in (keys.bettable(game), game.hands, game.choices, game.winners):
        short = keys.of(words)
        assert len(set(short.values())) == len(words)
        for code_, key in short.items():
            assert keys.found(key, words) == [code_]
            assert keys.found(code_, words) == [code_]


@pytest.mark.parametrize("detail", list(Detail))
@pytest.mark.parametrize("code", ALL)
def test_the_pad_has_a_button_for_every_card_and_spot(code: str, detail: Detail) -> None:
    game = GAMES[code]
    state = started(game, detail)
    made = pad.of(game, state.terms, [500, 1000])
    assert len({card for row in made.rows for card in row.cards}) == len(
        set(pack_of(game, 1, random.Random(0)))
    )
    keyed = [key for kind in made.spots for key, _ in kind.spots]
    assert len(keyed) == len(set(keyed))
    if detail is Detail.FULL:
        assert len(keyed) == len([spot for spot in keys.bettable(game) if spot in state.terms.limits])
    for line, meaning in made.help:
        assert line and meaning.es and meaning.en


def test_the_keys_of_a_wheel_show_a_bet_of_each_kind_that_has_a_word() -> None:
    shown = dict(offers.help_of(GAMES["roulette.single_zero"], Detail.FULL, 7))
    assert shown["r"].es == "Rojo" and shown["doc1"].es == "Docena 1"
    assert shown["0-1"].es == "Caballo 0-1"


def test_the_keys_of_every_bet_are_shown_where_there_are_few() -> None:
    shown = dict(offers.help_of(GAMES["blackjack.challenge21"], Detail.FULL, 7))
    assert shown["segun"].es == "segunda apuesta"  # beside `segurp`, which a person cannot guess
    assert dict(offers.help_of(GAMES["baccarat.mini"], Detail.FULL, 7))["b"].es == "Banca"
