"""A fund over time, as lines and words of an SVG: no script draws it, and a table tells the same."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from jackpots import explaining
from jackpots.models import Fund, Pool, PoolMove

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 1_000, 260, 12, 14, 26
STEPS = (60, 300, 900, 3_600, 6 * 3_600, 86_400, 7 * 86_400)
"""How long one step of the line may be, in seconds."""
MOST_STEPS, MOST_MOVES, LINES = 120, 200, 4


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
    prizes: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT
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
    """Before and after each move as it was stored, and between them what bets had brought by then."""
    moves = list(PoolMove.objects.filter(fund=fund).order_by("-pk")[:MOST_MOVES])[::-1]
    if not moves:
        return []
    began = moves[0].at
    span = max(1, int((now - began).total_seconds()))
    step = next((one for one in STEPS if span / one <= MOST_STEPS), STEPS[-1])
    found = [point for move in moves for point in _around(move)]
    held = moves[0].after_players + moves[0].after_base
    changes = [(move.at, move.players + move.base) for move in moves[1:]]
    for begins, parts in explaining.by_time(pool, step).items():
        ends = min(dt.datetime.fromtimestamp(begins + step, dt.UTC), now)
        if ends < began:
            continue
        held += parts.parts.get(fund.code, 0)
        found.append(Point(ends, held + sum(change for at, change in changes if at <= ends)))
    found.append(Point(now, fund.shown))
    return sorted(found, key=lambda point: point.at)


def _around(move: PoolMove) -> list[Point]:
    after = move.after_players + move.after_base
    return [Point(move.at, after - move.players - move.base), Point(move.at, after, move.kind)]


# ---- the drawing -------------------------------------------------------------------------------------


def _drawn(points: Sequence[Point]) -> Chart:
    began, span = points[0].at, max(1.0, (points[-1].at - points[0].at).total_seconds())
    top = _round_up(max(point.amount for point in points))
    floor = HEIGHT - BOTTOM

    def x(at: dt.datetime) -> int:
        return LEFT + round((at - began).total_seconds() * (WIDTH - 2 * LEFT) / span)

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
                LEFT + (WIDTH - 2 * LEFT) * n // LINES,
                HEIGHT - 7,
                at=began + dt.timedelta(seconds=span * n / LINES),
            )
            for n in range(LINES + 1)
        ),
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
