"""How a round is written once the rules have spoken: rows, event, ledger, running totals.

Called only by `tables.rounds`, under the session's lock. The settlement is stored without its
payouts, which are the `Bet` rows, and without their words, which the rules can say again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import F
from django.db.models.functions import Greatest

from audits import ledger, trail
from audits.by import By
from audits.ledger import Move
from audits.models import Actor
from casino.kernel import clock, rows
from casino.kernel.statements import together
from casino.kernel.words import Text
from shoes import counting
from shoes.counting import Count
from shoes.models import Shoe
from tables import inforce, participants, settling, telling, watching
from tables.games import registry
from tables.games.base import Event, Settlement
from tables.holding import Held, move_on
from tables.inforce import Ahead, InForce
from tables.models import Assignment, Round, TableSession


def stamped(log: Sequence[Event], by: By) -> list[dict[str, Any]]:
    """Events with who logged them and when they occurred, as stored (records.md)."""
    at, who = clock.stamp(by.occurred_at), by.actor.pk
    return [{**event, "at": at, "by": who} for event in log]


def versions_of(round: Round, session: TableSession) -> InForce:
    """What a stored round is played under: the versions it names, whatever is in force now."""
    return inforce.versions(
        round.rules_id, round.limits_id, session.seats, round.detail, session.casino.exponent
    )


def store_opened(
    *,
    session: TableSession,
    ahead: Ahead,
    current: InForce,
    shoe: Shoe | None,
    log: list[dict[str, Any]],
    by: By,
) -> Round:
    """The first events of a round played step by step."""
    opened = Round.objects.create(
        pk=ahead.round_id,
        state=Round.State.OPEN,
        number=session.last_round + 1,
        opened_at=by.occurred_at,
        log=log,
        dealer_id=_dealer_id(session, by),
        **_common(session, current, shoe, by),
    )
    _move_on(session, by)
    data = {"log": log, **_in_words(session, log)}
    _note("tables.round.opened", session, opened.pk, opened.number, by, data)
    return opened


def store_played(*, session: TableSession, opened: Round, new: list[dict[str, Any]], by: By) -> Round:
    """Further events; the log only grows (trigger)."""
    opened.log = [*opened.log, *new]
    opened.save(update_fields=["log"])
    _move_on(session, by)
    data = {"from_step": len(opened.log) - len(new), "log": new, **_in_words(session, new)}
    _note("tables.round.played", session, opened.pk, opened.number, by, data)
    return opened


def store_settled(
    *,
    session: TableSession,
    ahead: Ahead,
    number: int,
    current: InForce,
    shoe: Shoe | None,
    count: Count | None,
    state: Any,
    log: list[dict[str, Any]],
    settlement: Settlement,
    by: By,
    opened: Round | None = None,
    source_key: str = "",
    source_digest: str = "",
) -> Round:
    """Everything a settled round leaves, in one statement: its row, its bets, one event, one
    transfer, the session's new totals and the shoe's new `count`."""
    parts = participants.take_part(
        participants.Settling(session, ahead.round_id, number, state, settlement, by, live=not source_key)
    )
    data = _settled_data(session, current, shoe, log, settlement)
    recorded_at = opened.recorded_at if opened is not None else clock.now()
    data["recorded_at"] = clock.stamp(recorded_at)
    if source_key:
        data |= {"source": source_key, "source_digest": source_digest}
    data.update({name: part.data for name, part in parts.items() if part.data})
    event = trail.entry(
        "tables.round.settled",
        stream=session.stream,
        subject=_subject(session, ahead.round_id, number),
        by=by,
        data={"round": number, **data},
        rules=_rules(settlement),
        event_id=ahead.event_id,
    )
    own_moves = moves_of(session.pk, settlement, current.game.bank)
    moves = [*own_moves, *(m for part in parts.values() for m in part.moves)]
    posted = ledger.entry(
        casino_id=session.casino_id,
        event_id=ahead.event_id,
        kind="round",
        day=session.day.date,
        occurred=by.occurred_at,
        moves=moves,
    )
    common = _common(session, current, shoe, by)
    settled = opened or _new_round(ahead.round_id, number, log, recorded_at, by, **common)
    _put_settlement(settled, settlement, ahead.event_id, by)
    settled.source_key, settled.source_digest = source_key, source_digest
    own = settling.write(settled, settlement, is_new=opened is None)
    counted = counting.entry(shoe, count) if shoe is not None and count is not None else None
    stored = together([part for part in (event, posted, own, counted) if part is not None], settling.ANSWER)
    assert stored is not None
    (settled.dealer_id,) = stored
    session.last_round = number
    # A batch logs further rounds of the row in memory.
    session.staked += settled.staked
    session.returned += settled.returned
    session.commission += settled.commission
    watching.after_round(shoe, log)
    for part in parts.values():
        if part.later is not None:
            part.later(settled)
    return settled


def _new_round(
    round_id: int,
    number: int,
    log: list[dict[str, Any]],
    recorded_at: dt.datetime,
    by: By,
    *,
    session: TableSession,
    **common: Any,
) -> Round:
    """A round as it is about to be stored, without what its settlement brings."""
    values = {
        "id": round_id,
        "number": number,
        "log": log,
        "opened_at": by.occurred_at,
        "recorded_at": recorded_at,
        "session_id": session.pk,
        "void_event_id": None,
        **common,
    }
    made: Round = rows.instance(Round, values)
    made.session = session
    return made


def _put_settlement(settled: Round, settlement: Settlement, event_id: int, by: By) -> None:
    told = replace(settlement, payouts=()).to_json()
    del told["payouts"]
    settled.state, settled.settlement = Round.State.SETTLED, told
    settled.winner = settlement.outcome.winner
    settled.staked, settled.returned = settlement.totals.staked, settlement.totals.returned
    settled.commission = settlement.totals.commission
    settled.settled_at, settled.event_id = by.occurred_at, event_id


def standing(log: Sequence[Mapping[str, Any]]) -> list[int]:
    """The positions, from 1, of the events that no `undo` struck out."""
    undone = {event["of"] for event in log if event["e"] == "undo"}
    return [i for i, event in enumerate(log, 1) if event["e"] != "undo" and i not in undone]


def under_way(opened: Round | None) -> Round | None:
    """The round in progress; one of which everything was struck out is none."""
    return opened if opened is not None and standing(opened.log) else None


EMPTY_ROUND = Text("pase sin nada anotado", "round with nothing logged")
"""The reason a round is given up for when all of it was struck out."""


def give_up_empty(held: Held, by: By) -> None:
    """Abandon an opened round of which nothing stands: no bet, no card, only in the table's way.

    Under the session's lock, which the caller holds, and after its shoe's: this writes the trail.
    """
    opened = held.last_round_open
    if opened is not None and not standing(opened.log):
        store_abandoned(session=held.session, opened=opened, by=replace(by, reason=EMPTY_ROUND.es))


def store_abandoned(*, session: TableSession, opened: Round, by: By) -> Round:
    event = _note(
        "tables.round.voided", session, opened.pk, opened.number, by, {"log": opened.log}, ["REC-07"]
    )
    opened.state, opened.void_event, opened.settled_at = Round.State.VOID, event, by.occurred_at
    opened.save(update_fields=["state", "void_event", "settled_at"])
    session.last_round = opened.number
    move_on(session, by)
    session.save(update_fields=["last_round", "last_at"])
    participants.abandoned(opened, by)
    return opened


def store_voided(
    *,
    session: TableSession,
    settled: Round,
    approved_by: Actor,
    cards: Mapping[str, Any],
    by: By,
) -> Round:
    """The reversal of a settled round: its moves the other way, its figures off the totals.

    `settled`, with its event, as it stands under its session's lock, which the caller holds. `cards`:
    what the event says of its cards.
    """
    assert settled.event is not None
    data = {
        "reverses": trail.named(settled.event, session.stream),
        "approved_by": approved_by.as_dict(),
        "staked": settled.staked,
        "returned": settled.returned,
        "commission": settled.commission,
        **cards,
    }
    event = _note("tables.round.voided", session, settled.pk, settled.number, by, data, ["REC-07"])
    ledger.reverse(original=settled.event, event=event, kind="round_void", day=session.day.date)
    settled.state, settled.void_event = Round.State.VOID, event
    settled.save(update_fields=["state", "void_event"])
    TableSession.objects.filter(pk=session.pk).update(
        rounds_settled=F("rounds_settled") - 1,
        staked=F("staked") - settled.staked,
        returned=F("returned") - settled.returned,
        commission=F("commission") - settled.commission,
        last_at=Greatest(F("last_at"), by.occurred_at),
    )
    return settled


def _common(session: TableSession, current: InForce, shoe: Shoe | None, by: By) -> dict[str, Any]:
    return {
        "casino_id": session.casino_id,
        "session": session,
        "rules_id": current.rules_id,
        "limits_id": current.limits_id,
        "detail": current.terms.detail.value,
        "shoe_id": None if shoe is None else shoe.pk,
        "logged_by_id": by.actor.pk,
    }


def _move_on(session: TableSession, by: By) -> None:
    move_on(session, by)
    session.save(update_fields=["last_at"])


def _dealer_id(session: TableSession, by: By) -> int | None:
    """Who dealt when it occurred: the caller where there is one, else the dealer."""
    turns = Assignment.objects.filter(session=session, during__contains=by.occurred_at)
    return (
        turns.filter(post__in=Assignment.DEALING).order_by("post").values_list("staff_id", flat=True).first()
    )


def _subject(session: TableSession, round_id: int, number: int) -> trail.Subject:
    return trail.Subject("round", round_id, f"{session.table.name} · {number}")


def _in_words(session: TableSession, log: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    said = telling.told(registry.game(session.game), log, session.casino.exponent)
    return {"events_es": said.es, "events_en": said.en}


def _note(
    action: str,
    session: TableSession,
    round_id: int,
    number: int,
    by: By,
    data: dict[str, Any],
    rules: Sequence[str] = (),
) -> Any:
    subject = _subject(session, round_id, number)
    return trail.record(
        action, stream=session.stream, subject=subject, by=by, data={"round": number, **data}, rules=rules
    )


def _settled_data(
    session: TableSession,
    current: InForce,
    shoe: Shoe | None,
    log: list[dict[str, Any]],
    settlement: Settlement,
) -> dict[str, Any]:
    told = {
        "game": session.game,
        "rules": current.rules_id,
        "limits": current.limits_id,
        "detail": current.terms.detail.value,
        "shoe": shoe.label if shoe else "",
        "log": log,
        "outcome": settlement.outcome.to_json(),
        "totals": settlement.totals.to_json(),
        "payouts": [[p.seat, p.spot, p.hand, p.stake, p.returned, p.commission] for p in settlement.payouts],
        "announcement_es": settlement.announcement.es,
        "announcement_en": settlement.announcement.en,
    }
    return {**told, "carry": [dict(event) for event in settlement.carry]} if settlement.carry else told


def _rules(settlement: Settlement) -> list[str]:
    found = {p.rule for p in settlement.payouts} | {note.rule for note in settlement.notes}
    return sorted(rule for rule in found if rule)


def moves_of(session_id: int, settlement: Settlement, bank: str = "house") -> list[Move]:
    """Lost stakes into the tray, prizes out of it, commission apart in the kitty (records.md).

    Where the players pay one another (`bank` player or ring), their chips stay among the public, which is
    one account: only the house's deduction or rake moves.
    Prizes and commissions as the pay table has them, in whole units; what rounding added to or took
    off them on lines of their own, up and down apart, never netted (GEN-09). No move is negative:
    prizes are never rounded up, and rounding down takes at most the whole commission.
    """
    tray, players, kitty = f"tray:{session_id}", f"players:{session_id}", f"kitty:{session_id}"
    lost = won = breakage = commission = up = down = 0
    for payout in settlement.payouts:
        # What the bet came to before commission and rounding; of a stake partly lost, only what was lost.
        gained = payout.won + payout.commission + payout.breakage
        won += max(gained, 0)
        lost += max(-gained, 0)
        breakage += payout.breakage
        commission += payout.commission - payout.rounding
        up += max(payout.rounding, 0)
        down += max(-payout.rounding, 0)
    among_players = bank != "house"
    return [
        *([] if among_players else [
            Move(players, tray, lost, "lost"),
            Move(tray, players, won, "won"),
            Move(players, tray, breakage, "breakage"),
        ]),
        Move(players, kitty, commission, "commission"),
        Move(players, kitty, up, "commission_rounded_up"),
        Move(kitty, players, down, "commission_rounded_down"),
    ]  # fmt: skip
