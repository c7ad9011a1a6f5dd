"""The act of a closed auction: as a PDF, as the record a program verifies, and signed by two people."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits.pages.answers import one, refused, user_of
from audits.reports import document, get
from audits.reports.formats import pdf
from casino.kernel.errors import SabotError
from shoes.pages.reading import second_person
from tables.bank import acts
from tables.models import Auction
from tables.pages import auctions
from tables.reports.auction_act import AuctionAct
from tables.seeing import sessions_seen_by


def paper(request: HttpRequest, pk: int) -> HttpResponse:
    """The act to be read and signed by hand, in the language of the page."""
    auction = _closed(request, pk)
    report, params = get(AuctionAct.identifier), {"auction": auction}
    language = "en" if (get_language() or "").startswith("en") else "es-bo"
    made = document.prepare(report, auction.casino, params, language)
    with tempfile.TemporaryDirectory(prefix="sabot-act-") as folder:
        path = Path(folder) / "act.pdf"
        pdf.write(made, path, lambda _rows: None)
        response = HttpResponse(path.read_bytes(), content_type="application/pdf")
    return _kept_out_of_caches(response, f"{report.file_stem(params)}.pdf", "inline")


def record(request: HttpRequest, pk: int) -> HttpResponse:
    """The act as `verify_act.py` reads it."""
    auction = _closed(request, pk)
    shown = {"ensure_ascii": False, "indent": 2}
    response = JsonResponse(acts.act_of(auction), json_dumps_params=shown)
    return _kept_out_of_caches(response, f"acta-{auction.label}.json", "attachment")


@sensitive_post_parameters("second_password")
def sign(request: HttpRequest, pk: int) -> HttpResponse:
    """Whoever is signed in and another person, by password, sign it."""
    if request.method != "POST":
        return redirect("auction", pk)
    auction = auctions.auction_of(request, pk)
    try:
        beside = second_person(request, "second")  # before the write: a wrong password stays counted
    except SabotError as refusal:
        return refused(request, auctions.PAGE, auctions.context_of(request, auction), refusal)

    def act(by: Any) -> None:
        acts.sign_act(auction=auction, with_=beside, by=by)

    return auctions.write(request, auction, act, said=_("Se registró: acta firmada por dos personas"))


def _closed(request: HttpRequest, pk: int) -> Auction:
    """A closed auction of a session this login may read; 404 while it is open, when it has no act yet."""
    seen = Auction.objects.filter(session__in=sessions_seen_by(user_of(request)))
    found: Auction = one(acts.for_act(seen.exclude(state=Auction.State.OPEN)), pk=pk)
    return found


def _kept_out_of_caches(response: HttpResponse, name: str, how: str) -> HttpResponse:
    response.headers["Content-Disposition"] = f'{how}; filename="{name}"'
    response.headers["Cache-Control"] = "private, no-store"
    return response
