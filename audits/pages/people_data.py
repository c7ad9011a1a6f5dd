"""People's data: how long each kind is kept, what is held, what is over; and who looked at whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from audits import policies
from audits.by import name_of
from audits.models import Actor, ErasureOrder, LegalHold, PersonLook
from audits.models.persons import LEAST_YEARS
from audits.pages.answers import by_of, chosen, page_of, refused, rows_of, user_of, whole
from audits.pages.coverage import asked_days
from audits.persons import erasing, holds, kinds, looking, retention
from audits.persons import report as looks_report
from audits.reports import registered
from audits.sign_in import vouch
from casino.kernel import permissions
from casino.kernel.errors import SabotError
from casino.kernel.words import same

TEMPLATE = "audits/people_data.html"
FORMS = ("period", "hold", "lift", "order")
"""One form at a time: which one is in the address."""
SHOWN_ORDERS = 20


def listing(request: HttpRequest) -> HttpResponse:
    return render(request, TEMPLATE, _context(request))


def period(request: HttpRequest) -> HttpResponse:
    """Set the years of a kind."""

    def act() -> str:
        retention.set_period(
            kind=request.POST.get("kind", ""), years=whole(request, "years"), by=by_of(request)
        )
        return _("Plazo fijado")

    return _done(request, act, "period")


def hold(request: HttpRequest) -> HttpResponse:
    """Put a legal hold."""

    def act() -> str:
        made = holds.put_hold(
            kind=request.POST.get("kind", ""),
            subject_id=whole(request, "subject"),
            document=request.POST.get("document", ""),
            by=by_of(request),
        )
        return _("Retención %(name)s puesta") % {"name": made.name}

    return _done(request, act, "hold")


@sensitive_post_parameters("second_password")
def lift(request: HttpRequest) -> HttpResponse:
    """Lift a hold; the second person signs with their own password (GEN-10)."""

    def act() -> str:
        found = chosen(rows_of(LegalHold, request), request, "hold")
        holds.lift_hold(hold=found, second=_second(request), by=by_of(request))
        return _("Retención %(name)s levantada") % {"name": found.name}

    return _done(request, act, "lift")


@sensitive_post_parameters("second_password")
def order(request: HttpRequest) -> HttpResponse:
    """Order that what is over its period becomes pseudonyms; two sign, a job carries it out."""

    def act() -> str:
        kind = kinds.kind_of(request.POST.get("kind", ""), among=kinds.erasable())
        made = erasing.order_erasure(kind=kind.code, second=_second(request), by=by_of(request))
        return _("Orden %(name)s dada: se cumple en segundo plano") % {"name": made.name}

    return _done(request, act, "order")


def looks(request: HttpRequest) -> HttpResponse:
    """Who looked at whom, newest first; of one person with `kind` and `number`."""
    casino = user_of(request).casino
    first, last = asked_days(request, casino)
    kind, number = request.GET.get("kind", "")[:20], request.GET.get("number", "").strip()[:18]
    who = request.GET.get("who", "").strip()[:80]
    params = {"first": first, "last": last, "kind": kind, "number": int(number) if _whole(number) else None}
    rows = looks_report.looks(casino, params).select_related("actor").order_by("-at", "-id")
    if who:
        rows = rows.filter(actor__name__icontains=who)
    page = page_of(request, rows)
    asked = {"kind": kind, "number": number, "who": who}
    context = {
        "page": page,
        "rows": [_look(look) for look in page],
        "asked": asked,
        "first": first,
        "last": last,
        "kinds": looking.kind_names().items(),
        "query": urlencode({"first": first, "last": last, **{k: v for k, v in asked.items() if v}}) + "&",
    }
    return render(request, "audits/people_looks.html", context)


def _whole(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _look(look: PersonLook) -> dict[str, Any]:
    said = looks_report.named(look) if look.subject_id is None or look.kind == looking.REPORT else None
    return {
        "look": look,
        "who": name_of(look.actor),
        "kind": looking.kind_name(look.kind),
        "named": same(said) if isinstance(said, str) else said,
        "about": _about(look),
        "one": look.subject_id is not None and look.kind != looking.REPORT,
    }


def _about(look: PersonLook) -> str:
    """Period, filters and page of a report, under the labels of its form."""
    report = registered().get(look.report)
    fields = report.form.base_fields if report else {}
    labels = {name: str(field.label) for name, field in fields.items() if field.label}
    labels |= {
        "page": _("página"), "section": _("parte"), "row": _("fila"), "format": _("formato"),
        "export": _("exportación"),
    }  # fmt: skip
    return " · ".join(f"{labels.get(name, name)}: {value}" for name, value in parse_qsl(look.about))


def _done(request: HttpRequest, act: Callable[[], str], part: str) -> HttpResponse:
    try:
        messages.success(request, act())
    except SabotError as refusal:
        return refused(request, TEMPLATE, _context(request) | {"part": part}, refusal)
    return redirect("people-data")


def _second(request: HttpRequest) -> Actor:
    """Who signs beside, by password; before the write, so that a wrong one is counted and not rolled back."""
    return vouch(
        request=request,
        username=request.POST.get("second", ""),
        password=request.POST.get("second_password", ""),
        field="second",
        casino=user_of(request).casino,
    ).actor


def _context(request: HttpRequest) -> dict[str, Any]:
    user = user_of(request)
    return {
        "part": request.GET.get("do", "") if request.GET.get("do") in FORMS else "",
        "preset": {name: request.GET.get(name, "")[:20] for name in ("kind", "number", "hold")},
        "liftable": [(one.pk, same(f"{one.name} · {one.label}")) for one in holds.live(user.casino)],
        "kinds": [_kind(user.casino, code, kind) for code, kind in kinds.erasable().items()],
        "erasable": [(code, kind.name) for code, kind in kinds.erasable().items()],
        "holdable": list(kinds.labels()),
        "holds": [
            (one, looking.kind_name(one.kind), name_of(one.put_by))
            for one in holds.live(user.casino).select_related("put_by")
        ],
        "orders": [_order(one) for one in _orders(request)],
        "least": LEAST_YEARS,
        "may_act": permissions.may(user, policies.SET_RETENTION),
    }


def _kind(casino: Any, code: str, kind: kinds.Kind) -> dict[str, Any]:
    free, held = erasing.over(casino, code)
    return {
        "code": code, "kind": kind, "years": retention.years_of(casino, code), "over": len(free),
        "held": len(held), "before": retention.before(casino, retention.years_of(casino, code)),
    }  # fmt: skip


def _orders(request: HttpRequest) -> list[ErasureOrder]:
    rows = rows_of(ErasureOrder, request).select_related("ordered_by", "second", "ended").order_by("-id")
    return list(rows[:SHOWN_ORDERS])


def _order(one: ErasureOrder) -> tuple[ErasureOrder, Any, int, Any, Any]:
    done = one.pseudonyms.count()
    return one, looking.kind_name(one.kind), done, name_of(one.ordered_by), name_of(one.second)
