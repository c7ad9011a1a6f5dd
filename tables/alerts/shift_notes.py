"""What a chief notes of a shift in their own words: append-only, kept apart from every figure."""

from __future__ import annotations

from audits import days, trail
from audits.by import By
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import NotAllowed
from casino.kernel.words import Text
from tables import duties
from tables.alerts import policies
from tables.models import Pit, ShiftNote

LONGEST = 2000
STREAM = "shifts"


@command(policies.NOTE_SHIFT)
def note_shift(*, text: str, by: By, pit: Pit | None = None) -> ShiftNote:
    """Write a note of the gaming day of `by.occurred_at`, of one pit or of the whole floor.

    Raises `Refused` (`bad_text`), `Conflict` (`day_closed`) and `NotAllowed` (`not_your_pit`).
    """
    said = texts.prose(text, "text", LONGEST)
    theirs = duties.pits_of(by.actor.user)
    if pit is not None and theirs and pit.pk not in theirs:
        raise NotAllowed(
            Text(f"no tiene a su cargo el sector {pit.name}", f"you do not answer for pit {pit.name}"),
            code="not_your_pit",
            field="pit",
            detail={"pit": pit.name},
        )
    day = days.day_of(by.casino, by.occurred_at)
    note = ShiftNote.objects.create(
        casino=by.casino, day=day, pit=pit, text=said, by=by.actor, at=by.occurred_at
    )
    trail.record(
        "tables.shift.noted",
        stream=STREAM,
        subject=trail.Subject("day", day.pk, pit.name if pit else by.casino.name),
        by=by,
        data={"note": note.pk, "pit": pit.pk if pit else None, "text": said},
    )
    return note
