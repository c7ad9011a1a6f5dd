"""The act of an auction: all that was done in it as one record, which `verify_act` checks without Sabot, and
its signatures.

Between its close and the end of time the record says the same: of what may be renamed (the house, a table)
it has what the trail says. What is signed is its digest, over the parts named in `SIGNED`: not the
signatures themselves, nor what the house is called today, nor what became of the bank later. The digest is
kept with each signature, so that an act altered since is one nobody signed.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.db.models import QuerySet

from audits.by import By, name_of
from audits.models import Actor, Event
from casino.kernel import clock, locking, money
from casino.kernel.canonical import canonical
from casino.kernel.commands import command, explain_constraint
from casino.kernel.errors import Conflict, RuleViolation
from casino.kernel.words import Text
from shoes.signing import require_beside
from tables import duties
from tables.bank import bidding, policies
from tables.bank.bids import offers_of, tell_auction
from tables.models import Auction, AuctionSeat, AuctionSignature, Bank, Bid

FORMAT = "sabot.auction-act/1"
SIGNED = ("format", "casino", "session", "auction", "places", "bids", "draw", "award", "outcome")
"""What the digest of an act covers."""

OPENED, ENDED = "tables.auction.opened", "tables.bank.ended"
CLOSING = ("tables.auction.awarded", "tables.auction.forced", "tables.auction.deserted")
AWAITED = "awaited"
"""The outcome of an auction whose winner has not deposited yet, and has not refused either."""


def act_of(auction: Auction) -> dict[str, Any]:
    """The act of a closed auction, as JSON values. Raises `Conflict` (`auction_running`; `trail_differs`
    where its opening or close is not on the trail)."""
    if auction.state == Auction.State.OPEN:
        raise Conflict(
            Text(
                f"{auction.label} sigue abierta: el acta se levanta cuando cierra",
                f"{auction.label} is open: its act is drawn up once it has closed",
            ),
            code="auction_running",
            rule="BANK-10",
        )
    told = _told(auction)
    opened, closed = told.one(OPENED), told.one(*CLOSING)
    bank = auction.bank or auction.passage.to
    act: dict[str, Any] = {
        "format": FORMAT,
        "house": _house(auction),
        "casino": _casino(auction),
        "session": _session(auction, opened),
        "auction": _auction(auction, opened, closed, told),
        "places": [_place(one) for one in auction.places.order_by("seat", "pk")],
        "bids": _bids(auction, told),
        "draw": _draw(auction, told.data(closed)),
        "award": _award(auction, bank, told.data(closed)),
        "outcome": _outcome(auction, bank, told),
        "later": _later(auction, bank, told),
        "signatures": _signatures(auction),
    }
    return {**act, "digest": digest_of(act)}


def for_act(rows: QuerySet[Auction]) -> QuerySet[Auction]:
    """Auctions with what their act reads at hand."""
    return rows.select_related(
        "casino",
        "session__casino",
        "session__table",
        "session__day",
        "winner",
        "bank",
        "passage__to",
        "passage__left__holder",
    )


def digest_of(act: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical JSON (RFC 8785) of the signed parts of an act."""
    return hashlib.sha256(canonical({part: act[part] for part in SIGNED})).hexdigest()


# ---- what the trail says of it -----------------------------------------------------------------------


class _Told:
    """The events of a session's stream about one auction and its bank, with their data."""

    def __init__(self, events: Iterable[Event], auction: Auction) -> None:
        self.auction = auction
        self.events = [(event, json.loads(bytes(event.body))["data"]) for event in events]

    def one(self, *actions: str) -> Event:
        """The event of the auction with one of these actions."""
        for event, data in self.events:
            if event.action in actions and data.get("auction") == self.auction.pk:
                return event
        raise Conflict(
            Text(
                f"la auditoría no tiene el suceso de {self.auction.label}: avise a cumplimiento",
                f"the trail lacks an event of {self.auction.label}: tell compliance",
            ),
            code="trail_differs",
            rule="REC-06",
        )

    def data(self, event: Event) -> dict[str, Any]:
        return next(data for one, data in self.events if one.pk == event.pk)

    def ended(self, bank: Bank) -> Event | None:
        """How the bank ended, the last time it did."""
        found = [e for e, data in self.events if e.action == ENDED and data.get("bank") == bank.pk]
        return found[-1] if found else None


def _told(auction: Auction) -> _Told:
    actions = (OPENED, "tables.auction.bid", "tables.auction.bid_sealed", *CLOSING, ENDED)
    events = Event.objects.filter(
        casino=auction.casino_id, stream__name=auction.session.stream, action__in=actions
    )
    return _Told(events.select_related("stream").order_by("seq"), auction)


def _event(event: Event) -> dict[str, Any]:
    """Where an event is found on the trail, and its hash there."""
    return {"stream": event.stream.name, "number": event.seq, "hash": bytes(event.hash).hex()}


# ---- the parts of the act ----------------------------------------------------------------------------


def _units(auction: Auction, amount: int) -> dict[str, Any]:
    """An amount as people write it, and the smallest units it is hashed in."""
    return {"value": money.plain(amount, auction.casino.exponent), "units": amount}


def _at(instant: dt.datetime | None) -> str | None:
    return None if instant is None else clock.stamp(instant)


def _house(auction: Auction) -> dict[str, str]:
    casino = auction.casino
    return {"name": casino.name, "licence": casino.licence, "zone": casino.zone}


def _casino(auction: Auction) -> dict[str, Any]:
    casino = auction.casino
    return {"code": casino.code, "currency": casino.currency, "exponent": casino.exponent}


def _session(auction: Auction, opened: Event) -> dict[str, str]:
    return {
        "table": opened.subject_label.partition(" · ")[0],
        "label": opened.subject_label,
        "day": auction.session.day.date.isoformat(),
        "stream": auction.session.stream,
    }


def _auction(auction: Auction, opened: Event, closed: Event, told: _Told) -> dict[str, Any]:
    left = auction.passage.left
    # How the right hand was counted, where nobody bid; acts of before this was told go without.
    counted = told.data(closed).get("right_hand")
    right_hand = {} if counted is None else {"right_hand": counted}
    return {
        "label": auction.label,
        "form": auction.form,
        "state": auction.state,
        "left_by": {
            "bank": left.number,
            "seat": left.holder.seat,
            "player": left.holder.alias,
            "ending": left.ending,
        },
        "minimum": _units(auction, auction.minimum),
        "increment": _units(auction, auction.increment),
        "most": _units(auction, auction.most),
        "chip": _units(auction, auction.chip),
        "window_seconds": auction.window_s,
        "extension_seconds": auction.extension_s,
        "at_once_seconds": int(bidding.AT_ONCE.total_seconds()),
        "opened_at": _at(auction.opened_at),
        "first_close": told.data(opened)["closes_at"],
        "closes_at": _at(auction.closes_at),
        "closed_at": _at(auction.closed_at),
        "opened_event": _event(opened),
        "closed_event": _event(closed),
        **right_hand,
    }


def _place(place: AuctionSeat) -> dict[str, Any]:
    return {
        "seat": place.seat,
        "player": place.alias,
        "rule": place.rule,
        "why": {"es": place.why_es, "en": place.why_en} if place.rule else None,
    }


def _bids(auction: Auction, told: _Told) -> list[dict[str, Any]]:
    rows = auction.bids.select_related("taking", "together", "event__stream").order_by("number")
    data = {event.pk: said for event, said in told.events}
    return [_bid(auction, bid, data.get(bid.event_id, {})) for bid in rows]


def _bid(auction: Auction, bid: Bid, data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "number": bid.number,
        "seat": bid.seat,
        "player": bid.taking.alias,
        "amount": _units(auction, bid.amount),
        "at": _at(bid.at),
        "together": bid.together.number if bid.together else None,
        "seal": bid.seal or None,
        "nonce": bid.nonce or None,
        "closes_at": data.get("closes_at"),
        "event": _event(bid.event),
    }


def _draw(auction: Auction, data: Mapping[str, Any]) -> dict[str, Any]:
    """As it was told when it closed; `drawn` only where several bids tied."""
    scores = data.get("draw") or {}
    return {
        "seed_hash": auction.seed_hash,
        "seed": auction.seed,
        "bids_digest": data["bids_digest"],
        "tied_digest": data.get("tied_digest"),
        "tied": [one.seat for one in bidding.leading(offers_of(auction))],
        "scores": scores,
        "drawn": data.get("seat") if scores else None,
    }


def _award(auction: Auction, bank: Bank | None, data: Mapping[str, Any]) -> dict[str, Any] | None:
    """To whom, for how much, by which rule; None where nobody must take it (BANK-13)."""
    if bank is None:
        return None
    won = auction.winner
    return {
        "how": bank.how,
        "rule": "BANK-10" if won else "BANK-13",
        "bid": won.number if won else None,
        "seat": data["seat"],
        "player": data["player"],
        "amount": _units(auction, int(data["amount"])),
        "bank": bank.number,
    }


def _outcome(auction: Auction, bank: Bank | None, told: _Told) -> dict[str, Any]:
    """What the award came to: `deposited`, `refused`, `returned` (the table closed), `awaited`, `nobody`."""
    if bank is None:
        return {"kind": "nobody"}
    first = bank.deposits.select_related("taking", "event__stream").order_by("pk").first()
    if first is not None:
        return {
            "kind": "deposited",
            "seat": first.taking.seat,
            "player": first.taking.alias,
            "amount": _units(auction, first.amount),
            "at": _at(first.at),
            "event": _event(first.event),
        }
    event = told.ended(bank)
    if event is None:
        return {"kind": AWAITED}
    return _ending(bank, event, told)


def _later(auction: Auction, bank: Bank | None, told: _Told) -> dict[str, Any] | None:
    """A bank deposited and then given back without a card dealt (BANK-15), after which it is auctioned
    anew."""
    if bank is None or bank.ending != Bank.Ending.REFUSED or not bank.opening:
        return None
    event = told.ended(bank)
    return None if event is None else _ending(bank, event, told)


def _ending(bank: Bank, event: Event, told: _Told) -> dict[str, Any]:
    return {
        "kind": bank.ending,
        "reason": str(told.data(event).get("reason", "")),
        "at": _at(event.occurred),
        "event": _event(event),
    }


def _signatures(auction: Auction) -> list[dict[str, Any]]:
    rows = auction.signatures.select_related("actor", "event__stream").order_by("pk")
    return [
        {
            "actor": row.actor_id,
            "name": name_of(row.actor).es,
            "digest": row.digest,
            "at": _at(row.at),
            "event": _event(row.event),
        }
        for row in rows
    ]


# ---- signed ------------------------------------------------------------------------------------------


@command(policies.SIGN_ACT, setting=True)
def sign_act(*, auction: Auction, with_: Actor, by: By) -> list[AuctionSignature]:
    """Two people sign the act of a closed auction: who acts, and `with_`, who gave a password.

    Raises `RuleViolation` GEN-10 (`same_person`, `not_qualified`, `signed_already`), `Conflict`
    (`auction_running`; `act_not_final` while the deposit is awaited: the act tells of it).
    """
    require_beside(by.actor, with_, policies.SIGN_ACT, field="second")
    held = _held(auction, by)
    act = act_of(held)
    if act["outcome"]["kind"] == AWAITED:
        raise Conflict(
            Text(
                f"el acta de {held.label} dice también el depósito: fírmela cuando se deposite o se rehúse",
                f"the act of {held.label} tells of the deposit too: sign it once it is made or refused",
            ),
            code="act_not_final",
            rule="BANK-17",
        )
    signed = set(held.signatures.values_list("actor", flat=True))
    for actor, field in ((by.actor, ""), (with_, "second")):
        if actor.pk in signed:
            raise _signed_already(actor.name, held.label, field)
    return [_sign(held, act["digest"], by), _sign(held, act["digest"], replace(by, actor=with_))]


def _held(auction: Auction, by: By) -> Auction:
    """The auction, locked, so that two who sign at once are one after the other."""
    locking.taking(locking.Rank.AUCTION)
    held = for_act(Auction.objects.select_for_update(of=("self",), no_key=True)).get(pk=auction.pk)
    duties.require_pit(by, held.session.table)
    return held


def _sign(auction: Auction, digest: str, by: By) -> AuctionSignature:
    data: dict[str, object] = {"auction": auction.pk, "digest": digest}
    event = tell_auction("tables.auction.signed", auction, auction.session, by, data, ["GEN-10", "BANK-26"])
    return AuctionSignature.objects.create(
        casino=by.casino, auction=auction, actor=by.actor, digest=digest, event=event, at=by.occurred_at
    )


def _signed_already(name: str, label: str, field: str) -> RuleViolation:
    return RuleViolation(
        "GEN-10",
        Text(f"{name} ya firmó el acta de {label}", f"{name} has signed the act of {label} already"),
        code="signed_already",
        field=field,
    )


explain_constraint(
    "one_signature_per_person_and_act",
    lambda: RuleViolation(
        "GEN-10",
        Text("esa persona ya firmó esta acta", "that person has signed this act already"),
        code="signed_already",
    ),
)
