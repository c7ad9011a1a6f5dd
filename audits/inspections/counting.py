"""What the inspector counts himself, and what the house says to it (REC-11, GEN-10).

His count is his own record and changes no figure of the house. He counts blind: what the house expects is
read, under its locks, only while his count is recorded. A house person signs it with their password, or
objects and says why; a difference may be opened as an incident by the house.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from audits import incident_facts, incidents, trail
from audits import policies as audit_policies
from audits.by import By
from audits.inspections import policies, subjects, visits
from audits.models import Actor, Incident, Inspection, InspectionAnswer, InspectionCount
from casino.kernel import money, permissions, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused, RuleViolation, SabotError
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino

MOST_PIECES = 1_000_000
MOST_CARDS = 10_000
LONGEST_WORDS = 2000
RULES = ("REC-11", "GEN-10")
SUBJECT = "inspection_count"
Unit = InspectionCount.Unit

DIFFERENCE = incidents.register_kind(
    "audits.inspection",
    Text("diferencia en una inspección de la AJ", "difference in an AJ inspection"),
    rules=("REC-11",),
)

incident_facts.register_fact(
    "inspection_counted", Text("contado por el inspector", "counted by the inspector")
)
incident_facts.register_fact("inspection_expected", Text("esperado por la casa", "expected by the house"))
incident_facts.register_fact("inspection_difference", Text("diferencia", "difference"))


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted: chips by denomination (`pieces`), or cards or an amount (`total`). `aside`: what the
    table had noted besides, in smallest units."""

    pieces: Mapping[int, int] = field(default_factory=dict)
    total: int | None = None
    aside: int | None = None


@command(policies.INSPECT, setting=True)
def record_count(
    *, inspection: Inspection, kind: str, target: int, counted: Counted, by: By
) -> InspectionCount:
    """Record what the inspector counted, against what the house expects at this moment.

    Raises `Refused` (`unknown_kind`, `bad_count`, `unknown_denomination`), `NotFound` for a thing that is not
    there, `RuleViolation` REC-11 (`counted_already`: the same thing again in a visit needs a reason),
    `Conflict` (`inspection_closed`), `NotAllowed` (`not_your_inspection`).
    """
    what = subjects.countable(kind)
    total = _total(what.unit, counted, by.casino)
    expected = what.expect(target, counted.aside if what.aside else None, by)
    visit = visits.lock_open(inspection)
    visits.require_own_visit(visit, by)
    again = visit.counts.filter(kind=kind, subject_id=expected.subject.id)
    if again.exists() and not by.reason.strip():
        raise _counted_already()
    made = InspectionCount.objects.create(
        casino=by.casino, inspection=visit, number=visit.counts.count() + 1, kind=kind, unit=what.unit.value,
        aside=counted.aside if what.aside else None, total=total, difference=total - expected.amount,
        pieces={str(value): number for value, number in sorted(counted.pieces.items()) if number},
        day=by.casino.gaming_day(by.occurred_at), reason=by.reason.strip(), counted_by=by.actor,
        counted_at=by.occurred_at, **_expected(expected),
    )  # fmt: skip
    made.inspection = visit
    visits.tell("audits.inspection.counted", visit, by, _told(made, expected.subject), RULES)
    return made


def _expected(expected: subjects.Expected) -> dict[str, Any]:
    """What a count's row keeps of what the house expected."""
    return {
        "subject_type": expected.subject.type,
        "subject_id": expected.subject.id,
        "subject_label": expected.subject.label,
        "table": expected.table,
        "table_label": expected.table_label,
        "expected": expected.amount,
        "facts": {"basis": expected.basis.as_dict(), **expected.facts},
    }


def _told(made: InspectionCount, subject: trail.Subject) -> dict[str, Any]:
    return {
        "count": made.number,
        "kind": made.kind,
        "kind_name": subjects.kind_name(made.kind).as_dict(),
        "unit": str(made.unit),
        "about": subject.as_dict(),
        "table": made.table,
        "table_label": made.table_label,
        "pieces": made.pieces,
        "aside": made.aside,
        "total": made.total,
        "expected": made.expected,
        "difference": made.difference,
        "facts": made.facts,
        "day": str(made.day),
    }


def _counted_already() -> SabotError:
    return RuleViolation(
        "REC-11",
        Text(
            "eso ya se contó en esta visita: contarlo otra vez necesita un motivo, y ambos conteos quedan",
            "that was counted in this visit already: counting again needs a reason, and both counts stay",
        ),
        code="counted_already",
        field="reason",
    )


explain_constraint("one_count_per_thing_without_a_reason", _counted_already)


def _total(unit: Unit, counted: Counted, casino: Casino) -> int:
    """What a count adds up to, once it is one. Raises `Refused`."""
    if counted.aside is not None and not 0 <= counted.aside <= money.MAX_UNITS:
        raise _bad("aside", "el importe anotado no puede ser negativo", "the amount noted is not negative")
    if unit != Unit.CHIPS:
        most = MOST_CARDS if unit == Unit.CARDS else money.MAX_UNITS
        if counted.total is None or not 0 <= counted.total <= most:
            raise _bad("total", "escriba lo que contó", "write what you counted")
        if counted.pieces:
            raise _bad("pieces", "aquí no se cuentan fichas", "no chips are counted here")
        return counted.total
    if counted.total is not None:
        raise _bad("total", "cuente las fichas por denominación", "count the chips by denomination")
    known = set(casino.denominations)
    for value, number in counted.pieces.items():
        if value not in known:
            shown = money.plain(value, casino.exponent)
            raise Refused(
                Text(
                    f"la casa no tiene fichas de {shown}; cuente por los valores de la lista",
                    f"the house has no chips of {shown}; count by the values of the list",
                ),
                code="unknown_denomination",
                rule="REC-11",
                field="pieces",
            )
        if not 0 <= number <= MOST_PIECES:
            raise _bad(
                "pieces", f"de 0 a {MOST_PIECES} fichas de cada valor", f"0 to {MOST_PIECES} chips of each"
            )
    return sum(value * number for value, number in counted.pieces.items())


def _bad(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_count", rule="REC-11", field=field)


@command(policies.ANSWER, setting=True)
def answer_count(
    *, count: InspectionCount, agrees: bool, by: By, words: str = "", signer: Actor | None = None
) -> InspectionAnswer:
    """What the house says to a count, once: it signs, or objects with its `words`.

    On the inspector's screen the `signer` gave their password; a house person at their own signs themselves.
    Raises `RuleViolation` GEN-10 (`signer_missing`, `signer_not_allowed`), `Refused` (`bad_text`), `Conflict`
    (`answered_already`). Also after the visit was closed.
    """
    said = texts.prose(words, "words", LONGEST_WORDS, rule="REC-11") if words.strip() or not agrees else ""
    person = _signer(signer, by)
    visit = visits.lock(count.inspection)
    if Role.INSPECTOR in by.actor.roles:
        visits.require_own_visit(visit, by)
    if InspectionAnswer.objects.filter(count=count).exists():
        raise _answered_already()
    made = InspectionAnswer.objects.create(
        casino=by.casino,
        count=count,
        agrees=agrees,
        words=said,
        signed_by=person,
        signed_at=by.occurred_at,
    )
    data = {
        "count": count.number,
        "agrees": agrees,
        "words": said,
        "signed_by": {"id": person.pk, "name": person.name},
    }
    action = "audits.inspection.count_signed" if agrees else "audits.inspection.count_objected"
    visits.tell(action, visit, by, data, RULES)
    return made


def _signer(signer: Actor | None, by: By) -> Actor:
    """Who answers for the house."""
    if Role.INSPECTOR not in by.actor.roles:
        if signer is not None and signer.pk != by.actor.pk:
            raise RuleViolation(
                "GEN-10",
                Text(
                    "cada uno firma con su propio usuario; que la otra persona entre y responda en el suyo",
                    "everybody signs with their own login; have the other person sign in and answer there",
                ),
                code="signer_not_allowed",
                field="signer",
            )
        return by.actor
    if signer is None:
        raise RuleViolation(
            "GEN-10",
            Text(
                "firma alguien de la casa, con su usuario y su contraseña",
                "somebody of the house signs, with their user name and password",
            ),
            code="signer_missing",
            field="signer",
        )
    if Role.INSPECTOR in signer.roles or not permissions.may(signer, policies.ANSWER):
        raise RuleViolation(
            "GEN-10",
            Text(
                "firma por la casa un jefe, cumplimiento o administración",
                "a chief, compliance or administration signs for the house",
            ),
            code="signer_not_allowed",
            field="signer",
        )
    return signer


def _answered_already() -> SabotError:
    return Conflict(
        Text(
            "la casa ya respondió a ese conteo; lo que cambie después va en las observaciones de la visita",
            "the house has answered that count already; what changes later goes into the visit's remarks",
        ),
        code="answered_already",
        rule="REC-11",
    )


explain_constraint("audits_inspectionanswer_count_id_key", _answered_already)


@command(audit_policies.REPORT_INCIDENT, setting=True)
def open_incident(*, count: InspectionCount, by: By) -> Incident:
    """Open an incident about a difference, once per count, with its draft notice (REC-14).

    Raises `Conflict` (`no_difference`, `incident_opened`).
    """
    if not count.difference:
        raise Conflict(
            Text(
                "ese conteo no tiene diferencia de la que abrir un incidente; anote lo demás en Incidentes",
                "that count has no difference to open an incident about; report the rest under Incidents",
            ),
            code="no_difference",
            rule="REC-14",
        )
    visit = visits.lock(count.inspection)
    there = incident_of(count)
    if there is not None:
        raise Conflict(
            Text(
                f"ya se abrió {there.label} por ese conteo: siga en él",
                f"{there.label} was opened for that count already: go on there",
            ),
            code="incident_opened",
            rule="REC-14",
        )
    subject = trail.Subject(SUBJECT, count.pk, f"{visit.label}, {count.subject_label}"[:120])
    incident = incidents.raise_incident(
        kind=DIFFERENCE,
        summary=_summary(count, visit, by.casino),
        subject=subject,
        rules=RULES,
        facts={
            "inspection_counted": figure(count, count.total, by.casino).as_dict(),
            "inspection_expected": figure(count, count.expected, by.casino).as_dict(),
            "inspection_difference": figure(count, count.difference, by.casino).as_dict(),
        },
        by=by,
        table_label=count.table_label,
    )
    data = {"count": count.number, "incident": incident.label, "incident_id": incident.pk}
    visits.tell("audits.inspection.incident_opened", visit, by, data)
    return incident


def incident_of(count: InspectionCount) -> Incident | None:
    """The incident opened about a count's difference."""
    rows = Incident.objects.filter(casino=count.casino_id, subject_type=SUBJECT, subject_id=count.pk)
    return rows.order_by("pk").first()


def figure(count: InspectionCount, amount: int, casino: Casino) -> Text:
    """A figure of a count as it is read: money, or a number of cards."""
    if count.unit == Unit.CARDS:
        return Text(f"{amount} cartas", f"{amount} cards")
    return money.words(amount, casino.exponent)


def _summary(count: InspectionCount, visit: Inspection, casino: Casino) -> Text:
    name = subjects.kind_name(count.kind)
    found, wanted, off = (figure(count, n, casino) for n in (count.total, count.expected, count.difference))
    return Text(
        f"{visit.label}: el inspector contó {found.es} en {count.subject_label} ({name.es}); se esperaba"
        f" {wanted.es}, diferencia {off.es}",
        f"{visit.label}: the inspector counted {found.en} at {count.subject_label} ({name.en});"
        f" {wanted.en} was expected, difference {off.en}",
    )
