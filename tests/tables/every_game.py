"""Tables of any game, made by the write functions: rules, limits, people, decks and a prepared pack."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from casino.kernel.permissions import Role
from shoes import cards
from shoes.cards import COVERED
from shoes.models import Shoe
from shoes.procedures import procedure_of
from shoes.shoes import add_decks, start_shoe
from tables import crew, openings
from tables.cards_out import standing
from tables.games.base import Detail, Game
from tables.models import Table, TableSession
from tests.builders import BOB, FLOAT, NIGHT, House
from tests.games import walking
from tests.kept import kept
from tests.shoes import builders

CHIP = 1 * BOB
LOW, HIGH = 10 * BOB, 1_000 * BOB
_BLINDS = {"blind": (10 * BOB, 20 * BOB)}
_STUD = {"ante": (2 * BOB, 2 * BOB), "bring_in": (5 * BOB, 20 * BOB), "bet": (20 * BOB, 40 * BOB)}
RING_LIMITS: Mapping[str, dict[str, tuple[int, int]]] = {
    "poker.texas": _BLINDS,
    "poker.omaha": _BLINDS,
    "poker.five_card_stud": _STUD,
    "poker.seven_card_stud": _STUD,
}
"""Small and big blind; ante, bring-in with the small bet, the smaller and the larger bet."""


def prepared(house: House, game: str, pack: Sequence[str], at: Any = NIGHT) -> Shoe:
    """A pack through every step of its game's procedure; what is turned for the burn is `pack[0]`."""
    return _prepared(house, game, pack[0], len(pack), at)


@kept
def _prepared(house: House, game: str, first: str, size: int, at: Any) -> Shoe:
    by = house.by(Role.PIT_BOSS, at)
    procedure = procedure_of(game)
    shoe = start_shoe(game=game, by=by)
    decks = builders.inspected_decks(house.casino, by, procedure.decks_default, deck_type=procedure.deck_type)
    shoe = add_decks(shoe=shoe, serials=[deck.serial for deck in decks], by=by)
    for step in procedure.steps[1:]:
        shoe = builders.signed(shoe, step.code, _answer(game, step.code, first, size), by)
    return shoe


def _answer(game: str, step: str, first: str, size: int) -> dict[str, Any]:
    kinds = {step.code: step.kind for step in procedure_of(game).steps}
    kind: Any = kinds[step]
    match step:
        case "shuffle":
            return {"kind": "suggested" if "poker" in game or not hasattr(kind, "kinds") else "double"}
        case "check":
            return {"sequences": "none"}
        case "cut":
            return {"declined": [], "cut_by": 1, "position": max(kind.min_from_end, size // 3)}
        case "load":
            return {"stop_card_from_end": getattr(kind, "stop_from_end", 0) or kind.least}
        case "burn" if hasattr(kind, "cards"):
            return {"burned": kind.cards}
        case "burn":
            return {"card": first, "burned": burn_for(first)}
    return {}


def burn_for(card: str) -> int:
    """CARD-37: as many as its value, courts and tens ten."""
    return {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0])


def burned(game: str, pack: Sequence[str]) -> int:
    """How many cards the preparation of a game burns from the top of a pack."""
    answer = next(
        (
            _answer(game, step.code, pack[0], len(pack))
            for step in procedure_of(game).steps
            if step.code == "burn"
        ),
        {},
    )
    return int(answer.get("burned", 0)) + ("card" in answer)


def limits_of(game: Game) -> dict[str, tuple[int, int]]:
    """The same limits on every spot; of a poker ring what it is played for: blinds, antes, buy-in."""
    if game.bank == "ring":
        return RING_LIMITS[game.code]
    return dict.fromkeys(game.layout or game.spots, (LOW, HIGH))


@kept
def a_table(
    house: House, game: Game, detail: Detail = Detail.FULL, rules: Mapping[str, Any] | None = None
) -> Table:
    """A table of any game at its rules' own number of seats."""
    spots = limits_of(game)
    read = game.read_rules(dict(rules or {}))
    return house.table(
        game=game.code, detail=detail.value, seats=read.seats, chip=CHIP, limits=spots, rules=rules
    )


def open_session(
    house: House, table: Table, game: Game, pack: Sequence[str], shoe: Shoe | None = None
) -> TableSession:
    """The table open, with everybody the catalogue wants at it."""
    first, size = (pack[0], len(pack)) if game.deck_type else ("", 0)
    return _open_session(house, table, game, first, size, shoe)


@kept
def _open_session(
    house: House, table: Table, game: Game, first: str, size: int, shoe: Shoe | None
) -> TableSession:
    if shoe is None and game.deck_type:
        shoe = _prepared(house, game.code, first, size, NIGHT)
    helpers = crew.wanted(game.code).get(crew.helping_post(game.code), 0)
    people = [house.person(games=[game.code]) for _ in range(1 + helpers)]
    return openings.open_session(
        table=table,
        shoe=shoe,
        chips_counted=FLOAT,
        dealer=people[0],
        payers=people[1:],
        supervisor=house.person(games=[game.code], supervises=True),
        by=house.by(Role.SUPERVISOR),
    )


def shuffled(game: Game, chance: random.Random) -> list[str]:
    """The pack as it is prepared by default, shuffled, next card first; none for a game without cards."""
    if not game.deck_type:
        return []
    pack = list(cards.composition(game.deck_type, procedure_of(game.code).decks_default).elements())
    chance.shuffle(pack)
    return pack


def walked(game: Game, opened: Any, pack: Sequence[str], chance: random.Random) -> list[dict[str, Any]]:
    """The log of a round walked along its prompts with the cards of a pack in their order."""
    state, inside = opened, iter(pack)
    for _ in range(walking.LONGEST):
        prompts = game.prompts(state)
        if state.complete:
            return [dict(event) for event in state.log]
        event = walking.filled(walking.chosen(prompts, chance), inside)
        state = game.play(state, event)
    raise AssertionError(f"{game.code}: no end after {walking.LONGEST} steps")


def named(log: Sequence[Mapping[str, Any]]) -> list[str]:
    """The cards a log names when they are dealt."""
    return [event["card"] for event in standing(log) if event["e"] == "card" and event["card"] != COVERED]


def seeded(seed: int) -> random.Random:
    return random.Random(seed)
