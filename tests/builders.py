"""A house for tests of the floor, made by the write functions alone.

    house = a_house()
    session = house.open_table(detail="full")

Amounts are centavos; `BOB` is 100 of them. The instants of settings lie well before `NIGHT`, so that a
story can be told at its own hours.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from audits.by import By, by_system, by_user
from audits.people import create_user
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import Casino, User
from shoes.models import Shoe
from tables import closings, edges, openings, people, rounds, settings
from tables.games import registry
from tables.models import BetLimits, GameRules, Round, Staff, Table, TableSession
from tests.kept import TOLD, kept, kept_house
from tests.money.box_builders import counted_out
from tests.shoes.builders import ready_shoe

BOB = 100
NIGHT = dt.datetime(2026, 11, 20, 22, 0, tzinfo=dt.UTC)
"""Six in the evening in La Paz, within gaming day 2026-11-20."""
CLOSING_TIME = NIGHT + dt.timedelta(hours=5)
FOUNDED = NIGHT - dt.timedelta(days=30)
PASSWORD = "una clave larga de prueba"
DENOMINATIONS = [1 * BOB, 5 * BOB, 25 * BOB, 100 * BOB, 500 * BOB, 1_000 * BOB]
FLOAT = {25 * BOB: 100, 100 * BOB: 100, 500 * BOB: 20}
"""100 x 25 + 100 x 100 + 20 x 500 = BOB 22.500."""
FLOAT_TOTAL = 22_500 * BOB
CONFIRMED = {"confirmed_by": "Pruebas", "confirmation": "cifras del reglamento, para pruebas"}
"""What publishing rules asks for while the book leaves figures to the operator (GEN-05)."""

_numbers = itertools.count(1)


@dataclass
class House:
    """A casino with a login per role, three dealers, two supervisors and their tables, its rules and limits
    in force from `founded`."""

    casino: Casino
    founded: dt.datetime = FOUNDED
    users: dict[Role, User] = field(default_factory=dict)
    dealers: list[Staff] = field(default_factory=list)
    supervisors: list[Staff] = field(default_factory=list)

    def by(self, role: Role, at: dt.datetime = NIGHT, reason: str = "") -> By:
        """Who acts, as the login of a role, at an instant."""
        return by_user(self.users[role], occurred_at=at, reason=reason)

    @kept
    def table(
        self,
        *,
        game: str = "baccarat.mini",
        detail: str = "cards",
        seats: int = 7,
        chip: int = 5 * BOB,
        limits: Mapping[str, tuple[int, int]] | None = None,
        rules: Mapping[str, Any] | None = None,
    ) -> Table:
        """A table with rules and limits in force; by default 25 to 1.000, tie 5 to 200."""
        with clock.standing_at(self.founded):
            return self._table(game, detail, seats, chip, limits, rules)

    def _table(self, game: str, detail: str, seats: int, chip: int, limits: Any, rules: Any) -> Table:
        by = self.by(Role.ADMINISTRATOR, self.founded, "apertura de la sala")
        number = next(_numbers)
        if rules is not None or not GameRules.objects.filter(casino=self.casino, game=game).exists():
            params = dict(rules or {})
            settings.publish_rules(
                game=game, params=params, betting_plan="PA-1", by=by, **confirmed(game, params)
            )
        pit = settings.set_pit(name=f"Sector {number:05d}", by=by)
        table = settings.set_table(
            name=self._free_name(), pit=pit, game=game, seats=seats, detail=detail, by=by
        )
        spots = limits or {
            "punto": (25 * BOB, 1_000 * BOB),
            "banca": (25 * BOB, 1_000 * BOB),
            "tie": (5 * BOB, 200 * BOB),
        }
        self.limits(table, chip=chip, spots=spots)
        return table

    def _free_name(self) -> str:
        taken = set(Table.objects.filter(casino=self.casino).values_list("name", flat=True))
        names = (f"PB-{number % 1000:02d}" for number in _numbers)
        return next(name for name in names if name not in taken)

    @kept
    def limits(self, table: Table, *, chip: int, spots: Mapping[str, tuple[int, int]]) -> BetLimits:
        with clock.standing_at(self.founded):
            by = self.by(Role.PIT_BOSS, self.founded, "apertura de la sala")
            return settings.publish_limits(table=table, chip=chip, spots=spots, by=by)

    @kept
    def ready_shoe(self, game: str = "baccarat.mini", decks: int = 6, at: dt.datetime = NIGHT) -> Shoe:
        """A shoe through every step: 2c turned and two more burned, 309 of 312 cards inside."""
        return ready_shoe(self.casino, self.by(Role.PIT_BOSS, at - dt.timedelta(hours=1)), game, decks)

    @kept
    def person(self, *, supervises: bool = False, **about: Any) -> Staff:
        number = next(_numbers)
        particulars = {
            "number": f"{number}",
            "name": f"{'Jefa' if supervises else 'Croupier'} {number}",
            "licence": f"L-{number}",
            "licence_expires": dt.date(2099, 12, 31),
            "games": ["baccarat.punto_banca", "baccarat.midi", "baccarat.mini"],
            **about,
        }
        by = self.by(Role.ADMINISTRATOR, self.founded, "ingreso")
        return people.set_staff(supervises=supervises, by=by, **particulars)

    @kept
    def open_table(
        self,
        table: Table | None = None,
        *,
        at: dt.datetime = NIGHT,
        dealer: int = 0,
        supervisor: int = 0,
        shoe: Shoe | None = None,
        chips: Mapping[int, int] | None = None,
        **about: Any,
    ) -> TableSession:
        """An open session with a prepared shoe; `about` is for `table()`."""
        # The shoe first: the same serves tables of every kind.
        shoe = shoe or self.ready_shoe(table.game if table else about.get("game", "baccarat.mini"), at=at)
        return openings.open_session(
            table=table or self.table(**about),
            shoe=shoe,
            chips_counted=FLOAT if chips is None else chips,
            dealer=self.dealers[dealer],
            supervisor=self.supervisors[supervisor],
            by=self.by(Role.SUPERVISOR, at),
        )

    def log(
        self,
        session: TableSession,
        events: Sequence[Mapping[str, Any]],
        *,
        at: dt.datetime = NIGHT,
        number: int | None = None,
    ) -> Round:
        return rounds.log(session=session, number=number, events=list(events), by=self.by(Role.PIT_BOSS, at))

    def close(
        self,
        session: TableSession,
        chips: Mapping[int, int],
        *,
        at: dt.datetime = CLOSING_TIME,
        drop: int | None = None,
    ) -> TableSession:
        closed = closings.close_session(
            session=session,
            chips_counted=chips,
            counted_by=self.dealers[0],
            witnessed_by=self.supervisors[0],
            by=self.by(Role.SUPERVISOR, at),
        )
        return closed if drop is None else self.count_out(closed, drop, at=at)

    def count_out(self, session: TableSession, drop: int, *, at: dt.datetime = CLOSING_TIME) -> TableSession:
        """A closed session with its box counted twice, or declared to have had none where `drop` is zero."""
        return counted_out(self, session, drop, at=at)


def confirmed(game: str, params: Mapping[str, Any]) -> dict[str, str]:
    """What publishing asks for besides: also for a provisional table that favours the player (PH-13)."""
    engine = registry.game(game)
    against = edges.favouring(engine, engine.read_rules(dict(params)))
    return {**CONFIRMED, "forced": "tabla provisional, para pruebas" if against else ""}


@kept_house(TOLD)
def a_house(code: str = "", *, zone: str = "America/La_Paz", founded: dt.datetime = FOUNDED) -> House:
    casino = Casino.objects.create(
        code=code or f"casa{next(_numbers)}",
        name="Casa de pruebas",
        denominations=DENOMINATIONS,
        zone=zone,
    )
    house = House(casino, founded)
    for role in Role:
        if role is not Role.SYSTEM:
            house.users[role] = create_user(
                username=f"{casino.code}-{role.value}",
                name=f"Persona {role.value}",
                password=PASSWORD,
                roles=[role],
                by=by_system(casino, "pruebas"),
            )
    house.dealers = [house.person() for _ in range(3)]
    house.supervisors = [house.person(supervises=True) for _ in range(2)]
    return house


def cards(punto: str, banca: str) -> list[dict[str, Any]]:
    """The card events of a round from both hands as written: `cards("9d Kh", "5c 2s 3h")`."""
    hands = {"punto": punto.split(), "banca": banca.split()}
    assert registry.game("baccarat.mini").hands.keys() == hands.keys()
    order = [(hand, place) for place in (0, 1) for hand in hands] + [(hand, 2) for hand in hands]
    return [
        {"e": "card", "to": hand, "card": hands[hand][place]}
        for hand, place in order
        if place < len(hands[hand])
    ]


def bets(*placed: tuple[int, str, int]) -> list[dict[str, Any]]:
    """Bets `(seat, spot, bolivianos)` and the close of betting."""
    events = [
        {"e": "bet", "seat": seat, "spot": spot, "amount": amount * BOB} for seat, spot, amount in placed
    ]
    return [*events, {"e": "close"}]


NATURAL = cards("9d Kh", "5c 2s")
"""Punto 9, banca 7: a natural, nobody draws; punto wins."""
