"""What is done with decks beside playing them: back to the store, set aside, held, withdrawn, cancelled.

Each is a page of one form: the decks scanned one after the other, and what its rule asks beside them. The
pages are data, `MOVEMENTS`, under an address each, so that each has its own act.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy
from django.views.decorators.debug import sensitive_post_parameters

from audits.models import Incident
from audits.pages.answers import by_of, chosen, refused, rows_of, user_of
from casino.kernel import permissions
from casino.kernel.errors import SabotError
from shoes import policies, store
from shoes.models import Deck, DeckMove
from shoes.moving import MOVES
from shoes.pages import reading

TEMPLATE = "shoes/keep.html"
Kind = DeckMove.Kind


@dataclass(frozen=True, slots=True)
class Movement:
    """`asks`: what the form has beside the decks: `reason`, `incident`, `second` (a second person's password)
    or `seals` (a new seal for each deck)."""

    name: str
    act: str
    kind: str
    title: Promise
    help: Promise
    rules: tuple[str, ...]
    asks: tuple[str, ...]
    write: Callable[[HttpRequest], object]
    risk: bool = False


def _plain(write: Callable[..., object]) -> Callable[[HttpRequest], object]:
    return lambda request: write(serials=reading.scanned(request), by=by_of(request))


def _hold(request: HttpRequest) -> object:
    incident = chosen(_open_incidents(request), request, "incident")
    return store.hold(serials=reading.scanned(request), incident=incident, by=by_of(request))


def _withdraw(request: HttpRequest) -> object:
    second = reading.second_person(request)
    return store.withdraw(serials=reading.scanned(request), with_=second, by=by_of(request))


def _release(request: HttpRequest) -> object:
    second = reading.second_person(request)
    return store.release(serials=reading.scanned(request), with_=second, by=by_of(request))


def _reseal(request: HttpRequest) -> object:
    seals = reading.pairs(request)
    return store.reseal(seals=seals, with_=reading.second_person(request), by=by_of(request))


MOVEMENTS = (
    Movement(
        "deck-give-back",
        policies.KEEP,
        Kind.GIVEN_BACK,
        _("Devolver al depósito"),
        _("Barajas entregadas que no se usaron; la que se abrió vuelve sin precinto."),
        ("CARD-04",),
        (),
        _plain(store.give_back),
    ),
    Movement(
        "deck-quarantine",
        policies.KEEP,
        Kind.QUARANTINED,
        _("Poner en cuarentena"),
        _("Precinto roto o que no coincide, o cualquier duda: se aparta hasta inspeccionarla."),
        ("CARD-03", "CARD-15"),
        ("reason",),
        _plain(store.quarantine),
    ),
    Movement(
        "deck-withdraw",
        policies.KEEP,
        Kind.WITHDRAWN,
        _("Retirar"),
        _("Gastada o fuera de uso: va a un sobre que firman dos y se guarda completa hasta anularla."),
        ("CARD-15", "CARD-44", "CARD-45"),
        ("reason", "second"),
        _withdraw,
        risk=True,
    ),
    Movement(
        "deck-cancel",
        policies.DESTROY,
        Kind.CANCELLED,
        pgettext_lazy("baraja", "Anular"),
        _("Barajas retiradas que esperan su destrucción con acta."),
        ("CARD-45",),
        (),
        _plain(store.cancel),
        risk=True,
    ),
    Movement(
        "deck-hold",
        policies.HOLD,
        Kind.HELD,
        _("Retener por investigación"),
        _("Se guardan intactas: ni se reutilizan ni se anulan hasta liberarlas."),
        ("CARD-45",),
        ("incident",),
        _hold,
    ),
    Movement(
        "deck-release",
        policies.RELEASE,
        Kind.RELEASED,
        _("Liberar de una investigación"),
        _("Terminada la investigación quedan retiradas. Firman dos personas."),
        ("CARD-45", "GEN-10"),
        ("reason", "second"),
        _release,
    ),
    Movement(
        "deck-reseal",
        policies.KEEP,
        Kind.SEALED,
        _("Precintar otra vez"),
        _("Barajas completas del depósito que quedaron sin precinto, ante dos personas."),
        ("CARD-03", "GEN-10"),
        ("seals", "second"),
        _reseal,
    ),
)
BY_NAME = {movement.name: movement for movement in MOVEMENTS}


@sensitive_post_parameters("second_password")
def move(request: HttpRequest, movement: str) -> HttpResponse:
    """The page of one movement."""
    what = BY_NAME[movement]
    if request.method != "POST":
        return render(request, TEMPLATE, _form(request, what))
    try:
        what.write(request)
    except SabotError as refusal:
        return refused(request, TEMPLATE, _form(request, what), refusal)
    count = len(reading.pairs(request) if "seals" in what.asks else reading.scanned(request))
    moved = ngettext("%(n)s baraja", "%(n)s barajas", count) % {"n": count}
    messages.success(request, f"{what.title}: {moved}")
    return redirect("store")


def offered(request: HttpRequest) -> list[Movement]:
    """The movements this person may make, for the menu of the store."""
    return [movement for movement in MOVEMENTS if permissions.may(user_of(request), movement.act)]


def offered_for(request: HttpRequest, deck: Deck) -> list[Movement]:
    """Those that a deck may make now."""
    return [movement for movement in offered(request) if deck.state in states_for(movement)]


def states_for(what: Movement) -> set[str]:
    """The states a deck may be in for a movement of the store: its shoe's count and its end come first."""
    held_back = {Deck.State.IN_SHOE.value, *([] if what.kind == Kind.HELD else [Deck.State.RETURNED.value])}
    return {str(state) for state in MOVES[what.kind][0]} - held_back


def _form(request: HttpRequest, what: Movement) -> dict[str, Any]:
    rows = Deck.objects.restrict(user_of(request), policies.READ).filter(state__in=states_for(what))
    if "seals" in what.asks:
        rows = rows.filter(seal="")
    return {
        "what": what,
        "offered": offered(request),
        "waiting": rows.order_by("serial")[:60],
        "waiting_count": rows.count(),
        "incidents": [
            (incident.pk, f"{incident.label} · {incident.subject_label}")
            for incident in _open_incidents(request)
        ],
        "serials": request.GET.get("serials", ""),
    }


def _open_incidents(request: HttpRequest) -> Any:
    return rows_of(Incident, request).filter(state=Incident.State.OPEN).order_by("-opened_at")
