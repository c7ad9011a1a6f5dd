"""Who has what: hands as they lie, their worth, and how the pots are divided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from casino.kernel.words import Text
from shoes.cards import COVERED
from tables.games.base import Hand, Terms
from tables.games.poker import ranks
from tables.games.ring.betting import BY_SUIT
from tables.games.ring.pots import Division, Policy, Rake, divide
from tables.games.ring.rules import NO_CAP, Rules
from tables.games.ring.state import Draft, State


def strength(draft: Draft, seat: int) -> int:
    """What a whole hand is worth; PR-06: in Omaha of exactly two own cards."""
    own = draft.own[seat]
    if draft.rules.game == "poker.omaha":
        return ranks.omaha(own, draft.board)
    return ranks.best([*own, *draft.board])


def strengths(draft: Draft) -> dict[int, int]:
    """The hands that contend. The only one left needs none, and is worth 0 unless it was shown (PR-15)."""
    live = draft.live
    if len(live) == 1 and live[0] not in draft.shown:
        return {live[0]: 0}
    return {seat: strength(draft, seat) for seat in live}


def told(worth: Mapping[int, int]) -> dict[int, Text | None]:
    """Each hand in words, None where none was shown; those that would read alike with the side cards that
    decide between them (PR-15).
    """
    said = {value: hand_words(value) for value in worth.values() if value}
    if len({text.es for text in said.values()}) < len(said):
        alike = Counter(text.es for text in said.values())
        said = {
            value: ranks.words_with_sides(value) if alike[text.es] > 1 else text
            for value, text in said.items()
        }
    return {seat: said.get(value) for seat, value in worth.items()}


def rake_of(rules: Rules, terms: Terms) -> Rake:
    """PR-07 in smallest units. The step is the rounding unit, up to whole chips; the cap, down to them."""
    return _rake_of(rules, terms.exponent, terms.chip)


@lru_cache(maxsize=256)
def _rake_of(rules: Rules, exponent: int, chip: int) -> Rake:
    scale = 10**exponent
    unit = ceil(Fraction(rules.rake_unit) * scale / chip) * chip
    cap = None if rules.rake_cap == NO_CAP else floor(Fraction(rules.rake_cap) * scale / chip) * chip
    free = floor(Fraction(rules.rake_free_up_to) * scale)
    return Rake(rules.rake_basis_points, rules.rake_rounding, unit, cap, free, rules.no_flop_no_drop)


hand_words = lru_cache(maxsize=8_192)(ranks.words)
"""A hand's value in words, remembered: there are 7,462 of them."""


def odd_order(draft: Draft) -> list[int]:
    """Seats as the odd chips go (PR-10): from the left of the button, in stud of the dealer; or by the
    highest own card, equal ranks by suit: spades, hearts, diamonds, clubs.
    """
    if draft.rules.odd_chip_to == "first_left_of_button":
        return draft.live
    worst = (-1, -1)
    return sorted(
        draft.live,
        key=lambda seat: max((BY_SUIT.get(card, worst) for card in draft.own[seat]), default=worst),
        reverse=True,
    )


def division(draft: Draft, worth: Mapping[int, int]) -> Division:
    """The pots of a complete hand and who gets what (PR-02, PR-07, PR-09, PR-10)."""
    policy = Policy(rake_of(draft.rules, draft.terms), draft.rules.rake_from, draft.terms.chip)
    dead = sum(draft.dead.values())
    return divide(draft.put, draft.live, worth, odd_order(draft), policy, saw_flop(draft), dead)


def saw_flop(draft: Draft) -> bool:
    """Whether the second round of cards was dealt: in stud that is what a flop is elsewhere (PR-07)."""
    if draft.variant.has_button:
        return bool(draft.board)
    first = len(draft.variant.streets[0].own)
    return any(len(cards) > first for cards in draft.own.values())


def hands_on(state: State) -> tuple[Hand, ...]:
    """Every hand as it lies now."""
    return hands(Draft(state))


def hands(
    draft: Draft, winners: frozenset[int] | None = None, said: Mapping[int, Text | None] | None = None
) -> tuple[Hand, ...]:
    """The hands as they lie; with the `winners` how each ended, and `said` what is in words already."""
    ranked = said or {}
    found = [Hand("board", cards=tuple(draft.board))] if draft.board else []
    for seat in draft.order:
        cards = tuple(draft.own[seat])
        verdict = "" if winners is None else "win" if seat in winners else "lose"
        found.append(Hand("", seat, 0, cards, ranked.get(seat) or _worth(draft, seat), verdict))
    return tuple(found)


MUCKED = Text("no mostró", "mucked")
FOLDED = Text("se retiró", "folded")


def _worth(draft: Draft, seat: int) -> Text | None:
    if seat in draft.mucked:
        return MUCKED
    if seat in draft.folded:
        return FOLDED
    own = draft.own[seat]
    if COVERED in own or not is_whole(draft, seat):
        return None
    return hand_words(strength(draft, seat))


def is_whole(draft: Draft, seat: int) -> bool:
    """Whether all cards a hand is made of are out."""
    variant = draft.variant
    return len(draft.board) == variant.board_cards and len(draft.own[seat]) == variant.own_cards
