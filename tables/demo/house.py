"""The demonstration casino before anybody plays: particulars, logins, staff, tables, rules, limits."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from audits.by import By, by_user
from audits.casinos import FirstLogin, Particulars, create_casino
from audits.people import create_user
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import Casino, User
from tables import people, settings
from tables.demo import CODE, PASSWORD
from tables.games import registry
from tables.models import Staff, Table

ZONE, CUTOFF = "America/La_Paz", dt.time(6)
BOB = 100
DENOMINATIONS = [BOB * value for value in (1, 5, 25, 100, 500, 1_000, 5_000)]

ADMIN = ("admin", "Adela Choque")
LOGINS: tuple[tuple[str, str, Role], ...] = (
    ("pitboss", "Ramiro Vargas", Role.PIT_BOSS),
    ("supervisor", "Lucía Mamani", Role.SUPERVISOR),
    ("supervisor2", "Óscar Rojas", Role.SUPERVISOR),
    ("croupier", "Daniela Quispe", Role.CROUPIER),
    ("cage", "Germán Flores", Role.CAGE),
    ("compliance", "Patricia Soria", Role.COMPLIANCE),
    ("inspector", "Inspectoría AJ", Role.INSPECTOR),
    ("tablet1", "Tableta 1", Role.DEVICE),
)

CROUPIERS = (
    "Daniela Quispe", "Marco Condori", "Silvia Paredes", "Iván Gutiérrez", "Rocío Ticona", "Pablo Arce",
    "Carmen Lima", "Jorge Aliaga", "Nadia Torrez", "Luis Apaza", "Verónica Poma", "Héctor Salas",
    "Beatriz Nina", "Freddy Copa", "Mirtha Loza",
)  # fmt: skip
SUPERVISORS = (
    "Lucía Mamani", "Óscar Rojas", "Elena Cruz", "Raúl Medina", "Teresa Vino", "Hugo Calle", "Inés Daza",
)  # fmt: skip

GAMES = ("baccarat.punto_banca", "baccarat.midi", "baccarat.mini")


@dataclass(frozen=True, slots=True)
class Plan:
    """One table of the demo. Limits in whole bolivianos: spot -> (minimum, maximum)."""

    name: str
    pit: str
    game: str
    seats: int
    detail: str
    limits: tuple[int, int]


PLANS: tuple[Plan, ...] = (
    Plan("PB-01", "Sala principal", "baccarat.punto_banca", 9, "full", (50, 10_000)),
    Plan("PB-02", "Sala principal", "baccarat.mini", 7, "full", (25, 2_000)),
    Plan("PB-03", "Sala principal", "baccarat.midi", 9, "cards", (100, 5_000)),
    Plan("PB-04", "Salón VIP", "baccarat.punto_banca", 9, "cards", (500, 50_000)),
    Plan("PB-05", "Salón VIP", "baccarat.midi", 9, "result", (200, 20_000)),
    Plan("PB-06", "Sala principal", "baccarat.mini", 7, "full", (25, 1_000)),
)
CHIP = 1 * BOB


@dataclass
class House:
    """The demo casino and who may be asked to act in it."""

    casino: Casino
    users: dict[str, User] = field(default_factory=dict)
    staff: dict[str, Staff] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)

    def by(self, username: str, at: dt.datetime, reason: str = "") -> By:
        return by_user(self.users[username], occurred_at=at, reason=reason)


def build(founded: dt.datetime) -> House:
    """The house with everything but cards; its settings recorded, and in force, at `founded` (UTC)."""
    with clock.standing_at(founded):
        return _build(founded)


def _build(founded: dt.datetime) -> House:
    casino, admin = create_casino(
        code=CODE,
        particulars=Particulars(
            name="Casino Demostración",
            zone=ZONE,
            cutoff=CUTOFF,
            currency="BOB",
            denominations=DENOMINATIONS,
            licence="AJ-DEMO-0001",
        ),
        administrator=FirstLogin(ADMIN[0], ADMIN[1], PASSWORD),
    )
    house = House(casino, {ADMIN[0]: admin})
    by = house.by(ADMIN[0], founded, "puesta en marcha de la demostración")
    for username, name, role in LOGINS:
        house.users[username] = create_user(
            username=username, name=name, password=PASSWORD, roles=[role], by=by
        )
    _register_staff(house, by)
    _lay_tables(house, by)
    return house


def _register_staff(house: House, by: By) -> None:
    logins = {user.name: user for user in house.users.values()}
    expires = by.occurred_at.date() + dt.timedelta(days=540)
    for place, name in enumerate((*CROUPIERS, *SUPERVISORS), start=1):
        house.staff[name] = people.set_staff(
            number=f"{100 + place}",
            name=name,
            licence=f"AJ-C-{2_000 + place}",
            licence_expires=expires,
            games=GAMES,
            supervises=name in SUPERVISORS,
            user=logins.get(name),
            by=by,
        )


def _lay_tables(house: House, by: By) -> None:
    for game in GAMES:
        settings.publish_rules(
            game=game,
            params=registry.game(game).default_rules().to_json(),
            betting_plan="PA-DEMO-2026-01",
            by=by,
        )
    names = dict.fromkeys(plan.pit for plan in PLANS)
    pits = {name: settings.set_pit(name=name, position=n, by=by) for n, name in enumerate(names, start=1)}
    for plan in PLANS:
        table = settings.set_table(
            name=plan.name, pit=pits[plan.pit], game=plan.game, seats=plan.seats, detail=plan.detail, by=by
        )
        low, high = plan.limits[0] * BOB, plan.limits[1] * BOB
        settings.publish_limits(
            table=table,
            chip=CHIP,
            spots={"punto": (low, high), "banca": (low, high), "tie": (min(low, 25 * BOB), high // 10)},
            by=by,
        )
        house.tables[plan.name] = table
