"""Prizes as a round brings them: found under the pool's lock, locked at once, told and posted one by one.

A prize moves its value out of the pool into `pending` the moment it is hit; the level restarts and other
tables play on (DEA-033). Verifying and paying it are `jackpots.prizes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from audits import ledger, trail
from audits.by import By
from audits.ledger import Move
from audits.models import Event
from casino.kernel import locking
from casino.models import NumberSeries
from jackpots import awarding
from jackpots.awarding import Award, Funds, Meter, Winner
from jackpots.holding import HeldPool, Kind
from jackpots.models import Bet, Prize
from tables.models import Round, SeatTaking

SERIES = "prize"


@dataclass(frozen=True, slots=True)
class Hit:
    """A prize found, with its bet and its number."""

    award: Award
    bet: Bet
    year: int
    number: int


def find(held: HeldPool, counted: Sequence[Bet], hands: Mapping[str, str], by: By) -> list[Hit]:
    """The prizes of a round's hands, numbered, in the order they are paid (PP-02, PP-17). `hands`: each
    position's category, as the engine saw it."""
    terms = held.scheme
    assert terms is not None
    # PP-14: from the croupier's right to the left, which is from the last position to the first.
    bets = {bet.seat: bet for bet in sorted(counted, key=lambda bet: -bet.seat)}
    winners = [
        Winner(seat, hands[str(seat)], bet.amount)
        for seat, bet in bets.items()
        if str(seat) in hands and terms.prize_of(hands[str(seat)]) is not None
    ]
    if not winners:
        return []
    levels = {one.code: _meter(held, one.code) for one in terms.levels}
    reserve = held.funds[terms.reserves[0].code].players if terms.reserves else 0
    # A later winner may find nothing on the meter: kept, as one before may not be confirmed (PP-17).
    found, _ = awarding.award(terms, Funds(levels, reserve), winners)
    locking.taking(locking.Rank.SLIP_SERIES)
    year = by.occurred_at.astimezone(ZoneInfo(by.casino.zone)).year
    return [Hit(one, bets[one.seat], year, NumberSeries.take(by.casino, SERIES, year)) for one in found]


def _meter(held: HeldPool, code: str) -> Meter:
    return Meter(held.funds[code].players, held.funds[code].base)


def store(held: HeldPool, hits: Sequence[Hit], settled: Round, by: By) -> list[Prize]:
    """Lock each prize: its row, its event, its value out of the pool, the level back at its base (PP-31,
    PP-33)."""
    session = settled.session
    people = {
        taking.seat: taking.alias
        for taking in SeatTaking.objects.filter(session=session, during__endswith=None)
    }
    return [_lock(held, hit, settled, people.get(hit.award.seat, ""), by) for hit in hits]


def _lock(held: HeldPool, hit: Hit, settled: Round, alias: str, by: By) -> Prize:
    pool, one = held.pool, hit.award
    pool.prizes += 1
    prize = Prize(
        casino=by.casino,
        year=hit.year,
        number=hit.number,
        pool=pool,
        version=pool.version,
        order=pool.prizes,
        bet=hit.bet,
        round=settled,
        session=settled.session,
        seat=one.seat,
        alias=alias,
        level=one.level,
        hand=one.hand,
        top=one.top,
        before=one.before,
        amount=one.paid,
        after=one.after,
        players=one.players,
        base=one.base,
        reserve=one.reserve,
        house=one.house,
        reseed_reserve=one.reseed_reserve,
        reseed_house=one.reseed_house,
        hit_at=by.occurred_at,
        noted_by=by.actor,
    )
    prize.hit_event = _tell(prize, held, by)
    prize.save()
    change_funds(held, prize)
    day = settled.session.day.date
    ledger.post(event=prize.hit_event, kind="prize", day=day, moves=moves_of(held, prize))
    held.store(prize.hit_event, by.occurred_at)
    return prize


def change_funds(held: HeldPool, prize: Prize) -> None:
    """Take a prize out of the funds it comes from and bring its level back to its base."""
    held.change(prize.level, Kind.PRIZE, players=-prize.players, base=-prize.base)
    code = reserve_of(held)
    if code:
        held.change(code, Kind.PRIZE, players=-prize.reserve)
        held.change(code, Kind.RESEED, players=-prize.reseed_reserve)
    held.change(prize.level, Kind.RESEED, players=prize.reseed_reserve, base=prize.reseed_house)


def reserve_of(held: HeldPool) -> str:
    """The reserve that steps in, by its code; empty where the scheme has none."""
    assert held.scheme is not None
    return held.scheme.reserves[0].code if held.scheme.reserves else ""


def moves_of(held: HeldPool, prize: Prize) -> list[Move]:
    """A prize into `pending`, and the level's restart."""
    pool, level = held.pool, prize.level
    pending, players = pool.account("pending"), pool.account(level)
    reserve = pool.account(reserve_of(held) or "reserve")
    return [
        Move(players, pending, prize.players, "prize"),
        Move(pool.account(level, "base"), pending, prize.base, "prize"),
        Move(reserve, pending, prize.reserve, "prize"),
        Move(pool.house_account, pending, prize.house, "prize"),
        Move(reserve, players, prize.reseed_reserve, "reseed"),
        Move(pool.house_account, pool.account(level, "base"), prize.reseed_house, "reseed"),
    ]


def _tell(prize: Prize, held: HeldPool, by: By) -> Event:
    pool, session = held.pool, prize.session
    data = {
        "label": prize.label,
        "year": prize.year,
        "number": prize.number,
        "order": prize.order,
        "version": pool.version_id,
        "table": session.table.name,
        "session": session.pk,
        "session_label": session.label,
        "round": prize.round.number,
        "round_id": prize.round_id,
        "bet": prize.bet_id,
        "seat": prize.seat,
        "player": prize.alias,
        "level": prize.level,
        "hand": prize.hand,
        "top": prize.top,
        "before": prize.before,
        "amount": prize.amount,
        "after": prize.after,
        "from": {name: getattr(prize, name) for name in SOURCES},
        "reseed": {"reserve": prize.reseed_reserve, "house": prize.reseed_house},
    }
    subject = trail.Subject("pool", pool.pk, pool.name)
    rules = ["PP-02", "PP-15", "PP-17", "PP-31", *(["PP-33"] if prize.top else [])]
    return trail.record(
        "jackpots.prize.hit", stream=pool.stream, subject=subject, by=by, data=data, rules=rules
    )


SOURCES = ("players", "base", "reserve", "house")
"""Whose money a prize is, by the names of its columns."""
