"""The boxes of the demonstration: the cage's people, shift boxes counted by two teams, one that waits.

The evening of the demo tells of every step: a box counted twice alike, one whose counts differ, a poker
table's deduction box, one that waits for its second team.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from audits.by import By, by_user
from audits.models import Actor
from audits.people import create_user
from casino.kernel.permissions import Role
from tables.demo import PASSWORD
from tables.demo.house import House, recorded_at
from tables.models import DropBox, TableSession
from tables.money import box_counts, boxes
from tables.money.denominations import NOTES_AND_COINS

PEOPLE: tuple[tuple[str, str], ...] = (
    ("cage2", "Norma Paz"),
    ("recuento1", "Abel Mita"),
    ("recuento2", "Clara Sejas"),
    ("recuento3", "Dionisio Vaca"),
    ("recuento4", "Eva Tórrez"),
)
"""Who counts besides the cage's first login: with `cage` and `cage2` recording, two teams of three."""
FIRST, SECOND = ("cage", "recuento1", "recuento2"), ("cage2", "recuento3", "recuento4")


def hire(house: House, at: dt.datetime) -> None:
    """The logins of who counts."""
    by = house.by("admin", at, "equipo de recuento")
    for username, name in PEOPLE:
        house.users[username] = create_user(
            username=username, name=name, password=PASSWORD, roles=[Role.CAGE], by=by
        )
    with recorded_at(at):
        box_counts.set_rate(currency="USD", rate=69_600, by=house.by("cage", at))


def put_on(house: House, session: TableSession, at: dt.datetime, *, kind: str = "drop") -> DropBox:
    """A box on a table as it opens, numbered after it."""
    number = f"{session.table.name}-{'D' if kind == 'deduction' else session.boxes.count() + 1}"
    return boxes.put_on(session=session, number=number, kind=kind, by=house.by("supervisor", at))


def bring(house: House, session: TableSession, at: dt.datetime) -> DropBox:
    """The session's box on its way: off the table before two, into the count room."""
    session.refresh_from_db()
    box = session.boxes.filter(state=DropBox.State.ON_TABLE, kind=DropBox.Kind.DROP).first()
    second = house.users["pitboss"].actor
    seal = f"P-{session.pk:05d}"
    by = house.by("supervisor", at)
    if box is None:
        number = f"{session.table.name}-{session.boxes.count() + 1}"
        box = boxes.remove_unregistered(session=session, number=number, seal=seal, with_=second, by=by)
    else:
        box = boxes.remove(box=box, seal=seal, with_=second, by=by)
    return boxes.receive(box=box, seal=seal, by=house.by("cage", at + dt.timedelta(minutes=5)))


def count(house: House, box: DropBox, amount: int, at: dt.datetime, names: tuple[str, ...]) -> DropBox:
    """One team records `amount`, in the fewest notes and coins."""
    by, team = _team(house, names, at)
    return box_counts.record_count(box=box, contents=cash(amount), documents=[], team=team, by=by)


def counted_out(house: House, session: TableSession, drop: int, at: dt.datetime) -> None:
    """A closed session's box brought and counted twice alike."""
    box = bring(house, session, at)
    count(house, box, drop, at + dt.timedelta(minutes=15), FIRST)
    count(house, box, drop, at + dt.timedelta(minutes=30), SECOND)


def waiting(house: House, session: TableSession, drop: int, at: dt.datetime) -> None:
    """A closed session's box counted by the first team alone: the count room waits for the second."""
    count(house, bring(house, session, at), drop, at + dt.timedelta(minutes=6), FIRST)


def cash(amount: int) -> Mapping[str, dict[int, int]]:
    """An amount of bolivianos in the fewest notes and coins."""
    pieces: dict[int, int] = {}
    for value in NOTES_AND_COINS["BOB"]:
        pieces[value], amount = divmod(amount, value)
    assert amount == 0
    return {"BOB": pieces}


def _team(house: House, names: tuple[str, ...], at: dt.datetime) -> tuple[By, list[Actor]]:
    recorder, *rest = (house.users[name] for name in names)
    return by_user(recorder, occurred_at=at), [user.actor for user in rest]
