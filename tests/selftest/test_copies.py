"""The databases of a run: made, dropped whatever happens, and nothing of the house touched."""

from __future__ import annotations

import io

import psycopg
import pytest
from celery import current_app
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from casino.selftest import copies as module
from casino.selftest import faults, running
from casino.selftest.aside import set_aside
from casino.selftest.catching import Night
from casino.selftest.controls import Found
from casino.selftest.copies import MARK, CannotCopy, Copies, connected_to, copies
from casino.selftest.printing import fingerprint
from tests.selftest.standing_on import migrated


@pytest.fixture
def server(unblocked):
    asked = connection.get_connection_params()
    keys = {"host", "port", "user", "password", "dbname"}
    with psycopg.connect(**{key: asked[key] for key in keys & asked.keys()}, autocommit=True) as server:
        yield server


@pytest.fixture
def there(server):
    def listed():
        found = server.execute("SELECT datname FROM pg_database WHERE strpos(datname, %s) > 0", [MARK])
        house = str(connection.settings_dict["NAME"])
        return {name for (name,) in found.fetchall() if name.startswith(house)}

    return listed


def test_all_are_dropped_at_the_end(there):
    before = there()
    with copies() as made:
        made.copy(made.make("base", lambda: None, template=migrated()))
        assert len(there() - before) == 2
    assert there() == before


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, ValueError])
def test_all_are_dropped_when_it_is_stopped(there, stop):
    before = there()
    with pytest.raises(stop), copies() as made:
        name = made.make("base", lambda: None, template=migrated())
        with connected_to(name):
            raise stop
    assert there() == before


def test_what_a_killed_run_left_is_dropped_and_a_live_one_is_let_be(server, there):
    house = str(connection.settings_dict["NAME"])
    left = f"{house}{MARK}0badcafe_base"
    server.execute(f'CREATE DATABASE "{left}" TEMPLATE template0')
    with copies() as live:
        assert left not in there()
        kept = live.make("base", lambda: None)
        with copies():
            assert kept in there()
        assert kept in there()


class Unprivileged:
    """A server whose catalogue says that who asks may create nothing; asked anything else it fails."""

    def execute(self, query):
        assert "rolcreatedb" in query
        return self

    def fetchone(self):
        return (False,)


def test_who_may_not_create_databases_is_told_what_to_do():
    with pytest.raises(CannotCopy) as caught:
        Copies(Unprivileged(), "sabot").begin()
    assert "CREATEDB" in caught.value.words.es
    assert "CREATEDB" in caught.value.words.en


def test_the_command_says_it_cannot_run_by_its_exit_code(unblocked, monkeypatch):
    def may_not(self):
        raise CannotCopy(module.Text("no se puede", "it cannot"))

    monkeypatch.setattr(Copies, "begin", may_not)
    with pytest.raises(CommandError) as caught:
        call_command("selftest", english=True)
    assert (caught.value.returncode, str(caught.value)) == (2, "it cannot")


def test_a_house_that_is_not_clean_is_no_house_to_test(unblocked, there, monkeypatch):
    monkeypatch.setattr(running, "_build", lambda: None)
    monkeypatch.setattr(running, "_casino", lambda: None)
    monkeypatch.setattr(running, "CONTROLS", {"verify_trail": lambda casino: [Found("x", "aquí", "algo")]})
    before = there()
    with pytest.raises(CannotCopy) as caught, copies() as made, running.base(made, migrated=migrated()):
        pytest.fail("it began")
    assert "verify_trail: aquí algo" in caught.value.words.en
    assert there() == before


def test_the_house_is_what_it_was_and_so_are_its_files_and_workers(base):
    usual = (connection.settings_dict["NAME"], settings.FILES_ROOT, current_app.conf.task_always_eager)
    before = fingerprint()
    chosen, unknown = faults.chosen(["records.export_altered", "trail.byte_edited"])
    assert len(list(running.run(chosen, base))) == 2
    assert not unknown
    assert fingerprint() == before
    assert usual == (
        connection.settings_dict["NAME"],
        settings.FILES_ROOT,
        current_app.conf.task_always_eager,
    )


def test_files_set_aside_are_gone_afterwards(settings):
    with set_aside() as folder:
        (folder / "exports").mkdir()
        assert folder == settings.FILES_ROOT
        assert current_app.conf.task_always_eager is True
    assert not folder.exists()


def test_one_fault_or_one_subject_is_chosen_by_its_code():
    assert [one.code for one in faults.chosen(["money.drop_changed"])[0]] == ["money.drop_changed"]
    pools = faults.chosen(["pools"])[0]
    assert len(pools) > 5
    assert {one.code.partition(".")[0] for one in pools} == {"pools"}
    assert faults.chosen(["pool", "money.drop"])[1] == ["pool", "money.drop"]


@pytest.mark.parametrize("wrong", ["nada", "money.", ""])
def test_a_fault_nobody_knows_is_refused(wrong):
    with pytest.raises(CommandError) as caught:
        call_command("selftest", only=[wrong])
    assert caught.value.returncode == 2


def test_they_are_listed_with_what_is_promised_in_both_languages():
    spanish, english = io.StringIO(), io.StringIO()
    call_command("selftest", list=True, only=["money.drop_changed"], stdout=spanish)
    call_command("selftest", list=True, only=["money.drop_changed"], english=True, stdout=english)
    assert "la recaudación cambiada después del recuento" in spanish.getvalue()
    assert "the drop changed after its count" in english.getvalue()
    assert "tables_dropbox.sabot_box_moves" in spanish.getvalue()


def test_a_promise_of_the_night_names_the_place_as_well():
    promise = Night("verify_trail", "trail_differs", "round:", says="bets")
    assert promise.is_of(Found("trail_differs", "round:7", "…: bets, totals"))
    assert not promise.is_of(Found("trail_differs", "session:7", "…: bets"))
    assert not promise.is_of(Found("trail_differs", "round:7", "…: log"))
    assert not promise.is_of(Found("event_broken", "round:7", "bets"))
