"""The money behind the desks: transfers with the vault, counts of a drawer, funds, how the cage is set."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits.pages.answers import by_of, changed, chosen, one, page_of, refused, rows_of, user_of, whole
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from shoes.pages.reading import second_person
from tables.models import CageCount, CageDesk, CageTransfer, FundMove, TableSession
from tables.money import cage_counts, cage_settings, drawer, funds, transfers
from tables.pages import cage_forms as forms
from tables.queries import POST_NAMES

TRANSFERS, COUNT = "tables/cage/transfers.html", "tables/cage/count.html"
FUNDS, SETTINGS = "tables/cage/funds.html", "tables/cage/settings.html"

# ---- transfers ------------------------------------------------------------------------------------


def transfer_list(request: HttpRequest) -> HttpResponse:
    """Transfers, those that wait first; POST asks for one."""
    if request.method != "POST":
        return render(request, TRANSFERS, _transfers(request))
    try:
        made = transfers.request_transfer(
            desk=chosen(forms.desks(request), request, "desk"),
            direction=request.POST.get("direction", ""),
            chips_moved=forms.typed(request),
            cash=forms.typed(request, forms.CASH),
            by=forms.by_form(request),
        )
    except SabotError as refusal:
        if refusal.code != "sent_twice":
            return refused(request, TRANSFERS, _transfers(request), refusal)
        made = one(rows_of(CageTransfer, request), pk=refusal.detail["id"])
    messages.success(request, _("%(label)s pedido: lo acepta otra persona") % {"label": made.label})
    return redirect("transfers")


def accept(request: HttpRequest, pk: int) -> HttpResponse:
    return _end(request, pk, transfers.accept_transfer, _("%(label)s aceptado"))


def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    return _end(request, pk, transfers.cancel_transfer, _("%(label)s anulado; conserva su número"))


def _end(request: HttpRequest, pk: int, command: Any, said: str) -> HttpResponse:
    held: CageTransfer = one(rows_of(CageTransfer, request).select_related("desk", "casino"), pk=pk)
    try:
        command(transfer=held, by=by_of(request))
    except SabotError as refusal:
        return refused(request, TRANSFERS, _transfers(request) | {"about": held}, refusal)
    messages.success(request, said % {"label": held.label})
    return redirect("transfers")


def _transfers(request: HttpRequest) -> dict[str, Any]:
    rows = rows_of(CageTransfer, request).select_related("desk", "requested_by", "closed_by")
    waiting = [
        {"slip": row, "chips": forms.in_lines(row.chips), "cash": forms.in_lines(row.cash)}
        for row in rows.filter(state=CageTransfer.State.REQUESTED).order_by("requested_at", "pk")
    ]
    found = list(forms.desks(request))
    return {
        "form_number": forms.form_number(request),
        "waiting": waiting,
        "page": page_of(request, rows.exclude(state=CageTransfer.State.REQUESTED)),
        "desks": [(desk.pk, desk.name) for desk in found],
        "desk": found[0].pk if len(found) == 1 else None,
        "directions": CageTransfer.Direction.choices,
        "lines": forms.chip_boxes(request),
        "cash_lines": forms.cash_boxes(request),
    }


# ---- counts ---------------------------------------------------------------------------------------


@sensitive_post_parameters("second_password")
def count(request: HttpRequest, number: int) -> HttpResponse:
    """Count a desk, by two; what there should be is not shown to who counts (FLOOR-05)."""
    held: CageDesk = one(forms.desks(request), number=number)
    if request.method != "POST":
        return render(request, COUNT, _count(request, held))
    try:
        made = cage_counts.count_desk(
            desk=held,
            moment=request.POST.get("moment", ""),
            chips_counted=forms.typed(request),
            cash=forms.typed(request, forms.CASH),
            with_=second_person(request, "second"),
            by=forms.by_form(request),
        )
    except SabotError as refusal:
        if refusal.code != "sent_twice":
            return refused(request, COUNT, _count(request, held), refusal)
        made = one(rows_of(CageCount, request), pk=refusal.detail["id"])
    if made.incident is not None:
        messages.warning(request, _("Hay diferencia: se abrió %(label)s") % {"label": made.incident.label})
    else:
        messages.success(request, _("Arqueo registrado"))
    return redirect("cage-count", held.number)


def _count(request: HttpRequest, held: CageDesk) -> dict[str, Any]:
    rows = (
        rows_of(CageCount, request).filter(desk=held).select_related("counted_by", "counted_with", "incident")
    )
    moment = CageCount.Moment
    offered = [moment.CHECK, moment.CLOSING] if drawer.is_open(held) else [moment.OPENING]
    return {
        "form_number": forms.form_number(request),
        "desk": held,
        "page": page_of(request, rows, 12),
        "moments": [(one.value, one.label) for one in offered],
        "moment": offered[-1].value,
        "lines": forms.chip_boxes(request),
        "cash_lines": forms.cash_boxes(request),
    }


# ---- funds ----------------------------------------------------------------------------------------


@sensitive_post_parameters("second_password")
def fund_list(request: HttpRequest) -> HttpResponse:
    """What the house has to pay with, and each movement of it; POST records one, signed by two."""
    if request.method != "POST":
        return render(request, FUNDS, _funds(request))
    try:
        second = second_person(request, "second")
        _move(request, second)
    except SabotError as refusal:
        if refusal.code != "sent_twice":
            return refused(request, FUNDS, _funds(request), refusal)
    messages.success(request, _("Movimiento de fondos firmado"))
    return redirect("funds")


def _move(request: HttpRequest, with_: Any) -> None:
    kind = request.POST.get("kind", "")
    about = {"document": request.POST.get("document", ""), "with_": with_, "by": forms.by_form(request)}
    if kind == FundMove.Kind.DROP:
        funds.carry_drop(session=chosen(_uncarried(request), request, "session"), **about)
        return
    commands: dict[str, Callable[..., FundMove]] = {
        FundMove.Kind.CAPITAL.value: funds.bring_capital,
        FundMove.Kind.WITHDRAWAL.value: funds.withdraw_capital,
        FundMove.Kind.IPJ.value: funds.pay_ipj,
        FundMove.Kind.IPJ_BANK.value: partial(funds.pay_ipj, source=funds.IN_BANK),
        FundMove.Kind.FROM_BANK.value: funds.bring_from_bank,
        FundMove.Kind.TO_BANK.value: funds.take_to_bank,
    }
    if kind not in commands:
        raise Refused(Text("elija de la lista", "choose from the list"), code="unknown_kind", field="kind")
    commands[kind](amount=forms.amount(request, "amount"), **about)


def stop(request: HttpRequest) -> HttpResponse:
    """The house cannot pay: every open table stops (FLOOR-15)."""
    try:
        told = funds.stop_for_funds(by=by_of(request))
    except SabotError as refusal:
        return refused(request, FUNDS, _funds(request), refusal)
    messages.warning(request, _("El juego se detuvo; envíe el aviso de %(label)s") % {"label": told.label})
    return redirect("incident", told.pk)


def _uncarried(request: HttpRequest) -> Any:
    rows = rows_of(TableSession, request).filter(drop__gt=0, drop_carried=None)
    return rows.select_related("table", "day").order_by("day__date", "table__name", "number")


def _funds(request: HttpRequest) -> dict[str, Any]:
    rows = rows_of(FundMove, request).select_related(
        "signed_by", "signed_with", "session__table", "session__day"
    )
    return {
        "form_number": forms.form_number(request),
        "state": funds.state(user_of(request).casino),
        "page": page_of(request, rows),
        "kinds": FundMove.Kind.choices,
        "kind": FundMove.Kind.CAPITAL.value,
        "sessions": [(row.pk, row.label) for row in _uncarried(request)[:60]],
        "open_tables": rows_of(TableSession, request).filter(state__in=TableSession.LIVE).count(),
    }


# ---- settings -------------------------------------------------------------------------------------


def settings(request: HttpRequest) -> HttpResponse:
    """Who bears the IPJ, how long orphans wait, points by post."""
    if request.method != "POST":
        return render(request, SETTINGS, _settings(request))
    try:
        cage_settings.set_cage(
            ipj_on_top=request.POST.get("ipj_on_top") != "no",
            orphan_days=whole(request, "orphan_days"),
            tip_points={post: whole(request, f"points_{post}") for post in cage_settings.POINTS},
            by=by_of(request),
        )
    except SabotError as refusal:
        return refused(request, SETTINGS, _settings(request), refusal)
    return changed(request, "settings-cage")


def _settings(request: HttpRequest) -> dict[str, Any]:
    stored = cage_settings.cage_of(user_of(request).casino)
    points = cage_settings.points_of(stored)
    return {
        "stored": stored,
        "ways": [("yes", _("además del precio")), ("no", _("dentro del precio, a cargo de la casa"))],
        "way": "yes" if stored.ipj_on_top else "no",
        "points": [(f"points_{post}", POST_NAMES[post], points[post]) for post in points],
    }
