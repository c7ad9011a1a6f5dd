"""The `audit` cases: one entry per act, its author known whoever saves, a long trail read in part."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from audits import exports, trail
from audits.models import Event
from casino.kernel import clock
from casino.kernel.commands import one_transaction
from casino.kernel.permissions import Role
from tables import plans, tasks
from tables.models import BetLimits, Staff, TableSession
from tables.plan_windows import Limits, Window
from tests.builders import BOB, NIGHT, House

GAMES = ["baccarat.midi", "baccarat.mini"]
MORE_GAMES = [*GAMES, "baccarat.punto_banca"]


def histories() -> list[Any]:
    return [model for model in apps.get_models() if hasattr(model, "history_id")]


def rows_in_history() -> int:
    return sum(model.objects.count() for model in histories())


# ---- DJA-002: a plain field and a list that hangs on it, changed by one form ---------------------------


@pytest.fixture
def ana(house: House) -> Staff:
    return house.person(number="C-9", name="Ana Poma", licence="AJ-9", games=GAMES)


def by_page(house: House, ana: Staff) -> None:
    client = Client()
    client.force_login(house.users[Role.ADMINISTRATOR])
    form = {
        "number": "C-9", "name": "Ana Poma Ríos", "licence": "AJ-9", "licence_expires": "2099-12-31",
        "games": MORE_GAMES, "active": "on", "reason": "se casó y aprobó el curso",
    }  # fmt: skip
    assert client.post(f"/ajustes/personal/{ana.pk}/", form).status_code == 302


def by_api(house: House, ana: Staff) -> None:
    client = Client()
    client.force_login(house.users[Role.ADMINISTRATOR])
    body = {
        "number": "C-9", "name": "Ana Poma Ríos", "licence": "AJ-9", "licence_expires": "2099-12-31",
        "games": MORE_GAMES, "reason": "se casó y aprobó el curso",
    }  # fmt: skip
    address = f"/api/v1/staff/{ana.pk}/change"
    answer = client.post(address, json.dumps(body), content_type="application/json")
    assert answer.status_code == 200, answer.content


@pytest.mark.rule("REC-06")
@pytest.mark.parametrize("way", [by_page, by_api])
def test_dja_002_one_form_is_one_entry(house: House, ana: Staff, way: Any) -> None:
    """Case DJA-002: the library wrote two rows, one for the field and one for the list; people saw both."""
    events, versions = Event.objects.count(), rows_in_history()
    way(house, ana)
    ana.refresh_from_db()
    assert (ana.name, sorted(ana.games)) == ("Ana Poma Ríos", sorted(MORE_GAMES))
    assert Event.objects.count() - events == 1
    assert rows_in_history() - versions == 1
    told = Event.objects.latest("pk")
    assert (told.action, told.subject_id) == ("tables.staff.changed", ana.pk)


def test_dja_002_no_tracked_model_has_a_list_of_its_own_table() -> None:
    """What would write a row of its own by a signal."""
    tracked = [model for model in apps.get_models() if hasattr(model, "history") and not is_history(model)]
    assert len(tracked) >= 10
    assert [model for model in tracked if model._meta.many_to_many] == []


def is_history(model: Any) -> bool:
    return hasattr(model, "history_id")


# ---- DJA-003: what a worker changes has an author ------------------------------------------------------


def limits(low: int, high: int) -> Limits:
    pair = (low * BOB, high * BOB)
    return Limits(5 * BOB, {"punto": pair, "banca": pair, "tie": (5 * BOB, 200 * BOB)})


@pytest.mark.rule("REC-06")
def test_dja_003_a_job_at_night_signs_with_its_own_name(house: House) -> None:
    """Case DJA-003, the second half: no request, no user; the job's name stands there, never nothing."""
    table = house.table()
    with clock.standing_at(NIGHT):
        plans.publish_plan(
            table=table,
            windows=[Window(tuple(range(7)), dt.time(20), dt.time(4), limits(100, 5_000))],
            otherwise=limits(50, 500),
            by=house.by(Role.PIT_BOSS, NIGHT, "plan de la casa"),
        )
        tasks.apply_limits_plans()
    published = BetLimits.objects.filter(table=table).latest("pk")
    version = published.history.latest()  # type: ignore[attr-defined]
    assert version.history_user.username == f"system:{house.casino.code}:limits-plan"
    event = Event.objects.filter(action="tables.limits.published").latest("pk")
    assert (event.actor.kind, event.actor.name) == ("system", "limits-plan")
    assert json.loads(bytes(event.body))["actor"]["name"] == "limits-plan"


def test_dja_003_what_is_done_for_somebody_names_them(house: House, settings: Any, tmp_path: Path) -> None:
    """Case DJA-003, the first half: the worker produces what U asked for, and the trail says both."""
    settings.FILES_ROOT = tmp_path
    asked = exports.request_export(
        report="audits.incidents",
        params={"first": "2026-11-20", "last": "2026-11-20"},
        format="csv",
        language="es-bo",
        by=house.by(Role.COMPLIANCE),
    )
    exports.produce(asked.pk)
    told = Event.objects.filter(subject_type="export", subject_id=asked.pk).order_by("seq")
    who = [(event.action.rpartition(".")[2], event.actor.kind, event.actor.name) for event in told]
    user = house.users[Role.COMPLIANCE]
    assert who == [("requested", "staff", user.name), ("finished", "system", "exports")]
    asked.refresh_from_db()
    assert asked.requested_by.user == user


def test_dja_003_no_version_of_anything_is_without_an_author(house: House) -> None:
    house.open_table()
    kept = [model for model in histories() if model.objects.exists()]
    assert len(kept) >= 4
    assert [model for model in kept if model.objects.filter(history_user=None).exists()] == []


# ---- DJA-004: a model that says it has no author ------------------------------------------------------


@pytest.mark.rule("REC-06")
def test_dja_004_a_property_that_says_nobody_does_not_erase_the_author(
    house: House, ana: Staff, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case DJA-004: it won over the request's user, and the version stood there without an author."""
    monkeypatch.setattr(Staff, "_history_user", property(lambda self: None), raising=False)
    by_page(house, Staff.objects.get(pk=ana.pk))
    version = ana.history.latest()  # type: ignore[attr-defined]
    assert version.history_user == house.users[Role.ADMINISTRATOR]
    assert version.history_change_reason == "se casó y aprobó el curso"


def test_dja_004_a_row_saved_by_another_way_stays_as_it_was(house: House, ana: Staff) -> None:
    found = Staff.objects.get(pk=ana.pk)
    found.name = "Otra"
    with pytest.raises(RuntimeError, match="save_version"):
        found.save()
    assert Staff.objects.get(pk=ana.pk).name == "Ana Poma"


# ---- DJA-006: a trail nine times as long as its table -------------------------------------------------

PAGE, STREAMS, EACH = 50, 100, 300


def test_dja_006_what_changes_every_round_has_no_history() -> None:
    """Case DJA-006: 18.8 million versions of 2.2 million rows came of counters saved again and again."""
    tracked = {
        model.__name__ for model in apps.get_models() if hasattr(model, "history") and not is_history(model)
    }
    counted_by_the_round = {
        "TableSession",
        "Round",
        "Bet",
        "Shoe",
        "Deck",
        "Fund",
        "SeatCredits",
        "ChipStock",
        "Bank",
    }
    known = {model.__name__ for model in apps.get_models()}
    assert counted_by_the_round <= known
    assert not counted_by_the_round & tracked


def test_dja_006_saving_without_a_change_of_a_round_writes_no_version(house: House) -> None:
    session = house.open_table()
    before = rows_in_history()
    TableSession.objects.get(pk=session.pk).save()
    assert rows_in_history() == before


def test_dja_006_every_history_is_found_by_its_row_and_by_date(db: None) -> None:
    with connection.cursor() as cursor:
        for model in histories():
            table = model._meta.db_table
            found = connection.introspection.get_constraints(cursor, table)
            first = {one["columns"][0] for one in found.values() if one["index"] or one["unique"]}
            assert {"id", "history_date"} <= first, table


@pytest.fixture
def long_trail(house: House) -> list[str]:
    """Thirty thousand events in a hundred chains, as rows: the plans are of interest, not what they say."""
    for stream in range(STREAMS):
        with one_transaction():
            trail.record(
                "audits.casino.set",
                stream=f"session:{9_000 + stream}",
                subject=trail.Subject("table", 9_000 + stream, "PB"),
                by=house.by(Role.ADMINISTRATOR),
                data={},
            )
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE audits_event DISABLE TRIGGER USER")
        cursor.execute(
            "INSERT INTO audits_event (casino_id, stream_id, seq, occurred, recorded, actor_id, action,"
            " subject_type, subject_id, subject_label, rules, request, body, previous_hash, hash)"
            " SELECT casino_id, stream_id, seq + n, occurred, recorded + n * interval '1 minute', actor_id,"
            " action, subject_type, subject_id, subject_label, rules, gen_random_uuid(), body, previous_hash,"
            " hash FROM audits_event, generate_series(1, %s) n WHERE subject_id >= 9000",
            [EACH - 1],
        )
        cursor.execute("ALTER TABLE audits_event ENABLE TRIGGER USER")
        cursor.execute("ANALYZE audits_event, audits_stream")
    return [f"session:{9_000 + place}" for place in range(STREAMS)]


def touched(query: str, values: Any) -> int:
    """How many rows of the trail the database looks at to answer: what is given and what is thrown away."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query}", values)
        (plan,) = cursor.fetchone()
    return sum(
        _looked_at(node) for node in _nodes(plan[0]["Plan"]) if node.get("Relation Name") == "audits_event"
    )


def _nodes(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node, *(inner for below in node.get("Plans", []) for inner in _nodes(below))]


def _looked_at(node: dict[str, Any]) -> int:
    thrown = sum(value for name, value in node.items() if name.startswith("Rows Removed"))
    return int((node["Actual Rows"] + thrown) * node["Actual Loops"])


@pytest.mark.parametrize("address", ["/auditoria/?stream={stream}", "/api/v1/events?stream={stream}"])
def test_dja_006_the_trail_of_one_table_is_read_without_the_rest(
    house: House, long_trail: list[str], address: str, django_assert_max_num_queries: Any
) -> None:
    """Case DJA-006, without a clock: of 30.000 events none is looked at but the table's own."""
    client = Client()
    client.force_login(house.users[Role.COMPLIANCE])
    with django_assert_max_num_queries(20) as asked:
        assert client.get(address.format(stream=long_trail[40])).status_code == 200
    asked_of_events = [
        one["sql"] for one in asked if "audits_event" in one["sql"] and one["sql"].startswith("SELECT")
    ]
    assert asked_of_events
    looked_at = [touched(query.replace("%", "%%"), []) for query in asked_of_events]
    assert sum(looked_at) <= 2 * EACH, dict(zip(asked_of_events, looked_at, strict=True))


def test_dja_006_the_trail_of_a_subject_is_read_without_the_rest(house: House, long_trail: list[str]) -> None:
    client = Client()
    client.force_login(house.users[Role.COMPLIANCE])
    with CaptureQueriesContext(connection) as asked:
        address = "/api/v1/events?subject_type=table&subject_id=9040"
        assert client.get(address).status_code == 200
    asked_of_events = [
        one["sql"] for one in asked if "audits_event" in one["sql"] and one["sql"].startswith("SELECT")
    ]
    assert sum(touched(query.replace("%", "%%"), []) for query in asked_of_events) <= 2 * EACH
