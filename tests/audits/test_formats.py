"""The three formats, read back by programs that are not ours: csv, openpyxl, pypdf."""

from __future__ import annotations

import csv
import datetime as dt
import zipfile
from decimal import Decimal

import openpyxl
import pypdf
import pytest
from openpyxl.utils.escape import unescape

from audits.reports import Report, document, formats, registry
from audits.reports.formats import layout, pdf
from audits.reports.registry import Column, Kind, Section
from casino.kernel.errors import NotFound, Refused
from casino.kernel.words import Text
from casino.models import Casino

from .sample import DAY, HUGE, NAMES, Blocks, Broken, Sample

CASINO = Casino(code="illimani", name="Casino Illimani", licence="AJ-0001", denominations=[1000])
PARAMS = {"day": DAY, "rows": None}
# A spreadsheet knows no zones: the wall clock of La Paz.
WALL = dt.datetime(2026, 11, 29, 22, 30, 5, tzinfo=dt.UTC).replace(tzinfo=None)


@pytest.fixture
def write(tmp_path):
    def run(format, report=None, params=PARAMS, language="es-bo", casino=CASINO):
        path = tmp_path / f"out.{format}"
        done = []
        made = document.prepare(report or Sample(), casino, params, language)
        formats.WRITERS[format](made, path, done.append)
        run.rows = sum(done)
        return path

    return run


def csv_rows(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


class TestCsv:
    def test_every_cell_comes_back(self, write):
        rows = csv_rows(write("csv"))
        assert rows[0] == ["Croupier", "Apertura", "Día", "Pases", "Resultado", "Retención %"]
        # 02:30:05 UTC is 22:30:05 the evening before, four hours behind; -123456 centavos; 125 bp is 1.25 %
        assert rows[1] == [
            "Íñigo Núñez", "2026-11-29T22:30:05-04:00", "2026-11-29", "37", "-1234.56", "1.25",
        ]  # fmt: skip
        assert rows[10] == [""] * 6
        # 37+38+…+45 = 9 x 41 = 369; the loss stays a number
        assert rows[11] == ["Total", "", "", "369", "0.00", "-0.50"]
        assert len(rows) == 12
        assert write.rows == 10

    def test_no_text_is_a_formula_and_no_loss_is_a_text(self, write):
        rows = csv_rows(write("csv"))
        assert [row[0] for row in rows[1:10]] == [
            "Íñigo Núñez", "'=1+1", "'+591 70000000", "-5", "'@SUM(A1)", "'\tx", "'\rx", 'di "jo", así', "http://x.bo",
        ]  # fmt: skip
        assert all(row[4].startswith("-1234") for row in rows[1:10])

    def test_it_opens_in_a_spreadsheet_as_utf_8(self, write):
        data = write("csv").read_bytes()
        assert data.startswith(b"\xef\xbb\xbf")
        assert b"\r\n" in data

    def test_several_tables_stand_one_under_the_other(self, db, write):
        rows = csv_rows(write("csv", Blocks(), {}))
        assert rows[0] == [CASINO.name, Blocks.title.es]  # whose report it is, then its tables
        start = rows.index(["'=Antes"])
        assert rows[start - 1] == []
        assert rows[start + 1] == ["Cadenas"]
        assert rows[start + 4] == []
        assert rows[start + 5] == ["Después"]

    def test_english_changes_the_words_and_no_figure(self, write):
        spanish, english = csv_rows(write("csv")), csv_rows(write("csv", language="en"))
        assert english[0] == ["Dealer", "Opened", "Day", "Rounds", "Result", "Hold %"]
        assert english[1:] == spanish[1:]


class TestXlsx:
    def sheet(self, path):
        return openpyxl.load_workbook(path).worksheets[0]

    def body(self, path):
        """The rows from the column headings on."""
        rows = list(self.sheet(path).iter_rows())
        start = next(i for i, row in enumerate(rows) if row[0].value in ("Croupier", "Dealer"))
        return rows[start:]

    def test_every_cell_comes_back_with_its_type(self, write):
        rows = self.body(write("xlsx"))
        first = rows[1]
        assert [cell.value for cell in first] == [
            "Íñigo Núñez", WALL, WALL.replace(hour=0, minute=0, second=0), 37, -1234.56, 0.0125,
        ]  # fmt: skip
        assert [cell.data_type for cell in first] == ["s", "d", "d", "n", "n", "n"]
        assert first[4].number_format == "#,##0.00;[Red]-#,##0.00"
        assert first[5].number_format == "0.00%"
        assert all(cell.value is None for cell in rows[10])
        assert [rows[11][i].value for i in (0, 3, 4, 5)] == ["Total", 369, 0, -0.005]

    def test_no_text_is_a_formula_or_a_link(self, write):
        rows = self.body(write("xlsx"))
        cells = [row[0] for row in rows[1:10]]
        assert {cell.data_type for cell in cells} == {"s"}
        # the file format writes a carriage return as _x000D_; openpyxl leaves that to its caller
        assert [unescape(cell.value) for cell in cells] == NAMES
        assert all(cell.hyperlink is None for cell in cells)

    @pytest.mark.parametrize(
        ("units", "stored"),
        [
            (1, "0.01"), (-1, "-0.01"), (10, "0.10"), (999_999_999_999_999, "9999999999999.99"),
            (-100_000_000_000_001, "-1000000000000.01"),
        ],
    )  # fmt: skip
    def test_money_is_stored_in_its_own_decimal_digits(self, write, units, stored):
        path = write("xlsx", Money([units]), {})
        xml = zipfile.ZipFile(path).read("xl/worksheets/sheet1.xml").decode()
        assert f"<v>{stored}</v>" in xml
        # and the double a spreadsheet makes of it gives the same centavos back
        found = [cell.value for row in self.sheet(path).iter_rows() for cell in row if cell.data_type == "n"]
        numbers = [value for value in found if value is not None]
        assert [round(Decimal(repr(v)) * 100) for v in numbers] == [units]

    def test_an_amount_too_long_for_a_spreadsheet_is_text_not_rounded(self, write):
        path = write("xlsx", Money([HUGE]), {})
        values = [cell.value for row in self.sheet(path).iter_rows() for cell in row]
        assert "90071992547409.91" in values

    def test_a_sheet_per_table_with_names_a_spreadsheet_takes(self, db, write):
        book = openpyxl.load_workbook(write("xlsx", Blocks(), {}))
        assert book.sheetnames == ["=Antes", "Después"]
        assert book.properties.creator == "Casino Illimani"

    def test_odd_titles_still_name_different_sheets(self, write):
        long = "Sesión [PB-01]: mesa/paño * uno? y algo más"
        book = openpyxl.load_workbook(write("xlsx", Money([1], titles=[long, long, "''"]), {}))
        assert len(set(book.sheetnames)) == 3
        assert all(0 < len(name) <= 31 and not set(name) & set("[]:*?/\\") for name in book.sheetnames)

    def test_the_head_says_what_it_is(self, write):
        sheet = self.sheet(write("xlsx"))
        assert [sheet.cell(row, 1).value for row in (1, 2, 3)] == [
            "Muestra del día", "Casino Illimani", "Día de juego: 2026-11-29",
        ]  # fmt: skip


class TestPdf:
    def pages(self, path):
        return [page.extract_text() for page in pypdf.PdfReader(path).pages]

    def test_it_says_what_it_is_and_every_figure(self, write):
        (text,) = self.pages(write("pdf"))
        for said in (
            "Casino Illimani", "Licencia AJ AJ-0001", "Muestra del día", "2026-11-29", "REC-08",
            "Íñigo Núñez", "2026-11-29 22:30:05", "−1.234,56", "1,25 %", "369", "−0,50 %",
            "Página 1 de", "Sabot · Muestra del día",
        ):  # fmt: skip
            assert said in text, said

    def test_english_reads_english(self, write):
        (text,) = self.pages(write("pdf", language="en"))
        for said in ("Day sample", "−1,234.56", "Page 1 of", "Dealer"):
            assert said in text, said

    def test_headings_stand_on_every_page_and_pages_are_counted(self, write):
        pages = self.pages(write("pdf", params={"day": DAY, "rows": 150}))
        assert len(pages) > 2
        for number, text in enumerate(pages, 1):
            assert "Croupier" in text
            assert "Casino Illimani" in text
            assert f"Página {number} de" in text
            assert str(len(pages)) in text.split(f"Página {number} de")[1]
        # each of the 150 rows is there once: their names, counted over all pages
        assert sum(text.count("Íñigo Núñez") for text in pages) == 150

    def test_an_empty_table_says_so(self, write):
        (text,) = self.pages(write("pdf", params={"day": DAY, "rows": 0}))
        assert "Sin registros." in text

    def test_fonts_are_in_the_file(self, write):
        page = pypdf.PdfReader(write("pdf")).pages[0]
        for font in page["/Resources"]["/Font"].values():
            descriptor = font.get_object().get("/FontDescriptor")
            assert descriptor is None or "/FontFile2" in descriptor

    def test_a_table_with_many_columns_lies_on_its_side_and_stays_on_the_page(self, write):
        path = write("pdf", Wide(), {})
        box = pypdf.PdfReader(path).pages[0].mediabox
        assert box.width > box.height
        text = " ".join(self.pages(path))
        assert text.count("−1.234.567,89") == 14

    @pytest.mark.parametrize(
        ("widths", "least", "room", "cut"),
        [
            ([50, 60, 300], [0, 0, 0], 200, [50, 60, 90]),  # 50 + 60 stay; 90 are left for the third
            ([50, 200, 300], [0, 0, 0], 200, [50, 75, 75]),  # 50 stays; the other two share 150
            ([100, 100], [0, 0], 120, [60, 60]),
            ([10, 20], [0, 0], 100, [10, 20]),  # nobody has to give anything
            ([50, 200, 300], [0, 110, 0], 200, [45, 110, 45]),  # 110 are needed; the others share 90
            ([100, 100], [80, 70], 120, [80, 70]),  # not even these fit
        ],
    )
    def test_the_widest_columns_give_first_and_none_below_its_longest_word(self, widths, least, room, cut):
        assert layout.levelled(widths, least, room) == pytest.approx(cut, abs=0.001)

    def test_no_date_identifier_or_word_is_cut_while_the_page_has_room(self, write):
        """Twelve columns of words, five of instants and a long text: more than a page is wide at 6 points,
        and instants and text can be had on more lines, words cannot."""
        words = {word for page in self.pages(write("pdf", Tokens(12), {})) for word in page.split()}
        assert {*Tokens.SAID, *Tokens.HEADED} <= words

    def test_a_longer_word_after_the_rows_looked_at_is_set_smaller_not_cut(self, write):
        rows = ["PB-10000001"] * (pdf.SAMPLE_ROWS + 1) + ["PB-1000000001"]  # 11 letters, then 13
        pages = self.pages(write("pdf", Tokens(12, rows), {}))
        assert "PB-1000000001" in pages[-1].split()

    def test_a_word_without_end_is_cut_and_keeps_no_column_wide(self, write):
        path = write("pdf", Tokens(12, ["w" * 40_000]), {})
        text = "".join("".join(page.split()) for page in self.pages(path))
        assert text.count("w") == 40_000

    def test_a_card_without_a_glyph_is_written_in_letters(self):
        assert layout.printable("falta 7♣, 10♦ → 9♠") == "falta 7c, 10d > 9s"

    def test_a_letter_without_a_glyph_and_a_word_without_end_do_no_harm(self, write):
        path = write("pdf", Money([1], titles=["a\n\x07b 漢字 " + "x" * 400]), {})
        assert len(self.pages(path)) >= 1


@pytest.mark.rule("REC-15")
@pytest.mark.parametrize("format", ["csv", "xlsx", "pdf"])
def test_the_same_request_gives_the_same_bytes(write, monkeypatch, format):
    first = write(format).read_bytes()
    monkeypatch.setattr("time.time", lambda: 2_000_000_000.0)
    assert write(format).read_bytes() == first


@pytest.mark.parametrize("format", ["csv", "xlsx", "pdf"])
def test_progress_counts_each_row_once(write, format):
    write(format, params={"day": DAY, "rows": 700})
    assert write.rows == 700


@pytest.mark.parametrize(("kind", "cell"), [("money", 1.5), ("int", "7"), ("percent", True)])
@pytest.mark.parametrize("format", ["csv", "xlsx", "pdf"])
def test_a_figure_that_is_not_whole_is_a_fault_of_the_report(write, format, kind, cell):
    with pytest.raises(TypeError, match="integer"):
        write(format, Money([cell], kind=kind), {})


def test_a_format_takes_as_many_rows_as_it_can_hold():
    formats.refuse_too_long("pdf", formats.LIMITS["pdf"])
    formats.refuse_too_long("csv", 10**9)
    formats.refuse_too_long("pdf", None)
    with pytest.raises(Refused) as caught:
        formats.refuse_too_long("pdf", formats.LIMITS["pdf"] + 1)
    assert (caught.value.code, caught.value.field) == ("report_too_long", "format")


class TestTheRegister:
    @pytest.fixture(autouse=True)
    def own_register(self, monkeypatch):
        monkeypatch.setattr(registry, "_reports", {})

    def test_a_report_is_known_by_its_identifier(self):
        registry.register(Sample)
        registry.register(Sample)
        registry.register(Broken)
        assert isinstance(registry.get("audits.sample"), Sample)
        assert list(registry.registered()) == ["audits.broken", "audits.sample"]
        with pytest.raises(NotFound):
            registry.get("audits.nothing")

    @pytest.mark.parametrize(
        "wrong", [{"identifier": "Sample"}, {"identifier": "audits.sample"}, {"form": dict}, {"act": ""}]
    )
    def test_an_ill_made_report_is_refused(self, wrong):
        registry.register(Sample)
        with pytest.raises(ValueError, match=r"report|room|form|twice"):
            registry.register(type("Other", (Sample,), {"identifier": "audits.other"} | wrong))

    def test_a_kind_may_be_written_as_a_word(self):
        assert Column("a", Text("a", "a"), "money").kind is Kind.MONEY
        with pytest.raises(ValueError, match="float"):
            Column("a", Text("a", "a"), "float")


class Money(Report):
    """One column of amounts under one or several titles."""

    identifier = "audits.money"
    title = Text("Importes", "Amounts")
    act = "audits.trail.read"

    def __init__(self, cells, titles=("Importes",), kind="money"):
        self.cells, self.titles, self.kind = cells, titles, kind

    def sections(self, casino, params):
        column = [Column("amount", Text("Importe", "Amount"), self.kind)]
        rows = [{"amount": cell} for cell in self.cells]
        return [Section(str(i), Text(t, t), column, lambda: rows) for i, t in enumerate(self.titles)]


class Wide(Report):
    identifier = "audits.wide"
    title = Text("Ancho", "Wide")
    act = "audits.trail.read"

    def columns(self, params):
        return [Column(f"c{i}", Text(f"Columna {i}", f"Column {i}"), "money") for i in range(14)]

    def rows(self, casino, params):
        yield {f"c{i}": -123_456_789 for i in range(14)}


class Tokens(Report):
    """Columns of identifiers, dates and words, five of instants, one of the words given, a long text."""

    identifier = "audits.tokens"
    title = Text("Fichas", "Tokens")
    act = "audits.trail.read"
    SAID = ("2026-11-20", "homologación", "AJ-2026-0001", "PB-01", "S-000001", "liquidado")
    HEADED = ("Día", "Homologación", "Trámite", "Mesa", "Sesión", "Estado")

    def __init__(self, many, rows=("PB-01",)):
        self.many, self.said = many, rows

    def columns(self, params):
        heads = [self.HEADED[i % 6] for i in range(self.many)]
        return [
            *(Column(f"c{i}", Text(head, head)) for i, head in enumerate(heads)),
            *(Column(f"at{i}", Text("Hora", "Time"), Kind.INSTANT) for i in range(5)),
            Column("word", Text("Voz", "Word")),
            Column("long", Text("Texto", "Text")),
        ]

    def rows(self, casino, params):
        row = {f"c{i}": self.SAID[i % 6] for i in range(self.many)}
        row |= {f"at{i}": dt.datetime(2026, 11, 20, 22, 30, 5, tzinfo=dt.UTC) for i in range(5)}
        for said in self.said:
            yield {**row, "word": said, "long": "la mesa sigue abierta " * 3}
