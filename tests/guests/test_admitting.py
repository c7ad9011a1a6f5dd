"""Nobody barred sits down, waits or bids (GEN-11): blocked, on record, cleared by two where unsure."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, connection, transaction

from audits.models import Event, Incident
from audits.reports import registry
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.permissions import Role
from tables.guests import absences, excluding, registering
from tables.guests.admitting import TurnedAway
from tables.guests.proofs import guest_faults
from tables.models import ExclusionMatch, SeatTaking, WaitingEntry
from tests.builders import House
from tests.guests.builders import BORN, FIRST_DAY, excluded, guest, minutes, sit, turned_away, waits


def sound(house: House) -> bool:
    return not [fault.words.es + fault.where for fault in guest_faults(house.casino)]


@pytest.mark.rule("GEN-11")
def test_the_document_itself_blocks_and_the_attempt_stays_on_record(house: House) -> None:
    who, session = guest(house, number="4.521.879 LP"), house.open_table()
    entry = excluded(house, number="4521879-SC")
    refusal = turned_away(house, session, who)
    assert (refusal.code, refusal.rule, refusal.status) == ("guest_excluded", "GEN-11", 422)
    assert refusal.detail == {"exclusion": entry.label}
    assert not SeatTaking.objects.exists()
    match = ExclusionMatch.objects.get()
    assert (match.how, match.state, match.score, match.where) == ("document", "blocked", 100, "seat")
    assert (match.guest, match.exclusion, match.place) == (who, entry, f"{session.table.name}/7")
    incident = Incident.objects.get()
    assert (incident.kind, incident.notice_due, incident.rules) == (
        "guests.excluded_person",
        None,
        ["GEN-11"],
    )
    turned_away(house, session, who, minutes(5))
    assert (ExclusionMatch.objects.count(), Incident.objects.count()) == (2, 1)
    assert sound(house)


@pytest.mark.rule("GEN-11")
def test_no_document_and_no_name_is_on_the_trail(house: House) -> None:
    who, session = guest(house, "Wilfredo Zárate", number="7654321"), house.open_table()
    excluded(house, number="7654321", name="Wilfredo Zárate", birth_date=BORN)
    turned_away(house, session, who)
    bodies = b"".join(bytes(event.body) for event in Event.objects.all())
    assert "•••321".encode() in bodies
    for hidden in ("7654321", "Zárate", "Zarate", BORN.isoformat()):
        assert hidden.encode() not in bodies


# 2008-11-20 was 18 years before the evening of 2026-11-20 in La Paz, which is 22:00 UTC.
@pytest.mark.rule("GEN-11")
def test_a_minor_is_refused_until_the_birthday_in_the_houses_own_zone(house: House) -> None:
    session = house.open_table()
    assert sit(house, session, 1, guest(house, birth_date=dt.date(2008, 11, 20))).seat == 1
    late = dt.datetime(2026, 11, 21, 3, 30, tzinfo=dt.UTC)  # 23:30 of the 20th in La Paz
    young = guest(house, "Rosa Lima Cruz", birth_date=dt.date(2008, 11, 21))
    assert turned_away(house, session, young, late).code == "guest_minor"
    match = ExclusionMatch.objects.get()
    assert (match.how, match.exclusion, Incident.objects.count()) == ("minor", None, 1)
    assert sit(house, session, 2, young, at=late + dt.timedelta(minutes=30)).seat == 2
    assert sound(house)


@pytest.mark.rule("GEN-11")
@pytest.mark.rule("GEN-10")
def test_a_likely_match_blocks_until_two_people_say_it_is_somebody_else(house: House) -> None:
    who, session = guest(house), house.open_table()
    excluded(house, name="MAMANI QUISPE, JUAN", birth_date=BORN)
    assert turned_away(house, session, who).code == "guest_match_open"
    assert turned_away(house, session, who, minutes(1)).code == "guest_match_open"
    match = ExclusionMatch.objects.get()  # the second attempt names it again
    assert (match.how, match.state, Incident.objects.count()) == ("name_birth", "open", 0)

    by = house.by(Role.SUPERVISOR, minutes(2), "el documento es otro")
    for second, code in ((Role.SUPERVISOR, "same_person"), (Role.CAGE, "not_qualified")):
        with pytest.raises(RuleViolation) as refused:
            excluding.decide_match(
                match=match,
                outcome="cleared",
                evidence="cédula vista",
                second=house.users[second].actor,
                by=by,
            )
        assert (refused.value.code, refused.value.rule) == (code, "GEN-10")
    with pytest.raises(Refused, match="motivo"):
        decide(house, match, reason="")
    decide(house, match)
    with pytest.raises(Conflict, match="resuelta"):
        decide(house, match)
    assert sit(house, session, 1, who, at=minutes(4)).guest == who
    assert sound(house)


@pytest.mark.rule("GEN-11")
def test_a_cleared_pair_is_asked_again_once_the_guests_particulars_change(house: House) -> None:
    who, session = guest(house), house.open_table()
    entry = excluded(house, name="Juan Mamani Quispe", birth_date=BORN)
    turned_away(house, session, who)
    decide(house, ExclusionMatch.objects.get())
    particulars = {"document_type": "ci", "number": who.number, "name": who.name, "birth_date": BORN}
    registering.set_guest(
        guest=who, by=house.by(Role.SUPERVISOR, minutes(5), "anota"), **{**particulars, "note": "habitual"}
    )
    taking = sit(house, session, 1, who, at=minutes(6))
    registering.set_guest(
        guest=who,
        by=house.by(Role.SUPERVISOR, minutes(7), "mal escrito"),
        **{**particulars, "number": "5111222"},
    )
    who.refresh_from_db()
    assert ExclusionMatch.objects.get(state="open").where == "floor"  # the correction asks at once
    with pytest.raises(TurnedAway):
        waits(house, minutes(8), guest=who, game="blackjack.classic")
    assert taking.guest == who
    # Another entry for the same person is another question.
    assert excluded(house, minutes(9), name="Juan Mamani", birth_date=BORN) != entry
    assert ExclusionMatch.objects.filter(state="open").count() == 2
    assert sound(house)


@pytest.mark.rule("GEN-11")
def test_a_match_confirmed_is_refused_as_the_document_is(house: House) -> None:
    who, session = guest(house), house.open_table()
    excluded(house, name="Juan Mamani", birth_date=BORN)
    turned_away(house, session, who)
    decide(house, ExclusionMatch.objects.get(), outcome="confirmed")
    assert Incident.objects.get().subject_id == who.pk
    assert turned_away(house, session, who, minutes(9)).code == "guest_excluded"
    assert ExclusionMatch.objects.count() == 1
    assert sound(house)


@pytest.mark.rule("GEN-11")
def test_an_exclusion_holds_on_its_days_and_until_it_is_ended(house: House) -> None:
    who, session = guest(house, number="4100100"), house.open_table()
    excluded(house, number="4100100", since=FIRST_DAY, until=dt.date(2026, 11, 19), kind="house")
    assert sit(house, session, 1, who).guest == who
    other = guest(house, "Rosa Lima", number="4100200")
    entry = excluded(house, number="4100200", until=dt.date(2026, 11, 20), kind="self")
    turned_away(house, session, other, minutes(1))
    after_midnight = dt.datetime(2026, 11, 21, 4, 0, tzinfo=dt.UTC)  # 00:00 in La Paz
    assert sit(house, session, 2, other, at=after_midnight).guest == other
    with pytest.raises(Conflict):
        excluded(house, number="4.100.200", until=dt.date(2026, 11, 20), kind="self")
    end = excluding.end_exclusion(
        exclusion=entry,
        second=house.users[Role.PIT_BOSS].actor,
        by=house.by(Role.COMPLIANCE, minutes(2), "resolución AJ 9/2026"),
    )
    assert end.reason == "resolución AJ 9/2026"
    with pytest.raises(Conflict, match="terminada"):
        excluding.end_exclusion(
            exclusion=entry,
            second=house.users[Role.PIT_BOSS].actor,
            by=house.by(Role.COMPLIANCE, minutes(3), "otra vez"),
        )
    assert sound(house)


@pytest.mark.rule("GEN-10")
def test_nobody_ends_an_exclusion_alone(house: House) -> None:
    entry = excluded(house, number="4100300")
    for second, code in ((Role.COMPLIANCE, "same_person"), (Role.SUPERVISOR, "not_qualified")):
        with pytest.raises(RuleViolation) as refused:
            excluding.end_exclusion(
                exclusion=entry,
                second=house.users[second].actor,
                by=house.by(Role.COMPLIANCE, reason="pedido"),
            )
        assert refused.value.code == code


@pytest.mark.rule("GEN-11")
def test_who_is_on_the_floor_when_the_list_comes_is_found_at_once(house: House) -> None:
    seated, session = guest(house, number="4200100"), house.open_table()
    waiting = guest(house, "Rosa Lima Cruz")
    sit(house, session, 3, seated)
    waits(house, minutes(1), guest=waiting, table=session.table)
    excluded(house, minutes(2), number="4200100")
    excluded(house, minutes(3), name="Rosa Lima", birth_date=BORN)
    found = {match.guest_id: match for match in ExclusionMatch.objects.all()}
    assert found[seated.pk].place == f"{session.table.name}/3"
    assert (found[seated.pk].state, found[waiting.pk].state) == ("blocked", "open")
    assert {match.where for match in found.values()} == {"floor"}
    assert Incident.objects.get().subject_id == seated.pk
    assert WaitingEntry.objects.get().state == "waiting"
    assert sound(house)


@pytest.mark.rule("GEN-11")
def test_a_correction_that_makes_a_seated_guest_somebody_of_the_list_is_found(house: House) -> None:
    who, session = guest(house, number="4250001"), house.open_table()
    excluded(house, number="4250101")
    sit(house, session, 3, who)
    corrected = {"document_type": "ci", "name": who.name, "birth_date": BORN, "guest": who}
    by = house.by(Role.SUPERVISOR, minutes(4), "mal leído")
    registering.set_guest(number="4250101", by=by, **corrected)
    match = ExclusionMatch.objects.get()
    assert (match.where, match.place, match.how) == ("floor", f"{session.table.name}/3", "document")
    assert Incident.objects.count() == 1
    assert sound(house)


ENTRIES = [
    ({"name": "Juan Mamani"}, "number"),  # a name alone is nobody
    ({"birth_date": BORN}, "number"),
    ({"number": "4200100", "kind": "amigo"}, "kind"),
    ({"number": "4200100", "source": " "}, "source"),
    ({"number": "4200100", "until": FIRST_DAY - dt.timedelta(days=1)}, "until"),
    ({"number": "sin"}, "number"),
    ({"number": "4200100", "document_type": "carnet"}, "document_type"),
    ({"number": "4200100", "country": "Bolivia"}, "country"),
]


def test_an_entry_says_whom_from_when_and_by_what_paper(house: House) -> None:
    for about, field in ENTRIES:
        with pytest.raises(Refused) as refused:
            excluded(house, **about)
        assert refused.value.field == field, about


def test_an_alias_bears_no_document(house: House) -> None:
    session = house.open_table()
    for alias in ("4521879", "Juan 45-21-8"):
        with pytest.raises(Refused) as refused:
            sit(house, session, 1, alias=alias)
        assert (refused.value.code, refused.value.field) == ("bad_alias", "alias")
    assert sit(house, session, 1, alias="Mesa 12, gorra 7").alias == "Mesa 12, gorra 7"


def test_a_document_is_one_persons(house: House) -> None:
    who = guest(house, number="4300100 LP")
    with pytest.raises(Conflict) as refused:
        guest(house, "Otra Persona", number="4.300.100")
    assert (refused.value.code, refused.value.detail) == ("guest_exists", {"guest": who.pk})
    assert guest(house, "Otra Persona", number="4300100-1A") != who
    with pytest.raises(Refused):
        guest(house, birth_date=dt.date(2027, 1, 1))


@pytest.mark.rule("REC-06")
def test_lists_and_decisions_are_not_rewritten(house: House) -> None:
    who, session = guest(house), house.open_table()
    excluded(house, name="Juan Mamani Quispe", birth_date=BORN)
    turned_away(house, session, who)
    decide(house, ExclusionMatch.objects.get())
    for sql in (
        "UPDATE tables_exclusion SET until = now()",
        "DELETE FROM tables_exclusion",
        "UPDATE tables_exclusionmatch SET reason = 'x'",
        "DELETE FROM tables_exclusionmatch",
        "UPDATE tables_historicalguest SET name = 'x'",
        "DELETE FROM tables_guest",
    ):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)


@pytest.mark.rule("REC-06")
def test_the_proof_names_what_is_not_what_the_trail_tells(house: House) -> None:
    who = guest(house)
    excluded(house, number="4400100")
    assert sound(house)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE tables_guest SET number = '1111111'")
        cursor.execute("DELETE FROM tables_exclusion")
        cursor.execute("SET LOCAL session_replication_role = origin")
    faults = {fault.where.partition(":")[0]: fault.words.es for fault in guest_faults(house.casino)}
    assert "document, particulars, history" in faults["guest"]
    assert "row" in faults["exclusion"]
    assert who.pk


def test_the_reports_mask_documents(house: House) -> None:
    who, session = guest(house, number="4800100"), house.open_table()
    entry = excluded(house, number="4800100")
    turned_away(house, session, who)
    absences.mark_away(taking=sit(house, session, 2, alias="Ana"), by=house.by(Role.SUPERVISOR, minutes(3)))
    excluding.end_exclusion(
        exclusion=entry,
        second=house.users[Role.PIT_BOSS].actor,
        by=house.by(Role.COMPLIANCE, minutes(5), "RA-3/2026"),
    )
    day = {"first": dt.date(2026, 11, 20), "last": dt.date(2026, 11, 20)}
    told = {
        section.key: list(section.rows())
        for report, params in (("tables.exclusions", day), ("tables.seats", {"session": session}))
        for section in registry.get(report).sections(house.casino, params)
    }
    assert [len(told[key]) for key in ("entries", "ended", "matches", "seats", "absences")] == [1] * 5
    assert told["matches"][0]["who"] == "J.M.Q. •••100"
    assert (told["seats"][0]["player"], told["seats"][0]["priority"]) == ("Ana", None)
    assert "4800100" not in str(told)


def decide(
    house: House, match: ExclusionMatch, outcome: str = "cleared", reason: str = "otro documento"
) -> ExclusionMatch:
    return excluding.decide_match(
        match=match,
        outcome=outcome,
        evidence="cédula vista, foto distinta",
        second=house.users[Role.PIT_BOSS].actor,
        by=house.by(Role.SUPERVISOR, minutes(3), reason),
    )
