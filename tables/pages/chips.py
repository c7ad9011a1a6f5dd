"""Where the house's chips are, on pages: by place, entries and counts; desks and sets as settings."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits.pages.answers import by_of, changed, one, page_of, refused, rows_of, user_of, whole
from casino.kernel import money
from casino.kernel.errors import SabotError
from casino.models import Casino
from shoes.pages.reading import second_person
from tables.models import CageDesk, ChipEntry, ChipSet, ChipStockCount
from tables.money import (
    cage_seeing,
    chip_counts,
    chip_entries,
    chip_homologation,
    chip_sets,
    desks,
    inventory,
)
from tables.pages import chip_lines

ENTRIES, COUNT = "tables/chips/entries.html", "tables/chips/count.html"
DESKS, SETS = "tables/chips/desks.html", "tables/chips/sets.html"
VERSIONS = 30


def stock(request: HttpRequest) -> HttpResponse:
    """Every place and what it has, by denomination; to who counts desks, without them (FLOOR-05)."""
    casino = user_of(request).casino
    found = inventory.stock(casino)
    if cage_seeing.blind(user_of(request)):
        found = {place: has for place, has in found.items() if not place.startswith(cage_seeing.DESKS)}
    names = inventory.names_of(casino, list(found))
    values = sorted({*casino.denominations, *(v for chips in found.values() for v in chips)}, reverse=True)
    order = sorted(found, key=_by_kind)
    context = {
        "kept": inventory.kept(casino),
        "values": values,
        "sets": chip_sets.sets_by_denomination(casino),
        "places": [
            {
                "name": inventory.place_name(place, names),
                "chips": [found[place].get(value, 0) for value in values],
                "total": sum(value * number for value, number in found[place].items()),
                "place": place,
            }
            for place in order
        ],
    }
    return render(request, "tables/chips/stock.html", context)


def _by_kind(place: str) -> tuple[int, int, str]:
    """Vault, desks by number, tables, the public, outside."""
    kind, _sign, which = place.partition(":")
    order = ("vault", "cage", "tray", "public", "outside")
    return (order.index(kind) if kind in order else len(order), int(which or 0), place)


@sensitive_post_parameters("second_password")
def entries(request: HttpRequest) -> HttpResponse:
    """Chips that came in or left for good; POST enters some, signed by two departments."""
    if request.method != "POST":
        return render(request, ENTRIES, _entries(request))
    try:
        with_ = second_person(request, "second")
        _enter(request, with_)
    except SabotError as refusal:
        return refused(request, ENTRIES, _entries(request), refusal)
    messages.success(request, _("Movimiento de fichas firmado"))
    return redirect("chip-entries")


def homologation(request: HttpRequest) -> HttpResponse:
    """Draft the homologation of a maker's chips, and show it (REC-09)."""
    try:
        made = chip_homologation.draft(
            maker=request.POST.get("maker", ""),
            chip_kind=request.POST.get("chip_kind", ""),
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, ENTRIES, _entries(request), refusal)
    messages.success(request, _("Trámite %(label)s redactado") % {"label": made.label})
    return redirect("filing", made.pk)


def _enter(request: HttpRequest, with_: Any) -> None:
    kind, by = request.POST.get("kind", ""), by_of(request)
    about: dict[str, Any] = {
        "chips": chip_lines.typed(request, by.casino),
        "document": request.POST.get("document", ""),
        "serials": request.POST.get("serials", ""),
        "with_": with_,
        "by": by,
    }
    party = request.POST.get("supplier", "")
    if kind == ChipEntry.Kind.RECEIVED:
        chip_entries.receive_chips(supplier=party, **about)
    else:
        chip_entries.retire_chips(kind=kind, destination=party, **about)


def _entries(request: HttpRequest) -> dict[str, Any]:
    casino = user_of(request).casino
    rows = rows_of(ChipEntry, request).select_related("signed_by", "signed_with")
    return {
        "page": page_of(request, rows),
        "kinds": ChipEntry.Kind.choices,
        "chip_kinds": ChipSet.Kind.choices,
        "kind": ChipEntry.Kind.RECEIVED.value,
        "lines": chip_lines.lines(request, casino),
        "plaques": any(one.kind == "plaque" for one in chip_sets.sets_by_denomination(casino).values()),
    }


@sensitive_post_parameters("second_password")
def count(request: HttpRequest) -> HttpResponse:
    """The counts of vault and desks; POST signs one. What there should be is not shown before."""
    if request.method != "POST":
        return render(request, COUNT, _counts(request))
    try:
        by = by_of(request)
        chip_counts.count_stock(
            place=request.POST.get("place", ""),
            chips=chip_lines.typed(request, by.casino, every=True),
            with_=second_person(request, "second"),
            by=by,
        )
    except SabotError as refusal:
        return refused(request, COUNT, _counts(request), refusal)
    messages.success(request, _("Recuento firmado"))
    return redirect("chip-count")


def _counts(request: HttpRequest) -> dict[str, Any]:
    casino = user_of(request).casino
    rows = rows_of(ChipStockCount, request).select_related("counted_by", "counted_with", "incident")
    page = page_of(request, rows, 20)
    places = [inventory.VAULT, *(desk.account for desk in _desks(casino))]
    names = inventory.names_of(casino, places)
    for found in page.object_list:
        found.place_words = inventory.place_name(found.place, names)
        found.off = [line for line in found.lines if line["expected"] != line["counted"]]
        for line in found.off:
            line["difference"] = line["counted"] - line["expected"]
    return {
        "page": page,
        "places": [(place, inventory.place_name(place, names)) for place in places],
        "place": request.GET.get("place", inventory.VAULT),
        "lines": chip_lines.lines(request, casino),
    }


def _desks(casino: Casino) -> Any:
    return CageDesk.objects.filter(casino=casino)


# ---- settings -----------------------------------------------------------------------------------------


def desk_list(request: HttpRequest) -> HttpResponse:
    """The desks of the cage; POST opens one."""
    context = {"desks": rows_of(CageDesk, request)}
    if request.method != "POST":
        return render(request, DESKS, context)
    try:
        _set_desk(request, None)
    except SabotError as refusal:
        return refused(request, DESKS, context, refusal)
    return changed(request, "settings-desks")


def desk(request: HttpRequest, pk: int) -> HttpResponse:
    """One desk and its history."""
    found = one(rows_of(CageDesk, request), pk=pk)
    context = {"desk": found, "versions": _versions(found)}
    if request.method != "POST":
        return render(request, "tables/chips/desk.html", context)
    try:
        _set_desk(request, found)
    except SabotError as refusal:
        return refused(request, "tables/chips/desk.html", context, refusal)
    return changed(request, "settings-desks")


def _set_desk(request: HttpRequest, found: CageDesk | None) -> None:
    desks.set_desk(
        number=found.number if found else whole(request, "number"),
        name=request.POST.get("name", ""),
        active="active" in request.POST or found is None,
        desk=found,
        by=by_of(request),
    )


def set_list(request: HttpRequest) -> HttpResponse:
    """The sets of chips and plaques; POST enters one."""
    context = {"sets": rows_of(ChipSet, request), **_set_context(request, None)}
    if request.method != "POST":
        return render(request, SETS, context)
    try:
        _set_chips(request, None)
    except SabotError as refusal:
        return refused(request, SETS, context, refusal)
    return changed(request, "settings-chips")


def chip_set(request: HttpRequest, pk: int) -> HttpResponse:
    """One set and its history."""
    found = one(rows_of(ChipSet, request), pk=pk)
    context = {"versions": _versions(found), **_set_context(request, found)}
    if request.method != "POST":
        return render(request, "tables/chips/set.html", context)
    try:
        _set_chips(request, found)
    except SabotError as refusal:
        return refused(request, "tables/chips/set.html", context, refusal)
    return changed(request, "settings-chips")


def _set_chips(request: HttpRequest, found: ChipSet | None) -> None:
    by = by_of(request)
    ticked = [text for text in request.POST.getlist("denominations") if text.isascii() and text.isdigit()]
    chip_sets.set_chip_set(
        name=request.POST.get("name", ""),
        kind=request.POST.get("kind", ""),
        marks=request.POST.get("marks", ""),
        denominations=[int(text[:15]) for text in ticked],
        active="active" in request.POST or found is None,
        chip_set=found,
        by=by,
    )


def _set_context(request: HttpRequest, found: ChipSet | None) -> dict[str, Any]:
    casino = user_of(request).casino
    ticked = (
        request.POST.getlist("denominations")
        if request.method == "POST"
        else [str(value) for value in (found.denominations if found else ())]
    )
    return {
        "chip_set": found,
        "kinds": ChipSet.Kind.choices,
        "kind": found.kind if found else ChipSet.Kind.CHIP.value,
        "offered": [
            (value, money.words(value, casino.exponent), str(value) in ticked)
            for value in sorted(casino.denominations)
        ],
    }


def _versions(found: CageDesk | ChipSet) -> Any:
    return found.history.select_related("history_user").order_by("-history_date")[:VERSIONS]
