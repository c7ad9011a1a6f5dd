"""Boxes for tests, taken off, received and counted twice by the write functions themselves.

found = counted_boxes(house, session, drop=300 * BOB, at=CLOSING_TIME)
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from audits.by import By, by_system, by_user
from audits.models import Actor
from audits.people import create_user
from casino.kernel.permissions import Role
from casino.models import Casino, User
from tables.models import DropBox, TableSession
from tables.money import box_counts, boxes
from tables.money.denominations import CHIP, NOTES_AND_COINS

PASSWORD = "una clave larga de prueba"
TEAMS = (("Ana", "Beto", "Carla"), ("Dora", "Efraín", "Flor"), ("Gina", "Hernán", "Iris"))
"""Three teams of the cage: who records, and two who count."""


def of_the_cage(casino: Casino, name: str) -> User:
    """A login of the cage, made on first use."""
    username = f"{casino.code}-{name.lower()}"
    found = User.objects.filter(username=username).first()
    return found or create_user(
        username=username, name=name, password=PASSWORD, roles=[Role.CAGE], by=by_system(casino, "pruebas")
    )


def team(casino: Casino, number: int, at: dt.datetime) -> tuple[By, list[Actor]]:
    """Team 0, 1 or 2: `By` for who records, and who counts."""
    recorder, *rest = (of_the_cage(casino, name) for name in TEAMS[number])
    return by_user(recorder, occurred_at=at), [user.actor for user in rest]


def cash(amount: int, currency: str = "BOB") -> dict[str, dict[int, int]]:
    """An amount in the fewest notes and coins; what is less than the smallest coin does not fit."""
    pieces: dict[int, int] = {}
    for value in NOTES_AND_COINS[currency]:
        if amount // value:
            pieces[value], amount = divmod(amount, value)
    assert amount == 0, "not in notes and coins"
    return {currency: pieces}


def chips(amount: int, denominations: Sequence[int]) -> dict[str, dict[int, int]]:
    """An amount in the fewest chips of the house."""
    pieces: dict[int, int] = {}
    for value in sorted(denominations, reverse=True):
        pieces[value], amount = divmod(amount, value)
    assert amount == 0, "not in chips"
    return {CHIP: pieces}


def holding(amount: int) -> dict[str, Any]:
    """What a count of such an amount is told: notes and coins, or a cheque for what they cannot say."""
    if amount % 10 == 0 and amount <= 10**9:
        return {"contents": cash(amount), "documents": []}
    return {"contents": {}, "documents": [{"kind": "cheque", "number": "CH-1", "amount": amount}]}


def received(
    house: Any, session: TableSession, *, at: dt.datetime, number: str = "", kind: str = "drop"
) -> DropBox:
    """A box nobody had noted, taken off by two and received in the count room, its seal whole."""
    by = by_user(house.users[Role.SUPERVISOR], occurred_at=at)
    box = boxes.remove_unregistered(
        session=session,
        number=number or f"C-{session.pk}-{session.boxes.count() + 1}",
        kind=kind,
        seal="P-1",
        with_=house.users[Role.PIT_BOSS].actor,
        by=by,
    )
    return boxes.receive(box=box, seal="p-1", by=by_user(house.users[Role.CAGE], occurred_at=at))


def count(box: DropBox, nth: int, found: Mapping[str, Any], *, at: dt.datetime) -> DropBox:
    """Team `nth` (from 1) records what it found."""
    by, people = team(box.session.casino, nth - 1, at)
    return box_counts.record_count(box=box, team=people, by=by, **found)


def counted_box(
    house: Any, session: TableSession, amount: int, *, at: dt.datetime, number: str = ""
) -> DropBox:
    """A box counted twice, both teams finding `amount`."""
    box = received(house, session, at=at, number=number)
    count(box, 1, holding(amount), at=at)
    return count(box, 2, holding(amount), at=at)


def counted_out(house: Any, session: TableSession, drop: int, *, at: dt.datetime) -> TableSession:
    """A closed session counted out: one box of `drop`, or none where nothing was dropped."""
    if drop:
        counted_box(house, session, drop, at=at)
    else:
        by = by_user(house.users[Role.CAGE], occurred_at=at)
        boxes.declare_no_box(session=session, with_=house.users[Role.PIT_BOSS].actor, by=by)
    return TableSession.objects.select_related("table", "day", "casino", "shoe").get(pk=session.pk)
