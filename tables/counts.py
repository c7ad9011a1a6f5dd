"""A float counted by the dealer before the supervisor: who may sign the count, and the count as stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audits.by import By
from casino.kernel.errors import RuleViolation
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from tables import chips, crew
from tables.models import ChipCount, Staff, TableSession


@dataclass(frozen=True, slots=True)
class Float:
    """A float counted by the dealer before the supervisor, both of whom sign it (FLOOR-04)."""

    chips: Mapping[int, int]
    counted_by: Staff
    witnessed_by: Staff


def checked(counted: Float, by: By) -> dict[int, int]:
    if counted.counted_by.pk == counted.witnessed_by.pk:
        raise RuleViolation(
            "GEN-10",
            Text(
                "cuenta el croupier y firma el jefe de mesa: son dos personas distintas",
                "the dealer counts and the supervisor signs: two different people",
            ),
            code="same_person",
            field="witnessed_by",
        )
    for person, field in ((counted.counted_by, "counted_by"), (counted.witnessed_by, "witnessed_by")):
        crew.require_in_service(person, field)
    if not counted.witnessed_by.supervises:
        raise RuleViolation(
            "FLOOR-04",
            Text(
                f"{counted.witnessed_by.name} no es jefe de mesa y no puede firmar el conteo",
                f"{counted.witnessed_by.name} is no supervisor and cannot sign the count",
            ),
            code="not_a_supervisor",
            field="witnessed_by",
        )
    _require_signature(counted.witnessed_by, by)
    return chips.checked(by.casino, counted.chips)


def _require_signature(witness: Staff, by: By) -> None:
    """GEN-10: who has a login signs with it; a pit boss may record a count signed on paper."""
    if witness.user_id in (None, by.actor.user_id) or Role.PIT_BOSS in by.actor.roles:
        return
    raise RuleViolation(
        "GEN-10",
        Text(
            f"firma {witness.name}: registre el conteo con su usuario, o que lo registre un jefe de sala",
            f"{witness.name} signs: record the count with their own login, or have a pit boss record it",
        ),
        code="not_the_witness",
        field="witnessed_by",
    )


def require_chips(counted: Mapping[int, int]) -> None:
    if not chips.total(counted):
        raise RuleViolation(
            "FLOOR-04",
            Text(
                "la mesa abre sobre un fondo contado: cuente las fichas de la bandeja",
                "a table opens on a counted float: count the chips of its tray",
            ),
            code="empty_float",
            field="chips",
        )


def store(
    session: TableSession, moment: str, counted: Mapping[int, int], who: Staff, witness: Staff, by: By
) -> None:
    ChipCount.objects.create(
        casino=by.casino,
        session=session,
        moment=moment,
        chips=chips.stored(counted),
        total=chips.total(counted),
        counted_by=who,
        witnessed_by=witness,
        counted_at=by.occurred_at,
    )
