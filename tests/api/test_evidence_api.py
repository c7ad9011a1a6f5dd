"""Files, deadlines, demands, held video and terms of complaints over the API; and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audits import attachments, filing_kinds, filings, incidents
from audits.models import Attachment, Incident
from casino.kernel import clock
from casino.kernel.permissions import Role
from tests.api.pooling import Asking
from tests.audits.test_sniffing import PDF
from tests.builders import NIGHT, House, a_house

HOUSE_KIND = filing_kinds.REQUEST


@pytest.fixture
def house(db: None, tmp_path: Path, settings: Any) -> House:
    settings.FILES_ROOT = tmp_path
    return a_house()


@pytest.fixture
def asking(house: House) -> Asking:
    return Asking(house, NIGHT)


def a_filing(asking: Asking) -> str:
    about = {"kind": HOUSE_KIND, "subject_type": "casino", "subject_id": asking.house.casino.pk, "text": "x"}
    return f"filings/{asking.made('filings', about)['id']}"


def attached(house: House, path: str) -> Attachment:
    filing = filings.Filing.objects.get(pk=path.rpartition("/")[2])
    return attachments.attach_to_filing(
        filing=filing, name="nota.pdf", content=PDF, by=house.by(Role.COMPLIANCE, clock.now())
    )


@pytest.mark.rule("REC-09")
def test_the_receipt_and_the_deadline(asking: Asking) -> None:
    at = a_filing(asking)
    there = asking.made(f"{at}/present", {"receipt": "HR 9", "answer_by": "2026-12-24"}, Role.COMPLIANCE)
    assert (there["receipt"], there["due_on"], there["due_for"]) == (
        "HR 9",
        "2026-12-24",
        "respuesta de la AJ",
    )
    due = {"due_on": "2026-11-30", "due_for": "responder la observación"}
    assert asking.made(f"{at}/due", due)["due_for"] == "responder la observación"
    assert asking.refused(f"{at}/due", {"due_on": "2026-11-01", "due_for": "x"}) == (
        422, "bad_due", "REC-09", "due_on",
    )  # fmt: skip
    assert asking.refused(f"{at}/due", {"due_on": "2026-11-30"})[1:] == (
        "due_for_missing",
        "REC-09",
        "due_for",
    )
    assert asking.refused(f"{at}/due", {"due_on": "ayer"})[0] == 400
    assert asking.refused(f"{at}/due", due, Role.INSPECTOR)[0] == 403
    assert asking.made(f"{at}/due", {"due_on": None})["due_on"] is None


@pytest.mark.rule("REC-09", "REC-11")
def test_a_file_is_listed_and_handed_out_to_who_may_see_it(house: House, asking: Asking) -> None:
    at = a_filing(asking)
    row = attached(house, at)
    (told,) = asking.get(at)["attachments"]
    assert (told["name"], told["sha256"], told["size_bytes"]) == ("nota.pdf", row.sha256, len(PDF))
    got = asking.looked(f"{at}/files/{row.pk}", Role.INSPECTOR)
    assert b"".join(got.streaming_content) == PDF and got["X-SHA256"] == row.sha256
    assert asking.looked(f"{at}/files/{row.pk}", Role.CAGE).status_code == 403
    assert asking.looked(f"{a_filing(asking)}/files/{row.pk}").status_code == 404
    assert Asking(a_house("vecino"), NIGHT).looked(f"{at}/files/{row.pk}").status_code == 404
    attachments.path_of(row.sha256).write_bytes(b"otra")
    changed = asking.looked(f"{at}/files/{row.pk}")
    assert (changed.status_code, changed.json()["code"]) == (409, "attachment_changed")


@pytest.mark.rule("GEN-05", "GEN-10")
def test_a_betting_plan_from_its_figures_to_the_rules_it_allows(asking: Asking) -> None:
    demanded = {"kind": "betting_plan", "demanded": True, "reason": "así lo pide"}
    assert asking.made("filing-demands", demanded, Role.ADMINISTRATOR) == {"demanded": True}
    assert asking.refused("filing-demands", demanded, Role.PIT_BOSS)[0] == 403
    assert asking.get("filing-demands")["results"][0]["kind"] == "betting_plan"
    rules = {
        "game": "baccarat.mini", "params": {"tie_pays": "9:1"}, "betting_plan": "PA-9", "confirmed_by": "Ana",
        "confirmation": "visto", "reason": "x",
    }  # fmt: skip
    assert asking.refused("rules", rules, Role.ADMINISTRATOR)[:3] == (422, "not_approved", "GEN-05")
    asked = {"kind": "betting_plan", "game": "baccarat.mini", "params": rules["params"]}
    drafted = asking.made("rules/filings", asked, Role.ADMINISTRATOR)
    assert drafted["facts"]["says"]["tie_pays"] == "9:1"
    at = f"filings/{drafted['id']}"
    asking.made(f"{at}/present", who=Role.COMPLIANCE)
    answer = {"approved": True, "reference": "RA/9"}
    assert asking.refused(f"{at}/decide", answer, Role.ADMINISTRATOR)[:3] == (422, "same_person", "GEN-10")
    asking.made(f"{at}/decide", answer, Role.COMPLIANCE)
    assert asking.made("rules", rules, Role.ADMINISTRATOR)["version"] == 1
    assert asking.refused("rules/filings", {**asked, "game": "oca"}, Role.ADMINISTRATOR)[0] == 404
    assert asking.refused("rules/filings", {**asked, "kind": "poem"}, Role.ADMINISTRATOR)[0] == 400


@pytest.mark.rule("REC-09")
def test_the_homologation_of_a_makers_cards(asking: Asking) -> None:
    drafted = asking.made("decks/homologation", {"maker": "Naipes Ñ"})
    assert drafted["facts"] == {"maker": "Naipes Ñ", "deck_type": "french52"}
    odd = asking.refused("decks/homologation", {"maker": "Naipes", "deck_type": "uno"})
    assert odd[1:] == ("unknown_deck_type", "", "deck_type")


@pytest.mark.rule("GEN-08")
def test_video_is_held_and_terms_are_set(house: House, asking: Asking) -> None:
    about = {"kind": incidents.DISPUTE, "summary": "pagaron mal"}
    found = asking.made("incidents", about, Role.SUPERVISOR)
    at = f"incidents/{found['id']}"
    held = {
        "cameras": "cenital", "kept_where": "disco 3", "first": "2026-11-20T17:45:00-04:00",
        "last": "2026-11-20T18:00:00-04:00",
    }  # fmt: skip
    assert asking.made(f"{at}/video", held, Role.SUPERVISOR)["kept_where"] == "disco 3"
    assert asking.get(at)["video_holds"][0]["cameras"] == "cenital"
    late = {**held, "last": "2026-11-24T18:00:00-04:00"}
    assert asking.refused(f"{at}/video", late, Role.SUPERVISOR)[1:] == ("bad_span", "", "last")
    assert asking.refused(f"{at}/video", held, Role.INSPECTOR)[0] == 403
    terms = {
        "file_days": 15, "answer_days": 10, "appeal_days": 20, "video_days": 30, "holidays": ["2026-12-25"],
        "reason": "según el asesor",
    }  # fmt: skip
    assert asking.made("complaint-terms", terms, Role.COMPLIANCE)["holidays"] == ["2026-12-25"]
    assert asking.refused("complaint-terms", {**terms, "answer_days": 0}, Role.COMPLIANCE)[0] == 400
    assert asking.refused("complaint-terms", terms)[0] == 403
    assert asking.get("complaint-terms")["count"] == 1
    assert Incident.objects.count() == 1 and house.casino.pk
