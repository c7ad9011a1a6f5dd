"""What may be shown of an auction: of sealed bids, only that they were handed in, until it is closed.

Pages, API and reports read amounts here. The seed stands on the auction once it is revealed; before
that it is in `AuctionSecret`, which nothing shows (BANK-26).
"""

from __future__ import annotations

from tables.bank import bidding
from tables.bank.bidding import Offer
from tables.models import Auction, Bid


def told(auction: Auction) -> bool:
    """Whether what was bid may be told: of an outcry at once, of sealed bids after the close."""
    return auction.form == Auction.Form.OUTCRY or auction.state != Auction.State.OPEN


def leading(auction: Auction) -> list[Bid]:
    """The bids that lead, one or several that tie; none without bids, or while they are sealed.

    Reads `auction.bids` as it is prefetched, in the order of their numbers.
    """
    if not told(auction):
        return []
    bids = {bid.number: bid for bid in auction.bids.all()}
    offers = [Offer(b.number, b.taking_id, b.seat, b.amount, b.at) for _n, b in sorted(bids.items())]
    return [bids[offer.number] for offer in bidding.leading(offers)]


def least_bid(auction: Auction) -> int:
    """The least that may be bid next, in smallest units: the opening bid, or the leading one raised. What
    a sealed bid of one's own asks for is not told."""
    found = leading(auction)
    return found[0].amount + auction.increment if found else auction.minimum
