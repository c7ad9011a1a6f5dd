"""Prizes, readings, proofs and complementary prizes of a pool over the API; and what is refused."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from audits.models import Event
from casino.kernel.permissions import Role
from jackpots import filings as asked
from jackpots.models import Pool, Proof
from tables.guests import excluding
from tests.api.pooling import Asking, PoolDesk, a_desk
from tests.builders import PASSWORD, House, a_house
from tests.jackpots.builders import FLUSH, NOTHING, ROYAL, a_pool, approved_filing
from tests.money.cage_building import a_cage

NOBODY = "Qc Td 8s 6s 3d"
WHO = {"winner": "Ana Rojas", "document": "4871203 LP"}


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.fixture
def desk(house: House) -> PoolDesk:
    return a_desk(a_pool(house))


def won(desk: PoolDesk, cards: str = FLUSH) -> dict[str, Any]:
    """A bet of a credit at seat 2, and the hand that wins; logged by the pit boss."""
    desk.buys(2)
    desk.bets(2)
    desk.logs({2: cards, 4: NOBODY}, house="Ac Ad 4d 3h 2c")
    found: dict[str, Any] = desk.get("prizes", open=True)["results"][0]
    return found


# ---- prizes ----------------------------------------------------------------------------------------


@pytest.mark.rule("PP-02", "PP-14", "PP-15", "PP-31")
def test_a_prize_is_claimed_checked_by_two_and_paid(desk: PoolDesk) -> None:
    """Fifty times 5.00."""
    prize = won(desk)
    assert (prize["hand"], prize["amount"], prize["before"], prize["state"]) == (
        "flush", "250.00", "1003.60", "pending",
    )  # fmt: skip
    claim = f"{desk.session()}/prize-claim"
    assert desk.get(claim, round=1, seat=2, hand="flush")["id"] == prize["id"]
    for hand, seat, code, rule in (
        ("royal_flush", 2, "hand_differs", "PP-02"),
        ("flush", 4, "no_progressive_bet", "PP-01"),
    ):
        told = desk.looked(claim, round=1, seat=seat, hand=hand).json()
        assert (told["code"], told["rule"]) == (code, rule)
    assert desk.looked(claim, round=1).status_code == 400
    at, till = f"prizes/{prize['id']}", a_cage(desk.night.house)
    pay = {"desk": till.desk.pk, **WHO}
    assert desk.refused(f"{at}/pay", pay, Role.CAGE)[:3] == (409, "prize_state", "PP-31")
    assert desk.refused(f"{at}/checks", WHO)[:3] == (422, "own_prize", "PP-31")
    first = desk.made(f"{at}/checks", WHO, Role.SUPERVISOR)
    assert (first["state"], first["winner"], len(first["checks"])) == ("pending", "Ana Rojas", 1)
    assert "4871203" not in first["document"]
    assert desk.refused(f"{at}/checks", who=Role.SUPERVISOR)[1] == "same_person"
    assert desk.made(f"{at}/checks", who=Role.COMPLIANCE)["state"] == "verified"
    assert desk.refused(f"{at}/pay", pay)[0] == 403
    paid = desk.made(f"{at}/pay", pay, Role.CAGE)
    assert (paid["state"], paid["form"], paid["desk"]) == ("paid", "cash", till.desk.number)
    assert desk.refused(f"{at}/pay", pay, Role.CAGE)[1] in {"prize_state", "paid_already"}
    assert desk.get(desk.pool)["pending"] == "0.00"


@pytest.mark.rule("PP-31", "PP-29")
def test_two_do_not_confirm_a_prize_and_its_value_goes_back(desk: PoolDesk) -> None:
    prize = won(desk, ROYAL)
    at = f"prizes/{prize['id']}/reject"
    assert desk.refused(at, desk.second(Role.SUPERVISOR))[1] == "own_prize"
    same = desk.refused(at, desk.second(), Role.COMPLIANCE)
    assert (same[1], same[3]) == ("same_person", "second")
    done = desk.made(at, desk.second(Role.SUPERVISOR, "mano mal leída"), Role.COMPLIANCE)
    assert (done["state"], [one["holds"] for one in done["checks"]]) == ("rejected", [False, False])
    found = desk.get(desk.pool)
    assert (found["levels"][0]["shown"], found["reserves"][0]["shown"], found["pending"]) == (
        "1003.60", "0.90", "0.00",
    )  # fmt: skip


@pytest.mark.rule("GEN-11")
def test_a_listed_winner_is_paid_beside_compliance_and_goes_on_record(desk: PoolDesk, house: House) -> None:
    prize = won(desk)
    at, till = f"prizes/{prize['id']}", a_cage(house)
    desk.made(f"{at}/checks", WHO, Role.SUPERVISOR)
    desk.made(f"{at}/checks", who=Role.COMPLIANCE)
    excluding.exclude(
        kind="authority", source="Nota 1", since=house.casino.gaming_day(desk.at), document_type="ci",
        country="BO", number="4871203", name="Ana Rojas", by=house.by(Role.COMPLIANCE, desk.at, "nota"),
    )  # fmt: skip
    pay = {"desk": till.desk.pk, **WHO}
    assert desk.refused(f"{at}/pay", pay, Role.CAGE) == (422, "winner_listed", "GEN-11", "second")
    assert Event.objects.filter(action="jackpots.prize.held_back").count() == 1
    signed = {**pay, **desk.second()}
    wrong = desk.refused(f"{at}/pay", {**signed, "second_password": "otra"}, Role.CAGE)
    assert (wrong[0], wrong[1]) == (401, "bad_credentials")
    assert desk.refused(f"{at}/pay", {**signed, "reason": ""}, Role.CAGE) == (
        422,
        "reason_missing",
        "GEN-11",
        "reason",
    )
    assert desk.made(f"{at}/pay", signed, Role.CAGE)["state"] == "paid"


@pytest.mark.rule("REC-13")
def test_the_table_is_not_told_who_won(desk: PoolDesk) -> None:
    prize = won(desk)
    desk.made(f"prizes/{prize['id']}/checks", WHO, Role.SUPERVISOR)
    for who in (Role.CROUPIER, Role.DEVICE):
        told = desk.get(f"prizes/{prize['id']}", who)
        assert (told["winner"], told["document"], told["player"]) == (None, None, None)
    assert desk.get(f"prizes/{prize['id']}", Role.INSPECTOR)["winner"] == "Ana Rojas"


def test_prizes_are_of_this_casino(desk: PoolDesk) -> None:
    prize = won(desk)
    theirs = Asking(a_house("vecino"), desk.at)
    assert theirs.get("prizes")["count"] == 0
    assert theirs.looked(f"prizes/{prize['id']}").status_code == 404
    assert theirs.refused(f"prizes/{prize['id']}/checks", WHO, Role.SUPERVISOR)[0] == 404


# ---- readings and proofs ---------------------------------------------------------------------------


@pytest.mark.rule("PP-29")
def test_a_reading_lower_than_the_last_needs_a_reason(desk: PoolDesk) -> None:
    readings = f"{desk.pool}/readings"
    first = desk.made(readings, {"amount": "1000.00"})
    assert (first["shown"], first["difference"], first["said"]) == ("1000.00", "0.00", "")
    lower = desk.refused(readings, {"amount": "999.00"})
    assert lower == (422, "reading_lower", "PP-29", "reason")
    noted = desk.made(readings, {"amount": "999.00", "reason": "pantalla cambiada"})
    assert noted["difference"] == "-1.00"
    assert "999.00" in noted["said"]
    assert desk.refused(readings, {"amount": "1.00", "level": "reserve"})[1] == "no_level"
    assert desk.refused(readings, {"amount": 1})[0] == 400
    assert desk.refused(readings, {"amount": "1.00"}, Role.DEVICE)[0] == 403


@pytest.mark.rule("PP-28")
def test_a_day_is_proved_twice_alike_and_a_difference_has_its_incident(desk: PoolDesk) -> None:
    desk.buys(2)
    desk.bets(2)
    desk.logs({2: NOTHING, 4: NOBODY})
    day = str(desk.night.sessions[0].day.date)
    proofs = f"{desk.pool}/proofs"
    first = desk.made(proofs, {"day": day}, Role.COMPLIANCE)
    assert (first["state"], first["differences"]) == ("matched", [])
    events = Event.objects.count()
    again = desk.made(proofs, {"day": day}, Role.COMPLIANCE)
    assert (again["digest"], again["event_id"]) == (first["digest"], first["event_id"])
    assert (Event.objects.count(), Proof.objects.count()) == (events, 1)
    desk.made(f"{desk.pool}/readings", {"amount": "1500.00"})
    differs = desk.made(proofs, {"day": day}, Role.COMPLIANCE)
    assert differs["state"] == "different"
    (one,) = desk.get(f"{desk.pool}/differences", open=True)["results"]
    assert (one["code"], one["expected"], one["found"]) == ("reading", "100360", "150000")
    assert desk.looked(f"incidents/{one['incident_id']}").status_code == 200
    assert desk.get(f"pool-proofs/{first['id']}")["differences"][0]["id"] == one["id"]
    later = desk.refused(proofs, {"day": "2026-12-24"}, Role.COMPLIANCE)
    assert (later[1], later[3]) == ("day_to_come", "day")
    assert desk.refused(proofs, {"day": day})[0] == 403


# ---- complementary prizes --------------------------------------------------------------------------


@pytest.mark.rule("PP-24", "PP-25", "PP-27")
def test_a_complementary_prize_is_announced_and_drawn(desk: PoolDesk, house: House) -> None:
    until = desk.at + dt.timedelta(minutes=30)
    announce = {
        "name": "Cena",
        "form": "chips",
        "amount": "100.00",
        "until": until.isoformat(),
        "reason": "x",
    }
    at = f"{desk.pool}/complementary"
    assert desk.refused(at, announce)[:3] == (422, "not_presented", "PP-24")
    about = asked.about_pool(Pool.objects.get(pk=desk.night.pool.pk))
    approved_filing(house, asked.COMPLEMENTARY, about)
    assert desk.refused(at, {**announce, "form": "credits"})[:3] == (422, "not_approved", "PP-26")
    made = desk.made(at, announce)
    assert (made["seed"], len(made["seed_hash"]), made["taking_part"]) == ("", 64, 0)
    draw = f"complementary/{made['id']}"
    assert desk.looked(f"{draw}/record").status_code == 409
    desk.buys(2)
    desk.bets(2)
    desk.logs({2: NOTHING, 4: NOBODY})
    assert desk.refused(f"{draw}/draw")[:2] == (409, "too_early")
    desk.at = until
    assert desk.refused(f"{draw}/call-off")[1] == "somebody_took_part"
    assert desk.refused(f"{draw}/draw")[:3] == (422, "same_person", "GEN-10")
    drawn = desk.made(f"{draw}/draw", who=Role.COMPLIANCE)
    assert (drawn["state"], drawn["winner"]["seat"], len(drawn["seed"])) == ("drawn", 2, 64)
    assert desk.get(f"{draw}/record")["winner"] == 1
    assert desk.refused(f"{draw}/credits")[:3] == (422, "wrong_form", "PP-25")
    till = a_cage(house)
    chips = {"desk": till.desk.pk, "chips": [{"denomination": "100.00", "count": 1}], **WHO}
    chips |= {"witness": house.users[Role.SUPERVISOR].username, "witness_password": PASSWORD}
    paid = desk.made(f"{draw}/chips", chips, Role.CAGE)
    assert paid["state"] == "paid"
    assert [one["state"] for one in desk.get(at)["results"]] == ["paid"]
