"""Which events a row rests on: what `EventsOf` means, each part of it tried, and several as few (REC-15)."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from audits import ledger
from audits.models import Event
from audits.reports import EVENTS, Column, EventsOf, Kind, events_named, resting
from casino.kernel.commands import one_transaction

pytestmark = pytest.mark.rule("REC-15")
DAY = dt.date(2026, 11, 20)


@pytest.fixture
def told(house: Any) -> list[Event]:
    """Three events of one stream, then one of another."""
    return [*(house.record("a", n=n) for n in range(3)), house.record("b", n=9)]


def found(house: Any, *named: EventsOf) -> list[int]:
    return [event.pk for event in resting.events(house.casino, named)]


def pks(events: list[Event]) -> list[int]:
    return [event.pk for event in events]


def test_by_stream_number_and_action(house: Any, told: list[Event]) -> None:
    assert found(house, EventsOf(streams=("a",))) == pks(told[:3])
    assert found(house, EventsOf(streams=("a",), seqs=(2, 3))) == pks(told[1:3])
    assert found(house, EventsOf(streams=("a", "b"), actions=("audits.casino.set",))) == pks(told)
    assert found(house, EventsOf(streams=("a",), actions=("audits.user.created",))) == []
    assert found(house, EventsOf(streams=("nothing of the kind",))) == []


def test_by_the_rules_that_are_cited(house: Any, told: list[Event]) -> None:
    ruled = house.record("c", rules=["REC-08", "GEN-10"])
    assert found(house, EventsOf(rules=("GEN-10", "GEN-09"))) == [ruled.pk]
    assert found(house, EventsOf(rules=("REC-08",)), EventsOf(streams=("a",))) == [*pks(told[:3]), ruled.pk]
    assert found(house, EventsOf(rules=("GEN-09",))) == []


def test_by_subject_one_and_several(house: Any, told: list[Event]) -> None:
    here = house.casino.pk
    set_here = EventsOf(subject=("casino", here), actions=("audits.casino.set",))
    assert found(house, set_here) == pks(told)
    several = EventsOf(subject=("casino", (here, here + 1)), actions=("audits.casino.set",))
    assert found(house, several) == pks(told)
    assert found(house, EventsOf(subject=("casino", here + 1))) == []
    assert found(house, EventsOf(subject=("casino", ()))) == []


def test_by_instant_both_ends_included_or_the_last_left_out(house: Any, told: list[Event]) -> None:
    first, second, third = told[:3]
    of_a = EventsOf(streams=("a",))
    assert found(house, of_a.at(second.occurred)) == [second.pk]
    assert found(house, of_a.between(first.occurred, second.occurred)) == pks(told[:2])
    assert found(house, of_a.between(second.occurred, None)) == pks(told[1:3])
    assert found(house, of_a.between(None, first.occurred)) == [first.pk]
    upto = EventsOf(streams=("a",), since=first.occurred, until=third.occurred)
    assert found(house, upto) == pks(told[:2])


def test_by_account_and_gaming_day(house: Any) -> None:
    events = []
    for day in (DAY, DAY + dt.timedelta(days=1)):
        event = house.record("money", day=f"{day}")
        move = ledger.Move("vault", "tray:1", 500, "fill")
        with one_transaction():
            ledger.post(event=event, kind="fill", day=day, moves=[move])
        events.append(event)
    assert found(house, EventsOf(accounts=("tray:1",))) == pks(events)
    assert found(house, EventsOf(accounts=("tray:1",), days=(DAY, DAY))) == [events[0].pk]
    assert found(house, EventsOf(accounts=("tray:1", "vault"), days=(dt.date.min, DAY))) == [events[0].pk]
    assert found(house, EventsOf(accounts=("tray:2",))) == []


def test_several_are_found_each_event_once(house: Any, told: list[Event]) -> None:
    one, two = EventsOf(streams=("a",), seqs=(1,)), EventsOf(ids=(told[0].pk, told[3].pk))
    assert found(house, one, two, one) == [told[0].pk, told[3].pk]
    assert found(house) == []
    assert found(house, EventsOf(ids=())) == []


def test_alike_alternatives_are_asked_as_one() -> None:
    rows = [EventsOf(subject=("slip", n), actions=("x.y.z",)) for n in (3, 1, 3)]
    assert resting.merged(rows) == [EventsOf(subject=("slip", (3, 1)), actions=("x.y.z",))]
    chains = [EventsOf(streams=("a",)), EventsOf(streams=("b", "a"))]
    assert resting.merged(chains) == [EventsOf(streams=("a", "b"))]
    apart = [EventsOf(streams=("a",)), EventsOf(streams=("a",), actions=("x.y.z",)), EventsOf(ids=(1,))]
    assert resting.merged(apart) == apart
    numbered = [EventsOf(streams=("a",), seqs=(2,)), EventsOf(streams=("b",), seqs=(2,))]
    assert resting.merged(numbered) == numbered  # number 2 of one chain is not that of the other
    only = [EventsOf(actions=("x.y.z",)), EventsOf(actions=("x.y.z",))]
    assert resting.merged(only) == only[:1]


def test_another_casinos_events_are_never_found(house: Any, told: list[Event], founder: Any) -> None:
    other = founder("vecino")
    for named in (
        EventsOf(streams=("a",)),
        EventsOf(ids=tuple(pks(told))),
        EventsOf(actions=("audits.casino.set",)),
    ):
        assert not set(found(other, named)) & set(pks(told))


def test_what_names_no_event_or_makes_no_sense_is_refused() -> None:
    for wrong in (
        {},
        {"since": dt.datetime.now(dt.UTC)},
        {"seqs": (1,)},
        {"streams": ("a",), "days": (DAY, DAY)},
    ):
        with pytest.raises(ValueError, match=r"name|number in a stream|accounts"):
            EventsOf(**wrong)
    with pytest.raises(ValueError, match="not a column"):
        Column(EVENTS, "Hechos", Kind.INT)  # type: ignore[arg-type]


def test_a_row_names_one_several_or_a_way_to_find_them() -> None:
    one = EventsOf(streams=("a",))
    assert events_named({"x": 1}) == ()
    assert events_named({EVENTS: one}) == (one,)
    assert events_named({EVENTS: [one, one]}) == (one, one)
    assert events_named({EVENTS: lambda: [one]}) == (one,)
    assert events_named({EVENTS: lambda: one}) == (one,)
