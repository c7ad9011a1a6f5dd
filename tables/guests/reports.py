"""The reports of guests: the seats of a session, and the exclusions and matches of a span of days. Made for
others, so documents are masked and players of a session are told by alias."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.db.models import QuerySet

from audits import policies as audit_policies
from audits.models import Event
from audits.persons.naming import PEOPLE
from audits.reports.forms import PeriodForm
from audits.reports.registry import (
    EVENTS,
    Column,
    EventsOf,
    Kind,
    Report,
    Section,
    in_both,
    register,
)
from casino.kernel import clock
from casino.kernel.words import Text
from casino.models import Casino
from tables.guests import policies, priorities
from tables.guests.excluding import who
from tables.guests.registering import shown
from tables.models import AwayMark, Exclusion, ExclusionMatch, SeatTaking
from tables.reports.day import SessionForm

_PLAYER = Column("player", Text("Jugador", "Player"))
_SEAT = Column("seat", Text("Asiento", "Seat"), Kind.INT)


class SeatReport(Report):
    """Who sat where at one session, with absences; changes of place and priority for the bank."""

    identifier = "tables.seats"
    title = Text("Asientos de una sesión", "Seats of a session")
    rules = ("BANK-20", "BANK-23")
    act = audit_policies.MAKE_REPORTS
    form = SessionForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        session = params["session"]
        takings = SeatTaking.objects.filter(casino=casino, session=session)
        absences = AwayMark.objects.filter(casino=casino, taking__session=session)
        return [
            Section("seats", Text("Asientos", "Seats"), _SEATS, lambda: _seat_rows(takings), takings.count),
            Section(
                "absences",
                Text("Ausencias", "Absences"),
                _ABSENCES,
                lambda: _away_rows(absences),
                absences.count,
            ),
        ]


_SEATS = [
    _SEAT,
    _PLAYER,
    Column("since", Text("Desde", "From"), Kind.INSTANT),
    Column("until", Text("Hasta", "Until"), Kind.INSTANT),
    Column("before", Text("Viene del asiento", "Came from seat"), Kind.INT),
    Column("after_round", Text("Después del pase", "After round"), Kind.INT),
    Column("priority", Text("Prioridad", "Priority")),
    Column("by", Text("Registró", "Recorded by")),
]
_ABSENCES = [
    _SEAT,
    _PLAYER,
    Column("since", Text("Desde", "From"), Kind.INSTANT),
    Column("until", Text("Hasta", "Until"), Kind.INSTANT),
    Column("chips", Text("Dejó fichas", "Left chips")),
]
_LOST, _KEPT = Text("perdida (BANK-20)", "lost (BANK-20)"), Text("conservada", "kept")
_YES, _NO = Text("sí", "yes"), Text("no", "no")


def _seat_rows(takings: QuerySet[SeatTaking]) -> Iterator[dict[str, Any]]:
    related = takings.select_related("moved_from", "taken_by", "session")
    for taking in related.order_by("during", "pk").iterator():
        banked = priorities.list_first(taking.session.game)
        lost = _LOST if taking.mid_round else _KEPT
        yield {
            "seat": taking.seat,
            "player": taking.alias,
            "since": taking.during.lower,
            "until": taking.during.upper,
            "before": taking.moved_from.seat if taking.moved_from else None,
            "after_round": taking.after_round,
            "priority": lost if banked else None,
            "by": taking.taken_by.name,
            PEOPLE: (("guest", taking.guest_id),),
            EVENTS: partial(_of_taking, taking, taking.during),
        }


def _of_taking(taking: SeatTaking, during: Any) -> EventsOf:
    """When somebody sat down and got up, or went away and came back: of all that happened at the session in
    these instants, what names them."""
    told = Event.objects.filter(
        casino=taking.casino_id,
        stream__name=taking.session.stream,
        action__startswith="tables.session.seat",
        occurred__in=[at for at in (during.lower, during.upper) if at],
    )
    bodies = told.order_by("seq").values_list("pk", "body")
    return EventsOf(
        ids=tuple(pk for pk, body in bodies if _names(json.loads(bytes(body))["data"], taking.pk))
    )


def _names(data: Mapping[str, Any], taking: int) -> bool:
    left = data.get("left")
    several = [one.get("taking") for one in left] if isinstance(left, list) else [left]
    return taking in (data.get("taking"), *several)


def _away_rows(absences: QuerySet[AwayMark]) -> Iterator[dict[str, Any]]:
    for mark in absences.select_related("taking__session").order_by("during", "pk").iterator():
        yield {
            "seat": mark.taking.seat,
            "player": mark.taking.alias,
            "since": mark.during.lower,
            "until": mark.during.upper,
            "chips": _YES if mark.keeps_chips else _NO,
            PEOPLE: (("guest", mark.taking.guest_id),),
            EVENTS: partial(_of_taking, mark.taking, mark.during),
        }


class ExclusionReport(Report):
    """Exclusions recorded or ended, and everybody not admitted, over a span of gaming days (GEN-11)."""

    identifier = "tables.exclusions"
    title = Text("Exclusiones y coincidencias", "Exclusions and matches")
    rules = ("GEN-11", "GEN-10")
    act = policies.READ_EXCLUSIONS
    form = PeriodForm

    def sections(self, casino: Casino, params: Mapping[str, Any]) -> Sequence[Section]:
        zone, cutoff = casino.zone, casino.cutoff
        first, _end = clock.day_bounds(params["first"], zone, cutoff)
        _start, after = clock.day_bounds(params["last"], zone, cutoff)
        entries = Exclusion.objects.filter(casino=casino, recorded_at__gte=first, recorded_at__lt=after)
        ended = Exclusion.objects.filter(casino=casino, ended__at__gte=first, ended__at__lt=after)
        found = ExclusionMatch.objects.filter(casino=casino, found_at__gte=first, found_at__lt=after)
        return [
            Section(
                "entries",
                Text("Registradas", "Recorded"),
                _ENTRIES,
                lambda: _entry_rows(entries),
                entries.count,
            ),
            Section("ended", Text("Terminadas", "Ended"), _ENDED, lambda: _ended_rows(ended), ended.count),
            Section(
                "matches",
                Text("No admitidos", "Not admitted"),
                _MATCHES,
                lambda: _match_rows(found),
                found.count,
            ),
        ]


_ENTRY = Column("entry", Text("Exclusión", "Exclusion"))
_WHO = Column("who", Text("Persona", "Person"))
_ENTRIES = [
    _ENTRY,
    Column("kind", Text("Clase", "Kind")),
    _WHO,
    Column("since", Text("Desde", "From"), Kind.DATE),
    Column("until", Text("Hasta", "Until"), Kind.DATE),
    Column("source", Text("Origen", "Source")),
    Column("recorded_at", Text("Registrada", "Recorded"), Kind.INSTANT),
    Column("by", Text("Por", "By")),
]
_ENDED = [
    _ENTRY,
    _WHO,
    Column("at", Text("Terminada", "Ended"), Kind.INSTANT),
    Column("by", Text("Por", "By")),
    Column("second", Text("Con", "With")),
    Column("reason", Text("Motivo", "Reason")),
]
_MATCHES = [
    Column("at", Text("Cuándo", "When"), Kind.INSTANT),
    _WHO,
    Column("how", Text("Coincidencia", "Match")),
    Column("score", Text("Parecido", "Likeness"), Kind.INT),
    _ENTRY,
    Column("where", Text("Dónde", "Where")),
    Column("place", Text("Lugar", "Place")),
    Column("state", Text("Estado", "State")),
    Column("decided", Text("Resolvieron", "Decided by")),
    Column("evidence", Text("Prueba vista", "Evidence seen")),
]


def _entry_rows(entries: QuerySet[Exclusion]) -> Iterator[dict[str, Any]]:
    for entry in entries.select_related("recorded_by").order_by("pk").iterator():
        yield {
            "entry": entry.label,
            "kind": in_both(Exclusion.Kind(entry.kind).label),
            "who": who(entry),
            "since": entry.since,
            "until": entry.until,
            "source": entry.source,
            "recorded_at": entry.recorded_at,
            "by": entry.recorded_by.name,
            PEOPLE: (("exclusion", entry.pk),),
            EVENTS: EventsOf(streams=(entry.stream,)),
        }


def _ended_rows(entries: QuerySet[Exclusion]) -> Iterator[dict[str, Any]]:
    for entry in entries.select_related("ended__by", "ended__second").order_by("ended__at", "pk").iterator():
        end = entry.ended
        yield {
            "entry": entry.label,
            "who": who(entry),
            "at": end.at,
            "by": end.by.name,
            "second": end.second.name,
            "reason": end.reason,
            PEOPLE: (("exclusion", entry.pk),),
            EVENTS: EventsOf(streams=(entry.stream,)),
        }


def _match_rows(found: QuerySet[ExclusionMatch]) -> Iterator[dict[str, Any]]:
    related = found.select_related("guest", "exclusion", "decided_by", "decided_with")
    for match in related.order_by("found_at", "pk").iterator():
        deciders = [one.name for one in (match.decided_by, match.decided_with) if one]
        yield {
            "at": match.found_at,
            "who": shown(match.guest),
            "how": in_both(ExclusionMatch.How(match.how).label),
            "score": match.score,
            "entry": match.exclusion.label if match.exclusion else None,
            "where": in_both(ExclusionMatch.Where(match.where).label),
            "place": match.place,
            "state": in_both(ExclusionMatch.State(match.state).label),
            "decided": ", ".join(deciders),
            "evidence": match.evidence,
            PEOPLE: (("guest", match.guest_id), ("match", match.pk), ("exclusion", match.exclusion_id)),
            EVENTS: _of_match(match),
        }


def _of_match(match: ExclusionMatch) -> tuple[EventsOf, ...]:
    """What was found of the guest, what two decided of it, and the exclusion it was about."""
    told = EventsOf(streams=(match.guest.stream,))
    decided = (told.at(match.decided_at),) if match.decided_at else ()
    entry = (EventsOf(streams=(match.exclusion.stream,)),) if match.exclusion else ()
    return told.at(match.found_at), *decided, *entry


for _report in (SeatReport, ExclusionReport):
    register(_report)
