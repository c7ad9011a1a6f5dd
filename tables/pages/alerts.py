"""Alerts: what waits to be attended to, what was, and the reason of whoever attended."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from audits.by import name_of
from audits.pages.answers import by_of, one, page_of, refused, rows_of, user_of
from casino.kernel import clock, permissions
from casino.kernel.errors import SabotError
from tables.alerts import causes, keeping, policies
from tables.models import Alert

LISTING, TEMPLATE = "tables/alerts/list.html", "tables/alerts/alert.html"
WAITING = Q(acknowledged_at=None)


def listing(request: HttpRequest) -> HttpResponse:
    """Those that wait first, or all; POST acknowledges the ticked ones with one reason."""
    if request.method != "POST":
        return render(request, LISTING, _listing(request))
    ticked = [
        int(pk) for pk in request.POST.getlist("alert") if pk.isascii() and pk.isdigit() and len(pk) < 19
    ]
    chosen = list(rows_of(Alert, request).filter(pk__in=ticked[:200]))
    try:
        done = keeping.acknowledge(alerts=chosen, by=by_of(request))
    except SabotError as refusal:
        return refused(request, LISTING, _listing(request) | {"ticked": ticked}, refusal)
    said = ngettext("%(n)s aviso atendido", "%(n)s avisos atendidos", len(done)) % {"n": len(done)}
    messages.success(request, said)
    return redirect("alerts")


def show(request: HttpRequest, pk: int) -> HttpResponse:
    """One alert: a page, or the inside of the dialog when the floor asks; POST acknowledges it."""
    alert = one(_rows(request), pk=pk)
    context = {
        "alert": alert,
        "words": keeping.words_of(alert),
        "kind": causes.kind_name(alert.kind),
        "seen_by": name_of(alert.acknowledged_by) if alert.acknowledged_by else None,
        "may_acknowledge": permissions.may(user_of(request), policies.ACKNOWLEDGE),
        "minutes": int(((alert.cleared_at or clock.now()) - alert.raised_at).total_seconds() // 60),
    }
    if request.method != "POST":
        dialog = bool(request.headers.get("HX-Request"))
        return render(
            request, "tables/alerts/_alert.html" if dialog else TEMPLATE, context | {"dialog": dialog}
        )
    try:
        keeping.acknowledge(alerts=[alert], by=by_of(request))
    except SabotError as refusal:
        return refused(request, TEMPLATE, context, refusal)
    messages.success(request, _("Aviso atendido"))
    return redirect("floor")


def _rows(request: HttpRequest) -> QuerySet[Any]:
    return rows_of(Alert, request).select_related(
        "table", "session__table", "session__day", "acknowledged_by"
    )


def _listing(request: HttpRequest) -> dict[str, Any]:
    asked = {name: request.GET.get(name, "").strip()[:40] for name in ("state", "kind", "table")}
    rows = _rows(request)
    if asked["state"] != "all":
        rows = rows.filter(WAITING)
    if asked["kind"]:
        rows = rows.filter(kind=asked["kind"])
    if asked["table"]:
        rows = rows.filter(table__name__iexact=asked["table"])
    page = page_of(request, rows.order_by("-raised_at", "-pk"))
    query = urlencode({name: value for name, value in asked.items() if value})
    return {
        "page": page,
        "rows": [
            (
                alert,
                keeping.words_of(alert),
                causes.kind_name(alert.kind),
                name_of(alert.acknowledged_by) if alert.acknowledged_by else None,
            )
            for alert in page
        ],
        "asked": asked,
        "query": query + "&" if query else "",
        "kinds": sorted(causes.kinds().items()),
        "may_acknowledge": permissions.may(user_of(request), policies.ACKNOWLEDGE),
    }
