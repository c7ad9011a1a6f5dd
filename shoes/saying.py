"""What was given for a step, as people read it: the codes a step stores, said in both languages. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from casino.kernel import words
from casino.kernel.words import Text
from shoes import cards
from shoes.steps import DEALER, Check, Field, Shuffle, ShuffleByHand

YES, NO = Text("sí", "yes"), Text("no", "no")
DEVICES = {
    "shoe": Text("sabot", "shoe"),
    "shuffler": Text("barajadora", "shuffler"),
    "machine_shoe": Text("barajadora que hace de sabot", "shuffler that serves as shoe"),
}
"""What the numbered boxes and machines of the house are called (`Device.Kind`)."""


def some(names: Collection[str], most: int = 5) -> str:
    """`N1, N2, N3, N4, N5, …`: the first of many names, and a sign that there are more."""
    listed = list(names)
    return ", ".join([*listed[:most], *(["…"] if len(listed) > most else [])])


def _among(*fields: Field) -> Callable[[Any], Text]:
    """How an answer to one of these fields is said."""
    known = {code: said for field in fields for code, said in field.choices}
    return lambda code: known.get(code, words.same(str(code)))


def _cutter(who: Any) -> Text:
    if who == DEALER:
        return Text("el croupier", "the dealer")
    return Text("el asiento {n}", "seat {n}").fill(n=who)


def _card(card: Any) -> Text:
    return words.same(cards.sign(card) if isinstance(card, str) and len(card) == 2 else str(card))


def _list(items: Any) -> Text:
    return words.same(", ".join(str(item) for item in items))


def _tick(ticked: Any) -> Text:
    return YES if ticked else NO


def said(field: Field, value: Any) -> Text:
    """What was given for a field of a step, as people read it."""
    if field.kind == "choice":
        return _among(field)(value)
    return _BY_KIND.get(field.kind, lambda given: words.same(str(given)))(value)


_BY_KIND: dict[str, Callable[[Any], Text]] = {
    "cutter": _cutter,
    "card": _card,
    "seats": _list,
    "serials": _list,
    "tick": _tick,
}

DESK = "inspección"
"""Where decks are opened and examined apart from the tables."""


def place(name: str) -> Text:
    """A place where decks lie, as people read it: tables are called by their own names."""
    return Text(DESK, "the inspection desk") if name == DESK else words.same(name)


CODES: dict[str, Callable[[Any], Text]] = {
    "shuffle": _among(Shuffle.fields[0], ShuffleByHand.fields[0]),
    "sequences": _among(Check.fields[0]),
    "cutter": _cutter,
    "card": _card,
    "tick": _tick,
    "place": place,
    "device": lambda kind: DEVICES.get(kind, words.same(str(kind))),
}
"""How the codes that a step or a device stores are said."""


def remarks(data: Mapping[str, Any]) -> tuple[Text, ...]:
    """What a step stores beside the answers to its fields, in words: what the house notes of it by itself."""
    return tuple(
        text.fill(value=data[key]) for key, text in _REMARKS.items() if data.get(key) not in (None, False, "")
    )


_REMARKS: dict[str, Text] = {
    "flagged": Text(
        "se apartó de la secuencia sugerida; queda observado (CARD-17)",
        "it departed from the suggested sequence; noted (CARD-17)",
    ),
    "single_colour": Text(
        "todas de un solo color: los colores se alternan entre mesas (CARD-05)",
        "all of a single colour: colours alternate between tables (CARD-05)",
    ),
    "renewed": Text(
        "las mismas barajas de {value}, barajadas otra vez en la mesa",
        "the same decks as {value}, shuffled again at the table",
    ),
}
