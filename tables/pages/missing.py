"""What a house still lacks before its first table opens, in the order it is set up."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.urls import reverse

from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import User
from shoes.models import Deck
from tables.models import BetLimits, GameRules, Pit, Staff, Table


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to set: what, whether it is there, what lacks it, where it is set and by which act."""

    words: Text
    done: bool
    lacking: tuple[str, ...]
    url: str
    act: str


def steps(user: User) -> list[Step]:
    """Pits, tables, rules, limits, logins, staff, decks: each done or not, for the user's casino."""
    house = user.casino_id
    tables = Table.objects.filter(casino=house, active=True)
    games = set(tables.values_list("game", flat=True))
    ruled = set(GameRules.objects.filter(casino=house).values_list("game", flat=True))
    unruled = sorted(games - ruled)
    unlimited = list(tables.exclude(Exists(BetLimits.objects.filter(table=OuterRef("pk")))).order_by("name"))
    chiefs = User.objects.filter(
        casino=house, is_active=True, role_codes__overlap=[Role.SUPERVISOR.value, Role.PIT_BOSS.value]
    )
    staff = Staff.objects.filter(casino=house, active=True)
    crewed = staff.filter(supervises=True).exists() and staff.exclude(games=[]).exists()
    limits = reverse("settings-limits", args=[unlimited[0].pk]) if unlimited else reverse("settings-tables")
    rules = reverse("settings-rules", args=[unruled[0]]) if unruled else reverse("settings-games")
    place = "tables.settings.set"
    return [
        _step(
            "un sector", "a pit", Pit.objects.filter(casino=house).exists(), reverse("settings-pits"), place
        ),
        _step("una mesa", "a table", bool(games), reverse("settings-tables"), place),
        Step(
            Text("las reglas de cada juego", "the rules of each game"),
            bool(games) and not unruled,
            tuple(unruled),
            rules,
            "tables.rules.publish",
        ),
        Step(
            Text("los límites de cada mesa", "the limits of each table"),
            bool(games) and not unlimited,
            tuple(table.name for table in unlimited),
            limits,
            "tables.limits.set",
        ),
        _step(
            "un usuario jefe de sala o de mesa",
            "a pit boss's or supervisor's login",
            chiefs.exists(),
            reverse("settings-users"),
            "audits.user.manage",
        ),
        _step(
            "un croupier y un jefe de mesa",
            "a dealer and a supervisor",
            crewed,
            reverse("settings-staff"),
            "tables.staff.manage",
        ),
        _step(
            "barajas ingresadas",
            "decks received",
            Deck.objects.filter(casino=house).exists(),
            reverse("decks"),
            "shoes.deck.register",
        ),
    ]


def _step(es: str, en: str, done: bool, url: str, act: str) -> Step:
    return Step(Text(es, en), done, (), url, act)
