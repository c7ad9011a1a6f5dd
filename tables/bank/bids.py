"""Bids for a bank at auction: judged, numbered and written under the auction's lock alone, not the table's.

Each takes the next number under that lock, at the instant of Sabot's clock under it, so that order and time
agree whatever a tablet's clock says. What a sealed bid offers is shown by nothing until the close.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from audits.by import By
from audits.models import Event
from casino.kernel import clock, locking
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from tables import duties
from tables.bank import bidding, draw, policies
from tables.bank.bidding import Ground, Offer
from tables.guests.admitting import Where, hold_guests, require_admitted, share_lists
from tables.guests.holding import lock_takings
from tables.models import Auction, AwayMark, Bid, SeatTaking, TableSession
from tables.noting import note

State, Form = Auction.State, Auction.Form


@command(policies.BID, setting=True)
def bid(*, auction: Auction, taking: SeatTaking, amount: int, by: By) -> Bid:
    """A player's bid, in smallest units, as the table hears it.

    Raises `Conflict` (`auction_closed`, `not_seated`, `away`), `RuleViolation` by why the player is out
    (`may_not_bid`), BANK-11, BANK-26, GEN-04, GEN-07; `TurnedAway` (GEN-11).
    """
    share_lists(by.casino)
    # So that nobody leaves the seat between the bid and the award.
    lock_takings([taking])
    hold_guests([taking])
    held = _hold_auction(auction, by)
    return _take_bid(held, taking, amount, by, None)


@command(policies.BID, setting=True)
def bid_together(*, auction: Auction, takings: Sequence[SeatTaking], amount: int, by: By) -> list[Bid]:
    """Several players heard at the same time with one amount, in an outcry: they tie, and a draw decides if
    nobody goes higher (BANK-26). Raises what `bid` does, and `Refused` (`not_together`)."""
    if len({taking.pk for taking in takings}) < 2 or auction.form != Form.OUTCRY:
        raise Refused(
            Text(
                "indique dos jugadores o más, en una subasta a viva voz",
                "name two players or more, in an open outcry",
            ),
            code="not_together",
            rule="BANK-26",
            field="seats",
        )
    share_lists(by.casino)
    lock_takings(takings)
    hold_guests(takings)
    held = _hold_auction(auction, by)
    first = _take_bid(held, takings[0], amount, by, None)
    return [first, *(_take_bid(held, other, amount, by, first) for other in takings[1:])]


# ---- the parts -------------------------------------------------------------------------------------


def _hold_auction(auction: Auction, by: By) -> Auction:
    """The auction, locked and open, at a table its recorder answers for."""
    locking.taking(locking.Rank.AUCTION)
    held = (
        Auction.objects.select_for_update(of=("self",), no_key=True)
        .select_related("session__table", "session__day", "session__casino", "session__shoe")
        .get(pk=auction.pk)
    )
    duties.require_pit(by, held.session.table)
    if held.state != State.OPEN:
        raise bidding.closed()
    return held


def _take_bid(auction: Auction, taking: SeatTaking, amount: int, by: By, first: Bid | None) -> Bid:
    # The clock of another server may be a little behind: a bid is never earlier than the one before it.
    last = auction.bids.order_by("-number").values_list("at", flat=True).first()
    at = max(clock.now(), last or auction.opened_at)
    by = replace(by, occurred_at=at, reason="")
    who = _require_may_bid(auction, taking, at)
    place = f"{auction.session.table.name}/{who.seat}"
    require_admitted(who.guest, where=Where.AUCTION, place=place, by=by, held=True)
    ground = ground_of(auction)
    bidding.judge(ground, offers_of(auction), taking=who.pk, amount=amount, at=at, together=first is not None)
    auction.last_bid += 1
    auction.closes_at = bidding.extended(ground, at)
    auction.save(update_fields=["last_bid", "closes_at"])
    sealed = auction.form == Form.SEALED
    nonce = draw.new_nonce() if sealed else ""
    seal = draw.sealed_as(amount, nonce) if sealed else ""
    data: dict[str, object] = {
        "auction": auction.pk,
        "bid": auction.last_bid,
        "player": who.alias,
        "taking": who.pk,
        "seat": who.seat,
        "closes_at": clock.stamp(auction.closes_at),
        "together": None if first is None else first.number,
    }
    # What a sealed bid offers is on the trail after the close alone (BANK-26).
    data |= {"seal": seal} if sealed else {"amount": amount}
    action = "tables.auction.bid_sealed" if sealed else "tables.auction.bid"
    event = tell_auction(action, auction, auction.session, by, data, ["BANK-26"])
    return Bid.objects.create(
        casino=by.casino,
        auction=auction,
        number=auction.last_bid,
        taking=who,
        seat=who.seat,
        amount=amount,
        at=at,
        together=first,
        seal=seal,
        nonce=nonce,
        event=event,
        noted_by=by.actor,
    )


def _require_may_bid(auction: Auction, taking: SeatTaking, at: dt.datetime) -> SeatTaking:
    """Seated since the auction opened, there, and not out by a rule."""
    place = auction.places.filter(taking=taking).select_related("taking__guest").first()
    if place is None or place.taking.during.upper is not None:
        raise Conflict(
            Text(
                f"{taking.alias} no está en su asiento desde que se abrió la subasta: no puja en ella",
                f"{taking.alias} has not been on that seat since the auction opened: no bid in this one",
            ),
            code="not_seated",
            rule="BANK-10",
            field="seat",
        )
    if place.rule:
        raise RuleViolation(
            place.rule,
            Text(
                f"{place.alias} no puja por este banco: {place.why_es}",
                f"{place.alias} may not bid for this bank: {place.why_en}",
            ),
            code="may_not_bid",
            field="seat",
        )
    if AwayMark.objects.filter(taking=place.taking, during__contains=at).exists():
        raise Conflict(
            Text(f"{place.alias} está ausente: marque su vuelta", f"{place.alias} is away: mark the return"),
            code="away",
            rule="BANK-22",
            field="seat",
        )
    return place.taking


def ground_of(auction: Auction) -> Ground:
    """What bids of an auction are judged by, as it stands."""
    return Ground(
        sealed=auction.form == Form.SEALED,
        minimum=auction.minimum,
        increment=auction.increment,
        most=auction.most,
        chip=auction.chip,
        closes_at=auction.closes_at,
        window=dt.timedelta(seconds=auction.window_s),
        extension=dt.timedelta(seconds=auction.extension_s),
        exponent=auction.session.casino.exponent,
    )


def offers_of(auction: Auction) -> list[Offer]:
    """The bids taken so far, in their order."""
    rows = auction.bids.order_by("number").values_list("number", "taking", "seat", "amount", "at")
    return [Offer(*row) for row in rows]


def tell_auction(
    action: str,
    auction: Auction,
    session: TableSession,
    by: By,
    data: dict[str, object],
    rules: Sequence[str],
) -> Event:
    """An event of the session's stream about an auction."""
    return note(action, session, by, {"label": auction.label, **data}, rules)
