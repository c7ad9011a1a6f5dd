"""Settling a complete round: the announcement, then every payout in the order it is made.

The croupier announces (BAC-19), takes what lost and pays what won (BAC-20), punto seat by seat from the
right hand to the left. The bank is the banker's stake: what the covered bets put at risk. What it wins,
less the house's deduction (BANK-18, BANK-19), stays in the bank. A tie voids the play (BAC-21).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any

from casino.kernel.errors import Conflict
from casino.kernel.money import Rounding, round_to
from casino.kernel.money import words as money_words
from casino.kernel.words import Text, same
from tables.games import paying
from tables.games.baccarat.dealing import winner_of
from tables.games.baccarat.draws import NATURAL, points
from tables.games.baccarat.settle import called
from tables.games.banked.betting import from_the_right
from tables.games.banked.dealing import decider
from tables.games.banked.drawing import because
from tables.games.banked.state import State
from tables.games.base import Bet, Detail, Ended, Hand, Note, Payout, Settlement
from tables.games.corrections import irregularities
from tables.games.paying import Award, in_order, totals

_ACT_ORDER = {"collect": 0, "pay": 1, "push": 2}


def settle(state: State) -> Settlement:
    """The settlement of a complete round. Raises `Conflict` (code `round_incomplete`)."""
    if not state.complete:
        raise _incomplete(state)
    punto, banca, winner = figures(state)
    payouts = _payouts(state, winner)
    facts = _facts(state, winner, payouts)
    outcome = Ended(winner, hands_on(state, winner), facts)
    return Settlement(
        payouts=payouts,
        totals=totals(payouts),
        announcement=announced(winner, punto, banca),
        outcome=outcome,
        notes=tuple(_notes(state, winner, facts)),
        unchecked=tuple(_unchecked(state)),
    )


def _incomplete(state: State) -> Conflict:
    rule = "BAC-19"
    if state.terms.detail is Detail.RESULT:
        missing = Text("falta anotar el resultado", "the result is not written down yet")
    elif not state.banker:
        missing, rule = Text("nadie tiene el banco", "nobody holds the bank"), "BANK-01"
    elif state.terms.detail is Detail.FULL and not state.closed:
        missing, rule = Text("faltan cerrar las apuestas", "betting is open"), "BAC-11"
    else:
        free = state.rules.punto_free_choice
        answer = because(state.punto_values, state.banca_values, state.decision, free)
        missing, rule = answer.why, answer.rule
    return Conflict(
        Text("el pase no está completo: {missing}", "the round is not complete: {missing}").fill(
            missing=missing
        ),
        code="round_incomplete",
        rule=rule,
    )


def figures(state: State) -> tuple[int | None, int | None, str]:
    """Both totals, None where not logged, and who won."""
    if state.result is not None:
        return state.result.punto, state.result.banca, state.result.winner
    punto, banca = points(state.punto_values), points(state.banca_values)
    return punto, banca, winner_of(punto, banca)


@lru_cache(maxsize=512)
def announced(winner: str, punto: int | None, banca: int | None) -> Text:
    """What is called out: «gana punto 6 a 2» (BAC-19)."""
    if winner == "tie":
        at = "" if punto is None else f" a {punto}"
        return Text(f"empate{at}: jugada nula", f"tie{at.replace(' a ', ' at ')}: the play is void")
    if punto is None or banca is None:
        return Text(f"gana {winner}", f"{winner} wins")
    won, lost = (punto, banca) if winner == "punto" else (banca, punto)
    return Text(f"gana {winner} {won} a {lost}", f"{winner} wins {won} to {lost}")


def hands_on(state: State, winner: str = "") -> tuple[Hand, ...]:
    """Both hands as they lie now."""
    found = []
    for name, lying, values, told in (
        ("punto", state.punto, state.punto_values, state.result and state.result.punto),
        ("banca", state.banca, state.banca_values, state.result and state.result.banca),
    ):
        total = points(values) if lying else told
        verdict = "" if not winner else "push" if winner == "tie" else "win" if winner == name else "lose"
        worth = None if total is None else same(str(total))
        found.append(Hand(name, cards=lying, worth=worth, verdict=verdict))
    return tuple(found)


def _payouts(state: State, winner: str) -> tuple[Payout, ...]:
    if state.terms.detail is not Detail.FULL:
        return ()
    punto, banca, _ = figures(state)
    why = called(winner, punto, banca)
    awarded: list[tuple[Any, Bet, Award]] = []
    paid = staked = 0
    for bet in state.bets:
        if bet.spot == "punto":
            award = _punto_award(state, winner, bet.amount, why)
            paid += award.returned - bet.amount
            staked += bet.amount
            awarded.append(((_ACT_ORDER[award.act], 0, -bet.seat), bet, award))
    award = _bank_award(state, winner, staked, paid, why)
    # The bank's chips come out before punto is paid from them, and go in after the lost bets are taken.
    at = (_ACT_ORDER[award.act], 1 if award.act != "pay" else 0, 0)
    awarded.append((at, Bet(state.banker, "bank", staked), award))
    return in_order(awarded)


def _punto_award(state: State, winner: str, stake: int, why: Text) -> Award:
    chip, exponent = state.terms.chip, state.terms.exponent
    if winner == "tie":
        return paying.pushed(stake, "tie", "BAC-21", exponent, why)
    if winner == "banca":
        return paying.lost(stake, "banca_wins", "BAC-20", exponent, why)
    pays = state.rules.punto_pays
    return paying.won(stake, "punto_wins", pays, "BANK-01", chip, exponent, False, why)


def _bank_award(state: State, winner: str, stake: int, paid: int, why: Text) -> Award:
    rules, terms = state.rules, state.terms
    if winner == "tie":
        return paying.pushed(stake, "tie", "BAC-21", terms.exponent, why)
    if winner == "punto":
        return _bank_pays(stake, paid, terms.exponent, why)
    rounded = (rules.deduction_rounding_unit, rules.deduction_rounding.value)
    return _bank_wins(stake, rules.deduction_basis_points, rounded, terms.chip, terms.exponent, why)


@lru_cache(maxsize=16_384)
def _bank_pays(stake: int, paid: int, exponent: int, why: Text) -> Award:
    said, left = money_words(paid, exponent), money_words(stake - paid, exponent)
    words = Text(f"el banco paga {said.es}", f"the bank pays {said.en}")
    if stake != paid:
        words = Text(f"{words.es}; quedan {left.es}", f"{words.en}; {left.en} stays")
    return Award(
        stake - paid, 0, 0, "lose", "punto_wins", "BANK-01", paying.because(why, words), "collect", 0
    )


@lru_cache(maxsize=16_384)
def _bank_wins(stake: int, rate: int, rounded: tuple[int, str], chip: int, exponent: int, why: Text) -> Award:
    """The bank takes the bets less the deduction, never more than was won (BANK-18).

    Rounded as the rules say (BANK-19), then up to the smallest chip (GEN-09): to the nearest chip, small
    banks would pay nothing at a table of large chips.
    """
    exact = Fraction(stake * rate, 10_000)
    unit, policy = rounded
    told = round_to(exact, unit, Rounding(policy)).amount
    deduction = min(-(-told // chip) * chip, stake)
    on, net = money_words(stake, exponent), money_words(stake - deduction, exponent)
    kept, percent = money_words(deduction, exponent), _percent(rate)
    words = Text(
        f"1 a 1 sobre {on.es} menos deducción {percent.es} % ({kept.es}) = {net.es}",
        f"1 to 1 on {on.en} less {percent.en} % deduction ({kept.en}) = {net.en}",
    )
    return Award(
        2 * stake - deduction,
        deduction,
        deduction - floor(exact),
        "1:1",
        "banca_wins",
        "BANK-18",
        paying.because(why, words),
        "pay",
        0,
    )


def _percent(basis_points: int) -> Text:
    whole, rest = divmod(basis_points, 100)
    decimals = f"{rest:02d}".rstrip("0")
    return Text(f"{whole},{decimals}", f"{whole}.{decimals}") if decimals else same(str(whole))


def _facts(state: State, winner: str, payouts: tuple[Payout, ...]) -> dict[str, Any]:
    punto, banca, _ = figures(state)
    four = len(state.punto) == len(state.banca) == 2
    facts: dict[str, Any] = {"punto": punto, "banca": banca, "banker": state.banker}
    facts["natural"] = None if state.result else four and max(punto or 0, banca or 0) >= NATURAL
    facts["decision"] = state.decision
    if state.terms.detail is Detail.FULL:
        bank = next(payout for payout in payouts if payout.spot == "bank")
        facts["bank"], facts["bank_after"] = state.bank, state.bank + bank.won
        facts["at_risk"], facts["deduction"] = bank.stake, bank.commission
        facts["banco"] = _banco(state)
        facts["uncovered"] = [[seat, amount] for seat, amount in state.uncovered]
        facts["decider"] = decider(state.stakes)
    return facts


def _banco(state: State) -> list[int]:
    """Who bet the whole bank (BANK-16), whether it was all covered or not."""
    back, stakes = dict(state.uncovered), state.stakes
    placed = [(seat, stakes.get(seat, 0) + back.get(seat, 0)) for seat in stakes.keys() | back.keys()]
    return sorted([seat for seat, amount in placed if amount == state.bank])


def _notes(state: State, winner: str, facts: Mapping[str, Any]) -> Iterable[Note]:
    exponent, banker = state.terms.exponent, state.banker
    if banker and winner == "punto":
        yield _note("bank_passes", "BANK-04", banker)
        if facts.get("bank_after"):
            yield _note("bank_returned", "BANK-05", banker, facts["bank_after"], exponent)
        around = from_the_right(banker, state.terms.seats)
        to_right = state.rules.rotation == "right"
        yield _note(
            "bank_offered" if to_right else "bank_offered_left", "BANK-24", around[0 if to_right else -1]
        )
    elif banker:
        yield _note("bank_stays", "BANK-03", banker)
    for seat in facts.get("banco", ()):
        yield _note("banco", "BANK-16", seat)
    for seat, amount in state.uncovered:
        yield _note("uncovered", "BANK-27", seat, amount, exponent)
    yield from irregularities(state.log, state.undone)


@lru_cache(maxsize=4096)
def _note(code: str, rule: str, seat: int, amount: int = 0, exponent: int = 2) -> Note:
    return Note(code, _NOTED[code].fill(seat=seat, amount=money_words(amount, exponent)), rule)


_NOTED = {
    "bank_passes": Text(
        "perdió la banca: el asiento {seat} pierde el banco y el reparto",
        "banca lost: seat {seat} loses the bank and the deal",
    ),
    "bank_returned": Text(
        "devuelva al asiento {seat} lo que queda en el banco: {amount}",
        "return to seat {seat} what is left in the bank: {amount}",
    ),
    "bank_offered": Text(
        "el banco y el sabot pasan a la derecha: ofrézcalos primero al asiento {seat}, si está ocupado",
        "bank and shoe pass to the right: offer them first to seat {seat}, if it is taken",
    ),
    "bank_offered_left": Text(
        "el banco y el sabot pasan a la izquierda: ofrézcalos primero al asiento {seat}, si está ocupado",
        "bank and shoe pass to the left: offer them first to seat {seat}, if it is taken",
    ),
    "bank_stays": Text(
        "la banca no perdió: el asiento {seat} conserva el banco y puede retirarlo o entregarlo",
        "banca did not lose: seat {seat} keeps the bank and may withdraw it or hand it over",
    ),
    "banco": Text(
        "el asiento {seat} apostó todo el banco: hace banco", "seat {seat} bet the whole bank: it goes banco"
    ),
    "uncovered": Text(
        "el banco no cubre {amount} del asiento {seat}: se devolvieron antes de repartir",
        "the bank does not cover {amount} of seat {seat}: it was returned before the deal",
    ),
}


def _unchecked(state: State) -> Iterable[Text]:
    """What this level of detail, or this source, left unproved."""
    detail = state.terms.detail
    if detail is Detail.RESULT:
        yield _NO_CARDS
    elif any(card[0] == "v" for card in state.punto + state.banca):
        yield _NO_SUITS
    if detail is not Detail.FULL:
        yield _NO_BETS
    if not state.banker:
        yield _NO_BANKER
    if detail is Detail.CARDS and state.decision:
        yield _NO_DECIDER
    yield _NO_HANDOVER


_NO_CARDS = Text(
    "las cartas y la decisión del punto (BAC-11 a BAC-17)",
    "the cards and punto's decision (BAC-11 to BAC-17)",
)
_NO_SUITS = Text(
    "las cartas sin palo: si el sabot podía contenerlas (CARD-42)",
    "cards without suit: whether the shoe could hold them (CARD-42)",
)
_NO_BETS = Text(
    "el banco, las apuestas, sus pagos y la deducción (BANK-02, BANK-16, BANK-18, BANK-27)",
    "the bank, the bets, their payouts and the deduction (BANK-02, BANK-16, BANK-18, BANK-27)",
)
_NO_BANKER = Text("quién tenía el banco (BANK-01, BANK-04)", "who held the bank (BANK-01, BANK-04)")
_NO_DECIDER = Text(
    "si decidió quien más apostó al punto (BAC-16)", "whether the highest punto bettor decided (BAC-16)"
)
_NO_HANDOVER = Text(
    "cómo llegó el banco a quien lo tiene: turno, retoma, subasta (BANK-06 a BANK-15)",
    "how the bank came to its holder: rotation, retake, auction (BANK-06 to BANK-15)",
)
