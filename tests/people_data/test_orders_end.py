"""An order is carried out once and ends; a hold stops it; chains, proofs and old files stay as they were."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from audits import export_derived, exports
from audits.by import by_system
from audits.models import ErasureEnd, ErasureOrder, Event, Export, Pseudonym
from audits.persons import erasing, holds
from audits.persons.kinds import erasable
from casino.kernel import clock
from casino.kernel.errors import Conflict, Refused, RuleViolation, SabotError
from casino.kernel.permissions import Role
from tests.builders import BOB, NIGHT, House
from tests.guests.builders import guest
from tests.money.cage_building import Cage
from tests.people_data.builders import LATER, bodies, client, faults, held, order

pytestmark = pytest.mark.rule("REC-12")


def the_job(at: dt.datetime = LATER) -> int:
    with clock.standing_at(at):
        return erasing.carry_out_all()


def test_an_order_is_gone_over_until_nobody_waits_and_then_no_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest(house, "Ana Poma")
    given = order(house, "guest")
    assert the_job() == 1
    end = ErasureEnd.objects.get()
    assert (end.order, end.done, end.held, end.at) == (given, 1, 0, LATER)
    # From here on the job asks for nobody: neither this hour nor the next.
    monkeypatch.setattr(type(erasable()["guest"]), "due", lambda *_: pytest.fail("gone over again"))
    assert the_job() == 0
    assert erasing.carry_out(given) == 0
    with pytest.raises(Conflict) as caught, clock.standing_at(LATER):
        erasing.end_order(order=given, by=by_system(house.casino, erasing.JOB))
    assert (caught.value.code, caught.value.rule) == ("order_ended", "REC-12")
    assert Event.objects.filter(action="audits.erasure.done").count() == 1


def test_who_is_held_is_left_named_and_needs_an_order_of_their_own(house: House) -> None:
    ana, luis = guest(house, "Ana Poma"), guest(house, "Luis Rojas")
    given = order(house, "guest")
    hold = held(house, "guest", ana.pk)
    assert the_job() == 1
    assert [(one.subject_id) for one in Pseudonym.objects.all()] == [luis.pk]
    end = ErasureEnd.objects.get()
    assert (end.done, end.held) == (1, 1)
    with clock.standing_at(LATER):
        by = house.by(Role.COMPLIANCE, LATER, "terminó el proceso")
        holds.lift_hold(hold=hold, second=house.users[Role.ADMINISTRATOR].actor, by=by)
    assert the_job() == 0  # the order that ended does not reach further
    ana.refresh_from_db()
    assert ana.name == "Ana Poma"
    again = order(house, "guest")
    assert the_job() == 1
    ana.refresh_from_db()
    assert ana.name.startswith("P-")
    assert again.pseudonyms.count() == 1 and given.pseudonyms.count() == 1
    assert faults(house) == []


@pytest.mark.rule("REC-06")
def test_the_end_of_an_order_is_held_to_its_event_and_never_changes(house: House) -> None:
    guest(house, "Ana Poma")
    order(house, "guest")
    the_job()
    for query in ("UPDATE audits_erasureend SET done = 5", "DELETE FROM audits_erasureend"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(query)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("UPDATE audits_erasureend SET done = 5")
        cursor.execute("SET session_replication_role = origin")
    assert any(f"erasure:{ErasureOrder.objects.get().pk}" in fault for fault in faults(house))


def test_an_export_of_before_stays_as_handed_out_and_what_is_made_since_shows_the_pseudonym(
    till: Cage, settings: Any, tmp_path: Path
) -> None:
    """REC-15 over REC-12: the file the AJ holds, byte for byte; not a byte of any chain changes."""
    settings.FILES_ROOT = tmp_path
    house = till.house
    till.redeem({100 * BOB: 1}, customer="Ana Poma", document="4871203")
    period = {"first": "2026-11-01", "last": "2026-12-31"}
    export = _made(house, "tables.receipts", period)
    before, chains = exports.path_of(export).read_bytes(), bodies()
    assert b"Ana Poma" in before
    order(house, "receipt")
    assert the_job() == 1
    code = Pseudonym.objects.get().code.encode()
    assert bodies()[: len(chains)] == chains
    with clock.standing_at(LATER):
        again = exports.produce(
            export_derived.export_again(export=export, format="csv", by=house.by(Role.COMPLIANCE, LATER)).pk
        )
    assert again is not None
    assert exports.path_of(again).read_bytes() == before
    since = exports.path_of(_made(house, "tables.receipts", period)).read_bytes()
    assert code in since and b"Ana Poma" not in since
    assert faults(house) == []


def _made(house: House, report: str, params: dict[str, str]) -> Export:
    by = house.by(Role.COMPLIANCE, clock.now())
    asked = exports.request_export(report=report, params=params, format="csv", language="es-bo", by=by)
    done = exports.produce(asked.pk)
    assert done is not None and done.state == Export.State.DONE
    return done


def test_the_page_says_which_orders_are_carried_out(house: House) -> None:
    guest(house, "Ana Poma")
    order(house, "guest")
    with clock.standing_at(LATER):
        page = client(house, Role.COMPLIANCE)
        assert "en curso" in page.get("/auditoria/datos-personales/").content.decode()
    the_job()
    with clock.standing_at(LATER):
        assert "cumplida" in page.get("/auditoria/datos-personales/").content.decode()


def test_every_refusal_of_peoples_data_names_its_rule(house: House) -> None:
    ana = guest(house, "Ana Poma")
    hold = held(house, "guest", ana.pk)
    second = house.users[Role.ADMINISTRATOR].actor
    by = house.by(Role.COMPLIANCE, NIGHT, "prueba")
    with clock.standing_at(NIGHT):
        early = house.by(Role.COMPLIANCE, NIGHT - dt.timedelta(days=1), "prueba")
        found = [
            _refusal(lambda: held(house, "guest", ana.pk)),
            _refusal(lambda: held(house, "guest", 10**6)),
            _refusal(lambda: holds.lift_hold(hold=hold, second=second, by=early)),
        ]
        holds.lift_hold(hold=hold, second=second, by=by)
        found.append(_refusal(lambda: holds.lift_hold(hold=hold, second=second, by=by)))
    assert [(one.code, one.rule) for one in found] == [
        ("already_held", "REC-12"),
        ("nobody_there", "REC-12"),
        ("bad_date", "REC-12"),
        ("hold_lifted", "REC-12"),
    ]


def _refusal(act: Any) -> SabotError:
    with pytest.raises((Conflict, Refused, RuleViolation)) as caught:
        act()
    return caught.value
