"""What a settled round brings to the pool and takes out of it: jackpots' part in settling (PP-14, PP-28).

Under the pool's lock, contributions first, in the round's own transfer; then what is above a cap, then the
prizes, each with its own event and transfer, so that a prize that is not confirmed goes back by itself and
voiding a round takes back its bets alone. The base game itself is settled as without a pool (PP-07). Bets of
positions that were not in the round, or of a pool that stands still, go back to their meters (PP-32).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db.models import F

from audits import ledger, trail
from audits.by import By
from audits.ledger import Move
from audits.models import Event
from jackpots import awards, capping, maths, tray
from jackpots.holding import GAMES, HeldPool, hold_pool
from jackpots.models import Bet, Pool, SeatCredits
from tables.models import Round, TableSession
from tables.noting import note
from tables.participants import Part, Settling

NAME = "pool"
AFTER_BANK = 20


def take_part(settling: Settling) -> Part:
    """The moves of a round's progressive bets, and what is stored once the round is."""
    if not settling.live or settling.session.game not in GAMES:
        return Part()
    placed = Bet.objects.filter(session=settling.session, number=settling.number, state=Bet.State.PLACED)
    bets = list(placed.order_by("seat"))
    if not bets:
        return Part()
    held = hold_pool(bets[0].pool_id)
    running = held.pool.state == Pool.State.RUNNING
    facts = settling.settlement.outcome.to_json()["facts"]
    dead = {int(seat) for seat in facts.get("misdeal", {}) if seat != "dealer"}
    # A hand that is dead for a misdeal cannot win, and its bet goes back as its stakes do (REG-019).
    playing = set(settling.state.places) - dead
    counted = [bet for bet in bets if running and bet.seat in playing]
    returned = [bet for bet in bets if bet not in counted]
    told = _Told(settling, held, counted, returned)
    if counted:
        _count(told)
        told.over = list(capping.spill(held).values())
        told.hits = awards.find(held, counted, facts.get("seats", {}), settling.by)
    return Part(moves=told.moves, data=told.data(), later=partial(_store, told))


@dataclass
class _Told:
    """The pool's part in one round while it is being settled."""

    settling: Settling
    held: HeldPool
    counted: Sequence[Bet]
    returned: Sequence[Bet]
    parts: dict[str, int] = field(default_factory=dict)
    residue: int = 0
    moves: list[Move] = field(default_factory=list)
    over: list[Move] = field(default_factory=list)
    hits: Sequence[awards.Hit] = ()

    @property
    def amount(self) -> int:
        return sum(bet.amount for bet in self.counted)

    def data(self) -> dict[str, Any]:
        if not self.counted:
            return {}
        pool = self.held.pool
        return {
            "pool": pool.pk,
            "name": pool.name,
            "version": pool.version_id,
            "bets": [[bet.seat, bet.amount, bet.serial, bet.total] for bet in self.counted],
            "amount": self.amount,
            "parts": dict(self.parts),
            "residue": self.residue,
            **({"chips": self.amount} if pool.form == Pool.Form.CHIPS else {}),
        }


def _count(told: _Told) -> None:
    """Give each bet its place and divide it; what goes over a cap moves on."""
    held = told.held
    pool, terms = held.pool, held.scheme
    assert terms is not None
    before = pool.collected
    for bet in told.counted:
        pool.collected, pool.bets = pool.collected + bet.amount, pool.bets + 1
        bet.serial, bet.total = pool.bets, pool.collected
        bet.version_id, bet.day = pool.version_id, told.settling.session.day.date
    split = maths.split(terms, held.offsets, before, told.amount)
    told.parts, told.residue = dict(split.parts), split.residue
    for code, part in split.parts.items():
        if code in held.funds:
            held.funds[code].players += part
    session = told.settling.session
    told.moves = list(moves_of(pool, split, tray.source_of(session, pool)))
    if pool.form == Pool.Form.CHIPS:
        told.moves.append(tray.chips_in(session, told.amount))


def moves_of(pool: Pool, split: maths.Split, source: str) -> list[Move]:
    """A collected amount from where it was to commission, funds and residue."""
    moves = []
    for code, part in split.parts.items():
        target = pool.commission_account if code == "commission" else pool.account(code)
        moves.append(_signed(source, target, part, "commission" if code == "commission" else "contribution"))
    return [*moves, _signed(source, pool.account("residue"), split.residue, "residue")]


def _signed(source: str, target: str, amount: int, memo: str) -> Move:
    """A residue gives back what broken units have come to."""
    return Move(source, target, amount, memo) if amount >= 0 else Move(target, source, -amount, memo)


# ---- once the round is stored ------------------------------------------------------------------------


def _store(told: _Told, settled: Round) -> None:
    session, by, held = told.settling.session, told.settling.by, told.held
    give_back(told.returned, session, by)
    if not told.counted:
        return
    for bet in told.counted:
        bet.state, bet.round = Bet.State.COUNTED, settled
    Bet.objects.bulk_update(
        told.counted, ["state", "round", "serial", "total", "version", "day"], batch_size=100
    )
    if held.pool.form == Pool.Form.CREDITS:
        for bet in told.counted:
            _on_meter(session, bet.seat, -bet.amount)
    else:
        tray.count(session, told.amount)
    event = _tell(told, settled)
    ledger.post(event=event, kind="pool", day=session.day.date, moves=told.over)
    held.store(event, by.occurred_at)
    awards.store(held, told.hits, settled, by)


def _tell(told: _Told, settled: Round) -> Event:
    """The pool's own event of a round's bets, naming the round's (records.md)."""
    session, pool = told.settling.session, told.held.pool
    assert settled.event_id is not None
    round_event = Event.objects.get(pk=settled.event_id)
    data = {
        "table": session.table.name,
        "session": session.pk,
        "session_label": session.label,
        "round": settled.number,
        "round_id": settled.pk,
        "day": str(session.day.date),
        "named": trail.named(round_event, session.stream),
        "commission": told.parts.get("commission", 0),
        "collected": pool.collected,
        **told.data(),
    }
    return trail.record(
        "jackpots.pool.contributed",
        stream=pool.stream,
        subject=trail.Subject("pool", pool.pk, pool.name),
        by=told.settling.by,
        data=data,
        rules=["PP-18", "PP-21", "PP-28"],
    )


# ---- bets that go back -------------------------------------------------------------------------------


def give_back(bets: Sequence[Bet], session: TableSession, by: By) -> None:
    """Bets that do not count stay on their meters; in a chip slot the chips are handed back."""
    if not bets:
        return
    Bet.objects.filter(pk__in=[bet.pk for bet in bets]).update(state=Bet.State.RETURNED)
    data = {
        "round": bets[0].number,
        "seats": ", ".join(str(bet.seat) for bet in bets),
        "bets": [[bet.pk, bet.seat, bet.amount] for bet in bets],
    }
    note("jackpots.bet.returned", session, by, data, ["PP-01", "PP-32"])


def abandoned(round: Round, by: By) -> None:
    """A round given up: its bets go back."""
    if round.session.game not in GAMES:
        return
    placed = Bet.objects.filter(session=round.session, number=round.number, state=Bet.State.PLACED)
    give_back(list(placed.order_by("seat")), round.session, by)


def _on_meter(session: TableSession, seat: int, change: int) -> None:
    SeatCredits.objects.filter(session=session, seat=seat).update(amount=F("amount") + change)
