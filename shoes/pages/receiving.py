"""Decks that come into the house, and decks that are handed to a table with their seals read."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters

from audits.models import Incident
from audits.pages.answers import by_of, chosen, refused, user_of, whole
from casino.kernel.errors import SabotError
from shoes import cards, decks, homologation, incidents, places, policies, series
from shoes.models import Deck
from shoes.pages import naming, reading

PARTICULARS = ("maker", "batch", "back_design", "back_colour", "homologation")
RECEIPT, ISSUE = "shoes/receipt.html", "shoes/issue.html"


@sensitive_post_parameters("second_password")
def receipt(request: HttpRequest) -> HttpResponse:
    """Enter a delivery, before a second person of another department (CARD-01, CARD-02)."""
    if request.method != "POST":
        return render(request, RECEIPT, _receipt(request))
    try:
        if "fill" in request.POST:
            return render(request, RECEIPT, _receipt(request) | {"given": _filled(request)})
        if "ask" in request.POST:
            return _ask(request)
        made = _receive(request)
    except SabotError as refusal:
        return refused(request, RECEIPT, _receipt(request), refusal)
    said = ngettext("%(n)s baraja ingresada", "%(n)s barajas ingresadas", len(made)) % {"n": len(made)}
    naming.tell(request, said, _differs(made))
    return redirect("store")


def _ask(request: HttpRequest) -> HttpResponse:
    """Draft the homologation of the maker's cards the form names, and show it."""
    made = homologation.draft(
        maker=request.POST.get("maker", ""), deck_type=request.POST.get("deck_type", ""), by=by_of(request)
    )
    messages.success(request, _("Trámite %(label)s redactado") % {"label": made.label})
    return redirect("filing", made.pk)


def issue(request: HttpRequest) -> HttpResponse:
    """Hand decks to a table or the desk: each box's serial number and seal are read off it (CARD-03)."""
    if request.method != "POST":
        return render(request, ISSUE, _issue(request))
    try:
        seals, place = reading.pairs(request), request.POST.get("place", "")
        made = decks.issue_decks(
            seals=seals,
            place=place,
            received_by=chosen(reading.hands(request), request, "received_by"),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, ISSUE, _issue(request), refusal)
    words = ngettext(
        "%(n)s baraja entregada a %(place)s", "%(n)s barajas entregadas a %(place)s", len(made)
    ) % {"n": len(made), "place": place}
    messages.success(request, words)
    return redirect("desk")


def _receive(request: HttpRequest) -> list[Deck]:
    read = reading.with_seals(request)
    seals = [seal for _serial, seal in read if seal]
    words: dict[str, Any] = {name: request.POST.get(name, "") for name in PARTICULARS}
    declared = whole(request, "declared") if request.POST.get("declared", "").strip() else None
    return decks.register_decks(
        serials=[serial for serial, _seal in read],
        seals=seals,
        declared=declared,
        deck_type=request.POST.get("deck_type", cards.FRENCH52.code),
        received_with=reading.second_person(request),
        by=by_of(request),
        **words,
    )


def _differs(made: list[Deck]) -> Incident | None:
    """The incident of a delivery that was other than its note says (CARD-02)."""
    about = Incident.objects.filter(casino=made[0].casino_id, kind=incidents.RECEIPT)
    return about.filter(subject_type="deck_batch", subject_id=made[0].pk).first()


def _filled(request: HttpRequest) -> dict[str, str]:
    """The form again with the serial numbers, and seals if the first is given, that follow the first."""
    count = whole(request, "how_many")
    lines = series.following(request.POST.get("first_serial", ""), count, field="first_serial")
    if request.POST.get("first_seal", "").strip():
        seals = series.following(request.POST.get("first_seal", ""), count, field="first_seal")
        lines = [f"{serial} {seal}" for serial, seal in zip(lines, seals, strict=True)]
    return {**request.POST.dict(), "serials": "\n".join(lines)}


def _receipt(request: HttpRequest) -> dict[str, Any]:
    """What was received last is offered again: deliveries of a maker are alike."""
    rows = Deck.objects.restrict(user_of(request), policies.READ)
    return {
        "kinds": [(kind.code, kind.name) for kind in cards.DECK_TYPES.values()],
        "last": rows.order_by("-registered_at", "-pk").first(),
    }


def _issue(request: HttpRequest) -> dict[str, Any]:
    user = user_of(request)
    sealed = Deck.objects.restrict(user, policies.READ).filter(state=Deck.State.STORE).exclude(seal="")
    return {
        "places": places.of_decks(user.casino),
        "people": [(person.pk, person.name) for person in reading.hands(request)],
        "sealed": sealed.count(),
        "place": request.GET.get("place", ""),
    }
