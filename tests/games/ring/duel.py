"""The same hands played in our engine and in pokerkit, decision by decision.

    python -m tests.games.ring.duel 100000        so many hands of every variant and structure

Amounts are multiples of `WHOLE`, so that any pot is shared without odd chips: pokerkit merges pots once
losing hands are out of the way, and gives all odd chips to one seat; we share each pot on its own (ENG-033).
What is left to compare, every payoff of every seat, must be equal to the unit. One thing is played around:
short all-ins that add up to a full raise reopen the betting for whoever faces it; pokerkit forgets what it
counted once somebody else raised upon it (one hand in ten thousand).
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any, NamedTuple

import pokerkit as pk
from phevaluator import evaluate_cards, evaluate_omaha_cards
from pokerkit.state import BettingStructure, Opening, Street

from shoes.cards import composition
from tables.games.ring.betting import options
from tables.games.ring.outcome import division, strengths
from tables.games.ring.state import Draft
from tests.games.ring.building import CLOSE, GAME, NAMES, STRUCTURES, button, chips, do, limits_of, opened

AUTOMATIONS = (
    pk.Automation.ANTE_POSTING,
    pk.Automation.BET_COLLECTION,
    pk.Automation.BLIND_OR_STRADDLE_POSTING,
    pk.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    pk.Automation.HAND_KILLING,
    pk.Automation.CHIPS_PUSHING,
    pk.Automation.CHIPS_PULLING,
)
STRUCTURE = {
    "no_limit": BettingStructure.NO_LIMIT,
    "pot_limit": BettingStructure.POT_LIMIT,
    "fixed_limit": BettingStructure.FIXED_LIMIT,
}
WHOLE = 2520
"""The least number that 1 to 10 divide."""
OWN_RANKING = 10
"""One hand in so many is ranked by pokerkit itself, the others by phevaluator."""
SMALL, BIG = 50 * WHOLE, 100 * WHOLE
# pokerkit does not count the blind as a bet and caps two players too.
LIKE_POKERKIT = {"blind_is_a_bet": False, "heads_up_uncapped": False}


def streets(name: str, structure: str) -> tuple[Street, ...]:
    """The rounds of cards and bets as pokerkit takes them, written from the rulebook (PR-03 to PR-06)."""
    fixed = structure == "fixed_limit"
    most, late = (4, 2 * BIG) if fixed else (None, BIG)
    if name in ("texas", "omaha"):
        own = (False,) * (2 if name == "texas" else 4)
        rounds = [(False, own, 0, BIG), (True, (), 3, BIG), (True, (), 1, late), (True, (), 1, late)]
        return tuple(
            Street(burn, held, board, False, Opening.POSITION, least, most)
            for burn, held, board, least in rounds
        )
    if name == "five_card_stud":
        deals = [(False, True), (True,), (True,), (True,)]
    else:
        deals = [(False, False, True), (True,), (True,), (True,), (False,)]
    return tuple(
        Street(
            False,
            held,
            0,
            False,
            Opening.HIGH_HAND if place else Opening.LOW_CARD,
            late if place > 1 else BIG,
            most,
        )
        for place, held in enumerate(deals)
    )


class ByPhevaluator(int):
    """A hand for pokerkit's showdown that phevaluator ranks: its own ranking takes most of its time."""

    omaha = False

    @classmethod
    def from_game(cls, own: Any, board: Any = ()) -> ByPhevaluator:
        held, shared = [repr(card) for card in own], [repr(card) for card in board]
        if "??" in held or len(held) + len(shared) < 5 or (cls.omaha and len(shared) < 5):
            raise ValueError("not a whole hand")
        if cls.omaha:
            return cls(-evaluate_omaha_cards(*shared, *held))
        return cls(-evaluate_cards(*held, *shared))


class OmahaByPhevaluator(ByPhevaluator):
    omaha = True


def pokerkit_state(name: str, structure: str, stacks: list[int], ante: int, own_ranking: bool) -> pk.State:
    blinds: Any = (SMALL, BIG) if name in ("texas", "omaha") else 0
    hand_type: Any = OmahaByPhevaluator if name == "omaha" else ByPhevaluator
    if own_ranking:
        hand_type = pk.OmahaHoldemHand if name == "omaha" else pk.StandardHighHand
    return pk.State(
        AUTOMATIONS,
        pk.Deck.STANDARD,
        (hand_type,),
        streets(name, structure),
        STRUCTURE[structure],
        True,
        ante,
        blinds,
        0 if blinds else SMALL,
        stacks,
        len(stacks),
    )


class Played(NamedTuple):
    """A hand both played: what each seat won by our account and by pokerkit's, and what it came to."""

    ours: dict[int, int]
    theirs: dict[int, int]
    showdown: bool
    side_pots: bool
    shared: bool
    log: tuple[dict[str, Any], ...]


def decide(draft: Draft, chance: random.Random) -> tuple[str, int]:
    """A random legal decision: mostly staying in, raises of any legal size."""
    may = options(draft)
    weights = {"fold": 1, "call": 5, "check": 5, "bet": 2, "raise": 2, "allin": 0.7, "bring_in": 4}
    # pokerkit takes no fold that nothing forces.
    names = [name for name in may if not (name == "fold" and "call" not in may)]
    what = chance.choices(names, [weights[name] for name in names])[0]
    low, high = may[what]
    low, high = low // WHOLE, high // WHOLE
    amount = chance.choice((low, chance.randint(low, high), chance.randint(low, min(high, 3 * low or 1))))
    return what, amount * WHOLE


def hand(name: str, structure: str, seed: int) -> Played:
    """One random hand played in both."""
    chance = random.Random(f"{name} {structure} {seed}")
    game = GAME[name]
    many = chance.randint(2, game.default_rules().seats_max)
    places = sorted(chance.sample(range(1, game.default_rules().seats_max + 1), many))
    ante = chance.choice((0, 0, 10)) * WHOLE
    sizes = (110, 150, 333, 1000, 5000)
    stacks = {seat: (chance.choice(sizes) + chance.randint(0, 99)) * WHOLE for seat in places}
    rules = {"structure": structure, "burn_log": "off", **LIKE_POKERKIT}
    state = opened(name, rules, limits_of(name, SMALL, BIG, ante))
    draft = Draft(state)
    events = [chips(seat, amount) for seat, amount in stacks.items()]
    if draft.variant.has_button:
        events.append(button(chance.choice(places)))
    state = game.play_all(state, [*events, CLOSE])
    order = state.order
    other = pokerkit_state(name, structure, [stacks[seat] for seat in order], ante, seed % OWN_RANKING == 0)
    pack = list(composition("french52").elements())
    chance.shuffle(pack)
    state = _through(game, state, other, pack, chance)
    draft = Draft(state)
    done = division(draft, strengths(draft))
    ours = {seat: -state_put for seat, state_put in draft.put.items()}
    for pot in done.won:
        for seat, amount in pot.parts.items():
            ours[seat] += amount
    if done.returned:
        ours[done.returned_to] += done.returned
    theirs = {seat: other.stacks[place] - stacks[seat] for place, seat in enumerate(order)}
    shared = any(len(pot.parts) > 1 for pot in done.won)
    return Played(ours, theirs, len(draft.live) > 1, len(done.won) > 1, shared, state.log)


def _through(game: Any, state: Any, other: pk.State, pack: list[str], chance: random.Random) -> Any:
    board: list[str] = []
    while not state.complete:
        draft = Draft(state)
        if draft.phase == "dealing":
            _catch_up(other)
            due = draft.pending[0]
            event: dict[str, Any] = {"e": "card", "to": due.to, "card": pack.pop()}
            if due.to == "seat":
                event["seat"] = due.seat
                other.deal_hole(event["card"], state.order.index(due.seat))
            else:
                board.append(event["card"])
            state = game.play(state, event)
            if due.to == "board" and len(draft.pending) == 1:
                _deal_board(other, board)
        elif draft.phase == "betting":
            seat = draft.queue[0]
            what, amount = _taken(other, draft, *decide(draft, chance))
            assert other.actor_index == state.order.index(seat), (other.actor_index, seat)
            _theirs(other, what, amount, draft)
            state = game.play(state, do(seat, what, None if what in ("fold", "check") else amount))
        else:
            seat = next(one for one in draft.live if one not in draft.shown)
            state = game.play(state, {"e": "show", "seat": seat})
    _catch_up(other)
    assert not other.status, "pokerkit's hand goes on where ours is over"
    return state


def _taken(other: pk.State, draft: Draft, what: str, amount: int) -> tuple[str, int]:
    """The decision, or a call where pokerkit takes no raise although a full one is faced."""
    raises = what in ("bet", "raise", "allin") and amount > draft.level
    if not raises or other.can_complete_bet_or_raise_to(amount):
        return what, amount
    seat = draft.queue[0]
    assert seat in draft.acted and draft.level - draft.acted[seat] >= draft.raise_size
    return "call", options(draft)["call"][0]


def _catch_up(other: pk.State) -> None:
    """pokerkit asks the last player with chips for a check although nobody is left to bet against."""
    while other.actor_index is not None:
        assert other.checking_or_calling_amount == 0
        other.check_or_call()


def _deal_board(other: pk.State, board: list[str]) -> None:
    other.burn_card("??")
    other.deal_board("".join(board))
    board.clear()


def _theirs(other: pk.State, what: str, amount: int, draft: Draft) -> None:
    if what == "fold":
        other.fold()
    elif what == "bring_in":
        other.post_bring_in()
    elif what in ("check", "call") or amount <= draft.level:
        other.check_or_call()
    else:
        other.complete_bet_or_raise_to(amount)


def main(many: int) -> None:
    for name in NAMES:
        for structure in STRUCTURES:
            began, shown, sides, shared = time.perf_counter(), 0, 0, 0
            for seed in range(many):
                played = hand(name, structure, seed)
                if played.ours != played.theirs:
                    raise SystemExit(f"{name} {structure} {seed}: {played}")
                shown += played.showdown
                sides += played.side_pots
                shared += played.shared
            took = time.perf_counter() - began
            told = f"{shown} showdowns, {sides} with side pots, {shared} shared"
            print(f"{name} {structure}: {many} equal, {told}, {took:.0f} s", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
