"""Credits at a position: chips exchanged for them, activated by the croupier, and given back (PP-08, PP-09).

Credits bought and not yet counted in a round are the account `credits:<session>` of the ledger; the chips
paid for them lie in the tray (`jackpots.tray`).
"""

from __future__ import annotations

import json
from typing import Any

from django.db.models import QuerySet

from audits import ledger
from audits.by import By
from audits.ledger import Move
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.money import plain
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from jackpots import barring, policies, scheme, tray
from jackpots.holding import pool_of, require_pool_of, require_running
from jackpots.models import Bet, CreditMove, Pool, SeatCredits
from jackpots.promotional import cashable, promotional_at, promotional_in
from jackpots.scheme import Scheme
from tables import life
from tables.holding import lock_session, move_on
from tables.models import SeatTaking, TableSession
from tables.noting import note

MOST_CREDITS = 100_000
"""In one purchase; a limit on everything."""


@command(policies.SELL_CREDITS)
def buy_credits(*, session: TableSession, seat: int, credits: int, by: By) -> SeatCredits:
    """A player exchanges chips for credits, activated at the position (PP-09).

    Raises `Conflict` (`no_pool`, `pool_not_running`, `chip_slot`), `Refused` (`bad_seat`, `bad_credits`),
    `CreditsRefused` (GEN-11) where whoever sits there is barred.
    """
    require_seat(session, seat)
    barring.hold_player(session, seat, by)
    held = lock_session(session, by)
    life.require_play(held.session)
    barring.require_may_buy(held.session, seat, by)
    pool, terms = _meters(held.session, by)
    require_running(pool)
    amount = _worth(credits, terms)
    return _move(held.session, seat, CreditMove.Kind.BOUGHT, amount, pool, by)


@command(policies.SELL_CREDITS)
def return_credits(*, session: TableSession, seat: int, credits: int, by: By) -> SeatCredits:
    """Credits not bet go back to the player in chips, also while the pool stands still; promotional ones are
    for the progressive alone (PP-25).

    Raises `RuleViolation` PP-09 (`no_credits`) beyond what was bought and is free of bets.
    """
    held = lock_session(session, by)
    pool, terms = _meters(held.session, by)
    amount = _worth(credits, terms)
    free = cashable_at(held.session, seat)
    if amount > free:
        raise (
            _promotional(seat, free, pool)
            if amount <= free_at(held.session, seat)
            else too_few(seat, amount, free, pool)
        )
    return _move(held.session, seat, CreditMove.Kind.RETURNED, amount, pool, by)


def add_promotion(*, session: TableSession, seat: int, amount: int, pool: Pool, by: By) -> SeatCredits:
    """Promotional credits of a complementary prize, within the command that drew it (PP-25, PP-26)."""
    return _move(session, seat, CreditMove.Kind.PROMOTION, amount, pool, by)


def free_at(session: TableSession, seat: int) -> int:
    """What a position may still bet: its credits less the bets waiting for their round."""
    waiting = Bet.objects.filter(session=session, seat=seat, state=Bet.State.PLACED)
    return _on_meter(session, seat) - sum(waiting.values_list("amount", flat=True))


def cashable_at(session: TableSession, seat: int) -> int:
    """What of a position's credits goes back in chips (PP-09, PP-25)."""
    free = free_at(session, seat)
    return cashable(_on_meter(session, seat), free, promotional_at(session, seat))


def _on_meter(session: TableSession, seat: int) -> int:
    meters = SeatCredits.objects.filter(session=session, seat=seat)
    return meters.values_list("amount", flat=True).first() or 0


def expire_promotions(session: TableSession, by: By, *, only: int | None = None) -> None:
    """At a table's close, or when position `only` is left: they go back to the house (PP-25)."""
    given = CreditMove.objects.filter(session=session, kind=CreditMove.Kind.PROMOTION)
    if only is not None:
        given = given.filter(seat=only)
    for seat in sorted(set(given.values_list("seat", flat=True))):
        left = promotional_at(session, seat)
        if left:
            _move(session, seat, CreditMove.Kind.EXPIRED, left, _pool_that_gave(given.filter(seat=seat)), by)


def _pool_that_gave(given: QuerySet[CreditMove]) -> Pool:
    """The pool whose draw gave them, as the event of the last says."""
    last = given.select_related("event").latest("pk")
    return Pool.objects.get(pk=json.loads(bytes(last.event.body))["data"]["pool"])


def hand_back(bet: Bet, pool: Pool, by: By) -> None:
    """A voided bet's credits, on the meter again: to who bet, where they sit there no more or the table feeds
    the pool no more; what was promotional of them goes back to the house."""
    session, seat = bet.session, bet.seat
    rows = SeatTaking.objects.filter(session=session, seat=seat, during__contains=bet.placed_at)
    who = rows.order_by("pk").last()
    feeds = pool_of(session.table, by.occurred_at)
    if feeds is not None and feeds.pk == pool.pk and (who is None or who == _sitting(session, seat)):
        return
    given = promotional_in(bet)
    for kind, amount in ((CreditMove.Kind.EXPIRED, given), (CreditMove.Kind.RETURNED, bet.amount - given)):
        if amount:
            _move(session, seat, kind, amount, pool, by, who)


def require_none_left(session: TableSession) -> None:
    """Raises `Conflict` (`credits_left`, PP-09): a table does not close on credits somebody paid for."""
    left = SeatCredits.objects.filter(session=session, amount__gt=0).order_by("seat")
    seats = ", ".join(str(one.seat) for one in left)
    if seats:
        raise Conflict(
            Text(
                f"quedan créditos del progresivo en la posición {seats}: devuélvalos antes de cerrar",
                f"progressive credits are left at position {seats}: return them before closing",
            ),
            code="credits_left",
            rule="PP-09",
        )


def too_few(seat: int, wanted: int, there: int, pool: Pool) -> RuleViolation:
    asked, has = (money_words(amount, pool.casino.exponent) for amount in (wanted, max(there, 0)))
    return RuleViolation(
        "PP-09",
        Text(
            f"la posición {seat} tiene {has.es} en créditos libres y hacen falta {asked.es}",
            f"position {seat} has {has.en} in free credits and {asked.en} are needed",
        ),
        {name: plain(units, pool.casino.exponent) for name, units in (("there", there), ("wanted", wanted))},
        code="no_credits",
        field="credits",
    )


def _promotional(seat: int, cashable: int, pool: Pool) -> RuleViolation:
    there = money_words(cashable, pool.casino.exponent)
    return RuleViolation(
        "PP-25",
        Text(
            f"la posición {seat} tiene {there.es} comprados que se devuelven; los promocionales se apuestan y"
            " no se cobran",
            f"position {seat} has {there.en} bought that go back; promotional credits are bet, not cashed",
        ),
        code="promotional_credits",
        field="credits",
    )


def _meters(session: TableSession, by: By) -> tuple[Pool, Scheme]:
    pool = require_pool_of(session, by.occurred_at)
    if pool.form != Pool.Form.CREDITS or pool.version is None:
        raise Conflict(
            Text(
                f"en {pool.name} se apuesta por la ranura de fichas: no hay créditos",
                f"{pool.name} takes chips through the slot: there are no credits",
            ),
            code="chip_slot",
            rule="PP-11",
        )
    return pool, scheme.read(pool.version.params)


def _worth(credits: int, terms: Scheme) -> int:
    if isinstance(credits, bool) or not isinstance(credits, int) or not 0 < credits <= MOST_CREDITS:
        raise Refused(
            Text("los créditos son un número mayor que cero", "credits are a number above zero"),
            code="bad_credits",
            field="credits",
        )
    return credits * terms.credit


def require_seat(session: TableSession, seat: int) -> None:
    if isinstance(seat, bool) or not isinstance(seat, int) or not 1 <= seat <= session.seats:
        raise Refused(
            Text(
                f"la mesa tiene posiciones de 1 a {session.seats}",
                f"the table has positions 1 to {session.seats}",
            ),
            code="bad_seat",
            field="seat",
        )


_ACTIONS = {
    CreditMove.Kind.BOUGHT.value: "jackpots.credits.bought",
    CreditMove.Kind.RETURNED.value: "jackpots.credits.returned",
    CreditMove.Kind.PROMOTION.value: "jackpots.credits.promoted",
    CreditMove.Kind.EXPIRED.value: "jackpots.credits.expired",
}
_OUT = (CreditMove.Kind.RETURNED, CreditMove.Kind.EXPIRED)
_OF_HOUSE = (CreditMove.Kind.PROMOTION, CreditMove.Kind.EXPIRED)


def _sitting(session: TableSession, seat: int) -> SeatTaking | None:
    return SeatTaking.objects.filter(session=session, seat=seat, during__endswith=None).first()


def _move(
    session: TableSession,
    seat: int,
    kind: str,
    amount: int,
    pool: Pool,
    by: By,
    who: SeatTaking | None = None,
) -> SeatCredits:
    require_seat(session, seat)
    meter, _ = SeatCredits.objects.get_or_create(casino=by.casino, session=session, seat=seat)
    meter.amount += -amount if kind in _OUT else amount
    meter.save(update_fields=["amount"])
    taking = who or _sitting(session, seat)
    in_tray = _in_tray(session, kind, amount)
    data = {
        **_whose(pool, seat, taking),
        "amount": amount,
        "in_tray": in_tray,
        "on_meter": meter.amount,
    }
    event = note(_ACTIONS[kind], session, by, data, ["PP-08", "PP-09"])
    moves = _moves(session, kind, amount, in_tray, pool)
    ledger.post(event=event, kind="pool_credits", day=session.day.date, moves=moves)
    about = {
        "casino": by.casino,
        "session": session,
        "event": event,
        "at": by.occurred_at,
        "noted_by": by.actor,
    }
    CreditMove.objects.create(**about, seat=seat, taking=taking, kind=kind, amount=amount)
    move_on(session, by)
    session.save(update_fields=["last_at"])
    return meter


def _whose(pool: Pool, seat: int, taking: SeatTaking | None) -> dict[str, Any]:
    named = (
        {"taking": None, "player": ""} if taking is None else {"taking": taking.pk, "player": taking.alias}
    )
    return {"pool": pool.pk, "pool_name": pool.name, "seat": seat, **named}


def _in_tray(session: TableSession, kind: str, amount: int) -> int:
    """How many chips come into the tray, or go out of it; credits of before they came in go back without."""
    if kind in _OF_HOUSE:
        return 0
    return min(amount, session.progressive) if kind in _OUT else amount


def _moves(session: TableSession, kind: str, amount: int, in_tray: int, pool: Pool) -> list[Move]:
    there, owed = f"credits:{session.pk}", tray.owed(session)
    if kind in _OF_HOUSE:
        house = pool.house_account
        back = Move(there, house, amount, "credits_returned")
        return [back if kind in _OUT else Move(house, there, amount, "credits")]
    if kind == CreditMove.Kind.BOUGHT:
        tray.count(session, in_tray)
        return [Move(owed, there, amount, "credits"), tray.chips_in(session, amount)]
    tray.count(session, -in_tray)
    players = f"players:{session.pk}"
    return [
        Move(there, owed, in_tray, "credits_returned"),
        Move(there, players, amount - in_tray, "credits_returned"),
        tray.chips_out(session, in_tray),
    ]
