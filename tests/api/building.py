"""A house with one login per role, made by the write functions, and clients that act as them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from knox.models import AuthToken
from rest_framework.test import APIClient

from audits.by import by_system
from audits.people import create_user
from casino.kernel.permissions import Role
from casino.models import Casino, User
from tests.kept import kept_house

PASSWORD = "una clave larga 7"
LOGINS = [role for role in Role if role is not Role.SYSTEM]


class Caller(APIClient):
    """Reads English; with a token, as its login."""

    def __init__(self, token: str = "") -> None:
        super().__init__(HTTP_ACCEPT_LANGUAGE="en")
        self._token = token
        if token:
            self.credentials(HTTP_AUTHORIZATION=f"Token {token}")

    def __reduce__(self) -> Any:
        return Caller, (self._token,)


@dataclass
class House:
    casino: Casino
    users: dict[Role, User] = field(default_factory=dict)

    def client(self, role: Role | None) -> APIClient:
        """A client with a token of that role, reading English; nobody's when `None`."""
        if role is None:
            return Caller()
        _kept, token = AuthToken.objects.create(self.users[role])
        return Caller(token)


@kept_house()
def make_house(code: str = "norte") -> House:
    casino = Casino.objects.create(code=code, name=f"Casino {code}", denominations=[500, 1000, 5000])
    house = House(casino)
    for role in LOGINS:
        house.users[role] = create_user(
            username=f"{code}-{role.value}",
            name=f"Persona {role.value}",
            password=PASSWORD,
            roles=[role],
            by=by_system(casino, "tests"),
        )
    return house
