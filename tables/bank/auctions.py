"""The auction of a bank nobody took by turn: opened, bid for, closed and awarded, taken or refused.

    open_auction -> bid … -> close_auction -> awarded (AUCTION), or nobody bid -> the right hand (FORCED)
    award -> opening.deposit, or refuse_bank -> another auction without who refused (BANK-15)

Bids lock the auction alone, not the table: each takes the next number under its lock, at the instant of
Sabot's clock under that lock, so that order and time agree. Nothing is recorded at an instant a caller
states.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from audits.by import By
from casino.kernel import clock, locking
from casino.kernel.commands import command
from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import NumberSeries
from tables.bank import bidding, draw, policies
from tables.bank.bidding import Offer
from tables.bank.bids import offers_of, tell_auction
from tables.bank.chain import Origin, excluded, not_obliged, origin
from tables.bank.handing import end_bank
from tables.bank.holding import Situation, hold, require_between_rounds, require_table_runs
from tables.bank.opening import award, moved_on, require_same, tell
from tables.bank.order import order
from tables.bank.persons import persons
from tables.bank.stepping import end_passage
from tables.bank.turns import barred, sittings_of
from tables.guests.admitting import findings
from tables.models import (
    Auction,
    AuctionSeat,
    AuctionSecret,
    Bank,
    BankPassage,
    SeatTaking,
    TableSession,
)

State, Form, Step, Result = Auction.State, Auction.Form, BankPassage.Step, BankPassage.Result
SERIES = "auction"


@command(policies.OPEN_AUCTION, setting=True)
def open_auction(*, passage: BankPassage, form: str, by: By) -> Auction:
    """Open the auction of a bank that was offered round and not taken (BANK-10, BANK-11).

    The seed's hash is on the trail from now on. Raises `Conflict` (`not_for_auction`, `auction_open`,
    `session_closing`, `round_in_progress`), `Refused` (`bad_form`).
    """
    if form not in Form.values:
        raise Refused(
            Text("elija a viva voz o a sobre cerrado", "choose open outcry or sealed bids"),
            code="bad_form",
            field="form",
        )
    situation = hold(passage.session, by)
    by = by.by_the_clock()
    found = situation.passage
    if found is None or found.pk != passage.pk or found.step != Step.AUCTION:
        raise _not_for_auction()
    if situation.auction is not None:
        raise Conflict(
            Text(f"{situation.auction.label} está abierta", f"{situation.auction.label} is open"),
            code="auction_open",
            rule="BANK-10",
        )
    require_table_runs(situation, "BANK-10")
    require_between_rounds(situation, "BANK-10")
    auction = _created(situation, found, form, by)
    places = _seat_all(situation, auction, origin(found.left), by)
    data = {
        "auction": auction.pk,
        "passage": found.pk,
        "form": form,
        "minimum": auction.minimum,
        "increment": auction.increment,
        "most": auction.most,
        "chip": auction.chip,
        "window_s": auction.window_s,
        "extension_s": auction.extension_s,
        "closes_at": clock.stamp(auction.closes_at),
        "seed_hash": auction.seed_hash,
        "places": [_place_told(place) for place in places],
    }
    tell_auction("tables.auction.opened", auction, situation.session, by, data, _opening_rules(places))
    moved_on(situation, by)
    return auction


@command(policies.CLOSE_AUCTION, setting=True)
def close_auction(*, auction: Auction, by: By) -> Auction:
    """Close an auction whose time is up, reveal the seed, and award the bank (BANK-10, BANK-13, BANK-26).

    Raises `Conflict` (`auction_running`, `auction_closed`).
    """
    # An act stated a little ahead of time does not hold up the close: it is then noted at that instant.
    locking.taking(locking.Rank.SESSION)
    session = TableSession.objects.select_for_update(of=("self",), no_key=True).get(pk=auction.session_id)
    situation = hold(session, replace(by, occurred_at=max(clock.now(), session.last_at)))
    found = situation.auction
    if found is None or found.pk != auction.pk:
        raise bidding.closed()
    now = clock.now()
    if now < found.closes_at:
        raise _running(found, now)
    by = replace(by, occurred_at=max(now, situation.session.last_at))
    offers = offers_of(found)
    found.seed = AuctionSecret.objects.get(auction=found).seed
    found.closed_at = by.occurred_at
    if offers:
        _award(situation, found, offers, by)
    else:
        _deserted(situation, found, by)
    moved_on(situation, by)
    return found


@command(policies.RUN_BANK)
def refuse_bank(*, bank: Bank, by: By) -> BankPassage:
    """Who acquired the bank does not take it, or will not deal: it is auctioned again without that player,
    and without the banker before who had passed it (BANK-15). Needs a reason; what was in it goes back
    (BANK-05).

    Raises `Conflict` (`bank_ended`, `round_in_progress`), `RuleViolation` BANK-15 (`has_dealt`).
    """
    by.need_reason()
    situation = hold(bank.session, by)
    mine = require_same(situation, bank)
    require_between_rounds(situation, "BANK-15")
    if mine.deals:
        raise RuleViolation(
            "BANK-15",
            Text("ya repartió: el banco se pasa", "has dealt already: the bank is passed on"),
            code="has_dealt",
        )
    end_bank(situation, mine, Bank.Ending.REFUSED, by, ["BANK-15"])
    passage = BankPassage.objects.create(
        casino=by.casino,
        session=situation.session,
        left=mine,
        step=Step.AUCTION,
        least=situation.figures.least,
        retake=situation.figures.least,
        begun_at=by.occurred_at,
    )
    situation.passage = passage
    tell("tables.bank.step", situation, mine, by, {"passage": passage.pk, "step": passage.step}, ["BANK-15"])
    moved_on(situation, by)
    return passage


# ---- opening -----------------------------------------------------------------------------------------


def _created(situation: Situation, passage: BankPassage, form: str, by: By) -> Auction:
    figures = situation.figures
    year = by.occurred_at.astimezone(ZoneInfo(by.casino.zone)).year
    seed = draw.new_seed()
    locking.taking(locking.Rank.SLIP_SERIES)
    auction = Auction.objects.create(
        casino=by.casino,
        session=situation.session,
        passage=passage,
        year=year,
        number=NumberSeries.take(by.casino, SERIES, year),
        form=form,
        minimum=figures.least,
        increment=figures.increment,
        most=figures.most,
        chip=figures.terms.chip,
        window_s=figures.rules.auction_window_seconds,
        extension_s=figures.rules.auction_extension_seconds,
        opened_at=by.occurred_at,
        closes_at=by.occurred_at + dt.timedelta(seconds=figures.rules.auction_seconds),
        seed_hash=draw.seed_hash(seed),
    )
    AuctionSecret.objects.create(casino=by.casino, auction=auction, seed=seed)
    situation.auction = auction
    return auction


def _seat_all(situation: Situation, auction: Auction, found: Origin, by: By) -> list[AuctionSeat]:
    session = situation.session
    who = persons(session)
    out = {who[pk]: why for pk, why in excluded(found, barred(session, by.occurred_at)).items()}
    here = [(one, out.get(who[one.taking])) for one in sittings_of(session, by.occurred_at)]
    rows = [
        AuctionSeat(
            casino=by.casino,
            auction=auction,
            taking_id=one.taking,
            seat=one.seat,
            alias=one.alias,
            rule=why.rule if why else "",
            why_es=why.why.es if why else "",
            why_en=why.why.en if why else "",
        )
        for one, why in here
    ]
    return AuctionSeat.objects.bulk_create(rows)


def _place_told(place: AuctionSeat) -> dict[str, object]:
    told = {"seat": place.seat, "player": place.alias, "taking": place.taking_id, "out": place.rule}
    return {**told, "why_es": place.why_es, "why_en": place.why_en}


def _opening_rules(places: Sequence[AuctionSeat]) -> list[str]:
    return sorted({"BANK-10", "BANK-11", "BANK-26", *(place.rule for place in places if place.rule)})


def _not_for_auction() -> Conflict:
    return Conflict(
        Text(
            "el banco se subasta sólo si la rotación no lo colocó: ofrézcalo antes por turno",
            "the bank is auctioned only if nobody took it in rotation: offer it by turn first",
        ),
        code="not_for_auction",
        rule="BANK-10",
    )


# ---- closing -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RightHand:
    """Who must take a bank nobody bid for, and how that was counted, as its event tells."""

    taking: SeatTaking | None
    told: dict[str, object]


def digest_of(offers: Sequence[Offer]) -> str:
    """The digest of all bids (`draw.bids_digest`)."""
    return draw.bids_digest((one.number, one.seat, one.amount, clock.stamp(one.at)) for one in offers)


def tied_digest_of(tied: Sequence[Offer]) -> str:
    """The digest the draw is made with (`draw.tied_digest`)."""
    return draw.tied_digest((one.seat, one.amount, clock.stamp(one.at)) for one in tied)


def _award(situation: Situation, auction: Auction, offers: Sequence[Offer], by: By) -> None:
    tied = bidding.leading(offers)
    digest = tied_digest_of(tied)
    scores = draw.scores(auction.seed, digest, auction.label, [one.seat for one in tied])
    seat = draw.drawn(scores)
    best = next(one for one in tied if one.seat == seat)
    winner = auction.bids.select_related("taking").get(number=best.number)
    left = auction.passage.left
    locking.taking(locking.Rank.BANK)
    bank = award(situation, winner.taking, Bank.How.AUCTION, best.amount, by, previous=left, admitted=True)
    auction.state, auction.winner, auction.bank = State.AWARDED, winner, bank
    auction.save(update_fields=["state", "winner", "bank", "seed", "closed_at"])
    end_passage(situation, Result.AUCTIONED, by, to=bank)
    data = {
        **_closing_data(auction, offers),
        "draw": {str(seat): score for seat, score in scores.items()} if len(tied) > 1 else {},
        "tied_digest": digest if len(tied) > 1 else None,
        "winning_bid": winner.number,
        "seat": seat,
        "player": winner.taking.alias,
        "amount": best.amount,
        "bank": bank.pk,
    }
    tell_auction("tables.auction.awarded", auction, situation.session, by, data, ["BANK-10", "BANK-26"])


def _deserted(situation: Situation, auction: Auction, by: By) -> None:
    """Nobody bid: the bank is the right hand's of who passed it, at the table's minimum (BANK-13)."""
    auction.state = State.DESERTED
    auction.save(update_fields=["state", "seed", "closed_at"])
    found = origin(auction.passage.left)
    right = _right_hand(situation, auction, found, by)
    taking, bank = right.taking, None
    if taking is None:
        end_passage(situation, Result.VACANT, by)
    else:
        least = situation.figures.least
        bank = award(
            situation, taking, Bank.How.FORCED, least, by, previous=auction.passage.left, admitted=True
        )
        end_passage(situation, Result.FORCED, by, to=bank)
    data = {**_closing_data(auction, []), "right_hand": right.told}
    if bank is None:
        tell_auction("tables.auction.deserted", auction, situation.session, by, data, ["BANK-13"])
        return
    data |= {
        "seat": bank.holder.seat,
        "player": bank.holder.alias,
        "amount": bank.required,
        "bank": bank.pk,
    }
    tell_auction("tables.auction.forced", auction, situation.session, by, data, ["BANK-13"])


def _right_hand(situation: Situation, auction: Auction, found: Origin, by: By) -> RightHand:
    """Who sits nearest to the right of who passed the bank, of those at the table since the auction opened
    who are there and are obliged; priority lost does not count here."""
    session = situation.session
    who = persons(session)
    free = {who[pk]: why for pk, why in not_obliged(found, barred(session, by.occurred_at)).items()}
    places = list(auction.places.order_by("seat"))
    since = {who[place.taking_id] for place in places}
    seated = SeatTaking.objects.filter(session=session, during__endswith=None, guest__isnull=False)
    unwanted = {
        taking.pk
        for taking in seated.select_related("guest")
        if taking.guest is not None and findings(taking.guest, by.occurred_at)
    }
    here = {who[one.taking]: one for one in sittings_of(session, by.occurred_at)}
    gone = [place for place in places if who[place.taking_id] not in here]
    skipped = [{"seat": place.seat, "player": place.alias, "why": "left"} for place in gone]
    sitting, moved = [], []
    for person, one in here.items():
        why = free.get(person) or ("away" if one.away_since else "" if person in since else "came_later")
        why = why or ("not_admitted" if one.taking in unwanted else "")
        if why:
            skipped.append({"seat": one.seat, "player": one.alias, "why": why})
        else:
            sitting.append(replace(one, lost_at=()))
    for place in places:
        now = here.get(who[place.taking_id])
        if now is not None and now.seat != place.seat:
            moved.append({"from": place.seat, "to": now.seat, "player": place.alias})
    to_right = situation.figures.rules.rotation == "right"
    nearest = order(sitting, left=found.seat, seats=session.seats, to_right=to_right)
    told: dict[str, object] = {
        "from_seat": found.seat,
        "direction": situation.figures.rules.rotation,
        "table_seats": session.seats,
        "skipped": skipped,
        "moved": moved,
    }
    taking = SeatTaking.objects.get(pk=nearest[0].taking) if nearest else None
    return RightHand(taking, told)


def _closing_data(auction: Auction, offers: Sequence[Offer]) -> dict[str, object]:
    told: dict[str, object] = {
        "auction": auction.pk,
        "closes_at": clock.stamp(auction.closes_at),
        "bids": len(offers),
        "bids_digest": digest_of(offers),
        "seed": auction.seed,
    }
    if auction.form == Form.SEALED:
        opened = auction.bids.order_by("number").values_list("number", "seat", "amount", "nonce")
        told["opened"] = [list(row) for row in opened]
    return told


def _running(auction: Auction, now: dt.datetime) -> Conflict:
    left = -(-(auction.closes_at - now) // dt.timedelta(seconds=1))
    return Conflict(
        Text(f"faltan {left} segundos para que cierre", f"{left} seconds are left before it closes"),
        code="auction_running",
        rule="BANK-10",
        detail={"closes_at": clock.stamp(auction.closes_at)},
    )
