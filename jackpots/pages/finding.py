"""What the pages of pools share: the pool an address names, an act done once and answered with its page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from audits.by import By
from audits.pages.answers import one, refused, rows_of
from casino.kernel.errors import SabotError
from casino.problems import TooMany
from jackpots.models import Pool
from shoes.pages.reading import second_person
from tables.guests.admitting import on_record
from tables.pages.sent_once import once_by_form

Context = Callable[[], Mapping[str, Any]]


def pool_of(request: HttpRequest, pk: int) -> Pool:
    """A pool of the person's house, or 404."""
    rows = rows_of(Pool, request).select_related("casino", "version__filing", "incident", "retired_to")
    found: Pool = one(rows, pk=pk)
    return found


def done(
    request: HttpRequest, template: str, context: Context, act: Callable[[By], object], place: str, *args: Any
) -> HttpResponse:
    """Do it once and go to `place`; a refusal is shown on the page with what was typed."""
    try:
        with on_record():
            once_by_form(request, request.POST.get("form", ""), act)
    except SabotError as refusal:
        return refused(request, template, context(), beside(refusal))
    messages.success(request, _("Registrado"))
    return redirect(place, *args)


def signed(
    request: HttpRequest,
    template: str,
    context: Context,
    act: Callable[[Any, By], object],
    place: str,
    *args: Any,
) -> HttpResponse:
    """The same with a second person's name and password (GEN-10), asked before the write so that a wrong one
    stays counted."""
    try:
        other = second_person(request, "second")
    except SabotError as refusal:
        return refused(request, template, context(), beside(refusal))
    return done(request, template, context, lambda by: act(other, by), place, *args)


def beside(refusal: SabotError, field: str = "second") -> SabotError:
    """A write function knows an actor, a form a user name."""
    if refusal.field == "with" or isinstance(refusal, TooMany):
        refusal.field = field
    return refusal
