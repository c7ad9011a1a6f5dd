"""Asking the API in the tests of the cards: who signs, what is refused, what a list holds."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

from casino.kernel.permissions import Role
from tests.api.floor import Floor


def user(floor: Floor, role: Role) -> str:
    return floor.house.users[role].username


def actor(floor: Floor, role: Role) -> int:
    return floor.house.users[role].actor.pk


def refused(client: APIClient, path: str, body: dict[str, Any]) -> tuple[int, str, str, str]:
    """Status, code, rule and field of a write that must be refused."""
    response = client.post(f"/api/v1/{path}", body)
    assert response.status_code >= 400, response.content
    told = response.json()
    return response.status_code, told["code"], told["rule"], told["field"]


def listed(client: APIClient, path: str, **query: Any) -> list[dict[str, Any]]:
    response = client.get(f"/api/v1/{path}", query)
    assert response.status_code == 200, response.content
    return list(response.json()["results"])


def serials(rows: list[dict[str, Any]], name: str = "serial") -> list[str]:
    return [row[name] for row in rows]
