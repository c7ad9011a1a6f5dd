"""What the display of a level was read to show: noted with what the level held; a difference is said at once.

A meter that shows less than it did needs a reason, unless something of the pool says why it fell (PP-29).
What was read is no correction: a difference stands until the nightly proof and its incident explain it.
"""

from __future__ import annotations

from audits import days, trail
from audits.by import By
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.money import MAX_UNITS
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from jackpots import policies
from jackpots.holding import HeldPool, hold_pool
from jackpots.models import Fund, MeterReading, Pool, PoolMove

FALLING = (
    PoolMove.Kind.PRIZE,
    PoolMove.Kind.TRANSFER,
    PoolMove.Kind.VOID,
    PoolMove.Kind.OVERFLOW,
    PoolMove.Kind.CORRECTION,
    PoolMove.Kind.REJECTED,
)
"""Movements that may lower what a level shows."""


@command(policies.READ_METER)
def read_meter(*, pool: Pool, amount: int, by: By, level: str = "main") -> MeterReading:
    """Note what the display of a level shows. `said()` tells whether it is what the level held.

    Raises `Refused` (`no_level`, `bad_amount`), `Conflict` (`not_running_yet`, `day_closed`), `RuleViolation`
    PP-29 (`reading_lower`) for less than the reading before without a reason.
    """
    held = hold_pool(pool.pk)
    fund = _level(held, level)
    if isinstance(amount, bool) or not isinstance(amount, int) or not 0 <= amount <= MAX_UNITS:
        raise Refused(
            Text("la lectura es un importe, desde cero", "the reading is an amount, from zero"),
            code="bad_amount",
            field="amount",
        )
    day = by.casino.gaming_day(by.occurred_at)
    days.require_writable(by.casino, day)
    _require_reason(held, fund, amount, by)
    data = {
        "level": level,
        "amount": amount,
        "shown": fund.shown,
        "bets": held.pool.bets,
        "day": str(day),
        "difference": amount - fund.shown,
    }
    event = trail.record(
        "jackpots.meter.read",
        stream=held.pool.stream,
        subject=trail.Subject("pool", held.pool.pk, held.pool.name),
        by=by,
        data=data,
        rules=["PP-28", "PP-29"],
    )
    return MeterReading.objects.create(
        casino=by.casino,
        pool=held.pool,
        level=level,
        amount=amount,
        shown=fund.shown,
        bets=held.pool.bets,
        day=day,
        reason=by.reason.strip(),
        event=event,
        at=by.occurred_at,
        noted_by=by.actor,
    )


def said(reading: MeterReading) -> Text | None:
    """What to tell whoever entered a reading that is not what the level held; None where it is."""
    off = reading.amount - reading.shown
    if not off:
        return None
    exponent = reading.pool.casino.exponent
    read, shown, by_ = (money_words(units, exponent) for units in (reading.amount, reading.shown, abs(off)))
    more = Text("más", "more") if off > 0 else Text("menos", "less")
    return Text(
        f"el contador muestra {read.es} y Sabot {shown.es}: {by_.es} de {more.es};"
        " quedará como diferencia en la prueba del día",
        f"the meter shows {read.en} and Sabot {shown.en}: {by_.en} {more.en};"
        " the proof of the day will have it as a difference",
    )


def _level(held: HeldPool, code: str) -> Fund:
    if held.scheme is None:
        raise Conflict(
            Text(
                f"{held.pool.name} no se puso en marcha: no tiene contador",
                f"{held.pool.name} was never started: it has no meter",
            ),
            code="not_running_yet",
            rule="PP-22",
        )
    levels = [one.code for one in held.scheme.levels]
    if code not in levels:
        listed = ", ".join(levels)
        raise Refused(
            Text(f"los niveles de {held.pool.name} son: {listed}", f"levels of {held.pool.name}: {listed}"),
            code="no_level",
            field="level",
        )
    return held.funds[code]


def _require_reason(held: HeldPool, fund: Fund, amount: int, by: By) -> None:
    last = MeterReading.objects.filter(pool=held.pool, level=fund.code).order_by("-pk").first()
    if last is None or amount >= last.amount or texts.says_something(by.reason):
        return
    fell = PoolMove.objects.filter(fund=fund, kind__in=FALLING, event__seq__gt=last.event.seq)
    if fell.filter(event__stream_id=last.event.stream_id).exists():
        return
    before = money_words(last.amount, held.pool.casino.exponent)
    raise RuleViolation(
        "PP-29",
        Text(
            f"la lectura anterior fue {before.es} y nada del pozo explica que baje: indique el motivo",
            f"the reading before was {before.en} and nothing of the pool explains a fall: state the reason",
        ),
        {"before": last.amount},
        code="reading_lower",
        field="reason",
    )
