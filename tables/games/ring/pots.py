"""Main and side pots, what goes back unmatched, the house's deduction, and who gets the odd chip. Pure sums.

Everything is computed from what each seat put in during the whole hand, so that no order of posting and
raising can lead to another result (PR-09). Amounts are smallest units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import NamedTuple

from casino.kernel.money import Rounding, round_to


class Pot(NamedTuple):
    """An amount and the seats that may win it."""

    amount: int
    eligible: tuple[int, ...]


class Deduction(NamedTuple):
    """The rake of a round and what rounding added to its exact amount's floor (negative: took off)."""

    amount: int
    rounding: int


def unmatched(put: Mapping[int, int]) -> tuple[int, int]:
    """(seat, amount) of the part of the highest stake that nobody matched; (0, 0) when there is none."""
    if not put:
        return 0, 0
    ranked = sorted(put.items(), key=lambda entry: entry[1], reverse=True)
    seat, most = ranked[0]
    second = ranked[1][1] if len(ranked) > 1 else 0
    return (seat, most - second) if most > second else (0, 0)


def pots(put: Mapping[int, int], live: Sequence[int]) -> tuple[Pot, ...]:
    """Main pot first, from what each seat put in less what is `unmatched`; `live` may win.

    Chips of those who folded lie in the lowest pots they reach. PR-09: the amounts add up to `put`.
    """
    levels = sorted({put[seat] for seat in live if put.get(seat)})
    found: list[Pot] = []
    below = 0
    for level in levels:
        amount = sum(min(one, level) - min(one, below) for one in put.values())
        found.append(Pot(amount, tuple(seat for seat in live if put[seat] >= level)))
        below = level
    over = sum(put.values()) - sum(pot.amount for pot in found)
    if over and found:
        last = found.pop()
        found.append(Pot(last.amount + over, last.eligible))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Rake:
    """PR-07 at one table, smallest units: `step` what it is rounded to, `cap` None for none."""

    basis_points: int
    rounding: Rounding
    step: int
    cap: int | None
    free_up_to: int
    needs_flop: bool


@lru_cache(maxsize=16_384)
def deduction(contested: int, rake: Rake, flop: bool) -> Deduction:
    """What the house takes of all that was contested in a round, once (PR-07): the cap is a round's, not a
    pot's, and holds after rounding (GEN-09).
    """
    if contested <= rake.free_up_to or (rake.needs_flop and not flop):
        return Deduction(0, 0)
    exact = Fraction(contested * rake.basis_points, 10_000)
    most = contested if rake.cap is None else min(rake.cap, contested)
    taken = min(round_to(exact, rake.step, rake.rounding).amount, most)
    return Deduction(taken, taken - floor(min(exact, Fraction(most))))


def spread(rake: int, amounts: Sequence[int], policy: str, chip: int) -> tuple[int, ...]:
    """The part of the rake each pot bears; they add up to it.

    `proportional`: each its share in whole chips, the rest from the main pot on; `main_first`: the main
    pot bears all it can.
    """
    total = sum(amounts)
    if not rake or not total:
        return (0,) * len(amounts)
    if policy == "main_first":
        shares = [0] * len(amounts)
    else:
        shares = [rake * amount // total // chip * chip for amount in amounts]
    left = rake - sum(shares)
    for place, amount in enumerate(amounts):
        more = min(left, amount - shares[place])
        if policy != "main_first" and place < len(amounts) - 1:
            # One chip a pot, as the odd chips of a share go.
            more = min(more, -(-left // len(amounts) // chip) * chip)
        shares[place] += more
        left -= more
    return tuple(shares)


def shared(amount: int, winners: Sequence[int], chip: int) -> dict[int, int]:
    """Equal shares in whole chips; the chips left over go one each in the order given (PR-10)."""
    each = amount // (len(winners) * chip) * chip
    left = amount - each * len(winners)
    parts = {}
    for seat in winners:
        odd = min(chip, left)
        parts[seat] = each + odd
        left -= odd
    return parts


class Won(NamedTuple):
    """One pot as it was paid: `parts` by seat add up to `amount` - `rake`."""

    amount: int
    rake: int
    eligible: tuple[int, ...]
    parts: Mapping[int, int]


class Division(NamedTuple):
    """All pots of a round, the rake taken once, and what went back unmatched."""

    won: tuple[Won, ...]
    rake: Deduction
    returned_to: int
    returned: int


@dataclass(frozen=True, slots=True)
class Policy:
    """How a table divides: the rake, over which pots it is spread, and its smallest chip."""

    rake: Rake
    rake_from: str
    chip: int


def divide(
    put: Mapping[int, int],
    live: Sequence[int],
    strength: Mapping[int, int],
    odd_order: Sequence[int],
    policy: Policy,
    flop: bool,
    dead: int = 0,
) -> Division:
    """Who gets what. `strength`: each live seat's hand, higher is better, equal shares (PR-02, PR-10);
    `odd_order`: seats as the odd chips go. `dead`: chips of nobody in the hand, in the main pot.
    """
    seat, back = unmatched(put)
    at_risk = {one: amount - (back if one == seat else 0) for one, amount in put.items()}
    formed = pots(at_risk, live)
    if dead:
        main, *sides = formed or (Pot(0, tuple(live)),)
        formed = (Pot(main.amount + dead, main.eligible), *sides)
    taken = deduction(sum(pot.amount for pot in formed), policy.rake, flop)
    parts = spread(taken.amount, [pot.amount for pot in formed], policy.rake_from, policy.chip)
    won = []
    for pot, rake in zip(formed, parts, strict=True):
        best = max(strength[one] for one in pot.eligible)
        winners = [one for one in odd_order if one in pot.eligible and strength[one] == best]
        won.append(Won(pot.amount, rake, pot.eligible, shared(pot.amount - rake, winners, policy.chip)))
    return Division(tuple(won), taken, seat, back)
