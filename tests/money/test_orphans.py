"""The book of what nobody claimed (FLOOR-16): kept apart, given back by two, passed on after its term."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection

from audits import ledger
from audits.models import Event
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.permissions import Role
from tables.models import Orphan, TableSession
from tables.money import cage_proofs, cage_settings, orphans
from tests.builders import BOB, CLOSING_TIME, FLOAT, NIGHT, House

DOCUMENT = "4815162342-LP"
TERM = dt.timedelta(days=5)


@pytest.fixture
def house(stand: House) -> House:
    return stand


@pytest.fixture(autouse=True)
def short_term(house: House) -> None:
    by = house.by(Role.ADMINISTRATOR, reason="plazo de custodia")
    cage_settings.set_cage(ipj_on_top=True, orphan_days=TERM.days, tip_points={}, by=by)


def found(house: House, session: TableSession | None = None, at: dt.datetime = NIGHT, **more: Any) -> Orphan:
    about: dict[str, Any] = {
        "kind": "stake",
        "chips_found": {100 * BOB: 3},
        "found_by": house.dealers[0],
    } | more
    by = house.by(Role.SUPERVISOR, at)
    return orphans.enter_orphan(session=session, witness=house.supervisors[0], by=by, **about)


def returned(house: House, orphan: Orphan, at: dt.datetime = NIGHT) -> Orphan:
    return orphans.return_orphan(
        orphan=orphan,
        claimant="Ana Rojas",
        document=DOCUMENT,
        with_=house.users[Role.PIT_BOSS].actor,
        by=house.by(Role.CAGE, at),
    )


def passed(house: House, orphan: Orphan, at: dt.datetime, reason: str = "nadie la reclamó") -> Orphan:
    return orphans.pass_orphan(
        orphan=orphan, with_=house.users[Role.CAGE].actor, by=house.by(Role.COMPLIANCE, at, reason)
    )


def clean(house: House) -> bool:
    return not [*cage_proofs.ledger_faults(house.casino), *cage_proofs.told_faults(house.casino)]


@pytest.mark.rule("FLOOR-16")
def test_an_abandoned_stake_is_kept_apart_and_given_back(house: House) -> None:
    session = house.open_table()
    kept = found(house, session)
    assert (kept.label, kept.amount, kept.state) == ("H-2026-000001", 300 * BOB, "kept")
    assert kept.keep_until == dt.date(2026, 11, 20) + TERM
    assert ledger.balance(house.casino, "orphans") == 300 * BOB
    assert ledger.balance(house.casino, f"players:{session.pk}") == -300 * BOB
    given = returned(house, kept)
    assert (given.state, given.claimant, given.document) == ("returned", "Ana Rojas", DOCUMENT)
    assert ledger.balance(house.casino, "orphans") == 0
    assert ledger.balance(house.casino, f"players:{session.pk}") == 0
    with pytest.raises(Conflict) as again:
        returned(house, kept)
    assert again.value.code == "orphan_closed"
    assert clean(house)


@pytest.mark.rule("FLOOR-16")
def test_the_trail_never_tells_the_document(house: House) -> None:
    returned(house, found(house, place="baño del primer piso"))
    event = Event.objects.get(action="tables.orphan.returned")
    said = bytes(event.body).decode()
    assert DOCUMENT not in said
    assert "••••••••••-LP" in said
    assert orphans.masked("1234") == "••34"


@pytest.mark.rule("REC-06")
def test_a_claimants_document_nobody_told_is_named(house: House) -> None:
    """Put on the row of what is still kept, past the guards: a claim in the making that nobody recorded."""
    orphan = found(house, house.open_table())
    assert clean(house)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tables_orphan SET document = '4815162342-LP' WHERE id = %s", [orphan.pk])
    (fault,) = cage_proofs.told_faults(house.casino)
    assert fault.where == f"orphan:{orphan.pk}"
    assert "document" in fault.words.en


@pytest.mark.rule("FLOOR-16")
def test_it_passes_to_the_house_only_after_its_term(house: House) -> None:
    kept = found(house, place="pasillo", kind="chips")
    with pytest.raises(RuleViolation) as early:
        passed(house, kept, NIGHT + TERM)
    assert (early.value.code, early.value.rule) == ("still_kept", "FLOOR-16")
    with pytest.raises(Refused) as unsaid:
        passed(house, kept, NIGHT + TERM + dt.timedelta(days=1), reason="")
    assert unsaid.value.code == "reason_missing"
    gone = passed(house, kept, NIGHT + TERM + dt.timedelta(days=1))
    assert (gone.state, gone.reason) == ("passed", "nadie la reclamó")
    assert ledger.balance(house.casino, "vault") == 300 * BOB
    assert clean(house)


@pytest.mark.rule("GEN-10")
@pytest.mark.rule("FLOOR-16")
def test_two_find_and_two_give_back(house: House) -> None:
    with pytest.raises(RuleViolation) as alone:
        found(house, place="pasillo", found_by=house.supervisors[0])
    assert (alone.value.code, alone.value.rule) == ("same_person", "FLOOR-16")
    kept = found(house, place="pasillo")
    with pytest.raises(RuleViolation) as one:
        orphans.return_orphan(
            orphan=kept,
            claimant="Ana",
            document=DOCUMENT,
            with_=house.users[Role.CAGE].actor,
            by=house.by(Role.CAGE),
        )
    assert (one.value.code, one.value.rule) == ("same_person", "GEN-10")


def test_what_cannot_be_entered(house: House) -> None:
    for more, code in (
        ({}, "place_missing"),
        ({"place": "pasillo", "kind": "hat"}, "unknown_kind"),
        ({"place": "pasillo", "chips_found": {}}, "no_chips"),
        ({"place": "pasillo", "chips_found": {3 * BOB: 1}}, "unknown_denomination"),
    ):
        with pytest.raises(Refused) as wrong:
            found(house, **more)
        assert wrong.value.code == code
    assert not Orphan.objects.exists()


def test_a_stake_found_when_the_table_had_closed(house: House) -> None:
    session = house.open_table()
    house.close(session, FLOAT)
    with pytest.raises(Refused) as early:
        found(house, session)
    assert early.value.code == "occurred_out_of_order"
    assert found(house, session, CLOSING_TIME).session_id == session.pk
    assert clean(house)
