"""Decks received and inspected, shoes prepared step by step, and the cards as they lie in them.

The pack is shuffled here with a seeded generator, and then the shoe is prepared by the same write
functions the floor uses: the card that is turned and burned for is the first of that very pack.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from dataclasses import dataclass

from shoes import cards, decks, shoes
from shoes.models import Shoe
from shoes.points import points_of
from tables.demo.house import House

DECKS_PER_SHOE = 6
COURT_BURNS = 10


@dataclass
class Pack:
    """A ready shoe and the cards still in it, the next one last."""

    shoe: Shoe
    inside: list[str]

    def draw(self) -> str:
        return self.inside.pop()


class Store:
    """The demo's decks: as many as its shoes need, all inspected by a supervisor and a dealer."""

    def __init__(self, house: House, shoes_wanted: int, at: dt.datetime) -> None:
        self._house = house
        self._serials = self._receive(shoes_wanted * DECKS_PER_SHOE, at)

    def _receive(self, number: int, at: dt.datetime) -> Iterator[str]:
        boss, supervisor = self._house.by("pitboss", at), self._house.by("supervisor", at)
        witness = self._house.users["croupier"].actor
        received = decks.register_decks(
            serials=[f"ND-{place:05d}" for place in range(1, number + 1)],
            maker="Naipes del Altiplano",
            batch="L-2026-11",
            back_design="rombos",
            back_colour="rojo",
            by=boss,
        )
        for deck in received:
            decks.inspect_deck(
                deck=deck,
                counted=52,
                by_suit_shown=True,
                backs_checked=True,
                inspector=supervisor.actor,
                witness=witness,
                by=supervisor,
            )
        return iter([deck.serial for deck in received])

    def prepare(self, game: str, device: str, at: dt.datetime, seed: int, *, up_to: str = "") -> Pack:
        """A shoe for a game, ready; or waiting for the step `up_to`."""
        by = self._house.by("croupier", at)
        shoe = shoes.start_shoe(game=game, decks_wanted=DECKS_PER_SHOE, device=device, by=by)
        pack = list(cards.composition(cards.FRENCH52, DECKS_PER_SHOE).elements())
        random.Random(seed).shuffle(pack)
        turned = pack.pop()
        burned = points_of(turned) or COURT_BURNS
        steps: list[tuple[str, dict[str, object]]] = [
            ("decks", {"serials": [next(self._serials) for _ in range(DECKS_PER_SHOE)]}),
            ("show", {}),
            ("wash", {}),
            ("shuffle", {"kind": "triple"}),
            ("cut", {"declined": [1], "cut_by": 2, "position": 100 + seed % 90}),
            ("turn", {}),
            ("load", {"stop_card_from_end": 6}),
            ("burn", {"card": turned, "burned": burned}),
        ]
        for step, data in steps:
            if step == up_to:
                break
            shoe = shoes.take_step(shoe=shoe, step=step, data=data, by=by)
        del pack[-burned:]
        return Pack(shoe, pack)
