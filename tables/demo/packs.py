"""Decks received and inspected, shoes prepared step by step, and the cards as they lie in them.

The pack is shuffled here with a seeded generator, and then the shoe is prepared by the same write
functions the floor uses: the card that is turned and burned for is the first of that very pack.
"""

from __future__ import annotations

import datetime as dt
import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from shoes import cards, decks, examining, moving, shoes, steps
from shoes.models import Deck, Shoe
from shoes.ordering import Procedure
from shoes.points import points_of
from shoes.procedures import procedure_of
from tables.demo.filings import MAKER
from tables.demo.house import House

COURT_BURNS = 10
RED, BLUE = "rojo", "azul"
SPARE = 36
"""Boxes that stay closed in the store."""
FOR_BLACK_JACK = 12


@dataclass
class Pack:
    """A ready shoe and the cards still in it, the next one last."""

    shoe: Shoe
    inside: list[str]

    def draw(self) -> str:
        return self.inside.pop()

    def shuffle_again(self, chance: random.Random) -> None:
        """The whole pack, shuffled anew: what is done after each round of a game of one deck."""
        self.inside = list(cards.composition(self.shoe.deck_type, self.shoe.decks_wanted).elements())
        chance.shuffle(self.inside)


class Store:
    """The demo's decks: received before the evening, handed out and inspected when a shoe needs them."""

    def __init__(self, house: House, decks_wanted: int, at: dt.datetime) -> None:
        self._house = house
        self._numbers = itertools.count(1)
        self._closed = {
            colour: iter(self.receive(number, at, colour=colour))
            for colour, number in ((RED, decks_wanted + SPARE), (BLUE, FOR_BLACK_JACK + SPARE // 2))
        }

    def receive(
        self, number: int, at: dt.datetime, *, colour: str, batch: str = "L-2026-11"
    ) -> list[tuple[str, str]]:
        """So many decks into the store, before the pit boss and compliance: serial numbers and seals."""
        places = list(itertools.islice(self._numbers, number))
        boxes = [(f"ND-{place:05d}", f"P{40_000 + place:06d}") for place in places]
        decks.register_decks(
            serials=[serial for serial, _ in boxes],
            seals=[seal for _, seal in boxes],
            maker=MAKER,
            batch=batch,
            back_design="rombos",
            back_colour=colour,
            homologation="AJ-2026-0007",
            received_with=self._house.users["compliance"].actor,
            declared=number,
            by=self._house.by("pitboss", at),
        )
        return boxes

    def take(self, number: int, at: dt.datetime, *, colour: str = RED, place: str = moving.DESK) -> list[str]:
        """So many decks out of the store and handed to a table; nobody has opened them yet."""
        boxes = dict(itertools.islice(self._closed[colour], number))
        croupier, supervisor = self._house.users["croupier"].actor, self._house.by("supervisor", at)
        decks.issue_decks(seals=boxes, place=place, received_by=croupier, by=supervisor)
        return list(boxes)

    def inspect(self, serials: Sequence[str], at: dt.datetime, **found: Any) -> None:
        """Each of them examined by a supervisor and a dealer; without fault unless `found` says so."""
        croupier, supervisor = self._house.users["croupier"].actor, self._house.by("supervisor", at)
        whole = {"counted": 52, "by_suit_shown": True, "backs_checked": True}
        for deck in Deck.objects.filter(casino=self._house.casino, serial__in=serials).order_by("serial"):
            examining.inspect_deck(
                deck=deck,
                inspector=supervisor.actor,
                witness=croupier,
                by=supervisor,
                **{**whole, **found},
            )

    def prepare(
        self, game: str, device: str, at: dt.datetime, seed: int, *, place: str = moving.DESK, up_to: str = ""
    ) -> Pack:
        """A shoe for a game, ready; or waiting for the step `up_to`. Its decks were handed to `place`."""
        by, chief = self._house.by("croupier", at), self._house.by("supervisor", at)
        procedure = procedure_of(game)
        serials = self._examined(procedure, at, place)
        shoe = shoes.start_shoe(game=game, device=device, by=by)
        pack = list(cards.composition(procedure.deck_type, procedure.decks_default).elements())
        random.Random(seed).shuffle(pack)
        for step in procedure.steps:
            if step.code == up_to:
                break
            data = self._answer(step.kind, pack, serials, seed)
            signs = chief if step.signers else by
            shoe = shoes.take_step(shoe=shoe, step=step.code, data=data, by=signs)
        return Pack(shoe, pack)

    def _examined(self, procedure: Procedure, at: dt.datetime, place: str) -> list[str]:
        """The decks of a shoe: of two colours where its rule says so (CARD-05)."""
        blue = procedure.backs.of_each_colour
        serials = self.take(procedure.decks_default - blue, at, place=place)
        if blue:
            serials += self.take(blue, at, colour=BLUE, place=place)
        self.inspect(serials, at)
        return serials

    def _answer(self, kind: steps.Kind, pack: list[str], serials: list[str], seed: int) -> dict[str, object]:
        """What a careful dealer gives for a step; the cards it burns leave the pack."""
        match kind:
            case steps.AddDecks():
                return {"serials": serials}
            case steps.Shuffle():
                return {"kind": "triple"}
            case steps.ShuffleByHand():
                return {"kind": "suggested"}
            case steps.Check():
                return {"sequences": "none"}
            case steps.Cut():
                declined, cutter = ([2], 1) if kind.offers == "down" else ([1], 2)
                deep = max(kind.min_from_end, len(pack) // 3) + seed % (len(pack) // 4)
                return {"declined": declined, "cut_by": cutter, "position": deep}
            case steps.Load():
                return {"stop_card_from_end": kind.stop_from_end}
            case steps.LoadBetween():
                return {"stop_card_from_end": kind.least}
            case steps.Burn():
                del pack[-kind.cards :]
                return {"burned": kind.cards}
            case steps.BurnByValue():
                turned = pack.pop()
                burned = points_of(turned) or COURT_BURNS
                del pack[-burned:]
                return {"card": turned, "burned": burned}
        return {}
