"""A pool's life over the API: stopped and started, filings asked for again, balances moved and corrected."""

from __future__ import annotations

from typing import Any

import pytest

from casino.kernel.permissions import Role
from tests.api.pooling import TERMS, PoolDesk, a_desk
from tests.builders import House, a_house
from tests.jackpots.builders import NOTHING, a_pool

NOBODY = "Qc Td 8s 6s 3d"


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.fixture
def desk(house: House) -> PoolDesk:
    return a_desk(a_pool(house))


@pytest.mark.rule("PP-29", "PP-32")
def test_it_is_stopped_by_two_and_its_balance_moves_under_a_filing(desk: PoolDesk, house: House) -> None:
    desk.buys(2)
    assert desk.refused(f"{desk.pool}/stop", {"reason": "x"})[0] == 400
    alone = desk.refused(f"{desk.pool}/stop", desk.second(Role.PIT_BOSS))
    assert (alone[1], alone[3]) == ("same_person", "second")
    stopped = desk.made(f"{desk.pool}/stop", desk.second(reason="se cortó la luz"), Role.SUPERVISOR)
    assert (stopped["state"], stopped["incident"] is not None) == ("stopped", True)
    bet = desk.refused(f"{desk.session()}/progressive-bets", {"seat": 2, "credits": 1})
    assert bet[:3] == (409, "pool_not_running", "PP-32")
    assert desk.refused(f"{desk.pool}/start", desk.second())[1] == "incident_open"
    draft = desk.made("pools", {"name": "Otro", "reason": "x"})
    moving = {**desk.second(), "to": draft["id"], "fund": "main", "amount": "1.00"}
    assert desk.refused(f"{desk.pool}/transfer", moving)[:2] == (409, "pool_state")
    same = desk.refused(f"{desk.pool}/transfer", {**moving, "to": desk.night.pool.pk})
    assert (same[1], same[3]) == ("same_pool", "to")
    moving["to"] = a_pool(house, name="Tercero").pool.pk
    assert desk.refused(f"{desk.pool}/transfer", moving)[:2] == (422, "bad_amount")
    assert desk.refused(f"{desk.pool}/retire", {**desk.second(), "to": moving["to"]})[1] == "not_approved"
    assert desk.refused(f"{desk.pool}/transfer", {**moving, "amount": 1})[0] == 400


def approves(desk: PoolDesk, plan: dict[str, Any]) -> int:
    """A plan drafted, handed in and approved."""
    filing: int = desk.made(f"{desk.pool}/plans", plan)["id"]
    desk.made(f"filings/{filing}/present", who=Role.COMPLIANCE)
    desk.made(f"filings/{filing}/decide", {"approved": True, "reference": "AJ/9"}, Role.ADMINISTRATOR)
    return filing


@pytest.mark.rule("PP-04", "PP-29", "PP-32")
def test_a_revoked_approval_a_correction_and_the_last_pool(desk: PoolDesk) -> None:
    """The house puts 2.00 in for a failure; then all of it goes where the plan says."""
    equipment = desk.get("filings", kind="pool_equipment")["results"][0]["id"]
    assert desk.refused(f"filings/{equipment}/revoke", {"reason": "x"}, Role.COMPLIANCE)[0] == 400
    gone = {"document": "RA 9/2026", "reason": "falla del equipo"}
    told = desk.made(f"filings/{equipment}/revoke", gone, Role.COMPLIANCE)
    assert (told["state"], told["document"], told["ended_by"]) == (
        "revoked", "RA 9/2026", "Persona compliance",
    )  # fmt: skip
    assert desk.get(desk.pool)["state"] == "suspended"
    assert desk.refused(f"{desk.pool}/start", desk.second())[:3] == (422, "not_approved", "PP-04")
    again = {"kind": "pool_equipment", "subject_type": "pool", "subject_id": desk.night.pool.pk, "text": "e"}
    filing = desk.made("filings", again)["id"]
    desk.made(f"filings/{filing}/present", who=Role.COMPLIANCE)
    desk.made(f"filings/{filing}/decide", {"approved": True, "reference": "AJ/8"}, Role.ADMINISTRATOR)
    desk.made(f"{desk.pool}/start", desk.second())
    stopped = desk.made(f"{desk.pool}/stop", desk.second(reason="se cortó la luz"))
    about = {**desk.second(), "fund": "main", "amount": "2.00", "incident": stopped["incident_id"]}
    assert desk.refused(f"{desk.pool}/correct", {**about, "amount": "-0.01"})[:2] == (409, "not_enough")
    assert desk.made(f"{desk.pool}/correct", about)["levels"][0]["players"] == "2.00"
    bare = desk.refused(f"{desk.pool}/plans", {})
    assert (bare[1], bare[3]) == ("destination_missing", "destination")
    where = {"destination": "Cuenta que indica la AJ"}
    approves(desk, where)
    missing = desk.refused(f"{desk.pool}/retire", desk.second())
    assert (missing[1], missing[3]) == ("destination_missing", "destination")
    other = desk.refused(f"{desk.pool}/retire", {**desk.second(), "destination": "Otra cuenta"})
    assert other[:3] == (422, "filing_differs", "PP-32")
    retired = desk.made(f"{desk.pool}/retire", {**desk.second(), **where})
    assert (retired["state"], retired["retired_to_id"]) == ("retired", None)


def test_a_pool_that_never_ran_is_given_up(desk: PoolDesk) -> None:
    pool = desk.made("pools", {"name": "Nunca", "reason": "x"})["id"]
    assert desk.refused(f"pools/{pool}/abandon")[1] == "reason_missing"
    assert desk.made(f"pools/{pool}/abandon", {"reason": "no se hará"})["state"] == "retired"
    assert desk.refused(f"{desk.pool}/abandon", {"reason": "x"})[:2] == (409, "pool_state")


@pytest.mark.rule("PP-29", "PP-32")
def test_a_balance_is_transferred_and_a_pool_retired(desk: PoolDesk, house: House) -> None:
    """3.60 of players' money: 1.00 goes first, 2.60 and the reserve's 0.90 when it retires; the base to the
    house."""
    to = a_pool(house, name="Otro pozo").pool.pk
    desk.buys(2, 1)
    desk.bets(2)
    desk.logs({2: NOTHING, 4: NOBODY})
    moving = {**desk.second(), "to": to, "fund": "main", "amount": "1.00"}
    assert desk.refused(f"{desk.pool}/transfer", moving)[:3] == (409, "pool_state", "PP-32")
    desk.made(f"{desk.pool}/suspend", desk.second())
    approves(desk, {"to": to, "fund": "main", "amount": "1.00"})
    for fund, amount in (("main", "3.61"), ("main", "0.00")):
        wrong = desk.refused(f"{desk.pool}/transfer", {**moving, "fund": fund, "amount": amount})
        assert (wrong[1], wrong[3]) == ("bad_amount", "amount")
    assert desk.refused(f"{desk.pool}/transfer", {**moving, "fund": "x"})[1:] == ("no_fund", "", "fund")
    less = desk.refused(f"{desk.pool}/transfer", {**moving, "amount": "0.99"})
    assert less[:3] == (422, "filing_differs", "PP-32")
    assert desk.made(f"{desk.pool}/transfer", moving)["levels"][0]["shown"] == "1002.60"
    assert desk.refused(f"{desk.pool}/transfer", moving)[1] == "not_approved"
    approves(desk, {"to": to})
    retired = desk.made(f"{desk.pool}/retire", {**desk.second(), "to": to})
    assert (retired["state"], retired["retired_to_id"], retired["levels"][0]["shown"]) == (
        "retired", to, "0.00",
    )  # fmt: skip
    assert desk.get(f"pools/{to}")["levels"][0]["players"] == "4.50"
    moves = desk.get(f"{desk.pool}/moves", kind="transfer")["results"]
    assert sorted((one["fund"], one["players"], one["base"]) for one in moves) == [
        ("main", "-1.00", "0.00"), ("main", "-2.60", "0.00"), ("main", "0.00", "-1000.00"),
        ("reserve", "-0.90", "0.00"),
    ]  # fmt: skip
    assert desk.public().status_code == 404


@pytest.mark.rule("PP-23", "PP-30")
def test_parameters_the_aj_refused_are_asked_for_again(desk: PoolDesk) -> None:
    """Refused, asked for again with what the version says, approved: the version begins."""
    changed = desk.made(f"{desk.pool}/versions", {"params": {**TERMS, "commission_bp": 2000}, "reason": "x"})
    version = f"pool-versions/{changed['id']}"
    for who in (Role.PIT_BOSS, Role.COMPLIANCE):
        desk.made(f"{version}/approve", who=who)
    first = changed["filings"][0]["id"]
    waits = desk.refused(f"{version}/ask", {"reason": "otra vez"})
    assert waits[:3] == (409, "filing_waits", "PP-23")
    desk.made(f"filings/{first}/present", who=Role.COMPLIANCE)
    desk.made(f"filings/{first}/decide", {"approved": False}, Role.ADMINISTRATOR)
    about = {"subject_type": "pool_version", "subject_id": changed["id"]}
    bare = desk.refused("filings", {**about, "kind": "pool_scheme", "text": "se pide"})
    assert bare[:3] == (422, "facts_missing", "PP-23")
    assert desk.refused(f"{version}/ask")[1] == "reason_missing"
    assert desk.refused(f"{version}/ask", {"reason": "x"}, Role.CAGE)[0] == 403
    again = desk.made(f"{version}/ask", {"reason": "se aclaró"})
    assert (again["state"], again["facts"]["digest"]) == ("draft", changed["digest"])
    desk.made(f"filings/{again['id']}/present", who=Role.COMPLIANCE)
    desk.made(f"filings/{again['id']}/decide", {"approved": True, "reference": "AJ/2"}, Role.ADMINISTRATOR)
    desk.made(f"{desk.pool}/suspend", desk.second())
    assert desk.made(f"{desk.pool}/start", desk.second())["in_force"]["id"] == changed["id"]
    old = desk.refused(f"pool-versions/{desk.night.pool.version_id}/ask", {"reason": "x"})
    assert old[:3] == (409, "version_state", "PP-30")
