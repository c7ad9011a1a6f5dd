"""Nobody who may not is admitted to a seat, the waiting list or the auction (GEN-11), and it is on record.

A write that admits asks `require_admitted` inside its transaction; what is found refuses it (`Barred`)
and so undoes it. The record of the attempt is a write of its own, made after that: `on_record` for pages and
the console, `tables.api.admitting` for the API, where an idempotency key may share the transaction.

Lists and seats do not slip past each other: who admits holds the casino's lists shared, who adds to them
holds them alone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet

from audits import trail
from audits.by import By
from audits.incidents import raise_incident, register_kind
from audits.models import Incident, Pseudonym
from casino.kernel import locking, rulebook
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino
from tables.guests import actions, matching, policies
from tables.guests.registering import shown, subject_of, today_of
from tables.models import Exclusion, ExclusionMatch, Guest, SeatTaking

RULE = "GEN-11"
How, State, Where = ExclusionMatch.How, ExclusionMatch.State, ExclusionMatch.Where

EXCLUDED = register_kind(
    "guests.excluded_person",
    Text("persona impedida en la sala", "barred person on the floor"),
    rules=(RULE,),
    notice=False,  # REC-14 asks a notice of cards, pools and money only
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Why somebody may not be admitted; `known`: the match that is on record for a likely one."""

    how: str
    score: int
    exclusion: Exclusion | None = None
    known: ExclusionMatch | None = None

    @property
    def final(self) -> bool:
        """Whether nothing is left to find out: the document, a minor, a likely one confirmed."""
        return self.how in (How.DOCUMENT, How.MINOR) or (
            self.known is not None and self.known.state == State.CONFIRMED
        )


class Barred(RuleViolation):
    """GEN-11 refuses a person; whoever catches it has it put on record, as its own write was undone."""

    def remember(self) -> None:
        """Record the attempt, in a transaction of its own."""
        raise NotImplementedError


class TurnedAway(Barred):
    """Refused is somebody known by document; it names who, where and by whom, for the record."""

    def __init__(self, guest: Guest, where: str, place: str, findings: Sequence[Finding], by: By) -> None:
        self.guest, self.where, self.place, self.by = guest, where, place, by
        first = findings[0]
        code, words = _words(guest, first)
        super().__init__(
            RULE,
            words,
            code=code,
            field="guest",
            detail={"exclusion": first.exclusion.label} if first.exclusion else {},
        )

    def remember(self) -> None:
        turn_away(guest=self.guest, where=self.where, place=self.place, by=self.by)


def least_age() -> int:
    """The age from which somebody is admitted (GEN-11)."""
    return int(rulebook.rule("GEN-11").params["min_age_years"])


def in_force(casino: Casino, instant: dt.datetime) -> QuerySet[Exclusion]:
    """The entries of the lists that hold at an instant."""
    today = today_of(casino, instant)
    return Exclusion.objects.filter(
        Q(until=None) | Q(until__gte=today),
        Q(ended=None) | Q(ended__at__gt=instant),
        casino=casino,
        since__lte=today,
    )


def identity_of(guest: Guest) -> str:
    """What of a guest is compared; a match cleared holds while this stays the same."""
    return (
        f"{guest.document_type}:{guest.country}:{guest.number}|{matching.name_key(guest.name)}"
        f"|{guest.birth_date.isoformat()}"
    )[:200]


def findings(guest: Guest, instant: dt.datetime, among: QuerySet[Exclusion] | None = None) -> list[Finding]:
    """Everything that speaks against admitting a guest at an instant, the surest first; pairs that two people
    found to be different people are left out. `among`: these entries alone, of those in force.

    Besides the lists themselves, who was once found on them: a record changed since, and a second record of
    the same name and birth date, are likely the person still.
    """
    found: list[Finding] = []
    if matching.age_on(guest.birth_date, today_of(guest.casino, instant)) < least_age():
        found.append(Finding(How.MINOR, 100))
    entries = in_force(guest.casino, instant) if among is None else among
    alike = _alike(guest, entries)
    alike += _formerly(guest, entries.exclude(pk__in=[entry.pk for entry, _ in alike]))
    known = _on_record(guest, [entry for entry, _ in alike])
    for entry, likeness in alike:
        match = known.get(entry.pk) if likeness.how != matching.How.DOCUMENT else None
        if match is None or match.state != State.CLEARED:
            found.append(Finding(likeness.how.value, likeness.score, entry, match))
    order = {how: place for place, how in enumerate((How.MINOR, How.DOCUMENT, How.NAME_BIRTH, How.SIMILAR))}
    return sorted(found, key=lambda one: (not one.final, order[How(one.how)], -one.score))


def require_admitted(guest: Guest | None, *, where: str, place: str, by: By, held: bool = False) -> None:
    """Refuse who may not sit, wait or bid. Call it inside the write, under `share_lists`, after the session's
    row: the guest is held as they are now, whatever the page or tablet had read. `held`: `hold_guests` did so
    before a lock of a higher rank, and the guest was read since.

    Raises `TurnedAway` (GEN-11): `guest_minor`, `guest_excluded`, `guest_match_open`.
    """
    if guest is None:
        return
    guest = guest if held else hold_guest(guest)
    found = findings(guest, by.occurred_at)
    if found:
        raise TurnedAway(guest, where, place, found, by)


@command(policies.SEAT, silent_when="nothing speaks against the guest any more")
def turn_away(*, guest: Guest, where: str, place: str, by: By) -> list[ExclusionMatch]:
    """Put an attempt that was refused on record: its matches, and an incident where the person is sure.

    A likely match that waits for two people already is named again, not doubled.
    """
    guest = hold_guest(guest)
    found = findings(guest, by.occurred_at)
    return record_findings(guest, found, where, place, "tables.guest.turned_away", by) if found else []


def record_findings(
    guest: Guest, found: Sequence[Finding], where: str, place: str, action: str, by: By
) -> list[ExclusionMatch]:
    """Matches, incident and event of what was found of a guest; inside a command that holds the guest."""
    matches = [one.known or _stored(guest, one, where, place, by) for one in found]
    if found[0].final:
        raise_for(guest, found[0], where, place, by)
    trail.record(
        action,
        stream=guest.stream,
        subject=subject_of(guest),
        by=by,
        data={
            "where": where,
            "place": place,
            "how": found[0].how,
            "exclusion": found[0].exclusion.label if found[0].exclusion else "",
            "matches": [
                {
                    "match": match.pk,
                    "exclusion": match.exclusion_id,
                    "how": match.how,
                    "score": match.score,
                    "state": match.state,
                    "again": one.known is not None,
                }
                for one, match in zip(found, matches, strict=True)
            ],
        },
        rules=[RULE],
    )
    return matches


@contextmanager
def on_record() -> Iterator[None]:
    """Around a write that admits people, outside any transaction: who is turned away goes on record, and the
    refusal goes on its way."""
    try:
        yield
    except Barred as refusal:
        refusal.remember()
        raise


def share_lists(casino: Casino) -> None:
    """Hold the exclusion lists as they are while somebody is admitted; others may do the same."""
    _hold(casino, "pg_advisory_xact_lock_shared")


def hold_lists(casino: Casino) -> None:
    """Hold them alone, to add to them: nobody is being admitted meanwhile."""
    _hold(casino, "pg_advisory_xact_lock")


LISTS = 0x4C495354
"""The first key of the lock that stands for a casino's lists; the second is the casino. A lock of its own, so
that seating waits for nothing else that holds the casino's row."""


def _hold(casino: Casino, how: str) -> None:
    locking.taking(locking.Rank.CASINO)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {how}(%s, %s::int)", [LISTS, casino.pk])


def hold_guest(guest: Guest) -> Guest:
    """The player's row, locked. Raises `Conflict` REC-12 (`pseudonym`) of who is nobody's record any more."""
    locking.taking(locking.Rank.SESSION)
    rows = Guest.objects.select_for_update(of=("self",), no_key=True).select_related("casino")
    held: Guest = rows.get(pk=guest.pk)
    if held.number == held.name and Pseudonym.objects.filter(casino=held.casino, code=held.number).exists():
        raise Conflict(
            Text(
                "esa ficha quedó con seudónimo al vencer su plazo: registre de nuevo a la persona",
                "that record became a pseudonym when its period was over: register the person anew",
            ),
            code="pseudonym",
            rule="REC-12",
            field="guest",
        )
    return held


def hold_guests(takings: Iterable[SeatTaking | None]) -> None:
    """Lock who sits there, those known by document, before locks of a higher rank than a session's."""
    ids = sorted({taking.guest_id for taking in takings if taking is not None and taking.guest_id})
    if ids:
        locking.taking(locking.Rank.SESSION)
        rows = Guest.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=ids)
        list(rows.order_by("pk").values_list("pk"))


def twins(guest: Guest, other: Guest) -> bool:
    """Whether two records are likely one person's, registered twice: by names alike and the birth date."""
    return (
        guest.pk != other.pk
        and guest.birth_date == other.birth_date
        and matching.name_score(guest.name, other.name) >= matching.SIMILAR
    )


FORMERLY = matching.Likeness(matching.How.SIMILAR, 100)
"""What speaks for somebody who was found on a list before, and is not like the entry any more."""

_PARTS = ("pk", "document_type", "country", "number", "name", "birth_date")


def _alike(guest: Guest, entries: QuerySet[Exclusion]) -> list[tuple[Exclusion, matching.Likeness]]:
    """The entries that a guest is like."""
    person = person_of(guest)
    likenesses = {
        pk: likeness
        for pk, *parts in entries.values_list(*_PARTS)
        if (likeness := matching.compare(person, _person(*parts))) is not None
    }
    rows = Exclusion.objects.filter(pk__in=likenesses).order_by("pk")
    return [(entry, likenesses[entry.pk]) for entry in rows]


def _formerly(guest: Guest, entries: QuerySet[Exclusion]) -> list[tuple[Exclusion, matching.Likeness]]:
    """The entries that this guest was found on under other particulars, and those of other records of the
    same birth date and a name alike: by a match on record, or by their document."""
    born = Guest.objects.filter(casino=guest.casino_id, birth_date=guest.birth_date)
    others = [one for one in born if twins(guest, one)]
    sure = ExclusionMatch.objects.filter(
        Q(guest=guest) | Q(guest__in=others), state__in=(State.BLOCKED, State.CONFIRMED)
    )
    wanted = Q(pk__in=sure.values("exclusion"))
    for one in others:
        wanted |= Q(document_type=one.document_type, country=one.country, number=one.number)
    return [(entry, FORMERLY) for entry in entries.filter(wanted).order_by("pk")]


def compare(guest: Guest, entry: Exclusion) -> matching.Likeness | None:
    """How alike a guest and an entry are."""
    return matching.compare(person_of(guest), person_of(entry))


def person_of(one: Guest | Exclusion) -> matching.Person:
    return _person(one.document_type, one.country, one.number, one.name, one.birth_date)


@lru_cache(maxsize=20_000)
def _person(type: str, country: str, number: str, name: str, birth_date: dt.date | None) -> matching.Person:
    return matching.Person(matching.Document(type, country, number) if number else None, name, birth_date)


def _on_record(guest: Guest, entries: Iterable[Exclusion]) -> dict[int, ExclusionMatch]:
    """The newest likely match of a guest with each entry, while the guest is the same as compared then."""
    rows = ExclusionMatch.objects.filter(guest=guest, exclusion__in=entries, identity=identity_of(guest))
    likely = rows.exclude(state=State.BLOCKED).order_by("pk")
    return {match.exclusion_id: match for match in likely if match.exclusion_id is not None}


def _stored(guest: Guest, found: Finding, where: str, place: str, by: By) -> ExclusionMatch:
    likely = found.how in (How.NAME_BIRTH, How.SIMILAR)
    return ExclusionMatch.objects.create(
        casino=by.casino,
        guest=guest,
        exclusion=found.exclusion,
        how=found.how,
        score=found.score,
        where=where,
        place=place[:60],
        identity=identity_of(guest),
        state=State.OPEN if likely else State.BLOCKED,
        found_at=by.occurred_at,
        found_by=by.actor,
    )


def raise_for(guest: Guest, found: Finding, where: str, place: str, by: By) -> None:
    """An incident, unless one about this person is open already."""
    about: dict[str, Any] = {"kind": EXCLUDED, "subject_type": "guest", "subject_id": guest.pk}
    if Incident.objects.filter(casino=by.casino, state=Incident.State.OPEN, **about).exists():
        return
    how, at = actions.HOW[found.how], actions.WHERE[where]
    label = found.exclusion.label if found.exclusion else ""
    raise_incident(
        kind=EXCLUDED,
        summary=Text(
            f"{shown(guest)}, {at.es} ({place}): {how.es}" + (f", {label}" if label else ""),
            f"{shown(guest)}, {at.en} ({place}): {how.en}" + (f", {label}" if label else ""),
        ),
        subject=subject_of(guest),
        rules=[RULE],
        facts={"who": shown(guest), "how": found.how, "where": where, "place": place, "exclusion": label},
        by=by,
    )


def _words(guest: Guest, found: Finding) -> tuple[str, Text]:
    if found.how == How.MINOR:
        return "guest_minor", Text(
            f"{guest.name} no ha cumplido {least_age()} años: no se admite; acompáñelo a la salida",
            f"{guest.name} is not {least_age()} yet: not admitted; see them to the exit",
        )
    assert found.exclusion is not None
    label = found.exclusion.label
    if found.final:
        return "guest_excluded", Text(
            f"{guest.name} figura en la lista de exclusión ({label}): no se admite; avise a cumplimiento",
            f"{guest.name} is on the exclusion list ({label}): not admitted; tell compliance",
        )
    return "guest_match_open", Text(
        f"{guest.name} se parece a alguien de la lista de exclusión ({label}): vea su documento y, si es otra"
        " persona, que dos lo firmen en Coincidencias",
        f"{guest.name} is like somebody on the exclusion list ({label}): see their document and, if it is"
        " another person, have two people sign it under Matches",
    )
