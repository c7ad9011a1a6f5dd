"""The cage's pages: a sale refused beside its field, a void, the book, the taxes, one's own tips."""

from __future__ import annotations

import pytest
from django.test import Client

from audits.persons.naming import PEOPLE
from audits.reports import registry
from casino.kernel.permissions import Role
from tables.models import CageOperation, FundMove, Orphan, TipDistribution
from tables.money import tips
from tests.builders import BOB, CLOSING_TIME, FLOAT, PASSWORD, House
from tests.money.cage_building import CASH, CHIPS, Cage


def client(house: House, role: Role) -> Client:
    found = Client()
    found.force_login(house.users[role])
    found.cookies["django_language"] = "es-bo"
    return found


def test_a_sale_on_the_page(till: Cage) -> None:
    cashier = client(till.house, Role.CAGE)
    assert "Vender" in cashier.get("/caja/1/").content.decode()
    typed = {"price": "100", "means": "cash", "tendered": "120", f"n_{100 * BOB}": "1"}
    so_far = cashier.post("/caja/1/suma/", typed).content.decode()
    # 100 of chips, 13,05 of IPJ, 113,05 due, 6,95 back.
    assert all(figure in so_far for figure in ("100,00", "13,05", "113,05", "6,95"))
    made = cashier.post("/caja/1/vender/", typed)
    receipt = CageOperation.objects.get()
    assert made["Location"] == f"/caja/recibos/{receipt.pk}/"
    page = cashier.get(made["Location"]).content.decode()
    assert all(said in page for said in ("V-2026-000001", "87,00", "13,05", "113,05"))


def test_a_form_sent_twice_is_one_receipt(till: Cage) -> None:
    cashier = client(till.house, Role.CAGE)
    page = cashier.get("/caja/1/").content.decode()
    number = page.partition('name="form" value="')[2].partition('"')[0]
    typed = {"form": number, "price": "100", "means": "cash", f"n_{100 * BOB}": "1"}
    first, second = (cashier.post("/caja/1/vender/", typed)["Location"] for _ in range(2))
    assert first == second
    assert CageOperation.objects.count() == 1


def test_capital_sent_twice_comes_in_once(till: Cage) -> None:
    cashier = client(till.house, Role.CAGE)
    page = cashier.get("/caja/fondos/").content.decode()
    number = page.partition('name="form" value="')[2].partition('"')[0]
    typed = {"form": number, "kind": "capital", "amount": "1.000", "document": "Acta 9"}
    typed |= {"second": till.second.username, "second_password": PASSWORD}
    assert [cashier.post("/caja/fondos/", typed).status_code for _ in range(2)] == [302, 302]
    assert list(FundMove.objects.filter(document="Acta 9").values_list("amount", flat=True)) == [1_000 * BOB]


def test_a_sum_that_differs_is_shown_beside_the_chips(till: Cage) -> None:
    answer = client(till.house, Role.CAGE).post(
        "/caja/1/vender/", {"price": "150", "means": "cash", f"n_{100 * BOB}": "1"}
    )
    assert answer.status_code == 422
    assert "as fichas suman 100,00 y el importe es 150,00" in answer.content.decode()
    unread = client(till.house, Role.CAGE).post("/caja/1/canjear/", {f"n_{100 * BOB}": "uno"})
    assert (unread.status_code, CageOperation.objects.count()) == (422, 0)


@pytest.mark.rule("GEN-10")
def test_a_receipt_is_voided_with_another_password(till: Cage) -> None:
    sold = till.sell(100 * BOB, {100 * BOB: 1})
    cashier = client(till.house, Role.CAGE)
    given = {"reason": "otro importe", "second": till.second.username, "second_password": "no es"}
    refused = cashier.post(f"/caja/recibos/{sold.pk}/anular/", given)
    assert refused.status_code == 401
    done = cashier.post(f"/caja/recibos/{sold.pk}/anular/", given | {"second_password": PASSWORD})
    assert done.status_code == 302
    assert "Anulado por A-2026-000001" in cashier.get(f"/caja/recibos/{sold.pk}/").content.decode()


def test_a_desk_is_counted_and_closed(till: Cage) -> None:
    cashier = client(till.house, Role.CAGE)
    typed = {f"n_{value}": str(number) for value, number in CHIPS.items()}
    typed |= {f"c_{value}": str(number) for value, number in CASH.items()}
    typed |= {"moment": "closing", "second": till.second.username, "second_password": PASSWORD}
    assert cashier.post("/caja/1/arqueo/", typed).status_code == 302
    assert "cerrada" in cashier.get("/caja/1/").content.decode()


def test_a_transfer_is_accepted_by_another(till: Cage) -> None:
    cashier = client(till.house, Role.CAGE)
    body = {"desk": till.desk.pk, "direction": "to_vault", f"c_{200 * BOB}": "5"}
    assert cashier.post("/caja/traspasos/", body).status_code == 302
    asked = till.desk.transfers.get(state="requested")
    own = cashier.post(f"/caja/traspasos/{asked.pk}/aceptar/")
    assert (own.status_code, "no lo acepta" in own.content.decode()) == (422, True)
    boss = client(till.house, Role.PIT_BOSS)
    assert boss.post(f"/caja/traspasos/{asked.pk}/aceptar/").status_code == 302
    asked.refresh_from_db()
    assert asked.state == "accepted"


@pytest.mark.rule("REC-02")
def test_the_taxes_say_that_they_are_estimated(till: Cage) -> None:
    till.sell(1_000 * BOB, {1_000 * BOB: 1})
    page = client(till.house, Role.COMPLIANCE).get("/impuestos/?month=2026-11").content.decode()
    assert "Estimado: el operador" in page and "Provisional" not in page
    # IPJ 130,50 and its parts; gross base 870,00 and 261,00 of IJ.
    assert all(figure in page for figure in ("130,50", "91,36", "19,57", "870,00", "261,00"))
    assert client(till.house, Role.COMPLIANCE).get("/impuestos/?month=nada").status_code == 200


@pytest.mark.rule("FLOOR-16")
def test_the_book_of_what_nobody_claimed(stand: House) -> None:
    chief = client(stand, Role.SUPERVISOR)
    body = {
        "kind": "chips",
        "place": "baño",
        f"n_{100 * BOB}": "2",
        "found_by": stand.dealers[0].pk,
        "witness": stand.supervisors[0].pk,
    }
    assert chief.post("/sin-dueno/", body).status_code == 302
    kept = Orphan.objects.get()
    given = {
        "claimant": "Ana Rojas",
        "document": "4815162342",
        "second": stand.users[Role.CAGE].username,
        "second_password": PASSWORD,
    }
    assert chief.post(f"/sin-dueno/{kept.pk}/devolver/", given).status_code == 302
    page = chief.get(f"/sin-dueno/{kept.pk}/").content.decode()
    assert "•••••••342" in page
    assert "4815162342" not in page


def test_a_croupier_sees_their_own_tips_and_nobody_elses(stand: House) -> None:
    session = stand.open_table()
    stand.close(session, FLOAT)
    tips.enter_tips(session=session, chips_counted={25 * BOB: 4}, by=stand.by(Role.CAGE, CLOSING_TIME))
    chief = client(stand, Role.SUPERVISOR)
    assert chief.post("/propinas/repartir/", {"day": session.day_id}).status_code == 302
    drafted = TipDistribution.objects.get()
    second = {"second": stand.users[Role.COMPLIANCE].username, "second_password": PASSWORD}
    assert chief.post(f"/propinas/{drafted.pk}/aprobar/", second).status_code == 302
    person = stand.dealers[0]
    mine = client(stand, Role.CROUPIER)
    assert "100,00" not in mine.get("/propinas/mias/").content.decode()
    type(person).objects.filter(pk=person.pk).update(user=stand.users[Role.CROUPIER])
    page = mine.get("/propinas/mias/").content.decode()
    assert all(said in page for said in ("100,00", "5:00"))
    assert mine.get("/propinas/").status_code == 403


@pytest.mark.parametrize("report", ["tables.taxes", "tables.receipts", "tables.tips", "tables.orphans"])
def test_each_report_of_the_cage_yields_what_its_columns_name(till: Cage, report: str) -> None:
    till.sell(1_000 * BOB, {1_000 * BOB: 1})
    found = registry.get(report)
    form = found.form({"first": "2026-11-01", "last": "2026-11-30"}, casino=till.house.casino)
    assert form.is_valid()
    for section in found.sections(till.house.casino, form.cleaned_data):
        keys = {column.key for column in section.columns} | {registry.EVENTS, PEOPLE}
        assert all(set(row) <= keys for row in section.rows())
    assert found.particulars(till.house.casino, form.cleaned_data)
