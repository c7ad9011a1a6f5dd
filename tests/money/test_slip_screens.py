"""Slips and chips on pages and over the API, as their people use them, refusals where they belong."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from knox.models import AuthToken
from rest_framework.test import APIClient

from audits.reports import registered
from casino.kernel import clock
from casino.kernel.permissions import Role
from casino.kernel.words import Text
from tables.models import CageDesk, ChipEntry, ChipSet, ChipStockCount, Slip
from tables.money import inventory
from tables.roster import shifts
from tests.builders import BOB, PASSWORD, House
from tests.money.slip_builders import FILL, Counter, a_desk, stocked
from tests.money.test_slips import faults

TYPED = {f"n_{value}": str(number) for value, number in FILL.items()}


def browser(house: House, role: Role) -> Client:
    client = Client()
    client.force_login(house.users[role])
    return client


def api(house: House, role: Role) -> APIClient:
    client = APIClient(HTTP_ACCEPT_LANGUAGE="en")
    _kept, token = AuthToken.objects.create(house.users[role])
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


@pytest.fixture
def counter(house: House) -> Counter:
    """A table in play now, by the clock, since pages record at the time it is."""
    return Counter(house, house.open_table(at=clock.now()), a_desk(house))


def ask(counter: Counter, **about: str) -> Any:
    data = {"kind": "fill", "desk": str(counter.desk.pk), **TYPED, **about}
    page = f"/mesas/{counter.session.table.name}/fichas/"
    return browser(counter.house, Role.SUPERVISOR).post(page, data)


def test_a_fill_from_the_table_to_the_cage_and_back(counter: Counter) -> None:
    house = counter.house
    assert ask(counter).status_code == 302
    slip = Slip.objects.get()
    page = f"/fichas/comprobantes/{slip.pk}/"
    queue = browser(house, Role.CAGE).get("/fichas/").content.decode()
    assert slip.label in queue
    assert "Emitir" in queue
    assert "Verificar" not in queue
    issued = browser(house, Role.CAGE).post(f"{page}emitir/", {"runner": "Ana Portadora"})
    assert (issued.status_code, Slip.objects.get().state) == (302, "issued")
    assert "Emitir" not in browser(house, Role.SUPERVISOR).get(page).content.decode()
    boss = browser(house, Role.PIT_BOSS)
    assert "Verificar en la mesa" in boss.get(page).content.decode()
    dealer = {"dealer": str(house.dealers[0].pk)}
    wrong = boss.post(f"{page}verificar/", {**dealer, **TYPED, f"n_{25 * BOB}": "41"})
    assert wrong.status_code == 422
    assert "+1 de 25,00" in wrong.content.decode()
    assert boss.post(f"{page}verificar/", {**dealer, **TYPED}).status_code == 302
    slip.refresh_from_db()
    assert (slip.state, slip.dealer) == ("verified", house.dealers[0])
    assert faults(house) == []


@pytest.mark.rule("FLOOR-07")
def test_it_is_printed_in_three_copies_with_all_names(counter: Counter) -> None:
    house = counter.house
    slip = counter.ask(by=house.by(Role.SUPERVISOR, counter.session.opened_at))
    counter.issue(slip, at=counter.session.opened_at)
    counter.verify(slip, at=counter.session.opened_at)
    page = browser(house, Role.CAGE).get(f"/fichas/comprobantes/{slip.pk}/imprimir/").content.decode()
    assert page.count('class="copy"') == 3
    for mark in ("Original", "Duplicado", "Triplicado"):
        assert page.count(f">{mark}:") == 1
    names = [
        house.users[Role.CAGE].name,
        "Ana Portadora",
        house.dealers[0].name,
        house.users[Role.PIT_BOSS].name,
    ]
    for said in (*names, slip.label, counter.session.table.name, "Mini Punto y Banca", "2.000,00"):
        assert page.count(said) >= 3, said
    assert "<small>turno" not in page  # nobody's is planned


def test_the_paper_says_on_which_shift_each_signer_was(counter: Counter) -> None:
    house, opened = counter.house, counter.session.opened_at
    start = opened.replace(minute=0, second=0, microsecond=0) - dt.timedelta(hours=1)
    shifts.plan_shift(
        staff=house.dealers[0],
        start=start,
        end=start + dt.timedelta(hours=8),
        by=house.by(Role.PIT_BOSS, start - dt.timedelta(days=1), "programa de la semana"),
    )
    slip = counter.ask(by=house.by(Role.SUPERVISOR, opened))
    counter.issue(slip, at=opened)
    counter.verify(slip, at=opened)
    wall = start.astimezone(ZoneInfo(house.casino.zone))
    client = browser(house, Role.CAGE)
    client.cookies["django_language"] = "es-bo"
    page = client.get(f"/fichas/comprobantes/{slip.pk}/imprimir/").content.decode()
    said = f"turno {wall:%H:%M}–{wall + dt.timedelta(hours=8):%H:%M}"
    assert page.count(said) == 3  # the dealer's, on each copy; of the others none is known
    assert page.count("<small>turno") == 3


@pytest.mark.parametrize(
    ("about", "field", "code"),
    [
        ({"desk": ""}, "desk", 422),
        ({f"n_{25 * BOB}": "x"}, f"n_{25 * BOB}", 422),
        ({"n_700": "3"}, "chips", 422),
        ({f"n_{25 * BOB}": "", f"n_{100 * BOB}": ""}, "chips", 422),
    ],
)
def test_what_is_typed_wrong_is_shown_beside_it(
    counter: Counter, about: dict[str, str], field: str, code: int
) -> None:
    response = ask(counter, **about)
    assert (response.status_code, response.context["refusal"].field) == (code, field)
    assert not Slip.objects.exists()


def test_the_form_is_filled_like_the_float_or_the_last(counter: Counter) -> None:
    page = f"/mesas/{counter.session.table.name}/fichas/"
    client = browser(counter.house, Role.SUPERVISOR)
    assert "22.500,00" in client.get(f"{page}?like=float").content.decode()
    ask(counter)
    shown = client.get(f"{page}?like=last")
    assert shown.context["total"] == 2_000 * BOB
    total = client.post(f"{page}suma/", {"kind": "fill", **TYPED}).content.decode()
    assert "2.000,00" in total
    assert "distinta del fondo inicial" in total


def test_voiding_wants_the_other_persons_password(counter: Counter) -> None:
    ask(counter)
    slip = Slip.objects.get()
    page, client = f"/fichas/comprobantes/{slip.pk}/anular/", browser(counter.house, Role.SUPERVISOR)
    data = {"reason": "error", "second": counter.house.users[Role.CAGE].username}
    wrong = client.post(page, {**data, "second_password": "no"})
    assert (wrong.status_code, Slip.objects.get().state) == (401, "requested")
    assert client.post(page, {**data, "second_password": PASSWORD}).status_code == 302
    assert Slip.objects.get().state == "void"
    paper = client.get(f"/fichas/comprobantes/{slip.pk}/imprimir/").content.decode()
    assert paper.count('class="void"') == 3


def test_slips_are_found_by_state_kind_table_and_day(counter: Counter) -> None:
    ask(counter)
    client, day = browser(counter.house, Role.INSPECTOR), counter.session.day.date.isoformat()
    for query, found in (
        (f"state=requested&kind=fill&table={counter.session.table.name}&day={day}", True),
        ("kind=credit", False),
        ("state=void", False),
        ("day=x", False),
        ("day=2020-01-01", False),
    ):
        assert ("F-2" in client.get(f"/fichas/?{query}").content.decode()) is found, query


def test_chips_are_entered_and_counted_by_two(house: House) -> None:
    second = {"second": house.users[Role.COMPLIANCE].username, "second_password": PASSWORD}
    client = browser(house, Role.CAGE)
    about = {"kind": "received", "supplier": "Fábrica", "document": "F-1", **TYPED, **second}
    assert client.post("/fichas/ingresos/", about).status_code == 302
    assert client.post("/fichas/ingresos/", {**about, "kind": "lost"}).status_code == 422
    assert ChipEntry.objects.get().total == 2_000 * BOB
    every = {f"n_{value}": "0" for value in house.casino.denominations}
    forgot = client.post("/fichas/recuentos/", {"place": "vault", **TYPED, **second})
    assert forgot.context["refusal"].code == "count_not_typed"
    assert (
        client.post("/fichas/recuentos/", {"place": "vault", **every, **TYPED, **second}).status_code == 302
    )
    assert ChipStockCount.objects.get().difference == 0
    for page in ("/fichas/lugares/", "/fichas/ingresos/", "/fichas/recuentos/"):
        assert client.get(page).status_code == 200
    assert "no lleva inventario" not in client.get("/fichas/lugares/").content.decode()


def test_desks_and_sets_are_settings(house: House) -> None:
    admin = browser(house, Role.ADMINISTRATOR)
    assert (
        admin.post("/ajustes/ventanillas/", {"number": "1", "name": "Caja", "reason": "x"}).status_code == 302
    )
    assert (
        admin.post("/ajustes/ventanillas/", {"number": "1", "name": "Caja", "reason": "x"}).status_code == 409
    )
    assert admin.post("/ajustes/ventanillas/", {"number": "2", "name": "Caja"}).status_code == 422
    desk = CageDesk.objects.get()
    page = f"/ajustes/ventanillas/{desk.pk}/"
    assert admin.post(page, {"name": "Caja central", "active": "on", "reason": "x"}).status_code == 302
    assert "Caja central" in admin.get(page).content.decode()
    chips = {"name": "Fichas", "kind": "chip", "denominations": ["500", "2500"], "reason": "x"}
    assert admin.post("/ajustes/fichas/", chips).status_code == 302
    chip_set = ChipSet.objects.get()
    assert chip_set.denominations == [500, 2_500]
    assert admin.post(f"/ajustes/fichas/{chip_set.pk}/", {**chips, "active": "on"}).status_code == 302
    assert admin.get("/ajustes/fichas/").status_code == 200


# ---- over the API ------------------------------------------------------------------------------------


def key() -> dict[str, str]:
    return {"HTTP_IDEMPOTENCY_KEY": str(uuid.uuid4())}


def test_a_slip_over_the_api(counter: Counter) -> None:
    house = counter.house
    lines = [{"denomination": "25.00", "count": 40}, {"denomination": "100.00", "count": 10}]
    asked = {"kind": "fill", "chips": lines, "desk": counter.desk.pk}
    chief, same = api(house, Role.SUPERVISOR), key()
    address = f"/api/v1/sessions/{counter.session.pk}/slips"
    first = chief.post(address, asked, format="json", **same)
    again = chief.post(address, asked, format="json", **same)
    assert (first.status_code, again.json()["label"]) == (201, first.json()["label"])
    assert Slip.objects.count() == 1
    slip = f"/api/v1/slips/{first.json()['id']}"
    cage, boss = api(house, Role.CAGE), api(house, Role.PIT_BOSS)
    assert cage.post(f"{slip}/issue", {"runner": "Ana"}, format="json", **key()).status_code == 200
    counted = {"chips": lines, "dealer": house.dealers[0].pk}
    refused = chief.post(f"{slip}/verify", counted, format="json", **key())
    assert (refused.status_code, refused.json()["code"], refused.json()["rule"]) == (
        422,
        "same_person",
        "GEN-10",
    )
    done = boss.post(f"{slip}/verify", counted, format="json", **key()).json()
    assert (done["state"], done["total"], done["desk"]) == ("verified", "2000.00", 1)
    assert done["chips"] == [{"denomination": "100.00", "count": 10}, {"denomination": "25.00", "count": 40}]
    void = {"second": house.users[Role.CAGE].username, "second_password": PASSWORD, "reason": "x"}
    answer = boss.post(f"{slip}/void", void, format="json", **key())
    assert (answer.status_code, answer.json()["code"]) == (409, "slip_verified")
    assert cage.get("/api/v1/slips?state=verified").json()["count"] == 1
    assert cage.get("/api/v1/chip-moves?kind=fill").json()["count"] == 2


def test_chips_over_the_api(house: House) -> None:
    admin, cage = api(house, Role.ADMINISTRATOR), api(house, Role.CAGE)
    desk = admin.post("/api/v1/desks", {"number": 1, "name": "Caja", "reason": "x"}, format="json")
    assert (desk.status_code, desk.json()["account"]) == (201, "cage:1")
    made = {"name": "Fichas", "denominations": ["25.00"], "reason": "x"}
    chip_set = admin.post("/api/v1/chip-sets", made, format="json").json()
    assert chip_set["denominations"] == ["25.00"]
    change = f"/api/v1/chip-sets/{chip_set['id']}/change"
    assert admin.post(change, {**made, "marks": "azul"}, format="json").json()["marks"] == "azul"
    signed = {"second": house.users[Role.COMPLIANCE].username, "second_password": PASSWORD}
    chips = [{"denomination": "25.00", "count": 10}]
    entry = {"chips": chips, "document": "F-1", "supplier": "Fábrica", **signed}
    assert cage.post("/api/v1/chip-entries", entry, format="json", **key()).status_code == 201
    retired = {"chips": chips, "document": "A-1", "destination": "Horno", "kind": "destroyed", **signed}
    del retired["second_password"]
    assert cage.post("/api/v1/chip-entries/retire", retired, format="json", **key()).status_code == 400
    retired |= signed
    assert cage.post("/api/v1/chip-entries/retire", retired, format="json", **key()).status_code == 201
    count = {"place": "vault", "chips": [{"denomination": "25.00", "count": 1}], **signed}
    counted = cage.post("/api/v1/chip-counts", count, format="json", **key()).json()
    assert (counted["difference"], counted["incident"][:4]) == ("25.00", "INC-")
    assert cage.get("/api/v1/chip-stock?place=vault").json()["results"] == [
        {"place": "vault", "denomination": "25.00", "number": 1}
    ]


# ---- reports -----------------------------------------------------------------------------------------


@pytest.mark.rule("FLOOR-07")
def test_the_report_of_slips_checks_the_numbers(house: House) -> None:
    stocked(house)
    counter = Counter(house, house.open_table(), a_desk(house))
    counter.void(counter.ask())
    counter.done("credit", {100 * BOB: 5})
    report = registered()["tables.slips"]
    day = {"day": counter.session.day.date}
    listed, chips, numbers = report.sections(house.casino, day)
    assert [row["label"] for row in listed.rows()] == ["C-2026-000001", "F-2026-000001"]
    assert listed.totals is not None
    assert listed.totals()["total"] == -500 * BOB
    assert [(row["denomination"], row["number"]) for row in chips.rows()] == [(100 * BOB, 5)]
    none = Text("ninguno", "none")
    assert [(row["first"], row["given"], row["missing"]) for row in numbers.rows()] == [
        ("C-2026-000001", 1, none),
        ("F-2026-000001", 1, none),
    ]
    stock = registered()["tables.chip_inventory"].sections(house.casino, day)
    rows = list(stock[0].rows())
    assert sum(row["value"] for row in rows) == 0  # what is in the house came from outside
    assert Text("bóveda", "vault") in [row["place"] for row in rows]
    assert len(list(stock[1].rows())) == 1
    assert inventory.stock_of(house.casino, "cage:1") == {100 * BOB: 5}
