"""Who is on the floor already and is barred is asked again (GEN-11): on record, and an alert on their table.

It is looked for when an entry is recorded, when a player's record is corrected, and each minute for entries
that were recorded before their first day and begin to hold while somebody sits or waits. The alert stays
until it is acknowledged, and is over once the person left or two people decided it is another.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q, QuerySet

from audits.by import By, by_system
from casino.kernel import clock, rulebook
from casino.kernel.commands import command
from casino.kernel.errors import Busy
from casino.kernel.words import Text
from casino.models import Casino
from tables.alerts import keeping
from tables.alerts.causes import BAD, WARN, Cause, register_kind
from tables.guests import aliases, policies
from tables.guests.admitting import (
    RULE,
    Finding,
    How,
    State,
    Where,
    findings,
    hold_guest,
    in_force,
    record_findings,
    share_lists,
)
from tables.guests.registering import shown, today_of
from tables.models import Alert, Exclusion, ExclusionMatch, Guest, SeatTaking, WaitingEntry

log = logging.getLogger(__name__)

JOB = "exclusions"
BARRED = register_kind("guests.barred", Text("persona impedida en la sala", "barred person on the floor"))


@dataclass(frozen=True, slots=True)
class Spot:
    """Where somebody is on the floor: a seat, or a list (of a table, or of a game at any of its tables)."""

    key: str
    place: str
    words: Text
    alias: str
    guest: Guest | None
    since: dt.datetime
    table: int | None
    session: int | None = None


def spots(casino: Casino) -> list[Spot]:
    """Everybody on the floor, those seated first."""
    seated = SeatTaking.objects.filter(casino=casino, during__endswith=None)
    waiting = WaitingEntry.objects.filter(casino=casino, state__in=WaitingEntry.LIVE)
    found = []
    for one in seated.select_related("session__table", "guest__casino").order_by("pk"):
        found.append(
            Spot(
                f"seat:{one.pk}", f"{one.session.table.name}/{one.seat}",
                Text(f"asiento {one.seat}", f"seat {one.seat}"), one.alias, one.guest, one.during.lower,
                one.session.table_id, one.session_id,
            )
        )  # fmt: skip
    for wait in waiting.select_related("table", "guest__casino").order_by("pk"):
        place = wait.table.name if wait.table else rulebook.game(wait.game).name.es
        listed = Text("lista de espera", "waiting list")
        found.append(
            Spot(f"wait:{wait.pk}", place, listed, wait.alias, wait.guest, wait.since, wait.table_id)
        )
    return found


# ---- put on record -------------------------------------------------------------------------------------


def recognise(
    found: Sequence[tuple[Spot, Sequence[Finding]]], anonymous: Sequence[tuple[Spot, Exclusion]], by: By
) -> list[ExclusionMatch]:
    """Alerts, matches, an incident where one is sure, and events of guests found on the floor, each held by
    the command this is called in, and of anonymous people under an alias like an entry's name.

    Only the first guest may be sure: an incident goes before any event.
    """
    causes = [_of_finding(spot, several[0]) for spot, several in found]
    alerts = keeping.store([*causes, *(_of_alias(spot, entry) for spot, entry in anonymous)], by)
    matches = []
    for spot, several in found:
        assert spot.guest is not None
        matches += record_findings(
            spot.guest, several, Where.FLOOR, spot.place, "tables.guest.recognised", by
        )
    for spot, entry in anonymous:
        given = {"alias": spot.alias, "place": spot.place}
        aliases.tell("tables.guest.alias_recognised", entry, by, where=Where.FLOOR, **given)
    keeping.tell_raised(alerts, by)
    return matches


def look_again(guest: Guest, by: By) -> None:
    """Hold a guest who is on the floor against the lists anew: their particulars were corrected (GEN-11)."""
    spot = next((one for one in spots(by.casino) if one.guest == guest), None)
    found = findings(guest, by.occurred_at) if spot else []
    if spot is not None and found:
        recognise([(held(spot, guest), found)], [], by)


def held(spot: Spot, guest: Guest) -> Spot:
    """The spot with its guest as held by the command."""
    return replace(spot, guest=guest)


# ---- entries that begin to hold --------------------------------------------------------------------------


def ask_again_all() -> None:
    """What the job asks for each minute: every house; one that is in use is left for the next minute."""
    for casino in Casino.objects.order_by("code"):
        try:
            ask_again(by_system(casino, JOB))
        except Busy:
            log.warning("%s: in use; the next run asks who is on the floor", casino.code)
        except Exception:
            log.exception("%s: who is on the floor could not be asked again", casino.code)


def ask_again(by: By) -> None:
    """Ask again everybody who was on the floor before an entry of today, or of yesterday, began to hold. A
    write for each; a second look finds them on record."""
    today = today_of(by.casino, by.occurred_at)
    for day in (today - dt.timedelta(days=1), today):
        begun = begun_on(by.casino, day, by.occurred_at)
        if not begun.exists():
            continue
        began, _ = clock.day_bounds(day, by.casino.zone, dt.time(0))
        names = list(begun.exclude(name="").values_list("pk", "name"))
        for spot in spots(by.casino):
            if spot.since >= began:  # who came later was asked as they came
                continue
            if spot.guest is not None:
                if _not_on_record(spot.guest, begun, by):
                    ask_guest(guest=spot.guest, day=day, by=by)
            elif (pk := aliases.like(spot.alias, names)) is not None:
                ask_alias(exclusion=Exclusion.objects.get(pk=pk), key=spot.key, by=by)


def begun_on(casino: Casino, day: dt.date, instant: dt.datetime) -> QuerySet[Exclusion]:
    """The entries that hold at an instant, from a day on, and were recorded before it: nobody on the floor
    was held against them then."""
    began, _ = clock.day_bounds(day, casino.zone, dt.time(0))
    return in_force(casino, instant).filter(since=day, recorded_at__lt=began)


@command(policies.ASK_AGAIN, silent_when="nothing new speaks against the guest")
def ask_guest(*, guest: Guest, day: dt.date, by: By) -> list[ExclusionMatch]:
    """Hold one guest on the floor against the entries that began to hold on a day."""
    share_lists(by.casino)
    guest = hold_guest(guest)
    found = _not_on_record(guest, begun_on(by.casino, day, by.occurred_at), by)
    spot = next((one for one in spots(by.casino) if one.guest == guest), None)
    return recognise([(held(spot, guest), found)], [], by) if spot is not None and found else []


@command(policies.ASK_AGAIN, silent_when="they left, or were asked about already")
def ask_alias(*, exclusion: Exclusion, key: str, by: By) -> None:
    """Ask for the document of somebody anonymous whose alias is like the name of an entry that began."""
    share_lists(by.casino)
    spot = next((one for one in spots(by.casino) if one.key == key), None)
    asked = Alert.objects.filter(casino=by.casino, key=f"{BARRED}:{key}").exists()
    if spot is not None and not asked:
        recognise([], [(spot, exclusion)], by)


def _not_on_record(guest: Guest, entries: QuerySet[Exclusion], by: By) -> list[Finding]:
    """What speaks of these entries against a guest and is on no match of theirs yet."""
    known = set(ExclusionMatch.objects.filter(guest=guest).values_list("exclusion", flat=True))
    found = findings(guest, by.occurred_at, entries)
    return [one for one in found if one.exclusion is not None and one.exclusion.pk not in known]


# ---- the watch -------------------------------------------------------------------------------------------


def watch(casino: Casino, instant: dt.datetime) -> Iterator[Cause]:
    """Who is on the floor though a match on record bars them, or may; and who was asked for a document."""
    there = spots(casino)
    known = _known(casino, {spot.guest.pk for spot in there if spot.guest})
    told: set[int] = set()
    for spot in there:
        guest = spot.guest
        if guest is None or guest.pk not in known or guest.pk in told:
            continue
        told.add(guest.pk)
        entries = in_force(casino, instant).filter(pk__in=known[guest.pk])
        found = findings(guest, instant, entries)
        if found:
            yield _of_finding(spot, found[0])
    here = {f"{BARRED}:{spot.key}": spot for spot in there if spot.guest is None}
    for alert in Alert.objects.filter(casino=casino, kind=BARRED, cleared_at=None, key__in=here.keys()):
        words = Text(alert.words_es, alert.words_en)
        yield Cause(alert.key, BARRED, WARN, words, RULE, alert.table_id, alert.session_id, alert.subject)


def _known(casino: Casino, guests: set[int]) -> dict[int, list[int]]:
    """The entries that matches not cleared name, by guest; none for a minor's."""
    rows = ExclusionMatch.objects.filter(casino=casino, guest__in=guests).exclude(state=State.CLEARED)
    found: defaultdict[int, list[int]] = defaultdict(list)
    for guest, exclusion in rows.filter(Q(exclusion__isnull=False) | Q(how=How.MINOR)).values_list(
        "guest", "exclusion"
    ):
        found[guest] += [exclusion] if exclusion else []
    return found


def _of_finding(spot: Spot, found: Finding) -> Cause:
    """What a guest who is on the floor asks to be done about them."""
    assert spot.guest is not None
    who, label = shown(spot.guest), found.exclusion.label if found.exclusion else ""
    if found.how == How.MINOR:
        words = Text(
            "{where}: {who} no tiene la edad; deja de jugar ahora y sale de la sala",
            "{where}: {who} is under age; they stop playing now and leave the floor",
        )
    elif found.final:
        words = Text(
            "{where}: {who} figura en la lista de exclusión ({label}); deja de jugar ahora: avise a"
            " cumplimiento",
            "{where}: {who} is on the exclusion list ({label}); they stop playing now: tell compliance",
        )
    else:
        words = Text(
            "{where}: {who} se parece a alguien de la lista de exclusión ({label}); pida su documento y"
            " resuélvalo entre dos en Coincidencias",
            "{where}: {who} is like somebody on the exclusion list ({label}); ask for their document and"
            " decide it between two under Matches",
        )
    level = BAD if found.final else WARN
    filled = words.fill(where=spot.words, who=who, label=label)
    key = f"{BARRED}:{spot.guest.pk}:{level}"
    return Cause(key, BARRED, level, filled, RULE, spot.table, spot.session, _about(spot))


def _of_alias(spot: Spot, entry: Exclusion) -> Cause:
    words = Text(
        "{where}: «{alias}» se parece a un nombre de la lista de exclusión ({label}); pida su documento",
        "{where}: “{alias}” is like a name on the exclusion list ({label}); ask for their document",
    ).fill(where=spot.words, alias=spot.alias, label=entry.label)
    return Cause(f"{BARRED}:{spot.key}", BARRED, WARN, words, RULE, spot.table, spot.session, _about(spot))


def _about(spot: Spot) -> str:
    """What an alert is about where it has no table: the list of a game."""
    return "" if spot.table else spot.place
