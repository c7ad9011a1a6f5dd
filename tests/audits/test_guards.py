"""The guards in the database are those of the code, and whoever takes, weakens or adds one is found out."""

from __future__ import annotations

import datetime as dt
import hashlib
import os

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction

from audits import days, exports, guardbook
from audits.by import by_system
from audits.guard_texts import as_restored
from audits.models import Account, Actor
from audits.reports import registry
from audits.verify import ledger_faults, trail_faults
from casino.kernel import locking
from casino.kernel.errors import Conflict
from casino.kernel.permissions import Role
from casino.models import GamingDay

from .sample import Sample

pytestmark = pytest.mark.rule("REC-06")


def run(statement, *values):
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)


def faults(casino, proof=trail_faults):
    return [(fault.code, fault.where) for fault in proof(casino)]


@pytest.mark.django_db
def test_the_snapshot_is_what_the_migrations_make():
    """After a migration: `python manage.py guards --write` on a freshly migrated database."""
    assert guardbook.live() == guardbook.expected()
    assert list(guardbook.differences()) == []


@pytest.mark.django_db
def test_a_restored_house_does_not_look_like_a_tampered_one():
    """A dump writes each guard out, a restore reads it back: the text of some is another then."""
    for table, kinds in guardbook.expected()["tables"].items():
        for name, definition in kinds["triggers"].items():
            run(f"DROP TRIGGER {name} ON {table}")
            run(definition)
        for name, definition in kinds["unique"].items():
            run(f"DROP INDEX {name}")
            run(definition)
        for name, definition in kinds["constraints"].items():
            if definition.startswith("CHECK"):
                run(f'ALTER TABLE {table} DROP CONSTRAINT "{name}", ADD CONSTRAINT "{name}" {definition}')
    assert guardbook.live() != guardbook.expected()
    assert list(guardbook.differences()) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CHECK (((a OR b) AND c))", "CHECK ((a OR (b AND c)))"),
        ("CHECK (((a OR b) OR c))", "CHECK (((a OR b) AND c))"),
        ("CHECK ((a OR (NOT (b OR c))))", "CHECK ((a OR (NOT b) OR c))"),
        (
            "WHEN (x = ANY (ARRAY[('a'::character varying)::text]))",
            "WHEN (x = ANY (ARRAY[('b'::character varying)::text]))",
        ),
        ("CHECK ((a = ' OR (b OR c)'::text))", "CHECK ((a = ' OR b OR c'::text))"),
    ],
)
def test_what_means_something_else_is_another_guard(one, other):
    assert as_restored(one) != as_restored(other)


@pytest.mark.django_db
def test_every_table_of_ours_is_in_the_snapshot():
    ours = {name for name in connection.introspection.table_names() if name.split("_")[0] in guardbook.ROOMS}
    assert guardbook.expected()["tables"].keys() == ours


GUARDED = [
    ("tables_round", "sabot_round_changes"),
    ("tables_round", "sabot_no_delete"),
    ("tables_bet", "sabot_append_only"),
    ("tables_chipcount", "sabot_append_only"),
    ("tables_tablesession", "sabot_session_changes"),
    ("tables_gamerules", "sabot_append_only"),
    ("tables_betlimits", "sabot_append_only"),
    ("tables_historicalgamerules", "sabot_append_only"),
    ("tables_historicalstaff", "sabot_no_truncate"),
    ("tables_assignment", "sabot_turn_ends_once"),
    ("shoes_shoe", "sabot_shoe_moves"),
    ("shoes_shoestep", "sabot_append_only"),
    ("audits_account", "sabot_fixed"),
    ("audits_actor", "sabot_fixed"),
    ("casino_gamingday", "sabot_day_is_final"),
]


@pytest.mark.parametrize(("table", "trigger"), GUARDED)
@pytest.mark.parametrize("how", ["DROP TRIGGER {1} ON {0}", "ALTER TABLE {0} DISABLE TRIGGER {1}"])
def test_a_trigger_taken_away_is_found(house, table, trigger, how):
    run("SET CONSTRAINTS ALL IMMEDIATE")
    run(how.format(table, trigger))
    for proof in (trail_faults, ledger_faults):
        assert faults(house.casino, proof) == [("guard_missing", table)]


NO_OP = "RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN coalesce(NEW, OLD); END $$"
WEAKENED = {
    "a function that does nothing": (
        f"CREATE OR REPLACE FUNCTION sabot_refuse_change() {NO_OP}",
        ("guard_changed", "sabot_refuse_change()"),
    ),
    "a function with a setting of its own": (
        "ALTER FUNCTION sabot_event_in() SET session_replication_role = replica",
        ("guard_changed", "sabot_event_in()"),
    ),
    "a trigger that never fires": (
        "DROP TRIGGER sabot_append_only ON audits_event;"
        "CREATE TRIGGER sabot_append_only BEFORE UPDATE OR DELETE ON audits_event"
        " FOR EACH ROW WHEN (false) EXECUTE FUNCTION sabot_refuse_change()",
        ("guard_changed", "audits_event"),
    ),
    "a trigger on something else": (
        "DROP TRIGGER sabot_append_only ON audits_posting;"
        "CREATE TRIGGER sabot_append_only AFTER INSERT ON audits_posting"
        " FOR EACH ROW WHEN (NEW.id < 0) EXECUTE FUNCTION sabot_refuse_change()",
        ("guard_changed", "audits_posting"),
    ),
    "a trigger that calls another's function": (
        f"CREATE SCHEMA beside; CREATE FUNCTION beside.sabot_refuse_change() {NO_OP};"
        "DROP TRIGGER sabot_append_only ON tables_bet;"
        "CREATE TRIGGER sabot_append_only BEFORE UPDATE OR DELETE ON tables_bet"
        " FOR EACH ROW EXECUTE FUNCTION beside.sabot_refuse_change()",
        ("guard_changed", "tables_bet"),
    ),
    "a trigger more": (
        f"CREATE FUNCTION swallow() {NO_OP};"
        "CREATE TRIGGER swallow BEFORE INSERT ON audits_event FOR EACH ROW EXECUTE FUNCTION swallow()",
        ("guard_added", "audits_event"),
    ),
    "a rule": (
        "CREATE RULE quiet AS ON INSERT TO audits_event DO INSTEAD NOTHING",
        ("guard_added", "audits_event"),
    ),
    "row level security": (
        "ALTER TABLE tables_round ENABLE ROW LEVEL SECURITY",
        ("guard_added", "tables_round"),
    ),
    "an exclusion dropped": (
        "ALTER TABLE tables_assignment DROP CONSTRAINT one_post_at_a_time",
        ("guard_missing", "tables_assignment"),
    ),
    "a check dropped": (
        "ALTER TABLE shoes_shoe DROP CONSTRAINT shoe_conserves_cards",
        ("guard_missing", "shoes_shoe"),
    ),
    "a check weakened": (
        "ALTER TABLE audits_transfer DROP CONSTRAINT transfer_has_two_lines,"
        " ADD CONSTRAINT transfer_has_two_lines CHECK (lines >= 0)",
        ("guard_changed", "audits_transfer"),
    ),
    "a partial unique index dropped": (
        "DROP INDEX one_open_session_per_table",
        ("guard_missing", "tables_tablesession"),
    ),
}


@pytest.mark.parametrize("how", WEAKENED)
def test_a_guard_weakened_under_its_name_is_found(house, how):
    statement, expected = WEAKENED[how]
    run("SET CONSTRAINTS ALL IMMEDIATE")
    run(statement)
    assert expected in faults(house.casino)
    assert expected in faults(house.casino, ledger_faults)
    assert {code for code, _ in faults(house.casino)} <= {expected[0], "guard_changed"}


def test_foreign_keys_off_are_found_where_the_role_may_do_that(house):
    """A superuser can switch them off, which is found; the database refuses it to any other role."""
    run("SET CONSTRAINTS ALL IMMEDIATE")
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        (superuser,) = cursor.fetchone()
    if not superuser:
        with pytest.raises(ProgrammingError, match="system trigger"), transaction.atomic():
            run("ALTER TABLE shoes_deckinspection DISABLE TRIGGER ALL")
        assert faults(house.casino) == []
        return
    run("ALTER TABLE shoes_deckinspection DISABLE TRIGGER ALL")
    run("ALTER TABLE shoes_deckinspection ENABLE TRIGGER USER")
    assert ("guard_added", "shoes_deckinspection") in faults(house.casino)


@pytest.mark.django_db
def test_triggers_off_for_the_whole_session_are_found(house, past_the_guards):
    with past_the_guards():
        assert faults(house.casino) == [("guard_added", "postgresql")]
    assert faults(house.casino) == []


# ---- names, days, files


@pytest.mark.parametrize("table", ["audits_actor", "audits_account"])
def test_a_name_is_never_changed(house, table):
    Account.objects.create(casino=house.casino, code="vault")
    column = {"audits_actor": "name", "audits_account": "code"}[table]
    run(f"UPDATE {table} SET {column} = {column}")  # as the ledger's upsert does
    with pytest.raises(IntegrityError, match="REC-06"), transaction.atomic():
        run(f"UPDATE {table} SET {column} = 'otro'")


def test_a_renamed_actor_is_found_in_every_event_it_made(house, past_the_guards):
    house.record()
    with past_the_guards():
        run("UPDATE audits_actor SET name = 'Otra Persona' WHERE id = %s", house.admin.actor.pk)
    broken, login = faults(house.casino)
    assert (broken[0], login) == ("event_broken", ("trail_differs", f"login:{house.admin.username}"))
    assert Actor.objects.get(pk=house.admin.actor.pk).name == "Otra Persona"


@pytest.mark.rule("REC-11")
@pytest.mark.parametrize(
    "change",
    ["role_codes = '{administrator}'", "is_active = false", "name = 'Otra'", "role_codes = '{system}'"],
)
def test_a_login_changed_by_hand_is_found(house, change):
    house.person("beto", Role.CAGE)
    assert faults(house.casino) == []
    run(f"UPDATE casino_user SET {change} WHERE username = 'beto'")
    assert faults(house.casino) == [("trail_differs", "login:beto")]


@pytest.fixture
def closed_day(house, monkeypatch):
    monkeypatch.setattr(days, "_checks", [])
    with transaction.atomic():
        day = days.day_of(house.casino, dt.datetime(2026, 11, 20, 16, tzinfo=dt.UTC))
    locking.released()
    return days.close_day(day=day, by=by_system(house.casino, "noche"))


@pytest.mark.rule("REC-08")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE casino_gamingday SET state = 'open', closed_at = NULL",
        "UPDATE casino_gamingday SET closed_at = closed_at - interval '1 hour'",
        "UPDATE casino_gamingday SET date = date - 1",
        "DELETE FROM casino_gamingday",
    ],
)
def test_a_closed_day_is_final(house, closed_day, past_the_guards, statement):
    assert closed_day.state == GamingDay.State.CLOSED
    assert faults(house.casino) == []
    with pytest.raises(IntegrityError, match="REC-0"), transaction.atomic():
        run(statement)
    with past_the_guards():
        run(statement)
    assert faults(house.casino) == [("trail_differs", f"day:{closed_day.pk}")]


@pytest.mark.rule("REC-08")
def test_a_day_closed_without_its_event_is_found(house, past_the_guards):
    day = GamingDay.objects.create(casino=house.casino, date=dt.date(2026, 11, 21))
    run("UPDATE casino_gamingday SET state = 'closed', closed_at = now() WHERE id = %s", day.pk)
    assert faults(house.casino) == [("trail_differs", f"day:{day.pk}")]


@pytest.fixture
def finished(house, files, monkeypatch):
    monkeypatch.setattr(registry, "_reports", {})
    registry.register(Sample)
    carla = house.person("carla", Role.COMPLIANCE)
    asked = exports.request_export(
        report="audits.sample",
        params={"day": "2026-11-29"},
        format="csv",
        language="es-bo",
        by=house.by(carla),
    )
    export = exports.produce(asked.pk)
    assert export.state == "done"
    return export, house.by(carla)


def test_a_file_altered_together_with_its_row_is_refused(house, finished, past_the_guards):
    export, by = finished
    forged = b"nada"
    digest = hashlib.sha256(forged).hexdigest()
    exports.path_of(export).write_bytes(forged)
    with past_the_guards():
        run("UPDATE audits_export SET sha256 = %s WHERE id = %s", digest, export.pk)
    export.refresh_from_db()
    with pytest.raises(Conflict) as caught:
        exports.open_file(export=export, by=by)
    assert caught.value.code == "export_changed"
    assert faults(house.casino) == [("trail_differs", f"export:{export.pk}")]


@pytest.mark.parametrize("what", ["folder", "pipe", "link"])
def test_what_is_no_file_is_not_handed_out(house, finished, tmp_path, what):
    export, by = finished
    path = exports.path_of(export)
    data = path.read_bytes()
    path.unlink()
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    else:
        (tmp_path / "elsewhere").write_bytes(data)
        path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Conflict) as caught:
        exports.open_file(export=export, by=by)
    assert caught.value.code == "export_changed"
