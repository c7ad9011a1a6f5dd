"""Who signs beside whom for the cards: two people, fit for it, of two departments where the rule says so."""

from __future__ import annotations

from audits.by import By
from audits.models import Actor
from casino.kernel import permissions
from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from shoes import policies


def require_two_people(one: Actor, other: Actor, *, field: str) -> None:
    """GEN-10: two different, authorised people, a supervisor or pit boss among them.

    Raises `RuleViolation` GEN-10 (`same_person`, `not_qualified`).
    """
    require_different(one, other, field=field)
    for person in (one, other):
        if person.casino_id != one.casino_id or not _handles_cards(person):
            raise _not_qualified(
                field if person is other else "inspector",
                f"{person.name} no puede firmar; firma un croupier, jefe de mesa o jefe de sala activo",
                f"{person.name} may not sign; an active dealer, table supervisor or pit boss may",
            )
    if not (one.roles | other.roles) & set(policies.CHIEFS):
        raise _not_qualified(
            field,
            "una de las dos firmas es de un jefe de mesa o jefe de sala",
            "one of the two signatures is a table supervisor's or pit boss's",
        )


def require_two_departments(one: Actor, other: Actor, *, field: str) -> None:
    """CARD-02: two different people of two different departments of the house.

    Raises `RuleViolation` GEN-10 (`same_person`), CARD-02 (`same_department`).
    """
    require_different(one, other, field=field)
    theirs = permissions.departments(one), permissions.departments(other)
    if one.casino_id != other.casino_id or not all(theirs) or len(theirs[0] | theirs[1]) < 2:
        raise RuleViolation(
            "CARD-02",
            Text(
                f"firman dos personas de áreas distintas (sala, caja, cumplimiento, administración):"
                f" {one.name} y {other.name} no lo son",
                f"two people of different departments sign (floor, cage, compliance, administration):"
                f" {one.name} and {other.name} are not",
            ),
            code="same_department",
            field=field,
        )


def require_beside(one: Actor, other: Actor, *acts: str, field: str) -> None:
    """GEN-10: beside whoever acts signs another person of the house who may do one of these acts."""
    require_different(one, other, field=field)
    if other.casino_id != one.casino_id or not any(permissions.may(other, act) for act in acts):
        words = [permissions.words(act) for act in acts]
        raise _not_qualified(
            field,
            f"{other.name} no puede firmar a su lado; firme con alguien que pueda "
            + " o ".join(each.es for each in words),
            f"{other.name} may not sign beside you; sign with someone who may "
            + " or ".join(each.en for each in words),
        )


def require_different(one: Actor, other: Actor, *, field: str) -> None:
    """GEN-10: nobody signs beside themselves."""
    if one.pk == other.pk:
        raise RuleViolation(
            "GEN-10",
            Text(
                "las dos firmas son de dos personas distintas",
                "the two signatures are of two different people",
            ),
            code="same_person",
            field=field,
        )


def require_signer(by: By, inspector: Actor, witness: Actor) -> None:
    """GEN-10: whoever records an inspection is one of the two who made it."""
    if by.actor.pk not in (inspector.pk, witness.pk):
        raise RuleViolation(
            "GEN-10",
            Text(
                "registra la inspección quien inspecciona o quien atestigua: entre con su usuario una de"
                " esas dos personas",
                "an inspection is recorded by its inspector or its witness: one of these two signs in"
                " with their own login",
            ),
            code="not_a_signer",
            field="inspector",
        )


def require_hands(person: Actor, *, field: str) -> None:
    """Only whoever may handle cards takes delivery of a deck. Raises GEN-10 `not_qualified`."""
    if not _handles_cards(person):
        raise _not_qualified(
            field,
            f"{person.name} no recibe barajas; las recibe un croupier, jefe de mesa o jefe de sala activo",
            f"{person.name} may not take decks; an active dealer, table supervisor or pit boss may",
        )


def _handles_cards(person: Actor) -> bool:
    return person.kind == Actor.Kind.STAFF and bool(person.roles & set(policies.HANDS_ON_CARDS))


def _not_qualified(field: str, es: str, en: str) -> RuleViolation:
    return RuleViolation("GEN-10", Text(es, en), code="not_qualified", field=field)
