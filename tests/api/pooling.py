"""A pool asked for over the API: a client per login, and the night's clock a second on with each request.

The pool and its tables are made by the write functions (`tests.jackpots.builders`); amounts are text here.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from knox.models import AuthToken
from rest_framework.test import APIClient

from casino.kernel import clock
from casino.kernel.permissions import Role
from tests.builders import PASSWORD, House
from tests.jackpots.builders import HOUSE, PoolNight, round_of

SECOND = dt.timedelta(seconds=1)
TERMS: dict[str, Any] = {
    "commission_bp": 1000,
    "levels": [{"code": "main", "share_bp": 8000, "base": "1000.00", "cap": None}],
    "reserves": [{"code": "reserve", "share_bp": 2000}],
    "credit": "5.00",
    "least": 1,
    "most": 4,
}


def key() -> dict[str, str]:
    return {"HTTP_IDEMPOTENCY_KEY": str(uuid.uuid4())}


def in_text(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events with their amounts as the API takes them."""
    return [{k: f"{v / 100:.2f}" if k == "amount" else v for k, v in event.items()} for event in events]


@dataclass
class Asking:
    """`at`: the instant of the last request."""

    house: House
    at: dt.datetime
    clients: dict[Role, APIClient] = field(default_factory=dict)

    def client(self, who: Role) -> APIClient:
        if who not in self.clients:
            _kept, token = AuthToken.objects.create(self.house.users[who])
            self.clients[who] = APIClient(HTTP_ACCEPT_LANGUAGE="en")
            self.clients[who].credentials(HTTP_AUTHORIZATION=f"Token {token}")
        return self.clients[who]

    def ask(self, path: str, body: Any = None, who: Role = Role.PIT_BOSS, **headers: str) -> Any:
        """The answer to a POST a second later; a key of its own unless one is given."""
        self.at += SECOND
        with clock.standing_at(self.at):
            return self.client(who).post(f"/api/v1/{path}", body or {}, **(headers or key()))

    def made(self, path: str, body: Any = None, who: Role = Role.PIT_BOSS, **headers: str) -> Any:
        answer = self.ask(path, body, who, **headers)
        assert answer.status_code in {200, 201}, answer.content
        return answer.json()

    def refused(self, path: str, body: Any = None, who: Role = Role.PIT_BOSS) -> tuple[Any, ...]:
        """Status, code, rule and field of a write that must be refused."""
        answer = self.ask(path, body, who)
        assert answer.status_code >= 400, answer.content
        assert answer["Content-Type"].startswith("application/problem+json")
        told = answer.json()
        return answer.status_code, told["code"], told["rule"], told["field"]

    def get(self, path: str, who: Role = Role.PIT_BOSS, **query: Any) -> Any:
        answer = self.looked(path, who, **query)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def looked(self, path: str, who: Role = Role.PIT_BOSS, **query: Any) -> Any:
        with clock.standing_at(self.at):
            return self.client(who).get(f"/api/v1/{path}", query)

    def second(self, who: Role = Role.COMPLIANCE, reason: str = "motivo") -> dict[str, Any]:
        """What a step by two says of the other."""
        name = self.house.users[who].username
        return {"reason": reason, "second": name, "second_password": PASSWORD}


@dataclass
class PoolDesk(Asking):
    """The same about a running pool."""

    night: PoolNight = field(kw_only=True)

    @property
    def pool(self) -> str:
        return f"pools/{self.night.pool.pk}"

    def session(self, table: int = 0) -> str:
        return f"sessions/{self.night.sessions[table].pk}"

    def buys(self, seat: int, credits: int = 10, table: int = 0, **how: Any) -> Any:
        return self.made(f"{self.session(table)}/credits", {"seat": seat, "credits": credits}, **how)

    def bets(self, seat: int, credits: int = 1, table: int = 0, **how: Any) -> Any:
        return self.made(f"{self.session(table)}/progressive-bets", {"seat": seat, "credits": credits}, **how)

    def logs(self, hands: Mapping[int, str], house: str = HOUSE, table: int = 0) -> Any:
        """A whole round in one POST."""
        number = self.get(self.session(table))["last_round"] + 1
        body = {"number": number, "events": in_text(round_of(hands, house))}
        return self.made(f"{self.session(table)}/rounds", body)

    def public(self, pool: int | None = None) -> Any:
        """The meter, asked by nobody."""
        with clock.standing_at(self.at):
            return APIClient().get(f"/api/v1/pools/{pool or self.night.pool.pk}/meter")


def seat(board: Any, number: int) -> Any:
    """One position of a board."""
    return next(one for one in board["positions"] if one["seat"] == number)


def a_desk(night: PoolNight) -> PoolDesk:
    return PoolDesk(night.house, night.clock, night=night)
