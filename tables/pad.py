"""The touch pad of a table, and what its keyboard line must know: cards, seats, spots, chips, words.

It is the same for the whole session; what changes with every entry is on the board (`tables.offers`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from casino.kernel.words import Text
from shoes.cards import DECK_TYPES, DeckType
from tables import keys, offers
from tables.games.base import Detail, Game, Terms

MOST_CHIPS = 8
MANY_SPOTS = 14
"""A layout with more spots than this is offered by kind."""


FEW = 3
"""Kinds with no more spots than this share a panel."""


@dataclass(frozen=True, slots=True)
class Suit:
    """One row of the card pad."""

    letter: str
    red: bool
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """Spots of one kind: each with its key and its words; `brief` ones are all told by their numbers."""

    words: Text
    spots: tuple[tuple[str, Text], ...]

    @property
    def brief(self) -> bool:
        return all(keys.numbers_of(words.es) for _, words in self.spots)


@dataclass(frozen=True, slots=True)
class Pad:
    """`ranks` and `suits` are what a typed card is made of, `aims` what may stand before it; `words` all
    that a typed line may begin with; `totals` the hands whose points are announced (detail `result`), each
    with its key, and `level` the key of neither.
    """

    deck: str
    rows: tuple[Suit, ...]
    seats: range
    spots: tuple[Kind, ...]
    chips: tuple[int, ...]
    unit: int
    ranks: str
    suits: str
    aims: str
    words: str
    totals: tuple[tuple[str, Text, str], ...]
    level: str
    help: tuple[tuple[str, Text], ...]

    @property
    def example(self) -> str:
        """What the empty line shows."""
        return " · ".join(typed for typed, _ in self.help[:3])


def of(game: Game, terms: Terms, denominations: Sequence[int]) -> Pad:
    deck = DECK_TYPES.get(game.deck_type)
    bets = {spot: words for spot, words in keys.bettable(game).items() if spot in terms.limits}
    least = min((low for low, _ in terms.limits.values()), default=1)
    named: tuple[Mapping[str, Text], ...] = (bets, game.hands, game.choices, game.winners)
    won = keys.of(game.winners)
    two = len(game.hands) == 2 and set(game.hands) <= set(game.winners)
    return Pad(
        deck=game.deck_type,
        rows=_rows(deck) if deck else (),
        seats=range(1, terms.seats + 1),
        spots=_kinds(bets) if terms.detail is Detail.FULL else (),
        chips=tuple(value for value in denominations if value >= least // 10)[:MOST_CHIPS],
        unit=10**terms.exponent,
        ranks="|".join(sorted({*_typed_ranks(deck)}, key=lambda rank: (-len(rank), rank))) if deck else "",
        suits="".join(dict.fromkeys(_typed_suits(deck))) if deck else "",
        aims="|".join(sorted({key for key in keys.of(game.hands).values() if key.isalpha()})),
        words=" ".join(sorted({*offers.SEATS.values()}.union(*map(_beginnings, named)))),
        totals=tuple((code, words, won[code]) for code, words in game.hands.items()) if two else (),
        level=next((key for code, key in won.items() if code not in game.hands), ""),
        help=offers.help_of(game, terms.detail, terms.seats),
    )


def _rows(deck: DeckType) -> tuple[Suit, ...]:
    rows = [
        Suit(letter, suit.red, tuple(rank + letter for rank in deck.ranks))
        for letter, suit in deck.suits.items()
    ]
    if deck.extras:
        rows.append(Suit("", False, tuple(deck.extras)))
    return tuple(rows)


def _kinds(bets: dict[str, Text]) -> tuple[Kind, ...]:
    short = keys.of(bets)
    if len(bets) <= MANY_SPOTS:
        return (Kind(Text("Lugar", "Spot"), tuple((short[spot], words) for spot, words in bets.items())),)
    kinds: dict[str, list[tuple[str, Text]]] = {}
    for spot, words in bets.items():
        kinds.setdefault(keys.kind_of(words.es), []).append((short[spot], words))
    few = [one for spots in kinds.values() if len(spots) <= FEW for one in spots]
    many = [Kind(_kind_words(spots[0][1]), tuple(spots)) for spots in kinds.values() if len(spots) > FEW]
    return (*many[:1], *([Kind(Text("De fuera", "Outside"), tuple(few))] if few else []), *many[1:])


def _kind_words(words: Text) -> Text:
    return Text(*(said.rstrip("0123456789-/ .,") or said for said in (words.es, words.en)))


def _typed_ranks(deck: DeckType) -> list[str]:
    return [rank.lower() for rank in (*deck.ranks, *deck.also)]


def _typed_suits(deck: DeckType) -> list[str]:
    return [sign for letter, suit in deck.suits.items() for sign in (letter, suit.sign) if len(sign) == 1]


def _beginnings(words: Mapping[str, Text]) -> set[str]:
    said = [text for code, words_for in words.items() for text in (words_for.es, words_for.en, code)]
    return ({keys.kind_of(text) for text in said} | {one for text in said for one in keys.words_of(text)}) - {
        ""
    }
