"""A fund over time, as lines and words of an SVG: no script draws it, and a table tells the same."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import F, Sum

from jackpots import explaining
from jackpots.models import Fund, Pool, PoolMove

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 1_000, 260, 84, 12, 14, 26
TIMES = ((600, "%H:%M:%S"), (43_200, "%H:%M"), (1_000_000, "%d/%m %H:%M"), (float("inf"), "%d/%m/%Y"))
"""How the instants below are written, by how many seconds the line spans: no two of them alike."""
MOST_SAMPLES, MOST_MOVES, LINES = 120, 200, 4


@dataclass(frozen=True, slots=True)
class Point:
    """What the fund held at an instant; `why`: the kind of the move that changed it, empty for bets."""

    at: dt.datetime
    amount: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on the drawing with what stands there."""

    x: int
    y: int
    amount: int = 0
    at: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """The line, the area under it, amounts at the side, instants below, and prizes as dots."""

    points: tuple[Point, ...]
    line: str
    area: str
    levels: tuple[Mark, ...]
    times: tuple[Mark, ...]
    times_as: str
    prizes: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    floor: int = HEIGHT - BOTTOM

    @property
    def told(self) -> tuple[Point, ...]:
        """What the table beside it lists: latest first."""
        return tuple(reversed(self.points))


def chart_of(pool: Pool, fund: Fund, now: dt.datetime) -> Chart | None:
    """The drawing of a fund until `now`; None while nothing ever was in it."""
    points = points_of(pool, fund, now)
    return _drawn(points) if len(points) > 1 else None


def points_of(pool: Pool, fund: Fund, now: dt.datetime) -> list[Point]:
    """Before and after each event that moved it, and between them what bets had brought by then."""
    moves = list(PoolMove.objects.filter(fund=fund).order_by("-pk")[:MOST_MOVES])[::-1]
    if not moves:
        return []
    events = [list(several) for _, several in groupby(moves, key=lambda move: move.event_id)]
    first = events[0][-1]
    found = [Point(first.at, first.after_players + first.after_base, _why(events[0]))]
    found += [point for several in events[1:] for point in _around(several)]
    kept = PoolMove.objects.filter(fund=fund).exclude(kind=PoolMove.Kind.VOID)
    told = kept.filter(pk__lt=moves[0].pk).aggregate(moved=Sum(F("players") + F("base"), default=0))
    for at, brought in explaining.sampled(pool, fund, MOST_SAMPLES):
        if at > first.at:
            since = sum(move.players + move.base for move in moves if move.at < at and _lasts(move))
            found.append(Point(at, brought + told["moved"] + since))
    found.append(Point(now, fund.shown))
    return sorted(found, key=lambda point: point.at)


def _lasts(move: PoolMove) -> bool:
    """What a voided round took is not in what the bets after it had brought (`explaining.sampled`)."""
    return move.kind != PoolMove.Kind.VOID


def _around(moves: Sequence[PoolMove]) -> list[Point]:
    """What was shown before an event and after it: between a top prize and its base nothing ever was."""
    began, after = moves[0], moves[-1].after_players + moves[-1].after_base
    before = began.after_players + began.after_base - began.players - began.base
    return [Point(began.at, before), Point(began.at, after, _why(moves))]


def _why(moves: Sequence[PoolMove]) -> str:
    return next((move.kind for move in moves if move.kind == PoolMove.Kind.PRIZE), moves[0].kind)


# ---- the drawing -------------------------------------------------------------------------------------


def _drawn(points: Sequence[Point]) -> Chart:
    began, span = points[0].at, max(1.0, (points[-1].at - points[0].at).total_seconds())
    top = _round_up(max(point.amount for point in points))
    floor = HEIGHT - BOTTOM

    def x(at: dt.datetime) -> int:
        return LEFT + round((at - began).total_seconds() * (WIDTH - LEFT - RIGHT) / span)

    def y(amount: int) -> int:
        return floor - round(amount * (floor - TOP) / top)

    placed = [(x(point.at), y(point.amount)) for point in points]
    line = " ".join(f"{a},{b}" for a, b in placed)
    return Chart(
        points=tuple(points),
        line=line,
        area=f"{placed[0][0]},{floor} {line} {placed[-1][0]},{floor}",
        levels=tuple(Mark(LEFT, y(top * n // LINES), top * n // LINES) for n in range(1, LINES + 1)),
        times=tuple(
            Mark(
                LEFT + (WIDTH - LEFT - RIGHT) * n // LINES,
                HEIGHT - 7,
                at=began + dt.timedelta(seconds=span * n / LINES),
            )
            for n in range(LINES + 1)
        ),
        times_as=next(pattern for most, pattern in TIMES if span <= most),
        prizes=tuple(
            Mark(x(p.at), y(p.amount), p.amount, p.at) for p in points if p.why == PoolMove.Kind.PRIZE
        ),
    )


def _round_up(amount: int) -> int:
    """The next amount people would put at the top of a scale, four lines being whole amounts."""
    size = 10 ** max(2, len(str(max(amount, 1))) - 1)
    return next(
        size * n // 10 for n in (10, 12, 16, 20, 24, 28, 32, 40, 48, 60, 80, 100) if size * n // 10 >= amount
    )
