"""What is over its period becomes pseudonyms: ordered by two people, carried out by a job, one at a time.

A pseudonym is drawn by chance, so that nothing leads back from it. Everything a person did stays under it
(the seats, the receipts, the incidents), and no chain changes: what the chains tell of a player is initials,
a masked document and commitments, and what opened those is erased with the rest.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress

from audits import policies, trail
from audits.by import By, by_system
from audits.models import Actor, ErasureEnd, ErasureOrder, PersonalValue, Pseudonym
from audits.persons.holds import held_among, require_second
from audits.persons.kinds import erasable, kind_of
from audits.persons.retention import RULE, STREAM, before, hold_house, years_of
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino

JOB = "people-data"
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"


def new_code() -> str:
    """A word of twelve signs that nothing leads to: `P-7K2M9QXR4TBC`, 60 bits of chance."""
    return "P-" + "".join(secrets.choice(_LETTERS) for _ in range(12))


def over(casino: Casino, kind: str) -> tuple[list[int], list[int]]:
    """Those of a kind over their period: the ones that may become pseudonyms, and the ones that are held."""
    found = kind_of(kind, among=erasable())
    due = list(found.due(casino, before(casino, years_of(casino, kind))))
    held = held_among(casino, kind, due)
    return [pk for pk in due if pk not in held], [pk for pk in due if pk in held]


@command(policies.ORDER_ERASURE, setting=True)
def order_erasure(*, kind: str, second: Actor, by: By) -> ErasureOrder:
    """Order, by two people with a reason, that what of a kind is over its period becomes pseudonyms.

    Raises `RuleViolation` GEN-10 (`same_person`, `not_qualified`), REC-12 (`nothing_over`), `Refused`
    (`reason_missing`, `unknown_kind`).
    """
    reason = by.need_reason()
    found = kind_of(kind, among=erasable())
    require_second(by, second, policies.SIGN_PEOPLE_DATA)
    hold_house(by.casino)
    years = years_of(by.casino, found.code)
    day = before(by.casino, years)
    due, held = over(by.casino, found.code)
    if not due:
        raise RuleViolation(
            RULE,
            Text(
                f"nada de esta clase venció su plazo de {years} años fuera de retención legal; ordénelo"
                " cuando la página muestre vencidas",
                f"nothing of this kind is over its period of {years} years and free of a legal hold; order it"
                " when the page shows some that are over",
            ),
            {"years": years, "held": len(held)},
            code="nothing_over",
            field="kind",
        )
    made = ErasureOrder.objects.create(
        casino=by.casino, kind=found.code, before=day, years=years, due=len(due), ordered_by=by.actor,
        second=second, at=by.occurred_at, reason=reason,
    )  # fmt: skip
    trail.record(
        "audits.erasure.ordered",
        stream=STREAM,
        subject=trail.Subject("erasure", made.pk, made.name),
        by=by,
        data={
            "kind": made.kind, "before": day.isoformat(), "years": years, "due": len(due),
            "second": second.name, "second_id": second.pk,
        },
        rules=[RULE, "GEN-10"],
    )  # fmt: skip
    return made


@command(policies.CARRY_OUT_ERASURE)
def pseudonymise(*, order: ErasureOrder, subject_id: int, by: By) -> Pseudonym:
    """Carry an order out for one: the pseudonym in place of what names somebody, in every row.

    Raises `RuleViolation` REC-12 (`under_hold`, `not_over`).
    """
    kind = kind_of(order.kind, among=erasable())
    hold_house(by.casino)
    kind.hold(by.casino, subject_id)
    if subject_id in held_among(by.casino, kind.code, [subject_id]):
        raise _held()
    # A period made longer since the order holds too.
    since = min(order.before, before(by.casino, years_of(by.casino, kind.code)))
    if subject_id not in kind.due(by.casino, since, subject_id):
        raise RuleViolation(
            RULE,
            Text(
                "su plazo no ha vencido; ordénelo cuando venza",
                "its period is not over; order it once it is",
            ),
            code="not_over",
        )
    made = Pseudonym.objects.create(
        casino=by.casino,
        kind=kind.code,
        subject_id=subject_id,
        code=new_code(),
        order=order,
        at=by.occurred_at,
    )
    kind.erase(made)
    PersonalValue.objects.filter(
        casino=by.casino, event__subject_type=kind.code, event__subject_id=subject_id, pseudonym=None
    ).update(value="", salt=b"", pseudonym=made)
    trail.record(
        "audits.person.pseudonymised",
        stream=STREAM,
        subject=trail.Subject(kind.code, subject_id, made.code),
        by=by,
        data={"kind": kind.code, "code": made.code, "order": order.name, "order_id": order.pk},
        rules=[RULE],
    )
    return made


@command(policies.CARRY_OUT_ERASURE)
def end_order(*, order: ErasureOrder, by: By) -> ErasureEnd:
    """End an order under which nobody waits any more: how many became pseudonyms, how many were held and
    stay named. Whoever is held needs an order of their own once the hold is lifted.

    Raises `Conflict` (`order_ended`).
    """
    hold_house(by.casino)
    if ErasureEnd.objects.filter(order=order).exists():
        raise _ended()
    due = kind_of(order.kind, among=erasable()).due(order.casino, order.before)
    done, left = order.pseudonyms.count(), len(held_among(order.casino, order.kind, due))
    made = ErasureEnd.objects.create(casino=by.casino, order=order, at=by.occurred_at, done=done, held=left)
    trail.record(
        "audits.erasure.done",
        stream=STREAM,
        subject=trail.Subject("erasure", order.pk, order.name),
        by=by,
        data={"end": made.pk, "done": done, "held": left},
        rules=[RULE],
    )
    return made


def waiting_under(order: ErasureOrder) -> Sequence[int]:
    """Those an order speaks of that are named still and not held."""
    kind = kind_of(order.kind, among=erasable())
    due = kind.due(order.casino, order.before)
    held = held_among(order.casino, kind.code, due)
    return [pk for pk in due if pk not in held]


def carry_out(order: ErasureOrder) -> int:
    """Carry an order out, one transaction each, and end it once nobody waits under it; whatever was held or
    used meanwhile is left. May run twice; one that ended does nothing."""
    if ErasureEnd.objects.filter(order=order).exists():
        return 0
    by, done = by_system(order.casino, JOB), 0
    for pk in waiting_under(order):
        try:
            pseudonymise(order=order, subject_id=pk, by=by)
        except (RuleViolation, Conflict):  # held, used, or done by another run since the list was made
            continue
        done += 1
    if not waiting_under(order):
        with suppress(Conflict):  # another run ended it
            end_order(order=order, by=by_system(order.casino, JOB))
    return done


def carry_out_all() -> int:
    """Every order that did not end yet, for the job: each until nobody waits under it, then no more."""
    standing = ErasureOrder.objects.filter(ended=None).select_related("casino").order_by("id")
    return sum(carry_out(order) for order in standing)


def _ended() -> Conflict:
    return Conflict(
        Text(
            "esa orden ya se cumplió; para lo que venció después, dé otra",
            "that order is carried out already; for what is over since, give another",
        ),
        code="order_ended",
        rule=RULE,
    )


explain_constraint("audits_erasureend_order_id_key", _ended)


def _held() -> RuleViolation:
    return RuleViolation(
        RULE,
        Text(
            "está bajo retención legal: no se toca hasta que dos personas la levanten",
            "it is under a legal hold: it is not touched until two people lift it",
        ),
        code="under_hold",
    )
