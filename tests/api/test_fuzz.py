"""Whatever the schema allows, and much it does not, is answered as the schema says and never by a failure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, seed, settings
from knox.models import AuthToken
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from casino.kernel.permissions import Role
from casino.wsgi import application
from tests.api.building import House
from tests.api.floor import Floor

EXAMPLES = 6
"""Requests per operation and mode; some 100 operations are tried."""

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]

# A request beyond the role is refused before it is read: each operation is tried by one who may.
BY_ADMINISTRATOR = ("/users", "/pits", "/staff", "/rules", "/tables/{id}/change")
BY_COMPLIANCE = ("/decks/release", "/incidents/{id}/notice")


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


def authorization(house: House, role: Role) -> dict[str, str]:
    _kept, token = AuthToken.objects.create(house.users[role])
    return {"Authorization": f"Token {token}"}


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
    boss = authorization(house, Role.PIT_BOSS)
    others = {
        BY_ADMINISTRATOR: authorization(house, Role.ADMINISTRATOR),
        BY_COMPLIANCE: authorization(house, Role.COMPLIANCE),
    }
    with connection_kept_open():
        schema = schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", application, headers=boss)
        tried = 0
        for found in schema.get_all_operations():
            operation = found.ok()
            if "/auth/" in operation.path:
                continue
            path = operation.path.removeprefix("/api/v1")
            who = next((headers for paths, headers in others.items() if path.startswith(paths)), boss)
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                attempt(operation, mode, who)()
            tried += 1
    assert tried > 50
