"""What the pools owe to players and nobody collected yet, by its age."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits.pages.answers import page_of, user_of
from casino.kernel import clock
from jackpots import owing

TEMPLATE = "jackpots/owed.html"


def listing(request: HttpRequest) -> HttpResponse:
    """The oldest first."""
    owed = owing.owed(user_of(request).casino, clock.now())
    return render(request, TEMPLATE, {"page": page_of(request, owed), "sum": sum(one.amount for one in owed)})
