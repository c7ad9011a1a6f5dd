"""The draw of tables within a visit: announced, then drawn with the inspector's own word (REC-11).

Nobody can draw again for another result unseen: one draw per gaming day of a house, or a reason for each
further one, and every one is on the trail with its candidates, announced ones that were left undrawn too.
The arithmetic is `draw`'s.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db.models import Count, Max, Q

from audits.by import By
from audits.inspections import draw, policies, subjects, visits
from audits.models import Inspection, InspectionCount, InspectionDraw
from casino.kernel import locking, seeds, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused, RuleViolation, SabotError
from casino.kernel.words import Text
from casino.models import Casino

MOST_WANTED = 10
SHORTEST_WORD, LONGEST_WORD = 4, 80
State = InspectionDraw.State


@command(policies.INSPECT, setting=True)
def announce_draw(*, inspection: Inspection, wanted: int, by: By, open_only: bool = True) -> InspectionDraw:
    """Fix who may be drawn and publish the hash of the seed, before the inspector says his word.

    `open_only`: among the tables open now, else all in service. Raises `Refused` (`nothing_to_draw`,
    `bad_wanted`), `Conflict` (`draw_waits`), `RuleViolation` REC-11 (`drawn_today`: a further draw on the day
    needs a reason).
    """
    # Two visits drawing at once wait for each other here: the first draw of the day is one.
    locking.taking(locking.Rank.CASINO)
    Casino.objects.select_for_update(of=("self",), no_key=True).get(pk=by.casino.pk)
    visit = visits.lock_open(inspection)
    visits.require_own_visit(visit, by)
    if visit.draws.filter(state=State.ANNOUNCED).exists():
        raise _waits()
    day = by.casino.gaming_day(by.occurred_at)
    if InspectionDraw.objects.filter(casino=by.casino, day=day).exists() and not by.reason.strip():
        raise _drawn_today()
    candidates = candidates_of(by.casino, day, open_only=open_only)
    _require_wanted(wanted, len(candidates), open_only=open_only)
    seed = seeds.new_seed()
    made = InspectionDraw.objects.create(
        casino=by.casino,
        inspection=visit,
        number=visit.draws.count() + 1,
        day=day,
        open_only=open_only,
        wanted=wanted,
        candidates=[list(one) for one in candidates],
        digest=draw.digest_of(candidates),
        seed=seed,
        seed_hash=seeds.seed_hash(seed),
        reason=by.reason.strip(),
        announced_by=by.actor,
        announced_at=by.occurred_at,
    )
    made.inspection = visit
    visits.tell("audits.inspection.draw_announced", visit, by, _announced(made))
    return made


@command(policies.INSPECT, setting=True)
def draw_tables(*, draw_row: InspectionDraw, word: str, by: By) -> InspectionDraw:
    """Draw, once, with the word the inspector adds; the seed is told with the result.

    Raises `Refused` (`bad_word`), `Conflict` (`already_drawn`), `NotAllowed` (`not_your_inspection`).
    """
    said = texts.line(word, "word", LONGEST_WORD, code="bad_word", rule="REC-11", least=SHORTEST_WORD)
    visit = visits.lock_open(draw_row.inspection)
    visits.require_own_visit(visit, by)
    found = InspectionDraw.objects.select_for_update(of=("self",), no_key=True).get(pk=draw_row.pk)
    found.inspection = visit
    if found.state != State.ANNOUNCED:
        raise Conflict(
            Text(
                f"el sorteo {found.label} ya se hizo: su resultado no cambia",
                f"draw {found.label} is done: its result does not change",
            ),
            code="already_drawn",
            rule="REC-11",
        )
    candidates = [draw.Candidate(*one) for one in found.candidates]
    stuff = draw.entropy(found.seed, found.digest, said, found.label)
    found.picks = [list(pick) for pick in draw.drawn(candidates, found.wanted, stuff)]
    found.word, found.state, found.drawn_at = said, State.DRAWN, by.occurred_at
    found.save(update_fields=["word", "state", "picks", "drawn_at"])
    data = {
        "draw": found.number,
        "seed": found.seed,
        "word": found.word,
        "picks": found.picks,
        "tables": [table for _id, table in drawn_tables(found)],
    }
    visits.tell("audits.inspection.drawn", visit, by, data)
    return found


def candidates_of(casino: Casino, day: dt.date, *, open_only: bool) -> list[draw.Candidate]:
    """The tables that may be drawn with their weights, in order of id: least lately and least often counted
    weigh most."""
    seen = tallies(casino, day)
    return sorted(
        draw.candidate(spot.id, spot.label, *_since(seen.get(spot.id), day))
        for spot in subjects.tables(casino)
        if spot.open or not open_only
    )


def tallies(casino: Casino, day: dt.date) -> dict[int, tuple[dt.date, int]]:
    """For each table ever counted by an inspector, the last day and on how many visits within the time that
    weighs."""
    since = day - dt.timedelta(days=draw.LONGEST_DAYS)
    rows = (
        InspectionCount.objects.filter(casino=casino, table__isnull=False, day__lte=day)
        .order_by()
        .values("table")
        .annotate(last=Max("day"), times=Count("inspection", distinct=True, filter=Q(day__gt=since)))
    )
    return {int(row["table"] or 0): (row["last"], row["times"]) for row in rows}


def drawn_tables(found: InspectionDraw) -> list[tuple[int, str]]:
    """The tables drawn, by id and name, in the order they came."""
    names = {one[0]: one[1] for one in found.candidates}
    return [(pick[2], names[pick[2]]) for pick in found.picks]


def record_of(found: InspectionDraw) -> dict[str, Any]:
    """All that `draw.verify_draw` needs, once it is drawn: before, the seed is told to nobody."""
    if found.state != State.DRAWN:
        raise Conflict(
            Text(
                "el sorteo todavía no se hizo: diga antes su palabra",
                "the draw is not done yet: say your word first",
            ),
            code="not_drawn",
            rule="REC-11",
        )
    return {
        "v": draw.VERSION,
        "label": found.label,
        "wanted": found.wanted,
        "candidates": found.candidates,
        "digest": found.digest,
        "seed_hash": found.seed_hash,
        "seed": found.seed,
        "word": found.word,
        "picks": found.picks,
    }


def _announced(made: InspectionDraw) -> dict[str, Any]:
    return {
        "draw": made.number,
        "label": made.label,
        "day": str(made.day),
        "open_only": made.open_only,
        "wanted": made.wanted,
        "candidates": made.candidates,
        "digest": made.digest,
        "seed_hash": made.seed_hash,
    }


def _since(seen: tuple[dt.date, int] | None, day: dt.date) -> tuple[int | None, int]:
    return (None, 0) if seen is None else ((day - seen[0]).days, seen[1])


def _require_wanted(wanted: int, there: int, *, open_only: bool) -> None:
    if not there:
        raise Refused(
            Text(
                "no hay ninguna mesa abierta: sortee entre todas las que están en servicio"
                if open_only
                else "la casa no tiene mesas en servicio",
                "no table is open: draw among all in service"
                if open_only
                else "the house has no table in service",
            ),
            code="nothing_to_draw",
            rule="REC-11",
            field="open_only",
        )
    most = min(there, MOST_WANTED)
    if not 1 <= wanted <= most:
        raise Refused(
            Text(f"sortee de 1 a {most} mesas", f"draw 1 to {most} tables"),
            code="bad_wanted",
            rule="REC-11",
            field="wanted",
        )


def _waits() -> SabotError:
    return Conflict(
        Text(
            "hay un sorteo anunciado: diga su palabra y sortee, o cierre la visita",
            "a draw is announced: say your word and draw, or close the visit",
        ),
        code="draw_waits",
        rule="REC-11",
    )


def _drawn_today() -> SabotError:
    return RuleViolation(
        "REC-11",
        Text(
            "hoy ya hubo un sorteo: otro necesita un motivo, que queda en la auditoría",
            "there was a draw today already: another needs a reason, which stays on the trail",
        ),
        code="drawn_today",
        field="reason",
    )


explain_constraint("one_draw_announced_at_a_time", _waits)
explain_constraint("one_draw_per_day_without_a_reason", _drawn_today)
