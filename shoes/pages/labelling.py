"""One scan box for everything that bears a label, and the labels themselves, to be printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from audits.pages.answers import refused, user_of
from casino.kernel.errors import NotFound
from casino.kernel.words import Text
from casino.models import User
from shoes import labels, policies
from shoes.models import Deck, Device, Shoe

MOST = 200
_ROOMS: dict[str, Any] = {labels.DECK: Deck, labels.SHOE: Shoe, labels.DEVICE: Device}


@dataclass(frozen=True, slots=True)
class Label:
    code: str
    name: str
    about: str

    @property
    def svg(self) -> str:
        return labels.svg(self.code)


def scan(request: HttpRequest) -> HttpResponse:
    """Go to the deck, the shoe or the machine whose code was read."""
    code = labels.read(request.GET.get("code", ""))
    if not code.name:
        return render(request, "shoes/scan.html", {"code": code})
    found = _address(user_of(request), code)
    if found is not None:
        return redirect(found)
    unknown = NotFound(
        Text(
            f"nada lleva el código «{code.name}»: lea una baraja, un sabot o una máquina de la casa",
            f"nothing bears the code “{code.name}”: scan a deck, a shoe or a machine of the house",
        ),
        code="unknown_code",
        field="code",
        rule="CARD-01",
    )
    return refused(request, "shoes/scan.html", {"code": code}, unknown)


def print_out(request: HttpRequest) -> HttpResponse:
    """Labels of what was chosen: a sheet of A4, or one by one for a label printer."""
    user = user_of(request)
    kind = request.GET.get("kind", labels.DECK)
    kind = kind if kind in labels.KINDS else labels.DECK
    wanted = "\n".join(request.GET.getlist("names")).splitlines()[:MOST]
    names = [labels.read(typed).name for typed in wanted if typed.strip()]
    made = _labels(user, kind, names, request.GET.get("batch", "").strip()[:40])
    context = {
        "kind": kind,
        "kinds": [(labels.DECK, _("Barajas")), (labels.SHOE, _("Sabots")), (labels.DEVICE, _("Equipos"))],
        "names": "\n".join(names),
        "batch": request.GET.get("batch", ""),
        "single": request.GET.get("sheet") == "single",
        "labels": made,
        "batches": Deck.objects.restrict(user, policies.READ)
        .order_by("batch")
        .values_list("batch", flat=True)
        .distinct()[:100],
    }
    return render(request, "shoes/labels.html", context)


def _labels(user: User, kind: str, names: list[str], batch: str) -> list[Label]:
    rows = _ROOMS[kind].objects.restrict(user, policies.READ)
    if kind == labels.SHOE:
        numbers = [number for number in map(_shoe_number, names) if number is not None]
        found = rows.filter(number__in=numbers).order_by("number")
        return [_label(kind, shoe.label, shoe.device) for shoe in found]
    if kind == labels.DEVICE:
        devices = rows.filter(active=True) if not names else rows.filter(number__in=names)
        return [_label(kind, one.number, str(one.get_kind_display())) for one in devices[:MOST]]
    decks = rows.filter(serial__in=names) if names else rows.filter(batch=batch) if batch else rows.none()
    return [
        _label(kind, deck.serial, f"{deck.batch} · {deck.back_colour}")
        for deck in decks.order_by("serial")[:MOST]
    ]


def _label(kind: str, name: str, about: str) -> Label:
    return Label(str(labels.Code(kind, name)), name, about)


def _address(user: User, code: labels.Code) -> str | None:
    """A name without its kind is looked for among decks first: those are what most labels are of."""
    for kind in [code.kind] if code.kind else labels.KINDS:
        rows = _ROOMS[kind].objects.restrict(user, policies.READ)
        if kind == labels.DECK:
            deck = rows.filter(serial=code.name).first()
            if deck is not None:
                return reverse("deck", args=[deck.pk])
        elif kind == labels.SHOE:
            shoe = rows.filter(number=_shoe_number(code.name) or 0).first()
            if shoe is not None:
                return reverse("shoe", args=[shoe.pk])
        elif rows.filter(number=code.name).exists():
            return reverse("devices") + "?" + urlencode({"number": code.name})
    return None


def _shoe_number(name: str) -> int | None:
    """`S-000041`, or the figures alone."""
    figures = name.upper().removeprefix("S-")
    return int(figures) if figures.isascii() and figures.isdigit() and len(figures) < 16 else None
