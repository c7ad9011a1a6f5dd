"""Settling a complete round: the announcement, then every payout in the order it is made.

The croupier announces (BAC-19), takes the losing bets and then pays the winning ones (BAC-20), seat
by seat from the right hand to the left, that is from the highest seat number down; bets a tie
voids are left standing (BAC-21). Amounts are smallest units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from math import floor
from typing import NamedTuple

from casino.kernel.errors import Conflict
from casino.kernel.money import Rounding, round_to
from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games.baccarat import draws, marking
from tables.games.baccarat.dealing import winner_of
from tables.games.baccarat.outcome import TwoHands
from tables.games.baccarat.rules import MARKED, NO_COMMISSION, SPOTS, Rules, commission_on
from tables.games.baccarat.state import Owed, State
from tables.games.base import Bet, Detail, Note, Payout, Settlement
from tables.games.corrections import irregularities
from tables.games.paying import Award, because, in_order, lost, pushed, ratio, totals

_SPOT_ORDER = {spot: place for place, spot in enumerate((*SPOTS, marking.SPOT))}
_ACT_ORDER = {"collect": 0, "pay": 1, "push": 2}


def settle(state: State) -> Settlement:
    """The settlement of a complete round. Raises `Conflict` (code `round_incomplete`)."""
    if not state.complete:
        raise _incomplete(state)
    outcome = outcome_of(state)
    payouts, owed = _payouts(state, outcome)
    return Settlement(
        payouts=payouts,
        totals=totals(payouts),
        announcement=announcement(outcome),
        outcome=outcome,
        notes=(*_notes(state, outcome), *(marking.note(mark, state.terms.exponent) for mark in owed)),
        unchecked=tuple(_unchecked(state)),
        carry=tuple(map(marking.carried, owed)),
    )


def _incomplete(state: State) -> Conflict:
    if state.terms.detail is Detail.RESULT:
        missing, rule = Text("falta anotar el resultado", "the result is not written down yet"), "BAC-19"
    elif state.terms.detail is Detail.FULL and not state.closed:
        missing, rule = (
            Text("faltan cerrar las apuestas y las cartas", "betting is open and no cards are out"),
            "BAC-11",
        )
    else:
        answer = draws.because(state.punto_values, state.banca_values)
        rule = answer.rule
        missing = Text("falta una carta {to}: {why}", "a card is missing {to}: {why}").fill(
            to=_TO[answer.to], why=answer.why
        )
    return Conflict(
        Text("el pase no está completo: {missing}", "the round is not complete: {missing}").fill(
            missing=missing
        ),
        code="round_incomplete",
        rule=rule,
    )


_TO = {"punto": Text("del punto", "for punto"), "banca": Text("de la banca", "for banca")}


def outcome_of(state: State) -> TwoHands:
    """How a complete round ended."""
    if state.result is not None:
        # A total of 8 or 9 may also come from three cards: without cards nobody knows.
        return TwoHands(state.result.winner, state.result.punto, state.result.banca, None)
    punto_values, banca_values = state.punto_values, state.banca_values
    punto, banca = draws.points(punto_values), draws.points(banca_values)
    # BAC-12: four cards and a hand of 8 or 9.
    natural = len(punto_values) + len(banca_values) == 4 and max(punto, banca) >= draws.NATURAL
    return TwoHands(winner_of(punto, banca), punto, banca, natural, state.punto, state.banca)


@lru_cache(maxsize=512)
def called(winner: str, punto: int | None, banca: int | None) -> Text:
    """Who won, and with what where that is known; why every bet is paid or taken."""
    if punto is None or banca is None:
        return {
            "punto": Text("gana punto", "punto wins"),
            "banca": Text("gana banca", "banca wins"),
            "tie": Text("empate", "tie"),
        }[winner]
    if winner == "tie":
        return Text(f"empate a {punto}", f"tie at {punto}")
    won, lost = (punto, banca) if winner == "punto" else (banca, punto)
    return Text(f"gana {winner} {won} a {lost}", f"{winner} wins {won} to {lost}")


def announcement(outcome: TwoHands) -> Text:
    """What is called out: «gana punto 6 a 2» (BAC-19)."""
    return called(outcome.winner, outcome.punto, outcome.banca)


def _payouts(state: State, outcome: TwoHands) -> tuple[tuple[Payout, ...], list[Owed]]:
    """The payouts, and the commission seats go on owing where it is marked."""
    terms = state.terms
    why = called(outcome.winner, outcome.punto, outcome.banca)
    pays = _paying(state.rules, outcome.winner, outcome.banca == 6, terms.chip, terms.exponent, why)
    awarded = [(bet, pays[bet.spot](bet.amount)) for bet in state.bets]
    owed: list[Owed] = []
    marked = state.rules.commission_collection == MARKED
    if marked or state.owed:
        owed, paid = marking.marks(state, awarded if marked else ())
        if marked:
            awarded = [(bet, marking.in_full(award)) for bet, award in awarded]
        awarded += [marking.collected(mark, state.terms.exponent) for mark in paid]
    return in_order([(_place(award, bet), bet, award) for bet, award in awarded]), owed


def _place(award: Award, bet: Bet) -> tuple[int, int, int]:
    # A marked commission is collected when all bets are settled.
    act = 3 if bet.spot == marking.SPOT else _ACT_ORDER[award.act]
    return (act, -bet.seat, _SPOT_ORDER[bet.spot])


class Paying(NamedTuple):
    """How every bet on one spot is treated under one outcome; `rate` in basis points."""

    row: str
    pays: str
    rule: str
    rate: int
    marked: bool
    commission_rounding: str
    prize_rounding: str
    chip: int
    exponent: int
    why: Text


@lru_cache(maxsize=2048)
def _paying(
    rules: Rules, winner: str, banca_six: bool, chip: int, exponent: int, why: Text
) -> Mapping[str, Callable[[int], Award]]:
    """What a stake on each spot comes to; remembered, because a table has one set of rules and few outcomes,
    and sees the same stakes all night."""
    marked = rules.commission_collection == MARKED
    commission, prize = rules.commission_rounding.value, rules.prize_rounding.value
    found = {}
    for spot in SPOTS:
        row, pays, rule = _row(rules, spot, winner, banca_six)
        rate = rules.rate if spot == "banca" else 0
        paying = Paying(row, pays, rule, rate, marked, commission, prize, chip, exponent, why)
        found[spot] = lru_cache(maxsize=256)(partial(_award, paying))
    return found


def _award(paying: Paying, stake: int) -> Award:
    """What one stake comes to."""
    row, pays, rule, rate, _, commission_policy, prize_policy, chip, exponent, why = paying
    if pays == "lose":
        return lost(stake, row, rule, exponent, why)
    if pays == "push":
        return pushed(stake, row, rule, exponent, why)
    exact = stake * ratio(pays)
    prize = round_to(exact, chip, Rounding(prize_policy)).amount
    commission = rounding = 0
    if rate:
        # The commission never takes more than the prize: a stake that won is not diminished.
        commission = min(commission_on(exact, rate, chip, Rounding(commission_policy)), prize)
        rounding = commission - floor(exact * rate / 10_000)
    words = because(why, _award_words(paying, stake, prize, commission))
    breakage = floor(exact) - prize
    return Award(stake + prize - commission, commission, rounding, pays, row, rule, words, "pay", breakage)


def _row(rules: Rules, spot: str, winner: str, banca_six: bool) -> tuple[str, str, str]:
    """The pay table's row, what it pays, and the rule (BAC-20 to take, BAC-21 ties, BAC-22 pays)."""
    if spot == "tie":
        return ("tie", rules.tie_pays, "BAC-22") if winner == "tie" else ("no_tie", "lose", "BAC-20")
    if winner == "tie":
        return "tie", "push", "BAC-21"
    if spot != winner:
        return f"{winner}_wins", "lose", "BAC-20"
    if spot == "punto":
        return "punto_wins", rules.punto_pays, "BAC-22"
    if rules.banca_variant == NO_COMMISSION and banca_six:
        return "banca_wins_with_six", rules.banca_six_pays, "BAC-22"
    return "banca_wins", rules.banca_pays, "BAC-22"


def _award_words(paying: Paying, stake: int, prize: int, commission: int) -> Text:
    """`1 a 1 sobre 100,00 menos comisión 5 % = 95,00`; a rounded commission is named."""
    gain, unit = paying.pays.split(":")
    if paying.marked and commission:
        on, full = money_words(stake, paying.exponent), money_words(prize, paying.exponent)
        owes = money_words(commission, paying.exponent)
        return Text(
            f"{gain} a {unit} sobre {on.es} = {full.es}; se marca comisión de {owes.es}",
            f"{gain} to {unit} on {on.en} = {full.en}; mark a commission of {owes.en}",
        )
    on, net = money_words(stake, paying.exponent), money_words(prize - commission, paying.exponent)
    less = Text("", "")
    if paying.rate:
        rate = _percent(paying.rate)
        less = Text(f" menos comisión {rate.es} %", f" less {rate.en} % commission")
        if stake * ratio(paying.pays) * paying.rate != commission * 10_000:
            kept = money_words(commission, paying.exponent)
            less = Text(f"{less.es} (redondeada a {kept.es})", f"{less.en} (rounded to {kept.en})")
    return Text(
        f"{gain} a {unit} sobre {on.es}{less.es} = {net.es}",
        f"{gain} to {unit} on {on.en}{less.en} = {net.en}",
    )


def _percent(basis_points: int) -> Text:
    whole, rest = divmod(basis_points, 100)
    if not rest:
        return Text(str(whole), str(whole))
    decimals = f"{rest:02d}".rstrip("0")
    return Text(f"{whole},{decimals}", f"{whole}.{decimals}")


def _notes(state: State, outcome: TwoHands) -> Iterable[Note]:
    if state.dealing_seat is not None:
        if outcome.winner == "punto":
            yield Note("shoe_passes", _SHOE_PASSES.fill(seat=state.dealing_seat), "BAC-23")
        else:
            yield Note("shoe_stays", _SHOE_STAYS.fill(seat=state.dealing_seat), "BAC-23")
    yield from irregularities(state.log, state.undone)


_SHOE_PASSES = Text(
    "perdió la banca: el sabot pasa del asiento {seat} al siguiente por turno (si es el único, lo conserva)",
    "banca lost: the shoe passes from seat {seat} to the next player in turn (a lone player keeps it)",
)
_SHOE_STAYS = Text(
    "la banca no perdió: el asiento {seat} conserva el sabot",
    "banca did not lose: seat {seat} keeps the shoe",
)


def _unchecked(state: State) -> Iterable[Text]:
    """What this level of detail, or this source, left unproved."""
    detail = state.terms.detail
    if detail is Detail.RESULT:
        yield _NO_CARDS
    elif any(card[0] == "v" for card in state.punto + state.banca):
        yield _NO_SUITS
    if detail is not Detail.FULL:
        yield _NO_BETS
    if state.rules.dealer == "player":
        if state.dealing_seat is None:
            yield _NO_DEALER
        else:
            if detail is not Detail.FULL:
                yield _NO_DEALER_BET
            yield _NO_CHIPS_LEFT


_NO_CARDS = Text(
    "las cartas: orden, naturales y tabla de pedir (BAC-11 a BAC-15)",
    "the cards: order, naturals and table of draws (BAC-11 to BAC-15)",
)
_NO_SUITS = Text(
    "las cartas sin palo: si el sabot podía contenerlas (CARD-42)",
    "cards without suit: whether the shoe could hold them (CARD-42)",
)
_NO_BETS = Text(
    "las apuestas y sus pagos (BAC-07, BAC-20 a BAC-22, GEN-04)",
    "the bets and their payouts (BAC-07, BAC-20 to BAC-22, GEN-04)",
)
_NO_DEALER = Text(
    "quién repartió: si apostó y si pasó el sabot (BAC-09, BAC-23)",
    "who dealt: whether that player bet and passed the shoe (BAC-09, BAC-23)",
)
_NO_DEALER_BET = Text("si quien repartió apostó (BAC-09)", "whether the dealing player bet (BAC-09)")
_NO_CHIPS_LEFT = Text(
    "si quien repartió se quedó sin fichas (BAC-23)", "whether the dealing player ran out of chips (BAC-23)"
)
