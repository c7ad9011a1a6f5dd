"""The slips of a table's opening and closing counts, as they are printed and signed (FLOOR-04, FLOOR-10)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audits.pages.answers import one, user_of
from tables import count_slips
from tables.models import ChipCount
from tables.seeing import sessions_seen_by


def opening(request: HttpRequest, pk: int) -> HttpResponse:
    """The float as counted when the session opened."""
    return _paper(request, pk, ChipCount.Moment.OPENING)


def closing(request: HttpRequest, pk: int) -> HttpResponse:
    """The float as counted when it closed; 404 until then."""
    return _paper(request, pk, ChipCount.Moment.CLOSING)


def _paper(request: HttpRequest, pk: int, moment: str) -> HttpResponse:
    rows = ChipCount.objects.filter(session__in=sessions_seen_by(user_of(request)).values("pk"))
    count = one(
        rows.select_related(
            "casino", "session__casino", "session__table", "session__day", "counted_by", "witnessed_by"
        ),
        session=pk,
        moment=moment,
    )
    slip = count_slips.slip_of(count)
    return render(
        request, "tables/slips/count.html", {"slip": slip, "count": count, "session": count.session}
    )
