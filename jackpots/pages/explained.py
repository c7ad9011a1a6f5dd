"""Why a pool shows what it does, from the display down to the bet: figures lead to what they are made of."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from audits.pages.answers import one
from jackpots import explaining, seeing
from jackpots.models import Bet, Pool, PoolVersion, Prize
from jackpots.pages.finding import pool_of
from jackpots.scheme import MAIN
from tables.models import Round
from tables.pages.cage_forms import day_of

ROWS = 50


def balance(request: HttpRequest, pk: int) -> HttpResponse:
    """The amount of a fund, the main level unless `fund` names another: what brought it and what took it."""
    pool = pool_of(request, pk)
    funds = seeing.funds_of(pool)
    wanted = request.GET.get("fund", MAIN)
    fund = next((found for found in funds if found.code == wanted), None)
    if fund is None and funds:
        raise Http404
    explained = None if fund is None else explaining.explain(pool, fund)
    page = Paginator(explaining.days_of(pool), ROWS).get_page(request.GET.get("page"))
    days = explaining.by_day(pool, list(page))
    context = {
        "pool": pool,
        "funds": funds,
        "fund": fund,
        "explained": explained,
        "days": [(day, parts, parts.parts.get(wanted, 0)) for day, parts in days.items()],
        "page": page,
        "page_sum": explaining.total(days.values()),
        "query": f"fund={wanted}&",
    }
    return render(request, "jackpots/explain.html", context)


def day(request: HttpRequest, pk: int, day: str) -> HttpResponse:
    """A gaming day: each of its rounds, and where their bets went."""
    pool = pool_of(request, pk)
    date = day_of(day)
    rounds = {} if date is None else explaining.by_round(pool, date)
    if not rounds:
        raise Http404
    page = Paginator(list(rounds.items()), ROWS).get_page(request.GET.get("page"))
    rows = Round.objects.filter(pk__in=[found for found, _ in page]).select_related("session__table")
    known = {row.pk: row for row in rows}
    prizes: dict[int, list[Prize]] = {}
    for prize in Prize.objects.filter(round__in=known).order_by("order"):
        prizes.setdefault(prize.round_id, []).append(prize)
    context = {
        "pool": pool,
        "date": date,
        "codes": codes_of(pool),
        "rows": [(known[found], parts, prizes.get(found, [])) for found, parts in page],
        "page": page,
        "page_sum": explaining.total(parts for _, parts in page),
        "sum": explaining.total(rounds.values()),
    }
    return render(request, "jackpots/explain_day.html", context)


def round_of(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A round of a pool: each bet, its place in the pool's order, and its parts to the last unit."""
    pool = pool_of(request, pk)
    found: Round = one(
        Round.objects.filter(casino=pool.casino_id).select_related("session__table"), pk=number
    )
    bets = list(Bet.objects.filter(pool=pool, round=found, serial__isnull=False).order_by("serial"))
    if not bets:
        raise Http404
    shown = explaining.of_bets(pool, bets)
    context = {
        "pool": pool,
        "round": found,
        "day": bets[0].day,
        "codes": codes_of(pool),
        "rows": shown,
        "sum": explaining.total(parts for _, parts in shown),
        "version": PoolVersion.objects.get(pk=bets[0].version_id or 0),
        "prizes": Prize.objects.filter(round=found, pool=pool).order_by("order"),
    }
    return render(request, "jackpots/explain_round.html", context)


def codes_of(pool: Pool) -> list[str]:
    """The columns: commission, then each fund."""
    return [explaining.COMMISSION, *(fund.code for fund in seeing.funds_of(pool))]
