"""Shoes: what is being prepared, what is in play, and the guided checklist of one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits.pages.answers import by_of, one, refused, user_of, whole
from casino.kernel.errors import SabotError
from shoes import policies, queries
from shoes import shoes as acts
from shoes.models import Deck, Shoe
from shoes.procedures import games_with_procedure, procedure_of
from shoes.steps import DEALER, Field

RECENT = 20


def listing(request: HttpRequest) -> HttpResponse:
    return render(request, "shoes/shoes.html", _listing(request))


def start(request: HttpRequest) -> HttpResponse:
    """Begin to prepare a shoe."""
    try:
        game = request.POST.get("game", "")
        # Left empty: as many as the game's procedure takes by itself.
        asked = request.POST.get("decks_wanted", "").strip()
        decks = whole(request, "decks_wanted") if asked else procedure_of(game).decks_default
        shoe = acts.start_shoe(
            game=game,
            decks_wanted=decks,
            device=request.POST.get("device", ""),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, "shoes/shoes.html", _listing(request), refusal)
    return redirect("shoe", shoe.pk)


def checklist(request: HttpRequest, pk: int) -> HttpResponse:
    """The steps of a shoe; POST signs the one that is due (or one that may be done again)."""
    shoe = _shoe(request, pk)
    if request.method != "POST":
        return render(request, "shoes/shoe.html", _checklist(request, shoe))
    step = request.POST.get("step", "")
    try:
        line = next((line for line in queries.checklist(shoe) if line.step == step), None)
        data = {asked.name: _given(request, asked) for asked in line.fields} if line else {}
        acts.take_step(shoe=shoe, step=step, data=data, by=by_of(request))
    except SabotError as refusal:
        context = _checklist(request, _shoe(request, pk)) | {"refused_step": step}
        return refused(request, "shoes/shoe.html", context, refusal)
    return redirect("shoe", shoe.pk)


def end(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a shoe up before it is in play, or end one; with its reason."""
    shoe = _shoe(request, pk)
    try:
        acts.abandon_shoe(shoe=shoe, by=by_of(request), reason=request.POST.get("reason", ""))
    except SabotError as refusal:
        return refused(request, "shoes/shoe.html", _checklist(request, _shoe(request, pk)), refusal)
    messages.success(request, _("Sabot %(shoe)s terminado") % {"shoe": shoe.label})
    return redirect("shoes")


def _given(request: HttpRequest, asked: Field) -> Any:
    """What a field of a step holds, in the form its kind reads."""
    typed = request.POST.get(asked.name, "").strip()
    match asked.kind:
        case "serials":
            return request.POST.getlist(asked.name)
        case "seats":
            return [_seat(part) for part in typed.replace(",", " ").split()][:30]
        case "cutter":
            return _seat(typed) if typed else DEALER
        case _:
            return typed


def _seat(typed: str) -> int | str:
    """A seat's number; anything else is left as typed, for the step to refuse."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 4 else typed


def _listing(request: HttpRequest) -> dict[str, Any]:
    user = user_of(request)
    mine = Shoe.objects.restrict(user, policies.READ)
    return {
        "preparing": queries.shoes_in_preparation(user),
        "playing": mine.filter(state=Shoe.State.IN_PLAY).order_by("table_label"),
        "ended": mine.filter(state=Shoe.State.ENDED)[:RECENT],
        "games": list(games_with_procedure()),
        "decks_allowed": sorted(
            {n for game in games_with_procedure() for n in procedure_of(game).decks_allowed}
        ),
        "fit": queries.fit_decks(user).count(),
        "waiting": queries.decks_in_stock(user).filter(state=Deck.State.STORE).count(),
    }


def _checklist(request: HttpRequest, shoe: Shoe) -> dict[str, Any]:
    lines, decks = queries.checklist(shoe), list(shoe.decks.all())
    return {
        "has": len(decks),
        "lacking": shoe.decks_wanted - len(decks),
        "shoe": shoe,
        "lines": lines,
        "done": sum(line.status == "done" for line in lines),
        "fit": queries.fit_decks(user_of(request)).filter(deck_type=shoe.deck_type),
        "decks": decks,
    }


def _shoe(request: HttpRequest, pk: int) -> Shoe:
    found: Shoe = one(Shoe.objects.restrict(user_of(request), policies.READ), pk=pk)
    return found
