"""The reliefs of the plan made on the floor: a chief confirms the list, and it is made in one act.

People go round: who leaves one table takes another's post. One at a time nobody could begin, for nobody
holds two posts (FLOOR-01). So the turns that end and those that begin are written together. A relief that
may not be made is told with why, and with it whatever hangs on it; the others are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import F, Func
from django.db.models.functions import Lower
from psycopg.types.range import TimestamptzRange

from audits import trail
from audits.by import By
from casino.kernel import locking
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, SabotError
from casino.kernel.words import Text
from tables import crew, duties
from tables.holding import QUEUEING, move_on, out_of_order
from tables.models import Assignment, PlannedTurn, TableSession
from tables.noting import note
from tables.roster.rota import policies
from tables.roster.rota.asking import AHEAD, Due, due_reliefs
from tables.roster.rota.gathering import PLAYING


@dataclass(slots=True)
class Carried:
    """Reliefs that were made, and those that were not, each with why."""

    done: list[Due] = field(default_factory=list)
    failed: list[tuple[Due, Text]] = field(default_factory=list)


@command(policies.CARRY_OUT)
def carry_out(*, turns: Sequence[PlannedTurn], by: By) -> Carried:
    """Make the reliefs that `turns` of the plan ask for now, as they were confirmed.

    Raises `Conflict`: `rotation_nothing_due` where none of them is due any more, `rotation_nothing_done`
    with the reasons where none can be made.
    """
    asked = {turn.pk for turn in turns}
    sessions = _hold(_sessions(asked, by), by)
    due = [one for one in due_reliefs(by.casino, by.occurred_at, AHEAD) if one.turn.pk in asked]
    due = [one for one in due if one.session is not None and one.session.pk in sessions]
    if not due:
        raise Conflict(
            Text(
                "esos relevos ya están hechos o el plan cambió; mire la lista de nuevo",
                "those reliefs are made already or the plan changed; look at the list again",
            ),
            code="rotation_nothing_due",
        )
    carried = _decide(due, sessions, by)
    if not carried.done:
        raise Conflict(
            Text(
                "; ".join(text.es for _, text in carried.failed),
                "; ".join(text.en for _, text in carried.failed),
            ),
            code="rotation_nothing_done",
            rule="FLOOR-01",
        )
    _write(carried, sessions, by)
    return carried


def _sessions(asked: Iterable[int], by: By) -> set[int]:
    """The sessions where somebody comes or goes: where the reliefs are, and where those who come are now."""
    turns = PlannedTurn.objects.filter(casino=by.casino, pk__in=list(asked))
    at = TableSession.objects.filter(
        casino=by.casino, table__in=turns.values("table"), state__in=PLAYING
    ).values_list("pk", flat=True)
    here = Assignment.objects.filter(
        casino=by.casino, staff__in=turns.values("staff"), during__endswith=None
    ).values_list("session", flat=True)
    return {*at, *here}


def _hold(wanted: Iterable[int], by: By) -> dict[int, TableSession]:
    """The sessions locked by ascending id, as `holding.lock_session` does one; without those that ended."""
    locking.taking(locking.Rank.SESSION)
    rows = TableSession.objects.filter(casino=by.casino, pk__in=list(wanted)).order_by("pk")
    rows = rows.select_for_update(no_key=True, of=("self",)).select_related("table__pit", "day")
    return {one.pk: one for one in rows if one.live}


def _decide(due: list[Due], sessions: Mapping[int, TableSession], by: By) -> Carried:
    """Which reliefs can be made: each fit by itself, and nobody leaves a post that nobody takes."""
    carried, left = Carried(), []
    for one in due:
        try:
            _require(one, sessions[_session_of(one)], by)
            left.append(one)
        except SabotError as refusal:
            carried.failed.append((one, refusal.message))
    held = {
        one.staff_id: one
        for one in Assignment.objects.filter(
            casino=by.casino, staff__in=[one.comes for one in due], during__endswith=None
        ).select_related("session__table")
    }
    while True:
        free = {one.goes.pk for one in left if one.goes is not None}
        stuck = [one for one in left if one.comes.pk in held and one.comes.pk not in free]
        if not stuck:
            carried.done = left
            return carried
        for one in stuck:
            place = held[one.comes.pk].session.table.name
            words = Text(
                f"{one.comes.name} está en {place} y nadie toma ese puesto: relévela allí primero",
                f"{one.comes.name} is at {place} and nobody takes that post: relieve them there first",
            )
            carried.failed.append((one, words))
        left = [one for one in left if one not in stuck]


def _session_of(one: Due) -> int:
    assert one.session is not None  # those that are due are at open tables
    return one.session.pk


def _require(one: Due, session: TableSession, by: By) -> None:
    """What every relief asks: the pit, the time, and that the person may stand there (FLOOR-02)."""
    duties.require_pit(by, session.table)
    if by.occurred_at < max(session.last_at - QUEUEING, session.opened_at):
        raise out_of_order(by.casino, session.last_at)
    crew.require_fit(session.game, one.comes, one.post, session.day.date)


def _write(carried: Carried, sessions: Mapping[int, TableSession], by: By) -> None:
    """End the turns of those who go, begin those of the ones who come, tell of it on every stream."""
    going = [one.goes for one in carried.done if one.goes is not None]
    ended = Assignment.objects.filter(casino=by.casino, staff__in=going, during__endswith=None)
    if ended.filter(during__startswith__gte=by.occurred_at).exists():
        raise Conflict(
            Text(
                "alguno de esos turnos empezó después de la hora indicada; mire la lista de nuevo",
                "one of those turns began after the stated time; look at the list again",
            ),
            code="turn_ends_before_it_began",
            rule="FLOOR-01",
        )
    ended.update(during=Func(Lower(F("during")), by.occurred_at, function="tstzrange", arity=2))
    Assignment.objects.bulk_create(
        Assignment(
            casino=by.casino,
            session=sessions[_session_of(one)],
            staff=one.comes,
            post=one.post,
            during=TimestamptzRange(by.occurred_at, None, "[)"),
        )
        for one in carried.done
    )
    for pk in sorted({_session_of(one) for one in carried.done}):
        move_on(sessions[pk], by)
        sessions[pk].save(update_fields=["last_at"])
    _tell(carried, sessions, by)


def _tell(carried: Carried, sessions: Mapping[int, TableSession], by: By) -> None:
    """One event of the day's roster, then one for each post at its table's session; streams by name."""
    day = by.casino.gaming_day(by.occurred_at)
    plan = carried.done[0].turn.plan
    trail.record(
        "tables.rotation.carried_out",
        stream=f"roster:{day.isoformat()}",
        subject=trail.Subject("rotation", plan.pk, plan.label),
        by=by,
        data={
            "reliefs": [f"{one.table} {one.comes.name}" for one in carried.done],
            "turns": [one.turn.pk for one in carried.done],
            "not_made": [[one.turn.pk, words.es] for one, words in carried.failed],
        },
        rules=["FLOOR-01", "FLOOR-03"],
    )
    for one in sorted(carried.done, key=lambda due: sessions[_session_of(due)].stream):
        told = {"staff": one.comes.name, "staff_id": one.comes.pk, "post": one.post}
        note("tables.session.crew_changed", sessions[_session_of(one)], by, told, ["FLOOR-01"])
