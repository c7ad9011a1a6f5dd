"""The list of what is asked before a table opens, live beside the form that opens it: red blocks."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict

from audits.pages.answers import by_of, one, rows_of, unless_changed, user_of
from casino.kernel import clock
from shoes import queries as shoe_queries
from shoes.models import Shoe
from tables import policies, preflight
from tables.models import Staff, Table
from tables.pages.counts import PREFIX

MOST_PAYERS = 10


def show(request: HttpRequest, name: str) -> HttpResponse:
    """The list as the form stands (`GET` carries its fields); 304 while it reads the same."""
    tables = Table.objects.restrict(user_of(request), policies.READ_FLOOR).select_related("casino")
    table = one(tables, name=name.upper())
    return unless_changed(request, "tables/_preflight.html", context(request, table, request.GET))


def context(request: HttpRequest, table: Table, given: QueryDict) -> dict[str, Any]:
    """What `_preflight.html` reads, for the choices made so far; what is not chosen is asked in general."""
    people = _crew(request, given)
    chips = _chips(given)
    checks = preflight.check(
        table,
        clock.now(),
        crew=people,
        shoe=_shoe(request, table, given.get("shoe", "")),
        chips=chips if people else None,
        by=by_of(request) if hasattr(request.user, "actor") else None,
    )
    return {
        "checks": checks,
        "blocked": any(check.red for check in checks),
        "fine": sum(check.level is preflight.Level.GREEN for check in checks),
        "warned": any(check.level is preflight.Level.AMBER for check in checks),
    }


def _crew(request: HttpRequest, given: QueryDict) -> preflight.Crew | None:
    dealer, supervisor = (_person(request, given.get(field, "")) for field in ("dealer", "supervisor"))
    if dealer is None or supervisor is None:
        return None
    payers = [_person(request, given.get(f"payer_{n}", "")) for n in range(1, MOST_PAYERS + 1)]
    return preflight.Crew(dealer, supervisor, [person for person in payers if person is not None])


def _person(request: HttpRequest, given: str) -> Staff | None:
    pk = _number(given)
    return None if pk is None else rows_of(Staff, request).filter(pk=pk).first()


def _shoe(request: HttpRequest, table: Table, given: str) -> Shoe | None:
    pk = _number(given)
    return (
        None if pk is None else shoe_queries.ready_shoes(user_of(request), table.game).filter(pk=pk).first()
    )


def _chips(given: QueryDict) -> dict[int, int] | None:
    """The count as far as it is typed; None while nothing is."""
    found = {}
    for name in given:
        value, many = _number(name.removeprefix(PREFIX)), _number(given.get(name, ""))
        if name.startswith(PREFIX) and value is not None and many is not None:
            found[value] = many
    return found or None


def _number(given: str) -> int | None:
    given = given.strip()
    return int(given) if given.isascii() and given.isdigit() and len(given) < 19 else None
