"""Where chips are: bought, put on tables, back, with the public; counted by two; sets and desks."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, connection, transaction

from audits.models import Incident
from casino.kernel.errors import Conflict, Refused, RuleViolation, SabotError
from casino.kernel.permissions import Role
from tables.models import ChipMove, ChipSet, ChipStockCount
from tables.money import chip_counts, chip_entries, chip_sets, desks, inventory
from tests.builders import BOB, CLOSING_TIME, FLOAT, NIGHT, House
from tests.money.slip_builders import BOUGHT, FILL, LATER, NOON, Counter, a_counter, a_desk, stocked
from tests.money.test_slips import faults, refusal

SET = {"name": "Fichas de juego", "denominations": [25 * BOB, 100 * BOB]}


def setting(house: House, **about: object) -> ChipSet:
    by = house.by(Role.ADMINISTRATOR, reason="alta de fichas")
    return chip_sets.set_chip_set(**{**SET, **about}, by=by)  # type: ignore[arg-type]


def filled_desk(house: House) -> Counter:
    """A stocked house whose desk got chips from the vault, and a table in play."""
    stocked(house)
    counter = a_counter(house)
    count(house, {25 * BOB: 100, 100 * BOB: 20}, place="cage:1")
    return counter


def count(
    house: House, chips: dict[int, int], *, place: str = "vault", at: dt.datetime = NOON
) -> ChipStockCount:
    with_ = house.users[Role.SUPERVISOR].actor
    return chip_counts.count_stock(place=place, chips=chips, with_=with_, by=house.by(Role.CAGE, at))


# ---- moves and stocks --------------------------------------------------------------------------------


def test_chips_go_to_the_table_and_back_and_the_rest_is_with_the_public(house: House) -> None:
    """Opened on 100 x 25, 100 x 100, 20 x 500; closed on 90, 105, 20: ten of 25 went, five of 100 came."""
    stocked(house)
    session = house.open_table()
    assert inventory.stock_of(house.casino, "vault")[25 * BOB] == 1_000 - 100
    assert inventory.stock_of(house.casino, inventory.tray(session)) == FLOAT
    house.close(session, {25 * BOB: 90, 100 * BOB: 105, 500 * BOB: 20})
    assert inventory.stock(house.casino) == {
        "outside": {value: -number for value, number in BOUGHT.items()},
        "public": {25 * BOB: 10, 100 * BOB: -5},
        "vault": {**BOUGHT, 25 * BOB: 990, 100 * BOB: 1_005},
    }
    assert faults(house) == []


def test_a_house_without_inventory_is_refused_nothing(house: House) -> None:
    assert not inventory.kept(house.casino)
    counter = a_counter(house)
    counter.done()
    assert inventory.stock_of(house.casino, "cage:1") == {value: -number for value, number in FILL.items()}
    house.close(counter.session, FLOAT)
    assert faults(house) == []


def test_chips_that_are_not_there_are_not_given_out(house: House) -> None:
    stocked(house, {25 * BOB: 99, 100 * BOB: 500, 500 * BOB: 500})
    refused = refusal(Conflict, "not_enough_chips", house.open_table)
    assert refused.detail == {"place": "vault", "denomination": 25 * BOB, "there": 99, "wanted": 100}
    assert "bóveda tiene 99 fichas de 25,00 y se piden 100" in refused.message.es
    assert not ChipMove.objects.filter(kind="opening").exists()


def test_a_desk_issues_no_more_than_it_has_what_is_on_its_way_left_out(house: House) -> None:
    """The desk has 100 x 25 and 20 x 100; two fills of 40 x 25 go, of the third 20 are lacking."""
    counter = filled_desk(house)
    chips = {25 * BOB: 40}
    first, second = counter.issued(chips=chips), counter.issued(chips=chips)
    third = counter.ask(chips=chips)
    refused = refusal(Conflict, "not_enough_chips", lambda: counter.issue(third))
    assert refused.detail == {"place": "cage:1", "denomination": 25 * BOB, "wanted": 40}
    for slip in (first, second):
        counter.verify(slip, chips)
    counter.void(third)
    assert inventory.stock_of(house.casino, "cage:1") == {25 * BOB: 20, 100 * BOB: 20}
    assert faults(house) == []


@pytest.mark.rule("FLOOR-05")
def test_what_is_on_its_way_is_not_missing_where_it_left(house: House) -> None:
    """The desk has 100 x 25 and 20 x 100, of which 90 x 25 are on their way: 10 and 20 are all there is."""
    counter = filled_desk(house)
    slip = counter.issued(chips={25 * BOB: 90})
    left = {25 * BOB: 10, 100 * BOB: 20}
    assert count(house, left, place="cage:1", at=LATER).difference == 0
    counter.verify(slip, {25 * BOB: 90})
    assert inventory.stock_of(house.casino, "cage:1") == left
    assert faults(house) == []


def test_moves_are_never_changed(house: House) -> None:
    house.open_table()
    for change in ("UPDATE tables_chipmove SET number = 1", "DELETE FROM tables_chipmove"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change)


# ---- entries -----------------------------------------------------------------------------------------


@pytest.mark.rule("GEN-10")
def test_chips_come_in_by_two_departments(house: House) -> None:
    by = house.by(Role.CAGE, NOON)
    about = {"chips": {25 * BOB: 1}, "supplier": "Fábrica", "document": "F-1", "by": by}

    def receive(role: Role) -> None:
        chip_entries.receive_chips(**about, with_=house.users[role].actor)  # type: ignore[arg-type]

    refusal(RuleViolation, "same_person", lambda: receive(Role.CAGE))
    refusal(RuleViolation, "not_qualified", lambda: receive(Role.CROUPIER))
    receive(Role.COMPLIANCE)
    assert inventory.stock_of(house.casino, "vault") == {25 * BOB: 1}


def test_chips_leave_the_house_from_the_vault(house: House) -> None:
    stocked(house, {25 * BOB: 10})
    by, with_ = house.by(Role.CAGE, NIGHT), house.users[Role.COMPLIANCE].actor

    def retire(number: int, kind: str = "destroyed") -> None:
        chip_entries.retire_chips(
            kind=kind, chips={25 * BOB: number}, destination="Horno", document="ACTA-9", with_=with_, by=by
        )

    refusal(Conflict, "not_enough_chips", lambda: retire(11))
    refusal(Refused, "bad_entry", lambda: retire(1, "received"))
    retire(4)
    assert inventory.stock(house.casino) == {"outside": {25 * BOB: -6}, "vault": {25 * BOB: 6}}
    assert faults(house) == []


def test_each_plaque_has_its_serial_number(house: House) -> None:
    setting(house, name="Placas", kind="plaque", denominations=[1_000 * BOB])
    by, with_ = house.by(Role.CAGE, NOON), house.users[Role.COMPLIANCE].actor

    def receive(serials: str) -> None:
        chip_entries.receive_chips(
            chips={1_000 * BOB: 2}, supplier="F", document="F-1", serials=serials, with_=with_, by=by
        )

    for serials in ("", "P-1", "P-1 P-1"):
        refusal(Refused, "serials_missing", lambda serials=serials: receive(serials))
    receive("P-1, P-2")


# ---- counts ------------------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-05")
def test_a_count_keeps_the_difference_with_its_sign_and_mends_the_stock(house: House) -> None:
    """24 missing of 1: below the 25 units told in the house. One more: an incident."""
    stocked(house, {1 * BOB: 100})
    small = count(house, {1 * BOB: 76})
    assert (small.difference, small.incident) == (-24 * BOB, None)
    assert small.lines == [{"denomination": 1 * BOB, "expected": 100, "counted": 76}]
    assert inventory.stock_of(house.casino, "vault") == {1 * BOB: 76}
    told = count(house, {1 * BOB: 51}, at=NIGHT)
    assert told.incident is not None
    assert told.incident.kind == "money.difference"
    more = count(house, {1 * BOB: 60, 5 * BOB: 1}, at=LATER)
    assert more.difference == 14 * BOB
    assert Incident.objects.count() == 1
    assert inventory.stock(house.casino)["public"] == {1 * BOB: 24 + 25 - 9, 5 * BOB: -1}
    assert faults(house) == []


def test_chips_too_many_do_not_hide_those_too_few(house: House) -> None:
    stocked(house, {5 * BOB: 10, 25 * BOB: 10})
    found = count(house, {5 * BOB: 15, 25 * BOB: 9})
    assert (found.difference, found.incident is not None) == (0, True)


def test_a_count_is_of_its_own_instant(house: House) -> None:
    """Counted at noon, recorded once a table was opened: what left since is not missing."""
    stocked(house)
    house.open_table()
    assert count(house, BOUGHT, at=NOON + dt.timedelta(minutes=1)).difference == 0
    assert inventory.stock_of(house.casino, "vault")[25 * BOB] == 900
    refusal(Refused, "occurred_out_of_order", lambda: count(house, BOUGHT, at=NOON))


@pytest.mark.parametrize("place", ["public", "tray:1", "cage:9", ""])
def test_only_vault_and_desks_are_counted(house: House, place: str) -> None:
    refusal(Refused, "unknown_place", lambda: count(house, {}, place=place))


# ---- sets and desks ----------------------------------------------------------------------------------


def test_a_denomination_is_of_one_set_in_use(house: House) -> None:
    first = setting(house)
    refused = refusal(
        Conflict, "denomination_taken", lambda: setting(house, name="Otras", denominations=[25 * BOB])
    )
    assert "Fichas de juego" in refused.message.es
    setting(house, active=False, chip_set=first)
    other = setting(house, name="Otras", denominations=[25 * BOB])
    refusal(Conflict, "denomination_taken", lambda: setting(house, chip_set=first))
    refusal(Conflict, "chip_set_exists", lambda: setting(house, denominations=[500 * BOB]))
    assert chip_sets.sets_by_denomination(house.casino) == {25 * BOB: other}


def test_a_denomination_with_chips_stays_in_its_set(house: House) -> None:
    chip_set = setting(house)
    stocked(house, {25 * BOB: 1})
    refusal(Conflict, "chips_in_use", lambda: setting(house, denominations=[100 * BOB], chip_set=chip_set))
    refusal(Conflict, "chips_in_use", lambda: setting(house, active=False, chip_set=chip_set))
    setting(house, denominations=[25 * BOB], chip_set=chip_set)


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"denominations": []}, "bad_chip_set"),
        ({"denominations": [7 * BOB]}, "unknown_denomination"),
        ({"kind": "coin"}, "bad_chip_set"),
        ({"name": ""}, "bad_chip_set"),
    ],
)
def test_a_set_that_cannot_be(house: House, about: dict[str, object], code: str) -> None:
    refusal(SabotError, code, lambda: setting(house, **about))


def test_a_desk_keeps_its_number_and_stays_while_it_holds_anything(house: House) -> None:
    counter = filled_desk(house)
    by = house.by(Role.ADMINISTRATOR, reason="cambio")

    def change(**about: object) -> None:
        desks.set_desk(**{"number": 1, "name": "Caja 1", **about}, desk=counter.desk, by=by)  # type: ignore[arg-type]

    refusal(Refused, "bad_desk", lambda: change(number=2))
    refusal(Conflict, "desk_in_use", lambda: change(active=False))
    refusal(Conflict, "desk_exists", lambda: a_desk(house, 1))
    refusal(Refused, "bad_desk", lambda: a_desk(house, 0))
    change(name="Caja central")
    other = a_desk(house, 3)
    desks.set_desk(number=3, name="Caja 3", active=False, desk=other, by=by)
    refusal(SabotError, "no_desk", lambda: desks.desk_of(house.casino, 3))
    assert desks.desk_of(house.casino, 1).name == "Caja central"
    assert faults(house) == []


def test_the_close_takes_what_was_filled_too(house: House) -> None:
    counter = filled_desk(house)
    counter.done()
    house.close(counter.session, {25 * BOB: 140, 100 * BOB: 110, 500 * BOB: 20}, at=CLOSING_TIME)
    assert "public" not in {
        place
        for place, chips in inventory.stock(house.casino).items()
        if place == "public" and 500 * BOB in chips
    }
    moves = ChipMove.objects.filter(source=inventory.tray(counter.session))
    assert {(move.kind, move.denomination, move.number) for move in moves} == {
        ("closing", 25 * BOB, 140),
        ("closing", 100 * BOB, 110),
        ("closing", 500 * BOB, 20),
    }
    assert faults(house) == []
