"""Gaming days: which are open, what holds those that could not be closed, and the seal of those that are."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from audits import closing, proof_standing
from audits.models import Seal, SealKey
from audits.pages.answers import by_of, one, page_of, refused, rows_of, user_of
from audits.sealing import publishing, symbol
from audits.sealing.sealing import why_waiting
from casino.kernel import clock
from casino.kernel.errors import SabotError
from casino.models import Casino, GamingDay


def listing(request: HttpRequest) -> HttpResponse:
    return render(request, "audits/days.html", _listing(request))


def show(request: HttpRequest, pk: int) -> HttpResponse:
    """One day: whether it is closed, and its seal with the QR code that its register prints."""
    day = one(rows_of(GamingDay, request), pk=pk)
    seal = _seal(day)
    shown: dict[str, Any] = {"day": day, "today": day.casino.gaming_day(clock.now()), "seal": seal}
    if seal is not None:
        text = publishing.qr_text(seal)
        shown |= {
            "root": bytes(seal.root).hex(),
            "previous_root": bytes(seal.previous_root).hex(),
            "signature": bytes(seal.signature).hex(),
            "public_key": bytes(seal.key.public_key).hex(),
            "qr": text,
            "symbol": symbol.svg(text),
        }
    elif day.state == GamingDay.State.CLOSED:
        shown["waits"] = why_waiting([day])[day.pk]
    return render(request, "audits/day.html", shown)


def seal_file(request: HttpRequest, pk: int) -> HttpResponse:
    """The signed document, the signature and the public key, as a file to keep outside."""
    day = one(rows_of(GamingDay, request), pk=pk)
    seal = _seal(day)
    if seal is None:
        raise Http404
    return _download(publishing.seal_file(seal), f"sello-{day.casino.code}-{day}.json")


def keys_file(request: HttpRequest) -> HttpResponse:
    """The public keys of every house here, for anybody who checks a seal."""
    houses = Casino.objects.filter(pk__in=SealKey.objects.values("casino")).order_by("code")
    return JsonResponse(
        [publishing.keys_file(casino) for casino in houses],
        safe=False,
        json_dumps_params={"ensure_ascii": False, "indent": 1},
    )


def close(request: HttpRequest, pk: int) -> HttpResponse:
    """Close a day that has ended, if nothing holds it; the nightly job does the same."""
    day = one(rows_of(GamingDay, request), pk=pk)
    try:
        day = closing.close_by_hand(day, by_of(request))
    except SabotError as refusal:
        return refused(request, "audits/days.html", _listing(request), refusal)
    if day.state == GamingDay.State.CLOSED:
        messages.success(request, _("Día %(day)s cerrado") % {"day": day})
    return redirect("days")


def _listing(request: HttpRequest) -> dict[str, Any]:
    casino = user_of(request).casino
    page = page_of(request, rows_of(GamingDay, request).select_related("seal", "casino"), 30)
    waiting = [day for day in page if day.state == GamingDay.State.CLOSED and not hasattr(day, "seal")]
    reasons = why_waiting(waiting)
    rows = [
        {
            "day": day,
            "root": bytes(day.seal.root).hex() if hasattr(day, "seal") else "",
            "waits": reasons.get(day.pk),
        }
        for day in page
    ]
    proved = proof_standing.last_night(casino)
    return {
        "page": page,
        "rows": rows,
        "today": casino.gaming_day(clock.now()),
        "nights": list(proof_standing.late(casino, clock.now())),
        "night": proved[0] if proved else None,
        "known": proved[1] if proved else [],
    }


def _seal(day: GamingDay) -> Seal | None:
    return Seal.objects.select_related("day", "key", "casino").filter(day=day).first()


def _download(told: dict[str, Any], name: str) -> HttpResponse:
    response = HttpResponse(
        json.dumps(told, ensure_ascii=False, indent=1) + "\n", content_type="application/json"
    )
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
