"""What may be done with a round: log it whole, play it step by step, settle it, void it.

Every write locks the table session first: one table is one queue. The engine decides
(`tables/games`), the shoe counts (`shoes.counting`), the ledger and the trail follow in the same
transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audits.by import By
from audits.models import Actor
from casino.kernel import permissions
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from shoes import counting
from shoes.cards import is_value_card
from shoes.models import Shoe
from shoes.procedures import procedure_of
from tables import carrying, emptying, freezing, inforce, life, participants, policies, storing
from tables.bank import rounds as bank
from tables.cards_out import cards_out
from tables.games import registry
from tables.games.base import Event
from tables.holding import Held, lock_session
from tables.models import Round, TableSession

__all__ = [
    "Held",
    "Source",
    "abandon",
    "lock_session",
    "log",
    "log_locked",
    "play",
    "settle",
    "void",
]

MOST_EVENTS = 3_000
"""A round log longer than this is not a round; a limit on everything.

The longest a game can need: at roulette 14 players on each of the 161 spots are 2,254 bets, and 500 more
may be corrected. Black Jack: 7 seats with two hands each split to four are 56 hands; at eight cards, each
with its decision, 56 x 16 = 896 events and the bets, insurances and the dealer's.
"""

FULL_SESSION = 1_000_000_000_000_000
"""10^15 smallest units: a session with a total above it takes no further round, so that its sums stay
exact in JSON (the arithmetic is at `tables.games.base.MOST_ON_A_SPOT`)."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where an imported round came from: its identity there and the digest of its row."""

    key: str
    digest: str


@command(policies.LOG_ROUND)
def log(
    *,
    session: TableSession,
    number: int | None,
    events: Sequence[Event],
    by: By,
) -> Round:
    """Log and settle a whole round in one act.

    `events`: the round log of records.md, amounts in smallest units. `number`: the round the caller
    believes is next; anything else is a `Conflict` (code `round_moved_on`), so that two tabs cannot
    log the same round twice. Raises whatever the engine refuses; nothing is left behind.
    """
    held = lock_session(session, by, ahead=True)
    life.require_play(held.session)
    freezing.require_free(held.session)
    if held.last_round_open:
        raise _moved_on(held.session, "hay un pase en curso", "a round is in progress")
    return log_locked(held, number=number, events=events, by=by)


def log_locked(
    held: Held,
    *,
    number: int | None,
    events: Sequence[Event],
    by: By,
    detail: str = "",
    source: Source | None = None,
) -> Round:
    """`log` for a caller that holds the session already (the importer, many rounds at once).

    `detail`: other than the table's own for rounds of a `source`, whose file knows less.
    """
    session, shoe = held.session, None if source else held.shoe
    _expect_number(session, number)
    _check_size(events, 0)
    _require_room(session)
    if not source:
        _require_shoe(session, shoe)
    ahead = held.ahead or inforce.look_ahead(session, by.occurred_at)
    current = inforce.in_force(session, ahead, detail or session.detail)
    carrying.require_none_by_hand(current.game, events)
    if not source:
        events = bank.begin(held, events, by)
    handed_on = [] if source else carrying.handed_on(held)
    state = current.game.play_all(current.game.open(current.rules, current.terms), [*handed_on, *events])
    if not source:
        _require_suits(state.log)
        bank.require_stands(session, state.log)
    settlement = current.game.settle(state)
    settled = storing.store_settled(
        session=session,
        ahead=ahead,
        number=session.last_round + 1,
        current=current,
        shoe=shoe,
        count=None if shoe is None else emptying.count_whole(shoe, current, state.log),
        state=state,
        log=storing.stamped(state.log, by),
        settlement=settlement,
        by=by,
        source_key=source.key if source else "",
        source_digest=source.digest if source else "",
    )
    bank.after_round(settled, session, by)
    return settled


@command(policies.LOG_ROUND)
def play(*, session: TableSession, number: int, step: int, events: Sequence[Event], by: By) -> Round:
    """Add events to the round in progress, opening it when `step` is 0.

    `step`: how many events the caller has seen in the log; what the round before hands on is put before
    the first ones. Raises `Conflict` (code
    `round_moved_on`) when someone else added some meanwhile, or what the engine refuses.
    """
    if not events:
        raise Refused(Text("no hay nada que registrar", "there is nothing to log"), code="no_events")
    held = lock_session(session, by)
    session, shoe, opened = held.session, held.shoe, held.last_round_open
    life.require_play(session, ending_round=opened is not None)
    freezing.require_free(session)
    _require_step(held, number, step)
    _check_size(events, step)
    if opened is None:
        _require_room(session)
        _require_shoe(session, shoe)
        ahead = inforce.look_ahead(session, by.occurred_at)
        current = inforce.in_force(session, ahead, session.detail)
        before = current.game.open(current.rules, current.terms)
        carrying.require_none_by_hand(current.game, events)
        events = [*carrying.handed_on(held), *bank.begin(held, events, by)]
    else:
        current = storing.versions_of(opened, session)
        before = current.game.play_all(current.game.open(current.rules, current.terms), opened.log)
        carrying.require_none_by_hand(current.game, events)
        bank.require_none_by_hand(session, events)
    after = current.game.play_all(before, events)
    _require_suits(after.log)
    bank.require_stands(session, after.log)
    if shoe is not None:
        counting.change(shoe, emptying.count_further(counting.count_of(shoe), before.log, after.log))
    new = storing.stamped(after.log[len(before.log) :], by)
    if opened is None:
        return storing.store_opened(session=session, ahead=ahead, current=current, shoe=shoe, log=new, by=by)
    return storing.store_played(session=session, opened=opened, new=new, by=by)


@command(policies.LOG_ROUND)
def settle(*, session: TableSession, number: int, step: int, by: By) -> Round:
    """Settle the round in progress. Raises `Conflict` (code `round_incomplete`) when cards lack."""
    held = lock_session(session, by)
    life.require_play(held.session, ending_round=True)
    freezing.require_free(held.session)
    opened = held.last_round_open
    if opened is None:
        raise Conflict(Text("no hay pase en curso", "no round is in progress"), code="no_round")
    _require_step(held, number, step)
    current = storing.versions_of(opened, held.session)
    state = current.game.play_all(current.game.open(current.rules, current.terms), opened.log)
    settlement = current.game.settle(state)
    count = None
    if held.shoe is not None:
        count = emptying.round_over(counting.count_of(held.shoe), current)
    ahead = inforce.look_ahead(held.session, by.occurred_at)
    settled = storing.store_settled(
        session=held.session,
        ahead=ahead._replace(round_id=opened.pk),
        number=opened.number,
        current=current,
        shoe=held.shoe,
        count=count,
        state=state,
        log=opened.log,
        settlement=settlement,
        by=by,
        opened=opened,
    )
    bank.after_round(settled, held.session, by)
    return settled


@command(policies.LOG_ROUND)
def abandon(*, session: TableSession, number: int, step: int, by: By) -> Round:
    """Give up the round in progress (a misdeal): stakes stay with their owners, cards stay out.

    Needs a reason. The number is used up and the log kept (REC-07).
    """
    by.need_reason()
    held = lock_session(session, by)
    if held.last_round_open is None:
        raise Conflict(Text("no hay pase en curso", "no round is in progress"), code="no_round")
    _require_step(held, number, step)
    if held.shoe is not None:
        counting.discard(held.shoe, reshuffles=registry.game(held.session.game).reshuffles)
    return storing.store_abandoned(session=held.session, opened=held.last_round_open, by=by)


@command(policies.VOID_ROUND)
def void(*, round: Round, approved_by: Actor, cards_came_out: bool, by: By) -> Round:
    """Void a settled round by a reversal that names it (REC-07).

    `cards_came_out`: whether there was such a round at the table. If not (it was logged twice), its
    cards go back into the count of the shoe, while that is the one in play; if so, they are out.
    Needs a reason and another person's approval (a supervisor or pit boss of the house). Only while
    its session is open: a counted session is corrected by its difference.
    """
    by.need_reason()
    if approved_by.pk == by.actor.pk:
        raise Refused(
            Text("lo aprueba otra persona, no quien lo pide", "another person approves it, not who asks"),
            code="same_person",
            rule="REC-07",
            field="approved_by",
        )
    if not permissions.may(approved_by, policies.CLOSE_SESSION):
        raise Refused(
            Text(
                "quien aprueba debe ser jefe de mesa o de sala",
                "the approver must be a supervisor or pit boss",
            ),
            code="approver_not_allowed",
            rule="GEN-10",
            field="approved_by",
        )
    held = lock_session(round.session, by)
    round = Round.objects.select_related("event").get(pk=round.pk)  # as it stands under the lock
    if round.state != Round.State.SETTLED:
        raise Conflict(
            Text("ese pase no está liquidado", "that round is not settled"), code="round_not_settled"
        )
    carrying.require_not_passed_on(round)
    cards: dict[str, Any] = {"cards_came_out": cards_came_out}
    if not cards_came_out:
        cards |= emptying.cards_back(held, round)
    undoing = bank.before_void(round)
    others = participants.before_void(round, by)
    voided = storing.store_voided(
        session=held.session, settled=round, approved_by=approved_by, cards=cards, by=by
    )
    if undoing is not None:
        bank.after_void(undoing, held.session, by)
    assert voided.void_event is not None
    for after in others:
        after(voided.void_event, by)
    return voided


def _require_room(session: TableSession) -> None:
    if max(session.staked, session.returned, session.commission) > FULL_SESSION:
        raise Conflict(
            Text(
                "los importes de esta sesión llegaron al máximo que se puede sumar: ciérrela y abra otra",
                "this session's amounts have reached the most that can be added: close it and open another",
            ),
            code="session_full",
        )


def _require_shoe(session: TableSession, shoe: Shoe | None) -> None:
    if not registry.game(session.game).deck_type:
        return
    if shoe is None:
        raise Conflict(
            Text(
                "la mesa no tiene sabot; ponga uno preparado antes de abrir el pase",
                "the table has no shoe; load a prepared one before opening the round",
            ),
            code="no_shoe",
            rule=procedure_of(session.game).stop_rule,
        )
    freezing.require_fit_pack(session, shoe)
    counting.require_round_may_start(shoe)


def _expect_number(session: TableSession, number: int | None) -> None:
    if number is not None and number != session.last_round + 1:
        raise _moved_on(
            session,
            f"el próximo pase es {session.last_round + 1}",
            f"the next round is {session.last_round + 1}",
        )


def _require_step(held: Held, number: int, step: int) -> None:
    opened = held.last_round_open
    expected = (opened.number, len(opened.log)) if opened else (held.session.last_round + 1, 0)
    if (number, step) != expected:
        raise _moved_on(
            held.session,
            f"el pase va por el {expected[0]}, paso {expected[1]}",
            f"play is at round {expected[0]}, step {expected[1]}",
        )


def _moved_on(session: TableSession, es: str, en: str) -> Conflict:
    return Conflict(
        Text(
            f"otra pantalla registró en esta mesa: {es}; se muestra lo registrado",
            f"another screen logged at this table: {en}; what is recorded is shown",
        ),
        code="round_moved_on",
        detail={"next_round": session.last_round + 1},
    )


def _check_size(events: Sequence[Event], already: int) -> None:
    if len(events) + already > MOST_EVENTS:
        raise Refused(
            Text(
                f"un pase tiene como máximo {MOST_EVENTS} eventos",
                f"a round has at most {MOST_EVENTS} events",
            ),
            code="too_many_events",
            field="events",
        )


def _require_suits(log: Sequence[Event]) -> None:
    """At a live table every card is read in full: a value alone could be any of its suits, and the
    shoe's count would not tell a card that is there too often (CARD-42)."""
    gone = cards_out(log)
    for card in (*gone.faces, *gone.exposed):
        if is_value_card(card):
            raise RuleViolation(
                "CARD-42",
                Text(
                    f"«{card}» no dice el palo: escriba valor y palo, por ejemplo 9d",
                    f"“{card}” tells no suit: type rank and suit, for example 9d",
                ),
                {"card": card},
                code="suit_missing",
                field="card",
            )


def _race_on_round() -> Conflict:
    return Conflict(
        Text("otra pantalla registró este pase primero", "another screen logged this round first"),
        code="round_moved_on",
    )


for _name in ("one_round_per_number", "one_open_round_per_session"):
    explain_constraint(_name, _race_on_round)
