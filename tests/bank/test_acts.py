"""The act of an auction: what it tells, that the stand-alone verifier finds nothing in it, who signs it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from audits.models import Event
from casino.kernel.permissions import Role
from tables.bank import acts, verify_act
from tables.models import Auction, AuctionSignature
from tests.bank.auction_nights import deposited, passed, refused_award, sealed, sign, tied
from tests.builders import BOB, House
from tests.tables.refusing import refused


def act_of(auction: Auction) -> dict[str, Any]:
    """As it leaves the house: written, read again, and held by the verifier."""
    written = json.dumps(acts.act_of(Auction.objects.get(pk=auction.pk)), ensure_ascii=False)
    act = verify_act.read(written)
    assert len(list(verify_act.verify(act))) == 11
    return act


@pytest.mark.rule("BANK-10", "BANK-12", "BANK-26")
def test_the_act_of_a_tie_tells_who_bid_what_the_draw_and_the_deposit(house: House) -> None:
    table = passed(house, 2, 4, 7)
    auction = deposited(table, tied(table), 70 * BOB)
    act = act_of(auction)
    assert act["auction"]["label"] == "SUB-2026-00001"
    assert act["auction"]["left_by"] == {"bank": 1, "seat": 5, "player": "J5", "ending": "passed"}
    assert act["session"]["label"] == table.session.label
    assert [(place["seat"], place["rule"]) for place in act["places"]] == [
        (2, ""),
        (4, ""),
        (5, "BANK-12"),
        (7, ""),
    ]
    assert act["places"][2]["why"] == {"es": "pasó este banco", "en": "passed this bank"}
    bids = [(bid["number"], bid["seat"], bid["amount"]["value"], bid["together"]) for bid in act["bids"]]
    assert bids == [(1, 2, "10.00", None), (2, 4, "50.00", None), (3, 2, "60.00", None), (4, 7, "60.00", 3)]
    # The draw, by hand: the lowest SHA-256 of seed, digest of the bids that tie, and ":label:seat".
    lines = "".join(f"{b['seat']} {b['amount']['units']} {b['at']}\n" for b in act["bids"][2:])
    head = bytes.fromhex(act["draw"]["seed"]) + hashlib.sha256(lines.encode()).digest()
    scores = {seat: hashlib.sha256(head + b":SUB-2026-00001:%d" % seat).hexdigest() for seat in (2, 7)}
    winner = min(scores, key=lambda seat: scores[seat])
    assert (act["draw"]["tied"], act["draw"]["drawn"]) == ([2, 7], winner)
    assert (act["award"]["seat"], act["award"]["amount"]) == (winner, {"value": "60.00", "units": 6_000})
    assert (act["outcome"]["kind"], act["outcome"]["seat"], act["outcome"]["amount"]["value"]) == (
        "deposited",
        winner,
        "70.00",
    )


@pytest.mark.rule("REC-06")
def test_every_event_an_act_names_is_on_the_trail_with_that_hash(house: House) -> None:
    table = passed(house, 2, 4, 7)
    auction = deposited(table, tied(table), 60 * BOB)
    sign(table, auction)
    act = act_of(auction)
    named = [
        (act["auction"]["opened_event"], "tables.auction.opened"),
        *((bid["event"], "tables.auction.bid") for bid in act["bids"]),
        (act["auction"]["closed_event"], "tables.auction.awarded"),
        (act["outcome"]["event"], "tables.bank.opened"),
        *((one["event"], "tables.auction.signed") for one in act["signatures"]),
    ]
    assert len(named) == 9
    for told, action in named:
        event = Event.objects.get(stream__name=told["stream"], seq=told["number"])
        assert (event.action, bytes(event.hash).hex()) == (action, told["hash"])


@pytest.mark.rule("BANK-26")
def test_the_act_of_sealed_bids_opens_every_envelope(house: House) -> None:
    table = passed(house, 2, 4)
    act = act_of(deposited(table, sealed(table), 90 * BOB))
    assert (act["award"]["seat"], act["award"]["bid"], act["draw"]["drawn"]) == (2, 2, None)
    for bid in act["bids"]:
        text = f"{bid['nonce']}:{bid['amount']['units']}"
        assert hashlib.sha256(text.encode()).hexdigest() == bid["seal"]


@pytest.mark.rule("BANK-13")
def test_the_act_of_an_auction_without_bids_tells_whose_right_hand_took_it(house: House) -> None:
    """Seat 4 is at the right of 5, who passed it."""
    table = passed(house, 2, 4)
    auction = table.close(table.auction())
    assert act_of(auction)["outcome"] == {"kind": "awaited"}
    act = act_of(deposited(table, auction, 10 * BOB))
    award = {key: act["award"][key] for key in ("how", "rule", "bid", "seat", "player")}
    assert award == {"how": "forced", "rule": "BANK-13", "bid": None, "seat": 4, "player": "J4"}
    assert (act["award"]["amount"]["value"], act["outcome"]["kind"]) == ("10.00", "deposited")


@pytest.mark.rule("BANK-15")
def test_a_refusal_is_the_outcome_before_the_deposit_and_comes_later_after_it(house: House) -> None:
    table = passed(house, 2, 4, 7)
    first = tied(table)
    refused_award(table)
    act = act_of(first)
    assert (act["outcome"]["kind"], act["outcome"]["reason"], act["later"]) == (
        "refused",
        "no trae fichas",
        None,
    )
    second = deposited(table, auctioned_again(table), 100 * BOB)
    signed = sign(table, second)
    refused_award(table)
    act = act_of(second)
    assert (act["outcome"]["kind"], act["later"]["kind"]) == ("deposited", "refused")
    assert {one.digest for one in signed} == {act["digest"]}


def auctioned_again(table: Any) -> Auction:
    """The bank is auctioned anew, without who refused it: seat 4 is the only one to bid."""
    auction: Auction = table.auction()
    table.bid(auction, 4, 100 * BOB)
    closed: Auction = table.close(auction)
    return closed


@pytest.mark.rule("BANK-10")
def test_an_open_auction_has_no_act(house: House) -> None:
    table = passed(house, 2, 4)
    auction = table.auction()
    with refused("auction_running", "BANK-10"):
        acts.act_of(auction)
    with refused("auction_running", "BANK-10"):
        sign(table, auction)


@pytest.mark.rule("GEN-10")
def test_two_different_people_sign_once_each(house: House) -> None:
    table = passed(house, 2, 4, 7)
    auction = deposited(table, tied(table), 60 * BOB)
    with refused("same_person", "GEN-10"):
        sign(table, auction, Role.SUPERVISOR, Role.SUPERVISOR)
    with refused("not_qualified", "GEN-10"):
        sign(table, auction, Role.SUPERVISOR, Role.CAGE)
    with refused("not_allowed"):
        sign(table, auction, Role.CAGE, Role.SUPERVISOR)
    signed = sign(table, auction)
    due = acts.act_of(auction)["digest"]
    people = [(one.actor, one.digest, one.event.actor) for one in signed]
    actors = [house.users[role].actor for role in (Role.SUPERVISOR, Role.COMPLIANCE)]
    assert people == [(actor, due, actor) for actor in actors]
    for one, other in ((Role.PIT_BOSS, Role.COMPLIANCE), (Role.SUPERVISOR, Role.PIT_BOSS)):
        with refused("signed_already", "GEN-10"):
            sign(table, auction, one, other)
    sign(table, auction, Role.PIT_BOSS, Role.CROUPIER)
    assert AuctionSignature.objects.count() == 4
    assert [one["name"] for one in act_of(auction)["signatures"]] == [
        "Persona supervisor",
        "Persona compliance",
        "Persona pit_boss",
        "Persona croupier",
    ]


@pytest.mark.rule("BANK-17")
def test_an_act_is_signed_once_its_deposit_is_known(house: House) -> None:
    table = passed(house, 2, 4, 7)
    auction = tied(table)
    with refused("act_not_final", "BANK-17"):
        sign(table, auction)
    deposited(table, auction, 60 * BOB)
    assert len(sign(table, auction)) == 2


@pytest.mark.rule("REC-06")
def test_what_is_renamed_since_does_not_change_what_was_signed(house: House) -> None:
    table = passed(house, 2, 4, 7)
    auction = deposited(table, tied(table), 60 * BOB)
    digest = acts.act_of(auction)["digest"]
    house.casino.name = "Otra razón social"
    house.casino.save(update_fields=["name"])
    table.session.table.name = "ZZ-99"
    table.session.table.save(update_fields=["name"])
    act = act_of(auction)
    assert (act["digest"], act["house"]["name"]) == (digest, "Otra razón social")
    assert act["session"]["table"] != "ZZ-99"
