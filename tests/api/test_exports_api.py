"""Exports over the API: cancelled, made again, compared, signed, delivered; and what is made each period."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audits import exports
from audits.models import Export
from casino.kernel.permissions import Role
from tests.api.pooling import Asking
from tests.builders import NIGHT, House, a_house

DAYS = {"first": "2026-11-01", "last": "2026-11-30"}


@pytest.fixture
def house(db: None, settings: Any, tmp_path: Any) -> House:
    settings.FILES_ROOT = tmp_path
    return a_house()


@pytest.fixture
def asking(house: House) -> Asking:
    return Asking(house, NIGHT)


def order(asking: Asking, **changes: Any) -> dict[str, Any]:
    given = {"report": "tables.results", "params": DAYS, "format": "json"}
    return accepted(asking, "exports", given | changes)


def accepted(asking: Asking, path: str, body: Any, who: Role = Role.COMPLIANCE) -> dict[str, Any]:
    answer = asking.ask(path, body, who)
    assert answer.status_code == 202, answer.content
    told: dict[str, Any] = answer.json()
    return told


@pytest.mark.rule("GEN-10")
def test_from_the_order_to_the_delivery(asking: Asking) -> None:
    at = f"exports/{order(asking)['id']}"
    assert asking.refused(f"{at}/sign", who=Role.COMPLIANCE)[:2] == (409, "export_not_ready")
    exports.produce(Export.objects.get().pk)
    assert [one["place"] for one in asking.made(f"{at}/sign", who=Role.COMPLIANCE)["signatures"]] == [1]
    given = {"recipient": "AJ", "how": "mail", "reference": "R-9", "receipt_sha256": "ab" * 32}
    assert asking.refused(f"{at}/deliver", given, Role.COMPLIANCE)[:2] == (422, "signatures_missing")
    asking.made(f"{at}/sign", who=Role.PIT_BOSS)
    told = asking.made(f"{at}/deliver", given, Role.COMPLIANCE)
    assert (told["delivery"]["reference"], len(told["signatures"])) == ("R-9", 2)
    assert asking.refused(f"{at}/deliver", given, Role.COMPLIANCE)[:2] == (409, "export_delivered")


@pytest.mark.rule("REC-07")
def test_made_again_and_compared(asking: Asking) -> None:
    first = order(asking)
    exports.produce(first["id"])
    again = accepted(asking, f"exports/{first['id']}/again", {"format": "pdf"})
    assert (again["purpose"], again["of"], again["state"]) == ("again", first["id"], "waiting")
    told = accepted(asking, f"exports/{first['id']}/difference", {"format": "csv"}, Role.PIT_BOSS)
    assert told["file_name"] == "tables-results-2026-11-01-2026-11-30-diferencia.csv"
    assert asking.refused(f"exports/{first['id']}/again", {"format": "docx"}, Role.COMPLIANCE)[0] == 400
    found = asking.get("exports", purpose="again")["results"]
    assert [one["id"] for one in found] == [again["id"]]


def test_cancelled(asking: Asking) -> None:
    at = f"exports/{order(asking)['id']}"
    assert asking.made(f"{at}/cancel", who=Role.COMPLIANCE)["state"] == "cancelled"
    assert asking.refused(f"{at}/cancel", who=Role.COMPLIANCE)[:2] == (409, "export_over")


def test_the_manifest(asking: Asking, house: House) -> None:
    first = order(asking)
    made = exports.produce(first["id"])
    assert made is not None
    told = asking.get(f"exports/{first['id']}/manifest")
    assert told["manifest"]["file"]["sha256"] == made.sha256
    assert json.loads(bytes(made.manifest or b"")) == told["manifest"]


@pytest.mark.rule("REC-10")
def test_scheduled(asking: Asking) -> None:
    given = {"report": "tables.operating", "every": "monthly", "format": "pdf"}
    made = asking.made("schedules", given, Role.COMPLIANCE)
    assert (made["state"], made["every"], made["params"]) == ("active", "monthly", {})
    assert asking.refused("schedules", given, Role.COMPLIANCE)[:2] == (409, "schedule_exists")
    wrong = asking.refused("schedules", {**given, "report": "tables.session"}, Role.COMPLIANCE)
    assert wrong[:2] == (422, "report_has_no_period")
    at = f"schedules/{made['id']}"
    assert asking.refused(f"{at}/resume", who=Role.COMPLIANCE)[:2] == (409, "schedule_state")
    for step, state in (("pause", "paused"), ("resume", "active"), ("remove", "removed")):
        assert asking.made(f"{at}/{step}", who=Role.COMPLIANCE)["state"] == state
    assert asking.get("schedules", state="removed")["count"] == 1
