"""What is over its period becomes pseudonyms: nothing earlier, nothing held, and no chain breaks (REC-12)."""

from __future__ import annotations

import datetime as dt
import json
from functools import partial

import pytest
from django.db import DatabaseError, connection, transaction

from audits.models import Event, PersonalValue, Pseudonym
from audits.persons import retention
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.permissions import Role
from jackpots import promoting
from jackpots.models import Prize
from tables.guests import excluding, registering
from tables.models import CageOperation, Exclusion, ExclusionMatch, Guest, Orphan
from tests.builders import BOB, NIGHT, House
from tests.guests.builders import BORN, excluded, guest, sit, turned_away
from tests.jackpots.builders import a_pool
from tests.jackpots.test_complementary import WHO, drawn
from tests.jackpots.winning import a_prize, checked, pay
from tests.money.cage_building import Cage, a_cage
from tests.money.test_orphans import found as found_chips
from tests.money.test_orphans import returned
from tests.people_data.builders import (
    JUST_TEN,
    bodies,
    carried_out,
    client,
    everywhere,
    faults,
    order,
    refused,
)

ANA = {"customer": "Ana Poma Quispe", "document": "4871203-LP"}


# ---- what is hashed -------------------------------------------------------------------------------


@pytest.mark.rule("REC-12")
def test_a_receipt_tells_its_customer_by_commitment_alone(till: Cage) -> None:
    made = till.redeem({100 * BOB: 1}, **ANA)
    told = json.loads(bytes(made.event.body))["data"]
    assert list(told["customer"]) == ["personal"] and len(told["customer"]["personal"]) == 64
    assert sorted(everywhere("Ana Poma")) == ["audits_personalvalue", "tables_cageoperation"]
    assert faults(till.house) == []


@pytest.mark.rule("REC-06")
def test_a_value_that_opens_nothing_is_found(till: Cage) -> None:
    made = till.redeem({100 * BOB: 1}, **ANA)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("UPDATE audits_personalvalue SET value = 'Otra Persona'")
        cursor.execute("UPDATE tables_cageoperation SET customer = 'Otra Persona' WHERE id = %s", [made.pk])
        cursor.execute("SET session_replication_role = origin")
    assert any("opens" in fault for fault in faults(till.house))


@pytest.mark.rule("REC-06")
def test_a_receipt_that_names_another_than_its_event_is_found(till: Cage) -> None:
    made = till.redeem({100 * BOB: 1}, **ANA)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("UPDATE tables_cageoperation SET customer = 'Otra' WHERE id = %s", [made.pk])
        cursor.execute("SET session_replication_role = origin")
    assert any("customer" in fault for fault in faults(till.house))


# ---- a player ---------------------------------------------------------------------------------------


@pytest.mark.rule("REC-12")
def test_a_player_over_their_period_is_nobody_and_every_chain_holds(house: House) -> None:
    session = house.open_table()
    ana = guest(house, "Ana Poma Quispe", number="4871203", note="prefiere la mesa 2")
    registering.set_guest(
        guest=ana, document_type="ci", number="4871203", name="Ana Poma Quispe de Rojas", birth_date=BORN,
        by=house.by(Role.SUPERVISOR, NIGHT, "apellido de casada"),
    )  # fmt: skip
    before, heads = bodies(), list(Event.objects.order_by("id").values_list("hash", flat=True))
    assert carried_out(house, "guest") == 1

    stands = Pseudonym.objects.get()
    ana.refresh_from_db()
    assert (ana.name, ana.number, ana.note) == (stands.code, stands.code, "")
    # Born on 1985-03-14: the year stays.
    assert ana.birth_date == dt.date(1985, 1, 1)
    assert {(version.name, version.number) for version in ana.history.all()} == {(stands.code, stands.code)}
    for text in ("Ana Poma", "4871203", "prefiere la mesa"):
        assert everywhere(text) == []
    # What was hashed is what it was, and all of it verifies.
    assert bodies()[: len(before)] == before
    assert list(Event.objects.order_by("id").values_list("hash", flat=True))[: len(heads)] == heads
    assert faults(house) == []
    assert session.pk


@pytest.mark.rule("REC-12")
def test_the_day_counts_and_not_before(house: House) -> None:
    guest(house)  # used last on 2026-11-20 (the evening of NIGHT)
    said = refused(lambda: order(house, "guest", JUST_TEN), RuleViolation)
    assert (said.rule, said.code) == ("REC-12", "nothing_over")
    assert carried_out(house, "guest", JUST_TEN + dt.timedelta(days=1)) == 1


@pytest.mark.rule("REC-12")
def test_a_longer_period_is_kept_and_a_shorter_one_refused(house: House) -> None:
    guest(house)
    by = house.by(Role.COMPLIANCE, reason="criterio de la casa")
    for years in (0, 1, 9):
        said = refused(partial(retention.set_period, kind="guest", years=years, by=by), RuleViolation)
        assert (said.rule, said.code, said.field) == ("REC-12", "retention_too_short", "years")
    retention.set_period(kind="guest", years=11, by=by)
    assert (
        refused(lambda: order(house, "guest"), RuleViolation).code == "nothing_over"
    )  # LATER: 10 years, 3 months
    retention.set_period(kind="guest", years=10, by=by)
    assert carried_out(house, "guest") == 1
    assert faults(house) == []


@pytest.mark.rule("REC-12")
def test_who_still_plays_or_waits_to_be_decided_on_is_not_due(house: House) -> None:
    session = house.open_table()
    seated = guest(house, "Sentada Poma")
    sit(house, session, 1, seated)
    barred = guest(house, "Luis Rojas Vaca", number="777111")
    excluded(house, document_type="ci", number="777111", name="Luis Rojas Vaca")
    turned_away(house, session, barred)
    # The one sits still; the other was found on an entry that holds for good.
    assert refused(lambda: order(house, "guest"), RuleViolation).code == "nothing_over"


@pytest.mark.rule("REC-12")
def test_likely_matches_are_rewritten_with_the_player(house: House) -> None:
    session = house.open_table()
    luis = guest(house, "Luis Rojas Vaca", number="777111")
    entry = excluded(house, name="Luis Rojas Vaca", birth_date=BORN)
    turned_away(house, session, luis)
    excluding.decide_match(
        match=ExclusionMatch.objects.get(), outcome="cleared", evidence="foto de la nota",
        second=house.users[Role.COMPLIANCE].actor, by=house.by(Role.PIT_BOSS, NIGHT, "otra persona"),
    )  # fmt: skip
    assert carried_out(house, "guest") == 1
    assert ExclusionMatch.objects.get().identity == Pseudonym.objects.get().code
    assert faults(house) == []
    # The entry holds for good: it is never over.
    assert entry.pk not in set(
        Pseudonym.objects.filter(kind="exclusion").values_list("subject_id", flat=True)
    )


@pytest.mark.rule("REC-12")
def test_who_became_a_pseudonym_is_neither_changed_nor_seated_but_registered_anew(house: House) -> None:
    ana = guest(house, "Ana Poma Quispe", number="4871203")
    carried_out(house, "guest")
    session = house.open_table()
    again = {"document_type": "ci", "number": "4871203", "name": "Ana Poma Quispe", "birth_date": BORN}
    change = partial(registering.set_guest, guest=ana, by=house.by(Role.SUPERVISOR, reason="volvió"), **again)
    for act in (change, partial(sit, house, session, 1, Guest.objects.get(pk=ana.pk))):
        said = refused(act, Conflict)
        assert (said.code, said.rule) == ("pseudonym", "REC-12")
    anew = guest(house, "Ana Poma Quispe", number="4871203")
    assert anew.pk != ana.pk and sit(house, session, 1, anew).guest_id == anew.pk
    assert faults(house) == []


# ---- entries, receipts, chips given back --------------------------------------------------------------


@pytest.mark.rule("REC-12")
def test_an_entry_that_ended_is_over_ten_years_later(house: House) -> None:
    ended = excluded(
        house,
        document_type="ci",
        number="777111",
        name="Luis Rojas",
        until=dt.date(2026, 12, 31),
        birth_date=BORN,
    )
    excluded(house, document_type="ci", number="888222", name="Para Siempre")
    assert carried_out(house, "exclusion") == 1
    code = Pseudonym.objects.get().code
    kept = Exclusion.objects.get(pk=ended.pk)
    assert (kept.name, kept.number, kept.birth_date) == (code, code, dt.date(1985, 1, 1))
    assert everywhere("Luis Rojas") == [] and everywhere("777111") == []
    assert faults(house) == []


@pytest.mark.rule("REC-12")
def test_a_receipt_forgets_its_customer_and_still_proves(till: Cage) -> None:
    made = till.redeem({100 * BOB: 1}, **ANA)
    unnamed = till.redeem({100 * BOB: 1})
    till.void(made)
    # The void names her too: two receipts do.
    assert carried_out(till.house, "receipt") == 2
    codes = set(Pseudonym.objects.values_list("code", flat=True))
    kept = CageOperation.objects.get(pk=made.pk)
    assert kept.customer == kept.document and kept.customer in codes
    assert CageOperation.objects.get(pk=unnamed.pk).customer == ""
    assert everywhere("Ana Poma") == [] and everywhere("4871203") == []
    assert not PersonalValue.objects.exclude(value="").exists()
    assert {bytes(salt) for salt in PersonalValue.objects.values_list("salt", flat=True)} == {b""}
    assert faults(till.house) == []


@pytest.mark.rule("REC-12")
def test_chips_given_back_forget_to_whom(house: House) -> None:
    orphan = returned(house, found_chips(house, place="junto a la PB-01"))
    page = client(house, Role.COMPLIANCE)
    told = {"action": "tables.orphan.returned"}
    assert "a Ana Rojas, documento" in page.get("/auditoria/", told).content.decode()
    assert carried_out(house, "orphan") == 1
    kept = Orphan.objects.get(pk=orphan.pk)
    assert f"a {kept.claimant}, documento" in page.get("/auditoria/", told).content.decode()
    assert kept.claimant == kept.document == Pseudonym.objects.get().code
    assert everywhere("Ana Rojas") == [] and faults(house) == []


def test_events_of_before_the_commitments_prove_also_once_their_row_is_a_pseudonym(
    till: Cage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A receipt of an older version told the name openly: it stays in its chain, and the proof bears it."""
    monkeypatch.setattr("tables.money.cage.Personal", str)
    till.redeem({100 * BOB: 1}, **ANA)
    assert faults(till.house) == [] and "bodies" in everywhere("Ana Poma")
    assert carried_out(till.house, "receipt") == 1
    assert faults(till.house) == []
    assert everywhere("Ana Poma") == ["bodies"]


# ---- the triggers -------------------------------------------------------------------------------------


@pytest.mark.rule("REC-06")
def test_nothing_but_the_pseudonym_goes_into_rows_that_never_change(till: Cage) -> None:
    made = till.redeem({100 * BOB: 1}, **ANA)
    changes = (
        "UPDATE tables_cageoperation SET customer = 'P-AAAAAAAAAAAA' WHERE id = %s",
        "UPDATE tables_cageoperation SET customer = '' WHERE id = %s",
        "DELETE FROM tables_cageoperation WHERE id = %s",
    )

    def each_refused() -> None:
        for change in changes:
            with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(change, [made.pk])

    each_refused()
    carried_out(till.house, "receipt")
    changes = (
        "UPDATE tables_cageoperation SET customer = 'Otra Persona' WHERE id = %s",
        "UPDATE tables_cageoperation SET amount = amount + 1 WHERE id = %s",
        "DELETE FROM tables_cageoperation WHERE id = %s",
    )
    each_refused()
    for change in ("UPDATE audits_personalvalue SET value = 'x'", "DELETE FROM audits_personalvalue"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change)


# ---- who won ------------------------------------------------------------------------------------------


@pytest.mark.rule("REC-12")
def test_a_prize_forgets_who_won_it(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    prize = a_prize(night)
    checked(night, prize)
    pay(night, till, prize)
    clean = faults(house)
    assert "bodies" not in everywhere("Ana Rojas") and "bodies" not in everywhere("4871203")
    assert (carried_out(house, "prize"), carried_out(house, "receipt")) == (1, 1)
    kept = Prize.objects.get(pk=prize.pk)
    assert kept.winner == kept.document == Pseudonym.objects.get(kind="prize").code
    assert everywhere("Ana Rojas") == [] and everywhere("4871203") == []
    assert faults(house) == clean == []


@pytest.mark.rule("REC-12")
def test_a_prize_still_owed_is_never_over(house: House) -> None:
    night = a_pool(house)
    checked(night, a_prize(night))
    assert refused(lambda: order(house, "prize"), RuleViolation).code == "nothing_over"


@pytest.mark.rule("REC-12")
def test_a_draw_forgets_whom_it_was_paid(house: House) -> None:
    night, till = a_pool(house), a_cage(house)
    draw = drawn(night, "chips", 100 * BOB)
    promoting.pay_in_chips(
        draw=draw, desk=till.desk, chips={100 * BOB: 1}, witness=night.other(), by=night.by(Role.CAGE), **WHO
    )
    assert "bodies" not in everywhere("Ana Rojas")
    assert (carried_out(house, "complementary"), carried_out(house, "receipt")) == (1, 1)
    assert everywhere("Ana Rojas") == []
    assert faults(house) == []
