"""How much of a position's credits are promotional: given by a draw, bet and never cashed (PP-25).

Once given, they are bet before what was bought: their count follows what happened at the position in order.
"""

from __future__ import annotations

from collections.abc import Iterable

from jackpots.models import Bet, CreditMove
from tables.models import TableSession

KINDS = {CreditMove.Kind.PROMOTION.value: 1, CreditMove.Kind.EXPIRED.value: -1}


def cashable(meter: int, free: int, promotional: int) -> int:
    """What goes back in chips: bought, and free of bets, which take promotional credits first."""
    return max(0, min(free, meter - promotional))


def promotional_at(session: TableSession, seat: int) -> int:
    """What a position still has of them, bets that wait for their round not counted off."""
    return _left(_steps(session, seat))


def promotional_in(bet: Bet) -> int:
    """How much of a bet that was counted was promotional, by what there was before it."""
    assert bet.round is not None and bet.round.event_id is not None
    before = [step for step in _steps(bet.session, bet.seat) if step[0] < bet.round.event_id]
    return min(bet.amount, _left(before))


def _steps(session: TableSession, seat: int) -> list[tuple[int, int]]:
    """Given and gone, by the event that told it."""
    moves = CreditMove.objects.filter(session=session, seat=seat, kind__in=KINDS)
    steps = [
        (event, KINDS[kind] * amount)
        for event, kind, amount in moves.values_list("event_id", "kind", "amount")
    ]
    if not steps:
        return []
    counted = Bet.objects.filter(session=session, seat=seat, state=Bet.State.COUNTED)
    return [*steps, *((event, -amount) for event, amount in counted.values_list("round__event_id", "amount"))]


def _left(steps: Iterable[tuple[int, int]]) -> int:
    left = 0
    for _, step in sorted(steps):
        left = max(0, left + step)
    return left
