"""The cut: who was offered it, in which order, who cut and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from shoes.steps import base
from shoes.steps.base import Field, Kind, Pack

DEALER = "dealer"

_FROM_THE_LEFT = Text(
    "el corte se ofrece desde la izquierda del croupier, en sentido horario, una sola vez",
    "the cut is offered from the dealer's left, clockwise, once to each",
)
_FROM_THE_RIGHT = Text(
    "el corte se ofrece desde la derecha del croupier, una sola vez a cada uno",
    "the cut is offered from the dealer's right, once to each",
)


@dataclass(frozen=True, slots=True)
class Cut(Kind):
    """Who was offered the cut and at how many cards it was made.

    Seats are numbered from the dealer's left, clockwise. `offers`: up where the cut is offered from the
    dealer's left, down where from the right, any where no rule says. `centre_parts`: the dealer's centre
    cut may be off the middle by the pack's cards divided by this (ours: the book says "at the centre" and
    nobody counts 156 cards); 0 where no rule wants it at the centre.
    """

    seats: int
    min_from_end: int
    centre_parts: int = 8
    offers: str = "up"
    offer_rule: str = "CARD-23"
    min_rule: str = "CARD-25"
    centre_rule: str = "CARD-22"
    fields: ClassVar = (
        Field("declined", "seats", Text("Declinaron el corte", "Declined the cut")),
        Field("cut_by", "cutter", Text("Cortó", "Cut by")),
        Field("position", "number", Text("Cartas sobre el corte", "Cards above the cut")),
    )

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        declined: Any = data.get("declined", [])
        cut_by: Any = data.get("cut_by")
        if not isinstance(declined, list | tuple) or not all(self._is_seat(seat) for seat in declined):
            raise self._no_such_seat("declined")
        if cut_by != DEALER and not self._is_seat(cut_by):
            raise self._no_such_seat("cut_by")
        self._check_offers([*declined] if cut_by == DEALER else [*declined, cut_by])
        position = base.number(data, "position")
        self._check_position(pack.cards, position, by_dealer=cut_by == DEALER)
        return {"declined": list(declined), "cut_by": cut_by, "position": position}

    def _is_seat(self, seat: object) -> bool:
        return isinstance(seat, int) and not isinstance(seat, bool) and 1 <= seat <= self.seats

    def _no_such_seat(self, field: str) -> Refused:
        return base.bad(
            field,
            f"indique puestos del 1 al {self.seats}, o el croupier",
            f"give seats 1 to {self.seats}, or the dealer",
        )

    def _check_offers(self, offered: list[int]) -> None:
        # CARD-23: seats count from the dealer's left clockwise, so offers only ever go up; CARD-30: down.
        turn = {"up": 1, "down": -1}.get(self.offers)
        if turn and any((later - earlier) * turn <= 0 for earlier, later in pairwise(offered)):
            raise RuleViolation(
                self.offer_rule,
                _FROM_THE_LEFT if turn > 0 else _FROM_THE_RIGHT,
                {"offered": offered},
                code="cut_offered_out_of_order",
                field="declined",
            )

    def _check_position(self, total: int, position: int, *, by_dealer: bool) -> None:
        least, most = self.min_from_end, total - self.min_from_end
        if not least <= position <= most:
            raise RuleViolation(
                self.min_rule,
                Text(
                    f"deje al menos {least} cartas a cada lado: en {total}, corte entre {least} y {most}",
                    f"leave at least {least} cards on each side: in {total}, cut between {least} and {most}",
                ),
                {"position": position, "least": least, "most": most},
                code="cut_too_near_end",
                field="position",
            )
        if by_dealer and self.centre_parts and abs(2 * position - total) * self.centre_parts > 2 * total:
            off = total // self.centre_parts
            raise RuleViolation(
                self.centre_rule,
                Text(
                    f"si nadie corta, el croupier corta al centro: a {total // 2} cartas, {off} más o menos",
                    f"if nobody cuts, the dealer cuts at the centre: at {total // 2}, give or take {off}",
                ),
                {"position": position, "centre": total // 2, "tolerance": off},
                code="cut_off_centre",
                field="position",
            )
