"""Pots worked out another way, one unit of money at a time, and by pokerkit: to compare ours with.

python -m tests.games.ring.pots_by_hand 100000
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Mapping, Sequence
from types import SimpleNamespace

import pokerkit as pk

from casino.kernel.money import Rounding
from tables.games.ring.pots import Division, Policy, Rake, divide, pots, unmatched

NO_RAKE = Rake(0, Rounding.UP, 1, None, 0, False)
FREE = Policy(NO_RAKE, "proportional", 1)


def unit_by_unit(
    put: Mapping[int, int], live: Sequence[int], strength: Mapping[int, int], order: Sequence[int]
) -> dict[int, int]:
    """What each seat gets. The n-th unit of every seat's stake is contested by those who are live and put n
    in; where only one seat put it in, it goes back. Units with the same contenders are shared as one pot.
    """
    got = dict.fromkeys(put, 0)
    heaps: dict[tuple[int, ...], int] = {}
    contenders: tuple[int, ...] = ()
    for unit in range(1, max(put.values()) + 1):
        payers = [seat for seat, amount in put.items() if amount >= unit]
        if len(payers) == 1:
            got[payers[0]] += 1
            continue
        contenders = tuple(seat for seat in order if seat in live and put[seat] >= unit) or contenders
        heaps[contenders] = heaps.get(contenders, 0) + len(payers)
    for able, amount in heaps.items():
        best = max(strength[seat] for seat in able)
        winners = [seat for seat in able if strength[seat] == best]
        for unit in range(amount):
            # Dealt out one by one from the left of the button: the odd ones go to the first.
            got[winners[unit % len(winners)]] += 1
    return got


def pokerkit_pots(put: Mapping[int, int], live: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """pokerkit's own side pots of these stakes, without playing a hand to get there."""
    seats = list(put)
    table = SimpleNamespace(
        _pots=None,
        payoffs=[-put[seat] for seat in seats],
        bets=[0] * len(seats),
        player_indices=range(len(seats)),
        ante_trimming_status=True,
        statuses=[seat in live for seat in seats],
        rake=lambda amount, state: (0, amount),
    )
    made = pk.State.pots.fget(table)
    return [(pot.amount, tuple(seats[place] for place in pot.player_indices)) for pot in made]


def stakes(chance: random.Random) -> tuple[dict[int, int], list[int], dict[int, int], list[int]]:
    """Stakes as a hand can leave them: some fold at any amount, the highest stake is of one who is left."""
    seats = chance.sample(range(1, 11), chance.randint(2, 10))
    levels = [chance.randint(1, 40) for _ in range(chance.randint(1, 4))]
    put = {seat: chance.choice(levels) for seat in seats}
    live = [seat for seat in seats if chance.random() < 0.6]
    top = max(put.values())
    if not any(put[seat] == top for seat in live):
        live.append(next(seat for seat in seats if put[seat] == top))
    for seat in seats:
        if seat not in live:
            put[seat] = chance.randint(0, put[seat])
    strength = {seat: chance.randint(1, 4) for seat in live}
    return put, live, strength, sorted(seats, key=live.__contains__)


def ours(done: Division, put: Mapping[int, int]) -> dict[int, int]:
    got = dict.fromkeys(put, 0)
    for pot in done.won:
        for seat, amount in pot.parts.items():
            got[seat] += amount
    if done.returned:
        got[done.returned_to] += done.returned
    return got


def compare(seed: int) -> None:
    """One random table, three ways; raises AssertionError where they differ."""
    put, live, strength, order = stakes(random.Random(seed))
    done = divide(put, live, strength, order, FREE, True)
    assert ours(done, put) == unit_by_unit(put, live, strength, order), (seed, put, live, strength, order)
    seat, back = unmatched(put)
    at_risk = {one: amount - (back if one == seat else 0) for one, amount in put.items()}
    if any(at_risk.values()):
        mine = [(pot.amount, tuple(sorted(pot.eligible))) for pot in pots(at_risk, live)]
        theirs = [(amount, tuple(sorted(able))) for amount, able in pokerkit_pots(at_risk, live)]
        assert mine == theirs, (seed, put, live)


def main(many: int) -> None:
    began = time.perf_counter()
    for seed in range(many):
        compare(seed)
    print(
        f"{many} tables: payouts equal by units, pots equal by pokerkit, {time.perf_counter() - began:.0f} s"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
