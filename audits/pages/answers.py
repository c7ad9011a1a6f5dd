"""What every page does alike: who asks, reading a form, showing a refusal beside its field, ETags.

A page parses, calls a write function and renders. Whatever a person types wrong becomes a `Refused`
that names the field, so that a form and a write function refuse in one way.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _

from audits.by import By, by_user
from casino import place
from casino.kernel import clock
from casino.kernel.errors import Busy, NotAllowed, Refused, SabotError
from casino.kernel.words import Text
from casino.models import User
from casino.problems import TooMany, note_refusal

if TYPE_CHECKING:
    from django.core.paginator import _SupportsPagination

PAGE_ROWS = 50


def user_of(request: HttpRequest) -> User:
    return cast(User, request.user)


def by_of(request: HttpRequest) -> By:
    """`By` for the person at the page, with the reason the form gave."""
    user = user_of(request)
    if not hasattr(user, "actor"):
        raise NotAllowed(
            Text("este usuario no actúa en la casa", "this login does not act in the house"), code="no_actor"
        )
    return by_user(user, reason=request.POST.get("reason", "").strip())


def one(rows: QuerySet[Any], **wanted: Any) -> Any:
    """The row, already narrowed to what the person may see, or 404."""
    found = rows.filter(**wanted).first()
    if found is None:
        raise Http404
    return found


_CHOOSE = Text("elija uno de la lista", "choose one from the list")


def chosen(
    rows: QuerySet[Any], request: HttpRequest, field: str, *, required: bool = True, words: Text = _CHOOSE
) -> Any:
    """The row a select of the form names, out of those that were offered. Refuses beside the field, in
    `words`."""
    given = request.POST.get(field, "").strip()
    if not given and not required:
        return None
    found = (
        rows.filter(pk=int(given)).first()
        if given.isascii() and given.isdigit() and len(given) < 19
        else None
    )
    if found is None:
        raise Refused(words, code="not_chosen", field=field)
    return found


def whole(request: HttpRequest, field: str, *, default: int | None = None) -> int:
    """A whole number typed into a field. Refuses beside it."""
    given = request.POST.get(field, "").strip()
    if not given and default is not None:
        return default
    if not (given.isascii() and given.isdigit() and len(given) <= 9):
        raise Refused(Text("escriba un número entero", "type a whole number"), code="bad_number", field=field)
    return int(given)


def refused(
    request: HttpRequest, template: str, context: Mapping[str, Any], refusal: SabotError
) -> HttpResponse:
    """The page again with what was typed and the refusal where it belongs; its own HTTP status."""
    note_refusal(request, refusal)
    shown = {**context, "refusal": refusal, "given": request.POST}
    response = render(request, template, shown, status=refusal.status)
    if isinstance(refusal, Busy):
        response["Retry-After"] = str(refusal.retry_after_seconds)
    elif isinstance(refusal, TooMany):
        response["Retry-After"] = str(refusal.wait_seconds)
    return response


def unless_changed(request: HttpRequest, template: str, context: Mapping[str, Any]) -> HttpResponse:
    """A fragment that is asked for again and again: 304 while it reads the same."""
    html = render_to_string(template, dict(context), request)
    etag = f'"{hashlib.sha256(html.encode()).hexdigest()[:32]}"'
    response = HttpResponse(html, headers={"ETag": etag, "Cache-Control": "private, no-cache"})
    return cast(HttpResponse, get_conditional_response(request, etag=etag, response=response))


def page_of(request: HttpRequest, rows: _SupportsPagination[Any], size: int = PAGE_ROWS) -> Page[Any]:
    page = Paginator(rows, size).get_page(request.GET.get("page"))
    place.shows(request, page.object_list)
    return page


def rows_of(model: type[Model], request: HttpRequest) -> QuerySet[Any]:
    """Rows of the person's own casino."""
    return model._default_manager.filter(casino=user_of(request).casino_id)


def instant_of(request: HttpRequest, field: str) -> dt.datetime | None:
    """Date and time as typed, in the casino's own zone; nothing typed is None. Refuses beside the field."""
    typed = request.POST.get(field, "").strip()
    return instant_typed(request, typed, field) if typed else None


def instant_typed(request: HttpRequest, typed: str, field: str) -> dt.datetime:
    """Date and time as typed, in the casino's own zone unless they name another. Refuses beside the field,
    also where the clocks moved and the wall showed that time never or twice.
    """
    try:
        local = dt.datetime.fromisoformat(typed)
        zone = local.tzinfo or ZoneInfo(user_of(request).casino.zone)
        instants = clock.instants_of(local.replace(tzinfo=zone))
    except (ValueError, OverflowError):
        instants = []
    else:
        if len(instants) != 1:
            raise _moved_clock(instants, zone, field)
    if instants and clock.EARLIEST <= instants[0] <= clock.LATEST:
        return instants[0]
    raise Refused(
        Text("escriba fecha y hora, como 2026-11-29T21:30", "type date and time, such as 2026-11-29T21:30"),
        code="bad_date",
        field=field,
    )


def _moved_clock(instants: list[dt.datetime], zone: dt.tzinfo, field: str) -> Refused:
    """The wall showed that time never, or at both of these instants."""
    if not instants:
        return Refused(
            Text(
                "esa hora no existe: el reloj se adelanta; escriba una de después del cambio",
                "there is no such time: the clocks go forward; type one after the change",
            ),
            code="time_skipped",
            field=field,
        )
    first, second = (instant.astimezone(zone).isoformat() for instant in instants)
    return Refused(
        Text(
            f"esa hora viene dos veces, el reloj se atrasa: escriba otra, o por la API {first} o {second}",
            f"that time comes twice, as the clocks go back: type another, or by the API {first} or {second}",
        ),
        code="time_twice",
        field=field,
    )


def day_typed(request: HttpRequest, field: str) -> dt.date | None:
    """A date as typed; nothing typed is None. Refuses beside the field."""
    typed = request.POST.get(field, "").strip()
    try:
        return dt.date.fromisoformat(typed) if typed else None
    except ValueError:
        raise Refused(
            Text("escriba una fecha, como 2026-11-29", "type a date, such as 2026-11-29"),
            code="bad_date",
            field=field,
        ) from None


def uploaded(request: HttpRequest, field: str, most: int) -> tuple[str, bytes]:
    """The name and the bytes of a file of the form, no more than one byte beyond the most that is kept."""
    file = request.FILES.get(field)
    if file is None:
        raise Refused(Text("elija un archivo", "choose a file"), code="no_file", field=field)
    return str(file.name or ""), file.read(most + 1)


def changed(request: HttpRequest, place: str, *args: Any) -> HttpResponse:
    """Back to a page after a setting was written, saying so."""
    messages.success(request, _("Cambio registrado"))
    return redirect(place, *args)
