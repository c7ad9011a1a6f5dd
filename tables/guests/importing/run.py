"""A list brought in: each row judged, then recorded by a write of its own; a second run adds nothing."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from audits import trail
from audits.by import By
from casino.kernel import texts
from casino.kernel.commands import command
from casino.kernel.errors import Busy, Conflict, Refused, SabotError
from casino.kernel.words import Text
from casino.models import Casino
from tables.guests import excluding, matching, policies
from tables.guests.importing import reading
from tables.guests.registering import today_of
from tables.models import Exclusion

STREAM = "exclusions"
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Turned:
    """A row that will not do: its line in the file and why."""

    line: int
    words: Text


@dataclass(slots=True)
class Outcome:
    """What came of a file. `doubles`: lines that say again what a line before said."""

    sha256: str
    encoding: str
    delimiter: str
    ignored: list[str]
    dry_run: bool
    recorded: int = 0
    already: int = 0
    doubles: list[int] = field(default_factory=list)
    refused: list[Turned] = field(default_factory=list)

    @property
    def rows(self) -> int:
        return self.recorded + self.already + len(self.doubles) + len(self.refused)


def import_list(
    *, content: bytes, source: str, kind: str, by: By, dry_run: bool, most: int = reading.MOST_ROWS
) -> Outcome:
    """Judge every row of a file, up to `most`, and record the sound ones, unless `dry_run`.

    `source` and `kind` are of rows that name none. Raises `Refused` for a file that cannot be used.
    """
    casino, today = by.casino, today_of(by.casino, by.occurred_at)
    named = texts.line(source, "source", 120, code="bad_exclusion", rule="GEN-11")
    if kind not in Exclusion.Kind.values:
        raise Refused(
            Text("elija la clase de exclusión", "choose the kind of exclusion"),
            code="bad_exclusion",
            field="kind",
        )
    listed = reading.read(content, most)
    outcome = Outcome(
        hashlib.sha256(content).hexdigest(), listed.encoding, listed.delimiter, listed.ignored, dry_run
    )
    seen: set[tuple[object, ...]] = set()
    for line, row in listed.rows:
        try:
            if row is None:
                raise _ragged()
            given = reading.particulars(row, kind=kind, source=named, today=today)
            entry = excluding.drafted(casino=casino, **given)  # type: ignore[arg-type]
        except Refused as refusal:
            outcome.refused.append(Turned(line, refusal.message))
            continue
        _bring_in(outcome, line, entry, given, seen, by)
    if not dry_run:
        note_import(
            source=named,
            data={
                "sha256": outcome.sha256,
                "recorded": outcome.recorded,
                "already": outcome.already + len(outcome.doubles),
                "refused": len(outcome.refused),
            },
            by=by,
        )
    return outcome


def _bring_in(
    outcome: Outcome,
    line: int,
    entry: Exclusion,
    given: dict[str, object],
    seen: set[tuple[object, ...]],
    by: By,
) -> None:
    """One sound row: a double of the file, there already, or recorded."""
    who = entry.number or matching.name_key(entry.name)
    said = (entry.kind, entry.document_type, entry.country, who, entry.birth_date, entry.since, entry.until)
    if said in seen:
        outcome.doubles.append(line)
        return
    seen.add(said)
    if excluding.same_entry(entry, by.occurred_at) is not None:
        outcome.already += 1
        return
    if not outcome.dry_run:
        try:
            _recorded(given, by)
        except Conflict as refusal:
            if refusal.code != "exclusion_exists":
                raise
            outcome.already += 1
            return
        except SabotError as refusal:
            outcome.refused.append(Turned(line, refusal.message))
            return
    outcome.recorded += 1


def _recorded(given: dict[str, object], by: By) -> None:
    for attempt in range(1, _TRIES + 1):
        try:
            excluding.exclude(**given, by=by)  # type: ignore[arg-type]
            return
        except Busy:
            # People are being seated: they go first.
            if attempt == _TRIES:
                raise


@command(policies.EXCLUDE)
def note_import(*, source: str, data: dict[str, object], by: By) -> Casino:
    """Put on the trail that a list came in, under the digest of its file."""
    trail.record(
        "tables.exclusions.imported",
        stream=STREAM,
        subject=trail.Subject("casino", by.casino.pk, by.casino.name),
        by=by,
        data={"source": source, **data},
        rules=["GEN-11"],
    )
    return by.casino


def _ragged() -> Refused:
    return Refused(
        Text("la fila tiene otras celdas que el encabezado", "the row has other cells than the heading"),
        code="ragged_row",
    )
