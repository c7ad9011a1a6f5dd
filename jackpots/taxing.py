"""Prizes of pools paid in cash, by gaming day, for the taxes (REC-05). Those paid in chips are redeemed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from django.db.models import Sum

from casino.models import Casino
from tables.models import CageOperation


def prizes_in_cash(casino: Casino, first: dt.date, last: dt.date) -> Mapping[dt.date, int]:
    """What the cage paid in cash for prizes, by the day of its receipts."""
    rows = CageOperation.objects.filter(
        casino=casino, day__date__range=(first, last), kind=CageOperation.Kind.PRIZE_CASH
    )
    sums = rows.order_by().values("day__date").annotate(amount=Sum("amount"))
    return {row["day__date"]: row["amount"] for row in sums}
