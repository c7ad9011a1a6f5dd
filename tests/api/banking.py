"""A table with a player's bank asked over the API: one clock for both, a second on with each request."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, field
from typing import Any

from knox.models import AuthToken
from rest_framework.test import APIClient

from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.models import User
from tests.bank.builders import BANCA_WINS, BankTable, bank_table
from tests.builders import BOB, House

SECOND, MILLISECOND = dt.timedelta(seconds=1), dt.timedelta(milliseconds=1)


def key() -> dict[str, str]:
    return {"HTTP_IDEMPOTENCY_KEY": str(uuid.uuid4())}


@dataclass
class Desk:
    """`table`: the bank's builder; `bank`, `passage`, `auction`: what the last answers told of."""

    house: House
    table: BankTable
    clients: dict[int, APIClient] = field(default_factory=dict)

    def client(self, who: Role | User) -> APIClient:
        user = self.house.users[who] if isinstance(who, Role) else who
        if user.pk not in self.clients:
            _kept, token = AuthToken.objects.create(user)
            self.clients[user.pk] = APIClient(HTTP_ACCEPT_LANGUAGE="en")
            self.clients[user.pk].credentials(HTTP_AUTHORIZATION=f"Token {token}")
        return self.clients[user.pk]

    def ask(
        self,
        path: str,
        body: dict[str, Any] | None = None,
        who: Role | User = Role.SUPERVISOR,
        at: dt.datetime | None = None,
        **headers: str,
    ) -> Any:
        """The answer to a POST, a second later or at an instant; a key of its own unless one is given."""
        self.table.clock += SECOND
        with clock.standing_at(at or self.table.clock):
            return self.client(who).post(f"/api/v1/{path}", body or {}, **(headers or key()))

    def made(self, path: str, body: dict[str, Any] | None = None, **how: Any) -> Any:
        """What a write that must succeed answers."""
        answer = self.ask(path, body, **how)
        assert answer.status_code in {200, 201}, answer.content
        return answer.json()

    def refused(self, path: str, body: dict[str, Any] | None = None, **how: Any) -> tuple[Any, ...]:
        """Status, code, rule and field of a write that must be refused."""
        answer = self.ask(path, body, **how)
        assert answer.status_code >= 400, answer.content
        told = answer.json()
        return answer.status_code, told["code"], told["rule"], told["field"]

    def get(self, path: str, who: Role | User = Role.SUPERVISOR, **query: Any) -> Any:
        with clock.standing_at(self.table.clock):
            answer = self.client(who).get(f"/api/v1/{path}", query)
        assert answer.status_code == 200, answer.content
        return answer.json()

    @property
    def session(self) -> str:
        return f"sessions/{self.table.session.pk}"

    def situation(self) -> Any:
        return self.get(f"{self.session}/bank")

    def passed(self) -> int:
        """Seat 4 opens with 500, wins 100 less 5, and passes it: the passage's id."""
        bank = self.made(f"{self.session}/bank", {"seat": 4, "amount": "500.00"})["bank"]
        self.table.play(BANCA_WINS, {1: 100 * BOB})
        return int(self.made(f"banks/{bank['id']}/pass")["passage"]["id"])

    def declined(self) -> int:
        """The same, and nobody wants it, not even who passed it."""
        passage = self.passed()
        for seat in (1, 6, 4):
            self.made(f"passages/{passage}/decline", {"seat": seat})
        return passage

    def auction(self, form: str = "outcry") -> Any:
        return self.made(f"passages/{self.declined()}/auction", {"form": form})

    def over(self, auction: dict[str, Any]) -> dt.datetime:
        """The instant at which it closes, as it stands; the table's clock goes there."""
        closes = dt.datetime.fromisoformat(self.get(f"auctions/{auction['id']}")["closes_at"])
        self.table.clock = closes
        return closes


def choice(situation: Any, do: str) -> Any:
    """What of the situation may be done now under this word."""
    return next(one for one in situation["choices"] if one["do"] == do)


def a_desk(house: House) -> Desk:
    """Players on seats 1, 4 and 6 of nine; nobody has the bank."""
    return Desk(house, bank_table(house, 1, 4, 6))
