"""Exclusion lists from files: headings, encodings and dates as they come, doubles, rows that will not do."""

from __future__ import annotations

import datetime as dt
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from casino.kernel.errors import Refused
from casino.kernel.permissions import Role
from tables.guests.importing import reading, run
from tables.guests.proofs import guest_faults
from tables.models import Exclusion
from tests.builders import House

HEADING = (
    "Nº;Apellido paterno;Apellido materno;Nombres;C.I.;Expedido;Fecha de nacimiento;Desde;Hasta;Resolución\n"
)
LIST = (
    HEADING
    + """1;Peña;Ibáñez;José Ángel;4.521.879;LP;14/03/1985;01/02/2026;indefinido;RA-12/2026
2;Roca;;Ana;;;3-4-1990;;2027-01-01;
3;Peña;Ibáñez;José Ángel;4521879;SC;14/03/1985;01/02/2026;;RA-12/2026
4;Sin;Documento;Ni Fecha;;;;;;
5;Mal;Fechado;Hugo;5555555;LP;31/02/1980;;;
6;Corta;Fila
7;Al;Revés;Rita;6666666;CB;;2026-05-01;2026-04-01;
"""
)


def outcome(house: House, text: str = LIST, *, encoding: str = "utf-8", dry_run: bool = False) -> run.Outcome:
    return run.import_list(
        content=text.encode(encoding), source="Nota AJ 77/2026", kind="authority",
        by=house.by(Role.COMPLIANCE), dry_run=dry_run,
    )  # fmt: skip


@pytest.mark.rule("GEN-11")
def test_a_list_comes_in_once_and_its_bad_rows_are_named(house: House) -> None:
    rehearsed = outcome(house, dry_run=True)
    assert (rehearsed.recorded, Exclusion.objects.count()) == (2, 0)
    found = outcome(house)
    assert (found.recorded, found.already, found.doubles) == (2, 0, [4])
    assert [turned.line for turned in found.refused] == [5, 6, 7, 8]
    words = [turned.words.es for turned in found.refused]
    assert "hace falta el documento" in words[0]
    assert "«31/02/1980»" in words[1]
    assert "otras celdas" in words[2]
    assert "antes de empezar" in words[3]
    assert found.ignored == ["Nº"]
    jose, ana = Exclusion.objects.order_by("pk")
    assert (jose.name, jose.number, jose.birth_date) == (
        "José Ángel Peña Ibáñez", "4521879", dt.date(1985, 3, 14),
    )  # fmt: skip
    assert (jose.since, jose.until, jose.source) == (dt.date(2026, 2, 1), None, "RA-12/2026")
    assert (ana.number, ana.birth_date, ana.until) == ("", dt.date(1990, 4, 3), dt.date(2027, 1, 1))
    assert (ana.since, ana.source) == (dt.date(2026, 11, 20), "Nota AJ 77/2026")
    again = outcome(house)
    assert (again.recorded, again.already, Exclusion.objects.count()) == (0, 2, 2)
    assert not list(guest_faults(house.casino))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_encodings_and_separators(encoding: str, delimiter: str) -> None:
    text = "Documento,Nombre\r\n123456,Muñoz Ibáñez\r\n\r\n".replace(",", delimiter)
    listed = reading.read(text.encode(encoding))
    assert listed.delimiter == delimiter
    assert listed.rows == [(2, {"number": "123456", "name": "Muñoz Ibáñez"})]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "file_empty"),
        (b"\n \n", "file_empty"),
        (b"PK\x03\x04\0\0\0", "file_binary"),
        (b"nombre,monto\nAna,3\n", "missing_column"),
        (b"documento,ci\n1,2\n", "duplicate_column"),
        (b"x" * 200_000 + b",documento\n1,2\n", "missing_column"),  # no cell of a heading is so long
        (b"\xff\xfed\0o\0x", "file_binary"),  # half a sign of UTF-16
    ],
)
def test_files_that_cannot_be_used(content: bytes, code: str) -> None:
    with pytest.raises(Refused) as refused:
        reading.read(content)
    assert (refused.value.code, refused.value.field) == (code, "file")


def test_words_of_a_row_are_known_or_refused() -> None:
    def told(**row: str) -> dict[str, Any]:
        return reading.particulars(row, kind="house", source="x", today=dt.date(2026, 11, 20))

    assert told(number="1", kind="Autoexclusión")["kind"] == "self"
    assert told(number="1", document_type="PASAPORTE", country="Perú")["document_type"] == "passport"
    assert told(number="1", country="Perú")["country"] == "PE"
    assert told(number="123456", issued="LP")["number"] == "123456 LP"
    assert told(issued="LP", name="Ana  Roca")["number"] == ""
    for wrong in ({"kind": "amigo"}, {"document_type": "licencia"}, {"birth_date": "1985"}):
        with pytest.raises(Refused):
            told(number="1", **wrong)


def test_the_command_lists_what_it_refused(house: House, tmp_path: Path) -> None:
    file = tmp_path / "lista.csv"
    file.write_text(LIST, encoding="cp1252")
    given = {"source": "Nota", "casino": house.casino.code, "stdout": StringIO()}
    with pytest.raises(CommandError) as error:
        call_command("import_exclusions", str(file), user=house.users[Role.COMPLIANCE].username, **given)
    assert error.value.returncode == 1
    assert "línea 6: «31/02/1980» no es una fecha" in given["stdout"].getvalue()
    assert Exclusion.objects.count() == 2
    file.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(CommandError) as error:
        call_command("import_exclusions", str(file), **given)
    assert error.value.returncode == 2


def test_the_page_rehearses_before_it_writes(house: House) -> None:
    client = Client()
    client.force_login(house.users[Role.COMPLIANCE])
    client.cookies["django_language"] = "es-bo"
    for do, written in (("rehearse", 0), ("import", 2)):
        file = SimpleUploadedFile("lista.csv", LIST.encode())
        body = {"file": file, "source": "Nota AJ", "kind": "authority", "do": do}
        shown = client.post("/exclusiones/importar/", body)
        assert shown.status_code == 200
        assert "31/02/1980" in shown.content.decode()
        assert Exclusion.objects.count() == written
    refused = client.post("/exclusiones/importar/", {"source": "Nota", "kind": "authority"})
    assert (refused.status_code, "elija un archivo" in refused.content.decode().lower()) == (422, True)


HOSTILE = """documento,nombre,desde,hasta
1234561,=HYPERLINK("http://x"),2026-01-01,31/12/9999
1234562,"Ana ""la"" Roca",2026-01-01,
1234563,"Sin cerrar,2026-01-01,
1234564,Nulo\0,2026-01-01,
1234565,Línea\u2028Rota,2026-01-01,
1234566,Fecha,12/31/2026,
1234567,Corta
1234568,{huge},2026-01-01,
1234569,Última,2026-01-01,
"""


def test_hostile_cells_are_data_or_named_by_line(house: House) -> None:
    text = "\ufeff" + HOSTILE.replace("{huge}", "x" * 200_000)
    found = outcome(house, text)
    assert {turned.line for turned in found.refused} == {4, 5, 7, 8, 9}
    kept = {entry.number: entry for entry in Exclusion.objects.all()}
    assert set(kept) == {"1234561", "1234562", "1234565", "1234569"}
    assert kept["1234565"].name == "Línea Rota"
    assert (kept["1234561"].until, kept["1234562"].name) == (None, 'Ana "la" Roca')
    assert not list(guest_faults(house.casino))
