"""The cage at its desk: sell, redeem, exchange; receipts, printed and voided."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits.pages.answers import by_of, one, page_of, refused, rows_of, user_of
from casino.kernel.errors import SabotError
from shoes.pages.reading import second_person
from tables.models import CageDesk, CageOperation, CageTransfer, Slip
from tables.money import cage, cage_seeing, customers, taxes
from tables.money.cage_settings import cage_of
from tables.money.orphans import masked
from tables.pages import cage_forms as forms

DESK, LIST, RECEIPT = "tables/cage/desk.html", "tables/cage/receipts.html", "tables/cage/receipt.html"
ACTS = ("sell", "redeem", "exchange")


def start(request: HttpRequest) -> HttpResponse:
    """The desks; straight to it where there is one."""
    found = list(forms.desks(request))
    if len(found) == 1:
        return redirect("cage-desk", found[0].number)
    states = [{"desk": desk, **cage_seeing.holding(desk, user_of(request))} for desk in found]
    return render(request, "tables/cage/desks.html", {"desks": states})


def desk(request: HttpRequest, number: int) -> HttpResponse:
    """One desk: what it holds, to who does not count it; the three operations, its last receipts."""
    return render(request, DESK, _context(request, _desk(request, number), request.GET.get("do", "sell")))


def total(request: HttpRequest, number: int) -> HttpResponse:
    """What the boxes of a sale add up to, the IPJ on it and the change, while it is typed."""
    return render(request, "tables/cage/_total.html", _total(request))


def sell(request: HttpRequest, number: int) -> HttpResponse:
    held = _desk(request, number)
    try:
        made = cage.sell_chips(
            desk=held,
            price=forms.amount(request, "price"),
            chips_given=forms.typed(request),
            means=request.POST.get("means", ""),
            tendered=forms.amount_or_none(request, "tendered"),
            **_customer(request),
            by=forms.by_form(request),
        )
    except SabotError as refusal:
        return _refused(request, held, "sell", refusal)
    return _done(request, made)


def redeem(request: HttpRequest, number: int) -> HttpResponse:
    held = _desk(request, number)
    try:
        made = cage.redeem_chips(
            desk=held, chips_taken=forms.typed(request), by=forms.by_form(request), **_customer(request)
        )
    except SabotError as refusal:
        return _refused(request, held, "redeem", refusal)
    return _done(request, made)


def exchange(request: HttpRequest, number: int) -> HttpResponse:
    held = _desk(request, number)
    try:
        made = cage.exchange_chips(
            desk=held,
            chips_taken=forms.typed(request),
            chips_given=forms.typed(request, forms.GIVEN),
            by=forms.by_form(request),
        )
    except SabotError as refusal:
        return _refused(request, held, "exchange", refusal)
    return _done(request, made)


def _customer(request: HttpRequest) -> dict[str, Any]:
    """Who stands at the counter, where it was typed."""
    return {name: request.POST.get(name, "") for name in ("customer", "document")}


def _refused(request: HttpRequest, held: CageDesk, do: str, refusal: SabotError) -> HttpResponse:
    """The form again; or the receipt that the same form made before (a second click is no second sale)."""
    if refusal.code == "sent_twice":
        return redirect("cage-receipt", refusal.detail["id"])
    return refused(request, DESK, _context(request, held, do), refusal)


def _done(request: HttpRequest, made: CageOperation) -> HttpResponse:
    messages.success(request, _("%(receipt)s registrado") % {"receipt": made.label})
    return redirect("cage-receipt", made.pk)


def receipts(request: HttpRequest) -> HttpResponse:
    """Every receipt, newest first, by day, kind or desk."""
    rows = _receipts(request)
    day, kind = request.GET.get("day", "").strip(), request.GET.get("kind", "")
    found = forms.day_of(day)
    if day:
        rows = rows.filter(day__date=found) if found else rows.none()
    if kind in CageOperation.Kind.values:
        rows = rows.filter(kind=kind)
    flagged = request.GET.get("flagged") == "1"
    if flagged:
        rows = rows.filter(flagged=True)
    context = {
        "page": page_of(request, rows),
        "kinds": CageOperation.Kind.choices,
        "kind": kind,
        "day": day,
        "flagged": flagged,
    }
    return render(request, LIST, context)


def show(request: HttpRequest, pk: int) -> HttpResponse:
    """One receipt, as it is printed."""
    return render(request, RECEIPT, _receipt(request, pk))


@sensitive_post_parameters("second_password")
def void(request: HttpRequest, pk: int) -> HttpResponse:
    """Reverse a receipt, with a second person's password (GEN-10)."""
    context = _receipt(request, pk)
    try:
        second = second_person(request, "second")
        made = cage.void_receipt(operation=context["receipt"], approved_by=second, by=by_of(request))
    except SabotError as refusal:
        return refused(request, RECEIPT, context, refusal)
    return _done(request, made)


def _desk(request: HttpRequest, number: int) -> CageDesk:
    found: CageDesk = one(forms.desks(request), number=number)
    return found


def _context(request: HttpRequest, held: CageDesk, do: str) -> dict[str, Any]:
    holding = cage_seeing.holding(held, user_of(request))
    stock = holding["stock"]
    waiting = CageTransfer.objects.filter(desk=held, state=CageTransfer.State.REQUESTED).count()
    return {
        "desk": held,
        "desks": list(forms.desks(request)),
        **holding,
        "stock": [(value, stock[value], value * stock[value]) for value in sorted(stock, reverse=True)],
        "do": do if do in ACTS else "sell",
        "form_number": forms.form_number(request),
        "lines": forms.chip_boxes(request),
        "given_lines": forms.chip_boxes(request, forms.GIVEN),
        "means": CageOperation.Means.choices,
        "last": _receipts(request).filter(desk=held)[:8],
        "waiting": waiting,
        "slips": Slip.objects.filter(desk=held, state=Slip.State.REQUESTED).count(),
        **_total(request),
    }


def _total(request: HttpRequest) -> dict[str, Any]:
    """What was typed so far adds up to; `identify`: it comes to REC-13's threshold and nobody is named."""
    worth, on_top = forms.so_far(request), cage_of(user_of(request).casino).ipj_on_top
    tax = taxes.ipj(worth).tax
    due = worth + (tax if on_top else 0)
    return {
        "worth": worth,
        "tax": tax,
        "on_top": on_top,
        "due": due,
        "given_worth": forms.so_far(request, forms.GIVEN),
        "price": forms.read_or_none(request, "price"),
        "change": _change(request, due),
        "identify": _identify(request, due),
    }


def _change(request: HttpRequest, due: int) -> int | None:
    tendered = forms.read_or_none(request, "tendered")
    return None if tendered is None or not due else tendered - due


def _identify(request: HttpRequest, due: int) -> bool:
    cash = request.POST.get("means", CageOperation.Means.CASH.value) == CageOperation.Means.CASH
    if not due or not cash or request.POST.get("document", "").strip():
        return False
    least = customers.threshold(by_of(request))
    return least is not None and due >= least


def _receipt(request: HttpRequest, pk: int) -> dict[str, Any]:
    found: CageOperation = one(_receipts(request), pk=pk)
    return {
        "receipt": found,
        "out": forms.in_lines(found.chips_out),
        "taken": forms.in_lines(found.chips_in),
        "reversed": CageOperation.objects.filter(reverses=found).first(),
        "document": masked(found.document),
        "base": found.tax and taxes.ipj(found.amount).base,
    }


def _receipts(request: HttpRequest) -> QuerySet[CageOperation]:
    return rows_of(CageOperation, request).select_related(
        "casino", "desk", "day", "made_by", "approved_by", "reverses"
    )
