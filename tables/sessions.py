"""What changes at a table while its session runs: who stands there, and the shoe on it."""

from __future__ import annotations

from audits.by import By
from casino.kernel.commands import command
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from shoes import shoes as shoe_acts
from shoes.models import Shoe
from shoes.procedures import procedure_of
from tables import (
    crew,
    inforce,
    packs,
    policies,
    storing,
)
from tables.holding import lock_session, move_on
from tables.models import Assignment, Staff, TableSession
from tables.noting import note, told_of


@command(policies.ASSIGN)
def relieve(*, session: TableSession, staff: Staff, post: str, by: By) -> Assignment:
    """Put someone on a post, ending the turn of who held it, in one act (FLOOR-01)."""
    session = lock_session(session, by).session
    crew.require_fit(session.game, staff, post, session.day.date)
    assignment = crew.relieve(session, staff, post, by)
    move_on(session, by)
    session.save(update_fields=["last_at"])
    told = {"staff": staff.name, "staff_id": staff.pk, "post": post}
    note("tables.session.crew_changed", session, by, told, ["FLOOR-01"])
    return assignment


_STOP_CAME_OUT = "salió la carta de detención"


@command(policies.LOAD_SHOE)
def load_shoe(*, session: TableSession, shoe: Shoe, by: By) -> TableSession:
    """Take the finished shoe off the table and put a prepared one on (CARD-38), shown again as every change
    of cards is (CARD-13): a step of its preparation, but for the same cards shuffled again at this table.

    A shoe whose stop card has not come out leaves only with a reason (`reason_missing`).
    """
    held = lock_session(session, by)
    session = held.session
    packs.require_pack(session.game, shoe)
    if storing.under_way(held.last_round_open) is not None:
        raise Conflict(
            Text(
                "termine el pase en curso antes de cambiar el sabot",
                "finish the round before changing the shoe",
            ),
            code="round_open",
            rule=procedure_of(session.game).stop_rule,
        )
    ahead = inforce.look_ahead(session, by.occurred_at)
    packs.require_decks(inforce.in_force(session, ahead, session.detail), shoe)
    packs.require_here(shoe, session.table.name)
    if held.shoe is not None and held.shoe.pk == shoe.pk:
        raise Conflict(Text("ese sabot ya está en la mesa", "that shoe is on the table"), code="same_shoe")
    if held.shoe is not None:
        reason = by.reason or _STOP_CAME_OUT if held.shoe.stop_reached else by.need_reason()
        shoe = shoe_acts.change_in_play(old=held.shoe, new=shoe, game=session.game, by=by, reason=reason)
    else:
        shoe = shoe_acts.put_in_play(shoe=shoe, table_label=session.table.name, game=session.game, by=by)
    storing.give_up_empty(held, by)
    session.shoe = shoe
    move_on(session, by)
    session.save(update_fields=["shoe", "last_at"])
    told = {
        "shoe": shoe.label,
        "shoe_event": told_of(shoe),
        "before": held.shoe.label if held.shoe else "",
        "before_event": told_of(held.shoe),
    }
    rules = [procedure_of(session.game).stop_rule, "CARD-46", *packs.shown_again(shoe)]
    note("tables.session.shoe_loaded", session, by, told, rules)
    return session


@command(policies.LOG_ROUND, silent_when="it was seen already")
def see_stop_card(*, session: TableSession, by: By) -> TableSession:
    """The dealer shows the stop card: the round in progress ends the shoe (CARD-38). Idempotent.

    Raises `Conflict`: `no_shoe`; `no_stop_card` for a pack without one.
    """
    held = lock_session(session, by)
    if held.shoe is None:
        raise packs.no_shoe()
    packs.require_stop_card(held.shoe)
    if held.shoe.stop_marked:
        return held.session
    shoe = shoe_acts.mark_stop_card(shoe=held.shoe, by=by)
    move_on(held.session, by)
    held.session.save(update_fields=["last_at"])
    told = {"shoe": shoe.label, "shoe_event": told_of(shoe)}
    stop_rule = procedure_of(held.session.game).stop_rule
    note("tables.session.stop_card_seen", held.session, by, told, [stop_rule])
    return held.session
