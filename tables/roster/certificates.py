"""Certificates: the paper behind a qualification; and which licences and certificates run out soon.

Which games somebody may deal stays one list, `Staff.games`; see `Certificate`.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass

from audits import trail
from audits.by import By
from audits.history import save_version
from casino.kernel import texts
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from casino.models import Casino
from tables import people, policies
from tables.games import registry
from tables.models import Certificate, Staff
from tables.roster.held import lock_people

WARN_DAYS = (30, 15, 0)
"""A licence or certificate is told of a month, half a month, and no day before its last one."""


@command(policies.MANAGE_STAFF, setting=True)
def certify(
    *,
    staff: Staff,
    game: str,
    since: dt.date,
    certified_by: str,
    document: str,
    by: By,
    until: dt.date | None = None,
) -> Certificate:
    """Record the certificate that qualifies a person for a game, and put the game on their list (FLOOR-02).

    `until`: the last day it holds. Raises `Refused` (`bad_certificate`, `not_of_the_floor`, unknown game),
    `Conflict` (`certificate_exists`).
    """
    game = registry.game(game).code
    certified_by = texts.line(certified_by, "certified_by", 120, code="bad_certificate")
    document = texts.line(document, "document", 60, code="bad_certificate")
    if until is not None and until < since:
        raise Refused(
            Text(
                "termina antes de empezar; corrija las fechas", "it ends before it begins; correct the dates"
            ),
            code="bad_certificate",
            field="until",
        )
    person = lock_people(by, staff.pk)[staff.pk]
    _require_floor(person)
    made = Certificate.objects.create(
        casino=by.casino,
        staff=person,
        game=game,
        since=since,
        until=until,
        certified_by=certified_by,
        document=document,
        recorded_at=by.occurred_at,
        recorded_by=by.actor,
    )
    _tell(made, by)
    if game not in person.games:
        reasoned = by if texts.says_something(by.reason) else by.because(f"habilitación {document}")
        _list_game(person, game, reasoned)
    return made


def _require_floor(person: Staff) -> None:
    if person.department != Staff.Department.FLOOR:
        raise Refused(
            Text("sólo el personal de sala ocupa puestos", "only the floor's people take posts"),
            code="not_of_the_floor",
            rule="GEN-10",
            field="staff",
        )


def _list_game(person: Staff, game: str, by: By) -> None:
    person.games = sorted([*person.games, game])
    save_version(person, by=by)
    people.tell("tables.staff.changed", person, by)


def _tell(made: Certificate, by: By) -> None:
    trail.record(
        "tables.staff.certified",
        stream=f"staff:{made.staff_id}",
        subject=trail.Subject("certificate", made.pk, made.staff.name),
        by=by,
        data={
            "staff": made.staff_id,
            "game": made.game,
            "since": made.since.isoformat(),
            "until": made.until.isoformat() if made.until else None,
            "certified_by": made.certified_by,
            "document": made.document,
        },
        rules=["FLOOR-02"],
    )


@dataclass(frozen=True, slots=True)
class Expiry:
    """A licence (`game` empty) or a certificate that runs out: its last day, days left (negative: over) and
    the latest of `WARN_DAYS` it has passed.
    """

    staff: Staff
    game: str
    last_day: dt.date
    days: int
    level: int

    @property
    def over(self) -> bool:
        return self.days < 0


def expiring(casino: Casino, day: dt.date, within: int = WARN_DAYS[0]) -> list[Expiry]:
    """Licences and certificates of people in service that end within so many days of `day`, soonest first.

    Days left are counted on dates, never on hours: a day may have 23 or 25 of them (SHI-010). Of several
    certificates for a game the one that holds longest counts. Two queries.
    """
    staff = {person.pk: person for person in Staff.objects.filter(casino=casino, active=True)}
    found = [("", person, person.licence_expires) for person in staff.values()]
    ends: defaultdict[tuple[int, str], list[dt.date | None]] = defaultdict(list)
    papers = Certificate.objects.filter(casino=casino, staff__active=True).order_by()
    for owner, game, until in papers.values_list("staff_id", "game", "until"):
        if game in staff[owner].games:
            ends[owner, game].append(until)
    for (owner, game), listed in ends.items():
        dated = [until for until in listed if until is not None]
        if len(dated) == len(listed):
            found.append((game, staff[owner], max(dated)))
    told = [
        Expiry(person, game, last, days, _level(days))
        for game, person, last in found
        if (days := (last - day).days) <= within
    ]
    return sorted(told, key=lambda one: (one.last_day, one.staff.name, one.game))


def _level(days: int) -> int:
    return min((level for level in WARN_DAYS if days <= level), default=WARN_DAYS[0])


explain_constraint(
    "one_certificate_per_document",
    lambda: Conflict(
        Text(
            "ese documento ya está registrado para este juego; escriba el nuevo",
            "that document is recorded for this game already; write the new one",
        ),
        code="certificate_exists",
        field="document",
    ),
)
