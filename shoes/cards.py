"""Cards: how they are written, read, named and counted.

A card is two characters, rank then suit: `As Kd Th 9c` of a French deck, `1o 7e Sb` of a Spanish one
(sota, caballo and rey are S, C and R), `Xr Xb` the jokers. A source that knows no suits writes the
value only, `v0` to `v9`. People type in other ways (`kh`, `10d`, `9♦`, `🃉`, `as de oros`); `parse`
turns all of them into the one canonical form, and nothing past an edge ever sees another. Deck types
are data: adding one is one `register()` call.
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

_LONGEST_READING = 20
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit: its name in the plural, its sign, other signs people may type for it."""

    name: Text
    sign: str
    also: tuple[str, ...] = ()
    red: bool = False


@dataclass(frozen=True, slots=True)
class Extra:
    """A card outside the suits (a joker): its name, its sign, other ways of typing it."""

    name: Text
    sign: str
    also: tuple[str, ...] = ()
    red: bool = False


@dataclass(frozen=True, slots=True)
class DeckType:
    """What one deck of a kind holds: every rank in every suit, once, and the cards outside them.

    `ranks` and `suits` are keyed by the character that writes them, in the order in which the deck
    is presented face up; `extras` by the canonical card. `also` maps other ways of typing a rank to its
    character, `glyphs` a card to the one character that is the whole card, where Unicode has one.
    """

    code: str
    name: Text
    ranks: Mapping[str, Text]
    suits: Mapping[str, Suit]
    also: Mapping[str, str] = field(default_factory=dict)
    extras: Mapping[str, Extra] = field(default_factory=dict)
    glyphs: Mapping[str, str] = field(default_factory=dict)

    @property
    def cards(self) -> tuple[str, ...]:
        """Every card of one deck, suit by suit."""
        return (*(rank + suit for suit in self.suits for rank in self.ranks), *self.extras)

    def holds(self, card: str) -> bool:
        """Whether one deck has this canonical card."""
        return card in self.extras or (len(card) == 2 and card[0] in self.ranks and card[1] in self.suits)


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
    for card, extra in deck.extras.items():
        readings.update({_plain(typed): card for typed in (card, extra.sign, *extra.also)})
    for card in deck.cards:
        said = _name_of(card, deck)
        readings.update({_plain(said.es): card, _plain(said.en): card})
    readings.update({glyph: card for card, glyph in deck.glyphs.items()})
    # The canonical form is looked up first and as it stands: most cards come from our own pages.
    readings.update({card: card for card in deck.cards})
    return readings


# Accents are what a keyboard in a hurry leaves out. U+FE0E/U+FE0F choose how a sign is drawn, no more.
_PLAIN = str.maketrans("áéíóú", "aeiou", "\ufe0e\ufe0f")


def _plain(text: str) -> str:
    return "".join(text.split()).lower().translate(_PLAIN)


def _name_of(card: str, deck: DeckType) -> Text:
    extra = deck.extras.get(card)
    if extra is not None:
        return extra.name
    if not deck.holds(card):
        return same(card)
    return Text("{rank} de {suit}", "{rank} of {suit}").fill(
        rank=deck.ranks[card[0]], suit=deck.suits[card[1]].name
    )


def _playing_cards() -> dict[str, str]:
    # Unicode: a row of 16 per suit; place 12 is the knight, which a French deck does not have.
    rows = {"s": 0x1F0A0, "h": 0x1F0B0, "d": 0x1F0C0, "c": 0x1F0D0}
    places = {rank: place for place, rank in enumerate("A23456789TJ", start=1)} | {"Q": 13, "K": 14}
    return {rank + suit: chr(row + at) for suit, row in rows.items() for rank, at in places.items()}


_FRENCH_RANKS = MappingProxyType(
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
)
_FRENCH_SUITS = MappingProxyType(
    {
        "s": Suit(Text("picas", "spades"), "♠", ("♤",)),
        "h": Suit(Text("corazones", "hearts"), "♥", ("♡",), red=True),
        "d": Suit(Text("diamantes", "diamonds"), "♦", ("♢",), red=True),
        "c": Suit(Text("tréboles", "clubs"), "♣", ("♧",)),
    }
)
_FRENCH_GLYPHS = MappingProxyType(_playing_cards())
_TEN = MappingProxyType({"10": "T"})

FRENCH52 = register(
    DeckType(
        code="french52",
        name=Text("Baraja francesa de 52 cartas", "French deck of 52 cards"),
        ranks=_FRENCH_RANKS,
        suits=_FRENCH_SUITS,
        also=_TEN,
        glyphs=_FRENCH_GLYPHS,
    )
)

FRENCH52J = register(
    DeckType(
        code="french52j",
        name=Text("Baraja francesa de 52 cartas y dos comodines", "French deck of 52 cards and two jokers"),
        ranks=_FRENCH_RANKS,
        suits=_FRENCH_SUITS,
        also=_TEN,
        extras=MappingProxyType(
            {
                "Xr": Extra(Text("comodín rojo", "red joker"), "★", ("Jr", "joker rojo"), red=True),
                "Xb": Extra(Text("comodín negro", "black joker"), "☆", ("Jb", "joker negro", "\U0001f0df")),
            }
        ),
        glyphs=MappingProxyType({**_FRENCH_GLYPHS, "Xr": "\U0001f0bf", "Xb": "\U0001f0cf"}),
    )
)

_SPANISH_PIPS = MappingProxyType(
    {
        "1": Text("as", "ace"),
        **{rank: _FRENCH_RANKS[rank] for rank in "23456789"},
    }
)
_SPANISH_COURTS = MappingProxyType(
    {
        "S": Text("sota", "knave"),
        "C": Text("caballo", "knight"),
        "R": Text("rey", "king"),
    }
)
# No font draws Spanish suits in a line of text: their sign is the letter that people type anyway.
_SPANISH_SUITS = MappingProxyType(
    {
        "o": Suit(Text("oros", "coins"), "o", ("\U0001fa99",), red=True),
        "c": Suit(Text("copas", "cups"), "c", ("\U0001f3c6",), red=True),
        "e": Suit(Text("espadas", "swords"), "e", ("\u2694", "\U0001f5e1")),
        "b": Suit(Text("bastos", "clubs"), "b", ()),
    }
)
# The courts bear 10, 11 and 12 in the corner, in the deck of 40 as well.
_SPANISH_TYPED = MappingProxyType({"a": "1", "10": "S", "11": "C", "12": "R"})

SPANISH40 = register(
    DeckType(
        code="spanish40",
        name=Text("Baraja española de 40 cartas", "Spanish deck of 40 cards"),
        ranks=MappingProxyType({rank: _SPANISH_PIPS[rank] for rank in "1234567"} | _SPANISH_COURTS),
        suits=_SPANISH_SUITS,
        also=_SPANISH_TYPED,
    )
)

SPANISH48 = register(
    DeckType(
        code="spanish48",
        name=Text("Baraja española de 48 cartas", "Spanish deck of 48 cards"),
        ranks=MappingProxyType({**_SPANISH_PIPS, **_SPANISH_COURTS}),
        suits=_SPANISH_SUITS,
        also=_SPANISH_TYPED,
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


def _shown(text: object) -> str:
    if not isinstance(text, str):
        return "?"
    printable = "".join(c if c.isprintable() else "?" for c in text[:_SHOWN])
    return printable + ("…" if len(text) > _SHOWN else "")


def is_value_card(card: str) -> bool:
    """Whether only the value of a canonical card is known."""
    return card[0] == "v"


def sign(card: str, deck: DeckType = FRENCH52) -> str:
    """A canonical card for a narrow place on a screen: `9♦`, `7o`, `★`; `5` for `v5`, `▮` face down.

    A card the deck does not have is shown as it is written.
    """
    if is_value_card(card):
        return card[1]
    if card == COVERED:
        return "▮"
    if card in deck.extras:
        return deck.extras[card].sign
    if not deck.holds(card):
        return card
    rank = "10" if card[0] == "T" and "T" in deck.ranks else card[0]
    return rank + deck.suits[card[1]].sign


def glyph(card: str, deck: DeckType = FRENCH52) -> str:
    """The one Unicode character that is the whole card (`🂡`), or its sign where there is none."""
    return "\U0001f0a0" if card == COVERED else deck.glyphs.get(card) or sign(card, deck)


def name(card: str, deck: DeckType = FRENCH52) -> Text:
    """A canonical card in words: `nueve de diamantes`, `nine of diamonds`."""
    if is_value_card(card):
        return Text("carta de valor {v}", "card of value {v}").fill(v=same(card[1]))
    if card == COVERED:
        return Text("carta tapada", "covered card")
    return _name_of(card, deck)


def is_red(card: str, deck: DeckType = FRENCH52) -> bool:
    """Whether a canonical card is printed in red (oros and copas, by the house's screens)."""
    if card in deck.extras:
        return deck.extras[card].red
    return deck.holds(card) and deck.suits[card[1]].red


def composition(deck: DeckType | str = FRENCH52, decks: int = 1) -> Counter[str]:
    """How many of each card a pack of `decks` decks holds (CARD-42)."""
    kind = deck_type(deck) if isinstance(deck, str) else deck
    if decks < 1:
        raise ValueError("a pack has at least one deck")
    return Counter(dict.fromkeys(kind.cards, decks))
