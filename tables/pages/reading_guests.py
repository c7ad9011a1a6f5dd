"""What the pages of players read alike: who is meant by a document, dates, a document shown or masked."""

from __future__ import annotations

import datetime as dt

from django.http import HttpRequest

from audits.pages.answers import rows_of, user_of
from casino.kernel import permissions
from casino.kernel.errors import NotFound, Refused
from casino.kernel.words import Text
from tables.guests import matching, policies, registering
from tables.models import DocumentType, Exclusion, Guest

DOCUMENTS = DocumentType.choices


def known_guest(request: HttpRequest, field: str = "number") -> Guest | None:
    """The player whose document was typed; None where nothing was. Raises `NotFound` (`guest_unknown`)."""
    typed = request.POST.get(field, "").strip()
    if not typed:
        return None
    kind, country = request.POST.get("document_type", "") or "ci", request.POST.get("country", "") or "BO"
    document = registering.document_of(kind, country, typed)
    found: Guest | None = (
        rows_of(Guest, request)
        .filter(document_type=document.type, country=document.country, number=document.number)
        .first()
    )
    if found is None:
        raise NotFound(
            Text(
                "ese documento no está registrado: registre al jugador primero, en Jugadores",
                "that document is not registered: register the player first, under Players",
            ),
            code="guest_unknown",
            field=field,
        )
    return found


def date_of(request: HttpRequest, field: str, *, required: bool = True) -> dt.date | None:
    """A date as a date field sends it. Refuses beside it."""
    typed = request.POST.get(field, "").strip()
    if not typed and not required:
        return None
    try:
        day = dt.date.fromisoformat(typed)
        if 1900 <= day.year < 3000:
            return day
    except ValueError:
        pass
    raise Refused(
        Text("escriba una fecha, como 1985-03-14", "type a date, such as 1985-03-14"),
        code="bad_date",
        field=field,
    )


def number_shown(request: HttpRequest, one: Guest | Exclusion) -> str:
    """A document's number as this person may see it."""
    whole = permissions.may(user_of(request), policies.SEE_DOCUMENTS)
    return one.number if whole or not one.number else matching.masked(one.number)
