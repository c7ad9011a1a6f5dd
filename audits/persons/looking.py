"""Who looked at whom: one row for each page, answer or file that showed somebody's data.

A room says once which of its addresses show whom (`shows`); the middleware writes the row after the answer
was made, in one statement that waits for nothing. A list is one row with how many it named. The same person,
thing, address and minute are one row: a page that refreshes itself is one look.

What shows people their own data only (one's own post, one's own tips) is not registered. An answer that was
refused, or that says nothing has changed, showed nobody.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch

from audits.models import Export
from audits.persons import kinds
from audits.reports import registry
from casino.kernel import clock, ids
from casino.kernel.words import Text, same
from casino.models import Casino, User
from casino.place import rows_shown

log = logging.getLogger(__name__)

LIST = ""
Label = Callable[[Casino, int], str | None]


@dataclass(frozen=True, slots=True)
class Shown:
    """What an address shows: the kind of whom, the name of their id in the address (`LIST`: several)."""

    kind: str
    key: str = "pk"
    methods: tuple[str, ...] = ("GET",)


_places: dict[str, Shown] = {}
_subjects: dict[str, tuple[Text, Label]] = {}
_reports: set[str] = set()


def register_subject(code: str, name: Text, label: Label) -> None:
    """A kind of person that is shown and has no period of its own here (staff, logins)."""
    _subjects[code] = (name, label)


def shows(address: str, kind: str, key: str = "pk", *, methods: tuple[str, ...] = ("GET",)) -> None:
    """That an address shows the data of people of a kind."""
    _places[address] = Shown(kind, key, methods)


def report_shows(*identifiers: str) -> None:
    """That these reports name players."""
    _reports.update(identifiers)


def register_logins() -> None:
    """The ground floor's own: who may enter."""
    register_subject("user", Text("usuario", "login"), _login)
    for way in ("settings-users", "api:users"):
        shows(way, "user", LIST)
    for way in ("settings-user", "api:user"):
        shows(way, "user")


def _login(casino: Casino, pk: int) -> str | None:
    found = User.objects.filter(casino=casino, pk=pk).first()
    return found.name if found else None


def places() -> dict[str, Shown]:
    return dict(_places)


def kind_name(code: str) -> Text:
    """A kind as people read it."""
    if code in _subjects:
        return _subjects[code][0]
    known = kinds.holdable().get(code)
    return known.name if known else same(code)


def kind_names() -> dict[str, Text]:
    return {code: kind_name(code) for code in sorted({shown.kind for shown in _places.values()} | {"report"})}


def label_of(casino: Casino, code: str, pk: int) -> str:
    known = kinds.holdable().get(code)
    label: Label | None = known.label if known else _subjects[code][1] if code in _subjects else None
    return (label(casino, pk) if label else None) or f"{code} {pk}"


class Looks:
    """Writes the row once the answer is there; inside `AccessMiddleware`'s reach nothing is shown unasked."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        if response.status_code == 200 and match is not None:
            found = _found(request, match)
            if found is not None:
                _keep(request, response, str(match.view_name)[:80], *found)
        return response


def _found(request: HttpRequest, match: ResolverMatch) -> tuple[str, int | None, str] | None:
    """Kind, id and label of whom the address shows; the label is looked up later where it is empty."""
    name, values = str(match.view_name), match.kwargs
    shown = _places.get(name)
    if shown is not None and request.method in shown.methods:
        value = values.get(shown.key) if shown.key else None
        return shown.kind, int(value) if value is not None else None, ""
    return _report(name, values) if request.method == "GET" else None


_FILES = {"export-file", "api:export-file"}
_SCREENS = {"report-view", "report-events"}


def _report(name: str, values: dict[str, Any]) -> tuple[str, int | None, str] | None:
    if name in _SCREENS and values["identifier"] in _reports:
        return "report", None, registry.get(values["identifier"]).title.es
    if name not in _FILES:
        return None
    export = Export.objects.filter(pk=values["pk"], report__in=_reports).first()
    if export is None:
        return None
    known = registry.registered().get(export.report)
    return "report", export.pk, known.title.es if known else export.report


_INSERT = """
INSERT INTO audits_personlook
    (casino_id, at, minute, actor_id, kind, subject_id, label, shown, place, request)
SELECT a.casino_id, %(at)s, %(minute)s, a.id, %(kind)s, %(subject)s, %(label)s, %(shown)s, %(place)s,
    %(request)s
FROM audits_actor a WHERE a.user_id = %(user)s
ON CONFLICT DO NOTHING
"""


def _keep(
    request: HttpRequest, response: HttpResponse, place: str, kind: str, pk: int | None, label: str
) -> None:
    user: Any = request.user
    if not user.is_authenticated or connection.needs_rollback:
        return
    at = clock.now()
    # One statement is a transaction of its own; within somebody's it must not spoil theirs.
    alone = transaction.atomic() if connection.in_atomic_block else nullcontext()
    try:
        with alone, connection.cursor() as cursor:
            named = label or (label_of(user.casino, kind, pk) if pk is not None else "")
            values: dict[str, Any] = {
                "at": at, "minute": at.replace(second=0, microsecond=0), "user": user.pk, "kind": kind,
                "subject": pk, "label": named[:120], "place": place, "request": ids.new_request_id(),
                "shown": None if pk is not None else rows_shown(request, response),
            }  # fmt: skip
            cursor.execute(_INSERT, values)
    except DatabaseError:
        log.exception("a look at %s %s not kept", kind, pk)
