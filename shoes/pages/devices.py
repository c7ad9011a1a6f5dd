"""Boxes and machines of the house, numbered (CARD-46)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits.pages.answers import by_of, changed, one, refused, rows_of
from casino.kernel.errors import SabotError
from shoes import devices
from shoes.models import Device, Shoe

LIST, FORM = "shoes/devices.html", "shoes/device.html"


def listing(request: HttpRequest) -> HttpResponse:
    """All of them; POST registers one."""
    if request.method == "POST":
        try:
            devices.set_device(**_given(request), by=by_of(request))
        except SabotError as refusal:
            return refused(request, LIST, _listing(request), refusal)
        return changed(request, "devices")
    return render(request, LIST, _listing(request))


def change(request: HttpRequest, pk: int) -> HttpResponse:
    device = one(rows_of(Device, request), pk=pk)
    context = {
        "device": device,
        "kinds": Device.Kind.choices,
        "versions": device.history.select_related("history_user")[:20],
    }
    if request.method != "POST":
        return render(request, FORM, context)
    try:
        devices.set_device(device=device, **_given(request), by=by_of(request))
    except SabotError as refusal:
        return refused(request, FORM, context, refusal)
    return changed(request, "devices")


def _given(request: HttpRequest) -> dict[str, Any]:
    words: dict[str, Any] = {
        name: request.POST.get(name, "").strip() for name in ("number", "kind", "maker", "serial")
    }
    return words | {"active": "active" in request.POST}


def _listing(request: HttpRequest) -> dict[str, Any]:
    rows = rows_of(Device, request).order_by("-active", "number")
    number = request.GET.get("number", "").strip()[:20]
    holding = Shoe.objects.filter(
        casino=request.user.casino_id,  # type: ignore[union-attr]
        state__in=[Shoe.State.LOADED, Shoe.State.READY, Shoe.State.IN_PLAY],
    ).exclude(device="")
    inside = {shoe.device: shoe for shoe in holding}
    shown = rows.filter(number=number) if number else rows
    return {
        "rows": [(device, inside.get(device.number)) for device in shown],
        "number": number,
        "kinds": Device.Kind.choices,
    }
