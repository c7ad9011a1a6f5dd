"""The store: how many decks of each kind there are and where, what is low, when it was last counted."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits.models import Incident
from audits.pages.answers import by_of, changed, page_of, refused, rows_of, user_of, whole
from casino.kernel import clock
from casino.kernel.errors import SabotError
from shoes import cards, queries, store, whereabouts
from shoes.models import Deck, StockCount
from shoes.pages import keeping, reading

STORE, COUNT = "shoes/store.html", "shoes/store_count.html"
SHOWN = (
    Deck.State.ISSUED,
    Deck.State.PASSED,
    Deck.State.IN_SHOE,
    Deck.State.RETURNED,
    Deck.State.QUARANTINE,
    Deck.State.HELD,
    Deck.State.WITHDRAWN,
    Deck.State.CANCELLED,
)
"""The states beside those of the store itself, in the order of a deck's life."""


def overview(request: HttpRequest) -> HttpResponse:
    return render(request, STORE, _overview(request))


def level(request: HttpRequest) -> HttpResponse:
    """Set the least number of decks of a kind and colour."""
    try:
        store.set_level(
            deck_type=request.POST.get("deck_type", ""),
            back_colour=request.POST.get("back_colour", ""),
            least=whole(request, "least"),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, STORE, _overview(request), refusal)
    return changed(request, "store")


@sensitive_post_parameters("second_password")
def count(request: HttpRequest) -> HttpResponse:
    """The store counted by two people, who do not see what the moves say (CARD-02)."""
    if request.method != "POST":
        return render(request, COUNT, _count(request))
    try:
        lines = _lines(request)
        counted = store.count_store(lines=lines, with_=reading.second_person(request), by=by_of(request))
    except SabotError as refusal:
        return refused(request, COUNT, _count(request), refusal)
    if counted.incident is not None:
        messages.warning(request, _("Hay diferencia: se abrió %(label)s") % {"label": counted.incident.label})
        return redirect("incident", counted.incident.pk)
    messages.success(request, _("Recuento registrado, sin diferencia"))
    return redirect("store-count")


def _lines(request: HttpRequest) -> list[dict[str, Any]]:
    kinds = zip(request.POST.getlist("deck_type"), request.POST.getlist("back_colour"), strict=False)
    return [
        {"deck_type": kind, "back_colour": colour, "counted": whole(request, f"counted-{at}")}
        for at, (kind, colour) in enumerate(kinds)
    ]


def _overview(request: HttpRequest) -> dict[str, Any]:
    user = user_of(request)
    lines = whereabouts.stock(user.casino)
    return {
        "lines": [(line, _kind(line.deck_type), line.usable - line.sealed, _figures(line)) for line in lines],
        "offered": keeping.offered(request),
        "columns": [Deck.State(state).label for state in SHOWN],
        "low": [line for line in lines if line.low],
        "kinds": [(kind.code, kind.name) for kind in cards.DECK_TYPES.values()],
        "counts": whereabouts.counts_due(user.casino, clock.now()),
        "last": rows_of(StockCount, request).select_related("counted_by", "counted_with", "incident").first(),
        "to_inspect": queries.decks_to_inspect(user).count(),
        "to_count": queries.shoes_to_count(user).count(),
        "held": Incident.objects.filter(decks__casino=user.casino_id, decks__state=Deck.State.HELD)
        .distinct()
        .order_by("pk"),
    }


def _count(request: HttpRequest) -> dict[str, Any]:
    """A row for each kind and colour the house knows; what it should hold is not shown to who counts."""
    lines = whereabouts.stock(user_of(request).casino)
    counts = rows_of(StockCount, request).select_related("counted_by", "counted_with", "incident")
    rows = [
        (at, line.deck_type, _kind(line.deck_type), line.back_colour, request.POST.get(f"counted-{at}", ""))
        for at, line in enumerate(lines)
    ]
    return {
        "rows": rows,
        "page": page_of(request, counts, 15),
    }


def _kind(code: str) -> Any:
    known = cards.DECK_TYPES.get(code)
    return known.name if known else code


def _figures(line: Any) -> list[int]:
    return [line.by_state.get(str(state.value), 0) for state in SHOWN]
