"""The staff register: licence, expiry, and the games each person is qualified for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from audits import trail
from audits.by import By
from audits.history import save_version
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused
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
    department: str | None = None,
) -> Staff:
    """Register a person, or change `staff`. Needs a reason. `department`: of `Staff.Department`; left out,
    the floor for a new person and no change for another.

    Raises `Refused` for missing particulars, unknown games, or games of somebody who is not of the floor
    (`not_of_the_floor`), `Conflict` for a number or licence that is someone else's, or when someone
    standing at a table is taken out of service.
    """
    made = staff is None
    staff = staff or Staff(casino=by.casino)
    number = texts.line(number, "number", 20, code="bad_staff")
    name = texts.line(name, "name", 120, code="bad_staff")
    licence = texts.line(licence, "licence", 40, code="bad_staff")
    wanted = sorted({registry.game(code).code for code in games})
    department = _department(department or staff.department, bool(wanted) or supervises)
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
    staff.supervises, staff.active, staff.department = supervises, active, department
    save_version(staff, by=by)
    tell("tables.staff.registered" if made else "tables.staff.changed", staff, by)
    return staff


def tell(action: str, staff: Staff, by: By) -> None:
    """An event of a person's stream with all that their record says now."""
    trail.record(
        action,
        stream=f"staff:{staff.pk}",
        subject=trail.Subject("staff", staff.pk, staff.name),
        by=by,
        data={
            "number": staff.number,
            "licence": staff.licence,
            "licence_expires": staff.licence_expires.isoformat(),
            "games": staff.games,
            "supervises": staff.supervises,
            "active": staff.active,
            "department": staff.department,
            "login": staff.user_id,
        },
    )


def _department(code: str, takes_posts: bool) -> str:
    """One of the departments; only the floor's people take posts at tables (GEN-10)."""
    if code not in Staff.Department.values:
        raise Refused(
            Text("elija el área de la lista", "choose the department from the list"),
            code="bad_staff",
            field="department",
        )
    if takes_posts and code != Staff.Department.FLOOR:
        raise Refused(
            Text(
                "sólo el personal de sala ocupa puestos: quite los juegos y la jefatura, o cambie el área",
                "only the floor's people take posts: take off games and supervising, or change department",
            ),
            code="not_of_the_floor",
            rule="GEN-10",
            field="department",
        )
    return code
