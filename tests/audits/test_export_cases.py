"""The cases of `reports_export`, and text an unfriendly person would put into a report, in every format."""

from __future__ import annotations

import csv
import datetime as dt
import json
import time

import openpyxl
import pypdf
import pytest
from openpyxl.utils.escape import unescape

from audits.reports import Column, Kind, Report, document, formats, kept
from audits.reports.formats import csv as plain_csv
from audits.reports.formats import guard, xlsx
from casino.kernel.words import Text
from casino.models import Casino
from tables.importing import source

FORMATS = ["csv", "csvcomma", "xlsx", "pdf", "json"]


class Cells(Report):
    identifier = "audits.cells"
    title = Text("Celdas", "Cells")
    act = "audits.trail.read"

    def __init__(self, columns, rows):
        self._columns, self._rows = columns, rows

    def columns(self, params):
        return self._columns

    def rows(self, casino, params):
        yield from self._rows


def house(zone="America/La_Paz"):
    return Casino(code="illimani", name="Casino Illimani", zone=zone, denominations=[1])


@pytest.fixture
def write(tmp_path):
    def run(format, columns, rows, casino=None):
        path = tmp_path / f"out.{format}"
        made = document.prepare(Cells(columns, rows), casino or house(), {}, "es-bo")
        formats.WRITERS[format](made, path, lambda n: None)
        return path

    return run


def read(path, delimiter=","):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file, delimiter=delimiter))[1:]


def sheet(path):
    """The rows of a sheet below its headings."""
    return list(openpyxl.load_workbook(path).worksheets[0].iter_rows(min_row=5))


def test_dja_020_text_that_a_sheet_would_run_and_numbers_that_stay(write):
    """DJA-020: neutralise formulas, leave real numbers alone."""
    cells = [
        "-5.00", "-1,234.56", "-2+3+A1", "-- nota", '=HYPERLINK("http://example.invalid")', "+34 600 000 000",
        "@SUM(A1)", "Mesa 3", "+1.5",
    ]  # fmt: skip
    columns = [Column("a", Text("Celda", "Cell")), Column("b", Text("Otra", "Other"))]
    rows = [{"a": cell, "b": "x"} for cell in cells]
    assert [row[0] for row in read(write("csv", columns, rows))] == [
        "-5.00", "-1,234.56", "'-2+3+A1", "'-- nota", "'=HYPERLINK(\"http://example.invalid\")",
        "'+34 600 000 000", "'@SUM(A1)", "Mesa 3", "+1.5",
    ]  # fmt: skip
    assert [row[0].value for row in sheet(write("xlsx", columns, rows))] == cells
    assert {row[0].data_type for row in sheet(write("xlsx", columns, rows))} == {"s"}


def test_dja_022_the_mark_is_taken_off_when_the_file_is_read_back(write):
    """DJA-022: our own import reads the first heading as it is, not with the byte order mark on it."""
    columns = [Column("mesa", Text("mesa", "mesa")), Column("croupier", Text("croupier", "croupier"))]
    path = write("csvcomma", columns, [{"mesa": "BJ-04", "croupier": "Ñusta"}])
    assert path.read_bytes().startswith(b"\xef\xbb\xbfmesa;croupier\r\n")
    first = source.first_line(path, "utf-8")
    assert first.split(";")[0] == "mesa"
    assert "\ufeff" not in first


def test_dja_023_a_decimal_comma_splits_no_amount(write):
    """DJA-023: semicolons between cells where the comma is the decimal sign; numbers in a sheet."""
    units = [123450, 910, 1215, -2]  # 1234.50, 9.10, 12.15, -0.02
    columns = [Column("a", Text("Importe", "Amount"), Kind.MONEY), Column("b", Text("Nota", "Note"))]
    rows = [{"a": amount, "b": "x;y"} for amount in units]
    path = write("csvcomma", columns, rows)
    assert b";" in path.read_bytes()
    assert [row[0] for row in read(path, ";")] == ["1234,50", "9,10", "12,15", "-0,02"]
    assert [row[1] for row in read(path, ";")] == ["x;y"] * 4
    cells = [row[0] for row in sheet(write("xlsx", columns, rows))]
    assert {cell.data_type for cell in cells} == {"n"}
    assert [cell.value for cell in cells] == [1234.5, 9.1, 12.15, -0.02]


def test_dja_024_instants_are_the_wall_clock_of_the_house(write):
    """DJA-024: a sheet knows no zones; 20:30 UTC in July is 22:30 in Madrid, which changes its clocks."""
    instant = dt.datetime(2026, 7, 1, 20, 30, tzinfo=dt.UTC)
    columns = [Column("at", Text("Hora", "Time"), Kind.INSTANT), Column("b", Text("Otra", "Other"))]
    madrid = house("Europe/Madrid")
    cell = sheet(write("xlsx", columns, [{"at": instant}], madrid))[0][0]
    assert cell.value == dt.datetime(2026, 7, 1, 22, 30)  # noqa: DTZ001 (a sheet's own)
    assert (cell.data_type, cell.number_format) == ("d", "yyyy-mm-dd hh:mm:ss")
    assert read(write("csv", columns, [{"at": instant}], madrid))[0][0] == "2026-07-01T22:30:00+02:00"
    # and in a house whose zone never changes its clock
    assert sheet(write("xlsx", columns, [{"at": instant}]))[0][0].value.hour == 16


NASTY = [
    "Íñigo Ñandú",
    'di "jo", así; y más',
    "=cmd|' /C calc'!A0",
    "'=1+1",
    "''-2+A1",
    "'hola",
    "'5",
    "\u202eabc\u202c",
    "\u200fمرحبا",
    "dos\r\nlíneas",
    "  ",
    "\t=1",
    "1e5",
    "-0",
    "007",
    "2026-11-29",
    "x" * 5_000,
    "emoji 🃏",
    "\u202e=1+1",
    " =1+1",
    "\u00a0+1",
    "\u3000＝1+1",
    "＠SUM(1)",
    "\ufeff=1",
    "\x01=1",
    "'\u200f=1",
    "<r><t>no es suyo</t></r>",
    "<r><b</r>",
    "_x0041_",
    "a\ufffeb\uffffc\x07",
    "\n=1",
    "Ñ=1",
]


@pytest.mark.parametrize("format", FORMATS)
def test_whatever_is_in_a_name_comes_back_as_it_was(write, format):
    columns = [Column("a", Text("Nombre", "Name")), Column("b", Text("Otra", "Other"))]
    path = write(format, columns, [{"a": name, "b": "fin"} for name in NASTY])
    if format == "json":
        back = [row["a"] for row in json.loads(path.read_text())["sections"][0]["rows"]]
    elif format == "xlsx":
        back = [unescape(row[0].value) for row in sheet(path)]
    elif format == "pdf":
        assert "Íñigo Ñandú" in pypdf.PdfReader(path).pages[0].extract_text()
        return
    else:
        back = [guard.unsafe(row[0]) for row in read(path, ";" if format == "csvcomma" else ",")]
    assert back == NASTY


@pytest.mark.parametrize("format", FORMATS)
def test_a_nul_and_half_a_character_break_no_file(write, format):
    columns = [Column("a", Text("Nombre", "Name")), Column("b", Text("Otra", "Other"))]
    path = write(format, columns, [{"a": "a\0b", "b": "bien"}])
    assert b"\0b" not in path.read_bytes() or format in ("xlsx", "pdf")
    if format == "json":
        assert json.loads(path.read_text())["sections"][0]["rows"][0]["a"] == "a\ufffdb"
    if format in ("csv", "csvcomma"):
        assert write(format, columns, [{"a": "a\ud800b", "b": "bien"}]).read_text("utf-8-sig")


def test_what_is_kept_is_what_was_there(tmp_path):
    """Every value of every kind, out of the CSV again."""
    columns = [Column(kind.value, Text(kind.value, kind.value), kind) for kind in Kind]
    at = dt.datetime(2026, 7, 1, 20, 30, 5, tzinfo=dt.UTC)
    day = dt.date(2026, 11, 29)
    rows = [
        {"text": name, "int": -3, "money": -2, "percent": 125, "date": day, "instant": at, "day": day}
        for name in NASTY
    ] + [{}, {"day": "Total", "int": 2**60, "money": -(2**60)}]
    made = document.prepare(Cells(columns, rows), house("Europe/Madrid"), {}, "es-bo")
    path = tmp_path / "rows.csv"
    placed = plain_csv.write(made, path, lambda n: None)
    back = kept.document_of(kept.outline(made, placed), path)
    found = [dict(row) for row in back.sections[0].rows()]
    assert found == [{column.key: row.get(column.key) for column in columns} for row in rows]
    again = tmp_path / "again.csv"
    plain_csv.write(back, again, lambda n: None)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("format", ["csv", "csvcomma"])
def test_nothing_begins_like_a_formula_whatever_stands_before_the_sign(write, format):
    """Blanks, controls and marks of direction are passed over, a full-width sign is a sign: 6 x 8 texts."""
    begun = ["", " ", "\u00a0", "\u3000", "\u202e", "\x1f"]
    signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
    texts = [f"{before}{sign}A1" for before in begun for sign in signs]
    columns = [Column("a", Text("Nombre", "Name")), Column("b", Text("Otra", "Other"))]
    path = write(format, columns, [{"a": text, "b": "fin"} for text in texts])
    found = [row[0] for row in read(path, ";" if format == "csvcomma" else ",")]
    assert found == ["'" + text for text in texts]
    assert len(found) == 48


def test_a_cell_of_a_sheet_that_cannot_hold_a_text_shows_that_it_goes_on(write):
    """32,767 units of UTF-16 is what a cell holds; a card of the emoji takes two of them."""
    columns = [Column("a", Text("Nota", "Note")), Column("b", Text("Otra", "Other"))]
    longest = ["x" * 32_767, "x" * 32_768, "🃏" * 16_383 + "x", "🃏" * 16_384]
    rows = sheet(write("xlsx", columns, [{"a": text, "b": "fin"} for text in longest]))
    assert [row[0].value for row in rows] == [
        "x" * 32_767, "x" * 32_766 + "…", "🃏" * 16_383 + "x", "🃏" * 16_383 + "…",
    ]  # fmt: skip


def test_a_text_longer_than_a_page_goes_on_overleaf(write):
    """Words of five letters, and one word of 40,000: all of them on paper, in no long time."""
    words = [f"{number:05d}" for number in range(4_000)]
    columns = [Column("a", Text("Nota", "Note")), Column("b", Text("Otra", "Other"))]
    rows = [{"a": " ".join(words), "b": "fin"}, {"a": "W" * 40_000, "b": "fin"}]
    begun = time.process_time()
    path = write("pdf", columns, rows)
    assert time.process_time() - begun < 20  # letter by letter it was hours
    pages = [page.extract_text() for page in pypdf.PdfReader(path).pages]
    said = " ".join(pages)
    assert [word for word in words if word not in said] == []
    assert said.count("W") == 40_000
    assert all("Nota" in page for page in pages) and len(pages) > 4


def test_a_control_in_the_houses_name_or_a_tables_title_breaks_no_workbook(write):
    named = Casino(code="illimani", name="Casino\x07 <Illimani>", denominations=[1])
    columns = [Column("a", Text("Nota", "Note")), Column("b", Text("Otra", "Other"))]
    path = write("xlsx", columns, [{"a": "x", "b": "y"}], named)
    assert openpyxl.load_workbook(path).properties.creator == "Casino  <Illimani>"
    assert xlsx._sheet_name("a\x07\ufffeb", set()) == "a  b"
