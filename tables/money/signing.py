"""Who signs beside whom for chips: two people, of two departments where chips enter the house or leave it."""

from __future__ import annotations

from audits.models import Actor
from casino.kernel import permissions
from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from shoes.signing import require_beside, require_different

__all__ = ["require_beside", "require_different", "require_nobody_twice", "require_two_departments"]


def require_two_departments(one: Actor, other: Actor, act: str, *, field: str) -> None:
    """GEN-10: beside `one` signs another person who may do `act`, of another department.

    Raises `RuleViolation` GEN-10 (`same_person`, `not_qualified`, `same_department`).
    """
    require_beside(one, other, act, field=field)
    theirs = permissions.departments(one), permissions.departments(other)
    if not all(theirs) or len(theirs[0] | theirs[1]) < 2:
        raise RuleViolation(
            "GEN-10",
            Text(
                f"firman dos personas de áreas distintas (sala, caja, cumplimiento, administración):"
                f" {one.name} y {other.name} no lo son",
                f"two people of different departments sign (floor, cage, compliance, administration):"
                f" {one.name} and {other.name} are not",
            ),
            code="same_department",
            field=field,
        )


def require_nobody_twice(actor: Actor, **before: Actor | None) -> None:
    """GEN-10: whoever acts took none of the steps before (`requested`, `issued`).

    Raises `RuleViolation` GEN-10 (`same_person`).
    """
    for step, person in before.items():
        if person is not None and person.pk == actor.pk:
            did = _STEPS[step]
            raise RuleViolation(
                "GEN-10",
                Text(
                    f"{actor.name} {did.es} este comprobante: el paso siguiente lo firma otra persona",
                    f"{actor.name} {did.en} this slip: another person signs the next step",
                ),
                {"step": step},
                code="same_person",
            )


_STEPS = {"requested": Text("pidió", "asked for"), "issued": Text("emitió", "issued")}
