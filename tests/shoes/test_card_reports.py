"""The reports of the cards, held to what a clerk writes down beside while the story happens."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from audits import exports
from audits.by import By
from audits.models import Export
from audits.reports import document, formats, forms, registry
from casino.kernel import clock
from casino.kernel.errors import NotAllowed, Refused
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import examining, moving, stocktaking, store
from tests.shoes import builders
from tests.shoes.builders import beside, registered_decks
from tests.shoes.clerk import DAY, HOUR, MORNING, NEXT, asked, es, period, section, told

WORDS = {
    "store": "en depósito",
    "issued": "entregada, por inspeccionar",
    "passed": "apta",
    "quarantine": "en cuarentena",
    "withdrawn": "retirada",
    "cancelled": "anulada",
    "destroyed": "destruida",
}


# ---- the inventory ----------------------------------------------------------------------------------


@pytest.mark.rule("CARD-04")
@pytest.mark.rule("CARD-02")
def test_the_inventory_of_any_hour_is_the_page_the_clerk_wrote(casino: Casino, chief: By) -> None:
    clerk = told(casino, chief)
    assert section(casino, "shoes.inventory", "decks", at=(MORNING - HOUR).isoformat()) == []
    hours = dict(clerk.pages)  # of two notes of an hour the second holds the first
    assert len(hours) == 9
    for at, page in hours.items():
        for instant in (at, at + HOUR - dt.timedelta(seconds=1)):
            rows = section(casino, "shoes.inventory", "decks", at=instant.isoformat())
            shown = {row["serial"]: es(row, "state", "place") for row in rows}
            kept = {serial: line for serial, line in page.items() if line[1] != "destroyed"}
            assert shown == {serial: (WORDS[state], place) for serial, (_, state, place) in kept.items()}
            stock = section(casino, "shoes.inventory", "stock", at=instant.isoformat())
            assert {row["back_colour"]: figures(row) for row in stock} == summed(page)


def figures(row: Mapping[str, Any]) -> dict[str, int]:
    """The numbers of a line of stock, those that are 0 left out."""
    return {key: value for key, value in row.items() if isinstance(value, int) and value}


def summed(page: Mapping[str, tuple[str, str, str]]) -> dict[str, dict[str, int]]:
    """What a line of stock must say of each colour: received, destroyed, what is left, and in which state."""
    lines = {}
    for colour in {colour for colour, _, _ in page.values()}:
        states = Counter(state for each, state, _ in page.values() if each == colour)
        received, gone = sum(states.values()), states["destroyed"]
        flows = {"received": received, "destroyed": gone, "present": received - gone}
        lines[colour] = {key: value for key, value in {**states, **flows}.items() if value}
    return lines


def test_the_inventory_at_the_end_of_a_day_and_its_totals(casino: Casino, chief: By) -> None:
    told(casino, chief)
    end = section(casino, "shoes.inventory", "decks", end_of="2026-11-20")
    assert Counter(row["state"].es for row in end) == {
        "en depósito": 5, "apta": 1, "retirada": 1,
    }  # fmt: skip
    assert section(casino, "shoes.inventory", "decks", end_of="2026-11-19") == []
    (gone,) = section(casino, "shoes.inventory", "decks", end_of="2026-11-20", state="destroyed")
    assert es(gone, "state", "place", "moved_at") == (WORDS["destroyed"], "", MORNING + 8 * HOUR)
    only = section(casino, "shoes.inventory", "decks", end_of="2026-11-20", state="withdrawn")
    assert [row["incident"] for row in only] == ["INC-2026-0001"]
    blue = section(casino, "shoes.inventory", "stock", end_of="2026-11-20", batch="L-2")
    assert [figures(row) for row in blue] == [{"received": 2, "destroyed": 1, "present": 1, "store": 1}]
    params = asked(casino, "shoes.inventory", end_of="2026-11-20")
    stock = registry.get("shoes.inventory").sections(casino, params)[0]
    assert list(stock.rows())
    assert stock.totals is not None
    # 6 red and 2 blue came, one blue was destroyed.
    assert figures(stock.totals()) == {
        "received": 8, "destroyed": 1, "present": 7, "store": 5, "passed": 1, "withdrawn": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({}, "at"),
        ({"at": "2026-11-20T10:00", "end_of": "2026-11-20"}, "at"),
        ({"at": "2999-01-01T00:00"}, "at"),
        ({"end_of": "2999-01-01"}, "end_of"),
        ({"at": "ayer"}, "at"),
        ({"at": "0001-01-01T00:00:00+14:00"}, "at"),
        ({"end_of": "2026-02-30"}, "end_of"),
        ({"end_of": "9999-12-31"}, "end_of"),
    ],
)
def test_what_is_no_instant_that_passed_is_refused(casino: Casino, given: dict[str, str], wrong: str) -> None:
    with pytest.raises(Refused) as refusal:
        asked(casino, "shoes.inventory", **given)
    assert (refusal.value.code, refusal.value.field) == ("bad_params", wrong)


def test_a_wall_clock_is_that_of_the_house_and_is_kept_as_one_instant(casino: Casino) -> None:
    """10:00 in La Paz, four hours behind, is 14:00 UTC."""
    params = asked(casino, "shoes.inventory", at="2026-11-20T10:00")
    assert params["at"] == MORNING
    kept = forms.plain(params)
    assert asked(casino, "shoes.inventory", **kept)["at"] == MORNING
    assert registry.get("shoes.inventory").file_stem(params) == "shoes-inventory-2026-11-20-1400Z"


# ---- moves, inspections, counts ---------------------------------------------------------------------


def test_moves_of_a_span_of_days(casino: Casino, chief: By) -> None:
    """A gaming day begins at six in La Paz, which is ten UTC: 9:59 is of the day before."""
    before = replace(chief, occurred_at=dt.datetime(2026, 11, 20, 9, 59, tzinfo=dt.UTC))
    early = registered_decks(casino, before, 1, batch="L-0")
    told(casino, chief)
    rows = section(casino, "shoes.moves", "rows", **period())
    # Received 6 + 2, issued 3, passed 2, withdrawn 1 + 1, and one of each of the others.
    assert Counter(row["kind"].es for row in rows) == {
        "recibida": 8, "entregada": 3, "inspeccionada, apta": 2, "retirada": 2, "devuelta sin usar": 1,
        "puesta en cuarentena": 1, "anulada": 1, "destruida": 1,
    }  # fmt: skip
    assert early[0].serial not in {row["serial"] for row in rows}
    eve = section(casino, "shoes.moves", "rows", **period(DAY - dt.timedelta(days=1), DAY))
    assert len(eve) == len(rows) + 1
    quarantined, *_ = section(casino, "shoes.moves", "rows", **period(), kind="quarantined")
    assert es(quarantined, "state", "place", "reason", "at", "by") == (
        "en cuarentena", "depósito", "caja mojada", MORNING + 5 * HOUR, "Julia Rojas",
    )  # fmt: skip
    at_desk = section(casino, "shoes.moves", "rows", **period(), place=moving.DESK)
    assert len(at_desk) == 3 + 2
    one = section(casino, "shoes.moves", "rows", **period(), serial=rows[0]["serial"])
    assert [row["seq"] for row in one] == list(range(1, len(one) + 1))
    of_batch = section(casino, "shoes.moves", "rows", **period(), batch="L-2")
    assert {row["batch"] for row in of_batch} == {"L-2"}
    assert all("deck_batch:" in row["event"] for row in rows)


@pytest.mark.rule("CARD-15")
def test_inspections_name_the_faulty_cards_and_the_incident(casino: Casino, chief: By) -> None:
    told(casino, chief)
    rows = section(casino, "shoes.inspections", "rows", **period())
    assert [es(row, "moment", "counted", "result", "faults", "incident") for row in rows] == [
        ("antes de jugar", 52, "apta", "", ""),
        ("antes de jugar", 52, "apta", "", ""),
        ("antes de jugar", 51, "no apta", "falta siete de tréboles", "INC-2026-0001"),
    ]
    assert rows[2]["faults"].en == "missing seven of clubs"
    assert (rows[2]["inspector"], rows[2]["witness"]) == ("Julia Rojas", "Segunda firma, croupier")
    assert len(section(casino, "shoes.inspections", "rows", **period(), result="failed")) == 1
    assert section(casino, "shoes.inspections", "rows", **period(), moment="closing") == []
    assert section(casino, "shoes.inspections", "rows", **period(), batch="L-2") == []


@pytest.mark.rule("CARD-45")
def test_an_inspection_under_investigation_tells_the_incident_that_held_the_deck(
    casino: Casino, chief: By
) -> None:
    """A deck withdrawn for a fault, held for its incident and examined again while it is held."""
    first, held, again = (replace(chief, occurred_at=MORNING + number * HOUR) for number in range(3))
    (deck,) = builders.issued_decks(casino, first, 1)
    croupier = beside(chief, Role.CROUPIER).actor
    found = {"by_suit_shown": True, "backs_checked": True, "inspector": chief.actor, "witness": croupier}
    examining.inspect_deck(deck=deck, counted=51, missing=["7c"], by=first, **found)
    deck.refresh_from_db()
    incident = deck.incident
    assert incident is not None
    store.hold(serials=[deck.serial], incident=incident, by=replace(held, actor=pit_boss(chief)))
    examining.inspect_deck(deck=deck, counted=52, foreign=["Kh"], missing=["7c"], by=again, **found)
    rows = section(casino, "shoes.inspections", "rows", **period())
    assert [row["incident"] for row in rows] == [incident.label, incident.label]
    assert rows[1]["faults"].es == "falta siete de tréboles; ajena rey de corazones"


def pit_boss(by: By) -> Any:
    return beside(by, Role.PIT_BOSS).actor


@pytest.mark.rule("CARD-02")
def test_counts_of_the_store_with_their_differences(casino: Casino, chief: By) -> None:
    morning, noon = (replace(chief, occurred_at=MORNING + number * HOUR) for number in range(2))
    registered_decks(casino, morning, 3)
    registered_decks(casino, morning, 2, back_colour="azul", batch="L-2")
    lines = [
        {"deck_type": "french52", "back_colour": "azul", "counted": 2},
        {"deck_type": "french52", "back_colour": "rojo", "counted": 2},
    ]
    stocktaking.count_store(lines=lines, with_=beside(chief, Role.CAGE).actor, by=noon)
    rows = section(casino, "shoes.counts", "rows", **period())
    assert [es(row, "back_colour", "expected", "counted", "difference") for row in rows] == [
        ("azul", 2, 2, 0),
        ("rojo", 3, 2, -1),
    ]
    assert {(row["counted_by"], row["counted_with"], row["incident"]) for row in rows} == {
        ("Julia Rojas", "Segunda firma, cage", "INC-2026-0001")
    }
    assert section(casino, "shoes.counts", "rows", **period(NEXT, NEXT)) == []


# ---- who, and whose ---------------------------------------------------------------------------------

REPORTS = (
    "shoes.inventory",
    "shoes.moves",
    "shoes.inspections",
    "shoes.log",
    "shoes.counts",
    "shoes.destructions",
)


def params_of(report: str) -> dict[str, str]:
    return {"end_of": "2026-11-20"} if report == "shoes.inventory" else period()


@pytest.mark.rule("REC-11")
@pytest.mark.parametrize("report", REPORTS)
def test_the_office_asks_for_them_and_the_floor_does_not(casino: Casino, chief: By, report: str) -> None:
    ask = {"report": report, "params": params_of(report), "format": "csv", "language": "es-bo"}
    for role in (Role.COMPLIANCE, Role.INSPECTOR, Role.PIT_BOSS, Role.CAGE):
        exports.request_export(**ask, by=beside(chief, role))
    for role in (Role.CROUPIER, Role.SUPERVISOR, Role.DEVICE):
        with pytest.raises(NotAllowed):
            exports.request_export(**ask, by=beside(chief, role))


@pytest.mark.parametrize("report", [*REPORTS, "shoes.destruction"])
def test_each_has_its_page_in_both_languages(casino: Casino, chief: By, client: Client, report: str) -> None:
    user = beside(chief, Role.COMPLIANCE).actor.user
    assert user is not None
    client.force_login(user)
    titles = registry.get(report).title
    for language, title in (("es", titles.es), ("en", titles.en)):
        page = client.get(reverse("report", args=[report]), HTTP_ACCEPT_LANGUAGE=language)
        assert page.status_code == 200
        assert title in page.content.decode()


def test_the_page_asks_for_the_inventory_of_this_minute(casino: Casino, chief: By, client: Client) -> None:
    user = beside(chief, Role.COMPLIANCE).actor.user
    assert user is not None
    client.force_login(user)
    told(casino, chief)
    with clock.standing_at(MORNING + 9 * HOUR):
        page = client.get(reverse("report", args=["shoes.inventory"])).content.decode()
        # 23:00 UTC is 19:00 in La Paz.
        assert 'value="2026-11-20T19:00"' in page
        given = {"at": "2026-11-20T19:00", "end_of": "", "state": "", "batch": "L-2", "format": "csv"}
        assert client.post(reverse("report", args=["shoes.inventory"]), given).status_code == 302
    order = Export.objects.get(casino=casino)
    assert order.params == {"at": "2026-11-20T23:00:00+00:00", "batch": "L-2"}


@pytest.mark.parametrize("report", REPORTS)
def test_nothing_of_another_house_is_in_them(casino: Casino, chief: By, report: str) -> None:
    told(casino, chief)
    builders.shoe_with_decks(casino, replace(chief, occurred_at=MORNING))
    other = builders.a_casino()
    described = registry.get(report)
    for each in described.sections(other, asked(other, report, **params_of(report))):
        assert list(each.rows()) == [], each.key


@pytest.mark.parametrize("format", sorted(formats.WRITERS))
@pytest.mark.parametrize("report", REPORTS)
def test_they_come_in_every_format_in_both_languages(
    casino: Casino, chief: By, tmp_path: Path, report: str, format: str
) -> None:
    told(casino, chief)
    builders.shoe_with_decks(casino, replace(chief, occurred_at=MORNING))
    for language in exports.LANGUAGES:
        params, rows = asked(casino, report, **params_of(report)), []
        made = document.prepare(registry.get(report), casino, params, language)
        path = tmp_path / f"{language}.{format}"
        formats.WRITERS[format](made, path, rows.append)
        assert path.stat().st_size > 0
        counts = [each.count() for each in made.sections]
        assert None in counts or sum(rows) == sum(count or 0 for count in counts)


def test_the_clock_says_what_has_passed(casino: Casino) -> None:
    with clock.standing_at(MORNING), pytest.raises(Refused):
        asked(casino, "shoes.inventory", at=(MORNING + HOUR).isoformat())
    with clock.standing_at(MORNING):
        assert asked(casino, "shoes.inventory", at=MORNING.isoformat())["at"] == MORNING
