"""The inspection desk: decks to examine, shoes to count, one after the other, by scanner."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from audits.models import Incident
from audits.pages.answers import by_of, chosen, one, refused, user_of, whole
from casino.kernel.errors import Conflict, Refused, SabotError
from casino.kernel.words import Text
from shoes import cards, closing, examining, incidents, labels, policies, queries
from shoes.models import Deck, DeckInspection, Shoe
from shoes.pages import naming, reading

FAULTS = ("missing", "extra", "marked", "foreign", "damaged")
OPEN = (Deck.State.ISSUED, Deck.State.QUARANTINE, Deck.State.PASSED, Deck.State.HELD)
"""The states in which a deck may be examined."""
DESK, FORM, COUNT = "shoes/desk.html", "shoes/inspect.html", "shoes/count.html"


def desk(request: HttpRequest) -> HttpResponse:
    """The queue; a code that is scanned there leads to its deck's form."""
    typed = request.GET.get("code", "").strip()
    if not typed:
        return render(request, DESK, _queue(request))
    rows = Deck.objects.restrict(user_of(request), policies.READ)
    found = rows.filter(serial=labels.serial(typed)).first()
    if found is not None:
        return redirect(_form_of(request, found))
    unknown = Refused(
        Text(f"no hay baraja con serie {typed[:40]}", f"there is no deck with serial number {typed[:40]}"),
        code="unknown_deck",
        field="code",
        rule="CARD-01",
    )
    return refused(request, DESK, _queue(request), unknown)


def inspect(request: HttpRequest, pk: int) -> HttpResponse:
    """One deck examined by two people (CARD-14, CARD-15); then the next of the queue."""
    rows = Deck.objects.restrict(user_of(request), policies.READ).select_related("shoe", "incident")
    deck = one(rows, pk=pk)
    if request.method != "POST":
        return render(request, FORM, _form(request, deck))
    try:
        found = examining.inspect_deck(
            deck=deck,
            inspector=chosen(reading.hands(request), request, "inspector"),
            witness=chosen(reading.hands(request), request, "witness"),
            by=by_of(request),
            **_findings(request, deck),
        )
    except SabotError as refusal:
        return refused(request, FORM, _form(request, deck), refusal)
    said = _("Baraja %(serial)s apta") if found.passed else _("Baraja %(serial)s retirada")
    naming.tell(request, said % {"serial": deck.serial}, _opened(found))
    following = _next(request, deck)
    return redirect(_form_of(request, following) if following else reverse("desk"))


def count(request: HttpRequest, pk: int) -> HttpResponse:
    """The closing count of an ended shoe, deck by deck (CARD-43)."""
    shoe = one(Shoe.objects.restrict(user_of(request), policies.READ), pk=pk)
    if request.method != "POST":
        return render(request, COUNT, _count(request, shoe))
    try:
        closing.count_shoe(
            shoe=shoe,
            found={deck.serial: _counted(request, deck) for deck in closing.decks_of(shoe)},
            inspector=chosen(reading.hands(request), request, "inspector"),
            witness=chosen(reading.hands(request), request, "witness"),
            by=by_of(request),
        )
    except SabotError as refusal:
        context = _count(request, shoe) | {"refused_serial": str(refusal.detail.get("serial", ""))}
        return refused(request, COUNT, context, refusal)
    # A shoe is counted once; an incident that names what was found in its decks is that of its count.
    about = Incident.objects.filter(casino=shoe.casino_id, subject_type="shoe", subject_id=shoe.pk)
    opened = about.filter(facts__has_key="found").last()
    said = _("Recuento de %(shoe)s registrado") % {"shoe": shoe.label}
    naming.tell(request, said, opened)
    return redirect("desk")


# ---- reading the forms -------------------------------------------------------------------------------


def _findings(request: HttpRequest, deck: Deck) -> dict[str, Any]:
    """What the form says of one deck; `clean` says all of it was done and nothing was found."""
    faults: dict[str, Any] = {name: reading.cards(request, name) for name in FAULTS}
    order = "".join(request.POST.get("suit_order", "").replace(",", " ").split())
    if "clean" in request.POST:
        _require_none(faults)
        whole_deck = len(cards.deck_type(deck.deck_type).cards)
        return {
            "counted": whole_deck,
            "by_suit_shown": True,
            "backs_checked": True,
            "suit_order": order,
        }
    return {
        "counted": whole(request, "counted"),
        "by_suit_shown": "by_suit_shown" in request.POST,
        "backs_checked": "backs_checked" in request.POST,
        "suit_order": order,
        **faults,
    }


def _require_none(faults: dict[str, list[str]]) -> None:
    noted = next((name for name, listed in faults.items() if listed), None)
    if noted is not None:
        raise Conflict(
            Text(
                "hay fallas anotadas: fírmela con ellas, o bórrelas si no lo son",
                "faults are noted: sign it with them, or clear them if they are none",
            ),
            code="faults_noted",
            field=noted,
            rule="CARD-15",
        )


def _counted(request: HttpRequest, deck: Deck) -> dict[str, Any]:
    """One row of the closing count. Its fields bear the deck's id, since serial numbers hold anything."""
    at = f"-{deck.pk}"
    try:
        counted = whole(request, "counted" + at)
    except Refused as refusal:
        refusal.detail = {"serial": deck.serial}
        refusal.field = "counted"
        raise
    given: dict[str, Any] = {name: reading.cards(request, name + at) for name in FAULTS}
    given |= {"counted": counted, "by_suit_shown": True, "backs_checked": "backs" + at in request.POST}
    return given | {"seal": request.POST.get("seal" + at, "")}


# ---- what the pages show -----------------------------------------------------------------------------


def _queue(request: HttpRequest) -> dict[str, Any]:
    user = user_of(request)
    waiting = list(queries.decks_to_inspect(user)[:200])
    return {
        "to_inspect": [deck for deck in waiting if deck.state == Deck.State.ISSUED],
        "set_aside": [deck for deck in waiting if deck.state == Deck.State.QUARANTINE],
        "to_count": queries.shoes_to_count(user),
        "next": _next(request),
        "fit": queries.fit_decks(user).count(),
    }


def _form(request: HttpRequest, deck: Deck) -> dict[str, Any]:
    kind = cards.deck_type(deck.deck_type)
    people = list(reading.hands(request))
    return {
        "deck": deck,
        "open": deck.state in OPEN,
        "people": [(person.pk, person.name) for person in people],
        "me": next((person.pk for person in people if person.user_id == request.user.pk), ""),
        "witness": request.GET.get("witness", ""),
        "size": len(kind.cards),
        "suits": [(letter, suit.sign, suit.name, suit.red) for letter, suit in kind.suits.items()],
        "suit_order": request.GET.get("order", ""),
        "inspections": deck.inspections.select_related("deck", "inspector", "witness", "shoe"),
        "next": _next(request, deck),
        "left": queries.decks_to_inspect(user_of(request)).exclude(pk=deck.pk).count(),
    }


def _count(request: HttpRequest, shoe: Shoe) -> dict[str, Any]:
    people = list(reading.hands(request))
    rows = []
    for deck in closing.decks_of(shoe):
        given = {name: request.POST.get(f"{name}-{deck.pk}", "") for name in ("counted", "seal", *FAULTS)}
        backs = f"backs-{deck.pk}" in request.POST
        size = len(cards.deck_type(deck.deck_type).cards)
        rows.append({"deck": deck, "given": given, "backs": backs, "size": size})
    return {
        "shoe": shoe,
        "rows": rows,
        "people": [(person.pk, person.name) for person in people],
        "me": next((person.pk for person in people if person.user_id == request.user.pk), ""),
        "inspections": shoe.inspections.select_related("deck", "inspector", "witness").order_by("deck"),
    }


def _next(request: HttpRequest, after: Deck | None = None) -> Deck | None:
    """The next deck of the queue, one that lies where the last one lay if there is one."""
    rows = queries.decks_to_inspect(user_of(request)).filter(state=Deck.State.ISSUED)
    if after is None:
        return rows.first()
    rows = rows.exclude(pk=after.pk)
    return rows.filter(place=after.place).first() or rows.first()


def _form_of(request: HttpRequest, deck: Deck) -> str:
    """The form of a deck, with the witness and the order of suits of the one before."""
    given = request.POST or request.GET
    kept = {"witness": given.get("witness", ""), "order": given.get("suit_order", given.get("order", ""))}
    kept = {name: value[:12] for name, value in kept.items() if value}
    return reverse("deck-inspect", args=[deck.pk]) + (f"?{urlencode(kept)}" if kept else "")


def _opened(found: DeckInspection) -> Incident | None:
    """The incident an inspection opened, to be seen at once; a worn card opens none (CARD-44)."""
    if not (found.missing or found.extra or found.marked or found.foreign):
        return None
    about = Incident.objects.filter(casino=found.casino_id, subject_type="deck", subject_id=found.deck_id)
    return about.filter(kind=incidents.FAULT).order_by("pk").last()
