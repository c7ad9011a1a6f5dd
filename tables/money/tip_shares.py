"""Tips shared out exactly: the largest remainder, pure.

Each person's weight is seconds at a post times the points of that post. Everybody gets the whole centavos of
their exact share; the centavos that are left go one each to the largest fractions, ties to the lower id.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Turn:
    """Time somebody stood at a post, in seconds."""

    staff: int
    post: str
    seconds: int


@dataclass(frozen=True, slots=True)
class Weight:
    """What somebody worked: seconds at posts that share in tips, and those seconds times points."""

    seconds: int
    points: int


def weights(turns: Iterable[Turn], points: Mapping[str, int]) -> dict[int, Weight]:
    """Weights by person; whoever stood only at posts without points has no part and is left out."""
    seconds: defaultdict[int, int] = defaultdict(int)
    worth: defaultdict[int, int] = defaultdict(int)
    for turn in turns:
        if points.get(turn.post, 0) > 0 and turn.seconds > 0:
            seconds[turn.staff] += turn.seconds
            worth[turn.staff] += turn.seconds * points[turn.post]
    return {staff: Weight(seconds[staff], worth[staff]) for staff in sorted(worth)}


def shares(total: int, parts: Mapping[int, int]) -> dict[int, int]:
    """`total` (centavos, not negative) divided by weight; the shares add up to it exactly.

    Raises `ValueError` for a total below zero, or one that nobody has a weight to receive.
    """
    whole = sum(parts.values())
    if total < 0 or any(weight < 0 for weight in parts.values()) or (total and not whole):
        raise ValueError("nothing to divide by")
    if not total:
        return dict.fromkeys(parts, 0)
    given = {key: total * weight // whole for key, weight in parts.items()}
    left = total - sum(given.values())
    by_fraction = sorted(parts, key=lambda key: (-(total * parts[key] % whole), key))
    for key in by_fraction[:left]:
        given[key] += 1
    return given
