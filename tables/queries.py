"""What more than one screen of the floor reads: the posts' names, and what opening and closing ask.

Nothing here decides anything. Every table at a glance is `tables.overview`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db.models import QuerySet

from casino.kernel.words import Text
from casino.models import User
from tables import crew
from tables.models import Assignment, ChipCount, Staff, Table, TableSession

POST_NAMES: dict[str, Text] = {
    "dealer": Text("croupier", "dealer"),
    "caller": Text("paletero", "caller"),
    "payer": Text("pagador", "payer"),
    "supervisor": Text("jefe de mesa", "supervisor"),
    "main_dealer": Text("croupier principal", "main dealer"),
    "support_dealer": Text("croupier de apoyo", "support dealer"),
    "scorer": Text("anotador", "scorer"),
}


def previous_closing(table: Table) -> ChipCount | None:
    """The last closing count of a table, which the opening is reconciled with (FLOOR-04)."""
    rows = ChipCount.objects.filter(session__table=table, moment=ChipCount.Moment.CLOSING)
    return rows.order_by("-counted_at", "-pk").first()


def fit_staff(user: User, game: str, post: str, day: dt.date) -> QuerySet[Staff]:
    """People who may take a post now: in service, licensed that day, qualified, at no table (FLOOR-01)."""
    return fit_people(user.casino_id, game, post, day)


def fit_people(casino_id: int, game: str, post: str, day: dt.date) -> QuerySet[Staff]:
    """The same, of a house whoever asks."""
    asked = [demand.met for demand in crew.demands(game, post, day)]
    rows = Staff.objects.filter(*asked, casino=casino_id)
    busy = Assignment.objects.filter(casino=casino_id, during__endswith=None)
    return rows.exclude(pk__in=busy.values("staff"))


def not_offered(user: User, game: str, posts: Sequence[str], day: dt.date) -> list[tuple[Staff, Text]]:
    """People in service who may take none of the posts now, each with why (FLOOR-01, FLOOR-02)."""
    busy = {
        held.staff_id: held.session.table.name
        for held in Assignment.objects.filter(casino=user.casino_id, during__endswith=None).select_related(
            "session__table"
        )
    }
    listed = Staff.objects.filter(casino=user.casino_id, games__contains=[game])
    lapsed = set(listed.exclude(crew.certified(game, day)).values_list("pk", flat=True))
    found: list[tuple[Staff, Text]] = []
    floor = Staff.objects.filter(casino=user.casino_id, active=True, department=Staff.Department.FLOOR)
    for person in floor.order_by("name"):
        if person.pk in busy:
            found.append((person, Text("en {t}", "at {t}").fill(t=busy[person.pk])))
        elif person.licence_expires < day:
            found.append((person, Text("licencia vencida", "licence expired")))
        elif game not in person.games and not person.supervises:
            found.append((person, Text("sin habilitación para este juego", "not qualified for this game")))
        elif person.pk in lapsed:
            found.append((person, Text("habilitación vencida", "certificate expired")))
    return found


def crew_of(session: TableSession) -> QuerySet[Assignment]:
    """Who is at the table now."""
    return (
        Assignment.objects.filter(session=session, during__endswith=None)
        .select_related("staff")
        .order_by("pk")
    )
