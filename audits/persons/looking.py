"""Who looked at whom: one row for each page, answer or file that showed somebody's data.

A room says once which of its addresses show whom (`shows`); the middleware writes the row after the answer
was made, in one statement that waits for nothing. A list is one row with how many it named, and whom; a
report also says which it was, of which period and filters. What opens a name anywhere else (an event in
words) is noted as it happens (`naming`). The same people, thing, address and minute are one row: a page that
refreshes itself is one look; another page or another report within the minute is another.

What shows people their own data only (one's own post, one's own tips) is not registered. An answer that was
refused, or that says nothing has changed, showed nobody.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.db import DatabaseError, connection, transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch

from audits.models import Export, ExportNames, PersonLook
from audits.persons import kinds, naming
from audits.reports import registry
from casino.kernel import clock, ids
from casino.kernel.words import Text, same
from casino.models import Casino, User
from casino.place import rows_shown

log = logging.getLogger(__name__)

LIST = ""
REPORT, TRAIL = "report", "event"
Label = Callable[[Casino, int], str | None]


@dataclass(frozen=True, slots=True)
class Shown:
    """What an address shows: the kind of whom, the name of their id in the address (`LIST`: several).

    `also`: whom else a row of the list names, by kind the value that holds their number.
    """

    kind: str
    key: str = "pk"
    methods: tuple[str, ...] = ("GET",)
    also: Mapping[str, str] = field(default_factory=dict)


_places: dict[str, Shown] = {}
_subjects: dict[str, tuple[Text, Label]] = {}
_reports: set[str] = set()


def register_subject(code: str, name: Text, label: Label) -> None:
    """A kind of person that is shown and has no period of its own here (staff, logins)."""
    _subjects[code] = (name, label)


def shows(
    address: str,
    kind: str,
    key: str = "pk",
    *,
    methods: tuple[str, ...] = ("GET",),
    also: Mapping[str, str] | None = None,
) -> None:
    """That an address shows the data of people of a kind."""
    _places[address] = Shown(kind, key, methods, also or {})


def report_shows(*identifiers: str) -> None:
    """That these reports name players."""
    _reports.update(identifiers)


def register_logins() -> None:
    """The ground floor's own: who may enter."""
    register_subject("user", Text("usuario", "login"), _login)
    register_subject(REPORT, Text("reporte", "report"), lambda _casino, _pk: None)
    register_subject(TRAIL, Text("hecho del rastro", "event of the trail"), lambda _casino, _pk: None)
    report_shows("audits.bundle")
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
    return {
        code: kind_name(code) for code in sorted({shown.kind for shown in _places.values()} | {REPORT, TRAIL})
    }


def label_of(casino: Casino, code: str, pk: int) -> str:
    known = kinds.holdable().get(code)
    label: Label | None = known.label if known else _subjects[code][1] if code in _subjects else None
    return (label(casino, pk) if label else None) or f"{code} {pk}"


@dataclass(frozen=True, slots=True)
class Look:
    """What a row says: whom, by which page or file. `named` None: it may have been anybody."""

    place: str
    kind: str
    subject_id: int | None = None
    label: str = ""
    named: list[str] | None = None
    report: str = ""
    about: str = ""

    @property
    def mark(self) -> str:
        said = "\0".join([self.report, self.about, *(self.named if self.named is not None else ["*"])])
        return hashlib.sha256(said.encode()).hexdigest()[:16]


class Looks:
    """Writes the row once the answer is there; inside `AccessMiddleware`'s reach nothing is shown unasked."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with naming.collecting() as names:
            response = self.get_response(request)
        match = request.resolver_match
        if response.status_code == 200 and match is not None:
            found = _found(request, response, match, names)
            if found is not None:
                _keep(request, found)
        return response


def _found(
    request: HttpRequest, response: HttpResponse, match: ResolverMatch, names: naming.Names
) -> Look | None:
    """What the answer showed, None where it named nobody. A label is looked up later where it is empty."""
    name, values = str(match.view_name)[:80], match.kwargs
    shown = _places.get(name)
    if shown is not None and request.method in shown.methods:
        value = values.get(shown.key) if shown.key else None
        if value is not None:
            names.add(shown.kind, int(value))
            return Look(name, shown.kind, int(value), named=names.told())
        return Look(name, shown.kind, named=_listed(request, response, shown, names))
    if request.method == "GET" and name in _FILES:
        return _file(name, values["pk"])
    if request.method == "GET" and name in _SCREENS:
        return _screen(request, name, values["identifier"], names)
    # Nothing registered: an event in words, wherever it stands.
    return Look(name, TRAIL, named=names.told()) if names.found or names.everyone else None


def _listed(
    request: HttpRequest, response: HttpResponse, shown: Shown, names: naming.Names
) -> list[str] | None:
    rows = rows_shown(request, response)
    if rows is None:
        return None
    for row in rows:
        pk = _value(row, "pk") or _value(row, "id")
        if pk is None:
            return None
        names.add(shown.kind, pk)
        for kind, key in shown.also.items():
            other = _value(row, key)
            if other is not None:
                names.add(kind, other)
    return names.told()


def _value(row: Any, key: str) -> int | None:
    """A number of a row: of a stored one, or of one the API answers, where it may stand in another's."""
    if not isinstance(row, Mapping):
        return getattr(row, key, None)
    inner = row.get(key.removesuffix("_id"))
    found = inner.get("id") if isinstance(inner, Mapping) else row.get(key)
    return int(found) if found is not None else None


_FILES = {"export-file", "api:export-file"}
_SCREENS = {"report-view", "report-events"}
_OF_A_SCREEN = ("section", "page", "row", "of")
"""What of an address says which part of a report was shown."""


def _screen(request: HttpRequest, place: str, identifier: str, names: naming.Names) -> Look | None:
    told = names.told()
    if identifier not in _reports and told == []:
        return None
    report = registry.get(identifier)
    asked = [*report.form.base_fields, *_OF_A_SCREEN]
    given = [(name, value) for name in asked for value in request.GET.getlist(name) if value]
    return Look(place, REPORT, None, report.title.es, told, identifier, urlencode(given)[:300])


def _file(place: str, pk: int) -> Look | None:
    """A file handed out: whom it names was told when it was made (`ExportNames`), and stays there."""
    export = Export.objects.filter(pk=pk).first()
    if export is None:
        return None
    kept = ExportNames.objects.filter(export=export).first()
    if export.report not in _reports and (kept is None or kept.named == []):
        return None
    known = registry.registered().get(export.report)
    params = [(name, value) for name, value in sorted(export.params.items())]
    about = urlencode([*params, ("format", export.format), ("export", export.pk)], doseq=True)[:300]
    title = known.title.es if known else export.report
    return Look(place, REPORT, export.pk, title, kept.named if kept else None, export.report, about)


_INSERT = """
INSERT INTO audits_personlook
    (casino_id, at, minute, actor_id, kind, subject_id, label, shown, named, report, about, mark, place,
     request)
SELECT a.casino_id, %(at)s, %(minute)s, a.id, %(kind)s, %(subject)s, %(label)s, %(shown)s,
    %(named)s::varchar(40)[], %(report)s, %(about)s, %(mark)s, %(place)s, %(request)s
FROM audits_actor a WHERE a.user_id = %(user)s
ON CONFLICT DO NOTHING
"""


def _keep(request: HttpRequest, look: Look) -> None:
    user: Any = request.user
    if not user.is_authenticated or connection.needs_rollback:
        return
    # One statement is a transaction of its own; within somebody's it must not spoil theirs.
    alone = transaction.atomic() if connection.in_atomic_block else nullcontext()
    try:
        with alone, connection.cursor() as cursor:
            cursor.execute(_INSERT, _row(user, look))
    except DatabaseError:
        log.exception("a look at %s %s not kept", look.kind, look.subject_id)


def _row(user: User, look: Look) -> dict[str, Any]:
    at, pk = clock.now(), look.subject_id
    named = look.label or (label_of(user.casino, look.kind, pk) if pk is not None else "")
    one = pk is not None and look.kind != REPORT
    return {
        "at": at, "minute": at.replace(second=0, microsecond=0), "user": user.pk, "kind": look.kind,
        "subject": pk, "label": named[:120], "place": look.place, "request": ids.new_request_id(),
        "shown": None if one or look.named is None else len(look.named),
        # Of a file the names stand once, with the export.
        "named": None if pk is not None and look.kind == REPORT else look.named,
        "report": look.report, "about": look.about, "mark": look.mark,
    }  # fmt: skip


# ---- who looked at one ---------------------------------------------------------------------------------


def at(rows: QuerySet[PersonLook], kind: str, pk: int) -> QuerySet[PersonLook]:
    """Of these looks, those that showed one: by a page of theirs, in a list, on a report, in its file; and
    those of which nobody can say more than that it may have (too many, or of before it was kept)."""
    one = naming.key(kind, pk)
    files = ExportNames.objects.filter(Q(named__contains=[one]) | Q(named=None)).values("export")
    told = ExportNames.objects.values("export")
    return rows.filter(
        Q(kind=kind, subject_id=pk)
        | Q(named__contains=[one])
        | Q(kind=REPORT, subject_id__in=files)
        | Q(kind=REPORT, subject_id__isnull=False, named=None) & ~Q(subject_id__in=told)
        | Q(subject_id=None, named=None)
    )


def may_be_anybody(look: PersonLook) -> bool:
    """Whether a look of several cannot say whom."""
    if look.kind != REPORT or look.subject_id is None:
        return look.subject_id is None and look.named is None
    return look.shown is None
