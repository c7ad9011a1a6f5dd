"""Rounds from a file: what is sound, what is refused and by which rule, and files that cannot be used.

The expectation for the simulator's file is computed here by a table of draws of its own, written out
by hand in another form than the engine's.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from audits.models import Event
from audits.verify import ledger_faults, trail_faults
from casino.kernel.permissions import Role
from tables import rounds
from tables.importing import batches
from tables.models import Round, TableSession
from tests.builders import NATURAL, House

SIMULATED = Path(__file__).parent / "data" / "simulated_rounds.csv"
HEADING = "punto1,punto2,punto3,banca1,banca2,banca3,total punto,total banca,resultado,sabot,pase"

# Banca's draw after punto drew, by banca's total: one letter per value 0-9 of punto's third card.
# D draws, S stands. Copied from the table as casinos print it.
PRINTED = {
    0: "DDDDDDDDDD", 1: "DDDDDDDDDD", 2: "DDDDDDDDDD",
    3: "DDDDDDDDSD", 4: "SSDDDDDDSS", 5: "SSSSDDDDSS", 6: "SSSSSSDDSS", 7: "SSSSSSSSSS",
}  # fmt: skip


def expected(row: dict[str, str]) -> str:
    """`sound`, `leftover` or `refused`, by the printed table alone."""
    punto = [int(row[f"pcard{n}"]) for n in (1, 2, 3) if row[f"pcard{n}"]]
    banca = [int(row[f"bcard{n}"]) for n in (1, 2, 3) if row[f"bcard{n}"]]
    p, b = sum(punto[:2]) % 10, sum(banca[:2]) % 10
    punto_due = p <= 5 and b < 8
    if p >= 8 or b >= 8:
        banca_due = False
    elif not punto_due:
        banca_due = b <= 5
    elif len(punto) < 3:
        return "refused"
    else:
        banca_due = PRINTED[b][punto[2]] == "D"
    if banca_due and len(banca) < 3:
        return "refused"
    final_p = sum(punto[: 3 if punto_due else 2]) % 10
    final_b = sum(banca[: 3 if banca_due else 2]) % 10
    winner = "tie" if final_p == final_b else "player win" if final_p > final_b else "banker win"
    if (int(row["player total"]), int(row["b total"]), row["outcome"]) != (final_p, final_b, winner):
        return "refused"
    leftover = (len(punto) == 3 and not punto_due) or (len(banca) == 3 and not banca_due)
    return "leftover" if leftover else "sound"


class Ran:
    """What a run said and how it ended."""

    def __init__(self, session: TableSession, file: Path, **options: Any) -> None:
        out = StringIO()
        self.code, self.error = 0, ""
        try:
            call_command(
                "import_rounds",
                str(file),
                session=str(session.pk),
                casino=session.casino.code,
                stdout=out,
                **options,
            )
        except CommandError as error:
            self.code, self.error = error.returncode, str(error)
        self.said = out.getvalue()


@pytest.fixture
def session(house: House) -> TableSession:
    return house.open_table(game="baccarat.punto_banca", seats=9)


@pytest.fixture
def written(tmp_path: Path) -> Any:
    def write(*lines: str, heading: str = HEADING, name: str = "pases.csv", encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes("\n".join([heading, *lines, ""]).encode(encoding))
        return path

    return write


def report_of(path: Path) -> dict[int, dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {int(row["line"]): row for row in csv.DictReader(file)}


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


SOUND = "9,0,,5,2,,9,7,punto,1,1"


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


def with_bom(path: Path) -> Path:
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    return path


def with_crlf(path: Path) -> Path:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    return path


@pytest.mark.parametrize("dressed", [with_bom, with_crlf])
def test_what_spreadsheets_add_is_taken(session: TableSession, written: Any, dressed: Any) -> None:
    assert Ran(session, dressed(written(SOUND, ""))).code == 0
    assert Round.objects.count() == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "vacío"),
        (b"\n\n", "vacío"),
        (HEADING.encode(), "sólo encabezado"),
        (
            HEADING.replace(",pase", ",número").encode("latin-1") + b"\n" + SOUND.encode(),
            "--encoding latin-1",
        ),
        ((HEADING + "\n" + SOUND + "\n").encode() + "año".encode("latin-1"), "línea 3"),
        (HEADING.replace(",", ";").encode() + b"\n" + SOUND.replace(",", ";").encode(), '--delimiter ";"'),
        (HEADING.replace(",", "\t").encode() + b"\n" + SOUND.replace(",", "\t").encode(), "--delimiter"),
        (HEADING.replace("banca2,", "").encode() + b"\n" + SOUND.encode(), "carta 2 de banca"),
        (HEADING.replace("resultado", "x").replace("total punto", "y").encode() + b"\n", "resultado"),
        (HEADING.encode() + b",p1\n" + SOUND.encode(), "dos columnas"),
        (HEADING.encode("utf-16"), "bytes nulos"),
        (bytes(range(256)) * 40_000, "bytes nulos"),
        (b"x" * 10_000_000, "10000 bytes"),
        ((HEADING + "\n").encode() + b"9" * 10_000_000, "10000 bytes"),
        ((HEADING + "\n" + SOUND + "\n").encode() + b"\xff\xfe" * 5_000_000, "línea 3"),
        (b"PK\x03\x04" + b"\x01\x02,;" * 2_000_000, "10000 bytes"),
        (b"uno,dos\n" * 1_200_000, "falta la columna"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_cannot_be_used_says_why_and_leaves_nothing(
    session: TableSession, tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "malo.csv"
    path.write_bytes(content)
    events = Event.objects.count()
    ran = Ran(session, path)
    assert ran.code == 2
    assert words in ran.error
    assert (Round.objects.count(), Event.objects.count()) == (0, events)


def test_latin_and_semicolons_are_taken_when_said(session: TableSession, written: Any) -> None:
    heading = HEADING.replace(",pase", ",número de pase").replace(",", ";")
    path = written(SOUND.replace(",", ";"), heading=heading, encoding="latin-1")
    assert "latin-1" in Ran(session, path).error
    assert "delimiter" in Ran(session, path, encoding="latin-1").error
    assert Ran(session, path, encoding="latin-1", delimiter=";").code == 0
    assert Round.objects.count() == 1


def test_a_dry_run_writes_nothing(session: TableSession, written: Any) -> None:
    path = written(SOUND, SOUND, "6,0,,5,0,,6,5,punto,1,2")
    before = Event.objects.count()
    ran = Ran(session, path, dry_run=True)
    assert ran.code == 1
    assert "no se escribió nada" in ran.said
    # One sound, its repetition known, one refused.
    assert [int(line.split()[0]) for line in ran.said.splitlines()[1:6]] == [1, 0, 1, 1, 0]
    assert (Round.objects.count(), Event.objects.count()) == (0, before)


def test_a_run_that_was_killed_goes_on(
    session: TableSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = batches.import_batch, []

    def killed_at_the_third(**given: Any) -> Any:
        calls.append(given)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(**given)

    monkeypatch.setattr(batches, "import_batch", killed_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        Ran(session, SIMULATED, limit=1_000)
    half = Round.objects.count()
    assert 300 < half < 400
    monkeypatch.undo()
    Ran(session, SIMULATED, limit=1_000)
    with SIMULATED.open(newline="") as file:
        rows = [row for row, _ in zip(csv.DictReader(file), range(1_000), strict=False)]
    assert Round.objects.count() == sum(expected(row) != "refused" for row in rows)
    assert not list(trail_faults(session.casino))


def test_the_summary_names_the_file_by_its_digest(session: TableSession, written: Any) -> None:
    path = written(SOUND)
    Ran(session, path, user=f"{session.casino.code}-{Role.PIT_BOSS.value}")
    told = json.loads(bytes(Event.objects.get(action="tables.rounds.imported").body))
    assert told["data"]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert told["actor"]["name"] == "Persona pit_boss"
    assert (told["data"]["imported"], told["data"]["refused"]) == (1, 0)


def test_the_same_rounds_are_the_same_under_any_file_name(session: TableSession, written: Any) -> None:
    """Renamed, saved anew with a BOM, or grown: a round is known by its shoe and number."""
    path = written(SOUND, name="lunes.csv")
    assert Ran(session, path).code == 0
    for again in (written(SOUND, name="copia.csv"), with_bom(path), with_crlf(path)):
        ran = Ran(session, again)
        assert (ran.code, "1  ya importadas" in ran.said) == (0, True)
    assert Ran(session, written(SOUND, "8,1,,5,2,,9,7,punto,1,2", name="martes.csv")).code == 0
    assert Round.objects.count() == 2


def test_two_sources_with_the_same_numbers_are_told_apart_by_name(
    session: TableSession, written: Any
) -> None:
    assert Ran(session, written(SOUND, name="a.csv"), source="mesa A").code == 0
    other = written("8,1,,5,2,,9,7,punto,1,1", name="b.csv")
    assert Ran(session, other, source="mesa A").code == 1  # conflict
    assert Ran(session, other, source="mesa B").code == 0
    assert sorted(Round.objects.values_list("source_key", flat=True)) == ["mesa A:1:1", "mesa B:1:1"]
    twice = Ran(session, other, source="mesa C")
    assert (twice.code, "--source mesa B" in twice.error) == (2, True)


@pytest.mark.parametrize("numbered", [True, False])
def test_a_file_goes_into_one_session_of_the_house(
    house: House, session: TableSession, written: Any, numbered: bool
) -> None:
    lines = ["9,0,,5,2,,9,7,punto,1,1", "8,0,,5,2,,8,7,punto,1,2", "2,6,,4,2,,8,6,punto,1,3"]
    heading = HEADING if numbered else HEADING.removesuffix(",sabot,pase")
    lines = lines if numbered else [line.rsplit(",", 2)[0] for line in lines]
    path = written(*lines, heading=heading)
    assert Ran(session, path).code == 0
    other = house.open_table(game="baccarat.punto_banca", seats=9, dealer=1, supervisor=1)
    for file in (path, with_bom(path), written(*lines[1:], heading=heading, name="parte.csv")):
        for dry in (True, False):
            ran = Ran(other, file, dry_run=dry)
            assert (ran.code, session.label in ran.error, "--again" in ran.error) == (2, True, True)
    assert Ran(other, path, again=True).code == 0
    assert Round.objects.filter(session=other).count() == 3
    # Half of the rows is the measure: of these six, three are there.
    new = [f"9,0,,5,{n},,9,{n + 5},punto,2,{n}" for n in (0, 1, 3)]
    new = new if numbered else [line.rsplit(",", 2)[0] for line in new]
    house.supervisors.append(house.person(supervises=True))
    third = house.open_table(game="baccarat.punto_banca", seats=9, dealer=2, supervisor=2)
    assert Ran(third, written(*lines, *new, heading=heading)).code == 2
    assert Ran(third, written(*lines[:2], *new, heading=heading)).code == 0


@pytest.mark.rule("FLOOR-12")
def test_a_table_that_logs_bets_takes_no_rounds_without_them(house: House, written: Any) -> None:
    session = house.open_table(game="baccarat.punto_banca", seats=9, detail="full")
    for dry in (True, False):
        ran = Ran(session, written(SOUND), dry_run=dry)
        assert (ran.code, "registra apuestas" in ran.error) == (2, True)
    assert Round.objects.count() == 0


def test_only_a_file_is_read(session: TableSession, tmp_path: Path) -> None:
    pipe = tmp_path / "tubo.csv"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), tmp_path):
        ran = Ran(session, path)
        assert (ran.code, "no es un archivo" in ran.error) == (2, True)
    assert Ran(session, tmp_path / "no.csv").code == 2


def test_a_file_of_nothing_readable_stops_early(session: TableSession, written: Any) -> None:
    ragged = written(*["9,0"] * 1_000)
    for options in ({}, {"dry_run": True}, {"again": True}):
        ran = Ran(session, ragged, **options)
        assert (ran.code, "ninguna de las primeras 1000 filas" in ran.error) == (2, True)
    assert Ran(session, written(*["9,0"] * 999, SOUND)).code == 1
    assert Round.objects.count() == 1


def test_the_report_does_not_overwrite_the_file(session: TableSession, written: Any) -> None:
    path = written(SOUND)
    before = path.read_bytes()
    assert Ran(session, path, report=path).code == 2
    assert path.read_bytes() == before


@pytest.mark.rule("CARD-42")
def test_a_shoe_with_more_of_a_value_than_eight_decks_is_told(session: TableSession, written: Any) -> None:
    # Each round shows a 9: eight decks hold 32 of them. Shoe 1 shows 32, shoe 2 one more.
    lines = [f"9,0,,5,2,,9,7,punto,{shoe},{n}" for shoe, most in ((1, 32), (2, 33)) for n in range(most)]
    ran = Ran(session, written(*lines))
    assert ran.code == 0
    assert "1 sabot(s) del archivo" in ran.said
    assert "2: 2×33, 5×33, 9×33" in ran.said


def test_who_may_not_import_does_not(session: TableSession, written: Any) -> None:
    ran = Ran(session, written(SOUND), user=f"{session.casino.code}-{Role.CROUPIER.value}")
    assert (ran.code, Round.objects.count()) == (2, 0)
    assert Ran(session, written(SOUND), user="nadie").code == 2


def test_a_table_in_the_middle_of_a_round_waits(house: House, session: TableSession, written: Any) -> None:
    rounds.play(session=session, number=1, step=0, events=NATURAL[:1], by=house.by(Role.PIT_BOSS))
    ran = Ran(session, written(SOUND))
    assert (ran.code, "en curso" in ran.error) == (2, True)


def test_a_closed_session_takes_no_rounds(house: House, session: TableSession, written: Any) -> None:
    house.close(session, {500_00: 1})
    assert "cerrada" in Ran(session, written(SOUND)).error


def test_a_session_is_found_by_number_label_or_table(session: TableSession, written: Any) -> None:
    path = written(SOUND)
    for name in (str(session.pk), session.label, session.table.name, session.table.name.lower()):
        call_command("import_rounds", str(path), session=name, casino=session.casino.code, stdout=StringIO())
    assert Round.objects.count() == 1
    with pytest.raises(CommandError, match="no hay sesión"):
        call_command("import_rounds", str(path), session="XX-99", casino=session.casino.code)


def test_a_report_takes_no_formulas(session: TableSession, written: Any, tmp_path: Path) -> None:
    report = tmp_path / "r.csv"
    Ran(session, written("=1+1,0,,5,2,,9,7,punto,1,1"), report=report)
    assert all(
        not cell.startswith(("=", "+", "-", "@"))
        for row in report_of(report).values()
        for cell in row.values()
    )
    nowhere = Ran(session, written(SOUND), report=tmp_path / "no" / "r.csv")
    assert (nowhere.code, Round.objects.count()) == (2, 0)
