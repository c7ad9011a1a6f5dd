"""Which pits a chief answers for: with duties they write at tables of those pits and at no others.

Asked where an act takes hold of its table: where the session is locked (`tables.holding`), where a table is
opened, and by what locks sessions in its own way (boxes, reconciling, seats, rotation) or writes of a table
without one (limits, alerts, waiting lists). Whoever has no duty row, or an empty one, may write at all tables
their roles allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from audits import trail
from audits.by import By
from audits.history import save_version
from casino.kernel import locking
from casino.kernel.commands import command
from casino.kernel.errors import NotAllowed, Refused
from casino.kernel.words import Text
from casino.models import User
from tables.alerts import policies
from tables.models import Pit, PitDuty, Table
from tables.policies import CHIEFS

ALLOWED = """
coalesce((SELECT cardinality(d.pits) = 0 OR t.pit_id = ANY (d.pits)
          FROM tables_pitduty d WHERE d.user_id = %(user)s::bigint), true)
"""
"""Whether the login `user` may write at the table `t`, for a statement that reads it anyway."""


def pits_of(user: User) -> tuple[int, ...]:
    """The ids of the pits a login answers for, in their order; none where it answers for all."""
    found = PitDuty.objects.filter(user=user).values_list("pits", flat=True).first()
    return tuple(found or ())


def require_pit(by: By, table: Table) -> None:
    """Raise `NotAllowed` (`not_your_pit`) where the actor answers for other pits than the table's."""
    require_pits(by, [table])


def require_pits(by: By, tables: Iterable[Table]) -> None:
    """The same for several tables; the refusal names the first of another pit."""
    pits = pits_of(by.actor.user)
    for table in tables if pits else ():
        if table.pit_id not in pits:
            raise not_your_pit(table)


def not_your_pit(table: Table) -> NotAllowed:
    name = table.pit.name
    return NotAllowed(
        Text(
            f"{table.name} es del sector {name}, que no tiene a su cargo: pídalo al jefe de ese sector",
            f"{table.name} is of pit {name}, which you do not answer for: ask the chief of that pit",
        ),
        code="not_your_pit",
        detail={"pit": name},
    )


@command(policies.SET_DUTIES, setting=True)
def set_duties(*, user: User, pits: Sequence[Pit], by: By) -> PitDuty:
    """Say which pits a chief answers for from now on; no pits: all of them. Needs a reason.

    Raises `Refused` (`not_a_chief`) for a login that is neither supervisor nor pit boss.
    """
    if not user.roles.intersection(CHIEFS):
        raise Refused(
            Text(
                f"{user.name} no es jefe de mesa ni jefe de sala: los sectores se asignan a los jefes",
                f"{user.name} is neither supervisor nor pit boss: pits are given to chiefs",
            ),
            code="not_a_chief",
            field="user",
        )
    locking.taking(locking.Rank.SESSION)
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    duty = PitDuty.objects.filter(user=user).first() or PitDuty(casino=by.casino, user=user)
    ordered = sorted(set(pits), key=lambda pit: (pit.position, pit.name))
    duty.pits = [pit.pk for pit in ordered]
    save_version(duty, by=by)
    trail.record(
        "tables.duties.set",
        stream=trail.SETTINGS_STREAM,
        subject=trail.Subject("user", user.pk, user.name),
        by=by,
        data={"pits": [pit.name for pit in ordered], "ids": duty.pits},
    )
    return duty
