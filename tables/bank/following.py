"""An auction as those who follow it see it: who leads, what the next bid must be, who is out and why.

A sealed auction shows how many were handed in and nothing else; its seed nowhere before the
close.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, Q, prefetch_related_objects

from casino.kernel.words import Text
from tables.bank import draw, seeing
from tables.bank.auctions import digest_of, tied_digest_of
from tables.bank.bidding import Offer
from tables.bank.bids import offers_of
from tables.bank.history import ended_in, refusals_of
from tables.models import Auction, AuctionSeat, AuctionSignature, AwayMark, Bank, BankDeposit, Bid

OPEN, AWARDED, DEPOSITED, GIVEN_BACK, REFUSED, RETURNED, VACANT = (
    "open", "awarded", "deposited", "given_back", "refused", "returned", "vacant",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bidder:
    """A place in an auction. `best`: the player's highest bid, 0 none or hidden; `handed_in`: a sealed one
    that is not open yet; `out`: why none is taken."""

    place: AuctionSeat
    best: int
    handed_in: bool
    leads: bool
    rule: str
    out: Text | None


@dataclass(frozen=True, slots=True)
class Following:
    """An auction at an instant. `least`: the least the next bid may be; `bids` the latest first, none of a
    sealed one before its close; `scores`: of a tie, each seat with its score, the lowest first;
    `before`, `after`: the auctions of the same bank that it follows on and that followed, after a refusal;
    `why`: the reason given where the bank was not taken, or given back.
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
    before: Auction | None
    after: Auction | None
    why: str

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
            return GIVEN_BACK if self.bank.ending == Bank.Ending.REFUSED else DEPOSITED
        if self.bank.state == Bank.State.AWARDED:
            return AWARDED
        return REFUSED if self.bank.ending == Bank.Ending.REFUSED else RETURNED

    @property
    def signable(self) -> bool:
        """Whether its act may be signed: closed, and its deposit not awaited."""
        return self.stage not in (OPEN, AWARDED)

    @property
    def nobody_may_bid(self) -> bool:
        return self.open and all(one.out is not None for one in self.bidders)

    @property
    def drawn(self) -> Bid | None:
        """Whose bid came out of the draw of a tie; None where there was none."""
        return self.auction.winner if len(self.leading) > 1 else None

    @property
    def extended_by(self) -> Bid | None:
        """The late bid that moved the close to where it stands."""
        if self.hidden or self.auction.form == Auction.Form.SEALED:
            return None
        extension = dt.timedelta(seconds=self.auction.extension_s)
        return next((bid for bid in self.bids if bid.at + extension == self.auction.closes_at), None)

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

    @property
    def tied_digest(self) -> str:
        """What a tie was drawn with."""
        return _tied_digest(self.leading)


def follow(auction: Auction, instant: dt.datetime) -> Following:
    """An auction as it may be shown at `instant`."""
    rows = Bid.objects.select_related("taking", "together").order_by("number")
    prefetch_related_objects([auction], Prefetch("bids", rows))
    bids = tuple(reversed(auction.bids.all())) if seeing.told(auction) else ()
    leading = tuple(seeing.leading(auction))
    bank = ended_in(auction)
    refused = bank is not None and bank.ending == Bank.Ending.REFUSED
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
        before=_before(auction),
        after=_after(bank),
        why=refusals_of(auction.session).get(bank.pk, "") if bank is not None and refused else "",
    )


def stamp_of(auction: Auction) -> str:
    """Other text whenever what `follow` shows may have changed, for screens that ask again."""
    bank = ended_in(auction)
    after = _after(bank)
    away = AwayMark.objects.filter(taking__session=auction.session_id, during__endswith=None)
    seen = (
        auction.state,
        auction.last_bid,
        auction.closes_at,
        None if bank is None else (bank.pk, bank.state, bank.ending, bank.opening),
        after.pk if after is not None else None,
        sorted(away.values_list("taking", flat=True)),
        auction.places.filter(taking__during__endswith=None).count(),
        auction.signatures.count() if auction.closed_at else 0,
    )
    return repr(seen)


def _before(auction: Auction) -> Auction | None:
    """The auction whose bank was not taken, after which this one is held (BANK-15)."""
    left = auction.passage.left
    if left.ending != Bank.Ending.REFUSED:
        return None
    return Auction.objects.filter(Q(bank=left) | Q(bank=None, passage__to=left)).first()


def _after(bank: Bank | None) -> Auction | None:
    """The auction held because the bank of one was not taken."""
    if bank is None or bank.ending != Bank.Ending.REFUSED:
        return None
    return Auction.objects.filter(passage__left=bank).order_by("pk").first()


def _bidders(
    auction: Auction, bids: Sequence[Bid], leading: Sequence[Bid], instant: dt.datetime
) -> tuple[Bidder, ...]:
    best: dict[int, int] = {}
    sealed = set() if seeing.told(auction) else {bid.taking_id for bid in auction.bids.all()}
    for bid in bids:
        best[bid.taking_id] = max(best.get(bid.taking_id, 0), bid.amount)
    first = {bid.taking_id for bid in leading}
    places = list(auction.places.select_related("taking").order_by("seat"))
    marks = AwayMark.objects.filter(
        taking__in=[place.taking_id for place in places], during__contains=instant
    )
    away = set(marks.values_list("taking", flat=True)) if auction.state == Auction.State.OPEN else set()
    return tuple(
        Bidder(
            place,
            best.get(place.taking_id, 0),
            place.taking_id in sealed,
            place.taking_id in first,
            *_out(auction, place, away),
        )
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
    digest = _tied_digest(leading)
    found = draw.scores(auction.seed, digest, auction.label, [bid.seat for bid in leading])
    return tuple(sorted(found.items(), key=lambda entry: (entry[1], entry[0])))


def _tied_digest(leading: Sequence[Bid]) -> str:
    return tied_digest_of([Offer(b.number, b.taking_id, b.seat, b.amount, b.at) for b in leading])
