"""Who is on the floor as an exclusion begins to hold is asked again, with an alert on the table (GEN-11)."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from typing import Any

import pytest

from audits.by import By, by_system
from audits.models import Event, Incident
from casino.kernel.errors import SabotError
from casino.kernel.permissions import Role
from tables.alerts.keeping import acknowledge
from tables.alerts.proofs import told_faults
from tables.alerts.sweeping import sweep
from tables.guests import excluding, recognising, seats
from tables.guests.admitting import on_record
from tables.guests.proofs import guest_faults
from tables.guests.recognising import BARRED, ask_again
from tables.models import Alert, ExclusionMatch
from tests.builders import House
from tests.guests.builders import BORN, excluded, guest, minutes, sit, waits

TOMORROW = dt.date(2026, 11, 21)
"""The evening is of 20 November 2026; in La Paz (four hours behind UTC) the 21st begins at 04:00 UTC."""
MIDNIGHT = dt.datetime(2026, 11, 21, 4, 0, tzinfo=dt.UTC)


def job(house: House, at: dt.datetime) -> By:
    return replace(by_system(house.casino, recognising.JOB), occurred_at=at)


def look(house: House, at: dt.datetime) -> None:
    """What the job does each minute, and the look at the floor after it."""
    ask_again(job(house, at))
    sweep(by=job(house, at))


def alerts(house: House) -> list[Alert]:
    return list(Alert.objects.filter(casino=house.casino, kind=BARRED).order_by("pk"))


def events(action: str) -> list[dict[str, Any]]:
    rows = Event.objects.filter(action=f"tables.guest.{action}").order_by("pk")
    return [json.loads(bytes(event.body))["data"] for event in rows]


def sound(house: House) -> bool:
    return not list(guest_faults(house.casino)) and not list(told_faults(house.casino))


def after(seconds: float) -> dt.datetime:
    return MIDNIGHT + dt.timedelta(seconds=seconds)


@pytest.mark.rule("GEN-11")
def test_who_sits_when_an_exclusion_begins_is_asked_again_at_its_first_instant(house: House) -> None:
    who, session = guest(house, number="4260001"), house.open_table()
    sit(house, session, 4, who)
    entry = excluded(house, minutes(5), number="4260001", since=TOMORROW)
    look(house, after(-1))
    assert (alerts(house), ExclusionMatch.objects.count()) == ([], 0)
    look(house, after(0))
    (alert,) = alerts(house)
    assert (alert.table, alert.session, alert.rule, alert.level) == (session.table, session, "GEN-11", "bad")
    assert alert.words_es == (
        f"asiento 4: J.M.Q. •••001 figura en la lista de exclusión ({entry.label}); deja de jugar ahora:"
        " avise a cumplimiento"
    )
    match = ExclusionMatch.objects.get()
    assert (match.guest, match.exclusion, match.how, match.state) == (who, entry, "document", "blocked")
    assert (match.where, match.place, match.found_at) == ("floor", f"{session.table.name}/4", after(0))
    assert Incident.objects.get().subject_id == who.pk
    for minute in (60, 120):
        look(house, after(minute))
    assert len(alerts(house)) == ExclusionMatch.objects.count() == len(events("recognised")) == 1
    assert sound(house)


@pytest.mark.rule("GEN-11")
def test_the_alert_stays_until_it_is_acknowledged_also_after_they_left(house: House) -> None:
    who, session = guest(house, number="4260002"), house.open_table()
    taking = sit(house, session, 1, who)
    excluded(house, minutes(5), number="4260002", since=TOMORROW)
    look(house, after(0))
    seats.leave(taking=taking, by=house.by(Role.SUPERVISOR, after(90)))
    look(house, after(120))
    (alert,) = alerts(house)
    assert (alert.cleared_at, alert.acknowledged_at) == (after(120), None)
    by = house.by(Role.PIT_BOSS, after(180), "acompañado a la salida")
    acknowledge(alerts=[alert], by=by)
    look(house, after(240))
    assert [one.acknowledged_at for one in alerts(house)] == [after(180)]
    assert sound(house)


@pytest.mark.rule("GEN-11")
def test_an_entry_in_force_raises_the_alert_as_it_is_recorded(house: House) -> None:
    """The list names two of those on the floor: one by document at a seat, one alike on the waiting list."""
    sure, like = guest(house, "Rosa Lima Poma", number="4260003"), guest(house, "Ana Rojas Lima")
    session = house.open_table()
    sit(house, session, 2, sure)
    waits(house, minutes(1), guest=like, table=session.table)
    excluded(house, minutes(5), number="4260003")
    excluded(house, minutes(6), name="ROJAS LIMA ANA", birth_date=BORN)
    first, second = alerts(house)
    assert [(one.level, one.raised_at) for one in (first, second)] == [
        ("bad", minutes(5)), ("warn", minutes(6)),
    ]  # fmt: skip
    assert first.words_es.startswith("asiento 2: R.L.P. •••003 figura")
    assert second.words_es.startswith("lista de espera: A.R.L. ")
    assert "entre dos en Coincidencias" in second.words_es
    sweep(by=job(house, minutes(7)))
    assert [one.cleared_at for one in alerts(house)] == [None, None]
    excluding.decide_match(
        match=ExclusionMatch.objects.get(state="open"), outcome="cleared", evidence="cédula vista",
        second=house.users[Role.PIT_BOSS].actor, by=house.by(Role.SUPERVISOR, minutes(8), "es otra persona"),
    )  # fmt: skip
    sweep(by=job(house, minutes(9)))
    assert [one.cleared_at for one in alerts(house)] == [None, minutes(9)]
    assert sound(house)


@pytest.mark.rule("GEN-11")
def test_two_seated_when_two_entries_begin_are_each_on_record(house: House) -> None:
    """Both by document, so with an incident each; who sits down after midnight is asked as they come."""
    session = house.open_table()
    people = [guest(house, f"Persona {n} Prueba", number=f"426001{n}") for n in (1, 2, 3)]
    for n, who in enumerate(people[:2], start=1):
        sit(house, session, n, who)
    for n in (1, 2, 3):
        excluded(house, minutes(5), number=f"426001{n}", since=TOMORROW)
    look(house, after(30))
    assert {match.guest for match in ExclusionMatch.objects.all()} == set(people[:2])
    assert Incident.objects.count() == len(alerts(house)) == 2
    with pytest.raises(SabotError) as refused:
        sit(house, session, 5, people[2], at=after(60))
    assert refused.value.code == "guest_excluded"
    assert sound(house)


@pytest.mark.rule("GEN-11")
def test_an_alias_like_a_listed_name_leaves_a_record_when_refused_found_and_cleared(house: House) -> None:
    session = house.open_table()
    sit(house, session, 3, alias="Juan Mamani", at=minutes(0))
    entry = waits(house, minutes(1), "Mamani Juan", game="baccarat.mini")
    listed = excluded(house, minutes(5), name="Juan Mamani Quispe", birth_date=BORN, number="4270009")
    assert {one["alias"] for one in events("alias_recognised")} == {"Mamani Juan", "Juan Mamani"}
    assert {one.table for one in alerts(house)} == {session.table, None}
    with pytest.raises(SabotError, match="lista de exclusión"):
        sit(house, session, 2, alias="Juan Mamani", at=minutes(6), reason="apurado")
    (refused,) = events("alias_refused")
    assert (refused["alias"], refused["where"], refused["place"], refused["score"]) == (
        "Juan Mamani", "seat", f"{session.table.name}/2", 100,
    )  # fmt: skip
    who = guest(house, "Juan Mamani", birth_date=dt.date(1960, 1, 1), number="5550123")
    with on_record():
        seats.seat_from_list(
            entry=entry, session=session, seat=4, guest=who, by=house.by(Role.SUPERVISOR, minutes(8))
        )
    (cleared,) = events("alias_identified")
    assert (cleared["alias"], cleared["player"], cleared["guest"]) == ("Mamani Juan", "J.M. •••123", who.pk)
    about = Event.objects.filter(stream__name=listed.stream)
    assert about.count() == 5  # recorded, found twice, refused, identified
    assert not any(b"5550123" in bytes(one.body) or b"4270009" in bytes(one.body) for one in about)
    sweep(by=job(house, minutes(9)))
    waiting, seated = sorted(alerts(house), key=lambda one: one.table is not None)
    assert (waiting.cleared_at, seated.cleared_at) == (minutes(9), None)
    assert sound(house)


@pytest.mark.rule("GEN-11")
def test_somebody_anonymous_is_asked_for_a_document_when_an_entry_begins(house: House) -> None:
    session = house.open_table()
    sit(house, session, 3, alias="Juan Mamani")
    sit(house, session, 4, alias="Juan")  # one word is nobody's name
    excluded(house, minutes(5), name="Juan Mamani Quispe", birth_date=BORN, since=TOMORROW)
    assert alerts(house) == []
    for seconds in (0, 60, 120):
        look(house, after(seconds))
    (alert,) = alerts(house)
    assert alert.words_es.startswith("asiento 3: «Juan Mamani» se parece a un nombre de la lista")
    assert (alert.level, alert.cleared_at, len(events("alias_recognised"))) == ("warn", None, 1)
    assert sound(house)
