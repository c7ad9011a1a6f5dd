"""What a file is by its own bytes: neither a name nor a promise makes a program a document."""

from __future__ import annotations

import io
import zipfile

import pytest

from audits import sniffing

PDF = b"%PDF-1.7\n1 0 obj"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF"
MP4 = b"\x00\x00\x00\x18ftypisom"


def archive(*names: str) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as made:
        for name in names:
            made.writestr(name, "x")
    return kept.getvalue()


XLSX = archive("[Content_Types].xml", "xl/workbook.xml")
DOCX = archive("[Content_Types].xml", "word/document.xml")


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (PDF, sniffing.PDF), (PNG, sniffing.PNG), (JPEG, sniffing.JPEG), (MP4, sniffing.MP4),
        (XLSX, sniffing.XLSX), (DOCX, sniffing.DOCX), ("Señor: ñandú\r\n\tx".encode(), sniffing.TEXT),
        (b"a,b\n1,2\n", sniffing.TEXT),
    ],
)  # fmt: skip
def test_what_is_kept(content: bytes, found: sniffing.Found) -> None:
    assert sniffing.what(content) is found
    assert not sniffing.runs(content)


@pytest.mark.parametrize(
    "content",
    [
        b"MZ\x90\x00", b"\x7fELF\x02", b"#!/bin/sh\n", b"\xef\xbb\xbf#!/bin/sh", b"\xca\xfe\xba\xbe",
        b"\xcf\xfa\xed\xfe", b"\xd0\xcf\x11\xe0\xa1\xb1", b"<!DOCTYPE html>", b"  \n<HTML>",
        b"<svg onload=x>", b"<?xml version='1.0'?><svg/>", b"<script>x</script>",
    ],
)  # fmt: skip
def test_what_runs(content: bytes) -> None:
    assert sniffing.runs(content)
    assert sniffing.what(content) is None


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\x00\x01\x02", "año".encode("latin-1"), b"texto\x00oculto", b"PK\x03\x04roto",
        archive("a.txt"),
        archive("[Content_Types].xml", "xl/workbook.xml", "xl/vbaProject.bin"),
        archive("[Content_Types].xml", "word/document.xml", "word/run.exe"),
    ],
)  # fmt: skip
def test_what_is_of_no_kind(content: bytes) -> None:
    assert sniffing.what(content) is None


def test_a_list_of_names_beyond_measure_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["[Content_Types].xml", "xl/workbook.xml", "xl/styles.xml"]
    monkeypatch.setattr(sniffing, "ZIP_ENTRIES_MOST", 3)
    assert sniffing.what(archive(*names)) is sniffing.XLSX
    crowded = archive(*names, "xl/more.xml")
    monkeypatch.setattr(zipfile, "ZipFile", None)  # whoever unpacks it fails
    assert sniffing.what(crowded) is None
