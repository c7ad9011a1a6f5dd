"""Files of rounds: those that cannot be used, those that come again, and who may import them where."""

from __future__ import annotations

import csv
import hashlib
import json
import os
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from audits.models import Event
from audits.verify import trail_faults
from casino.kernel.permissions import Role
from tables import rounds
from tables.importing import batches
from tables.models import Round, TableSession
from tests.builders import NATURAL, House
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
