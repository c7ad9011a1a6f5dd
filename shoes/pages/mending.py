"""A fault seen in the cards of a shoe, and a deck taken out of a pack before it is played (CARD-12)."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits.pages.answers import by_of, chosen, one, refused, user_of
from casino.kernel import permissions
from casino.kernel.errors import SabotError
from shoes import changing, incidents, policies
from shoes.models import Deck, Shoe
from shoes.pages import reading

FAULT, REMOVAL = "shoes/fault.html", "shoes/remove.html"


def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what was seen: it opens an incident, and stops the table where the shoe is in play.

    A table that refused a card as impossible sends it along to be reported (`?fault=extra&cards=9d`).
    """
    shoe = _shoe(request, pk)
    if request.method != "POST":
        return render(request, FAULT, _form(shoe) | {"given": request.GET})
    try:
        incident = changing.report_fault(
            shoe=shoe,
            fault=request.POST.get("fault", ""),
            cards=reading.cards(request, "cards"),
            words=request.POST.get("words", ""),
            deck=chosen(_decks(shoe), request, "deck", required=False),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, FAULT, _form(shoe), refusal)
    if incident is None:
        messages.success(request, _("Denuncia registrada: las cartas dañadas se cambian, sin incidente"))
        return redirect("shoe", shoe.pk)
    messages.success(request, _("Denuncia registrada: %(label)s") % {"label": incident.label})
    if permissions.may(user_of(request), "audits.incident.read"):
        return redirect("incident", incident.pk)
    return redirect("shoe", shoe.pk)


def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a deck out; the preparation starts again from its first step."""
    shoe = _shoe(request, pk)
    context = {"shoe": shoe, "decks": shoe.decks.order_by("serial"), "serial": request.GET.get("serial", "")}
    if request.method != "POST":
        return render(request, REMOVAL, context)
    try:
        changing.remove_deck(
            shoe=shoe,
            serial=request.POST.get("serial", ""),
            why=request.POST.get("why", ""),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, REMOVAL, context, refusal)
    messages.success(request, _("La baraja salió y quedó en cuarentena; la preparación empieza de nuevo"))
    return redirect("shoe", shoe.pk)


def _form(shoe: Shoe) -> dict[str, Any]:
    return {
        "shoe": shoe,
        "faults": list(incidents.FAULTS.items()),
        "decks": [(deck.pk, f"{deck.serial} · {deck.back_colour}") for deck in _decks(shoe)],
    }


def _decks(shoe: Shoe) -> QuerySet[Deck]:
    return shoe.decks.order_by("serial")


def _shoe(request: HttpRequest, pk: int) -> Shoe:
    found: Shoe = one(Shoe.objects.restrict(user_of(request), policies.READ), pk=pk)
    return found
