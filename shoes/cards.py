"""Cards: how they are written, read, named and counted.

A card is two characters, rank then suit: `As Kd Th 9c`. A source that knows no suits writes the
value only, `v0` to `v9`. People type in other ways (`9d`, `kh`, `10d`, `9♦`); `parse` turns all of
them into the one canonical form, and nothing past an edge ever sees another. Deck types are data:
adding one is one `register()` call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from casino.kernel.errors import Refused
from casino.kernel.words import Text, same

VALUE_CARDS: tuple[str, ...] = tuple(f"v{value}" for value in range(10))
"""Cards of which only the value is known."""

COVERED = "??"
"""A card that lies face down and nobody has seen: only where a game deals cards covered."""

_LONGEST_READING = 12


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit: its name in the plural, its sign, other signs people may type for it."""

    name: Text
    sign: str
    also: tuple[str, ...] = ()
    red: bool = False


@dataclass(frozen=True, slots=True)
class DeckType:
    """What one deck of a kind holds: every rank in every suit, once.

    `ranks` and `suits` are keyed by the character that writes them, in the order in which the deck
    is presented face up. `also` maps other ways of typing a rank to its character.
    """

    code: str
    name: Text
    ranks: Mapping[str, Text]
    suits: Mapping[str, Suit]
    also: Mapping[str, str] = field(default_factory=dict)

    @property
    def cards(self) -> tuple[str, ...]:
        """Every card of one deck, suit by suit."""
        return tuple(rank + suit for suit in self.suits for rank in self.ranks)


DECK_TYPES: dict[str, DeckType] = {}
_readings: dict[str, dict[str, str]] = {}


def register(deck: DeckType) -> DeckType:
    """Make a deck type known by its code. Raises `ValueError` when the code is taken."""
    if deck.code in DECK_TYPES:
        raise ValueError(f"deck type {deck.code} registered twice")
    DECK_TYPES[deck.code] = deck
    _readings[deck.code] = _readings_of(deck)
    return deck


def _readings_of(deck: DeckType) -> dict[str, str]:
    readings = {card: card for card in VALUE_CARDS}
    rank_forms = [(rank.lower(), rank) for rank in deck.ranks]
    rank_forms += [(typed.lower(), rank) for typed, rank in deck.also.items()]
    for typed_rank, rank in rank_forms:
        for letter, suit in deck.suits.items():
            for typed_suit in (letter, suit.sign, *suit.also):
                readings[typed_rank + typed_suit.lower()] = rank + letter
    # The canonical form is looked up first and as it stands: most cards come from our own pages.
    readings.update({card: card for card in deck.cards})
    return readings


FRENCH52 = register(
    DeckType(
        code="french52",
        name=Text("Baraja francesa de 52 cartas", "French deck of 52 cards"),
        ranks=MappingProxyType(
            {
                "A": Text("as", "ace"),
                "2": Text("dos", "two"),
                "3": Text("tres", "three"),
                "4": Text("cuatro", "four"),
                "5": Text("cinco", "five"),
                "6": Text("seis", "six"),
                "7": Text("siete", "seven"),
                "8": Text("ocho", "eight"),
                "9": Text("nueve", "nine"),
                "T": Text("diez", "ten"),
                "J": Text("jota", "jack"),
                "Q": Text("reina", "queen"),
                "K": Text("rey", "king"),
            }
        ),
        suits=MappingProxyType(
            {
                "s": Suit(Text("picas", "spades"), "♠", ("♤",)),
                "h": Suit(Text("corazones", "hearts"), "♥", ("♡",), red=True),
                "d": Suit(Text("diamantes", "diamonds"), "♦", ("♢",), red=True),
                "c": Suit(Text("tréboles", "clubs"), "♣", ("♧",)),
            }
        ),
        also=MappingProxyType({"10": "T"}),
    )
)


def deck_type(code: str) -> DeckType:
    """The deck type of a code. Raises `Refused` (code `unknown_deck_type`)."""
    try:
        return DECK_TYPES[code]
    except (KeyError, TypeError):
        known = ", ".join(DECK_TYPES)
        raise Refused(
            Text(f"tipo de baraja desconocido; se conocen: {known}", f"unknown deck type; known: {known}"),
            code="unknown_deck_type",
            field="deck_type",
        ) from None


def parse(text: object, deck: DeckType = FRENCH52, *, field: str = "card") -> str:
    """The canonical card in what a person typed or a file holds: `10d`, `TD` and `T♦` are `Td`.

    Raises `Refused` (code `unknown_card`) that shows what was typed and an example.
    """
    readings = _readings[deck.code]
    if isinstance(text, str):
        known = readings.get(text)
        if known is not None:
            return known
        if len(text) <= _LONGEST_READING:
            known = readings.get(_plain(text))
            if known is not None:
                return known
    shown = _shown(text)
    example = deck.cards[8]
    raise Refused(
        Text(
            "«{shown}» no es una carta; escriba valor y palo, por ejemplo {example} ({name})",
            "“{shown}” is not a card; type rank and suit, for example {example} ({name})",
        ).fill(shown=shown, example=example, name=name(example, deck)),
        code="unknown_card",
        field=field,
        detail={"typed": shown},
    )


def _plain(text: str) -> str:
    # U+FE0E/U+FE0F choose how a suit sign is drawn and change nothing else.
    return "".join(text.split()).replace("\ufe0f", "").replace("\ufe0e", "").lower()


def _shown(text: object) -> str:
    if not isinstance(text, str):
        return "?"
    printable = "".join(c if c.isprintable() else "?" for c in text[:_LONGEST_READING])
    return printable + ("…" if len(text) > _LONGEST_READING else "")


def is_value_card(card: str) -> bool:
    """Whether only the value of a canonical card is known."""
    return card[0] == "v"


def sign(card: str, deck: DeckType = FRENCH52) -> str:
    """A canonical card for a narrow place on a screen: `9♦`, `10♠`, and `5` for `v5`."""
    if is_value_card(card):
        return card[1]
    rank = "10" if card[0] == "T" and "T" in deck.ranks else card[0]
    return rank + deck.suits[card[1]].sign


def name(card: str, deck: DeckType = FRENCH52) -> Text:
    """A canonical card in words: `nueve de diamantes`, `nine of diamonds`."""
    if is_value_card(card):
        return Text("carta de valor {v}", "card of value {v}").fill(v=same(card[1]))
    return Text("{rank} de {suit}", "{rank} of {suit}").fill(
        rank=deck.ranks[card[0]], suit=deck.suits[card[1]].name
    )


def composition(deck: DeckType | str = FRENCH52, decks: int = 1) -> Counter[str]:
    """How many of each card a pack of `decks` decks holds (CARD-42)."""
    kind = deck_type(deck) if isinstance(deck, str) else deck
    if decks < 1:
        raise ValueError("a pack has at least one deck")
    return Counter(dict.fromkeys(kind.cards, decks))
