"""Settling a complete round: payouts in the order they are made, the announcement, what went unchecked.

What was lost by folding is taken when the seat folds (PH-05). Then the dealer settles from right to left,
that is from the highest seat number down, seat by seat, and collects the cards of each as it is settled
(PH-21). Amounts are smallest units.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables.games.base import Bet, Detail, Note, Payout, Settlement
from tables.games.corrections import CARD_RULES, irregularities
from tables.games.house_poker import course, misdeals
from tables.games.house_poker.dealing import WHAT_IS_DUE, rule_of
from tables.games.house_poker.kinds import Kind
from tables.games.house_poker.outcome import (
    MISDEAL,
    Seen,
    Showdown,
    announcement,
    listed,
    outcome_of,
    row_words,
    showdown,
)
from tables.games.house_poker.rules import CaribbeanRules, DrawRules, GoRules, ThreeCardRules
from tables.games.house_poker.state import State
from tables.games.paying import Award, in_order, lost, pushed, totals, won


def settle(state: State) -> Settlement:
    """The settlement of a complete round. Raises `Conflict` (code `round_incomplete`)."""
    if not state.complete:
        raise _incomplete(state)
    shown = showdown(state)
    payouts = _payouts(state, shown)
    return Settlement(
        payouts=payouts,
        totals=totals(payouts),
        announcement=announcement(state, shown),
        outcome=outcome_of(state, shown),
        notes=tuple(_notes(state)),
        unchecked=tuple(_unchecked(state)),
    )


def _incomplete(state: State) -> Conflict:
    phase = course.due(state).phase
    missing = WHAT_IS_DUE.get(phase, _NO_RESULT)
    rule = rule_of(state.kind, phase)
    if phase in (course.BETS, course.RESULT):
        rule = state.kind.first_rule
    return Conflict(
        Text(f"el pase no está completo: {missing.es}", f"the round is not complete: {missing.en}"),
        code="round_incomplete",
        rule=rule,
    )


_NO_RESULT = Text("falta anotar el resultado", "the result is not written down yet")


def _payouts(state: State, shown: Showdown) -> tuple[Payout, ...]:
    spots = {spot: place for place, spot in enumerate(state.kind.spots)}
    folded = {seat: place for place, seat in enumerate(state.folds)}
    awarded = []
    for bet in state.bets:
        award = _award(state, bet, shown.seats[bet.seat])
        if award.row == "folded":
            key = (0, folded[bet.seat], spots[bet.spot])
        else:
            key = (1, -bet.seat, spots[bet.spot])
        awarded.append((key, bet, award))
    return in_order(awarded)


def _award(state: State, bet: Bet, seen: Seen) -> Award:
    """What one bet comes to, by the row of its table and the rule behind it."""
    rules = state.rules
    if seen.row == MISDEAL:
        return _by_row(state, bet.amount, MISDEAL, "push", misdeals.RULE)
    if isinstance(rules, GoRules):
        # PH-17: whoever forms a listed hand is paid, each bet still in play by the same row.
        return _by_row(state, bet.amount, seen.row, rules.pays[seen.row], "PH-17")
    if isinstance(rules, ThreeCardRules):
        return _three_card(state, rules, bet, seen)
    return _five_card(state, rules, bet, seen)


def _five_card(state: State, rules: DrawRules | CaribbeanRules, bet: Bet, seen: Seen) -> Award:
    """Draw Poker (PH-05, PH-10 to PH-13) and Caribbean (PH-11, PH-16)."""
    kind, row = state.kind, seen.row
    rule = _rule_of_row(kind, row)
    if bet.spot == "ante":
        return _by_row(state, bet.amount, row, rules.ante_pays[row], rule)
    if row == "player_higher":
        # Who beats a dealer that opens or qualifies has at least what the dealer needs.
        category = "high_card" if seen.value is None else kind.category(seen.value)
        row, rule = "ace_king" if category == "high_card" else category, kind.pays_rule
    elif row == kind.unqualified:
        # PH-11: a dealer who does not open or qualify leaves the second bet unpaid.
        rule = "PH-11"
    return _by_row(state, bet.amount, row, rules.bet_pays[row], rule)


def _three_card(state: State, rules: ThreeCardRules, bet: Bet, seen: Seen) -> Award:
    """PH-19 and PH-20; Pair Plus and the bonus of the ANTE are paid whatever the dealer holds."""
    row = seen.row
    rule = _rule_of_row(state.kind, row)
    if bet.spot == "pair_plus":
        if row == "folded" and rules.fold_loses_pair_plus:
            return _by_row(state, bet.amount, row, "lose", "PH-20")
        row = _listed(state, seen)
        return _by_row(state, bet.amount, row, rules.pair_plus_pays[row], "PH-20")
    if bet.spot == "play":
        rule = "PH-11" if row == state.kind.unqualified else rule
        return _by_row(state, bet.amount, row, rules.play_pays[row], rule)
    award = _by_row(state, bet.amount, row, rules.ante_pays[row], rule)
    return award if row == "folded" else _with_bonus(state, rules, bet, award, seen)


def _listed(state: State, seen: Seen) -> str:
    return "not_listed" if seen.value is None else listed(state.kind, seen.value)


def _with_bonus(state: State, rules: ThreeCardRules, bet: Bet, ante: Award, seen: Seen) -> Award:
    """The ANTE and its bonus as one payout, since the bonus has no stake of its own."""
    row = _listed(state, seen)
    pays = rules.ante_bonus_pays.get(row, "push")
    if pays == "push":
        return ante
    terms = state.terms
    bonus = won(bet.amount, row, pays, "PH-20", terms.chip, terms.exponent)
    returned = ante.returned + bonus.returned - bet.amount
    said = row_words(row)
    words = Text(
        f"{ante.words.es}; bono de {said.es}: {bonus.words.es}",
        f"{ante.words.en}; {said.en} bonus: {bonus.words.en}",
    )
    return ante._replace(
        returned=returned,
        pays=f"{ante.pays}+{pays}",
        row=f"{ante.row}+{row}",
        rule="PH-20",
        words=words,
        act="pay" if returned > bet.amount else "push" if returned == bet.amount else "collect",
        breakage=ante.breakage + bonus.breakage,
    )


def _rule_of_row(kind: Kind, row: str) -> str:
    if row == "folded":
        return kind.fold_rule
    if row == "hands_equal":
        return "PH-11"
    if row == kind.unqualified:
        return {"poker.draw": "PH-10", "poker.caribbean": "PH-16"}.get(kind.code, "PH-20")
    return kind.compare_rule


def _by_row(state: State, stake: int, row: str, pays: str, rule: str) -> Award:
    return _by_pays(stake, row, pays, rule, state.terms.chip, state.terms.exponent)


@lru_cache(maxsize=16_384)
def _by_pays(stake: int, row: str, pays: str, rule: str, chip: int, exponent: int) -> Award:
    why = row_words(row)
    if pays == "lose":
        return lost(stake, row, rule, exponent, why)
    if pays == "push":
        return pushed(stake, row, rule, exponent, why)
    return won(stake, row, pays, rule, chip, exponent, False, why)


_NOTED = {"cards_touched": "PH-07", **CARD_RULES}
"""Irregularities with a rule of their own: cards handled during the change, a card out by mistake."""


def _notes(state: State) -> Iterable[Note]:
    for whose, count in misdeals.found(state).items():
        yield Note(MISDEAL, misdeals.words(whose, count), misdeals.RULE)
    yield from irregularities(state.log, state.undone, _NOTED)


def _unchecked(state: State) -> Iterable[Text]:
    """What this level of detail, or hands nobody turned over, left unproved."""
    if state.detail is Detail.RESULT:
        yield _NO_CARDS
    if state.detail is not Detail.FULL:
        yield _NO_BETS
    hidden = [str(seat) for seat, place in state.places.items() if place.covered]
    if hidden:
        seats = ", ".join(hidden)
        yield Text(
            f"las manos que quedaron tapadas, de los asientos {seats} (CARD-42)",
            f"the hands that stayed covered, of seats {seats} (CARD-42)",
        )


_NO_CARDS = Text(
    "las cartas, las decisiones y la comparación de manos (PH-22, PH-23)",
    "the cards, the decisions and the comparison of hands (PH-22, PH-23)",
)
_NO_BETS = Text("las apuestas y sus pagos (GEN-04)", "the bets and their payouts (GEN-04)")
