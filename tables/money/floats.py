"""How large a table's float is against what is usual (FLOOR-09): flagged, never refused.

The first float is a multiple of the table's minimum, by the game's family; each further fill equals it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from casino.kernel import money, rulebook
from casino.kernel.words import Text
from tables.models import BetLimits, Slip, Table, TableSession

RULE = "FLOOR-09"
_FAMILIES = {
    "blackjack": "float_multiple_blackjack",
    "baccarat": "float_multiple_baccarat",
    "trente": "float_multiple_trente",
}


@dataclass(frozen=True, slots=True)
class FloatFlag:
    """What is not as usual, in words, with the two figures compared (smallest units)."""

    code: str
    words: Text
    amount: int
    usual: int
    rule: str = RULE


def usual_float(game: str, limits: BetLimits | None) -> int | None:
    """The usual first float in smallest units: so many table minimums; None where the book names none."""
    param = _FAMILIES.get(game.partition(".")[0])
    if param is None or limits is None:
        return None
    lowest = table_minimum(limits.spots)
    return None if lowest is None else int(rulebook.rule(RULE).params[param]) * lowest


def usual_now(table: Table, instant: dt.datetime) -> int | None:
    """The usual first float of a table under the limits in force at an instant."""
    limits = BetLimits.objects.filter(table=table, effective_from__lte=instant)
    return usual_float(table.game, limits.order_by("-effective_from", "-version").first())


def table_minimum(spots: Mapping[str, tuple[int, int]]) -> int | None:
    """The table's minimum: the highest of the lowest stakes its spots take, which is the main bet's."""
    lows = [low for low, _ in spots.values()]
    return max(lows) if lows else None


def float_flag(session: TableSession) -> FloatFlag | None:
    """Why the float a table opened on is not the usual one, None where it is or nobody says what is usual."""
    usual = usual_float(session.game, session.limits)
    if usual is None or session.opening >= usual:
        return None
    exponent = session.casino.exponent
    has, wanted = money.words(session.opening, exponent), money.words(usual, exponent)
    return FloatFlag(
        "float_below_usual",
        Text(
            f"fondo de {has.es}, menor que el habitual de {wanted.es}",
            f"float of {has.en}, below the usual {wanted.en}",
        ),
        session.opening,
        usual,
    )


def slip_flag(slip: Slip) -> FloatFlag | None:
    """Why a fill is not as usual: each one equals the first float. Credits are as they are."""
    opening = slip.session.opening
    if slip.kind != Slip.Kind.FILL or slip.total == opening:
        return None
    exponent = slip.casino.exponent
    has, wanted = money.words(slip.total, exponent), money.words(opening, exponent)
    return FloatFlag(
        "fill_differs_from_float",
        Text(
            f"reposición de {has.es}, distinta del fondo inicial de {wanted.es}",
            f"fill of {has.en}, other than the first float of {wanted.en}",
        ),
        slip.total,
        opening,
    )


FLOAT_MOVES = {
    "opening": Text("fondo contado al abrir", "float counted at the opening"),
    "closing": Text("fondo contado al cerrar", "float counted at the close"),
    "lost": Text("apuestas", "wagers"),
    "won": Text("apuestas", "wagers"),
    "breakage": Text("apuestas, lo que deja el redondeo", "wagers, what rounding leaves"),
    "chips_sold": Text("fichas vendidas por efectivo", "chips sold for cash"),
    "fill": Text("reposición", "fill"),
    "credit": Text("retiro", "credit"),
    "commission": Text("comisión que estaba en la bandeja", "commission that lay in the tray"),
    "deduction": Text("deducción", "deduction"),
    "tips_exchanged": Text("propina cambiada", "exchanged tip"),
    "progressive": Text("fichas del progresivo", "progressive chips"),
    "count_difference": Text("diferencia del conteo, con su signo", "difference of the count, with its sign"),
    "result_by_count": Text("resultado según el conteo", "result by the count"),
}
"""FLOOR-06: as what a float may change, by the memo of its posting; the proof finds any other."""
