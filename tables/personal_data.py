"""What the floor keeps of players, until when, and how each becomes a pseudonym; which addresses show whom.

Registered when the house starts (`audits.persons`). The rows are rewritten here and nowhere else: the
triggers let through nothing but a pseudonym that is on record (docs/people_data.md).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection

from audits.models import Pseudonym
from audits.persons import kinds, looking
from casino.kernel import locking
from casino.kernel.words import Text
from casino.models import Casino
from tables.guests import registering
from tables.models import CageOperation, Exclusion, Guest, Orphan, Staff


def _since(casino: Casino, before: dt.date) -> dt.datetime:
    """The first instant of a day of the house's own calendar."""
    return dt.datetime.combine(before, dt.time(), ZoneInfo(casino.zone))


def last_before(query: str, casino: Casino, kind: str, before: dt.date, only: int | None = None) -> list[int]:
    """The ids of a query that gives (id, last) of things by `casino`, last used before a day, no
    pseudonyms."""
    text = (
        f"SELECT id FROM ({query}) found WHERE last < %(instant)s AND NOT EXISTS (SELECT 1"  # noqa: S608
        " FROM audits_pseudonym p"
        " WHERE (p.casino_id, p.kind, p.subject_id) = (%(casino)s, %(kind)s, found.id))"
        f"{' AND id = %(only)s' if only is not None else ''} ORDER BY last, id"
    )
    values: dict[str, Any] = {
        "casino": casino.pk, "kind": kind, "before": before, "only": only, "instant": _since(casino, before),
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(text, values)
        return [int(pk) for (pk,) in cursor.fetchall()]


def put(query: str, pseudonym: Pseudonym) -> None:
    with connection.cursor() as cursor:
        cursor.execute(query, {"id": pseudonym.subject_id, "code": pseudonym.code})


def lock(model: type[Any], casino: Casino, pk: int) -> None:
    locking.taking(locking.Rank.SESSION)
    model.objects.select_for_update(of=("self",), no_key=True).filter(casino=casino).get(pk=pk)


class Guests(kinds.Kind):
    """A player's record and every version of it. The year of birth stays: the chain tells it, and it tells
    that no minor was seated (GEN-11)."""

    code = "guest"
    name = Text("jugador", "player")
    what = Text("nombre, documento, fecha de nacimiento, observación", "name, document, birth date, remark")
    why = Text(
        "no admitir a menores ni a excluidos (GEN-11)", "to admit neither minors nor the excluded (GEN-11)"
    )

    def label(self, casino: Casino, pk: int) -> str | None:
        found = Guest.objects.filter(casino=casino, pk=pk).first()
        return registering.shown(found) if found else None

    def due(self, casino: Casino, before: dt.date, only: int | None = None) -> Sequence[int]:
        return last_before(_GUESTS_LAST, casino, self.code, before, only)

    def hold(self, casino: Casino, pk: int) -> None:
        lock(Guest, casino, pk)

    def erase(self, pseudonym: Pseudonym) -> None:
        for table in ("tables_guest", "tables_historicalguest"):
            put(
                f"UPDATE {table} SET name = %(code)s, number = %(code)s, note = '',"  # noqa: S608
                " birth_date = date_trunc('year', birth_date)::date WHERE id = %(id)s",
                pseudonym,
            )
        put("UPDATE tables_exclusionmatch SET identity = %(code)s WHERE guest_id = %(id)s", pseudonym)


# Used last: registered or changed, seated, waiting, found on a list. Whoever sits, waits, is to be decided
# on, or was found on an entry that still holds, is not due.
_GUESTS_LAST = """
SELECT g.id, greatest(
    (SELECT max(h.history_date) FROM tables_historicalguest h WHERE h.id = g.id),
    (SELECT max(coalesce(upper(s.during), 'infinity')) FROM tables_seattaking s WHERE s.guest_id = g.id),
    (SELECT max(coalesce(w.ended_at, 'infinity')) FROM tables_waitingentry w WHERE w.guest_id = g.id),
    (SELECT max(CASE WHEN m.state = 'open' OR x.id IS NOT NULL AND m.state <> 'cleared' AND n.id IS NULL
                          AND (x.until IS NULL OR x.until >= %(before)s)
                     THEN 'infinity' ELSE greatest(m.found_at, m.decided_at) END)
     FROM tables_exclusionmatch m LEFT JOIN tables_exclusion x ON x.id = m.exclusion_id
     LEFT JOIN tables_exclusionend n ON n.exclusion_id = x.id WHERE m.guest_id = g.id)
) AS last
FROM tables_guest g WHERE g.casino_id = %(casino)s
"""


class Exclusions(kinds.Kind):
    """An entry of an exclusion list, from when it ended; one for good never is over."""

    code = "exclusion"
    name = Text("exclusión", "exclusion")
    what = Text("nombre, documento, fecha de nacimiento", "name, document, birth date")
    why = Text("hacer cumplir las listas de exclusión (GEN-11)", "to hold the exclusion lists (GEN-11)")

    def label(self, casino: Casino, pk: int) -> str | None:
        found = Exclusion.objects.filter(casino=casino, pk=pk).first()
        return found.label if found else None

    def due(self, casino: Casino, before: dt.date, only: int | None = None) -> Sequence[int]:
        return last_before(_EXCLUSIONS_LAST, casino, self.code, before, only)

    def hold(self, casino: Casino, pk: int) -> None:
        lock(Exclusion, casino, pk)

    def erase(self, pseudonym: Pseudonym) -> None:
        put(
            "UPDATE tables_exclusion SET name = CASE name WHEN '' THEN '' ELSE %(code)s END,"
            " number = CASE number WHEN '' THEN '' ELSE %(code)s END,"
            " birth_date = date_trunc('year', birth_date)::date WHERE id = %(id)s",
            pseudonym,
        )


_EXCLUSIONS_LAST = """
SELECT x.id, greatest(x.recorded_at,
    least(n.at, CASE WHEN x.until IS NOT NULL THEN (x.until + 1)::timestamp AT TIME ZONE c.zone END),
    (SELECT max(CASE m.state WHEN 'open' THEN 'infinity' ELSE greatest(m.found_at, m.decided_at) END)
     FROM tables_exclusionmatch m WHERE m.exclusion_id = x.id)) AS last
FROM tables_exclusion x JOIN casino_casino c ON c.id = x.casino_id
LEFT JOIN tables_exclusionend n ON n.exclusion_id = x.id
WHERE x.casino_id = %(casino)s AND (n.id IS NOT NULL OR x.until IS NOT NULL)
"""


class Receipts(kinds.Kind):
    """Who stood at the counter, where a receipt names them."""

    code = "receipt"
    name = Text("recibo de caja", "cage receipt")
    what = Text("nombre y documento del cliente", "the customer's name and document")
    why = Text(
        "sumar el efectivo de una persona y un día (REC-13)", "to add up a person's cash of a day (REC-13)"
    )

    def label(self, casino: Casino, pk: int) -> str | None:
        found = CageOperation.objects.filter(casino=casino, pk=pk).first()
        return found.label if found else None

    def due(self, casino: Casino, before: dt.date, only: int | None = None) -> Sequence[int]:
        query = (
            "SELECT r.id, r.at AS last FROM tables_cageoperation r"
            " WHERE r.casino_id = %(casino)s AND (r.customer <> '' OR r.document <> '')"
        )
        return last_before(query, casino, self.code, before, only)

    def hold(self, casino: Casino, pk: int) -> None:
        lock(CageOperation, casino, pk)

    def erase(self, pseudonym: Pseudonym) -> None:
        put(named_and_numbered("tables_cageoperation", "customer"), pseudonym)


class Orphans(kinds.Kind):
    """To whom chips that nobody claimed were given back."""

    code = "orphan"
    name = Text("ficha sin dueño devuelta", "unclaimed chips given back")
    what = Text("nombre y documento de quien la recibió", "name and document of who got them")
    why = Text("probar a quién se devolvió (FLOOR-16)", "to prove to whom they went (FLOOR-16)")

    def label(self, casino: Casino, pk: int) -> str | None:
        found = Orphan.objects.filter(casino=casino, pk=pk).first()
        return found.label if found else None

    def due(self, casino: Casino, before: dt.date, only: int | None = None) -> Sequence[int]:
        query = (
            "SELECT o.id, o.closed_at AS last FROM tables_orphan o"
            " WHERE o.casino_id = %(casino)s AND o.claimant <> ''"
        )
        return last_before(query, casino, self.code, before, only)

    def hold(self, casino: Casino, pk: int) -> None:
        lock(Orphan, casino, pk)

    def erase(self, pseudonym: Pseudonym) -> None:
        put(named_and_numbered("tables_orphan", "claimant"), pseudonym)


def named_and_numbered(table: str, name: str) -> str:
    return (
        f"UPDATE {table} SET {name} = CASE {name} WHEN '' THEN '' ELSE %(code)s END,"  # noqa: S608
        " document = CASE document WHEN '' THEN '' ELSE %(code)s END WHERE id = %(id)s"
    )


def _staff(casino: Casino, pk: int) -> str | None:
    found = Staff.objects.filter(casino=casino, pk=pk).first()
    return found.name if found else None


PAGES = (
    ("guest", ("guests", "api:guests"), ("guest", "api:guest")),
    ("exclusion", ("exclusions", "api:exclusions"), ("exclusion", "api:exclusion")),
    ("receipt", ("cage-receipts", "api:receipts"), ("cage-receipt", "api:receipt")),
    ("orphan", ("orphans", "api:orphans"), ("orphan", "api:orphan")),
    ("staff", ("settings-staff", "people", "api:staff", "api:staff-expiring"),
     ("settings-person", "people-one", "api:staff-one", "api:staff-certificates")),
)  # fmt: skip
"""By kind: the addresses that list several, and those that show one."""
WITH_A_MATCH = {"guest": "guest_id", "exclusion": "exclusion_id"}
"""Whom else a match shows: by which of its values."""
REPORTS = ("tables.exclusions", "tables.receipts", "tables.orphans", "tables.seats", "tables.staff_hours")


def register() -> None:
    """Called once by the floor's `AppConfig.ready`."""
    for kept in (Guests(), Exclusions(), Receipts(), Orphans()):
        kinds.register(kept)
    looking.register_subject("staff", Text("personal", "staff"), _staff)
    looking.register_subject("match", Text("coincidencia", "match"), lambda casino, pk: f"n.º {pk}")
    for kind, several, one in PAGES:
        for address in several:
            looking.shows(address, kind, looking.LIST)
        for address in one:
            looking.shows(address, kind)
    for address in ("matches", "api:matches"):
        looking.shows(address, "match", looking.LIST, also=WITH_A_MATCH)
    looking.shows("match", "match")
    looking.shows("guests-find", "guest", looking.LIST, methods=("POST",))
    looking.shows("api:guests-find", "guest", looking.LIST, methods=("POST",))
    looking.report_shows(*REPORTS)
