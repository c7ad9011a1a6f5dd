"""A floor built through the API alone: settings, staff, inspected decks, a ready shoe, an open table."""

from __future__ import annotations

import uuid
from typing import Any

from rest_framework.test import APIClient

from casino.kernel.permissions import Role
from tests.api.building import House

FLOAT = [{"denomination": "10.00", "count": 500}, {"denomination": "50.00", "count": 100}]
"""500 x 10,00 + 100 x 50,00 = 10.000,00."""

STEPS: list[tuple[str, dict[str, Any]]] = [
    ("show", {}),
    ("wash", {}),
    ("shuffle", {"kind": "double"}),
    ("cut", {"declined": [], "cut_by": 1, "position": 150}),
    ("turn", {}),
    ("load", {"stop_card_from_end": 6}),
    ("burn", {"card": "2c", "burned": 2}),
]

# Punto 5s + 4h = 9, a natural (BAC-13); banca Kc + 2d = 2. Punto wins 9 to 2.
EVENTS: list[dict[str, Any]] = [
    {"e": "bet", "seat": 1, "spot": "punto", "amount": "100.00"},
    {"e": "bet", "seat": 2, "spot": "banca", "amount": "50.00"},
    {"e": "close"},
    {"e": "card", "to": "punto", "card": "5s"},
    {"e": "card", "to": "banca", "card": "Kc"},
    {"e": "card", "to": "punto", "card": "4h"},
    {"e": "card", "to": "banca", "card": "2d"},
]


def key() -> dict[str, str]:
    return {"HTTP_IDEMPOTENCY_KEY": str(uuid.uuid4())}


class Floor:
    """One Mini Punto y Banca table, `PB-01`, at detail `full`, limits 10,00 to 5.000,00."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.clients = {role: house.client(role) for role in house.users}
        admin, boss = self.clients[Role.ADMINISTRATOR], self.clients[Role.PIT_BOSS]
        pit = self.made(admin, "pits", {"name": "Sala", "reason": "apertura"})
        self.table = self.made(
            admin,
            "tables",
            {
                "name": "PB-01", "pit": pit["id"], "game": "baccarat.mini", "seats": 7, "detail": "full",
                "reason": "apertura",
            },
        )  # fmt: skip
        self.made(
            admin,
            "rules",
            {
                "game": "baccarat.mini",
                "params": {},
                "betting_plan": "PA-1",
                "reason": "apertura",
                "confirmed_by": "Pruebas",
                "confirmation": "cifras del reglamento, para pruebas",
            },
        )
        spots = {spot: {"minimum": "10.00", "maximum": "5000.00"} for spot in ("punto", "banca", "tie")}
        self.made(
            boss, f"tables/{self.table['id']}/limits", {"chip": "5.00", "spots": spots, "reason": "apertura"}
        )
        self.dealer = self.staff("C-1", user=house.users[Role.CROUPIER].pk)
        self.supervisor = self.staff("J-1", supervises=True)

    def made(self, client: APIClient, path: str, body: dict[str, Any], **headers: Any) -> Any:
        """The answer to a write that must succeed."""
        response = client.post(f"/api/v1/{path}", body, **headers)
        assert response.status_code in {200, 201}, response.content
        return response.json()

    def staff(self, number: str, **more: Any) -> dict[str, Any]:
        body = {
            "number": number, "name": f"Persona {number}", "licence": f"AJ-{number}",
            "licence_expires": "2099-12-31", "games": ["baccarat.mini"], "reason": "ingreso", **more,
        }  # fmt: skip
        return dict(self.made(self.clients[Role.ADMINISTRATOR], "staff", body))

    def ready_shoe(self, prefix: str = "A") -> dict[str, Any]:
        boss = self.clients[Role.PIT_BOSS]
        serials = [f"{prefix}-{number}" for number in range(6)]
        particulars = {"maker": "M", "batch": prefix, "back_design": "rombos", "back_colour": "rojo"}
        witness = self.house.users[Role.CROUPIER].actor.pk
        for deck in self.made(boss, "decks", {"serials": serials, **particulars}):
            found = {"counted": 52, "by_suit_shown": True, "backs_checked": True, "witness": witness}
            self.made(boss, f"decks/{deck['id']}/inspections", found)
        shoe = self.made(boss, "shoes", {"game": "baccarat.mini"})
        for step, data in [("decks", {"serials": serials}), *STEPS]:
            shoe = self.made(boss, f"shoes/{shoe['id']}/steps", {"step": step, "data": data})
        assert shoe["state"] == "ready"
        return dict(shoe)

    def opening(self) -> dict[str, Any]:
        return {
            "shoe": self.ready_shoe()["id"],
            "chips": FLOAT,
            "dealer": self.dealer["id"],
            "supervisor": self.supervisor["id"],
        }

    def open(self) -> dict[str, Any]:
        path = f"tables/{self.table['id']}/sessions"
        return dict(self.made(self.clients[Role.SUPERVISOR], path, self.opening(), **key()))
