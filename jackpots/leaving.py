"""A player who gets up leaves nothing on the progressive: credits are theirs, not the position's (PP-09)."""

from __future__ import annotations

from audits.by import By
from casino.kernel.errors import Conflict
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from jackpots import credits
from jackpots.models import Bet
from tables.models import SeatTaking


def require_nothing_left(taking: SeatTaking, by: By) -> None:
    """Before a seat is left or changed. Raises `Conflict` PP-09 (`bet_waits`, `credits_left`)."""
    session, seat = taking.session, taking.seat
    if Bet.objects.filter(session=session, seat=seat, state=Bet.State.PLACED).exists():
        raise Conflict(
            Text(
                f"{taking.alias} tiene una apuesta al progresivo: retírela, o deja el asiento cuando se"
                " liquide el pase",
                f"{taking.alias} has a progressive bet on: take it off, or the seat is left once the round is"
                " settled",
            ),
            code="bet_waits",
            rule="PP-09",
        )
    left = credits.cashable_at(session, seat)
    if not left:
        return
    worth = money_words(left, session.casino.exponent)
    raise Conflict(
        Text(
            f"{taking.alias} tiene {worth.es} en créditos del progresivo: devuélvalos antes de que deje el"
            " asiento; si ya se fue, las fichas devueltas se registran como halladas en la mesa",
            f"{taking.alias} has {worth.en} in progressive credits: return them before the seat is left; if"
            " they are gone already, the chips returned are recorded as found at the table",
        ),
        code="credits_left",
        rule="PP-09",
    )


def settle(taking: SeatTaking, by: By) -> None:
    """As a seat is left: promotional credits that were not bet go back to the house (PP-25)."""
    credits.expire_promotions(taking.session, by, only=taking.seat)
