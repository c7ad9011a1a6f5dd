"""Who is excluded and who a player is are not altered unseen: the trail commits to them (GEN-11, REC-06)."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from django.db import connection

from audits import closing
from audits.by import by_system
from audits.models import Event
from casino.kernel import clock
from casino.kernel.commands import one_transaction
from casino.kernel.permissions import Role
from tables.guests import committing, excluding, registering
from tables.guests.proofs import guest_faults
from tables.models import Exclusion, Guest
from tests.builders import House, a_house
from tests.guests.builders import BORN, FIRST_DAY

pytestmark = [pytest.mark.django_db, pytest.mark.rule("GEN-11", "REC-06")]


@pytest.fixture
def house() -> House:
    house = a_house()
    by = house.by(Role.COMPLIANCE, reason="alta")
    registering.set_guest(
        document_type="ci", number="1234567", name="Ana Poma", birth_date=BORN, note="zurda", by=by
    )
    excluding.exclude(
        kind="house", source="Acta 7", since=FIRST_DAY, number="7654321", document_type="ci",
        name="Luis Quispe", birth_date=BORN, by=by,
    )  # fmt: skip
    return house


def _past_the_guards(*statements: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in statements:
            cursor.execute(statement)
            assert cursor.rowcount == 1
        cursor.execute("SET LOCAL session_replication_role = origin")


def _found(house: House) -> list[tuple[str, str]]:
    return [(one.where.split(":")[0], one.words.en.rsplit(": ")[-1]) for one in guest_faults(house.casino)]


def test_an_honest_list_has_no_fault_and_its_events_name_nobody(house: House) -> None:
    assert _found(house) == []
    for action in ("tables.guest.registered", "tables.exclusion.recorded"):
        body = bytes(Event.objects.get(action=action).body)
        assert set(json.loads(body)["data"]["particulars"]) == {"personal"}
        assert not any(name in body for name in (b"Poma", b"Quispe", b"1234567", b"7654321"))


# As many digits, the same last three and the same year: all that the masked event shows stays as it was.
ALTERED = ["name = 'Otra Persona'", "number = '9' || substr(number, 2)", "birth_date = birth_date + 1"]


@pytest.mark.parametrize("change", ALTERED)
def test_an_excluded_person_renamed_is_found(house: House, change: str) -> None:
    assert BORN.year == (BORN + dt.timedelta(days=1)).year
    _past_the_guards(f"UPDATE tables_exclusion SET {change}")
    assert _found(house) == [("exclusion", "particulars")]


@pytest.mark.parametrize("change", [*ALTERED, "note = 'diestra'"])
def test_a_player_changed_with_the_history_is_found(house: House, change: str) -> None:
    _past_the_guards(f"UPDATE tables_guest SET {change}", f"UPDATE tables_historicalguest SET {change}")
    assert _found(house) == [("guest", "particulars"), ("guest", "version")]


def test_what_opens_the_commitment_taken_away_or_changed_is_found(house: House) -> None:
    event = Event.objects.get(action="tables.exclusion.recorded")
    _past_the_guards(f"DELETE FROM audits_personalvalue WHERE event_id = {event.pk}")
    assert ("exclusion", "particulars") in _found(house)


def test_a_corrected_record_is_held_to_its_newest_event(house: House) -> None:
    guest = Guest.objects.get()
    registering.set_guest(
        document_type="ci", number="1234567", name="Ana Poma Ríos", birth_date=BORN, guest=guest,
        by=house.by(Role.COMPLIANCE, reason="apellido completo"),
    )  # fmt: skip
    assert (Guest.objects.get().name, Exclusion.objects.count()) == ("Ana Poma Ríos", 1)
    assert _found(house) == []


def _as_of_before(monkeypatch: pytest.MonkeyPatch) -> House:
    """A house whose events were written by a version that committed to nobody."""
    for module in (registering, excluding):
        monkeypatch.setattr(module, "Personal", lambda value: "")
    house = a_house()
    by = house.by(Role.COMPLIANCE, reason="alta")
    registering.set_guest(document_type="ci", number="1234567", name="Ana Poma", birth_date=BORN, by=by)
    excluding.exclude(
        kind="house", source="Acta 7", since=FIRST_DAY, number="7654321", document_type="ci",
        name="Luis Quispe", birth_date=BORN, by=by,
    )  # fmt: skip
    monkeypatch.undo()
    for event in Event.objects.filter(action__in=("tables.guest.registered", "tables.exclusion.recorded")):
        _past_the_guards(
            "UPDATE audits_event SET body = convert_to((convert_from(body, 'UTF8')::jsonb"
            f" #- '{{data,particulars}}')::text, 'UTF8') WHERE id = {event.pk}"
        )
    return house


def test_who_was_recorded_before_is_committed_to_once(monkeypatch: pytest.MonkeyPatch) -> None:
    house = _as_of_before(monkeypatch)
    assert _found(house) == []
    for _ in range(2):
        committing.prepare(house.casino, clock.now())
    assert committing.prepare in closing._preparations
    told = Event.objects.filter(action__endswith=".committed").order_by("action")
    assert [event.action for event in told] == ["tables.exclusion.committed", "tables.guest.committed"]
    assert not any(b"Poma" in bytes(event.body) or b"Quispe" in bytes(event.body) for event in told)
    assert _found(house) == []
    _past_the_guards("UPDATE tables_exclusion SET name = 'Otra Persona'")
    assert _found(house) == [("exclusion", "particulars")]
    # Committed to again: the first time is what counts.
    entry, by = Exclusion.objects.get(), by_system(house.casino, closing.JOB)
    with one_transaction():
        committing.tell(entry, by)
    assert _found(house) == [("exclusion", "particulars")]


def test_a_player_renamed_in_an_older_version_alone_is_found(house: House) -> None:
    registering.set_guest(
        document_type="ci", number="1234567", name="Ana Poma Ríos", birth_date=BORN,
        guest=Guest.objects.get(), by=house.by(Role.COMPLIANCE, reason="apellido completo"),
    )  # fmt: skip
    assert _found(house) == []
    _past_the_guards("UPDATE tables_historicalguest SET name = 'Otra Persona' WHERE name = 'Ana Poma'")
    assert [what for _, what in _found(house)] == ["version"]
