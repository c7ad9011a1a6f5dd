"""A floor built through the API alone: settings, staff, inspected decks, a ready shoe, an open table."""

from __future__ import annotations

import uuid
from typing import Any

from rest_framework.test import APIClient

from casino.kernel.permissions import Role
from shoes.moving import DESK
from tests.api.building import PASSWORD, House
from tests.kept import kept

FLOAT = [{"denomination": "10.00", "count": 500}, {"denomination": "50.00", "count": 100}]
"""500 x 10,00 + 100 x 50,00 = 10.000,00."""

STEPS: list[tuple[str, dict[str, Any]]] = [
    ("show", {}),
    ("wash", {}),
    ("shuffle", {"kind": "double"}),
    ("check", {"sequences": "none"}),
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


def receipt(house: House, serials: list[str], **more: Any) -> dict[str, Any]:
    """The body that enters decks, each box sealed with its serial number; compliance signs as well."""
    return {
        "serials": serials, "maker": "Naipes del Sur", "batch": "L-1", "back_design": "rombos",
        "back_colour": "rojo", "homologation": "AJ-2026-0007",
        "received_with": house.users[Role.COMPLIANCE].username, "received_with_password": PASSWORD, **more,
    }  # fmt: skip


class Floor:
    """One Mini Punto y Banca table, `PB-01`, at detail `full`, limits 10,00 to 5.000,00."""

    def __init__(self, house: House) -> None:
        laid = _furnished(house)
        self.house, self.clients, self.table = house, laid.clients, laid.table
        self.dealer, self.supervisor = laid.dealer, laid.supervisor

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

    def receipt(self, serials: list[str], **more: Any) -> dict[str, Any]:
        return receipt(self.house, serials, **more)

    def issue(self, serials: list[str], place: str = DESK) -> list[dict[str, Any]]:
        """Decks of the store handed to the croupier, the seal read on each box that of its receipt."""
        body = {
            "decks": [{"serial": serial, "seal": serial} for serial in serials],
            "place": place,
            "received_by": self.house.users[Role.CROUPIER].actor.pk,
        }
        return list(self.made(self.clients[Role.PIT_BOSS], "decks/issue", body))

    def found(self, **more: Any) -> dict[str, Any]:
        """What is found in a whole deck, the croupier being the witness."""
        witness = self.house.users[Role.CROUPIER].actor.pk
        return {"counted": 52, "by_suit_shown": True, "backs_checked": True, "witness": witness, **more}

    def passed_decks(self, serials: list[str], **more: Any) -> list[dict[str, Any]]:
        """Decks received, issued to the desk and passed there."""
        boss = self.clients[Role.PIT_BOSS]
        self.made(boss, "decks", self.receipt(serials, **more))
        decks = self.issue(serials)
        for deck in decks:
            self.made(boss, f"decks/{deck['id']}/inspections", self.found())
        return decks

    def shoe(self, serials: list[str], steps: list[tuple[str, dict[str, Any]]] = STEPS) -> dict[str, Any]:
        """A shoe of these decks, prepared by the pit boss; the supervisor checks the shuffle (GEN-10)."""
        boss, supervisor = self.clients[Role.PIT_BOSS], self.clients[Role.SUPERVISOR]
        shoe = self.made(boss, "shoes", {"game": "baccarat.mini"})
        for step, data in [("decks", {"serials": serials}), *steps]:
            client = supervisor if step == "check" else boss
            shoe = self.made(client, f"shoes/{shoe['id']}/steps", {"step": step, "data": data})
        return dict(shoe)

    def ready_shoe(self, prefix: str = "A") -> dict[str, Any]:
        serials = [f"{prefix}-{number}" for number in range(6)]
        self.passed_decks(serials, batch=prefix)
        shoe = self.shoe(serials)
        assert shoe["state"] == "ready"
        return shoe

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


@kept
def _furnished(house: House) -> Floor:
    """A floor as it begins, every request of which is made once."""
    floor = Floor.__new__(Floor)
    floor.house = house
    floor.clients = {role: house.client(role) for role in house.users}
    admin, boss = floor.clients[Role.ADMINISTRATOR], floor.clients[Role.PIT_BOSS]
    pit = floor.made(admin, "pits", {"name": "Sala", "reason": "apertura"})
    floor.table = floor.made(
        admin,
        "tables",
        {
            "name": "PB-01", "pit": pit["id"], "game": "baccarat.mini", "seats": 7, "detail": "full",
            "reason": "apertura",
        },
    )  # fmt: skip
    floor.made(
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
    floor.made(
        boss, f"tables/{floor.table['id']}/limits", {"chip": "5.00", "spots": spots, "reason": "apertura"}
    )
    floor.dealer = floor.staff("C-1", user=house.users[Role.CROUPIER].pk)
    floor.supervisor = floor.staff("J-1", supervises=True)
    return floor
