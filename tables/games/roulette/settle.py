"""Settling a spin: the number called, everything lost taken, then payment from the outside in (RUL-09).

Zero takes what does not cover it; even chances by the table's policy (RUL-06). A stake in prison comes back
to its owner in the sums and is carried to the next spin as an event, so that chips add up over both.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from casino.kernel.errors import Conflict
from casino.kernel.money import Rounding, round_to
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games import paying
from tables.games.base import Bet, Detail, Ended, Event, Hand, Note, Settlement
from tables.games.corrections import irregularities
from tables.games.paying import Award, in_order, totals
from tables.games.roulette.layout import KINDS, LAYOUT, PAY_ORDER, SPOTS, called, colour
from tables.games.roulette.prison import times_after
from tables.games.roulette.rules import Rules
from tables.games.roulette.state import State

_ACT_ORDER = {"collect": 0, "pay": 1, "push": 2}
ON_ZERO = "even_chance_on_zero"


def settle(state: State) -> Settlement:
    """The settlement of a complete spin. Raises `Conflict` (code `round_incomplete`)."""
    number = state.number
    if number is None:
        raise _incomplete(state)
    awarded: list[tuple[Any, Bet, Award]] = []
    jailed: dict[tuple[int, str, int], int] = {}
    for bet in state.bets:
        award, times = _award_of(state, bet, number)
        if times:
            place = (bet.seat, bet.spot, times)
            jailed[place] = jailed.get(place, 0) + bet.amount
        at = (_ACT_ORDER[award.act], PAY_ORDER[bet.spot], -bet.seat, bet.hand)
        awarded.append((at, bet, award))
    payouts = in_order(awarded)
    carry = tuple(_prisoner(place, amount) for place, amount in sorted(jailed.items()))
    return Settlement(
        payouts=payouts,
        totals=totals(payouts),
        announcement=called(number),
        outcome=Ended(str(number), (), _facts(number, carry)),
        notes=tuple(_notes(state, carry)),
        unchecked=() if state.terms.detail is Detail.FULL else (_NO_BETS,),
        carry=carry,
    )


def hands_on(state: State) -> tuple[Hand, ...]:
    """No hands: the roulette has no cards."""
    return ()


def _incomplete(state: State) -> Conflict:
    full = state.terms.detail is Detail.FULL
    missing = (
        Text("las apuestas están abiertas", "betting is open")
        if full and not state.closed
        else Text("falta anotar el número", "the number is not written down yet")
    )
    return Conflict(
        Text("el pase no está completo: {missing}", "the round is not complete: {missing}").fill(
            missing=missing
        ),
        code="round_incomplete",
        rule="RUL-05" if full and not state.closed else "RUL-08",
    )


def _award_of(state: State, bet: Bet, number: int) -> tuple[Award, int]:
    """What a bet comes to, and how many times over it is in prison afterwards (0: not)."""
    rules, terms = state.rules, state.terms
    place = (bet.seat, bet.spot, bet.hand)
    came = _came(number)
    if place in state.released:
        return _taken_back(bet.amount, bet.hand, terms.chip, terms.exponent), 0
    spot = LAYOUT[bet.spot]
    row = KINDS[spot.kind].row
    if not bet.hand and number in spot.covers:
        pays = _pays(rules)[row]
        why = _why_won(bet.spot, number)
        return paying.won(bet.amount, row, pays, "RUL-03", terms.chip, terms.exponent, False, why), 0
    if number and not bet.hand:
        return paying.lost(bet.amount, row, "RUL-09", terms.exponent, came), 0
    times = times_after(rules, place, number)
    if times and place in state.yielded:
        return _taken_back(bet.amount, times, terms.chip, terms.exponent), 0
    if times:
        return _kept(bet.amount, times, terms.exponent, came), times
    if bet.hand:
        if number in spot.covers:
            return _freed(bet.amount, terms.exponent, came), 0
        return paying.lost(bet.amount, "prison_lost", "RUL-07", terms.exponent, came), 0
    if spot.kind != "even_chance":
        return paying.lost(bet.amount, row, "RUL-06", terms.exponent, came), 0
    if rules.zero_policy == "half":
        return paying.half_lost(bet.amount, ON_ZERO, "RUL-06", terms.chip, terms.exponent, why=came), 0
    return paying.lost(bet.amount, ON_ZERO, "RUL-06", terms.exponent, came), 0


@lru_cache(maxsize=37)
def _came(number: int) -> Text:
    if number == 0:
        return Text("salió el cero", "zero came")
    return Text(f"salió el {number}", f"{number} came")


@lru_cache(maxsize=4096)
def _why_won(code: str, number: int) -> Text:
    """«pleno 17»; of a bet on more numbers also which of them came."""
    spot, came = LAYOUT[code], _came(number)
    kind = Text(spot.words.es.lower(), spot.words.en.lower())
    return kind if len(spot.covers) == 1 else Text(f"{kind.es}, {came.es}", f"{kind.en}, {came.en}")


@lru_cache(maxsize=64)
def _pays(rules: Rules) -> dict[str, str]:
    return dict(rules.pays)


@lru_cache(maxsize=4096)
def _kept(stake: int, times: int, exponent: int, came: Text) -> Award:
    said = money_words(stake, exponent)
    over = Text(f" ({times} veces)", f" ({times} times)") if times > 1 else Text("", "")
    words = Text(
        f"{came.es}: queda en prisión{over.es}, {said.es} siguen en la casilla",
        f"{came.en}: goes to prison{over.en}, {said.en} stays on the spot",
    )
    return Award(stake, 0, 0, "prison", "in_prison", "RUL-07", words, "push", 0)


@lru_cache(maxsize=4096)
def _freed(stake: int, exponent: int, came: Text) -> Award:
    said = money_words(stake, exponent)
    words = Text(
        f"{came.es}: sale de prisión sin premio, quedan {said.es}",
        f"{came.en}: freed from prison without a prize, {said.en} stands",
    )
    return Award(stake, 0, 0, "push", "prison_won", "RUL-07", words, "push", 0)


@lru_cache(maxsize=4096)
def _taken_back(stake: int, times: int, chip: int, exponent: int) -> Award:
    """Half of what is left for each time in prison is the house's, up to whole chips (GEN-09)."""
    taken = stake - round_to(Fraction(stake, 2**times), chip, Rounding.DOWN).amount
    said, back = money_words(taken, exponent), paying.going_back(stake - taken, exponent)
    words = Text(
        f"retiro de la prisión: la casa toma {said.es}; {back.es}",
        f"taken out of prison: the house takes {said.en}; {back.en}",
    )
    return Award(stake - taken, 0, 0, "lose_half", "prison_released", "RUL-07", words, "collect", 0)


def _prisoner(place: tuple[int, str, int], amount: int) -> Event:
    seat, spot, times = place
    return {"e": "prison", "seat": seat, "spot": spot, "amount": amount, "times": times}


def _facts(number: int, carry: tuple[Event, ...]) -> dict[str, Any]:
    facts: dict[str, Any] = {"number": number, "colour": colour(number)}
    if number:
        facts["parity"] = "odd" if number % 2 else "even"
        facts["half"] = "low" if number <= 18 else "high"
        facts["dozen"], facts["column"] = (number + 11) // 12, (number - 1) % 3 + 1
    if carry:
        facts["in_prison"] = sum(event["amount"] for event in carry)
    return facts


def _notes(state: State, carry: tuple[Event, ...]) -> Iterable[Note]:
    for event in carry:
        told = _IN_PRISON.fill(
            seat=event["seat"],
            amount=money_words(event["amount"], state.terms.exponent),
            spot=SPOTS[event["spot"]],
        )
        yield Note("in_prison", told, "RUL-07")
    yield from irregularities(state.log, state.undone)


_IN_PRISON = Text(
    "asiento {seat}: {amount} a {spot} en prisión para la tirada siguiente",
    "seat {seat}: {amount} on {spot} in prison for the next spin",
)
_NO_BETS = Text("las apuestas y sus pagos (RUL-02 a RUL-07)", "the bets and their payouts (RUL-02 to RUL-07)")
