"""Pools over the API: set up, started, their meters at the table, the public meter; what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from audits.models import Event
from casino.kernel import clock
from casino.kernel.permissions import Role
from jackpots import pools
from jackpots.models import Bet, Pool
from tests.api.pooling import TERMS, Asking, PoolDesk, a_desk, in_text, key, seat
from tests.builders import NIGHT, House, a_house
from tests.games.house_poker import building as hp
from tests.jackpots.builders import NOTHING, ROYAL, a_pool, opened_table

NOBODY = "Qc Td 8s 6s 3d"


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.fixture
def desk(house: House) -> PoolDesk:
    return a_desk(a_pool(house))


def other_casino() -> tuple[House, Pool]:
    other = a_house("vecino")
    with clock.standing_at(NIGHT):
        pool = pools.create_pool(name="Pozo ajeno", by=other.by(Role.PIT_BOSS, NIGHT, "x"))
    return other, pool


# ---- set up ----------------------------------------------------------------------------------------


@pytest.mark.rule("PP-19", "PP-22", "PP-23", "PP-30")
def test_a_pool_is_set_up_approved_and_started(house: House) -> None:
    session = opened_table(house)
    asking = Asking(house, NIGHT)
    assert asking.refused("pools", {"name": "Pozo"})[1:] == ("reason_missing", "", "reason")
    pool = asking.made("pools", {"name": "Pozo", "reason": "apertura"})
    assert (pool["state"], pool["form"], pool["levels"], pool["in_force"]) == ("draft", "credits", [], None)
    assert asking.refused("pools", {"name": " pozo ".strip().title(), "reason": "x"})[1] == "pool_exists"
    at = f"pools/{pool['id']}"
    assert asking.refused(f"{at}/start", asking.second())[:3] == (422, "not_approved", "PP-04")
    drafted = asking.made(f"{at}/versions", {"params": TERMS, "reason": "plan"})
    assert drafted["params"]["levels"] == [{"code": "main", "share_bp": 8000, "base": "1000.00", "cap": None}]
    assert drafted["params"]["prizes"][0] == {
        "hand": "royal_flush", "kind": "percent", "value": 10_000, "level": "main",
    }  # fmt: skip
    assert [one["kind"] for one in drafted["filings"]] == ["pool_scheme"]
    version = f"pool-versions/{drafted['id']}"
    assert len(asking.made(f"{version}/approve", who=Role.PIT_BOSS)["approvals"]) == 1
    again = asking.refused(f"{version}/approve", who=Role.PIT_BOSS)
    assert again[:3] == (422, "same_person", "PP-30")
    approved = asking.made(f"{version}/approve", who=Role.CAGE)
    assert (approved["state"], {one["digest"] for one in approved["approvals"]}) == (
        "approved", {drafted["digest"]},
    )  # fmt: skip
    member = asking.made(f"{at}/members", {"table": session.table_id, "reason": "conectar"})
    assert (member["game"], member["until"]) == ("poker.caribbean", None)
    equipment = {"kind": "pool_equipment", "subject_type": "pool", "subject_id": pool["id"], "text": "equipo"}
    for filing in (drafted["filings"][0]["id"], asking.made("filings", equipment)["id"]):
        asking.made(f"filings/{filing}/present", who=Role.COMPLIANCE)
        asking.made(f"filings/{filing}/decide", {"approved": True, "reference": "AJ/1"}, Role.ADMINISTRATOR)
    wrong = asking.refused(f"{at}/start", {**asking.second(), "second_password": "otra"})
    assert (wrong[1], wrong[3]) == ("bad_credentials", "second")
    running = asking.made(f"{at}/start", asking.second())
    assert (running["state"], running["levels"][0]["shown"], running["levels"][0]["base"]) == (
        "running", "1000.00", "1000.00",
    )  # fmt: skip
    assert (running["in_force"]["state"], running["waiting"]) == ("in_force", None)
    assert [one["table_id"] for one in running["members"]] == [session.table_id]
    assert running["unreported"] is True
    assert asking.refused(f"{at}/start", asking.second())[:2] == (409, "pool_state")
    assert [one["name"] for one in asking.get("pools", state="running")["results"]] == ["Pozo"]


@pytest.mark.rule("PP-20", "PP-21")
def test_parameters_are_refused_by_their_field(desk: PoolDesk) -> None:
    at = f"{desk.pool}/versions"

    def draft(**changed: Any) -> tuple[Any, ...]:
        return desk.refused(at, {"params": {**TERMS, **changed}, "reason": "x"})

    assert draft(commission_bp=None) == (422, "pool_figures_unset", "PP-20", "commission_bp")
    assert draft(credit=None) == (422, "pool_figures_unset", "PP-13", "credit")
    level = TERMS["levels"][0]
    assert draft(levels=[{**level, "base": None}])[1:3] == ("pool_figures_unset", "PP-20")
    assert draft(levels=[{**level, "share_bp": 7000}])[1:3] == ("shares_not_whole", "PP-21")
    assert draft(levels=[{**level, "base": 1000}])[0] == 400
    assert draft(levels=[{**level, "bais": "1.00"}])[0] == 400
    fixed = {"hand": "flush", "kind": "fixed", "value": 50}
    assert draft(prizes=[fixed])[0] == 400
    assert draft(prizes=[{**fixed, "value": "50.00", "kind": "gift"}])[0] == 422
    assert desk.refused(at, {"params": TERMS})[1] == "reason_missing"
    drafted = desk.made(at, {"params": {**TERMS, "prizes": [{**fixed, "value": "50.00"}]}, "reason": "x"})
    assert drafted["params"]["prizes"] == [{**fixed, "value": "50.00", "level": "main"}]
    assert desk.refused(at, {"params": TERMS, "reason": "x"})[:3] == (409, "version_open", "PP-30")
    gone = desk.made(f"pool-versions/{drafted['id']}/withdraw", {"reason": "no"})
    assert gone["state"] == "withdrawn"


@pytest.mark.rule("PP-19", "PP-30")
def test_a_commission_does_not_change_without_its_filing(desk: PoolDesk) -> None:
    """Approved by two departments, but the AJ has not: the pool does not start on it."""
    changed = desk.made(f"{desk.pool}/versions", {"params": {**TERMS, "commission_bp": 2000}, "reason": "x"})
    for who in (Role.PIT_BOSS, Role.COMPLIANCE):
        desk.made(f"pool-versions/{changed['id']}/approve", who=who)
    assert desk.made(f"{desk.pool}/suspend", desk.second())["state"] == "suspended"
    assert desk.refused(f"{desk.pool}/start", desk.second())[:3] == (422, "not_approved", "PP-23")
    found = desk.get(desk.pool)
    assert (found["in_force"]["params"]["commission_bp"], found["waiting"]["id"]) == (1000, changed["id"])


# ---- its name, its tables ----------------------------------------------------------------------------------


def test_it_is_renamed_and_hidden(desk: PoolDesk) -> None:
    changed = desk.made(f"{desk.pool}/change", {"name": "Gran pozo", "public": False, "reason": "nombre"})
    assert (changed["name"], changed["public"]) == ("Gran pozo", False)
    assert desk.refused(f"{desk.pool}/change", {"name": " ", "reason": "x"})[0] in {400, 422}


@pytest.mark.rule("PP-05", "PP-06", "PP-09")
def test_a_table_leaves_only_without_credits_and_then_takes_no_bet(desk: PoolDesk) -> None:
    (member,) = desk.get(f"{desk.pool}/members")["results"]
    leave = f"pool-members/{member['id']}/unlink"
    twice = desk.refused(f"{desk.pool}/members", {"table": member["table_id"], "reason": "x"})
    assert twice == (409, "table_linked", "PP-06", "table")
    desk.buys(2, 3)
    assert desk.refused(leave, {"reason": "x"})[:3] == (409, "credits_left", "PP-09")
    desk.made(f"{desk.session()}/credits/return", {"seat": 2, "credits": 3})
    assert desk.made(leave, {"reason": "cambia"})["until"] is not None
    bet = desk.refused(f"{desk.session()}/progressive-bets", {"seat": 2, "credits": 1})
    assert bet[:3] == (409, "no_pool", "PP-06")
    assert desk.get(f"{desk.session()}/progressive")["pool"] is None


# ---- at the table ----------------------------------------------------------------------------------


@pytest.mark.rule("PP-08", "PP-09", "PP-12", "PP-13")
def test_credits_and_bets_within_the_limits(desk: PoolDesk) -> None:
    bets, at = f"{desk.session()}/progressive-bets", {"seat": 2, "credits": 1}
    assert desk.refused(bets, at) == (422, "no_credits", "PP-09", "credits")
    desk.buys(2, 3)
    for credits in (0, 5):
        limits = desk.refused(bets, {"seat": 2, "credits": credits})
        assert limits == (422, "outside_limits", "PP-13", "credits")
    assert desk.refused(bets, {"seat": 2, "credits": 4})[1] == "no_credits"
    assert desk.refused(bets, {"seat": 99, "credits": 1})[1] == "bad_seat"
    board = desk.bets(2, 2)
    assert (board["least"], board["most"], board["credit"], board["open"]) == (1, 4, "5.00", True)
    two, three = seat(board, 2), seat(board, 3)
    assert (two["amount"], two["free"], two["light"], two["bet"]["amount"]) == (
        "15.00",
        "5.00",
        True,
        "10.00",
    )
    assert (three["light"], three["bet"]) == (False, None)
    assert desk.refused(bets, at) == (409, "bet_there", "PP-13", "seat")
    back = desk.refused(f"{desk.session()}/credits/return", {"seat": 2, "credits": 2})
    assert back[:3] == (422, "no_credits", "PP-09")
    off = desk.made(f"progressive-bets/{two['bet']['id']}/cancel")
    assert (seat(off, 2)["bet"], seat(off, 2)["free"]) == (None, "15.00")
    assert desk.refused(f"progressive-bets/{two['bet']['id']}/cancel")[:2] == (409, "bet_gone")
    assert desk.refused(f"{desk.session()}/credits", {"seat": 2, "credits": 0})[1] == "bad_credits"
    moves = desk.get(f"{desk.session()}/credits")["results"]
    assert [(one["kind"], one["amount"]) for one in moves] == [("bought", "15.00")]
    assert [one["state"] for one in desk.get(bets)["results"]] == ["cancelled"]


def test_a_bet_sent_twice_is_placed_once(desk: PoolDesk) -> None:
    desk.buys(2)
    bets, same = f"{desk.session()}/progressive-bets", key()
    first = desk.ask(bets, {"seat": 2, "credits": 1}, **same)
    again = desk.ask(bets, {"seat": 2, "credits": 1}, **same)
    assert (first.content, again["Idempotent-Replay"]) == (again.content, "true")
    assert Bet.objects.count() == 1
    missing = desk.client(Role.PIT_BOSS).post(f"/api/v1/{bets}", {"seat": 3, "credits": 1})
    assert missing.json()["code"] == "idempotency_key_missing"


@pytest.mark.rule("PP-10")
def test_bets_are_locked_as_play_closes(desk: PoolDesk) -> None:
    desk.buys(2)
    placed = seat(desk.bets(2), 2)["bet"]["id"]
    events = in_text([hp.bet(2, "ante", 1_000), hp.bet(4, "ante", 1_000)])
    current = f"{desk.session()}/rounds/current/events"
    desk.made(current, {"number": 1, "step": 0, "events": events})
    assert desk.get(f"{desk.session()}/progressive")["locked"] is False
    desk.made(current, {"number": 1, "step": 2, "events": [hp.CLOSE]})
    board = desk.get(f"{desk.session()}/progressive")
    assert (board["number"], board["locked"], board["open"], seat(board, 2)["light"]) == (
        1,
        True,
        False,
        True,
    )
    assert desk.refused(f"progressive-bets/{placed}/cancel")[:3] == (422, "bets_locked", "PP-10")
    late = desk.refused(f"{desk.session()}/progressive-bets", {"seat": 4, "credits": 1})
    assert late[:3] == (422, "bets_locked", "PP-10")


@pytest.mark.rule("PP-18", "PP-28")
def test_a_round_in_one_post_takes_the_bets_placed_before_it(desk: PoolDesk) -> None:
    """5.00: commission 0.50, main 3.60, reserve 0.90."""
    desk.buys(2)
    desk.bets(2)
    desk.logs({2: NOTHING, 4: NOBODY})
    found = desk.get(desk.pool)
    assert (found["levels"][0]["shown"], found["reserves"][0]["players"]) == ("1003.60", "0.90")
    assert (found["collected"], found["bets"], found["pending"]) == ("5.00", 1, "0.00")
    (bet,) = desk.get(f"{desk.session()}/progressive-bets", state="counted")["results"]
    assert (bet["serial"], bet["total"], bet["number"]) == (1, "5.00", 1)


# ---- the public meter ------------------------------------------------------------------------------


@pytest.mark.rule("PP-31", "PP-33")
def test_anybody_reads_the_meter_and_nothing_else(desk: PoolDesk) -> None:
    desk.buys(2)
    desk.bets(2)
    desk.logs({2: ROYAL, 4: NOTHING}, house="Ac Ad Ah 3d 2c")
    answer = desk.public()
    assert answer.status_code == 200
    told = answer.json()
    assert set(told) == {"at", "levels"}
    assert told["levels"] == [{"code": "main", "amount": "1000.00"}]
    assert [one["amount"] for one in desk.get(desk.pool)["pending_prizes"]] == ["1003.60"]
    token = {"HTTP_AUTHORIZATION": "Token nothing"}
    assert desk.client(Role.CAGE).get(f"/api/v1/{desk.pool}/meter", **token).status_code == 200
    desk.made(f"{desk.pool}/change", {"public": False, "reason": "x"})
    hidden = desk.public()
    assert (hidden.status_code, hidden.json()["code"]) == (404, "not_found")
    assert desk.public(999_999).status_code == 404


def test_a_pool_being_prepared_has_no_public_meter(house: House) -> None:
    desk = a_desk(a_pool(house))
    draft = desk.made("pools", {"name": "Nuevo", "reason": "x"})
    assert desk.public(draft["id"]).status_code == 404


# ---- who may ---------------------------------------------------------------------------------------


@pytest.mark.rule("REC-11")
def test_roles_that_may_not(desk: PoolDesk) -> None:
    named = {"name": "X", "reason": "x"}
    for who in (Role.CROUPIER, Role.CAGE, Role.SUPERVISOR, Role.INSPECTOR, Role.DEVICE):
        assert desk.refused("pools", named, who)[:2] == (403, "not_allowed")
        assert desk.refused(f"{desk.pool}/start", desk.second(), who)[0] == 403
    at = {"seat": 2, "credits": 1}
    for who in (Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR):
        assert desk.refused(f"{desk.session()}/credits", at, who)[0] == 403
        assert desk.refused(f"{desk.session()}/progressive-bets", at, who)[0] == 403
    assert desk.refused("filings", {}, Role.SUPERVISOR)[0] == 403
    assert desk.looked("pools", Role.INSPECTOR).status_code == 200


def test_a_croupier_does_not_act_at_a_table_of_others(desk: PoolDesk) -> None:
    """The croupier's own login stands at no table here."""
    found = desk.refused(f"{desk.session()}/credits", {"seat": 2, "credits": 1}, Role.CROUPIER)
    assert found[0] == 404
    assert desk.looked(f"{desk.session()}/progressive", Role.CROUPIER).status_code == 404


def test_another_casino_has_none_of_it(desk: PoolDesk) -> None:
    other, foreign = other_casino()
    theirs = Asking(other, desk.at)
    version, session = desk.night.pool.version_id, desk.session()
    for path in (desk.pool, f"pool-versions/{version}", f"pool-versions/{version}/analysis",
                 f"{session}/progressive"):  # fmt: skip
        assert theirs.looked(path).status_code == 404, path
    for path in (f"{desk.pool}/versions", f"{desk.pool}/members", f"{desk.pool}/moves", f"{session}/credits"):
        looked = theirs.looked(path)
        assert looked.json().get("count", 0) == 0, path
    assert theirs.refused(f"{desk.pool}/suspend", {**theirs.second()})[0] == 404
    assert theirs.refused(f"{session}/credits", {"seat": 2, "credits": 1})[0] == 404
    link = theirs.refused(f"pools/{foreign.pk}/members", {"table": desk.night.tables[0].pk, "reason": "x"})
    assert link == (400, "invalid", "", "table")
    about = {"kind": "pool_equipment", "subject_type": "pool", "subject_id": desk.night.pool.pk, "text": "x"}
    assert theirs.refused("filings", about)[1:] == ("unknown_subject", "", "subject_id")
    assert [one["name"] for one in theirs.get("pools")["results"]] == ["Pozo ajeno"]


# ---- what a scheme is worth -------------------------------------------------------------------------


@pytest.mark.rule("PP-23")
def test_an_analysis_is_exact_and_writes_nothing(desk: PoolDesk) -> None:
    before = Event.objects.count()
    asked = {"params": TERMS, "games": [{"game": "poker.caribbean"}]}
    worth = desk.made("pools/analysis", asked)
    royal = worth["prizes"][0]
    assert (royal["prize"]["hand"], royal["chance"]["exact"]) == ("royal_flush", "1/649740")
    parts = {one["fund"]: one["amount"]["exact"] for one in worth["contributions"]}
    assert parts == {"commission": "1/2", "main": "18/5", "reserve": "9/10"}
    assert worth["levels"][0]["life"] == {"exact": "649740", "about": "649740"}
    same = desk.get(f"pool-versions/{desk.night.pool.version_id}/analysis")
    assert same["prizes"][0]["chance"] == royal["chance"]
    assert Event.objects.count() == before
    wrong = desk.refused("pools/analysis", {**asked, "games": [{"game": "blackjack.classic"}]})
    assert wrong[:3] == (422, "game_not_allowed", "PP-05")
    unset = {**TERMS, "commission_bp": None}
    assert desk.refused("pools/analysis", {**asked, "params": unset})[1] == "pool_figures_unset"
