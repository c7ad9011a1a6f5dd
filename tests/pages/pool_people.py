"""People at the pages of a pool: each act a minute after the one before."""

from __future__ import annotations

import uuid
from typing import Any

from django.test import Client

from casino.kernel.permissions import Role
from jackpots.models import Prize
from tests.builders import PASSWORD
from tests.jackpots.builders import NOTHING, PoolNight


def client(night: PoolNight, role: Role, language: str = "es-bo") -> Client:
    found = Client()
    found.force_login(night.house.users[role])
    found.cookies["django_language"] = language
    return found


def get(night: PoolNight, role: Role, path: str) -> Any:
    with night.now():
        return client(night, role).get(path)


def post(night: PoolNight, role: Role, path: str, **fields: Any) -> Any:
    """A form of a page, a minute later."""
    night.by()
    with night.now():
        return client(night, role).post(path, {"form": str(uuid.uuid4()), **fields})


def second(night: PoolNight, role: Role) -> dict[str, str]:
    return {"second": night.house.users[role].username, "second_password": PASSWORD}


def beside(night: PoolNight, **fields: Any) -> Any:
    """An act of the panel beside the felt."""
    night.by()
    asked = {"request": str(uuid.uuid4()), "number": 0, "step": 0, **fields}
    with night.now():
        address = f"/mesas/{night.tables[0].name}/progresivo/"
        return client(night, Role.SUPERVISOR).post(address, asked)


def hit(night: PoolNight, hand: str, *, seat: int = 2, credits: int = 1) -> Prize:
    """A round in which a position wins with a hand."""
    night.buy(0, seat)
    night.bet(0, seat, credits)
    night.play(0, {seat: hand, 4: NOTHING})
    return night.prizes()[-1]
