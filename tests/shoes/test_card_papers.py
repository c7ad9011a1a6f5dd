"""The papers of the cards: the act of destruction, to be signed, and the log of shoes."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdf
import pytest

from audits.by import By
from audits.reports import document, formats, registry, resting
from casino.kernel.errors import Refused
from casino.kernel.permissions import Role
from casino.models import Casino
from shoes import closing
from shoes.changing import remove_deck
from shoes.models import Deck, DestructionAct, Shoe, ShoeAlert
from shoes.shoes import abandon_shoe, add_decks, start_shoe, take_step
from tests.builders import CLOSING_TIME, FLOAT, NATURAL, NIGHT, a_house, bets
from tests.shoes import builders
from tests.shoes.builders import STEPS, beside, inspected_decks
from tests.shoes.clerk import HOUR, MORNING, NEXT, asked, es, period, section, spanish, told

# ---- the act ----------------------------------------------------------------------------------------


def an_act(casino: Casino, chief: By) -> DestructionAct:
    told(casino, chief)
    return DestructionAct.objects.get(casino=casino)


@pytest.mark.rule("CARD-45", "GEN-10")
def test_the_register_of_destructions_tells_each_act_and_its_events(casino: Casino, chief: By) -> None:
    act = an_act(casino, chief)
    (row,) = section(casino, "shoes.destructions", "rows", **period())
    assert es(row, "act", "at", "decks", "site", "method", "by", "witnesses") == (
        "ACT-2026-0001", MORNING + 8 * HOUR, 1, "depósito", "trituradas", "Julia Rojas",
        "Segunda firma, compliance, Segunda firma, cage",
    )  # fmt: skip
    report = registry.get("shoes.destructions")
    assert report.totals(casino, asked(casino, "shoes.destructions", **period()))["decks"] == 1
    told_of = resting.events(casino, registry.events_named(row)).values_list("action", flat=True)
    assert sorted(told_of) == ["shoes.act.signed", "shoes.deck.destroyed"]
    assert section(casino, "shoes.destructions", "rows", **period(NEXT, NEXT)) == []
    assert act.moves.count() == 1


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
    decks = closing.decks_of(shoe)
    whole = {"counted": 52, "by_suit_shown": True, "backs_checked": True}
    found = {deck.serial: whole for deck in decks}
    closing.count_shoe(shoe=shoe, found=found, inspector=chief.actor, witness=croupier, by=chief)
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
