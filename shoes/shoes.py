"""Shoes: prepared step by step, put in play, ended. Every write to a shoe goes through here, except
the cards that come out of it (`shoes.counting`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audits import trail
from audits.by import By
from audits.models import Event, Incident
from casino.kernel import locking, texts
from casino.kernel.commands import command
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from casino.models import NumberSeries
from shoes import actions, counting, devices, moving, ordering, policies, refusals
from shoes.holding import holding_incident, require_playable
from shoes.joining import backs_of, take_decks
from shoes.locked import lock_shoe
from shoes.models import Deck, DeckMove, Shoe, ShoeStep
from shoes.ordering import Procedure, Step
from shoes.procedures import procedure_of
from shoes.steps import Pack

State = Shoe.State

_PREPARING = {"step": "by procedure", "remove": State.ASSEMBLING, "end": State.ENDED}

# {state: {command: next}}. The steps of preparation move a shoe as its game's procedure says,
# forward only; a trigger holds the table to the same moves.
MOVES: dict[str, dict[str, str]] = {
    **dict.fromkeys((State.ASSEMBLING, State.SHUFFLED, State.CUT, State.LOADED), _PREPARING),
    State.READY: {**_PREPARING, "play": State.IN_PLAY},
    State.IN_PLAY: {"end": State.ENDED},
    State.ENDED: {},
}


@command(policies.PREPARE)
def start_shoe(
    *, game: str, by: By, decks_wanted: int | None = None, device: str = "", method: str = ""
) -> Shoe:
    """Begin to prepare a shoe for a game; `device` is the number of the physical box (CARD-46).

    Raises `Refused` (`no_procedure`, `bad_device`), `RuleViolation` (`decks_not_allowed`, `unknown_device`).
    """
    procedure = procedure_of(game, method)
    wanted = procedure.check_decks(decks_wanted)
    device = texts.line(device, "device", 20, code="bad_device", least=0)
    devices.require_device(by.casino, device, devices.kind_for(procedure.method), field="device")
    locking.taking(locking.Rank.SLIP_SERIES)
    shoe = Shoe.objects.create(
        casino=by.casino,
        number=NumberSeries.take(by.casino, "shoe"),
        game=game,
        deck_type=procedure.deck_type,
        decks_wanted=wanted,
        device=device,
        method=procedure.method,
        started_by=by.actor,
        started_at=by.occurred_at,
    )
    tell_started(shoe, by)
    return shoe


def tell_started(shoe: Shoe, by: By) -> Event:
    """The event of a shoe whose preparation begins."""
    data = {
        "game": shoe.game,
        "decks": shoe.decks_wanted,
        "deck_type": shoe.deck_type,
        "device": shoe.device,
        "method": shoe.method,
    }
    rule = procedure_of(shoe.game, shoe.method).decks_rule
    return tell(actions.SHOE_STARTED, shoe, by, data, rules=[rule, "CARD-46"])


@command(policies.PREPARE)
def take_step(*, shoe: Shoe, step: str, by: By, data: Mapping[str, Any] | None = None) -> Shoe:
    """Do the next step of a shoe's preparation, signed by `by.actor`; returns the shoe as it is now.

    The steps and what each asks are data: `shoes.procedures`. Raises `Conflict`
    (`step_out_of_order`, with the expected step and its rule; `shoe_ended`; and for decks
    `deck_elsewhere`, `deck_withdrawn`, `deck_not_inspected`), `RuleViolation` for a value its rule
    forbids, `Refused` (`bad_step_data`, `unknown_deck`, `unknown_card`).
    """
    shoe = lock_shoe(shoe, by)
    require_move(shoe, "step")
    procedure = procedure_of(shoe.game, shoe.method)
    done = list(shoe.steps.order_by("seq"))
    taken, told = _admit(shoe, procedure, done, step, data or {})
    signed = [(each.step, each.signed_by_id) for each in done]
    ordering.require_signer(taken, by.actor.pk, by.actor.roles, signed)
    joining = _carry_out(shoe, procedure, told, by)
    if shoe.state != State.READY and taken.state == State.READY:
        shoe.ready_at = by.occurred_at
    shoe.state = taken.state
    shoe.save()
    sign(shoe, taken.code, told, by)
    event = tell(taken.action, shoe, by, {"step": taken.code, **told}, rules=taken.rules)
    if joining:
        moving.move(joining, kind=DeckMove.Kind.JOINED, event=event, by=by, shoe=shoe)
    return shoe


def _admit(
    shoe: Shoe, procedure: Procedure, done: Sequence[ShoeStep], step: str, data: Mapping[str, Any]
) -> tuple[Step, dict[str, Any]]:
    told = [(each.step, each.data) for each in done]
    counting_still, renewed = procedure.since_restart(told), ordering.is_renewed(told)
    return procedure.admit(pack_of(shoe), counting_still, step, data, renewed=renewed)


def sign(shoe: Shoe, step: str, data: Mapping[str, Any], by: By) -> None:
    """The next step of a locked shoe, as it was done."""
    ShoeStep.objects.create(
        casino=by.casino,
        shoe=shoe,
        seq=shoe.steps.count() + 1,
        step=step,
        data=data,
        signed_by=by.actor,
        at=by.occurred_at,
    )


def add_decks(*, shoe: Shoe, serials: Sequence[str], by: By) -> Shoe:
    """The step `decks`: inspected decks join the pack."""
    return take_step(shoe=shoe, step="decks", data={"serials": list(serials)}, by=by)


@command(policies.PLAY)
def put_in_play(*, shoe: Shoe, table_label: str, game: str, by: By) -> Shoe:
    """Put a ready shoe in play at a table; the caller holds the table session's lock, if any.

    Writes to the shoe's stream, so a caller that still needs locks below streams takes them first.
    Raises `Conflict` (`shoe_not_ready`, `shoe_of_other_game`, `table_has_shoe`, `device_in_use`).
    """
    shoe = lock_shoe(shoe, by)
    require_ready(shoe, game)
    if not 0 < len(table_label) <= 20:
        raise ValueError("a shoe in play is at a table")
    refusals.require_free_table(shoe, table_label)
    return _begin_play(shoe, moving.lock_decks_of(shoe), table_label, by)


@command(policies.PLAY)
def change_in_play(*, old: Shoe, new: Shoe, game: str, by: By, reason: str) -> Shoe:
    """Take the shoe in play off its table and put a ready one there, in one act; returns the new.

    Both, as given and as returned, then say what was `told` of them.

    Raises `Conflict` as `put_in_play()` does, and `shoe_not_in_play` for the old one.
    """
    by = by.because(reason)
    first, second = sorted((old, new), key=lambda shoe: shoe.pk)
    locked = {shoe.pk: shoe for shoe in (lock_shoe(first, by), lock_shoe(second, by))}
    given, old, new = old, locked[old.pk], locked[new.pk]
    require_ready(new, game)
    if old.state != State.IN_PLAY:
        raise counting.not_in_play(old)
    table_label = old.table_label
    inside = {shoe.pk: moving.lock_decks_of(shoe) for shoe in (first, second)}
    given.told = _end(old, inside[old.pk], by).told
    return _begin_play(new, inside[new.pk], table_label, by)


def require_ready(shoe: Shoe, game: str) -> None:
    """Raise `Conflict` (`shoe_not_ready`, `shoe_of_other_game`) unless a shoe may go into play at a game."""
    if "play" not in MOVES[shoe.state]:
        raise refusals.not_ready(shoe, next_step(shoe))
    if shoe.game != game:
        raise Conflict(
            Text(
                f"el sabot {shoe.label} se preparó para otro juego; elija uno preparado para este",
                f"shoe {shoe.label} was prepared for another game; choose one prepared for this one",
            ),
            code="shoe_of_other_game",
            field="shoe",
            detail={"prepared_for": shoe.game, "wanted": game},
        )
    require_playable(shoe)


def _begin_play(shoe: Shoe, decks: list[Deck], table_label: str, by: By) -> Shoe:
    shoe.state, shoe.table_label, shoe.played_at = State.IN_PLAY, table_label, by.occurred_at
    shoe.played_table = table_label
    shoe.save(update_fields=["state", "table_label", "played_table", "played_at"])
    data = {"table": table_label, "serials": [deck.serial for deck in decks]}
    event = tell(actions.SHOE_IN_PLAY, shoe, by, data, rules=["CARD-46"])
    moving.move(decks, kind=DeckMove.Kind.PLAYED, event=event, by=by, place=table_label, shoe=shoe)
    return shoe


@command(policies.PLAY, silent_when="it was seen already")
def mark_stop_card(*, shoe: Shoe, by: By) -> Shoe:
    """The stop card was seen: the round in progress ends, no other starts (CARD-38). Idempotent.

    The event holds what the count says is left, so that a stop card that came out of its place is
    visible: with a complete count, `remaining` equals `stop_at`.
    """
    shoe = lock_shoe(shoe, by)
    if shoe.state != State.IN_PLAY:
        raise counting.not_in_play(shoe)
    if shoe.stop_marked:
        return shoe
    shoe.stop_marked = shoe.stop_reached = True
    shoe.save(update_fields=["stop_marked", "stop_reached"])
    data = {"remaining": shoe.remaining, "stop_at": shoe.stop_at, "count_complete": shoe.count_complete}
    off = shoe.count_complete and shoe.remaining != shoe.stop_at
    rules = [procedure_of(shoe.game).stop_rule, *(["CARD-42"] if off else [])]
    tell(actions.STOP_CARD_SEEN, shoe, by, data, rules=rules)
    return shoe


@command(policies.END)
def end_shoe(*, shoe: Shoe, by: By, reason: str) -> Shoe:
    """End a shoe; its decks are counted and inspected again before any other use (CARD-43, CARD-44).

    For the table that has it in play; anyone else calls `abandon_shoe()`.

    Raises `Conflict` (`shoe_ended`), `Refused` without a reason.
    """
    by = by.because(reason)
    shoe = lock_shoe(shoe, by)
    return _end(shoe, moving.lock_decks_of(shoe), by)


@command(policies.END)
def abandon_shoe(*, shoe: Shoe, by: By, reason: str) -> Shoe:
    """End a shoe that is at no table: a fault was found, or nobody needs it. As `end_shoe()`.

    Raises `Conflict` (`shoe_in_play`): a shoe in play ends with its table's session or is changed
    there, so that the table never finds its shoe gone.
    """
    by = by.because(reason)
    shoe = lock_shoe(shoe, by)
    if shoe.state == State.IN_PLAY:
        raise Conflict(
            Text(
                f"el sabot {shoe.label} está en juego en {shoe.table_label}; cámbielo o cierre la mesa",
                f"shoe {shoe.label} is in play at {shoe.table_label}; change it or close the table",
            ),
            code="shoe_in_play",
            field="shoe",
        )
    return _end(shoe, moving.lock_decks_of(shoe), by)


def _end(shoe: Shoe, decks: list[Deck], by: By) -> Shoe:
    """Its decks wait for their closing count; those of a shoe under investigation are kept as they are."""
    require_move(shoe, "end")
    holding = holding_incident(shoe)
    rules = ["CARD-43", "CARD-44", *(["CARD-45"] if holding else [])]
    event = put_to_end(shoe, decks, by, rules=rules, holding=holding)
    kind = DeckMove.Kind.HELD if holding else DeckMove.Kind.ENDED
    moving.move(decks, kind=kind, event=event, by=by, shoe=shoe, incident=holding)
    return shoe


def put_to_end(
    shoe: Shoe, decks: Sequence[Deck], by: By, *, rules: Sequence[str], holding: Incident | None = None
) -> Event:
    """The row of a locked shoe ended, and the event of it; where its decks go is the caller's."""
    why = by.need_reason()[:200]
    was, table = shoe.state, shoe.table_label
    shoe.state, shoe.table_label, shoe.ended_at, shoe.end_reason = State.ENDED, "", by.occurred_at, why
    shoe.save(update_fields=["state", "table_label", "ended_at", "end_reason"])
    data = {
        "was": was,
        "table": table,
        "serials": [deck.serial for deck in decks],
        "dealt": shoe.dealt + shoe.discarded,
        "burned": shoe.burned,
        "remaining": shoe.remaining,
        "count_complete": shoe.count_complete,
        "incident": holding.label if holding else "",
    }
    return tell(actions.SHOE_ENDED, shoe, by, data, rules=rules)


def pack_of(shoe: Shoe) -> Pack:
    """The pack of a shoe as its steps see it."""
    decks = list(shoe.decks.all())
    return Pack(shoe.deck_type, len(decks), shoe.decks_wanted, tuple(backs_of(decks)))


# ---- what a step means for the shoe ----------------------------------------------------------------


def _carry_out(shoe: Shoe, procedure: Procedure, told: dict[str, Any], by: By) -> list[Deck]:
    """The keys a step's kind returns say what it does (see `shoes.steps`). Gives the decks that join."""
    joining: list[Deck] = []
    if "serials" in told:
        joining, noted = take_decks(shoe, procedure, told["serials"], by)
        told.update(noted)
    if "machine" in told:
        kind = devices.kind_for(procedure.method, shuffling=True)
        devices.require_device(by.casino, told["machine"], kind, field="machine")
        if kind == devices.Kind.MACHINE_SHOE:
            shoe.device = told["machine"]  # the box these cards are in: one pack at a time (CARD-46)
    if "stop_card_from_end" in told:
        shoe.stop_at = told["stop_card_from_end"]
    if "out" in told:
        count = counting.count_of(shoe)
        counting.apply(shoe, counting.burn(count, known=told["known"], out=told["out"]))
    return joining


# ---- small things every command needs --------------------------------------------------------------


def require_move(shoe: Shoe, name: str) -> None:
    if name in MOVES[shoe.state]:
        return
    if shoe.state == State.ENDED:
        raise Conflict(
            Text(f"el sabot {shoe.label} ya terminó", f"shoe {shoe.label} has ended"), code="shoe_ended"
        )
    raise Conflict(
        Text(f"el sabot {shoe.label} ya está en juego", f"shoe {shoe.label} is already in play"),
        code="step_out_of_order",
    )


def next_step(shoe: Shoe) -> Step | None:
    """The step a shoe waits for, or None when it waits for none."""
    if "step" not in MOVES[shoe.state]:
        return None
    procedure = procedure_of(shoe.game, shoe.method)
    told = list(shoe.steps.order_by("seq").values_list("step", "data"))
    renewed = ordering.is_renewed(told)
    coming = procedure.next_steps(pack_of(shoe), procedure.since_restart(told), renewed=renewed)
    return coming[0] if coming else None


def tell(action: str, shoe: Shoe, by: By, data: Mapping[str, Any], *, rules: Sequence[str]) -> Event:
    shoe.told = trail.record(
        action,
        stream=shoe.stream,
        subject=trail.Subject("shoe", shoe.pk, shoe.label),
        by=by,
        data=data,
        rules=rules,
    )
    return shoe.told
