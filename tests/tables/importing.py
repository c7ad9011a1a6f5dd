"""Files of rounds to import: how a run is made, read and held against the printed table of draws."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tables.models import TableSession
from tests.builders import House

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


SOUND = "9,0,,5,2,,9,7,punto,1,1"


def with_bom(path: Path) -> Path:
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    return path


def with_crlf(path: Path) -> Path:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    return path
