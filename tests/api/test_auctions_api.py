"""Auctions over the API: bids that do not stand, the clock, what sealed bids keep, and who may."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Any

import pytest

from audits.models import Event
from casino.kernel import clock
from casino.kernel.permissions import Role
from tables import duties, sessions
from tables.models import AuctionSecret, Bid
from tests.api.banking import MILLISECOND, SECOND, Desk, a_desk, key
from tests.bank.builders import GAME
from tests.builders import FOUNDED, PASSWORD, House, a_house
from tests.money.test_blindness import holds, seen_by, told_in_reports


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.fixture
def desk(house: House) -> Desk:
    return a_desk(house)


# ---- bids that do not stand ------------------------------------------------------------------------


BAD_BIDS: list[tuple[dict[str, Any], tuple[Any, ...]]] = [
    ({"seat": 1, "amount": "9.00"}, (422, "bid_below_minimum", "BANK-11", "amount")),
    ({"seat": 1, "amount": "50.00"}, (422, "bid_too_low", "BANK-26", "amount")),
    ({"seat": 1, "amount": "49.00"}, (422, "bid_too_low", "BANK-26", "amount")),
    ({"seat": 1, "amount": "60.50"}, (422, "not_in_chips", "GEN-07", "amount")),
    ({"seat": 1, "amount": "99999999.00"}, (422, "above_maximum", "GEN-04", "amount")),
    ({"seat": 4, "amount": "60.00"}, (422, "may_not_bid", "BANK-12", "seat")),
    ({"seat": 9, "amount": "60.00"}, (409, "not_seated", "BANK-01", "seat")),
    ({"seat": 1, "amount": 60}, (400, "invalid", "", "amount")),
    ({"seat": 1, "amount": "-60.00"}, (400, "invalid", "", "amount")),
    ({"amount": "60.00"}, (400, "invalid", "", "seat")),
    ({"seat": 1, "seats": [1, 6], "amount": "60.00"}, (400, "invalid", "", "seat")),
    ({"seats": [1], "amount": "60.00"}, (422, "not_together", "BANK-26", "seats")),
    ({"seats": [1, 1], "amount": "60.00"}, (422, "not_together", "BANK-26", "seats")),
    (
        {"seat": 1, "amount": "60.00", "occurred_at": "2026-11-20T22:00:00Z"},
        (400, "invalid", "", "occurred_at"),
    ),
]


@pytest.mark.rule("BANK-10", "BANK-11", "BANK-12", "BANK-26")
def test_a_bid_that_does_not_stand_is_refused_by_its_rule_and_leaves_nothing(desk: Desk) -> None:
    auction = desk.auction()
    bids = f"auctions/{auction['id']}/bids"
    desk.made(bids, {"seat": 6, "amount": "50.00"})
    before = Event.objects.count()
    found = [desk.refused(bids, body) for body, _ in BAD_BIDS]
    assert found == [answer for _, answer in BAD_BIDS]
    assert (Bid.objects.count(), Event.objects.count()) == (1, before)


@pytest.mark.rule("BANK-10")
def test_a_millisecond_after_the_close_is_late_and_the_tablets_clock_is_never_asked(desk: Desk) -> None:
    auction = desk.auction()
    bids = f"auctions/{auction['id']}/bids"
    closes = desk.over(auction)
    body = {"seat": 1, "amount": "10.00"}
    late = (409, "auction_closed", "BANK-10", "")
    assert desk.refused(bids, body, at=closes + MILLISECOND) == late
    assert desk.refused(bids, body, at=closes) == late
    # A tablet that is an hour slow says so in vain: the header changes nothing, the field is refused.
    slow = {**key(), "HTTP_DATE": "Fri, 20 Nov 2026 20:00:00 GMT"}
    assert desk.refused(bids, body, at=closes, **slow) == late
    stated = {**body, "occurred_at": (closes - 30 * SECOND).isoformat()}
    told = desk.ask(bids, stated, at=closes - SECOND).json()
    assert [(one["field"], one["code"]) for one in told["errors"]] == [("occurred_at", "unknown_field")]
    # A millisecond before it stands, at Sabot's instant, and moves the close: 15 s from then.
    taken = desk.made(bids, body, at=closes - MILLISECOND)
    assert taken["bids"][0]["at"] == clock.stamp(closes - MILLISECOND)
    assert taken["auction"]["closes_at"] == clock.stamp(closes - MILLISECOND + 15 * SECOND)
    assert desk.refused(f"auctions/{auction['id']}/close", {"occurred_at": clock.stamp(closes)})[:2] == (
        400,
        "invalid",
    )


@pytest.mark.rule("BANK-26")
def test_a_bid_sent_twice_is_one_and_two_tabs_are_two(desk: Desk) -> None:
    auction = desk.auction()
    bids, body, same = f"auctions/{auction['id']}/bids", {"seat": 1, "amount": "10.00"}, key()
    first = desk.ask(bids, body, **same)
    again = desk.ask(bids, body, **same)
    assert (first.status_code, again.status_code, again["Idempotent-Replay"]) == (201, 201, "true")
    assert again.content == first.content
    # The same key for another amount is another request.
    other = desk.refused(bids, {**body, "amount": "20.00"}, **same)
    assert other[:2] == (409, "idempotency_conflict")
    # A second tab sends the same bid with its own key: it does not beat the first.
    assert desk.refused(bids, body) == (422, "bid_too_low", "BANK-26", "amount")
    assert Bid.objects.count() == 1
    with clock.standing_at(desk.table.clock):
        bare = desk.client(Role.SUPERVISOR).post(f"/api/v1/{bids}", body)
    assert (bare.status_code, bare.json()["code"]) == (400, "idempotency_key_missing")


def to_microseconds(instant: str) -> str:
    """An instant of an answer as the draw hashes it."""
    return f"{dt.datetime.fromisoformat(instant):%Y-%m-%dT%H:%M:%S.%fZ}"


@pytest.mark.rule("BANK-26")
def test_two_heard_at_once_tie_and_a_draw_decides(desk: Desk) -> None:
    auction = desk.auction()
    heard = desk.made(f"auctions/{auction['id']}/bids", {"seats": [6, 1], "amount": "10.00"})
    assert [(one["number"], one["seat"], one["together"]) for one in heard["bids"]] == [
        (1, 6, None),
        (2, 1, 1),
    ]
    assert [one["seat"] for one in heard["auction"]["leading"]] == [6, 1]
    desk.over(auction)
    closed = desk.made(f"auctions/{auction['id']}/close")
    lines = "".join(f"{one['seat']} 1000 {to_microseconds(one['at'])}\n" for one in heard["bids"])
    head = bytes.fromhex(closed["seed"]) + hashlib.sha256(lines.encode()).digest()
    scores = {
        seat: hashlib.sha256(head + f":{closed['label']}:{seat}".encode()).hexdigest() for seat in (1, 6)
    }
    assert closed["winner"]["seat"] == min(scores, key=lambda seat: scores[seat])


# ---- sealed bids -----------------------------------------------------------------------------------

SEALED = ["437,00", "437.00", "43700"]
"""437,00 as it may be written."""


@pytest.mark.rule("BANK-26", "BANK-10")
def test_nothing_tells_what_a_sealed_bid_holds_nor_the_seed_before_the_close(desk: Desk) -> None:
    auction = desk.auction("sealed")
    bids = f"auctions/{auction['id']}/bids"
    answered = desk.ask(bids, {"seat": 1, "amount": "437.00"})
    assert answered.status_code == 201
    shown = answered.json()
    assert (shown["bids"][0]["amount"], len(shown["bids"][0]["seal"])) == (None, 64)
    assert (shown["auction"]["bids_taken"], shown["auction"]["leading"]) == (1, None)
    assert (shown["auction"]["least_bid"], shown["auction"]["seed"]) == (None, "")
    # Nor does handing in a second: higher or lower, the answer is one.
    low, high = (desk.ask(bids, {"seat": 1, "amount": amount}) for amount in ("100.00", "900.00"))
    assert low.json()["code"] == "already_handed_in"
    assert low.json() == high.json()
    seed = AuctionSecret.objects.get().seed
    hidden = [*SEALED, seed]
    read = [
        ("bid", answered.content.decode()),
        ("a second", low.content.decode()),
        *_everything(desk, auction),
    ]
    assert len(read) > 60
    assert [(where, found) for where, text in read for found in holds(text, hidden)] == []
    # The time is up, but the close is what opens the envelopes.
    desk.over(auction)
    assert holds(str(desk.get(f"auctions/{auction['id']}")), hidden) == []
    closed = desk.made(f"auctions/{auction['id']}/close")
    assert (closed["winner"]["amount"], closed["bids"][0]["amount"], closed["seed"]) == (
        "437.00",
        "437.00",
        seed,
    )
    told = " ".join(where for where, text in _everything(desk, auction) if holds(text, hidden))
    assert f"/api/v1/auctions/{auction['id']}" in told


def _everything(desk: Desk, auction: dict[str, Any]) -> list[tuple[str, str]]:
    """All that anybody may read of the table and its auction: addresses, reports, events."""
    session = desk.table.session
    events = Event.objects.filter(casino=desk.house.casino)
    told = set(events.filter(stream__name=session.stream).values_list("pk", flat=True))
    bank = desk.get(f"{desk.session}/banks")["results"][-1]["id"]
    ids = {auction["id"], auction["passage_id"], bank, session.pk}
    only = r"auction|bank|passage|session|round|event|trail|floor|table|seat|export|incident|alert"
    found = []
    for role in (Role.PIT_BOSS, Role.COMPLIANCE):
        found += list(seen_by(desk.house.users[role], ids, told, {session.table.name}, only))
    found += list(told_in_reports(desk.house.casino))
    found += [(event.action, bytes(event.body).decode()) for event in events]
    return found


# ---- who may ---------------------------------------------------------------------------------------


def at_the_table(desk: Desk) -> None:
    """The house's croupier deals at the table from now on."""
    house = desk.house
    with clock.standing_at(FOUNDED):
        person = house.person(games=[GAME], user=house.users[Role.CROUPIER])
    post = desk.table.session.assignments.filter(during__endswith=None).order_by("pk")[0].post
    sessions.relieve(session=desk.table.session, staff=person, post=post, by=desk.table.by())


@pytest.mark.rule("REC-11")
def test_who_stands_at_the_table_notes_bids_and_chiefs_run_the_bank(desk: Desk) -> None:
    opening = {"seat": 4, "amount": "500.00"}
    for role in (Role.CROUPIER, Role.DEVICE, Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR):
        assert desk.refused(f"{desk.session}/bank", opening, who=role)[:2] == (403, "not_allowed"), role
    auction = desk.auction()
    bids = f"auctions/{auction['id']}/bids"
    for role in (Role.CAGE, Role.COMPLIANCE, Role.INSPECTOR, Role.ADMINISTRATOR):
        answer = desk.refused(bids, {"seat": 1, "amount": "10.00"}, who=role)
        assert answer[:2] == (403, "not_allowed"), role
    # A croupier of other tables does not even see it; one of this table notes what is called out.
    assert desk.refused(bids, {"seat": 1, "amount": "10.00"}, who=Role.CROUPIER)[:2] == (404, "not_found")
    assert desk.get("auctions", who=Role.CROUPIER)["count"] == 0
    at_the_table(desk)
    taken = desk.made(bids, {"seat": 1, "amount": "10.00"}, who=Role.CROUPIER)
    assert taken["bids"][0]["noted_by"] == "Persona croupier"
    for role in (Role.CROUPIER, Role.CAGE, Role.INSPECTOR, Role.DEVICE):
        assert desk.get(f"auctions/{auction['id']}", who=role)["bids_taken"] == 1


@pytest.mark.rule("REC-11")
def test_a_chief_of_another_pit_does_not_write_here(house: House, desk: Desk) -> None:
    elsewhere = house.table()
    user = house.users[Role.PIT_BOSS]
    by = house.by(Role.ADMINISTRATOR, reason="sectores")
    duties.set_duties(user=user, pits=[elsewhere.pit], by=by)
    opening = {"seat": 4, "amount": "500.00"}
    mine = (403, "not_your_pit")
    assert desk.refused(f"{desk.session}/bank", opening, who=user)[:2] == mine
    assert desk.get(f"{desk.session}/bank", who=user)["bank"] is None
    duties.set_duties(user=user, pits=[], by=by)
    auction = desk.auction()
    duties.set_duties(user=user, pits=[elsewhere.pit], by=by)
    bids = f"auctions/{auction['id']}/bids"
    assert desk.refused(bids, {"seat": 1, "amount": "10.00"}, who=user)[:2] == mine
    desk.over(auction)
    assert desk.refused(f"auctions/{auction['id']}/close", who=user)[:2] == mine


def test_another_casinos_bank_does_not_exist(desk: Desk) -> None:
    auction = desk.auction("sealed")
    theirs = a_desk(a_house())
    bank = desk.get(f"{desk.session}/banks")["results"][0]["id"]
    paths = [
        f"{desk.session}/bank", f"banks/{bank}/pass", f"passages/{auction['passage_id']}/decline",
        f"auctions/{auction['id']}/bids", f"auctions/{auction['id']}/close",
    ]  # fmt: skip
    body = {"seat": 1, "amount": "10.00"}
    fitting = {"pass": {}, "close": {}, "decline": {"seat": 1}}
    for path in paths:
        sent = fitting.get(path.rpartition("/")[2], body)
        assert theirs.refused(path, sent)[:2] == (404, "not_found"), path
    assert theirs.get("auctions")["count"] == 0
    assert theirs.get(f"{desk.session}/banks")["count"] == 0
    foreign = {"taking": desk.table.at(1).pk, "amount": "500.00"}
    told = theirs.ask(f"{theirs.session}/bank", foreign).json()
    assert [(one["field"], one["code"]) for one in told["errors"]] == [("taking", "does_not_exist")]


@pytest.mark.rule("GEN-10")
def test_the_act_is_signed_by_two_after_the_close(desk: Desk) -> None:
    auction = desk.auction()
    act = f"auctions/{auction['id']}/act"
    running = desk.client(Role.SUPERVISOR).get(f"/api/v1/{act}")
    assert (running.status_code, running.json()["code"]) == (409, "auction_running")
    desk.made(f"auctions/{auction['id']}/bids", {"seat": 1, "amount": "10.00"})
    desk.over(auction)
    bank = desk.made(f"auctions/{auction['id']}/close")["bank_id"]
    desk.made(f"banks/{bank}/deposit", {"amount": "10.00"})
    found = desk.get(act)
    assert (found["auction"]["label"], found["draw"]["seed_hash"]) == (auction["label"], auction["seed_hash"])
    sign = f"auctions/{auction['id']}/sign"
    other = desk.house.users[Role.PIT_BOSS].username
    wrong = desk.ask(sign, {"second": other, "second_password": "otra"})
    assert (wrong.status_code, wrong.json()["field"]) == (401, "second")
    alone = {"second": desk.house.users[Role.SUPERVISOR].username, "second_password": PASSWORD}
    assert desk.refused(sign, alone)[:3] == (422, "same_person", "GEN-10")
    signed = desk.made(sign, {"second": other, "second_password": PASSWORD})
    assert [one["signed_by"] for one in signed] == ["Persona supervisor", "Persona pit_boss"]
    assert {one["digest"] for one in signed} == {found["digest"]}
