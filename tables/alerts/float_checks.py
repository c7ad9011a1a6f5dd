"""The float of a live table counted in mid-shift: against the ledger where every bet is logged, else an
estimate.

Nothing is posted: chips stay where they are, and what a check shows is said with its sign (FLOOR-05). Play
goes on; a difference as large as one that an opening reports raises an alert.
"""

from __future__ import annotations

from collections.abc import Mapping

from audits.by import By
from casino.kernel import money
from casino.kernel.commands import command
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables import chips, counts
from tables.alerts import policies
from tables.alerts.keeping import raise_now
from tables.alerts.watches import of_check
from tables.holding import lock_session, move_on
from tables.models import FloatCheck, Staff, TableSession
from tables.noting import note
from tables.results import expected_tray

RULES = ("FLOOR-05", "GEN-10")


@command(policies.CHECK_FLOAT)
def check_float(
    *,
    session: TableSession,
    chips_counted: Mapping[int, int],
    counted_by: Staff,
    witnessed_by: Staff,
    by: By,
    cash: int | None = None,
) -> FloatCheck:
    """Count the float of a live table before two people, while it plays (FLOOR-05).

    `chips_counted`: denomination in smallest units -> chips. `cash`: chips sold at the table for cash so
    far, in smallest units, as the chief has it noted; None where nobody noted it. Raises what a count is
    refused for (`counts.checked`: two people, denominations of the house), `Refused` (`bad_cash`), `Conflict`
    (`session_closed`).
    """
    _require_cash(cash)
    session = lock_session(session, by).session
    counted = counts.checked(counts.Float(chips_counted, counted_by, witnessed_by), by)
    basis, expected = expectation(session, cash)
    total = chips.total(counted)
    check = FloatCheck.objects.create(
        casino=by.casino,
        session=session,
        number=FloatCheck.objects.filter(session=session).count() + 1,
        chips=chips.stored(counted),
        total=total,
        cash=cash,
        basis=basis,
        expected=expected,
        difference=total - expected,
        counted_by=counted_by,
        witnessed_by=witnessed_by,
        recorded_by=by.actor,
        checked_at=by.occurred_at,
    )
    move_on(session, by)
    session.save(update_fields=["last_at"])
    cause = of_check(check, by.casino)
    if cause is not None:
        raise_now([cause], by)
    _tell(check, session, by)
    return check


def _require_cash(cash: int | None) -> None:
    if cash is not None and not 0 <= cash <= money.MAX_UNITS:
        raise Refused(
            Text("lo vendido en la mesa no puede ser negativo", "what was sold at the table is not negative"),
            code="bad_cash",
            field="cash",
        )


def expectation(session: TableSession, cash: int | None) -> tuple[str, int]:
    """On what basis, and how much the float of a session should be, in smallest units.

    By the ledger (opening, fills, credits and every bet) less the chips sold for cash, where bets are logged
    and the cash is known. Else an estimate: the same without what nobody knows.
    """
    expected = expected_tray(session) - (cash or 0)
    sure = session.detail == "full" and cash is not None
    return (FloatCheck.Basis.LEDGER if sure else FloatCheck.Basis.ESTIMATE).value, expected


def _tell(check: FloatCheck, session: TableSession, by: By) -> None:
    told = {
        "number": check.number,
        "chips": check.chips,
        "total": check.total,
        "cash": check.cash,
        "basis": str(check.basis),
        "expected": check.expected,
        "difference": check.difference,
        "counted_by": check.counted_by_id,
        "witnessed_by": check.witnessed_by_id,
    }
    note("tables.float.checked", session, by, told, RULES)
