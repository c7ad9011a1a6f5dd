"""The waiting list, kept by the supervisor: added, called, off it; and requests to change place.

A list is a table's, or a game's for any of its tables. Nobody barred is put on it (GEN-11).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from audits import trail
from audits.by import By
from casino.kernel import locking, rulebook
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from tables import duties
from tables.guests import aliases, matching, policies, priorities
from tables.guests.admitting import Where, require_admitted, share_lists
from tables.guests.holding import hold_taking, moved_on
from tables.guests.registering import called, require_identified
from tables.holding import QUEUEING, out_of_order
from tables.models import ChangeRequest, Guest, SeatTaking, Table, WaitingEntry
from tables.noting import note

State = WaitingEntry.State
STREAM = "waiting"
BIGGEST_PARTY = 20
GRACE = dt.timedelta(minutes=2)
"""How long somebody called has at least to come to the table before the list goes on without them."""


@command(policies.KEEP_WAITING)
def wait(
    *,
    by: By,
    table: Table | None = None,
    game: str = "",
    guest: Guest | None = None,
    alias: str = "",
    party_size: int = 1,
) -> WaitingEntry:
    """Put somebody on the list of a table, or of a game at any table.

    Whoever states an earlier time than others on the list came goes before them, and needs a reason.
    Raises `TurnedAway` (GEN-11), `Refused` (`no_list`, `guest_missing`, `bad_party`, `reason_missing`),
    `Conflict` (`waiting_already`), `NotAllowed` (`not_your_pit`).
    """
    if table is None and game not in rulebook.games():
        raise _no_list()
    if not 1 <= party_size <= BIGGEST_PARTY:
        raise Refused(
            Text(f"de 1 a {BIGGEST_PARTY} personas", f"1 to {BIGGEST_PARTY} people"),
            code="bad_party",
            field="party_size",
        )
    if table is not None:
        duties.require_pit(by, table)
    share_lists(by.casino)
    place = table.name if table else rulebook.game(game).name.es
    require_admitted(guest, where=Where.WAITING, place=place, by=by)
    require_identified(guest, by.casino)
    name = called(alias, least=0 if guest else 1)
    if guest is None:
        aliases.require_unlisted(name, where=Where.WAITING, place=place, by=by)
    passed = _passed_by(table, game, by)
    entry = WaitingEntry.objects.create(
        casino=by.casino,
        table=table,
        game=table.game if table else game,
        guest=guest,
        alias=name or matching.initials(guest.name if guest else ""),
        party_size=party_size,
        since=by.occurred_at,
    )
    data = {
        "list": list_of(entry), "guest": entry.guest_id, "party_size": party_size, "passed": passed,
    }  # fmt: skip
    _tell("tables.waiting.added", entry, by, data, ["GEN-11"])
    return entry


@command(policies.KEEP_WAITING)
def call(*, entry: WaitingEntry, by: By) -> WaitingEntry:
    """Call somebody to a seat. Whoever stands before them on the same list and is passed over needs a reason
    (BANK-21). Raises `Conflict` (`wait_ended`, `called_already`), `Refused` (`reason_missing`)."""
    entry = hold_entry(entry, by)
    if entry.state == State.CALLED:
        raise Conflict(
            Text(f"{entry.alias} ya fue llamado", f"{entry.alias} was called already"), code="called_already"
        )
    before = [one for one in ahead_of(entry) if one.state == State.WAITING]
    if before and not by.reason.strip():
        names = ", ".join(one.alias for one in before[:5])
        raise Refused(
            Text(f"antes espera {names}: indique el motivo", f"{names} waits before them: state the reason"),
            code="reason_missing",
            rule="".join(priorities.of_the_bank(entry.game, "BANK-21")),
            field="reason",
        )
    mark_called(entry, by)
    tell_called(entry, before, by)
    return entry


@command(policies.KEEP_WAITING)
def strike(*, entry: WaitingEntry, outcome: str, by: By) -> WaitingEntry:
    """Take somebody off the list: `left`, or `expired` for who was called and did not come.

    Raises `Conflict` (`wait_ended`, `not_called`, `called_just_now`), `Refused` (`bad_outcome`).
    """
    if outcome not in (State.LEFT, State.EXPIRED):
        raise Refused(
            Text("diga si se retiró o no se presentó", "say whether they left or did not come"),
            code="bad_outcome",
            field="outcome",
        )
    entry = hold_entry(entry, by)
    if outcome == State.EXPIRED:
        if entry.called_at is None:
            raise Conflict(Text("llámelo primero", "call them first"), code="not_called")
        if by.occurred_at < entry.called_at + GRACE:
            minutes = int(GRACE.total_seconds() // 60)
            raise Conflict(
                Text(
                    f"espere {minutes} minutos desde que lo llamó",
                    f"wait {minutes} minutes from when they were called",
                ),
                code="called_just_now",
            )
    end_entry(entry, outcome, by)
    _tell("tables.waiting.ended", entry, by, {"list": list_of(entry), "outcome": outcome}, [])
    return entry


@command(policies.SEAT)
def ask_change(*, taking: SeatTaking, table: Table, by: By, seat: int | None = None) -> ChangeRequest:
    """A seated player asks for another place: a seat, or any seat of a table.

    Raises `Conflict` (`change_asked`, `seat_left`), `Refused` (`no_such_seat`, `same_seat`).
    """
    taking = hold_taking(taking, by)
    here = table.pk == taking.session.table_id
    if seat is not None and not 1 <= seat <= table.seats:
        raise Refused(
            Text(
                f"{table.name} tiene asientos del 1 al {table.seats}",
                f"{table.name} has seats 1 to {table.seats}",
            ),
            code="no_such_seat",
            field="seat",
        )
    if here and seat == taking.seat:
        raise Refused(Text("ya está en ese asiento", "already on that seat"), code="same_seat", field="seat")
    request = ChangeRequest.objects.create(
        casino=by.casino, taking=taking, table=table, seat=seat, since=by.occurred_at
    )
    told = {
        "taking": taking.pk,
        "seat": taking.seat,
        "player": taking.alias,
        "request": request.pk,
        "wanted": f"{table.name}/{seat}" if seat else table.name,
        "wanted_table": table.pk,
        "wanted_seat": seat,
    }
    rules = priorities.of_the_bank(table.game, "BANK-21")
    note("tables.session.change_asked", taking.session, by, told, rules)
    moved_on(taking.session, by)
    return request


@command(policies.SEAT)
def withdraw_change(*, request: ChangeRequest, by: By) -> ChangeRequest:
    """The player no longer wants to move. Raises `Conflict` (`change_ended`, `seat_left`)."""
    taking = hold_taking(request.taking, by)
    request = ChangeRequest.objects.get(pk=request.pk)
    if request.state != ChangeRequest.State.OPEN:
        raise Conflict(Text("ese pedido ya terminó", "that request is over"), code="change_ended")
    request.state, request.ended_at = ChangeRequest.State.WITHDRAWN, max(by.occurred_at, request.since)
    request.save(update_fields=["state", "ended_at"])
    told = {
        "taking": taking.pk,
        "seat": taking.seat,
        "player": taking.alias,
        "request": request.pk,
    }
    note("tables.session.change_withdrawn", taking.session, by, told, [])
    moved_on(taking.session, by)
    return request


# ---- the parts -------------------------------------------------------------------------------------


def hold_entry(entry: WaitingEntry, by: By) -> WaitingEntry:
    """Somebody on a list, locked. Raises `Conflict` (`wait_ended`), `Refused` (`occurred_out_of_order`),
    `NotAllowed` (`not_your_pit`)."""
    locking.taking(locking.Rank.SESSION)
    rows = WaitingEntry.objects.select_for_update(of=("self",), no_key=True)
    found = rows.select_related("guest", "table").get(pk=entry.pk)
    if found.state not in WaitingEntry.LIVE:
        raise Conflict(
            Text(
                f"{found.alias} ya no está en la lista ({found.get_state_display()})",
                f"{found.alias} is no longer on the list",
            ),
            code="wait_ended",
        )
    latest = max(found.since, found.called_at or found.since)
    if by.occurred_at < latest:
        raise out_of_order(by.casino, latest)
    if found.table is not None:
        duties.require_pit(by, found.table)
    return found


def _passed_by(table: Table | None, game: str, by: By) -> list[str]:
    """Who came later than the time stated, and so is passed over. Raises `Refused` (`reason_missing`)."""
    later = WaitingEntry.objects.filter(
        casino=by.casino, state__in=WaitingEntry.LIVE, since__gt=by.occurred_at + QUEUEING
    )
    mine = later.filter(table=table) if table else later.filter(table=None, game=game)
    passed = list(mine.order_by("since", "pk").values_list("alias", flat=True))
    if passed and not by.reason.strip():
        names = ", ".join(passed[:5])
        raise Refused(
            Text(
                f"con esa hora pasa antes que {names}: indique el motivo",
                f"at that time this goes before {names}: state the reason",
            ),
            code="reason_missing",
            field="reason",
        )
    return passed


def ahead_of(entry: WaitingEntry) -> list[WaitingEntry]:
    """Who stands before somebody on the same list, in order."""
    rows = WaitingEntry.objects.filter(
        casino=entry.casino_id, table=entry.table_id, game=entry.game, state__in=WaitingEntry.LIVE
    )
    ordered = list(rows.order_by("since", "pk"))
    return ordered[: [one.pk for one in ordered].index(entry.pk)]


def mark_called(entry: WaitingEntry, by: By) -> None:
    entry.state, entry.called_at = State.CALLED, by.occurred_at
    entry.save(update_fields=["state", "called_at"])


def tell_called(entry: WaitingEntry, skipped: Sequence[WaitingEntry], by: By) -> None:
    data = {"list": list_of(entry), "skipped": [one.alias for one in skipped]}
    _tell("tables.waiting.called", entry, by, data, priorities.of_the_bank(entry.game, "BANK-21"))


def end_entry(entry: WaitingEntry, state: str, by: By) -> None:
    entry.state, entry.ended_at = state, by.occurred_at
    entry.save(update_fields=["state", "ended_at"])


def list_of(entry: WaitingEntry) -> str:
    """What the list is called: its table, or its game."""
    return entry.table.name if entry.table is not None else entry.game


def _tell(action: str, entry: WaitingEntry, by: By, data: Mapping[str, object], rules: list[str]) -> None:
    trail.record(
        action,
        stream=STREAM,
        subject=trail.Subject("waiting", entry.pk, entry.alias),
        by=by,
        data=data,
        rules=rules,
    )


def _no_list() -> Refused:
    return Refused(
        Text("elija la mesa o el juego que espera", "choose the table or the game to wait for"),
        code="no_list",
        field="table",
    )


explain_constraint(
    "one_wait_per_guest_and_game",
    lambda: Conflict(
        Text("esa persona ya espera por este juego", "that person waits for this game already"),
        code="waiting_already",
        field="guest",
    ),
)
explain_constraint(
    "one_open_request_per_player",
    lambda: Conflict(
        Text(
            "ya pidió cambiar de lugar: retire ese pedido primero",
            "a change of place is asked already: withdraw that first",
        ),
        code="change_asked",
    ),
)
