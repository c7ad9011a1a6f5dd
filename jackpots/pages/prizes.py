"""Prizes of the pools: what waits for whom, one prize with its hand, its checks, its payment and its form."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.debug import sensitive_post_parameters

from audits.by import By
from audits.models import Actor
from audits.pages.answers import one, page_of, refused, rows_of, user_of
from casino.kernel.errors import SabotError
from jackpots import prize_form, prizes
from jackpots.actions import FORMS
from jackpots.models import Pool, Prize
from jackpots.pages.finding import beside, done, signed
from shoes.pages.reading import second_person
from tables.felt import Felt
from tables.money import payouts
from tables.pages.cage_forms import chip_boxes, desks, form_number, paying_desk, typed
from tables.record import record_of
from tables.seeing import seen_among

LISTING, TEMPLATE = "jackpots/prizes.html", "jackpots/prize.html"


def listing(request: HttpRequest) -> HttpResponse:
    """The prizes of the house, those that wait first; `state` and `pool` narrow it."""
    rows = rows_of(Prize, request).select_related("pool", "session__table", "round")
    state, pool = request.GET.get("state", ""), request.GET.get("pool", "")
    if state in Prize.State.values:
        rows = rows.filter(state=state)
    if pool.isascii() and pool.isdigit() and len(pool) < 10:
        rows = rows.filter(pool_id=int(pool))
    waiting = rows_of(Prize, request).filter(Prize.OPEN).select_related("pool", "session__table")
    context = {
        "page": page_of(request, rows.order_by("-pk")),
        "waiting": waiting.order_by("pk"),
        "states": Prize.State.choices,
        "pools": [(one.pk, one.name) for one in rows_of(Pool, request).order_by("name")],
        "asked": {"state": state, "pool": pool},
        "query": f"state={state}&pool={pool}&" if state or pool else "",
    }
    return render(request, LISTING, context)


def show(request: HttpRequest, pk: int) -> HttpResponse:
    """One prize."""
    return render(request, TEMPLATE, _context(request, _prize(request, pk)))


def check(request: HttpRequest, pk: int) -> HttpResponse:
    """Whoever is signed in finds that chips, bet and hand agree (PP-31)."""
    prize = _prize(request, pk)

    def act(by: By) -> None:
        prizes.check_prize(prize=prize, by=by, **_named(request))

    return done(request, TEMPLATE, lambda: _context(request, _prize(request, pk)), act, "prize", pk)


@sensitive_post_parameters("second_password")
def reject(request: HttpRequest, pk: int) -> HttpResponse:
    """Two people do not confirm it, with their reason."""
    prize = _prize(request, pk)

    def act(with_: Actor, by: By) -> None:
        prizes.reject_prize(prize=prize, with_=with_, by=by)

    return signed(request, TEMPLATE, lambda: _context(request, _prize(request, pk)), act, "prize", pk)


@sensitive_post_parameters("second_password")
def pay(request: HttpRequest, pk: int) -> HttpResponse:
    """The cage pays it; compliance signs beside where the exclusion lists ask for it (GEN-11)."""
    prize = _prize(request, pk)

    def context() -> dict[str, Any]:
        return _context(request, _prize(request, pk))

    with_: Actor | None = None
    if request.POST.get("second", "").strip():
        try:
            with_ = second_person(request, "second")
        except SabotError as refusal:
            return refused(request, TEMPLATE, context(), beside(refusal))

    def act(by: By) -> None:
        desk = paying_desk(request)
        form, chips = request.POST.get("form_of", payouts.CASH), typed(request)
        prizes.pay_prize(
            prize=prize, desk=desk, form=form, chips=chips, with_=with_, by=by, **_named(request)
        )

    return done(request, TEMPLATE, context, act, "prize", pk)


def paper(request: HttpRequest, pk: int) -> HttpResponse:
    """The payment form, in the language of the page, to be signed by hand (PP-31)."""
    prize = _prize(request, pk)
    language = "en" if (get_language() or "").startswith("en") else "es-bo"
    response = HttpResponse(prize_form.paper(prize, language), content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="premio-{prize.label}.pdf"'
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _named(request: HttpRequest) -> dict[str, str]:
    return {name: request.POST.get(name, "") for name in ("winner", "document")}


def _prize(request: HttpRequest, pk: int) -> Prize:
    rows = rows_of(Prize, request).select_related(
        "pool", "version", "casino", "session__table", "session__casino", "session__day",
        "round__session__table", "round__rules", "round__limits", "bet", "noted_by", "paid_by", "desk",
    )  # fmt: skip
    found: Prize = one(rows, pk=pk)
    return found


def _context(request: HttpRequest, prize: Prize) -> dict[str, Any]:
    actor = user_of(request).actor
    checks = list(prize.checks.select_related("actor").order_by("pk"))
    return {
        "prize": prize,
        "felt": _felt(prize),
        "sees_round": bool(seen_among(user_of(request), [prize.session])),
        "checks": checks,
        "missing": max(0, prizes.VERIFIERS - sum(one.holds for one in checks)),
        "own": prize.noted_by_id == actor.pk,
        "may_check": prizes.may_check(prize, actor),
        "desks": [(desk.pk, desk.name) for desk in desks(request)],
        "ways": [(way, FORMS[way]) for way in payouts.KINDS],
        "chip_boxes": chip_boxes(request),
        "form_number": form_number(request),
    }


def _felt(prize: Prize) -> Felt:
    """The cards of the round as they lay."""
    return record_of(prize.round).felt
