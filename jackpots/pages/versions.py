"""Versions of a pool's parameters: drafted in a form, what they are worth beside it; approved, withdrawn."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from audits import filings
from audits.by import By
from audits.models import Filing
from audits.pages.answers import by_of, one, refused, user_of
from casino.kernel import permissions
from casino.kernel.errors import SabotError
from jackpots import analysing, naming, policies, scheme, seeing, versions
from jackpots import filings as asked
from jackpots.models import Pool, PoolVersion
from jackpots.odds import Worth
from jackpots.pages import scheme_form
from jackpots.pages.finding import done, pool_of
from tables.models import Staff
from tables.pages.cage_forms import form_number

FORM, SHOWN = "jackpots/version_form.html", "jackpots/version.html"


def draft(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of new parameters; `do=analyse` tells what they are worth and writes nothing (PP-23)."""
    pool = pool_of(request, pk)
    exponent = pool.casino.exponent
    if request.method != "POST":
        return render(request, FORM, _form(request, pool))
    if request.POST.get("do") in scheme_form.MORE:
        return render(request, FORM, _form(request, pool) | {"given": request.POST})
    if request.POST.get("do") == "analyse":
        try:
            params = scheme_form.read(request, exponent)
            worth = analysing.analyse(params=params, played=analysing.played_at(pool), by=by_of(request))
        except SabotError as refusal:
            return refused(request, FORM, _form(request, pool), scheme_form.beside(refusal, request))
        shown = _form(request, pool) | {"worth": worth, "given": request.POST}
        shown["counted_for"] = analysing.counted_for(pool)
        return render(request, FORM, shown | {"analysed": scheme.read(params)})

    def act(by: By) -> None:
        try:
            versions.draft_version(pool=pool, params=scheme_form.read(request, exponent), by=by)
        except SabotError as refusal:
            raise scheme_form.beside(refusal, request) from None

    return done(request, FORM, lambda: _form(request, pool), act, "pool", pk)


def _form(request: HttpRequest, pool: Pool) -> dict[str, Any]:
    base = None if pool.version is None else scheme.read(pool.version.params)
    boxes = scheme_form.filled(base, pool.casino.exponent)
    if request.method == "POST":
        boxes = {name: str(value) for name, value in request.POST.items()}
    return {
        "pool": pool,
        "boxes": boxes,
        "levels": scheme_form.level_rows(boxes),
        "reserves": scheme_form.reserve_rows(boxes),
        "more": (scheme_form.MOST_LEVELS, scheme_form.MOST_RESERVES),
        "prizes": scheme_form.prize_rows(),
        "names": scheme_form.BOXES,
        "kinds": list(naming.KINDS.items()),
        "policies": list(naming.POLICIES.items()),
        "reseeds": list(naming.RESEED.items()),
        "form_number": form_number(request),
    }


def show(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A version in words, with its approvals, its filing and what it is worth."""
    return render(request, SHOWN, _context(request, _version(request, pk, number)))


def approve(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """One's department approves it (PP-30)."""
    version = _version(request, pk, number)

    def act(by: By) -> None:
        versions.approve_version(version=version, department=request.POST.get("department", ""), by=by)

    return _done(request, version, act)


def withdraw(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """It is not pursued."""
    version = _version(request, pk, number)

    def act(by: By) -> None:
        versions.withdraw_version(version=version, by=by)

    return _done(request, version, act)


def ask_again(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Another filing about it is drafted; it is presented and decided on its own page."""
    version = _version(request, pk, number)
    drafted: list[Filing] = []
    answer = _done(request, version, lambda by: drafted.append(versions.ask_again(version=version, by=by)))
    return redirect("filing", drafted[0].pk) if drafted and answer.status_code == 302 else answer


def _done(request: HttpRequest, version: PoolVersion, act: Any) -> HttpResponse:
    pk, number = version.pool_id, version.number
    return done(
        request,
        SHOWN,
        lambda: _context(request, _version(request, pk, number)),
        act,
        "pool-version",
        pk,
        number,
    )


def _version(request: HttpRequest, pk: int, number: int) -> PoolVersion:
    rows = PoolVersion.objects.filter(pool=pool_of(request, pk))
    rows = rows.select_related("pool__casino", "author", "filing")
    found: PoolVersion = one(rows, number=number)
    return found


def _context(request: HttpRequest, version: PoolVersion) -> dict[str, Any]:
    pool = version.pool
    actor = user_of(request).actor
    theirs = permissions.departments(actor) - {one.department for one in version.approvals.all()}
    return {
        "pool": pool,
        "version": version,
        "told": seeing.told(version, pool.casino.exponent),
        "approvals": version.approvals.select_related("actor").order_by("pk"),
        "may_approve": bool(theirs) and permissions.may(actor, policies.APPROVE),
        "missing": max(0, versions.APPROVERS - version.approvals.count()),
        "departments": _departments(request),
        "filings": seeing.version_filings(version),
        "may_ask": version.state in versions.ASKED_FOR and not seeing.goes_on(version),
        "filing_kind": filings.kinds()[asked.SCHEME],
        "digest": versions.digest(version),
        "worth": _worth(version),
        "counted_for": analysing.counted_for(version.pool),
        "form_number": form_number(request),
    }


def _departments(request: HttpRequest) -> list[tuple[str, str]]:
    """For which departments whoever looks may approve, where they work in several."""
    mine = sorted(permissions.departments(user_of(request).actor))
    named = dict(Staff.Department.choices)
    return [(one, str(named[one])) for one in mine] if len(mine) > 1 else []


def _worth(version: PoolVersion) -> Worth:
    """What it is worth at the pool's tables."""
    return analysing.worth_of(version.params, analysing.played_at(version.pool))
