"""The house's own figures of the floor, the book's until it sets its own; minimum operation (FLOOR-17)."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection

from audits.models import Event
from casino.kernel import clock, rulebook
from casino.kernel.permissions import Role
from tables import floor_settings, openings, plan_proofs
from tables.minimum import WARN_BEFORE, minimum_operation
from tables.models import FloorSettings
from tables.reports.day import DayReport
from tests.builders import FLOAT, NIGHT, House
from tests.tables.refusing import refused, rewriting_is_refused

TODAY = dt.date(2026, 11, 20)
END = dt.datetime(2026, 11, 21, 10, 0, tzinfo=dt.UTC)
"""06:00 of the next morning in La Paz: the cut-off."""


def set_floor(house: House, **figures: Any) -> FloorSettings:
    by = house.by(Role.ADMINISTRATOR, reason="manual de la casa")
    return floor_settings.set_floor(figures=figures, by=by)


@pytest.mark.rule("FLOOR-03", "FLOOR-17")
def test_until_the_house_sets_them_the_figures_are_those_of_the_book(house: House) -> None:
    figures, book = floor_settings.settings_of(house.casino), rulebook.rule("FLOOR-03").params
    assert (figures.max_minutes_on_table, figures.min_break_minutes) == (
        book["max_minutes_on_table"],
        book["min_break_minutes"],
    )
    assert bool(figures.minimum_operation) is rulebook.rule("FLOOR-17").params["minimum_operation_check"]
    assert (figures.ij_base, figures.min_funds) == ("", 0)
    assert not FloorSettings.objects.exists()


def test_figures_left_out_stay_and_each_change_is_a_version(house: House) -> None:
    set_floor(house, min_break_minutes=30)
    stored = set_floor(house, max_minutes_same_table=None, night_from=dt.time(21, 0, 30))
    assert (stored.min_break_minutes, stored.max_minutes_same_table) == (30, None)
    assert stored.night_from == dt.time(21, 0)
    assert FloorSettings.objects.count() == 1 and stored.history.count() == 2
    assert Event.objects.filter(action="tables.floor.set").count() == 2
    assert not list(plan_proofs.plan_faults(house.casino))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("minimum_operation", ["bingo"]),
        ("max_minutes_on_table", 0),
        ("min_break_minutes", 1_441),
        ("max_minutes_same_table", 0),
        ("rest_after_night_minutes", -1),
        ("ij_base", "a_ojo"),
        ("min_funds", -1),
    ],
)
def test_figures_that_make_no_sense_are_refused(house: House, field: str, value: Any) -> None:
    with refused("bad_floor_settings") as caught:
        set_floor(house, **{field: value})
    assert caught.value.field == field
    assert not FloorSettings.objects.exists()


def test_a_tax_base_names_the_document_that_fixes_it(house: House) -> None:
    with refused("bad_floor_settings") as caught:
        set_floor(house, ij_base="gross_less_vat")
    assert caught.value.field == "ij_document"
    assert set_floor(house, ij_base="gross_less_vat", ij_document="Nota 12/2026").ij_base == "gross_less_vat"


@pytest.mark.parametrize("role", [Role.PIT_BOSS, Role.CAGE, Role.SUPERVISOR])
def test_only_the_administration_sets_them(house: House, role: Role) -> None:
    with refused("not_allowed"):
        floor_settings.set_floor(figures={"min_funds": 1}, by=house.by(role, reason="x"))


def test_their_row_is_not_deleted_and_an_altered_one_is_found(house: House) -> None:
    stored = set_floor(house, min_funds=100)
    rewriting_is_refused("DELETE FROM tables_floorsettings")
    rewriting_is_refused("UPDATE tables_historicalfloorsettings SET min_funds = 0")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tables_floorsettings SET min_funds = 0")
    assert [fault.where for fault in plan_proofs.plan_faults(house.casino)] == [f"floor:{stored.pk}"]


# ---- minimum operation ------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-17")
def test_nothing_is_asked_while_no_category_is_named(house: House) -> None:
    found = minimum_operation(house.casino, TODAY, END)
    assert (found.asked, found.lacking, found.pressing) == ((), (), False)


@pytest.mark.rule("FLOOR-17")
def test_a_category_is_owed_until_one_of_its_tables_opened_to_play(house: House) -> None:
    set_floor(house, minimum_operation=["baccarat", "blackjack"])
    assert minimum_operation(house.casino, TODAY, NIGHT).lacking == ("baccarat", "blackjack")
    table = house.table()
    session = openings.prepare_table(
        table=table, shoe=house.ready_shoe(), chips_counted=FLOAT, dealer=house.dealers[0],
        supervisor=house.supervisors[0], by=house.by(Role.SUPERVISOR),
    )  # fmt: skip
    assert minimum_operation(house.casino, TODAY, NIGHT).lacking == ("baccarat", "blackjack")
    openings.begin_play(session=session, by=house.by(Role.SUPERVISOR))
    found = minimum_operation(house.casino, TODAY, NIGHT)
    assert found.lacking == ("blackjack",)
    assert found.words.es == "aún no abrieron: black jack; abra una mesa antes del cierre del día"
    # The day after owes its own.
    assert minimum_operation(house.casino, TODAY + dt.timedelta(days=1), END).lacking == (
        "baccarat",
        "blackjack",
    )


@pytest.mark.rule("FLOOR-17")
def test_it_presses_before_the_day_ends_by_its_cut_off(house: House) -> None:
    set_floor(house, minimum_operation=["blackjack"])
    early, late = END - WARN_BEFORE - dt.timedelta(minutes=1), END - WARN_BEFORE
    assert not minimum_operation(house.casino, TODAY, early).pressing
    assert minimum_operation(house.casino, TODAY, late).pressing
    over = minimum_operation(house.casino, TODAY, END)
    assert over.pressing and over.words.es == "no abrieron: black jack"


@pytest.mark.rule("FLOOR-17")
def test_the_report_of_the_day_says_what_lacked(house: House) -> None:
    def row() -> list[str]:
        found = DayReport().particulars(house.casino, {"day": TODAY})
        return [value.es for label, value in found if label.es == "Operación mínima"]

    with clock.standing_at(END):
        assert row() == []
        set_floor(house, minimum_operation=["blackjack"])
        assert row() == ["no abrieron: black jack"]
