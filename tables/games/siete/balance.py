"""What each hand comes to against the bank's, and what that leaves the bank with (SYM-06, SYM-07)."""

from __future__ import annotations

from functools import lru_cache

from casino.kernel.words import Text
from tables.games import paying
from tables.games.paying import Award
from tables.games.siete.points import TARGET, halves
from tables.games.siete.rules import Rules
from tables.games.siete.state import Draft


@lru_cache(maxsize=64)
def _pays(rules: Rules) -> dict[str, str]:
    return dict(rules.pays)


def row_of(player: int, bank: int) -> str:
    """The row of the pay table two totals in halves fall under; the first that holds decides."""
    if player > TARGET:
        return "player_bust"
    if bank == TARGET:
        return "bank_seven_and_half"
    if player == TARGET:
        return "player_seven_and_half"
    if bank > TARGET:
        return "bank_bust"
    if player == bank:
        return "equal"
    return "player_higher" if player > bank else "player_lower"


_RULES = {"player_bust": "SYM-04", "player_seven_and_half": "SYM-07"}


def award(rules: Rules, row: str, stake: int, chip: int, exponent: int, why: Text | None = None) -> Award:
    pays, rule = _pays(rules).get(row), _RULES.get(row, "SYM-06")
    if pays is None:
        return paying.lost(stake, row, rule, exponent, why)
    return paying.won(stake, row, pays, rule, chip, exponent, False, why)


def bank_change(draft: Draft) -> int:
    """The player who takes the bank by seven and a half, first in turn; 0 if none does (SYM-07)."""
    if not draft.rules.takes_bank or halves(draft.banca) == TARGET:
        return 0
    for seat in draft.players:
        if any(halves(cards) == TARGET for (at, _), cards in draft.hands.items() if at == seat):
            return seat
    return 0


def bank_won(draft: Draft) -> int:
    """What the bank wins of all bets, negative when it loses; smallest units."""
    bank, terms = halves(draft.banca), draft.terms
    total = 0
    for (seat, _), cards in draft.hands.items():
        stake = draft.stakes.get(seat, 0)
        row = row_of(halves(cards), bank)
        total += stake - award(draft.rules, row, stake, terms.chip, terms.exponent).returned
    return total


def eliminated(draft: Draft) -> bool:
    """Whether the hand leaves the banker with nothing."""
    return draft.banker in draft.chips and draft.chips[draft.banker] + bank_won(draft) <= 0
