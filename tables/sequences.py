"""The cards of a shoe round by round, in the order in which they left it: what the detectors look at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from shoes.cards import COVERED
from shoes.models import Shoe
from shoes.ordering import REMOVE
from tables.cards_out import Event, cards_out, order_of
from tables.models import Round


class RoundCards(NamedTuple):
    """What one round (number 0: the burn) brought out: in its order, and every face that is known of it."""

    number: int
    order: tuple[str, ...]
    faces: tuple[str, ...]


def of_shoe(shoe: Shoe) -> list[RoundCards]:
    """Everything that came out of a shoe, its burn first."""
    return [*_burned(shoe), *(_of_round(number, log) for number, log in _rounds(shoe))]


def newest(shoe: Shoe, rounds: int) -> list[tuple[str, ...]]:
    """The cards of the latest rounds of a shoe, oldest first, by one query: what is asked after a round."""
    return [order_of(log) for _, log in _rounds(shoe, rounds + _TO_SPARE)[-rounds:]]


_TO_SPARE = 2
"""Rounds read more than are wanted, for those that were voided as never played."""


def _rounds(shoe: Shoe, newest: int | None = None) -> list[tuple[int, Sequence[Event]]]:
    """Number and log of the rounds that are over, oldest first, but those voided as never played."""
    over = Round.objects.filter(shoe=shoe).exclude(state=Round.State.OPEN)
    rows = over.order_by("-session_id", "-number").values_list("number", "log", "void_event__body")
    return [(number, log) for number, log, void in rows[:newest] if _came_out(void)][::-1]


def _came_out(void_event: Any) -> bool:
    """Whether the cards of a round came out, by the event that voided it, if one did (`rounds.void`)."""
    return void_event is None or json.loads(bytes(void_event))["data"].get("cards_came_out", True)


def _of_round(number: int, log: Sequence[Event]) -> RoundCards:
    out = cards_out(log)
    return RoundCards(number, order_of(log), (*out.faces, *out.exposed))


def _burned(shoe: Shoe) -> Iterator[RoundCards]:
    """What the burn took: the cards that were turned come first, the others went face down (CARD-37)."""
    steps = list(shoe.steps.order_by("seq").values_list("step", "data"))
    restarts = [at for at, (step, _) in enumerate(steps) if step == REMOVE]
    for _, data in steps[restarts[-1] + 1 if restarts else 0 :]:
        if "out" in data:
            known = tuple(data["known"])
            yield RoundCards(0, known + (COVERED,) * (data["out"] - len(known)), known)
