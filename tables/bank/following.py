"""An auction as those who follow it see it: who leads, what the next bid must be, who is out and why.

A sealed auction shows how many were handed in and nothing else; its seed nowhere before the
close.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, prefetch_related_objects

from casino.kernel.words import Text
from tables.bank import draw, seeing
from tables.bank.auctions import digest_of
from tables.bank.bids import offers_of
from tables.models import Auction, AuctionSeat, AuctionSignature, AwayMark, Bank, BankDeposit, Bid

OPEN, AWARDED, DEPOSITED, REFUSED, VACANT = "open", "awarded", "deposited", "refused", "vacant"


@dataclass(frozen=True, slots=True)
class Bidder:
    """A place in an auction. `best`: the player's highest bid, 0 none or hidden; `out`: why none is taken."""

    place: AuctionSeat
    best: int
    leads: bool
    rule: str
    out: Text | None


@dataclass(frozen=True, slots=True)
class Following:
    """An auction at an instant. `least`: the least the next bid may be; `bids` the latest first, none of a
    sealed one before its close; `scores`: of a tie, each seat with its score, the lowest first.
    """

    auction: Auction
    bidders: tuple[Bidder, ...]
    bids: tuple[Bid, ...]
    leading: tuple[Bid, ...]
    least: int
    scores: tuple[tuple[int, str], ...]
    bank: Bank | None
    deposit: BankDeposit | None
    signatures: tuple[AuctionSignature, ...]

    @property
    def open(self) -> bool:
        return self.auction.state == Auction.State.OPEN

    @property
    def hidden(self) -> bool:
        """Whether what was bid is not to be shown yet."""
        return not seeing.told(self.auction)

    @property
    def stage(self) -> str:
        """Where the auction stands, for whoever has to do something next."""
        if self.open:
            return OPEN
        if self.bank is None:
            return VACANT
        if self.bank.held_at is not None:
            return DEPOSITED
        return AWARDED if self.bank.state == Bank.State.AWARDED else REFUSED

    @property
    def closes_ms(self) -> int:
        return int(self.auction.closes_at.timestamp() * 1000)

    @property
    def lasts_ms(self) -> int:
        """From the opening to the close as it stands: what the bar of the time left is measured by."""
        return max(1, self.closes_ms - int(self.auction.opened_at.timestamp() * 1000))

    @property
    def digest(self) -> str:
        return digest_of(offers_of(self.auction))


def follow(auction: Auction, instant: dt.datetime) -> Following:
    """An auction as it may be shown at `instant`."""
    rows = Bid.objects.select_related("taking", "together").order_by("number")
    prefetch_related_objects([auction], Prefetch("bids", rows))
    bids = tuple(reversed(auction.bids.all())) if seeing.told(auction) else ()
    leading = tuple(seeing.leading(auction))
    bank = _bank(auction)
    return Following(
        auction=auction,
        bidders=_bidders(auction, bids, leading, instant),
        bids=bids,
        leading=leading,
        least=seeing.least_bid(auction),
        scores=_scores(auction, leading),
        bank=bank,
        deposit=BankDeposit.objects.filter(bank=bank).order_by("pk").first() if bank is not None else None,
        signatures=tuple(auction.signatures.select_related("actor")),
    )


def stamp_of(auction: Auction) -> str:
    """Other text whenever what `follow` shows may have changed, for screens that ask again."""
    bank = _bank(auction)
    away = AwayMark.objects.filter(taking__session=auction.session_id, during__endswith=None)
    seen = (
        auction.state,
        auction.last_bid,
        auction.closes_at,
        None if bank is None else (bank.pk, bank.state, bank.ending, bank.opening),
        sorted(away.values_list("taking", flat=True)),
        auction.places.filter(taking__during__endswith=None).count(),
        auction.signatures.count() if auction.closed_at else 0,
    )
    return repr(seen)


def _bank(auction: Auction) -> Bank | None:
    """The bank it ended in: the highest bidder's, or the right hand's where nobody bid."""
    if auction.state == Auction.State.OPEN:
        return None
    return auction.bank if auction.bank_id else auction.passage.to


def _bidders(
    auction: Auction, bids: Sequence[Bid], leading: Sequence[Bid], instant: dt.datetime
) -> tuple[Bidder, ...]:
    best: dict[int, int] = {}
    for bid in bids:
        best[bid.taking_id] = max(best.get(bid.taking_id, 0), bid.amount)
    first = {bid.taking_id for bid in leading}
    places = list(auction.places.select_related("taking").order_by("seat"))
    marks = AwayMark.objects.filter(
        taking__in=[place.taking_id for place in places], during__contains=instant
    )
    away = set(marks.values_list("taking", flat=True)) if auction.state == Auction.State.OPEN else set()
    return tuple(
        Bidder(place, best.get(place.taking_id, 0), place.taking_id in first, *_out(auction, place, away))
        for place in places
    )


def _out(auction: Auction, place: AuctionSeat, away: set[int]) -> tuple[str, Text | None]:
    if place.rule:
        return place.rule, Text(place.why_es, place.why_en)
    if auction.state == Auction.State.OPEN and place.taking.during.upper is not None:
        return "BANK-10", Text("dejó el asiento", "left the seat")
    if place.taking_id in away:
        return "BANK-22", Text("está ausente", "is away")
    return "", None


def _scores(auction: Auction, leading: Sequence[Bid]) -> tuple[tuple[int, str], ...]:
    if len(leading) < 2 or not auction.seed:
        return ()
    digest = digest_of(offers_of(auction))
    found = draw.scores(auction.seed, digest, auction.label, [bid.seat for bid in leading])
    return tuple(sorted(found.items(), key=lambda entry: (entry[1], entry[0])))
