"""Prizes of one round and pool hang together (PP-17): who wins equally shares, and who comes later wins of
what is left. So none is paid while one before it is undecided; and once one is not confirmed, another whose
amount it had made smaller is not paid as it stands: none of the round is confirmed, the round is voided and
logged again as it was played. A prize of nothing is over once those before it are paid, and holds up none.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from jackpots import awarding, claims, scheme
from jackpots.awarding import Funds, Meter, Winner
from jackpots.models import Bet, Prize

State = Prize.State


def require_due(prize: Prize) -> None:
    """Whether a prize may be paid for what it is, or be over where it is nothing. Raises `Conflict` PP-17
    (`earlier_open`, `prize_changed`)."""
    others = Prize.objects.filter(round=prize.round_id, pool=prize.pool_id).exclude(pk=prize.pk)
    # One that is verified may still not be confirmed: nothing to pay waits until it is paid.
    waiting = Q(state=State.PENDING) if prize.amount else Prize.OPEN
    before = others.filter(waiting, order__lt=prize.order, amount__gt=0).order_by("order").first()
    if before is not None:
        raise _earlier_open(before)
    rejected = list(others.filter(state=State.REJECTED).values_list("seat", flat=True))
    if rejected and _due(prize, rejected) != prize.amount:
        raise Conflict(
            Text(
                f"el importe de {prize.label} dependía de un premio del mismo pase que no se confirmó: no lo"
                " confirmen, anulen el pase y anótenlo de nuevo como se jugó",
                f"the amount of {prize.label} hung on a prize of the same round that was not confirmed: do"
                " not confirm it, void the round and log it again as it was played",
            ),
            code="prize_changed",
            rule="PP-17",
        )


def _earlier_open(before: Prize) -> Conflict:
    words = Text(
        f"{before.label}, del mismo pase, se paga antes y no está verificado: decídanlo primero",
        f"{before.label}, of the same round, is paid before and is not verified: decide on it first",
    )
    if before.state == State.VERIFIED:
        words = Text(
            f"{before.label}, del mismo pase, no está pagado: un premio de cero se verifica después",
            f"{before.label}, of the same round, is not paid: a prize of nothing is verified after it",
        )
    return Conflict(words, code="earlier_open", rule="PP-17")


def require_no_share_paid(prize: Prize) -> None:
    """A prize is not taken back once one whose amount hung on it was paid.

    Raises `Conflict` PP-17 (`shared_paid`).
    """
    rows = Prize.objects.filter(round=prize.round_id, pool=prize.pool_id).select_related("version", "round")
    rejected = list(rows.filter(state=State.REJECTED).values_list("seat", flat=True))
    for paid in rows.filter(state=State.PAID).order_by("order"):
        if _due(paid, [*rejected, prize.seat]) != paid.amount:
            raise Conflict(
                Text(
                    f"{paid.label}, del mismo pase, ya se pagó y su importe dependía de éste: abran una"
                    " discrepancia",
                    f"{paid.label}, of the same round, is paid already and its amount hung on this one: open"
                    " a dispute",
                ),
                code="shared_paid",
                rule="PP-17",
            )


def _due(prize: Prize, without: Collection[int]) -> int:
    """What a prize of a round comes to where those of the seats `without` are none.

    Amounts depend on what the levels showed alone, not on whose money that was.
    """
    played, terms = prize.round, scheme.read(prize.version.params)
    first: dict[str, int] = {}
    for one in Prize.objects.filter(round=played, pool=prize.pool_id).order_by("order"):
        first.setdefault(one.level, one.before)
    bets = Bet.objects.filter(round=played, pool=prize.pool_id, state=Bet.State.COUNTED).order_by("-seat")
    winners = [
        Winner(bet.seat, hand, bet.amount)
        for bet in bets
        if bet.seat not in without
        and (hand := claims.hand_of(played, bet.seat))
        and terms.prize_of(hand) is not None
    ]
    levels = {one.code: Meter(first.get(one.code, 0), 0) for one in terms.levels}
    paid, _ = awarding.award(terms, Funds(levels, 0), winners)
    return next((one.paid for one in paid if one.seat == prize.seat), 0)
