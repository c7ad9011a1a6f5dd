"""Which shift each signer of a slip, or of a count, was on, so that the paper says whose turn it was; nothing
where it is unknown: no shift is planned, or the login is nobody's of the staff.
"""

from __future__ import annotations

import datetime as dt

from django.db.models import Q

from tables.models import ChipCount, Shift, Slip, Staff

WORKED = (Shift.State.PLANNED, Shift.State.PRESENT, Shift.State.DONE)


def turns_of(slip: Slip) -> dict[str, Shift]:
    """The shift at the instant of signing: {requested_by, issued_by, verified_by, dealer}, those known."""
    acts = {
        "requested_by": (slip.requested_by, slip.requested_at),
        "issued_by": (slip.issued_by, slip.issued_at),
        "verified_by": (slip.verified_by, slip.verified_at),
    }
    users = {actor.user_id for actor, _ in acts.values() if actor is not None}
    people = dict(Staff.objects.filter(casino=slip.casino_id, user__in=users).values_list("user", "pk"))
    found = {name: _at(people.get(actor.user_id), at) for name, (actor, at) in acts.items() if actor}
    found["dealer"] = _at(slip.dealer_id, slip.verified_at)
    return {name: shift for name, shift in found.items() if shift is not None}


def turns_of_count(count: ChipCount) -> dict[str, Shift]:
    """The shifts of who counted a float and who witnessed it: {counted_by, witnessed_by}, those known."""
    people = {"counted_by": count.counted_by_id, "witnessed_by": count.witnessed_by_id}
    found = {name: _at(staff, count.counted_at) for name, staff in people.items()}
    return {name: shift for name, shift in found.items() if shift is not None}


def _at(staff: int | None, at: dt.datetime | None) -> Shift | None:
    """The shift somebody was on: as worked, else as planned."""
    if staff is None or at is None:
        return None
    rows = Shift.objects.filter(staff=staff, state__in=WORKED)
    return rows.filter(Q(actual__contains=at) | Q(planned__contains=at)).order_by("planned").first()
