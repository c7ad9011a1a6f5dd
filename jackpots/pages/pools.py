"""Pools: the list, one pool with everything that is known of it, and setting one up."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from audits import filings
from audits import policies as audit_policies
from audits.by import By
from audits.models import Filing, Incident
from audits.pages.answers import by_of, chosen, page_of, refused, rows_of, user_of
from casino.kernel import clock, permissions
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from jackpots import charting, members, policies, pools, preflight, seeing
from jackpots import filings as asked
from jackpots.holding import GAMES
from jackpots.models import Difference, MeterReading, Pool, PoolMove, PoolTable, PoolVersion, Prize, Proof
from jackpots.pages.finding import done, pool_of
from jackpots.standing import standing_of
from tables.models import Table
from tables.pages.cage_forms import form_number

LISTING, TEMPLATE, MOVES, EDIT = (f"jackpots/{name}.html" for name in ("pools", "pool", "moves", "edit"))
LAST = 8
FORMS = Pool.Form.choices


def listing(request: HttpRequest) -> HttpResponse:
    """The pools of the house; POST sets one up."""
    if request.method != "POST":
        return render(request, LISTING, _listing(request))
    try:
        pool = pools.create_pool(
            name=request.POST.get("name", ""),
            form=request.POST.get("form_of", ""),
            public=request.POST.get("public") == "yes",
            by=by_of(request),
        )
    except SabotError as refusal:
        refusal.field = "form_of" if refusal.field == "form" else refusal.field
        return refused(request, LISTING, _listing(request), refusal)
    messages.success(request, _("Pozo registrado"))
    return redirect("pool", pool.pk)


def _listing(request: HttpRequest) -> dict[str, Any]:
    return {
        "glances": seeing.glances(user_of(request).casino),
        "forms": FORMS,
        "form_number": form_number(request),
    }


def show(request: HttpRequest, pk: int) -> HttpResponse:
    """A pool: what it shows, what it waits for, its tables, parameters, what the AJ was told."""
    return render(request, TEMPLATE, context_of(request, pool_of(request, pk)))


def context_of(request: HttpRequest, pool: Pool) -> dict[str, Any]:
    now = clock.now()
    funds = seeing.funds_of(pool)
    exponent = pool.casino.exponent
    waiting = seeing.waiting_version(pool)
    needs = preflight.to_start(pool, now)
    return {
        "pool": pool,
        "levels": [fund for fund in funds if not fund.reserve],
        "reserves": [fund for fund in funds if fund.reserve],
        "pending": seeing.open_prizes(pool),
        "members": seeing.linked(pool),
        "needs": [(need.check, _leads_to(request, pool.pk, need)) for need in needs],
        "lacking": sum(need.check.red for need in needs),
        "free_tables": _free_tables(pool),
        "unreported": members.unreported(pool),
        "standing": standing_of([pool], pool.casino.gaming_day(now)).get(pool.pk),
        "told": None if pool.version is None else seeing.told(pool.version, exponent),
        "waiting": waiting,
        "versions": pool.versions.select_related("author", "filing").order_by("-number"),
        "asked": seeing.filings_of(pool, pool.casino.gaming_day(now)),
        "chart": charting.chart_of(pool, funds[0], now) if funds else None,
        "prizes": Prize.objects.filter(pool=pool).select_related("session__table").order_by("-order")[:LAST],
        "proofs": Proof.objects.filter(pool=pool)[:1],
        "reading": MeterReading.objects.filter(pool=pool).select_related("noted_by").first(),
        "differences": Difference.objects.filter(pool=pool, incident__state="open").count(),
        "form_number": form_number(request),
    }


_ON_PAGE = {asked.EQUIPMENT: "#before-the-aj", "tables": "#tables-of"}
"""Where on the page itself a need is seen to."""


def _leads_to(request: HttpRequest, pk: int, need: preflight.Need) -> str:
    """The page of what a need is about, or where it is done, if this person may open it."""
    user, about = user_of(request), need.about
    if isinstance(about, PoolVersion):
        return reverse("pool-version", args=[about.pool_id, about.number])
    if isinstance(about, Filing) and permissions.may(user, audit_policies.READ_FILINGS):
        return reverse("filing", args=[about.pk])
    if isinstance(about, Incident) and permissions.may(user, audit_policies.READ_INCIDENTS):
        return reverse("incident", args=[about.pk])
    if need.check.code == "parameters" and about is None and permissions.may(user, policies.DRAFT):
        return reverse("pool-draft", args=[pk])
    return _ON_PAGE.get(need.check.code, "") if about is None else ""


def _free_tables(pool: Pool) -> list[tuple[int, str]]:
    """Tables of the three modalities that feed no pool."""
    taken = PoolTable.objects.filter(casino_id=pool.casino_id, during__endswith=None).values("table")
    rows = Table.objects.filter(casino_id=pool.casino_id, game__in=GAMES, active=True).exclude(pk__in=taken)
    return [(table.pk, table.name) for table in rows.order_by("name")]


# ---- its tables, its name, what is asked of the AJ ---------------------------------------------------


def link(request: HttpRequest, pk: int) -> HttpResponse:
    """A table feeds the pool from now on (PP-06)."""
    pool = pool_of(request, pk)

    def act(by: By) -> None:
        members.link_table(pool=pool, table=chosen(rows_of(Table, request), request, "table"), by=by)

    return done(request, TEMPLATE, lambda: context_of(request, pool), act, "pool", pk)


def unlink(request: HttpRequest, pk: int) -> HttpResponse:
    """A table feeds it no more."""
    pool = pool_of(request, pk)

    def act(by: By) -> None:
        rows = PoolTable.objects.filter(pool=pool).select_related("table", "pool")
        members.unlink_table(member=chosen(rows, request, "member"), by=by)

    return done(request, TEMPLATE, lambda: context_of(request, pool), act, "pool", pk)


def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Its name, and whether the public sees it."""
    pool = pool_of(request, pk)

    def context() -> dict[str, Any]:
        return {
            "pool": pool_of(request, pk),
            "versions": pool.history.select_related("history_user").order_by("-history_date")[:20],
            "form_number": form_number(request),
        }

    if request.method != "POST":
        return render(request, EDIT, context())

    def act(by: By) -> None:
        public = request.POST.get("public") == "yes"
        pools.rename_pool(pool=pool, name=request.POST.get("name", ""), public=public, by=by)

    return done(request, EDIT, context, act, "pool", pk)


_ABOUT_POOL = (asked.EQUIPMENT, asked.TABLES, asked.COMPLEMENTARY, asked.PROMOTION)


def ask(request: HttpRequest, pk: int) -> HttpResponse:
    """Draft a filing about the pool; it is presented and decided on its own page."""
    pool = pool_of(request, pk)
    drafted: list[Filing] = []

    def act(by: By) -> None:
        kind = request.POST.get("kind", "")
        if kind not in _ABOUT_POOL:
            raise Refused(
                Text("elija uno de la lista", "choose one from the list"), code="not_chosen", field="kind"
            )
        text, subject = request.POST.get("text", ""), asked.about_pool(pool)
        facts = members.notice_facts(pool) if kind == asked.TABLES else None
        drafted.append(filings.draft_filing(kind=kind, subject=subject, text=text, facts=facts, by=by))

    answer = done(request, TEMPLATE, lambda: context_of(request, pool), act, "pool", pk)
    return redirect("filing", drafted[0].pk) if drafted and answer.status_code == 302 else answer


def moves(request: HttpRequest, pk: int) -> HttpResponse:
    """Why its funds changed other than by bets, the latest first; `fund` and `kind` narrow it (PP-29)."""
    pool = pool_of(request, pk)
    rows = PoolMove.objects.filter(pool=pool).select_related("fund", "event").order_by("-pk")
    fund, kind = request.GET.get("fund", ""), request.GET.get("kind", "")
    if fund:
        rows = rows.filter(fund__code=fund)
    if kind in PoolMove.Kind.values:
        rows = rows.filter(kind=kind)
    page = page_of(request, rows)
    prizes = {p.hit_event_id: p for p in Prize.objects.filter(hit_event__in=[m.event_id for m in page])}
    context = {
        "pool": pool,
        "page": page,
        "moves": [(move, prizes.get(move.event_id)) for move in page],
        "funds": [(one.code, one.code) for one in seeing.funds_of(pool)],
        "kinds": PoolMove.Kind.choices,
        "asked": {"fund": fund, "kind": kind},
        "query": f"fund={fund}&kind={kind}&" if fund or kind else "",
        "sum": sum(move.players + move.base for move in rows) if fund else None,
    }
    return render(request, MOVES, context)
