"""The bank of a table over the API: a whole life of it, and what is refused by which rule."""

from __future__ import annotations

import hashlib

import pytest

from audits.verify import ledger_faults, trail_faults
from casino.kernel.permissions import Role
from tables.guests import absences
from tests.api.banking import Desk, a_desk, choice
from tests.bank.builders import BANCA_WINS, PUNTO_WINS
from tests.builders import BOB, House, a_house


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.fixture
def desk(house: House) -> Desk:
    return a_desk(house)


# ---- a whole life ----------------------------------------------------------------------------------


@pytest.mark.rule("BANK-02", "BANK-14", "BANK-17")
def test_a_bank_is_opened_announced_and_added_to(desk: Desk) -> None:
    free = desk.situation()
    assert (free["bank"], free["passage"], free["auction"], free["announcement"]) == (None, None, None, None)
    # The table's minimum on punto is 10,00.
    assert choice(free, "open") == {
        "do": "open", "post_to": f"{desk.session}/bank", "seats": [1, 4, 6], "least": "10.00",
    }  # fmt: skip
    opened = desk.made(f"{desk.session}/bank", {"seat": 4, "amount": "500.00"})
    bank = opened["bank"]
    assert (bank["holder"]["seat"], bank["holder"]["player"]) == (4, "J4")
    assert (bank["state"], bank["how"], bank["amount"], bank["deals"]) == ("held", "first", "500.00", 0)
    assert opened["announcement"] == {
        "es": "Hay 500,00 en fichas de dinero en la banca",
        "en": "There is 500.00 in value chips in the bank",
    }
    raised = desk.made(choice(opened, "add")["post_to"], {"amount": "100.00"})
    assert raised["bank"]["amount"] == "600.00"
    assert desk.get(f"banks/{bank['id']}")["deposits"] == [
        {"player": bank["holder"], "amount": amount, "at": at["at"]}
        for amount, at in zip(("500.00", "100.00"), desk.get(f"banks/{bank['id']}")["deposits"], strict=True)
    ]


@pytest.mark.rule("BANK-07", "BANK-24", "BANK-25")
def test_it_goes_round_in_order_with_its_reasons(desk: Desk) -> None:
    passage = desk.passed()
    offered = desk.situation()
    # 500 + 100 - 5 % of 100 = 595. To the right of seat 4 of nine lie 3, 2, 1, then 9, 8, 7, 6.
    assert (offered["passage"]["step"], offered["passage"]["least"]) == ("rotation", "595.00")
    order = [(one["turn"], one["seat"], one["due"], one["answer"]) for one in offered["order"]]
    assert order == [(1, 1, True, None), (2, 6, False, None)]
    assert offered["order"][0]["reasons"] == [{"rule": "BANK-24", "text": "3 seats to the right of seat 4"}]
    assert choice(offered, "take") == {
        "do": "take", "post_to": f"passages/{passage}/take", "seats": [1], "least": "595.00",
    }  # fmt: skip
    out_of_turn = desk.ask(f"passages/{passage}/decline", {"seat": 6})
    assert (out_of_turn.status_code, out_of_turn.json()["code"]) == (409, "not_their_turn")
    assert out_of_turn.json()["next"] == 1
    declined = desk.made(f"passages/{passage}/decline", {"seat": 1})
    assert [(one["seat"], one["due"], one["answer"]) for one in declined["order"]] == [
        (1, False, "decline"), (6, True, None),
    ]  # fmt: skip
    below = desk.refused(f"passages/{passage}/take", {"seat": 6, "amount": "594.00"})
    assert below == (422, "below_what_was_left", "BANK-06", "amount")
    taken = desk.made(f"passages/{passage}/take", {"seat": 6, "amount": "595.00"})
    assert (taken["bank"]["how"], taken["bank"]["holder"]["seat"]) == ("turn", 6)
    assert choice(taken, "join")["seats"] == [4]
    joined = desk.made(f"banks/{taken['bank']['id']}/join", {"seat": 4, "amount": "5.00"})
    assert (joined["bank"]["associate"]["seat"], joined["bank"]["amount"]) == (4, "600.00")


@pytest.mark.rule("BANK-10", "BANK-12", "BANK-17")
def test_an_auction_from_its_opening_to_the_first_card(desk: Desk) -> None:
    auction = desk.auction()
    assert [(p["seat"], p["may_bid"], p["rule"]) for p in auction["places"]] == [
        (1, True, ""), (4, False, "BANK-12"), (6, True, ""),
    ]  # fmt: skip
    assert (auction["minimum"], auction["increment"], auction["least_bid"]) == ("10.00", "1.00", "10.00")
    assert (auction["seed"], len(auction["seed_hash"])) == ("", 64)
    bids = f"auctions/{auction['id']}/bids"
    first = desk.made(bids, {"seat": 1, "amount": "10.00"}, who=Role.DEVICE)
    assert (first["bids"][0]["number"], first["auction"]["least_bid"]) == (1, "11.00")
    taking = desk.table.at(6).pk
    second = desk.made(bids, {"taking": taking, "amount": "11.00"})
    assert [(one["seat"], one["amount"]) for one in second["auction"]["leading"]] == [(6, "11.00")]
    assert choice(desk.situation(), "bid") == {
        "do": "bid",
        "post_to": bids,
        "seats": [1, 6],
        "least": "12.00",
    }
    close = f"auctions/{auction['id']}/close"
    assert desk.refused(close) == (409, "auction_running", "BANK-10", "")
    desk.over(auction)
    closed = desk.made(close, who=Role.DEVICE)
    assert (closed["state"], closed["winner"]["seat"], closed["winner"]["amount"]) == ("awarded", 6, "11.00")
    assert hashlib.sha256(bytes.fromhex(closed["seed"])).hexdigest() == auction["seed_hash"]
    _to_the_first_card(desk, closed["bank_id"])


def _to_the_first_card(desk: Desk, bank: int) -> None:
    awarded = desk.situation()
    assert (awarded["bank"]["id"], awarded["bank"]["state"]) == (bank, "awarded")
    number = desk.table.session.__class__.objects.get(pk=desk.table.session.pk).last_round + 1
    card = {"number": number, "step": 0, "events": [{"e": "close"}]}
    early = desk.refused(f"{desk.session}/rounds/current/events", card, who=Role.DEVICE)
    assert early == (409, "bank_awaits_deposit", "BANK-17", "")
    lowered = desk.refused(f"banks/{bank}/deposit", {"amount": "10.00"})
    assert lowered == (422, "bank_lowered", "BANK-14", "amount")
    held = desk.made(f"banks/{bank}/deposit", {"amount": "20.00"})
    assert (held["bank"]["state"], held["bank"]["amount"]) == ("held", "20.00")
    desk.table.play(BANCA_WINS, {1: 20 * BOB})
    # 20 + 20 - 5 % of 20 = 39.
    row = desk.get(f"banks/{bank}")
    assert [(one["before"], one["after"], one["deduction"]) for one in row["rounds"]] == [
        ("20.00", "39.00", "1.00")
    ]
    history = desk.get(f"{desk.session}/banks")["results"]
    assert [(one["number"], one["how"], one["ending"], one["left_with"]) for one in history] == [
        (2, "auction", "", None), (1, "first", "passed", "595.00"),
    ]  # fmt: skip
    assert not list(trail_faults(desk.house.casino))
    assert not list(ledger_faults(desk.house.casino))


@pytest.mark.rule("BANK-15")
def test_who_refuses_is_out_of_the_next_auction(desk: Desk) -> None:
    auction = desk.auction()
    desk.made(f"auctions/{auction['id']}/bids", {"seat": 6, "amount": "10.00"})
    desk.over(auction)
    bank = desk.made(f"auctions/{auction['id']}/close")["bank_id"]
    assert desk.refused(f"banks/{bank}/refuse")[:2] == (422, "reason_missing")
    again = desk.made(f"banks/{bank}/refuse", {"reason": "se arrepiente"})
    second = desk.made(choice(again, "auction")["post_to"], {"form": "outcry"})
    assert [(p["seat"], p["rule"]) for p in second["places"]] == [(1, ""), (4, "BANK-12"), (6, "BANK-15")]
    out = desk.refused(f"auctions/{second['id']}/bids", {"seat": 6, "amount": "10.00"})
    assert out == (422, "may_not_bid", "BANK-15", "seat")


@pytest.mark.rule("BANK-13")
def test_nobody_bids_and_the_right_hand_must_take_it(desk: Desk) -> None:
    auction = desk.auction()
    desk.over(auction)
    closed = desk.made(f"auctions/{auction['id']}/close")
    assert (closed["state"], closed["winner"]) == ("deserted", None)
    bank = desk.situation()["bank"]
    assert (bank["how"], bank["holder"]["seat"], bank["required"]) == ("forced", 1, "10.00")


@pytest.mark.rule("BANK-22")
def test_who_is_away_at_their_turn_loses_the_place(desk: Desk) -> None:
    passage = desk.passed()
    assert desk.refused(f"passages/{passage}/absent", {"seat": 1})[:2] == (409, "not_away")
    absences.mark_away(taking=desk.table.at(1), by=desk.table.by())
    situation = desk.situation()
    assert choice(situation, "absent")["seats"] == [1]
    gone = desk.made(f"passages/{passage}/absent", {"seat": 1})
    assert [(one["seat"], one["due"]) for one in gone["order"]] == [(6, True)]
    assert [(one["player"]["seat"], one["answer"]) for one in gone["passage"]["answers"]] == [(1, "absent")]


@pytest.mark.rule("BANK-05")
def test_it_is_returned_once_the_last_round_was_announced(desk: Desk) -> None:
    bank = desk.made(f"{desk.session}/bank", {"seat": 4, "amount": "500.00"})["bank"]["id"]
    assert desk.refused(f"banks/{bank}/return")[:2] == (409, "table_in_play")
    desk.made(f"{desk.session}/last-round")
    assert [one["do"] for one in desk.situation()["choices"]] == ["return"]
    returned = desk.made(f"banks/{bank}/return")
    assert (returned["bank"], returned["choices"]) == (None, [])
    assert desk.get(f"banks/{bank}")["left_with"] == "500.00"


# ---- bad input -------------------------------------------------------------------------------------


@pytest.mark.rule("BANK-02", "BANK-08", "BANK-14", "BANK-16")
def test_a_bank_that_does_not_stand_is_refused_by_its_rule(desk: Desk) -> None:
    bank = f"{desk.session}/bank"
    assert desk.refused(bank, {"seat": 4, "amount": "9.00"}) == (
        422, "bank_below_minimum", "BANK-02", "amount",
    )  # fmt: skip
    assert desk.refused(bank, {"seat": 4, "amount": "500.00", "associate": 4}) == (
        422, "bad_associate", "BANK-08", "associate",
    )  # fmt: skip
    assert desk.refused(bank, {"seat": 4, "amount": "500.00", "associate": 9})[:2] == (409, "not_seated")
    assert desk.refused(bank, {"seat": 9, "amount": "500.00"})[:2] == (409, "not_seated")
    assert desk.refused(bank, {"amount": "500.00"})[:2] == (400, "invalid")
    mine = desk.made(bank, {"seat": 4, "amount": "500.00"})["bank"]["id"]
    assert desk.refused(bank, {"seat": 6, "amount": "600.00"})[:3] == (409, "bank_taken", "BANK-01")
    lowered = (422, "bank_lowered", "BANK-14", "amount")
    assert desk.refused(f"banks/{mine}/add", {"amount": "-100.00"}) == lowered
    assert desk.refused(f"banks/{mine}/add", {"amount": "0.00"}) == lowered
    assert desk.refused(f"banks/{mine}/add", {"seat": 6, "amount": "10.00"})[:3] == (
        422, "not_a_banker", "BANK-08",
    )  # fmt: skip
    assert desk.refused(f"banks/{mine}/join", {"seat": 6}) == (422, "bad_associate", "BANK-08", "seat")
    assert desk.refused(f"banks/{mine}/pass")[:3] == (422, "must_deal", "BANK-15")
    assert desk.refused(f"banks/{mine}/set-aside", {"amount": "10.00"})[:3] == (
        422, "not_set_aside", "BANK-14",
    )  # fmt: skip
    above = {
        "number": 1, "step": 0,
        "events": [{"e": "bet", "seat": 1, "spot": "punto", "amount": "501.00"}],
    }  # fmt: skip
    assert desk.refused(f"{desk.session}/rounds/current/events", above)[2] == "BANK-16"
    assert desk.situation()["bank"]["amount"] == "500.00"


@pytest.mark.rule("BANK-01")
def test_the_bank_is_not_typed_into_a_round_and_other_tables_have_none(house: House, desk: Desk) -> None:
    desk.made(f"{desk.session}/bank", {"seat": 4, "amount": "500.00"})
    typed = {"number": 1, "step": 0, "events": [{"e": "bank", "seat": 6, "amount": "900.00"}]}
    by_hand = desk.refused(f"{desk.session}/rounds/current/events", typed)
    assert by_hand[:3] == (422, "bank_by_hand", "BANK-01")
    other = house.open_table(at=desk.table.clock, dealer=1, supervisor=1)
    for answer in (
        desk.ask(f"sessions/{other.pk}/bank", {"taking": desk.table.at(4).pk, "amount": "500.00"}),
        desk.client(Role.SUPERVISOR).get(f"/api/v1/sessions/{other.pk}/bank"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (422, "no_player_bank")


def test_a_lost_bank_is_over_for_whoever_still_writes_to_it(desk: Desk) -> None:
    bank = desk.made(f"{desk.session}/bank", {"seat": 4, "amount": "500.00"})["bank"]["id"]
    desk.table.play(PUNTO_WINS, {1: 100 * BOB})
    assert desk.refused(f"banks/{bank}/add", {"amount": "10.00"})[:2] == (409, "bank_ended")
    passage = desk.situation()["passage"]["id"]
    desk.made(f"passages/{passage}/take", {"seat": 1, "amount": "10.00"})
    assert desk.refused(f"passages/{passage}/decline", {"seat": 6})[:2] == (409, "passage_over")
