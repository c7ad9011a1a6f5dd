"""What each bet brings to commission, pools and reserves, to the last unit, however many bets there are.

A fund is owed an exact fraction of all that was collected; what it has been given so far is that fraction
without its broken unit (PP-28). So a bet's part is a difference of two such figures, nothing adds up over
bets but whole amounts, and the broken units of all funds together are the residue, always a whole amount.

    given to f so far = (offset of f + T * numerator of f) // D        T: collected under this version
    residue           = T + sum of offsets / D - sum of what was given
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jackpots.scheme import MAIN, WHOLE_BP, Level, Scheme

D = WHOLE_BP * WHOLE_BP
"""The common denominator of commission and shares: basis points of what basis points leave."""

Offsets = Mapping[str, int]
"""Broken units each fund brought from the version before, in D-ths of a unit, each from 0 to D - 1; an
absent fund brought none. Their sum is always a multiple of D."""


@dataclass(frozen=True, slots=True)
class Split:
    """An amount divided: `parts` by fund, the commission among them, and what goes to the residue, which is
    negative when broken units have come to a whole one. All together are the amount.
    """

    parts: Mapping[str, int]
    residue: int


def posted(total: int, numerator: int, offset: int = 0, whole: int = D) -> int:
    """What a fund has been given once `total` is collected."""
    return (offset + total * numerator) // whole


def split(scheme: Scheme, offsets: Offsets, before: int, amount: int) -> Split:
    """Divide a bet: `before` is what the version collected until now. A negative `amount` takes bets of this
    version back; what it takes may differ by a unit a fund from what they brought, which the residue evens.
    """
    after, parts, left = before + amount, {}, amount
    for code, rate in scheme.rates:
        offset = offsets.get(code, 0)
        part = (offset + after * rate) // D - (offset + before * rate) // D
        parts[code] = part
        left -= part
    return Split(parts, left)


def remainders(scheme: Scheme, offsets: Offsets, total: int) -> dict[str, int]:
    """The broken units each fund is still owed, in D-ths."""
    return {code: (offsets.get(code, 0) + total * rate) % D for code, rate in scheme.rates}


def residue(scheme: Scheme, offsets: Offsets, total: int) -> int:
    """What the residue must hold: the broken units of all funds, less than one unit for each."""
    whole, broken = divmod(sum(remainders(scheme, offsets, total).values()), D)
    if broken:
        raise AssertionError("broken units come to whole ones: an offset was changed")
    return whole


# ---- from one version to the next, and over the cap ---------------------------------------------------


def carried(left: Offsets, scheme: Scheme) -> dict[str, int]:
    """The offsets of a new version, from what `remainders` left of the old one. A fund that is gone leaves
    its own to the main pool; whole units that come of it are `released`.
    """
    return {code: owed % D for code, owed in _inherited(left, scheme).items()}


def released(left: Offsets, scheme: Scheme) -> dict[str, int]:
    """Whole units that go from the residue to a fund as a version begins; empty unless a fund is gone."""
    return {code: owed // D for code, owed in _inherited(left, scheme).items() if owed >= D}


def _inherited(left: Offsets, scheme: Scheme) -> dict[str, int]:
    owed = {code: left.get(code, 0) for code, _ in scheme.rates}
    owed[MAIN] += sum(amount for code, amount in left.items() if code not in owed)
    return owed


def overflow(level: Level, players: int, base: int | None = None) -> int:
    """What is above a level's cap and goes to the first reserve. `base`: the house's part of the meter, where
    it is no longer whole; only players' money ever overflows.
    """
    if level.cap is None:
        return 0
    shown = players + (level.base if base is None else base)
    return min(players, max(0, shown - level.cap))
