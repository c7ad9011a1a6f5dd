"""Decks received and inspected, shoes prepared step by step, and the cards as they lie in them.

The pack is shuffled here with a seeded generator, and then the shoe is prepared by the same write
functions the floor uses: the card that is turned and burned for is the first of that very pack.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from dataclasses import dataclass

from shoes import cards, decks, examining, moving, shoes, steps
from shoes.models import Shoe
from shoes.points import points_of
from shoes.procedures import procedure_of
from tables.demo.house import House

COURT_BURNS = 10


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
    """The demo's decks: as many as its shoes need, all inspected by a supervisor and a dealer."""

    def __init__(self, house: House, decks_wanted: int, at: dt.datetime) -> None:
        self._house = house
        self._serials = self._receive(decks_wanted, at)

    def _receive(self, number: int, at: dt.datetime) -> Iterator[str]:
        boss, supervisor = self._house.by("pitboss", at), self._house.by("supervisor", at)
        croupier, compliance = (self._house.users[name].actor for name in ("croupier", "compliance"))
        serials = [f"ND-{place:05d}" for place in range(1, number + 1)]
        decks.register_decks(
            serials=serials,
            seals=[f"P{place:06d}" for place in range(40_001, 40_001 + number)],
            maker="Naipes del Altiplano",
            batch="L-2026-11",
            back_design="rombos",
            back_colour="rojo",
            homologation="AJ-2026-0007",
            received_with=compliance,
            declared=number,
            by=boss,
        )
        sealed = dict(
            zip(serials, (f"P{place:06d}" for place in range(40_001, 40_001 + number)), strict=True)
        )
        issued = decks.issue_decks(seals=sealed, place=moving.DESK, received_by=croupier, by=supervisor)
        for deck in issued:
            examining.inspect_deck(
                deck=deck,
                counted=52,
                by_suit_shown=True,
                backs_checked=True,
                inspector=supervisor.actor,
                witness=croupier,
                by=supervisor,
            )
        return iter(serials)

    def prepare(self, game: str, device: str, at: dt.datetime, seed: int, *, up_to: str = "") -> Pack:
        """A shoe for a game, ready; or waiting for the step `up_to`."""
        by, chief = self._house.by("croupier", at), self._house.by("supervisor", at)
        procedure = procedure_of(game)
        shoe = shoes.start_shoe(game=game, device=device, by=by)
        pack = list(cards.composition(procedure.deck_type, procedure.decks_default).elements())
        random.Random(seed).shuffle(pack)
        for step in procedure.steps:
            if step.code == up_to:
                break
            data = self._answer(step.kind, pack, procedure.decks_default, seed)
            signs = chief if step.signers else by
            shoe = shoes.take_step(shoe=shoe, step=step.code, data=data, by=signs)
        return Pack(shoe, pack)

    def _answer(self, kind: steps.Kind, pack: list[str], wanted: int, seed: int) -> dict[str, object]:
        """What a careful dealer gives for a step; the cards it burns leave the pack."""
        match kind:
            case steps.AddDecks():
                return {"serials": [next(self._serials) for _ in range(wanted)]}
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
