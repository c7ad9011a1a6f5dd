"""What a settlement says beside the money: the call, the notes, and what could not be checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from casino.kernel.words import Text
from tables.games.base import Detail, Note
from tables.games.blackjack.ending import Ending
from tables.games.blackjack.state import BUST, EVEN, PAID, PlayerHand, State
from tables.games.blackjack.struck import decided_after
from tables.games.corrections import CARD_ERRORS, irregularities

NOTE_RULES: Mapping[str, str] = {
    **dict.fromkeys(CARD_ERRORS, "CARD-41"),
    "chips_taken_early": "BJ-32",
    "card_dealt_covered": "BJ-12",
    "cards_collected_out_of_order": "BJ-31",
}
"""Irregularities a person notes, and the rule each one breaks."""


@lru_cache(maxsize=64)
def announcement(end: Ending) -> Text:
    """What is called out when the dealer's hand is complete (BJ-30)."""
    if end.blackjack:
        return Text("black jack del croupier", "dealer blackjack")
    if end.bust:
        if end.points is None:
            return Text("el croupier se pasó", "the dealer is bust")
        return Text(f"el croupier se pasa con {end.points}", f"the dealer is bust with {end.points}")
    if end.points is None:
        return Text("ninguna mano espera al croupier", "no hand waits for the dealer")
    return Text(f"croupier {end.points}", f"dealer {end.points}")


def notes(state: State, end: Ending) -> tuple[Note, ...]:
    found = []
    if state.hands:
        statuses = {hand.status for hand in state.hands}
        if PAID in statuses or EVEN in statuses:
            found += list(_paid_at_once(state.hands))
        if BUST in statuses:
            seats = tuple(hand.seat for hand in state.hands if hand.status == BUST)
            found.append(Note("busts_taken_at_once", _busts(seats), "BJ-15"))
        if state.rules.hands_to_start_min > 1 and _one_hand(state.hands):
            found.append(Note("too_few_hands", _TOO_FEW, "BJ-05"))
        if end.code == "no_draw":
            found.append(Note("dealer_not_needed", _NOT_NEEDED, "BJ-30"))
        if end.missed_peek:
            found.append(Note("missed_peek", _MISSED_PEEK, "BJ-46"))
    found += noted(state.log, state.undone, NOTE_RULES)
    return tuple(found)


def _one_hand(hands: tuple[PlayerHand, ...]) -> bool:
    """Whether all hands come from one initial hand (BJ-05)."""
    seat, origin = hands[0].seat, hands[0].origin
    return all(hand.seat == seat and hand.origin == origin for hand in hands)


def _paid_at_once(hands: tuple[PlayerHand, ...]) -> Iterable[Note]:
    paid = tuple(hand.seat for hand in hands if hand.status == PAID)
    even = tuple(hand.seat for hand in hands if hand.status == EVEN)
    if paid:
        yield Note("blackjack_paid_at_once", _paid(paid), "BJ-16")
    if even:
        yield Note("even_money_paid_at_once", _even(even), "BJ-19")


@lru_cache(maxsize=1024)
def _paid(seats: tuple[int, ...]) -> Text:
    listed = ", ".join(map(str, seats))
    return Text(
        f"black jack pagado en el acto y cartas recogidas: asiento {listed}",
        f"blackjack paid at once and cards collected: seat {listed}",
    )


@lru_cache(maxsize=1024)
def _even(seats: tuple[int, ...]) -> Text:
    listed = ", ".join(map(str, seats))
    return Text(
        f"pago a la par en el acto y cartas recogidas: asiento {listed}",
        f"even money paid at once and cards collected: seat {listed}",
    )


@lru_cache(maxsize=4096)
def _busts(seats: tuple[int, ...]) -> Text:
    listed = ", ".join(map(str, seats))
    return Text(
        f"se retiraron en el acto apuesta y cartas de las manos pasadas: asiento {listed}",
        f"bet and cards of busted hands were taken at once: seat {listed}",
    )


_TOO_FEW = Text(
    "se jugó con menos manos que las necesarias para empezar",
    "the round was played with fewer hands than are needed to start",
)
_NOT_NEEDED = Text(
    "el croupier no completó su mano: ninguna esperaba ser comparada",
    "the dealer did not complete the hand: none waited to be compared",
)
_MISSED_PEEK = Text(
    "la carta tapada hacía black jack y se siguió jugando: se cobran sólo las apuestas iniciales",
    "the covered card made blackjack and play went on: only the original bets are taken",
)


def noted(
    log: Sequence[Mapping[str, Any]], undone: frozenset[int], rules: Mapping[str, str]
) -> Iterable[Note]:
    """The irregularities a person noted, each with the rule it breaks, and what was decided too late to be
    sure of."""
    yield from irregularities(log, undone, rules)
    if undone:
        yield from decided_after(log, undone)


_NO_CARDS = Text(
    "las cartas y las decisiones (BJ-10 a BJ-29)", "the cards and the decisions (BJ-10 to BJ-29)"
)
_NO_BETS = Text(
    "las apuestas y sus pagos (BJ-07, BJ-08, BJ-21, BJ-30 a BJ-38, GEN-04)",
    "the bets and their payouts (BJ-07, BJ-08, BJ-21, BJ-30 to BJ-38, GEN-04)",
)


def unchecked(detail: Detail) -> tuple[Text, ...]:
    """What this level of detail left unproved."""
    if detail is Detail.RESULT:
        return (_NO_CARDS, _NO_BETS)
    return () if detail is Detail.FULL else (_NO_BETS,)
