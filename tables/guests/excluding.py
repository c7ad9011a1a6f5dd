"""Exclusion lists: an entry recorded, ended by two people; likely matches decided by two (GEN-11, GEN-10)."""

from __future__ import annotations

import datetime as dt

from audits import trail
from audits.by import By
from audits.models import Actor
from audits.personal import Personal
from casino.kernel import locking, texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from casino.models import Casino
from shoes.signing import require_beside
from tables.guests import aliases, matching, policies, recognising
from tables.guests.admitting import (
    FORMERLY,
    RULE,
    Finding,
    compare,
    hold_guest,
    hold_lists,
    in_force,
    raise_for,
    twins,
)
from tables.guests.registering import (
    bears_no_number,
    document_of,
    subject_of,
    today_of,
)
from tables.models import Exclusion, ExclusionEnd, ExclusionMatch, Guest

State = ExclusionMatch.State


@command(policies.EXCLUDE)
def exclude(
    *,
    kind: str,
    source: str,
    since: dt.date,
    by: By,
    until: dt.date | None = None,
    document_type: str = "",
    country: str = "",
    number: str = "",
    name: str = "",
    birth_date: dt.date | None = None,
) -> Exclusion:
    """Record an entry of an exclusion list: by document, or by name and birth date.

    Whoever on the floor it matches is on record at once, with an incident where the document is the same.
    Raises `Refused` (`bad_exclusion`, `bad_document`), `Conflict` (`exclusion_exists`).
    """
    entry = drafted(
        casino=by.casino, kind=kind, source=source, since=since, until=until, document_type=document_type,
        country=country, number=number, name=name, birth_date=birth_date,
    )  # fmt: skip
    hold_lists(by.casino)
    if same_entry(entry, by.occurred_at) is not None:
        raise Conflict(
            Text("esa exclusión ya está registrada y vigente", "that exclusion is recorded and in force"),
            code="exclusion_exists",
        )
    return enter(entry, by)


def drafted(
    *,
    casino: Casino,
    kind: str,
    source: str,
    since: dt.date,
    until: dt.date | None,
    document_type: str,
    country: str,
    number: str,
    name: str,
    birth_date: dt.date | None,
) -> Exclusion:
    """The entry as it would be stored, its particulars checked and normalised; nothing is written."""
    if kind not in Exclusion.Kind.values:
        raise _bad("kind", "elija la clase de exclusión", "choose the kind of exclusion")
    entry = Exclusion(casino=casino, kind=kind, since=since, until=until, birth_date=birth_date)
    if number.strip():
        document = document_of(document_type or "ci", country, number)
        entry.document_type, entry.country, entry.number = document.type, document.country, document.number
    entry.name = texts.line(name, "name", 120, code="bad_exclusion", least=0)
    entry.source = texts.line(source, "source", 120, code="bad_exclusion", rule=RULE)
    bears_no_number(entry.source, "source", entry.number)
    if not entry.number and not (matching.words_of(entry.name) and birth_date):
        raise _bad(
            "number",
            "hace falta el documento, o el nombre con la fecha de nacimiento",
            "the document is needed, or the name with the date of birth",
        )
    if until is not None and until < since:
        raise _bad("until", "termina antes de empezar: revise las fechas", "it ends before it begins: check")
    return entry


def same_entry(entry: Exclusion, instant: dt.datetime) -> Exclusion | None:
    """The entry in force (or yet to come) that says the same of the same person."""
    today = today_of(entry.casino, instant)
    rows = Exclusion.objects.filter(
        casino=entry.casino, kind=entry.kind, document_type=entry.document_type, country=entry.country,
        number=entry.number, birth_date=entry.birth_date, since=entry.since, until=entry.until, ended=None,
    )  # fmt: skip
    if entry.until is not None and entry.until < today:
        return rows.first()
    key = matching.name_key(entry.name)
    return next((row for row in rows if entry.number or matching.name_key(row.name) == key), None)


def enter(entry: Exclusion, by: By) -> Exclusion:
    """Store a drafted entry under `hold_lists`, and look at once who on the floor it is."""
    entry.recorded_by, entry.recorded_at = by.actor, by.occurred_at
    bearer, there = _bearer(entry), recognising.spots(by.casino)
    likely = {
        spot.guest.pk: (spot, likeness)
        for spot in reversed(there)  # a seat rather than a list
        if spot.guest is not None
        and (likeness := compare(spot.guest, entry) or _twin(spot.guest, bearer)) is not None
    }
    held = [
        (recognising.held(spot, hold_guest(spot.guest)), likeness)
        for _, (spot, likeness) in sorted(likely.items())
        if spot.guest is not None
    ]
    # The document itself, of which there is one, before likely ones: only it opens an incident, and that goes
    # before any event.
    held.sort(key=lambda pair: pair[1].how != matching.How.DOCUMENT)
    entry.save(force_insert=True)
    if in_force(by.casino, by.occurred_at).filter(pk=entry.pk).exists():
        _recognise(entry, there, held, by)
    _tell_recorded(entry, by)
    return entry


def _recognise(
    entry: Exclusion,
    there: list[recognising.Spot],
    held: list[tuple[recognising.Spot, matching.Likeness]],
    by: By,
) -> None:
    """Whoever on the floor an entry just stored is about: on record, with an alert on their table."""
    named = [(entry.pk, entry.name)]
    anonymous = [
        (spot, entry) for spot in there if spot.guest is None and aliases.like(spot.alias, named) is not None
    ]
    found = [(spot, [Finding(likeness.how.value, likeness.score, entry)]) for spot, likeness in held]
    recognising.recognise(found, anonymous, by)


def _tell_recorded(entry: Exclusion, by: By) -> None:
    trail.record(
        "tables.exclusion.recorded",
        stream=entry.stream,
        subject=trail.Subject("exclusion", entry.pk, entry.label),
        by=by,
        data={
            "kind": entry.kind,
            "who": who(entry),
            "document_type": entry.document_type,
            "country": entry.country,
            "number": matching.masked(entry.number) if entry.number else "",
            "birth_year": entry.birth_date.year if entry.birth_date else None,
            "since": entry.since.isoformat(),
            "until": entry.until.isoformat() if entry.until else None,
            "source": entry.source,
            "particulars": Personal(particulars(entry)),
        },
        rules=[RULE],
    )


def particulars(entry: Exclusion) -> str:
    """Whom an entry names, whole: the trail commits to it, and `proofs` holds the row to that."""
    born = entry.birth_date.isoformat() if entry.birth_date else ""
    return f"{entry.name}|{entry.number}|{born}"


def _bearer(entry: Exclusion) -> Guest | None:
    """The player registered with the entry's document."""
    if not entry.number:
        return None
    return Guest.objects.filter(
        casino=entry.casino, document_type=entry.document_type, country=entry.country, number=entry.number
    ).first()


def _twin(guest: Guest, bearer: Guest | None) -> matching.Likeness | None:
    """Whether a guest is likely the bearer of an entry's document, registered a second time by another."""
    return FORMERLY if bearer is not None and twins(guest, bearer) else None


def who(entry: Exclusion) -> str:
    """Whom an entry is about, masked."""
    parts = [matching.initials(entry.name)] if entry.name else []
    return " ".join([*parts, *([matching.masked(entry.number)] if entry.number else [])])


@command(policies.END_EXCLUSION)
def end_exclusion(*, exclusion: Exclusion, second: Actor, by: By) -> ExclusionEnd:
    """Take an entry off the list, by a new record with its reason and a second person (GEN-10, REC-07).

    Raises `Conflict` (`exclusion_ended`), `RuleViolation` GEN-10 (`same_person`, `not_qualified`).
    """
    reason = by.need_reason()
    bears_no_number(reason, "reason", exclusion.number)
    require_beside(by.actor, second, policies.SIGN_EXCLUSION_END, field="second")
    hold_lists(by.casino)
    if ExclusionEnd.objects.filter(exclusion=exclusion).exists():
        raise _ended()
    if by.occurred_at < exclusion.recorded_at:
        raise _bad("occurred_at", "es anterior a su registro", "it is before it was recorded")
    end = ExclusionEnd.objects.create(
        casino=by.casino, exclusion=exclusion, at=by.occurred_at, by=by.actor, second=second, reason=reason
    )
    trail.record(
        "tables.exclusion.ended",
        stream=exclusion.stream,
        subject=trail.Subject("exclusion", exclusion.pk, exclusion.label),
        by=by,
        data={"end": end.pk, "second": second.name, "second_id": second.pk},
        rules=[RULE, "GEN-10", "REC-07"],
    )
    return end


@command(policies.DECIDE_MATCH)
def decide_match(
    *, match: ExclusionMatch, outcome: str, evidence: str, second: Actor, by: By
) -> ExclusionMatch:
    """Say of a likely match, by two people with a reason and what they saw, whether it is the person.

    `outcome`: `cleared` (another person: that pair is not asked again) or `confirmed` (from then on refused
    as the document itself is, with an incident). Raises `Conflict` (`match_decided`), `Refused`
    (`bad_outcome`).
    """
    reason = by.need_reason()
    seen = texts.line(evidence, "evidence", 200, code="bad_evidence", rule=RULE)
    if outcome not in (State.CLEARED, State.CONFIRMED):
        raise Refused(
            Text("diga si es la persona o es otra", "say whether it is the person or another"),
            code="bad_outcome",
            field="outcome",
        )
    require_beside(by.actor, second, policies.DECIDE_MATCH, field="second")
    guest = hold_guest(match.guest)
    locking.taking(locking.Rank.SESSION)
    match = ExclusionMatch.objects.select_for_update(of=("self",), no_key=True).get(pk=match.pk)
    if match.state != State.OPEN:
        raise Conflict(
            Text("esa coincidencia ya está resuelta", "that match is decided already"), code="match_decided"
        )
    if by.occurred_at < match.found_at:
        raise _bad("occurred_at", "es anterior a la coincidencia", "it is before the match")
    assert match.exclusion is not None
    for text, field in ((seen, "evidence"), (reason, "reason")):
        bears_no_number(text, field, guest.number, match.exclusion.number)
    match.state, match.reason, match.evidence = outcome, reason, seen
    match.decided_by, match.decided_with, match.decided_at = by.actor, second, by.occurred_at
    match.save()
    if outcome == State.CONFIRMED:
        found = Finding(match.how, match.score, match.exclusion, match)
        raise_for(guest, found, match.where, match.place, by)
    _tell_decided(match, guest, second, by)
    return match


def _tell_decided(match: ExclusionMatch, guest: Guest, second: Actor, by: By) -> None:
    assert match.exclusion is not None
    trail.record(
        "tables.guest.match_decided",
        stream=guest.stream,
        subject=subject_of(guest),
        by=by,
        data={
            "match": match.pk,
            "exclusion": match.exclusion.label,
            "outcome": match.state,
            "evidence": match.evidence,
            "second": second.name,
            "second_id": second.pk,
        },
        rules=[RULE, "GEN-10"],
    )


def _bad(field: str, es: str, en: str) -> Refused:
    return Refused(Text(es, en), code="bad_exclusion", rule=RULE, field=field)


def _ended() -> Conflict:
    return Conflict(
        Text("esa exclusión ya fue terminada", "that exclusion is ended already"), code="exclusion_ended"
    )


explain_constraint("tables_exclusionend_exclusion_id_key", _ended)
