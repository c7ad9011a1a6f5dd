"""A floor made by the write functions, and browsers' clients signed in by role."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from audits.by import By, by_user
from casino.kernel.permissions import Role
from casino.models import Casino, User
from shoes.models import Shoe
from shoes.procedures import procedure_of
from tables import openings, people, rounds, settings
from tables.games import registry
from tables.models import Round, Staff, Table, TableSession
from tests.api.building import House
from tests.builders import confirmed
from tests.kept import kept
from tests.shoes import builders

GAME = "baccarat.mini"
LIMITS = {"punto": (5_000, 100_000), "banca": (5_000, 100_000), "tie": (1_000, 10_000)}
"""50 to 1.000 on a hand, 10 to 100 on a tie; the smallest chip is 5,00."""

FLOAT = {500: 100, 1_000: 100, 5_000: 100}
"""100 x 5,00 + 100 x 10,00 + 100 x 50,00 = 6.500,00."""


@dataclass
class Floor:
    """One Mini table `PB-01` with its people, ready to be opened."""

    house: House
    table: Table
    dealer: Staff
    relief: Staff
    supervisor: Staff
    sessions: list[TableSession] = field(default_factory=list)

    def by(self, role: Role, reason: str = "") -> By:
        return by_user(self.house.users[role], reason=reason)

    def client(self, role: Role, language: str = "es-bo") -> Client:
        client = Client()
        client.force_login(self.house.users[role])
        client.cookies["django_language"] = language
        return client

    @kept
    def ready_shoe(self) -> Shoe:
        """6 decks; the burn took 2c and two unseen cards, so 309 of 312 are left. Other games: their own."""
        by = self.by(Role.PIT_BOSS)
        if self.table.game != GAME:
            return prepared(self.house.casino, by, self.table.game)
        return builders.ready_shoe(self.house.casino, by, game=GAME, decks=6)

    def open(self) -> TableSession:
        session = self._opened()
        self.sessions.append(session)
        return session

    @kept
    def _opened(self) -> TableSession:
        return openings.open_session(
            table=self.table,
            shoe=self.ready_shoe() if registry.game(self.table.game).deck_type else None,
            chips_counted=FLOAT,
            dealer=self.dealer,
            supervisor=self.supervisor,
            by=self.by(Role.SUPERVISOR),
        )

    def settled(self) -> Round:
        """One more settled round, a natural of the punto, at the table's open session."""
        by = self.by(Role.SUPERVISOR)
        return rounds.log(session=self.sessions[-1], number=None, events=cards(), by=by)


# Punto 9d + Kh = 9, a natural; banca 6s + 4c = 0: nobody draws, punto wins 9 to 0 (BAC-10, BAC-12).
NATURAL = (("9d", "punto"), ("6s", "banca"), ("Kh", "punto"), ("4c", "banca"))


def cards() -> list[dict[str, str]]:
    return [{"e": "card", "card": card, "to": to} for card, to in NATURAL]


def as_login(person: Staff, user: User) -> None:
    """Tie a person of the staff to a login, as the administrator does."""
    admin = next(u for u in user.casino.users.all() if Role.ADMINISTRATOR in u.roles)
    people.set_staff(
        number=person.number,
        name=person.name,
        licence=person.licence,
        licence_expires=person.licence_expires,
        games=person.games,
        supervises=person.supervises,
        user=user,
        staff=person,
        by=by_user(admin, reason="su usuario"),
    )


@kept
def prepared(casino: Casino, by: By, game: str) -> Shoe:
    """A shoe or pack of any game through every step of its own preparation."""
    procedure = procedure_of(game)
    shoe = builders.shoe_with_decks(casino, by, game=game, decks=procedure.decks_default)
    for step in procedure.steps[1:]:
        given: dict[str, Any] = {
            "kind": next((choice[0] for field in step.kind.fields for choice in field.choices), ""),
            "sequences": "none",
            "sequence": "",
            "machine": "",
            "empty_shown": "",
            "declined": [],
            "cut_by": 1,
            "position": 26 * procedure.decks_default,
            "stop_card_from_end": getattr(step.kind, "least", 6),
            "card": "2c",
            "burned": getattr(step.kind, "cards", 2),
        }
        asked = {field.name: given[field.name] for field in step.kind.fields}
        shoe = builders.signed(shoe, step.code, asked, by)
    return shoe


@kept
def make_floor(house: House, detail: str = "cards", game: str = GAME) -> Floor:
    admin = by_user(house.users[Role.ADMINISTRATOR], reason="puesta en marcha")
    pit = settings.set_pit(name="Sala principal", by=admin)
    settings.publish_rules(game=game, params={}, betting_plan="PA-2026-01", by=admin, **confirmed(game, {}))
    table = settings.set_table(name="PB-01", pit=pit, game=game, seats=7, detail=detail, by=admin)
    engine = registry.game(game)
    spots = LIMITS if game == GAME else dict.fromkeys(engine.layout or engine.spots, (1_000, 100_000))
    settings.publish_limits(table=table, chip=500, spots=spots, by=admin)
    staff = [
        people.set_staff(
            number=f"C-{place}",
            name=name,
            licence=f"AJ-{place}",
            licence_expires=dt.date(2099, 12, 31),
            games=[game],
            supervises=name == "Lucía Mamani",
            by=admin,
        )
        for place, name in enumerate(("Marta Rojas", "Iván Condori", "Lucía Mamani"))
    ]
    return Floor(house, table, *staff)
