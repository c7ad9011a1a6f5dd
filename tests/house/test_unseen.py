"""No column of any table is altered unseen: each is altered in a house that is there, past every guard, and a
proof says so; or the reason stands here why it may change without one (REC-06).

A new model or column is in this test by itself. What is not noticed wants a check in its room's proofs, or a
line in `MAY_CHANGE` that a regulator would accept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection, models, transaction
from django.test import override_settings
from simple_history.models import registered_models

from audits import row_digests, row_proofs
from audits.verify import Fault, trail_faults
from tests.house import furnished
from tests.house.altering import NO_WAY, NOBODY, Place, Watch, columns_of

OURS = ("casino", "audits", "shoes", "tables", "jackpots")
pytestmark = pytest.mark.rule("REC-06")

MAY_CHANGE: dict[str, str] = {
    "casino_failedsignins.*": "a counter against guessing, kept for minutes",
    "casino_idempotencyrecord.*": "an answer kept to be repeated, thrown away after days; no fact of its own",
    "shoes_shoeorder.*": "worked out from the logs of rounds by a job, which may read them anew",
    "audits_export.attempts": "how often a worker took it in hand; what it made is told",
    "audits_export.heartbeat_at": "when a worker last showed that it lives",
    "casino_gamingday.checked_at": "of an open day: when the job last looked; its closing tells it",
}
"""`table.column` or `table.*`, and why it may change without a proof noticing."""


@pytest.fixture(scope="module")
def watch(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Watch]:
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch, override_settings():
        block = transaction.atomic()
        block._from_testcase = True  # type: ignore[attr-defined]  # commands may be durable inside it
        with block:
            yield Watch(furnished.furnish(patch, settings, tmp_path_factory.mktemp("house")))
            transaction.set_rollback(True)


def ours() -> Iterator[type[models.Model]]:
    for model in apps.get_models(include_auto_created=True):
        if model._meta.app_label in OURS:
            yield model


def exempt(place: Place) -> bool:
    return not MAY_CHANGE.keys().isdisjoint({place.label, f"{place.table}.*"})


def places() -> list[Place]:
    return [place for model in ours() for place in columns_of(model)]


def digested() -> dict[str, row_digests.Table]:
    return {table.name: table for table in row_digests.tables()}


def empty(tables: set[str]) -> set[str]:
    with connection.cursor() as cursor:
        found = set()
        for table in sorted(tables):
            cursor.execute(f"SELECT NOT EXISTS (SELECT FROM {table})")
            found |= {table} if cursor.fetchone() == (True,) else set()
    return found


def whole_rows() -> dict[str, list[Place]]:
    """The columns held by a proof over whole rows: those the digests take, those with versions."""
    taken = digested()
    versions = {model._meta.db_table: row_proofs.versioned(model) for model in registered_models.values()}
    found: dict[str, list[Place]] = {"rows": [], "versions": []}
    for place in places():
        table = taken.get(place.table)
        if table is not None and place.column not in table.personal:
            found["rows"].append(place)
        elif table is None and place.column in versions.get(place.table, ()):
            found["versions"].append(place)
    return found


def test_the_houses_are_honest(watch: Watch) -> None:
    for casino in watch.houses.values():
        assert [f"{one.where}: {one.words.en}" for one in trail_faults(casino)] == []


def test_a_table_without_a_row_is_held_by_a_proof_that_needs_to_know_none(watch: Watch) -> None:
    """Those over whole rows take every column there is; that they notice is shown of some eighty tables."""
    by_itself = {place.table for held in whole_rows().values() for place in held}
    without = empty({place.table for place in places() if not exempt(place)})
    assert without - by_itself == set()


def test_every_column_that_the_digests_take_is_noticed(watch: Watch) -> None:
    held = [place for place in whole_rows()["rows"] if not exempt(place)]
    there = [place for place in held if place.table not in empty({one.table for one in held})]
    assert len({place.table for place in there}) > 50

    def names(fault: Fault, place: Place) -> bool:
        return fault.code in ("rows_differ", "digest_unreadable") and fault.where.split()[0] == place.table

    unseen = watch.together(there, row_proofs.row_faults, names)
    assert not unseen, "\n".join(unseen)


def test_every_column_with_versions_is_noticed(watch: Watch) -> None:
    held = whole_rows()["versions"]
    there = [place for place in held if place.table not in empty({one.table for one in held})]
    assert len({place.table for place in there}) > 8

    def names(fault: Fault, place: Place) -> bool:
        what = fault.words.en.rsplit(": ")[-1].split(", ")
        kind = place.table.split("_")[1]
        return fault.where.split(":")[0] == kind and not {place.column, "row"}.isdisjoint(what)

    assert watch.together(there, row_proofs.history_faults, names) == []


def test_every_other_column_is_noticed_by_a_proof_of_its_room(watch: Watch) -> None:
    general = {place for held in whole_rows().values() for place in held}
    others = [place for place in places() if place not in general and not exempt(place)]
    without = empty({place.table for place in others})
    there = [place for place in others if place.table not in without]
    assert len(there) > 400
    unseen = [f"{place.label}: {who}" for place in there if (who := watch.alone(place)) in (NOBODY, NO_WAY)]
    assert not unseen, "\n".join(unseen)


@pytest.mark.django_db
def test_no_reason_is_stale() -> None:
    known = {place.label for place in places()} | {f"{place.table}.*" for place in places()}
    assert set(MAY_CHANGE) - known == set()
