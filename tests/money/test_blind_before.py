"""What is kept from those who count before they count: a drawer's expected money, a live table's float checks
and deduction (FLOOR-05, FLOOR-11). Chiefs and the inspector see both.
"""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from rest_framework.test import APIClient

from audits.reports import registered
from casino.kernel.errors import Conflict
from casino.kernel.permissions import Role
from tables.alerts.float_checks import check_float
from tables.models import TableSession
from tables.shift import told
from tables.shift.window import whole
from tests.builders import BOB, NIGHT, House
from tests.money.cage_building import CASH_TOTAL, Cage
from tests.money.slip_builders import stocked
from tests.money.test_blindness import holds
from tests.money.test_results import poker_in_play


def page(house: House, role: Role, address: str) -> str:
    client = Client()
    client.force_login(house.users[role])
    client.cookies["django_language"] = "es-bo"
    answer = client.get(address)
    assert answer.status_code == 200, (role, address)
    return answer.content.decode()


def api(house: House, role: Role, path: str) -> object:
    client = APIClient()
    client.force_authenticate(house.users[role])
    return client.get(f"/api/v1/{path}").json()


# ---- a drawer -----------------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-05")
def test_a_cashier_is_not_shown_what_the_drawer_should_hold(till: Cage) -> None:
    till.sell(1_000 * BOB, {1_000 * BOB: 1})
    # 10.000 + 1.000 of the house, 130,50 of tax beside; 15.300 - 1.000 = 14.300 in chips.
    figures = ["11.000,00", "14.300,00"]
    for address in ("/caja/1/", "/caja/1/arqueo/"):
        assert holds(page(till.house, Role.CAGE, address), [*figures, "11.130,50"]) == []
    assert holds(page(till.house, Role.SUPERVISOR, "/caja/1/"), figures) == figures
    blind = api(till.house, Role.CAGE, f"desks/{till.desk.pk}/holding")
    assert isinstance(blind, dict)
    assert (blind["cash"], blind["chips"], blind["withheld"], blind["by_denomination"]) == (
        None, None, None, [],
    )  # fmt: skip
    seen = api(till.house, Role.COMPLIANCE, f"desks/{till.desk.pk}/holding")
    assert isinstance(seen, dict)
    assert (seen["cash"], seen["chips"], seen["withheld"]) == ("11000.00", "14300.00", "130.50")


@pytest.mark.rule("FLOOR-05")
def test_the_signed_count_tells_the_cashier(till: Cage) -> None:
    counted = till.count("check", {1_000 * BOB: 5}, {200 * BOB: 49})
    # 9.800 of 10.000 in cash, 5.000 of 15.300 in chips.
    assert (counted.cash_difference, counted.chips_difference) == (-200 * BOB, -10_300 * BOB)
    shown = page(till.house, Role.CAGE, "/caja/1/arqueo/")
    assert holds(shown, ["9.800,00", "200,00", "10.300,00"]) == ["9.800,00", "200,00", "10.300,00"]


@pytest.mark.rule("FLOOR-05")
def test_no_refusal_says_what_a_drawer_has(till: Cage) -> None:
    stocked(till.house)
    for act in (
        lambda: till.redeem({1_000 * BOB: 11}),
        lambda: till.transfer("to_vault", {}, {200 * BOB: 51}),
        lambda: till.sell(6_000 * BOB, {1_000 * BOB: 6}),
    ):
        with pytest.raises(Conflict) as refused:
            act()
        said = f"{refused.value.message.es} {refused.value.message.en} {refused.value.detail}"
        assert "there" not in refused.value.detail
        assert holds(said, ["10.000,00", "10,000.00", str(CASH_TOTAL), "5"]) == []


@pytest.mark.rule("FLOOR-05")
def test_the_stock_of_chips_leaves_out_the_desks_for_who_counts_them(till: Cage) -> None:
    stocked(till.house)

    def places(role: Role) -> set[str]:
        listed = api(till.house, role, "chip-stock?page_size=200")
        assert isinstance(listed, dict)
        return {row["place"] for row in listed["results"]}

    assert "cage:1" in places(Role.SUPERVISOR)
    assert "vault" in places(Role.CAGE)
    assert "cage:1" not in places(Role.CAGE)
    assert "Ventanilla 1" in page(till.house, Role.SUPERVISOR, "/fichas/lugares/")
    assert "Ventanilla 1" not in page(till.house, Role.CAGE, "/fichas/lugares/")


# ---- a live table -------------------------------------------------------------------------------------


def checked(house: House) -> TableSession:
    """A table in play: 22.500 of float, 21.266 counted in mid-shift, so that 1.234 were sold for cash."""
    session = house.open_table(detail="full")
    check_float(
        session=session,
        chips_counted={500 * BOB: 20, 100 * BOB: 100, 25 * BOB: 50, 5 * BOB: 3, 1 * BOB: 1},
        counted_by=house.dealers[0],
        witnessed_by=house.supervisors[0],
        by=house.by(Role.SUPERVISOR, NIGHT + dt.timedelta(minutes=20)),
    )
    return session


@pytest.mark.rule("FLOOR-11")
def test_the_cage_reads_no_float_check_of_a_table_in_play(stand: House) -> None:
    session = checked(stand)
    # 10.000 + 10.000 + 1.250 + 15 + 1 = 21.266; 22.500 - 21.266 = 1.234.
    day = session.day.date
    figures = ["21.266,00", "1.234,00"]
    hours = f"/sala/horas/?day={day}&figure=estimate"
    for address in (f"/sesiones/{session.pk}/", f"/sala/turno/?day={day}", hours):
        assert holds(page(stand, Role.CAGE, address), figures) == [], address
    assert holds(page(stand, Role.SUPERVISOR, f"/sesiones/{session.pk}/"), ["21.266,00"])
    window = whole(stand.casino, day)
    assert any("control 1" in one.words.es for one in told.events(window))
    assert not any("control 1" in one.words.es for one in told.events(window, blind=True))
    for name in ("tables.hours", "tables.shift"):
        report = registered()[name]
        known = {"day": day, "first": None, "last": None, "pit": None}
        for section in report.sections(stand.casino, known):
            text = " ".join(str(list(row.values())) for row in section.rows())
            assert holds(text, ["123400", "21.266,00"]) == [], name


@pytest.mark.rule("FLOOR-11", "FLOOR-14")
def test_the_cage_reads_no_deduction_of_a_table_in_play(stand: House) -> None:
    session = poker_in_play(stand)  # 28 of deduction were recorded
    assert session.live
    assert session.commission == 28 * BOB
    name = session.table.name
    table = page(stand, Role.CAGE, f"/mesas/{name}/")
    totals = table.rindex("Apertura")  # the session's own sums; a single round's deduction stays readable
    assert holds(table[totals - 400 : totals], ["28,00"]) == []
    aside = page(stand, Role.CAGE, f"/sesiones/{session.pk}/")
    assert holds(aside[aside.index("<aside") :], ["28,00"]) == []
    hidden = api(stand, Role.CAGE, f"sessions/{session.pk}")
    assert isinstance(hidden, dict)
    assert (hidden["commission"], hidden["staked"], hidden["returned"]) == (None, None, None)
    stated = api(stand, Role.CAGE, f"sessions/{session.pk}/statement")
    assert isinstance(stated, dict)
    assert stated["recorded"] is None
    shown = api(stand, Role.SUPERVISOR, f"sessions/{session.pk}")
    assert isinstance(shown, dict)
    assert shown["commission"] == "28.00"
