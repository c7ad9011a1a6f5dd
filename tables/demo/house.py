"""The demonstration casino before anybody plays: particulars, logins, staff, tables, rules, limits."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from audits.by import By, by_user
from audits.casinos import FirstLogin, Particulars, create_casino
from audits.people import create_user
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import Casino, User
from tables import edges, people, settings
from tables.demo import CODE, PASSWORD, filings
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
# Who came with the other games; after the first ones, whose numbers docs/api.md names.
MORE_CROUPIERS = (
    "Wilson Tarqui", "Gladys Huanca", "Edwin Siles", "Noemí Callisaya", "Ariel Montaño",
    "Sonia Choquehuanca", "Franz Illanes", "Lidia Cusi", "Rubén Alanoca", "Paola Villca",
    "Mauricio Roca", "Jhenny Aruquipa", "Omar Justiniano", "Karina Balderrama", "Édgar Limachi",
)  # fmt: skip
MORE_SUPERVISORS = (
    "Ernesto Pinto", "Miriam Zeballos", "Alfredo Quiroga", "Nancy Terrazas", "Gonzalo Mercado",
    "Rosa Ibáñez",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plan:
    """One table of the demo. `limits` of the main bets in whole bolivianos; side bets have a tenth. `stakes`:
    what a poker ring is played for, by spot, instead."""

    name: str
    pit: str
    game: str
    seats: int
    detail: str
    limits: tuple[int, int]
    stakes: Mapping[str, tuple[int, int]] = field(default_factory=dict)


_ALL_PLANS: tuple[Plan, ...] = (
    Plan("PB-01", "Sala principal", "baccarat.punto_banca", 9, "full", (50, 10_000)),
    Plan("PB-02", "Sala principal", "baccarat.mini", 7, "full", (25, 2_000)),
    Plan("PB-03", "Sala principal", "baccarat.midi", 9, "cards", (100, 5_000)),
    Plan("PB-04", "Salón VIP", "baccarat.punto_banca", 9, "cards", (500, 50_000)),
    Plan("PB-05", "Salón VIP", "baccarat.midi", 9, "result", (200, 20_000)),
    Plan("PB-06", "Sala principal", "baccarat.mini", 7, "full", (25, 1_000)),
    Plan("BJ-01", "Black Jack y ruleta", "blackjack.classic", 7, "full", (25, 2_000)),
    Plan("BJ-02", "Black Jack y ruleta", "blackjack.perfect_pairs", 7, "cards", (50, 5_000)),
    Plan("RU-01", "Black Jack y ruleta", "roulette.single_zero", 7, "full", (5, 500)),
    Plan("TC-01", "Salón VIP", "trente.classic", 10, "full", (100, 10_000)),
    Plan("CP-01", "Poker", "poker.caribbean", 7, "full", (25, 500)),
    Plan("TX-01", "Poker", "poker.texas", 9, "full", (5, 10), {"blind": (5, 10), "buy_in": (500, 2_000)}),
)
PLANS: tuple[Plan, ...] = tuple(plan for plan in _ALL_PLANS if plan.game in registry.GAMES)
GAMES = tuple(dict.fromkeys(plan.game for plan in PLANS))
SIDE_BETS = frozenset({"tie", "perfect_pairs", "pair", "insurance", "progressive", "pair_plus"})
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
    with recorded_at(founded):
        return _build(founded)


def recorded_at(at: dt.datetime) -> AbstractContextManager[None]:
    """Settings are recorded when the clock says: for those of the demonstration it stands at `at` (UTC)."""
    return clock.standing_at(at)


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
    for place, name in enumerate((*CROUPIERS, *SUPERVISORS, *MORE_CROUPIERS, *MORE_SUPERVISORS), start=1):
        house.staff[name] = people.set_staff(
            number=f"{100 + place}",
            name=name,
            licence=f"AJ-C-{2_000 + place}",
            licence_expires=expires,
            games=GAMES,
            supervises=name in (*SUPERVISORS, *MORE_SUPERVISORS),
            user=logins.get(name),
            by=by,
        )


def _forced(game: str) -> str:
    """Why the demonstration has rules that favour the player: a table of the book is provisional (PH-13)."""
    engine = registry.game(game)
    provisional = "tabla de pagos provisional del reglamento, sólo para mostrar el sistema"
    return provisional if edges.favouring(engine, engine.default_rules()) else ""


def _lay_tables(house: House, by: By) -> None:
    filed = house.by("compliance", by.occurred_at), house.by("pitboss", by.occurred_at)
    rules = {game: registry.game(game).default_rules().to_json() for game in GAMES}
    filings.lay(house.casino, rules, filed[1], filed[0], by)
    for game in GAMES:
        settings.publish_rules(
            game=game,
            params=registry.game(game).default_rules().to_json(),
            betting_plan="PA-DEMO-2026-01",
            confirmed_by="Demostración",
            confirmation="cifras del reglamento para mostrar el sistema; ningún operador las confirmó",
            forced=_forced(game),
            by=by,
        )
    names = dict.fromkeys(plan.pit for plan in PLANS)
    pits = {name: settings.set_pit(name=name, position=n, by=by) for n, name in enumerate(names, start=1)}
    for plan in PLANS:
        table = settings.set_table(
            name=plan.name, pit=pits[plan.pit], game=plan.game, seats=plan.seats, detail=plan.detail, by=by
        )
        settings.publish_limits(table=table, chip=CHIP, spots=_limits(plan), by=by)
        house.tables[plan.name] = table


def _limits(plan: Plan) -> dict[str, tuple[int, int]]:
    """The limits of a table by spot, smallest units."""
    if plan.stakes:
        return {spot: (low * BOB, high * BOB) for spot, (low, high) in plan.stakes.items()}
    game = registry.game(plan.game)
    low, high = plan.limits[0] * BOB, plan.limits[1] * BOB
    side = (min(low, 25 * BOB), high // 10)
    return {spot: side if spot in SIDE_BETS else (low, high) for spot in game.layout or game.spots}
