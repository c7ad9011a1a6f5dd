"""Decks: received, inspected by two people, withdrawn."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from audits.models import Actor
from audits.pages.answers import by_of, chosen, one, page_of, refused, user_of, whole
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from shoes import cards, policies
from shoes import decks as acts
from shoes import examining
from shoes.models import Deck


def listing(request: HttpRequest) -> HttpResponse:
    return render(request, "shoes/decks.html", _listing(request))


def register(request: HttpRequest) -> HttpResponse:
    """Enter decks into the store, one per serial number."""
    words: dict[str, Any] = {
        name: request.POST.get(name, "") for name in ("maker", "batch", "back_design", "back_colour")
    }
    try:
        made = acts.register_decks(
            serials=request.POST.get("serials", "").split(),
            deck_type=request.POST.get("deck_type", cards.FRENCH52.code),
            by=by_of(request),
            **words,
        )
    except SabotError as refusal:
        return refused(request, "shoes/decks.html", _listing(request), refusal)
    messages.success(
        request,
        ngettext("%(n)s baraja ingresada", "%(n)s barajas ingresadas", len(made)) % {"n": len(made)},
    )
    return _to_inspect()


def inspect(request: HttpRequest, pk: int) -> HttpResponse:
    """One deck, and its inspection by two different people."""
    deck = one(Deck.objects.restrict(user_of(request), policies.READ).select_related("shoe"), pk=pk)
    context = {
        "deck": deck,
        "inspections": deck.inspections.all(),
        "people": _signers(request),
        "cards": len(cards.deck_type(deck.deck_type).cards),
        "next": _next(request, deck),
    }
    if request.method != "POST":
        return render(request, "shoes/deck.html", context)
    try:
        found = examining.inspect_deck(
            deck=deck,
            counted=whole(request, "counted"),
            by_suit_shown="by_suit_shown" in request.POST,
            backs_checked="backs_checked" in request.POST,
            inspector=chosen(context["people"], request, "inspector"),
            witness=chosen(context["people"], request, "witness"),
            missing=request.POST.get("missing", "").replace(",", " ").split(),
            extra=request.POST.get("extra", "").replace(",", " ").split(),
            marked=request.POST.get("marked", "").replace(",", " ").split(),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, "shoes/deck.html", context, refusal)
    said = _("Baraja %(serial)s apta") if found.passed else _("Baraja %(serial)s retirada")
    messages.success(request, said % {"serial": deck.serial})
    return _to_inspect()


def _to_inspect() -> HttpResponse:
    """The decks that wait for their inspection: what comes next after receiving or inspecting."""
    return redirect(f"{reverse('decks')}?state={Deck.State.STORE.value}")


def _listing(request: HttpRequest) -> dict[str, Any]:
    rows = Deck.objects.restrict(user_of(request), policies.READ).select_related("shoe")
    state = request.GET.get("state", "")
    shown = rows.filter(state=state) if state in Deck.State.values else rows
    return {
        "page": page_of(request, shown),
        "state": state,
        "states": Deck.State.choices,
        "kinds": [(kind.code, kind.name) for kind in cards.DECK_TYPES.values()],
        "next": _next(request),
        "waiting": rows.filter(state=Deck.State.STORE).count(),
    }


def _next(request: HttpRequest, after: Deck | None = None) -> Deck | None:
    """The next deck that waits for its inspection."""
    rows = Deck.objects.restrict(user_of(request), policies.READ).filter(state=Deck.State.STORE)
    if after is not None:
        rows = rows.exclude(pk=after.pk)
    return rows.order_by("serial").first()


def _signers(request: HttpRequest) -> Any:
    """People whose hands may be on cards; which two may sign is for the write function to say."""
    roles = [role.value for role in policies.HANDS_ON_CARDS if role is not Role.DEVICE]
    rows = Actor.objects.filter(
        casino=user_of(request).casino_id, kind=Actor.Kind.STAFF, user__is_active=True
    )
    return rows.filter(user__role_codes__overlap=roles).order_by("name")
