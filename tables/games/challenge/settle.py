"""Settling a complete pass: every payout in the order it is made.

What was paid at once comes first (BJ-16, BJ-19), then the bets of busts and their cards, all of a hand
together (BJ-15, BJ-40). Then round after round: the dealer announces, takes the losing bets and pays the
winning ones, each from right to left, that is from the last hand played back to the first (BJ-39).
Amounts are smallest units.
"""

from __future__ import annotations

from collections.abc import Iterable

from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from tables.games.base import Bet, Detail, Note, Payout, Settlement
from tables.games.blackjack.ending import reason
from tables.games.blackjack.saying import noted
from tables.games.blackjack.settle import award_of, insured
from tables.games.challenge import ending
from tables.games.challenge.ending import Ending
from tables.games.challenge.rules import BET_SPOTS, INSURANCE_SPOTS
from tables.games.challenge.state import BETS, BUST, DECIDE, PlayerHand, State
from tables.games.corrections import CARD_ERRORS
from tables.games.paying import Award, in_order, totals

_ACT_ORDER = {"collect": 0, "pay": 1, "push": 2}
_NUMBER = {spot: number for spots in (BET_SPOTS, INSURANCE_SPOTS) for number, spot in enumerate(spots)}
_AT_ONCE, _BUSTS, _ROUNDS = 0, 1, 2


def settle(state: State) -> Settlement:
    """The settlement of a complete pass. Raises `Conflict` (code `round_incomplete`)."""
    if not state.complete:
        raise _incomplete(state)
    ended = ending.endings(state)
    payouts = _payouts(state, ended)
    return Settlement(
        payouts,
        totals(payouts),
        ending.announcement(ended),
        ending.outcome(state, ended),
        tuple(_notes(state)),
        _UNCHECKED[state.terms.detail],
    )


def _incomplete(state: State) -> Conflict:
    if state.terms.detail is Detail.RESULT:
        missing, rule = Text("falta anotar alguna ronda", "a round is not written down yet"), "BJ-39"
    elif state.stage == BETS:
        missing, rule = Text("todavía no se repartió", "no cards are out yet"), "BJ-07"
    elif state.stage == DECIDE:
        missing, rule = Text("quedan manos por jugar", "hands are still to play"), "BJ-13"
    else:
        missing, rule = Text("faltan cartas", "cards are missing"), "BJ-39"
    return Conflict(
        Text("el pase no está completo: {missing}", "the round is not complete: {missing}").fill(
            missing=missing
        ),
        code="round_incomplete",
        rule=rule,
    )


def _payouts(state: State, ended: tuple[Ending, ...]) -> tuple[Payout, ...]:
    rules, chip, exponent = state.rules, state.terms.chip, state.terms.exponent
    places = {(hand.seat, hand.hand): place for place, hand in enumerate(state.hands)}
    awarded: list[tuple[tuple[int, ...], Bet, Award]] = []
    for bet in state.bets:
        place, number = places[bet.seat, bet.hand], _NUMBER[bet.spot]
        hand, end = state.hands[place], ended[number]
        if bet.spot in INSURANCE_SPOTS:
            # By that dealer hand's first two cards (BJ-21, BJ-22).
            award = insured(bet.amount, end.blackjack, rules.insurance_pays, chip, exponent)
            awarded.append(((_ROUNDS, number, _ACT_ORDER[award.act], -place, 1), bet, award))
            continue
        row = ending.row_of(state, hand, number, end)
        why = reason(row[0], row[1], hand.cards, end.total)
        award = award_of(bet.amount, row, chip, exponent, rules.surrender_loss_percent, why)
        awarded.append((_key(state, hand, place, number, award), bet, award))
    return in_order(awarded)


def _key(state: State, hand: PlayerHand, place: int, number: int, award: Award) -> tuple[int, ...]:
    if ending.paid_at_once(state, hand, number):
        return _AT_ONCE, place, number
    if hand.status == BUST:
        return _BUSTS, place, number
    return _ROUNDS, number, _ACT_ORDER[award.act], -place, 0


NOTE_RULES = {
    **dict.fromkeys(CARD_ERRORS, "CARD-41"),
    "chips_taken_early": "BJ-32",
    "card_dealt_covered": "BJ-12",
    "player_left_early": "BJ-41",
}
"""Irregularities a person notes, and the rule each one breaks."""


def _notes(state: State) -> Iterable[Note]:
    for hand in state.hands:
        if any(ending.paid_at_once(state, hand, number) for number in range(hand.rounds)):
            text = Text(
                f"black jack del asiento {hand.seat}: se pagó en el acto lo que no espera al croupier",
                f"blackjack of seat {hand.seat}: what need not wait for the dealer was paid at once",
            )
            yield Note("blackjack_paid_at_once", text, "BJ-16")
        if hand.status == BUST:
            text = Text(
                f"el asiento {hand.seat} se pasó: se retiraron sus {hand.rounds} apuestas y sus cartas",
                f"seat {hand.seat} was bust: its {hand.rounds} bets and cards were taken at once",
            )
            yield Note("bust_taken_at_once", text, "BJ-40")
    seats = {hand.seat for hand in state.hands}
    if seats and len(seats) < state.rules.hands_to_start_min:
        yield Note("too_few_hands", _TOO_FEW, "BJ-05")
    if state.hands:
        yield Note("cards_collected", _COLLECT, "BJ-42")
    yield from noted(state.log, state.undone, NOTE_RULES)


_TOO_FEW = Text(
    "empezó con una sola mano en juego; se requieren dos", "it began with one hand in play; two are needed"
)
_COLLECT = Text(
    "acabada la tercera ronda se juntan las manos de los jugadores, de derecha a izquierda, y luego la del"
    " croupier, cara abajo al descartador",
    "after the third round the players' hands are gathered from right to left and then the dealer's, face"
    " down into the discard holder",
)
_NO_BETS = Text(
    "las apuestas y sus pagos (BJ-09, BJ-21, BJ-36, GEN-04)",
    "the bets and their payouts (BJ-09, BJ-21, BJ-36, GEN-04)",
)
_NO_CARDS = Text(
    "las cartas y las decisiones de los jugadores (BJ-10 a BJ-29)",
    "the cards and the players' decisions (BJ-10 to BJ-29)",
)
_UNCHECKED = {Detail.FULL: (), Detail.CARDS: (_NO_BETS,), Detail.RESULT: (_NO_CARDS, _NO_BETS)}
