"""Whatever the schema allows, and much it does not, is answered as the schema says and never by a failure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.urls import resolve
from hypothesis import HealthCheck, Phase, given, seed, settings
from knox.models import AuthToken
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from casino import access
from casino.kernel.permissions import Role
from casino.wsgi import application
from tests.api.building import LOGINS, House
from tests.api.floor import Floor

EXAMPLES = 2
"""Requests per operation and mode; some 240 operations are tried."""

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]


@contextmanager
def connection_kept_open() -> Iterator[None]:
    """The WSGI handler would close the connection that holds the test's transaction."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


class Callers:
    """Who tries what. A request beyond the role is refused before it is read, so one who may does it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.headers: dict[Role, dict[str, str]] = {}

    def of(self, operation: Any) -> dict[str, str]:
        """The pit boss where they may, or else the first login that may."""
        address = resolve(re.sub(r"\{\w+\}", "1", operation.path)).view_name
        act = access.act_for(address, operation.method.upper())
        assert act, address
        willing = [role for role in (Role.PIT_BOSS, *LOGINS) if access.allows(self.house.users[role], act)]
        return self.authorization(willing[0])

    def authorization(self, role: Role) -> dict[str, str]:
        if role not in self.headers:
            _kept, token = AuthToken.objects.create(self.house.users[role])
            self.headers[role] = {"Authorization": f"Token {token}"}
        return self.headers[role]


def modes(operation: Any) -> list[GenerationMode]:
    """As the schema allows, and as it does not: of an operation that takes nothing, nothing can be wrong."""
    takes = [*operation.path_parameters, *operation.query, *operation.body]
    return [GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if takes else [])]


def attempt(operation: Any, mode: GenerationMode, headers: dict[str, str]) -> Callable[[], None]:
    @seed(20_261_129)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def tried(case: Any) -> None:
        case.call_and_validate(headers=headers, checks=CHECKS)

    return tried


def test_no_request_is_a_failure_of_ours(house: House) -> None:
    Floor(house).open()
    callers = Callers(house)
    with connection_kept_open():
        boss = callers.authorization(Role.PIT_BOSS)
        schema = schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", application, headers=boss)
        tried = 0
        for found in schema.get_all_operations():
            operation = found.ok()
            if "/auth/" in operation.path:
                continue
            for mode in modes(operation):
                attempt(operation, mode, callers.of(operation))()
            tried += 1
    assert tried > 200
