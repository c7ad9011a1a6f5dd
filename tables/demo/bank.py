"""The player's bank of the demonstration: BA-01, whose bank was won, lost, auctioned, and is in play."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Mapping
from typing import Any

from audits.by import By
from tables import inforce, openings, people, rounds, settings
from tables.bank import acts, auctions, bids, handing, opening, passing
from tables.bank.turns import due
from tables.demo import boxes, filings
from tables.demo.house import BOB, CHIP, House, recorded_at
from tables.demo.packs import Pack, Store
from tables.games import registry
from tables.guests import seats
from tables.models import Auction, Bank, BankPassage, SeatTaking, TableSession

NAME, GAME, PIT_OF = "BA-01", "baccarat.banked", "PB-04"
LIMITS = (50 * BOB, 10_000 * BOB)
CREW = (("Zenón Cabrera", False), ("Abigail Mercado", False), ("Wálter Ríos", False), ("Amalia Soliz", True))
PLAYERS = {2: "Doña Elsa", 4: "Inversor de Oruro", 5: "Señora del abanico", 7: "Minero", 8: "Capitán"}
FIRST, AFTERWARDS = 2_000 * BOB, 1_000 * BOB
BETS = ((300, 200, 100, 50), (150, 100, 400, 50), (250, 100, 50, 200))
"""What those who have not the bank bet on punto, in bolivianos, round by round."""
BIDS = (300, 400, 450)
BEGAN = dt.timedelta(minutes=44)
ROUNDS = 9


def lay_table(house: House, founded: dt.datetime) -> None:
    """The table, its rules and people, in force from `founded` (UTC)."""
    by = house.by("admin", founded, "puesta en marcha de la demostración")
    with recorded_at(founded):
        rules = registry.game(GAME).default_rules().to_json()
        drafter, presenter = house.by("pitboss", founded), house.by("compliance", founded)
        filings.rules_approved(GAME, rules, drafter, presenter, by)
        settings.publish_rules(
            game=GAME,
            params=rules,
            betting_plan="PA-DEMO-2026-01",
            confirmed_by="Demostración",
            confirmation="cifras del reglamento para mostrar el sistema; ningún operador las confirmó",
            by=by,
        )
        table = settings.set_table(
            name=NAME, pit=house.tables[PIT_OF].pit, game=GAME, seats=9, detail="full", by=by
        )
        settings.publish_limits(table=table, chip=CHIP, spots={"punto": LIMITS, "bank": LIMITS}, by=by)
        house.tables[NAME] = table
        for place, (name, supervises) in enumerate(CREW, start=1):
            house.staff[name] = people.set_staff(
                number=f"{300 + place}",
                name=name,
                licence=f"AJ-C-{2_300 + place}",
                licence_expires=founded.date() + dt.timedelta(days=540),
                games=[GAME],
                supervises=supervises,
                by=by,
            )


def evening(house: House, store: Store, now: dt.datetime, chips: Mapping[int, int]) -> None:
    """The table's evening as of `now` (UTC): a first bank, its auction with a signed act, a bank in play."""
    at = now - BEGAN
    pack = store.prepare(GAME, "SB-22", at - dt.timedelta(minutes=20), 77, place=NAME)
    table = _Table(house, _opened(house, pack, chips, at), pack, at)
    table.first_bank()
    table.auctioned()
    table.play_on()


def _opened(house: House, pack: Pack, chips: Mapping[int, int], at: dt.datetime) -> TableSession:
    caller, *helpers, supervisor = (house.staff[name] for name, _ in CREW)
    session = openings.open_session(
        table=house.tables[NAME],
        shoe=pack.shoe,
        chips_counted=chips,
        dealer=caller,
        payers=helpers,
        supervisor=supervisor,
        by=house.by("supervisor", at),
    )
    boxes.put_on(house, session, at)
    boxes.put_on(house, session, at, kind="deduction")
    for seat, alias in PLAYERS.items():
        seats.seat(session=session, seat=seat, alias=alias, by=house.by("supervisor", at))
    return session


class _Table:
    """The table as its evening goes on, one instant after another."""

    def __init__(self, house: House, session: TableSession, pack: Pack, at: dt.datetime) -> None:
        self._house, self._session, self._pack, self._at = house, session, pack, at
        self._bets = itertools.cycle(BETS)

    def first_bank(self) -> None:
        """Opened, played, and passed on while it wins, unless a hand lost it before."""
        bank = opening.open_bank(session=self._session, taking=self._seated(4), amount=FIRST, by=self._by())
        for _ in range(3):
            if self._bank() is not None:
                self._round()
        if self._bank() is not None:
            handing.pass_bank(bank=bank, by=self._by())

    def auctioned(self) -> None:
        """Nobody wants it by turn; three bid, and the act of the auction is signed by two."""
        passage = self._passage()
        while passage.step != BankPassage.Step.AUCTION:
            by = self._by()
            asked = due(self._session, passage, by.occurred_at)
            assert asked is not None
            taking = SeatTaking.objects.get(pk=asked.taking)
            passing.decline_bank(passage=passage, taking=taking, by=by)
            passage.refresh_from_db()
        by = self._by()
        with recorded_at(self._at):
            auction = auctions.open_auction(passage=passage, form=Auction.Form.OUTCRY, by=by)
        places = auction.places.filter(rule="").select_related("taking").order_by("seat")
        for place, offered in zip(places, BIDS, strict=False):
            by = self._by()
            with recorded_at(self._at):
                bids.bid(auction=auction, taking=place.taking, amount=offered * BOB, by=by)
        self._awarded(auction)

    def _awarded(self, auction: Auction) -> None:
        auction.refresh_from_db()
        self._at = auction.closes_at
        with recorded_at(self._at):
            closed = auctions.close_auction(auction=auction, by=self._house.by("supervisor", self._at))
        assert closed.bank is not None
        opening.deposit(bank=closed.bank, amount=closed.bank.required, by=self._by())
        by = self._by()
        with recorded_at(self._at):
            acts.sign_act(auction=closed, with_=self._house.users["pitboss"].actor, by=by)

    def play_on(self) -> None:
        """Rounds until the bank is one that has dealt; whoever is asked takes a lost one."""
        for number in range(2 * ROUNDS):
            if self._bank() is None:
                self._taken()
            self._round()
            if number + 1 >= ROUNDS and self._bank() is not None:
                return

    def _taken(self) -> None:
        passage, by = self._passage(), self._by()
        asked = due(self._session, passage, by.occurred_at)
        assert asked is not None
        taking = SeatTaking.objects.get(pk=asked.taking)
        passing.take_bank(passage=passage, taking=taking, amount=AFTERWARDS, by=by)

    def _round(self) -> None:
        """Bets within what the bank covers, cards from the pack to the hands the rules name."""
        bank = self._bank()
        assert bank is not None
        by = self._by(minutes=1.7)
        current, _ = inforce.for_new_round(self._session, by.occurred_at, self._session.detail)
        events: list[dict[str, Any]] = [
            {"e": "bet", "seat": seat, "spot": "punto", "amount": amount * BOB}
            for seat, amount in zip(
                (seat for seat in PLAYERS if seat != bank.holder.seat), next(self._bets), strict=True
            )
        ]
        events.append({"e": "close"})
        begun = {"e": "bank", "seat": bank.holder.seat, "amount": bank.amount}
        state = current.game.play_all(current.game.open(current.rules, current.terms), [begun, *events])
        while not state.complete:
            event = dict(current.game.prompts(state)[0].events[0])
            if event["e"] == "card":
                event["card"] = self._pack.draw()
            state = current.game.play(state, event)
            events.append(event)
        rounds.log(session=self._session, number=None, events=events, by=by)

    def _bank(self) -> Bank | None:
        live = Bank.objects.filter(session=self._session, state=Bank.State.HELD)
        return live.select_related("holder").first()

    def _passage(self) -> BankPassage:
        return BankPassage.objects.filter(session=self._session).latest("pk")

    def _seated(self, seat: int) -> SeatTaking:
        return SeatTaking.objects.get(session=self._session, seat=seat, during__endswith=None)

    def _by(self, minutes: float = 0.1) -> By:
        self._at += dt.timedelta(minutes=minutes)
        return self._house.by("supervisor", self._at)
