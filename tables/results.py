"""What a session won: the drop taken up, the result (FLOOR-12), and the postings of closing and drop."""

from __future__ import annotations

from typing import Any

from audits import ledger
from audits.ledger import Move
from casino.kernel import money
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables.models import TableSession


def expected_tray(session: TableSession) -> int:
    """What the tray should hold by the ledger, commission included, before the drop is known."""
    casino = session.casino
    return ledger.balance(casino, f"tray:{session.pk}") + ledger.balance(casino, f"kitty:{session.pk}")


def take_drop(session: TableSession, drop: int | None) -> None:
    """Result = closing + credits + drop - opening - fills (FLOOR-12); the session is counted."""
    if drop is None:
        return
    if not 0 <= drop <= money.MAX_UNITS:
        raise Refused(
            Text("la caja no puede ser negativa", "the drop cannot be negative"),
            code="bad_drop",
            field="drop",
        )
    assert session.closing is not None
    session.drop = drop
    session.state = TableSession.State.COUNTED
    session.result = session.closing + session.credits + drop - session.opening - session.fills
    if session.detail == "full":
        session.unexplained = session.result - session.house_result


def told(session: TableSession) -> dict[str, Any]:
    return {"drop": session.drop, "result": session.result, "unexplained": session.unexplained}


def post_closing(session: TableSession, event: Any) -> None:
    """The counted float goes back to the vault, the commission it holds told apart."""
    tray, kitty = f"tray:{session.pk}", f"kitty:{session.pk}"
    assert session.closing is not None
    commission = min(ledger.balance(session.casino, kitty), session.closing)
    moves = [
        Move(kitty, "vault", commission, "commission"),
        Move(tray, "vault", session.closing - commission, "closing"),
    ]
    ledger.post(event=event, kind="closing", day=session.day.date, moves=moves)
    if session.drop is not None:
        post_drop(session, event)


def post_drop(session: TableSession, event: Any) -> None:
    """Chips sold for the cash in the box; then what the count shows beyond the rounds, signed."""
    tray, players = f"tray:{session.pk}", f"players:{session.pk}"
    assert session.drop is not None
    sold = [
        Move(tray, players, session.drop, "chips_sold"),
        Move(players, f"drop:{session.pk}", session.drop, "drop"),
    ]
    ledger.post(event=event, kind="drop", day=session.day.date, moves=sold)
    left = ledger.balance(session.casino, tray) + ledger.balance(session.casino, f"kitty:{session.pk}")
    memo = "count_difference" if session.detail == "full" else "result_by_count"
    move = Move(players, tray, -left, memo) if left < 0 else Move(tray, players, left, memo)
    ledger.post(event=event, kind=memo, day=session.day.date, moves=[move])
