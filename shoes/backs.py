"""Which backs may lie in one pack: design and colour, by the rule of its game.

Pure. A pack of the wrong backs is refused as early as it can be known: with the deck that makes it
impossible, not when the pack is whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from casino.kernel.errors import RuleViolation
from casino.kernel.words import Text

if TYPE_CHECKING:
    from shoes.ordering import Procedure


class Back(NamedTuple):
    """A deck's back as the store has it."""

    design: str
    colour: str


@dataclass(frozen=True, slots=True)
class BackRule:
    """Every pack bears one design. Of its colours: all one (`one_colour`), or so many decks of each of two
    or all of one (`of_each_colour`), or any."""

    rule: str
    one_colour: bool = False
    of_each_colour: int = 0


def require_fit(
    procedure: Procedure, inside: Sequence[Back], joining: Sequence[Back], wanted: int
) -> dict[str, Any]:
    """What the step says of the backs once decks join those inside; the pack is to have `wanted` decks.

    `single_colour` is true of a whole pack of one colour where two are the custom: tables then alternate
    colours (CARD-05). Raises `RuleViolation` (`back_designs_differ`, `back_colours_differ`) citing the rule
    of the game's decks.
    """
    allowed, together = procedure.backs, [*inside, *joining]
    if len(designs := _names(back.design for back in together)) > 1:
        raise _designs_differ(allowed.rule, sorted(designs.values()))
    names = _names(back.colour for back in together)
    colours = Counter(_key(back.colour) for back in together)
    counted = {names[colour]: count for colour, count in sorted(colours.items())}
    if allowed.one_colour and len(colours) > 1:
        raise _colours_differ(
            allowed.rule,
            Text(
                "todas las barajas de este juego llevan el mismo color de reverso; hay {colours}",
                "all decks of this game bear the same back colour; there are {colours}",
            ),
            counted,
        )
    if allowed.of_each_colour and not _two_colours_fit(colours, allowed.of_each_colour):
        raise _colours_differ(
            allowed.rule,
            Text(
                f"van {allowed.of_each_colour} barajas de cada uno de dos colores, o todas de uno solo;"
                " quedarían {colours}",
                f"{allowed.of_each_colour} decks of each of two colours go in, or all of one;"
                " there would be {colours}",
            ),
            counted,
        )
    single = bool(allowed.of_each_colour) and len(colours) == 1 and len(together) == wanted
    return {"single_colour": True} if single else {}


def completing(
    procedure: Procedure, inside: Sequence[Back], offered: Sequence[Back], wanted: int
) -> list[int]:
    """Which of the decks `offered`, by place in the list, complete a pack of `wanted`: the first that may lie
    together, of two colours before one where that is the custom. Empty where none do."""
    kinds = list(dict.fromkeys(map(_kind, offered)))
    for choice, of_each in _choices(procedure.backs, kinds):
        taken: list[int] = []
        for at, back in enumerate(offered):
            so_far = [offered[i] for i in taken]
            if len(inside) + len(taken) == wanted:
                break
            enough = of_each and sum(_kind(other) == _kind(back) for other in so_far) == of_each
            if _kind(back) in choice and not enough and _fits(procedure, [*inside, *so_far], back, wanted):
                taken.append(at)
        if taken and len(inside) + len(taken) == wanted:
            return taken
    return []


Kind = tuple[str, str]


def _kind(back: Back) -> Kind:
    return _key(back.design), _key(back.colour)


def _choices(allowed: BackRule, kinds: Sequence[Kind]) -> Iterator[tuple[Sequence[Kind], int]]:
    """The backs that may be tried together, with how many of each at the most (0: any)."""
    for design in dict.fromkeys(design for design, _colour in kinds):
        alike = [kind for kind in kinds if kind[0] == design]
        if allowed.of_each_colour:
            yield from ((pair, allowed.of_each_colour) for pair in combinations(alike, 2))
        if allowed.of_each_colour or allowed.one_colour:
            yield from (([kind], 0) for kind in alike)
        else:
            yield alike, 0


def _fits(procedure: Procedure, inside: Sequence[Back], back: Back, wanted: int) -> bool:
    try:
        require_fit(procedure, inside, [back], wanted)
    except RuleViolation:
        return False
    return True


def _two_colours_fit(colours: Mapping[str, int], of_each: int) -> bool:
    return len(colours) < 2 or (len(colours) == 2 and max(colours.values()) <= of_each)


def as_written(name: str, known: Iterable[str]) -> str:
    """A name of a back as it was written before, if it was: stock is told apart by it."""
    alike = [other for other in known if _key(other) == _key(name)]
    return name if name in alike or not alike else alike[0]


def _key(name: str) -> str:
    """Two people may write the same colour with another capital."""
    return " ".join(name.casefold().split())


def _names(given: Any) -> dict[str, str]:
    """Each name as it was first written."""
    found: dict[str, str] = {}
    for name in given:
        found.setdefault(_key(name), name)
    return found


def _designs_differ(rule: str, designs: Sequence[str]) -> RuleViolation:
    shown = ", ".join(designs)
    return RuleViolation(
        rule,
        Text(
            f"todas las barajas de un sabot llevan el mismo dibujo de reverso; hay {shown}",
            f"all decks of a shoe bear the same back design; there are {shown}",
        ),
        {"designs": list(designs)},
        code="back_designs_differ",
        field="serials",
    )


def _colours_differ(rule: str, words: Text, counted: Mapping[str, int]) -> RuleViolation:
    shown = ", ".join(f"{count} × {colour}" for colour, count in counted.items())
    return RuleViolation(
        rule,
        words.fill(colours=shown),
        {"colours": dict(counted)},
        code="back_colours_differ",
        field="serials",
    )
