"""A day and a month of taxes out of what the cage and the tables did (REC-02, REC-04, REC-05)."""

from __future__ import annotations

import datetime as dt

import pytest

from casino.kernel.permissions import Role
from casino.models import Casino
from tables import floor_settings
from tables.money import tax_figures
from tables.money.taxes import GROSS, NET, Inputs, Shares, Taxed
from tests.builders import BOB, FLOAT, NIGHT
from tests.money.cage_building import Cage

TODAY = dt.date(2026, 11, 20)
NEXT_NIGHT = NIGHT + dt.timedelta(days=1)


@pytest.mark.rule("REC-05")
def test_the_figures_of_a_day_are_kept_apart(till: Cage) -> None:
    till.sell(1_000 * BOB, {1_000 * BOB: 1})
    wrong = till.sell(500 * BOB, {500 * BOB: 1})
    till.void(wrong)
    till.redeem({100 * BOB: 3})
    till.sell(100 * BOB, {100 * BOB: 1}, at=NEXT_NIGHT)
    casino = till.house.casino
    assert tax_figures.inputs_by_day(casino, TODAY, TODAY + dt.timedelta(days=1)) == {
        # 1.000 + 500 - 500; the IPJ of the voided sale went back with it: 130,50 + 65,25 - 65,25.
        TODAY: Inputs(sold_cage=1_000 * BOB, redeemed=300 * BOB, withheld=13_050),
        TODAY + dt.timedelta(days=1): Inputs(sold_cage=100 * BOB, withheld=1_305),
    }


@pytest.mark.rule("REC-02")
@pytest.mark.rule("REC-04")
def test_a_day_and_its_month(till: Cage) -> None:
    till.sell(1_000 * BOB, {1_000 * BOB: 1})
    till.redeem({100 * BOB: 3})
    till.sell(100 * BOB, {100 * BOB: 1}, at=NEXT_NIGHT)
    day = tax_figures.of_day(till.house.casino, TODAY)
    # Gross 1.000: base 870, tax 261. Net 1.000 - 300 = 700: base 609, tax 182,70.
    assert day.ij == {GROSS: Taxed(87_000, 26_100), NET: Taxed(60_900, 18_270)}
    # 15 % of 130,50 is 19,575, down to 19,57 twice; the Treasury has 91,36.
    assert day.ipj == Shares(9_136, 1_957, 1_957)
    month = tax_figures.of_month(till.house.casino, 2026, 11)
    # Gross 1.100: base 957, tax 287,10.
    assert month.ij[GROSS] == Taxed(95_700, 28_710)
    assert month.inputs.withheld == 13_050 + 1_305
    assert (month.first, month.last) == (dt.date(2026, 11, 1), dt.date(2026, 11, 30))


@pytest.mark.rule("REC-02")
def test_no_ij_is_final_before_the_operator_chose_a_base_in_writing(till: Cage) -> None:
    till.sell(1_000 * BOB, {1_000 * BOB: 1})
    till.redeem({100 * BOB: 3})
    figures = tax_figures.of_day(till.house.casino, TODAY)
    assert (figures.final, figures.chosen, figures.ij_due) == (False, "", Taxed(87_000, 26_100))
    by = till.house.by(Role.ADMINISTRATOR, reason="dictamen del asesor")
    floor_settings.set_floor(figures={"ij_base": NET, "ij_document": "Dictamen 12/2026"}, by=by)
    figures = tax_figures.of_day(till.house.casino, TODAY)
    assert (figures.final, figures.document, figures.ij_due) == (
        True,
        "Dictamen 12/2026",
        Taxed(60_900, 18_270),
    )


@pytest.mark.rule("REC-05")
def test_a_table_that_is_not_counted_keeps_the_figures_estimated(till: Cage) -> None:
    by = till.house.by(Role.ADMINISTRATOR, reason="dictamen del asesor")
    floor_settings.set_floor(figures={"ij_base": GROSS, "ij_document": "Dictamen 12/2026"}, by=by)
    till.house.open_table()
    figures = tax_figures.of_day(till.house.casino, TODAY)
    assert (figures.uncounted, figures.final) == (1, False)


@pytest.mark.rule("REC-05")
def test_chips_sold_at_tables_are_what_their_boxes_held(till: Cage) -> None:
    house = till.house
    house.close(house.open_table(), FLOAT, drop=1_000 * BOB)
    figures = tax_figures.of_day(house.casino, TODAY)
    assert (figures.inputs, figures.uncounted) == (Inputs(sold_tables=1_000 * BOB), 0)
    # What 1.000 would bear in IPJ, which nobody withheld: 130,50.
    assert figures.due_at_tables == 13_050
    assert figures.ij[GROSS] == Taxed(87_000, 26_100)


def test_prizes_paid_in_money_come_from_whoever_pays_them(
    till: Cage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tax_figures, "_prizes", [])

    def pools(casino: Casino, first: dt.date, last: dt.date) -> dict[dt.date, int]:
        return {TODAY: 200 * BOB} if casino == till.house.casino else {}

    tax_figures.register_prizes(pools)
    tax_figures.register_prizes(pools)  # once is enough
    till.sell(1_000 * BOB, {1_000 * BOB: 1})
    figures = tax_figures.of_day(till.house.casino, TODAY)
    assert figures.inputs.prizes == 200 * BOB
    # Net 1.000 - 200 = 800: base 696, tax 208,80.
    assert figures.ij[NET] == Taxed(69_600, 20_880)
