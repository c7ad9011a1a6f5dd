"""Shoes: what is being prepared, what is in play, and the guided checklist of one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits.by import By, by_user
from audits.pages.answers import by_of, one, refused, user_of, whole
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.kernel.rulebook import rules
from casino.models import User
from shoes import backs, labels, ordering, policies, queries
from shoes import shoes as acts
from shoes.backs import Back
from shoes.closing import decks_of
from shoes.models import Deck, Device, Shoe
from shoes.pages import reading
from shoes.procedures import games_with_procedure, procedure_of
from shoes.queries import ChecklistLine
from shoes.steps import DEALER, Field
from shoes.steps.base import MACHINE

RECENT = 20
OFFERED = 80
"""How many fit decks are listed to be touched; any other is scanned or typed."""
LIST, CHECKLIST = "shoes/shoes.html", "shoes/shoe.html"


def listing(request: HttpRequest) -> HttpResponse:
    return render(request, LIST, _listing(request))


def start(request: HttpRequest) -> HttpResponse:
    """Begin to prepare a shoe."""
    try:
        # Left empty: as many as the game's procedure takes by itself.
        asked = request.POST.get("decks_wanted", "").strip()
        shoe = acts.start_shoe(
            game=request.POST.get("game", ""),
            decks_wanted=whole(request, "decks_wanted") if asked else None,
            device=labels.device(request.POST.get("device", "")),
            method=request.POST.get("method", ""),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, LIST, _listing(request), refusal)
    return redirect("shoe", shoe.pk)


@sensitive_post_parameters("second_password")
def checklist(request: HttpRequest, pk: int) -> HttpResponse:
    """The steps of a shoe; POST signs the one that is due (or one that may be done again)."""
    shoe = _shoe(request, pk)
    if request.method != "POST":
        return render(request, CHECKLIST, _checklist(request, shoe))
    step = request.POST.get("step", "")
    try:
        line = next((line for line in queries.checklist(shoe) if line.step == step), None)
        data = {asked.name: _given(request, asked) for asked in line.fields} if line else {}
        acts.take_step(shoe=shoe, step=step, data=data, by=_signer(request))
    except SabotError as refusal:
        context = _checklist(request, _shoe(request, pk)) | {"refused_step": step}
        return refused(request, CHECKLIST, context | _read_so_far(request, context["fit"]), refusal)
    return redirect("shoe", shoe.pk)


def end(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a shoe up before it is in play, or end one; with its reason."""
    shoe = _shoe(request, pk)
    try:
        acts.abandon_shoe(shoe=shoe, by=by_of(request), reason=request.POST.get("reason", ""))
    except SabotError as refusal:
        return refused(request, CHECKLIST, _checklist(request, _shoe(request, pk)), refusal)
    messages.success(request, _("Sabot %(shoe)s terminado") % {"shoe": shoe.label})
    return redirect("shoes")


def _read_so_far(request: HttpRequest, fit: Iterable[Deck]) -> dict[str, Any]:
    """The decks touched or read before a refusal: nobody reads eight of them again for one mistake."""
    read = list(dict.fromkeys(reading.scanned(request)))
    offered = {deck.serial for deck in fit}
    return {"ticked": read, "loose": "\n".join(serial for serial in read if serial not in offered)}


def _signer(request: HttpRequest) -> By:
    """Who signs the step: the person at the page, or another who gives name and password on it."""
    if request.POST.get("second", "").strip():
        return by_user(reading.second_login(request))
    return by_of(request)


def _given(request: HttpRequest, asked: Field) -> Any:
    """What a field of a step holds, in the form its kind reads."""
    typed = request.POST.get(asked.name, "").strip()
    match asked.kind:
        case "serials":
            return list(dict.fromkeys(reading.scanned(request, asked.name)))
        case "seats":
            return [_seat(part) for part in typed.replace(",", " ").split()][:30]
        case "cutter":
            return _seat(typed) if typed else DEALER
        case "text" if asked.name == MACHINE.name:
            return labels.device(typed)
        case _:
            return typed


def _seat(typed: str) -> int | str:
    """A seat's number; anything else is left as typed, for the step to refuse."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 4 else typed


# ---- what the pages show -----------------------------------------------------------------------------


def _listing(request: HttpRequest) -> dict[str, Any]:
    user = user_of(request)
    mine = Shoe.objects.restrict(user, policies.READ)
    games = [(game, procedure_of(game)) for game in games_with_procedure()]
    by_method = [
        (method.code, method.words, [game for game, procedure in games if method in procedure.methods])
        for method in dict.fromkeys(method for _game, procedure in games for method in procedure.methods)
    ]
    return {
        "preparing": queries.shoes_in_preparation(user),
        "playing": mine.filter(state=Shoe.State.IN_PLAY).order_by("table_label"),
        "ended": mine.filter(state=Shoe.State.ENDED)[:RECENT],
        "games": [game for game, _procedure in games],
        "methods": [(code, words) for code, words, _games in by_method],
        "games_with_methods": [game for game, procedure in games if len(procedure.methods) > 1],
        "devices": Device.objects.restrict(user, policies.READ).filter(active=True),
        "decks_allowed": sorted({n for _game, procedure in games for n in procedure.decks_allowed}),
        "fit": queries.fit_decks(user).count(),
        "waiting": queries.decks_to_inspect(user).count(),
        "to_count": queries.shoes_to_count(user).count(),
        "alerts": queries.alerts(user)[:RECENT],
    }


def _checklist(request: HttpRequest, shoe: Shoe) -> dict[str, Any]:
    user = user_of(request)
    lines, decks = queries.checklist(shoe), list(shoe.decks.order_by("serial"))
    now = next((line for line in lines if line.status == "now"), None)
    fit = list(queries.fit_decks(user).filter(deck_type=shoe.deck_type)[:OFFERED])
    return {
        "has": len(decks),
        "lacking": shoe.decks_wanted - len(decks),
        "shoe": shoe,
        "lines": _paced(shoe, lines),
        "now": now,
        "waited": _minutes(clock.now() - _last_at(shoe, lines)),
        "barred": _barred(user, shoe, now) if now else None,
        "told_rules": [rules()[rule] for rule in now.rules if rule in rules()] if now else [],
        "done": sum(line.status == "done" for line in lines),
        "fit": fit,
        "together": _together(shoe, decks, fit),
        "decks": decks,
        "machines": Device.objects.restrict(user, policies.READ)
        .filter(active=True)
        .exclude(kind=Device.Kind.SHOE),
        "to_count": shoe.state == Shoe.State.ENDED and shoe.counted_at is None and decks_of(shoe),
        "method": _method(shoe),
        "alerts": queries.alerts(user).filter(shoe=shoe),
        "after": Shoe.objects.filter(renews=shoe).first(),
        "preparing": shoe.state not in (Shoe.State.IN_PLAY, Shoe.State.ENDED),
    }


def _paced(shoe: Shoe, lines: list[ChecklistLine]) -> list[tuple[ChecklistLine, list[tuple[Any, int]]]]:
    """Each line with its signatures, and with each the minutes since the one before it, of any line."""
    instants = sorted(signature.at for line in lines for signature in line.signatures)
    before = dict(zip(instants, [shoe.started_at, *instants], strict=False))
    return [
        (
            line,
            [(signature, _minutes(signature.at - before[signature.at])) for signature in line.signatures],
        )
        for line in lines
    ]


def _last_at(shoe: Shoe, lines: list[ChecklistLine]) -> dt.datetime:
    return max((one.at for line in lines for one in line.signatures), default=shoe.started_at)


def _together(shoe: Shoe, inside: list[Deck], fit: list[Deck]) -> set[str]:
    """The first of the fit decks that complete the pack with backs its rule takes (CARD-05, CARD-07)."""
    had, offered = ([Back(deck.back_design, deck.back_colour) for deck in given] for given in (inside, fit))
    found = backs.completing(procedure_of(shoe.game, shoe.method), had, offered, shoe.decks_wanted)
    return {fit[at].serial for at in found}


def _minutes(span: dt.timedelta) -> int:
    return max(0, int(span.total_seconds() // 60))


def _barred(user: User, shoe: Shoe, line: ChecklistLine) -> SabotError | None:
    """Why the person at the page may not sign the step that is due, if they may not (GEN-10)."""
    signed = list(shoe.steps.order_by("seq").values_list("step", "signed_by_id"))
    try:
        ordering.require_signer(line.rule, user.actor.pk, user.roles, signed)
    except SabotError as refusal:
        return refusal
    return None


def _method(shoe: Shoe) -> Any:
    """How it is prepared, where the game knows more than one way."""
    methods = procedure_of(shoe.game, shoe.method).methods
    found = next((one for one in methods if one.code == shoe.method), None)
    return found if len(methods) > 1 else None


def _shoe(request: HttpRequest, pk: int) -> Shoe:
    rows = Shoe.objects.restrict(user_of(request), policies.READ).select_related("renews")
    found: Shoe = one(rows, pk=pk)
    return found
