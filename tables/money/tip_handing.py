"""Each share of approved tips is put into a hand: who gave it, who received it, when; both sign (GEN-10).

Approval takes the tips out of the pool (`tables.money.tips`); here is where the money went after that. The
receiver signs with their own login; for one without, who signed on paper, somebody who approves tips
witnesses it. Nothing is posted: the money stopped being the pool's when it was approved.
"""

from __future__ import annotations

from typing import Any

from audits import trail
from audits.by import By
from audits.models import Actor
from casino.kernel import locking
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from shoes.signing import require_beside
from tables.models import Staff, TipDistribution, TipHandover
from tables.money import cage_policies as policies
from tables.money import drawer
from tables.money.tips import STREAM


@command(policies.HAND_OVER_TIPS)
def hand_over(*, distribution: TipDistribution, staff: Staff, signed_by: Actor, by: By) -> TipHandover:
    """Give somebody their share of a day's approved tips; once. `signed_by`: the receiver's own login, or a
    witness to their signature on paper.

    Raises `RuleViolation` GEN-10 (`same_person`, `not_qualified`; `own_share` where who gives receives),
    `Refused` (`no_share`, `occurred_out_of_order`), `Conflict` (`not_approved`, `handed_over`).
    """
    require_beside(by.actor, signed_by, policies.SIGN_FOR_TIPS, field="second")
    _require_hands(staff, signed_by, by)
    locking.taking(locking.Rank.SESSION)
    rows = TipDistribution.objects.select_for_update(of=("self",), no_key=True)
    held = rows.select_related("day", "casino").get(pk=distribution.pk)
    line = _share(held, staff)
    drawer.require_after(held.approved_at or held.drafted_at, by)
    if TipHandover.objects.filter(distribution=held, staff=staff).exists():
        raise _handed_already()
    made = TipHandover(
        pk=drawer.next_id(TipHandover), casino=by.casino, distribution=held, staff=staff,
        amount=line["amount"], given_by=by.actor, signed_by=signed_by, at=by.occurred_at,
    )  # fmt: skip
    made.event = trail.record(
        "tables.tips.handed_over",
        stream=STREAM,
        subject=trail.Subject("tips", held.pk, str(held.day)),
        by=by,
        data={
            "day": str(held.day), "staff": staff.pk, "name": staff.name, "amount": made.amount,
            "signed": signed_by.as_dict(),
        },
        rules=["GEN-10"],
    )  # fmt: skip
    made.save(force_insert=True)
    return made


def handed(distribution: TipDistribution) -> dict[int, TipHandover]:
    """What was handed over of a distribution, by who received it."""
    rows = TipHandover.objects.filter(distribution=distribution).select_related("given_by", "signed_by")
    return {row.staff_id: row for row in rows}


def _require_hands(staff: Staff, signed_by: Actor, by: By) -> None:
    """Two hands: who receives does not give; a login that approves no tips signs for nobody but itself."""
    if staff.user_id is not None and staff.user_id == by.actor.user_id:
        raise RuleViolation(
            "GEN-10",
            Text(
                "nadie se entrega su propia parte: la entrega otra persona",
                "nobody gives themselves their share: another person does",
            ),
            code="own_share",
            field="staff",
        )
    own = staff.user_id is not None and staff.user_id == signed_by.user_id
    if not own:
        require_beside(by.actor, signed_by, policies.APPROVE_TIPS, field="second")


def _share(held: TipDistribution, staff: Staff) -> dict[str, Any]:
    if held.state != TipDistribution.State.APPROVED:
        raise Conflict(
            Text("ese reparto no está aprobado: apruébelo antes", "it is not approved yet: approve it first"),
            code="not_approved",
        )
    for line in held.lines:
        if line["staff"] == staff.pk and line["amount"]:
            return dict(line)
    raise Refused(
        Text(
            f"{staff.name} no tiene parte en ese reparto; elija de la lista",
            f"{staff.name} has no share in it; choose from the list",
        ),
        code="no_share",
        field="staff",
    )


def _handed_already() -> Conflict:
    return Conflict(
        Text("esa parte ya se entregó", "that share was handed over already"),
        code="handed_over",
        rule="REC-07",
        field="staff",
    )


explain_constraint("one_handover_per_share", _handed_already)
