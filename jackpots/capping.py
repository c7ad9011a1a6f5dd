"""The cap of a level: what it shows goes no higher, and does not fall for it either (PP-29).

Bets that bring a level above its cap give what is over to the first reserve, at once, and so does a prize
that is not confirmed. Money that people decide to put into a level is refused instead: the next bet would
lower what everybody sees.
"""

from __future__ import annotations

from audits.ledger import Move
from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text
from jackpots import maths
from jackpots.holding import HeldPool, Kind
from jackpots.naming import fund as fund_name
from jackpots.scheme import Level


def require_within(held: HeldPool, code: str, field: str) -> None:
    """A level shows no more than its cap. Raises `RuleViolation` PP-29 (`cap_below_meter`) beside `field`."""
    level = next((one for one in _levels(held) if one.code == code), None)
    if level is None or level.cap is None or held.funds[code].shown <= level.cap:
        return
    name = fund_name(code)
    raise RuleViolation(
        "PP-29",
        Text(
            f"«{name.es}» de {held.pool.name} mostraría más que su tope, y lo mostrado no baja por un tope:"
            " ponga menos, o apruebe parámetros con un tope mayor",
            f"“{name.en}” of {held.pool.name} would show more than its cap, and what is shown does not"
            " fall for a cap: put in less, or approve parameters with a higher cap",
        ),
        code="cap_below_meter",
        field=field,
    )


def spill(held: HeldPool) -> dict[str, Move]:
    """What is above a level's cap goes to the first reserve: a move by each level's code."""
    moves = {}
    for level in _levels(held):
        fund = held.funds[level.code]
        over = maths.overflow(level, fund.players, fund.base)
        if over:
            assert held.scheme is not None
            reserve = held.scheme.reserves[0].code
            held.change(level.code, Kind.OVERFLOW, players=-over)
            held.change(reserve, Kind.OVERFLOW, players=over)
            source, target = held.pool.account(level.code), held.pool.account(reserve)
            moves[level.code] = Move(source, target, over, "overflow")
    return moves


def _levels(held: HeldPool) -> tuple[Level, ...]:
    return () if held.scheme is None else tuple(held.scheme.levels)
