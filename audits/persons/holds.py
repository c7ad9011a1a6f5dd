"""Legal holds: put by compliance with the document that asks for it, lifted by two people (REC-12,
GEN-10)."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from audits import policies, trail
from audits.by import By
from audits.models import Actor, Incident, LegalHold, LegalHoldEnd
from audits.persons.kinds import kind_of
from audits.persons.retention import RULE, STREAM, hold_house
from casino.kernel import permissions, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino


def live(casino: Casino) -> QuerySet[LegalHold]:
    """The holds that stand, newest first."""
    return LegalHold.objects.filter(casino=casino, ended=None).order_by("-id")


def held_among(casino: Casino, kind: str, ids: Iterable[int]) -> set[int]:
    """Those of a kind that must not be touched: held themselves, or what an incident is about that is held or
    still open."""
    wanted = list(ids)
    own = set(live(casino).filter(kind=kind, subject_id__in=wanted).values_list("subject_id", flat=True))
    of_incidents = live(casino).filter(kind="incident").values("subject_id")
    about = Incident.objects.filter(casino=casino, subject_type=kind, subject_id__in=wanted).filter(
        Q(state=Incident.State.OPEN) | Q(pk__in=of_incidents)
    )
    return own | set(about.values_list("subject_id", flat=True))


@command(policies.PUT_HOLD)
def put_hold(*, kind: str, subject_id: int, document: str, by: By) -> LegalHold:
    """Hold a person, a receipt, an incident … as it is until two people lift it. Needs a reason.

    `document`: the order or note that asks for it. Raises `Refused` (`unknown_kind`, `nobody_there`,
    `bad_document`), `Conflict` (`already_held`).
    """
    reason = by.need_reason()
    found = kind_of(kind)
    paper = texts.line(document, "document", 120, code="bad_document", rule=RULE, least=3)
    label = found.label(by.casino, subject_id)
    if label is None:
        raise Refused(
            Text(
                f"no hay {found.name.es} con ese número: revíselo en su página",
                f"there is no {found.name.en} of that number: check it on its page",
            ),
            code="nobody_there",
            rule=RULE,
            field="subject",
        )
    hold_house(by.casino)
    if live(by.casino).filter(kind=found.code, subject_id=subject_id).exists():
        raise Conflict(
            Text(
                "ya está bajo retención legal, y una basta: si la pide otro documento, levante antes ésa",
                "it is under a legal hold already, and one is enough: if another document asks for it, lift"
                " that one first",
            ),
            code="already_held",
            rule=RULE,
            field="subject",
        )
    made = LegalHold.objects.create(
        casino=by.casino, kind=found.code, subject_id=subject_id, label=label, document=paper, reason=reason,
        put_by=by.actor, put_at=by.occurred_at,
    )  # fmt: skip
    trail.record(
        "audits.hold.put",
        stream=STREAM,
        subject=trail.Subject("hold", made.pk, made.name),
        by=by,
        data={"kind": made.kind, "about": label, "about_id": subject_id, "document": paper},
        rules=[RULE],
    )
    return made


@command(policies.LIFT_HOLD)
def lift_hold(*, hold: LegalHold, second: Actor, by: By) -> LegalHoldEnd:
    """Lift a hold, by two people with a reason.

    Raises `RuleViolation` GEN-10 (`same_person`, `not_qualified`), `Conflict` (`hold_lifted`), `Refused`
    (`reason_missing`, `bad_date`).
    """
    reason = by.need_reason()
    require_second(by, second, policies.SIGN_PEOPLE_DATA)
    hold_house(by.casino)
    if LegalHoldEnd.objects.filter(hold=hold).exists():
        raise _lifted()
    if by.occurred_at < hold.put_at:
        raise Refused(
            Text(
                "es anterior al inicio de la retención; ponga un instante posterior o déjelo vacío: ahora",
                "it is before the hold began; give a later instant or leave it empty: now",
            ),
            code="bad_date",
            rule=RULE,
            field="occurred_at",
        )
    end = LegalHoldEnd.objects.create(
        casino=by.casino, hold=hold, at=by.occurred_at, by=by.actor, second=second, reason=reason
    )
    trail.record(
        "audits.hold.lifted",
        stream=STREAM,
        subject=trail.Subject("hold", hold.pk, hold.name),
        by=by,
        data={"about": hold.label, "end": end.pk, "second": second.name, "second_id": second.pk},
        rules=[RULE, "GEN-10"],
    )
    return end


def require_second(by: By, second: Actor, act: str) -> None:
    """GEN-10: beside whoever acts signs another person of the house who may do `act`."""
    if second.pk == by.actor.pk:
        raise RuleViolation(
            "GEN-10",
            Text(
                "firman dos personas distintas; que firme también otra de cumplimiento o administración",
                "two different people sign; have another of compliance or administration sign as well",
            ),
            code="same_person",
            field="second",
        )
    if second.casino_id != by.casino.pk or not permissions.may(second, act):
        raise RuleViolation(
            "GEN-10",
            Text(
                f"{second.name} no puede firmar esto; firma alguien de cumplimiento o administración",
                f"{second.name} may not sign this; somebody of compliance or administration does",
            ),
            code="not_qualified",
            field="second",
        )


def _lifted() -> Conflict:
    return Conflict(
        Text(
            "esa retención ya fue levantada; si hace falta, ponga otra con su documento",
            "that hold is lifted already; if need be, put another one with its document",
        ),
        code="hold_lifted",
        rule=RULE,
    )


explain_constraint("audits_legalholdend_hold_id_key", _lifted)
