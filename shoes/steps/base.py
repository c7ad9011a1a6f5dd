"""What every step has: the pack it sees, the fields it asks, and how an answer is read.

Pure. A kind is a frozen dataclass whose fields are the rule's numbers; a game's procedure
(`shoes.procedures`) is a list of steps made of these kinds. `read()` takes what the person gave and
returns it in canonical form, or raises: `Refused` when it cannot be understood, `RuleViolation`
when the rule forbids it.

What the stored step means for the shoe is in the keys `read()` returns:
`serials` the decks that join, `removed` the decks that leave, `stop_card_from_end` where the stop card
sits, `out` how many cards left the shoe and `known` which of them were seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from casino.kernel import texts
from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from shoes import cards

MOST_SERIALS = 20
MACHINE_NUMBER_LENGTH = 20


@dataclass(frozen=True, slots=True)
class Pack:
    """The pack as a step sees it: its deck type, the decks in it, the decks it must have, and the backs
    of those inside, as (design, colour)."""

    deck_type: str
    decks: int
    decks_wanted: int
    backs: tuple[tuple[str, str], ...] = ()

    @property
    def cards(self) -> int:
        return self.decks * len(cards.deck_type(self.deck_type).cards)


@dataclass(frozen=True, slots=True)
class Field:
    """Something a step asks. `kind`: serials, choice, number, seats, cutter, card, text or tick.

    `when`: another field of the step and the answers to it that bring this one up; None if it is always
    asked. Of a field that is not asked nothing is read.
    """

    name: str
    kind: str
    words: Text
    choices: tuple[tuple[str, Text], ...] = ()
    when: tuple[str, tuple[str, ...]] | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A step that asks nothing: signing it says it was done."""

    fields: ClassVar[tuple[Field, ...]] = ()

    def read(self, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
        return {}

    def enough(self, pack: Pack, times: int) -> bool:
        """Whether the step, done so many times in a row, may be left behind."""
        return times >= 1

    def back_to(self, data: Mapping[str, Any]) -> str:
        """The step the preparation returns to after this answer, as it is stored; none: it goes on."""
        return ""


def bad(field: str, es: str, en: str) -> Refused:
    """What was given for a field cannot be understood."""
    return Refused(Text(es, en), code="bad_step_data", field=field)


def number(data: Mapping[str, Any], name: str) -> int:
    """A number of cards, given as a number or typed."""
    value = data.get(name)
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value) if len(value.strip()) <= 6 else None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise bad(name, "indique un número de cartas", "give a number of cards")
    return value


def choice(data: Mapping[str, Any], field: Field) -> str:
    """One of the answers a field offers."""
    given, offered = data.get(field.name), [code for code, _ in field.choices]
    if not isinstance(given, str) or given not in offered:
        raise bad(field.name, f"indique uno de {', '.join(offered)}", f"give one of {', '.join(offered)}")
    return given


def text(data: Mapping[str, Any], name: str, most: int) -> str:
    """A line of text; one that was not given is refused as missing."""
    given = data.get(name, "")
    if not isinstance(given, str):
        raise bad(name, "escríbalo como texto", "write it as text")
    return texts.line(given, name, most, code="bad_step_data")


def serials(data: Mapping[str, Any], name: str) -> list[str]:
    """Serial numbers of decks, each once."""
    given = data.get(name)
    if not isinstance(given, list | tuple) or not 1 <= len(given) <= MOST_SERIALS:
        raise bad(name, "indique las series de las barajas", "give the serial numbers of the decks")
    read = [texts.line(serial, name, 40, code="bad_step_data") for serial in given]
    if len(set(read)) < len(read):
        raise bad(name, "una serie está repetida", "a serial number is repeated")
    return read


def ticked(data: Mapping[str, Any], name: str) -> bool:
    """Whether a box was ticked: as JSON says it or as a form does, which leaves out an empty one."""
    given = data.get(name)
    if given in (None, "", "false") or given is False:
        return False
    if given is True or given in ("on", "true"):
        return True
    raise bad(name, "márquelo o déjelo sin marcar", "tick it or leave it unticked")


def require_tick(data: Mapping[str, Any], name: str, rule: str, code: str, words: Text) -> None:
    """What a rule wants done was not only shown on the page, it was said to be done."""
    if not ticked(data, name):
        raise RuleViolation(rule, words, code=code, field=name)


# ---- a machine that cards go into ------------------------------------------------------------------

MACHINE = Field("machine", "text", Text("Número de la máquina", "Number of the machine"))
EMPTY_SHOWN = Field(
    "empty_shown",
    "tick",
    Text("La máquina se mostró vacía antes de cargarla", "The machine was shown empty before loading"),
)


def machine(data: Mapping[str, Any], rule: str) -> dict[str, Any]:
    """Which machine the cards went into, shown empty first (CARD-46); `rule` wants it named."""
    given = data.get("machine")
    if given is None or (isinstance(given, str) and not given.strip()):
        raise RuleViolation(
            rule,
            Text("anote el número de la máquina", "note the number of the machine"),
            code="machine_not_named",
            field="machine",
        )
    name = text(data, "machine", MACHINE_NUMBER_LENGTH)
    require_tick(
        data,
        "empty_shown",
        "CARD-46",
        "machine_not_shown_empty",
        Text(
            "muestre la máquina vacía antes de cargarla y márquelo",
            "show the machine empty before loading it, and tick that you did",
        ),
    )
    return {"machine": name, "empty_shown": True}
