"""A table is opened: on a counted float, with its crew and its shoe (FLOOR-04).

Money: the float leaves the vault for the tray.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audits import days, ledger
from audits.by import By
from audits.ledger import Move
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from casino.models import GamingDay
from shoes import shoes as shoe_acts
from shoes.models import Shoe
from tables import (
    chips,
    counts,
    crew,
    duties,
    freezing,
    inforce,
    life,
    policies,
    preflight,
    preflight_checks,
    queries,
)
from tables.checking import Crew, Opening
from tables.holding import lock_session, move_on
from tables.models import ChipCount, Staff, Table, TableSession
from tables.money import differences, funds, inventory
from tables.noting import note, told_of


@command(policies.OPEN_SESSION)
def open_session(
    *,
    table: Table,
    shoe: Shoe | None,
    chips_counted: Mapping[int, int],
    dealer: Staff,
    supervisor: Staff,
    by: By,
    payers: Sequence[Staff] = (),
) -> TableSession:
    """Open a table to play: counted float, a dealer (whoever deals or calls), a supervisor, a ready shoe.

    `chips_counted`: denomination in smallest units -> number of chips. `payers`: payers, or support
    dealers where the game has those. `shoe` is None for a game without cards, and for no other.

    Raises what is red in the pre-flight check (`tables.preflight`): `Conflict` when the table is open
    (`session_open`), someone is at another table (`staff_busy`, FLOOR-01) or the shoe is not ready;
    `Refused` for people and counts that will not do, for a shoe that lacks or is too many (`no_shoe`,
    `no_cards`), for an instant before the table's last close (`occurred_out_of_order`).
    """
    people = Crew(dealer, supervisor, payers)
    return _begin(table, people, shoe, chips_counted, TableSession.State.OPEN, by)


@command(policies.OPEN_SESSION)
def prepare_table(
    *,
    table: Table,
    shoe: Shoe | None,
    chips_counted: Mapping[int, int],
    dealer: Staff,
    supervisor: Staff,
    by: By,
    payers: Sequence[Staff] = (),
) -> TableSession:
    """The same up to the first bet: float counted and signed, crew and shoe at the table (`opening`).

    `begin_play` then opens it to play. Takes and raises what `open_session` does.
    """
    people = Crew(dealer, supervisor, payers)
    return _begin(table, people, shoe, chips_counted, TableSession.State.OPENING, by)


@command(policies.OPEN_SESSION)
def begin_play(*, session: TableSession, by: By) -> TableSession:
    """A prepared table is opened to play (FLOOR-04).

    Raises `Conflict` (`session_state`; `no_rules`, `no_limits`), and whatever else of rules, limits and
    funds has become red since it was prepared.
    """
    session = lock_session(session, by).session
    life.require_state(session, TableSession.State.OPENING, TableSession.State.OPEN)
    preflight.require_terms(Opening(session.table, by.occurred_at, shoe=session.shoe, by=by, final=True))
    session.state = TableSession.State.OPEN
    move_on(session, by)
    session.save(update_fields=["state", "last_at"])
    note("tables.session.play_began", session, by, {"state": session.state}, ["FLOOR-04"])
    return session


def _begin(
    table: Table,
    people: Crew,
    shoe: Shoe | None,
    chips_counted: Mapping[int, int],
    state: TableSession.State,
    by: By,
) -> TableSession:
    """The session of a table, in `state`: what opening and preparing it have in common."""
    duties.require_pit(by, table)
    funds.hold(by)
    day = days.day_of(by.casino, by.occurred_at)
    wanted = Opening(table, by.occurred_at, people, shoe, chips_counted, by, final=True)
    preflight.require(wanted)
    posts = crew.checked(table.game, people.dealer, people.supervisor, people.payers, day.date)
    counted = counts.checked(counts.Float(chips_counted, people.dealer, people.supervisor), by)
    current, _ = inforce.for_new_round(wanted.draft, by.occurred_at, table.detail)
    # Asked again once the table is held: two tablets may open it at once.
    freezing.lock_table(by.casino, table.name)
    preflight_checks.require_no_session(table)
    preflight_checks.require_after_last(table, by.occurred_at)
    if shoe is not None:
        shoe = shoe_acts.put_in_play(shoe=shoe, table_label=table.name, game=table.game, by=by)
    previous = queries.previous_closing(table)
    session = TableSession.objects.create(
        number=TableSession.objects.filter(table=table, day=day).count() + 1,
        state=state,
        shoe=shoe,
        frozen_by=freezing.stopped_at_opening(by.casino, table.name),
        opening=chips.total(counted),
        **_terms(table, day, current, by),
    )
    crew.take_posts(session, posts, by)
    counts.store(session, ChipCount.Moment.OPENING, counted, people.dealer, people.supervisor, by)
    differences.keep_opening(session, previous, counted, by)
    rules = ["FLOOR-01", "FLOOR-02", "FLOOR-04", "FLOOR-05"]
    told = _told(session, counted, previous) | {"crew": crew.told(posts)}
    event = note("tables.session.opened", session, by, told, rules)
    moves = [Move("vault", f"tray:{session.pk}", session.opening, "opening")]
    ledger.post(event=event, kind="opening", day=day.date, moves=moves)
    inventory.open_float(session, counted, event)
    return session


def _terms(table: Table, day: GamingDay, current: inforce.InForce, by: By) -> dict[str, Any]:
    """What a session takes of its table, the versions in force and whoever opens it."""
    return {
        "casino": by.casino,
        "table": table,
        "day": day,
        "game": table.game,
        "detail": table.detail,
        "seats": table.seats,
        "rules_id": current.rules_id,
        "limits_id": current.limits_id,
        "opened_at": by.occurred_at,
        "opened_by": by.actor,
        "last_at": by.occurred_at,
    }


def _told(session: TableSession, counted: Mapping[int, int], previous: ChipCount | None) -> dict[str, Any]:
    """What the trail keeps of an opening, with the difference from the last closing by chip (FLOOR-05)."""
    before = None if previous is None else chips.difference(chips.loaded(previous.chips), counted)
    return {
        "state": session.state,
        "game": session.game,
        "opening": session.opening,
        "chips": chips.stored(counted),
        "difference_from_closing": None if before is None else chips.stored(before),
        "shoe": session.shoe.label if session.shoe else "",
        "shoe_event": told_of(session.shoe),
        "rules": session.rules_id,
        "limits": session.limits_id,
    }


for _name in ("one_open_session_per_table", "one_session_at_a_time", "one_session_per_number"):
    explain_constraint(_name, preflight_checks.already_open)
explain_constraint(
    "one_open_session_per_shoe",
    lambda: Conflict(
        Text("ese sabot está en otra mesa", "that shoe is at another table"),
        code="shoe_elsewhere",
        rule="CARD-04",
    ),
)
