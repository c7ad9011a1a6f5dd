"""Players and exclusions recorded before the trail committed to who they are, committed to once (GEN-11).

Done each night before the days are closed; from then on nobody is renamed by SQL unseen. Who was recorded
since, and who became a pseudonym, needs none.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db import connection

from audits import closing, policies, trail
from audits.by import By, by_system
from audits.personal import Personal
from audits.verify import told
from casino.kernel import locking
from casino.kernel.commands import command
from casino.models import Casino
from tables.guests import excluding, registering
from tables.models import Exclusion, Guest

AT_ONCE = 500
"""Whom one transaction commits to; the rows are held that long."""


def _untold(table: str, kind: str, *acts: str) -> str:
    """Whose particulars no event commits to, as SQL."""
    return f"""
SELECT r.id FROM {table} r WHERE r.casino_id = %(casino)s
AND NOT EXISTS (SELECT 1 FROM {told(*acts, f"tables.{kind}.committed")} t
    WHERE t.subject_id = r.id AND t.data ? 'particulars')
AND NOT EXISTS (SELECT 1 FROM audits_pseudonym p
    WHERE (p.casino_id, p.kind, p.subject_id) = (r.casino_id, '{kind}', r.id))
ORDER BY r.id LIMIT {AT_ONCE}
"""  # noqa: S608


_GUESTS = _untold("tables_guest", "guest", "tables.guest.registered", "tables.guest.changed")
_EXCLUSIONS = _untold("tables_exclusion", "exclusion", "tables.exclusion.recorded")


@command(policies.CLOSE_DAY, silent_when="the trail commits to everybody already")
def commit(*, by: By) -> int:
    """Commit to the next `AT_ONCE` players and exclusions of which no event does; how many these were."""
    guests: list[Guest] = _held(Guest, _GUESTS, by)
    entries: list[Exclusion] = _held(Exclusion, _EXCLUSIONS, by)
    due: list[Guest | Exclusion] = [*guests, *entries]
    for one in due:
        tell(one, by)
    return len(guests) + len(entries)


def prepare(casino: Casino, instant: dt.datetime) -> None:
    """Before the days of a casino are closed."""
    by = by_system(casino, closing.JOB)
    while commit(by=by):
        pass


def _held(model: type[Any], query: str, by: By) -> list[Any]:
    """Those rows, locked: nobody becomes a pseudonym meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute(query, {"casino": by.casino.pk})
        waiting = [pk for (pk,) in cursor.fetchall()]
    if not waiting:
        return []
    locking.taking(locking.Rank.SESSION)
    rows = model.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=waiting).order_by("pk")
    return list(rows)


def tell(one: Guest | Exclusion, by: By) -> None:
    """The event that commits to somebody; within a command."""
    if isinstance(one, Guest):
        kind, subject, whole = "guest", registering.subject_of(one), registering.particulars(one)
    else:
        kind, subject = "exclusion", trail.Subject("exclusion", one.pk, one.label)
        whole = excluding.particulars(one)
    trail.record(
        f"tables.{kind}.committed",
        stream=one.stream,
        subject=subject,
        by=by,
        data={"particulars": Personal(whole)},
        rules=["GEN-11", "REC-06"],
    )
