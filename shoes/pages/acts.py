"""Destruction acts: cancelled decks destroyed before two witnesses, each signing by password (CARD-45)."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits.pages.answers import by_of, one, page_of, refused, rows_of, user_of
from audits.reports import registered
from casino.kernel import permissions
from casino.kernel.errors import SabotError
from shoes import acts, policies
from shoes.models import Deck, DestructionAct
from shoes.pages import reading

FORM = "shoes/act_new.html"
REPORT = "shoes.destruction"
MOST_OFFERED = 300


def listing(request: HttpRequest) -> HttpResponse:
    cancelled = Deck.objects.restrict(user_of(request), policies.READ).filter(state=Deck.State.CANCELLED)
    context = {"page": page_of(request, _rows(request)), "cancelled": cancelled.count()}
    return render(request, "shoes/acts.html", context)


@sensitive_post_parameters("first_witness_password", "second_witness_password")
def create(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, FORM, _form(request))
    try:
        witnesses = [reading.second_person(request, name) for name in ("first_witness", "second_witness")]
        act = acts.destroy(
            serials=list(dict.fromkeys([*reading.scanned(request, "chosen"), *reading.scanned(request)])),
            method=request.POST.get("method", ""),
            site=request.POST.get("site", ""),
            witnesses=witnesses,
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, FORM, _form(request), refusal)
    messages.success(request, _("Acta %(label)s firmada") % {"label": act.label})
    return redirect("act", act.pk)


def show(request: HttpRequest, pk: int) -> HttpResponse:
    act = one(_rows(request), pk=pk)
    report = registered().get(REPORT)
    context = {
        "act": act,
        "decks": [move.deck for move in act.moves.select_related("deck").order_by("deck__serial")],
        "report": REPORT if report and permissions.may(user_of(request), report.act) else "",
    }
    return render(request, "shoes/act.html", context)


def _rows(request: HttpRequest) -> Any:
    rows = rows_of(DestructionAct, request)
    return rows.select_related("executed_by", "first_witness", "second_witness").prefetch_related("moves")


def _form(request: HttpRequest) -> dict[str, Any]:
    rows = Deck.objects.restrict(user_of(request), policies.READ).filter(state=Deck.State.CANCELLED)
    ticked = set(request.POST.getlist("chosen"))
    last = _rows(request).first()
    return {
        "cancelled": [(deck, deck.serial in ticked) for deck in rows.order_by("serial")[:MOST_OFFERED]],
        "site": last.site if last else "",
        "method": last.method if last else "",
    }
