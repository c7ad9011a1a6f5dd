"""People and their shifts, locked for a write: the person first, then the shift, as it now stands."""

from __future__ import annotations

from audits.by import By
from casino.kernel import locking
from casino.kernel.errors import Conflict, NotFound
from casino.kernel.words import Text
from tables.models import Shift, Staff


def lock_people(by: By, *people: int) -> dict[int, Staff]:
    """The rows of these people by id, locked in its order: what changes their shifts queues behind it.

    Raises `NotFound` (`no_person`) unless all are of the casino.
    """
    locking.taking(locking.Rank.SESSION)
    rows = Staff.objects.filter(casino=by.casino, pk__in=people).order_by("pk")
    found = {person.pk: person for person in rows.select_for_update(no_key=True)}
    if len(found) < len(set(people)):
        raise NotFound(
            Text("no existe esa persona", "there is no such person"), code="no_person", field="staff"
        )
    return found


def hold(shift: Shift, by: By) -> Shift:
    """The shift again, its person locked; `staff` is the locked row.

    Raises `Conflict` (`shift_moved_on`) if it went to somebody else meanwhile, `NotFound` (`no_shift`).
    """
    person = lock_people(by, shift.staff_id)[shift.staff_id]
    found = again(shift, by)
    if found.staff_id != person.pk:
        raise moved_on(found)
    found.staff = person
    return found


def again(shift: Shift, by: By) -> Shift:
    """The shift as it now stands, locked after its people. Raises `NotFound` (`no_shift`)."""
    found = Shift.objects.select_for_update(no_key=True).filter(casino=by.casino, pk=shift.pk).first()
    if found is None:
        raise NotFound(Text("no existe ese turno", "there is no such shift"), code="no_shift")
    return found


def require_planned(shift: Shift) -> None:
    """Raise `Conflict` (`shift_moved_on`) unless a held shift is still only planned."""
    if shift.state != Shift.State.PLANNED:
        raise moved_on(shift)


def moved_on(shift: Shift) -> Conflict:
    """What is answered about a shift that is not as whoever acts saw it."""
    return Conflict(
        Text(
            "el turno ya no está como lo veía: ábralo de nuevo",
            "the shift is not as you saw it any more: open it again",
        ),
        code="shift_moved_on",
        detail={"state": shift.state},
    )
