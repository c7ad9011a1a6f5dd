"""The short words people type for a game's spots, hands, decisions and winners.

They are computed from the game's own Spanish words, never listed: the fewest first letters that tell one
word from the others, then the numbers in it. `Banca` is `b` beside `Punto`, `Pleno 17` is `p17`; phrases
that begin alike are told apart by their next word, so that `Seguro de Negra` is `sn`. What a person types
may be longer, in either language, with accents or without, or the code itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from casino.kernel.words import Text
from tables.games.base import Game

_NUMBER = re.compile(r"\d+", re.ASCII)
_WORD = re.compile(r"[^\W\d_]+")
_SMALL = frozenset(
    [
        *("se", "de", "del", "la", "el", "los", "las", "lo", "a", "al", "en", "con", "y", "o"),
        *("the", "of", "to", "on", "an", "and", "or"),
    ]
)
"""Words that tell nothing apart."""


MANY = 30
"""Of more codes than this, one that has numbers is told by them alone: `17`, `17-20` on a wheel's layout."""


def bare(text: str) -> str:
    """A text as it is compared: small letters and digits, no accents, blanks or marks."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if c.isascii() and c.isalnum())


def words_of(text: str) -> tuple[str, ...]:
    """The words that tell something, bare, numbers apart."""
    found = [bare(word) for word in _WORD.findall(unicodedata.normalize("NFC", text))]
    return tuple(word for word in found if word and word not in _SMALL) or tuple(filter(None, found))


def numbers_of(text: str) -> tuple[int, ...]:
    return tuple(int(found) for found in _NUMBER.findall(text) if len(found) < 6)


def kind_of(text: str) -> str:
    """What a spot is without its numbers: `Pleno 17` and `Pleno 18` are of one kind."""
    return "".join(words_of(text))


def of(words: Mapping[str, Text]) -> dict[str, str]:
    """The shortest word for each code, all of them different."""
    return dict(_keys(tuple((code, text.es) for code, text in words.items())))


@lru_cache(maxsize=256)
def _keys(words: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    short = _shortest(list(dict.fromkeys(words_of(said) for _, said in words)))
    many, given = len(words) > MANY, dict[str, str]()
    for code, said in words:
        figure = "-".join(map(str, numbers_of(said)))
        key = figure if many and figure and figure not in given.values() else short[words_of(said)] + figure
        if code.isdigit() or not key or key in given.values():
            key = bare(code)  # a number is its own word; words alike are told apart by their code
        given[code] = key
    return tuple(given.items())


def _shortest(phrases: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """For each phrase its first word's fewest letters; of those with the same first word, its next's too."""
    found = {phrase: "" for phrase in phrases if not phrase}
    stems = _stems(phrases)
    alone = len(set(stems.values())) == 1 and len(phrases) > 1 and all(len(phrase) > 1 for phrase in phrases)
    for stem in dict.fromkeys(stems.values()):
        own = "" if alone else _beginning(stem, set(stems.values()))
        like = [phrase for phrase in phrases if phrase and stems[phrase] == stem]
        rest = _shortest(list(dict.fromkeys(phrase[1:] for phrase in like)))
        for phrase in like:
            found[phrase] = own + (rest[phrase[1:]] if len(rest) > 1 else "")
    return found


def _stems(phrases: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """The first word of each phrase; of forms of one word (`gana`, `ganan`), which more words tell apart,
    the shortest.
    """
    longer = [phrase[0] for phrase in phrases if len(phrase) > 1]
    return {
        phrase: min(
            (w for w in longer if len(phrase) > 1 and phrase[0].startswith(w)), key=len, default=phrase[0]
        )
        for phrase in phrases
        if phrase
    }


def _beginning(word: str, words: Collection[str]) -> str:
    others = [other for other in words if other != word]
    for length in range(1, len(word)):
        if not any(other.startswith(word[:length]) for other in others):
            return word[:length]
    return word


def bettable(game: Game) -> dict[str, Text]:
    """The spots of the layout, in the order of the game's own list."""
    return {spot: words for spot, words in game.spots.items() if not game.layout or spot in game.layout}


def limited(game: Game) -> dict[str, Text]:
    """What a person sets limits for: the spots; of a layout with many places its kinds of bet; of a game
    that is played without a layout what the table plays for (blinds, buy-in).
    """
    bets = bettable(game)
    kinds = {spot: words for spot, words in game.spots.items() if spot not in bets}
    return kinds if kinds and (len(bets) > MANY or "bet" not in game.events) else bets


def sign_of(game: Game, winner: str) -> str:
    """A winner in a road or a tally: its key in capitals, three at most."""
    return of(game.winners).get(winner, winner)[:3].upper()


def found(typed: str, words: Mapping[str, Text], among: Collection[str] | None = None) -> list[str]:
    """The codes that `typed` may stand for; of several, none was told apart.

    `among`: the codes to choose from. Its own key names a code whatever else begins alike; a word at the
    beginning of a phrase goes before the same word further in.
    """
    if not bare(typed) or bare(typed) != bare(_latin(typed)):
        return []
    asked, numbers = "".join(map(bare, _WORD.findall(typed))), numbers_of(typed)
    key = asked + "-".join(map(str, numbers))
    codes = [code for code in words if among is None or code in among]
    keys = of(words)
    own = [code for code in codes if keys[code] == key or bare(code) == bare(typed)]
    if own:
        return own[:1]
    at = {code: place for code in codes if (place := _place(asked, numbers, code, words[code])) is not None}
    best = [code for code in at if at[code] == min(at.values())]
    # Numbers alone name what comes first on the layout, which begins with the numbers themselves.
    return best if asked else best[:1]


def _latin(text: str) -> str:
    return "".join(c for c in text if c.isascii() or c.isalpha())


def _place(asked: str, numbers: tuple[int, ...], code: str, words: Text) -> int | None:
    """At which of its words a phrase reads like what was typed; None where nowhere."""
    if numbers not in (numbers_of(words.es), numbers_of(code)):
        return None
    phrases = [words_of(said) for said in (words.es, words.en, code)]
    places = [
        place
        for phrase in phrases
        for place in range(max(1, len(phrase)))
        if _reads_like("".join(phrase[place:]), phrase[place] if phrase else "", asked)
    ]
    return min(places, default=None)


def _reads_like(rest: str, word: str, asked: str) -> bool:
    # `plantarse` for `se planta`: a verb in another form begins like the word.
    return rest.startswith(asked) or (len(word) > 3 and asked.startswith(word))
