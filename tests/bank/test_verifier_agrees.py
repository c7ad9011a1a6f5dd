"""The verifier and the code that takes bids, written apart, say the same of thousands of bids by chance."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

import pytest

from casino.kernel import clock
from casino.kernel.errors import SabotError
from tables.bank import bidding, draw, verify_act
from tables.bank.bidding import Ground, Offer
from tests.bank.acts_by_hand import money, place
from tests.builders import NIGHT

pytestmark = pytest.mark.rule("BANK-26", "BANK-10", "BANK-11")
SEATS = (2, 4, 7)
FIRST_CLOSE = NIGHT + dt.timedelta(seconds=60)


def ground(sealed: bool, closes_at: dt.datetime) -> Ground:
    """From 10 to 200 in steps of 5 and chips of 1, with a window of 10 seconds and a prolongation of 15."""
    ten, fifteen = dt.timedelta(seconds=10), dt.timedelta(seconds=15)
    return Ground(sealed, 1_000, 500, 20_000, 100, closes_at, ten, fifteen)


def auction_of(sealed: bool, closes_at: dt.datetime) -> dict[str, Any]:
    return {
        "form": "sealed" if sealed else "outcry",
        "minimum": money(10),
        "increment": money(5),
        "most": money(200),
        "chip": money(1),
        "window_seconds": 10,
        "extension_seconds": 15,
        "at_once_seconds": 3,
        "opened_at": clock.stamp(NIGHT),
        "first_close": clock.stamp(FIRST_CLOSE),
        "closes_at": clock.stamp(closes_at),
        "closed_at": clock.stamp(closes_at),
    }


def told(offer: Offer, sealed: bool, closes_at: dt.datetime, together: int | None) -> dict[str, Any]:
    nonce = f"{offer.number:032x}"
    return {
        "number": offer.number,
        "seat": offer.seat,
        "player": f"J{offer.seat}",
        "amount": {"value": "", "units": offer.amount},
        "at": clock.stamp(offer.at),
        "together": together,
        "seal": draw.sealed_as(offer.amount, nonce) if sealed else None,
        "nonce": nonce if sealed else None,
        "closes_at": clock.stamp(closes_at),
    }


def holds(sealed: bool, bids: list[dict[str, Any]], closes_at: dt.datetime) -> bool:
    """Whether the verifier takes these bids, of which the last is the one in question."""
    places = [place(seat) for seat in SEATS]
    try:
        verify_act.bids({"auction": auction_of(sealed, closes_at), "places": places, "bids": bids})
    except verify_act.Fault:
        return False
    return True


@pytest.mark.parametrize("sealed", [False, True])
def test_both_take_the_same_bids_and_refuse_the_same(sealed: bool) -> None:
    chance = random.Random(26)
    taken = asked = 0
    for _auction in range(150):
        offers: list[Offer] = []
        bids: list[dict[str, Any]] = []
        closes, now = FIRST_CLOSE, NIGHT
        for _try in range(25):
            now += dt.timedelta(milliseconds=chance.choice((0, 1, 900, 2_999, 3_001, 9_000)))
            best = max((offer.amount for offer in offers), default=0)
            once = not sealed and bool(best) and chance.random() < 0.25
            amount = (
                best if once else chance.choice((950, 1_000, 1_050, best + 400, best + 500, best, 20_100))
            )
            seat = chance.choice(SEATS)
            first = next((offer.number for offer in offers if offer.amount == best), None) if once else None
            offer = Offer(len(offers) + 1, seat, seat, amount, now)
            stands = ground(sealed, closes)
            try:
                bidding.judge(stands, offers, taking=seat, amount=amount, at=now, together=once)
                allowed = True
            except SabotError:
                allowed = False
            after = bidding.extended(stands, now) if allowed else closes
            candidate = told(offer, sealed, after, first)
            assert holds(sealed, [*bids, candidate], after) is allowed, (bids, candidate)
            asked += 1
            if allowed:
                taken += 1
                closes = after
                offers.append(offer)
                bids.append(candidate)
    assert asked == 3_750 and 300 < taken < 3_000


def test_both_draw_the_same_seat() -> None:
    chance = random.Random(26)
    for _draw in range(200):
        seats = sorted(chance.sample(range(1, 10), chance.randint(2, 5)))
        seed, at = f"{chance.getrandbits(256):064x}", clock.stamp(NIGHT)
        digest = draw.tied_digest((seat, 5_000, at) for seat in seats)
        scores = draw.scores(seed, digest, "SUB-2026-00009", seats)
        act = {
            "auction": {"label": "SUB-2026-00009"},
            "bids": [
                {"number": n, "seat": seat, "amount": money(50), "at": at} for n, seat in enumerate(seats, 1)
            ],
            "draw": {
                "seed": seed,
                "tied_digest": digest,
                "tied": seats,
                "scores": {str(seat): score for seat, score in scores.items()},
                "drawn": draw.drawn(scores),
            },
        }
        verify_act.lots(act)
