"""Settling a complete round: every payout in the order it is made.

What was paid at once comes first (BJ-16, BJ-19), then the busts, taken as they happened (BJ-15); then the
croupier announces, takes the losing bets and pays the winning ones, each from right to left, that is from
the last hand played back to the first (BJ-30). Amounts are smallest units.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from casino.kernel.errors import Conflict
from casino.kernel.money import Rounding, round_to
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games.base import Bet, Detail, Ended, Payout, Settlement
from tables.games.blackjack import pairs
from tables.games.blackjack.ending import INSURANCE_REASONS, Ending, ending_of, reason, verdicts
from tables.games.blackjack.hands import TWENTY_ONE, total_of
from tables.games.blackjack.rules import ORIGINAL_BET, Rules
from tables.games.blackjack.saying import announcement, notes, unchecked
from tables.games.blackjack.state import (
    BUST,
    CHARLIE,
    DECIDE,
    EVEN,
    PAID,
    SHOW,
    STANDS,
    SURRENDERED,
    PlayerHand,
    State,
)
from tables.games.paying import Award, because, going_back, half_lost, in_order, lost, pushed, totals, won

_SPOT_ORDER = {"insurance": 1, "perfect_pairs": 2}
_AT_ONCE = {PAID: 0, EVEN: 0, BUST: 10_000}
"""Where what is settled at once stands in the order of payouts, in the order of play (BJ-15, BJ-16)."""
_WHEN = {"collect": 20_000, "pay": 30_000, "push": 40_000}
"""Where the last hand's payouts end in that order at the end of the round; three places for each hand."""


def settle(state: State) -> Settlement:
    """The settlement of a complete round. Raises `Conflict` (code `round_incomplete`)."""
    if not state.complete:
        raise _incomplete(state)
    end = ending_of(state)
    rows = [main_row(state.rules, hand, end) for hand in state.hands]
    payouts = _payouts(state, end, rows)
    return Settlement(
        payouts,
        totals(payouts),
        announcement(end),
        Ended(end.code, verdicts(state, end, rows), {"points": end.points, "missed_peek": end.missed_peek}),
        notes(state, end),
        unchecked(state.terms.detail),
    )


def _incomplete(state: State) -> Conflict:
    detail = state.terms.detail
    if detail is Detail.RESULT:
        missing, rule = Text("falta anotar el resultado", "the result is not written down yet"), "BJ-30"
    elif not state.hands:
        missing, rule = Text("todavía no se repartió", "no cards are out yet"), "BJ-07"
    elif state.stage == DECIDE:
        missing, rule = Text("quedan manos por jugar", "hands are still to play"), "BJ-13"
    elif state.stage == SHOW:
        missing, rule = Text("falta mostrar la carta tapada", "the covered card is not shown"), "BJ-46"
    else:
        missing, rule = Text("faltan cartas", "cards are missing"), "BJ-18"
    return Conflict(
        Text("el pase no está completo: {missing}", "the round is not complete: {missing}").fill(
            missing=missing
        ),
        code="round_incomplete",
        rule=rule,
    )


Row = tuple[str, str, str]
"""The pay table's row, what it pays, and the rule."""


def main_row(rules: Rules, hand: PlayerHand, end: Ending) -> Row:
    """What happens to the main bet of a hand, the first row of the pay table that holds."""
    status = hand.status
    if status == STANDS:
        return _compared(rules, hand, end)
    if status == SURRENDERED:
        return "surrender", "lose_half", "BJ-29"
    if status == BUST:
        return "player_bust", "lose", "BJ-15"
    if status == EVEN:
        return "even_money_taken", rules.even_money_pays, "BJ-19"
    if status == PAID:
        return "player_blackjack", rules.blackjack_pays, "BJ-16"
    if status == CHARLIE:
        return "charlie", rules.win_pays, "BJ-47"
    if end.blackjack:
        return "blackjack_both", "push", "BJ-35"
    return "player_blackjack", rules.blackjack_pays, "BJ-36"


def _compared(rules: Rules, hand: PlayerHand, end: Ending) -> Row:
    """A hand that stood, against the dealer's (BJ-26, BJ-33 to BJ-36)."""
    points = total_of(hand.cards)
    split_21 = points == TWENTY_ONE and hand.split_from != "" and len(hand.cards) == 2
    if end.blackjack:
        if split_21 and rules.split_21_pushes:
            return "dealer_blackjack", "push", "BJ-26"
        return "dealer_blackjack", "lose", "BJ-46" if rules.american else "BJ-36"
    if end.bust:
        row = "dealer_bust_split_two_card_21" if split_21 else "dealer_bust"
        return row, rules.win_pays, "BJ-33"
    if points > end.total:
        if split_21:
            return "split_two_card_21_higher", rules.win_pays, "BJ-26"
        return "total_higher", rules.win_pays, "BJ-34"
    if points == end.total:
        return "total_equal", "push", "BJ-35"
    return "total_lower", "lose", "BJ-34"


def _payouts(state: State, end: Ending, rows: list[Row]) -> tuple[Payout, ...]:
    rules, chip, exponent = state.rules, state.terms.chip, state.terms.exponent
    places = {(hand.seat, hand.hand): place for place, hand in enumerate(state.hands)}
    original_only = end.missed_peek or rules.dealer_blackjack_takes == ORIGINAL_BET
    awarded = []
    for bet in state.bets:
        seat, spot, amount, number = bet
        place = places[seat, number]
        hand = state.hands[place]
        if spot != "main":
            award = _side(rules, bet, hand, end, chip, exponent)
            awarded.append((_WHEN[award.act] - 3 * place + _SPOT_ORDER[spot], bet, award))
            continue
        row, pays, rule = rows[place]
        if original_only and row == "dealer_blackjack" and pays == "lose":
            award = _original_lost(amount, hand.first if number == hand.origin else 0, rule, exponent)
        else:
            why = reason(row, pays, hand.cards, end.total)
            award = award_of(amount, rows[place], chip, exponent, rules.surrender_loss_percent, why)
        at_once = _AT_ONCE.get(hand.status)
        # BJ-30: else first what is taken, then what is paid, each from the last hand played to the first.
        when = _WHEN[award.act] - 3 * place if at_once is None else at_once + place
        awarded.append((when, bet, award))
    return in_order(awarded)


def award_of(stake: int, found: Row, chip: int, exponent: int, percent: int, why: Text) -> Award:
    """A main bet by its row; `percent` is what a surrender loses."""
    row, pays, rule = found
    if pays == "lose":
        return lost(stake, row, rule, exponent, why)
    if pays == "push":
        return pushed(stake, row, rule, exponent, why)
    if pays == "lose_half":
        return _surrendered(stake, row, rule, chip, exponent, percent, why)
    return won(stake, row, pays, rule, chip, exponent, False, why)


@lru_cache(maxsize=4096)
def _surrendered(stake: int, row: str, rule: str, chip: int, exponent: int, percent: int, why: Text) -> Award:
    """Half the bet, or the part the rules declare, goes to the house, up to whole chips (BJ-29, GEN-09)."""
    if percent == 50:
        return half_lost(stake, row, rule, chip, exponent, why=why)
    taken = min(stake, round_to(Fraction(stake * percent, 100), chip, Rounding.UP).amount)
    said, back = money_words(taken, exponent), going_back(stake - taken, exponent)
    words = Text(f"se retira el {percent} %, {said.es}; {back.es}", f"take {percent} %, {said.en}; {back.en}")
    return Award(stake - taken, 0, 0, f"lose_{percent}%", row, rule, because(why, words), "collect", 0)


@lru_cache(maxsize=4096)
def _original_lost(stake: int, original: int, rule: str, exponent: int) -> Award:
    """Only the original bet goes to a dealer's black jack that showed after splits and doubles."""
    why = reason("dealer_blackjack", "lose", (), 0)
    if original == stake:
        return lost(stake, "dealer_blackjack", rule, exponent, why)
    said, back = money_words(original, exponent), money_words(stake - original, exponent)
    if not original:
        words = Text(
            f"{why.es}, apuesta añadida al separar: vuelven {back.es}",
            f"{why.en}, bet added by a split: {back.en} goes back",
        )
        return Award(stake, 0, 0, "push", "dealer_blackjack", rule, words, "push", 0)
    words = Text(
        f"{why.es}: se retira la apuesta inicial, {said.es}; vuelven {back.es}",
        f"{why.en}: take the original bet, {said.en}; {back.en} goes back",
    )
    return Award(stake - original, 0, 0, "original", "dealer_blackjack", rule, words, "collect", 0)


def _side(rules: Rules, bet: Bet, hand: PlayerHand, end: Ending, chip: int, exponent: int) -> Award:
    """Insurance by the dealer's two cards (BJ-21), Perfect Pairs by the player's (BJ-37, BJ-38)."""
    if bet.spot == "insurance":
        return insured(bet.amount, end.blackjack, rules.insurance_pays, chip, exponent)
    first, second = (hand.opening or hand.cards)[:2]
    row = pairs.row_of(first, second)
    if row == "no_pair":
        return lost(bet.amount, row, "BJ-37", exponent, pairs.ROWS[row])
    return won(
        bet.amount, row, rules.perfect_pairs_pays[row], "BJ-38", chip, exponent, False, pairs.ROWS[row]
    )


def insured(stake: int, blackjack: bool, pays: str, chip: int, exponent: int) -> Award:
    """Insurance, by the dealer's first two cards (BJ-21)."""
    row = "dealer_blackjack" if blackjack else "no_dealer_blackjack"
    why = INSURANCE_REASONS[row]
    if blackjack:
        return won(stake, row, pays, "BJ-21", chip, exponent, False, why)
    return lost(stake, row, "BJ-21", exponent, why)
