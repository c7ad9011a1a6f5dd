"""Acts of auctions worked out by hand, each with its hashes, for the tests of the verifier."""

from __future__ import annotations

import copy
import hashlib
import json
from typing import Any

SEED = "5a" * 32
DAY = "2026-11-20T22:"
Act = dict[str, Any]
SIGNED = ("format", "casino", "session", "auction", "places", "bids", "draw", "award", "outcome")


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def money(whole: int) -> Act:
    return {"value": f"{whole}.00", "units": whole * 100}


def event(number: int) -> Act:
    return {"stream": "session:3", "number": number, "hash": sha(b"%d" % number)}


def bid(number: int, seat: int, whole: int, at: str, closes: str, together: int | None = None) -> Act:
    return {
        "number": number,
        "seat": seat,
        "player": f"J{seat}",
        "amount": money(whole),
        "at": f"{DAY}{at}Z",
        "together": together,
        "seal": None,
        "nonce": None,
        "closes_at": f"{DAY}{closes}.000000Z",
        "event": event(40 + number),
    }


def place(seat: int, rule: str = "") -> Act:
    why = {"es": "pasó este banco", "en": "passed this bank"} if rule else None
    return {"seat": seat, "player": f"J{seat}", "rule": rule, "why": why}


def the_act() -> Act:
    """Seat 5 passed the bank; 2, 4 and 7 bid for it in a minute with a window of 10 and a prolongation of 15.

    Bid 3 comes with 5 seconds left: the close moves to 22:00:55 + 15 s = 22:01:10. Bid 4 was heard with it:
    seats 2 and 7 tie at 60 and a draw decides.
    """
    bids = [
        bid(1, 2, 10, "00:05.000000", "01:00"),
        bid(2, 4, 50, "00:20.000000", "01:00"),
        bid(3, 2, 60, "00:55.000000", "01:10"),
        bid(4, 7, 60, "00:55.500000", "01:10", together=3),
    ]
    act: Act = {
        "format": "sabot.auction-act/1",
        "house": {"name": "Casa", "licence": "", "zone": "America/La_Paz"},
        "casino": {"code": "casa", "currency": "BOB", "exponent": 2},
        "session": {
            "table": "BB-01",
            "label": "BB-01 · 2026-11-20 · 1",
            "day": "2026-11-20",
            "stream": "session:3",
        },
        "auction": {
            "label": "SUB-2026-00001",
            "form": "outcry",
            "state": "awarded",
            "left_by": {"bank": 1, "seat": 5, "player": "J5", "ending": "passed"},
            "minimum": money(10),
            "increment": money(1),
            "most": money(1000),
            "chip": money(1),
            "window_seconds": 10,
            "extension_seconds": 15,
            "at_once_seconds": 3,
            "opened_at": f"{DAY}00:00.000000Z",
            "first_close": f"{DAY}01:00.000000Z",
            "closes_at": f"{DAY}01:10.000000Z",
            "closed_at": f"{DAY}01:12.000000Z",
            "opened_event": event(40),
            "closed_event": event(45),
        },
        "places": [place(2), place(4), place(5, "BANK-12"), place(7)],
        "bids": bids,
        "draw": {"seed_hash": sha(bytes.fromhex(SEED)), "seed": SEED},
        "later": None,
    }
    return awarded(act)


def awarded(act: Act) -> Act:
    """With the digest of its bids, draw, award, deposit, its own digest and two signatures worked out."""
    lines = [f"{b['number']} {b['seat']} {b['amount']['units']} {b['at']}\n" for b in act["bids"]]
    digest = sha("".join(lines).encode())
    best = max(b["amount"]["units"] for b in act["bids"])
    equal = [b for b in act["bids"] if b["amount"]["units"] == best]
    tied = list(dict.fromkeys(b["seat"] for b in equal))
    ties = "".join(f"{b['seat']} {b['amount']['units']} {b['at']}\n" for b in equal)
    head = bytes.fromhex(act["draw"]["seed"]) + bytes.fromhex(sha(ties.encode()))
    scores = {str(s): sha(head + f":{act['auction']['label']}:{s}".encode()) for s in tied}
    first = min(tied, key=lambda seat: scores[str(seat)])
    drawn = first if len(tied) > 1 else None
    act["draw"] |= {
        "bids_digest": digest,
        "tied_digest": sha(ties.encode()) if drawn else None,
        "tied": tied,
        "scores": scores if drawn else {},
        "drawn": drawn,
    }
    won = next(b for b in act["bids"] if b["seat"] == first and b["amount"]["units"] == best)
    same = {"seat": first, "player": won["player"], "amount": dict(won["amount"])}
    act["award"] = {"how": "auction", "rule": "BANK-10", "bid": won["number"], "bank": 2, **same}
    act["outcome"] = {
        "kind": "deposited",
        "at": f"{DAY}02:00.000000Z",
        "event": event(46),
        **copy.deepcopy(same),
    }
    return signed(act)


def signed(act: Act) -> Act:
    """With its digest, and signed by two people."""
    parts = {part: act[part] for part in SIGNED}
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    act["digest"] = sha(text.encode())
    act["signatures"] = [
        {
            "actor": n,
            "name": f"Persona {n}",
            "digest": act["digest"],
            "at": f"{DAY}05:00.000000Z",
            "event": event(60 + n),
        }
        for n in (1, 2)
    ]
    return act


def sealed_act() -> Act:
    """The same auction in sealed bids: two envelopes of 80 tie, none moves the close."""
    act = the_act()
    act["auction"] |= {"form": "sealed", "closes_at": f"{DAY}01:00.000000Z"}
    act["bids"] = [
        bid(1, 7, 40, "00:05.000000", "01:00"),
        bid(2, 4, 80, "00:20.000000", "01:00"),
        bid(3, 2, 80, "00:55.000000", "01:00"),
    ]
    for one in act["bids"]:
        one["nonce"] = f"{one['number']:032x}"
        one["seal"] = sha(f"{one['nonce']}:{one['amount']['units']}".encode())
    return awarded(act)


def deserted_act() -> Act:
    """Nobody bid: seat 4, at the right of 5, takes it at the minimum."""
    act = the_act()
    act["auction"] |= {"state": "deserted", "closes_at": f"{DAY}01:00.000000Z"}
    act["bids"] = []
    act["draw"] |= {"bids_digest": sha(b""), "tied_digest": None, "tied": [], "scores": {}, "drawn": None}
    act["auction"]["right_hand"] = {
        "from_seat": 5,
        "direction": "right",
        "table_seats": 9,
        "skipped": [{"seat": 5, "player": "J5", "why": "passed"}],
        "moved": [],
    }
    same = {"seat": 4, "player": "J4", "amount": money(10)}
    act["award"] = {"how": "forced", "rule": "BANK-13", "bid": None, "bank": 2, **same}
    act["outcome"] |= copy.deepcopy(same)
    return signed(act)
