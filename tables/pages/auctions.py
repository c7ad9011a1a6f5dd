"""An auction that several people follow at once on their tablets, by keyboard or by touch.

The screen asks again within a second and is answered 304 while nothing changed; each answer carries Sabot's
own time, by which alone the time left is counted: what a tablet's clock says changes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language

from audits.by import By, by_system
from audits.pages.answers import one, refused, user_of
from casino.kernel import clock, permissions
from casino.kernel.errors import Refused, SabotError
from casino.kernel.words import Text
from tables.bank import auctions, bids, policies
from tables.bank.following import follow, stamp_of
from tables.bank.timekeeping import JOB
from tables.guests.admitting import on_record
from tables.models import Auction, SeatTaking
from tables.pages.cage_forms import amount, form_number
from tables.pages.sent_once import once_by_form
from tables.seeing import sessions_seen_by

PAGE, LIVE = "tables/bank/auction.html", "tables/bank/_auction.html"
NOW = "X-Sabot-Now"
"""Sabot's time in milliseconds since 1970, on every answer to a screen that follows."""


def show(request: HttpRequest, pk: int) -> HttpResponse:
    """The page of an auction."""
    return _stamped(render(request, PAGE, context_of(request, auction_of(request, pk))))


def live(request: HttpRequest, pk: int) -> HttpResponse:
    """The inner part alone; 304 while nobody bid and nothing else changed."""
    auction = auction_of(request, pk)
    etag = _etag(request, auction)
    unchanged = get_conditional_response(request, etag=etag)
    response = unchanged or render(request, LIVE, context_of(request, auction))
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "private, no-cache"
    return _stamped(response)


def bid(request: HttpRequest, pk: int) -> HttpResponse:
    """A bid as the table hears it: a seat and an amount, or several seats heard at once (BANK-26). Read, it
    leads to the auction, as the other acts do."""
    if request.method != "POST":
        return redirect("auction", pk)
    auction = auction_of(request, pk)

    def act(by: By) -> None:
        takings, much = _takings(request, auction), amount(request, "amount")
        if len(takings) == 1:
            bids.bid(auction=auction, taking=takings[0], amount=much, by=by)
        else:
            bids.bid_together(auction=auction, takings=takings, amount=much, by=by)

    return write(request, auction, act)


def close(request: HttpRequest, pk: int) -> HttpResponse:
    """Close an auction whose time is up. Any screen may ask; it is the clock that closes, so the house's job
    is noted and not whoever had the page open."""
    if request.method != "POST":
        return redirect("auction", pk)
    auction = auction_of(request, pk)
    job = by_system(auction.casino, JOB)

    def act(_by: By) -> None:
        auctions.close_auction(auction=auction, by=job)

    return write(request, auction, act, done="auction_closed")


def write(
    request: HttpRequest, auction: Auction, act: Callable[[By], object], *, done: str = "", said: str = ""
) -> HttpResponse:
    """Do it once; a screen that follows is answered the part that changes, a form its page. `done`: the code
    of a refusal that says somebody else did it already. `said`: what was recorded, for the page that follows.
    """
    refusal: SabotError | None = None
    try:
        with on_record():
            once_by_form(request, request.POST.get("form", ""), act)
    except SabotError as error:
        refusal = error if error.code != done else None
    auction = auction_of(request, auction.pk)
    if done and auction.closed_at is not None:
        refusal = None  # another screen was first, and this one waited for it
    context = context_of(request, auction)
    if request.headers.get("HX-Request"):
        shown = context | {"refusal": refusal}
        return _stamped(render(request, LIVE, shown, status=refusal.status if refusal else 200))
    if refusal is not None:
        return _stamped(refused(request, PAGE, context, refusal))
    if said:
        messages.success(request, said)
    return redirect("auction", auction.pk)


def _takings(request: HttpRequest, auction: Auction) -> list[SeatTaking]:
    """The players the form names by the seats they had when the auction opened."""
    given = request.POST.get("seats", "").replace(",", " ").split()
    places = {str(place.seat): place.taking for place in auction.places.select_related("taking")}
    if not given or any(seat not in places for seat in given):
        raise Refused(
            Text("elija el asiento de quien puja", "choose the seat of who bids"),
            code="not_chosen",
            field="seats",
        )
    return [places[seat] for seat in dict.fromkeys(given)]


def auction_of(request: HttpRequest, pk: int) -> Auction:
    seen = Auction.objects.filter(session__in=sessions_seen_by(user_of(request)))
    rows = seen.select_related(
        "session__table", "session__casino", "passage__left__holder", "passage__to__holder", "bank__holder",
        "winner__taking",
    )  # fmt: skip
    found: Auction = one(rows, pk=pk)
    return found


def _etag(request: HttpRequest, auction: Auction) -> str:
    user = user_of(request)
    seen = (auction.pk, stamp_of(auction), user.pk, sorted(user.role_codes), get_language())
    return f'"{hashlib.sha256(repr(seen).encode()).hexdigest()[:32]}"'


def _stamped(response: HttpResponse) -> HttpResponse:
    response.headers[NOW] = str(int(clock.now().timestamp() * 1000))
    return response


def context_of(request: HttpRequest, auction: Auction) -> dict[str, Any]:
    user = user_of(request)
    shown = follow(auction, clock.now())
    signed = {one.actor for one in shown.signatures}
    return {
        "shown": shown,
        "auction": auction,
        "session": auction.session,
        "table": auction.session.table,
        "may_bid": permissions.may(user, policies.BID),
        "may_close": permissions.may(user, policies.CLOSE_AUCTION),
        "may_sign": shown.signable
        and permissions.may(user, policies.SIGN_ACT)
        and getattr(user, "actor", None) not in signed,
        "may_run": permissions.may(user, policies.RUN_BANK),
        "form_number": form_number(request),
    }
