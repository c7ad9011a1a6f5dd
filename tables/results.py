"""What a table won: the drop taken up, the result line by line (FLOOR-12), the postings of closing and drop.

At tables where players pay one another the house's income is its deduction alone (FLOOR-13): the higher of
what its boxes held and what the rounds recorded (FLOOR-14). What forbids calling a result final is asked of
whoever registered (`register_exception`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from audits import ledger
from audits.ledger import Move
from casino.kernel import money
from casino.kernel.errors import Refused
from casino.kernel.words import Text
from tables.games import registry
from tables.models import TableSession


@dataclass(frozen=True, slots=True)
class Outstanding:
    """Something that keeps a result from being final: a code, what to do, the rule; `incident`: its id."""

    code: str
    words: Text
    rule: str = ""
    incident: int | None = None


_exceptions: list[Callable[[TableSession], Iterable[Outstanding]]] = []


def register_exception(found: Callable[[TableSession], Iterable[Outstanding]]) -> None:
    """Have `found(session)` asked before a session is reconciled; it yields what is outstanding."""
    if found not in _exceptions:
        _exceptions.append(found)


def outstanding(session: TableSession) -> list[Outstanding]:
    """Everything that still keeps this session's result from being final."""
    return [one for found in _exceptions for one in found(session)]


def expected_tray(session: TableSession) -> int:
    """What the tray should hold by the ledger, commission included, before the drop is known."""
    casino = session.casino
    return ledger.balance(casino, f"tray:{session.pk}") + ledger.balance(casino, f"kitty:{session.pk}")


def of_house(session: TableSession) -> bool:
    """Whether players face the house at this table (GEN-02); elsewhere they contend among themselves and its
    income is the deduction (FLOOR-13)."""
    return registry.game(session.game).bank == "house"


def veiled(session: TableSession, *, blind: bool = False) -> bool:
    """Whether what the rounds recorded in all is kept back: at a closed table whose deduction box waits, that
    sum is the figure expected in it (FLOOR-11, FLOOR-14). `blind`: from who will count it, and in reports,
    while the table plays, too."""
    return (blind or not session.live) and session.result is None and not of_house(session)


def income(session: TableSession) -> int | None:
    """What the house earned at the table, in smallest units, None until it is counted (FLOOR-12, FLOOR-13):
    the result of a house game; elsewhere the deduction entered, never netted with anything."""
    if session.result is None:
        return None
    if of_house(session):
        return session.result
    return session.commission if session.deduction is None else session.deduction


def hold_basis_points(result: int | None, drop: int | None) -> int | None:
    """Result over drop in basis points, rounded to the nearest; None without a drop (FLOOR-12)."""
    if result is None or not drop:
        return None
    size = (abs(result) * 20_000 + drop) // (2 * drop)
    return size if result >= 0 else -size


def take_drop(session: TableSession, drop: int, boxed: int | None) -> None:
    """The session is counted: result = closing + credits + drop - opening - fills (FLOOR-12).

    Chips paid in for a progressive pool lie in the tray and are owed to it (PP-28): they come off.
    `boxed`: what its deduction boxes held, None where it had none; those chips are the table's too, and the
    higher of them and of what rounds recorded is entered as deduction (FLOOR-14).
    """
    if not 0 <= drop <= money.MAX_UNITS:
        raise Refused(
            Text("la caja no puede ser negativa", "the drop cannot be negative"),
            code="bad_drop",
            field="drop",
        )
    assert session.closing is not None
    session.drop = drop
    session.state = TableSession.State.COUNTED
    came_in = session.closing + session.credits + drop + (boxed or 0)
    session.result = came_in - session.opening - session.fills - session.progressive
    if boxed is not None:
        session.deduction = max(boxed, session.commission)
    if session.detail == "full":
        session.unexplained = session.result - session.house_result


def told(session: TableSession) -> dict[str, Any]:
    return {
        "drop": session.drop,
        "result": session.result,
        "unexplained": session.unexplained,
        "deduction": session.deduction,
    }


def round_sums(session: TableSession) -> dict[str, int]:
    """What the rounds of a session come to, as its events tell."""
    return {"staked": session.staked, "returned": session.returned, "commission": session.commission}


def post_closing(session: TableSession, event: Any, *, boxed: bool = False) -> None:
    """The counted float goes back to the vault, the commission it holds told apart.

    `boxed`: the deduction lies in a box of its own and is counted with it, not with the float.
    """
    tray, kitty = f"tray:{session.pk}", f"kitty:{session.pk}"
    assert session.closing is not None
    commission = 0 if boxed else min(ledger.balance(session.casino, kitty), session.closing)
    moves = [
        Move(kitty, "vault", commission, "commission"),
        Move(tray, "vault", session.closing - commission, "closing"),
    ]
    ledger.post(event=event, kind="closing", day=session.day.date, moves=moves)


def post_drop(session: TableSession, event: Any, *, boxed: int | None = None) -> None:
    """Chips sold for the cash in the box, the deduction out of its box; then what the count shows beyond
    the rounds, signed."""
    tray, players = f"tray:{session.pk}", f"players:{session.pk}"
    assert session.drop is not None
    sold = [
        Move(tray, players, session.drop, "chips_sold"),
        Move(players, f"drop:{session.pk}", session.drop, "drop"),
    ]
    ledger.post(event=event, kind="drop", day=session.day.date, moves=sold)
    if boxed is not None:
        _post_deduction(session, event, boxed)
    left = ledger.balance(session.casino, tray) + ledger.balance(session.casino, f"kitty:{session.pk}")
    memo = "count_difference" if session.detail == "full" else "result_by_count"
    move = Move(players, tray, -left, memo) if left < 0 else Move(tray, players, left, memo)
    ledger.post(event=event, kind=memo, day=session.day.date, moves=[move])


def _post_deduction(session: TableSession, event: Any, boxed: int) -> None:
    """FLOOR-14: the higher figure is entered; what the box lacks is the house's, under its own name."""
    kitty, recorded = f"kitty:{session.pk}", session.commission
    moves = [
        Move(f"players:{session.pk}", kitty, max(boxed - recorded, 0), "deduction_over"),
        Move(kitty, "vault", boxed, "deduction"),
        Move(kitty, f"shortage:{session.pk}", max(recorded - boxed, 0), "deduction_short"),
    ]
    ledger.post(event=event, kind="deduction", day=session.day.date, moves=moves)
