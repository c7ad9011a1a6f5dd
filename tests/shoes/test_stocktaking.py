"""The store counted by two departments (CARD-02), the least it should hold, and when it is to be counted."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from audits import incident_facts, incidents
from audits.by import By
from audits.models import Actor, Event, Incident
from casino.kernel import clock
from casino.kernel.errors import NotAllowed, NotFound, Refused, RuleViolation
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import whereabouts
from shoes.models import StockCount, StockLevel
from shoes.store import count_store, give_back, set_level
from tests.shoes import builders


@pytest.fixture
def cage(casino: Casino) -> Actor:
    return builders.a_person(casino, Role.CAGE, name="Caja Uno").actor


@pytest.fixture
def boss(casino: Casino) -> By:
    return builders.a_person(casino, Role.PIT_BOSS).because("nuevo mínimo")


def line(counted: Any, colour: str = "rojo", kind: str = "french52") -> dict[str, Any]:
    return {"deck_type": kind, "back_colour": colour, "counted": counted}


@pytest.mark.rule("CARD-02")
def test_a_count_that_agrees_opens_nothing(casino: Casino, chief: By, cage: Actor) -> None:
    builders.registered_decks(casino, chief, 5)
    builders.registered_decks(casino, chief, 2, back_colour="azul")
    builders.issued_decks(casino, chief, 1)  # out of the store
    opened = builders.inspected_decks(casino, chief, 1)[0]
    give_back(serials=[opened.serial], by=chief)  # without a seal, and in the store all the same: 5 + 1
    count = count_store(lines=[line(6), line(2, "azul")], with_=cage, by=chief)
    assert not count.differs
    assert count.lines == [
        {"deck_type": "french52", "back_colour": "azul", "expected": 2, "counted": 2},
        {"deck_type": "french52", "back_colour": "rojo", "expected": 6, "counted": 6},
    ]
    assert (count.counted_by, count.counted_with) == (chief.actor, cage)
    assert not Incident.objects.exists()
    assert Event.objects.get(action="shoes.store.counted").stream.name == "store"
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-01", "CARD-02")
def test_a_colour_is_the_same_with_another_capital(casino: Casino, chief: By, boss: By, cage: Actor) -> None:
    builders.registered_decks(casino, chief, 2)
    builders.registered_decks(casino, chief, 3, back_colour="Rojo")
    set_level(deck_type="french52", back_colour="ROJO", least=6, by=boss)
    (stock,) = whereabouts.stock(casino)
    assert (stock.back_colour, stock.usable, stock.low) == ("rojo", 5, True)
    assert not count_store(lines=[line(5, "rOjo")], with_=cage, by=chief).differs
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-02", "REC-14")
def test_a_difference_is_one_incident_to_be_told_within_a_day(casino: Casino, chief: By, cage: Actor) -> None:
    builders.registered_decks(casino, chief, 5)
    builders.registered_decks(casino, chief, 2, back_colour="azul")
    builders.registered_decks(casino, chief, 1, back_colour="verde")
    count = count_store(lines=[line(4), line(3, "azul"), line(1, "verde")], with_=cage, by=chief)
    incident = Incident.objects.get()
    assert (count.differs, count.incident, incident.kind) == (True, incident, "cards.stock")
    assert incident.notice_due == chief.occurred_at + dt.timedelta(hours=24)
    assert [(each["back_colour"], each["counted"], each["expected"]) for each in incident.facts["lines"]] == [
        ("azul", 3, 2),
        ("rojo", 4, 5),
    ]
    told = incidents.summary_of(incident).es
    assert "Baraja francesa de 52 cartas, reverso azul: contadas 3, según los movimientos 2" in told
    (lines,) = [value.es for _name, value in incident_facts.in_words(incident.facts)]
    assert "tipo Baraja francesa de 52 cartas" in lines
    assert "french52" not in told + lines
    assert builders.faults(casino) == []


@pytest.mark.rule("CARD-02")
def test_a_kind_left_out_hides_nothing(casino: Casino, chief: By, cage: Actor) -> None:
    builders.registered_decks(casino, chief, 5)
    builders.registered_decks(casino, chief, 2, back_colour="azul")
    with pytest.raises(RuleViolation) as refusal:
        count_store(lines=[line(5)], with_=cage, by=chief)
    assert (refusal.value.rule, refusal.value.code) == ("CARD-02", "kind_not_counted")
    assert refusal.value.detail["lacking"] == [["french52", "azul"]]
    assert not StockCount.objects.exists()
    assert count_store(lines=[line(5), line(0, "azul")], with_=cage, by=chief).differs


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([line(5), line(1, "violeta")], "unknown_kind"),
        ([line(5), line(1, kind="spanish40")], "unknown_kind"),
        ([line(5, kind="tarot")], "unknown_deck_type"),
        ([line(5), line(5)], "bad_count"),
        ([line(-1)], "bad_count"),
        ([line(True)], "bad_count"),
        ([line("5")], "bad_count"),
        ([line(None)], "bad_count"),
        ([line(5, "")], "bad_count"),
    ],
)
def test_a_count_that_cannot_be_read(
    casino: Casino, chief: By, cage: Actor, lines: list[Any], code: str
) -> None:
    builders.registered_decks(casino, chief, 5)
    with pytest.raises(Refused) as refusal:
        count_store(lines=lines, with_=cage, by=chief)
    assert refusal.value.code == code
    assert not StockCount.objects.exists()


@pytest.mark.rule("CARD-02", "GEN-10")
def test_the_store_is_counted_by_two_departments(casino: Casino, chief: By) -> None:
    builders.registered_decks(casino, chief, 1)
    colleague = builders.a_person(casino, Role.PIT_BOSS).actor
    for second, rule, code in (
        (chief.actor, "GEN-10", "same_person"),
        (colleague, "CARD-02", "same_department"),
    ):
        with pytest.raises(RuleViolation) as refusal:
            count_store(lines=[line(1)], with_=second, by=chief)
        assert (refusal.value.rule, refusal.value.code) == (rule, code)
    with pytest.raises(NotFound):
        stranger = builders.a_person(builders.a_casino(), Role.CAGE).actor
        count_store(lines=[line(1)], with_=stranger, by=chief)


@pytest.mark.rule("CARD-02")
def test_a_count_told_late_is_held_against_its_own_instant(casino: Casino, chief: By, cage: Actor) -> None:
    decks = builders.registered_decks(casino, chief, 5)
    counted_at = replace(chief, occurred_at=chief.occurred_at + dt.timedelta(minutes=10))
    after = replace(chief, occurred_at=chief.occurred_at + dt.timedelta(minutes=20), reason="caja rota")
    builders.withdrawn([decks[0].serial], by=after)
    assert not count_store(lines=[line(5)], with_=cage, by=counted_at).differs
    assert not count_store(lines=[line(4)], with_=cage, by=after).differs


# ---- levels -----------------------------------------------------------------------------------------


@pytest.mark.rule("CARD-02")
def test_a_level_is_set_with_its_history_and_warns(casino: Casino, chief: By, boss: By) -> None:
    decks = builders.registered_decks(casino, chief, 4)
    builders.issued_decks(casino, chief, 1)
    level = set_level(deck_type="french52", back_colour="rojo", least=4, by=boss)
    assert [(stock.usable, stock.least, stock.low) for stock in whereabouts.stock(casino)] == [(4, 4, False)]
    again = set_level(deck_type="french52", back_colour="rojo", least=5, by=boss)
    assert (again.pk, again.history.count()) == (level.pk, 2)
    assert [stock.low for stock in whereabouts.stock(casino)] == [True]
    builders.withdrawn([decks[0].serial], by=chief.because("gastada"))
    stock = whereabouts.stock(casino)[0]
    # Five were received: one is issued, one withdrawn, three lie in the store.
    assert (stock.sealed, stock.usable, stock.by_state) == (3, 3, {"store": 3, "issued": 1, "withdrawn": 1})
    set_level(deck_type="french52", back_colour="rojo", least=0, by=boss)
    assert not whereabouts.stock(casino)[0].low
    assert builders.faults(casino) == []


def test_a_kind_the_house_has_none_of_is_low_as_well(casino: Casino, boss: By) -> None:
    set_level(deck_type="spanish40", back_colour="verde", least=2, by=boss)
    (stock,) = whereabouts.stock(casino)
    assert (stock.deck_type, stock.back_colour, stock.usable, stock.low) == ("spanish40", "verde", 0, True)


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"deck_type": "tarot"}, "unknown_deck_type"),
        ({"back_colour": ""}, "bad_level"),
        ({"least": -1}, "bad_level"),
        ({"least": True}, "bad_level"),
        ({"least": 10**9}, "bad_level"),
    ],
)
def test_a_level_that_cannot_be(boss: By, about: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refusal:
        set_level(**{"deck_type": "french52", "back_colour": "rojo", "least": 1, **about}, by=boss)
    assert refusal.value.code == code
    assert not StockLevel.objects.exists()


def test_a_level_has_a_reason_and_is_not_anybodys(casino: Casino, chief: By, boss: By) -> None:
    about = {"deck_type": "french52", "back_colour": "rojo", "least": 1}
    with pytest.raises(Refused) as refusal:
        set_level(**about, by=boss.because(""))
    assert refusal.value.code == "reason_missing"
    with pytest.raises(NotAllowed):
        set_level(**about, by=chief.because("x"))


# ---- when it is due ---------------------------------------------------------------------------------


@pytest.mark.rule("CARD-02")
@pytest.mark.parametrize(
    ("last", "due"),
    [
        (dt.date(2026, 11, 30), dt.date(2027, 2, 28)),  # February has no 30th
        (dt.date(2027, 11, 30), dt.date(2028, 2, 29)),  # nor in a leap year
        (dt.date(2026, 12, 1), dt.date(2027, 3, 1)),
        (dt.date(2026, 8, 31), dt.date(2026, 11, 30)),
    ],
)
def test_the_store_is_due_three_months_after_its_last_count(
    casino: Casino, chief: By, cage: Actor, last: dt.date, due: dt.date
) -> None:
    # Ten in the morning in La Paz is 14:00 UTC.
    counted, limit = (dt.datetime.combine(day, dt.time(14), tzinfo=dt.UTC) for day in (last, due))
    before = replace(chief, occurred_at=counted - dt.timedelta(days=1))
    with clock.standing_at(counted):
        builders.registered_decks(casino, before, 1)
        count = count_store(lines=[line(1)], with_=cage, by=replace(chief, occurred_at=counted))
    found = whereabouts.counts_due(casino, limit)
    assert (found.last, found.due, found.overdue) == (count, limit, False)
    assert whereabouts.counts_due(casino, limit + dt.timedelta(seconds=1)).overdue


@pytest.mark.rule("CARD-02")
def test_a_store_never_counted_is_due_three_months_after_its_first_deck(casino: Casino, chief: By) -> None:
    now = dt.datetime(2026, 11, 20, 14, tzinfo=dt.UTC)
    assert whereabouts.counts_due(casino, now).due is None
    builders.registered_decks(casino, replace(chief, occurred_at=now), 1)
    found = whereabouts.counts_due(casino, now + dt.timedelta(days=100))
    assert (found.last, found.due, found.overdue) == (None, dt.datetime(2027, 2, 20, 14, tzinfo=dt.UTC), True)
