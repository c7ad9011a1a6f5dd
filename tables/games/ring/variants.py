"""What tells the four ring games apart, as data: the cards of each betting round and who speaks first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from casino.kernel.words import Text


@dataclass(frozen=True, slots=True)
class Street:
    """The cards dealt before one betting round.

    `own`: one entry for each card every player gets, whether it lies open. `board`: community cards,
    burned before where `burn` (PR-14). `late`: the bigger bet of fixed limit is in force (PR-13).
    """

    name: Text
    own: tuple[bool, ...] = ()
    board: int = 0
    burn: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True)
class Variant:
    """One ring game. `has_button`: blinds and button (PR-11), else bring-in and open cards (PR-17).

    `cards_rule` says how it is dealt, `turn_rule` who speaks, `show_rule` what happens at the end.
    `phh`: its code in the Poker Hand History format by betting structure, where that format has one.
    """

    name: Text
    streets: tuple[Street, ...]
    seats_max: int
    has_button: bool
    cards_rule: str
    turn_rule: str
    phh: Mapping[str, str]
    show_rule: str = "PR-02"

    @property
    def own_cards(self) -> int:
        return sum(len(street.own) for street in self.streets)

    @property
    def board_cards(self) -> int:
        return sum(street.board for street in self.streets)

    @property
    def closed_cards(self) -> int:
        return sum(not is_open for street in self.streets for is_open in street.own)


def _board(first: tuple[bool, ...]) -> tuple[Street, ...]:
    return (
        Street(Text("antes de las comunitarias", "before the flop"), first),
        Street(Text("flop", "flop"), board=3, burn=True),
        Street(Text("turn", "turn"), board=1, burn=True, late=True),
        Street(Text("river", "river"), board=1, burn=True, late=True),
    )


def _stud(number: str, ordinal: str, is_open: bool, late: bool) -> Street:
    return Street(Text(f"{number} carta", f"{ordinal} card"), (is_open,), late=late)


VARIANTS: Final[Mapping[str, Variant]] = MappingProxyType(
    {
        # PR-04: two closed, then 3, 1 and 1 of the board.
        "poker.texas": Variant(
            Text("Texas Hold'em", "Texas Hold'em"),
            _board((False,) * 2),
            10,
            True,
            "PR-04",
            "PR-12",
            MappingProxyType({"no_limit": "NT", "fixed_limit": "FT"}),
            show_rule="PR-15",
        ),
        # PR-06: four closed; exactly two of them are used.
        "poker.omaha": Variant(
            Text("Omaha", "Omaha"),
            _board((False,) * 4),
            10,
            True,
            "PR-06",
            "PR-12",
            MappingProxyType({"pot_limit": "PO"}),
        ),
        # PR-03: the first closed, four open.
        "poker.five_card_stud": Variant(
            Text("Five Card Stud", "Five Card Stud"),
            (
                Street(Text("primeras dos cartas", "first two cards"), (False, True)),
                _stud("tercera", "third", True, False),
                _stud("cuarta", "fourth", True, True),
                _stud("quinta", "fifth", True, True),
            ),
            10,
            False,
            "PR-03",
            "PR-17",
            MappingProxyType({}),
        ),
        # PR-05: two closed and one open, three open, the last closed.
        "poker.seven_card_stud": Variant(
            Text("Seven Card Stud", "Seven Card Stud"),
            (
                Street(Text("primeras tres cartas", "first three cards"), (False, False, True)),
                _stud("cuarta", "fourth", True, False),
                _stud("quinta", "fifth", True, True),
                _stud("sexta", "sixth", True, True),
                _stud("séptima", "seventh", False, True),
            ),
            7,
            False,
            "PR-05",
            "PR-17",
            MappingProxyType({"fixed_limit": "F7S"}),
        ),
    }
)

CHOICES: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "fold": Text("se retira", "folds"),
        "check": Text("pasa", "checks"),
        "call": Text("iguala", "calls"),
        "bet": Text("apuesta", "bets"),
        "raise": Text("sube", "raises"),
        "allin": Text("apuesta todo", "goes all in"),
        "bring_in": Text("pone la entrada", "brings it in"),
        "muck": Text("no muestra", "mucks"),
    }
)

SPOTS: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "pot": Text("Pozo", "Pot"),
        "blind": Text("Ciegas", "Blinds"),
        "ante": Text("Ante", "Ante"),
        "bring_in": Text("Entrada", "Bring-in"),
        "bet": Text("Apuesta fija", "Fixed bet"),
        "buy_in": Text("Compra de fichas", "Buy-in"),
    }
)


def spots_of(code: str) -> dict[str, Text]:
    """The spots a table of the game may set, and `pot`, what payouts are of."""
    absent = "bring_in" if VARIANTS[code].has_button else "blind"
    return {spot: name for spot, name in SPOTS.items() if spot != absent}


SPLIT: Final = "split"


def winners_of(code: str) -> dict[str, Text]:
    """Who may win: one seat by its number, or several."""
    seats = range(1, VARIANTS[code].seats_max + 1)
    named = {str(seat): Text(f"Asiento {seat}", f"Seat {seat}") for seat in seats}
    return {**named, SPLIT: Text("Pozo repartido", "Shared pot")}
