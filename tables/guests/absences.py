"""A player away from the table for a moment, back, or away for too long.

The seat stays its player's (BANK-23), who loses it when away as the hand comes round (BANK-22).
"""

from __future__ import annotations

from psycopg.types.range import TimestamptzRange

from audits.by import By
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables.guests import policies, priorities, queueing
from tables.guests.admitting import Where, require_admitted, share_lists
from tables.guests.holding import end_range, hold_taking, moved_on
from tables.guests.seats import Aftermath, about, end_taking, require_later, seat_emptied
from tables.models import AwayMark, SeatTaking, WaitingEntry
from tables.noting import note


@command(policies.SEAT)
def mark_away(*, taking: SeatTaking, by: By, keeps_chips: bool = True) -> AwayMark:
    """A player is away for a moment; the seat stays theirs (BANK-23). Raises `Conflict` (`already_away`)."""
    taking = hold_taking(taking, by)
    require_later(taking, by)
    mark = AwayMark.objects.create(
        casino=by.casino,
        taking=taking,
        during=TimestamptzRange(by.occurred_at, None, "[)"),
        keeps_chips=keeps_chips,
        marked_by=by.actor,
    )
    told = {**about(taking), "mark": mark.pk, "keeps_chips": keeps_chips}
    rules = priorities.of_the_bank(taking.session.game, "BANK-23")
    note("tables.session.seat_away", taking.session, by, told, rules)
    moved_on(taking.session, by)
    return mark


@command(policies.SEAT)
def come_back(*, taking: SeatTaking, by: By) -> SeatTaking:
    """A player is back on their seat, unless barred meanwhile (GEN-11).

    Raises `Conflict` (`not_away`), `TurnedAway`.
    """
    share_lists(by.casino)
    taking = hold_taking(taking, by)
    mark = away_mark(taking)
    place = f"{taking.session.table.name}/{taking.seat}"
    require_admitted(taking.guest, where=Where.SEAT, place=place, by=by)
    end_range(AwayMark.objects.filter(pk=mark.pk), by.occurred_at)
    note("tables.session.seat_back", taking.session, by, {**about(taking), "mark": mark.pk}, [])
    moved_on(taking.session, by)
    return taking


@command(policies.SEAT)
def lose_seat(*, taking: SeatTaking, by: By) -> SeatTaking:
    """An absent player loses the seat to the first of the waiting list, who is called: in a player's bank
    when the hand comes round (BANK-22), elsewhere with a reason.

    Raises `Conflict` (`not_away`), `Refused` (`reason_missing`).
    """
    losing, following = hold_losing(taking, by)
    return lost(losing, following, by, then=seat_emptied)


def hold_losing(taking: SeatTaking, by: By) -> tuple[SeatTaking, WaitingEntry | None]:
    """The seat of somebody away, and who is called to it, both locked: what `lost` writes."""
    taking = hold_taking(taking, by)
    away_mark(taking)
    if not priorities.list_first(taking.session.game):
        by.need_reason()
    waiting = priorities.waiting_for(taking.session)
    there = (one for one in waiting if one.since <= by.occurred_at)
    following = next((one for one in there if one.state == WaitingEntry.State.WAITING), None)
    return taking, None if following is None else queueing.hold_entry(following, by)


def lost(
    taking: SeatTaking, following: WaitingEntry | None, by: By, *, then: Aftermath | None = None
) -> SeatTaking:
    """End what `hold_losing` locked, within a command of its caller's; `then` is told before the events, and
    without it no lock is taken but the trail's."""
    banked = priorities.list_first(taking.session.game)
    ended = end_taking(taking, by)
    if then is not None:
        then(taking.session, by)
    if following is not None:
        queueing.mark_called(following, by)
    told = {
        **about(taking),
        **ended,
        "next": following.alias if following else "",
        "called": following.pk if following else None,
    }
    note("tables.session.seat_lost", taking.session, by, told, ["BANK-22"] if banked else [])
    if following is not None:
        queueing.tell_called(following, [], by)
    moved_on(taking.session, by)
    return taking


def away_mark(taking: SeatTaking) -> AwayMark:
    """The absence of a player that is not over. Raises `Conflict` (`not_away`)."""
    mark = AwayMark.objects.filter(taking=taking, during__endswith=None).first()
    if mark is None:
        raise Conflict(
            Text(
                f"{taking.alias} no está marcado como ausente: márquelo primero",
                f"{taking.alias} is not marked as away: mark them first",
            ),
            code="not_away",
        )
    return mark


explain_constraint(
    "one_absence_at_a_time",
    lambda: Conflict(Text("ya está marcado como ausente", "marked as away already"), code="already_away"),
)
