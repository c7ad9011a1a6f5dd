"""A table is opened: on a counted float, with its crew and its shoe (FLOOR-04).

Money: the float leaves the vault for the tray.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Max

from audits import days, ledger
from audits.by import By
from audits.ledger import Move
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from shoes import shoes as shoe_acts
from shoes.models import Shoe
from tables import (
    chips,
    counts,
    crew,
    freezing,
    inforce,
    packs,
    policies,
    queries,
)
from tables.holding import out_of_order
from tables.models import ChipCount, Staff, Table, TableSession
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
    """Open a table: counted float, a dealer (whoever deals or calls), a supervisor, a ready shoe.

    `chips_counted`: denomination in smallest units -> number of chips. `payers`: payers, or support
    dealers where the game has those. `shoe` is None for a game without cards, and for no other.

    Raises `Conflict` when the table is open (`session_open`), someone is at another table (`staff_busy`,
    FLOOR-01) or the shoe is not ready; `Refused` for people and counts that will not do, for a shoe that
    lacks or is too many (`no_shoe`, `no_cards`), for an instant before the table's last close
    (`occurred_out_of_order`).
    """
    day = days.day_of(by.casino, by.occurred_at)
    _require_table(table)
    packs.require_pack(table.game, shoe)
    posts = crew.checked(table.game, dealer, supervisor, payers, day.date)
    counted = counts.checked(counts.Float(chips_counted, dealer, supervisor), by)
    counts.require_chips(counted)
    current, _ = inforce.for_new_round(_draft(table, by), by.occurred_at, table.detail)
    current.game.open(current.rules, current.terms)  # refuses positions the game does not take
    packs.require_decks(current, shoe)
    packs.require_here(shoe, table.name)
    freezing.lock_table(by.casino, table.name)
    if TableSession.objects.filter(table=table, state__in=TableSession.LIVE).exists():
        raise _already_open()
    _require_after_last(table, by)
    if shoe is not None:
        shoe = shoe_acts.put_in_play(shoe=shoe, table_label=table.name, game=table.game, by=by)
    previous = queries.previous_closing(table)
    session = TableSession.objects.create(
        casino=by.casino,
        table=table,
        day=day,
        number=TableSession.objects.filter(table=table, day=day).count() + 1,
        game=table.game,
        detail=table.detail,
        seats=table.seats,
        rules_id=current.rules_id,
        limits_id=current.limits_id,
        shoe=shoe,
        opened_at=by.occurred_at,
        opened_by=by.actor,
        last_at=by.occurred_at,
        frozen_by=freezing.stopped_at_opening(by.casino, table.name),
        opening=chips.total(counted),
    )
    crew.take_posts(session, posts, by)
    counts.store(session, ChipCount.Moment.OPENING, counted, dealer, supervisor, by)
    event = note(
        "tables.session.opened",
        session,
        by,
        {
            "game": table.game,
            "opening": session.opening,
            "chips": chips.stored(counted),
            "difference_from_closing": None
            if previous is None
            else chips.stored(chips.difference(chips.loaded(previous.chips), counted)),
            "shoe": shoe.label if shoe else "",
            "shoe_event": told_of(shoe),
            "rules": current.rules_id,
            "limits": current.limits_id,
            "crew": crew.told(posts),
        },
        ["FLOOR-01", "FLOOR-02", "FLOOR-04", "FLOOR-05"],
    )
    moves = [Move("vault", f"tray:{session.pk}", session.opening, "opening")]
    ledger.post(event=event, kind="opening", day=day.date, moves=moves)
    return session


def _draft(table: Table, by: By) -> TableSession:
    return TableSession(
        casino=by.casino, table=table, game=table.game, seats=table.seats, detail=table.detail
    )


def _require_table(table: Table) -> None:
    if not table.active:
        raise Conflict(
            Text(f"la mesa {table.name} no está en servicio", f"table {table.name} is not in service"),
            code="table_out_of_service",
        )


def _require_after_last(table: Table, by: By) -> None:
    """The sessions of a table follow one another in time (FLOOR-10)."""
    last = TableSession.objects.filter(table=table).aggregate(closed=Max("closed_at"))["closed"]
    if last is not None and by.occurred_at < last:
        raise out_of_order(by.casino, last)


def _already_open() -> Conflict:
    return Conflict(
        Text(
            "la mesa ya tiene una sesión abierta; ciérrela antes de abrir otra",
            "the table has an open session already; close it before opening another",
        ),
        code="session_open",
        rule="FLOOR-10",
    )


for _name in ("one_open_session_per_table", "one_session_at_a_time", "one_session_per_number"):
    explain_constraint(_name, _already_open)
explain_constraint(
    "one_open_session_per_shoe",
    lambda: Conflict(
        Text("ese sabot está en otra mesa", "that shoe is at another table"),
        code="shoe_elsewhere",
        rule="CARD-04",
    ),
)
