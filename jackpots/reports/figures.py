"""What a pool took in and gave out within gaming days, out of the ledger alone (PP-28).

    balance at the end = at the beginning + contributions + put in by the house - prizes + transfers + other

`funds` are all levels and reserves together, players' part and base; what is locked for prizes, the residue
and the commission are apart. A voided round's lines take its own away, under the same memo.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q, Sum

from audits.models import Posting
from jackpots.models import Pool

CONTRIBUTED = frozenset({"contribution", "evened", "residue"})
TRANSFERRED = frozenset({"transfer", "base_returned"})
PUT_IN = frozenset({"seed", "reseed", "prize"})
"""Memos of what the house hands a pool: the base, the base again, a prize the pool could not pay."""

OF_ALL = "collected", "commission", "contributions", "residue", "house", "prizes", "transfers", "other"


@dataclass
class Flow:
    """A pool over some days; amounts with their sign, smallest units. `collected`: all bets; `residue`: what
    broken units came to; `house`: put in by the house; `prizes`: locked for winners, whoever's it was."""

    initial: int = 0
    commission: int = 0
    contributions: int = 0
    residue: int = 0
    house: int = 0
    prizes: int = 0
    transfers: int = 0
    change: int = 0
    reserve: int = 0
    base: int = 0
    pending: int = 0
    days: set[dt.date] = field(default_factory=set)

    @property
    def collected(self) -> int:
        return self.commission + self.contributions + self.residue

    @property
    def balance(self) -> int:
        return self.initial + self.change

    @property
    def other(self) -> int:
        """What came or went otherwise: a prize that was not confirmed, a fault corrected."""
        return self.change - self.contributions - self.house + self.prizes - self.transfers

    @property
    def levels(self) -> int:
        """What the levels show: all but the reserves."""
        return self.balance - self.reserve


def by_day(pool: Pool, first: dt.date, last: dt.date) -> dict[dt.date, Flow]:
    """A pool's flows day by day, those without any left out; each begins with what the one before left."""
    parts = _Parts(pool)
    sums: dict[dt.date, list[tuple[str, str, int]]] = defaultdict(list)
    standing: list[tuple[str, str, int]] = []
    for day, code, memo, amount in _lines(pool, first, last):
        (standing if day is None else sums[day]).append((code, memo, amount))
    before = Flow()
    for code, _memo, amount in standing:
        parts.stand(before, code, amount)
    found: dict[dt.date, Flow] = {}
    for day in sorted(sums):
        flow = Flow(initial=before.balance, reserve=before.reserve, base=before.base, pending=before.pending)
        for code, memo, amount in sums[day]:
            parts.stand(flow, code, amount)
            parts.flow(flow, code, memo, amount)
        flow.days.add(day)
        found[day] = before = flow
    return found


def of_span(pool: Pool, first: dt.date, last: dt.date) -> Flow:
    """The same over the whole span."""
    days = list(by_day(pool, first, last).values())
    if not days:
        return flow_until(pool, last)
    end = days[-1]
    whole = Flow(initial=days[0].initial, reserve=end.reserve, base=end.base, pending=end.pending)
    for flow in days:
        for name in ("commission", "contributions", "residue", "house", "prizes", "transfers", "change"):
            setattr(whole, name, getattr(whole, name) + getattr(flow, name))
        whole.days |= flow.days
    return whole


def flow_until(pool: Pool, day: dt.date) -> Flow:
    """How a pool stood at the end of a gaming day, nothing having moved."""
    parts, found = _Parts(pool), Flow()
    for code, amount in balances(pool, day).items():
        parts.stand(found, code, amount)
    return Flow(initial=found.balance, reserve=found.reserve, base=found.base, pending=found.pending)


def balances(pool: Pool, day: dt.date) -> dict[str, int]:
    """What each of a pool's accounts held at the end of a gaming day."""
    rows = _of_pool(pool).filter(transfer__day__lte=day).values_list("account__code")
    told = rows.annotate(debit=Sum("debit"), credit=Sum("credit")).order_by("account__code")
    return {code: debit - credit for code, debit, credit in told}


def accounts_of(pool: Pool) -> tuple[str, ...]:
    """Every account of the ledger that is a pool's."""
    return tuple(_of_pool(pool).order_by("account__code").values_list("account__code", flat=True).distinct())


def _of_pool(pool: Pool) -> Any:
    own = Q(account__code__startswith=f"{pool.stream}:")
    beside = Q(account__code__in=(pool.commission_account, pool.house_account, pool.plan_account))
    return Posting.objects.filter(own | beside, account__casino_id=pool.casino_id)


def _lines(pool: Pool, first: dt.date, last: dt.date) -> Iterable[tuple[dt.date | None, str, str, int]]:
    """Day, account, memo and sum; before the span all days together, without a memo."""
    for code, amount in balances(pool, first - dt.timedelta(days=1)).items():
        yield None, code, "", amount
    rows = _of_pool(pool).filter(transfer__day__gte=first, transfer__day__lte=last)
    told = rows.values_list("transfer__day", "account__code", "memo").annotate(
        debit=Sum("debit"), credit=Sum("credit")
    )
    for day, code, memo, debit, credit in told.order_by("transfer__day", "account__code", "memo"):
        yield day, code, memo, debit - credit


class _Parts:
    """What each account of a pool is, by its code (records.md)."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.funds: Mapping[str, bool] = {
            pool.account(fund.code): fund.reserve for fund in pool.funds.order_by("pk")
        }
        self.bases = {pool.account(fund.code, "base") for fund in pool.funds.all()}

    def stand(self, flow: Flow, code: str, amount: int) -> None:
        """Add an account to what stands at the end."""
        if code in self.funds or code in self.bases:
            flow.change += amount
            flow.reserve += amount if self.funds.get(code) else 0
            flow.base += amount if code in self.bases else 0
        elif code == self.pool.account("pending"):
            flow.pending += amount

    def flow(self, flow: Flow, code: str, memo: str, amount: int) -> None:
        """Add a line to what came and went."""
        pool = self.pool
        if code in self.funds or code in self.bases:
            flow.contributions += amount if memo in CONTRIBUTED else 0
            flow.transfers += amount if memo in TRANSFERRED else 0
        elif code == pool.commission_account:
            flow.commission += amount
        elif code == pool.account("residue"):
            flow.residue += amount if memo in CONTRIBUTED else 0
        elif code == pool.account("pending"):
            flow.prizes += amount if memo == "prize" else 0
        elif code == pool.house_account:
            flow.house -= amount if memo in PUT_IN else 0
