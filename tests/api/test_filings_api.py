"""Filings over the API: drafted, presented, decided by another person, withdrawn; and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel import clock
from casino.kernel.permissions import Role
from jackpots import pools
from tests.api.pooling import Asking
from tests.builders import NIGHT, House, a_house


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.fixture
def asking(house: House) -> Asking:
    return Asking(house, NIGHT)


@pytest.fixture
def about(house: House) -> dict[str, Any]:
    with clock.standing_at(NIGHT):
        pool = pools.create_pool(name="Pozo", by=house.by(Role.PIT_BOSS, NIGHT, "x"))
    return {
        "kind": "pool_equipment", "subject_type": "pool", "subject_id": pool.pk, "text": "Equipo del pozo",
    }  # fmt: skip


@pytest.mark.rule("PP-04", "GEN-10")
def test_a_filing_from_draft_to_approval(asking: Asking, about: dict[str, Any]) -> None:
    drafted = asking.made("filings", about)
    assert (drafted["state"], drafted["rule"], drafted["approval"], drafted["text"]) == (
        "draft", "PP-04", True, "Equipo del pozo",
    )  # fmt: skip
    assert (drafted["subject"]["type"], drafted["subject"]["label"]) == ("pool", "Pozo")
    assert drafted["kind_name"] == "homologation of the equipment"
    at = f"filings/{drafted['id']}"
    early = asking.refused(f"{at}/decide", {"approved": True, "reference": "AJ/1"}, Role.COMPLIANCE)
    assert early[:2] == (409, "filing_state")
    assert asking.made(f"{at}/present", who=Role.COMPLIANCE)["state"] == "presented"
    assert asking.refused(f"{at}/present", who=Role.COMPLIANCE)[:2] == (409, "filing_state")
    bare = asking.refused(f"{at}/decide", {"approved": True}, Role.COMPLIANCE)
    assert bare == (422, "reference_missing", "", "reference")
    ends = {"approved": True, "reference": "AJ/1", "valid_from": "2026-11-20", "valid_until": "2026-11-19"}
    assert asking.refused(f"{at}/decide", ends, Role.COMPLIANCE)[1:] == (
        "bad_validity", "REC-09", "valid_until",
    )  # fmt: skip
    ends["valid_until"] = "2027-11-19"
    decided = asking.made(f"{at}/decide", ends, Role.COMPLIANCE)
    assert (decided["state"], decided["reference"], decided["valid_until"]) == (
        "approved", "AJ/1", "2027-11-19",
    )  # fmt: skip
    assert asking.refused(f"{at}/withdraw", {"reason": "x"})[:2] == (409, "filing_state")
    listed = asking.get("filings", kind="pool_equipment", state="approved")["results"]
    assert [one["id"] for one in listed] == [drafted["id"]]


@pytest.mark.rule("GEN-10")
def test_its_author_does_not_note_the_answer(asking: Asking, about: dict[str, Any]) -> None:
    drafted = asking.made("filings", about, Role.ADMINISTRATOR)
    at = f"filings/{drafted['id']}"
    asking.made(f"{at}/present", who=Role.COMPLIANCE)
    own = asking.refused(f"{at}/decide", {"approved": True, "reference": "AJ/1"}, Role.ADMINISTRATOR)
    assert own[:3] == (422, "same_person", "GEN-10")
    refused = asking.made(f"{at}/decide", {"approved": False}, Role.COMPLIANCE)
    assert (refused["state"], refused["valid_from"]) == ("refused", None)


def test_a_filing_is_withdrawn_with_a_reason(asking: Asking, about: dict[str, Any]) -> None:
    at = f"filings/{asking.made('filings', about)['id']}"
    assert asking.refused(f"{at}/withdraw")[1] == "reason_missing"
    assert asking.made(f"{at}/withdraw", {"reason": "otra fecha"})["state"] == "withdrawn"


def test_what_is_not_understood(asking: Asking, about: dict[str, Any]) -> None:
    assert asking.refused("filings", {**about, "kind": "poem"})[1:] == ("unknown_filing", "", "kind")
    nothing = asking.refused("filings", {**about, "subject_id": 999_999})
    assert nothing[1:] == ("unknown_subject", "", "subject_id")
    strange = asking.refused("filings", {**about, "subject_type": "shoe"})
    assert strange[1:] == ("unknown_subject", "", "subject_type")
    assert asking.refused("filings", {**about, "text": " "})[0] == 400
    assert asking.refused("filings", {**about, "texto": "x"})[0] == 400
    assert asking.refused("filings", {**about, "subject_id": 10**30})[0] == 400


def test_who_may_and_another_casino(asking: Asking, about: dict[str, Any]) -> None:
    drafted = asking.made("filings", about)
    at = f"filings/{drafted['id']}"
    for who in (Role.CROUPIER, Role.SUPERVISOR, Role.CAGE, Role.INSPECTOR, Role.DEVICE):
        assert asking.refused("filings", about, who)[:2] == (403, "not_allowed")
    assert asking.refused(f"{at}/present")[0] == 403  # compliance alone
    assert asking.looked("filings", Role.INSPECTOR).status_code == 200
    assert asking.looked("filings", Role.CAGE).status_code == 403
    theirs = Asking(a_house("vecino"), NIGHT)
    assert theirs.looked(at).status_code == 404
    assert theirs.refused(f"{at}/present", who=Role.COMPLIANCE)[0] == 404
    assert theirs.get("filings")["count"] == 0
