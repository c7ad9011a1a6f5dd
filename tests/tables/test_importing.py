"""Rounds from a file: what is sound, what is refused and by which rule, and files that cannot be used.

The expectation for the simulator's file is computed here by a table of draws of its own, written out
by hand in another form than the engine's.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from audits.models import Event
from audits.verify import ledger_faults, trail_faults
from tables.models import Round, TableSession
from tests.tables.importing import (
    HEADING,
    SIMULATED,
    SOUND,
    Ran,
    expected,
    report_of,
    with_bom,
    with_crlf,
)
from tests.tables.importing import session as session  # a fixture, as is the next
from tests.tables.importing import written as written


@pytest.mark.rule("BAC-12", "BAC-13", "BAC-14", "BAC-15")
def test_the_simulators_file_is_told_apart(session: TableSession, tmp_path: Path) -> None:
    with SIMULATED.open(newline="") as file:
        wanted = {line: expected(row) for line, row in enumerate(csv.DictReader(file), start=2)}
    report = tmp_path / "report.csv"
    ran = Ran(session, SIMULATED, report=report)
    assert ran.code == 1
    told = {line: row["kind"] for line, row in report_of(report).items()}
    assert {line: told.get(line, "sound") for line in wanted} == wanted
    counts = Counter(wanted.values())
    session.refresh_from_db()
    assert session.rounds_settled == counts["sound"] + counts["leftover"]
    assert Counter(row["rule"] for row in report_of(report).values() if row["kind"] == "refused").keys() <= {
        "BAC-10", "BAC-12", "BAC-13", "BAC-14", "BAC-15", "BAC-19",
    }  # fmt: skip
    assert not [*trail_faults(session.casino), *ledger_faults(session.casino)]
    # One event per round and one for the whole.
    assert Event.objects.filter(action="tables.round.settled").count() == session.rounds_settled
    assert Event.objects.filter(action="tables.rounds.imported").count() == 1

    again = Ran(session, SIMULATED)
    session.refresh_from_db()
    assert session.rounds_settled == Round.objects.count() == counts["sound"] + counts["leftover"]
    assert f"{session.rounds_settled:>9}  ya importadas" in again.said
    assert Event.objects.filter(action="tables.rounds.imported").count() == 1


@pytest.mark.parametrize(
    ("line", "kind", "rule", "words"),
    [
        (SOUND, "sound", "", ""),
        ("9d,Kh,,5c,2s,,9,7,gana punto,1,1", "sound", "", ""),
        # A natural: the 3 listed for punto was never drawn, and 9 does not count it.
        ("9,0,3,5,2,,9,7,punto,1,1", "leftover", "BAC-12", "3 de punto"),
        # The same, counted: 9 + 3 = 12, so 2.
        ("9,0,3,5,2,,2,7,banca,1,1", "refused", "BAC-12", "contó una tercera carta 3 de punto"),
        # Punto stands on 6: the 2 counted makes 8.
        ("6,0,2,5,2,,8,7,punto,1,1", "refused", "BAC-13", "contó una tercera carta 2 de punto"),
        # Banca stands on 6 when punto stood: the 3 counted makes 9.
        ("7,0,,4,2,3,7,9,banca,1,1", "refused", "BAC-14", "contó una tercera carta 3 de banca"),
        # Punto's third card is 8 and banca has 3: it stands; the 4 counted makes 7.
        ("2,0,8,3,0,4,0,7,banca,1,1", "refused", "BAC-15", "contó una tercera carta 4 de banca"),
        # Punto must draw on 5 and has no third card.
        ("5,0,,7,0,,5,7,banca,1,1", "refused", "BAC-13", "falta una carta del punto"),
        # Punto stood on 6 and banca has 5: it must draw.
        ("6,0,,5,0,,6,5,punto,1,1", "refused", "BAC-14", "falta una carta de la banca"),
        # The 4 that banca had to draw on 5 is listed and left out of the total.
        ("6,0,,5,0,4,6,5,punto,1,1", "refused", "BAC-14", "no la contó"),
        ("9,0,,5,2,,9,6,punto,1,1", "refused", "BAC-10", "anunció banca 6"),
        ("9,0,,5,2,,9,7,banca,1,1", "refused", "BAC-19", "anunció «gana banca»"),
        ("10,0,,5,2,,9,7,punto,1,1", "refused", "", "«10»"),
        ("-1,0,,5,2,,9,7,punto,1,1", "refused", "", "«-1»"),
        ("=1+1,0,,5,2,,9,7,punto,1,1", "refused", "", "«=1+1»"),
        ("٣,0,,5,2,,9,7,punto,1,1", "refused", "", "«٣»"),
        (",0,,5,2,,9,7,punto,1,1", "refused", "", "carta 1 de punto"),
        ("9,0,,5,2,,9,17,punto,1,1", "refused", "", "total de banca"),
        ("9,0,,5,2,,9,7,quizá,1,1", "refused", "", "«quizá»"),
        ("9,0,,5,2,,9,7,punto,1,", "refused", "", "número de sabot o de pase"),
        ("9,0,,5,2,,9,7", "refused", "", "8 celdas"),
        ('"9,0,,5,2,,9,7,punto,1,1', "refused", "", "comillas"),
    ],
)
@pytest.mark.rule("BAC-10", "BAC-12", "BAC-13", "BAC-14", "BAC-15", "BAC-19")
def test_a_row_is_judged_by_the_rules(
    session: TableSession, written: Any, tmp_path: Path, line: str, kind: str, rule: str, words: str
) -> None:
    report = tmp_path / "report.csv"
    ran = Ran(session, written(line), report=report)
    told = report_of(report)
    assert ran.code == (1 if kind == "refused" else 0)
    assert Round.objects.count() == (0 if kind == "refused" else 1)
    if kind == "sound":
        assert told == {}
    else:
        assert (told[2]["kind"], told[2]["rule"]) == (kind, rule)
        assert words in told[2]["reason_es"]
        assert told[2]["reason_en"] != told[2]["reason_es"]


def test_what_is_stored_is_what_was_dealt(session: TableSession, written: Any) -> None:
    assert Ran(session, written("2,3,4,4s,0,Th,9,4,punto,7,12")).code == 0
    stored = Round.objects.get()
    assert [(e["to"], e["card"]) for e in stored.log] == [
        ("punto", "v2"), ("banca", "4s"), ("punto", "v3"), ("banca", "v0"), ("punto", "v4"), ("banca", "Th"),
    ]  # fmt: skip
    assert (stored.detail, stored.shoe, stored.winner, stored.source_key) == (
        "cards",
        None,
        "punto",
        "7:12",
    )


def test_a_row_with_other_content_is_a_conflict(session: TableSession, written: Any) -> None:
    Ran(session, written(SOUND))
    changed = Ran(session, written(SOUND, "9,0,,4,2,,9,6,punto,1,2", "8,1,,5,2,,9,7,punto,1,1"))
    # Line 2 is there, line 3 is new, line 4 says otherwise about round 1 of shoe 1.
    assert changed.code == 1
    assert "ya importadas" in changed.said
    assert "1:1 ya está con otro contenido" in changed.said
    assert Round.objects.count() == 2


def test_rows_without_numbers_are_known_by_what_they_say(session: TableSession, written: Any) -> None:
    heading, row = HEADING.removesuffix(",sabot,pase"), SOUND.removesuffix(",1,1")
    path = written(row, row, "8,1,,5,2,,9,7,punto", heading=heading)
    assert Ran(session, path).code == 0
    # The same round twice in the file is two rounds.
    assert Round.objects.count() == 3
    assert Ran(session, path).code == 0
    assert Round.objects.count() == 3


@pytest.mark.parametrize(
    "heading",
    [
        "pcard1,pcard2,pcard3,bcard1,bcard2,bcard3,player total,b total,outcome,shoe number,rounds",
        "player_card_1,player_card_2,player_card_3,banker_card_1,banker_card_2,banker_card_3,"
        "player_total,banker_total,Winner,Shoe,Round",
        "P1,P2,P3,B1,B2,B3,Puntos Jugador,Puntos Banca,Ganador,Número de sabot,Número de pase",
    ],
)
def test_columns_are_known_by_their_usual_names(session: TableSession, written: Any, heading: str) -> None:
    assert Ran(session, written(SOUND, heading=heading)).code == 0
    assert Round.objects.get().source_key == "1:1"


def test_columns_come_in_any_order_beside_others(session: TableSession, written: Any) -> None:
    heading = "nota,resultado,banca3,banca2,banca1,punto3,punto2,punto1,total banca,total punto"
    assert Ran(session, written('"=cmd()",punto,,2,5,,0,9,7,9', heading=heading)).code == 0


def test_totals_alone_or_the_result_alone_will_do(session: TableSession, written: Any) -> None:
    cards = HEADING.split(",total")[0]
    assert (
        Ran(session, written("9,0,,5,2,,9,7", heading=f"{cards},total punto,total banca", name="a.csv")).code
        == 0
    )
    assert Ran(session, written("9,0,,5,2,,punto", heading=f"{cards},resultado", name="b.csv")).code == 0
    # Without totals nobody can say whether a card too many was counted.
    ran = Ran(session, written("9,0,3,5,2,,punto", heading=f"{cards},resultado", name="c.csv"))
    assert (ran.code, "sin totales" in ran.said) == (1, True)
    assert Ran(session, written("9,0,,5,2,", heading=cards, name="d.csv")).code == 2


@pytest.mark.parametrize("dressed", [with_bom, with_crlf])
def test_what_spreadsheets_add_is_taken(session: TableSession, written: Any, dressed: Any) -> None:
    assert Ran(session, dressed(written(SOUND, ""))).code == 0
    assert Round.objects.count() == 1
