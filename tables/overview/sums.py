"""The day in figures, over all sessions of its tables; and which closed ones wait for their drop."""

from __future__ import annotations

import datetime as dt

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce

from casino.kernel import permissions
from casino.models import Casino, User
from tables import results
from tables.games import registry
from tables.models import TableSession
from tables.money import box_policies
from tables.overview.shown import Money, Uncounted


def on_bets(session: TableSession | None, *, blind: bool = False) -> int | None:
    """What the bets of a session left the house, None where they are not logged, or not told yet; `blind`:
    nor before their box is counted."""
    if session is None or session.detail != "full" or results.veiled(session, blind=blind):
        return None
    return session.house_result


def money_of(casino: Casino, today: dt.date) -> Money:
    """The sums of a gaming day, house games and the deductions of others apart (FLOOR-13). One query."""
    house = [game.code for game in registry.GAMES.values() if game.bank == "house"]
    bets = Q(detail="full", game__in=house)
    sums = TableSession.objects.filter(casino=casino, day__date=today).aggregate(
        all_staked=Sum("staked", filter=bets),
        all_returned=Sum("returned", filter=bets),
        all_result=Sum("result", filter=Q(game__in=house)),
        all_drop=Sum("drop", filter=Q(game__in=house)),
        all_deduction=Sum(
            Coalesce("deduction", "commission"), filter=~Q(game__in=house) & Q(result__isnull=False)
        ),
        counted=Count("result"),
        sessions=Count("pk"),
    )
    staked, returned = sums["all_staked"], sums["all_returned"]
    return Money(
        staked=staked,
        house=None if staked is None else staked - returned,
        result=sums["all_result"],
        drop=sums["all_drop"],
        deduction=sums["all_deduction"],
        counted=sums["counted"],
        sessions=sums["sessions"],
    )


def uncounted(user: User) -> tuple[Uncounted, ...]:
    """Closed sessions that wait for their drop, whatever their day, for whoever counts it."""
    if not permissions.may(user, box_policies.COUNT_BOXES):
        return ()
    rows = TableSession.objects.restrict(user, box_policies.COUNT_BOXES)
    waiting = rows.filter(state=TableSession.State.CLOSED, drop=None).select_related("table", "day")
    return tuple(Uncounted(session.pk, session.label) for session in waiting.order_by("closed_at", "pk"))
