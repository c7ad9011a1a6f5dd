"""The demo's players: who sits where, who waits, an exclusion list and whom it kept out."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress

from tables.demo.house import House
from tables.guests import absences, excluding, queueing, registering, seats
from tables.guests.admitting import TurnedAway, on_record
from tables.models import Guest, SeatTaking, TableSession

GUESTS = (
    ("4821973 LP", "Ramón Arteaga Vélez", dt.date(1971, 5, 2)),
    ("6012344 SC", "Claudia Peinado Roca", dt.date(1984, 9, 17)),
    ("3377120 CB", "Nelson Quisbert Apaza", dt.date(1966, 1, 30)),
    ("7450981 LP", "Juan Mamani Quispe", dt.date(1985, 3, 14)),
    ("5190022 OR", "Freddy Colque Nina", dt.date(1979, 12, 5)),
    ("8800417 SC", "Andrea Justiniano Paz", dt.date(1993, 7, 21)),
)
LIST = "Nota AJ 77/2026"
SEATED: dict[str, tuple[tuple[int, str], ...]] = {
    "PB-01": ((1, "Ramón Arteaga Vélez"), (2, ""), (4, "Claudia Peinado Roca"), (7, "Señor de azul")),
    "BJ-01": ((1, ""), (3, "Nelson Quisbert Apaza"), (4, ""), (6, "Dos hermanas")),
    "TX-01": ((1, ""), (2, ""), (3, "Andrea Justiniano Paz"), (5, ""), (6, "Gorra roja"), (8, "")),
}
"""Seats by table: a guest by name, an alias, or nobody's name."""


def furnish(house: House, now: dt.datetime) -> None:
    """Players, lists and seats of the evening, once its tables are in play; `now` in UTC."""
    early = now - dt.timedelta(hours=3)
    guests = {name: _guest(house, number, name, born, early) for number, name, born in GUESTS}
    _exclude(house, early + dt.timedelta(minutes=5))
    for name, places in SEATED.items():
        session = TableSession.objects.filter(
            casino=house.casino, table__name=name, state__in=TableSession.LIVE
        ).first()
        if session is not None:
            _seat(house, session, places, guests, now)
    _turn_away(house, guests, now)
    _wait(house, now)


def _guest(house: House, number: str, name: str, born: dt.date, at: dt.datetime) -> Guest:
    return registering.set_guest(
        document_type="ci", number=number, name=name, birth_date=born, by=house.by("supervisor", at)
    )


def _exclude(house: House, at: dt.datetime) -> None:
    """Three entries: the document of one guest, the name and birth date of another, a self-exclusion."""
    by, since = house.by("compliance", at), dt.date(2026, 1, 15)
    excluding.exclude(kind="authority", source=LIST, since=since, number="5190022", by=by)
    excluding.exclude(
        kind="authority", source=LIST, since=since, name="MAMANI QUISPE JUAN",
        birth_date=dt.date(1985, 3, 14), by=by,
    )  # fmt: skip
    excluding.exclude(
        kind="self", source="Carta del interesado", since=since, until=dt.date(2027, 1, 14), number="9911223",
        name="Édgar Salvatierra Mejía", birth_date=dt.date(1990, 10, 8), by=by,
    )  # fmt: skip


def _seat(
    house: House,
    session: TableSession,
    places: tuple[tuple[int, str], ...],
    guests: dict[str, Guest],
    now: dt.datetime,
) -> None:
    """The players come between the last round and now; one is away, one asks for another seat."""
    step = (now - session.last_at) / (len(places) + 4)
    at = session.last_at
    taken: list[SeatTaking] = []
    for seat, who in places:
        at += step
        guest = guests.get(who)
        alias = "" if guest else who
        by = house.by("supervisor", at)
        taken.append(seats.seat(session=session, seat=seat, guest=guest, alias=alias, by=by))
    if session.table.name == "TX-01":
        queueing.ask_change(
            taking=taken[0], table=session.table, seat=9, by=house.by("supervisor", at + step)
        )
    absences.mark_away(taking=taken[1], keeps_chips=True, by=house.by("supervisor", at + step * 2))


def _turn_away(house: House, guests: dict[str, Guest], now: dt.datetime) -> None:
    """One is the person of the list; another is only like one, and waits for two signatures."""
    for name in ("Freddy Colque Nina", "Juan Mamani Quispe"):
        with suppress(TurnedAway), on_record():
            queueing.wait(game="blackjack.classic", guest=guests[name], by=house.by("supervisor", now))


def _wait(house: House, now: dt.datetime) -> None:
    table = house.tables["TX-01"]
    for minutes, alias, party in ((25, "Pareja del bar", 2), (14, "Ingeniero", 1), (6, "Melisa", 1)):
        at = now - dt.timedelta(minutes=minutes)
        queueing.wait(table=table, alias=alias, party_size=party, by=house.by("supervisor", at))
    for minutes, alias in ((18, "Turista 1"), (17, "Turista 2")):
        at = now - dt.timedelta(minutes=minutes)
        queueing.wait(game="blackjack.classic", alias=alias, by=house.by("supervisor2", at))
