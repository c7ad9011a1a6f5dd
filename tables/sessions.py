"""A table session: opened on a counted float with its crew and shoe, closed on a count.

Money: the float leaves the vault for the tray at opening and returns at closing; the drop is cash
the players left for chips; what a count shows beyond the rounds is posted with its sign (FLOOR-12).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Max, Q

from audits import days, ledger
from audits.by import By
from audits.ledger import Move
from casino.kernel import locking
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from casino.models import GamingDay
from shoes import shoes as shoe_acts
from shoes.models import Shoe
from shoes.procedures import procedure_of
from tables import (
    carrying,
    chips,
    counts,
    crew,
    freezing,
    inforce,
    packs,
    policies,
    queries,
    results,
    storing,
)
from tables.holding import lock_session, move_on, out_of_order
from tables.models import Assignment, ChipCount, Staff, Table, TableSession
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
    if TableSession.objects.filter(table=table, state=TableSession.State.OPEN).exists():
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


@command(policies.CLOSE_SESSION)
def close_session(
    *,
    session: TableSession,
    chips_counted: Mapping[int, int],
    counted_by: Staff,
    witnessed_by: Staff,
    by: By,
    drop: int | None = None,
) -> TableSession:
    """Close a table on a count signed by two (FLOOR-10). `drop`: smallest units, if counted already.

    Raises `Conflict` (code `round_open`) while a round is in progress.
    """
    held = lock_session(session, by)
    session = held.session
    under_way = storing.under_way(held.last_round_open)
    if under_way is not None:
        raise Conflict(
            Text(
                f"el pase {under_way.number} está en curso: termínelo o abandónelo antes de cerrar la mesa",
                f"round {under_way.number} is in progress: finish or abandon it before closing the table",
            ),
            code="round_open",
            rule="FLOOR-10",
        )
    carrying.require_nothing_pending(session)
    counted = counts.checked(counts.Float(chips_counted, counted_by, witnessed_by), by)
    ended = None
    if held.shoe is not None:
        ended = shoe_acts.end_shoe(shoe=held.shoe, by=by, reason=by.reason or "cierre de mesa")
    storing.give_up_empty(held, by)
    crew.leave_all(session, by)
    session.state, session.shoe = TableSession.State.CLOSED, held.shoe
    move_on(session, by)
    session.closed_at, session.closed_by = session.last_at, by.actor
    session.closing = chips.total(counted)
    counts.store(session, ChipCount.Moment.CLOSING, counted, counted_by, witnessed_by, by)
    results.take_drop(session, drop)
    session.save()
    event = note(
        "tables.session.closed",
        session,
        by,
        {
            "closing": session.closing,
            "chips": chips.stored(counted),
            "rounds": session.rounds_settled,
            "staked": session.staked,
            "returned": session.returned,
            "commission": session.commission,
            **results.told(session),
            "counted_by": counted_by.name,
            "witnessed_by": witnessed_by.name,
            "shoe_event": told_of(ended),
        },
        ["FLOOR-10", "FLOOR-12"],
    )
    results.post_closing(session, event)
    return session


@command(policies.RECORD_DROP)
def record_drop(*, session: TableSession, drop: int, by: By) -> TableSession:
    """Record the drop of a closed session, once (FLOOR-12; a second figure would erase it, REC-07).

    `drop`: smallest units. Raises `Conflict` (codes `session_open`, `drop_recorded`, `day_closed`),
    `Refused` for a negative drop or an instant before the close (`occurred_out_of_order`).
    """
    days.require_open(session.day)
    locking.taking(locking.Rank.SESSION)
    session = (
        TableSession.objects.select_for_update(of=("self",), no_key=True)
        .select_related("table", "day", "casino")
        .get(pk=session.pk)
    )
    if session.state != TableSession.State.CLOSED:
        raise Conflict(Text("la mesa sigue abierta", "the table is still open"), code="session_open")
    assert session.closed_at is not None
    if by.occurred_at < session.closed_at:
        raise out_of_order(by.casino, session.closed_at)
    if session.drop is not None:
        raise Conflict(
            Text("la caja de esta sesión ya está registrada", "this session's drop is recorded already"),
            code="drop_recorded",
            rule="REC-07",
        )
    results.take_drop(session, drop)
    session.save(update_fields=["drop", "result", "unexplained"])
    told = results.told(session)
    event = note("tables.session.drop_recorded", session, by, told, ["FLOOR-12"])
    results.post_drop(session, event)
    return session


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


def holds_day(day: GamingDay) -> list[days.Holding]:
    """What keeps a gaming day open: sessions not closed yet, and those whose drop is not recorded, as
    their result is not known (REC-08, FLOOR-12)."""
    rows = TableSession.objects.filter(day=day).filter(Q(state=TableSession.State.OPEN) | Q(drop=None))
    return [
        _holding(session) for session in rows.select_related("table", "day").order_by("table__name", "pk")
    ]


def _holding(session: TableSession) -> days.Holding:
    if session.state == TableSession.State.OPEN:
        words = Text(f"{session.label} sigue abierta", f"{session.label} is still open")
        return days.Holding("session_open", words, "REC-08")
    return days.Holding(
        "drop_not_counted",
        Text(
            f"falta la caja de {session.label}: cuéntela y regístrela",
            f"the drop of {session.label} is missing: count and record it",
        ),
        "REC-08",
    )
