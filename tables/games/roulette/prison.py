"""Prison: which stakes stay on the layout after a number, and what may be taken back of them (RUL-07)."""

from __future__ import annotations

from tables.games.roulette.layout import EVEN_CHANCES, LAYOUT
from tables.games.roulette.rules import Rules
from tables.games.roulette.state import Draft, Place, State

MOST_TIMES = 20
"""Zeros in a row a stake is kept in prison for; more than that nobody will see."""


def times_after(rules: Rules, place: Place, number: int) -> int:
    """How many times over the stake of a place is in prison once this number has come; 0: not at all."""
    _, spot, times = place
    if not times:
        return 1 if number == 0 and rules.zero_policy == "prison" and spot in EVEN_CHANCES else 0
    if number in LAYOUT[spot].covers:
        return times - 1
    if number or rules.zero_again == "lose":
        return 0
    return min(times + 1, MOST_TIMES) if rules.zero_again == "double" else times


def kept(state: State | Draft) -> set[Place]:
    """The places with a stake in prison that may be taken back now: those brought to this spin until betting
    closes, and after the number those that it leaves there.
    """
    if isinstance(state, State):
        places = {(bet.seat, bet.spot, bet.hand) for bet in state.bets}
    else:
        places = set(state.stakes)
    number = state.number
    if number is not None:
        gone = state.released | state.yielded
        return {place for place in places if times_after(state.rules, place, number)} - gone
    if state.closed:
        return set()
    return {place for place in places if place[2]} - state.released
