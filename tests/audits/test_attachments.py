"""Files kept with filings and incidents: taken in checked, handed out checked; and the attacks."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from audits import attachments, filing_kinds, filings, incidents
from audits.evidence_proofs import evidence_faults
from audits.models import Attachment, Event, Filing
from casino.kernel.errors import Conflict, NotAllowed, NotFound, SabotError
from casino.kernel.permissions import Role
from tests.audits.conftest import House
from tests.audits.incident_people import People, refusal_of, report, settle, trail_of
from tests.audits.test_sniffing import PDF, PNG


@pytest.fixture
def folder(files: Path) -> Path:
    return files.parent / "attachments"


@pytest.fixture
def filing(house: House) -> Filing:
    return filings.draft_filing(
        kind=filing_kinds.NOTICE, subject=filing_kinds.about_house(house.casino), text="x", by=house.by()
    )


def attach(
    house: House, filing: Filing, name: str = "nota.pdf", content: bytes = PDF, **about: Any
) -> Attachment:
    return attachments.attach_to_filing(filing=filing, name=name, content=content, by=house.by(), **about)


@pytest.mark.rule("REC-09")
def test_a_file_is_kept_told_and_handed_out(house: House, filing: Filing, folder: Path) -> None:
    row = attach(house, filing, "Año «ñ» nota.PDF", note="hoja de ruta")
    digest = hashlib.sha256(PDF).hexdigest()
    assert (row.name, row.media_type, row.size_bytes, row.sha256) == (
        "Año «ñ» nota.PDF", "application/pdf", len(PDF), digest,
    )  # fmt: skip
    assert [path.name for path in folder.iterdir()] == [digest]
    event = Event.objects.get(action=attachments.ADDED)
    assert (event.stream.name, event.subject_label, event.rules) == (filing.stream, filing.label, ["REC-09"])
    with attachments.open_file(attachment=row, by=house.by()) as file:
        assert file.read() == PDF
    read = Event.objects.get(action="audits.attachment.read")
    assert (read.stream.name, read.subject_id) == ("attachments", filing.pk)
    assert list(evidence_faults(house.casino)) == []


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("nota.pdf", b"", "empty_file"),
        ("nota.pdf", b"MZ\x90", "file_runs"),
        ("nota.pdf", b"<script>alert(1)</script>", "file_runs"),
        ("nota.pdf", b"\x00\x01", "unknown_file"),
        ("nota.pdf", PNG, "wrong_extension"),
        ("nota.pdf.exe", PDF, "wrong_extension"),
        ("pdf", PDF, "wrong_extension"),
        ("", PDF, "bad_name"),
        ("no\u202efdp.pdf", PDF, "bad_name"),
        ("a" * 117 + ".pdf", PDF, "bad_name"),
    ],
)
def test_what_is_refused_leaves_nothing(
    house: House, filing: Filing, folder: Path, name: str, content: bytes, code: str
) -> None:
    refusal = refusal_of(lambda: attach(house, filing, name, content))
    assert (refusal.code, refusal.field) == (code, "file")
    assert not Attachment.objects.exists()
    assert not folder.exists() or not list(folder.iterdir())


def test_both_sides_of_the_greatest_size(
    house: House, filing: Filing, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attachments, "MOST_BYTES", len(PDF))
    assert attach(house, filing).size_bytes == len(PDF)
    assert refusal_of(lambda: attach(house, filing, "otra.pdf", PDF + b"x")).code == "file_too_big"


def test_a_name_with_a_path_is_the_file_alone(house: House, filing: Filing, folder: Path) -> None:
    assert attach(house, filing, "..\\..\\etc/nota.pdf").name == "nota.pdf"


def test_the_same_file_once_and_not_without_end(
    house: House, filing: Filing, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attach(house, filing)
    assert refusal_of(lambda: attach(house, filing, "otro.pdf")).code == "attached_already"
    monkeypatch.setattr(attachments, "MOST_OF_ONE", 1)
    assert refusal_of(lambda: attach(house, filing, "b.png", PNG)).code == "too_many_files"


@pytest.mark.rule("REC-06")
@pytest.mark.parametrize("harm", ["changed", "gone", "link"])
def test_a_file_that_is_not_what_was_attached_is_not_handed_out(
    house: House, filing: Filing, folder: Path, tmp_path: Path, harm: str
) -> None:
    row = attach(house, filing)
    kept = folder / row.sha256
    if harm == "changed":
        kept.write_bytes(PDF[:-1] + b"X")
    else:
        kept.unlink()
    if harm == "link":
        (tmp_path / "same").write_bytes(PDF)
        kept.symlink_to(tmp_path / "same")
    with pytest.raises(Conflict) as caught:
        attachments.open_file(attachment=row, by=house.by())
    assert (caught.value.code, caught.value.rule) == ("attachment_changed", "REC-06")
    assert Event.objects.filter(action="audits.attachment.refused", subject_id=filing.pk).count() == 1
    # Attached anew elsewhere, the same bytes are whole again.
    attachments.attach_to_filing(
        filing=filings.draft_filing(
            kind=filing_kinds.NOTICE, subject=filing_kinds.about_house(house.casino), text="y", by=house.by()
        ),
        name="nota.pdf", content=PDF, by=house.by(),
    )  # fmt: skip
    attachments.open_file(attachment=row, by=house.by()).close()


@pytest.mark.rule("REC-06")
def test_a_row_changed_past_the_guards_is_found_and_not_handed_out(
    house: House, filing: Filing, folder: Path, past_the_guards: Any
) -> None:
    row = attach(house, filing)
    with pytest.raises(IntegrityError), transaction.atomic():
        Attachment.objects.filter(pk=row.pk).update(name="otro.pdf")
    with pytest.raises(IntegrityError), transaction.atomic():
        row.delete()
    (folder / ("0" * 64)).write_bytes(PDF)
    with past_the_guards():
        Attachment.objects.filter(pk=row.pk).update(sha256="0" * 64)
    assert [(fault.code, fault.where) for fault in evidence_faults(house.casino)] == [
        ("trail_differs", f"attachment:{row.pk}")
    ]
    row.refresh_from_db()
    with pytest.raises(Conflict, match="ya no es"):
        attachments.open_file(attachment=row, by=house.by())
    with past_the_guards():
        Attachment.objects.filter(pk=row.pk).delete()
    assert "row" in next(iter(evidence_faults(house.casino))).words.es


def test_another_house_and_who_may_not(house: House, filing: Filing, folder: Path, founder: Any) -> None:
    row = attach(house, filing)
    other = founder("vecino")
    with pytest.raises(NotFound):
        attachments.open_file(attachment=row, by=other.by())
    with pytest.raises(SabotError):
        attach(other, filing)
    croupier = house.by(house.person("mesa", Role.CROUPIER))
    with pytest.raises(NotAllowed):
        attachments.open_file(attachment=row, by=croupier)
    with pytest.raises(NotAllowed):
        attachments.attach_to_filing(filing=filing, name="a.pdf", content=PDF, by=croupier)
    inspector = house.by(house.person("aj", Role.INSPECTOR))
    attachments.open_file(attachment=row, by=inspector).close()
    with pytest.raises(NotAllowed):
        attachments.attach_to_filing(filing=filing, name="b.png", content=PNG, by=inspector)


@pytest.mark.rule("REC-07")
def test_evidence_of_an_incident_also_after_it_was_settled(people: People, folder: Path) -> None:
    incident = settle(people, report(people), rule_applied="GEN-08")
    by = people.by(people.chief, incident.resolved_at)  # type: ignore[arg-type]
    row = attachments.attach_to_incident(
        incident=incident, name="foto.png", content=PNG, note="asiento 3", by=by
    )
    assert (row.incident_id, row.filing_id) == (incident.pk, None)
    with attachments.open_file(attachment=row, by=by) as file:
        assert file.read() == PNG
    before = people.by(people.chief, incident.opened_at.replace(year=2025))
    early = refusal_of(
        lambda: attachments.attach_to_incident(incident=incident, name="b.pdf", content=PDF, by=before)
    )
    assert early.code == "occurred_out_of_order"
    assert trail_of(people) == []
    assert incidents.kinds()
