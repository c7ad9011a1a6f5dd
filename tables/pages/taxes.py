"""The taxes on a page: a month with its days, IPJ with its distribution, IJ on both bases (REC-02)."""

from __future__ import annotations

import calendar
import datetime as dt
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits.pages.answers import user_of
from casino.kernel import clock
from casino.models import Casino
from tables.money import tax_figures, taxes
from tables.money.tax_words import BASES


def show(request: HttpRequest) -> HttpResponse:
    """One month, and each of its days."""
    casino = user_of(request).casino
    first = _month(request.GET.get("month", ""), casino)
    month = tax_figures.of_month(casino, first.year, first.month)
    days = [
        {
            "day": day,
            "inputs": inputs,
            "ij": [taxes.ij(inputs, base) for base in taxes.bases()],
        }
        for day, inputs in tax_figures.inputs_by_day(casino, month.first, month.last).items()
    ]
    context: dict[str, Any] = {
        "month": month,
        "shown": f"{first:%Y-%m}",
        "first": first,
        "before": first - dt.timedelta(days=1),
        "after": first + dt.timedelta(days=calendar.monthrange(first.year, first.month)[1]),
        "bases": [
            {
                "code": code,
                "words": BASES[code],
                "taxed": month.ij[code],
                "due": code == (month.chosen or month.provision_base),
            }
            for code in taxes.bases()
        ],
        "days": days,
    }
    return render(request, "tables/cage/taxes.html", context)


def _month(text: str, casino: Casino) -> dt.date:
    """The month asked for, this one where it cannot be read."""
    try:
        found = dt.date.fromisoformat(f"{text}-01")
        if clock.EARLIEST.date() <= found < clock.LATEST.date() - dt.timedelta(days=31):
            return found
    except ValueError:
        pass
    return casino.gaming_day(clock.now()).replace(day=1)
