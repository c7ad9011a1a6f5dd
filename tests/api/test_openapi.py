"""The API describes itself, without warnings, with every refusal."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.utils import translation

from casino.kernel.permissions import Role
from casino.openapi import Generator
from tests.api.building import House


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return dict(Generator().get_schema(request=None, public=True))


def operations(schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method} {path}", operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]


@pytest.mark.parametrize("language", ["es-bo", "en"])
def test_the_schema_has_no_warnings(tmp_path: Any, language: str) -> None:
    with translation.override(language):
        call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yml"))


def test_the_schema_is_the_same_in_every_language() -> None:
    told = []
    for language in ("es-bo", "en"):
        with translation.override(language):
            told.append(Generator().get_schema(request=None, public=True))
    assert told[0] == told[1]


def test_every_operation_tells_its_refusals(schema: dict[str, Any]) -> None:
    assert len(operations(schema)) > 50
    for name, operation in operations(schema):
        assert set(operation["responses"]) >= {"400", "401", "403", "404", "409", "422"}, name


def test_every_write_offers_an_idempotency_key_and_those_on_money_require_it(schema: dict[str, Any]) -> None:
    required = {}
    for name, operation in operations(schema):
        if not name.startswith("post") or "/auth/" in name:
            continue
        headers = [p for p in operation["parameters"] if p["in"] == "header"]
        assert [header["name"] for header in headers] == ["Idempotency-Key"], name
        required[name] = headers[0].get("required", False)
    prefix = "post /api/v1"
    assert {name.removeprefix(prefix) for name, needed in required.items() if needed} == {
        "/auctions/{id}/bids",
        "/auctions/{id}/close",
        "/auctions/{id}/sign",
        "/banks/{id}/add",
        "/banks/{id}/deposit",
        "/banks/{id}/join",
        "/banks/{id}/pass",
        "/banks/{id}/refuse",
        "/banks/{id}/return",
        "/banks/{id}/set-aside",
        "/boxes/{id}/counts",
        "/boxes/{id}/resolve",
        "/cage-counts",
        "/chip-counts",
        "/chip-entries",
        "/chip-entries/retire",
        "/complementary/{id}/call-off",
        "/complementary/{id}/chips",
        "/complementary/{id}/credits",
        "/complementary/{id}/draw",
        "/desks/{id}/exchanges",
        "/desks/{id}/redemptions",
        "/desks/{id}/sales",
        "/funds/drops",
        "/funds/from-bank",
        "/funds/ipj",
        "/funds/moves",
        "/funds/stop",
        "/funds/to-bank",
        "/funds/withdraw",
        "/orphans",
        "/orphans/{id}/pass",
        "/orphans/{id}/return",
        "/passages/{id}/absent",
        "/passages/{id}/auction",
        "/passages/{id}/decline",
        "/passages/{id}/take",
        "/pools/{id}/complementary",
        "/pools/{id}/correct",
        "/pools/{id}/readings",
        "/pools/{id}/retire",
        "/pools/{id}/start",
        "/pools/{id}/stop",
        "/pools/{id}/suspend",
        "/pools/{id}/transfer",
        "/prizes/{id}/checks",
        "/prizes/{id}/pay",
        "/prizes/{id}/reject",
        "/progressive-bets/{id}/cancel",
        "/receipts/{id}/void",
        "/rounds/{id}/void",
        "/sessions/{id}/bank",
        "/sessions/{id}/boxes",
        "/sessions/{id}/boxes/found",
        "/sessions/{id}/close",
        "/sessions/{id}/credits",
        "/sessions/{id}/credits/return",
        "/sessions/{id}/difference",
        "/sessions/{id}/no-box",
        "/sessions/{id}/progressive-bets",
        "/sessions/{id}/reconcile",
        "/sessions/{id}/rounds",
        "/sessions/{id}/rounds/current/events",
        "/sessions/{id}/rounds/current/settle",
        "/sessions/{id}/slips",
        "/slips/{id}/issue",
        "/slips/{id}/verify",
        "/slips/{id}/void",
        "/tables/{id}/preparations",
        "/tables/{id}/sessions",
        "/tip-distributions/{id}/approve",
        "/tip-distributions/{id}/handovers",
        "/tips",
        "/transfers",
        "/transfers/{id}/accept",
        "/transfers/{id}/cancel",
    }


def test_every_list_is_paginated(schema: dict[str, Any]) -> None:
    for name, operation in operations(schema):
        if operation["operationId"].endswith("_list"):
            names = {parameter["name"] for parameter in operation["parameters"]}
            assert {"page", "page_size"} <= names, name


def test_the_schema_is_for_those_signed_in(house: House) -> None:
    assert house.client(Role.DEVICE).get("/api/v1/schema/", HTTP_ACCEPT="*/*").status_code == 200
    assert house.client(None).get("/api/v1/schema/", HTTP_ACCEPT="*/*").status_code == 401


def test_a_body_may_say_nothing_but_its_fields(schema: dict[str, Any]) -> None:
    for name, operation in operations(schema):
        for content in operation.get("requestBody", {}).get("content", {}).values():
            component = content["schema"]["$ref"].rpartition("/")[2]
            assert schema["components"]["schemas"][component]["additionalProperties"] is False, name
