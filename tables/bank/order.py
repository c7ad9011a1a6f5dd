"""Whose turn the bank is: one pure function from the seat events of a table, with its reasons.

The bank goes round from who left it, to the right (BANK-24). Who changed place or arrived during a round of
this shoe lost priority and is asked after those who kept it, in the order in which it was lost (BANK-20);
who is away keeps the place until asked, and loses it then (BANK-22).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from casino.kernel.words import Text


@dataclass(frozen=True, slots=True)
class Sitting:
    """A player at the table: `taking` names the seat taken, `lost_at` each arrival or change during a
    round.
    """

    taking: int
    seat: int
    alias: str
    lost_at: tuple[dt.datetime, ...] = ()
    away_since: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the order, from 1, and why it is there: sentences with their rule."""

    turn: int
    taking: int
    seat: int
    alias: str
    away: bool
    reasons: tuple[tuple[str, Text], ...]


def order(
    sittings: Sequence[Sitting],
    *,
    left: int,
    seats: int,
    to_right: bool = True,
    shoe_since: dt.datetime | None = None,
    without: frozenset[int] = frozenset(),
) -> list[Place]:
    """The order in which the bank is offered.

    `left`: the seat it comes from. `shoe_since`: when the shoe in play was put in; what was lost before
    counts no more. `without`: takings that are not asked (who left it).
    """
    asked = [one for one in sittings if one.taking not in without]
    ranked = sorted(asked, key=lambda one: _rank(one, left, seats, to_right, shoe_since))
    return [
        Place(
            turn=turn,
            taking=one.taking,
            seat=one.seat,
            alias=one.alias,
            away=one.away_since is not None,
            reasons=_reasons(one, left, seats, to_right, shoe_since),
        )
        for turn, one in enumerate(ranked, 1)
    ]


def steps_from(seat: int, left: int, seats: int, to_right: bool) -> int:
    """How many seats on from `left` a seat is: seat 1 is first on the dealer's left and numbers go
    clockwise, so that the right hand of a player is the next lower number. That very seat, taken by another
    since, comes last."""
    return ((left - seat if to_right else seat - left) - 1) % seats + 1


def _lost(one: Sitting, shoe_since: dt.datetime | None) -> dt.datetime | None:
    """When priority was lost in this shoe, if it was: the latest such instant."""
    times = [at for at in one.lost_at if shoe_since is None or at >= shoe_since]
    return max(times, default=None)


def _rank(
    one: Sitting, left: int, seats: int, to_right: bool, shoe_since: dt.datetime | None
) -> tuple[bool, dt.datetime, int]:
    lost = _lost(one, shoe_since)
    floor = dt.datetime.min.replace(tzinfo=dt.UTC)
    return (lost is not None, lost or floor, steps_from(one.seat, left, seats, to_right))


def _reasons(
    one: Sitting, left: int, seats: int, to_right: bool, shoe_since: dt.datetime | None
) -> tuple[tuple[str, Text], ...]:
    away = steps_from(one.seat, left, seats, to_right)
    side = Text("a la derecha", "to the right") if to_right else Text("a la izquierda", "to the left")
    places = "plaza" if away == 1 else "plazas"
    seats_en = "seat" if away == 1 else "seats"
    found = [
        (
            "BANK-24",
            Text(
                f"{away} {places} {side.es} del asiento {left}", f"{away} {seats_en} {side.en} of seat {left}"
            ),
        )
    ]
    if _lost(one, shoe_since) is not None:
        found.append(
            (
                "BANK-20",
                Text(
                    "llegó o cambió de plaza durante un pase de este sabot: va después",
                    "arrived or changed place during a round of this shoe: comes after",
                ),
            )
        )
    if one.away_since is not None:
        found.append(
            (
                "BANK-22",
                Text("está ausente: si le toca, pierde su lugar", "is away: loses the place when asked"),
            )
        )
    return tuple(found)
