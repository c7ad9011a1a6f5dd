"""A table's result made final by two people, once nothing is outstanding (REC-08)."""

from __future__ import annotations

from collections.abc import Iterator

from audits.by import By
from audits.models import Actor
from casino.kernel import locking
from casino.kernel.commands import command
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables import duties, life, results
from tables.holding import out_of_order
from tables.models import DropBox, TableSession
from tables.money import box_policies as policies
from tables.money.boxes import named, require_beside
from tables.noting import note

RULE = "REC-08"


@command(policies.RECONCILE)
def reconcile_session(*, session: TableSession, with_: Actor, by: By) -> TableSession:
    """Make a counted session's result final: counted -> reconciled, signed by two (REC-08).

    Also once its gaming day is closed, which waits for the count, not for the signatures: nothing is posted.
    Raises `Conflict` (`session_state`, `exceptions_open` with what remains), `RuleViolation` for the second
    signature.
    """
    require_beside(by, with_, policies.RECONCILE)
    locking.taking(locking.Rank.SESSION)
    session = (
        TableSession.objects.select_for_update(of=("self",), no_key=True)
        .select_related("table", "day", "casino")
        .get(pk=session.pk)
    )
    duties.require_pit(by, session.table)
    if session.state != TableSession.State.COUNTED:
        raise Conflict(
            Text(
                f"{session.label} está {life.NAMES[session.state].es}: se concilia una sesión contada",
                f"{session.label} is {life.NAMES[session.state].en}: a counted session is reconciled",
            ),
            code="session_state",
            rule=RULE,
        )
    assert session.closed_at is not None
    if by.occurred_at < session.closed_at:
        raise out_of_order(by.casino, session.closed_at)
    _require_nothing_outstanding(session)
    session.state = TableSession.State.RECONCILED
    session.reconciled_at, session.reconciled_by, session.reconciled_with = by.occurred_at, by.actor, with_
    session.save(update_fields=["state", "reconciled_at", "reconciled_by", "reconciled_with"])
    told = {**results.told(session), "income": results.income(session), "with": named(with_)}
    note("tables.session.reconciled", session, by, told, [RULE, "FLOOR-12", "GEN-10"])
    return session


def _require_nothing_outstanding(session: TableSession) -> None:
    left = results.outstanding(session)
    if not left:
        return
    raise Conflict(
        Text(
            "falta antes de conciliar: " + "; ".join(one.words.es for one in left),
            "missing before this is reconciled: " + "; ".join(one.words.en for one in left),
        ),
        code="exceptions_open",
        rule=RULE,
        detail={"exceptions": [{"code": one.code, "rule": one.rule, **one.words.as_dict()} for one in left]},
    )


def boxes_outstanding(session: TableSession) -> Iterator[results.Outstanding]:
    """Boxes of the session that are not settled (FLOOR-11)."""
    for box in DropBox.objects.filter(session=session).exclude(state=DropBox.State.SETTLED).order_by("pk"):
        yield results.Outstanding(
            "box_unsettled",
            Text(f"la caja {box.number} sigue sin contar", f"box {box.number} is not counted"),
            "FLOOR-11",
        )
