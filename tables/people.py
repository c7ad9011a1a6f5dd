"""The staff register: licence, expiry, and the games each person is qualified for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from audits import trail
from audits.by import By
from audits.history import save_version
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from casino.models import User
from tables import policies
from tables.games import registry
from tables.models import Assignment, Staff


@command(policies.MANAGE_STAFF, setting=True)
def set_staff(
    *,
    number: str,
    name: str,
    licence: str,
    licence_expires: dt.date,
    games: Iterable[str],
    by: By,
    supervises: bool = False,
    active: bool = True,
    user: User | None = None,
    staff: Staff | None = None,
) -> Staff:
    """Register a person, or change `staff`. Needs a reason.

    Raises `Refused` for missing particulars or unknown games, `Conflict` for a number or licence
    that is someone else's, or when someone standing at a table is taken out of service.
    """
    made = staff is None
    staff = staff or Staff(casino=by.casino)
    number = texts.line(number, "number", 20, code="bad_staff")
    name = texts.line(name, "name", 120, code="bad_staff")
    licence = texts.line(licence, "licence", 40, code="bad_staff")
    wanted = sorted({registry.game(code).code for code in games})
    others = Staff.objects.filter(casino=by.casino).exclude(pk=staff.pk)
    for field, value in (("number", number), ("licence", licence)):
        if others.filter(**{field: value}).exists():
            raise Conflict(
                Text("ya es de otra persona", "it is someone else's already"),
                code="staff_exists",
                field=field,
            )
    if user is not None and others.filter(user=user).exists():
        raise Conflict(
            Text("ese usuario no está libre", "that login is not free"), code="login_taken", field="user"
        )
    if not active and staff.pk and Assignment.objects.filter(staff=staff, during__endswith=None).exists():
        raise Conflict(
            Text("está en una mesa: relévela primero", "at a table: relieve them first"),
            code="staff_busy",
            rule="FLOOR-01",
        )
    staff.number, staff.name, staff.licence = number, name, licence
    staff.licence_expires, staff.games, staff.user = licence_expires, wanted, user
    staff.supervises, staff.active = supervises, active
    save_version(staff, by=by)
    trail.record(
        "tables.staff.registered" if made else "tables.staff.changed",
        stream=f"staff:{staff.pk}",
        subject=trail.Subject("staff", staff.pk, staff.name),
        by=by,
        data={
            "number": staff.number,
            "licence": staff.licence,
            "licence_expires": staff.licence_expires.isoformat(),
            "games": wanted,
            "supervises": supervises,
            "active": active,
        },
    )
    return staff
