"""Who is who at a table: somebody who changes place, or a known player who comes back, is the same person.

A seat taking is new with each place; what the bank remembers of a player (passed it, refused it, declined)
holds for the person, or a change of seat would undo BANK-12 and BANK-15.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from tables.models import AwayMark, SeatTaking, TableSession


def persons(session: TableSession) -> dict[int, int]:
    """Each seat taking of a session, with the first taking of the same person there."""
    first: dict[int, int] = {}
    by_guest: dict[int, int] = {}
    rows = SeatTaking.objects.filter(session=session).order_by("pk").values_list("pk", "moved_from", "guest")
    for taking, moved_from, guest in rows:
        found = first.get(moved_from, taking) if moved_from else taking
        first[taking] = by_guest.setdefault(guest, found) if guest else found
    return first


def same_persons(session: TableSession, takings: Collection[int]) -> frozenset[int]:
    """These seat takings, and every other of the same people at the table."""
    if not takings:
        return frozenset()
    first = persons(session)
    wanted = {first[taking] for taking in takings if taking in first}
    return frozenset(taking for taking, person in first.items() if person in wanted)


def seated_now(taking: SeatTaking) -> SeatTaking | None:
    """Where the person of a taking sits at that table now; None once they left it."""
    if taking.during.upper is None:
        return taking
    same = same_persons(taking.session, {taking.pk})
    return SeatTaking.objects.filter(pk__in=same, during__endswith=None).first()


def is_away(taking: SeatTaking, instant: dt.datetime) -> bool:
    """Whether a player is marked as away from the table (BANK-22)."""
    return AwayMark.objects.filter(taking=taking, during__contains=instant).exists()
