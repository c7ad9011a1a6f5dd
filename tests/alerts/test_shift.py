"""The shift report: figures an accountant can check, sentences of the trail by table, the chiefs' notes
apart."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from audits.models import Event
from audits.reports.forms import read
from casino.kernel.errors import NotAllowed, Refused
from casino.kernel.permissions import Role
from tables import sessions
from tables.alerts.keeping import acknowledge
from tables.alerts.proofs import told_faults
from tables.alerts.shift_notes import note_shift
from tables.models import ShiftNote, TableSession
from tables.reports.shift import ShiftForm, ShiftReport
from tables.shift import sums, told
from tables.shift.window import between, whole
from tests.alerts.building import look, opened
from tests.builders import BOB, NATURAL, NIGHT, House, bets


@pytest.fixture
def evening(house: House) -> TableSession:
    """18:00 to 23:00: a relief at 19:10 after an alert at 19:01, two rounds, 200 for the house, 500 in the
    box."""
    session = opened(house, detail="full")
    house.log(session, [*bets((1, "banca", 300)), *NATURAL], at=NIGHT + dt.timedelta(minutes=5))
    (late,) = look(house, 61).raised
    by = house.by(Role.SUPERVISOR, NIGHT + dt.timedelta(minutes=70))
    sessions.relieve(session=session, staff=house.dealers[1], post="dealer", by=by)
    look(house, 71)
    acknowledge(alerts=[late], by=house.by(Role.PIT_BOSS, NIGHT + dt.timedelta(minutes=72), "relevo hecho"))
    house.log(session, [*bets((1, "punto", 100)), *NATURAL], at=NIGHT + dt.timedelta(minutes=80))
    # 75.000 + 300 - 100 - 500 sold = 74.700 in the tray.
    return house.close(session, {500 * BOB: 149, 100 * BOB: 2}, drop=500 * BOB)


def test_a_shift_in_figures(house: House, evening: TableSession) -> None:
    (line,) = sums.of(whole(house.casino, evening.day.date))
    assert (line.table, line.minutes_open, line.rounds, line.reliefs) == (evening.table, 300, 2, 1)
    # 74.700 + 500 - 75.000 = 200, as the bets say.
    assert (line.house, line.drop, line.result, line.deduction) == (200 * BOB, 500 * BOB, 200 * BOB, None)
    assert (line.fills, line.credits, line.incidents) == (0, 0, 0)
    assert (line.alerts, line.unattended) == (1, 0)


def test_hours_of_a_shift_count_what_was_settled_in_them_and_no_counts_of_others(
    house: House, evening: TableSession
) -> None:
    first = between(house.casino, evening.day.date, None, dt.time(19))
    (line,) = sums.of(first)
    assert (line.minutes_open, line.rounds, line.house, line.drop, line.result) == (
        60,
        1,
        300 * BOB,
        None,
        None,
    )
    assert sums.of(first, house.table().pit) == []


@pytest.mark.rule("REC-06")
def test_what_happened_is_told_from_the_events_by_table_and_in_time(
    house: House, evening: TableSession
) -> None:
    window = whole(house.casino, evening.day.date)
    events = told.events(window)
    assert {one.table for one in events} == {evening.table.name}
    assert [one.at for one in events] == sorted(one.at for one in events)
    said = [one.words.es for one in events]
    assert said[0] == f"se abrió {evening.label} con 75.000,00 en fichas"
    assert f"aviso en {evening.table.name}: relevo vencido hace 1 min" in said
    assert f"{evening.label}: Croupier" in " ".join(said)
    assert any("motivo: relevo hecho" in words for words in said)
    assert not any("pase" in words for words in said)  # rounds are counted, not told
    # Every sentence is of an event that is there.
    assert Event.objects.filter(pk__in=[one.event for one in events]).count() == len(events)
    early = told.events(between(house.casino, evening.day.date, None, dt.time(19)))
    assert len(early) == 1


def test_notes_are_kept_apart_from_figures_and_never_changed(house: House, evening: TableSession) -> None:
    at = NIGHT + dt.timedelta(hours=2)
    note = note_shift(text="mesa con mucho público", pit=evening.table.pit, by=house.by(Role.PIT_BOSS, at))
    whole_floor = note_shift(text="noche tranquila", by=house.by(Role.SUPERVISOR, at))
    window = whole(house.casino, evening.day.date)
    assert told.notes(window, evening.table.pit) == [note, whole_floor]
    assert told.notes(window, house.table().pit) == [whole_floor]
    sections = {section.key: section for section in ShiftReport().sections(house.casino, {"day": window.day})}
    assert [row["text"] for row in sections["notes"].rows()] == [note.text, whole_floor.text]
    assert all("público" not in str(list(sections[key].rows())) for key in ("figures", "events", "alerts"))
    assert [str(row["reason"]) for row in sections["alerts"].rows()] == ["relevo hecho"]
    for act in (lambda: ShiftNote.objects.update(text="x"), lambda: ShiftNote.objects.all().delete()):
        with pytest.raises(IntegrityError), transaction.atomic():
            act()
    assert list(told_faults(house.casino)) == []


@pytest.mark.parametrize(("first", "last", "field"), [("22:00", "02:00", ""), ("02:00", "22:00", "last")])
def test_the_report_is_asked_for_hours_that_run_forward(
    house: House, first: str, last: str, field: str
) -> None:
    given = {"day": "2026-11-20", "first": first, "last": last}
    if not field:
        assert read(ShiftForm, house.casino, given)["last"] == dt.time(2)
        return
    with pytest.raises(Refused) as refused:
        read(ShiftForm, house.casino, given)
    assert (refused.value.code, refused.value.field) == ("bad_params", field)


def test_a_note_says_something_and_is_a_chiefs(house: House) -> None:
    for text in ("", "  \n ", "x" * 2001):
        with pytest.raises(Refused) as refused:
            note_shift(text=text, by=house.by(Role.PIT_BOSS))
        assert (refused.value.code, refused.value.field) == ("bad_text", "text")
    with pytest.raises(NotAllowed):
        note_shift(text="hola", by=house.by(Role.CAGE))


def test_the_shift_asks_as_often_for_two_tables_as_for_one(house: House, evening: TableSession) -> None:
    window = whole(house.casino, evening.day.date)
    with CaptureQueriesContext(connection) as one:
        sums.of(window)
        told.events(window)
    opened(house, detail="full", dealer=2, supervisor=1)
    with CaptureQueriesContext(connection) as two:
        assert len(sums.of(window)) == 2
        told.events(window)
    assert len(two) == len(one)
