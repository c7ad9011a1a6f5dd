"""Decks: all of them by what they are and where they lie, and the history of one."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode

from audits.pages.answers import one, page_of, user_of
from shoes import cards, labels, policies, whereabouts
from shoes.floor import floor
from shoes.models import Deck, Shoe
from shoes.pages import desk, keeping

EXACT = ("state", "deck_type", "back_colour", "batch", "place")
FILTERS = (*EXACT, "serial")
IN_STORE = "-"
"""How the store is asked for: a deck there has no place written on it."""


def listing(request: HttpRequest) -> HttpResponse:
    asked = {name: request.GET.get(name, "").strip()[:40] for name in FILTERS}
    given = {name: value for name, value in asked.items() if value}
    rows = Deck.objects.restrict(user_of(request), policies.READ).select_related("shoe", "incident")
    context = {
        "page": page_of(request, _narrowed(rows, asked)),
        "asked": asked,
        "query": urlencode(given) + "&" if given else "",
        "states": Deck.State.choices,
        "kinds": [(kind.code, kind.name) for kind in cards.DECK_TYPES.values()],
        "colours": _known(rows, "back_colour"),
        "batches": _known(rows, "batch"),
        "places": [place for place in _known(rows, "place") if place],
    }
    return render(request, "shoes/decks.html", context)


def history(request: HttpRequest, pk: int) -> HttpResponse:
    """Where a deck is now and everything that happened to it (CARD-04)."""
    rows = Deck.objects.restrict(user_of(request), policies.READ).select_related("shoe", "incident")
    deck = one(rows, pk=pk)
    shoes = list(Shoe.objects.filter(moves__deck=deck).distinct().order_by("number"))
    context = {
        "deck": deck,
        "timeline": list(reversed(whereabouts.timeline(deck))),
        "inspections": deck.inspections.select_related("deck", "inspector", "witness", "shoe"),
        "played": floor().rounds_with([shoe.pk for shoe in shoes]),
        "moves": keeping.offered_for(request, deck),
        "inspectable": deck.state in desk.OPEN,
    }
    return render(request, "shoes/deck.html", context)


def _narrowed(rows: QuerySet[Deck], asked: dict[str, str]) -> QuerySet[Deck]:
    for name in EXACT:
        if asked[name]:
            rows = rows.filter(**{name: "" if asked[name] == IN_STORE else asked[name]})
    if asked["serial"]:
        rows = rows.filter(serial__icontains=labels.serial(asked["serial"]))
    return rows


def _known(rows: QuerySet[Deck], name: str) -> list[str]:
    return list(rows.order_by(name).values_list(name, flat=True).distinct()[:100])
