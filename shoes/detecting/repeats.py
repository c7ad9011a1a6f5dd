"""The order of an earlier shoe, or of another deck of the same one: cards nobody shuffled, or a prepared
pack (CARD-16).

A run of `RUN` known faces is one exact integer, so that earlier shoes are asked by equality. Two shuffled
shoes show the same run at two given places with a chance of at most M = Π D/(N·D - i), i < RUN: no sequence
of faces is likelier than one of different faces. They have (N·D - RUN + 1)² pairs of places, and as many
again backwards. Two packs of 8 decks: M = 2.0·10⁻¹⁴, 409² pairs, twice: 6.7·10⁻⁹; beside 10,000 stored
shoes 6.7·10⁻⁵. A run of seven would give 1.8·10⁻³.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import prod

from casino.kernel.words import Text, same
from shoes.cards import deck_type as deck_type_of
from shoes.detecting.faces import BITS, codes, shown
from shoes.detecting.finding import ALARM, Finding

CODE, CODE_INSIDE = "order.repeated", "order.inside"
RUN = 8
"""Faces of a run that is looked for in other shoes."""
RUN_INSIDE = 6
"""Faces of a run that is looked for again in its own shoe."""
_LONGEST_TOLD = 4 * RUN
"""Beyond this the chance is small enough to say."""


def grams(sequence: Sequence[str], k: int = RUN, deck_type: str = "french52") -> list[int]:
    """Every run of k known faces as an integer below 2^63 (six bits a card), in the order of the shoe.

    A run with a card in it that nobody saw is left out.
    """
    return [gram for _, gram in _placed(sequence, k, deck_type)]


def reversed_grams(sequence: Sequence[str], k: int = RUN, deck_type: str = "french52") -> list[int]:
    """The runs of the same cards told from the last to the first: what a shoe dealt backwards would show."""
    return grams(sequence[::-1], k, deck_type)


def faces_of(gram: int, k: int = RUN, deck_type: str = "french52") -> list[str]:
    """The cards of a run."""
    named = {code: card for card, code in codes(deck_type).items()}
    return [named[gram >> BITS * (k - 1 - at) & (1 << BITS) - 1] for at in range(k)]


def _placed(sequence: Sequence[str], k: int, deck_type: str) -> list[tuple[int, int]]:
    if not 0 < k * BITS < 63:
        raise ValueError("a run must fit into 63 bits")
    known, mask = codes(deck_type), (1 << BITS * k) - 1
    gram = length = 0
    found = []
    for at, card in enumerate(sequence):
        code = known.get(card)
        if code is None:
            length = 0
            continue
        gram, length = (gram << BITS | code) & mask, length + 1
        if length >= k:
            found.append((at - k + 1, gram))
    return found


def chance_of_sharing(deck_type: str, decks: int, k: int = RUN) -> float:
    """A bound of the chance that two shuffled shoes share a run of k faces, forwards or backwards."""
    whole = len(deck_type_of(deck_type).cards) * decks
    return 2 * max(0, whole - k + 1) ** 2 * prod(decks / (whole - i) for i in range(min(k, whole)))


def chance_inside(deck_type: str, decks: int, k: int = RUN_INSIDE) -> float:
    """A bound of the chance that a shuffled shoe shows a run of k faces twice, or again backwards.

    Turned over one by one, each card of the second run must be one of D - 1 copies among what is left, at
    least N·D - 2k + 1 cards. 8 decks and six faces: 411·410 pairs x (7/405)⁶ = 4.5·10⁻⁶; five faces would
    give 2.6·10⁻⁴.
    """
    whole = len(deck_type_of(deck_type).cards) * decks
    places = whole - k + 1
    if places <= k:
        return 0.0
    return float(places * (places - 1) * ((decks - 1) / (whole - 2 * k + 1)) ** k)


def repeated(
    sequence: Sequence[str],
    earlier: Mapping[str, Sequence[int]],
    *,
    deck_type: str,
    decks: int,
    stored: int | None = None,
) -> Finding | None:
    """Whether the shoe's cards so far come in the order of an earlier shoe, or in its order backwards.

    `earlier`: label of a shoe and its `grams`, in their order; give those that share a run with
    `grams(sequence)` or `reversed_grams(sequence)`. `stored`: how many shoes were asked (else those given).
    The longest run is told.
    """
    ways = [(grams(sequence, RUN, deck_type), False), (reversed_grams(sequence, RUN, deck_type), True)]
    runs = [
        (length, label, backwards, own[at])
        for own, backwards in ways
        for label, other in earlier.items()
        for length, at in _longest(own, other)
    ]
    if not runs:
        return None
    length, label, backwards, gram = max(runs)
    cards = length + RUN - 1
    p = chance_of_sharing(deck_type, decks, min(cards, _LONGEST_TOLD)) * max(stored or 0, len(earlier))
    if p > ALARM:
        return None
    words = Text(
        "{cards} cartas seguidas salieron en el orden{backwards} del sabot {label}, desde {shown}. "
        "Detenga el sabot: las barajas no se mezclaron o vienen preparadas.",
        "{cards} cards in a row came out in the order{backwards} of shoe {label}, from {shown}. "
        "Stop the shoe: its decks were not shuffled or are prepared.",
    ).fill(
        cards=cards,
        label=same(label),
        backwards=Text(" inverso", ", backwards,") if backwards else same(""),
        shown=shown(faces_of(gram, RUN, deck_type), deck_type),
    )
    facts = {"shoe": label, "cards": cards, "backwards": backwards, "run": faces_of(gram, RUN, deck_type)}
    return Finding(CODE, p, words, facts)


def _longest(own: Sequence[int], other: Sequence[int]) -> list[tuple[int, int]]:
    """The longest stretch of runs that both have in one order: its length, and its place in `own`."""
    places = defaultdict(list)
    for at, gram in enumerate(other):
        places[gram].append(at)
    best = (0, 0)
    lengths: dict[int, int] = {}
    for at, gram in enumerate(own):
        # How long the common stretch is that ends here, by its place in the other.
        lengths = {place: lengths.get(place - 1, 0) + 1 for place in places.get(gram, ())}
        for length in lengths.values():
            best = max(best, (length, length - 1 - at))
    return [(best[0], -best[1])] if best[0] else []


def repeats_inside(sequence: Sequence[str], deck_type: str, decks: int) -> Finding | None:
    """Whether a shoe shows a run of faces twice, or again backwards: decks in one and the same order."""
    p = chance_inside(deck_type, decks)
    if p > ALARM:
        return None
    first: dict[int, int] = {}
    told_backwards = {gram: at for at, gram in _placed(sequence[::-1], RUN_INSIDE, deck_type)}
    for at, gram in _placed(sequence, RUN_INSIDE, deck_type):
        if gram in first:
            return _inside(sequence, deck_type, first[gram], at, False, p)
        first[gram] = at
        mirrored = told_backwards.get(gram)
        if mirrored is not None:
            again = len(sequence) - mirrored - RUN_INSIDE
            # A run that overlaps its own mirror image needs half the coincidences: not counted.
            if abs(again - at) >= RUN_INSIDE:
                return _inside(sequence, deck_type, min(at, again), max(at, again), True, p)
    return None


def _inside(
    sequence: Sequence[str], deck_type: str, one: int, two: int, backwards: bool, p: float
) -> Finding:
    run = list(sequence[two : two + RUN_INSIDE])
    words = Text(
        "Las cartas {one} a {end} del sabot volvieron a salir{backwards} desde la {two}: {shown}. "
        "Detenga el sabot: hay barajas en un mismo orden sin mezclar.",
        "Cards {one} to {end} of the shoe came out again{backwards} from card {two}: {shown}. "
        "Stop the shoe: decks of one and the same order were not shuffled.",
    ).fill(
        one=one + 1,
        end=one + RUN_INSIDE,
        two=two + 1,
        backwards=Text(" al revés", " backwards") if backwards else same(""),
        shown=shown(run, deck_type),
    )
    facts = {"first": one + 1, "again": two + 1, "backwards": backwards, "run": run}
    return Finding(CODE_INSIDE, p, words, facts)
