"""The reports of the cards, held to what a clerk writes down beside while the story happens."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdf
import pytest

from audits import exports
from audits.by import By
from audits.reports import document, formats, forms, registry
from casino.kernel import clock
from casino.kernel.errors import NotAllowed, Refused
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import acts, examining, moving, stocktaking, store
from shoes.changing import remove_deck
from shoes.decks import issue_decks
from shoes.models import Deck, DestructionAct, Shoe, ShoeAlert
from shoes.shoes import abandon_shoe, add_decks, start_shoe, take_step
from tests.builders import CLOSING_TIME, FLOAT, NATURAL, NIGHT, a_house, bets
from tests.shoes import builders
from tests.shoes.builders import STEPS, beside, inspected_decks, registered_decks

HOUR = dt.timedelta(hours=1)
MORNING = dt.datetime(2026, 11, 20, 14, 0, tzinfo=dt.UTC)
"""Ten in the morning in La Paz; the gaming day 2026-11-20 began four hours before."""
DAY, NEXT = dt.date(2026, 11, 20), dt.date(2026, 11, 21)
WORDS = {
    "store": "en depósito",
    "issued": "entregada, por inspeccionar",
    "passed": "apta",
    "quarantine": "en cuarentena",
    "withdrawn": "retirada",
    "cancelled": "anulada",
    "destroyed": "destruida",
}


def asked(casino: Casino, report: str, **given: Any) -> dict[str, Any]:
    """The parameters as a person or a program gives them, read as the report reads them."""
    return forms.read(registry.get(report).form, casino, given)


def section(casino: Casino, report: str, key: str, **given: Any) -> list[dict[str, Any]]:
    params = asked(casino, report, **given)
    found = {each.key: each for each in registry.get(report).sections(casino, params)}[key]
    rows = [dict(row) for row in found.rows()]
    assert found.count() in (None, len(rows))
    return rows


def period(first: dt.date = DAY, last: dt.date = DAY) -> dict[str, str]:
    return {"first": first.isoformat(), "last": last.isoformat()}


def spanish(value: Any) -> Any:
    return value.es if hasattr(value, "es") else value


def es(row: Mapping[str, Any], *keys: str) -> tuple[Any, ...]:
    return tuple(spanish(row[key]) for key in keys)


# ---- the inventory ----------------------------------------------------------------------------------


@dataclass
class Clerk:
    """Writes down, hour by hour, what is where: (colour, state, place) by serial number."""

    now: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    pages: list[tuple[dt.datetime, dict[str, tuple[str, str, str]]]] = field(default_factory=list)

    def note(self, at: dt.datetime, decks: list[Deck], state: str, place: str) -> None:
        for deck in decks:
            self.now[deck.serial] = (deck.back_colour, state, place)
        self.pages.append((at, dict(self.now)))


def told(casino: Casino, chief: By) -> Clerk:
    """Nine hours of a store; each act at the hour after the one before."""
    clerk = Clerk()
    chiefs = [replace(chief, occurred_at=MORNING + number * HOUR) for number in range(9)]
    red = registered_decks(casino, chiefs[0], 6)
    clerk.note(chiefs[0].occurred_at, red, "store", "depósito")
    blue = registered_decks(casino, chiefs[1], 2, back_colour="azul", batch="L-2")
    clerk.note(chiefs[1].occurred_at, blue, "store", "depósito")
    croupier = beside(chief, Role.CROUPIER).actor
    seals = {deck.serial: deck.seal for deck in red[:3]}
    issue_decks(seals=seals, place=moving.DESK, received_by=croupier, by=chiefs[2])
    clerk.note(chiefs[2].occurred_at, red[:3], "issued", moving.DESK)
    found = {"by_suit_shown": True, "backs_checked": True, "inspector": chief.actor, "witness": croupier}
    for deck in red[:2]:
        examining.inspect_deck(deck=deck, counted=52, by=chiefs[3], **found)
    examining.inspect_deck(deck=red[2], counted=51, missing=["7c"], by=chiefs[3], **found)
    clerk.note(chiefs[3].occurred_at, red[:2], "passed", moving.DESK)
    clerk.note(chiefs[3].occurred_at, [red[2]], "withdrawn", "depósito")
    store.give_back(serials=[red[0].serial], by=chiefs[4])
    clerk.note(chiefs[4].occurred_at, [red[0]], "store", "depósito")
    store.quarantine(serials=[blue[0].serial], by=chiefs[5].because("caja mojada"))
    clerk.note(chiefs[5].occurred_at, [blue[0]], "quarantine", "depósito")
    store.withdraw(serials=[blue[0].serial], by=chiefs[6].because("cartas hinchadas"))
    clerk.note(chiefs[6].occurred_at, [blue[0]], "withdrawn", "depósito")
    store.cancel(serials=[blue[0].serial], by=chiefs[7])
    clerk.note(chiefs[7].occurred_at, [blue[0]], "cancelled", "depósito")
    destroyed(chiefs[8], blue[0].serial)
    clerk.note(chiefs[8].occurred_at, [blue[0]], "destroyed", "")
    return clerk


def destroyed(by: By, *serials: str) -> DestructionAct:
    witnesses = [beside(by, Role.COMPLIANCE).actor, beside(by, Role.CAGE).actor]
    return acts.destroy(serials=serials, method="trituradas", site="depósito", witnesses=witnesses, by=by)


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
            assert shown == {serial: (WORDS[state], place) for serial, (_, state, place) in page.items()}
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
        "en depósito": 5, "apta": 1, "retirada": 1, "destruida": 1,
    }  # fmt: skip
    assert section(casino, "shoes.inventory", "decks", end_of="2026-11-19") == []
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


# ---- the act ----------------------------------------------------------------------------------------


def an_act(casino: Casino, chief: By) -> DestructionAct:
    told(casino, chief)
    return DestructionAct.objects.get(casino=casino)


@pytest.mark.rule("CARD-45")
def test_the_act_lists_its_decks_and_those_who_sign_it(casino: Casino, chief: By) -> None:
    act = an_act(casino, chief)
    (deck,) = section(casino, "shoes.destruction", "decks", act=act.pk)
    gone = Deck.objects.get(state=Deck.State.DESTROYED)
    assert es(deck, "serial", "maker", "batch", "back", "homologation", "received_at", "inspected_at") == (
        gone.serial, "Naipes del Sur", "L-2", "rombos, azul", "AJ-2026-0007", MORNING + HOUR, None,
    )  # fmt: skip
    assert deck["why"] == "cartas hinchadas"
    signers = section(casino, "shoes.destruction", "signatures", act=act.pk)
    assert [es(row, "role", "name") for row in signers] == [
        ("Destruyó", "Julia Rojas"),
        ("Testigo", "Segunda firma, compliance"),
        ("Testigo", "Segunda firma, cage"),
    ]
    report = registry.get("shoes.destruction")
    said = {label.es: spanish(value) for label, value in report.particulars(casino, {"act": act})}
    assert said == {
        "Acta": "ACT-2026-0001",
        "Fecha y hora": MORNING + 8 * HOUR,
        "Lugar": "depósito",
        "Modo de destrucción": "trituradas",
        "Barajas": "1 baraja",
        "Destruyó": "Julia Rojas",
        "Testigos": "Segunda firma, compliance, Segunda firma, cage",
    }
    assert report.file_stem({"act": act}) == "shoes-destruction-ACT-2026-0001"


@pytest.mark.rule("CARD-45")
def test_the_act_on_paper_has_room_for_three_signatures(casino: Casino, chief: By, tmp_path: Path) -> None:
    act, path = an_act(casino, chief), tmp_path / "act.pdf"
    made = document.prepare(registry.get("shoes.destruction"), casino, {"act": act}, "es-bo")
    formats.WRITERS["pdf"](made, path, lambda rows: None)
    (page,) = pypdf.PdfReader(path).pages
    text = page.extract_text()
    for said in ("ACT-2026-0001", "2026-11-20 18:00:00", "Firma", "C. I.", "cartas hinchadas", "CARD-45"):
        assert said in text, said
    names: dict[str, float] = {}

    def visit(text: str, _cm: Any, tm: list[float], _font: Any, _size: float) -> None:
        if text.strip() in ("Julia Rojas", "Segunda firma, compliance", "Segunda firma, cage"):
            names[text.strip()] = tm[5]  # the last time it stands there: in the table of signatures

    page.extract_text(visitor_text=visit)
    heights = sorted(names.values(), reverse=True)
    # A hand's signature wants a centimetre, 28 points, of its own.
    assert [round(upper - lower) >= 28 for upper, lower in pairwise(heights)] == [True, True]


def test_an_act_of_another_house_is_none_of_ours(casino: Casino, chief: By) -> None:
    act, other = an_act(casino, chief), builders.a_casino()
    with pytest.raises(Refused) as refusal:
        asked(other, "shoes.destruction", act=act.pk)
    assert (refusal.value.code, refusal.value.field) == ("bad_params", "act")


# ---- the log of shoes -------------------------------------------------------------------------------


@pytest.mark.rule("CARD-42")
@pytest.mark.rule("CARD-43")
def test_a_shoe_from_its_first_step_to_its_closing_count(db: None) -> None:
    """Two rounds of four cards: of 312, 3 are burned and 8 dealt, which leaves 301."""
    house = a_house()
    session = house.open_table(detail="full")
    for _ in range(2):
        house.log(session, [*bets((1, "punto", 100)), *NATURAL])
    house.close(session, FLOAT)
    shoe = Shoe.objects.get()
    chief = house.by(Role.SUPERVISOR, CLOSING_TIME)
    croupier = house.users[Role.CROUPIER].actor
    decks = examining.decks_of(shoe)
    whole = {"counted": 52, "by_suit_shown": True, "backs_checked": True}
    found = {deck.serial: whole for deck in decks}
    examining.count_shoe(shoe=shoe, found=found, inspector=chief.actor, witness=croupier, by=chief)
    ShoeAlert.objects.create(
        casino=house.casino, shoe=shoe, detector="distribution", p=1e-7, words_es="reparto improbable",
        words_en="improbable distribution", at=CLOSING_TIME,
    )  # fmt: skip

    (prepared,) = section(house.casino, "shoes.log", "shoes", **period())
    assert es(prepared, "shoe", "started_at", "state", "renews") == (
        shoe.label, NIGHT - HOUR, "terminado", "",
    )  # fmt: skip
    assert prepared["decks"] == ", ".join(deck.serial for deck in decks)
    (played,) = section(house.casino, "shoes.log", "played", **period())
    assert es(played, "table", "total", "dealt", "burned", "remaining", "count", "counted_at") == (
        session.table.name, 312, 8, 3, 301, "completo", CLOSING_TIME,
    )  # fmt: skip
    assert played["counted_by"] == f"{chief.actor.name}, {croupier.name}"
    steps = section(house.casino, "shoes.log", "steps", **period())
    assert [row["number"] for row in steps] == list(range(1, 2 + len(STEPS)))
    (alert,) = section(house.casino, "shoes.log", "alerts", **period())
    assert es(alert, "shoe", "words") == (shoe.label, "reparto improbable")
    # Started on the 20th and ended that night: of no other day.
    assert section(house.casino, "shoes.log", "shoes", **period(NEXT, NEXT)) == []
    assert section(house.casino, "shoes.log", "shoes", **period(), table="PB-XX") == []


@pytest.mark.rule("CARD-14")
def test_each_step_with_its_signer_its_answer_and_its_minutes(casino: Casino, chief: By) -> None:
    """Signed every seven minutes; the check of the shuffle by another chief."""
    start = replace(chief, occurred_at=MORNING)
    decks = inspected_decks(casino, start, 8)
    shoe = start_shoe(game="baccarat.mini", decks_wanted=8, by=start)
    add_decks(shoe=shoe, serials=[deck.serial for deck in decks], by=start)
    for number, (code, data) in enumerate(STEPS, start=1):
        by = replace(chief, occurred_at=MORNING + number * dt.timedelta(minutes=7))
        signer = beside(by, Role.SUPERVISOR) if code == "check" else by
        take_step(shoe=shoe, step=code, data=data, by=signer)
    rows = section(casino, "shoes.log", "steps", **period())
    assert [row["minutes"] for row in rows] == [0, *[7] * len(STEPS)]
    assert [row["signed_by"] for row in rows if row["signed_by"] != "Julia Rojas"] == [
        "Segunda firma, supervisor"
    ]
    cut = rows[[code for code, _ in STEPS].index("cut") + 1]
    assert "el asiento 2" in cut["given"].es
    assert "120" in cut["given"].es
    assert "seat 2" in cut["given"].en


@pytest.mark.rule("CARD-12")
def test_a_deck_taken_out_is_no_deck_of_the_shoe(casino: Casino, chief: By) -> None:
    start = replace(chief, occurred_at=MORNING)
    shoe = builders.shoe_with_decks(casino, start)
    inside = sorted(shoe.decks.values_list("serial", flat=True))
    remove_deck(shoe=shoe, serial=inside[0], by=start, why="una carta rozada")
    abandon_shoe(shoe=shoe, by=start, reason="no hace falta")
    (row,) = section(casino, "shoes.log", "shoes", **period())
    assert row["decks"] == ", ".join(inside[1:])
    steps = section(casino, "shoes.log", "steps", **period())
    assert steps[-1]["step"].es.startswith("sacar")
    assert section(casino, "shoes.log", "played", **period()) == []


# ---- who, and whose ---------------------------------------------------------------------------------

REPORTS = ("shoes.inventory", "shoes.moves", "shoes.inspections", "shoes.log", "shoes.counts")


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
