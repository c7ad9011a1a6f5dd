"""Progressive bets: placed at a position before play closes, locked with it (PP-01, PP-10, PP-12, PP-13).

A bet is of one round and one position. It costs nothing until its round is settled (`jackpots.settling`).
"""

from __future__ import annotations

from audits.by import By
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from jackpots import barring, policies, scheme
from jackpots.credits import free_at, require_seat, too_few
from jackpots.holding import require_pool_of, require_running
from jackpots.models import Bet, Pool
from jackpots.scheme import Scheme
from tables import freezing, life, storing
from tables.holding import Held, lock_session, move_on
from tables.models import Round, TableSession
from tables.noting import note

State = Bet.State


@command(policies.BET)
def place_bet(*, session: TableSession, seat: int, credits: int, by: By) -> Bet:
    """A position bets `credits` on the progressive in the round in progress, or the next one.

    Raises `Conflict` (`no_pool`, `pool_not_running`, `bet_there`), `RuleViolation` PP-10 (`bets_locked`),
    PP-13 (`outside_limits`), PP-09 (`no_credits`), `Refused` (`bad_seat`); in a chip slot `CreditsRefused`
    (GEN-11) where whoever sits there is barred.
    """
    in_slot = require_pool_of(session, by.occurred_at).form == Pool.Form.CHIPS
    if in_slot:
        barring.hold_player(session, seat, by)
    held = lock_session(session, by)
    life.require_play(held.session, ending_round=held.last_round_open is not None)
    freezing.require_free(held.session)
    require_seat(held.session, seat)
    pool = require_pool_of(held.session, by.occurred_at)
    require_running(pool)
    if in_slot:
        barring.require_may_buy(held.session, seat, by)
    assert pool.version is not None
    terms = scheme.read(pool.version.params)
    number = _open_number(held)
    amount = _amount(credits, terms, pool)
    if Bet.objects.filter(session=held.session, number=number, seat=seat, state=State.PLACED).exists():
        raise _there()
    _require_credits(held.session, seat, amount, pool)
    data = {"pool": pool.pk, "pool_name": pool.name, "round": number, "seat": seat, "amount": amount}
    event = note("jackpots.bet.placed", held.session, by, data, ["PP-01", "PP-08"])
    bet = Bet.objects.create(
        casino=by.casino,
        pool=pool,
        session=held.session,
        number=number,
        seat=seat,
        amount=amount,
        placed_at=by.occurred_at,
        placed_event=event,
        noted_by=by.actor,
    )
    _moved_on(held, by)
    return bet


def _require_credits(session: TableSession, seat: int, amount: int, pool: Pool) -> None:
    """PP-09: a bet is of credits that no other bet waits for; a slot takes chips."""
    if pool.form != Pool.Form.CREDITS:
        return
    free = free_at(session, seat)
    if amount > free:
        raise too_few(seat, amount, free, pool)


@command(policies.BET)
def cancel_bet(*, bet: Bet, by: By) -> Bet:
    """Take a bet off again, before play closes.

    Raises `Conflict` (`bet_gone`), `RuleViolation` PP-10 (`bets_locked`).
    """
    held = lock_session(bet.session, by)
    found = Bet.objects.get(pk=bet.pk)
    if found.state != State.PLACED:
        raise Conflict(
            Text("esa apuesta ya no está puesta", "that bet is not on any more"),
            code="bet_gone",
            rule="PP-10",
        )
    _open_number(held)
    found.state = State.CANCELLED
    found.save(update_fields=["state"])
    data = {"bet": found.pk, "round": found.number, "seat": found.seat, "amount": found.amount}
    note("jackpots.bet.cancelled", held.session, by, data, ["PP-10"])
    _moved_on(held, by)
    return found


def locked(held: Held) -> bool:
    """Whether play is closed in the round in progress: no progressive bet goes on or off (PP-10)."""
    return closed(held.last_round_open, held.session)


def require_none_locked(pool: Pool) -> None:
    """A pool is not suspended under a bet whose round is being played: what it shows is won or not (PP-10).

    Raises `Conflict` (`bets_locked`).
    """
    waiting = Bet.objects.filter(pool=pool, state=State.PLACED).order_by("session", "number")
    for session in TableSession.objects.filter(pk__in=waiting.values("session")).select_related("table"):
        last = Round.objects.filter(session=session, state=Round.State.OPEN).first()
        if closed(last, session):
            raise Conflict(
                Text(
                    f"en {session.table.name} se juega un pase con apuestas al progresivo: termínelo antes",
                    f"at {session.table.name} a round with progressive bets is being played: finish it first",
                ),
                code="bets_locked",
                rule="PP-10",
            )


def closed(last: Round | None, session: TableSession) -> bool:
    """The same of a round as it was read: for looking, without the session's lock."""
    opened = storing.under_way(last)
    if opened is None:
        return False
    current = storing.versions_of(opened, session)
    state = current.game.play_all(current.game.open(current.rules, current.terms), opened.log)
    return bool(state.closed)


def _open_number(held: Held) -> int:
    """The round bets are taken for now."""
    if locked(held):
        raise RuleViolation(
            "PP-10",
            Text(
                "la jugada está cerrada: las apuestas al progresivo están bloqueadas hasta el pase siguiente",
                "play is closed: progressive bets are locked until the next round",
            ),
            code="bets_locked",
        )
    opened = held.last_round_open
    return held.session.last_round + 1 if opened is None else opened.number


def _amount(credits: int, terms: Scheme, pool: Pool) -> int:
    """PP-12, PP-13: one pair of limits for every table of the pool, since they are the pool's."""
    whole = isinstance(credits, int) and not isinstance(credits, bool)
    if whole and terms.least <= credits <= terms.most:
        return credits * terms.credit
    raise RuleViolation(
        "PP-13",
        _limits(terms, pool),
        {"min": terms.least, "max": terms.most},
        code="outside_limits",
        field="credits",
    )


def _limits(terms: Scheme, pool: Pool) -> Text:
    """From how much to how much is bet: in credits, or in chips where these go into a slot (PP-11)."""
    low, high, one = (
        money_words(units * terms.credit, pool.casino.exponent) for units in (terms.least, terms.most, 1)
    )
    if pool.form == Pool.Form.CHIPS:
        es = f"{low.es} a {high.es} en fichas, de {one.es} en {one.es}"
        en = f"{low.en} to {high.en} in chips, in steps of {one.en}"
    else:
        es = f"{terms.least} a {terms.most} créditos ({low.es} a {high.es})"
        en = f"{terms.least} to {terms.most} credits ({low.en} to {high.en})"
    return Text(
        f"al progresivo de {pool.name} se apuestan de {es}, igual en todas sus mesas (PP-12)",
        f"a bet on the progressive of {pool.name} is {en}, the same at all its tables (PP-12)",
    )


def _moved_on(held: Held, by: By) -> None:
    move_on(held.session, by)
    held.session.save(update_fields=["last_at"])


def _there() -> Conflict:
    return Conflict(
        Text(
            "esa posición ya tiene su apuesta al progresivo: retírela antes de cambiarla",
            "that position has its progressive bet already: take it off before changing it",
        ),
        code="bet_there",
        rule="PP-13",
        field="seat",
    )


explain_constraint("one_progressive_bet_per_seat", _there)
