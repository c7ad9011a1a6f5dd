"""Meter readings, and the nightly proof of a pool: what did not match, and the incidents that explain it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language

from audits.by import By
from audits.pages.answers import one, page_of
from casino.kernel import clock
from casino.kernel.errors import Refused
from casino.kernel.words import Text, same
from jackpots import naming, proving, reading, saying, seeing
from jackpots.comparing import CODES
from jackpots.models import Difference, MeterReading, Pool, PoolMove, Proof
from jackpots.pages.finding import done, pool_of
from tables.pages.cage_forms import amount, form_number

READINGS, LISTING, SHOWN = (f"jackpots/{name}.html" for name in ("readings", "proofs", "proof"))


def readings(request: HttpRequest, pk: int) -> HttpResponse:
    """What meters were read to show; POST enters one (PP-29)."""
    pool = pool_of(request, pk)

    def context() -> dict[str, Any]:
        rows = MeterReading.objects.filter(pool=pool).select_related("noted_by", "event")
        levels = seeing.levels_of(pool)
        return {
            "pool": pool,
            "page": page_of(request, rows.order_by("-pk")),
            "levels": [(fund.code, naming.fund(fund.code)) for fund in levels],
            "first": levels[0].code if levels else "",
            "form_number": form_number(request),
        }

    if request.method != "POST":
        return render(request, READINGS, context())

    def act(by: By) -> None:
        level, units = request.POST.get("level", ""), amount(request, "amount")
        made = reading.read_meter(pool=pool, level=level, amount=units, by=by)
        if (off := reading.said(made)) is not None:
            messages.warning(request, off.say(get_language()))

    return done(request, READINGS, context, act, "pool-readings", pk)


def listing(request: HttpRequest, pk: int) -> HttpResponse:
    """The pool's proofs, the latest first; POST proves a day now."""
    pool = pool_of(request, pk)

    def context() -> dict[str, Any]:
        rows = Proof.objects.filter(pool=pool).order_by("-day")
        open_ = Difference.objects.filter(pool=pool, incident__state="open").select_related("incident")
        return {
            "pool": pool,
            "page": page_of(request, rows),
            "open": [(found, *_said(found, pool)) for found in open_.order_by("day", "pk")[:50]],
            "today": pool.casino.gaming_day(clock.now()),
            "form_number": form_number(request),
        }

    if request.method != "POST":
        return render(request, LISTING, context())

    def act(by: By) -> None:
        proving.prove(pool=pool, day=_day(request), by=by)

    answer = done(request, LISTING, context, act, "pool-proofs", pk)
    return redirect("pool-proof", pk, _day(request).isoformat()) if answer.status_code == 302 else answer


def show(request: HttpRequest, pk: int, day: str) -> HttpResponse:
    """One day's proof: each fund's account, and every difference with its incident."""
    pool = pool_of(request, pk)
    try:
        wanted = dt.date.fromisoformat(day)
    except ValueError:
        raise Http404 from None
    proof: Proof = one(Proof.objects.filter(pool=pool).select_related("event"), day=wanted)
    rows = Difference.objects.filter(pool=pool, day=wanted).select_related("incident").order_by("pk")
    context = {
        "pool": pool,
        "proof": proof,
        "funds": [_account(code, parts) for code, parts in proof.figures.get("funds", {}).items()],
        "readings": proof.figures.get("readings", []),
        "differences": [(row, *_said(row, pool)) for row in rows],
        "form_number": form_number(request),
    }
    return render(request, SHOWN, context)


def _said(row: Difference, pool: Pool) -> tuple[Text, Text, Text, Text]:
    """What differs, where, what it had to be and what it is, in words."""
    exponent = pool.casino.exponent
    due, there = (saying.figure(row.code, value, exponent) for value in (row.expected, row.found))
    return CODES.get(row.code, same(row.code)), saying.place(row.code, row.place), due, there


_ENDS = {
    "initial": Text("había al empezar", "there was at first"),
    "increments": Text("aportes", "contributions"),
}
_LAST = Text("hay al terminar", "there is at last")


def _account(code: str, parts: dict[str, dict[str, int]]) -> tuple[Text, list[tuple[Text, int, int]], int]:
    """A fund's account as lines: what, of the players, of the house; and what it comes to."""
    players, base = parts.get("players", {}), parts.get("base", {})
    kinds = {kind: same(str(words)) for kind, words in PoolMove.Kind.choices}
    names = [name for name in (*_ENDS, *kinds) if players.get(name) or base.get(name) or name == "initial"]
    lines = [((_ENDS | kinds)[name], players.get(name, 0), base.get(name, 0)) for name in names]
    lines.append((_LAST, players.get("final", 0), base.get("final", 0)))
    return naming.fund(code), lines, players.get("final", 0) + base.get("final", 0)


def _day(request: HttpRequest) -> dt.date:
    try:
        return dt.date.fromisoformat(request.POST.get("day", ""))
    except ValueError:
        raise Refused(
            Text("escriba una fecha, como 2026-11-29", "type a date, such as 2026-11-29"),
            code="bad_date",
            field="day",
        ) from None
