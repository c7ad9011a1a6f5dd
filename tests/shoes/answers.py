"""What careful people give for each step of a preparation, with the figures of the rulebook itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from casino.kernel import rulebook
from shoes.ordering import Procedure, Step
from shoes.procedures import PROCEDURES, procedure_of
from shoes.steps import Field, Pack

WAYS = [(game, method.code) for game in PROCEDURES for method in procedure_of(game).methods]
"""Every game by each of its methods."""


def _shape(procedure: Procedure) -> tuple[Any, ...]:
    """What a person sees of a preparation: its deck, its steps in order and what each asks."""
    steps = [
        (step.code, [(field.name, field.kind) for field in step.kind.fields], bool(step.not_by))
        for step in procedure.steps
    ]
    return procedure.deck_type, repr(steps)


SHAPES = list({_shape(procedure_of(*way)): way for way in reversed(WAYS)}.values())
"""One way of each shape: for what is slow to walk, as a browser is."""

_TURNED_FOR = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}
_BEHIND = ("stop_card_from_end_cards", "stop_card_min_from_end_cards", "separator_min_out_cards")


def whole(procedure: Procedure) -> Pack:
    """The pack of a procedure with all its decks, as many as it takes by itself."""
    return Pack(procedure.deck_type, procedure.decks_default, procedure.decks_default)


def empty(procedure: Procedure) -> Pack:
    """The same before any deck joined."""
    return Pack(procedure.deck_type, 0, procedure.decks_default)


def answer(step: Step, pack: Pack, procedure: Procedure, *, turned: str = "2c") -> dict[str, Any]:
    """What is given for a step without fault; `turned` is the first card where it says how many are burned.

    Nobody declines the cut, seat 1 cuts at half the pack, no sequence is left, machines are number BM-1.
    """
    assert step in procedure.steps, f"{step.code} is no step of this preparation"
    book = {name: value for rule in step.rules for name, value in rulebook.rule(rule).params.items()}
    given: dict[str, Any] = {}
    for field in step.kind.fields:
        if field.when is None or given.get(field.when[0]) in field.when[1]:
            given[field.name] = _given(field, pack, book, turned)
    return given


def _given(field: Field, pack: Pack, book: dict[str, Any], turned: str) -> Any:
    match field.name:
        case "serials":
            return [f"N{number:06d}" for number in range(pack.decks, pack.decks_wanted)]
        case "position":
            return pack.cards // 2
        case "stop_card_from_end":
            return next(book[name] for name in _BEHIND if name in book)
        case "card":
            return turned
        case "burned":
            return book.get("burn_cards") or _TURNED_FOR.get(turned[0]) or int(turned[0])
    if field.kind == "choice":
        return field.choices[0][0]
    return {"seats": [], "cutter": 1, "text": "BM-1", "tick": True}[field.kind]


def walk(procedure: Procedure, *, renewed: bool = False) -> Iterator[tuple[tuple[str, ...], Step, Pack]]:
    """The steps one after the other, each with the codes done before it and the pack as it finds it."""
    done: tuple[str, ...] = ()
    pack = empty(procedure)
    while coming := procedure.next_steps(pack, done, renewed=renewed):
        yield done, coming[0], pack
        done, pack = (*done, coming[0].code), whole(procedure)
