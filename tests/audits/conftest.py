"""A founded house to test the ground floor with, and ways around its guards for the tampering tests."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from audits import incidents, trail
from audits.by import By, by_user
from audits.casinos import FirstLogin, Particulars, create_casino
from audits.models import Event, Seal
from audits.people import create_user
from casino.kernel.commands import one_transaction
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from casino.models import Casino, User
from tests.audits.incident_people import FAULT, People, the_people
from tests.audits.seal_days import key_folder, key_of, sealed_nights  # noqa: F401
from tests.kept import kept_house

PASSWORD = "mesa-verde-2026"


@dataclass(frozen=True)
class House:
    casino: Casino
    admin: User

    def by(self, user: User | None = None, reason: str = "prueba") -> By:
        return by_user(user or self.admin, reason=reason)

    def person(self, username: str, *roles: Role) -> User:
        return create_user(
            username=username, name=username.title(), password=PASSWORD, roles=roles, by=self.by()
        )

    def record(self, stream: str = "prueba", rules: Iterable[str] = (), **data: Any) -> Event:
        """One event, in a transaction of its own."""
        with one_transaction():
            return trail.record(
                "audits.casino.set",
                stream=stream,
                subject=trail.Subject("casino", self.casino.pk, self.casino.name),
                by=self.by(),
                data=data,
                rules=rules,
            )


@kept_house()
def found(code: str = "illimani") -> House:
    casino, admin = create_casino(
        code=code,
        particulars=Particulars(
            name="Casino Illimani",
            zone="America/La_Paz",
            cutoff=dt.time(6),
            currency="BOB",
            denominations=[1000, 5000, 10000],
            licence="AJ-0001",
        ),
        administrator=FirstLogin(f"admin-{code}", "Ana Quispe", PASSWORD),
    )
    return House(casino, admin)


@pytest.fixture
def house(db: None) -> House:
    return found()


@pytest.fixture
def committed_house(transactional_db: None) -> House:
    """The same, really committed: for a second connection and for what is checked at commit."""
    return found()


@pytest.fixture
def founder() -> Callable[[str], House]:
    return found


@pytest.fixture
def files(tmp_path: Path, settings: Any) -> Path:
    settings.FILES_ROOT = tmp_path
    return tmp_path / "exports"


@contextmanager
def _past_the_guards() -> Iterator[None]:
    """What somebody who owns the server can do: switch every trigger off for a while."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        try:
            yield
        finally:
            cursor.execute("SET session_replication_role = origin")


@pytest.fixture
def past_the_guards() -> Callable[[], AbstractContextManager[None]]:
    return _past_the_guards


@pytest.fixture
def second_connection() -> Iterator[BaseDatabaseWrapper]:
    aside = connections.create_connection(DEFAULT_DB_ALIAS)
    yield aside
    aside.close()


@pytest.fixture
def own_hooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what the test registers takes part, and it is forgotten afterwards."""
    monkeypatch.setattr(incidents, "_kinds", dict(incidents._kinds))
    monkeypatch.setattr(incidents, "_freezers", {})
    monkeypatch.setattr(incidents, "_objections", [])
    incidents.register_kind(FAULT, Text("falla en las cartas", "fault in the cards"), rules=("CARD-15",))


@pytest.fixture
def people(house: House, own_hooks: None) -> People:
    return the_people(house)


@pytest.fixture
def nights(house: House, key_folder: Path) -> list[Seal]:  # noqa: F811
    """Three sealed days. `a` has 3, 5, 6 events at their seals, `b` 1, 1, 2."""
    key_of(house)
    return sealed_nights(house, [{"a": 3, "b": 1}, {"a": 2}, {"a": 1, "b": 1}])
