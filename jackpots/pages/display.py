"""The display the public sees: what a pool shows, live, without a login and without a name (PP-22, PP-31).

Only pools that are shown to the public exist here; the others do not, for anybody.
"""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits.pages.answers import one, unless_changed
from jackpots import scheme
from jackpots.models import Pool
from jackpots.panel import levels_of, open_prizes

PAGE, LIVE = "jackpots/display.html", "jackpots/_display.html"
SHOWN = (Pool.State.RUNNING, Pool.State.STOPPED, Pool.State.SUSPENDED, Pool.State.RETIRED)


def show(request: HttpRequest, pk: int) -> HttpResponse:
    """The page of a public pool."""
    pool = _pool(pk)
    return render(request, PAGE, {**_context(pool), "wall": True})


def live(request: HttpRequest, pk: int) -> HttpResponse:
    """The figures alone; 304 while they read the same."""
    return unless_changed(request, LIVE, _context(_pool(pk)))


def _pool(pk: int) -> Pool:
    rows = Pool.objects.filter(public=True, state__in=SHOWN).select_related("casino", "version", "retired_to")
    found: Pool = one(rows, pk=pk)
    return found


def _context(pool: Pool) -> dict[str, Any]:
    """Amounts and instants; whose a prize is and at which table stays inside. Of a retired pool no amount:
    what players had in it is another's by now (PP-32)."""
    assert pool.version is not None
    if pool.state == Pool.State.RETIRED:
        return {"pool": pool, "house": pool.casino.name, "retired": True}
    zone = ZoneInfo(pool.casino.zone)
    prizes = [
        (prize.hand, prize.amount, prize.state, prize.hit_at.astimezone(zone).strftime("%H:%M"))
        for prize in open_prizes(pool)
        if prize.amount
    ]
    terms = scheme.read(pool.version.params)
    return {
        "pool": pool,
        "house": pool.casino.name,
        "currency": pool.casino.currency,
        "levels": [(fund.code, fund.shown) for fund in levels_of(pool)],
        "pending": prizes[-3:],
        "more": max(0, len(prizes) - 3),
        "running": pool.state == Pool.State.RUNNING,
        "least": terms.least * terms.credit,
        "most": terms.most * terms.credit,
    }
