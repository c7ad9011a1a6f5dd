"""What a bid must be, who leads, when the close moves: plain values, no clock of its own.

Instants are the server's, taken under the auction's lock; what a tablet's clock says is never asked.
Amounts in smallest units.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games.banked.betting import above_most
from tables.games.staking import require_multiple

AT_ONCE = dt.timedelta(seconds=3)
"""Within how long of the leading bid an equal one may be noted as heard at the same time (BANK-26)."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What bids are judged by. `chip`: what amounts are multiples of."""

    sealed: bool
    minimum: int
    increment: int
    most: int
    chip: int
    closes_at: dt.datetime
    window: dt.timedelta
    extension: dt.timedelta
    exponent: int = 2

    def said(self, amount: int) -> Text:
        return money_words(amount, self.exponent)


@dataclass(frozen=True, slots=True)
class Offer:
    """A bid that was taken."""

    number: int
    taking: int
    seat: int
    amount: int
    at: dt.datetime


def judge(
    ground: Ground,
    offers: Sequence[Offer],
    *,
    taking: int,
    amount: int,
    at: dt.datetime,
    together: bool = False,
) -> None:
    """Raise unless a bid stands: `Conflict` BANK-10 (`auction_closed`), `RuleViolation` BANK-11
    (`bid_below_minimum`), GEN-07 (`not_in_chips`), GEN-04 (`above_maximum`), BANK-26 (`bid_too_low`;
    sealed: `already_handed_in`).

    `together`: heard at the same time as the leading bid, and equal to it: a tie for the draw.
    """
    if at >= ground.closes_at:
        raise closed()
    _require_amount(ground, amount)
    if ground.sealed:
        # One envelope each: a second one judged by the first would tell, by trying, what the first holds.
        if taking in {offer.taking for offer in offers}:
            raise _handed_in()
        return
    best = max((offer.amount for offer in offers), default=0)
    if together and _equal_at_once(offers, taking, amount, best, at):
        return
    if best and amount < best + ground.increment:
        raise _too_low(ground, best)


def _require_amount(ground: Ground, amount: int) -> None:
    said = ground.said(amount)
    if amount < ground.minimum:
        least = ground.said(ground.minimum)
        raise RuleViolation(
            "BANK-11",
            Text(
                f"la puja inicial es de {least.es}: {said.es} no llega",
                f"bidding opens at {least.en}: {said.en} falls short",
            ),
            {"amount": amount, "min": ground.minimum},
            code="bid_below_minimum",
            field="amount",
        )
    require_multiple(amount, ground.chip, ground.exponent)
    if amount > ground.most:
        raise above_most(amount, ground.most, ground.exponent)


def _equal_at_once(offers: Sequence[Offer], taking: int, amount: int, best: int, at: dt.datetime) -> bool:
    tied = [offer for offer in offers if offer.amount == best]
    fresh = bool(tied) and at - tied[0].at <= AT_ONCE
    return fresh and amount == best and taking not in {offer.taking for offer in tied}


def _handed_in() -> RuleViolation:
    return RuleViolation(
        "BANK-26",
        Text(
            "este jugador ya entregó su sobre, y cada uno entrega uno solo",
            "this player has handed in a sealed bid already, and each hands in one",
        ),
        code="already_handed_in",
        field="seat",
    )


def _too_low(ground: Ground, best: int) -> RuleViolation:
    least, there = ground.said(best + ground.increment), ground.said(best)
    return RuleViolation(
        "BANK-26",
        Text(
            f"la mejor puja es de {there.es}: ofrezca al menos {least.es}",
            f"the best bid is {there.en}: offer at least {least.en}",
        ),
        {"best": best, "min": best + ground.increment},
        code="bid_too_low",
        field="amount",
    )


def closed() -> Conflict:
    return Conflict(
        Text(
            "la subasta ya cerró según el reloj de Sabot: la puja llegó tarde",
            "the auction has closed by Sabot's clock: the bid came late",
        ),
        code="auction_closed",
        rule="BANK-10",
    )


def leading(offers: Sequence[Offer]) -> list[Offer]:
    """The bids that lead, in their order: one, or several that tie (BANK-26); none without bids."""
    best = max((offer.amount for offer in offers), default=0)
    seen: dict[int, Offer] = {}
    for offer in offers:
        if offer.amount == best:
            seen.setdefault(offer.taking, offer)
    return sorted(seen.values(), key=lambda offer: offer.number)


def extended(ground: Ground, at: dt.datetime) -> dt.datetime:
    """When the auction closes after a bid at `at`: a bid in the last `window` moves the close. Sealed bids
    do not.
    """
    if ground.sealed or ground.closes_at - at > ground.window:
        return ground.closes_at
    return max(ground.closes_at, at + ground.extension)
