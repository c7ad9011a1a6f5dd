"""Rounds as a table sees them: seats bet, cards come out of the pack in order, the engine says where to."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

from shoes.models import Shoe
from tables import carrying, inforce, rounds
from tables.demo.guests import STAKES, Guests
from tables.demo.house import House
from tables.demo.packs import Pack
from tables.games.baccarat.outcome import TwoHands
from tables.games.base import Detail
from tables.games.registry import game as game_of
from tables.models import Round, TableSession


class Dealing:
    """A table in play: its session, its pack, its own generator."""

    def __init__(
        self, house: House, session: TableSession, pack: Pack | None, seed: int, logs_as: str
    ) -> None:
        self._house, self._session, self._pack = house, session, pack
        self._chance = random.Random(seed)
        self._logs_as = logs_as
        self._guests = sorted(self._chance.sample(range(1, session.seats + 1), min(5, session.seats)))

    def change_pack(self, pack: Pack) -> None:
        self._pack = pack

    def deal(self, at: dt.datetime) -> Round | None:
        """One whole round at an instant; None when the stop card forbids another."""
        pack = self._pack
        if pack and Shoe.objects.values_list("stop_reached", flat=True).get(pk=pack.shoe.pk):
            return None
        by = self._house.by(self._logs_as, at)
        return rounds.log(session=self._session, number=None, events=self._events(at), by=by)

    def begin(self, at: dt.datetime) -> Round | None:
        """A round that stays in progress: up to its first two cards, or to the first decision."""
        if self._pack and Shoe.objects.values_list("stop_reached", flat=True).get(pk=self._pack.shoe.pk):
            return None
        by = self._house.by(self._logs_as, at)
        number = TableSession.objects.values_list("last_round", flat=True).get(pk=self._session.pk) + 1
        events = self._events(at)
        decided = next((place for place, event in enumerate(events) if event["e"] == "choice"), 0)
        first = next(place for place, event in enumerate(events) if event["e"] == "card")
        shown = events[: decided or first + 2]
        assert self._pack is not None
        for event in reversed(events[len(shown) :]):
            if "card" in event:
                self._pack.inside.append(event["card"])
        return rounds.play(session=self._session, number=number, step=0, events=shown, by=by)

    def _events(self, at: dt.datetime) -> list[dict[str, Any]]:
        game = game_of(self._session.game)
        if game.family == "baccarat" and game.bank == "house":
            return self._of_two_hands(at)
        current, _ = inforce.for_new_round(self._session, at, self._session.detail)
        handed_on = carrying.carried(self._session)
        opened = game.play_all(game.open(current.rules, current.terms), handed_on)
        if self._pack and game.reshuffles:
            self._pack.shuffle_again(self._chance)
        state = Guests(game, self._guests, self._chance).play(opened, self._draw)
        return [dict(event) for event in state.log[len(handed_on) :]]

    def _draw(self) -> str:
        assert self._pack is not None
        return self._pack.draw()

    def _of_two_hands(self, at: dt.datetime) -> list[dict[str, Any]]:
        detail = Detail(self._session.detail)
        current, _ = inforce.for_new_round(self._session, at, detail)
        bets = self._bets(current.terms.limits) if detail is Detail.FULL else []
        dealt = self._cards()
        if detail is not Detail.RESULT:
            return [*bets, *dealt]
        game = game_of(self._session.game)
        by_cards, _ = inforce.for_new_round(self._session, at, Detail.CARDS)
        outcome = game.settle(game.play_all(game.open(by_cards.rules, by_cards.terms), dealt)).outcome
        assert isinstance(outcome, TwoHands)
        return [{"e": "result", "winner": outcome.winner, "punto": outcome.punto, "banca": outcome.banca}]

    def _cards(self) -> list[dict[str, Any]]:
        """Cards from the pack to the hands the engine names, until it asks for none."""
        game = game_of(self._session.game)
        current, _ = inforce.for_new_round(self._session, self._session.opened_at, Detail.CARDS)
        state, dealt = game.open(current.rules, current.terms), []
        while not state.complete:
            event = {"e": "card", "to": game.prompts(state)[0].to, "card": self._draw()}
            state = game.play(state, event)
            dealt.append(event)
        return dealt

    def _bets(self, limits: Any) -> list[dict[str, Any]]:
        chance, placed = self._chance, []
        dealer = chance.choice(self._guests)
        if game_of(self._session.game).default_rules().dealer == "player":
            placed.append({"e": "deal", "seat": dealer})
        for seat in self._guests:
            if seat != dealer and chance.random() < 0.25:
                continue
            spot = "banca" if chance.random() < 0.52 else "punto"
            low, high = limits[spot]
            placed.append(_bet(seat, spot, min(low * chance.choice(STAKES), high)))
            if chance.random() < 0.15:
                placed.append(_bet(seat, "tie", limits["tie"][0]))
        return [*placed, {"e": "close"}]


def _bet(seat: int, spot: str, amount: int) -> dict[str, Any]:
    return {"e": "bet", "seat": seat, "spot": spot, "amount": amount}
