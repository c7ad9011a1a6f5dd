"""A round voided takes its progressive bets back out of the pool (REC-07, PP-29).

The round's own reversal takes back what each fund was given, to the unit; what the closed form then asks for
(`jackpots.maths`) is at most one unit a fund, moved between it and the residue. What the round had sent over
a cap comes back from the reserve first, so that each centavo leaves from where it went.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.db.models import F

from audits import ledger, trail
from audits.by import By
from audits.ledger import Move
from audits.models import Event
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from jackpots import complementary, credits, maths, tray
from jackpots.holding import HeldPool, Kind, hold_pool
from jackpots.models import Bet, Pool, PoolMove, Prize, SeatCredits
from tables.models import Round
from tables.participants import AfterVoid


def before_void(round: Round, by: By) -> AfterVoid | None:
    """Lock what voiding a round takes out of its pool; None where it brought nothing.

    Raises `Conflict` PP-31 (`prize_stands`) while a prize of the round is neither rejected nor gone, PP-29
    (`pool_moved_on`) once its contributions were won by others or the pool's parameters changed, PP-27
    (`draw_stands`) once a bet of it won a complementary prize.
    """
    bets = list(Bet.objects.filter(round=round, state=Bet.State.COUNTED).order_by("serial"))
    if not bets:
        return None
    held = hold_pool(bets[0].pool_id)
    _require_no_prize(round)
    complementary.require_none_won(bets)
    if any(bet.version_id != held.pool.version_id for bet in bets):
        raise _moved_on(held.pool)
    assert held.scheme is not None
    amount = sum(bet.amount for bet in bets)
    target = maths.split(held.scheme, held.offsets, held.pool.collected, -amount)
    over = _went_over(held, bets)
    for code, part in target.parts.items():
        if code in held.funds and held.funds[code].players + part - over.get(code, 0) < 0:
            raise _moved_on(held.pool)
    return partial(_take_back, held, round, bets, target, over)


def _went_over(held: HeldPool, bets: Sequence[Bet]) -> dict[str, int]:
    """What the round sent over a cap, by fund: taken from the level, and given to the reserve. The pool had
    then counted up to the round's last bet."""
    assert bets[-1].serial is not None
    moves = PoolMove.objects.filter(
        pool=held.pool,
        kind=Kind.OVERFLOW,
        bets=bets[-1].serial,
        event__action="jackpots.pool.contributed",
    )
    over: dict[str, int] = {}
    for code, players in moves.values_list("fund__code", "players"):
        over[code] = over.get(code, 0) + players
    return over


def _require_no_prize(round: Round) -> None:
    prize = Prize.objects.filter(round=round).exclude(state=Prize.State.REJECTED).first()
    if prize is not None:
        raise Conflict(
            Text(
                f"el pase tiene el premio {prize.label}: sólo se anula si dos personas no lo confirman",
                f"the round has prize {prize.label}: it is voided only once two people do not confirm it",
            ),
            code="prize_stands",
            rule="PP-31",
        )


def _moved_on(pool: Pool) -> Conflict:
    return Conflict(
        Text(
            f"{pool.name} siguió después de este pase (un premio, otros parámetros): abra una disputa",
            f"{pool.name} went on after this round (a prize, other parameters): open a dispute",
        ),
        code="pool_moved_on",
        rule="PP-29",
    )


def _take_back(
    held: HeldPool,
    round: Round,
    bets: Sequence[Bet],
    target: maths.Split,
    over: dict[str, int],
    voiding: Event,
    by: By,
) -> None:
    pool, session = held.pool, round.session
    given = _given(held, bets)
    pool.collected -= sum(bet.amount for bet in bets)
    for code, part in target.parts.items():
        if code in held.funds:
            held.change(code, Kind.VOID, players=part)
    for code, players in over.items():
        held.change(code, Kind.OVERFLOW, players=-players)
    _unbet(pool, round, bets)
    event = _tell(pool, round, bets, target, over, voiding, by)
    ledger.post(
        event=event,
        kind="pool",
        day=session.day.date,
        moves=[*_evened(pool, given, target), *_back_over(pool, over)],
    )
    held.store(event, by.occurred_at)
    if pool.form == Pool.Form.CREDITS:
        for bet in bets:
            credits.hand_back(bet, pool, by)


def _unbet(pool: Pool, round: Round, bets: Sequence[Bet]) -> None:
    """The bets are void: on the meters again, or out of the tray what the slot had brought into it."""
    Bet.objects.filter(pk__in=[bet.pk for bet in bets]).update(state=Bet.State.VOID)
    if pool.form == Pool.Form.CHIPS:
        tray.count(round.session, -tray.of_round(round))
        return
    for bet in bets:
        meters = SeatCredits.objects.filter(session=round.session, seat=bet.seat)
        meters.update(amount=F("amount") + bet.amount)


def _tell(
    pool: Pool,
    round: Round,
    bets: Sequence[Bet],
    target: maths.Split,
    over: dict[str, int],
    voiding: Event,
    by: By,
) -> Event:
    session = round.session
    data = {
        "table": session.table.name,
        "session": session.pk,
        "round": round.number,
        "round_id": round.pk,
        "version": pool.version_id,
        "named": trail.named(voiding, session.stream),
        "bets": [[bet.seat, bet.amount, bet.serial] for bet in bets],
        "amount": sum(bet.amount for bet in bets),
        "parts": dict(target.parts),
        "over": over,
        "collected": pool.collected,
    }
    subject = trail.Subject("pool", pool.pk, pool.name)
    return trail.record(
        "jackpots.pool.uncontributed",
        stream=pool.stream,
        subject=subject,
        by=by,
        data=data,
        rules=["REC-07", "PP-29"],
    )


def _back_over(pool: Pool, over: dict[str, int]) -> list[Move]:
    """From the reserve to the levels it had it of."""
    reserve = next((code for code, players in over.items() if players > 0), "")
    return [
        Move(pool.account(reserve), pool.account(code), -players, "overflow")
        for code, players in over.items()
        if players < 0
    ]


def _given(held: HeldPool, bets: Sequence[Bet]) -> dict[str, int]:
    """What the round gave each fund: its bets follow each other, being one settlement."""
    assert held.scheme is not None and bets[0].total is not None
    before = bets[0].total - bets[0].amount
    return dict(maths.split(held.scheme, held.offsets, before, sum(bet.amount for bet in bets)).parts)


def _evened(pool: Pool, given: dict[str, int], target: maths.Split) -> list[Move]:
    """From fund to residue, or back, what the plain reversal leaves over or lacks."""
    residue, moves = pool.account("residue"), []
    for code, part in target.parts.items():
        account = pool.commission_account if code == "commission" else pool.account(code)
        off = part + given[code]
        moves.append(
            Move(residue, account, off, "evened") if off > 0 else Move(account, residue, -off, "evened")
        )
    return moves
